/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Objects of the notation: the machine and its groups, where their processors meet, and the events.
 *
 * Invariants: while a processor waits in an object, no other one of the object has left it, else both
 * have a different number of supersteps, which is an error. So a meeting always completes: each of
 * the others runs, or waits in a group inside the object, which completes first.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"
#include "obsp/notation_runner.h"

struct membership *runner_membership(const struct processor *p)
{
    return &p->memberships[p->nmemberships - 1];
}

/* ---- making and freeing */

static unsigned new_id(struct runner *r)
{
    if (r->nfree)
        return r->free_ids[--r->nfree];
    r->objects = mem_grow(r->objects, &r->objects_capacity, r->nobjects + 1, sizeof *r->objects);
    return (unsigned)r->nobjects++;
}

/* The name is of mem_alloc and becomes the object's. */
static struct object *create(struct runner *r, char *name, int first, int n, size_t group)
{
    struct object *o = mem_zalloc(1, sizeof *o);
    unsigned id = new_id(r);
    *o = (struct object){.id = id,
                         .name = name,
                         .first = first,
                         .n = n,
                         .group = group,
                         .step = 1,
                         .held = n,
                         .ordered = true};
    r->objects[id] = o;
    return o;
}

void runner_release_object(struct runner *r, struct object *o)
{
    MEM_ADD(r->free_ids, r->nfree, &r->free_capacity, o->id);
    r->objects[o->id] = NULL;
    mem_free(o->name);
    mem_free(o->messages);
    mem_free(o);
}

void runner_free_exchange(struct exchange *e)
{
    if (e && --e->users == 0)
        mem_free(e);
}

static void enter(struct processor *p, struct object *o, int pid)
{
    MEM_ADD(p->memberships, p->nmemberships, &p->memberships_capacity,
            (struct membership){.object = o, .pid = pid});
    p->pid = pid;
    p->nprocs = o->n;
    p->group = (double)o->group;
}

void runner_create_machine(struct runner *r)
{
    struct object *machine = create(r, mem_strdup("m"), 0, r->program->processes, 0);
    for (int k = 0; k < machine->n; k++)
        enter(&r->processors[k], machine, k);
}

/* ---- events */

static bool queue(struct runner *r, struct processor *p, struct entry e)
{
    if (r->events == r->limits->events)
        return runner_fail(
            r, p, e.at->span,
            "some processors are too many supersteps ahead of others, which wait for them "
            "without a superstep of their own; take fewer processors or supersteps");
    if (p->queued == p->queue_capacity) {
        size_t capacity = mem_grown(p->queue_capacity, p->queued + 1);
        struct entry *ring = mem_alloc(capacity, sizeof *ring);
        for (size_t k = 0; k < p->queued; k++)
            ring[k] = p->queue[(p->head + k) % p->queue_capacity];
        mem_free(p->queue);
        p->queue = ring;
        p->queue_capacity = capacity;
        p->head = 0;
    }
    e.work = p->work;
    e.uses = p->uses;
    e.nuses = p->nuses;
    p->uses = NULL;
    p->nuses = p->uses_capacity = 0;
    p->queue[(p->head + p->queued++) % p->queue_capacity] = e;
    r->events++;
    p->work = 0;
    p->statements = 0;
    return true;
}

/* ---- messages */

bool runner_send(struct runner *r, struct processor *p, const struct notation_instruction *in,
                 int to, double bytes)
{
    struct membership *place = runner_membership(p);
    struct object *o = place->object;
    if (o->nmessages == r->limits->messages)
        return runner_fail(
            r, p, in->span,
            "the object sends more than %zu messages in one superstep; combine messages "
            "or take fewer processors",
            r->limits->messages);
    o->messages = mem_grow(o->messages, &o->capacity, o->nmessages + 1, sizeof *o->messages);
    o->ordered &= !o->nmessages || o->messages[o->nmessages - 1].from <= place->pid;
    o->messages[o->nmessages++] = (struct message){place->pid, to, bytes};
    place->unsent = in;
    p->begun = true;
    p->statements++;
    return true;
}

