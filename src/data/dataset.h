/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Data sets: the samples of experiments, column by column, from one or more files.
 *
 *     struct dataset *d = dataset_create();
 *     if (dataset_load(d, "fft.cll.0.dat", NULL, arena, diag) == 0) { // data/load.h
 *         const struct experiment *e = dataset_find(d, "f");
 *         printf("%g\n", column_at(experiment_variable(e, 0), row));
 *     }
 *     dataset_destroy(d);
 *
 * A column whose rows all hold one value takes no memory per row (most of the fixed ones do so).
 * Rows keep the order of their files; struct segment states which rows come from which file,
 * because clock resolution and overhead belong to the file.
 */
#ifndef DATA_DATASET_H
#define DATA_DATASET_H

#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/diag.h"
#include "base/memory.h"
#include "base/lookup.h"

/* The fixed columns after `experiment`, in the order of the data file. */
enum data_field {
    FIELD_RUN,
    FIELD_SEQ,
    FIELD_START,
    FIELD_NESTED,
    FIELD_P,
    FIELD_RANK,
    FIELD_THREAD,
    FIELD_COUNT,
    FIELD_FIXED /* how many there are */
};
extern const char *const data_field_names[FIELD_FIXED];

/* Whether a sample can have this value in a fixed column. `start` is a time, nan where it is not
 * known; the others are whole numbers; P and count begin at 1. */
bool data_field_holds(enum data_field field, double value);
/* What such a value is, for the message about another one: "a whole number from 0 on". */
const char *data_field_rule(enum data_field field);

/* The column that says what disturbed a sample. It is kept with the observables, and is not one. */
#define DATA_DISTURBED "disturbed"

struct column {
    const char *name;
    double constant; /* the value of every row while values is NULL */
    double *values;
    size_t capacity;
};

static inline double column_at(const struct column *c, size_t row)
{
    // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): an experiment with rows has its columns
    return c->values ? c->values[row] : c->constant;
}
/* No row has a value: the column belongs to other experiments of the file, or its observable could
 * not be measured. */
static inline bool column_is_empty(const struct column *c)
{
    return !c->values && isnan(c->constant);
}
/* Whether the experiment has values of it that were measured: the column `disturbed` only says what
 * happened to them. */
static inline bool column_is_observable(const struct column *c)
{
    return !column_is_empty(c) && strcmp(c->name, DATA_DISTURBED) != 0;
}

/* A line of the header about something that is not a number: `# absent: NAME reason`. */
struct data_absent {
    const char *observable, *reason;
};

/* A line `# setting: n 100`: a number of the command line of the run. */
struct data_setting {
    const char *name;
    double value;
};

enum data_thinned { THINNED_NO, THINNED_PER_TUPLE, THINNED_GLOBAL };

/* The host of a run: at its begin [0] and end [1]. */
struct data_host {
    bool has_load;
    double load[2];      /* processes that want to run; nan: not known */
    double frequency[2]; /* of a core, Hz; 0: not known */
    double stolen,
        wanted; /* seconds that the hypervisor took from the cores during the run, of those
                              in which they worked or wanted to work; both 0: not known */
};

/* Did processes or threads share a core of the hardware? */
enum data_hyper_threads {
    HYPER_THREADS_UNKNOWN,
    HYPER_THREADS_NONE, /* no two cores of the program are hyper-threads of one */
    HYPER_THREADS_FREE, /* some are, but there were enough cores of the hardware */
    HYPER_THREADS_USED
};

/* As in the file; "" for one that is not known. */
extern const char *const data_hyper_threads_words[];

