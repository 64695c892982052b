/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The limits of models of own times, and of the run time of the whole program. */
#ifndef CALL_DISCOVER_THRESHOLDS_H
#define CALL_DISCOVER_THRESHOLDS_H

/* ---- Own times and run times (call/discover) ---- */

/* Two counts grow alike if their ratio changes by less than this factor: they are one term. Judgement. */
#define MODELS_ALIKE 1.25

/* Part of the run time: a function has a model of its own if it may take this much, now or at the place. Judgement. */
#define MODELS_LEAST_SHARE 0.002

/* Part of the run time: the rest of a run is known if it is this much of it. Judgement. */
#define MODELS_LEAST_REST 0.005

/* Percent: a model with this mean error is good, whatever else might be found; one with the second error describes
 * nothing. Judgement. */
#define MODELS_GOOD_ERROR 10
#define MODELS_MOST_ERROR 30

/* What an iteration takes may grow with this power of the sizes, as where data leave a cache, and not faster: n*log(n) is
 * allowed beside n iterations, n^2 is not. Covered: bench/totals. */
#define MODELS_SLOW_POWER 0.25

/* A count matters if it is this part of all that a function executes. Judgement. */
#define MODELS_LEAST_COUNT 0.01

/* Three sizes tell how a count grows if it is within this part of its formula; four do in any case. Judgement. */
#define MODELS_NEAR_FORMULA 0.1

/* Where the counts of a function have no formula and are known at the place, one call or iteration costs at most so many times as
 * much as another one. Judgement. */
#define PRICED_MOST_TIMES 10

/* If nothing describes the rest, the run time is predicted all the same if the rest is at most this part of it.
 * Judgement. */
#define TOTAL_MOST_REST 0.5

/* A function matters for where the rest begins if it is this part of it. Judgement. */
#define TOTAL_LEAST_PART 0.1

/* Standard deviations from a value to the ends of its interval. Derived. */
#define TOTAL_ENDS 1.96

/* Part of the time by which runs of another hour differ, at least. Covered: bench/totals. */
#define TOTAL_BETWEEN_HOURS 0.02

/* The same on a virtual machine, whose caches and memory others use as well. Judgement: lzip took 0.38 to 0.62 s for one file
 * within ten minutes on a machine without other work. */
#define TOTAL_BETWEEN_VIRTUAL 0.1

/* So many rounds of a size tell how far they differ. Judgement. */
#define TOTAL_LEAST_ROUNDS 3

/* Standard deviations in the median distance from the middle of a normal distribution. Derived. */
#define TOTAL_DEVIATIONS 1.4826

/* The weight of a prediction is never less than that of one that may be so many times too large. Judgement. */
#define TOTAL_MOST_TIMES 100

/* Reading from the next level of the memory takes 1.3 to 2.4 times as long on the machines of examples/machines, and a
 * program does not only read: the upper end of the run time is multiplied by this, to the power of the part of the data that leaves it, for each cache.
 * Judgement. */
#define MEMORY_SLOWER 1.5

/* Data leave a cache if this part of them, more than at the largest sizes, is outside. Judgement. */
#define MEMORY_LEAST_OUTSIDE 0.25

/* Memory that grows by less than this part is that of the program itself. Judgement. */
#define MEMORY_LEAST_GROWTH 0.1

/* A product of the sizes that misses the memory by more than this part says nothing. Judgement. */
#define MEMORY_MOST_ERROR 0.2

/* A product must have this part of the error of a simpler one. Judgement. */
#define MEMORY_SIMPLE 0.9

/* Memory grows at most so many times as fast as the predicted time, which touches it. Judgement. */
#define MEMORY_SLACK 1.1

/* A size that --vary does not have: the program does something else there if it executes so many times more or less than at the
 * sizes above and below. Judgement. */
#define EXTRA_OTHER_WORK 2.0

/* It may hang: it has so many times the time of the longest run, and so many seconds at least. Judgement. */
#define EXTRA_MOST_TIMES  20.0
#define EXTRA_LEAST_LIMIT 10.0

/* Formulas must hold at so many times the largest sizes, or at so many at least. These are counted if that takes at most this
 * part of the time of all runs, and at most this part of the memory if it is a square of the size. Judgement. */
#define BEYOND_TIMES       4
#define BEYOND_LEAST_TIMES 2
#define BEYOND_MOST_TIME   0.5
#define BEYOND_MOST_MEMORY 0.5

/* A count that depends on data and is at least this part of all counts at the size beyond the others gets a formula that is near that count
 * as well. Judgement. */
#define EXTRA_LEAST_PART 1e-4

/* What the program executes at a place may differ by this part from what refuted formulas say: more is not predicted. Judgement. */
#define EXTRA_MOST_CHANGE 0.25

/* --check: a count has outgrown another one if their ratio grows by more than this factor from the smallest sizes on: n^2 beside n
 * does, n*log(n) does not. Covered: discover.discover. */
#define CHECK_FASTER 2

/* The same of counts that depend on data: so many more or less is chance. Judgement. */
#define CHECK_SMALL_COUNT 100

/* Counting and measuring take so many times as long as the longest run, or so many seconds. Judgement. */
#define ROUNDS_MOST_TIMES    18.0
#define ROUNDS_SHORT_SECONDS 2

/* Seconds over which the rounds of a short program are spread: the speed of a shared machine drifts within about 5 s. Judgement. */
#define ROUNDS_SPREAD_SECONDS 6.0

#endif
