/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How the order of the regions changes on the way. All times are computed at RANK_STEPS + 1 places;
 * where the order of two regions changes between two of them, halving finds the place (order.h). Only the RANK_MOST_FOLLOWED regions that
 * are largest at the place are compared with each other.
 */
#include <math.h>

#include "base/sort.h"
#include "llac/rank/rank.h"
#include "llac/rank/thresholds.h"

static bool walk(struct arena *a, const struct ranking *r, struct rank_region *region)
{
    ARENA_LOCAL struct arena *work = arena_create();
    bool whole = true;
    region->on_the_way = arena_alloc(a, RANK_STEPS + 1, sizeof *region->on_the_way);
    for (size_t i = 0; i <= RANK_STEPS; i++) {
        struct rank_value *v = &region->on_the_way[i];
        *v = (struct rank_value){NAN, NAN, NAN};
        whole = rank_time(work, r, region, (double)i / RANK_STEPS, NULL, v) == 0 && whole;
        arena_reset(work);
    }
    return whole;
}

/* Two regions on the way. */
struct two_regions {
    const struct ranking *ranking;
    const struct rank_region *a, *b;
};

static int times_of(struct arena *work, const void *context, double part, struct rank_value *a,
                    struct rank_value *b)
{
    const struct two_regions *t = context;
    return rank_time(work, t->ranking, t->a, part, NULL, a) ||
                   rank_time(work, t->ranking, t->b, part, NULL, b)
               ? -1
               : 0;
}

/* Between two places where the order differs. */
static double halve(const struct ranking *r, const struct rank_region *a,
                    const struct rank_region *b, double before, double after)
{
    struct two_regions t = {r, a, b};
    return order_change(times_of, &t, before, after);
}

/* The part of the way around a step where the order is not certain. */
static void find_doubt(const struct rank_region *a, const struct rank_region *b, size_t step,
                       struct rank_change *out)
{
    size_t from = step, to = step + 1;
    out->from = NAN;
    for (;; from--) {
        enum order now = order_of(a->on_the_way[from], b->on_the_way[from]);
        if (now == ORDER_UNKNOWN)
            return;
        if (now != ORDER_DOUBTFUL || from == 0)
            break;
    }
    for (; to <= RANK_STEPS; to++) {
        enum order now = order_of(a->on_the_way[to], b->on_the_way[to]);
        if (now == ORDER_UNKNOWN)
            return;
        if (now == ORDER_SECOND)
            break;
    }
    out->from = (double)from / RANK_STEPS;
    out->to = to <= RANK_STEPS ? (double)to / RANK_STEPS : NAN;
}

/* Where b overtakes a, which takes more time at the end of the data. */
static void add_change(struct ranking *r, size_t a, size_t b)
{
    const struct rank_region *x = &r->regions[a], *y = &r->regions[b];
    size_t step = RANK_STEPS;
    while (step-- > 0) /* the last time: b stays ahead from there on */
        if (y->on_the_way[step].value <= x->on_the_way[step].value)
            break;
    struct rank_change *c = &r->changes[r->nchanges++];
    *c = (struct rank_change){.overtakes = b, .overtaken = a, .from = NAN, .to = NAN};
    c->at = halve(r, x, y, (double)step / RANK_STEPS, (double)(step + 1) / RANK_STEPS);
    find_doubt(x, y, step, c);
}

static int by_place(const void *x, const void *y, void *context)
{
    const struct rank_change *a = x, *b = y;
    (void)context;
    if (isnan(a->at) != isnan(b->at))
        return isnan(a->at) ? 1 : -1;
    return a->at < b->at ? -1 : a->at > b->at;
}

/* Neighbours at the place whose order there is not certain, and did not change on the way. */
static void add_doubts(struct ranking *r)
{
    for (size_t i = 0; i + 1 < r->nregions; i++) {
        const struct rank_region *a = &r->regions[i], *b = &r->regions[i + 1];
        if (a->here.value >= b->here.value && order_of(a->there, b->there) == ORDER_DOUBTFUL)
            r->changes[r->nchanges++] = (struct rank_change){
                .overtakes = i + 1, .overtaken = i, .at = NAN, .from = NAN, .to = NAN};
    }
}

static size_t largest_at(const struct ranking *r, size_t step)
{
    size_t best = 0;
    for (size_t k = 1; k < r->nregions; k++)
        if (r->regions[k].on_the_way[step].value > r->regions[best].on_the_way[step].value)
            best = k;
    return best;
}

static void find_leaders(struct arena *a, struct ranking *r)
{
    struct rank_leader *list = arena_zalloc(a, RANK_STEPS + 1, sizeof *list);
    size_t n = 1;
    list[0] = (struct rank_leader){largest_at(r, 0), 0};
    for (size_t i = 1; i <= RANK_STEPS; i++) {
        size_t before = list[n - 1].region, best = largest_at(r, i);
        if (best == before)
            continue;
        list[n].region = best;
        list[n++].from = halve(r, &r->regions[before], &r->regions[best],
                               (double)(i - 1) / RANK_STEPS, (double)i / RANK_STEPS);
    }
    r->leaders = list;
    r->nleaders = n;
}

void rank_find_changes(struct arena *a, struct ranking *r)
{
    size_t n = r->nregions, followed = n < RANK_MOST_FOLLOWED ? n : RANK_MOST_FOLLOWED;
    bool whole = true;
    r->changes = arena_zalloc(a, followed * followed + n + 1, sizeof *r->changes);
    for (size_t i = 0; i < n && !session_interrupt; i++)
        whole = walk(a, r, &r->regions[i]) && whole;
    if (session_interrupt)
        return;
    if (rank_is_way(r) && whole) {
        for (size_t i = 0; i < followed; i++) /* b is before a at the place: i < k */
            for (size_t k = i + 1; k < followed; k++)
                if (r->regions[i].here.value < r->regions[k].here.value)
                    add_change(r, k, i);
        find_leaders(a, r);
    }
    add_doubts(r);
    sort_with(r->changes, r->nchanges, sizeof *r->changes, by_place, NULL);
}
