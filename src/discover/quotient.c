/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sums of at most three terms, of which one or more have a power of floor((n + shift)/P), and all have powers of the variables. Many sums
 * are tried, so one that is right at all rows may be chance: most of such a count is a product of powers, which any formula gives,
 * and the rounding alone says which of them is right. So what all counts are multiples of is taken out, and the formula
 * must be shorter than a product of powers and, for each row, what is left, by DISCOVER_QUOTIENT_MARGIN.
 */
#include "discover/quotient.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "discover/solve.h"
#include "discover/thresholds.h"

enum { MOST_SUM = 3, MOST_POWER = 2, MOST_OF_QUOTIENT = 3, MOST_DEGREE = 4, MOST_MONOMIALS = 160 };
enum { MOST_ROWS = 512 };

struct search {
    const struct discover_points *p;
    const uint64_t *counts;
    struct columns columns;
    struct discover_term monomials[MOST_MONOMIALS];
    wide (*values)[MOST_MONOMIALS]; /* of each row */
    size_t n;
    double cost; /* of the best sum */
    struct discover_term best[MOST_SUM];
    size_t nbest;
};

/* ---- terms ---- */

static unsigned degree_of(const struct discover_term *t)
{
    unsigned degree = t->quotient.power;
    for (size_t v = 0; v < DISCOVER_MOST_VARIABLES; v++)
        degree += t->of[v].power;
    return degree;
}

/* Adds the terms with these powers of the first variables and all powers of the others. */
static void add_monomials(struct search *s, struct discover_term t, size_t v)
{
    if (degree_of(&t) > MOST_DEGREE)
        return;
    if (v < s->p->nvariables) {
        for (unsigned power = 0; power <= MOST_POWER; power++) {
            t.of[v].power = power;
            add_monomials(s, t, v + 1);
        }
        return;
    }
    if (s->n == MOST_MONOMIALS)
        return;
    for (size_t i = 0; i < s->p->n; i++)
        if (!terms_value(&t, s->p->nvariables, s->p->at[i], &s->values[i][s->n]))
            return;
    s->monomials[s->n++] = t;
}

/* With a quotient first. Returns how many have one. */
static size_t make_monomials(struct search *s, struct discover_quotient quotient)
{
    struct discover_term t = {.over = 1, .under = 1, .quotient = quotient};
    s->n = 0;
    for (t.quotient.power = 1; t.quotient.power <= MOST_OF_QUOTIENT; t.quotient.power++)
        add_monomials(s, t, 0);
    size_t n = s->n;
    t.quotient = (struct discover_quotient){0};
    add_monomials(s, t, 0);
    return n;
}

static double cost_of(const struct discover_term *terms, size_t n)
{
    double cost = 0;
    for (size_t j = 0; j < n; j++) {
        const struct discover_quotient *q = &terms[j].quotient;
        cost += 1 + terms_fraction_cost(terms[j].over, terms[j].under);
        for (size_t v = 0; v < DISCOVER_MOST_VARIABLES; v++)
            if (terms[j].of[v].power)
                cost += terms_cost(&terms[j].of[v]);
        if (q->power) /* ceil((n - 1)/P) is floor((n + P - 2)/P), and hardly what a program says */
            cost += 1 + q->power + q->of_power + (q->shift ? 1 + abs(q->shift) + q->up : 0);
    }
    return cost;
}

/* Tries the sum of these monomials, and keeps it if it is the shortest. */
static void try_sum(struct search *s, const size_t *list, size_t n)
{
    struct discover_term terms[DISCOVER_MOST_TERMS];
    if (s->p->n < n + DISCOVER_HELD_BACK)
        return;
    s->columns.n = n;
    s->columns.nrows = s->p->n;
    for (size_t i = 0; i < s->p->n; i++)
        for (size_t j = 0; j < n; j++)
            s->columns.at[i][j] = s->values[i][list[j]];
    for (size_t j = 0; j < n; j++)
        terms[j] = s->monomials[list[j]];
    if (!solve_exactly(&s->columns, s->counts, DISCOVER_STEPS_DENOMINATOR, terms))
        return;
    for (size_t j = 0; j < n; j++)
        if (!terms[j].over)
            return; /* the sum without it is tried as well */
    double cost = cost_of(terms, n);
    if (cost >= s->cost)
        return;
    s->cost = cost;
    s->nbest = n;
    memcpy(s->best, terms, n * sizeof *terms);
}

