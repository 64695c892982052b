/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Terms: their values, their texts, and how many bits write them down. */
#ifndef DISCOVER_TERMS_H
#define DISCOVER_TERMS_H

#include "base/text.h"
#include "discover/discover.h"

typedef __int128 wide;

/* The value at whole sizes. False if it is too large, or not defined (the logarithm of 0). */
bool terms_value(const struct discover_term *t, size_t nvariables, const int64_t *sizes, wide *out);

/* The sum of terms at any place; without rounding where the sizes are whole and the numbers not too large. */
double terms_sum(const struct discover_term *terms, size_t n, size_t nvariables,
                 const double *place);

/* Bits. */
double terms_cost(const struct discover_factor *f);
double terms_fraction_cost(int64_t over, int64_t under);

/* "n^2 - 2*n + 1". In the arena. */
const char *terms_text(struct arena *a, const struct discover_term *terms, size_t n,
                       const char *const *names, size_t nvariables);

/* The product of two terms. False if it is no term: two different steps of a variable. */
bool terms_multiply(const struct discover_term *x, const struct discover_term *y,
                    struct discover_term *out);

/* Puts the terms with the largest powers first. */
void terms_sort(struct discover_term *terms, size_t n);

/* Do they contain nothing but powers, and 2^n? */
bool terms_are_plain(const struct discover_term *terms, size_t n, size_t nvariables);

/* The least common multiple of the denominators; 0 if it is too large. */
int64_t terms_multiple(const struct discover_term *terms, size_t n);

/* Is their sum whole at all whole sizes? For plain terms. */
bool terms_are_whole(const struct discover_term *terms, size_t n, size_t nvariables);

#endif
