/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the statistic of a few executions is against that of as many as the points of the fit have. A 10th percentile of two
 * executions is nearly their mean, and is less certain. The data of the fit show both: a few of their samples are drawn again
 * and again. Samples of a run are drawn together, since they share what disturbed it.
 */
#include <math.h>
#include <string.h>

#include "model/fit_internal.h"
#include "numeric/random.h"

struct drawing {
    const struct model *m;
    size_t *points; /* to draw from */
    size_t npoints, most;
    struct random random;
    double *group, *drawn;
};

static size_t samples_of(const struct points *p, size_t point, const double **out)
{
    const size_t *first = p->run ? p->first_sample : p->first_kept;
    *out = (p->run ? p->sample : p->kept) + first[point];
    return first[point + 1] - first[point];
}

/* The samples that one run has of a point, both chosen by chance; all of them if the runs are not known. */
static size_t draw_group(struct drawing *d, size_t *point)
{
    const struct points *p = &d->m->points;
    const double *sample;
    *point = d->points[random_below(&d->random, d->npoints)];
    size_t all = samples_of(p, *point, &sample), n = 0;
    const unsigned *run = p->run ? p->run + p->first_sample[*point] : NULL;
    unsigned chosen = run ? run[random_below(&d->random, all)] : 0;
    for (size_t k = 0; k < all; k++)
        if (!run || run[k] == chosen)
            d->group[n++] = sample[k];
    return n;
}

/* The statistic of so many samples of so many runs, against the value of their points; where noise grows, as at the usual
 * time. */
static double draw_value(struct drawing *d, size_t samples, size_t runs)
{
    const struct points *p = &d->m->points;
    size_t point = 0, k = 0;
    for (size_t r = 0; r < runs; r++) {
        size_t n = draw_group(d, &point), end = samples * (r + 1) / runs;
        double value = p->value[point], grown = noise_grown(d->m, value);
        for (; k < end; k++)
            d->drawn[k] = 1 + (d->group[random_below(&d->random, n)] / value - 1) / grown;
    }
    return points_statistic(p, point, d->drawn, NULL, k).value;
}

static struct few_runs draw(struct drawing *d, size_t samples, size_t runs)
{
    double value[FEW_RUNS_DRAWS];
    samples = samples < FEW_RUNS_MOST ? samples : FEW_RUNS_MOST;
    runs = runs < samples ? runs : samples;
    d->random = (struct random){1};
    for (size_t i = 0; i < FEW_RUNS_DRAWS; i++)
        value[i] = draw_value(d, samples, runs);
    stats_sort(value, FEW_RUNS_DRAWS);
    double middle = stats_sorted_quantile(value, FEW_RUNS_DRAWS, 0.5),
           low = stats_sorted_quantile(value, FEW_RUNS_DRAWS, INTERVAL_LOW_QUANTILE),
           high = stats_sorted_quantile(value, FEW_RUNS_DRAWS, INTERVAL_HIGH_QUANTILE);
    return (struct few_runs){samples, runs, middle, middle - low, high - middle};
}

static size_t runs_or_samples(const struct points *p, size_t point)
{
    if (!p->run)
        return p->count[point];
    MEM_LOCAL bool *seen = mem_zalloc(p->nruns + 1, sizeof *seen);
    return runs_of_point(p, point, seen);
}

/* As many as the points of the fit have, on average. */
static struct few_runs draw_usual(struct drawing *d)
{
    const struct points *p = &d->m->points;
    double samples = 0, runs = 0;
    for (size_t i = 0; i < d->npoints; i++) {
        samples += (double)p->count[d->points[i]];
        runs += (double)runs_or_samples(p, d->points[i]);
    }
    return draw(d, (size_t)lround(samples / (double)d->npoints),
                (size_t)lround(runs / (double)d->npoints));
}

static struct drawing begin(struct arena *a, const struct model *m)
{
    const struct points *p = &m->points;
    const double *sample;
    struct drawing d = {.m = m, .points = arena_alloc(a, p->n + 1, sizeof *d.points)};
    for (size_t i = 0; i < p->n; i++) {
        size_t n = samples_of(p, i, &sample);
        if (m->structure.left_out[i] || !(p->value[i] > 0) || n == 0)
            continue;
        d.points[d.npoints++] = i;
        d.most = n > d.most ? n : d.most;
    }
    d.group = arena_alloc(a, d.most + 1, sizeof *d.group);
    d.drawn = arena_alloc(a, FEW_RUNS_MOST + 1, sizeof *d.drawn);
    return d;
}

bool few_runs_differ(const struct model *m, const struct points *points, size_t point)
{
    const struct points *p = &m->points;
    double sum = 0;
    if (points_is_spread(p->request) || p->level || points->level)
        return false;
    for (size_t i = 0; i < p->n; i++)
        sum += (double)p->count[i];
    return (double)points->count[point] * FEW_RUNS_RATIO * (double)p->n <= sum;
}

struct few_runs few_runs_of(const struct model *m, const struct points *points, size_t point)
{
    ARENA_LOCAL struct arena *a = arena_create();
    size_t samples = points->count[point], runs = runs_or_samples(points, point);
    struct few_runs few = {samples, runs, 0, 0, 0};
    struct drawing d = begin(a, m);
    if (d.npoints == 0)
        return few;
    struct few_runs usual = draw_usual(&d), drawn = draw(&d, samples, runs);
    few.middle = drawn.middle - usual.middle;
    few.down = sqrt(fmax(drawn.down * drawn.down - usual.down * usual.down, 0));
    few.up = sqrt(fmax(drawn.up * drawn.up - usual.up * usual.up, 0));
    return few;
}
