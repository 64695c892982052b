/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Outliers: one disturbed measurement must neither make a boundary nor hide one. Each point is
 * compared with its nearest neighbours, by how far it is above a rough fit that single wild points
 * cannot pull.
 */
#include <math.h>
#include <string.h>

#include "numeric/lsq.h"
#include "numeric/pieces.h"
#include "numeric/stats.h"

/* How far two points are apart: in ranks of each variable, so that doubling sizes are evenly
 * spaced. */
static double distance(double *const *rank, const struct pieces_problem *p, size_t i, size_t j)
{
    double sum = 0;
    for (size_t v = 0; v < p->variables; v++) {
        if (p->derived >> v & 1)
            continue;
        double d = rank[v][i] - rank[v][j];
        sum += d * d;
    }
    return sum;
}

static void find_neighbours(double *const *rank, const struct pieces_problem *p, size_t i,
                            size_t *near)
{
    double best[OUTLIER_NEIGHBOURS] = {0};
    size_t n = 0;
    for (size_t j = 0; j < p->points; j++) {
        if (j == i)
            continue;
        double d = distance(rank, p, i, j);
        size_t k = n < OUTLIER_NEIGHBOURS ? n++ : OUTLIER_NEIGHBOURS;
        if (k == OUTLIER_NEIGHBOURS && d >= best[OUTLIER_NEIGHBOURS - 1])
            continue;
        for (k = k == OUTLIER_NEIGHBOURS ? OUTLIER_NEIGHBOURS - 1 : k; k > 0 && best[k - 1] > d;
             k--) {
            best[k] = best[k - 1];
            near[k] = near[k - 1];
        }
        best[k] = d;
        near[k] = j;
    }
}

/* The middle of the neighbours' values: a point far too low must not count more than they do. */
static double around(const struct pieces_problem *p, const size_t *near)
{
    double y[OUTLIER_NEIGHBOURS];
    for (size_t k = 0; k < OUTLIER_NEIGHBOURS; k++)
        y[k] = fabs(p->y[near[k]]);
    return stats_quantile(y, OUTLIER_NEIGHBOURS, 0.5);
}

/* Log of measured over fitted, by a fit that single wild points cannot pull: weights fall with the
 * residual. */
static double *rough_residuals(struct arena *a, const struct pieces_problem *p, const size_t *near)
{
    double *r = arena_zalloc(a, p->points, sizeof *r),
           *fitted = arena_zalloc(a, p->points, sizeof *fitted),
           *row = arena_alloc(a, p->constants, sizeof *row);
    for (int round = 0; round < ROUGH_FIT_ROUNDS; round++) {
        struct lsq *l = lsq_create(a, p->constants);
        struct lsq_solution solution;
        for (size_t i = 0; i < p->points; i++) {
            double scale = fmax(fmax(p->sigma[i], fitted[i]),
                                around(p, near + i * OUTLIER_NEIGHBOURS) * ROUGH_FIT_LEAST_SCALE);
            double weight = 1 / (scale * sqrt(1 + fabs(r[i]) * ROUGH_FIT_FALLOFF));
            for (size_t c = 0; c < p->constants; c++)
                row[c] = p->design[i * p->constants + c] * weight;
            lsq_add(l, row, p->y[i] * weight);
        }
        lsq_finish(l);
        lsq_solve(a, l, NULL, &solution);
        for (size_t i = 0; i < p->points; i++) {
            double least = fabs(p->y[i]) * ROUGH_FIT_LEAST_RATIO + 1e-300;
            fitted[i] = 0;
            for (size_t c = 0; c < p->constants; c++)
                fitted[i] += solution.x[c] * p->design[i * p->constants + c];
            r[i] = log(fmax(p->y[i], least)) - log(fmax(fitted[i], least));
        }
    }
    return r;
}

/* r of a point and of its neighbours. */
struct company {
    double closest;   /* least difference to a neighbour */
    double low, high; /* of the neighbours */
};

static struct company company_of(const double *r, size_t i, const size_t *near)
{
    struct company c = {INFINITY, INFINITY, -INFINITY};
    for (size_t k = 0; k < OUTLIER_NEIGHBOURS; k++) {
        c.closest = fmin(c.closest, fabs(r[i] - r[near[k]]));
        c.low = fmin(c.low, r[near[k]]);
        c.high = fmax(c.high, r[near[k]]);
    }
    return c;
}

/*
 * An outlier is farther from each of its neighbours than several times the usual difference between
 * neighbours, and farther than they are from each other. At a true boundary a point agrees with the
 * neighbours on its own side. Disturbances make times longer, so a point that is too low must be
 * too low by a large factor. A point near the clock resolution may have any value.
 */
size_t pieces_outliers(struct arena *a, const struct pieces_problem *p, bool *outlier)
{
    size_t found = 0;
    if (p->points < OUTLIER_LEAST_POINTS || p->points > OUTLIER_MOST_POINTS)
        return 0;
    double **rank = arena_alloc(a, p->variables, sizeof *rank);
    size_t *near = arena_alloc(a, p->points * OUTLIER_NEIGHBOURS, sizeof *near);
    struct company *company = arena_alloc(a, p->points, sizeof *company);
    double *closest = arena_alloc(a, p->points, sizeof *closest);
    for (size_t v = 0; v < p->variables; v++)
        rank[v] = stats_ranks(a, p->at[v], p->points);
    for (size_t i = 0; i < p->points; i++)
        find_neighbours(rank, p, i, near + i * OUTLIER_NEIGHBOURS);
    double *r = rough_residuals(a, p, near);
    for (size_t i = 0; i < p->points; i++) {
        company[i] = company_of(r, i, near + i * OUTLIER_NEIGHBOURS);
        closest[i] = company[i].closest;
    }
    double usual = stats_quantile(closest, p->points, 0.5) * OUTLIER_USUAL_FACTOR + p->known_noise +
                   OUTLIER_ROUNDING;
    for (size_t i = 0; i < p->points; i++) {
        const struct company *c = &company[i];
        bool high = r[i] > c->high, low = r[i] < c->low;
        outlier[i] = c->closest > OUTLIER_TIMES_USUAL * usual && c->closest > c->high - c->low &&
                     ((high && c->closest > OUTLIER_LEAST_ABOVE) ||
                      (low && c->closest > log(OUTLIER_LEAST_BELOW))) &&
                     p->sigma[i] < OUTLIER_MOST_SIGMA * fabs(p->y[i]);
        found += outlier[i];
    }
    return found;
}
