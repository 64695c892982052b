/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Natural loops. Dominators by the iteration of Cooper, Harvey and Kennedy: in reverse postorder, the
 * dominator of a block is the nearest common one of the blocks before it. An arc to a block that
 * dominates its source leads back, and its target is the header of a loop.
 */
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "flow/internal.h"

struct graph {
    struct arena *scratch;
    const struct flow_function *f;
    const struct block_lines *lines;
    struct arcs_of in, out;
    uint32_t *order;  /* reachable blocks in reverse postorder */
    uint32_t *number; /* of each block in it; UINT32_MAX: not reachable */
    uint32_t *above;  /* by number: the number of the dominator */
    uint32_t n;
};

struct arcs_of flow_arcs_of(struct arena *a, const struct flow_function *f, bool entering)
{
    struct arcs_of s = {.first = arena_zalloc(a, (size_t)f->nblocks + 2, sizeof *s.first),
                        .list = arena_alloc(a, f->narcs + 1, sizeof *s.list)};
    for (size_t i = 0; i < f->narcs; i++)
        s.first[(entering ? f->arcs[i].to : f->arcs[i].from) + 2]++;
    for (uint32_t b = 0; b < f->nblocks; b++)
        s.first[b + 1] += s.first[b];
    for (size_t i = 0; i < f->narcs; i++) /* first[b + 1] moves to the end of block b */
        s.list[s.first[(entering ? f->arcs[i].to : f->arcs[i].from) + 1]++] = i;
    return s;
}

static uint32_t target(const struct graph *g, size_t k)
{
    return g->f->arcs[g->out.list[k]].to;
}

/* ---- dominators ---- */

static void find_order(struct graph *g)
{
    uint32_t n = g->f->nblocks, depth = 1, left = n;
    uint32_t *stack = arena_alloc(g->scratch, (size_t)n + 1, sizeof *stack);
    size_t *next = arena_alloc(g->scratch, (size_t)n + 1, sizeof *next);
    bool *seen = arena_zalloc(g->scratch, n, sizeof *seen);
    uint32_t *order = arena_alloc(g->scratch, n, sizeof *order);
    memcpy(next, g->out.first, n * sizeof *next);
    stack[0] = 0;
    seen[0] = true;
    while (depth) {
        uint32_t b = stack[depth - 1];
        if (next[b] < g->out.first[b + 1]) {
            size_t k = next[b]++;
            uint32_t to = target(g, k);
            if (g->f->arcs[g->out.list[k]].fake || seen[to])
                continue;
            seen[to] = true;
            stack[depth++] = to;
        } else {
            order[--left] = b;
            depth--;
        }
    }
    g->order = order + left;
    g->n = n - left;
    g->number = arena_alloc(g->scratch, n, sizeof *g->number);
    memset(g->number, 0xff, n * sizeof *g->number);
    for (uint32_t i = 0; i < g->n; i++)
        g->number[g->order[i]] = i;
}

static uint32_t common(const uint32_t *above, uint32_t x, uint32_t y)
{
    while (x != y) {
        while (x > y)
            x = above[x];
        while (y > x)
            y = above[y];
    }
    return x;
}

static void find_dominators(struct graph *g)
{
    bool changed = true;
    g->above = arena_alloc(g->scratch, (size_t)g->n + 1, sizeof *g->above);
    memset(g->above, 0xff, g->n * sizeof *g->above);
    g->above[0] = 0;
    while (changed) {
        changed = false;
        for (uint32_t i = 1; i < g->n; i++) {
            uint32_t b = g->order[i], new = UINT32_MAX;
            for (size_t k = g->in.first[b]; k < g->in.first[b + 1]; k++) {
                const struct flow_arc *arc = &g->f->arcs[g->in.list[k]];
                uint32_t from = g->number[arc->from];
                if (arc->fake || from == UINT32_MAX || g->above[from] == UINT32_MAX)
                    continue;
                new = new == UINT32_MAX ? from : common(g->above, new, from);
            }
            changed |= new != g->above[i];
            g->above[i] = new;
        }
    }
}

static bool leads_back(const struct graph *g, const struct flow_arc *arc)
{
    uint32_t from = g->number[arc->from], to = g->number[arc->to];
    if (arc->fake || from == UINT32_MAX || to == UINT32_MAX)
        return false;
    while (from > to)
        from = g->above[from];
    return from == to;
}

