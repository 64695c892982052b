/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables of operations. */
#ifndef PROBE_OPERATIONS_H
#define PROBE_OPERATIONS_H

#include "probe/probe.h"

struct probe_operation {
    const char *name;
    probe_loop *loop;
    unsigned count;          /* operations in a step of the loop */
    bool (*available)(void); /* whether the processor has it; NULL: each one has */
};

/* Each ended by a NULL name. */
extern const struct probe_operation probe_vector[], probe_libm[], probe_events[], probe_loops[];

/* Whether the loops were compiled with optimisation. Otherwise their figures mean nothing. */
extern const bool probe_optimised;

#endif
