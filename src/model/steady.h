/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How well rounds determine the value of a point.
 *
 *     struct steady_draws draws = steady_begin(rounds, seconds);
 *     struct steady_value v = steady_value(&draws, 0.1, samples, n); // known to v.part of v.value
 */
#ifndef MODEL_STEADY_H
#define MODEL_STEADY_H

#include <stdbool.h>
#include <stddef.h>

#include "model/thresholds.h"

/* How often each block of rounds is in each draw. */
struct steady_draws {
    unsigned rounds, blocks;
    unsigned char times[STEADY_DRAWS][STEADY_MOST_BLOCKS];
};

/* The draws from `rounds` rounds, at least 1, that took so many seconds. */
struct steady_draws steady_begin(unsigned rounds, double seconds);

struct steady_sample {
    double value;
    unsigned round; /* from 0 */
};

struct steady_value {
    double value; /* the quantile of the samples */
    double part; /* the part of the value to which it is known; nan: all samples are of one round */
};

/* `level`: the quantile that the value of the point is. n > 0, and all rounds are those of the draws. */
struct steady_value steady_value(const struct steady_draws *d, double level,
                                 const struct steady_sample *samples, size_t n);

#endif