/* ---- one loop ---- */

/* Marks the blocks of the loop with this header. */
static void mark_body(const struct graph *g, uint32_t header, bool *inside)
{
    uint32_t *stack = arena_alloc(g->scratch, (size_t)g->f->nblocks + 1, sizeof *stack);
    uint32_t depth = 1;
    stack[0] = header;
    inside[header] = true;
    while (depth) {
        uint32_t b = stack[--depth];
        for (size_t k = g->in.first[b]; k < g->in.first[b + 1]; k++) {
            const struct flow_arc *arc = &g->f->arcs[g->in.list[k]];
            if (arc->fake || inside[arc->from] || g->number[arc->from] == UINT32_MAX ||
                (b == header && !leads_back(g, arc)))
                continue;
            inside[arc->from] = true;
            stack[depth++] = arc->from;
        }
    }
}

static bool on_line_of(const struct block_lines *l, uint32_t block, const struct block_line *at)
{
    for (size_t i = l->first[block]; i < l->first[block + 1]; i++)
        if (l->list[i].line == at->line && !strcmp(l->list[i].file, at->file))
            return true;
    return false;
}

/* Are all lines of the block among those of the header? */
static bool shares_lines(const struct block_lines *l, uint32_t block, uint32_t header)
{
    for (size_t i = l->first[block]; i < l->first[block + 1]; i++)
        if (!on_line_of(l, header, &l->list[i]))
            return false;
    return true;
}

/* The blocks of the condition at the head: the header, and what follows it on its lines. */
static size_t find_condition(const struct graph *g, uint32_t header, const bool *inside,
                             uint32_t *condition)
{
    bool *seen = arena_zalloc(g->scratch, g->f->nblocks, sizeof *seen);
    size_t n = 1;
    condition[0] = header;
    seen[header] = true;
    for (size_t i = 0; i < n; i++)
        for (size_t k = g->out.first[condition[i]]; k < g->out.first[condition[i] + 1]; k++) {
            uint32_t to = target(g, k);
            if (g->f->arcs[g->out.list[k]].fake || !inside[to] || seen[to] ||
                !shares_lines(g->lines, to, header))
                continue;
            seen[to] = true;
            condition[n++] = to;
        }
    return n;
}

/* Does the block only lead back to the header? It has no statements, or, as clang writes it, the line of a for(;;)
 * above the body. */
static bool is_way_back(const struct graph *g, uint32_t block, uint32_t header)
{
    const struct block_lines *l = g->lines;
    size_t k = g->out.first[block];
    if (g->out.first[block + 1] != k + 1 || target(g, k) != header)
        return false;
    for (size_t i = l->first[block]; l->own[block] && i < l->first[block + 1]; i++)
        for (size_t h = l->first[header]; h < l->first[header + 1]; h++)
            if (l->list[i].line >= l->list[h].line)
                return false;
    return true;
}

static bool ends_body(const struct graph *g, uint32_t block, uint32_t header)
{
    for (size_t k = g->out.first[block]; k < g->out.first[block + 1]; k++)
        if (!g->f->arcs[g->out.list[k]].fake &&
            (target(g, k) == header || is_way_back(g, target(g, k), header)))
            return true;
    return false;
}

static void find_exits(struct arena *a, const struct graph *g, const bool *inside,
                       struct flow_loop *l)
{
    uint32_t *condition = arena_alloc(g->scratch, g->f->nblocks, sizeof *condition);
    size_t n = find_condition(g, l->header, inside, condition), capacity = 0;
    for (size_t i = 0; i < n; i++) {
        if (ends_body(g, condition[i], l->header))
            continue;
        for (size_t k = g->out.first[condition[i]]; k < g->out.first[condition[i] + 1]; k++) {
            if (inside[target(g, k)])
                continue;
            ARENA_ADD(a, l->exits, l->nexits, &capacity, (uint32_t)g->out.list[k]);
        }
    }
}

static void find_enters(struct arena *a, const struct graph *g, struct flow_loop *l)
{
    size_t capacity = 0;
    for (size_t k = g->in.first[l->header]; k < g->in.first[l->header + 1]; k++) {
        size_t arc = g->in.list[k];
        if (g->f->arcs[arc].fake || leads_back(g, &g->f->arcs[arc]))
            continue;
        ARENA_ADD(a, l->enters, l->nenters, &capacity, (uint32_t)arc);
    }
}

