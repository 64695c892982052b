/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Scripts of llac made from bytes: each byte decides something (which command, which option, which
 * number), so that every input is a script of well-formed commands and a fuzzer reaches what lies
 * behind the parser. Data sets are good and degenerate ones, written to a folder once.
 */
#ifndef TESTS_LLAC_GRAMMAR_H
#define TESTS_LLAC_GRAMMAR_H

#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

/* The data sets; later ones are more degenerate. */
enum {
    GRAMMAR_GOOD, /* the first ones have no value that is not finite */
    GRAMMAR_REGULAR = 8
};
extern const char *const grammar_data[]; /* names; NULL ends */

/* Writes the data sets into this folder. */
void grammar_write_data(const char *folder);

/* A script; files are named with this folder in front. */
void grammar_script(struct text *out, const uint8_t *bytes, size_t size, const char *folder);

/* Runs the script of these bytes in a new session. Says what is wrong on file descriptor 2 and
 * aborts when the output holds what no output may hold. */
void grammar_run(const uint8_t *bytes, size_t size);

#endif
