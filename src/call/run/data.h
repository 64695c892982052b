/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What call run must know of the data files that the rounds left: which experiments and formulas
 * there are, and whether the values are steady from round to round. llac does the statistics.
 *
 *     run_data_init(&d, arena);
 *     run_data_read(&d, "f.cll.0.dat", 0); // once for each file
 *     run_data_judge(&d, 1);               // after each round
 */
#ifndef CALL_RUN_DATA_H
#define CALL_RUN_DATA_H

#include <stdbool.h>
#include <stddef.h>

#include "base/memory.h"

struct run_formula {
    const char *experiment, *observable;
    bool is_counter; /* neither CLOCK nor CPUTIME */
};

struct run_sample {
    double value; /* of the observable */
    unsigned round;
};

/* One point: an experiment at certain values of P and of its variables. */
struct run_point {
    const char *key;   /* for messages: "f N=1024", "f P=4 N=1024" */
    size_t experiment; /* index */
    const double *place;
    size_t nplace;
    struct run_sample *samples; /* in the order of the rounds */
    size_t n, capacity;
    size_t of_round; /* how many samples the last round had, those that were not kept too */
};

struct run_data {
    struct arena *arena;
    const char *observable; /* that is judged: CLOCK, unless the caller sets another */
    const char **experiments;
    size_t nexperiments, cexperiments;
    struct run_formula *formulas;
    size_t nformulas, cformulas;
    struct run_point *points;
    size_t npoints, cpoints;
    size_t *slots;   /* a hash table of the points: index + 1 */
    size_t rows;     /* all samples, those of counters too */
    double overhead; /* of a begin/end pair, seconds: the largest seen */
};

void run_data_init(struct run_data *d, struct arena *a);

/* Adds the samples of a data file. An empty file has none, and a cut-off last line is left out.
 * Returns 0, or -1 after messages if the file cannot be read; then nothing is added. */
int run_data_read(struct run_data *d, const char *path, unsigned round);

/* Was the experiment measured, and never took any time? */
bool run_data_is_zero(const struct run_data *d, const char *experiment);

struct run_verdict {
    bool steady;
    size_t points, unsteady;
    size_t single;     /* points of one round only, which say nothing */
    double typical;    /* how far nine of ten points are apart at most, relative */
    const char *worst; /* the point that moved most, and by how much */
    double worst_change;
};

/* Steady: for nine points of ten, the 10th percentile over all rounds moved by at most 3 % with the
 * last round, and the two lowest rounds agree within 5 %. Points shorter than five overheads do not
 * count. */
struct run_verdict run_data_judge(const struct run_data *d, unsigned rounds);

#endif
