/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The evaluator. Each process has a time, which its events move on: W is added, and a synchronisation
 * moves it to the end of the superstep (equation (2)). A group needs nothing more: the time at which
 * a process begins it is its xi, and the time at which it gives the group back is where the superstep
 * of the object goes on.
 *
 * The processors of an object meet at each of its supersteps. A process that has arrived is left there
 * until all the others have arrived, also when its synchronisation is oblivious: so processes stay in the
 * same superstep, and little has to be kept. Only if nothing goes on otherwise (copies of an object may
 * be synchronised in different orders) a process goes on as soon as its incoming partners have arrived.
 * If that helps nobody either, the supersteps do not fit together, and the evaluation ends with an error.
 *
 * Supersteps that are taken as measured (obsp_skip) need nothing more either: the time at which a process has
 * ended the last of them is its xi.
 *
 * The critical path: a process that waited takes over the path of the process that it waited for. A
 * node of the path is shared by all that took it over, and freed with the last of them.
 */
#include "obsp/evaluate.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/interrupt.h"
#include "obsp/meeting.h"
#include "obsp/plain.h"

struct process {
    double now;
    struct obsp_event event; /* the synchronisation that it is in */
    struct meeting *meeting; /* NULL: it is in none */
    double begin;            /* of the present span */
    unsigned node;           /* of the path before it came to this process; 0 = none */
    double first, last;      /* measured: the begin of its first line, the end of its last */
    double joined;           /* xi: when the model begins */
    size_t events;
    size_t replaced;     /* the next of its replacements */
    struct obsp_use use; /* of the one that it is in */
    size_t stretch; /* second pass: the first of its stretches that is not over; SIZE_MAX = none */
};

/* A part of a path: until `end` it was on this process. */
struct node {
    unsigned before, users;
    int process;
    double end;
};

struct evaluation {
    struct obsp_source *source;
    const struct obsp_request *request;
    struct diag *diag;
    struct process *processes;
    int *ready; /* a stack of processes that can go on */
    size_t nready;
    int over;
    struct meetings *meetings;
    struct plain *plain;
    struct node *nodes; /* 0 is not used */
    size_t nnodes, node_capacity;
    unsigned spare_node;
    size_t events, synchronisations;
    /* second pass */
    const struct obsp_result *result;
    size_t *next_stretch; /* of the same process */
    int *partners;        /* of a span */
};

/* ---- the path */

static unsigned node_add(struct evaluation *e, int process, double end, unsigned before)
{
    unsigned id = e->spare_node;
    if (id) {
        e->spare_node = e->nodes[id].before;
    } else {
        e->nodes = mem_grow(e->nodes, &e->node_capacity, e->nnodes + 1, sizeof *e->nodes);
        id = (unsigned)e->nnodes++;
    }
    e->nodes[id] = (struct node){before, 0, process, end};
    if (before)
        e->nodes[before].users++;
    return id;
}

static void node_leave(struct evaluation *e, unsigned id)
{
    while (id && --e->nodes[id].users == 0) {
        unsigned before = e->nodes[id].before;
        e->nodes[id].before = e->spare_node;
        e->spare_node = id;
        id = before;
    }
}

/* The process has waited for another one, which arrived in the same meeting: it takes over its path. */
static void take_path(struct evaluation *e, struct process *p, struct arrival *of, int other)
{
    if (!of->path) {
        of->path = node_add(e, other, of->time, of->node);
        e->nodes[of->path].users++; /* the meeting is one */
    }
    // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): the number of a path has its node
    e->nodes[of->path].users++;
    node_leave(e, p->node);
    p->node = of->path;
}

