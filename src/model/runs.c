/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What disturbs a whole run: another clock frequency, another place in memory, a busy neighbour.
 * All samples of the run share it, so the residuals of the points do not show it, and more samples
 * in the same runs do not reduce it.
 *
 * Logarithms of samples are taken as point + run + rest, fitted by medians, which single wild
 * samples do not move. The variance of the runs, less what the rest explains, is the variance of
 * such disturbances. It goes into the constants through the share that each run has in each point.
 *
 * Runs that lie close together share a part of their disturbance (numeric/drift.h). Where the data say when each run
 * began, this part counts once for runs within a few seconds.
 *
 * If the value of a point is the spread of its samples, a slow run does not move it: the runs are a part of the spread
 * (include_in_spread).
 */
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <string.h>

#include "base/sort.h"
#include "model/fit_internal.h"
#include "numeric/drift.h"

/* The samples as point + run + rest. */
struct polish {
    const struct points *p;
    double *sample; /* logarithm; nan = takes no part */
    size_t *by_run; /* samples in the order of their runs */
    size_t *first_of_run;
    double *point, *run;
    size_t *owner; /* the point of each sample */
    size_t
        *together; /* per run: a run that shares points with it, itself at the end of the chain */
    double *scratch;
    size_t used;
};

static size_t representative(const struct polish *w, size_t run)
{
    while (w->together[run] != run)
        run = w->together[run];
    return run;
}

/* A point takes part if several runs measured it. */
static void choose_samples(const struct model *m, struct polish *w)
{
    const struct points *p = w->p;
    for (size_t r = 0; r < p->nruns; r++)
        w->together[r] = r;
    for (size_t i = 0; i < p->n; i++) {
        bool several = false;
        size_t first = p->first_sample[i], end = p->first_sample[i + 1];
        for (size_t k = first; k < end; k++)
            several = several || p->run[k] != p->run[first];
        for (size_t k = first; k < end; k++) {
            bool use = several && !m->structure.left_out[i] && p->sample[k] > 0;
            w->sample[k] = use ? log(p->sample[k]) : NAN;
            w->owner[k] = i;
            w->used += use;
            if (use)
                w->together[representative(w, p->run[k])] = representative(w, p->run[first]);
        }
    }
}

static void order_by_run(struct polish *w)
{
    const struct points *p = w->p;
    size_t n = p->first_sample[p->n];
    for (size_t k = 0; k < n; k++)
        w->first_of_run[p->run[k] + 1]++;
    for (size_t r = 0; r < p->nruns; r++)
        w->first_of_run[r + 1] += w->first_of_run[r];
    MEM_LOCAL size_t *next = mem_alloc(p->nruns, sizeof *next);
    memcpy(next, w->first_of_run, p->nruns * sizeof *next);
    for (size_t k = 0; k < n; k++)
        w->by_run[next[p->run[k]]++] = k;
}

static void fit_medians_of_points(struct polish *w)
{
    const struct points *p = w->p;
    for (size_t i = 0; i < p->n; i++) {
        size_t n = 0;
        for (size_t k = p->first_sample[i]; k < p->first_sample[i + 1]; k++)
            if (!isnan(w->sample[k]))
                w->scratch[n++] = w->sample[k] - w->run[p->run[k]];
        w->point[i] = n ? stats_quantile(w->scratch, n, 0.5) : 0;
    }
}

/* Also counts the samples of each run. */
static void fit_medians_of_runs(struct polish *w, size_t *samples)
{
    for (size_t r = 0; r < w->p->nruns; r++) {
        size_t n = 0;
        for (size_t i = w->first_of_run[r]; i < w->first_of_run[r + 1]; i++) {
            size_t k = w->by_run[i];
            if (!isnan(w->sample[k]))
                w->scratch[n++] = w->sample[k] - w->point[w->owner[k]];
        }
        samples[r] = n;
        w->run[r] = n ? stats_quantile(w->scratch, n, 0.5) : 0;
    }
}

/* The variance of the rest; samples far out count as less far. */
static double variance_of_rest(struct polish *w, double unknowns)
{
    size_t total = w->p->first_sample[w->p->n], n = 0;
    double sum = 0;
    for (size_t k = 0; k < total; k++)
        if (!isnan(w->sample[k]))
            w->scratch[n++] = fabs(w->sample[k] - w->point[w->owner[k]] - w->run[w->p->run[k]]);
    if (!((double)n > unknowns))
        return 0;
    double middle = stats_quantile(w->scratch, n, 0.5), most = RUN_REST_MOST * middle;
    for (size_t k = 0; k < n; k++)
        sum += fmin(w->scratch[k], most) * fmin(w->scratch[k], most);
    return sum / ((double)n - unknowns);
}

