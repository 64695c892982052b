/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which names a definition uses, through other definitions as well, and whether one uses itself. */
#include <string.h>

#include "model/compose.h"
#include "base/text.h"

/* A definition that is being looked through, and the one that uses it. */
struct use {
    const struct compose_definition *definition;
    const struct use *by;
};

/* The variables that sums around the expression bind. */
struct bound {
    const char *name;
    const struct bound *up;
};

struct names {
    struct arena *arena;
    const struct composition *c;
    struct diag *diag;
    struct compose_name *list;
    size_t n, capacity;
    const struct compose_definition **seen; /* looked through */
    size_t nseen, room;
};

const struct compose_definition *compose_find(const struct composition *c, const char *name)
{
    return TEXT_ELEMENT(c->definitions, c->ndefinitions, name, name);
}

static int walk_definition(struct names *n, const struct compose_definition *d,
                           const struct use *by);

static void add_name(struct names *n, const struct formula *f, const struct source *source,
                     bool is_block)
{
    struct compose_name *known = TEXT_ELEMENT(n->list, n->n, name, f->name);
    if (known)
        known->is_block = known->is_block || is_block;
    else
        ARENA_ADD(n->arena, n->list, n->n, &n->capacity,
                  (struct compose_name){f->name, f->span, source, is_block});
}

static bool is_bound(const struct use *u, const struct bound *b, const char *name)
{
    for (; b; b = b->up)
        if (strcmp(b->name, name) == 0)
            return true;
    return text_is_in(u->definition->parameters, u->definition->nparameters, name);
}

static const struct formula *let_of(const struct composition *c, const char *name)
{
    size_t i = text_find(c->let.names, c->let.n, name);
    return i < c->let.n ? c->let.by[i] : NULL;
}

static int walk(struct names *n, const struct formula *f, const struct use *u,
                const struct bound *b)
{
    const struct source *source = u->definition->source;
    bool constant = f->kind == FORMULA_CONSTANT ||
                    (f->kind == FORMULA_REFERENCE && f->index != FORMULA_NO_INDEX);
    if (constant) {
        add_name(n, f, source, true);
    } else if (f->kind == FORMULA_REFERENCE ||
               (f->kind == FORMULA_VARIABLE && !is_bound(u, b, f->name))) {
        const struct compose_definition *d = compose_find(n->c, f->name);
        const struct formula *let = f->kind == FORMULA_VARIABLE ? let_of(n->c, f->name) : NULL;
        if (let ? walk(n, let, u, b) : d ? walk_definition(n, d, u) : 0)
            return -1;
        if (!let && !d)
            add_name(n, f, source, f->kind == FORMULA_REFERENCE);
    }
    if (f->kind == FORMULA_SUM) {
        struct bound over = {f->name, b};
        return walk(n, f->operands[0], u, b) || walk(n, f->operands[1], u, b) ||
                       walk(n, f->operands[2], u, &over)
                   ? -1
                   : 0;
    }
    for (size_t i = 0; i < f->noperands; i++)
        if (walk(n, f->operands[i], u, b))
            return -1;
    return 0;
}

/* "whole uses half, half uses whole" */
static int circular(const struct names *n, const struct compose_definition *d, const struct use *by)
{
    const struct use *first = by;
    const char *used = d->name;
    char *chain = arena_strdup(n->arena, "");
    for (; first; first = first->by) {
        chain = arena_printf(n->arena, "%s uses %s%s%s", first->definition->name, used,
                             *chain ? ", " : "", chain);
        used = first->definition->name;
        if (first->definition == d)
            break;
    }
    return diag_add(n->diag, SEVERITY_ERROR, d->source, d->formula->span,
                    "the definition of '%s' is circular: %s", d->name, chain);
}

static int walk_definition(struct names *n, const struct compose_definition *d,
                           const struct use *by)
{
    for (const struct use *u = by; u; u = u->by)
        if (u->definition == d)
            return circular(n, d, by);
    for (size_t i = 0; i < n->nseen; i++)
        if (n->seen[i] == d)
            return 0;
    struct use own = {d, by};
    int status = walk(n, d->formula, &own, NULL);
    ARENA_ADD(n->arena, n->seen, n->nseen, &n->room, d);
    return status;
}

int compose_names(struct arena *a, const struct composition *c, const struct compose_definition *d,
                  struct diag *diag, struct compose_name **names, size_t *n)
{
    struct names all = {.arena = a, .c = c, .diag = diag};
    int status = walk_definition(&all, d, NULL);
    *names = all.list;
    *n = all.n;
    return status;
}
