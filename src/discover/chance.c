/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A count such as n + 3 or n + 4, as the data want it, is met by one of the thousands of formulas with steps.
 * So a step is believed only if it is shorter than: a polynomial, and for each size what is left, which is
 * log2(1 + range of it) bits. The polynomial is fitted by least squares; its factors are written down as
 * simple fractions, or else as far as they matter. What all counts are multiples of, n or n^2, is taken out, and so is a
 * number: 65536 iterations for each of 2, 3, 5, 8 and 12 blocks say no more than 2, 3, 5, 8 and 12 do.
 */
#include "discover/chance.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "discover/terms.h"

enum { POWERS = 4, MOST_TERMS = 3, MOST_ROWS = 512 };

struct fit {
    const double *x, *y;  /* x: sizes as parts of the largest one */
    const double *beside; /* another count, which the last term is; NULL: none */
    size_t n;
    double largest;
    unsigned powers[MOST_TERMS];
    size_t nterms;
    double factors[MOST_TERMS]; /* of powers of x */
};

static double column(const struct fit *f, size_t row, size_t term)
{
    bool is_other = f->beside && term + 1 == f->nterms;
    return is_other ? f->beside[row] : pow(f->x[row], f->powers[term]);
}

/* Normal equations: the sizes are between 0 and 1, and three unknowns are few. */
static bool solve(struct fit *f)
{
    double m[MOST_TERMS][MOST_TERMS + 1] = {{0}};
    size_t n = f->nterms;
    for (size_t i = 0; i < f->n; i++)
        for (size_t j = 0; j < n; j++) {
            double at = column(f, i, j);
            for (size_t k = 0; k < n; k++)
                m[j][k] += at * column(f, i, k);
            m[j][n] += at * f->y[i];
        }
    for (size_t j = 0; j < n; j++) {
        if (!(fabs(m[j][j]) > 1e-12))
            return false;
        for (size_t r = 0; r < n; r++) {
            double factor = r == j ? 0 : m[r][j] / m[j][j];
            for (size_t k = j; k <= n && r != j; k++)
                m[r][k] -= factor * m[j][k];
        }
    }
    for (size_t j = 0; j < n; j++)
        f->factors[j] = m[j][n] / m[j][j];
    return true;
}

static double range_left(const struct fit *f)
{
    double least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < f->n; i++) {
        double left = f->y[i];
        for (size_t j = 0; j < f->nterms; j++)
            left -= f->factors[j] * column(f, i, j);
        least = fmin(least, left);
        most = fmax(most, left);
    }
    return most - least;
}

static double with_real_factors(const struct fit *f)
{
    double range = range_left(f), bits = (double)f->n * log2(1 + range);
    for (size_t j = 0; j < f->nterms; j++) /* a factor's part of the largest count */
        bits += log2(1 + fabs(f->factors[j]) / (1 + range));
    return bits;
}

/* The fraction with a small denominator that is next to the factor. */
static double round_factor(struct fit *f, size_t j)
{
    static const int unders[] = {1, 2, 3, 4, 6};
    double scale = pow(f->largest, f->powers[j]), own = f->factors[j] / scale, best = INFINITY;
    double bits = 0, chosen = own;
    for (size_t k = 0; k < sizeof unders / sizeof *unders; k++) {
        double over = round(own * unders[k]), off = fabs(over / unders[k] - own);
        if (!(fabs(over) < 1e15) || off > best * 0.3) /* a larger denominator must be much nearer */
            continue;
        best = off;
        chosen = over / unders[k];
        bits = terms_fraction_cost((int64_t)over, unders[k]);
    }
    f->factors[j] = chosen * scale;
    return bits;
}

static double with_fractions(struct fit f)
{
    double bits = 0;
    for (size_t j = 0; j < f.nterms; j++)
        bits += round_factor(&f, j);
    return bits + (double)f.n * log2(1 + range_left(&f));
}

