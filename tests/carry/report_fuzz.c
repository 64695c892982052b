/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as a report of counts: read or refused with a reason. What is read is as the header says. */
#include <math.h>
#include <stdint.h>

#include "carry/report.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

static void check(const struct report_experiment *e)
{
    if (!(e->unexplained >= 0 && e->unexplained <= 1))
        __builtin_trap();
    for (size_t i = 0; i < e->nconstants; i++)
        for (int o = 0; o < OPERATIONS; o++)
            if (isnan(e->constants[i].mix.of[o]))
                __builtin_trap();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    struct arena *a = arena_create();
    struct diag *diag = diag_create();
    struct source source = {"fuzz.json", arena_strndup(a, (const char *)bytes, n), n};
    const struct report *c = report_parse(&source, a, diag);
    if (!c && diag_count(diag, SEVERITY_ERROR) == 0)
        __builtin_trap(); /* refused without a reason */
    for (size_t i = 0; c && i < c->nexperiments; i++)
        check(&c->experiments[i]);
    diag_destroy(diag);
    arena_destroy(a);
    return 0;
}
