/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Collects a picture (see picture.h). */
#include "llac/obsp/picture.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/number.h"

int picture_group(int processes, int rows)
{
    if (rows < 1)
        rows = 1;
    int least = processes / rows + (processes % rows != 0);
    if (least < 1)
        return 1;
    for (int group = least; group < 2 * least; group++)
        if (processes % group == 0)
            return group;
    return least;
}

static void create_bars(struct picture *p, enum picture_layer layer)
{
    struct picture_bars *b = &p->layers[layer];
    size_t rows = (size_t)p->rows, slices = (size_t)p->request.slices;
    b->seconds = arena_zalloc(p->arena, rows * slices * PICTURE_ACTIVITIES, sizeof *b->seconds);
    b->totals = arena_zalloc(p->arena, rows * PICTURE_ACTIVITIES, sizeof *b->totals);
    b->too_many = p->group > 1;
    if (b->too_many)
        return;
    b->latest = arena_alloc(p->arena, (size_t)p->request.processes, sizeof *b->latest);
    for (int i = 0; i < p->request.processes; i++)
        b->latest[i] = SIZE_MAX;
}

struct picture *picture_create(struct arena *arena, const struct picture_request *request)
{
    struct picture *p = arena_zalloc(arena, 1, sizeof *p);
    p->arena = arena;
    p->request = *request;
    p->group = picture_group(request->processes, request->rows);
    p->rows = request->processes / p->group + (request->processes % p->group != 0);
    p->too_many_arrows = p->group > 1;
    create_bars(p, PICTURE_MODEL);
    if (request->measured)
        create_bars(p, PICTURE_MEASURED);
    return p;
}

/* ---- bars */

static double slice_begin(const struct picture *p, int slice)
{
    const struct picture_request *r = &p->request;
    return r->begin + (r->end - r->begin) * slice / r->slices;
}

/* [begin, end) is inside the time that is drawn. */
static void add_seconds(struct picture *p, struct picture_bars *b, int row,
                        enum picture_activity activity, double begin, double end)
{
    const struct picture_request *r = &p->request;
    double at = (begin - r->begin) / (r->end - r->begin) * r->slices;
    int slice = at < r->slices ? (int)at : r->slices - 1;
    double *cell =
        &b->seconds[((size_t)row * (size_t)r->slices + (size_t)slice) * PICTURE_ACTIVITIES +
                    activity];
    b->totals[(size_t)row * PICTURE_ACTIVITIES + activity] += end - begin;
    for (; slice < r->slices; slice++, cell += PICTURE_ACTIVITIES) {
        double next = slice + 1 < r->slices ? slice_begin(p, slice + 1) : r->end;
        if (end <= next) {
            *cell += end - begin;
            return;
        }
        if (next > begin) {
            *cell += next - begin;
            begin = next;
        }
    }
}

/* Adds to the latest stretch of the processor what continues it. */
static void add_stretch(struct picture *p, struct picture_bars *b, const struct picture_stretch *s)
{
    size_t latest = b->latest[s->process];
    if (latest != SIZE_MAX && b->stretches[latest].activity == s->activity &&
        b->stretches[latest].end == s->begin) {
        b->stretches[latest].end = s->end;
        return;
    }
    if (b->nstretches == PICTURE_MOST_STRETCHES) {
        b->too_many = true;
        return;
    }
    b->latest[s->process] = b->nstretches;
    ARENA_ADD(p->arena, b->stretches, b->nstretches, &b->capacity, *s);
}

static void add(struct picture *p, enum picture_layer layer, int process,
                enum picture_activity activity, double begin, double end)
{
    struct picture_bars *b = &p->layers[layer];
    begin = fmax(begin, p->request.begin);
    end = fmin(end, p->request.end);
    if (!(end > begin) || process < 0 || process >= p->request.processes)
        return;
    add_seconds(p, b, process / p->group, activity, begin, end);
    if (!b->too_many)
        add_stretch(p, b, &(struct picture_stretch){process, activity, begin, end});
}

void picture_add_measured(struct picture *p, int process, enum picture_activity activity,
                          double begin, double end)
{
    add(p, PICTURE_MEASURED, process, activity, begin, end);
}

bool picture_is_exact(const struct picture *p, enum picture_layer layer)
{
    return !p->layers[layer].too_many;
}

static int members(const struct picture *p, int row)
{
    int rest = p->request.processes - row * p->group;
    return rest < p->group ? rest : p->group;
}

double picture_share(const struct picture *p, enum picture_layer layer, int row, int slice,
                     enum picture_activity activity)
{
    const struct picture_request *r = &p->request;
    double whole = (r->end - r->begin) / r->slices * members(p, row);
    size_t cell = (size_t)row * (size_t)r->slices + (size_t)slice;
    return fmin(p->layers[layer].seconds[cell * PICTURE_ACTIVITIES + activity] / whole, 1);
}

double picture_total_share(const struct picture *p, enum picture_layer layer, int row,
                           enum picture_activity activity)
{
    double whole = (p->request.end - p->request.begin) * members(p, row);
    return fmin(p->layers[layer].totals[(size_t)row * PICTURE_ACTIVITIES + activity] / whole, 1);
}

/* ---- messages */

static void add_end(struct picture *p, const struct obsp_span *s)
{
    if (p->nends == PICTURE_MOST_STRETCHES) { /* supersteps without stretches */
        p->layers[PICTURE_MODEL].too_many = true;
        return;
    }
    ARENA_ADD(p->arena, p->ends, p->nends, &p->ends_capacity,
              (struct picture_end){s->process, s->object, s->step, s->computed, s->end});
}

