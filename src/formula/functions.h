/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside `formula`: what the table of functions knows beyond the public part. */
#ifndef FORMULA_FUNCTIONS_H
#define FORMULA_FUNCTIONS_H

#include "formula/formula.h"

/* How a function is computed and spelled. Spellings: a name to call (cll_... ones are defined by
 * formula_helpers), or a pattern in which $1 and $2 stand for the operands. */
struct formula_function_detail {
    double (*one)(double);
    double (*two)(double, double); /* also folded over more operands (min, max) */
    const char *c, *gnuplot, *latex, *python;
};

const struct formula_function *formula_find_function(const char *name, size_t length);
/* NULL for a function that asks the machine, or that the caller of the parser added. */
const struct formula_function_detail *formula_function_detail(const struct formula_function *f);

/* Nodes as they stand, without simplification: what the parser builds. Operands must be in the
 * arena. */
const struct formula *formula_node(struct arena *a, enum formula_kind kind, struct span span,
                                   const struct formula *const *operands, size_t n);
bool formula_is_condition(const struct formula *f);
bool formula_is_number(const struct formula *f, double value);

#endif
