/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counts that differ by less than 1 from a polynomial with fractions. Least squares say what the factor of the largest power is:
 * the fraction with a small denominator next to it. The other powers follow, one after the other. What is left must be less than
 * 1 apart; then all counts are the floor of the polynomial plus a constant. Which constant does not matter if all that are
 * possible give the same count at every whole size: the polynomial repeats its fractional parts, so a few sizes tell. Else the floor
 * or the ceiling of the polynomial alone is taken, if just one of them is possible: loops have these.
 */
#include "discover/rounded.h"

#include <math.h>
#include <string.h>

#include "discover/thresholds.h"
#include "discover/terms.h"

enum { MOST_POWERS = 3, MOST_ROWS = 512 };

struct rounding {
    const struct discover_points *p;
    const uint64_t *counts;
    double largest; /* size */
    unsigned powers[MOST_POWERS];
    int64_t over[MOST_POWERS], under[MOST_POWERS];
    size_t n; /* powers, the largest first */
};

static double size_of(const struct rounding *r, size_t row)
{
    return (double)r->p->at[row][0] / r->largest;
}

/* What the powers before `first` leave of a count. */
static double left_of(const struct rounding *r, size_t row, size_t first)
{
    double left = (double)r->counts[row];
    for (size_t j = 0; j < first; j++)
        left -=
            (double)r->over[j] / (double)r->under[j] * pow((double)r->p->at[row][0], r->powers[j]);
    return left;
}

/* The factor of power `first`, if this one, the later ones and a constant describe what is left. */
static double factor_of(const struct rounding *r, size_t first)
{
    enum { WIDTH = MOST_POWERS + 2 };
    double m[MOST_POWERS + 1][WIDTH] = {{0}};
    size_t n = r->n - first + 1;
    for (size_t i = 0; i < r->p->n; i++) {
        double x[WIDTH];
        for (size_t j = 0; j + 1 < n; j++)
            x[j] = pow(size_of(r, i), r->powers[first + j]);
        x[n - 1] = 1;
        x[n] = left_of(r, i, first);
        for (size_t j = 0; j < n; j++)
            for (size_t k = 0; k <= n; k++)
                m[j][k] += x[j] * x[k];
    }
    for (size_t j = 0; j < n; j++) {
        if (!(fabs(m[j][j]) > 1e-9))
            return NAN;
        for (size_t i = 0; i < n; i++) {
            double by = i == j ? 0 : m[i][j] / m[j][j];
            for (size_t k = j; k <= n && i != j; k++)
                m[i][k] -= by * m[j][k];
        }
    }
    return m[0][n] / m[0][0] / pow(r->largest, r->powers[first]);
}

/* Sets the fraction. What a division leaves is less than 1, so the factor is known well. */
static bool take_fraction(struct rounding *r, size_t j)
{
    double factor = factor_of(r, j), scale = pow(r->largest, r->powers[j]);
    if (!(fabs(factor) < 1e12))
        return false;
    for (int64_t under = 1; under <= DISCOVER_ROUNDED_DENOMINATOR; under++) {
        double over = round(factor * (double)under);
        if (fabs(factor - over / (double)under) * scale > 2)
            continue;
        r->over[j] = (int64_t)over;
        r->under[j] = under;
        return over != 0 && scale > 4.0 * (double)under * DISCOVER_ROUNDED_DENOMINATOR;
    }
    return false;
}

/* `all` times the polynomial. */
static bool value_of(const struct rounding *r, int64_t all, int64_t size, wide *out)
{
    *out = 0;
    for (size_t j = 0; j < r->n; j++) {
        wide x = (wide)r->over[j] * (all / r->under[j]);
        for (unsigned k = 0; k < r->powers[j]; k++)
            if (__builtin_mul_overflow(x, (wide)size, &x))
                return false;
        *out += x;
    }
    return true;
}

static int64_t common_multiple(const struct rounding *r)
{
    int64_t all = 1;
    for (size_t j = 0; j < r->n; j++)
        all = all / discover_divisor(all, r->under[j]) * r->under[j];
    return all;
}

static wide floor_divide(wide x, int64_t by)
{
    return x >= 0 ? x / by : -((by - 1 - x) / by);
}

