/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Points with different numbers of samples. A quantile of few samples is another one than that of
 * many: the 10th percentile of two samples is nearly their mean. Left alone, the change from many
 * samples at small sizes to few at large ones looks like a change of the program.
 *
 * The points with many samples show what their statistic would have been with few: the level of an
 * order statistic of m samples has a beta distribution, and their sorted samples give the quantile
 * at any level. The values of points with few samples are divided by the middle of it, and their
 * variance is that of it. Medians, since wild samples make the mean of a few meaningless. A mean needs
 * no correction; that of a spread is known for normal noise.
 */
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

#include "model/points.h"

/* The statistic of m samples, relative to that of all samples of a point, and the distance between
 * the smallest two of them. */
struct few {
    double middle, variance, gap;
};

/* The points with many samples. */
struct pool {
    const struct points *p;
    size_t point[UNEVEN_MOST_POOL], n;
    double level; /* of the quantile */
};

/* The quantile of the point's samples at the level that the a-th smallest of m samples has, with
 * probability p at most. */
static double order_statistic(const struct pool *pool, size_t point, size_t m, size_t a, double p)
{
    const double *v = pool->p->kept + pool->p->first_kept[point];
    size_t n = pool->p->first_kept[point + 1] - pool->p->first_kept[point];
    return stats_sorted_quantile(v, n, gsl_cdf_beta_Pinv(p, (double)a, (double)(m - a + 1)));
}

/* The statistic of m samples of the point: its median (p = 0.5) or another quantile. */
static double statistic_of(const struct pool *pool, size_t point, size_t m, double p)
{
    double at = (double)(m - 1) * pool->level, part = at - floor(at);
    size_t a = (size_t)at + 1;
    double low = order_statistic(pool, point, m, a, p);
    return part > 0 ? (1 - part) * low + part * order_statistic(pool, point, m, a + 1, p) : low;
}

static struct few statistic_of_few(const struct pool *pool, size_t point, size_t m)
{
    double whole = statistic_of(pool, point, pool->p->count[point], 0.5),
           deviation = (statistic_of(pool, point, m, ONE_SIGMA_ABOVE) -
                        statistic_of(pool, point, m, 1 - ONE_SIGMA_ABOVE)) /
                       2,
           gap = m < 2 ? 0
                       : order_statistic(pool, point, m, 2, 0.5) -
                             order_statistic(pool, point, m, 1, 0.5);
    return (struct few){statistic_of(pool, point, m, 0.5) / whole,
                        deviation * deviation / (whole * whole), gap / whole};
}

/* The same over the points with many samples. */
static struct few usual_of_few(const struct pool *pool, size_t m)
{
    struct few sum = {0, 0, 0};
    size_t n = 0;
    for (size_t i = 0; i < pool->n; i++) {
        if (pool->p->count[pool->point[i]] <= m)
            continue;
        struct few one = statistic_of_few(pool, pool->point[i], m);
        sum.middle += one.middle;
        sum.variance += one.variance;
        sum.gap += one.gap;
        n++;
    }
    if (!n)
        return (struct few){1, 0, 0};
    return (struct few){sum.middle / (double)n, sum.variance / (double)n, sum.gap / (double)n};
}

/* Points with at least half of the most samples. */
static struct pool make_pool(const struct points *p)
{
    struct pool pool = {.p = p, .level = stats_level(p->request->statistic)};
    size_t many = 0, enough = UNEVEN_MANY_SAMPLES;
    for (size_t i = 0; i < p->n; i++)
        enough = p->count[i] / 2 > enough ? p->count[i] / 2 : enough;
    for (size_t i = 0; i < p->n; i++)
        many += p->count[i] >= enough && p->value[i] > 0;
    size_t step = many / UNEVEN_MOST_POOL + 1, seen = 0;
    for (size_t i = 0; i < p->n && pool.n < UNEVEN_MOST_POOL; i++)
        if (p->count[i] >= enough && p->value[i] > 0 && seen++ % step == 0)
            pool.point[pool.n++] = i;
    return pool;
}

