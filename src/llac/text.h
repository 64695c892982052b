/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text for people: lines of at most 80 columns where the names allow it. */
#ifndef LLAC_TEXT_H
#define LLAC_TEXT_H

#include <stdio.h>

#include "base/number.h"
#include "model/predict.h"

enum { TEXT_WIDTH = 80 };
/* As fprintf, in lines of at most 80 columns: the first after `first`, the others after as many blanks. */
void text_wrapped(FILE *out, const char *first, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* How what follows looks on a terminal with colours, up to the next call; nowhere else does it change
 * anything. Functions leave the style TEXT_PLAIN. */
enum text_style { TEXT_PLAIN, TEXT_NAME, TEXT_HEADING, TEXT_NOTE, TEXT_WARNING, TEXT_BAD };
void text_style(FILE *out, enum text_style style);
/* From now on `out` has colours: `raw` is the stream behind it that does not escape them. NULL: none has. */
void text_have_colours(FILE *out, FILE *raw);
/* As fprintf, in this style. */
void text_styled(FILE *out, enum text_style style, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
#define text_heading(out, ...) text_styled(out, TEXT_HEADING, __VA_ARGS__)
/* A text in such lines, with a style of `first`. */
void text_wrapped_as(FILE *out, enum text_style style, const char *first, const char *text);
/* A line that names the observable; nothing for CLOCK. */
void text_observable(FILE *out, const char *observable);
/* "statistic: standard deviation"; nothing if a point's value is one that executions have. */
void text_spread(FILE *out, const struct points_request *request);
/* What a point's value is where that is not clear: "observable: page-faults", "statistic: standard deviation". */
void text_values(FILE *out, const struct points_request *request);
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
