/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The engine. Each round visits every point once; the points of a family follow each other in an
 * order that is different in each round. After a third of the time, steady points are left out; the
 * others are measured until they are steady, too, or the time is used up. Rounds that are short are
 * spread over the time by pauses: a slow phase of the machine lasts seconds.
 *
 * Rank 0 measures the families of one process while the other processes sleep. Then it tells all
 * processes which points of the other families the round has.
 */
#include "probe/probe.h"

#include <math.h>
#include <time.h>

#include "base/memory.h"

enum {
    FEWEST_ROUNDS = 3, /* whatever the time is */
    WANTED_ROUNDS = 7, /* until points may be left out */
};

void probe_add(struct probe *p, struct probe_point point)
{
    point.values = mem_alloc(PROBE_ROUNDS, sizeof(double));
    point.n = 0;
    MEM_ADD(p->points, p->n, &p->capacity, point);
}

struct round {
    bool *wanted;
    size_t *order;
    unsigned number;
};

static void pause_for(double seconds)
{
    if (!(seconds > 0))
        return;
    struct timespec t = {.tv_sec = (time_t)seconds};
    t.tv_nsec = (long)((seconds - (double)t.tv_sec) * 1e9);
    nanosleep(&t, NULL);
}

/* The points of each family in a random order. */
static void shuffle(const struct probe *p, struct round *r)
{
    for (size_t begin = 0, end; begin < p->n; begin = end) {
        for (end = begin; end < p->n && p->points[end].family == p->points[begin].family; end++)
            r->order[end] = end;
        uint64_t state = r->number; /* so that all processes find the same order */
        for (size_t i = end - 1; i > begin; i--) {
            size_t k = begin + probe_random(&state) % (i - begin + 1), kept = r->order[i];
            r->order[i] = r->order[k];
            r->order[k] = kept;
        }
    }
}

static double third(const struct probe *p)
{
    return p->options.seconds / 3;
}

/* How long it will still take, for people: until all rounds have been made that are certain, then
 * until the time is used up. */
static void show_progress(const struct probe *p, const struct probe_point *at)
{
    double used = probe_now() - p->began, left = third(p) - used;
    probe_progress(p, at, left > 0 ? left : p->options.seconds - used, left <= 0);
}

static double settle_of(const struct probe *p, const struct probe_point *point)
{
    for (size_t i = 0; i < p->noutcomes; i++)
        if (p->outcomes[i].family->name == point->family)
            return p->outcomes[i].family->settle;
    return 0;
}

static void visit(struct probe *p, const struct round *r, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i++) {
        struct probe_point *point = &p->points[r->order[i]];
        if (!r->wanted[r->order[i]])
            continue;
        if (p->world->rank == 0)
            show_progress(p, point);
        double value = point->sample(point, r->number);
        if (r->number > 0 && isfinite(value) && value > 0 && point->n < PROBE_ROUNDS)
            point->values[point->n++] = value;
        if (i + 1 == end || p->points[i + 1].family != point->family)
            pause_for(settle_of(p, point));
    }
}

/* Which points the next round has: all, until a third of the time is over and there are enough
 * rounds; then those that are not steady. Returns how many. */
static size_t choose(struct probe *p, struct round *r)
{
    size_t n = 0;
    bool all = r->number <= WANTED_ROUNDS || probe_now() - p->began < third(p);
    for (size_t i = 0; i < p->n; i++) {
        struct probe_point *point = &p->points[i];
        if (!all && r->wanted[i]) {
            probe_evaluate(point);
            r->wanted[i] = !point->steady;
        }
        n += r->wanted[i];
    }
    return n;
}

/* Decides on rank 0 whether there is a further round. `took` is the time of the last one. */
static bool go_on(struct probe *p, struct round *r, double took)
{
    double used = probe_now() - p->began;
    if (r->number > PROBE_ROUNDS)
        return false;
    if (r->number > FEWEST_ROUNDS && used + took > p->options.seconds)
        return false;
    return choose(p, r) > 0;
}

/* All rounds of a third of the time, evenly: at most so many that there is room for later ones. */
static void spread(const struct probe *p, double took)
{
    double used = probe_now() - p->began, span = third(p) / (0.6 * PROBE_ROUNDS);
    if (used < third(p))
        pause_for(span - took < third(p) - used ? span - took : third(p) - used);
}

void probe_rounds(struct probe *p)
{
    struct round r = {.wanted = mem_zalloc(p->n + 1, sizeof *r.wanted),
                      .order = mem_zalloc(p->n + 1, sizeof *r.order)};
    double took = 0;
    for (size_t i = 0; i < p->n; i++)
        r.wanted[i] = true;
    for (bool more = true; more; r.number++) {
        double begin = probe_now();
        shuffle(p, &r);
        visit(p, &r, 0, p->first_parallel);
        p->world->share(r.wanted + p->first_parallel,
                        (p->n - p->first_parallel) * sizeof *r.wanted);
        visit(p, &r, p->first_parallel, p->n);
        took = probe_now() - begin;
        if (p->world->rank == 0) {
            struct round next = r;
            next.number++;
            more = go_on(p, &next, took);
            if (more && r.number > 0)
                spread(p, took);
        }
        p->world->share(&more, sizeof more);
    }
    p->rounds = r.number - (r.number > 0);
    p->seconds = probe_now() - p->began;
    for (size_t i = 0; i < p->n && p->world->rank == 0; i++)
        probe_evaluate(&p->points[i]);
    probe_progress_end();
    mem_free(r.wanted);
    mem_free(r.order);
}
