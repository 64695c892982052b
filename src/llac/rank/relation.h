/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How a number that the data have at some places depends on the place: executions in a run, or a
 * variable of a region that the user does not give. One number everywhere is that number; otherwise a
 * search finds a formula.
 *
 *     struct relation *r = relation_make(arena, "executions", names, nnames, samples, n, diag);
 *     double value, low, high;
 *     if (r && relation_at(arena, r, &place, diag, &value, &low, &high) == 0)
 *         printf("%g\n", value);
 *     relation_free(r);
 */
#ifndef LLAC_RANK_RELATION_H
#define LLAC_RANK_RELATION_H

#include "model/predict.h"

struct relation_sample {
    const double *at; /* per name; nan where the place has none */
    double value;
};

struct relation {
    bool constant;
    double value;        /* where it is constant */
    const char *formula; /* "executions[0]*N"; NULL where it is constant */
    struct model *model;
    struct dataset *data; /* of the model */
    double error;         /* the largest relative difference between a sample and the formula */
};

/* NULL with an error: the number varies, and no formula was found. */
struct relation *relation_make(struct arena *a, const char *what, const char *const *names,
                               size_t nnames, const struct relation_sample *samples, size_t n,
                               struct diag *diag);
void relation_free(struct relation *r); /* NULL is fine; the rest is in the arena */

/* The part of a place that a model knows: its variables, and names of `let`. In the arena. */
struct place relation_place(struct arena *a, const struct model *m, const struct place *place);
/* low and high: typical interval; the value itself where it is exact. 0, or -1 with an error. */
int relation_at(struct arena *a, const struct relation *r, const struct place *place,
                struct diag *diag, double *value, double *low, double *high);

#endif
