/* SPDX-License-Identifier: MIT */
/*
 * The rule of names in a data file, and how other text stands there. The run-time writes by it, and the
 * loaders check by it. Names go into formulas, generated code, shell commands and terminals, so a file must not be
 * able to put anything else there.
 *
 *   letter      A-Z a-z _, or a character of another alphabet in UTF-8; no control characters, no
 *               marks that change the direction of writing
 *   variable    names of letters and digits, joined by `.`, `->` and `[index]`
 *   experiment  letters, digits, `.`, `->`, `::`, `[`, `]`; other bytes as `%XX`
 *   observable  as an experiment, and any of `-:=+,@/`
 *   file        one word: space, `%`, `#` and control characters as `%XX`
 *   text        the rest of a line: control characters but tabs as `%XX`
 */
#ifndef SPOOL_NAME_H
#define SPOOL_NAME_H

#include <stddef.h>

enum cll_name {
    CLL_NAME_VARIABLE,
    CLL_NAME_EXPERIMENT,
    CLL_NAME_OBSERVABLE,
    CLL_NAME_FILE,
    CLL_NAME_TEXT
};

/* Do the n bytes at p make a name of one of the first three kinds? At most CLL_NAME_LONGEST bytes. */
#define CLL_NAME_LONGEST 1000
int cll_name_is(enum cll_name kind, const char *p, size_t n);

/* How the file has the first piece of the n > 0 bytes at p: puts it at out and returns its length. *used: the bytes of the
   piece. A variable with a byte that its rule does not allow is no name afterwards either. */
#define CLL_NAME_PIECE 4
size_t cll_name_write(enum cll_name kind, const char *p, size_t n, char out[CLL_NAME_PIECE],
                      size_t *used);

/* Replaces tabs by spaces, other control characters and bytes that are not UTF-8 by `?`: for text that is not a name. */
void cll_name_clean(char *text);

/* Bytes of the letter or digit at p; 0 if there is none. */
size_t cll_name_letter(const char *p, size_t n);
size_t cll_name_letter_or_digit(const char *p, size_t n);

#endif