/* Variance of the medians of the runs around the middle of those that share points with them. */
static double variance_of_runs(const struct polish *w, const size_t *samples, double *dof)
{
    size_t n = w->p->nruns;
    MEM_LOCAL double *sum = mem_zalloc(n, sizeof *sum), *count = mem_zalloc(n, sizeof *count);
    double squares = 0;
    *dof = 0;
    for (size_t r = 0; r < n; r++)
        if (samples[r]) {
            sum[representative(w, r)] += w->run[r];
            count[representative(w, r)]++;
        }
    for (size_t r = 0; r < n; r++) {
        if (!samples[r])
            continue;
        size_t c = representative(w, r);
        double off = w->run[r] - sum[c] / count[c];
        squares += off * off;
        *dof += 1 - 1 / count[c];
    }
    return *dof > 0 ? squares / *dof : 0;
}

/* Relative variances of what a run's samples share, and of what they do not. */
struct spread {
    double runs, rest;
    double chance; /* the variance that the rest causes in the medians of the runs */
    double dof;    /* of `runs`; 0 = unknown */
    struct drift drift;
};

static void measure_drift(const struct polish *w, const size_t *samples, const size_t *order,
                          struct spread *s)
{
    size_t n = 0;
    MEM_LOCAL double *time = mem_alloc(w->p->nruns, sizeof *time),
                     *effect = mem_alloc(w->p->nruns, sizeof *effect);
    for (size_t i = 0; i < w->p->nruns; i++) {
        size_t r = order[i];
        if (!samples[r])
            continue;
        time[n] = w->p->runs[r].time;
        effect[n++] = w->run[r];
    }
    drift_estimate(&s->drift, time, effect, n);
}

/* `order`: the runs in the order of their times; NULL if these are not known. */
static struct spread measure_spread(const struct model *m, const size_t *order)
{
    const struct points *p = &m->points;
    size_t total = p->first_sample[p->n], points = 0;
    ARENA_LOCAL struct arena *a = arena_create();
    struct spread s = {0};
    struct polish w = {.p = p};
    w.sample = arena_alloc(a, total, sizeof *w.sample);
    w.scratch = arena_alloc(a, total, sizeof *w.scratch);
    w.by_run = arena_alloc(a, total, sizeof *w.by_run);
    w.owner = arena_alloc(a, total, sizeof *w.owner);
    w.first_of_run = arena_zalloc(a, p->nruns + 1, sizeof *w.first_of_run);
    w.together = arena_alloc(a, p->nruns, sizeof *w.together);
    w.run = arena_zalloc(a, p->nruns, sizeof *w.run);
    w.point = arena_zalloc(a, p->n, sizeof *w.point);
    size_t *samples = arena_zalloc(a, p->nruns, sizeof *samples);
    choose_samples(m, &w);
    order_by_run(&w);
    for (int round = 0; round < RUN_ROUNDS; round++) {
        fit_medians_of_points(&w);
        fit_medians_of_runs(&w, samples);
    }
    for (size_t i = 0; i < p->n; i++)
        points +=
            p->first_sample[i] < p->first_sample[i + 1] && !isnan(w.sample[p->first_sample[i]]);
    double runs = variance_of_runs(&w, samples, &s.dof), chance = 0, counted = 0;
    s.rest = variance_of_rest(&w, (double)points + s.dof);
    for (size_t r = 0; r < p->nruns; r++)
        if (samples[r]) {
            chance += MEDIAN_VARIANCE * s.rest / (double)samples[r];
            counted++;
        }
    s.chance = counted > 0 ? chance / counted : 0;
    s.runs = counted > 0 ? fmax(runs - s.chance, 0) : 0;
    if (order && s.dof > 0)
        measure_drift(&w, samples, order, &s);
    return s;
}

/* The variance of the statistic over many runs, times their number, as a multiple of the variance
 * of the runs: 1 for a mean. For a quantile it is that of a sum of two normal variables. */
static double statistic_factor(const struct model *m, double runs, double rest)
{
    double level = 0.5, rho = runs / (runs + rest), sum = 0;
    enum { STEPS = 64 };
    if (!(rho > 0))
        return 1;
    switch (m->request.points.statistic) {
    case STATISTIC_MEAN: return 1;
    case STATISTIC_P10: level = POINT_QUANTILE; break;
    case STATISTIC_MIN: level = 1 / (1 + (double)m->points.nruns); break;
    default: break;
    }
    double z = gsl_cdf_ugaussian_Pinv(level), density = gsl_ran_ugaussian_pdf(z);
    for (int i = 0; i < STEPS; i++) { /* Price's theorem; the end of the range is an easy pole */
        double r = sin((i + 0.5) / STEPS * asin(rho));
        sum += exp(-z * z / (1 + r));
    }
    return sum / STEPS * asin(rho) / (2 * M_PI) / (density * density) / rho;
}

