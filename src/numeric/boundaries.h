/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where along one variable the constants of a linear model change, and which of them do.
 *
 * The points are sorted by the variable and grouped by its distinct values. A structure is a set of
 * boundaries between groups and, for each boundary, the set of constants that change there; a
 * constant keeps one value across every boundary where it does not change. A constant may own
 * several columns of the design (it varies with another variable already): they change together.
 * The best structure has the least
 *
 *     criterion = AICc + 2 ln C(groups - 1, boundaries)
 *                 + for each boundary: 2 ln(K C(K, m)) + BOUNDARY_PENALTY + CHANGE_PENALTY (m - 1)
 *
 * with K constants, m of them changing there. The terms added to AICc penalise the selection: of the
 * places, of the constants that change, and of having a boundary at all. Plain AICc or BIC
 * invents boundaries in half of the sets that have none; how often this is right is measured by
 * bench/intervals. AICc is that of a Gaussian likelihood whose variance comes from the residuals
 * together with what repetitions of the same points showed.
 *
 * Pure numbers: rows come scaled (divided by their standard deviation up to a common factor).
 */
#ifndef NUMERIC_BOUNDARIES_H
#define NUMERIC_BOUNDARIES_H

#include <stdbool.h>
#include <stddef.h>

#include "numeric/thresholds.h"

struct boundaries_problem {
    size_t rows, columns, groups;
    size_t constants;
    const size_t *
        owner; /* of each column: its constant, 0 to constants - 1; NULL = column c is constant c */
    const double *design;  /* rows x columns, row by row, scaled */
    const double *y;       /* scaled */
    const size_t *group;   /* of each row; ascending from 0 to groups - 1, none empty */
    size_t max_boundaries; /* at most BOUNDARIES_MAX */
    size_t min_groups;     /* distinct values each interval must hold; 0 = a default */
    unsigned may_vary;     /* bit c: constant c may change; 0 = any */
    int most_varying;      /* sets of changing constants larger than this are not tried; 0 = any */
    double noise_floor; /* root mean square of scaled residuals below which nothing is explained any
                           more */
    double known_noise; /* the same as repetitions show it, and how many degrees of freedom that is
                           worth; */
    double known_weight; /* 0 = nothing is known but the residuals */
};

struct boundaries_structure {
    size_t boundaries;
    size_t at[BOUNDARIES_MAX];         /* first group of the next interval, ascending */
    unsigned changing[BOUNDARIES_MAX]; /* bit c: constant c changes at this boundary */
    size_t parameters;
    double rss, criterion;
};

/* Structures that beat the one without boundaries, the best first: for each set of changing
 * constants and each number of boundaries the best places, at most BOUNDARIES_MAX_FOUND of them.
 * Returns how many; *plain (may be NULL) gets the structure without boundaries. 0 if the problem
 * is empty or larger than the limits above. */
size_t boundaries_search(const struct boundaries_problem *problem,
                         struct boundaries_structure *found, struct boundaries_structure *plain);

/* What is added to AICc for a structure: `changing` sets of constants out of K, at places out of
 * groups - 1. */
double boundaries_choice_cost(size_t constants, size_t groups, const unsigned *changing,
                              size_t boundaries);
/* AICc of a fit with this residual; infinite when there are too few rows for it. Repetitions do not help
 * where parameters leave no row over: any rows fit. */
double boundaries_aicc(const struct boundaries_problem *problem, double rss, size_t parameters);

/* The best choice of what changes at the given places (structure->boundaries and at): all constants
 * that may change, less the ones that need not. */
void boundaries_given(const struct boundaries_problem *problem,
                      struct boundaries_structure *structure);

/* The residual sum of squares and criterion of a structure whose boundaries, at and changing are
 * given.
 */
void boundaries_evaluate(const struct boundaries_problem *problem,
                         struct boundaries_structure *structure);

#endif
