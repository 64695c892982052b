/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "llac/machine/terms.h"

enum { DRAWS = 16 }; /* their spread is known to a fifth */

static double value(const void *curves, const struct formula_function *f, const double *x, size_t n)
{
    return machine_curves_value(curves, f->name, x, n);
}

static const char *lacks(const void *curves, const struct formula_function *f, size_t n,
                         struct arena *a)
{
    return machine_curves_lack(curves, f->name, n, a);
}

static const char *beyond(const void *curves, const struct formula_function *f, const double *x,
                          size_t n, struct arena *a)
{
    return machine_curves_beyond(curves, f->name, x, n, a);
}

static const char *doubt(const void *curves, const struct formula_function *f, struct arena *a)
{
    return machine_curves_doubt(curves, f->name, a);
}

const struct formula_machine *terms_make(struct arena *a, const struct machine *m)
{
    struct formula_machine *all = arena_zalloc(a, 1 + DRAWS, sizeof *all);
    for (unsigned draw = 0; draw <= DRAWS; draw++)
        all[draw] = (struct formula_machine){.name = m->name,
                                             .date = m->date,
                                             .curves = machine_curves_make(a, m, draw),
                                             .value = value,
                                             .lacks = lacks,
                                             .beyond = beyond,
                                             .doubt = doubt};
    all[0].draws = all + 1;
    all[0].ndraws = DRAWS;
    return all;
}

const struct machine_table *terms_table(const struct formula_machine *m,
                                        const struct formula_function *f)
{
    return machine_curves_table(m->curves, f->name);
}
