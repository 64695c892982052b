/* SPDX-License-Identifier: MIT */
/*
 * Collective operations. Each is a list of actions (send, receive, combine, copy), which is made when
 * the operation begins and differs between processors. `advance` carries out the list up to a
 * receive whose packet has not arrived. It runs whenever a packet of the operation arrives, wherever
 * this processor waits, so several operations progress at the same time. Trees are binomial, of
 * ceil(log2 p) rounds.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pub/internal.h"

enum operation {
    BROADCAST,
    REDUCE,
    ALLREDUCE,
    PREFIX,
    GATHER,
    ALLGATHER,
    SCATTER,
    TOTALEXCHANGE,
    BARRIER
};

static const char *const calls[] = {
    [BROADCAST] = "bsp_broadcast", [REDUCE] = "bsp_reduce",
    [ALLREDUCE] = "bsp_allreduce", [PREFIX] = "bsp_prefix",
    [GATHER] = "bsp_gather",       [ALLGATHER] = "bsp_allgather",
    [SCATTER] = "bsp_scatter",     [TOTALEXCHANGE] = "bsp_totalexchange",
};

/* The name of an operation of another processor in messages: a barrier may be that of a tool. */
static const char *name_of(enum operation operation)
{
    static char text[128];
    const char *tool = pub_tool_barrier_name();
    if (operation != BARRIER)
        return calls[operation];
    if (!tool)
        return pub.layer->end;
    snprintf(text, sizeof text, "%s or %s", pub.layer->end, tool);
    return text;
}

enum action_kind { SEND, RECEIVE, COMBINE, COPY };

struct action {
    enum action_kind kind;
    int peer;
    uint32_t tag;
    void *to;         /* COMBINE: accumulated */
    const void *from; /* COMBINE: more */
    size_t bytes;
};

struct pub_collective {
    struct pub_collective *next; /* of those that the program has not waited for */
    struct pub_object *object;
    const char *call;
    enum operation operation;
    int root;
    uint64_t number;
    struct action *actions;
    uint32_t n, room, at;
    bool busy; /* it is being carried out: sending may handle packets, which call advance */
    uint32_t unsent;
    struct pub_packet *came; /* not yet received by an action */
    void *scratch[36];       /* given back at the end */
    uint32_t nscratch;
    t_bspop op;
    size_t count, size;
};

static struct pub_collective *begun;

/* ---- carrying out */

static struct pub_packet *take(struct pub_collective *c, int peer, uint32_t tag)
{
    struct pub_packet **at = &c->came;
    while (*at && ((int)(*at)->header.src != peer || (*at)->header.slot != tag))
        at = &(*at)->next;
    struct pub_packet *packet = *at;
    if (packet)
        *at = packet->next;
    return packet;
}

static void send(struct pub_collective *c, const struct action *a)
{
    struct pub_header header = {.object = c->object->identity,
                                .step = c->number,
                                .bytes = a->bytes,
                                .src = (uint32_t)c->object->pid,
                                .kind = PUB_COLLECT,
                                .round = (uint8_t)c->operation,
                                .slot = a->tag,
                                .offset = (uint64_t)c->root};
    pub_send_bytes(c->object->first + a->peer, &header, a->from, NULL, &c->unsent);
}

static bool receive(struct pub_collective *c, const struct action *a)
{
    struct pub_packet *packet = take(c, a->peer, a->tag);
    if (!packet)
        return false;
    if (packet->header.bytes != a->bytes) {
        pub.call = c->call;
        pub_fail(c->object, "processor %d passes %llu bytes, this one expects %zu", a->peer,
                 (unsigned long long)packet->header.bytes, a->bytes);
    }
    if (a->bytes)
        memcpy(a->to, packet->data, a->bytes);
    pub_packet_free(packet);
    return true;
}

static void carry_out(struct pub_collective *c)
{
    for (; c->at < c->n; c->at++) {
        struct action a = c->actions[c->at];
        switch (a.kind) {
        case SEND: send(c, &a); break;
        case RECEIVE:
            if (!receive(c, &a))
                return;
            break;
        case COMBINE: c->op(a.to, a.from, c->count); break;
        case COPY:
            if (a.bytes && a.to != a.from)
                memmove(a.to, a.from, a.bytes);
            break;
        }
    }
}

