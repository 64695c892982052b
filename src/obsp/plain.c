/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A process that has made n supersteps of plain BSP is in superstep n. All processors of an object end
 * its superstep together, in the latest superstep that one of them is in: so the supersteps of groups of
 * one partition are aligned from their beginning, and that of the parent follows the longest.
 *
 * Supersteps that are taken as measured add what they took together. Plain BSP begins when the last process has
 * ended them; others have computed until then, which counts for their next superstep.
 *
 * A superstep is kept until all processes have gone beyond it. Then it is added to the total, shown to
 * the visitor and forgotten.
 */
#include "obsp/plain.h"

#include <math.h>
#include <string.h>

struct entry {
    struct obsp_superstep sum; /* mean_work is a sum until the end */
    char *name;                /* of the object; NULL if there is no visitor */
    unsigned object;
    double
        charged; /* largest W, less what was computed during the supersteps that are taken as measured */
    int passed; /* processes that have gone beyond it */
};

struct member {
    size_t superstep; /* the one that it is in */
    double W;         /* since the last one */
    double ahead;     /* of it: until the supersteps that are taken as measured were over */
    double begin;     /* of the superstep, in OBSP* */
};

struct plain {
    struct obsp_source *source;
    const struct obsp_request *request;
    struct member *members;
    struct entry *entries; /* from `first` on */
    size_t first, n, capacity;
    size_t closed; /* of them: shown, and kept only because moving the rest takes time */
    double total;
};

struct plain *plain_create(struct obsp_source *source, const struct obsp_request *request)
{
    struct plain *b = mem_zalloc(1, sizeof *b);
    b->source = source;
    b->request = request;
    b->members = mem_zalloc((size_t)source->processes, sizeof *b->members);
    for (int i = 0; request->start && i < source->processes; i++)
        b->members[i].W = b->members[i].begin = request->start[i];
    for (int i = 0; request->skip && i < source->processes; i++)
        b->members[i].ahead = request->skip->seconds - request->skip->until[i];
    return b;
}

void plain_destroy(struct plain *b)
{
    for (size_t i = 0; i < b->n; i++)
        mem_free(b->entries[i].name);
    mem_free(b->entries);
    mem_free(b->members);
    mem_free(b);
}

/* ---- the supersteps that are kept */

static struct entry *entry_at(struct plain *b, size_t superstep)
{
    size_t need = superstep - b->first + 1;
    b->entries = mem_grow(b->entries, &b->capacity, need, sizeof *b->entries);
    for (; b->n < need; b->n++)
        b->entries[b->n] =
            (struct entry){.sum = {.index = b->first + b->n, .begin = INFINITY, .measured = NAN}};
    return &b->entries[need - 1];
}

static bool is_skipped(const struct plain *b, size_t superstep)
{
    return b->request->skip && superstep < b->request->skip->supersteps;
}

static void complete(struct plain *b, struct entry *e)
{
    struct obsp_superstep *s = &e->sum;
    const struct obsp_costs *c = b->request->costs;
    if (is_skipped(b, s->index))
        s->bsp = fmax(s->end - b->total, 0);
    else
        s->bsp = e->charged + (s->ended ? c->g * c->times_g * s->h + c->L * c->times_L : 0);
    b->total += s->bsp;
    s->mean_work = s->processors ? s->mean_work / s->processors : 0;
    s->object = s->step > 0 ? e->name : NULL;
    if (b->request->superstep)
        b->request->superstep(b->request->user, s);
    mem_free(e->name);
    e->name = NULL;
}

/* Closes the next n supersteps. */
static void close_entries(struct plain *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        complete(b, &b->entries[b->closed++]);
    if (b->closed * 2 < b->n)
        return;
    b->n -= b->closed;
    b->first += b->closed;
    if (b->n)
        memmove(b->entries, b->entries + b->closed, b->n * sizeof *b->entries);
    b->closed = 0;
}

/* A process goes on to another superstep. */
static void go_on(struct plain *b, struct member *p, size_t superstep)
{
    size_t done = b->closed;
    for (; p->superstep < superstep; p->superstep++)
        entry_at(b, p->superstep)->passed++;
    while (done < b->n && b->entries[done].passed == b->source->processes)
        done++;
    if (done > b->closed)
        close_entries(b, done - b->closed);
}

/* ---- what processes do */

void plain_compute(struct plain *b, int process, double W)
{
    b->members[process].W += W;
}

void plain_arrive(struct plain *b, int process, struct meeting *m)
{
    if (b->members[process].superstep > m->superstep)
        m->superstep = b->members[process].superstep;
}

size_t plain_superstep(const struct plain *b, int process, const struct meeting *m)
{
    size_t own = b->members[process].superstep;
    return own > m->superstep ? own : m->superstep;
}

static void take_part(struct plain *b, size_t superstep, struct member *p, double end)
{
    struct entry *e = entry_at(b, superstep);
    if (!is_skipped(b, superstep)) {
        e->charged = fmax(e->charged, p->W - p->ahead);
        p->ahead = 0;
    }
    e->sum.processors++;
    e->sum.work = fmax(e->sum.work, p->W);
    e->sum.mean_work += p->W;
    e->sum.begin = fmin(e->sum.begin, p->begin);
    e->sum.end = fmax(e->sum.end, end);
}

/* The name of the object, if it is the only one. */
static void name_entry(struct plain *b, struct entry *e, const struct obsp_event *event)
{
    if (!e->sum.ended) {
        e->object = event->object;
        e->sum.step = event->step;
        if (b->request->superstep)
            e->name = mem_strdup(b->source->name(b->source, event->object));
    } else if (e->object != event->object || e->sum.step != event->step) {
        e->sum.step = 0;
    }
    e->sum.ended = true;
}

void plain_synchronise(struct plain *b, int process, const struct meeting *m,
                       const struct obsp_event *event, const struct obsp_span *span, double h)
{
    struct member *p = &b->members[process];
    size_t superstep = plain_superstep(b, process, m);
    take_part(b, superstep, p, span->end);
    struct entry *e = entry_at(b, superstep);
    name_entry(b, e, event);
    e->sum.h = fmax(e->sum.h, h);
    e->sum.waiting = fmax(e->sum.waiting, span->met - span->computed);
    e->sum.measured = fmax(e->sum.measured, event->wait + event->transfer);
    p->W = 0;
    p->begin = span->end;
    go_on(b, p, superstep + 1);
}

void plain_end(struct plain *b, int process, double now)
{
    struct member *p = &b->members[process];
    if (p->W > 0)
        take_part(b, p->superstep, p, now);
}

double plain_finish(struct plain *b, size_t *supersteps)
{
    close_entries(b, b->n - b->closed);
    *supersteps = b->first;
    return b->total;
}