static struct obsp_stretch *make_path(struct arena *a, struct evaluation *e, int slowest,
                                      double end, size_t *n)
{
    size_t count = 1, at;
    for (unsigned id = e->processes[slowest].node; id; id = e->nodes[id].before)
        count++;
    struct obsp_stretch *path = arena_alloc(a, count, sizeof *path);
    at = count;
    path[--at] = (struct obsp_stretch){slowest, 0, end};
    for (unsigned id = e->processes[slowest].node; id; id = e->nodes[id].before)
        path[--at] = (struct obsp_stretch){e->nodes[id].process, 0, e->nodes[id].end};
    double begin = e->processes[path[0].process].joined;
    for (at = 0; at < count; at++) {
        path[at].begin = begin;
        begin = path[at].end;
    }
    *n = count;
    return path;
}

/* ---- spans */

static void mark_critical(struct evaluation *e, struct process *p, struct obsp_span *span)
{
    const struct obsp_stretch *path = e->result->path;
    while (p->stretch != SIZE_MAX && path[p->stretch].end <= span->begin)
        p->stretch = e->next_stretch[p->stretch];
    if (p->stretch == SIZE_MAX)
        return;
    double begin = fmax(span->begin, path[p->stretch].begin),
           end = fmin(span->end, path[p->stretch].end);
    if (begin < end) {
        span->critical = true;
        span->critical_begin = begin;
        span->critical_end = end;
        span->stretch = p->stretch;
    }
}

/* Whether the present event of the process is taken as measured. */
static bool is_skipped(const struct evaluation *e, int process)
{
    const struct obsp_skip *skip = e->request->skip;
    return skip && e->processes[process].events <= skip->events[process];
}

/* By what its computing is multiplied. */
static double factor_of(const struct evaluation *e, int process)
{
    return e->request->slower && !is_skipped(e, process) ? e->request->slower[process] : 1;
}

/* The processes of the incoming partners; the visitor sees processes and not processors of the object. */
static void name_partners(struct evaluation *e, int first, const struct obsp_event *event,
                          struct obsp_span *span)
{
    for (int i = 0; event->partners && i < event->partner_count; i++)
        e->partners[i] = first + event->partners[i];
    span->partners = event->partners ? e->partners : NULL;
    span->partner_count = event->partners ? event->partner_count : 0;
}

static void visit(struct evaluation *e, int process, struct obsp_span *span)
{
    struct process *p = &e->processes[process];
    const struct obsp_event *event = &p->event;
    if (!e->request->visit)
        return;
    span->process = process;
    span->pid = event->pid;
    span->nprocs = event->nprocs;
    span->object = event->object;
    span->step = event->step;
    span->kind = event->kind;
    span->work = event->work + event->calls;
    span->uses = event->uses;
    span->nuses = event->nuses;
    span->factor = factor_of(e, process);
    span->in = event->in;
    span->out = event->out;
    span->wait = event->wait;
    span->transfer = event->transfer;
    span->alone = obsp_is_alone(event);
    span->name = e->source->name(e->source, event->object);
    name_partners(e, process - event->pid, event, span);
    if (e->result)
        mark_critical(e, p, span);
    e->request->visit(e->request->user, span);
}

/* ---- synchronisations */

static double own_h(const struct evaluation *e, const struct obsp_event *event)
{
    return e->request->h == OBSP_H_SUM ? event->in + event->out : fmax(event->in, event->out);
}

/* Over the incoming partners: when the last of them arrived, which one it was, and h (equation (3)). */
static int latest_partner(const struct meeting *m, const struct obsp_event *event, double *h)
{
    int last = event->pid;
    *h = m->of[last].h;
    for (int i = 0; i < event->partner_count; i++) {
        const struct arrival *of = &m->of[event->partners[i]];
        if (of->time > m->of[last].time)
            last = event->partners[i];
        *h = fmax(*h, of->h);
    }
    return last;
}

/* When the present event ended, as measured; a replay has the clock of the process, and otherwise it begins at xi. */
static double measured_end(const struct evaluation *e, int process)
{
    const struct process *p = &e->processes[process];
    double start = e->request->start ? e->request->start[process] : 0;
    return p->event.end + start - (e->request->replay ? 0 : p->first);
}