static void add_arrows(struct picture *p, const struct obsp_span *s)
{
    if (s->end <= p->request.begin || s->computed >= p->request.end)
        return;
    if (!s->partners) { /* of a barrier in a large trace: only their number is known */
        p->messages += s->partner_count;
        p->too_many_arrows |= s->partner_count > 0;
        return;
    }
    for (int i = 0; i < s->partner_count; i++) {
        if (s->partners[i] == s->process)
            continue;
        p->messages++;
        if (p->narrows == PICTURE_MOST_ARROWS)
            p->too_many_arrows = true;
        if (p->too_many_arrows)
            continue;
        ARENA_ADD(p->arena, p->arrows, p->narrows, &p->arrows_capacity,
                  (struct picture_arrow){s->partners[i], s->process, s->object, s->step,
                                         (double)NAN, s->end});
    }
}

static int compare_ends(const void *a, const void *b)
{
    const struct picture_end *x = a, *y = b;
    if (x->object != y->object)
        return x->object < y->object ? -1 : 1;
    if (x->step != y->step)
        return x->step < y->step ? -1 : 1;
    if (x->process != y->process)
        return x->process < y->process ? -1 : 1;
    return (x->computed > y->computed) - (x->computed < y->computed);
}

/* The number of an object may be used again: of several supersteps, the last before the arrival. */
static void find_sender(const struct picture *p, struct picture_arrow *a)
{
    struct picture_end key = {a->from, a->object, a->step, a->arrived, a->arrived};
    size_t low = 0, high = p->nends; /* those before low are at most the key */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare_ends(&p->ends[middle], &key) <= 0)
            low = middle + 1;
        else
            high = middle;
    }
    const struct picture_end *sender = low ? &p->ends[low - 1] : NULL;
    if (sender && sender->object == a->object && sender->step == a->step &&
        sender->process == a->from)
        a->sent = sender->computed;
}

static void find_senders(struct picture *p)
{
    if (p->nends)
        qsort(p->ends, p->nends, sizeof *p->ends, compare_ends);
    for (size_t i = 0; i < p->narrows && !p->too_many_arrows; i++)
        find_sender(p, &p->arrows[i]);
}

/* ---- the critical path */

void picture_set_path(struct picture *p, const struct obsp_stretch *path, size_t n)
{
    p->legs = arena_alloc(p->arena, n, sizeof *p->legs);
    p->nlegs = 0;
    for (size_t i = 0; i < n; i++) {
        struct obsp_stretch leg = {path[i].process, fmax(path[i].begin, p->request.begin),
                                   fmin(path[i].end, p->request.end)};
        if (!(leg.end > leg.begin))
            continue;
        if (p->nlegs && p->legs[p->nlegs - 1].process == leg.process)
            p->legs[p->nlegs - 1].end = leg.end;
        else
            p->legs[p->nlegs++] = leg;
    }
}

/* Takes the legs in turn; one may reach into the next slice. */
static void find_path_rows(struct picture *p)
{
    double *times = arena_alloc(p->arena, (size_t)p->rows, sizeof *times);
    size_t i = 0;
    p->path_rows = arena_alloc(p->arena, (size_t)p->request.slices, sizeof *p->path_rows);
    for (int slice = 0; slice < p->request.slices; slice++) {
        double begin = slice_begin(p, slice), end = slice_begin(p, slice + 1);
        int longest = -1;
        for (int row = 0; row < p->rows; row++)
            times[row] = 0;
        for (; i < p->nlegs && p->legs[i].begin < end; i++) {
            int row = p->legs[i].process / p->group;
            times[row] += fmin(p->legs[i].end, end) - fmax(p->legs[i].begin, begin);
            if (times[row] > 0 && (longest < 0 || times[row] > times[longest]))
                longest = row;
            if (p->legs[i].end > end)
                break;
        }
        p->path_rows[slice] = longest;
    }
}

/* ---- spans */

void picture_add(struct picture *p, const struct obsp_span *s)
{
    bool synchronised = s->kind == OBSP_SYNC || s->kind == OBSP_OBLSYNC;
    add(p, PICTURE_MODEL, s->process, PICTURE_COMPUTES, s->begin, s->computed);
    if (synchronised) {
        add(p, PICTURE_MODEL, s->process, PICTURE_WAITS, s->computed, s->met);
        add(p, PICTURE_MODEL, s->process, PICTURE_COMMUNICATES, s->met, s->end);
        add_arrows(p, s);
        if (!p->layers[PICTURE_MODEL].too_many)
            add_end(p, s);
    }
}

void picture_finish(struct picture *p)
{
    if (p->layers[PICTURE_MODEL].too_many)
        p->too_many_arrows = true;
    find_senders(p);
    find_path_rows(p);
}

/* ---- words and numbers */

void picture_row_name(const struct picture *p, int row, char name[32])
{
    int first = row * p->group, last = first + members(p, row) - 1;
    if (first == last)
        snprintf(name, 32, "%d", first);
    else
        snprintf(name, 32, "%d-%d", first, last);
}

int picture_unit(const struct picture *p, const char **unit)
{
    static const char *const units[] = {"s", "ms", "\302\265s", "ns", "ps"};
    int e = number_exponent(fmax(fabs(p->request.begin), fabs(p->request.end)));
    int thousands = e < 0 ? (2 - e) / 3 : 0;
    if (thousands > 4)
        thousands = 4;
    *unit = units[thousands];
    return -3 * thousands;
}

double picture_step(const struct picture *p, int most)
{
    static const double steps[] = {1, 2, 5, 10};
    double least = (p->request.end - p->request.begin) / (most < 1 ? 1 : most);
    double power = pow(10, number_exponent(least));
    for (size_t i = 0; i < 3; i++)
        if (steps[i] * power >= least * (1 - 1e-9))
            return steps[i] * power;
    return 10 * power;
}
