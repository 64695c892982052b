/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The value of a point: the tenth percentile over the rounds (of a rate the ninetieth), because on a
 * busy machine low quantiles repeat and means do not. Its interval: the central 95 % of the values
 * that resampled rounds give. The random numbers are the same in each run.
 */
#include "probe/probe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double LOW = 0.1;
static const double STEADY = 0.1; /* relative width of the interval of a steady value */

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double probe_quantile(double *values, size_t n, double part)
{
    qsort(values, n, sizeof *values, by_value);
    double at = part * (double)(n - 1);
    size_t below = (size_t)at;
    if (below + 1 >= n)
        return values[n - 1];
    return values[below] + (at - (double)below) * (values[below + 1] - values[below]);
}

static double value_of(const struct probe_point *p, double *values)
{
    return probe_quantile(values, p->n, p->rate ? 1 - LOW : LOW);
}

double probe_resample(const struct probe_point *p, uint64_t *state)
{
    double values[PROBE_ROUNDS];
    for (unsigned i = 0; i < p->n; i++)
        values[i] = p->values[probe_random(state) % p->n];
    return value_of(p, values);
}

bool probe_is_steady(double value, double low, double high)
{
    return high - low <= STEADY * value;
}

void probe_evaluate(struct probe_point *p)
{
    double values[PROBE_ROUNDS], resampled[PROBE_RESAMPLES];
    uint64_t state = 1;
    p->steady = false;
    p->value = p->low = p->high = NAN;
    if (p->n == 0)
        return;
    memcpy(values, p->values, p->n * sizeof *values);
    p->value = value_of(p, values);
    for (unsigned i = 0; i < PROBE_RESAMPLES; i++)
        resampled[i] = probe_resample(p, &state);
    p->low = fmin(probe_quantile(resampled, PROBE_RESAMPLES, 0.025), p->value);
    p->high = fmax(probe_quantile(resampled, PROBE_RESAMPLES, 0.975), p->value);
    p->steady = p->n > 2 && probe_is_steady(p->value, p->low, p->high);
}
