/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The limit of what the data say (see search_limit.h).
 *
 * The sums are enumerated: every pair of terms that harness/synthetic/beyond.h can draw, with its probability.
 * The constants of a sum are uniform in a cube, and the noise is relative to the truth, so the probability of the data is
 * an integral over at most three constants. Draws around the best constants estimate it, each with the weight that the data
 * give it; all draws of all sums together are the posterior distribution of the value that is to be predicted. Sums
 * are taken in the order of an upper bound of their probability, until the bound is too small to matter.
 */
#include "search_limit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "model/thresholds.h"
#include "numeric/random.h"

#define UNIT 1e-4 /* seconds: of the shares of a truth */

enum { MOST_FACTORS = 24, COLUMNS = 3, DRAWS = 300 };

static const double enough = 10; /* ln: how much less probable a sum must be that is left out */

/* ---- the terms that can be drawn ---- */

struct factor {
    struct beyond_power power;
    double probability;
};

static size_t usual_factors(bool processors, struct factor *out)
{
    static const struct factor list[] = {
        {{1, false}, 3}, {{2, false}, 2}, {{3, false}, 1}, {{0.5, false}, 1}, {{1.5, false}, 1}};
    size_t n = 0;
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        out[n] = list[i];
        out[n++].probability *= (processors ? 0.6 : 0.7) / 8;
    }
    out[n++] = (struct factor){{0, true}, 0.15};
    out[n++] = (struct factor){{1, true}, 0.15};
    if (processors)
        out[n++] = (struct factor){{-1, false}, 0.1};
    return n;
}

static size_t unusual_factors(bool processors, struct factor *out)
{
    static const double list[] = {0.3, 0.4, 0.6, 0.7, 0.8, 0.9, 1.1, 1.2, 1.25,
                                  1.3, 1.4, 1.6, 1.7, 1.8, 2.2, 2.3, 2.5, 2.7};
    size_t n = 0;
    for (; n < sizeof list / sizeof *list; n++)
        out[n] = (struct factor){{list[n], false}, (processors ? 0.6 : 1.0) / 18};
    if (processors)
        out[n++] = (struct factor){{-1, false}, 0.4};
    return n;
}

struct term {
    double *
        column; /* at the points over the measured value, and 4 times beyond them; 1 in the middle */
    double probability;
};

struct terms {
    struct term *list;
    size_t n, room;
};

struct points_of {
    size_t variables, n;
    const double *at[3]; /* n points, and the place to predict */
    double middle[3];
    bool processors[3];
    const double *y;
};

static void add_term(struct arena *a, const struct points_of *p, const double *column,
                     double probability, struct terms *out)
{
    out->list = arena_grow(a, out->list, out->n, &out->room, out->n + 1, sizeof *out->list);
    struct term *t = &out->list[out->n++];
    t->probability = probability;
    t->column = arena_alloc(a, p->n + 1, sizeof *t->column);
    for (size_t i = 0; i <= p->n; i++)
        t->column[i] = column[i] / (i < p->n ? p->y[i] : 1);
}

/* The terms that go on with variable v, after a product of earlier ones. */
static void make_terms(struct arena *a, const struct points_of *p, size_t v, bool any, bool outside,
                       const double *column, double probability, struct terms *out)
{
    if (v == p->variables) {
        add_term(a, p, column, probability, out);
        return;
    }
    bool may_lack = any || v + 1 < p->variables;
    if (may_lack)
        make_terms(a, p, v + 1, any, outside, column, 0.3 * probability, out);
    struct factor f[MOST_FACTORS];
    size_t n = (outside && !any ? unusual_factors : usual_factors)(p->processors[v], f);
    double *next = mem_alloc(p->n + 1, sizeof *next);
    for (size_t k = 0; k < n; k++) {
        for (size_t i = 0; i <= p->n; i++)
            next[i] = column[i] * beyond_power_at(f[k].power, p->at[v][i]) /
                      beyond_power_at(f[k].power, p->middle[v]);
        make_terms(a, p, v + 1, true, outside, next,
                   (may_lack ? 0.7 : 1) * f[k].probability * probability, out);
    }
    mem_free(next);
}

/* ---- sums ---- */

/* A value that is possible at the place: first with ln of its weight, at the end with its share. */
struct draw {
    double value, weight;
};