static struct exchange *new_exchange(size_t n, size_t messages)
{
    size_t numbers = sizeof(struct exchange) + 2 * n * sizeof(double);
    size_t bytes = numbers + (n + 1) * sizeof(size_t) + (2 * n + messages) * sizeof(int);
    struct exchange *e = mem_zalloc(1, bytes);
    e->in = (double *)(e + 1);
    e->out = e->in + n;
    e->first = (size_t *)(e->out + n);
    e->sent = (int *)(e->first + n + 1);
    e->received = e->sent + n;
    e->partners = e->received + n;
    return e;
}

static int ascending(const void *x, const void *y)
{
    const int *a = x, *b = y;
    return (*a > *b) - (*a < *b);
}

/* Sorts the senders of one receiver and drops repetitions. Returns how many are left. */
static size_t tidy(int *list, size_t n, bool ordered)
{
    size_t kept = 0;
    if (!ordered)
        qsort(list, n, sizeof *list, ascending);
    for (size_t k = 0; k < n; k++)
        if (!kept || list[kept - 1] != list[k])
            list[kept++] = list[k];
    return kept;
}

/* Who sent what to whom in the superstep that ends; NULL if nothing was sent. */
static struct exchange *exchange_of(const struct object *o)
{
    if (!o->nmessages)
        return NULL;
    size_t n = (size_t)o->n;
    struct exchange *e = new_exchange(n, o->nmessages);
    e->users = n;
    for (size_t k = 0; k < o->nmessages; k++) {
        const struct message *m = &o->messages[k];
        e->out[m->from] += m->bytes;
        e->in[m->to] += m->bytes;
        e->sent[m->from]++;
        e->received[m->to]++;
    }
    size_t at = 0;
    for (size_t pid = 0; pid < n; pid++) {
        e->first[pid] = at;
        at += (size_t)e->received[pid];
    }
    for (size_t k = 0; k < o->nmessages; k++)
        e->partners[e->first[o->messages[k].to]++] = o->messages[k].from;
    /* first[pid] is now where the list of pid ends; close the gaps of repetitions */
    size_t begin = 0, to = 0;
    for (size_t pid = 0; pid < n; pid++) {
        size_t end = e->first[pid], kept = tidy(e->partners + begin, end - begin, o->ordered);
        memmove(e->partners + to, e->partners + begin, kept * sizeof *e->partners);
        e->first[pid] = to;
        to += kept;
        begin = end;
    }
    e->first[n] = to;
    return e;
}

/* ---- leaving */

static const char *word_of(const struct notation_instruction *in)
{
    return in->operation == DO_SYNC ? "sync" : in->operation == DO_OBLSYNC ? "oblsync" : "split";
}

/* A meeting of which some processors know nothing: `p` does something else. */
static bool report_parting(struct runner *r, const struct processor *p, const struct object *o,
                           struct span where)
{
    size_t line, column;
    source_position(&r->program->source, o->meeting->span.begin, &line, &column);
    return runner_fail(r, p, where,
                       "processor %d of %s is at the '%s' of line %zu, and processor %d %s without "
                       "it; all processors of an object have the same number of supersteps",
                       o->arrival, o->name, word_of(o->meeting), line, runner_membership(p)->pid,
                       o->id ? "leaves the group" : "ends");
}

bool runner_leave(struct runner *r, struct processor *p, const struct notation_instruction *in)
{
    struct membership *place = runner_membership(p);
    struct object *o = place->object;
    bool machine = in->operation == DO_END;
    if (o->arrived)
        return report_parting(r, p, o, in->span);
    if (place->unsent)
        return runner_fail(r, p, place->unsent->span,
                           "no synchronisation of %s follows this 'send', so the message is never "
                           "received; add 'sync' or 'oblsync' after it",
                           o->name);
    o->left++;
    if (machine) {
        p->state = ENDED;
        return p->work == 0 || queue(r, p,
                                     (struct entry){.kind = OBSP_DONE,
                                                    .object = o,
                                                    .pid = place->pid,
                                                    .step = o->step,
                                                    .at = in});
    }
    if (!queue(r, p,
               (struct entry){
                   .kind = OBSP_DONE, .object = o, .pid = place->pid, .step = o->step, .at = in}))
        return false;
    p->nmemberships--;
    place = runner_membership(p);
    p->pid = place->pid;
    p->nprocs = place->object->n;
    p->group = (double)place->object->group;
    return true;
}

