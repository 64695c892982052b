/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The limits of the search for formulas of counts. */
#ifndef DISCOVER_THRESHOLDS_H
#define DISCOVER_THRESHOLDS_H

/* A formula must be right at this many sizes more than it has unknowns. One further size could be right by
 * chance, where counts are small. */
#define DISCOVER_HELD_BACK 2

/* The bits that the sizes say must exceed the bits that write the formula down by this much. A size says
 * log2(1 + range of the counts) bits. Small counts at few sizes fit many formulas: with one bit, less than one of
 * 200 random rows of small numbers gets one (tests/discover/find_test.c). */
#define DISCOVER_MARGIN 1.0

/* The largest denominator of a polynomial's factors: a loop over boxes, floor(0.72*n), at multiples of 100
 * sizes is 18/25*n. */
#define DISCOVER_DENOMINATOR 8192

/* The same with steps, where other fractions are chance. */
#define DISCOVER_STEPS_DENOMINATOR 4

/* The largest block that is tried in floor((n + shift)/block). */
#define DISCOVER_MOST_BLOCK 256

/* Up to this block every shift is tried; for larger ones those of usual loops. */
#define DISCOVER_ANY_SHIFT 16

/* A smooth formula that is further from a count than this part of it is none. */
#define DISCOVER_SCATTER 0.5

#endif