static void advance(struct pub_collective *c)
{
    if (c->busy)
        return;
    c->busy = true;
    carry_out(c);
    c->busy = false;
}

static bool is_of(const struct pub_packet *packet, const struct pub_collective *c)
{
    return packet->header.object == c->object->identity && packet->header.step == c->number;
}

static void hand_over(struct pub_collective *c, struct pub_packet *packet)
{
    if (packet->header.round != c->operation) {
        pub.call = c->call;
        pub_fail(c->object, "processor %u calls %s here: all must call the same, in the same order",
                 packet->header.src, name_of(packet->header.round));
    }
    if (packet->header.offset != (uint64_t)c->root) {
        pub.call = c->call;
        pub_fail(c->object, "processor %u has processor %llu as root, this one has %d",
                 packet->header.src, (unsigned long long)packet->header.offset, c->root);
    }
    packet->next = c->came;
    c->came = packet;
}

void pub_collect(struct pub_packet *packet)
{
    struct pub_collective *c = begun;
    while (c && !is_of(packet, c))
        c = c->next;
    if (c) {
        hand_over(c, packet);
        advance(c);
    } else {
        pub_stash(packet);
    }
}

static void claim(struct pub_collective *c)
{
    struct pub_packet *next;
    for (struct pub_packet *packet = pub_unstash(c->object->identity, c->number, true); packet;
         packet = next) {
        next = packet->next;
        hand_over(c, packet);
    }
}

void pub_collective_serves(struct pub_collective *c, const char *call)
{
    c->call = call;
}

bool pub_collectives_open(const struct pub_object *object)
{
    const struct pub_collective *c = begun;
    while (c && c->object != object)
        c = c->next;
    return c != NULL;
}

/* ---- making */

static struct pub_collective *new (const t_bsp *bsp, enum operation operation, int root,
                                   size_t bytes)
{
    struct pub_object *object = pub_enter(bsp, pub.caller             ? pub.caller
                                               : operation == BARRIER ? pub.call
                                                                      : name_of(operation));
    if (bytes > PTRDIFF_MAX / (size_t)object->size)
        pub_fail(object, "%zu bytes: a negative number, or too many", bytes);
    if (root < 0 || root >= object->size)
        pub_fail(object, "there is no processor %d: they are 0 .. %d", root, object->size - 1);
    struct pub_collective *c = calloc(1, sizeof *c);
    if (!c)
        pub_fail(object, "no memory");
    c->object = object;
    c->root = root;
    c->call = pub.call;
    c->operation = operation;
    c->number = ++object->collectives;
    return c;
}

static struct action *add(struct pub_collective *c, enum action_kind kind)
{
    c->actions = pub_grow(c->actions, c->n, &c->room, sizeof *c->actions);
    c->actions[c->n] = (struct action){.kind = kind};
    return &c->actions[c->n++];
}

static void add_send(struct pub_collective *c, int peer, uint32_t tag, const void *from,
                     size_t bytes)
{
    struct action *a = add(c, SEND);
    a->peer = peer, a->tag = tag, a->from = from, a->bytes = bytes;
}

static void add_receive(struct pub_collective *c, int peer, uint32_t tag, void *to, size_t bytes)
{
    struct action *a = add(c, RECEIVE);
    a->peer = peer, a->tag = tag, a->to = to, a->bytes = bytes;
}

static void add_copy(struct pub_collective *c, void *to, const void *from, size_t bytes)
{
    struct action *a = add(c, COPY);
    a->to = to, a->from = from, a->bytes = bytes;
}

static void add_combine(struct pub_collective *c, void *accumulated, const void *more)
{
    struct action *a = add(c, COMBINE);
    a->to = accumulated, a->from = more;
}

static void *scratch(struct pub_collective *c, size_t bytes)
{
    return c->scratch[c->nscratch++] = pub_take(bytes ? bytes : 1);
}

static t_bsprequest begin(struct pub_collective *c)
{
    c->next = begun;
    begun = c;
    claim(c);
    advance(c);
    pub_leave();
    return c;
}

/* Tags: those of a second phase differ from those of the first. */
#define SECOND 64u