/* What each run does to the constants when it is slow by a part 1, and what of it the residuals of
 * the points show. */
struct influence {
    double *effect;      /* runs x columns: on the constants */
    double in_residuals; /* in units of their variance, summed over the points */
    double of_one_point; /* squares of the shares of the runs in a point, mean over the points */
};

static void influence_of_runs(const struct model *m, const double *covariance, struct arena *a,
                              struct influence *out)
{
    const struct points *p = &m->points;
    size_t k = m->structure.ncolumns, counted = 0;
    double *slope = arena_zalloc(a, p->nruns * k, sizeof *slope),
           *tally = arena_zalloc(a, p->nruns, sizeof *tally);
    out->effect = arena_zalloc(a, p->nruns * k, sizeof *out->effect);
    out->in_residuals = out->of_one_point = 0;
    for (size_t i = 0; i < p->n; i++) {
        size_t first = p->first_sample[i], end = p->first_sample[i + 1];
        if (m->structure.left_out[i] || first == end)
            continue;
        double share = 1 / (double)(end - first), t = m->solution.fitted[i],
               v = m->weights.variance[i], squares = 0;
        for (size_t s = first; s < end; s++) {
            tally[p->run[s]]++;
            for (size_t j = 0; j < k; j++)
                slope[p->run[s] * k + j] += m->structure.design[i * k + j] * t * share / v;
        }
        for (size_t s = first; s < end; s++)
            squares += tally[p->run[s]] * share * share;
        for (size_t s = first; s < end; s++)
            tally[p->run[s]] = 0;
        out->in_residuals += squares * t * t / v;
        out->of_one_point += squares;
        counted++;
    }
    out->of_one_point /= counted ? (double)counted : 1;
    for (size_t r = 0; r < p->nruns; r++)
        for (size_t i = 0; i < k; i++) {
            double *effect = &out->effect[r * k + i];
            for (size_t j = 0; j < k; j++)
                *effect += covariance[i * k + j] * slope[r * k + j];
            out->in_residuals -= *effect * slope[r * k + i];
        }
}

static void add_square(double *sum, const double *effect, size_t k)
{
    for (size_t i = 0; i < k; i++)
        for (size_t j = 0; j < k; j++)
            sum[i * k + j] += effect[i] * effect[j];
}

/* The covariance of the constants, if the disturbances of runs are independent and have the variance 1. */
static double *independent_runs(const struct model *m, struct arena *a, const struct influence *in)
{
    size_t k = m->structure.ncolumns;
    double *sum = arena_zalloc(a, k * k + 1, sizeof *sum);
    for (size_t r = 0; r < m->points.nruns; r++)
        add_square(sum, in->effect + r * k, k);
    return sum;
}

/* The same if those of the blocks of runs are independent (numeric/drift.h). */
static double *independent_blocks(const struct model *m, struct arena *a,
                                  const struct influence *in, const size_t *order, double block)
{
    size_t k = m->structure.ncolumns, nruns = m->points.nruns;
    double *sum = arena_zalloc(a, k * k + 1, sizeof *sum),
           *effect = arena_alloc(a, k + 1, sizeof *effect);
    for (size_t n = 0, end; n < nruns; n = end) {
        double begin = m->points.runs[order[n]].time;
        memset(effect, 0, k * sizeof *effect);
        for (end = n; end < nruns && (end == n || m->points.runs[order[end]].time - begin < block);
             end++)
            for (size_t i = 0; i < k; i++)
                effect[i] += in->effect[order[end] * k + i];
        add_square(sum, effect, k);
    }
    return sum;
}

/* The same if they decay over one of the times of the grid. */
static double *decaying_runs(const struct model *m, struct arena *a, const struct influence *in,
                             const size_t *order, int tau)
{
    size_t k = m->structure.ncolumns;
    double *sum = arena_zalloc(a, k * k + 1, sizeof *sum),
           *before = arena_zalloc(a, k + 1, sizeof *before), last = 0;
    for (size_t n = 0; n < m->points.nruns; n++) {
        const double *effect = in->effect + order[n] * k, time = m->points.runs[order[n]].time;
        double keep = n ? drift_decay(tau, time - last) : 0;
        for (size_t i = 0; i < k; i++)
            before[i] *= keep;
        for (size_t i = 0; i < k; i++)
            for (size_t j = 0; j < k; j++)
                sum[i * k + j] +=
                    effect[i] * effect[j] + effect[i] * before[j] + before[i] * effect[j];
        for (size_t i = 0; i < k; i++)
            before[i] += effect[i];
        last = time;
    }
    return sum;
}

