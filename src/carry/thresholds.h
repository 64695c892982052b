/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The thresholds of models on other machines. numeric/thresholds.h explains the words that state what supports a value. */
#ifndef CARRY_THRESHOLDS_H
#define CARRY_THRESHOLDS_H

/* ---- Models on other machines (src/carry) ---- */

/* The bounds of a term are this factor wider: counts say which operations, not how an out-of-order processor schedules them, nor
 * what another compiler makes of the source. Judgement, after the errors that docs/results/machines.md has. */
#define CARRY_UNCERTAINTY 1.25

/* A figure with fewer rounds does not show slow times. Judgement. */
#define SPREAD_LEAST_ROUNDS 5

/* A unit of a term and a loop are one apart if one class of instructions has a part that differs by this, or if the times of an
 * instruction differ by this, as a logarithm: a tenth of the instructions, a third of the time. Judgement. */
#define LOOPS_PART 0.1
#define LOOPS_TIME 0.3

/* A loop at most so far away is like the unit. Judgement. */
#define LOOPS_NEAR 2.0

/* A boundary belongs to a level of the memory if the working set there is within this factor of its capacity: other data share
 * a cache, and pages decide what a physical cache keeps. Judgement. */
#define MOVED_NEAR 2.0

/* Bytes of one unit of a working set: from a byte to a cache line; without another reason those of a double. Judgement. */
#define MOVED_LEAST_BYTES 1.0
#define MOVED_MOST_BYTES  64.0
#define MOVED_USUAL_BYTES 8.0

/* A boundary on another machine may be off by this factor of the working set: the interval of a prediction contains the values
 * of the constant on both sides. Judgement. */
#define MOVED_UNCERTAINTY 2.0

/* The bytes of a line of a cache, where the machine file does not state them. Judgement: x86-64 and most Arm processors
 * have this. */
#define CARRY_LINE_BYTES 64

#endif
