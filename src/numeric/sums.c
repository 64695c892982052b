/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Beam search over sums of terms. A sum is extended by the term that lowers the residual most,
 * found from the projections on an orthonormal basis of the sum: no system is solved for sums that
 * are not kept. All pairs are tried while the library is small (one or two variables), else the
 * extensions of the best single terms.
 */
#include "numeric/sums.h"

#include <math.h>
#include <string.h>

#include "base/interrupt.h"

static double dot(const double *x, const double *y, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

static double log_likelihood(const struct search_problem *p, double squares)
{
    double m = (double)p->rows + p->known_weight;
    squares += (double)p->rows * RELATIVE_NOISE_FLOOR * RELATIVE_NOISE_FLOOR +
               p->known_weight * p->known_noise * p->known_noise;
    return m * log(squares / m);
}

/* Orthonormal columns of the same span; twice, so that they are orthogonal to rounding. r gets the
 * triangle, k x k. False if a column depends on those before it. */
static bool orthonormal(double *q, size_t n, size_t k, double *r)
{
    memset(r, 0, k * k * sizeof *r);
    for (size_t j = 0; j < k; j++) {
        double *x = q + j * n, before = sqrt(dot(x, x, n));
        for (int pass = 0; pass < 2; pass++) {
            for (size_t c = 0; c < j; c++) {
                double s = dot(q + c * n, x, n);
                r[c * k + j] += s;
                for (size_t i = 0; i < n; i++)
                    x[i] -= s * q[c * n + i];
            }
        }
        double length = sqrt(dot(x, x, n));
        if (!(length > ORTHOGONAL_TOLERANCE * before))
            return false;
        r[j * k + j] = length;
        for (size_t i = 0; i < n; i++)
            x[i] /= length;
    }
    return true;
}

/* residual -= q (q'y); returns how many coefficients are negative. */
static size_t project(const double *q, const double *r, size_t n, size_t k, double *residual)
{
    double b[SEARCH_MOST_COLUMNS];
    size_t negative = 0;
    for (size_t j = 0; j < k; j++) {
        b[j] = dot(q + j * n, residual, n);
        for (size_t i = 0; i < n; i++)
            residual[i] -= b[j] * q[j * n + i];
    }
    for (size_t j = k; j-- > 0;) {
        for (size_t c = j + 1; c < k; c++)
            b[j] -= r[j * k + c] * b[c];
        b[j] /= r[j * k + j];
        negative += b[j] < 0;
    }
    return negative;
}

double search_score(struct arena *scratch, const struct search_problem *p,
                    const double *const *columns, size_t k, double *press, size_t *negative)
{
    size_t n = p->n;
    double *q = arena_alloc(scratch, n * k + 1, sizeof *q);
    double *r = arena_alloc(scratch, k * k + 1, sizeof *r);
    double *residual = arena_alloc(scratch, n, sizeof *residual);
    *press = INFINITY;
    *negative = 0;
    for (size_t j = 0; j < k; j++)
        memcpy(q + j * n, columns[j], n * sizeof *q);
    if (k > SEARCH_MOST_COLUMNS || p->rows <= k || !orthonormal(q, n, k, r))
        return INFINITY;
    memcpy(residual, p->y, n * sizeof *residual);
    *negative = project(q, r, n, k, residual);
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        double free = 1;
        for (size_t j = 0; j < k; j++)
            free -= q[j * n + i] * q[j * n + i];
        if (!(free > LEVERAGE_ROOM))
            return INFINITY;
        sum += residual[i] / free * (residual[i] / free);
    }
    *press = sum;
    double m = (double)p->rows + p->known_weight, unknowns = (double)k + 1;
    double correction = m > unknowns + 1 ? 2 * unknowns * m / (m - unknowns - 1) : INFINITY;
    return fmax(log_likelihood(p, sum), log_likelihood(p, dot(residual, residual, n)) + correction);
}

double search_cost(const struct search_problem *p, const struct search_sum *s, size_t negative)
{
    double cost = SEARCH_SIGN_PENALTY * (double)negative;
    if (s->n > 0 && s->constant)
        cost += SEARCH_CONSTANT_PENALTY;
    else if (s->n > 1)
        cost += SEARCH_NO_CONSTANT_PENALTY;
    for (size_t i = 0; i < s->n; i++)
        cost += p->cost[s->term[i]] - 2 * log((double)(i + 1)); /* in any order */
    return cost;
}

