/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What call run must know of the data files that the rounds left: which experiments and formulas
 * there are, whether the values are steady from round to round (model/steady.h), and how busy the
 * machine was.
 *
 *     run_data_init(&d, arena);
 *     run_data_read(&d, "f.cll.0.dat", 0);       // once for each file
 *     run_data_judge(&d, 1, 2.5, 0.05, JUDGE_WANTED); // after each round
 */
#ifndef CALL_RUN_DATA_H
#define CALL_RUN_DATA_H

#include <stdbool.h>
#include <stddef.h>

#include "base/lookup.h"
#include "base/memory.h"
#include "model/steady.h"

struct run_formula {
    const char *experiment, *observable, *text;
    bool is_counter; /* measured in a round of its own */
};

/* The observables that are times. */
enum run_time { TIME_CLOCK, TIME_CPU, TIME_DEVICE, TIME_TRANSFER, TIMES };

struct run_experiment {
    const char *name;
    bool wanted[TIMES]; /* whether it is to be steady: a formula names it; CLOCK if none does */
    const char *
        *names;     /* variables, then P unless a variable has that name, as in model/points.h */
    bool *settings; /* of each name: it is one of the command line */
    size_t nnames;
};

/* One point: a time of an experiment at certain values of P and of its variables. */
struct run_point {
    const char *key;   /* for messages: "f N=1024", "f P=4 N=1024" */
    size_t experiment; /* index */
    enum run_time time;
    const double *place; /* in the order of the names of the experiment */
    size_t nplace;
    double level;                  /* the quantile that its value is */
    double overhead;               /* what was subtracted: the largest seen */
    struct steady_sample *samples; /* without overhead, in the order of the rounds */
    size_t n, capacity;
};

struct run_data {
    struct arena *arena;
    struct run_experiment *experiments;
    size_t nexperiments, cexperiments;
    struct run_formula *formulas;
    size_t nformulas, cformulas;
    struct run_point *points;
    size_t npoints, cpoints;
    struct lookup known; /* of the points */
    size_t rows;         /* all samples, those of counters too */
    /* The machine: the highest load beside the program's own processes, the most cores of a run; the
     * seconds that were stolen, and the seconds that its cores wanted to work. */
    double load, cores, stolen, wanted;
};

void run_data_init(struct run_data *d, struct arena *a);

/* Adds the samples of a data file. An empty file has none, and a cut-off last line is left out.
 * Returns 0, or -1 after messages if the file cannot be read; then nothing is added. */
int run_data_read(struct run_data *d, const char *path, unsigned round);

/* The experiment of this name; NULL without one. */
const struct run_experiment *run_data_find(const struct run_data *d, const char *name);

/* A place beyond what was measured, as words of llac's predict: "N=262144 P=4". The first variable
 * that varies is twice its largest value, the others that vary have their largest. NULL if none
 * varies. In the arena. */
const char *run_data_beyond(const struct run_data *d, const char *experiment);

/* Was the experiment measured, and never took any time? */
bool run_data_is_zero(const struct run_data *d, const char *experiment);

struct run_verdict {
    size_t points, unsteady; /* that count; those not known to the tolerance */
    size_t single;           /* points of one round only, which say nothing */
    double typical;          /* nine of ten points are known to this part of their values */
    const char *worst;       /* the point that is known least well, and to what part */
    double worst_part;
    bool worst_is_short; /* it takes less than SHORT_OVERHEADS */
};

/* Which points: the ones that are to be steady, or the CPU time of all experiments. */
enum run_judged { JUDGE_WANTED, JUDGE_CPU };

/* How well the rounds [0, rounds), which took so many seconds, determine the value of each point. Points
 * shorter than TRUSTED_OVERHEADS do not count. */
struct run_verdict run_data_judge(const struct run_data *d, unsigned rounds, double seconds,
                                  double tolerance, enum run_judged which);

/* Nine of ten points are known to the tolerance; with `all`, every point. */
bool run_is_steady(const struct run_verdict *v, bool all);

#endif
