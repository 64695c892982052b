/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Measurements of other tools (docs/user/import.md): JSON Lines, tables, Extra-P's text, JSON and
 * TaLPas format, reports of CALL 1.0, Google Benchmark, hyperfine, perf stat, Caliper, LIKWID, Cube.
 *
 *     struct import_options options = {.time = "seconds"};
 *     if (import_recognise(text, size) != IMPORT_NONE)
 *         status = import_load(d, path, text, size, &options, arena, diag);
 *
 * A file is recognised by its content. It is read into a data set of its own, which is merged into
 * `d` when all of it was good: after an error `d` is as before.
 */
#ifndef DATA_IMPORT_IMPORT_H
#define DATA_IMPORT_IMPORT_H

#include "data/dataset.h"

enum import_limits {
    IMPORT_MAX_SIZE = 256 << 20, /* bytes of a file */
    IMPORT_MAX_EXPERIMENTS = 10000,
    IMPORT_MAX_COLUMNS = 200,     /* variables and observables of one experiment */
    IMPORT_MAX_NAME = 1000,       /* bytes of a name or a path */
    IMPORT_MAX_CELLS = 100000000, /* numbers of a file, including missing ones */
};

enum import_format {
    IMPORT_NONE, /* none of these */
    IMPORT_CALL1,
    IMPORT_EXTRAP_TEXT,
    IMPORT_EXTRAP_JSON,
    IMPORT_JSON_LINES,
    IMPORT_TALPAS,
    IMPORT_GOOGLE_BENCHMARK,
    IMPORT_HYPERFINE,
    IMPORT_PERF,
    IMPORT_CALIPER,
    IMPORT_LIKWID,
    IMPORT_CUBE,
    IMPORT_CSV,
    IMPORT_FORMATS /* how many there are */
};

/* The options of `load FILE... NAME=VALUE`; NULL = not given. Lists are separated by commas. */
struct import_options {
    const char *time;              /* the column or metric that is the time */
    const char *unit;              /* of the time: s, ms, us, ns */
    const char *experiment;        /* one experiment of this name for the whole file */
    const char *experiment_column; /* the column that names the experiment */
    const char *variables;         /* columns that are variables; names for arguments, for
                                      numbers in the name of the file */
    const char *observables;       /* the columns that were measured beside the time */
    bool ignore_formulas;          /* dataset_merge */
    /* Data that will be merged with `d` later (NULL = none): its names are also taken. */
    const struct dataset *known;
};

/* The options that have a name on the `load` command, ended by a NULL name. */
struct import_option {
    const char *name, *argument, *help;
    size_t offset; /* of the const char * in struct import_options */
};
extern const struct import_option import_option_table[];

/* The formats, by enum import_format; entry 0 stands for none. */
struct import_format_info {
    const char *name, *what;
    const char *options; /* names of the options it takes, separated by blanks */
};
extern const struct import_format_info import_formats[IMPORT_FORMATS];

/* What a text is. It need not be terminated. */
enum import_format import_recognise(const char *text, size_t size);

/* Reads text[0..size), which must be followed by a 0, and merges it into `d`. options NULL = none.
 * Returns 0; or -1 with one error in `diag`, whose source lives in `arena` (`text` may go). A text
 * of no known format is an error that lists the formats. */
int import_load(struct dataset *d, const char *path, const char *text, size_t size,
                const struct import_options *options, struct arena *arena, struct diag *diag);

#endif
