/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Suggestions for misspelled words. */
#ifndef BASE_MISPRINT_H
#define BASE_MISPRINT_H

#include <stdbool.h>

/* Is `a` a misprint of `b`: one letter inserted, left out, changed, or two neighbours swapped? False
 * if they are equal. */
bool is_misprint(const char *a, const char *b);

#endif
