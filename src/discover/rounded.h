/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A count that is a polynomial but for what a division leaves. */
#ifndef DISCOVER_ROUNDED_H
#define DISCOVER_ROUNDED_H

#include "discover/discover.h"

/* floor(1/6*n^2 + 1/2*n + 1/3), as of two loops of which one takes every third index. Sets verdict, terms, rounded and text.
 * False if no such formula is right, or if the sizes do not determine it. One variable. */
bool rounded_find(struct arena *a, const struct discover_points *p, const uint64_t *counts,
                  struct discover_formula *out);

#endif