/* The first `with` monomials have the quotient. Sums of three only of two variables: of more they are too many. */
static void try_sums(struct search *s, size_t with, bool three)
{
    for (size_t x = 0; x < with; x++) {
        try_sum(s, (size_t[]){x}, 1);
        for (size_t y = x + 1; y < s->n; y++) {
            try_sum(s, (size_t[]){x, y}, 2);
            for (size_t z = y + 1; z < s->n && three; z++)
                try_sum(s, (size_t[]){x, y, z}, 3);
        }
    }
}

/* ---- chance ---- */

/* Bits of numbers: each within their range, or those that are not the most frequent one, and which ones these are. */
static double bits_of_numbers(const double *y, size_t n)
{
    double least = INFINITY, most = -INFINITY;
    size_t same = 0;
    for (size_t i = 0; i < n; i++) {
        size_t equal = 0;
        least = fmin(least, y[i]);
        most = fmax(most, y[i]);
        for (size_t k = 0; k < n; k++)
            equal += y[k] == y[i];
        same = equal > same ? equal : same;
    }
    double each = log2(1 + most - least);
    return fmin((double)n * each, (double)(n - same) * (each + log2((double)n)));
}

/* Bits of a description by a factor times x, beside a constant or without one, and what is left. */
static double bits_beside(const double *x, const double *y, size_t n, bool constant)
{
    double sx = 0, sy = 0, sxx = 0, sxy = 0, left[MOST_ROWS] = {0}, rows = (double)n;
    for (size_t i = 0; i < n; i++) {
        sx += x[i];
        sy += y[i];
        sxx += x[i] * x[i];
        sxy += x[i] * y[i];
    }
    double factor = constant ? (rows * sxy - sx * sy) / (rows * sxx - sx * sx) : sxy / sxx, bits;
    if (!isfinite(factor))
        return INFINITY;
    double near = round(factor), largest = sxx / fmax(fabs(sx), 1);
    for (size_t i = 0; i < n; i++)
        left[i] = y[i] - factor * x[i];
    bits = bits_of_numbers(left, n) + log2(1 + fabs(factor) * largest);
    for (size_t i = 0; i < n; i++)
        left[i] = y[i] - near * x[i];
    return fmin(bits, bits_of_numbers(left, n) + log2(1 + fabs(near)));
}

/* The least over all products of powers, also negative ones. */
static double bits_of_products(const struct discover_points *p, const double *y)
{
    enum { LEAST = -2, POWERS = 6 };
    double best = bits_of_numbers(y, p->n), x[MOST_ROWS];
    size_t all = 1;
    for (size_t v = 0; v < p->nvariables; v++)
        all *= POWERS;
    for (size_t k = 0; k < all; k++) {
        size_t rest = k;
        double bits = 1;
        for (size_t i = 0; i < p->n; i++)
            x[i] = 1;
        for (size_t v = 0; v < p->nvariables; v++, rest /= POWERS) {
            int power = (int)(rest % POWERS) + LEAST;
            bits += abs(power);
            for (size_t i = 0; i < p->n && power; i++)
                x[i] *= pow((double)p->at[i][v], power);
        }
        best = fmin(best,
                    bits + fmin(bits_beside(x, y, p->n, false), 1 + bits_beside(x, y, p->n, true)));
    }
    return best;
}

/* Divides by what all counts are multiples of: a variable, and a number. Returns the bits of these. */
static double take_out(const struct discover_points *p, const uint64_t *counts, double *y)
{
    uint64_t rest[MOST_ROWS];
    int64_t number = 0;
    double bits = 0;
    memcpy(rest, counts, p->n * sizeof *rest);
    for (size_t v = 0; v < p->nvariables; v++)
        for (unsigned power = 0; power < MOST_DEGREE; power++) {
            bool divides = true;
            for (size_t i = 0; i < p->n; i++)
                divides &= p->at[i][v] > 0 && rest[i] % (uint64_t)p->at[i][v] == 0;
            if (!divides)
                break;
            bits++;
            for (size_t i = 0; i < p->n; i++)
                rest[i] /= (uint64_t)p->at[i][v];
        }
    for (size_t i = 0; i < p->n; i++)
        number = discover_divisor(number, (int64_t)(rest[i] & INT64_MAX));
    for (size_t i = 0; i < p->n; i++)
        y[i] = (double)(number > 1 ? rest[i] / (uint64_t)number : rest[i]);
    return bits + (number > 1 ? log2((double)number) : 0);
}

