/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where each constant of a model holds: the sets of pairs (value, interval) of the papers, over any
 * number of variables.
 *
 * A cut is a boundary on one variable, between the last measured value of one side and the first of
 * the other. Each constant has the cuts at which it changes; they divide the space into its boxes,
 * in each of which one value of it holds. A constant that does not vary has one box without
 * borders. The boxes of a constant never overlap and leave no room between them, so every point,
 * measured or not, lies in exactly one.
 *
 * Method: the variable whose breakpoints (boundaries.h) improve the criterion most is cut first, then
 * the search goes on over all variables with what was found; changes that have become unnecessary
 * are taken back and cuts are moved where all of them together fit best; until nothing improves.
 * Points that disagree with all their neighbours, which agree with each other, are left out: one
 * disturbed measurement neither makes a breakpoint nor hides one.
 */
#ifndef NUMERIC_PIECES_H
#define NUMERIC_PIECES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/memory.h"

enum { PIECES_MAX_VARIABLES = 8, PIECES_MAX_CUTS = 24, PIECES_MAX_BOXES = 256 };

struct pieces_problem {
    size_t points, constants, variables;
    const double *design;    /* points x constants, row by row */
    const double *y;         /* measured, less the known offset */
    const double *sigma;     /* standard deviation of each y, up to a common factor */
    const double *const *at; /* at[variable][point] */
    unsigned may_cut;        /* bit v: variable v may be cut; 0 = none */
    size_t max_intervals;    /* on one variable */
    size_t min_values;       /* distinct values of the variable in an interval; 0 = the default of
                                boundaries.h */
    double noise_floor, known_noise, known_weight; /* as in boundaries.h, in units of sigma */
    bool keep_outliers;                            /* points that stand alone take part */
    /* Boundaries the user gave, on one variable: these and no others. */
    const double *given;
    size_t ngiven, given_variable;
};

struct pieces_cut {
    size_t variable;
    double below, above; /* measured values on both sides */
    double at;           /* estimate of the boundary in between */
};

struct pieces_box {
    size_t constant;
    int low[PIECES_MAX_VARIABLES], high[PIECES_MAX_VARIABLES]; /* cuts that bound it, -1 = none */
    size_t support; /* points of the data inside; 0 = this combination was never measured */
};

struct pieces {
    struct pieces_cut cuts[PIECES_MAX_CUTS]; /* sorted by variable, then by place */
    size_t ncuts;
    unsigned changing[PIECES_MAX_CUTS];        /* bit c: constant c changes at this cut */
    struct pieces_box boxes[PIECES_MAX_BOXES]; /* sorted by constant, then by where they lie */
    size_t nboxes;
    bool *outlier; /* per point, in the arena */
    size_t noutliers;
    double gain; /* by how much the criterion improved over one value for each constant */
};

/* Everything is filled; without cuts there is one box per constant. More than BREAKS_MAX_CONSTANTS
 * constants are never cut. */
void pieces_search(struct arena *a, const struct pieces_problem *problem, struct pieces *out);

/* Marks the points that stand alone (outlier[i], which must be false before), returns how many; `a`
 * is scratch. Part of pieces_search. */
size_t pieces_outliers(struct arena *a, const struct pieces_problem *problem, bool *outlier);

/* Whether the box holds where the variables have these values. */
bool pieces_contains(const struct pieces *p, const struct pieces_box *box, size_t variables,
                     const double *x);

#endif
