/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How the noise differs from point to point, as far as the samples show it.
 *
 * A point of few samples is known less well than one of many (uneven.c).
 *
 * The relative noise may grow or fall with the time: as a power of it. Whether it does, the ranks of
 * the spreads of the samples show; the power is that of the greatest likelihood of these spreads and
 * of the residuals.
 */
#include <gsl/gsl_cdf.h>
#include <math.h>

#include "model/fit_internal.h"

double noise_grown(const struct model *m, double time)
{
    return m->noise.growth != 0 && time > 0 ? pow(time / m->noise.typical, m->noise.growth) : 1;
}

double *noise_uneven(struct arena *a, const struct points *p)
{
    double *out = p->uneven ? arena_alloc(a, p->n, sizeof *out) : NULL, logs = 0;
    if (!out)
        return NULL;
    for (size_t i = 0; i < p->n; i++) {
        out[i] = hypot(UNEVEN_LEAST_NOISE, p->uneven[i]);
        logs += log(out[i]);
    }
    for (size_t i = 0; i < p->n; i++)
        out[i] /= exp(logs / (double)p->n);
    return out;
}

/* ---- growth ---- */

/* What is known of the noise of one point: `dof` squares of mean `square`, at a time. */
struct evidence {
    double time, square, dof;
};

/* How far the 10th percentile of n samples of a normal variable is from their mean. */
static double usual_depth(double n)
{
    return -gsl_cdf_ugaussian_Pinv((1 + (n - 1) * POINT_QUANTILE) / (n + 1));
}

/* The spread of the samples below their median, over that of a normal variable. Of the value of a
 * point that is a spread itself, the samples do not show the noise. */
static struct evidence spread_evidence(const struct points *p, size_t i)
{
    const double *v = p->kept + p->first_kept[i];
    size_t n = p->first_kept[i + 1] - p->first_kept[i];
    struct evidence e = {.time = p->value[i]};
    if (n < GROWTH_LEAST_SAMPLES || !(p->value[i] > 0) || points_is_spread(p->request))
        return e;
    double low = stats_sorted_quantile(v, n, POINT_QUANTILE),
           middle = stats_sorted_quantile(v, n, 0.5),
           relative = (middle - low) / low / usual_depth((double)n);
    e.square = relative * relative;
    e.dof = low > GROWTH_LEAST_FLOORS * p->floor_error[i] ? (double)n / GROWTH_DOF_DIVISOR : 0;
    return e;
}

/* -2 ln of the likelihood of a growth, up to a constant; the size of the noise is the best one. */
static double unlikelihood(const struct evidence *e, size_t n, double typical, double growth)
{
    double logs = 0, squares = 0, dof = 0;
    for (size_t i = 0; i < n; i++) {
        if (!(e[i].dof > 0))
            continue;
        double grown = 2 * growth * log(e[i].time / typical);
        logs += e[i].dof * grown;
        squares += e[i].dof * e[i].square * exp(-grown);
        dof += e[i].dof;
    }
    return squares > 0 ? logs + dof * log(squares / dof) : 0;
}

/* Whether the squares of the evidence rise or fall with the time: Spearman's rank correlation, as a
 * standard normal variable. Whatever the shape of the noise, chance gives a large one rarely. */
static double rank_trend(struct arena *a, const struct evidence *e, size_t n)
{
    double *time = arena_alloc(a, n + 1, sizeof *time),
           *square = arena_alloc(a, n + 1, sizeof *square), sum = 0, squares[2] = {0, 0};
    size_t used = 0;
    for (size_t i = 0; i < n; i++)
        if (e[i].dof > 0) {
            time[used] = e[i].time;
            square[used++] = e[i].square;
        }
    if (used < GROWTH_LEAST_DOF)
        return 0;
    double *ranks[] = {stats_ranks(a, time, used), stats_ranks(a, square, used)};
    for (size_t i = 0; i < used; i++) {
        double middle = (double)(used - 1) / 2, x = ranks[0][i] - middle, y = ranks[1][i] - middle;
        sum += x * y;
        squares[0] += x * x;
        squares[1] += y * y;
    }
    double both = sqrt(squares[0] * squares[1]);
    return both > 0 ? sum / both * sqrt((double)(used - 1)) : 0;
}

