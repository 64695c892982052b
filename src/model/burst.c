/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The interval that a measured point is held against. The typical interval is for as many rounds as the fit had, over as
 * long a time. A burst of rounds sees one state of the machine, so its value differs more from time to time, and is larger
 * on average: the 10th percentile over a long time is that of the machine's fast states. A point with fewer samples than
 * those of the fit differs from them also on a machine that never changes (few_runs.c).
 */
#include <math.h>
#include <string.h>

#include "base/sort.h"
#include "model/fit_internal.h"

const char *const point_kind_words[] = {[POINT_TYPICAL] = "typical",
                                        [POINT_SINGLE] = "single run",
                                        [POINT_BURST] = "burst",
                                        [POINT_FEW] = "few runs"};

/* Seconds from the first run to the last one; nan if not all have times. */
static double span_of(const struct points *p)
{
    double first = INFINITY, last = -INFINITY;
    for (size_t r = 0; p->run && r < p->nruns; r++) {
        if (isnan(p->runs[r].time))
            return NAN;
        first = fmin(first, p->runs[r].time);
        last = fmax(last, p->runs[r].time);
    }
    return last >= first ? last - first : NAN;
}

/* What the statistic of the runs [from, to) in the order of their times is against that of all, as the mean of the
 * logarithms over the points; nan if no point has a sample in them. */
static double level_of_window(const struct model *m, const size_t *rank, size_t from, size_t to,
                              double *scratch)
{
    const struct points *p = &m->points;
    double sum = 0;
    size_t counted = 0;
    for (size_t i = 0; i < p->n; i++) {
        size_t n = 0;
        if (m->structure.left_out[i] || !(p->value[i] > 0))
            continue;
        for (size_t s = p->first_sample[i]; s < p->first_sample[i + 1]; s++)
            if (rank[p->run[s]] >= from && rank[p->run[s]] < to)
                scratch[n++] = p->sample[s];
        double value = n ? stats_point(m->request.points.statistic, scratch, NULL, n).value : 0;
        if (!(value > 0))
            continue;
        sum += log(value / p->value[i]);
        counted++;
    }
    return counted ? sum / (double)counted : NAN;
}

static void level_of_windows(const struct model *m, const size_t *order, size_t rounds,
                             size_t windows, struct burst_levels *out)
{
    const struct points *p = &m->points;
    ARENA_LOCAL struct arena *a = arena_create();
    size_t *rank = arena_alloc(a, p->nruns, sizeof *rank), n = 0;
    double *scratch = arena_alloc(a, p->first_sample[p->n] + 1, sizeof *scratch),
           *levels = arena_alloc(a, windows, sizeof *levels), sum = 0;
    for (size_t i = 0; i < p->nruns; i++)
        rank[order[i]] = i;
    for (size_t w = 0; w < windows; w++) {
        size_t from = w * (p->nruns - rounds) / (windows - 1);
        levels[n] = level_of_window(m, rank, from, from + rounds, scratch);
        n += !isnan(levels[n]);
    }
    for (size_t w = 0; w < n; w++)
        sum += levels[w];
    stats_sort(levels, n);
    if (n)
        *out = (struct burst_levels){sum / (double)n,
                                     stats_sorted_quantile(levels, n, INTERVAL_LOW_QUANTILE),
                                     stats_sorted_quantile(levels, n, INTERVAL_HIGH_QUANTILE)};
}

/* All 0 if the data have not two such bursts. */
static struct burst_levels find_levels(const struct model *m, size_t rounds)
{
    ARENA_LOCAL struct arena *a = arena_create();
    const size_t *order = runs_order(m, a);
    size_t windows = rounds ? m->points.nruns / rounds : 0;
    struct burst_levels levels = {0};
    windows = windows < BURST_MOST_WINDOWS ? windows : BURST_MOST_WINDOWS;
    if (order && windows > 1)
        level_of_windows(m, order, rounds, windows, &levels);
    return levels;
}

/* Runs that began in the same moment are still told apart. */
static int by_time(const void *x, const void *y, void *runs)
{
    const struct points_run *list = runs;
    unsigned a = *(const unsigned *)x, b = *(const unsigned *)y;
    int order = stats_compare(list[a].time, list[b].time);
    return order ? order : (a > b) - (a < b);
}