/* Do the least and the most constant give the same count at every size? */
static bool is_determined(const struct rounding *r, int64_t all, wide least, wide most)
{
    for (int64_t size = 0; size < all; size++) {
        wide value;
        value_of(r, all, size, &value);
        if (floor_divide(value + least, all) != floor_divide(value + most, all))
            return false;
    }
    return true;
}

/* The constant, times `all`, with which the floor is every count. False if no constant is right, or if several are and differ at other sizes. */
static bool find_constant(const struct rounding *r, int64_t all, wide *constant)
{
    wide least = 0, most = 0, value;
    for (size_t i = 0; i < r->p->n; i++) {
        if (!value_of(r, all, r->p->at[i][0], &value))
            return false;
        wide left = (wide)all * (wide)r->counts[i] - value;
        least = i && least < left ? least : left;
        most = i && most > left ? most : left;
    }
    if (most - least >= all || most == least) /* the latter is a polynomial */
        return false;
    wide first = most, last = least + all - 1; /* so many are possible */
    bool is_floor = first <= 0 && last >= 0, is_ceiling = first <= all - 1 && last >= all - 1;
    if (!is_determined(r, all, first, last) && is_floor == is_ceiling)
        return false;
    *constant = is_floor ? 0 : is_ceiling ? all - 1 : first;
    return true;
}

static double bits_of_terms(const struct discover_term *terms, size_t n)
{
    double bits = 0;
    for (size_t j = 0; j < n; j++)
        bits +=
            1 + terms_cost(&terms[j].of[0]) + terms_fraction_cost(terms[j].over, terms[j].under);
    return bits;
}

static double bits_of_counts(const struct rounding *r)
{
    double bits = 0;
    for (size_t i = 0; i < r->p->n; i++)
        bits += log2(1 + (double)r->counts[i]);
    return bits;
}

static void set_term(struct discover_term *t, unsigned power, int64_t over, int64_t under)
{
    int64_t x = discover_divisor(over < 0 ? -over : over, under);
    *t = (struct discover_term){.over = over / x, .under = under / x};
    t->of[0].power = power;
}

static bool try_powers(struct arena *a, struct rounding *r, struct discover_formula *out)
{
    struct discover_term terms[MOST_POWERS + 1];
    size_t n = 0;
    wide constant;
    for (size_t j = 0; j < r->n; j++)
        if (!take_fraction(r, j))
            return false;
    int64_t all = common_multiple(r);
    if (all == 1 || all > DISCOVER_ROUNDED_DENOMINATOR || !find_constant(r, all, &constant) ||
        constant > INT32_MAX || constant < INT32_MIN)
        return false;
    for (; n < r->n; n++)
        set_term(&terms[n], r->powers[n], r->over[n], r->under[n]);
    bool is_ceiling = constant == all - 1;
    const char *text = terms_text(a, terms, n, r->p->names, 1);
    if (constant)
        set_term(&terms[n++], 0, (int64_t)constant, all);
    if (bits_of_counts(r) < 2 * bits_of_terms(terms, n) + DISCOVER_MARGIN)
        return false;
    out->verdict = DISCOVER_STEPS;
    out->rounded = true;
    out->nterms = n;
    out->terms = arena_alloc(a, n + 1, sizeof *out->terms);
    memcpy(out->terms, terms, n * sizeof *terms);
    out->text = is_ceiling ? arena_printf(a, "ceil(%s)", text)
                           : arena_printf(a, "floor(%s)", terms_text(a, terms, n, r->p->names, 1));
    return true;
}

bool rounded_find(struct arena *a, const struct discover_points *p, const uint64_t *counts,
                  struct discover_formula *out)
{
    struct rounding r = {.p = p, .counts = counts};
    if (p->nvariables != 1 || p->n > MOST_ROWS)
        return false;
    for (size_t i = 0; i < p->n; i++)
        r.largest = fmax(r.largest, (double)p->at[i][0]);
    for (unsigned mask = 1; mask < 1U << MOST_POWERS; mask++) { /* simple ones first */
        r.n = 0;
        for (unsigned power = MOST_POWERS; power > 0; power--)
            if (mask >> (power - 1) & 1)
                r.powers[r.n++] = power;
        if (p->n >= r.n + 1 + DISCOVER_HELD_BACK && r.largest > 0 && try_powers(a, &r, out))
            return true;
    }
    return false;
}
