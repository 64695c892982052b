/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reading data: text files of the run-time (docs/reference/data-format.md) and spools that killed
 * programs left. src/data/import reads other formats: each importer gets a file and fills a fresh
 * data set, or reports an error.
 */
#ifndef DATA_LOAD_H
#define DATA_LOAD_H

#include "data/import/import.h"

struct load_options {
    bool ignore_formulas;         /* dataset_merge */
    bool may_be_empty;            /* a file that holds nothing is a warning */
    struct import_options import; /* for files of other tools */
    const char *label;            /* of the version of all files; NULL = what they state decides */
};

enum load_kind { LOAD_DAT, LOAD_SPOOL, LOAD_UNKNOWN };

/* Reads the file (by its content: text or spool) and merges it into `d`. On error `d` is as before,
 * the diagnostic has the reason and the place; its places live in `arena`. A cut-off file gives its
 * whole rows and sets data_file.truncated. options NULL = defaults. */
int dataset_load(struct dataset *d, const char *path, const struct load_options *options,
                 struct arena *arena, struct diag *diag);

/* The text of a data file from an open descriptor into the empty data set `d`; `path` is for
 * messages. */
int load_dat(struct dataset *d, int fd, const char *path, struct arena *arena, struct diag *diag);
int load_spool(struct dataset *d, const char *path, struct arena *arena, struct diag *diag);

/* Sets leave_out[i] for each of the n files whose samples another one has (a spool and its data
 * file, a temporary file, a copy, the same file again), with a warning: none counts twice. What repeats a file of
 * `loaded` (NULL: none) is an error, as is a file that cannot be read, and -1 is returned. */
int load_choose(char *const *paths, size_t n, const struct dataset *loaded, bool *leave_out,
                struct arena *arena, struct diag *diag);

/* A run of several processes that was killed leaves a spool of each process, on the host of the
 * process. Warns, once for each run, if files of only some of its processes are loaded: which are
 * missing, on which hosts, and in which folder. Looks at the runs of the files from index `first`
 * on. Warns also about processes that a launcher of another MPI library started, and
 * about a variable that is not the setting of its name. */
void load_missing(const struct dataset *d, size_t first, struct arena *arena, struct diag *diag);

/* Writes all samples of `d` for which keep(user, experiment, row) holds (keep NULL = all) as a data
 * file: what load_dat reads back. Times stay raw. A file has one version: that of the first such
 * sample. Returns 0, or -1 with errno set. */
typedef bool save_keep(void *user, const struct experiment *e, size_t row);
int dataset_save(const struct dataset *d, const char *path, save_keep *keep, void *user);

#endif