static void count_exits(const struct graph *g, const bool *inside, struct flow_loop *l)
{
    size_t n = 0;
    for (size_t i = 0; i < g->f->narcs; i++) {
        const struct flow_arc *arc = &g->f->arcs[i];
        n += !arc->fake && inside[arc->from] && !inside[arc->to];
    }
    l->one_exit = n == 1;
}

/* Of each block: the header of the smallest loop that contains it and begins elsewhere, and its blocks; 0: none. */
struct around {
    uint32_t *header, *size;
};

static void find_around(const struct around *w, const struct flow_function *f, const bool *inside,
                        uint32_t header)
{
    uint32_t size = 0;
    for (uint32_t b = 0; b < f->nblocks; b++)
        size += inside[b];
    for (uint32_t b = 0; b < f->nblocks; b++)
        if (inside[b] && b != header && (!w->size[b] || size < w->size[b])) {
            w->header[b] = header;
            w->size[b] = size;
        }
}

/* After the loops have their order. */
static void find_parents(const struct around *w, struct flow_function *f)
{
    for (size_t i = 0; i < f->nloops; i++) {
        uint32_t header = f->loops[i].header;
        f->loops[i].parent = SIZE_MAX;
        for (size_t k = 0; k < f->nloops && w->size[header]; k++)
            if (f->loops[k].header == w->header[header])
                f->loops[i].parent = k;
    }
}

/* The first and the last line of the loop in the file in which its header begins. */
static void find_place(const struct graph *g, const bool *inside, struct flow_loop *l)
{
    const struct block_lines *s = g->lines;
    const struct block_line *at = &s->list[s->first[l->header]];
    l->file = at->file;
    l->line = l->last_line = at->line;
    for (uint32_t b = 0; b < g->f->nblocks; b++)
        for (size_t i = s->first[b]; inside[b] && i < s->first[b + 1]; i++) {
            if (strcmp(s->list[i].file, l->file) != 0)
                continue;
            l->line = s->list[i].line < l->line ? s->list[i].line : l->line;
            l->last_line = s->list[i].line > l->last_line ? s->list[i].line : l->last_line;
        }
}

static int by_line(const void *x, const void *y)
{
    const struct flow_loop *p = x, *q = y;
    if (p->line != q->line)
        return p->line < q->line ? -1 : 1;
    return p->header < q->header ? -1 : p->header > q->header;
}

void flow_find_loops(struct arena *a, struct flow_function *f, const struct block_lines *lines)
{
    ARENA_LOCAL struct arena *kept = arena_create(), *scratch = arena_create();
    struct graph g = {.scratch = kept, .f = f, .lines = lines};
    size_t capacity = 0;
    g.in = flow_arcs_of(g.scratch, f, true);
    g.out = flow_arcs_of(g.scratch, f, false);
    find_order(&g);
    find_dominators(&g);
    bool *is_header = arena_zalloc(g.scratch, f->nblocks, sizeof *is_header);
    for (size_t i = 0; i < f->narcs; i++)
        if (leads_back(&g, &f->arcs[i]))
            is_header[f->arcs[i].to] = true;
    struct around around = {arena_zalloc(g.scratch, f->nblocks, sizeof(uint32_t)),
                            arena_zalloc(g.scratch, f->nblocks, sizeof(uint32_t))};
    g.scratch = scratch;
    for (uint32_t b = 0; b < f->nblocks; b++) {
        if (!is_header[b])
            continue;
        bool *inside = arena_zalloc(scratch, f->nblocks, sizeof *inside);
        ARENA_ADD(a, f->loops, f->nloops, &capacity, (struct flow_loop){.header = b});
        struct flow_loop *l = &f->loops[f->nloops - 1];
        mark_body(&g, b, inside);
        find_exits(a, &g, inside, l);
        find_enters(a, &g, l);
        count_exits(&g, inside, l);
        find_around(&around, f, inside, b);
        find_place(&g, inside, l);
        arena_reset(scratch);
    }
    sort_list(f->loops, f->nloops, sizeof *f->loops, by_line);
    find_parents(&around, f);
}
