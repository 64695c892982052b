/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The factor of a class of points (see classes.h), by the method of Gauss and Newton. */
#include "numeric/classes.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

#include "numeric/lsq.h"
#include "numeric/random.h"
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
    ARENA_LOCAL struct arena *a = arena_create();
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
    return found;
}

/* ---- among random classes ---- */

/* What remains of the logarithms of y when everything but a class is fitted: the residuals, and an
 * orthonormal basis of what was fitted, with a column per unknown. */
struct remainder {
    double *rest, *basis;
    size_t n, columns;
};

/* Takes the part along the basis away. */
static void project(const struct remainder *r, double *v)
{
    for (size_t j = 0; j < r->columns; j++) {
        double dot = 0;
        for (size_t i = 0; i < r->n; i++)
            dot += r->basis[j * r->n + i] * v[i];
        for (size_t i = 0; i < r->n; i++)
            v[i] -= dot * r->basis[j * r->n + i];
    }
}

/* Adds a column to the basis; one that follows from it is left out. */
static void add_column(struct remainder *r, double *column)
{
    double before = 0, after = 0;
    for (size_t i = 0; i < r->n; i++)
        before = hypot(before, column[i]);
    for (int twice = 0; twice < 2; twice++)
        project(r, column);
    for (size_t i = 0; i < r->n; i++)
        after = hypot(after, column[i]);
    if (!(after > CLASSES_DEPENDENT * before))
        return;
    for (size_t i = 0; i < r->n; i++)
        r->basis[r->columns * r->n + i] = column[i] / after;
    r->columns++;
}

/* One step of the fit of the logarithms by the formula alone, or (`last`) what remains after it. */
static void fit_logs(struct fitting *f, struct remainder *r, bool last)
{
    const struct classes_problem *p = f->p;
    struct lsq *l = lsq_create(f->arena, p->columns);
    struct lsq_solution solution;
    for (size_t i = 0; i < p->points; i++) {
        double weight = p->y[i] / p->sigma[i], known = p->known ? p->known[i] : 0;
        for (size_t j = 0; j < p->columns; j++)
            f->row[j] = p->design[i * p->columns + j] / f->time[i] * weight;
        r->rest[i] = log(p->y[i] / f->time[i]) * weight;
        lsq_add(l, f->row, r->rest[i] + (1 - known / f->time[i]) * weight);
    }
    if (last)
        return;
    lsq_finish(l);
    lsq_solve(f->arena, l, NULL, &solution);
    for (size_t i = 0; i < p->points; i++) {
        double time = p->known ? p->known[i] : 0;
        for (size_t j = 0; j < p->columns; j++)
            time += solution.x[j] * p->design[i * p->columns + j];
        f->time[i] = fmax(time, p->y[i] * CLASSES_LEAST_LOG_TIME);
    }
}

static void make_remainder(struct fitting *f, struct remainder *r)
{
    const struct classes_problem *p = f->p;
    double *column = arena_alloc(f->arena, p->points, sizeof *column);
    r->n = p->points;
    r->rest = arena_alloc(f->arena, p->points, sizeof *r->rest);
    r->basis = arena_alloc(f->arena, p->points * (p->columns + MOST_SMOOTH), sizeof *r->basis);
    for (int round = 0; round <= CLASSES_LOG_ROUNDS; round++)
        fit_logs(f, r, round == CLASSES_LOG_ROUNDS);
    for (size_t j = 0; j < p->columns + f->smooth; j++) {
        for (size_t i = 0; i < p->points; i++)
            column[i] = (j < p->columns ? p->design[i * p->columns + j] / f->time[i]
                                        : f->shape[j - p->columns][p->group[i]]) *
                        p->y[i] / p->sigma[i];
        add_column(r, column);
    }
    project(r, r->rest);
}

/* By how much a class reduces the squares that remain. */
static double reduction(const struct fitting *f, const struct remainder *r, const bool *in,
                        double *column)
{
    const struct classes_problem *p = f->p;
    double dot = 0, squares = 0;
    for (size_t i = 0; i < p->points; i++)
        column[i] = in[p->group[i]] ? p->y[i] / p->sigma[i] : 0;
    project(r, column);
    for (size_t i = 0; i < p->points; i++) {
        dot += column[i] * r->rest[i];
        squares += column[i] * column[i];
    }
    return squares > 0 ? dot * dot / squares : 0;
}

static void shuffle(struct random *random, bool *list, size_t n)
{
    for (; n > 1; n--) {
        size_t other = random_below(random, n);
        bool last = list[n - 1];
        list[n - 1] = list[other];
        list[other] = last;
    }
}

double classes_among_random(const struct classes_problem *p, size_t draws)
{
    struct fitting f = {.p = p, .arena = arena_create()};
    struct random random = {CLASSES_SEED};
    struct remainder r = {0};
    double spare = fmax(freedom(p, 0) - CLASSES_LEAST_DOF, 0);
    bool *in = arena_alloc(f.arena, p->groups, sizeof *in);
    double *column = arena_alloc(f.arena, p->points, sizeof *column);
    size_t better = 0, drawn = 0;
    f.smooth = spare > MOST_SMOOTH ? MOST_SMOOTH : (size_t)spare;
    f.row = arena_alloc(f.arena, p->columns + 1, sizeof *f.row);
    f.time = arena_alloc(f.arena, p->points, sizeof *f.time);
    memcpy(f.time, p->y, p->points * sizeof *f.time);
    memcpy(in, p->in, p->groups * sizeof *in);
    make_shapes(&f);
    make_remainder(&f, &r);
    double own = reduction(&f, &r, p->in, column);
    for (; drawn < draws && better < CLASSES_CLEARLY_MANY; drawn++) {
        shuffle(&random, in, p->groups);
        better += reduction(&f, &r, in, column) >= own;
    }
    arena_destroy(f.arena);
    return (double)(better + 1) / (double)(drawn + 1);
}
