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
 *
 * At most boundaries a constant steps from one value to the other. It may also change gradually: at
 * a bend only the part of the variable beyond it counts with the new value, as when a cache is full
 * and only the elements beyond its size are slow; a smooth change is one around a place.
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
    const double *measured;  /* what relative errors are relative to; NULL = y */
    const bool *excluded;    /* points that take no part, like outliers; NULL = none */
    const double *const *at; /* at[variable][point] */
    unsigned may_divide;     /* bit v: variable v may be divided; 0 = none */
    unsigned derived; /* bit v: variable v is computed from others. It is divided only if that is
                         clearly better than dividing these, and is not what makes points
                         neighbours */
    bool steps_only;  /* gradual changes are not looked for */
    size_t max_intervals; /* on one variable */
    size_t min_values;    /* distinct values of the variable in an interval; 0 = the default of
                                boundaries.h */
    double threshold;     /* mean relative error that is good enough: nothing is divided further */
    double known_noise, known_weight; /* as in boundaries.h, in units of sigma */
    bool keep_outliers;               /* outliers take part */
    /* Boundaries the user gave, on one variable: these and no others. */
    const double *given;
    size_t ngiven, given_variable;
};

/* How constants change at a boundary. With x the variable, the new value has the share */
enum boundary_form {
    BOUNDARY_STEP,  /* 1 beyond the boundary */
    BOUNDARY_BEND,  /* 1 - at/x beyond it: only the part of x beyond it counts with the new value */
    BOUNDARY_SMOOTH /* 1/(1 + (at/x)^sharpness) everywhere: half of the change is done at `at` */
};

struct boundary {
    size_t variable;
    double below, above; /* measured values on both sides */
    double at;           /* estimate of the boundary in between */
    enum boundary_form form;
    double sharpness; /* BOUNDARY_SMOOTH */
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
    bool *outlier; /* per point, in the arena: also those excluded */
    size_t noutliers;
    double gain; /* by how much the criterion improved over one value for each constant */
};

/* Fills everything; without boundaries there is one piece per constant. A problem with more than
 * BOUNDARIES_MAX_CONSTANTS constants is never divided. */
void pieces_search(struct arena *a, const struct pieces_problem *problem, struct pieces *out);

/* Marks the outliers (outlier[i], which must be false before) and returns how many there are; `a`
 * is scratch. Part of pieces_search. */
size_t pieces_outliers(struct arena *a, const struct pieces_problem *problem, bool *outlier);

/* The share that the new value has at x, beyond or around the boundary. */
double pieces_boundary_beyond(const struct boundary *boundary, double x);

/* How much of the constant's term the piece has where the variables have these values: 1 inside, 0
 * outside, in between where it changes gradually. The shares of all pieces of a constant add up to 1. */
double pieces_share(const struct pieces *p, const struct piece *piece, size_t variables,
                    const double *x);

/* By how much the criterion improves over one value for each constant if one more column is added,
 * without boundaries: the best of `columns` columns, which column(context, i, out) makes, one number
 * per point. Its constant is not negative. The choice among them is part of the criterion. *which gets
 * its number. 0 if no column improves it. */
double pieces_gain_of_column(const struct pieces_problem *problem, const bool *outlier,
                             size_t columns,
                             void (*column)(const void *context, size_t i, double *out),
                             const void *context, size_t *which);

/* The criterion of a structure, as pieces_search compares them, at the points that are not outliers
 * here. `more`: unknowns beside the constants that the problem's numbers contain already. */
double pieces_criterion(const struct pieces_problem *problem, const struct pieces *structure,
                        const bool *outlier, size_t more);

#endif