static void make_broadcast(struct pub_collective *c, int root, void *buffer, size_t bytes,
                           uint32_t phase)
{
    int p = c->object->size, v = (c->object->pid - root + p) % p, k = 0;
    while (1 << k < p)
        k++;
    int mine = v ? __builtin_ctz((unsigned)v) : k; /* it has arrived before this round */
    if (v)
        add_receive(c, (v - (1 << mine) + root) % p, phase, buffer, bytes);
    for (k = mine - 1; k >= 0; k--)
        if (v + (1 << k) < p)
            add_send(c, (v + (1 << k) + root) % p, phase, buffer, bytes);
}

/* To processor 0, with lower processors on the left; returns the memory of the result. */
static void *make_reduce(struct pub_collective *c, const void *in, size_t bytes)
{
    int p = c->object->size, pid = c->object->pid;
    uint8_t *sum = scratch(c, bytes);
    add_copy(c, sum, in, bytes);
    for (int k = 0; 1 << k < p; k++) {
        if (pid >> k & 1) {
            add_send(c, pid - (1 << k), (uint32_t)k, sum, bytes);
            break;
        }
        if (pid + (1 << k) < p) {
            uint8_t *more = scratch(c, bytes);
            add_receive(c, pid + (1 << k), (uint32_t)k, more, bytes);
            add_combine(c, sum, more);
        }
    }
    return sum;
}

static struct pub_collective *new_combining(const t_bsp *bsp, enum operation operation, int root,
                                            t_bspop op, size_t count, size_t size, size_t *bytes)
{
    if (__builtin_mul_overflow(count, size, bytes))
        *bytes = SIZE_MAX;
    struct pub_collective *c = new (bsp, operation, root, *bytes);
    if (!op)
        pub_fail(c->object, "no operation is given");
    c->op = op, c->count = count, c->size = size;
    return c;
}

t_bsprequest bsp_ibroadcast(t_bsp *bsp, int root, void *buffer, size_t bytes)
{
    struct pub_collective *c = new (bsp, BROADCAST, root, bytes);
    make_broadcast(c, root, buffer, bytes, 0);
    return begin(c);
}

t_bsprequest bsp_ireduce(t_bsp *bsp, int root, t_bspop op, const void *in, void *out, size_t count,
                         size_t size)
{
    size_t bytes;
    struct pub_collective *c = new_combining(bsp, REDUCE, root, op, count, size, &bytes);
    void *sum = make_reduce(c, in, bytes);
    int pid = c->object->pid;
    if (pid == 0 && root == 0)
        add_copy(c, out, sum, bytes);
    else if (pid == 0)
        add_send(c, root, SECOND, sum, bytes);
    else if (pid == root)
        add_receive(c, 0, SECOND, out, bytes);
    return begin(c);
}

t_bsprequest bsp_iallreduce(t_bsp *bsp, t_bspop op, const void *in, void *out, size_t count,
                            size_t size)
{
    size_t bytes;
    struct pub_collective *c = new_combining(bsp, ALLREDUCE, 0, op, count, size, &bytes);
    void *sum = make_reduce(c, in, bytes);
    if (c->object->pid == 0)
        add_copy(c, out, sum, bytes);
    make_broadcast(c, 0, out, bytes, SECOND);
    return begin(c);
}

/* In round k each processor passes its result so far to the one 2^k after it. What is being sent
   must not change, so each round has its own memory. */
t_bsprequest bsp_iprefix(t_bsp *bsp, t_bspop op, const void *in, void *out, size_t count,
                         size_t size)
{
    size_t bytes;
    struct pub_collective *c = new_combining(bsp, PREFIX, 0, op, count, size, &bytes);
    int p = c->object->size, pid = c->object->pid;
    uint8_t *sum = scratch(c, bytes);
    add_copy(c, sum, in, bytes);
    for (int k = 0; 1 << k < p; k++) {
        if (pid + (1 << k) < p)
            add_send(c, pid + (1 << k), (uint32_t)k, sum, bytes);
        if (pid - (1 << k) >= 0) {
            uint8_t *lower = scratch(c, bytes);
            add_receive(c, pid - (1 << k), (uint32_t)k, lower, bytes);
            add_combine(c, lower, sum);
            sum = lower;
        }
    }
    add_copy(c, out, sum, bytes);
    return begin(c);
}