/* As many sizes of each variable as it has unknowns, and two: its different powers beside quotients, and those elsewhere. With
 * P = 1, 2 and 4, P^2*floor(n/P) and P*floor(n/P) together are right for P*floor(n/P)*ceil(log2(P)). */
static bool has_further_sizes(const struct search *s)
{
    for (size_t v = 0; v < s->p->nvariables; v++) {
        size_t sizes = 0, unknowns[2] = {0};
        for (size_t i = 0; i < s->p->n; i++) {
            bool is_new = true;
            for (size_t k = 0; k < i; k++)
                is_new &= s->p->at[k][v] != s->p->at[i][v];
            sizes += is_new;
        }
        for (size_t j = 0; j < s->nbest; j++) {
            bool is_new = true, beside = s->best[j].quotient.power > 0;
            for (size_t k = 0; k < j; k++)
                is_new &= (s->best[k].quotient.power > 0) != beside ||
                          s->best[k].of[v].power != s->best[j].of[v].power;
            unknowns[beside] += is_new;
        }
        if (sizes < unknowns[0] + DISCOVER_HELD_BACK || sizes < unknowns[1] + DISCOVER_HELD_BACK)
            return false;
    }
    return true;
}

static bool is_credible(const struct search *s)
{
    double y[MOST_ROWS], bits = take_out(s->p, s->counts, y);
    return bits + bits_of_products(s->p, y) >= s->cost + DISCOVER_QUOTIENT_MARGIN;
}

/* ---- all ---- */

/* What n leaves of a division is n - P*floor(n/P), and not -P*floor(n/P) + n. */
static void put_positive_first(struct search *s)
{
    struct discover_term first = s->best[0];
    size_t j = 0;
    while (j < s->nbest && s->best[j].over < 0)
        j++;
    if (j < s->nbest) {
        s->best[0] = s->best[j];
        s->best[j] = first;
    }
}

static void try_quotients(struct search *s, size_t over, size_t by)
{
    static const struct {
        unsigned of_power;
        int shift;
    } kinds[] = {{1, 0}, {1, -1}, {1, -2}, {1, 1}, {1, 2}, {2, 0}};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (int up = 0; up < 2; up++) {
            struct discover_quotient q = {.of_power = kinds[k].of_power,
                                          .over = over,
                                          .by = by,
                                          .shift = kinds[k].shift,
                                          .up = up};
            try_sums(s, make_monomials(s, q), !k && s->p->nvariables == 2);
        }
}

bool quotient_find(struct arena *a, const struct discover_points *p, const uint64_t *counts,
                   struct discover_formula *out)
{
    if (p->nvariables < 2 || p->n > MOST_ROWS)
        return false;
    struct search *s = arena_zalloc(a, 1, sizeof *s);
    *s = (struct search){.p = p, .counts = counts, .cost = INFINITY};
    s->columns.at = arena_alloc(a, p->n + 1, sizeof *s->columns.at);
    s->values = arena_alloc(a, p->n + 1, sizeof *s->values);
    for (size_t over = 0; over < p->nvariables; over++)
        for (size_t by = 0; by < p->nvariables; by++)
            if (over != by)
                try_quotients(s, over, by);
    if (!(s->cost < INFINITY) || !has_further_sizes(s) || !is_credible(s))
        return false;
    terms_sort(s->best, s->nbest);
    put_positive_first(s);
    out->verdict = DISCOVER_STEPS;
    out->nterms = s->nbest;
    out->terms = arena_alloc(a, s->nbest + 1, sizeof *out->terms);
    memcpy(out->terms, s->best, s->nbest * sizeof *out->terms);
    out->text = terms_text(a, out->terms, out->nterms, p->names, p->nvariables);
    return true;
}
