/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A replay finds for each process its last synchronisation among the first supersteps. */
#include "obsp/skip.h"

#include <math.h>

struct finder {
    size_t supersteps;
    size_t *seen, *events; /* of each process: lines so far, and up to the last one that counts */
    double *first,
        *until; /* begin of its first line, by its clock; end of the last one that counts, since then */
};

static void see(void *user, const struct obsp_span *span)
{
    struct finder *f = user;
    int p = span->process;
    if (f->seen[p]++ == 0)
        f->first[p] = span->begin;
    if ((span->kind != OBSP_SYNC && span->kind != OBSP_OBLSYNC) || span->superstep >= f->supersteps)
        return;
    f->events[p] = f->seen[p];
    f->until[p] = span->end - f->first[p];
}

int obsp_skip_find(struct arena *a, struct obsp_source *source, size_t supersteps,
                   struct diag *diag, struct obsp_skip *out)
{
    size_t n = (size_t)source->processes;
    struct finder f = {supersteps, arena_zalloc(a, n, sizeof *f.seen),
                       arena_zalloc(a, n, sizeof *f.events), arena_zalloc(a, n, sizeof *f.first),
                       arena_zalloc(a, n, sizeof *f.until)};
    struct obsp_request request = {.costs = obsp_costs_given(a, 0, 0),
                                   .replay = true,
                                   .visit = see,
                                   .user = &f,
                                   .skip_barrier_partners = true};
    struct obsp_result result;
    if (obsp_evaluate(a, source, &request, diag, &result))
        return -1;
    *out = (struct obsp_skip){
        .supersteps = supersteps, .all = result.supersteps, .events = f.events, .until = f.until};
    for (size_t i = 0; i < n; i++)
        out->seconds = fmax(out->seconds, f.until[i]);
    return 0;
}
