/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A replay compares each synchronisation with the cost of its h in the whole trace, which is a median: a short start-up
 * does not change it. A superstep is slow if enough of its synchronisations are. Start-up is the beginning in which the
 * slow supersteps outnumber the others by most, so a single usual one does not end it, and slow ones that are spread
 * over the run do not make it longer.
 */
#include "obsp/startup.h"

#include "obsp/thresholds.h"
#include "obsp/replay.h"

struct superstep {
    size_t all, slow; /* synchronisations */
};

struct watcher {
    struct arena *arena;
    const struct obsp_costs *costs;
    struct superstep *list;
    size_t n, capacity;
    double *behind; /* the clock of each process */
};

static struct superstep *superstep_at(struct watcher *w, size_t at)
{
    w->list = arena_grow(w->arena, w->list, w->n, &w->capacity, at + 1, sizeof *w->list);
    for (; w->n <= at; w->n++)
        w->list[w->n] = (struct superstep){0};
    return &w->list[at];
}

/* What the costs of the trace say; they do not depend on who the partners are, only on whether there are any. */
static double usual_cost(const struct watcher *w, const struct obsp_span *span)
{
    struct obsp_event event = {
        .kind = span->kind, .nprocs = span->nprocs, .partner_count = span->alone ? 0 : 2};
    return obsp_cost(w->costs, &event, span->h, NULL);
}

static void watch(void *user, const struct obsp_span *span)
{
    struct watcher *w = user;
    double seconds;
    if (!obsp_replay_cost(span, w->behind, &seconds))
        return;
    struct superstep *s = superstep_at(w, span->superstep);
    s->all++;
    s->slow += seconds > STARTUP_SLOW * usual_cost(w, span);
}

static bool is_slow(const struct superstep *s)
{
    return s->slow > 0 && (double)s->slow >= STARTUP_PART * (double)s->all;
}

int obsp_startup_find(struct arena *a, struct obsp_source *source, const struct obsp_costs *costs,
                      enum obsp_h_rule rule, struct diag *diag, size_t *supersteps)
{
    struct watcher w = {.arena = a, .costs = costs};
    struct obsp_request request = {.costs = costs,
                                   .h = rule,
                                   .replay = true,
                                   .visit = watch,
                                   .user = &w,
                                   .skip_barrier_partners = true};
    struct obsp_result result;
    long more = 0, most = 0;
    w.behind = arena_zalloc(a, (size_t)source->processes, sizeof *w.behind);
    request.start = w.behind;
    *supersteps = 0;
    if (obsp_evaluate(a, source, &request, diag, &result))
        return -1;
    for (size_t i = 0; (double)(i + 1) <= STARTUP_LONGEST * (double)w.n; i++) {
        more += is_slow(&w.list[i]) ? 1 : -1;
        if (more > most) {
            most = more;
            *supersteps = i + 1;
        }
    }
    return 0;
}