/* Where the end of a synchronisation is in time: equation (2), or as measured. */
static void place_end(struct evaluation *e, int process, struct obsp_span *span)
{
    const struct obsp_event *event = &e->processes[process].event;
    if (is_skipped(e, process)) { /* the clocks of others do not count */
        span->end = fmax(measured_end(e, process), span->computed);
        span->met = fmax(span->end - event->transfer, span->computed);
    } else if (e->request->replay) {
        span->end = measured_end(e, process);
    } else {
        const struct obsp_costs *costs =
            e->request->each ? e->request->each[process] : e->request->costs;
        span->end = span->met + obsp_cost(costs, event, span->h, &span->latency);
    }
}

static void leave_meeting(struct evaluation *e, int process)
{
    struct process *p = &e->processes[process];
    struct meeting *m = p->meeting;
    int pid = p->event.pid, last = pid;
    double h = m->h;
    if (m->kind == OBSP_OBLSYNC)
        last = latest_partner(m, &p->event, &h);
    else if (m->of[m->last].time > m->of[pid].time)
        last = m->last;
    struct obsp_span span = {.begin = p->begin,
                             .computed = m->of[pid].time,
                             .met = m->of[last].time,
                             .h = h,
                             .last = m->first + last,
                             .superstep = plain_superstep(e->plain, process, m)};
    place_end(e, process, &span);
    plain_synchronise(e->plain, process, m, &p->event, &span, m->of[pid].h);
    visit(e, process, &span);
    p->now = span.end;
    if (is_skipped(e, process))
        p->joined = p->now;
    else if (last != pid)
        take_path(e, p, &m->of[last], m->first + last);
    p->meeting = NULL;
    m->of[pid].left = true;
    m->left++;
    e->ready[e->nready++] = process;
}

/* All have arrived. Those that have not gone on before do so now. */
static void settle(struct evaluation *e, struct meeting *m)
{
    for (int pid = 0; pid < m->nprocs; pid++)
        if (!m->of[pid].left)
            leave_meeting(e, m->first + pid);
    for (int pid = 0; pid < m->nprocs; pid++) {
        node_leave(e, m->of[pid].node);
        node_leave(e, m->of[pid].path);
    }
    meeting_end(e->meetings, m);
}

static const char *place(const struct evaluation *e, int process)
{
    return e->source->where ? e->source->where(e->source, process) : NULL;
}

/* Reports that two processors do not agree about a superstep. */
static int disagree(struct evaluation *e, int process, const struct meeting *m, const char *about)
{
    const struct obsp_event *event = &e->processes[process].event;
    const char *where = place(e, process);
    return diag_error(
        e->diag, "%s%ssuperstep %ld of %s: process %d does not agree with process %d about %s",
        where ? where : "", where ? ": " : "", event->step,
        e->source->name(e->source, event->object), process, m->first + m->witness, about);
}

static int join(struct evaluation *e, int process, double time)
{
    struct process *p = &e->processes[process];
    const struct obsp_event *event = &p->event;
    struct meeting *m = meeting_find(e->meetings, event, process);
    if (m->nprocs != event->nprocs || m->first != process - event->pid)
        return disagree(e, process, m, "the processors of the object");
    if (m->kind != event->kind)
        return disagree(e, process, m, "how it ends (sync or oblsync)");
    struct arrival *of = &m->of[event->pid];
    if (of->there)
        return disagree(e, process, m, "its number: it arrives for the second time");
    *of = (struct arrival){.time = time, .h = own_h(e, event), .node = p->node, .there = true};
    if (p->node)
        e->nodes[p->node].users++;
    if (m->arrived == 0 || time > m->of[m->last].time)
        m->last = event->pid;
    m->h = m->arrived ? fmax(m->h, of->h) : of->h;
    m->arrived++;
    p->meeting = m;
    plain_arrive(e->plain, process, m);
    if (m->arrived == m->nprocs)
        settle(e, m);
    return 0;
}

/* ---- processes */

