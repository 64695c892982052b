/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Numbers as users write them, meaning the same wherever a value is expected (ranges, llac, options):
 *
 *     1048576   1e6   2^20   1M   1024*1024   (2^20 - 1)/3
 *
 * + - * / ^ and parentheses as in formulas. K (or k), M, G and T right after the digits multiply by 2^10,
 * 2^20, 2^30 and 2^40.
 */
#ifndef BASE_ARITHMETIC_H
#define BASE_ARITHMETIC_H

#include <stddef.h>

/* What the letter multiplies by; 0 for any other. */
double arithmetic_suffix(int letter);

/* Reads the number at text[*at], before `end`, as far as it goes; blanks and continued lines may be inside. Returns 0
 * with *at after it, or -1 with *at at what is wrong and *fault saying it; NULL: a number is expected there. */
int arithmetic_read(const char *text, size_t *at, size_t end, double *x, const char **fault);

/* The whole text is one number. 0, or -1. */
int arithmetic_parse(const char *text, double *x);
/* The same from the start of the text. What follows it; NULL without a number. */
const char *arithmetic_start(const char *text, double *x);

#endif
