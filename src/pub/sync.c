/* SPDX-License-Identifier: MIT */
/*
 * The ends of supersteps.
 *
 * bsp_sync on a small object: everybody sends everybody a token, which says how many packets he
 * has sent him before and carries what was not sent yet. It is exchange and barrier at once. On a
 * large object the tokens would be too many: the numbers of packets travel in ceil(log2 p) rounds,
 * in each of which a processor passes on what is meant for others, added up, to the one 2^k further
 * (Bruck). Both need nothing of MPI but point-to-point messages, so they work on groups, which have
 * no communicator.
 *
 * bsp_oblsync sends what there is and waits for as many messages as it was told.
 */
#include <stdlib.h>
#include <string.h>

#include "pub/internal.h"

#define DIRECT 4 /* processors, at most, that send tokens to each other; 64 at most */

/* ---- what all ends have in common */

void pub_release_messages(struct pub_object *object)
{
    for (struct pub_packet *packet = object->packets, *next; packet; packet = next) {
        next = packet->next;
        pub_packet_free(packet);
    }
    object->packets = NULL;
    object->nmessages = 0;
}

/* What could be read until now cannot any more, so that its memory can take what comes; unless it
   is being sent on. */
static void begin_end(struct pub_object *object)
{
    if (object->partitions)
        pub_fail(object, "a group of this object is in use: give it back with bsp_done first");
    if (!object->forwards)
        pub_release_messages(object);
}

static int by_sender(const void *a, const void *b)
{
    const struct pub_packet *x = *(struct pub_packet *const *)a,
                            *y = *(struct pub_packet *const *)b;
    if (x->header.src != y->header.src)
        return x->header.src < y->header.src ? -1 : 1;
    return x->header.packets < y->header.packets ? -1 : 1;
}

static struct pub_packet **order;
static uint32_t order_room;

/* The packets of the superstep, by sender. Those of one sender in the order in which it sent them:
   far ones may have arrived in another. */
static uint32_t sort_packets(struct pub_object *object)
{
    uint32_t n = 0;
    bool sorted = true;
    for (struct pub_packet *packet = object->inbox.packets; packet; packet = packet->next) {
        order = pub_grow(order, n, &order_room, sizeof *order);
        sorted = sorted && (!n || by_sender(&order[n - 1], &packet) < 0);
        order[n++] = packet;
    }
    if (!sorted)
        qsort(order, n, sizeof *order, by_sender);
    return n;
}

static void index_packet(struct pub_object *object, struct pub_packet *packet)
{
    const struct pub_header *header = &packet->header;
    if (header->single) {
        t_bspmsg *message = (t_bspmsg *)packet->data - 1;
        *message = (t_bspmsg){header->bytes, (int32_t)header->src, PUB_MESSAGE};
        object->messages[object->nmessages++] = message;
        return;
    }
    if (header->kind != PUB_BLOCK && header->kind != PUB_TOKEN)
        return;
    t_bspmsg **to = object->messages + object->nmessages;
    if (header->slot) { /* without looking: the records may be far from the processor yet */
        for (uint32_t i = 0; i < header->messages; i++)
            to[i] = (t_bspmsg *)(packet->data + (size_t)i * header->slot);
        object->nmessages += header->messages;
        return;
    }
    for (size_t at = 0; at < header->bytes;) {
        t_bspmsg *record = (t_bspmsg *)(packet->data + at);
        at += sizeof *record + pub_padded(record->size);
        if (record->kind == PUB_MESSAGE)
            *to++ = record;
    }
    object->nmessages = (uint32_t)(to - object->messages);
}

static void wait_for_buffers(struct pub_object *object)
{
    while (object->unsent) {
        if (pub.checking)
            pub_waiting(object, "buffers of bsp_hpsend to leave", object->unsent, 0);
        pub_wait_event();
    }
}