/* Whether the noise grows (1), falls (-1), or chance may give what the evidence shows (0). Few repetitions show little;
 * with the residuals, which are further evidence, more. Residuals alone must show it more clearly. */
static int direction(struct arena *a, const struct evidence *spreads,
                     const struct evidence *residuals, size_t n)
{
    double trend = rank_trend(a, spreads, n), chance = GROWTH_BY_CHANCE,
           other = residuals ? rank_trend(a, residuals, n) : 0;
    if (trend != 0 && other != 0) {
        trend = (trend + other) / M_SQRT2;
        chance = GROWTH_BY_CHANCE_BOTH;
    } else if (other != 0) {
        trend = other;
        chance = FINDING_BY_CHANCE;
    }
    if (!(2 * gsl_cdf_ugaussian_Q(fabs(trend)) < chance))
        return 0;
    return trend > 0 ? 1 : -1;
}

/* The most likely growth; 0 if chance may give it. */
static double most_likely_growth(struct arena *a, const struct evidence *spreads,
                                 const struct evidence *residuals, size_t n, double typical)
{
    double best = 0, least = INFINITY;
    int sign = direction(a, spreads, residuals, n);
    if (!sign)
        return 0;
    for (int step = 0; step <= GROWTH_STEPS; step++) {
        double growth = sign * GROWTH_MOST * step / GROWTH_STEPS;
        double value = unlikelihood(spreads, n, typical, growth);
        value += residuals ? unlikelihood(residuals, n, typical, growth) : 0;
        if (value < least) {
            least = value;
            best = growth;
        }
    }
    return best;
}

/* The geometric mean of the values; 1 if none is positive. */
static double typical_value(const struct points *p)
{
    double logs = 0, n = 0;
    for (size_t i = 0; i < p->n; i++)
        if (p->value[i] > 0) {
            logs += log(p->value[i]);
            n++;
        }
    return n > 0 ? exp(logs / n) : 1;
}

static struct evidence *spreads_of(struct arena *a, const struct points *p)
{
    struct evidence *e = arena_alloc(a, p->n + 1, sizeof *e);
    for (size_t i = 0; i < p->n; i++)
        e[i] = spread_evidence(p, i);
    return e;
}

double noise_growth_of_samples(const struct points *p, double *typical)
{
    ARENA_LOCAL struct arena *a = arena_create();
    *typical = typical_value(p);
    return most_likely_growth(a, spreads_of(a, p), NULL, p->n, *typical);
}

/* How far the middle of the samples is from a low quantile of them, relative, at the time
 * `typical`. Noise that grows moves all quantiles but one, and nothing shows which. */
static double drift_of_samples(const struct model *m)
{
    const struct points *p = &m->points;
    double sum = 0, n = 0;
    for (size_t i = 0; i < p->n; i++) {
        struct evidence e = spread_evidence(p, i);
        if (!(e.dof > 0) || !(p->value[i] > 0))
            continue;
        sum += sqrt(e.square) / noise_grown(m, p->value[i]);
        n++;
    }
    return n > 0 ? -gsl_cdf_ugaussian_Pinv(POINT_QUANTILE) * sum / n : 0;
}

void noise_find_drift(struct model *m)
{
    m->noise.drift = m->noise.growth != 0 ? drift_of_samples(m) : 0;
}

bool noise_find_growth(struct model *m, const double *expected, size_t unknowns)
{
    const struct points *p = &m->points;
    if (m->structure.used < unknowns + GROWTH_LEAST_DOF)
        return false;
    ARENA_LOCAL struct arena *a = arena_create();
    struct evidence *residuals = arena_zalloc(a, p->n + 1, sizeof *residuals);
    double before = m->noise.growth,
           dof = (double)(m->structure.used - unknowns) / (double)m->structure.used;
    for (size_t i = 0; i < p->n; i++) {
        double relative = (p->value[i] - m->solution.fitted[i]) / expected[i],
               floor = p->floor_error[i] / expected[i];
        if (m->structure.left_out[i] || GROWTH_LEAST_FLOORS * floor > 1 || !(p->value[i] > 0))
            continue;
        if (m->weights.uneven)
            relative /= m->weights.uneven[i];
        residuals[i] = (struct evidence){expected[i], relative * relative, dof};
    }
    m->noise.growth = most_likely_growth(a, spreads_of(a, p), residuals, p->n, m->noise.typical);
    return m->noise.growth != before;
}
