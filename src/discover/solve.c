/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Solves systems of linear equations over fractions: first modulo a prime, where numbers cannot grow; the
 * fractions are then the ones with small parts that have these remainders (the continued fraction of
 * remainder/prime finds them). What comes out is tried at every row with whole numbers of 128 bits, so a
 * wrong fraction cannot pass.
 */
#include "discover/solve.h"

#include <string.h>

#define PRIME ((uint64_t)0x1fffffffffffffff) /* 2^61 - 1 */

static uint64_t times(uint64_t x, uint64_t y)
{
    unsigned __int128 product = (unsigned __int128)x * y; /* 2^61 has the remainder 1 */
    uint64_t sum = (uint64_t)(product & PRIME) + (uint64_t)(product >> 61);
    return sum >= PRIME ? sum - PRIME : sum;
}

static uint64_t less(uint64_t x, uint64_t y)
{
    return x >= y ? x - y : x + PRIME - y;
}

static uint64_t remainder_of(wide x)
{
    if (x >= 0 && x < (wide)PRIME)
        return (uint64_t)x;
    wide r = x % (wide)PRIME;
    return (uint64_t)(r < 0 ? r + (wide)PRIME : r);
}

/* By Fermat: x^(p - 2). */
static uint64_t inverse(uint64_t x)
{
    uint64_t result = 1;
    for (uint64_t e = PRIME - 2; e; e >>= 1) {
        if (e & 1)
            result = times(result, x);
        x = times(x, x);
    }
    return result;
}

/* The fraction over/under with this remainder, under <= most and over small enough to be the only one. */
static bool as_fraction(uint64_t remainder, int64_t most, int64_t *over, int64_t *under)
{
    int64_t limit = (int64_t)(PRIME / 2 / (uint64_t)most);
    int64_t r0 = (int64_t)PRIME, r1 = (int64_t)remainder, t0 = 0, t1 = 1;
    while (r1 >= limit) {
        int64_t q = r0 / r1, next = r0 - q * r1;
        r0 = r1;
        r1 = next;
        next = t0 - q * t1;
        t0 = t1;
        t1 = next;
    }
    if (t1 == 0 || t1 > most || t1 < -most)
        return false;
    *over = t1 < 0 ? -r1 : r1;
    *under = t1 < 0 ? -t1 : t1;
    return true;
}

/* ---- elimination ---- */

enum { WIDTH = DISCOVER_MOST_TERMS + 1 };

/* Makes column `from` of the row 0, without a division, which would take longer than all else. */
static void subtract(uint64_t *row, const uint64_t *pivot, size_t from, size_t n)
{
    uint64_t mine = row[from], its = pivot[from];
    for (size_t j = from; j <= n; j++)
        row[j] = less(times(row[j], its), times(mine, pivot[j]));
}

/* Takes one row after the other, each less the pivots before it, and leaves out row `without`. `pivots` is indexed by
 * column. False: a row contradicts the others. Sets *rank. */
static bool eliminate(const struct columns *c, const uint64_t *counts, size_t without,
                      uint64_t (*pivots)[WIDTH], size_t *rank)
{
    bool has[DISCOVER_MOST_TERMS] = {false};
    *rank = 0;
    for (size_t i = 0; i < c->nrows; i++) {
        uint64_t row[WIDTH];
        size_t j = 0;
        if (i == without)
            continue;
        for (size_t k = 0; k < c->n; k++)
            row[k] = remainder_of(c->at[i][k]);
        row[c->n] = counts[i] % PRIME;
        for (j = 0; j < c->n; j++) {
            if (!row[j])
                continue;
            if (!has[j])
                break;
            subtract(row, pivots[j], j, c->n);
        }
        if (j == c->n) {
            if (row[c->n])
                return false;
            continue;
        }
        memcpy(pivots[j], row, sizeof row);
        has[j] = true;
        ++*rank;
    }
    return true;
}

/* Does every row follow from the others? One that does not fixes an unknown alone, and proves nothing. */
static bool rows_agree(const struct columns *c, const uint64_t *counts)
{
    uint64_t pivots[DISCOVER_MOST_TERMS][WIDTH];
    size_t rank;
    for (size_t i = 0; i < c->nrows; i++)
        if (!eliminate(c, counts, i, pivots, &rank) || rank < c->n)
            return false;
    return true;
}

/* ---- the proof ---- */

static bool holds(const struct columns *c, size_t row, uint64_t count,
                  const struct discover_term *terms)
{
    int64_t all = terms_multiple(terms, c->n); /* they are small, and have few different factors */
    wide sum = 0, want;
    for (size_t j = 0; j < c->n; j++) {
        wide part;
        // NOLINTNEXTLINE(clang-analyzer-core.DivideZero): a fraction has a denominator
        if (__builtin_mul_overflow(c->at[row][j], (wide)terms[j].over * (all / terms[j].under),
                                   &part) ||
            __builtin_add_overflow(sum, part, &sum))
            return false;
    }
    return all && !__builtin_mul_overflow((wide)count, (wide)all, &want) && sum == want;
}

bool solve_contradicts(const struct columns *c, const uint64_t *counts)
{
    uint64_t pivots[DISCOVER_MOST_TERMS][WIDTH];
    size_t rank;
    return !eliminate(c, counts, SIZE_MAX, pivots, &rank);
}

bool solve_rows(const struct columns *c, const uint64_t *counts, int64_t denominator,
                struct discover_term *terms)
{
    uint64_t pivots[DISCOVER_MOST_TERMS][WIDTH] = {{0}};
    size_t rank;
    if (c->n > DISCOVER_MOST_TERMS || !eliminate(c, counts, SIZE_MAX, pivots, &rank) || rank < c->n)
        return false;
    uint64_t x[DISCOVER_MOST_TERMS];
    for (size_t j = c->n; j-- > 0;) {
        x[j] = pivots[j][c->n];
        for (size_t k = j + 1; k < c->n; k++)
            x[j] = less(x[j], times(pivots[j][k], x[k]));
        x[j] = times(x[j], inverse(pivots[j][j]));
        if (!as_fraction(x[j], denominator, &terms[j].over, &terms[j].under))
            return false;
    }
    for (size_t i = 0; i < c->nrows; i++)
        if (!holds(c, i, counts[i], terms))
            return false;
    return true;
}

bool solve_exactly(const struct columns *c, const uint64_t *counts, int64_t denominator,
                   struct discover_term *terms)
{
    return solve_rows(c, counts, denominator, terms) && rows_agree(c, counts);
}
