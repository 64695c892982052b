/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How the order of the regions changes on the way. All times are computed at RANK_STEPS + 1 places;
 * where the order of two regions changes between two of them, halving finds the place. The order of
 * two regions is certain where the logarithm of their ratio is further from 0 than both half widths
 * together, added as squares.
 */
#include <math.h>

#include "base/sort.h"
#include "llac/rank/rank.h"

/* The ratio of two regions at a place, as a logarithm: positive where b takes more time. */
struct ratio {
    double d, u; /* u: what it is uncertain by; nan = not known */
};

static double half_width(struct rank_value v)
{
    if (!isfinite(v.low) || !isfinite(v.high))
        return NAN;
    return v.low > 0 ? log(v.high / v.low) / 2 : INFINITY;
}

static struct ratio ratio_of(struct rank_value a, struct rank_value b)
{
    double x = half_width(a), y = half_width(b);
    return (struct ratio){log(b.value / a.value), isnan(x) || isnan(y) ? NAN : hypot(x, y)};
}

static struct rank_value value_at(const struct rank_region *r, size_t step)
{
    return (struct rank_value){r->on_the_way[step], r->low[step], r->high[step]};
}

static bool walk(struct arena *a, const struct ranking *r, struct rank_region *region)
{
    struct arena *work = arena_create();
    bool whole = true;
    region->on_the_way = arena_alloc(a, RANK_STEPS + 1, sizeof *region->on_the_way);
    region->low = arena_alloc(a, RANK_STEPS + 1, sizeof *region->low);
    region->high = arena_alloc(a, RANK_STEPS + 1, sizeof *region->high);
    for (size_t i = 0; i <= RANK_STEPS; i++) {
        struct rank_value v = {NAN, NAN, NAN};
        whole = rank_time(work, r, region, (double)i / RANK_STEPS, NULL, &v) == 0 && whole;
        region->on_the_way[i] = v.value;
        region->low[i] = v.low;
        region->high[i] = v.high;
        arena_reset(work);
    }
    arena_destroy(work);
    return whole;
}

/* Between two places where the order differs. */
static double halve(const struct ranking *r, const struct rank_region *a,
                    const struct rank_region *b, double before, double after)
{
    struct arena *work = arena_create();
    for (int i = 0; i < RANK_HALVINGS; i++) {
        double middle = (before + after) / 2;
        struct rank_value x, y;
        if (rank_time(work, r, a, middle, NULL, &x) || rank_time(work, r, b, middle, NULL, &y))
            break;
        if (y.value > x.value)
            after = middle;
        else
            before = middle;
        arena_reset(work);
    }
    arena_destroy(work);
    return (before + after) / 2;
}

/* The part of the way around a step where the order is not certain. */
static void find_doubt(const struct rank_region *a, const struct rank_region *b, size_t step,
                       struct rank_change *out)
{
    size_t from = step, to = step + 1;
    out->from = NAN;
    for (;; from--) {
        struct ratio q = ratio_of(value_at(a, from), value_at(b, from));
        if (isnan(q.u))
            return;
        if (fabs(q.d) > q.u || from == 0)
            break;
    }
    for (; to <= RANK_STEPS; to++) {
        struct ratio q = ratio_of(value_at(a, to), value_at(b, to));
        if (isnan(q.u))
            return;
        if (q.d > q.u)
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
        if (y->on_the_way[step] <= x->on_the_way[step])
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
        struct ratio q = ratio_of(a->there, b->there);
        if (a->here.value >= b->here.value && !isnan(q.u) && -q.d < q.u)
            r->changes[r->nchanges++] = (struct rank_change){
                .overtakes = i + 1, .overtaken = i, .at = NAN, .from = NAN, .to = NAN};
    }
}

static void find_leaders(struct arena *a, struct ranking *r)
{
    r->leaders = arena_zalloc(a, RANK_STEPS + 2, sizeof *r->leaders);
    for (size_t i = 0; i <= RANK_STEPS; i++) {
        size_t best = 0;
        for (size_t k = 1; k < r->nregions; k++)
            if (r->regions[k].on_the_way[i] > r->regions[best].on_the_way[i])
                best = k;
        struct rank_leader *last = r->nleaders ? &r->leaders[r->nleaders - 1] : NULL;
        if (last && last->region == best)
            continue;
        double from = i == 0 ? 0
                             : halve(r, &r->regions[last->region], &r->regions[best],
                                     (double)(i - 1) / RANK_STEPS, (double)i / RANK_STEPS);
        r->leaders[r->nleaders++] = (struct rank_leader){best, from};
    }
}

void rank_find_changes(struct arena *a, struct ranking *r)
{
    size_t n = r->nregions;
    bool whole = true;
    r->changes = arena_zalloc(a, n * n + 1, sizeof *r->changes);
    for (size_t i = 0; i < n && !session_interrupt; i++)
        whole = walk(a, r, &r->regions[i]) && whole;
    if (session_interrupt)
        return;
    if (rank_is_way(r) && whole) {
        for (size_t i = 0; i < n; i++) /* b is before a at the place: i < k */
            for (size_t k = i + 1; k < n; k++)
                if (r->regions[i].here.value < r->regions[k].here.value)
                    add_change(r, k, i);
        find_leaders(a, r);
    }
    add_doubts(r);
    sort_with(r->changes, r->nchanges, sizeof *r->changes, by_place, NULL);
}
