/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which terms the counts of a pattern follow. Counts are whole numbers without noise, so a sum of terms
 * either gives them at every row or does not; discover/solve.h proves it. Tried in this order:
 *
 *     1. the terms of the formula with simple fractions as factors: 2*N^2 + 1/2*N
 *     2. steps of unrolled and vectorised loops: N*floor(N/4), N mod 4
 *     3. the terms of the formula and one more term, which the formula lacks
 *     4. the terms of the formula within a few percent
 *
 * For 3, and where nothing fits, `missing` names the term.
 */
#ifndef COUNT_FOLLOW_H
#define COUNT_FOLLOW_H

#include "count/model.h"
#include "discover/solve.h"

/* Sets kind, share, step, follows and missing of the pattern. `scratch` is reset. `thorough`: false
 * for a pattern that hardly matters; then only the terms of the formula are tried. */
void count_follow(struct arena *a, struct arena *scratch, const struct count_model *m,
                  struct count_pattern *p, bool thorough);

/* The parts, for follow.c: each returns whether it explains the pattern, and then sets it. */
bool follow_steps(struct arena *a, struct arena *scratch, const struct count_model *m,
                  struct count_pattern *p);
/* Sets p->missing if a term is found. Returns whether the sum with it is exact. */
bool follow_missing(struct arena *a, struct arena *scratch, const struct count_model *m,
                    struct count_pattern *p);

/* A column of whole numbers: values times `unit`. */
struct follow_column {
    const int64_t *whole;
    double unit;
};

/* The values times the unit, or times a small multiple of it, as whole numbers; false if they are none. */
bool follow_whole(struct arena *a, const double *at, double unit, size_t nrows,
                  struct follow_column *out);

/* The counts of a pattern, and room for the columns that are compared with them. */
struct follow_rows {
    struct columns columns;
    const uint64_t *counts;
};

/* False if the counts are not whole. */
bool follow_begin(struct arena *a, const struct count_model *m, const struct count_pattern *p,
                  struct follow_rows *out);

/* Finds the factors of the values with which their sum is the counts at every row, in whole numbers. In units they are
 * fractions with denominators up to this one. False: there are none. */
bool follow_sum(struct follow_rows *r, const struct follow_column *columns, size_t n,
                int64_t denominator, double *factors);

/* "2*N^2 + 1/2*N", from the texts of the columns. */
const char *follow_text(struct arena *a, const char *const *texts, const double *factors, size_t n);

/* The largest relative error of the best sum of the columns at a row, and its factors. Least squares on
 * relative errors; `any_sign` false: no factor is negative. Small counts are compared with COUNT_SMALL of
 * the largest one. */
double follow_error(struct arena *scratch, const double *const *columns, size_t n, size_t nrows,
                    const double *y, bool any_sign, double *factors);

#endif
