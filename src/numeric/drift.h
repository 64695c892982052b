/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How a machine's speed drifts: rounds that lie close together share its state, so that twenty of them within a few
 * seconds say little more about the machine than one.
 *
 * Short rounds are joined to blocks of a fraction of a second: whatever changes faster is noise of a block, and is not
 * mistaken for a state that lasts. The disturbance of a block is a part of its own and a part that decays: what two blocks
 * share of it falls as exp(-distance/tau). The data seldom determine how large the second part is and how long it lasts, least of all from a
 * short time, so all combinations of a grid count, each with its likelihood.
 *
 *     struct drift d;
 *     struct drift_sum mean = {0};
 *     if (drift_estimate(&d, time, effect, n)) {
 *         for (size_t i = 0; i < n; i++)
 *             drift_sum_add(&d, &mean, time[i], 1 / (double)n);
 *         printf("%g\n", drift_variance(&d, &mean, 1, 0));
 *     }
 */
#ifndef NUMERIC_DRIFT_H
#define NUMERIC_DRIFT_H

#include <stdbool.h>
#include <stddef.h>

enum { DRIFT_TIMES = 8, DRIFT_PARTS = 12 };

struct drift {
    double weight[DRIFT_TIMES][DRIFT_PARTS]; /* of a combination; all together 1 */
    double scale[DRIFT_TIMES][DRIFT_PARTS];  /* the variance of a block's disturbance */
    double dof;                              /* of each of them; 0 = nothing is known */
    double block;                            /* seconds */
    double rounds;                           /* of a block, on average */
};

/* time[]: seconds, ascending; effect[]: the disturbances of n rounds, relative. False if that is not enough. */
bool drift_estimate(struct drift *d, const double *time, const double *effect, size_t n);

/* A weighted sum of disturbances; starts as zeros. */
struct drift_sum {
    double together
        [DRIFT_TIMES]; /* its variance, of what decays, for each tau, if that of a block is 1 */
    double alone;      /* the same of what each block has for itself */
    double before[DRIFT_TIMES], last;
    double in_block, block_begin;
    bool begun;
};
/* The times ascend. */
void drift_sum_add(const struct drift *d, struct drift_sum *s, double time, double share);
/* exp(-seconds/tau) of one of the times of the grid. */
double drift_decay(int tau, double seconds);

/* `own` multiplies the variance of what each block has for itself; `chance` is the uncertainty of an effect[], which is no
 * disturbance. */
struct drift_means {
    double decays[DRIFT_TIMES]; /* the expected variance of what decays, for each tau */
    double own;
};
struct drift_means drift_expected(const struct drift *d, double own, double chance);
/* The expected variance of the sum. */
double drift_mean_variance(const struct drift_means *m, const struct drift_sum *s);
/* The variance with which Student's t of d->dof degrees of freedom gives the 95 % interval of the sum: more than the
 * expected one, since the variance is hardly known. */
double drift_variance(const struct drift *d, const struct drift_sum *s, double own, double chance);

#endif
