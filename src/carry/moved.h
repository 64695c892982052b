/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where the intervals of a constant end on another machine. A constant changes where the working set leaves a
 * cache; there it changes where the working set leaves the same cache of that machine.
 *
 *     struct moved_level levels[MOVED_LEVELS];
 *     struct moved_boundary b[] = {{.units = 360.0 * 360}, {.units = 2000.0 * 2000}};
 *     size_t n = moved_levels(arena, from, to, levels);
 *     moved_explain(levels, n, NAN, b, 2); // b[i].factor: the working set there, divided by that here
 */
#ifndef CARRY_MOVED_H
#define CARRY_MOVED_H

#include "machine/machine.h"

enum { MOVED_LEVELS = 8 };

/* The same level of the memory on both machines. */
struct moved_level {
    const char *name; /* "L2" */
    double from, to;  /* bytes that fit */
};

struct moved_boundary {
    double units;  /* of the working set, where the constant changes */
    int level;     /* the one that explains it; -1: none does, and it stays where it is */
    double factor; /* so many times as many units are in the working set on the other machine */
};

/* The levels, from the smallest on; returns how many, at most MOVED_LEVELS. The capacity of a cache is the level of the
 * latency near it, where cllprobe measured one. If the other machine has fewer caches, its last one stands for the
 * rest. */
size_t moved_levels(struct arena *a, const struct machine *from, const struct machine *to,
                    struct moved_level *out);

/* Finds the level of each boundary. `bytes` of one unit are known, or nan: then those are taken that explain most of the
 * boundaries. Returns the bytes, nan if no boundary is explained. */
double moved_explain(const struct moved_level *levels, size_t nlevels, double bytes,
                     struct moved_boundary *boundaries, size_t n);

#endif
