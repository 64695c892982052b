/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The drift of a machine (drift.h). */
#include "numeric/drift.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "numeric/thresholds.h"

/* The parts of the variance that decay. */
static const double parts[DRIFT_PARTS] = {0, .1, .2, .3, .4, .5, .6, .7, .8, .9, .95, .98};

static double tau_of(int k)
{
    return DRIFT_SHORTEST * ldexp(1, k);
}

/* What is expected of tau before anything is measured. */
static double prior(int k)
{
    double away = log(tau_of(k) / DRIFT_USUAL) / DRIFT_SPREAD;
    return exp(-away * away / 2);
}

/* The logarithm of the likelihood of a combination, whatever the mean and the variance are; *scale gets the variance.
 * A Kalman filter over the effects and, with the same gains, over a column of ones. */
static double likelihood(const double *time, const double *effect, size_t n, double tau,
                         double part, double *scale)
{
    double state = 0, state_one = 0, variance = part, logs = 0, squares = 0, mixed = 0, ones = 0;
    for (size_t i = 0; i < n; i++) {
        double keep = i ? exp(-(time[i] - time[i - 1]) / tau) : 0;
        state *= keep;
        state_one *= keep;
        variance = keep * keep * variance + (1 - keep * keep) * part;
        double total = variance + 1 - part, e = effect[i] - state, one = 1 - state_one,
               gain = variance / total;
        logs += log(total);
        squares += e * e / total;
        mixed += e * one / total;
        ones += one * one / total;
        state += gain * e;
        state_one += gain * one;
        variance *= 1 - gain;
    }
    double left = fmax(squares - mixed * mixed / ones, DRIFT_LEAST * DRIFT_LEAST * (double)n);
    *scale = left / (double)(n - 1);
    return -(logs + log(ones) + (double)(n - 1) * log(left)) / 2;
}

/* Joins rounds to blocks, each with the mean of its times and effects. Returns their number. */
static size_t join(const struct drift *d, const double *time, const double *effect, size_t n,
                   double *block_time, double *block_effect)
{
    size_t blocks = 0;
    for (size_t i = 0, end; i < n; i = end, blocks++) {
        double times = 0, effects = 0;
        for (end = i; end < n && (end == i || time[end] - time[i] < d->block); end++) {
            times += time[end];
            effects += effect[end];
        }
        block_time[blocks] = times / (double)(end - i);
        block_effect[blocks] = effects / (double)(end - i);
    }
    return blocks;
}

static void weigh(struct drift *d, const double *time, const double *effect, size_t n)
{
    double best = -INFINITY, sum = 0;
    for (int k = 0; k < DRIFT_TIMES; k++)
        for (int i = 0; i < DRIFT_PARTS; i++) {
            d->weight[k][i] =
                likelihood(time, effect, n, tau_of(k), parts[i], &d->scale[k][i]) + log(prior(k));
            best = fmax(best, d->weight[k][i]);
        }
    for (int k = 0; k < DRIFT_TIMES; k++)
        for (int i = 0; i < DRIFT_PARTS; i++)
            sum += d->weight[k][i] = exp(d->weight[k][i] - best);
    for (int k = 0; k < DRIFT_TIMES; k++)
        for (int i = 0; i < DRIFT_PARTS; i++)
            d->weight[k][i] /= sum;
}

bool drift_estimate(struct drift *d, const double *time, const double *effect, size_t n)
{
    memset(d, 0, sizeof *d);
    if (n < 2)
        return false;
    double *block_time = mem_alloc(2 * n, sizeof *block_time), *block_effect = block_time + n;
    d->block = fmin(DRIFT_SHORTEST / 2, (time[n - 1] - time[0]) / DRIFT_BLOCKS);
    size_t blocks = join(d, time, effect, n, block_time, block_effect);
    if (blocks > 1) {
        weigh(d, block_time, block_effect, blocks);
        d->rounds = (double)n / (double)blocks;
        d->dof = (double)(blocks - 1);
    }
    mem_free(block_time);
    return blocks > 1;
}

double drift_decay(int tau, double seconds)
{
    return exp(-seconds / tau_of(tau));
}

void drift_sum_add(const struct drift *d, struct drift_sum *s, double time, double share)
{
    if (!s->begun || time - s->block_begin >= d->block) {
        s->block_begin = time;
        s->in_block = 0;
    }
    for (int k = 0; k < DRIFT_TIMES; k++) {
        s->before[k] *= s->begun ? drift_decay(k, time - s->last) : 0;
        s->together[k] += share * share + 2 * share * s->before[k];
        s->before[k] += share;
    }
    s->alone += share * share + 2 * share * s->in_block;
    s->in_block += share;
    s->last = time;
    s->begun = true;
}

struct drift_means drift_expected(const struct drift *d, double own, double chance)
{
    struct drift_means m = {0};
    for (int k = 0; k < DRIFT_TIMES; k++)
        for (int i = 0; i < DRIFT_PARTS; i++) {
            double scale = d->weight[k][i] * d->scale[k][i];
            m.decays[k] += scale * parts[i];
            m.own += own * fmax(scale * (1 - parts[i]) - d->weight[k][i] * chance / d->rounds, 0);
        }
    return m;
}

double drift_mean_variance(const struct drift_means *m, const struct drift_sum *s)
{
    double sum = m->own * s->alone;
    for (int k = 0; k < DRIFT_TIMES; k++)
        sum += m->decays[k] * s->together[k];
    return sum;
}

/* The share of the combinations, each with Student's t, that is within `reach`. */
static double within(const struct drift *d, double variance[DRIFT_TIMES][DRIFT_PARTS], double reach)
{
    double sum = 0;
    for (int k = 0; k < DRIFT_TIMES; k++)
        for (int i = 0; i < DRIFT_PARTS; i++) {
            double deviation = sqrt(variance[k][i]);
            sum += d->weight[k][i] *
                   (deviation > 0 ? 2 * gsl_cdf_tdist_P(reach / deviation, d->dof) - 1 : 1);
        }
    return sum;
}

double drift_variance(const struct drift *d, const struct drift_sum *s, double own, double chance)
{
    enum { STEPS = 30 };
    double variance[DRIFT_TIMES][DRIFT_PARTS], most = 0, low = 0;
    if (!(d->dof > 0))
        return 0;
    for (int k = 0; k < DRIFT_TIMES; k++)
        for (int i = 0; i < DRIFT_PARTS; i++) {
            double scale = d->scale[k][i];
            variance[k][i] = scale * parts[i] * s->together[k] +
                             own * s->alone * fmax(scale * (1 - parts[i]) - chance / d->rounds, 0);
            most = fmax(most, variance[k][i]);
        }
    double t = gsl_cdf_tdist_Pinv(INTERVAL_HIGH_QUANTILE, d->dof), high = t * sqrt(most);
    for (int step = 0; step < STEPS; step++) { /* bisection */
        double middle = (low + high) / 2;
        if (within(d, variance, middle) < 2 * INTERVAL_HIGH_QUANTILE - 1)
            low = middle;
        else
            high = middle;
    }
    return high * high / t / t;
}