static double bits_with(struct fit *f, unsigned mask)
{
    double bits = 0;
    f->nterms = 0;
    for (unsigned power = 0; power < POWERS; power++)
        if (mask >> power & 1) {
            if (f->nterms == MOST_TERMS)
                return INFINITY;
            f->powers[f->nterms++] = power;
            bits += power > 1 ? 1 + power : 2;
        }
    if (f->beside && f->nterms++ == MOST_TERMS)
        return INFINITY;
    if (f->n < f->nterms + (f->beside ? 1 : 2) || !solve(f))
        return INFINITY;
    return bits +
           (f->beside ? with_real_factors(f) : fmin(with_real_factors(f), with_fractions(*f)));
}

/* Divides by n as long as all counts are multiples of it. Returns how often. */
static unsigned take_out(const int64_t *sizes, const uint64_t *counts, size_t n, double *y)
{
    uint64_t rest[MOST_ROWS];
    unsigned powers = 0;
    for (size_t i = 0; i < n; i++)
        rest[i] = counts[i];
    for (bool divides = true; divides && powers < POWERS;) {
        for (size_t i = 0; i < n; i++)
            divides &= sizes[i] > 1 && rest[i] && rest[i] % (uint64_t)sizes[i] == 0;
        for (size_t i = 0; i < n && divides; i++)
            rest[i] /= (uint64_t)sizes[i];
        powers += divides;
    }
    for (size_t i = 0; i < n; i++)
        y[i] = (double)rest[i];
    return powers;
}

/* Counts that differ by multiples of a number: puts what they are multiples of it into y. Returns the bits of the number and of
 * what is beside. */
static double take_out_number(double *y, size_t n)
{
    int64_t step = 0;
    for (size_t i = 1; i < n; i++)
        step = discover_divisor(step, (int64_t)fmin(fabs(y[i] - y[0]), 0x1p62));
    if (step < 2)
        return 0;
    double beside = (double)((uint64_t)y[0] % (uint64_t)step);
    for (size_t i = 0; i < n; i++)
        y[i] = (y[i] - beside) / (double)step;
    return log2(1 + (double)step) + log2(1 + beside);
}

static double least_bits(struct fit *f)
{
    double best = INFINITY;
    for (unsigned mask = f->beside ? 0 : 1; mask < 1U << POWERS; mask++)
        best = fmin(best, bits_with(f, mask));
    return best;
}

/* Numbers as parts of the largest one, which is returned. */
static double parts_of(const int64_t *numbers, size_t n, double *parts)
{
    double largest = 0;
    for (size_t i = 0; i < n; i++)
        largest = fmax(largest, (double)numbers[i]);
    for (size_t i = 0; i < n; i++)
        parts[i] = largest > 0 ? (double)numbers[i] / largest : 0;
    return largest;
}

double chance_bits(const int64_t *sizes, const uint64_t *counts, size_t n)
{
    double x[MOST_ROWS], y[MOST_ROWS], best;
    struct fit f = {.x = x, .y = y, .n = n};
    if (n > MOST_ROWS)
        return 0;
    f.largest = parts_of(sizes, n, x);
    unsigned powers = take_out(sizes, counts, n, y);
    best = least_bits(&f);
    double number = take_out_number(y, n);
    if (number > 0)
        best = fmin(best, number + least_bits(&f));
    return isfinite(best) ? best + powers : 0;
}

double chance_bits_beside(const int64_t *sizes, const uint64_t *counts, const uint64_t *other,
                          size_t n)
{
    double x[MOST_ROWS], y[MOST_ROWS], z[MOST_ROWS], largest = 0;
    struct fit f = {.x = x, .y = y, .n = n, .beside = z};
    if (n > MOST_ROWS)
        return 0;
    f.largest = parts_of(sizes, n, x);
    for (size_t i = 0; i < n; i++)
        largest = fmax(largest, (double)other[i]);
    for (size_t i = 0; i < n; i++) {
        y[i] = (double)counts[i];
        z[i] = largest > 0 ? (double)other[i] / largest : 0;
    }
    double best = least_bits(&f);
    return isfinite(best) ? best : 0;
}
