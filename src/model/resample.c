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
#include <string.h>

#include "base/interrupt.h"
#include "base/progress.h"
#include "model/fit_internal.h"
#include "numeric/random.h"

static void draw_runs(const struct model *m, struct random *random, unsigned *times,
                      double *scratch, double *values)
{
    const struct points *p = &m->points;
    memset(times, 0, p->nruns * sizeof *times);
    for (size_t r = 0; r < p->nruns; r++)
        times[random_below(random, p->nruns)]++;
    for (size_t i = 0; i < p->n; i++) {
        size_t n = 0;
        for (size_t k = p->first_sample[i]; k < p->first_sample[i + 1]; k++)
            for (unsigned t = 0; t < times[p->run[k]]; t++)
                scratch[n++] = p->sample[k];
        values[i] = n ? points_statistic(p, i, scratch, NULL, n).value : p->value[i];
        if (isnan(values[i])) /* one sample has no spread */
            values[i] = p->value[i];
    }
}

static void draw_residuals(const struct model *m, struct random *random, double *values)
{
    const struct points *p = &m->points;
    for (size_t i = 0; i < p->n; i++) {
        size_t j = random_below(random, p->n);
        double room = sqrt(fmax(1 - m->solution.leverage[j], RESAMPLE_LEAST_ROOM));
        double residual = m->structure.left_out[j] ? 0
                                                   : (p->value[j] - m->solution.fitted[j]) /
                                                         sqrt(m->weights.variance[j]) / room;
        values[i] = m->structure.left_out[i]
                        ? p->value[i]
                        : fmax(m->solution.fitted[i] + residual * sqrt(m->weights.variance[i]),
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

/* Chooses `part` of the points; the largest and the smallest of each variable may be missing. */
static void draw_points(struct random *random, bool *keep, size_t n, double part)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        kept += keep[i] = random_uniform(random) < part;
    for (; kept < 2 && n > 1; kept++)
        keep[kept] = true;
}

struct resampler {
    struct model *m;
    struct random random;
    bool runs; /* are drawn; otherwise residuals */
    double *values, *scratch;
    unsigned *times;
    bool *keep;
};

static struct model *fit_again(struct resampler *r)
{
    struct model *m = r->m;
    if (r->runs)
        draw_runs(m, &r->random, r->times, r->scratch, r->values);
    else
        draw_residuals(m, &r->random, r->values);
    if (m->resamples.part >= 1)
        return fit_refit(m->arena, m, r->values, NULL);
    draw_points(&r->random, r->keep, m->points.n, m->resamples.part);
    return fit_refit_some(m->arena, m, r->values, r->keep);
}

/* The machine's figures drawn from their intervals. */
static void draw_machines(struct model *m)
{
    const struct formula_machine *machine = m->formula.machine;
    if (!machine || m->draws.n)
        return;
    m->draws.list = arena_alloc(m->arena, machine->ndraws + 1, sizeof *m->draws.list);
    for (size_t i = 0; i < machine->ndraws && !interrupt_came(); i++) {
        progress_at("drawing figures of the machine", i, machine->ndraws);
        struct model *again = fit_refit_machine(m->arena, m, &machine->draws[i]);
        if (again)
            m->draws.list[m->draws.n++] = again;
    }
    if (interrupt_came())
        m->draws.n = 0;
}

static void resample(struct model *m)
{
    const struct points *p = &m->points;
    bool selected =
        m->request.intervals.mode == INTERVALS_AUTO || m->request.intervals.mode == INTERVALS_ON;
    if (m->resamples.n || !selected || m->noise.none || m->noise.dof <= 0)
        return;
    ARENA_LOCAL struct arena *a = arena_create();
    struct resampler r = {.m = m, .random = {RESAMPLE_SEED}};
    m->resamples.part = p->n > RESAMPLE_SUBSET ? RESAMPLE_SUBSET / (double)p->n : 1;
    size_t n = RESAMPLE_POINTS / p->n;
    n = n < RESAMPLE_LEAST ? RESAMPLE_LEAST : n > RESAMPLE_MOST ? RESAMPLE_MOST : n;
    r.runs = p->run && p->nruns >= RESAMPLE_FEWEST_RUNS;
    r.values = arena_alloc(a, p->n, sizeof *r.values);
    r.scratch = arena_alloc(a, r.runs ? most_repeated(p) : 1, sizeof *r.scratch);
    r.times = arena_alloc(a, r.runs ? p->nruns : 1, sizeof *r.times);
    r.keep = arena_alloc(a, p->n, sizeof *r.keep);
    m->resamples.list = arena_alloc(m->arena, n, sizeof *m->resamples.list);
    for (size_t i = 0; i < n && !interrupt_came(); i++) {
        progress_at("resampling", i, n);
        struct model *again = fit_again(&r);
        if (again)
            m->resamples.list[m->resamples.n++] = again;
    }
    if (interrupt_came()) /* a part would be taken for the whole later */
        m->resamples.n = 0;
}

void model_resample(struct model *m)
{
    draw_machines(m);
    resample(m);
    if (interrupt_came())
        return;
    undetermined_consider(m);
    backtest_model(m);
}
