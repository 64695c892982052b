/* SPDX-License-Identifier: MIT */
/*
 * The rule of names in a data file. The run-time writes names by it, and the loaders check them by
 * it. Names go into formulas, generated code, shell commands and terminals, so a file must not be
 * able to put anything else there.
 *
 *   letter      A-Z a-z _, or a character of another alphabet in UTF-8; no control characters, no
 *               marks that change the direction of writing
 *   variable    names of letters and digits, joined by `.`, `->` and `[index]`
 *   experiment  letters, digits, `.`, `->`, `::`, `[`, `]`; other bytes as `%XX`
 *   observable  as an experiment, and any of `-:=+,@/`
 */
#ifndef SPOOL_NAME_H
#define SPOOL_NAME_H

#include <stddef.h>

enum cll_name { CLL_NAME_VARIABLE, CLL_NAME_EXPERIMENT, CLL_NAME_OBSERVABLE };

/* Do the n bytes at p make a name of that kind? At most CLL_NAME_LONGEST bytes. */
#define CLL_NAME_LONGEST 1000
int cll_name_is(enum cll_name kind, const char *p, size_t n);

/* Bytes of the piece of an experiment's or observable's name at p that is written as it is; 0: its
   first byte must be written as %XX. */
size_t cll_name_piece(enum cll_name kind, const char *p, size_t n);

/* Replaces control characters and bytes that are not UTF-8 by `?`: for text that is not a name. */
void cll_name_clean(char *text);

/* Bytes of the letter or digit at p; 0 if there is none. */
size_t cll_name_letter(const char *p, size_t n);
size_t cll_name_letter_or_digit(const char *p, size_t n);

#endif
