/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How much longer a machine takes at times. A figure is the 10th percentile of its rounds. On a machine that is shared, others
 * take longer: a neighbour on the other hardware thread of a core makes overlapping operations slow; it hardly slows
 * operations that wait for each other. It is not known which times a program will meet.
 */
#ifndef CARRY_SPREAD_H
#define CARRY_SPREAD_H

#include "machine/machine.h"

/* The 90th percentile of the rounds divided by the 10th: the median over the figures of a kind; NAN if none has enough rounds to tell. */
struct spread {
    double throughput,
        latency;   /* of operations that overlap, and of operations that wait for each other */
    double memory; /* of one core */
};

/* Looks at all figures: once for a machine, not for each prediction. */
struct spread spread_find(const struct machine *m);
/* Of operations; `overlap` as in carry.h: 1 asks the throughputs, 0 the latencies, between them both count. 1 if it
 * is not known. */
double spread_of_operations(const struct spread *s, double overlap);
/* Of a constant whose term asks the machine: the larger one of memory and throughputs, 1 if neither is known. */
double spread_of_term(const struct spread *s);

#endif
