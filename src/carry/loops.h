/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The loops that cllprobe measures (src/probe/loops.c), as examples of what a mix of operations takes: the figures of single
 * operations do not tell how much different ones overlap.
 */
#ifndef CARRY_LOOPS_H
#define CARRY_LOOPS_H

#include "carry/report.h"
#include "machine/machine.h"

/* What loops like a unit of a term say about it. */
struct loops_said {
    double weight;    /* of the near ones; 1 is that of one with the same mix and time */
    double log_ratio; /* the mean of the logarithms of their ratios, with these weights */
    double low, high; /* the smallest and the largest ratio of loops that are near */
    const char *name; /* of the nearest one: "update"; NULL if none is near */
};

/* `seconds` is the time of the unit on `from`, in cache. Loops that one of the machines lacks say nothing; weight 0: none does. */
struct loops_said loops_like(const struct machine *from, const struct machine *to,
                             const struct operation_mix *mix, double seconds);

#endif
