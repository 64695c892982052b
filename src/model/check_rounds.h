/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How much whole rounds move what was fitted: the fit is repeated with some of the rounds only. The
 * statistic of the points is taken anew each time, so a slow phase counts only where it moves it.
 *
 *     struct check_rounds r;
 *     rounds_make(arena, model, NULL, 0, &r);
 *     struct rounds_row x = {&r, row, 1};
 *     double variance = rounds_variance(&x, NULL); // of the combination `row` of the columns
 *
 * Two versions whose rounds were measured by turns have the rounds in common: the same ones are left
 * out of both, and what slows both down in a round cancels.
 */
#ifndef MODEL_CHECK_ROUNDS_H
#define MODEL_CHECK_ROUNDS_H

#include "model/model.h"

struct check_rounds {
    const double *numbers; /* of the rounds that are left out by turns, ascending */
    size_t n;
    double *shifts; /* subsets x columns: how far the columns move */
    size_t nsubsets, ncolumns;
    double factor; /* from the variance over the subsets to that of all rounds */
};

/* The rounds with these numbers are left out by turns; NULL: all runs, each by itself. Without enough of
 * them out->n is 0. */
void rounds_make(struct arena *a, const struct model *m, const double *numbers, size_t n,
                 struct check_rounds *out);
/* times * row * columns. */
struct rounds_row {
    const struct check_rounds *rounds;
    const double *row;
    double times;
};
/* The variance of x, or of the difference of x and y, which have the same rounds; y may be NULL. */
double rounds_variance(const struct rounds_row *x, const struct rounds_row *y);
/* The numbers of the rounds that both models have, ascending, if these were measured by turns: the files
 * say so, or each pair of runs began before the next one. NULL otherwise. */
const double *rounds_by_turns(struct arena *a, const struct model *m, const struct model *other,
                              size_t *n);

/* What the samples of a model show about the machine. */
struct check_machine {
    double spread; /* of samples, relative, without slow phases */
    double within; /* the same of samples of one run */
    double slow;   /* the part of the points of a run that are in a slow phase, as a chance */
    double stays;  /* the chance that the next point also is */
    double times;  /* how many times longer executions take there, at most */
};
/* With the model of a version that was measured by turns, only rounds count in which that version is not
 * in a slow phase either; NULL: all rounds count. */
struct check_machine rounds_machine(const struct model *m, const struct model *other);
/* The chance that slow phases have hit all points that decide about row * columns, in all rounds. */
double rounds_chance(const struct model *m, const struct check_machine *machine, const double *row);

#endif
