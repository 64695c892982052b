/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the decoder (classes.c) and the tables of the architectures (aarch64.c, x86.c) share. */
#ifndef COUNT_DECODE_H
#define COUNT_DECODE_H

#include <capstone.h>

#include "count/classes.h"

/* Fills in all but size and name, from a decoded instruction with details. `i` is zero before. */
void x86_classify(struct instruction *i, const cs_insn *decoded);
void aarch64_classify(struct instruction *i, const cs_insn *decoded);

/* For a word that Capstone does not know: what its place in the encoding tells. The class is
 * CLASS_OTHER where that tells nothing. */
void aarch64_classify_unknown(struct instruction *i, uint32_t word);

/* Is `name` one of the words, or does it start with one of them that ends with '*'? The list ends with
 * NULL. */
bool classes_match_name(const char *name, const char *const *words);

#endif
