/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Points: the samples of an experiment put together by their variables' values.
 *
 * A point is one tuple of values of all variables of the experiment and P. Its value is computed
 * in three steps: subtract the overhead, empty + overhead x nested, from each sample (CLOCK only);
 * unite the ranks of one execution (the maximum by default); take the statistic over the
 * executions.
 */
#ifndef MODEL_POINTS_H
#define MODEL_POINTS_H

#include "formula/formula.h"
#include "data/dataset.h"
#include "model/thresholds.h"
#include "numeric/stats.h"

/* A filter on samples: a condition over variables, P, the columns run, seq, start, nested, rank,
 * thread, count, and what the header says (data_fact_names). */
struct condition {
    const struct formula *formula;
    const struct source *source;
};

/* let NAME = EXPRESSION of the user; expressions may use other such names, but never their own. And the
 * machine in use. */
struct definitions {
    const char **names;
    const struct formula **by;
    size_t n;
    const struct formula_machine *machine; /* NULL = none */
};
/* f with all definitions replaced, and the machine in the functions that ask it; NULL with an error
 * when that makes it too large. */
const struct formula *definitions_expand(struct arena *a, const struct formula *f,
                                         const struct definitions *d, struct diag *diag);

/* How the ranks of an execution become one value. RANKS_AUTO: the slowest counts, but its value
 * means the same for every P (ranks.c). */
enum rank_rule { RANKS_AUTO, RANKS_MAX, RANKS_MEAN, RANKS_MIN, RANKS_ONE };

/* What RANKS_AUTO found: values are those of the slowest rank; those of one rank, since all are
 * alike; or quantiles of the slowest rank that follow P. */
enum ranks_found { RANKS_UNITED, RANKS_ALIKE, RANKS_FOLLOW };

struct points_ranks {
    enum ranks_found how;
    double level;        /* of the statistic */
    double independence; /* 1: ranks are disturbed independently; 0: all at once */
    double least, most;  /* P; least: of the samples in `relative` */
    double reach;        /* the P at which values are those of the statistic itself */
    double *relative;    /* samples by the value of their point, sorted; NULL: nothing found */
    size_t nrelative;
};

struct points_request {
    const struct dataset *dataset;
    const struct experiment *experiment;
    const char *observable;
    enum statistic statistic;
    const struct condition *conditions; /* all must hold */
    size_t nconditions;
    enum rank_rule ranks;
    double rank;        /* RANKS_ONE: this one alone */
    size_t skip_rounds; /* leave out the first executions of each point in each run, rank, thread */
    bool keep_first;    /* else a first execution is left out where it differs from later ones */
    bool keep_disturbed; /* else samples that were preempted are left out (disturbed.h) */
    /* Names of the user: one that uses observables, such as size/CLOCK, can be the observable. */
    struct definitions let;
};

/* What became of the samples before the statistic was taken (disturbed.c, first.c). */
struct points_account {
    size_t samples;       /* rows with a value that passed the conditions */
    size_t watched;       /* long ones that state whether something disturbed them */
    size_t preempted;     /* something took their core away, and this shows in their time */
    size_t left_out;      /* because of that; also the other ranks of such an execution */
    size_t by_cpu;        /* preempted samples whose CPU time is used in place of the clock */
    size_t by_cpu_points; /* where that was done: every sample of the point was preempted */
    size_t kept;          /* preempted samples that are used as they are */
    /* first.c: */
    size_t first, opening;             /* first and opening executions that were left out, ... */
    double first_times, opening_times; /* ... how many times slower they were; nan: none was */
    size_t first_faulted;              /* those of them that had page faults */
    size_t first_only;                 /* points where all samples are first executions: others
                                          differ, or ... */
    size_t first_only_faulted;         /* ... most of them had page faults */
    size_t oversubscribed; /* samples of runs with more processes or threads than cores */
    size_t lone;           /* points that are left out: one sample has no spread */
};

/* A run of the program: the first file of its job, and its number in the column `run`. */
struct points_run {
    size_t file;
    double number;
    double time; /* of its first sample, in seconds since 1970; nan = not known */
};

/* How the runs of a point took place. */
struct points_setting {
    double hosts_low, hosts_high; /* 0: not known */
    size_t samples;               /* of all ranks, including the disturbed ones that are left out */
    size_t simulated, repeats, counted, oversubscribed, hyper_threads; /* of the samples */
};

struct points {
    const struct points_request *request;
    const char **names; /* variables of the experiment, then P unless a variable has that name */
    size_t nnames;
    size_t n;
    double **at;            /* at[variable][point] */
    double *value;          /* the statistic, overhead subtracted (which changes no spread) */
    double *standard_error; /* of the value, from its samples; nan with fewer than 2 */
    double *floor_error;    /* clock resolution and overhead error, seconds */
    double *overhead;       /* what was subtracted, typically; 0 for counters and spreads */
    double *nested;         /* how many pairs ended inside an execution, typically */
    size_t *count;          /* samples */
    double *uneven; /* relative standard error; NULL = the numbers of samples hardly differ */
    struct stats_modes *modes;
    struct stats_spread *spread;
    /* Samples of point i relative to nothing: up to POINTS_KEPT of them, sorted,
     * kept[first_kept[i]...] */
    double *kept;
    size_t *first_kept;
    /* The same with the run each comes from, unsorted, while there are not too many: run == NULL
     * otherwise. */
    double *sample, *start; /* start: seconds since its run began */
    unsigned *run;          /* 0 to nruns - 1 */
    size_t *first_sample;
    const struct points_run *runs; /* by number; told apart by file and by the column `run` */
    size_t nruns;
    size_t samples;   /* all that were used */
    size_t rows;      /* rows looked at that passed the conditions */
    size_t missing;   /* rows without a value of the observable */
    size_t skipped;   /* rows left out by skip_rounds */
    size_t corrected; /* points whose value was corrected for its few samples */
    struct points_account account;
    struct points_setting *settings; /* per point */
    bool *from;                      /* per segment of the experiment: has it a sample of a point */
    bool ranks;                      /* there are several: the request's rule was applied */
    double *level; /* the quantile that a point's value is; NULL: the request's statistic */
    struct points_ranks by_rank;
    bool
        falls; /* the observable is computed and falls where CLOCK grows: `level` is from the other end */
};