/* What the rounds of a point have in common with each other: the share of each of its runs, in the order of their times. */
static struct drift_sum rounds_of_point(const struct drift *d, const struct points *p, size_t point,
                                        size_t *rounds)
{
    struct drift_sum sum = {0};
    ARENA_LOCAL struct arena *a = arena_create();
    size_t first = p->first_sample[point], n = p->first_sample[point + 1] - first;
    unsigned *run = arena_alloc(a, n + 1, sizeof *run);
    memcpy(run, p->run + first, n * sizeof *run);
    sort_with(run, n, sizeof *run, by_time, p->runs);
    *rounds = 0;
    for (size_t s = 0, end; s < n; s = end, ++*rounds) { /* all samples of a run at once */
        for (end = s + 1; end < n && run[end] == run[s];)
            end++;
        drift_sum_add(d, &sum, p->runs[run[s]].time, (double)(end - s) / (double)n);
    }
    return sum;
}

/* The mean number of samples of a point of the fit. */
static double samples_of_points(const struct model *m)
{
    double sum = 0;
    for (size_t i = 0; i < m->points.n; i++)
        sum += (double)m->points.count[i];
    return m->points.n ? fmax(sum / (double)m->points.n, 1) : 1;
}

/* The typical interval of p, moved and widened; it reaches as far as bursts did in the data of the fit. */
static struct point_interval burst_interval(struct held_points *c, const struct prediction *p,
                                            size_t point)
{
    const struct model *m = c->model;
    const struct points *points = c->points;
    const struct model_noise *n = &m->noise;
    size_t rounds;
    struct drift_sum design = rounds_of_point(&m->runs.drift, points, point, &rounds);
    if (rounds != c->rounds)
        c->seen = find_levels(m, rounds);
    c->rounds = rounds;
    double state = drift_variance(&m->runs.drift, &design, m->runs.factor, m->runs.chance),
           few = 1 / (double)points->count[point] - 1 / samples_of_points(m),
           rest = m->runs.rest * fmax(few, 0);
    double more = fmax(state - n->runs_of_point, 0) + rest, t = noise_student_t(n->runs_dof),
           wider = t * t * more * p->value * p->value, centre = p->value * exp(c->seen.mean),
           down = p->value - p->low, up = p->high - p->value;
    double low = fmin(centre - sqrt(down * down + wider), p->value * exp(c->seen.low) - down),
           high = fmax(centre + sqrt(up * up + wider), p->value * exp(c->seen.high) + up);
    return (struct point_interval){fmax(low, 0), high, POINT_BURST};
}

/* The typical interval of p, moved and widened by what a few of the samples of the fit differ from all of them. Values that
 * were made comparable to those of many samples are not moved. */
static struct point_interval few_interval(struct held_points *c, const struct prediction *p,
                                          size_t point)
{
    if (c->few.samples != c->points->count[point])
        c->few = few_runs_of(c->model, c->points, point);
    double one = p->value * predict_noise_grown(c->model, p->value),
           moved = c->points->corrected ? 0 : one * c->few.middle,
           down = hypot(p->value - p->low, one * c->few.down),
           up = hypot(p->high - p->value, one * c->few.up);
    return (struct point_interval){fmax(p->value + moved - down, 0), p->value + moved + up,
                                   POINT_FEW};
}

struct held_points burst_held_points(const struct model *m, const struct points *points)
{
    bool burst = m->runs.drift.dof > 0 && span_of(points) < BURST_SPAN * span_of(&m->points);
    return (struct held_points){.model = m, .points = points, .burst = burst};
}

struct point_interval prediction_interval(struct held_points *c, const struct prediction *p,
                                          size_t point)
{
    if (c->points->count[point] == 1 && isfinite(p->single_low) && isfinite(p->single_high))
        return (struct point_interval){p->single_low, p->single_high, POINT_SINGLE};
    if (c->burst && isfinite(p->low))
        return burst_interval(c, p, point);
    if (isfinite(p->low) && few_runs_differ(c->model, c->points, point))
        return few_interval(c, p, point);
    return (struct point_interval){p->low, p->high, POINT_TYPICAL};
}
