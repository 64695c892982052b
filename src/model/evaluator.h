/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What predictions are computed from, for a program that predicts elsewhere: the page of `report` does so in
 * the browser. The constants, the columns, the boundaries and the noise are those of model.h.
 *
 *     struct model_evaluator e = model_evaluator(arena, m);
 *     printf("%g\n", e.covariance[0]); // the variance of the first column
 */
#ifndef MODEL_EVALUATOR_H
#define MODEL_EVALUATOR_H

#include "model/predict.h"

/* One of the formulas that remain. A formula with intervals, or without a search, has a model; all others
 * have draws. */
struct model_alternative {
    const size_t *term; /* of each constant: its place in the terms of all */
    size_t n;
    const double *draws,
        *noise; /* of each draw: the constants, and the relative noise of a point */
    size_t ndraws;
    const struct model *model;
};
/* The formulas that a search left, or those without terms that the data do not determine
 * (undetermined.c), for predictions (average.c). */
struct model_alternatives {
    struct model_alternative *list;
    size_t n;
    bool only_beyond;             /* inside the data the model alone predicts */
    const struct formula **terms; /* definitions replaced */
    size_t nterms;
};

/* Models of resampled data (resample.c). */
struct model_resamples {
    const struct model **list;
    size_t n;
    double part; /* of the points that each of them has */
};

/* Models of the same data with figures of the machine that are drawn from their intervals. */
struct model_draws {
    const struct model **list;
    size_t n;
};

/* What the points at the largest value of a variable are against the model, and against fits without the values before it
 * (backtest.c). */
struct model_surprise {
    double end; /* the largest value */
    double
        missed; /* logarithm: measured there, against the model, if the fit leaves these points out; else 0 */
    struct {
        double
            off; /* logarithm: measured at the end, against the fit; 0 if that is inside its interval */
        double from, doublings; /* the largest value that the fit has; from there to the end */
    } cuts[BACKTEST_CUTS];
    size_t n;
    const char *text; /* what is off most; NULL if nothing is */
};

struct model_evaluator {
    const double *covariance, *of_runs; /* of the columns; the part of it that whole runs cause */
    const double *relations; /* nrelations x columns: combinations that the data do not determine */
    size_t nrelations;
    double leverage; /* the largest one of a point */
    /* How far formulas are usually off at a place that is as far beyond the data as these are wide, in
     * doublings of a variable: a part of the value. */
    double formula_error;
    struct model_reach reach;
    const struct model_surprise
        *surprises; /* per variable of the points; NULL: they do not count */
    const struct model_resamples *resamples;
    const double
        *selection; /* covariance of the constants over the resamples; NULL: there are none,
                                or one of them has boundaries */
    const struct model_draws *draws;
    const struct model_alternatives *alternatives;
};
/* Lists that the model does not have are in the arena. */
struct model_evaluator model_evaluator(struct arena *a, const struct model *m);

#endif
