/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where each constant of a model holds: the sets of pairs (value, interval) of the papers, over any
 * number of variables.
 *
 * A boundary is a place on one variable, between the last measured value of one side and the first
 * of the other. Each constant has the boundaries at which it changes. They divide the space into
 * the pieces of the constant; one value of it holds in each piece. A constant that does not vary
 * has one piece without boundaries. The pieces of a constant cover the whole space and do not
 * overlap, so every point, measured or not, is in exactly one of them.
 *
 * Method: the search first divides the variable whose boundaries (boundaries.h) improve the
 * criterion most. It then goes on over all variables with what it found, takes back changes that
 * have become unnecessary, and moves boundaries to where all of them together fit best, until
 * nothing improves. It leaves out points that disagree with all their neighbours while these agree
 * with each other: one disturbed measurement neither makes a boundary nor hides one.
 */
#ifndef NUMERIC_PIECES_H
#define NUMERIC_PIECES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/memory.h"
#include "numeric/thresholds.h"

struct pieces_problem {
    size_t points, constants, variables;
    const double *design;    /* points x constants, row by row */
    const double *y;         /* measured, less the known offset */
    const double *sigma;     /* standard deviation of each y, up to a common factor */
    const double *const *at; /* at[variable][point] */
    unsigned may_divide;     /* bit v: variable v may be divided; 0 = none */
    size_t max_intervals;    /* on one variable */
    size_t min_values;       /* distinct values of the variable in an interval; 0 = the default of
                                boundaries.h */
    double noise_floor, known_noise, known_weight; /* as in boundaries.h, in units of sigma */
    bool keep_outliers;                            /* outliers take part */
    /* Boundaries the user gave, on one variable: these and no others. */
    const double *given;
    size_t ngiven, given_variable;
};

struct boundary {
    size_t variable;
    double below, above; /* measured values on both sides */
    double at;           /* estimate of the boundary in between */
};

struct piece {
    size_t constant;
    int low[PIECES_MAX_VARIABLES],
        high[PIECES_MAX_VARIABLES]; /* boundaries that bound it, -1 = none */
    size_t support; /* points of the data inside; 0 = this combination was never measured */
};

struct pieces {
    struct boundary boundaries[PIECES_MAX_BOUNDARIES]; /* sorted by variable, then by place */
    size_t nboundaries;
    unsigned changing[PIECES_MAX_BOUNDARIES]; /* bit c: constant c changes at this boundary */
    struct piece list[PIECES_MAX];            /* sorted by constant, then by place */
    size_t n;
    bool *outlier; /* per point, in the arena */
    size_t noutliers;
    double gain; /* by how much the criterion improved over one value for each constant */
};

/* Fills everything; without boundaries there is one piece per constant. A problem with more than
 * BOUNDARIES_MAX_CONSTANTS constants is never divided. */
void pieces_search(struct arena *a, const struct pieces_problem *problem, struct pieces *out);

/* Marks the outliers (outlier[i], which must be false before) and returns how many there are; `a`
 * is scratch. Part of pieces_search. */
size_t pieces_outliers(struct arena *a, const struct pieces_problem *problem, bool *outlier);

/* Whether the piece holds where the variables have these values. */
bool pieces_contains(const struct pieces *p, const struct piece *piece, size_t variables,
                     const double *x);

#endif