/* ---- meeting */

/* All arrive at a synchronisation of one kind, or at the same split. */
static bool agrees(struct runner *r, const struct processor *p, const struct object *o,
                   const struct notation_instruction *in)
{
    const struct notation_instruction *first = o->meeting;
    bool split = in->operation == DO_SPLIT_IN || in->operation == DO_SPLIT_AT;
    if (split ? first == in : first->operation == in->operation)
        return true;
    size_t line, column;
    source_position(&r->program->source, first->span.begin, &line, &column);
    return runner_fail(
        r, p, in->span,
        "processor %d is at this '%s', and processor %d at the '%s' of line %zu; all "
        "processors of an object end a superstep in the same way, and split together",
        runner_membership(p)->pid, word_of(in), o->arrival, word_of(first), line);
}

bool runner_arrive(struct runner *r, struct processor *p, const struct notation_instruction *in)
{
    struct membership *place = runner_membership(p);
    struct object *o = place->object;
    bool sync = in->operation == DO_SYNC || in->operation == DO_OBLSYNC;
    p->begun = true;
    p->expected = (double)NAN;
    if (o->left)
        return runner_fail(
            r, p, in->span,
            "%d of the %d processors of %s have %s without this '%s'; all processors of "
            "an object have the same number of supersteps",
            o->left, o->n, o->name, o->id ? "left the group" : "ended", word_of(in));
    if (o->arrived && !agrees(r, p, o, in))
        return false;
    if (in->operation == DO_OBLSYNC && in->a && !runner_value(r, p, in->a, &p->expected))
        return false;
    if (sync && o->step > r->limits->supersteps)
        return runner_fail(r, p, in->span, "%s has more than %ld supersteps; does the loop end?",
                           o->name, r->limits->supersteps);
    if (!o->arrived++) {
        o->meeting = in;
        o->arrival = place->pid;
    }
    p->state = WAITING;
    return true;
}

/* oblsync N must be right: a program would wait for ever, or leave messages. */
static bool expected(struct runner *r, const struct processor *p, const struct object *o,
                     const struct exchange *e, const struct notation_instruction *at)
{
    int pid = runner_membership(p)->pid, received = e ? e->received[pid] : 0;
    if (isnan(p->expected) || p->expected == received)
        return true;
    return runner_fail(r, p, at->a ? at->a->span : at->span,
                       "processor %d of %s expects %s message%s, and %d come%s; correct the number "
                       "or leave it out",
                       pid, o->name, number_text(p->expected, NUMBER_BUFFER),
                       p->expected == 1 ? "" : "s", received, received == 1 ? "s" : "");
}

static bool end_superstep(struct runner *r, struct object *o)
{
    struct exchange *e = exchange_of(o);
    enum obsp_kind kind = o->meeting->operation == DO_SYNC ? OBSP_SYNC : OBSP_OBLSYNC;
    for (int k = 0; k < o->n; k++) {
        struct processor *p = &r->processors[o->first + k];
        const struct notation_instruction *at = &r->program->code[p->pc - 1];
        if (!expected(r, p, o, e, at) || !queue(r, p,
                                                (struct entry){.kind = kind,
                                                               .object = o,
                                                               .pid = k,
                                                               .step = o->step,
                                                               .exchange = e,
                                                               .at = at})) {
            /* the processors before this one have it in their queues */
            if (e && (e->users = (size_t)k) == 0)
                mem_free(e);
            return false;
        }
        runner_membership(p)->unsent = NULL;
        p->state = RUNNING;
    }
    o->step++;
    o->nmessages = 0;
    o->ordered = true;
    return true;
}

/* ---- splitting */

