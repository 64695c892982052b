/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers of processors (see procs.h). */
#include "translate/procs.h"

#include <string.h>

enum { MOST_PROCESSORS = 1000000000, MOST_COUNTS = 1000 };

static bool seen(const struct range *r, double p)
{
    for (size_t i = 0; i < r->n; i++)
        if (r->values[i] == p)
            return true;
    return false;
}

int sweep_processors(struct arena *a, const struct source *source, struct span where,
                     struct diag *diag, struct range *out)
{
    struct range all;
    if (range_parse(a, source, where, diag, &all))
        return -1;
    if (all.n > MOST_COUNTS) {
        diag_add(diag, SEVERITY_ERROR, source, where,
                 "procs has %zu numbers of processors; at most %d are possible", all.n,
                 MOST_COUNTS);
        return -1;
    }
    *out = (struct range){.values = arena_alloc(a, all.n, sizeof *all.values)};
    for (size_t i = 0; i < all.n; i++) {
        double p = all.values[i];
        if (!(p >= 1 && p <= MOST_PROCESSORS) || p != (double)(long)p) {
            diag_add(diag, SEVERITY_ERROR, source, where,
                     "procs must be positive integers; %g is not", p);
            return -1;
        }
        if (!seen(out, p))
            out->values[out->n++] = p;
    }
    return 0;
}

int sweep_option(struct arena *a, const char *value, struct range *out)
{
    struct source source = {.name = "--procs", .text = value, .size = strlen(value)};
    DIAG_LOCAL struct diag *diag = diag_create();
    int result = sweep_processors(a, &source, (struct span){0, source.size}, diag, out);
    diag_print(diag, stderr, 0);
    return result;
}

bool sweep_equal(const struct range *x, const struct range *y)
{
    return x->n == y->n && !memcmp(x->values, y->values, x->n * sizeof *x->values);
}

unsigned long sweep_most(const struct range *processors)
{
    double most = 0;
    for (size_t i = 0; i < processors->n; i++)
        most = processors->values[i] > most ? processors->values[i] : most;
    return (unsigned long)most;
}
