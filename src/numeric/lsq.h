/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Least squares with few unknowns and any number of rows.
 *
 *     struct lsq *l = lsq_create(arena, k);
 *     for (size_t i = 0; i < n; i++)
 *         lsq_add(l, &x[i * k], y[i]);
 *     lsq_finish(l);                 // only a k x k triangle is left
 *     lsq_solve(arena, l, keep, &s); // any subset of the unknowns, from the triangle
 */
#ifndef NUMERIC_LSQ_H
#define NUMERIC_LSQ_H

#include <stdbool.h>
#include <stddef.h>

#include "base/memory.h"

struct lsq;
struct lsq *lsq_create(struct arena *a, size_t unknowns);
void lsq_add(struct lsq *l, const double *row, double rhs);
void lsq_finish(struct lsq *l);

struct lsq_solution {
    double *x;          /* k; 0 where not kept */
    double *covariance; /* k x k, of unit variance; 0 where not kept */
    double condition;   /* of the kept columns, scaled to length 1 */
    double *weakest;    /* k: the direction that the data determine least (scaled columns) */
    bool full_rank;     /* of the kept columns; if not, x is the solution of least length */
};
/* Solves for the unknowns with keep[j] (NULL = all); the others are 0. */
void lsq_solve(struct arena *a, const struct lsq *l, const bool *keep, struct lsq_solution *out);

/* Solution with all unknowns >= 0 (Lawson and Hanson), except those with any_sign[j] (NULL = none).
 * active[j] = j is not held at 0. */
void lsq_solve_nonneg(struct arena *a, const struct lsq *l, const bool *keep, const bool *any_sign,
                      bool *active, struct lsq_solution *out);

/* If column j depends on the columns in keep: true, and relation[] gets v with sum v_i column_i =
 * 0, v_j = -1, in units of the original columns. A column of zeros gives v = -e_j. */
bool lsq_dependent(struct arena *a, const struct lsq *l, const bool *keep, size_t j,
                   double *relation);

/* Length of column j of all rows added. */
double lsq_column_norm(const struct lsq *l, size_t j);

#endif
