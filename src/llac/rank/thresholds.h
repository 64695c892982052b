/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The thresholds of the command rank. numeric/thresholds.h explains the words that state what supports a value. */
#ifndef RANK_THRESHOLDS_H
#define RANK_THRESHOLDS_H

/* ---- rank (llac/rank) ---- */

/* Relative: a variable of a region that the user does not give is taken from a formula over the
 * given ones, if the formula meets all measured values within this. Judgement. */
#define RANK_MOST_ERROR 0.01

/* Percent: SELF of a region takes the formula of its CLOCK if the mean error of points that are left out
 * is at most this; otherwise a search finds a formula. Judgement. */
#define RANK_MOST_CLOCK_PCT 3.0

/* Relative: executions in a unit follow a formula over the place if no unit differs from it by more.
 * Judgement. */
#define RANK_MOST_VARIATION 0.5

/* Steps in which the way from the data to the place asked for is looked at. It bounds time. Judgement.
 * */
#define RANK_STEPS 64

/* Regions that are ranked at most, those with the longest times in the data: each has a model of a
 * megabyte, with its resamples. It bounds time and memory. Judgement. */
#define RANK_MOST_REGIONS 500

/* Regions at the place asked for, largest first, whose order is followed on the way: pairs of them are
 * looked at. It bounds time. Judgement. */
#define RANK_MOST_FOLLOWED 100

/* Halvings of a step in which one region overtakes another one. Judgement. */
#define RANK_HALVINGS 30

/* ---- crossover (llac/rank) ---- */

/* Steps in which the range is looked at: two crossings inside one step are not seen. Judgement. */
#define CROSSOVER_STEPS 128

/* How far beyond the smallest and the largest measured value crossings are looked for, as a factor, unless the user gives an
 * end. Judgement. */
#define CROSSOVER_BEYOND 16.0

/* Numbers that differ by less than this part are the same. Derived. */
#define RANK_SAME_VALUE 1e-9

#endif