/* What a point is the mean of: the mean over the points. */
static struct drift_sum typical_point(const struct model *m, struct arena *a, const struct drift *d,
                                      const size_t *order)
{
    const struct points *p = &m->points;
    struct drift_sum mean = {0};
    size_t *rank = arena_alloc(a, p->nruns, sizeof *rank), counted = 0, most = 0;
    for (size_t i = 0; i < p->nruns; i++)
        rank[order[i]] = i;
    for (size_t i = 0; i < p->n; i++)
        most = most > p->first_sample[i + 1] - p->first_sample[i]
                   ? most
                   : p->first_sample[i + 1] - p->first_sample[i];
    double *ranks = arena_alloc(a, most + 1, sizeof *ranks);
    for (size_t i = 0; i < p->n; i++) {
        size_t first = p->first_sample[i], n = p->first_sample[i + 1] - first;
        struct drift_sum one = {0};
        if (m->structure.left_out[i] || !n)
            continue;
        for (size_t s = 0; s < n; s++)
            ranks[s] = (double)rank[p->run[first + s]];
        stats_sort(ranks, n);
        for (size_t s = 0, end; s < n; s = end) { /* all samples of a run at once */
            for (end = s + 1; end < n && ranks[end] == ranks[s];)
                end++;
            drift_sum_add(d, &one, p->runs[order[(size_t)ranks[s]]].time,
                          (double)(end - s) / (double)n);
        }
        for (int k = 0; k < DRIFT_TIMES; k++)
            mean.together[k] += one.together[k];
        mean.alone += one.alone;
        counted++;
    }
    for (int k = 0; k < DRIFT_TIMES && counted; k++)
        mean.together[k] /= (double)counted;
    mean.alone /= counted ? (double)counted : 1;
    return mean;
}

/* Residuals that already contain the disturbance of runs (each point has runs of its own) must not
 * count it again. */
static void take_from_residuals(struct model *m, double part)
{
    size_t k = m->structure.ncolumns;
    double left = 1 - fmin(fmax(part, 0), RUN_MOST_OF_RESIDUALS);
    for (size_t i = 0; i < m->points.n; i++)
        m->weights.variance[i] *= left;
    for (size_t i = 0; i < k * k; i++)
        m->solution.covariance[i] *= left;
    m->noise.in_runs = 1 - left;
    m->noise.relative *= sqrt(left);
    m->noise.floor *= sqrt(left);
}

static int by_time(const void *x, const void *y, void *runs)
{
    const struct points_run *list = runs;
    return stats_compare(list[*(const size_t *)x].time, list[*(const size_t *)y].time);
}

const size_t *runs_order(const struct model *m, struct arena *a)
{
    const struct points *p = &m->points;
    size_t *order = arena_alloc(a, p->nruns, sizeof *order);
    for (size_t r = 0; r < p->nruns; r++) {
        if (isnan(p->runs[r].time))
            return NULL;
        order[r] = r;
    }
    for (size_t i = 0; i < p->n; i++)
        if (p->settings[i].simulated)
            return NULL;
    sort_with(order, p->nruns, sizeof *order, by_time, (void *)p->runs);
    return order;
}

/* Adds the covariance that the runs cause, part by part. */
static void add_of_runs(struct model *m, const double *covariance, double variance)
{
    size_t k = m->structure.ncolumns;
    for (size_t i = 0; i < k * k; i++) {
        m->solution.of_runs[i] += variance * covariance[i];
        m->solution.covariance[i] += variance * covariance[i];
    }
}

/* How long the runs took, and how many of them that share nothing would say as much. */
static void describe_runs(struct model *m, const struct drift_means *expected, const size_t *order)
{
    const struct points_run *runs = m->points.runs;
    size_t n = m->points.nruns;
    const struct drift *d = &m->runs.drift;
    struct drift_sum all = {.alone = 0}, one = {.alone = 0};
    drift_sum_add(d, &one, 0, 1);
    for (size_t i = 0; i < n; i++)
        drift_sum_add(d, &all, runs[order[i]].time, 1 / (double)n);
    double mean = drift_mean_variance(expected, &all);
    m->noise.runs_independent = mean > 0 ? drift_mean_variance(expected, &one) / mean : (double)n;
    m->noise.runs_span = /* with the time of the last one */
        (runs[order[n - 1]].time - runs[order[0]].time) * (double)n / (double)(n - 1);
}

