/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The limits of the search for formulas of counts. */
#ifndef DISCOVER_THRESHOLDS_H
#define DISCOVER_THRESHOLDS_H

/* ---- Formulas of counts (src/discover) ---- */

/* A formula must be right at this many sizes more than it has unknowns: one further size could be right by
 * chance, where counts are small. Judgement. */
#define DISCOVER_HELD_BACK 2

/* The bits that the counts say must exceed the bits that write the formula down by this much. Less than one of
 * 200 rows of small random numbers then gets a formula. Covered: discover.find. */
#define DISCOVER_MARGIN 1.0

/* Of two formulas that are right at all sizes, the one that was tried later wins if it is so many bits shorter: floor(n/2) is tried before
 * 2*floor(n/4), which is the same where no size has a remainder of 2 or 3. Covered: discover.find. */
#define DISCOVER_SHORTER 1.0

/* A large block is not believed if another one is right at all sizes and takes less than so many bits more: ceil(n/32) takes 2.4 bits less than
 * ceil(n/31), because 32 is a power of 2. Covered: discover.find. */
#define DISCOVER_RIVAL 2.0

/* A formula that is negative at a size from this on to the smallest one is not called exact; n - 3 may be. Judgement. */
#define DISCOVER_SMALL_SIZE 16

/* The largest denominator of a polynomial's factors: floor(0.72*n) at multiples of 100 is 18/25*n. Judgement. */
#define DISCOVER_DENOMINATOR 8192

/* The same of a formula with steps, where other fractions are chance: n*(n - 1)*(n - 2)/6 has sixths. Judgement. */
#define DISCOVER_STEPS_DENOMINATOR 6

/* The largest block that is tried in floor((n + shift)/block). Judgement. */
#define DISCOVER_MOST_BLOCK 256

/* Up to this block every shift is tried; for larger ones those of usual loops. Judgement. */
#define DISCOVER_ANY_SHIFT 16

/* The largest denominator of a polynomial whose floor is taken. Judgement. */
#define DISCOVER_ROUNDED_DENOMINATOR 12

/* A smooth formula is rejected if it misses a count by more than this part of the count. Judgement. */
#define DISCOVER_SCATTER 0.5

/* Two products, or a number to the power of the size, must have at most this part of the scatter of one product. Judgement. */
#define DISCOVER_NEARER 0.25

/* If the second of two products is taken away from the first one, this must alone have at most so many times the scatter of the best one.
 * Judgement. */
#define DISCOVER_LEADING 2

/* The bits that counts say must exceed the bits of a sum of other counts by this much: a program has hundreds of counts, and
 * each of them may meet such a sum by chance. Covered: discover.chain. */
#define DISCOVER_CHAIN_MARGIN 16.0

/* The same for a sum with a variable divided by another one. Covered: discover.find. */
#define DISCOVER_QUOTIENT_MARGIN 8.0

/* A loop has the same number of iterations each time if as many bits speak for it: were the numbers different, the sum over e
 * entries with k iterations in the mean would be one of about k*sqrt(e). Covered: discover.chain. */
#define DISCOVER_TRIPS_BITS 8.0

#endif
