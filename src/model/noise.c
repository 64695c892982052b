/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How large the noise is. There are two sources: the residuals (n - k degrees of freedom; they
 * include the error of the formula) and the repetitions at each point (they exist even if n = k).
 * With enough degrees of freedom, the residuals alone give the noise. With fewer, both are pooled,
 * unless the residuals are significantly larger (F test); then the error of the formula is part of
 * the noise, and the residuals alone give it.
 */
#include <gsl/gsl_cdf.h>
#include <math.h>

#include "model/fit_internal.h"

double noise_student_t(double dof)
{
    return gsl_cdf_tdist_Pinv(INTERVAL_HIGH_QUANTILE, dof);
}

/* A point of few overheads may be off by a whole overhead. */
static double untrusted(const struct model *m, size_t i)
{
    const struct points *p = &m->points;
    return points_is_below(p->value[i], p->overhead[i], TRUSTED_OVERHEADS) ? p->overhead[i] : 0;
}

void noise_set_floor(struct model *m)
{
    const struct points *p = &m->points;
    double *copy = arena_alloc(m->arena, p->n, sizeof *copy), smallest = INFINITY;
    m->noise.short_points = 0;
    for (size_t i = 0; i < p->n; i++) {
        copy[i] = p->floor_error[i];
        if (p->value[i] != 0)
            smallest = fmin(smallest, fabs(p->value[i]));
        m->noise.short_points += untrusted(m, i) > 0;
    }
    m->noise.floor = stats_quantile(copy, p->n, 0.5);
    if (m->noise.floor == 0)
        m->noise.floor = FLOOR_PART * smallest; /* keeps variances positive */
}

double noise_variance(const struct model *m, size_t i, double expected, double s)
{
    double floor = m->points.floor_error[i], extra = untrusted(m, i);
    if (floor == 0)
        floor = WEIGHT_FLOOR_PART * expected;
    s *= noise_grown(m, expected) * (m->weights.uneven ? m->weights.uneven[i] : 1);
    return s * s * expected * expected + floor * floor + extra * extra;
}

double noise_quantile(const struct model *m, double total, double of_runs)
{
    double rest = fmax(total - of_runs, 0);
    if (!(of_runs > 0) || !(m->noise.runs_dof > 0))
        return noise_student_t(m->noise.dof);
    return noise_student_t(total * total /
                           (rest * rest / m->noise.dof + of_runs * of_runs / m->noise.runs_dof));
}

static double chi_square(const struct model *m, const double *expected, double s)
{
    double sum = 0;
    for (size_t i = 0; i < m->points.n; i++) {
        if (m->structure.left_out[i])
            continue;
        double residual = m->points.value[i] - m->solution.fitted[i];
        sum += residual * residual / noise_variance(m, i, expected[i], s);
    }
    return sum;
}

double noise_from_residuals(const struct model *m, const double *expected, size_t unknowns)
{
    double want = (double)(m->structure.used - unknowns), low = NOISE_LEAST, high = NOISE_MOST;
    if (chi_square(m, expected, low) <= want)
        return 0;
    if (chi_square(m, expected, high) >= want)
        return high;
    for (int i = 0; i < 60; i++) { /* bisection of the logarithm */
        double middle = sqrt(low * high);
        if (chi_square(m, expected, middle) > want)
            low = middle;
        else
            high = middle;
    }
    return sqrt(low * high);
}

/* Mean of (standard error of the point)^2 / variance, over points with repetitions. */
static double repetition_factor(const struct model *m, const double *expected, double s,
                                double *dof)
{
    const struct points *p = &m->points;
    double sum = 0, samples = 0;
    size_t points = 0;
    for (size_t i = 0; i < p->n; i++) {
        if (p->count[i] < 2 || m->structure.left_out[i] || !isfinite(p->standard_error[i]))
            continue;
        sum += p->standard_error[i] * p->standard_error[i] / noise_variance(m, i, expected[i], s);
        samples += (double)(p->count[i] - 1);
        points++;
    }
    /* A quantile's standard error is known less well than a mean's: half the degrees of freedom. */
    *dof = points ? fmax(samples / NOISE_QUANTILE_DIVISOR, 1) : 0;
    return points ? sum / (double)points : 0;
}