/* The header of a file; strings are "" where it has no value. */
struct data_file {
    const char *path, *program, *driver, *host, *cpu, *compiler, *flags, *date, *clock;
    const char *job;   /* the same in all files of one run of a parallel program */
    const char *build; /* the build-id of the program */
    const char *label; /* of the version, as the file states it */
    const char
        *turns; /* its runs were measured by turns with those of other files with this text */
    const char **codes; /* "HASH FILE" of each source that measured */
    size_t ncodes;
    size_t version; /* of the data set: data/version.h */
    size_t first;   /* index of the first file of this job; of this one if it has none */
    double world, cores;
    double launched; /* processes that the launcher started, if each of them was alone; else 0 */
    double hosts;    /* on which the program ran; 0: not known */
    double ranks_per_host[2], cores_per_host[2]; /* fewest and most of a host; 0: not known */
    enum data_hyper_threads hyper_threads;
    double resolution;                /* seconds */
    double overhead, overhead_spread; /* seconds per begin/end pair */
    double empty;                     /* what an empty region measures of it, if has_empty */
    bool has_empty;
    double abandoned; /* samples */
    double elapsed,
        processor; /* seconds from the start of the program to the report: by the clock, and of CPU
                                  time; 0: not known */
    double memory; /* bytes that the process had at most; 0: not known */
    struct data_host host_state;
    bool oversubscribed, truncated;
    enum data_thinned thinned;
    struct data_absent *absents;
    size_t nabsents;
    struct data_setting *settings; /* variables of the experiments that have none of these names */
    size_t nsettings;
    const char **notes;
    size_t nnotes;
    const char **processes; /* `ID FROM TO` of each process whose samples the file holds */
    size_t nprocesses;
    const char **hosted; /* `RANKS HOST` of all processes, in a file of one of several processes */
    size_t nhosted;
    const char *folder; /* of the spool when it was made */
    bool is_spool;
};

/* Nothing was timed: the observables are exact counts (call count). */
static inline bool data_file_is_counted(const struct data_file *f)
{
    return f->clock && strcmp(f->clock, "none") == 0;
}

static inline bool data_file_is_simulated(const struct data_file *f)
{
    return f->clock && (strcmp(f->clock, "simulated") == 0 || strcmp(f->clock, "computed") == 0);
}
/* Does every run give the same times? A rule that computes times may have noise. */
static inline bool data_file_repeats(const struct data_file *f)
{
    return f->clock && strcmp(f->clock, "simulated") == 0;
}

/* When the process began, in seconds since 1970; nan if the file does not say it. */
double data_file_time(const struct data_file *f);

/* What the header says about a run, by the names that conditions use: 0 or 1, or the number of hosts
 * (0: not known). */
enum data_fact { FACT_SIMULATED, FACT_HOSTS, FACT_OVERSUBSCRIBED, FACT_HYPER_THREADS, FACT_COUNT };
extern const char *const data_fact_names[FACT_COUNT];
double data_file_fact(const struct data_file *f, enum data_fact fact);

/* What measuring added to a time: the part of its own pair that is inside the region, and all of
 * each nested pair. Where the file does not say what an empty region measures, the whole pair
 * counts. */
static inline double data_file_correction(const struct data_file *f, double nested)
{
    return (f->has_empty ? f->empty : f->overhead) + f->overhead * nested;
}

struct observable_formula {
    const char *observable, *text;
    size_t file; /* index of the file that gave it first */
};

struct segment {
    size_t file, first_row; /* up to the next segment's first_row */
};

/* Of an experiment that is a part of another one: where its rows come from. */
struct experiment_origin {
    const struct experiment *whole;
    size_t *rows;         /* of the whole */
    struct arena *arena;  /* of the part */
    struct nested *found; /* NULL: not asked for yet (nesting.h) */
};

struct experiment {
    const char *name; /* `base`; "f@before" if several versions have an experiment f */
    const char *base; /* as in its files and formulas: "f" */
    size_t version;
    size_t index;                                   /* in the data set */
    struct experiment *next_of_base, *last_of_base; /* of other versions; last: of the first one */
    struct observable_formula *formulas;
    size_t nformulas;
    const char **sources; /* "x.c:12-14" */
    size_t nsources;
    struct lookup known_sources;
    /* FIELD_FIXED fixed columns, then the variables, then the observables. */
    struct column *columns;
    size_t ncolumns, nvariables;
    size_t nrows;
    struct segment *segments;
    size_t nsegments;
    struct experiment_origin *origin; /* NULL: it is not a part */
};

static inline const struct column *experiment_variable(const struct experiment *e, size_t i)
{
    return &e->columns[FIELD_FIXED + i];
}
static inline size_t experiment_first_observable(const struct experiment *e)
{
    return FIELD_FIXED + e->nvariables;
}

/* What tells the files of one version from those of others; "" = not known. */
struct data_identity {
    bool known;            /* a file says which code it comes from */
    bool several_programs; /* the sources of the files differ: no build-id is that of all */
    const char *cpu, *compiler, *flags, *build;
    const char **codes;
    size_t ncodes, codes_capacity;
    struct lookup known_codes;
};

/* Times of a clock, simulated times, and counts: not compared with each other. */
enum data_kind { KIND_MEASURED, KIND_SIMULATED, KIND_COUNTED, KIND_COUNT };

