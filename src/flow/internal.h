/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of this library share. */
#ifndef FLOW_INTERNAL_H
#define FLOW_INTERNAL_H

#include "flow/flow.h"

struct block_line {
    const char *file;
    uint32_t line;
};

/* The lines of each block: block b has those from first[b] up to first[b + 1]. */
struct block_lines {
    struct block_line *list;
    size_t *first;
    bool *own; /* of each block: it has statements; else it has the last line before it */
};

/* Finds the loops of a function. In the arena. */
void flow_find_loops(struct arena *a, struct flow_function *f, const struct block_lines *lines);

/* The arcs that enter and that leave each block: block b has list[first[b]] up to list[first[b + 1]], indices
 * of arcs. */
struct arcs_of {
    size_t *first, *list;
};
struct arcs_of flow_arcs_of(struct arena *a, const struct flow_function *f, bool entering);

#endif
