/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The thresholds of what counts of instructions follow. numeric/thresholds.h explains the words that state what supports a value. */
#ifndef COUNT_THRESHOLDS_H
#define COUNT_THRESHOLDS_H

/* ---- Counts of instructions (src/count) ---- */

/* Two columns of values are the same if they differ by at most this part, and a number of instructions that differs by
 * less from a whole number is that number: the rounding of doubles. The page of call count has it as ROUNDING. Derived. */
#define COUNT_EXACT 1e-9

/* Factors of terms are fractions with at most this denominator: 64 units at once are more than any vector has. Judgement. */
#define COUNT_DENOMINATOR 64

/* The same where there are as many points as factors, which always have a solution. Judgement. */
#define COUNT_SIMPLE 4

/* Counts that are not a sum of the formula's terms belong to them if the best sum differs by at most
 * this part at every execution. Judgement. */
#define COUNT_ABOUT 0.1

/* Counts below this part of the largest one are compared with it: at small sizes single decisions of the
 * program matter. Judgement. */
#define COUNT_SMALL 0.02

/* A term that the formula lacks is proposed if the sum with it differs by at most this part at every
 * execution. Judgement. */
#define COUNT_MISSING 0.05

/* And if the largest difference without it is at least so many times as large. Judgement. */
#define COUNT_MISSING_GAIN 4.0

/* So many terms of the library are tried for a missing one, simple ones first. Judgement. */
#define COUNT_MOST_TERMS 400

/* Instructions with a smaller share of an experiment's instructions are compared with the terms of the
 * formula alone, without a search for steps and missing terms. Judgement: waiting in a library has
 * thousands of different counts. */
#define COUNT_LEAST_SHARE 1e-5

/* Unrolled and vectorised loops are recognised up to this step. Judgement: 32 elements of 2 bytes fill
 * the widest vectors. */
#define COUNT_MOST_STEP 32

/* So many columns are compared with the counts for each step and offset. Judgement: a formula with eight terms of
 * one variable has them all. */
#define COUNT_MOST_COLUMNS 48

#endif
