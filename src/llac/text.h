/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text for people: lines of at most 80 columns where the names allow it. */
#ifndef LLAC_TEXT_H
#define LLAC_TEXT_H

#include <stdio.h>

#include "base/number.h"
#include "model/predict.h"

enum { TEXT_WIDTH = 80 };
/* Text in lines of at most 80 columns, the first after `first`, the others after as many blanks.
 */
void text_wrapped(FILE *out, const char *first, const char *text);
/* A line that names the observable; nothing for CLOCK. */
void text_observable(FILE *out, const char *observable);
/* "[0.12, 0.34]" */
enum { RANGE_SIZE = 2 * NUMBER_SIZE + 8 };
char *text_of_range(double low, double high, int digits, char buffer[RANGE_SIZE]);
/* So many digits, without an exponent where the number is not huge: 32900. */
const char *text_rounded(double x, int digits, char number[NUMBER_SIZE]);
/* "N=4096 P=8" */
char *text_place(struct arena *a, struct place p);
/* A part of a place. */
struct place text_place_part(struct place p, size_t first, size_t n);
/* What stands after a value: " s" for a time, "" otherwise. */
const char *text_unit(const char *observable);

#endif
