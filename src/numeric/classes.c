/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The factor of a class of points (see classes.h), by the method of Gauss and Newton. */
#include "numeric/classes.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

#include "numeric/lsq.h"
#include "numeric/stats.h"
#include "numeric/thresholds.h"

enum { MOST_SMOOTH = 2 };

struct fitting {
    const struct classes_problem *p;
    struct arena *arena;
    size_t smooth;              /* columns after those of the formula; the factor's is the last */
    double *shape[MOST_SMOOTH]; /* of each group */
    double *time;               /* of each point, without the factor */
    double *base; /* the same by the formula alone: what smooth columns are parts of */
    double factor;
    double *row;
    struct lsq_solution solution;
};

static size_t unknowns(const struct fitting *f)
{
    return f->p->columns + f->smooth + 1;
}

/* Log x and its square, with mean 0 and of size 1. */
static void make_shapes(struct fitting *f)
{
    const struct classes_problem *p = f->p;
    double mean = 0, squares = 0, n = (double)p->groups;
    for (size_t g = 0; g < p->groups; g++)
        mean += p->of_group[g] / n;
    for (size_t g = 0; g < p->groups; g++)
        squares += (p->of_group[g] - mean) * (p->of_group[g] - mean) / n;
    for (size_t s = 0; s < MOST_SMOOTH; s++)
        f->shape[s] = arena_alloc(f->arena, p->groups, sizeof **f->shape);
    for (size_t g = 0; g < p->groups; g++) {
        f->shape[0][g] = (p->of_group[g] - mean) / sqrt(squares);
        f->shape[1][g] = f->shape[0][g] * f->shape[0][g] - 1;
    }
}

/* The row of a point, linear around the present factor; returns its right hand side. */
static double make_row(const struct fitting *f, size_t i, double *row)
{
    const struct classes_problem *p = f->p;
    size_t g = p->group[i];
    double scale = (p->in[g] ? f->factor : 1) / p->sigma[i];
    for (size_t j = 0; j < p->columns; j++)
        row[j] = p->design[i * p->columns + j] * scale;
    for (size_t s = 0; s < f->smooth; s++)
        row[p->columns + s] = f->shape[s][g] * f->base[i] * scale;
    row[p->columns + f->smooth] = p->in[g] ? f->time[i] * scale : 0;
    return p->y[i] / p->sigma[i] - (p->known ? p->known[i] * scale : 0);
}

/* One step. Returns by how much the logarithm of the factor changed; nan if nothing determines it. */
static double step(struct fitting *f)
{
    const struct classes_problem *p = f->p;
    size_t k = unknowns(f);
    struct lsq *l = lsq_create(f->arena, k);
    bool *others = arena_alloc(f->arena, k, sizeof *others);
    double *relation = arena_alloc(f->arena, k, sizeof *relation);
    for (size_t i = 0; i < p->points; i++) {
        double rhs = make_row(f, i, f->row);
        lsq_add(l, f->row, rhs);
    }
    lsq_finish(l);
    for (size_t j = 0; j < k; j++)
        others[j] = j + 1 < k;
    if (lsq_dependent(f->arena, l, others, k - 1, relation))
        return NAN;
    lsq_solve(f->arena, l, NULL, &f->solution);
    double change = fmax(fmin(f->solution.x[k - 1], CLASSES_MOST_CHANGE), -CLASSES_MOST_CHANGE);
    for (size_t i = 0; i < p->points; i++) {
        double time = p->known ? p->known[i] : 0;
        for (size_t j = 0; j < p->columns; j++)
            time += f->solution.x[j] * p->design[i * p->columns + j];
        for (size_t s = 0; s < f->smooth; s++)
            time += f->solution.x[p->columns + s] * f->shape[s][p->group[i]] * f->base[i];
        f->time[i] = time > p->y[i] * CLASSES_LEAST_TIME ? time : p->y[i] * CLASSES_LEAST_TIME;
    }
    f->factor *= exp(change);
    return change;
}

/* Steps until the factor is found. Whether they ended. */
static bool iterate(struct fitting *f)
{
    double change = INFINITY;
    for (int round = 0; round < CLASSES_ROUNDS && fabs(change) > CLASSES_SETTLED; round++) {
        change = step(f);
        if (!isfinite(change))
            return false;
    }
    return fabs(change) <= CLASSES_SETTLED_ENOUGH;
}

