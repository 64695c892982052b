/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The numbers of processors of a sweep, as the pragma or the option --procs gives them. */
#ifndef TRANSLATE_PROCS_H
#define TRANSLATE_PROCS_H

#include "base/diag.h"
#include "base/memory.h"
#include "base/range.h"

/* Numbers of processors: a range whose values are positive integers, each once. Errors go to `diag`
 * with their place. 0, or -1. */
int sweep_processors(struct arena *a, const struct source *source, struct span where,
                     struct diag *diag, struct range *out);

/* The value of the option --procs. 0, or -1 after messages. */
int sweep_option(struct arena *a, const char *value, struct range *out);

/* Do two ranges name the same numbers, in the same order? */
bool sweep_equal(const struct range *x, const struct range *y);

/* The largest of them. */
unsigned long sweep_most(const struct range *processors);

#endif
