/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A table of texts, each with a number: what a list of many names is searched with.
 *
 *     struct lookup table = {0};
 *     lookup_add(&table, arena, "f", 3);
 *     size_t i = lookup_find(&table, "f", 1); // 3; SIZE_MAX: it is not in the table
 *
 * The texts are not copied. The table is in an arena, and doubles: it needs no release.
 */
#ifndef BASE_LOOKUP_H
#define BASE_LOOKUP_H

#include <stdbool.h>
#include <stddef.h>

#include "base/memory.h"

struct lookup_slot {
    const char *text; /* NULL: free */
    size_t value;
};

struct lookup {
    struct lookup_slot *slots;
    size_t n, nslots;
};

/* Of the text of n bytes, any of which may be 0. */
size_t lookup_find(const struct lookup *t, const char *text, size_t n);
/* Adds a text that is not in the table; true. False if it is there, and nothing changes. */
bool lookup_add(struct lookup *t, struct arena *a, const char *text, size_t value);

#endif