/* The sandwich variance of the factor's logarithm, and the sum of squares that remains. */
static double sandwich(const struct fitting *f, double *rss)
{
    const struct classes_problem *p = f->p;
    size_t k = unknowns(f);
    const double *covariance = f->solution.covariance;
    double *sum = arena_zalloc(f->arena, p->groups, sizeof *sum), variance = 0;
    *rss = 0;
    for (size_t i = 0; i < p->points; i++) {
        double rest = make_row(f, i, f->row), influence = 0, leverage = 0;
        for (size_t j = 0; j < k; j++) {
            double dot = 0;
            for (size_t q = 0; q < k; q++)
                dot += covariance[j * k + q] * f->row[q];
            leverage += f->row[j] * dot;
            if (j + 1 == k)
                influence = dot;
            else
                rest -= f->row[j] * f->solution.x[j];
        }
        *rss += rest * rest;
        sum[p->group[i]] += influence * rest / fmax(1 - leverage, CLASSES_LEAST_ROOM);
    }
    for (size_t g = 0; g < p->groups; g++)
        variance += sum[g] * sum[g];
    return variance;
}

/* The residuals of the groups in the class against those of the others, by ranks. */
static double compare_ranks(const struct fitting *f)
{
    const struct classes_problem *p = f->p;
    double *mean = arena_zalloc(f->arena, p->groups, sizeof *mean),
           *count = arena_zalloc(f->arena, p->groups, sizeof *count), inside = 0, above = 0;
    for (size_t i = 0; i < p->points; i++) {
        mean[p->group[i]] += log(p->y[i] / f->time[i]);
        count[p->group[i]]++;
    }
    for (size_t g = 0; g < p->groups; g++) {
        mean[g] /= count[g];
        inside += p->in[g];
    }
    for (size_t g = 0; g < p->groups; g++)
        for (size_t h = 0; h < p->groups && p->in[g]; h++)
            if (!p->in[h])
                above += mean[g] > mean[h] ? 1 : mean[g] == mean[h] ? 0.5 : 0;
    double n = (double)p->groups, pairs = inside * (n - inside);
    return (above - pairs / 2) / sqrt(pairs * (n + 1) / 12);
}

/* Points beyond the unknowns. Values of the variable count, if several points have the same. */
static double freedom(const struct classes_problem *p, size_t smooth)
{
    double by_points = (double)p->points - (double)(p->columns + smooth + 1),
           by_groups = (double)p->groups - (double)(smooth + 2);
    return p->groups == p->points ? by_points : fmin(by_points, by_groups);
}

static bool judge(struct fitting *f, struct classes_fit *out)
{
    double dof = freedom(f->p, f->smooth), rss, robust = sandwich(f, &rss);
    size_t k = unknowns(f);
    double variance = fmax(robust, rss / dof * f->solution.covariance[k * k - 1]),
           error = sqrt(variance), change = log(f->factor);
    out->factor = f->factor;
    out->rss = rss;
    out->ranks = compare_ranks(f);
    out->by_chance = error > 0 ? 2 * gsl_cdf_tdist_Q(fabs(change) / error, dof) : 0;
    double reach = error * gsl_cdf_tdist_Pinv(0.975, dof);
    out->low = exp(change - reach);
    out->high = exp(change + reach);
    return isfinite(out->low) && isfinite(out->high);
}

bool classes_fit(const struct classes_problem *p, struct classes_fit *out)
{
    struct arena *a = arena_create();
    struct fitting f = {.p = p, .arena = a, .factor = 1};
    double spare = freedom(p, 0) - CLASSES_LEAST_DOF;
    bool found = false;
    if (spare >= 0) {
        f.time = arena_alloc(a, p->points, sizeof *f.time);
        f.base = arena_alloc(a, p->points, sizeof *f.base);
        f.row = arena_alloc(a, p->columns + MOST_SMOOTH + 1, sizeof *f.row);
        memcpy(f.time, p->y, p->points * sizeof *f.time);
        make_shapes(&f);
        found = iterate(&f);
        memcpy(f.base, f.time, p->points * sizeof *f.base);
        f.smooth = spare > MOST_SMOOTH ? MOST_SMOOTH : (size_t)spare;
        found = found && (!f.smooth || iterate(&f)) && judge(&f, out);
    }
    arena_destroy(a);
    return found;
}
