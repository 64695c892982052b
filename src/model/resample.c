/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The bootstrap: the data drawn anew, everything selected and fitted again (see model_resample in
 * fit.h).
 *
 * With enough runs, whole runs are drawn, since what disturbs a run disturbs all its samples.
 * With fewer, each point gets the fitted value and a residual drawn from all of them, scaled by its
 * own standard deviation and freed of the shrinking that fitting causes.
 */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "model/fit_internal.h"
#include "base/interrupt.h"

/* Reproducible: the same data give the same answer. */
static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state >> 16;
}

static void draw_runs(const struct model *m, uint64_t *random, unsigned *times, double *scratch,
                      double *values)
{
    const struct points *p = &m->points;
    memset(times, 0, p->nruns * sizeof *times);
    for (size_t r = 0; r < p->nruns; r++)
        times[next_random(random) % p->nruns]++;
    for (size_t i = 0; i < p->n; i++) {
        size_t n = 0;
        for (size_t k = p->first_sample[i]; k < p->first_sample[i + 1]; k++)
            for (unsigned t = 0; t < times[p->run[k]]; t++)
                scratch[n++] = p->sample[k];
        values[i] =
            n ? stats_point(m->request.points.statistic, scratch, NULL, n).value : p->value[i];
    }
}

static void draw_residuals(const struct model *m, uint64_t *random, double *values)
{
    const struct points *p = &m->points;
    for (size_t i = 0; i < p->n; i++) {
        size_t j = next_random(random) % p->n;
        double room = sqrt(fmax(1 - m->solution.leverage[j], RESAMPLE_LEAST_ROOM));
        double residual = m->structure.left_out[j] ? 0
                                                   : (p->value[j] - m->solution.fitted[j]) /
                                                         sqrt(m->noise.variance[j]) / room;
        values[i] = m->structure.left_out[i]
                        ? p->value[i]
                        : fmax(m->solution.fitted[i] + residual * sqrt(m->noise.variance[i]),
                               m->solution.fitted[i] / RESAMPLE_MOST_TIMES);
    }
}

static size_t most_repeated(const struct points *p)
{
    size_t most = 0;
    for (size_t i = 0; p->run && i < p->n; i++)
        most = p->first_sample[i + 1] - p->first_sample[i] > most
                   ? p->first_sample[i + 1] - p->first_sample[i]
                   : most;
    return most * p->nruns; /* every sample may come from the one run that is drawn each time */
}

void model_resample(struct model *m)
{
    const struct points *p = &m->points;
    bool selected =
        m->request.intervals.mode == INTERVALS_AUTO || m->request.intervals.mode == INTERVALS_ON;
    if (m->resamples.n || !selected || m->noise.none || m->noise.dof <= 0)
        return;
    bool runs = p->run && p->nruns >= RESAMPLE_FEWEST_RUNS;
    size_t n = RESAMPLE_POINTS / p->n;
    n = n < RESAMPLE_LEAST ? RESAMPLE_LEAST : n > RESAMPLE_MOST ? RESAMPLE_MOST : n;
    uint64_t random = 88172645463325252u;
    double *values = mem_alloc(p->n, sizeof *values),
           *scratch = mem_alloc(runs ? most_repeated(p) : 1, sizeof *scratch);
    unsigned *times = mem_alloc(runs ? p->nruns : 1, sizeof *times);
    m->resamples.list = arena_alloc(m->arena, n, sizeof *m->resamples.list);
    for (size_t i = 0; i < n && !interrupted(); i++) {
        if (runs)
            draw_runs(m, &random, times, scratch, values);
        else
            draw_residuals(m, &random, values);
        struct model *r = model_refit(m->arena, m, values);
        if (r)
            m->resamples.list[m->resamples.n++] = r;
    }
    if (interrupted()) /* a part would be taken for the whole later */
        m->resamples.n = 0;
    mem_free(times);
    mem_free(scratch);
    mem_free(values);
}
