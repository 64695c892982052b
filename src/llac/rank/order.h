/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which of two uncertain times is larger, and where on a way that changes. `rank` asks it of regions, `crossover` of two
 * models.
 */
#ifndef LLAC_RANK_ORDER_H
#define LLAC_RANK_ORDER_H

#include "base/memory.h"

/* With an interval of 95 %; nan = not known. */
struct rank_value {
    double value, low, high;
};

enum order { ORDER_FIRST, ORDER_SECOND, ORDER_DOUBTFUL, ORDER_UNKNOWN };
/* Which one is larger: certain if the intervals are apart, or the logarithm of the ratio is further from 0 than both half
 * widths together, added as squares. */
enum order order_of(struct rank_value a, struct rank_value b);

/* Two times at a part of a way, from 0 to 1. 0, or -1. */
typedef int order_pair(struct arena *work, const void *context, double part, struct rank_value *a,
                       struct rank_value *b);
/* Where the larger value becomes the smaller one, by halving; the two places have different orders of the values. */
double order_change(order_pair *at, const void *context, double before, double after);
/* The end of the part in which the order is certain: it is so at `certain`, and not at `doubtful`. */
double order_edge(order_pair *at, const void *context, double certain, double doubtful);

#endif