/* All has come: what came becomes readable, the next superstep begins. */
static void turn(struct pub_object *object, uint32_t n, bool oblivious)
{
    if (pub.checking) {
        pub_waiting(NULL, NULL, 0, 0);
        pub_check_superstep(object, oblivious);
    }
    if (pub.tracing)
        pub_trace_row(object, oblivious ? PUB_TRACE_OBLSYNC : PUB_TRACE_SYNC, order, n);
    pub_release_messages(object);
    while (object->messages_room < object->inbox.messages)
        object->messages = pub_grow(object->messages, object->messages_room, &object->messages_room,
                                    sizeof *object->messages);
    for (uint32_t i = 0; i < n; i++)
        index_packet(object, order[i]);
    object->packets = object->inbox.packets;
    pub_outgoing_reset(object);
    object->sent_messages = object->bytes_out = 0;
    object->drma = 0;
    object->forwards = false;
    object->step++;
    pub_send_end();
    pub_inbox_open(object);
}

/* ---- bsp_sync: tokens */

static void send_token(struct pub_object *object, int dest)
{
    struct pub_outgoing *out = &object->out[dest];
    if (out->block && out->used > pub.capacity)
        pub_flush(object, dest);
    struct pub_header header = {.object = object->identity,
                                .step = object->step,
                                .src = (uint32_t)object->pid,
                                .packets = out->packets,
                                .kind = PUB_TOKEN};
    uint8_t *block = out->block;
    if (block) {
        pub_count_block(object, out);
        header.bytes = out->used - sizeof header;
        header.messages = out->messages;
        header.others = out->others;
        header.payload = out->payload;
        header.slot = pub_stride(out);
        out->block = NULL;
        out->room = out->used = 0;
    } else {
        block = pub_take(sizeof header);
    }
    pub_send_block(object->first + dest, &header, block);
}

/* A processor that is at its end sends no token any more, and its last one came before that news.
 */
static void missing_token(const struct pub_object *object)
{
    for (int pid = 0; pid < object->size; pid++)
        if (!(object->inbox.token_of >> pid & 1) && pid != object->pid &&
            pub_has_finished(object, pid))
            pub_fail(object, "processor %d has come to bsplib_done: it does not end this superstep",
                     pid);
}

static void exchange_tokens(struct pub_object *object)
{
    const struct pub_inbox *inbox = &object->inbox;
    uint32_t others = (uint32_t)object->size - 1;
    for (int i = 1; i < object->size; i++)
        send_token(object, object->pid + i < object->size ? object->pid + i
                                                          : object->pid + i - object->size);
    pub_flush(object, object->pid);
    while (inbox->tokens < others || inbox->arrived < inbox->announced) {
        if (inbox->tokens < others)
            missing_token(object);
        else if (pub.tracing)
            pub_trace_headers();
        if (pub.checking)
            pub_waiting(object, "the other processors", others, inbox->tokens);
        pub_wait_event();
    }
}

/* ---- bsp_sync: rounds */

/* Of the numbers at distance d (for the processor d further), those that go in round k: bit k is
   set, lower ones are not, because those have gone before. */
#define FIRST_OF(k) ((size_t)1 << (k))
#define NEXT_OF(k)  ((size_t)2 << (k))

static void send_round(struct pub_object *object, unsigned k, uint32_t *numbers)
{
    size_t p = (size_t)object->size, n = 0;
    struct pub_header header = {.object = object->identity,
                                .step = object->step,
                                .src = (uint32_t)object->pid,
                                .round = (uint8_t)k,
                                .kind = PUB_ROUND};
    uint8_t *block = pub_take(sizeof header + (p / NEXT_OF(k) + 1) * sizeof *numbers);
    uint32_t *to = (uint32_t *)(block + sizeof header);
    for (size_t d = FIRST_OF(k); d < p; d += NEXT_OF(k))
        to[n++] = numbers[d];
    header.bytes = n * sizeof *numbers;
    pub_send_block(object->first + (int)(((size_t)object->pid + FIRST_OF(k)) % p), &header, block);
}

static void take_round(struct pub_object *object, unsigned k, uint32_t *numbers)
{
    struct pub_inbox *inbox = &object->inbox;
    size_t p = (size_t)object->size, n = 0;
    int from = (int)(((size_t)object->pid + p - FIRST_OF(k)) % p);
    while (!inbox->rounds[k]) {
        if (pub_has_finished(object, from))
            pub_fail(object, "processor %d has come to bsplib_done: it does not end this superstep",
                     from);
        if (pub.checking)
            pub_waiting(object, "the other processors", 1, 0);
        pub_wait_event();
    }
    const uint32_t *came = (const uint32_t *)inbox->rounds[k]->data;
    for (size_t d = FIRST_OF(k); d < p; d += NEXT_OF(k))
        numbers[d - FIRST_OF(k)] += came[n++];
    pub_packet_free(inbox->rounds[k]);
    inbox->rounds[k] = NULL;
}

