/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A synchronisation waits for bytes from the time `since`, when all its messages were announced, to its end. It was stalled by
 * a sender that left its own synchronisation, computed, and arrived at the next one shortly before the end. A list for
 * each sender keeps those that wait for it until that arrival is known: the supersteps of an object are visited in their
 * order, so it is the next one of the sender after the superstep of the message.
 */
#include "obsp/stall.h"

#include <math.h>

#include "obsp/thresholds.h"

enum {
    MOST_WAITING = 1 << 16, /* at a time; more are not looked at */
    RECENT = 4              /* synchronisations of a process, whose stalls may still become known */
};

/* A synchronisation that waits for the bytes of a sender. */
struct waiting {
    int process;
    size_t number;   /* of its synchronisations */
    unsigned object; /* the superstep of the message */
    long step;
    double since, end;
    struct waiting *next;
};

struct process {
    struct waiting *list; /* for its bytes */
    double left;          /* end of its last synchronisation */
    size_t number;        /* of synchronisations */
    double stall[RECENT]; /* the longest one of each */
};

struct obsp_stalls {
    struct arena *arena;
    struct process *processes;
    int n;
    struct waiting *unused;
    size_t waiting, count;
    double seconds;
};

struct obsp_stalls *obsp_stalls_new(struct arena *a, int processes)
{
    struct obsp_stalls *s = arena_zalloc(a, 1, sizeof *s);
    s->arena = a;
    s->n = processes;
    s->processes = arena_zalloc(a, (size_t)processes, sizeof *s->processes);
    return s;
}

/* The stalls of this synchronisation are not kept any more. */
static bool is_old(const struct obsp_stalls *s, const struct waiting *w)
{
    return s->processes[w->process].number - w->number >= RECENT;
}

/* The longest stall of the messages of a synchronisation counts. */
static void count_stall(struct obsp_stalls *s, const struct waiting *w, double seconds)
{
    struct process *p = &s->processes[w->process];
    double *known = &p->stall[w->number % RECENT];
    if (is_old(s, w) || seconds <= *known)
        return;
    s->count += *known == 0;
    s->seconds += seconds - *known;
    *known = seconds;
}

/* The sender has arrived at its next synchronisation. */
static void judge(struct obsp_stalls *s, const struct waiting *w, double left, double arrived)
{
    double all = w->end - w->since, stall = arrived - fmax(w->since, left);
    if (arrived <= w->end && w->end - arrived <= STALL_AFTER * all && stall >= STALL_PART * all)
        count_stall(s, w, stall);
}

static bool has_not_left(const struct waiting *w, const struct obsp_span *sender)
{
    return sender->computed <= w->since || (sender->object == w->object && sender->step <= w->step);
}

static void sender_arrives(struct obsp_stalls *s, const struct obsp_span *span)
{
    struct process *sender = &s->processes[span->process];
    struct waiting **at = &sender->list, *w;
    while ((w = *at)) {
        if (!is_old(s, w) && has_not_left(w, span)) {
            at = &w->next;
            continue;
        }
        judge(s, w, sender->left, span->computed);
        *at = w->next;
        w->next = s->unused;
        s->unused = w;
        s->waiting--;
    }
}

static void wait_for(struct obsp_stalls *s, int sender, const struct waiting *what)
{
    struct waiting *w = s->unused;
    if (s->waiting == MOST_WAITING)
        return;
    if (w)
        s->unused = w->next;
    else
        w = arena_alloc(s->arena, 1, sizeof *w);
    *w = *what;
    w->next = s->processes[sender].list;
    s->processes[sender].list = w;
    s->waiting++;
}

void obsp_stalls_visit(struct obsp_stalls *s, const struct obsp_span *span)
{
    struct process *p = &s->processes[span->process];
    if (span->kind != OBSP_SYNC && span->kind != OBSP_OBLSYNC)
        return;
    sender_arrives(s, span);
    p->left = span->end;
    p->stall[++p->number % RECENT] = 0;
    if (span->kind != OBSP_OBLSYNC || !(span->transfer > 0))
        return;
    struct waiting w = {.process = span->process,
                        .number = p->number,
                        .object = span->object,
                        .step = span->step,
                        .since = span->end - span->transfer,
                        .end = span->end};
    for (int i = 0; i < span->partner_count; i++)
        if (span->partners[i] != span->process)
            wait_for(s, span->partners[i], &w);
}

size_t obsp_stalls_count(const struct obsp_stalls *s)
{
    return s->count;
}

double obsp_stalls_seconds(const struct obsp_stalls *s)
{
    return s->seconds / s->n;
}