/* A part of the disturbances decays: `own` is the factor of the statistic for the other part. A state of the machine that
 * all runs share moves every statistic as it is. */
static void include_drift(struct model *m, struct arena *a, const struct spread *s,
                          const struct influence *in, const size_t *order, double own)
{
    struct drift_sum point = typical_point(m, a, &s->drift, order);
    struct drift_means expected = drift_expected(&s->drift, own, s->chance);
    double mean = drift_mean_variance(&expected, &point), variance = mean;
    if (!m->again)
        variance = drift_variance(&s->drift, &point, own, s->chance);
    double more = mean > 0 ? variance / mean : 0; /* since the variance is hardly known */
    m->noise.runs_of_point = variance;
    m->noise.runs_dof = fmin(m->noise.runs_dof, s->drift.dof);
    m->runs.drift = s->drift;
    m->runs.factor = own;
    m->runs.rest = s->rest > 0 ? s->rest * statistic_factor(m, s->rest, 0) : 0;
    m->runs.chance = s->chance;
    describe_runs(m, &expected, order);
    add_of_runs(m, independent_blocks(m, a, in, order, s->drift.block), more * expected.own);
    for (int tau = 0; tau < DRIFT_TIMES; tau++)
        add_of_runs(m, decaying_runs(m, a, in, order, tau), more * expected.decays[tau]);
}

/* A spread contains that of the runs. It is known as badly as so few runs show it, and all points share the error. */
static void include_in_spread(struct model *m, struct arena *a, const struct spread *s)
{
    size_t k = m->structure.ncolumns;
    double share = s->runs / (s->runs + s->rest), variance = share * share / (2 * s->dof),
           *slope = arena_zalloc(a, k + 1, sizeof *slope),
           *effect = arena_zalloc(a, k + 1, sizeof *effect),
           *covariance = arena_zalloc(a, k * k + 1, sizeof *covariance);
    for (size_t i = 0; i < m->points.n; i++)
        for (size_t j = 0; j < k && !m->structure.left_out[i]; j++)
            slope[j] +=
                m->structure.design[i * k + j] * m->solution.fitted[i] / m->weights.variance[i];
    for (size_t i = 0; i < k; i++)
        for (size_t j = 0; j < k; j++)
            effect[i] += m->solution.covariance[i * k + j] * slope[j];
    add_square(covariance, effect, k);
    m->noise.runs_of_point = variance;
    add_of_runs(m, covariance, variance);
}

size_t runs_of_point(const struct points *p, size_t point, bool *seen)
{
    size_t n = 0;
    for (size_t k = p->first_sample[point]; k < p->first_sample[point + 1]; k++) {
        n += !seen[p->run[k]];
        seen[p->run[k]] = true;
    }
    for (size_t k = p->first_sample[point]; k < p->first_sample[point + 1]; k++)
        seen[p->run[k]] = false;
    return n;
}

void runs_include(struct model *m, size_t unknowns)
{
    const struct points *p = &m->points;
    size_t k = m->structure.ncolumns;
    m->solution.of_runs = arena_zalloc(m->arena, k * k + 1, sizeof *m->solution.of_runs);
    m->noise.runs = m->noise.runs_of_point = m->noise.runs_dof = m->noise.runs_independent = 0;
    m->runs.drift.dof = 0;
    if (!p->run || p->nruns < 2 || m->noise.none || m->noise.dof <= 0)
        return;
    ARENA_LOCAL struct arena *a = arena_create();
    const size_t *order = runs_order(m, a);
    struct spread s = measure_spread(m, order);
    if (points_is_spread(&m->request.points)) {
        if (s.dof > 0 && s.runs > 0) {
            m->noise.runs = sqrt(s.runs);
            m->noise.runs_dof = s.dof;
            include_in_spread(m, a, &s);
        }
    } else if (s.dof > 0 && (s.runs > 0 || s.drift.dof > 0)) {
        struct influence in;
        double own = statistic_factor(m, s.runs, s.rest),
               dof = (double)m->structure.used - (double)unknowns;
        influence_of_runs(m, m->solution.covariance, a, &in);
        if (dof > 0)
            take_from_residuals(m, s.runs * own * in.in_residuals / dof);
        m->noise.runs = sqrt(s.runs);
        m->noise.runs_dof = s.dof;
        if (order && s.drift.dof > 0) {
            include_drift(m, a, &s, &in, order, own);
        } else {
            m->noise.runs_of_point = s.runs * own * in.of_one_point;
            add_of_runs(m, independent_runs(m, a, &in), s.runs * own);
        }
    }
}
