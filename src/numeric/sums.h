/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The numbers of the search: relative least squares of many sums of terms, and their criterion.
 *
 *     criterion = max(m ln((PRESS + w s^2) / m), AICc) + costs
 *
 * PRESS is the sum of squared relative errors of the points, each left out in turn; s is the
 * relative noise of the repetitions, which counts as w more points; m = points + w. The costs
 * penalise the choice of the terms, the constant term, negative coefficients and intervals. With
 * few points PRESS favours large sums and AICc does not; with badly spread points it is the other
 * way round. The worse of the two counts.
 */
#ifndef NUMERIC_SUMS_H
#define NUMERIC_SUMS_H

#include "numeric/terms.h"

struct search_problem {
    size_t n, terms;
    const double *y; /* measured / sigma; 0 in a row left out */
    const double *constant;
    double *const *columns; /* per term: value / sigma, length 1 */
    const double *cost;     /* per term */
    size_t rows;            /* n less those left out */
    double known_noise, known_weight;
    bool nonneg;
};

/* A sum of terms. */
struct search_sum {
    size_t term[SEARCH_MAX_TERMS]; /* ascending */
    size_t n;
    bool constant; /* with the constant term */
    double rough;  /* criterion without leaving out; with the constant term */
    double criterion, press;
};

/* Criterion of least squares on k columns, without the costs; also PRESS and how many coefficients
 * are negative. Infinite where the columns depend on each other or leave nothing over. */
double search_score(struct arena *scratch, const struct search_problem *p,
                    const double *const *columns, size_t k, double *press, size_t *negative);

/* The penalties of a sum: for its terms, and for negative coefficients. */
double search_cost(const struct search_problem *p, const struct search_sum *s, size_t negative);

/* The best sums of 0 to max_terms terms, each with or without the constant term; per number of
 * terms in the order of `rough`. *tried is counted up. In the arena. */
struct search_level {
    struct search_sum *sums;
    size_t n;
};
void search_sums(struct arena *a, const struct search_problem *p, size_t max_terms,
                 struct search_level *levels, size_t *tried);

#endif
