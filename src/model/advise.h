/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which further points to measure so that one prediction gets more certain, for a limited time.
 *
 *     struct advise_request r = {.place = {names, values, 1}, .budget = 60};
 *     struct advice advice;
 *     if (model_advise(arena, model, &r, diag, &advice) == 0)
 *         printf("%zu points\n", advice.npoints);
 *
 * Candidates are a grid over the variables of the model. Each has the variance the model gives a
 * point measured so often; what it costs is what the model of CLOCK predicts. Chosen are the points that
 * lower the variance of the prediction most (a c-optimal design of the weighted least squares,
 * given the points there are). That assumes the constants of the data, and the formula with all its terms. If the place is beyond the data and no chosen
 * point is a doubling beyond them, points on the way there are named as well: the budget does not bound them.
 */
#ifndef MODEL_ADVISE_H
#define MODEL_ADVISE_H

#include "model/predict.h"

struct advise_request {
    struct place place;        /* of the prediction */
    double budget;             /* seconds; 0 = as long as the data took */
    double beyond;             /* 0 = ADVISE_BEYOND */
    const struct model *clock; /* of the same experiment: what points cost; NULL = the model itself
                                  is one of CLOCK */
    size_t most;               /* points; 0 = ADVISE_MAX_POINTS */
};

struct advised_point {
    double *at;  /* of the variables below */
    double cost; /* seconds, all repetitions */
};

/* Points that differ in one variable only and form a range. */
struct advised_sweep {
    size_t variable; /* the one that varies; others are those of the first point */
    const size_t *points;
    size_t n;
    double first, last, step;
    bool multiplies; /* else adds */
    bool regular;    /* a range; otherwise a list */
};

struct advice {
    const char **names; /* the variables of the model */
    size_t nnames;
    struct advised_point *points; /* sorted */
    size_t npoints;
    struct advised_sweep *sweeps;
    size_t nsweeps;
    struct advised_point *way; /* beyond the data, towards the place; in this order */
    size_t nway;
    size_t repetitions; /* of each */
    double budget, cost, way_cost;
    struct prediction before;
    double low, high;  /* typical, expected after */
    double least_half; /* the part of it that remains when the model is known exactly: a point's
                          own noise */
    double model_before, model_after; /* the half width of the model's own uncertainty */
    size_t candidates;
};

/* 0, or -1 with a diagnostic. */
int model_advise(struct arena *a, const struct model *m, const struct advise_request *request,
                 struct diag *diag, struct advice *out);

#endif