/* The first processors of the groups after the first one, ascending; *n of them. NULL after an error. */
static double *bounds_of(struct runner *r, const struct processor *p, const struct object *o,
                         const struct notation_instruction *in, size_t *n)
{
    double groups, *bounds;
    if (in->operation == DO_SPLIT_AT) {
        *n = in->n;
        bounds = mem_alloc(*n + 1, sizeof *bounds);
        for (size_t k = 0; k < *n; k++) {
            const struct notation_expression *e = in->targets[k].from;
            bool good = runner_value(r, p, e, &bounds[k]);
            if (good && !(bounds[k] == floor(bounds[k]) && bounds[k] > (k ? bounds[k - 1] : 0) &&
                          bounds[k] < o->n))
                good = runner_fail(r, p, e->span,
                                   "a group begins at an integer between the one before and P, and "
                                   "this is %s with P = %d",
                                   number_text(bounds[k], NUMBER_BUFFER), o->n);
            if (!good) {
                mem_free(bounds);
                return NULL;
            }
        }
        return bounds;
    }
    if (!runner_value(r, p, in->a, &groups))
        return NULL;
    if (!(groups == floor(groups) && groups >= 1 && groups <= o->n)) {
        runner_fail(r, p, in->a->span,
                    "the number of groups is an integer from 1 to P, and this is %s with P = %d",
                    number_text(groups, NUMBER_BUFFER), o->n);
        return NULL;
    }
    *n = (size_t)groups - 1;
    bounds = mem_alloc(*n + 1, sizeof *bounds);
    for (size_t k = 0; k < *n; k++)
        bounds[k] = floor((double)(k + 1) * o->n / groups);
    return bounds;
}

static bool same_bounds(struct runner *r, const struct processor *p, const struct object *o,
                        const double *bounds, size_t n)
{
    size_t mine;
    double *other = bounds_of(r, p, o, o->meeting, &mine);
    bool same = other && mine == n && memcmp(other, bounds, n * sizeof *other) == 0;
    mem_free(other);
    if (!same && !r->failed)
        runner_fail(
            r, p, o->meeting->span,
            "processor %d splits %s in another way than processor 0; the groups must not depend "
            "on i",
            runner_membership(p)->pid, o->name);
    return same;
}

static bool split(struct runner *r, struct object *o)
{
    const struct notation_instruction *in = o->meeting;
    size_t n;
    double *bounds = bounds_of(r, &r->processors[o->first], o, in, &n);
    if (!bounds)
        return false;
    bool good = true;
    for (int k = 1; good && k < o->n; k++)
        good = same_bounds(r, &r->processors[o->first + k], o, bounds, n);
    if (good &&
        r->processors[o->first].nframes + r->processors[o->first].nmemberships > NOTATION_MAX_DEPTH)
        good = runner_fail(
            r, &r->processors[o->first], in->span,
            "procedures and splits are more than %d levels deep; does the recursion end?",
            NOTATION_MAX_DEPTH);
    o->made++;
    for (size_t k = 0; good && k <= n; k++) {
        int first = k ? (int)bounds[k - 1] : 0, end = k < n ? (int)bounds[k] : o->n;
        TEXT_LOCAL struct text name = text_new();
        text_printf(&name, "%s.%zu:%zu", o->name, o->made, k);
        struct object *group = create(r, mem_strdup(name.s), o->first + first, end - first, k);
        for (int pid = first; good && pid < end; pid++) {
            struct processor *p = &r->processors[o->first + pid];
            good = queue(r, p,
                         (struct entry){.kind = OBSP_PARTITION,
                                        .object = group,
                                        .pid = pid - first,
                                        .step = o->step,
                                        .at = in});
            enter(p, group, pid - first);
            p->state = RUNNING;
        }
    }
    mem_free(bounds);
    return good;
}

bool runner_meet(struct runner *r, struct object *o)
{
    for (int k = 0; k < o->n; k++) {
        struct processor *p = &r->processors[o->first + k];
        while (p->state != WAITING || runner_membership(p)->object != o)
            if (!(p->state == WAITING ? runner_meet(r, runner_membership(p)->object)
                                      : runner_execute(r, p)))
                return false;
    }
    o->arrived = 0;
    bool sync = o->meeting->operation == DO_SYNC || o->meeting->operation == DO_OBLSYNC;
    return sync ? end_superstep(r, o) : split(r, o);
}
