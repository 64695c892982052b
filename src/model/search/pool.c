/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The pool of the sums that were found. It holds every sum that the best one does not beat by
 * SEARCH_REMAINING, as far as there is room: predictions use all of them. A table finds a sum by its
 * terms; slots hold index + 1.
 */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/sort.h"
#include "model/search/searcher.h"

enum { ROOM = 2 * SEARCH_POOL, SLOTS = 4 * SEARCH_POOL };
_Static_assert((SLOTS & (SLOTS - 1)) == 0, "the table's size must be a power of two");

static size_t hash_of(const struct found *f)
{
    uint64_t h = (uint64_t)f->divided << 1 | (uint64_t)f->without_last << 2 | f->sum.constant;
    for (size_t i = 0; i < f->sum.n; i++) {
        h = (h ^ f->sum.term[i]) * 0x9e3779b97f4a7c15u;
        h ^= h >> 29;
    }
    return (size_t)h & (SLOTS - 1);
}

static bool same(const struct found *f, const struct found *g)
{
    return g->divided == f->divided && g->without_last == f->without_last && g->sum.n == f->sum.n &&
           g->sum.constant == f->sum.constant &&
           memcmp(g->sum.term, f->sum.term, f->sum.n * sizeof *f->sum.term) == 0;
}

/* The slot of the sum, or an empty one for it. */
static size_t slot_of(const struct searcher *s, const struct found *f)
{
    size_t at = hash_of(f);
    while (s->pool_slots[at] && !same(&s->pool[s->pool_slots[at] - 1], f))
        at = (at + 1) & (SLOTS - 1);
    return at;
}

static int by_plausibility(const void *a, const void *b, void *context)
{
    const struct found *x = a, *y = b;
    (void)context;
    if (x->plausible != y->plausible)
        return x->plausible > y->plausible ? -1 : 1;
    if (x->divided != y->divided)
        return (int)x->divided - (int)y->divided;
    if (x->sum.n != y->sum.n)
        return x->sum.n < y->sum.n ? -1 : 1;
    for (size_t i = 0; i < x->sum.n; i++)
        if (x->sum.term[i] != y->sum.term[i])
            return x->sum.term[i] < y->sum.term[i] ? -1 : 1;
    return (int)x->sum.constant - (int)y->sum.constant;
}

void searcher_clear_pool(struct searcher *s)
{
    if (!s->pool) {
        s->pool = arena_alloc(s->arena, ROOM, sizeof *s->pool);
        s->pool_slots = arena_alloc(s->arena, SLOTS, sizeof *s->pool_slots);
    }
    memset(s->pool_slots, 0, SLOTS * sizeof *s->pool_slots);
    s->npool = 0;
    s->pool_enough = -INFINITY;
}

void searcher_sort_pool(struct searcher *s)
{
    sort_with(s->pool, s->npool, sizeof *s->pool, by_plausibility, NULL);
    if (s->npool > SEARCH_POOL)
        s->npool = SEARCH_POOL;
    while (s->npool && s->pool[s->npool - 1].plausible < s->pool_enough)
        s->npool--;
    memset(s->pool_slots, 0, SLOTS * sizeof *s->pool_slots);
    for (size_t i = 0; i < s->npool; i++)
        s->pool_slots[slot_of(s, &s->pool[i])] = i + 1;
}

void searcher_add(struct searcher *s, const struct found *f)
{
    if (!(f->plausible > -INFINITY) || f->plausible < s->pool_enough)
        return;
    size_t at = slot_of(s, f);
    if (s->pool_slots[at])
        return;
    s->pool[s->npool++] = *f;
    s->pool_slots[at] = s->npool;
    s->pool_enough = fmax(s->pool_enough, f->plausible - SEARCH_REMAINING);
    if (s->npool == ROOM)
        searcher_sort_pool(s);
}