/* With and without the constant term: the better of the two. */
static void judge(struct arena *scratch, const struct search_problem *p, struct search_sum *s)
{
    const double *columns[SEARCH_MAX_TERMS + 1];
    struct search_sum best = *s;
    best.criterion = INFINITY;
    for (int constant = 1; constant >= 0; constant--) {
        size_t k = 0, negative;
        s->constant = constant;
        if (constant)
            columns[k++] = p->constant;
        for (size_t i = 0; i < s->n; i++)
            columns[k++] = p->columns[s->term[i]];
        if (k == 0)
            continue;
        arena_reset(scratch);
        s->criterion = search_score(scratch, p, columns, k, &s->press, &negative) +
                       search_cost(p, s, negative);
        if (s->criterion < best.criterion && !(p->nonneg && negative))
            best = *s;
    }
    *s = best;
}

static bool same_terms(const struct search_sum *x, const struct search_sum *y)
{
    return x->n == y->n && memcmp(x->term, y->term, x->n * sizeof *x->term) == 0;
}

/* Keeps the best, in order. */
static void keep(struct search_level *level, size_t most, const struct search_sum *s)
{
    struct search_sum *list = level->sums;
    if (level->n == most && !(s->rough < list[most - 1].rough))
        return;
    for (size_t i = 0; i < level->n; i++)
        if (same_terms(&list[i], s))
            return;
    size_t i = level->n < most ? level->n++ : most - 1;
    for (; i > 0 && list[i - 1].rough > s->rough; i--)
        list[i] = list[i - 1];
    list[i] = *s;
}

static struct search_sum extended(const struct search_sum *s, size_t term)
{
    struct search_sum out = *s;
    size_t i = out.n++;
    for (; i > 0 && out.term[i - 1] > term; i--)
        out.term[i] = out.term[i - 1];
    out.term[i] = term;
    return out;
}

static bool has_term(const struct search_sum *s, size_t term)
{
    for (size_t i = 0; i < s->n; i++)
        if (s->term[i] == term)
            return true;
    return false;
}

/* Every extension of the sum by one term. */
static void extend(struct arena *scratch, const struct search_problem *p,
                   const struct search_sum *s, struct search_level *into, size_t most,
                   size_t *tried)
{
    size_t n = p->n, k = s->n + 1;
    arena_reset(scratch);
    double *q = arena_alloc(scratch, n * k, sizeof *q), r[(SEARCH_MAX_TERMS + 1) * 8];
    double *residual = arena_alloc(scratch, n, sizeof *residual);
    memcpy(q, p->constant, n * sizeof *q);
    for (size_t i = 0; i < s->n; i++)
        memcpy(q + (i + 1) * n, p->columns[s->term[i]], n * sizeof *q);
    memcpy(residual, p->y, n * sizeof *residual);
    if (!orthonormal(q, n, k, r))
        return;
    project(q, r, n, k, residual);
    double rss = dot(residual, residual, n);
    for (size_t t = 0; t < p->terms; t++) {
        if (has_term(s, t))
            continue;
        double left = 1, gain = dot(p->columns[t], residual, n);
        for (size_t j = 0; j < k && left > 0; j++) {
            double c = dot(q + j * n, p->columns[t], n);
            left -= c * c;
        }
        ++*tried;
        if (!(left > ORTHOGONAL_SQUARE_TOLERANCE))
            continue;
        struct search_sum next = extended(s, t);
        double rest = fmax(rss - gain * gain / left, 0);
        next.rough =
            log_likelihood(p, rest) + 2 * (double)(k + 1) + search_cost(p, &next, gain < 0);
        keep(into, most, &next);
    }
}

void search_sums(struct arena *a, const struct search_problem *p, size_t max_terms,
                 struct search_level *levels, size_t *tried)
{
    struct arena *scratch = arena_create();
    levels[0].sums = arena_zalloc(a, 1, sizeof *levels[0].sums);
    levels[0].n = 1;
    judge(scratch, p, &levels[0].sums[0]);
    for (size_t k = 1; k <= max_terms; k++) {
        size_t most = k > 1                          ? SEARCH_BEAM
                      : p->terms <= SEARCH_ALL_PAIRS ? SEARCH_ALL_PAIRS
                                                     : SEARCH_BEAM_LARGE;
        levels[k].sums = arena_alloc(a, most, sizeof *levels[k].sums);
        levels[k].n = 0;
        for (size_t i = 0; i < levels[k - 1].n && !interrupted(); i++)
            extend(scratch, p, &levels[k - 1].sums[i], &levels[k], most, tried);
        for (size_t i = 0; i < levels[k].n && !interrupted(); i++)
            judge(scratch, p, &levels[k].sums[i]);
    }
    arena_destroy(scratch);
}