double noise_settle(struct model *m, const double *expected, double s, size_t unknowns)
{
    const struct points *p = &m->points;
    double dof = (double)(m->structure.used - unknowns), repeated_dof;
    double from_residuals = dof > 0 ? chi_square(m, expected, s) / dof : 0;
    double from_repetitions = repetition_factor(m, expected, s, &repeated_dof);
    double factor = from_residuals;
    m->noise.dof = dof;
    m->noise.misfit = NAN; /* unknown without repetitions */
    if (dof > 0 && repeated_dof > 0)
        m->noise.misfit = from_repetitions > 0 ? sqrt(from_residuals / from_repetitions)
                          : from_residuals > 0 ? INFINITY
                                               : 0;
    if (dof == 0) {
        factor = from_repetitions;
        m->noise.dof = repeated_dof;
    } else if (dof < NOISE_ENOUGH_DOF && repeated_dof > 0) {
        double critical = gsl_cdf_fdist_Pinv(1 - NOISE_F_LEVEL, dof, repeated_dof);
        if (from_residuals <= critical * from_repetitions) {
            double extra = fmin(repeated_dof, (double)m->structure.used);
            factor = (dof * from_residuals + extra * from_repetitions) / (dof + extra);
            m->noise.dof = dof + extra;
        }
    }
    for (size_t i = 0; i < p->n; i++)
        m->weights.variance[i] = factor * noise_variance(m, i, expected[i], s);
    m->noise.relative = s * sqrt(factor);
    m->noise.in_runs = 0;
    m->noise.floor *= sqrt(factor);
    m->noise.none = m->noise.dof > 0 && m->noise.relative < NOISE_FREE;
    return factor;
}

/* Samples of all points relative to the fitted value, each point with the same weight. One
 * execution has no spread. */
void noise_of_single_runs(struct model *m)
{
    const struct points *p = &m->points;
    m->noise.single_low = m->noise.single_high = NAN;
    if (points_is_spread(p->request))
        return;
    size_t total = p->first_kept[p->n], step = total / SINGLE_MOST_SAMPLES + 1, n = 0;
    MEM_LOCAL double *ratio = mem_alloc(total / step + 1, sizeof *ratio);
    MEM_LOCAL double *weight = mem_alloc(total / step + 1, sizeof *weight);
    double sum = 0, squares = 0;
    size_t logs = 0;
    for (size_t i = 0, k = 0; i < p->n; i++) {
        size_t kept = p->first_kept[i + 1] - p->first_kept[i];
        for (; k < p->first_kept[i + 1]; k++) {
            if (k % step || m->solution.fitted[i] <= 0 || m->structure.left_out[i] ||
                (untrusted(m, i) > 0 && m->noise.short_points < p->n))
                continue;
            ratio[n] = 1 + (p->kept[k] / m->solution.fitted[i] - 1) /
                               noise_grown(m, m->solution.fitted[i]);
            weight[n] = 1e6 / (double)kept;
            if (ratio[n] > 0) {
                sum += log(ratio[n]);
                squares += log(ratio[n]) * log(ratio[n]);
                logs++;
            }
            n++;
        }
    }
    if (n > 0) {
        m->noise.single_low = stats_weighted_quantile(ratio, weight, n, INTERVAL_LOW_QUANTILE);
        m->noise.single_high = stats_weighted_quantile(ratio, weight, n, INTERVAL_HIGH_QUANTILE);
    }
    if (n < SINGLE_FEW_SAMPLES &&
        logs > 1) { /* too few to read the ends off: as if log-normal, and no narrower than seen */
        double mean = sum / (double)logs;
        double variance =
            fmax(squares / (double)logs - mean * mean, 0) * (double)logs / (double)(logs - 1);
        double reach =
            noise_student_t((double)(logs - 1)) * sqrt(variance * (1 + 1 / (double)logs));
        m->noise.single_low = fmin(m->noise.single_low, exp(mean - reach));
        m->noise.single_high = fmax(m->noise.single_high, exp(mean + reach));
    }
}

/* ---- before a fit: what repetitions say ---- */

/* A quantile's standard error is known less well than a mean's: half. */
void noise_of_repetitions(const struct points *q, double *noise, double *weight)
{
    double sum = 0, samples = 0;
    size_t n = 0;
    for (size_t i = 0; i < q->n; i++) {
        if (q->count[i] < 2 || !isfinite(q->standard_error[i]) || !(q->value[i] > 0))
            continue;
        double relative = q->standard_error[i] / q->value[i];
        sum += relative * relative;
        samples += (double)(q->count[i] - 1);
        n++;
    }
    *noise = n ? sqrt(sum / (double)n) : 0;
    *weight = n ? fmin(samples / NOISE_QUANTILE_DIVISOR, NOISE_MOST_WEIGHT) : 0;
}

double *noise_scales(struct arena *a, const struct points *p, double relative, double least)
{
    double *sigma = arena_alloc(a, p->n, sizeof *sigma), *uneven = noise_uneven(a, p), typical;
    double noise = fmax(relative, NOISE_SCALE_LEAST), growth = noise_growth_of_samples(p, &typical);
    for (size_t i = 0; i < p->n; i++) {
        double value = fmax(fabs(p->value[i]), p->overhead[i]);
        if (growth != 0 && value > 0)
            value *= pow(value / typical, growth);
        if (uneven)
            value *= uneven[i];
        sigma[i] = hypot(value, p->floor_error[i] / noise);
        if (sigma[i] == 0)
            sigma[i] = least > 0 ? least : 1;
    }
    return sigma;
}
