/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Definitions of a session as compositions: which experiments one needs, their models, and the places
 * at which it can be compared with what was measured.
 */
#include "llac/compose/compose.h"

#include <string.h>

#include "base/text.h"

const struct compose_definition *session_definition(const struct session *s, const char *name)
{
    return TEXT_ELEMENT(s->now.defines, s->now.ndefines, name, name);
}

/* Why a name is not an experiment. Of one with versions, and of a part of one, it states which there are. */
static const char *no_experiment(struct session *s, struct arena *a,
                                 const struct compose_name *name, struct diag *why)
{
    if (s->data->nexperiments && (strchr(name->name, '@') || session_has_versions(s, name->name))) {
        struct cursor at = {.arena = a, .source = name->source, .diag = why};
        session_experiment(s, &at, name->name, name->span);
        return diag_first(why, SEVERITY_ERROR);
    }
    TEXT_LOCAL struct text have = text_new();
    session_list_names(s, NULL, &have);
    return arena_printf(a,
                        s->data->nexperiments
                            ? "there is neither an experiment nor a definition '%s': "
                              "the data has %s"
                            : "there is neither an experiment nor a definition '%s': "
                              "no data is loaded%s",
                        name->name, have.s);
}

/* A block, or an experiment that is missing. */
static void add_block(struct session *s, struct arena *a, const struct compose_name *name,
                      struct diag *diag, struct composition *out)
{
    const struct experiment *e = session_find(s, name->name);
    if (!e && !name->is_block && !session_has_versions(s, name->name))
        return; /* a variable */
    if (TEXT_ELEMENT(out->blocks, out->nblocks, name, name->name) ||
        TEXT_ELEMENT(out->missing, out->nmissing, name, name->name))
        return;
    const char *own = arena_strdup(a, name->name); /* the formula may be gone before */
    DIAG_LOCAL struct diag *why = diag_create();
    struct model *m = e ? session_model(s, e->name, NULL, why) : NULL;
    if (m && diag_count(why, SEVERITY_WARNING))
        diag_warning(diag, "%s", diag_first(why, SEVERITY_WARNING));
    if (m) {
        model_resample(m); /* the intervals hold the uncertainty of the selection */
        ARENA_ADD(a, out->blocks, out->nblocks, &out->room_blocks,
                  (struct compose_block){.name = own, .model = m});
    } else {
        const char *text = e ? diag_first(why, SEVERITY_ERROR) : no_experiment(s, a, name, why);
        ARENA_ADD(a, out->missing, out->nmissing, &out->room_missing,
                  (struct compose_missing){own, arena_strdup(a, text ? text : "interrupted"),
                                           name->source, name->span});
    }
}

void session_compose_start(struct session *s, struct arena *a, struct composition *out)
{
    struct compose_definition *list = arena_alloc(a, s->now.ndefines + 1, sizeof *list);
    memset(out, 0, sizeof *out);
    for (size_t i = 0; i < s->now.ndefines; i++) {
        list[i] = s->now.defines[i];
        list[i].formula = formula_bind(a, list[i].formula, s->now.terms);
    }
    out->definitions = list;
    out->ndefinitions = s->now.ndefines;
    out->let = session_definitions(s, a);
    for (size_t i = 0; i < out->let.n; i++)
        out->let.by[i] = formula_bind(a, out->let.by[i], s->now.terms);
}

/* The definition with the machine in its functions. */
static const struct compose_definition *bind(const struct session *s, struct arena *a,
                                             const struct compose_definition *d,
                                             const struct composition *c)
{
    if (s->now.ndefines && d >= s->now.defines && d < s->now.defines + s->now.ndefines)
        return &c->definitions[d - s->now.defines];
    struct compose_definition *own = arena_alloc(a, 1, sizeof *own);
    *own = *d;
    own->formula = formula_bind(a, d->formula, s->now.terms);
    return own;
}

static bool uses_name(const struct formula *f, const char *name)
{
    if ((f->kind == FORMULA_VARIABLE || f->kind == FORMULA_REFERENCE) && strcmp(f->name, name) == 0)
        return true;
    for (size_t i = 0; i < f->noperands; i++)
        if (uses_name(f->operands[i], name))
            return true;
    return false;
}

