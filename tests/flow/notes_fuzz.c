/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as notes, and their end as data: read or refused with a reason; indices are within bounds. */
#include "flow/flow.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

static void check(const struct flow *c)
{
    size_t loops = 0;
    for (size_t i = 0; i < c->nfunctions; i++) {
        const struct flow_function *f = &c->functions[i];
        if (f->first_loop != loops)
            __builtin_trap();
        loops += f->nloops;
        for (size_t k = 0; k < f->nloops; k++)
            for (size_t e = 0; e < f->loops[k].nexits; e++)
                if (f->loops[k].header >= f->nblocks || f->loops[k].exits[e] >= f->narcs)
                    __builtin_trap();
    }
    if (loops != c->nloops)
        __builtin_trap();
}

/* The first byte says how much of the rest is notes: a part of 256. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    const char *why = NULL;
    if (n < 1)
        return 0;
    struct arena *a = arena_create();
    const char *text = (const char *)bytes + 1;
    size_t notes = (n - 1) * (bytes[0] + (size_t)1) / 256;
    struct flow *c = flow_read(a, text, notes, &why);
    if (!c && !why)
        __builtin_trap();
    if (c) {
        check(c);
        struct flow_counts counts = flow_counts_make(a, c);
        why = NULL;
        if (flow_add(c, text + notes, n - 1 - notes, &counts, &why) && !why)
            __builtin_trap();
    }
    arena_destroy(a);
    return 0;
}