/* Blocks of a subtree: 2^k, fewer at the end. */
static int blocks(int p, int v, int k)
{
    return p - v < 1 << k ? p - v : 1 << k;
}

/* Block number v (counted from root) of a list by processors. */
static size_t block_at(int v, int root, int p, size_t bytes)
{
    return (size_t)((v + root) % p) * bytes;
}

t_bsprequest bsp_igather(t_bsp *bsp, int root, const void *in, void *out, size_t bytes)
{
    struct pub_collective *c = new (bsp, GATHER, root, bytes);
    int p = c->object->size, v = (c->object->pid - root + p) % p, k = 0;
    uint8_t *all =
        scratch(c, (size_t)(p - v) * bytes); /* blocks v .. as far as this subtree goes */
    add_copy(c, all, in, bytes);
    for (; 1 << k < p && !(v >> k & 1); k++)
        if (v + (1 << k) < p)
            add_receive(c, (v + (1 << k) + root) % p, (uint32_t)k, all + ((size_t)1 << k) * bytes,
                        (size_t)blocks(p, v + (1 << k), k) * bytes);
    if (v)
        add_send(c, (v - (1 << k) + root) % p, (uint32_t)k, all, (size_t)blocks(p, v, k) * bytes);
    else
        for (int i = 0; i < p; i++)
            add_copy(c, (uint8_t *)out + block_at(i, root, p, bytes), all + (size_t)i * bytes,
                     bytes);
    return begin(c);
}

t_bsprequest bsp_iscatter(t_bsp *bsp, int root, const void *in, void *out, size_t bytes)
{
    struct pub_collective *c = new (bsp, SCATTER, root, bytes);
    int p = c->object->size, v = (c->object->pid - root + p) % p, k = 0;
    while (1 << k < p && !(v >> k & 1))
        k++;
    uint8_t *all = scratch(c, (size_t)(p - v) * bytes);
    if (v)
        add_receive(c, (v - (1 << k) + root) % p, (uint32_t)k, all,
                    (size_t)blocks(p, v, k) * bytes);
    else
        for (int i = 0; i < p; i++)
            add_copy(c, all + (size_t)i * bytes, (const uint8_t *)in + block_at(i, root, p, bytes),
                     bytes);
    for (k--; k >= 0; k--)
        if (v + (1 << k) < p)
            add_send(c, (v + (1 << k) + root) % p, (uint32_t)k, all + ((size_t)1 << k) * bytes,
                     (size_t)blocks(p, v + (1 << k), k) * bytes);
    add_copy(c, out, all, bytes);
    return begin(c);
}

t_bsprequest bsp_iallgather(t_bsp *bsp, const void *in, void *out, size_t bytes)
{
    struct pub_collective *c = new (bsp, ALLGATHER, 0, bytes);
    int p = c->object->size, pid = c->object->pid;
    uint8_t *all = scratch(c, (size_t)p * bytes); /* blocks pid, pid + 1, ... */
    add_copy(c, all, in, bytes);
    for (int k = 0; 1 << k < p; k++) {
        size_t part = (size_t)(p - (1 << k) < 1 << k ? p - (1 << k) : 1 << k) * bytes;
        add_send(c, (pid - (1 << k) + p) % p, (uint32_t)k, all, part);
        add_receive(c, (pid + (1 << k)) % p, (uint32_t)k, all + ((size_t)1 << k) * bytes, part);
    }
    for (int i = 0; i < p; i++)
        add_copy(c, (uint8_t *)out + block_at(i, pid, p, bytes), all + (size_t)i * bytes, bytes);
    return begin(c);
}

t_bsprequest bsp_itotalexchange(t_bsp *bsp, const void *in, void *out, size_t bytes)
{
    struct pub_collective *c = new (bsp, TOTALEXCHANGE, 0, bytes);
    int p = c->object->size, pid = c->object->pid;
    size_t all = (size_t)p * bytes;
    if ((const char *)in < (char *)out + all && (char *)out < (const char *)in + all && all)
        in = memcpy(scratch(c, all), in, all); /* blocks that arrive would overwrite others */
    for (int i = 1; i < p; i++)
        add_send(c, (pid + i) % p, 0, (const uint8_t *)in + (size_t)((pid + i) % p) * bytes, bytes);
    add_copy(c, (uint8_t *)out + (size_t)pid * bytes, (const uint8_t *)in + (size_t)pid * bytes,
             bytes);
    for (int i = 1; i < p; i++) {
        int from = (pid - i + p) % p;
        add_receive(c, from, 0, (uint8_t *)out + (size_t)from * bytes, bytes);
    }
    return begin(c);
}

