/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as a machine file: read or refused with a reason. What is read is as the header says. */
#include <math.h>
#include <string.h>

#include "machine/machine.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

static void check(const struct machine_figure *f, int measured)
{
    if (!(f->low <= f->value && f->value <= f->high && isfinite(f->high) && f->low >= 0))
        __builtin_trap();
    if (!machine_unit_exists(f->unit) || !*f->family || !*f->name)
        __builtin_trap();
    if (f->cores < 0 || f->processes < 0 || (!f->has_bytes && f->bytes))
        __builtin_trap();
    for (size_t i = 0; i < f->rounds; i++)
        if (!measured || !(f->values[i] > 0) || !isfinite(f->values[i]))
            __builtin_trap();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    struct arena *a = arena_create();
    struct diag *diag = diag_create();
    struct source source = {"fuzz.json", arena_strndup(a, (const char *)bytes, n), n};
    const struct machine *m = machine_parse(&source, a, diag);
    if (!m && diag_count(diag, SEVERITY_ERROR) == 0)
        __builtin_trap(); /* refused without a reason */
    for (size_t i = 0; m && i < m->nsummary; i++)
        check(&m->summary[i], 0);
    for (size_t i = 0; m && i < m->nfigures; i++) {
        const struct machine_figure *f = &m->figures[i];
        size_t points;
        check(f, 1);
        machine_curve(m, f->family, f->name, f->cores, f->processes, a, &points);
        if (f->has_bytes && points == 0)
            __builtin_trap();
    }
    struct machine_level levels[MACHINE_LEVELS];
    for (size_t i = m ? machine_levels(m, a, levels, MACHINE_LEVELS) : 0; i-- > 0;)
        if (!(levels[i].bytes > 0) || !isfinite(levels[i].bytes))
            __builtin_trap();
    FILE *null = fopen("/dev/null", "w");
    diag_print(diag, null, 0);
    fclose(null);
    diag_destroy(diag);
    arena_destroy(a);
    return 0;
}