static void note_measured(struct process *p, const struct obsp_event *event)
{
    if (p->events == 0)
        p->first = event->end - (event->work + event->calls + event->wait + event->transfer);
    p->last = event->end;
}

/* The computing of the present event, if it is replaced: each event of the superstep has its part of the new time. */
static void replace(struct evaluation *e, int process)
{
    struct process *p = &e->processes[process];
    const struct obsp_replacements *all =
        e->request->replaced ? &e->request->replaced[process] : NULL;
    while (all && p->replaced < all->n && all->list[p->replaced].last < p->events)
        p->replaced++;
    if (!all || p->replaced == all->n || p->events < all->list[p->replaced].first)
        return;
    const struct obsp_replacement *now = &all->list[p->replaced];
    double part = now->measured > 0 ? (p->event.work + p->event.calls) / now->measured
                                    : p->events == now->last;
    p->event.work = part * now->seconds;
    p->event.calls = 0;
    p->use = (struct obsp_use){now->by, part};
    p->event.uses = &p->use;
    p->event.nuses = now->by != NULL;
}

/* Moves a process on to its next synchronisation, or to its end. */
static int advance(struct evaluation *e, int process)
{
    struct process *p = &e->processes[process];
    const struct obsp_request *request = e->request;
    for (;;) {
        if (!e->source->next(e->source, process, &p->event))
            return -1;
        if (p->event.kind == OBSP_END) {
            plain_end(e->plain, process, p->now);
            e->over++;
            return 0;
        }
        if (e->source->measured)
            note_measured(p, &p->event);
        if (request->replay && p->events == 0)
            p->now += p->first;
        p->events++;
        bool skipped = is_skipped(e, process);
        replace(e, process);
        double W = (p->event.work + p->event.calls) * factor_of(e, process), time = p->now + W;
        if (request->replay || skipped)
            time = measured_end(e, process) - p->event.wait - p->event.transfer;
        if (skipped) /* in a damaged trace, too, time goes on */
            time = fmax(time, p->now);
        p->begin = p->now;
        plain_compute(e->plain, process, W);
        if (p->event.kind == OBSP_SYNC || p->event.kind == OBSP_OBLSYNC) {
            e->synchronisations++;
            return join(e, process, time);
        }
        struct obsp_span span = {
            .begin = p->now, .computed = time, .met = time, .end = time, .last = process};
        visit(e, process, &span);
        p->now = time;
    }
}

/* Whether all incoming partners of a waiting process have arrived; otherwise *missing is the first that has
 * not. */
static bool partners_are_there(const struct process *p, int *missing)
{
    for (int i = 0; i < p->event.partner_count; i++)
        if (!p->meeting->of[p->event.partners[i]].there) {
            *missing = p->event.partners[i];
            return false;
        }
    return true;
}

/* Nothing goes on: lets those go on whose incoming partners have arrived. */
static bool rescue(struct evaluation *e)
{
    int missing;
    for (int process = 0; process < e->source->processes; process++) {
        struct process *p = &e->processes[process];
        if (p->meeting && p->meeting->kind == OBSP_OBLSYNC && partners_are_there(p, &missing))
            leave_meeting(e, process);
    }
    return e->nready > 0;
}

/* The first process that waits, for a processor that never arrives. */
static int report_waiting(struct evaluation *e)
{
    for (int process = 0; process < e->source->processes; process++) {
        struct process *p = &e->processes[process];
        const struct meeting *m = p->meeting;
        int missing = 0;
        if (!m)
            continue;
        if (m->kind == OBSP_SYNC)
            while (m->of[missing].there)
                missing++;
        else
            partners_are_there(p, &missing);
        const char *where = place(e, process);
        return diag_error(
            e->diag,
            "%s%sprocess %d waits in superstep %ld of %s for process %d, which never ends this "
            "superstep; all processors of an object make the same supersteps",
            where ? where : "", where ? ": " : "", process, m->step,
            e->source->name(e->source, m->object), m->first + missing);
    }
    return 0;
}