/* ---- waiting */

static bool is_complete(const struct pub_collective *c)
{
    return c->at == c->n && !c->unsent;
}

static void end(struct pub_collective *c)
{
    struct pub_collective **at = &begun;
    while (*at != c)
        at = &(*at)->next;
    *at = c->next;
    while (c->nscratch)
        pub_give(c->scratch[--c->nscratch]);
    free(c->actions);
    free(c);
}

/* A processor that has called bsplib_done has no open operation, and its last packet has arrived. */
static void missing_peer(const struct pub_collective *c)
{
    const struct action *a = &c->actions[c->at];
    if (c->at < c->n && a->kind == RECEIVE && !pub.ending && !pub_far_pending() &&
        pub_has_finished(c->object, a->peer))
        pub_fail(c->object, "processor %d has called %s: it does not take part", a->peer,
                 pub.layer->end);
}

static void wait_for_next(const struct pub_collective *c)
{
    struct pub_wait wait = {c->object, "a message of processor", 0, 0, -1};
    if (c->at < c->n)
        wait.peer = c->actions[c->at].peer;
    pub_wait_event(c->at < c->n ? &wait : NULL);
}

static void complete(struct pub_collective *c)
{
    if (pub.tracing)
        pub_trace_enter();
    pub.call = c->call;
    while (!is_complete(c)) {
        missing_peer(c);
        wait_for_next(c);
    }
    end(c);
    pub_leave();
}

void bsp_wait(t_bsprequest *request)
{
    if (*request)
        complete(*request);
    *request = NULL;
}

int bsp_test(t_bsprequest *request)
{
    if (!*request)
        return 1;
    if (pub.tracing)
        pub_trace_enter();
    pub.call = (*request)->call;
    pub_poll();
    int is_over = is_complete(*request);
    if (is_over) {
        end(*request);
        *request = NULL;
    }
    pub_leave();
    return is_over;
}

void pub_barrier(struct pub_object *object)
{
    t_bsp bsp = {object, object->incarnation};
    struct pub_collective *c = new (&bsp, BARRIER, 0, 0);
    int p = object->size;
    for (int k = 0; 1 << k < p; k++) {
        add_send(c, (object->pid + (1 << k)) % p, (uint32_t)k, NULL, 0);
        add_receive(c, (object->pid - (1 << k) + p) % p, (uint32_t)k, NULL, 0);
    }
    complete(begin(c));
}

void bsp_broadcast(t_bsp *bsp, int root, void *buffer, size_t bytes)
{
    complete(bsp_ibroadcast(bsp, root, buffer, bytes));
}

void bsp_reduce(t_bsp *bsp, int root, t_bspop op, const void *in, void *out, size_t count,
                size_t size)
{
    complete(bsp_ireduce(bsp, root, op, in, out, count, size));
}

void bsp_allreduce(t_bsp *bsp, t_bspop op, const void *in, void *out, size_t count, size_t size)
{
    complete(bsp_iallreduce(bsp, op, in, out, count, size));
}

void bsp_prefix(t_bsp *bsp, t_bspop op, const void *in, void *out, size_t count, size_t size)
{
    complete(bsp_iprefix(bsp, op, in, out, count, size));
}

void bsp_gather(t_bsp *bsp, int root, const void *in, void *out, size_t bytes)
{
    complete(bsp_igather(bsp, root, in, out, bytes));
}

void bsp_allgather(t_bsp *bsp, const void *in, void *out, size_t bytes)
{
    complete(bsp_iallgather(bsp, in, out, bytes));
}

void bsp_scatter(t_bsp *bsp, int root, const void *in, void *out, size_t bytes)
{
    complete(bsp_iscatter(bsp, root, in, out, bytes));
}

void bsp_totalexchange(t_bsp *bsp, const void *in, void *out, size_t bytes)
{
    complete(bsp_itotalexchange(bsp, in, out, bytes));
}
