/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How often the functions of a program were called and its loops iterated, from the files that compilers
 * write with --coverage: the notes (.gcno, the flow graph of each function) and the data (.gcda, the
 * counters of a run). gcc 12 and later, and clang, on little-endian machines.
 *
 *     const char *why;
 *     struct flow *c = flow_read(arena, notes, size, &why); // NULL: why not
 *     struct flow_counts counts = flow_counts_make(arena, c);
 *     int error = flow_add(c, data, data_size, &counts, &why); // once for each process
 *
 * A counter exists for each arc that is not on a spanning tree of the graph; the others follow, because
 * what enters a block leaves it. A loop is a natural loop: the blocks from which an arc back to its
 * header is reached without passing the header. Its iterations are the times that its body is begun:
 * the executions of the header less the exits by the condition at the head. Such a condition is on the
 * lines of the header, and does not end in an arc back: an exit at the end of the body, as in do-while,
 * ends an iteration that was begun. A loop without a body iterates once for each evaluation of its
 * condition. Loops that share a header count as one.
 */
#ifndef FLOW_FLOW_H
#define FLOW_FLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"

struct flow_arc {
    uint32_t from, to;
    bool on_tree; /* it has no counter */
    bool fake;    /* taken when a call does not return: exit, longjmp, an exception */
};

struct flow_loop {
    const char *file; /* of its first line */
    uint32_t line, last_line;
    uint32_t header;
    uint32_t *exits; /* indices of arcs: the condition at the head is false */
    size_t nexits;
    uint32_t *enters; /* indices of arcs to the header from outside */
    size_t nenters;
    size_t parent; /* the loop of the function around it; SIZE_MAX: none */
    bool
        one_exit; /* one arc leaves it: its condition alone ends it, unless a call does not return */
};

struct flow_function {
    const char *name, *file; /* the name is mangled; the file as the compiler was given it */
    uint32_t line;
    uint32_t column, end_line, end_column; /* 0: clang does not tell them */
    bool artificial; /* the compiler made it, and it has no place in the source */
    uint32_t ident, line_checksum, graph_checksum;
    uint32_t nblocks; /* block 0 is the entry, block 1 the exit */
    struct flow_arc *arcs;
    size_t narcs;
    struct flow_loop *loops; /* in the order of their lines */
    size_t nloops;
    size_t first_loop; /* of all loops of the file */
};

struct flow {
    const char *folder; /* in which the compiler ran; NULL: not known */
    uint32_t stamp;     /* the data have the same */
    struct flow_function *functions;
    size_t nfunctions, nloops;
};

struct flow_counts {
    uint64_t *calls;      /* of each function */
    uint64_t *iterations; /* of each loop, those of function f from first_loop on */
    uint64_t *entries;    /* of each loop: how often it was begun */
    bool *damaged;        /* of each function: its counters contradict each other */
};

/* Reads notes. In the arena; nothing points into `bytes`. NULL with *why (static) if they are no notes
 * of a known compiler, or are damaged. */
struct flow *flow_read(struct arena *a, const char *bytes, size_t size, const char **why);

/* All zero. In the arena. */
struct flow_counts flow_counts_make(struct arena *a, const struct flow *c);

/* Adds the counts of one data file. 0, or -1 with *why (static); then `counts` may have a part of them. */
int flow_add(const struct flow *c, const char *bytes, size_t size, struct flow_counts *counts,
             const char **why);

/* Sets counts that no run had: of a flow with random numbers, modulo 2^64, in which every call returns. A sum of counts of a
 * function that is right here and for another seed is right in every run, because the graph makes it so. Equal graphs get equal numbers. */
void flow_random(const struct flow *c, uint64_t seed, struct flow_counts *counts);

#endif
