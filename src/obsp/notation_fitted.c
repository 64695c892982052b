/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Values of a notation that depend on experiments. A model is asked once for each place: processors do
 * the same at the same sizes, and what they share, they share with its uncertainty.
 *
 * A table with open addressing; the values are in the arena of the program, in the order in which they
 * were found, so that each comes after those that it depends on.
 */
#include <stdint.h>
#include <string.h>

#include "obsp/notation.h"

struct slot {
    const struct notation_expression *expression; /* NULL = free */
    struct obsp_fitted *fitted;
    const double *values; /* of all names of the expression, those without a value included */
    struct obsp_fitted *const *by;
};

struct notation_fitted {
    struct arena *arena;
    const struct obsp_models *models;
    const struct source *source;
    struct diag *diag;
    struct slot *slots;
    size_t nslots, n; /* a power of two */
};

struct notation_fitted *notation_fitted_create(struct arena *a, const struct obsp_models *models,
                                               const struct source *source, struct diag *diag)
{
    struct notation_fitted *f = arena_zalloc(a, 1, sizeof *f);
    *f = (struct notation_fitted){.arena = a, .models = models, .source = source, .diag = diag};
    f->nslots = 64;
    f->slots = arena_zalloc(a, f->nslots, sizeof *f->slots);
    return f;
}

static uint64_t mix(uint64_t state, uint64_t word)
{
    state = (state ^ word) * 0xbf58476d1ce4e5b9u;
    return state ^ state >> 29;
}

static uint64_t hash(const struct notation_expression *e, const double *values,
                     struct obsp_fitted *const *by)
{
    uint64_t state = mix(0x9e3779b97f4a7c15u, (uintptr_t)e);
    for (size_t k = 0; k < e->n; k++) {
        uint64_t word;
        memcpy(&word, &values[k], sizeof word);
        state = mix(mix(state, word), (uintptr_t)by[k]);
    }
    return state;
}

static struct slot *look_up(const struct notation_fitted *f, const struct notation_expression *e,
                            const double *values, struct obsp_fitted *const *by)
{
    size_t at = hash(e, values, by) & (f->nslots - 1);
    for (;; at = (at + 1) & (f->nslots - 1)) {
        struct slot *s = &f->slots[at];
        if (!s->expression ||
            (s->expression == e && memcmp(s->values, values, e->n * sizeof *values) == 0 &&
             memcmp(s->by, by, e->n * sizeof(*by)) == 0))
            return s;
    }
}

static void grow(struct notation_fitted *f)
{
    struct slot *old = f->slots;
    size_t n = f->nslots;
    f->nslots *= 2;
    f->slots = arena_zalloc(f->arena, f->nslots, sizeof *f->slots);
    for (size_t k = 0; k < n; k++)
        if (old[k].expression)
            *look_up(f, old[k].expression, old[k].values, old[k].by) = old[k];
}

/* What a formula is given: not the names that models may need and that have no value here. */
static struct obsp_fitted *make(struct notation_fitted *f, const struct notation_expression *e,
                                const double *values, struct obsp_fitted *const *by)
{
    struct obsp_fitted *new = arena_zalloc(f->arena, 1, sizeof *new), **depends;
    const char **names = arena_alloc(f->arena, e->n + 1, sizeof *names);
    double *given = arena_alloc(f->arena, e->n + 1, sizeof *given);
    depends = arena_alloc(f->arena, e->n + 1, sizeof *depends);
    for (size_t k = 0; k < e->n; k++) {
        if (values[k] != values[k])
            continue;
        names[new->n] = e->names[k];
        given[new->n] = values[k];
        depends[new->n++] = by[k];
    }
    new->formula = e->formula;
    new->source = f->source;
    new->names = names;
    new->values = given;
    new->by = depends;
    return new;
}

struct obsp_fitted *notation_fitted_find(struct notation_fitted *f,
                                         const struct notation_expression *e, const double *values,
                                         struct obsp_fitted *const *by, size_t most, bool *full)
{
    struct slot *s = look_up(f, e, values, by);
    if (s->expression)
        return s->fitted;
    if ((*full = f->n == most))
        return NULL;
    struct obsp_fitted *new = make(f, e, values, by);
    if (f->models->value(f->models->user, new, f->diag))
        return NULL;
    double *key = arena_alloc(f->arena, e->n + 1, sizeof *key);
    struct obsp_fitted **key_by = arena_alloc(f->arena, e->n + 1, sizeof(*key_by));
    if (e->n) {
        memcpy(key, values, e->n * sizeof *key);
        memcpy(key_by, by, e->n * sizeof(*key_by));
    }
    *s = (struct slot){e, new, key, key_by};
    if (2 * ++f->n > f->nslots)
        grow(f);
    return new;
}