/* Files of the same code, flags and machine, as far as they state it; or files that the user put
 * together under a label. */
struct data_version {
    const char *label;
    bool given; /* by the user, or stated by the file: it decides what belongs to the version */
    struct data_identity identity[KIND_COUNT];
};

struct dataset {
    struct arena *arena; /* names and texts; columns are plain memory */
    struct data_version *versions;
    size_t nversions;
    const char *given_label; /* while a file is loaded: of its version; NULL = none */
    struct data_file *files;
    size_t nfiles;
    struct lookup jobs; /* the first file of each */
    struct experiment **experiments;
    size_t nexperiments;
    struct lookup bases;     /* the first experiment of each base */
    struct nesting *nesting; /* found when it is asked for (nesting.h) */
};

struct dataset *dataset_create(void);
void dataset_destroy(struct dataset *d); /* NULL is fine */
/* Of a data set that is declared in a block: it is destroyed at the end of the block. */
#define DATASET_LOCAL __attribute__((cleanup(dataset_leave)))
static inline void dataset_leave(struct dataset **d)
{
    dataset_destroy(*d);
}

/* By its name, or by its name in the files and its version: "f@before". NULL if no version or
 * several versions have one of this name. */
struct experiment *dataset_find(const struct dataset *d, const char *name);
/* The first experiment of this name in its files, of whatever version; `next_of_base` leads to
 * the same name in other versions. NULL if no file has it. */
struct experiment *dataset_find_base(const struct dataset *d, const char *base);
struct experiment *dataset_add_experiment(struct dataset *d, const char *name);
/* A file that states nothing: every text but the path is "", and turns is NULL. */
struct data_file data_file_of(const char *path);
/* The new file's index. */
size_t dataset_add_file(struct dataset *d, const struct data_file *file);

/* Do the first samples of `e` have this variable from the command line of their run, or the program one of this name? */
bool dataset_is_setting(const struct dataset *d, const struct experiment *e, const char *name);

/* Column of a variable / an observable, SIZE_MAX if there is none. */
size_t experiment_find_variable(const struct experiment *e, const char *name);
size_t experiment_find_observable(const struct experiment *e, const char *name);
/* Adds one; rows that exist already get nan. Variables only while there is no observable. */
size_t experiment_add_variable(struct dataset *d, struct experiment *e, const char *name);
size_t experiment_add_observable(struct dataset *d, struct experiment *e, const char *name);
void experiment_add_source(struct dataset *d, struct experiment *e, const char *source);
void experiment_add_segment(struct experiment *e, size_t file);
/* NULL if the observable has none. */
const struct observable_formula *experiment_formula(const struct experiment *e,
                                                    const char *observable);
void experiment_set_formula(struct dataset *d, struct experiment *e, const char *observable,
                            const char *text, size_t file);

/* What a command is about that names no observable: CLOCK; SELF, if only SELF has a formula; or, where the experiment has
 * neither times nor a formula of CLOCK, INSTRUCTIONS, or the only observable that it has. */
const char *experiment_default_observable(const struct experiment *e);
/* Why the observable was not measured, as a file with samples of the experiment states it; NULL if
 * none does. */
const char *experiment_absent(const struct dataset *d, const struct experiment *e,
                              const char *observable);

/* Appends `nrows` rows; columns[j] has the values of column j, NULL = nan. If `pick` is not NULL,
 * row i is columns[j][pick[i]]. */
void experiment_append(struct experiment *e, const double *const *columns, const unsigned *pick,
                       size_t nrows);

/* The samples whose keep[row] is not 0, as an experiment of this name. All of it is in the arena: it
 * is not added to a data set, and nothing can be added to it. */
struct experiment *experiment_part(struct arena *a, const struct experiment *e, const char *name,
                                   const unsigned char *keep);

/* The segment a row belongs to; *hint (start with 0) makes ascending rows cheap. */
const struct segment *experiment_segment(const struct experiment *e, size_t row, size_t *hint);

/* Moves everything of `from` into `into` (from is left empty, its arena included). Samples of
 * different versions stay apart, as experiments of their own; a warning states what differs. Within
 * a version, formulas of one name that differ, and other lists of variables, are errors; with
 * `ignore_formulas` the formula that came first stays. */
int dataset_merge(struct dataset *into, struct dataset *from, bool ignore_formulas,
                  struct diag *diag);

#endif
