/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums of terms that give counts exactly. */
#ifndef DISCOVER_SOLVE_H
#define DISCOVER_SOLVE_H

#include "discover/terms.h"

/* The values of terms at rows: columns that sums are made of. */
struct columns {
    wide (*at)[DISCOVER_MOST_TERMS]; /* of each row */
    size_t nrows, n;
};

/* Finds fractions with which the sum of the columns is the counts at every row, and sets `over` and `under`
 * of the terms. Their denominators are at most `denominator`. False if there are none, or if the rows, less any one
 * of them, do not determine them. */
bool solve_exactly(const struct columns *c, const uint64_t *counts, int64_t denominator,
                   struct discover_term *terms);

/* Has no sum of the columns these counts at every row? */
bool solve_contradicts(const struct columns *c, const uint64_t *counts);

/* The same, and one row may determine an unknown alone. */
bool solve_rows(const struct columns *c, const uint64_t *counts, int64_t denominator,
                struct discover_term *terms);

#endif
