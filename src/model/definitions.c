/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Replacing the user's definitions. Expressions share parts, so a short chain of definitions can
 * expand to an enormous formula: its size is counted as if nothing were shared, and is limited. */
#include "model/points.h"

#include <string.h>

enum { MOST_NODES = 20000 };

/* Nodes of f, at most `limit`. */
static size_t count_nodes(const struct formula *f, size_t limit)
{
    size_t n = 1;
    for (size_t i = 0; i < f->noperands && n < limit; i++)
        n += count_nodes(f->operands[i], limit - n);
    return n;
}

static bool uses_definitions(struct arena *a, const struct formula *f, const struct definitions *d)
{
    struct formula_variables used = formula_variables(a, f);
    for (size_t i = 0; i < used.n; i++)
        if (text_is_in(d->names, d->n, used.list[i].name))
            return true;
    return false;
}

const struct formula *definitions_expand(struct arena *a, const struct formula *f,
                                         const struct definitions *d, struct diag *diag)
{
    size_t limit = MOST_NODES;
    /* Each round resolves one level at least, and there are no cycles. */
    for (size_t round = 0; round <= d->n && count_nodes(f, limit) < limit; round++) {
        if (!uses_definitions(a, f, d))
            return d->machine ? formula_bind(a, f, d->machine) : f;
        f = formula_substitute(a, f, d->names, d->by, d->n);
    }
    return diag_null(diag_error(
        diag,
        "the formula is too large with its definitions ('let') replaced, or the definitions are "
        "circular"));
}
