/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Suggestions for misspelled words. */
#ifndef BASE_MISPRINT_H
#define BASE_MISPRINT_H

#include <stdbool.h>

/* Is `a` a misprint of `b`: one letter inserted, left out, changed, or two neighbours swapped? False
 * if they are equal. */
bool misprint_is_one(const char *a, const char *b);

/* The one of the names (ended by NULL) that `word` probably means: it differs from `word` in upper
 * and lower case only, else `word` is a misprint of it, else it is the only one that begins with
 * `word`. NULL without such a word, and if `word` is one of the names: it is no misprint. A single letter is a misprint of everything, and therefore of
 * nothing; beginnings have at least three letters. */
const char *misprint_meant(const char *word, const char *const *names);

#endif
