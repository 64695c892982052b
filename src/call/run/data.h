/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What call run must know of the data files it gathers: which experiments and formulas there are,
 * and whether the values are steady from round to round. The statistics proper are llac's.
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

/* One point: an experiment at certain values of its variables; its CLOCK samples. */
struct run_point {
    const char *key; /* "f N=1024", "f P=4 N=1024" */
    double *samples;
    unsigned *rounds; /* the round of each sample */
    size_t n, capacity;
};

struct run_data {
    struct arena *arena;
    const char **experiments;
    size_t nexperiments;
    struct run_formula *formulas;
    size_t nformulas;
    struct run_point *points;
    size_t npoints, cpoints;
    size_t *slots; /* a hash table of the points' keys */
    size_t nslots;
    size_t rows;         /* all samples, those of counters too */
    double overhead;     /* of a begin/end pair, seconds: the largest seen */
    unsigned long world; /* processes, as the last file read says */
};

void run_data_init(struct run_data *d, struct arena *a);

/* Adds what a data file holds. 0, or -1 with errno if it cannot be read. A cut-off last line is
 * left out. */
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
