/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Least squares from sums of products (see products.h). */
#include "numeric/products.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "numeric/thresholds.h"

enum {
    PRODUCTS_MAX = BOUNDARIES_MAX_COLUMNS * (BOUNDARIES_MAX + 1) + 1
}; /* the largest structure */

void products_add(double *m, size_t side, const double *row)
{
    for (size_t c = 0; c < side; c++)
        for (size_t d = c; d < side && row[c] != 0; d++)
            m[c * side + d] += row[c] * row[d];
}

void products_eliminate(double *m, size_t side, size_t columns)
{
    double least[PRODUCTS_MAX];
    for (size_t c = 0; c < columns; c++)
        least[c] = PRODUCTS_DEPENDENT * m[c * side + c];
    for (size_t c = 0; c < columns; c++) {
        const double *pivot = m + c * side;
        if (!(pivot[c] > least[c]))
            continue;
        for (size_t a = c + 1; a < side; a++) {
            double factor = pivot[a] / pivot[c], *row = m + a * side;
            if (factor == 0)
                continue;
            for (size_t b = a; b < side; b++)
                row[b] -= factor * pivot[b];
        }
    }
}

static double product(const double *m, size_t side, size_t a, size_t b)
{
    return a < b ? m[a * side + b] : m[b * side + a];
}

/* The unknowns in `active` that minimise the squares; the others are 0. */
static void solve_active(const double *m, size_t side, const bool *active, double *work, double *x)
{
    size_t at[PRODUCTS_MAX], n = 0;
    memset(x, 0, (side - 1) * sizeof *x);
    for (size_t c = 0; c + 1 < side; c++)
        if (active[c])
            at[n++] = c;
    at[n] = side - 1;
    for (size_t a = 0; a <= n; a++)
        for (size_t b = a; b <= n; b++)
            work[a * (n + 1) + b] = product(m, side, at[a], at[b]);
    products_eliminate(work, n + 1, n);
    for (size_t c = n; c-- > 0;) {
        const double *row = work + c * (n + 1);
        if (!(row[c] > PRODUCTS_DEPENDENT * product(m, side, at[c], at[c])))
            continue; /* passed over: it stays 0 */
        double sum = row[n];
        for (size_t d = c + 1; d < n; d++)
            sum -= row[d] * x[at[d]];
        x[at[c]] = sum / row[c];
    }
}

static bool all_positive(const double *x, const bool *active, size_t n)
{
    for (size_t c = 0; c < n; c++)
        if (active[c] && !(x[c] >= 0))
            return false;
    return true;
}

/* The inactive unknown that would help most above 0; n if none would. */
static size_t most_helpful(const double *m, size_t side, const bool *active, const double *x)
{
    size_t n = side - 1, best = n;
    double most = NONNEG_LEAST_GRADIENT * sqrt(m[side * side - 1]);
    for (size_t c = 0; c < n; c++) {
        double length = sqrt(product(m, side, c, c)), slope = product(m, side, c, n);
        if (active[c] || !(length > 0))
            continue;
        for (size_t d = 0; d < n; d++)
            slope -= product(m, side, c, d) * x[d];
        if (slope / length > most) {
            most = slope / length;
            best = c;
        }
    }
    return best;
}

/* Goes from x towards target until the first active unknown reaches 0, and makes it inactive. */
static void step_towards(double *x, const double *target, bool *active, size_t n)
{
    double part = 1;
    size_t first = n;
    for (size_t c = 0; c < n; c++)
        if (active[c] && target[c] < 0 && x[c] / (x[c] - target[c]) < part) {
            part = x[c] / (x[c] - target[c]);
            first = c;
        }
    for (size_t c = 0; c < n; c++)
        if (active[c])
            x[c] += part * (target[c] - x[c]);
    if (first < n) {
        x[first] = 0;
        active[first] = false;
    }
}

void products_solve(const double *m, size_t side, bool free_sign, double *x)
{
    size_t n = side - 1;
    bool active[PRODUCTS_MAX];
    double *work = mem_alloc(side * side, sizeof *work), target[PRODUCTS_MAX];
    memset(active, 1, n * sizeof *active);
    solve_active(m, side, active, work, x);
    if (free_sign || all_positive(x, active, n)) {
        mem_free(work);
        return;
    }
    memset(active, 0, n * sizeof *active);
    memset(x, 0, n * sizeof *x);
    for (size_t round = 0; round < 10 * n + 10; round++) {
        size_t c = most_helpful(m, side, active, x);
        if (c == n)
            break;
        active[c] = true;
        for (size_t inner = 0; inner <= n; inner++) {
            solve_active(m, side, active, work, target);
            if (all_positive(target, active, n)) {
                memcpy(x, target, n * sizeof *x);
                break;
            }
            step_towards(x, target, active, n);
        }
    }
    mem_free(work);
}
