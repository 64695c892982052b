/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random numbers that are the same in every run: the same data give the same answer. */
#ifndef NUMERIC_RANDOM_H
#define NUMERIC_RANDOM_H

#include <stddef.h>
#include <stdint.h>

/* Any value is a good start. */
struct random {
    uint64_t state;
};

double random_uniform(struct random *r);         /* above 0, below 1 */
size_t random_below(struct random *r, size_t n); /* 0 to n - 1 */
double random_normal(struct random *r);
double random_chi_square(struct random *r, double dof);

#endif