/* Functions that ask the machine need one; those of definitions that are not used do not matter. */
static int check_machine(struct arena *a, const struct composition *c,
                         const struct compose_definition *d, struct diag *diag)
{
    if (formula_check_machine(a, d->formula, d->source, diag))
        return -1;
    for (size_t i = 0; i < c->ndefinitions; i++)
        if (&c->definitions[i] != d && uses_name(d->formula, c->definitions[i].name) &&
            check_machine(a, c, &c->definitions[i], diag))
            return -1;
    return 0;
}

/* The variables of the formula and of the blocks. */
static const char *const *wanted_names(struct arena *a, const struct composition *c,
                                       const struct compose_name *names, size_t n, size_t *found)
{
    const char **list = NULL;
    size_t capacity = 0;
    *found = 0;
    for (size_t i = 0; i < n; i++) {
        ARENA_ADD(a, list, *found, &capacity, names[i].name);
        for (size_t b = 0; b < c->nblocks; b++) {
            const struct points *p = model_points(c->blocks[b].model);
            if (strcmp(c->blocks[b].name, names[i].name) != 0)
                continue;
            list = arena_grow(a, list, *found, &capacity, *found + p->nnames, sizeof *list);
            for (size_t v = 0; v < p->nnames; v++)
                list[(*found)++] = p->names[v];
        }
    }
    return list;
}

int session_compose_more(struct session *s, struct arena *a, const struct compose_definition *d,
                         struct diag *diag, struct composition *out, const char *const **names,
                         size_t *nnames)
{
    struct compose_name *found;
    size_t n;
    if (compose_names(a, out, d, diag, &found, &n) || check_machine(a, out, d, diag))
        return -1;
    for (size_t i = 0; i < n && !session_interrupt; i++)
        add_block(s, a, &found[i], diag, out);
    if (out->nblocks && session_need_values(s, diag, d->name))
        return -1;
    if (names)
        *names = wanted_names(a, out, found, n, nnames);
    return session_interrupt ? -1 : 0;
}

int session_compose_at_need(struct session *s, struct arena *a, const struct compose_definition *d,
                            struct diag *diag, struct composition *out,
                            const struct compose_definition **bound)
{
    session_compose_start(s, a, out);
    *bound = bind(s, a, d, out);
    if (session_compose_more(s, a, *bound, diag, out, NULL, NULL))
        return -1;
    compose_begin(out);
    return 0;
}

int session_compose(struct session *s, struct arena *a, const struct compose_definition *d,
                    struct diag *diag, struct composition *out,
                    const struct compose_definition **bound)
{
    if (session_compose_at_need(s, a, d, diag, out, bound))
        return -1;
    if (out->nmissing)
        diag_add(diag, SEVERITY_ERROR, out->missing->source, out->missing->span, "%s",
                 out->missing->why);
    return out->nmissing ? -1 : 0;
}

void compose_place(const struct compose_places *p, size_t i, double *values)
{
    for (size_t v = 0; v < p->nnames; v++)
        values[v] = p->at[v][i];
}

int compose_own_places(const struct composition *c, const struct compose_definition *d,
                       struct diag *diag, struct compose_places *out)
{
    const struct points *most = NULL;
    for (size_t b = 0; b < c->nblocks; b++)
        if (!most || model_points(c->blocks[b].model)->n > most->n)
            most = model_points(c->blocks[b].model);
    if (!most)
        return diag_error(
            diag, "%s uses no experiment: name the experiment to compare it with, 'against NAME'",
            d->name);
    *out = (struct compose_places){
        .names = most->names, .nnames = most->nnames, .n = most->n, .at = most->at};
    return 0;
}

double *compose_measure(struct arena *a, const struct composition *c,
                        const struct compose_definition *d, const struct compose_places *p)
{
    double *measured = arena_alloc(a, p->n + 1, sizeof *measured),
           *values = arena_alloc(a, p->nnames + 1, sizeof *values);
    ARENA_LOCAL struct arena *work = arena_create();
    for (size_t i = 0; i < p->n; i++) {
        compose_place(p, i, values);
        struct place place = {p->names, values, p->nnames};
        measured[i] = compose_measured(work, c, d, &place);
        arena_reset(work);
    }
    return measured;
}
