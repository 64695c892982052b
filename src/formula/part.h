/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parts of the data in the names of definitions: f@LABEL, f@VAR=NUMBER, f@"...". A label may have '-' and '+',
 * which are operators in an expression: they belong to it only if the label is known, or in quotes.
 */
#ifndef FORMULA_PART_H
#define FORMULA_PART_H

#include <stdbool.h>

#include "base/diag.h"

struct formula_part {
    struct span text; /* without quotes; empty: there is no part */
    size_t end;       /* after the closing quote */
};

/* The part in text[at, end), after the '@'. labels: the known ones, NULL-terminated; NULL = none. */
struct formula_part formula_part_at(const char *text, size_t at, size_t end,
                                    const char *const *labels);
/* Whether a part can be written without quotes, whatever labels are known. */
bool formula_part_is_plain(const char *part, size_t n);

#endif
