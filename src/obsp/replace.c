/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A replay finds the events between two synchronisations of each process. What follows its last one belongs to the
 * superstep after it.
 */
#include "obsp/replace.h"

/* Where a process is. */
struct present {
    size_t events, superstep;
    struct obsp_replacement now; /* since its last synchronisation; no events: `first` is 0 */
};

struct finder {
    struct arena *arena;
    size_t first, last;
    struct present *of;
    struct obsp_replacements *out;
};

static void keep(struct finder *f, int process, size_t superstep)
{
    struct present *p = &f->of[process];
    struct obsp_replacements *all = &f->out[process];
    if (p->now.first && superstep >= f->first && superstep <= f->last) {
        all->list =
            arena_grow(f->arena, all->list, all->n, &all->capacity, all->n + 1, sizeof *all->list);
        all->list[all->n] = p->now;
        all->list[all->n].superstep = superstep;
        all->list[all->n++].seconds = p->now.measured;
    }
    p->now = (struct obsp_replacement){0};
}

static void see(void *user, const struct obsp_span *span)
{
    struct finder *f = user;
    struct present *p = &f->of[span->process];
    p->events++;
    if (!p->now.first)
        p->now.first = p->events;
    p->now.last = p->events;
    p->now.measured += span->work;
    p->now.pid = span->pid;
    p->now.nprocs = span->nprocs;
    if (span->kind != OBSP_SYNC && span->kind != OBSP_OBLSYNC)
        return;
    keep(f, span->process, span->superstep);
    p->superstep = span->superstep + 1;
}

int obsp_replace_find(struct arena *a, struct obsp_source *source, size_t first, size_t last,
                      struct diag *diag, struct obsp_replacements **out, size_t *supersteps)
{
    size_t n = (size_t)source->processes;
    struct finder f = {a, first, last, arena_zalloc(a, n, sizeof *f.of),
                       arena_zalloc(a, n, sizeof *f.out)};
    struct obsp_request request = {.costs = obsp_costs_given(a, 0, 0),
                                   .replay = true,
                                   .visit = see,
                                   .user = &f,
                                   .skip_barrier_partners = true};
    struct obsp_result result;
    if (obsp_evaluate(a, source, &request, diag, &result))
        return -1;
    for (int p = 0; p < source->processes; p++)
        keep(&f, p, f.of[p].superstep);
    *out = f.out;
    *supersteps = result.supersteps;
    return 0;
}