static bool counts_differ(const struct points *p)
{
    size_t least = p->n ? p->count[0] : 0, most = least;
    for (size_t i = 0; i < p->n; i++) {
        least = p->count[i] < least ? p->count[i] : least;
        most = p->count[i] > most ? p->count[i] : most;
    }
    return most >= UNEVEN_LEAST_RATIO * least;
}

static double own_variance(const struct points *p, size_t i)
{
    double relative = p->standard_error[i] / p->value[i];
    return isfinite(relative) ? relative * relative : 0;
}

/* The noise of the points with few samples against that of the others: the distances between their
 * smallest two samples, against what is usual. 1 if nothing shows it. */
static double noise_of_few(const struct points *p, const struct few *known)
{
    double seen = 0, usual = 0;
    for (size_t i = 0; i < p->n; i++) {
        const double *v = p->kept + p->first_kept[i];
        if (p->count[i] < 2 || p->count[i] > UNEVEN_FEW_SAMPLES || !(p->value[i] > 0))
            continue;
        seen += (v[1] - v[0]) / p->value[i];
        usual += known[p->count[i]].gap;
    }
    return usual > 0 ? fmin(seen / usual, UNEVEN_MOST_NOISIER) : 1;
}

/* The spread of n samples of normal noise, on average, as a part of that of many. */
static double usual_spread(enum statistic kind, double n)
{
    return kind == STATISTIC_DEVIATION
               ? sqrt(2 / (n - 1)) * exp(lgamma(n / 2) - lgamma((n - 1) / 2))
               : sqrt((n - 1) / n);
}

/* Spreads of few samples are smaller and known less well: as normal noise gives it, since few samples
 * do not show it. They are corrected also where all points have as few: a spread means something by itself. */
static void spreads_make_even(struct arena *a, struct points *p)
{
    bool differ = counts_differ(p);
    p->uneven = differ ? arena_alloc(a, p->n, sizeof *p->uneven) : NULL;
    for (size_t i = 0; i < p->n; i++) {
        double n = (double)p->count[i];
        if (differ)
            p->uneven[i] = 1 / sqrt(2 * (n - 1));
        if (n > UNEVEN_FEW_SAMPLES || !(p->value[i] > 0))
            continue;
        double part = usual_spread(p->request->statistic, n);
        p->value[i] /= part;
        p->standard_error[i] /= part;
        p->corrected++;
    }
}

void points_make_even(struct arena *a, struct points *p)
{
    p->uneven = NULL;
    p->corrected = 0;
    if (statistics[p->request->statistic].is_spread)
        spreads_make_even(a, p);
    if (p->level || !counts_differ(p) || isnan(stats_level(p->request->statistic)))
        return;
    struct pool pool = make_pool(p);
    if (!pool.n)
        return;
    struct few known[UNEVEN_FEW_SAMPLES + 1];
    memset(known, 0, sizeof known);
    for (size_t i = 0; i < p->n; i++)
        if (p->count[i] <= UNEVEN_FEW_SAMPLES && known[p->count[i]].middle == 0)
            known[p->count[i]] = usual_of_few(&pool, p->count[i]);
    double noise = noise_of_few(p, known);
    p->uneven = arena_alloc(a, p->n, sizeof *p->uneven);
    for (size_t i = 0; i < p->n; i++) {
        size_t m = p->count[i];
        double variance = p->value[i] > 0 ? own_variance(p, i) : 0;
        if (m <= UNEVEN_FEW_SAMPLES && known[m].variance > 0) {
            variance = noise * noise * known[m].variance;
            p->value[i] /= 1 + noise * (known[m].middle - 1);
            p->corrected++;
        }
        p->uneven[i] = sqrt(variance);
    }
}
