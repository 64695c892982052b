/* SPDX-License-Identifier: MIT */
/*
 * Numbers as text, fast and independent of the locale. Each function writes no final nul and
 * returns the end; CLL_NUMBER_SIZE bytes are enough for any of them.
 */
#ifndef SPOOL_NUMBER_H
#define SPOOL_NUMBER_H

#include <stdint.h>

#define CLL_NUMBER_SIZE 40

char *cll_put_unsigned(char *out, uint64_t value);

/* value * 10^-decimals, all digits that are not trailing zeros. */
char *cll_put_decimal(char *out, uint64_t value, unsigned decimals);

/* The shortest text that reads back as the same double; "nan", "inf", "-inf" for these. */
char *cll_put_double(char *out, double value);

#endif