/* "s", or "count" for counters. */
const char *observe_unit(const char *observable);
/* The same of the request's observable; "" for one that is computed. */
const char *points_unit(const struct points_request *request);
/* Whether the value of a point is how its samples spread: no time, though its unit is that of its
 * samples, and its samples are no values like it. */
bool points_is_spread(const struct points_request *request);
/* Whether the value of a point is a time, in seconds. */
bool points_is_time(const struct points_request *request);
/* Whether the observable is not measured, but computed: a name of `let`. */
bool points_is_computed(const struct points_request *request);
/* The column that a name in an expression means: an observable, in which other characters than letters
 * and digits may be written as _ (page_faults). SIZE_MAX without one. */
size_t points_observable(const struct experiment *e, const char *name);
/* Whether the name means SELF, the time without that of the regions inside (data/nesting.h). */
bool points_is_self(const struct experiment *e, const char *name);
/* Whether a name in an expression means an observable of the experiment, SELF included. */
bool points_has_observable(const struct experiment *e, const char *name);
/* Whether the expression uses observables. */
bool points_uses_observables(struct arena *a, const struct experiment *e, const struct formula *f);

/* Everything is put into the arena; `request` must live as long. Returns 0, or -1 with a
 * diagnostic. */
int points_make(struct arena *a, const struct points_request *request, struct diag *diag,
                struct points *out);

/* The statistic of samples of point i; reorders v and weight (NULL = all equal). */
struct stats_value points_statistic(const struct points *p, size_t i, double *v, double *weight,
                                    size_t n);

/* The quantile that the value of point i is; nan for the mean and for spreads. */
double points_quantile(const struct points *p, size_t i);

/* Whether a value, from which one overhead was subtracted, lasted fewer than so many overheads. */
bool points_is_below(double value, double overhead, int times);

/* How often the points were visited: the most runs that one has. A run has all points, or one size of a sweep over runs. */
size_t points_rounds(const struct points *p);

/* The quantile that the values of points at P are. */
double points_level(const struct points_ranks *r, double processors);
/* How many times longer an execution on P ranks takes, typically, than one on the fewest ranks,
 * because it ends with its slowest rank; nan if it is not known. */
double points_amplification(const struct points *p, double processors);
/* How many times longer an execution on P ranks takes, typically, than the value of a point at P. */
double points_slowest(const struct points *p, double processors);

/* Whether a condition of the user has this name. */
bool points_condition_uses(const struct points_request *request, const char *name);

/* Makes points with few samples comparable to those with many: corrects their values, and sets
 * `uneven` (uneven.c). Part of points_make. */
void points_make_even(struct arena *a, struct points *p);

/* The points whose keep[i] is set; lists that need not be copied are shared. */
void points_some(struct arena *a, const struct points *all, const bool *keep, struct points *out);

/* 0 if there are points, one of them is not 0, and they are all measured or all simulated (unless a
 * condition is about that); else -1 with an error. */
int points_check(const struct points *p, struct diag *diag);
/* The column of `name` in the points, SIZE_MAX if there is none. */
size_t points_find(const struct points *p, const char *name);
/* The first point, beginning at `from`, that has the values of point i of other points; SIZE_MAX without one. */
size_t points_like(const struct points *p, size_t from, const struct points *other, size_t i);
/* Widens *low and *high to the values of a variable at the points, if they have it. */
void points_widen(const struct points *p, const char *name, double *low, double *high);
/* The message for a name that means nothing: "f has no variable 'M': it has N, P". It lists the
 * definitions, if they may be used there (`let` is not NULL), after the variables. */
char *points_no_variable(struct arena *a, const struct points *p, const struct definitions *let,
                         const char *name);
/* Whether it has one value in all points. */
bool points_constant(const struct points *p, size_t column);

/* Whether it is a setting of the command line that a variable of the program equals, or nearly is a multiple of, at all points: it
 * says nothing more. */
bool points_repeats(const struct points *p, size_t column);

/* Whether the column is printed: not P where it is 1 everywhere, as in sequential programs. */
bool points_shown(const struct points *p, size_t column);

/* "N=1024 P=4": the columns that are shown; "the only point" if there is none. */
char *points_label(struct arena *a, const struct points *p, size_t point);

/* Marks the rows that pass (keep[row] = 1). Conditions that use a name the experiment does not have
 * are skipped and counted in *skipped. Returns 0, or -1. */
int points_filter(const struct points_request *request, struct diag *diag, unsigned char *keep,
                  size_t *skipped);

#endif
