/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as a dump of callgrind: read or refused with a reason; executions are as the header says. */
#include "count/counts.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

static void check(const struct counts *c)
{
    for (size_t i = 0; i < c->nexecutions; i++) {
        const struct execution *e = &c->executions[i];
        if (!e->ended || !e->experiment)
            __builtin_trap();
        for (size_t k = 0; k < e->n; k++)
            if (e->counts[k].instruction >= c->ninstructions ||
                (k && e->counts[k].instruction <= e->counts[k - 1].instruction))
                __builtin_trap();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    struct arena *a = arena_create();
    struct diag *diag = diag_create();
    struct counts *c = counts_create(a, "/bin/x", n & 1);
    struct source source = {"fuzz", arena_strndup(a, (const char *)bytes, n), n};
    if (counts_parse(c, &source, diag) && diag_count(diag, SEVERITY_ERROR) == 0)
        __builtin_trap(); /* refused without a reason */
    counts_finish(c);
    check(c);
    diag_destroy(diag);
    arena_destroy(a);
    return 0;
}