struct sum {
    unsigned term[2], n;
    bool constant, outside;
    double prior, bound; /* ln */
};

struct limit {
    struct arena *arena;
    struct points_of points;
    const double *noises;  /* two */
    struct terms terms[2]; /* inside, outside */
    double *constant;      /* column */
    struct sum *sums;
    size_t n, room;
    struct draw *draws;
    size_t ndraws, draw_room;
    struct random random;
};

static size_t columns_of(const struct limit *l, const struct sum *s, const double **x,
                         double *least)
{
    size_t k = 0;
    for (; k < s->n; k++) {
        x[k] = l->terms[s->outside].list[s->term[k]].column;
        least[k] = 0.2;
    }
    if (s->constant) {
        x[k] = l->constant;
        least[k++] = 0.1;
    }
    return k;
}

static double dot(const double *x, const double *y, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

/* Products of the columns; the constants have in addition a normal distribution as wide as the cube. */
struct normal {
    size_t k;
    double factor[COLUMNS * COLUMNS], mean[COLUMNS], log_factor;
};

static bool solve(const double *const *x, const double *least, size_t k, size_t n, double noise,
                  double prior, struct normal *out)
{
    double z[COLUMNS];
    out->k = k;
    out->log_factor = 0;
    for (size_t i = 0; i < k; i++) {
        z[i] = prior * (least[i] + 0.5);
        for (size_t m = 0; m < n; m++)
            z[i] += x[i][m] / (noise * noise);
        for (size_t j = 0; j <= i; j++)
            out->factor[i * k + j] = dot(x[i], x[j], n) / (noise * noise) + (i == j ? prior : 0);
    }
    for (size_t i = 0; i < k; i++) {
        for (size_t j = 0; j <= i; j++) {
            double s = out->factor[i * k + j];
            for (size_t m = 0; m < j; m++)
                s -= out->factor[i * k + m] * out->factor[j * k + m];
            if (i == j && !(s > 1e-12))
                return false;
            out->factor[i * k + j] = i == j ? sqrt(s) : s / out->factor[j * k + j];
        }
        out->log_factor += log(out->factor[i * k + i]);
        for (size_t m = 0; m < i; m++)
            z[i] -= out->factor[i * k + m] * z[m];
        z[i] /= out->factor[i * k + i];
    }
    for (size_t i = k; i-- > 0;) {
        out->mean[i] = z[i];
        for (size_t m = i + 1; m < k; m++)
            out->mean[i] -= out->factor[m * k + i] * out->mean[m];
        out->mean[i] /= out->factor[i * k + i];
    }
    return true;
}

/* ln of the probability of the data (but for a common constant) with both sizes of the noise; `fitted` is relative to the
 * measured value. */
static double log_likelihood(const double *fitted, size_t n, const double *noises)
{
    double squares = 0, logs = 0, value[2];
    for (size_t i = 0; i < n; i++) {
        double f = fitted[i];
        squares += (1 - f) * (1 - f) / (f * f);
        logs += log(f);
    }
    for (int k = 0; k < 2; k++)
        value[k] = -squares / (2 * noises[k] * noises[k]) - (double)n * log(noises[k]) - logs;
    double most = fmax(value[0], value[1]);
    return most + log(0.5 * exp(value[0] - most) + 0.5 * exp(value[1] - most));
}

/* More than the sum's probability can be: the best constants everywhere in the cube. */
static void bound_sum(const struct limit *l, struct sum *s)
{
    const double *x[COLUMNS];
    double least[COLUMNS], value[2];
    size_t n = l->points.n, k = columns_of(l, s, x, least);
    for (int w = 0; w < 2; w++) {
        struct normal fit;
        double squares = 0, narrow;
        if (!solve(x, least, k, n, l->noises[w], 1e-3, &fit)) {
            s->bound = 0;
            return;
        }
        for (size_t i = 0; i < n; i++) {
            double rest = 1;
            for (size_t j = 0; j < k; j++)
                rest -= fit.mean[j] * x[j][i];
            squares += rest * rest;
        }
        narrow = fmin(0, (double)k / 2 * log(2 * M_PI) - fit.log_factor);
        /* relative to the truth, errors may look smaller than relative to the measured value */
        value[w] = -0.8 * squares / (2 * l->noises[w] * l->noises[w]) -
                   (double)n * log(l->noises[w]) + narrow;
    }
    s->bound = s->prior + fmax(value[0], value[1]);
}

static void add_sum(struct limit *l, struct sum s, double probability)
{
    for (int constant = 0; constant < 2; constant++) {
        s.constant = constant;
        s.prior = log(probability * (constant ? 0.7 : 0.3));
        bound_sum(l, &s);
        l->sums = arena_grow(l->arena, l->sums, l->n, &l->room, l->n + 1, sizeof *l->sums);
        l->sums[l->n++] = s;
    }
}

static void make_sums(struct limit *l)
{
    for (int outside = 0; outside < 2; outside++) {
        const struct terms *t = &l->terms[outside];
        for (unsigned i = 0; i < t->n; i++) {
            add_sum(l, (struct sum){.term = {i}, .n = 1, .outside = outside},
                    0.25 * t->list[i].probability);
            for (unsigned j = i; j < t->n; j++)
                add_sum(l, (struct sum){.term = {i, j}, .n = 2, .outside = outside},
                        0.25 * t->list[i].probability * t->list[j].probability * (i == j ? 1 : 2));
        }
    }
}

static int by_bound(const void *a, const void *b, void *context)
{
    const struct sum *x = a, *y = b;
    (void)context;
    return (x->bound < y->bound) - (x->bound > y->bound);
}

/* ---- draws ---- */

/* ln of the density of both proposals. */
static double log_density(const struct normal *q, const double *c)
{
    double value[2];
    for (int w = 0; w < 2; w++) {
        double squares = 0;
        for (size_t m = 0; m < q[w].k; m++) {
            double s = 0;
            for (size_t i = m; i < q[w].k; i++)
                s += q[w].factor[i * q[w].k + m] * (c[i] - q[w].mean[i]);
            squares += s * s;
        }
        value[w] = q[w].log_factor - squares / 2 - (double)q[w].k / 2 * log(2 * M_PI);
    }
    double most = fmax(value[0], value[1]);
    return most + log(0.5 * exp(value[0] - most) + 0.5 * exp(value[1] - most));
}

/* Adds the draws of a sum; returns ln of its probability. */
static double draw_sum(struct limit *l, const struct sum *s)
{
    const double *x[COLUMNS];
    double least[COLUMNS], most = -INFINITY, total = 0, *fitted;
    size_t n = l->points.n, k = columns_of(l, s, x, least), first = l->ndraws;
    struct normal q[2];
    fitted = mem_alloc(n + 1, sizeof *fitted);
    for (int w = 0; w < 2; w++)
        if (!solve(x, least, k, n, l->noises[w] * 1.1, 6, &q[w]))
            abort();
    for (size_t d = 0; d < DRAWS; d++) {
        const struct normal *from = &q[d % 2];
        double z[COLUMNS], c[COLUMNS] = {0};
        bool inside = true;
        for (size_t i = 0; i < k; i++)
            z[i] = random_normal(&l->random);
        for (size_t i = k; i-- > 0;) {
            c[i] = z[i];
            for (size_t m = i + 1; m < k; m++)
                c[i] -= from->factor[m * k + i] * (c[m] - from->mean[m]);
            c[i] = from->mean[i] + c[i] / from->factor[i * k + i];
        }
        for (size_t i = 0; i < k; i++)
            inside = inside && c[i] >= least[i] && c[i] <= least[i] + 1;
        if (!inside)
            continue;
        for (size_t i = 0; i <= n; i++) {
            fitted[i] = 0;
            for (size_t j = 0; j < k; j++)
                fitted[i] += c[j] * x[j][i];
        }
        double weight =
            s->prior + log_likelihood(fitted, n, l->noises) - log_density(q, c) - log(DRAWS);
        l->draws = arena_grow(l->arena, l->draws, l->ndraws, &l->draw_room, l->ndraws + 1,
                              sizeof *l->draws);
        l->draws[l->ndraws++] = (struct draw){fitted[n], weight};
        most = fmax(most, weight);
    }
    mem_free(fitted);
    for (size_t d = first; d < l->ndraws; d++)
        total += exp(l->draws[d].weight - most);
    return l->ndraws > first ? most + log(total) : -INFINITY;
}

static int by_value(const void *a, const void *b, void *context)
{
    const struct draw *x = a, *y = b;
    (void)context;
    return (x->value > y->value) - (x->value < y->value);
}

/* The weights as shares, the values ascending. */
static void finish(struct limit *l)
{
    double most = -INFINITY, sum = 0;
    for (size_t i = 0; i < l->ndraws; i++)
        most = fmax(most, l->draws[i].weight);
    for (size_t i = 0; i < l->ndraws; i++)
        sum += l->draws[i].weight = exp(l->draws[i].weight - most);
    for (size_t i = 0; i < l->ndraws; i++)
        l->draws[i].weight /= sum;
    sort_with(l->draws, l->ndraws, sizeof *l->draws, by_value, NULL);
}

static double quantile_of(const struct limit *l, double q)
{
    double below = 0;
    for (size_t i = 0; i < l->ndraws; i++)
        if ((below += l->draws[i].weight) >= q)
            return l->draws[i].value;
    return l->draws[l->ndraws - 1].value;
}

/* The quantile with most of the probability near it. */
static double most_probable(const struct limit *l)
{
    double best = -1, at = NAN;
    for (int k = 0; k < AVERAGE_STARTS; k++) {
        double x = log(quantile_of(l, (k + 0.5) / AVERAGE_STARTS)), near = 0;
        for (size_t i = 0; i < l->ndraws; i++) {
            double far = (log(l->draws[i].value) - x) / AVERAGE_NEAR;
            near += l->draws[i].weight * exp(-far * far / 2);
        }
        if (near > best) {
            best = near;
            at = x;
        }
    }
    return exp(at);
}

static void take_points(struct synth *s, const struct beyond *b, const struct place *place,
                        struct limit *l)
{
    struct points_request r = {.dataset = s->data,
                               .experiment = dataset_find(s->data, "f"),
                               .observable = "CLOCK",
                               .statistic = STATISTIC_P10};
    struct points p;
    struct points_of *out = &l->points;
    if (points_make(s->arena, &r, s->diag, &p))
        abort();
    *out = (struct points_of){.variables = truth_variables(&b->truth), .n = p.n};
    for (size_t v = 0; v < out->variables; v++) {
        double *at = arena_alloc(l->arena, p.n + 1, sizeof *at);
        for (size_t k = 0; k < p.nnames; k++)
            if (strcmp(p.names[k], place->names[v]) == 0)
                memcpy(at, p.at[k], p.n * sizeof *at);
        at[p.n] = place->values[v];
        out->at[v] = at;
        out->middle[v] = sqrt(b->truth.first[v] * b->truth.last[v]);
        out->processors[v] = strcmp(b->truth.variables[v], "P") == 0;
    }
    double *y = arena_alloc(l->arena, p.n, sizeof *y);
    l->constant = arena_alloc(l->arena, p.n + 1, sizeof *l->constant);
    for (size_t i = 0; i < p.n; i++) {
        y[i] = p.value[i] / UNIT;
        l->constant[i] = 1 / y[i];
    }
    l->constant[p.n] = 1;
    out->y = y;
}

struct limit_prediction limit_predict(struct synth *s, const struct beyond *b,
                                      const struct place *place, const double noises[2])
{
    struct limit l = {.arena = arena_create(), .noises = noises, .random = {1}};
    struct limit_prediction out;
    take_points(s, b, place, &l);
    double *one = arena_alloc(l.arena, l.points.n + 1, sizeof *one), best = -INFINITY;
    for (size_t i = 0; i <= l.points.n; i++)
        one[i] = 1;
    for (int outside = 0; outside < 2; outside++)
        make_terms(l.arena, &l.points, 0, false, outside, one, 1, &l.terms[outside]);
    make_sums(&l);
    sort_with(l.sums, l.n, sizeof *l.sums, by_bound, NULL);
    for (size_t i = 0; i < l.n && l.sums[i].bound > best - enough; i++)
        best = fmax(best, draw_sum(&l, &l.sums[i]));
    finish(&l);
    out.low = UNIT * quantile_of(&l, INTERVAL_LOW_QUANTILE);
    out.high = UNIT * quantile_of(&l, INTERVAL_HIGH_QUANTILE);
    bool narrow = log(quantile_of(&l, 0.9) / quantile_of(&l, 0.1)) < AVERAGE_NARROW;
    out.value = UNIT * (narrow ? quantile_of(&l, 0.5) : most_probable(&l));
    arena_destroy(l.arena);
    return out;
}
