/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ranges, meaning the same everywhere (pragmas, llac, options):
 *
 *     1:32:2            multiplies: 1 2 4 8 16 32
 *     1:8:+1            adds: 1 2 3 4 5 6 7 8
 *     8:64              without a step doubles: 8 16 32 64
 *     1,2,12            lists
 *     1,2,10:40:+10     parts combine: 1 2 10 20 30 40
 *
 * One number is a range of one. Numbers may be arithmetic: 2^20, 1M (arithmetic.h).
 */
#ifndef BASE_RANGE_H
#define BASE_RANGE_H

#include <stddef.h>

#include "base/diag.h"
#include "base/memory.h"

enum { RANGE_MAX_VALUES = 100000 };

struct range {
    double *values; /* in the order written; in the arena */
    size_t n;
};

/* Parses source.text[where] whole. Errors go to `diag` with their place. Returns 0, or -1. */
int range_parse(struct arena *a, const struct source *source, struct span where, struct diag *diag,
                struct range *out);

#endif
