/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A count in which one variable is divided by another one. */
#ifndef DISCOVER_QUOTIENT_H
#define DISCOVER_QUOTIENT_H

#include "discover/discover.h"

/* P*floor(n/P), as of processes that have equal parts each; ceil(n/b)^2, blocks of a size that varies. Sets verdict, terms and
 * text. False if no such formula is right, or if it may be chance. Several variables. */
bool quotient_find(struct arena *a, const struct discover_points *p, const uint64_t *counts,
                   struct discover_formula *out);

#endif