/* Supersteps that some processors ended and others never did, though nobody waited for these. */
static int report_unfinished(struct evaluation *e)
{
    const struct meeting *m = meetings_any(e->meetings);
    int pid = 0;
    if (!m)
        return 0;
    while (m->of[pid].there)
        pid++;
    const char *where = place(e, m->first + pid);
    return diag_error(
        e->diag,
        "%s%sprocess %d ends here without superstep %ld of %s, which process %d makes; all processors of an "
        "object make the same supersteps",
        where ? where : "", where ? ": " : "", m->first + pid, m->step,
        e->source->name(e->source, m->object), m->first + m->witness);
}

static int run(struct evaluation *e)
{
    for (int process = e->source->processes; process-- > 0;)
        e->ready[e->nready++] = process;
    for (size_t count = 0;; count++) {
        if (e->nready == 0 && !rescue(e))
            break;
        if (advance(e, e->ready[--e->nready]))
            return -1;
        if (count % 1024 == 0 && interrupt_came())
            return diag_error(e->diag, "interrupted");
    }
    return report_waiting(e) || report_unfinished(e) ? -1 : 0;
}

/* ---- the two passes */

static void open_evaluation(struct evaluation *e, struct obsp_source *source,
                            const struct obsp_request *request, struct diag *diag)
{
    size_t n = (size_t)source->processes;
    source->skip_barrier_partners = !request->visit || request->skip_barrier_partners;
    *e = (struct evaluation){.source = source, .request = request, .diag = diag, .nnodes = 1};
    e->processes = mem_zalloc(n, sizeof *e->processes);
    e->ready = mem_alloc(n, sizeof *e->ready);
    e->partners = mem_alloc(n, sizeof *e->partners);
    e->meetings = meetings_create();
    e->plain = plain_create(source, request);
    for (size_t i = 0; i < n; i++) {
        e->processes[i].now = e->processes[i].joined = request->start ? request->start[i] : 0;
        e->processes[i].stretch = SIZE_MAX;
    }
}

static void close_evaluation(struct evaluation *e)
{
    plain_destroy(e->plain);
    meetings_destroy(e->meetings);
    mem_free(e->processes);
    mem_free(e->ready);
    mem_free(e->partners);
    mem_free(e->nodes);
}

static void sum_up(struct arena *a, struct evaluation *e, struct obsp_result *out)
{
    *out = (struct obsp_result){.processes = e->source->processes,
                                .measured = NAN,
                                .synchronisations = e->synchronisations};
    for (int i = 0; i < out->processes; i++) {
        const struct process *p = &e->processes[i];
        double measured = p->events ? p->last - p->first : 0;
        if (p->now > e->processes[out->slowest].now)
            out->slowest = i;
        out->events += p->events;
        if (e->source->measured && !(measured <= out->measured))
            out->measured = measured;
    }
    out->obsp = e->processes[out->slowest].now;
    out->bsp = plain_finish(e->plain, &out->supersteps);
    out->path = make_path(a, e, out->slowest, out->obsp, &out->npath);
}

int obsp_evaluate(struct arena *a, struct obsp_source *source, const struct obsp_request *request,
                  struct diag *diag, struct obsp_result *out)
{
    struct evaluation e;
    open_evaluation(&e, source, request, diag);
    int status = run(&e);
    if (status == 0)
        sum_up(a, &e, out);
    close_evaluation(&e);
    return status;
}

int obsp_walk(struct arena *a, struct obsp_source *again, const struct obsp_request *request,
              const struct obsp_result *result, struct diag *diag)
{
    struct evaluation e;
    open_evaluation(&e, again, request, diag);
    e.result = result;
    e.next_stretch = arena_alloc(a, result->npath, sizeof *e.next_stretch);
    for (size_t i = result->npath; i-- > 0;) {
        struct process *p = &e.processes[result->path[i].process];
        e.next_stretch[i] = p->stretch;
        p->stretch = i;
    }
    int status = run(&e);
    close_evaluation(&e);
    return status;
}