static void exchange_rounds(struct pub_object *object)
{
    static uint32_t *numbers;
    static uint32_t room;
    struct pub_inbox *inbox = &object->inbox;
    for (int i = 0; i < object->ntouched; i++)
        pub_flush(object, object->touched[i]);
    while (room < (uint32_t)object->size)
        numbers = pub_grow(numbers, room, &room, sizeof *numbers);
    memset(numbers, 0, (size_t)object->size * sizeof *numbers);
    for (int i = 0; i < object->ntouched; i++) {
        int d = object->touched[i] - object->pid;
        numbers[d < 0 ? d + object->size : d] = object->out[object->touched[i]].packets;
    }
    for (unsigned k = 0; FIRST_OF(k) < (size_t)object->size; k++) {
        send_round(object, k, numbers);
        take_round(object, k, numbers);
    }
    uint64_t expected = inbox->announced + numbers[0];
    if (pub.tracing)
        pub_trace_headers();
    while (inbox->arrived < expected) {
        if (pub.checking)
            pub_waiting(object, "packets on their way", (int64_t)expected, (int64_t)inbox->arrived);
        pub_wait_event();
    }
}

void pub_sync(struct pub_object *object)
{
    begin_end(object);
    if (object->size <= DIRECT)
        exchange_tokens(object);
    else
        exchange_rounds(object);
    uint32_t n = sort_packets(object);
    if (object->inbox.others || object->nwanted || object->nchanges)
        pub_drma_finish(object, order, n);
    wait_for_buffers(object);
    turn(object, n, false);
}

void bsp_sync(t_bsp *bsp)
{
    pub_sync(pub_enter(bsp, "bsp_sync"));
    pub_leave();
}

/* ---- bsp_oblsync */

static void check_oblivious(const struct pub_object *object)
{
    const struct pub_inbox *inbox = &object->inbox;
    if (inbox->tokens)
        pub_fail(object, "processor %d ends this superstep with bsp_sync: all must do the same",
                 inbox->token_from);
    if (inbox->others)
        pub_fail(object, "a put or get came in this superstep: it must be ended with bsp_sync");
}

static bool all_others_finished(const struct pub_object *object)
{
    for (int pid = 0; pid < object->size; pid++)
        if (pid != object->pid && !pub_has_finished(object, pid))
            return false;
    return true;
}

void bsp_oblsync(t_bsp *bsp, int messages)
{
    struct pub_object *object = pub_enter(bsp, "bsp_oblsync");
    const struct pub_inbox *inbox = &object->inbox;
    begin_end(object);
    if (messages < 0)
        pub_fail(object, "%d messages: a negative number", messages);
    if (object->drma || object->nchanges)
        pub_fail(object, "puts, gets and registrations need bsp_sync");
    for (int i = 0; i < object->ntouched; i++)
        pub_flush(object, object->touched[i]);
    while (inbox->messages < (uint64_t)messages) {
        check_oblivious(object);
        if (pub_far_pending() == 0 && all_others_finished(object))
            pub_fail(object,
                     "waits for %d messages, %llu came, and all other processors have come to "
                     "bsplib_done",
                     messages, (unsigned long long)inbox->messages);
        if (pub.checking)
            pub_waiting(object, "messages", messages, (int64_t)inbox->messages);
        if (pub.tracing && inbox->messages + pub_far_pending() >= (uint64_t)messages)
            pub_trace_headers();
        pub_wait_event();
    }
    wait_for_buffers(object);
    check_oblivious(object);
    if (inbox->messages > (uint64_t)messages)
        pub_fail(object, "waits for %d messages, and %llu came", messages,
                 (unsigned long long)inbox->messages);
    turn(object, sort_packets(object), true);
    pub_leave();
}
