/* SPDX-License-Identifier: MIT */
/*
 * The ends of supersteps.
 *
 * bsp_sync takes ceil(log2 p) rounds. In round k a processor receives from the one 2^k before it
 * and sends to the one 2^k after it: after the last round it knows that all have come. A round
 * carries the records for its receiver. It also carries the numbers of packets that were sent
 * outside of the rounds, added up on the way (Bruck), so in the end each processor knows how many
 * packets it has to wait for. The first round also carries calls that must be alike on all processors
 * (alike.c). All this needs only point-to-point messages of MPI, so it works on
 * groups, which have no communicator.
 *
 * bsp_oblsync sends all records and waits for the number of messages that the program expects.
 */
#include <stdlib.h>
#include <string.h>

#include "pub/internal.h"

/* ---- common to both ends */

void pub_release_messages(struct pub_object *object)
{
    for (struct pub_packet *packet = object->delivered.packets, *next; packet; packet = next) {
        next = packet->next;
        pub_packet_free(packet);
    }
    object->delivered.packets = NULL;
    object->delivered.nmessages = 0;
}

/* The object is given back while MPI still sends buffers of its parent, which may be in messages of
   the object: these messages are kept as long as those of the parent. */
void pub_keep_messages(struct pub_object *object, struct pub_object *parent)
{
    struct pub_packet **last = &parent->delivered.packets;
    while (*last)
        last = &(*last)->next;
    *last = object->delivered.packets;
    object->delivered.packets = NULL;
    parent->out.forwards = true;
}

/* The messages of the last superstep are released, so that their memory can be used for new ones,
   unless the program forwards them. */
static void begin_end(struct pub_object *object)
{
    if (object->family.partitions)
        pub_fail(object, "a group of this object is in use: give it back with bsp_done first");
    if (!object->out.forwards)
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

/* Sorts the packets of the superstep by sender, and those of one sender by the order of sending:
   far packets may have arrived in another order. */
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

static void index_packet(struct pub_delivered *delivered, struct pub_packet *packet)
{
    const struct pub_header *header = &packet->header;
    if (header->single) {
        t_bspmsg *message = (t_bspmsg *)packet->data - 1;
        *message = (t_bspmsg){header->bytes, (int32_t)header->src, PUB_MESSAGE};
        delivered->messages[delivered->nmessages++] = message;
        return;
    }
    if (!header->messages || (header->kind != PUB_BLOCK && header->kind != PUB_ROUND))
        return;
    t_bspmsg **to = delivered->messages + delivered->nmessages;
    if (header->slot) { /* without reading the records, which may not be in the cache */
        for (uint32_t i = 0; i < header->messages; i++)
            to[i] = (t_bspmsg *)(packet->data + (size_t)i * header->slot);
        delivered->nmessages += header->messages;
        return;
    }
    for (size_t at = 0; at < header->bytes;) {
        t_bspmsg *record = (t_bspmsg *)(packet->data + at);
        at += sizeof *record + pub_padded(record->size);
        if (record->kind == PUB_MESSAGE)
            *to++ = record;
    }
    delivered->nmessages = (uint32_t)(to - delivered->messages);
}

static void wait_for_buffers(struct pub_object *object)
{
    while (object->out.unsent)
        pub_wait_event(NULL);
}

/* All has arrived: the messages become readable, and the next superstep begins. */
static void turn(struct pub_object *object, uint32_t n, bool oblivious)
{
    if (pub.checking)
        pub_check_superstep(object, oblivious);
    if (pub.tracing)
        pub_trace_row(object, oblivious ? PUB_TRACE_OBLSYNC : PUB_TRACE_SYNC, order, n);
    pub_release_messages(object);
    struct pub_delivered *delivered = &object->delivered;
    while (delivered->room < object->inbox.messages)
        delivered->messages = pub_grow(delivered->messages, delivered->room, &delivered->room,
                                       sizeof *delivered->messages);
    for (uint32_t i = 0; i < n; i++)
        index_packet(delivered, order[i]);
    delivered->packets = object->inbox.packets;
    pub_outbox_reset(&object->out);
    object->drma.operations = 0;
    pub_alike_turn(object);
    object->step++;
    pub_send_end();
    pub_inbox_open(object);
}

/* ---- bsp_sync */

/* Numbers of packets, by the distance d to their receiver. Round k carries those with bit k of d set
   and the lower bits clear: the others with lower bits went in earlier rounds. */
#define FIRST_OF(k) ((size_t)1 << (k))
#define NEXT_OF(k)  ((size_t)2 << (k))

static struct {
    uint32_t *at;
    uint32_t room;
    bool any; /* else all are 0, and not even written */
} numbers;

static void need_numbers(const struct pub_object *object)
{
    if (numbers.any)
        return;
    while (numbers.room < (uint32_t)object->size)
        numbers.at = pub_grow(numbers.at, numbers.room, &numbers.room, sizeof *numbers.at);
    memset(numbers.at, 0, (size_t)object->size * sizeof *numbers.at);
    numbers.any = true;
}

static size_t numbers_in(const struct pub_object *object, unsigned k)
{
    return ((size_t)object->size - 1 - FIRST_OF(k)) / NEXT_OF(k) + 1;
}

/* A block for the receiver of a round is sent with the round, if it fits. The others are sent now. */
static void send_others(struct pub_object *object)
{
    numbers.any = false;
    for (int i = 0; i < object->out.ntouched; i++) {
        int dest = object->out.touched[i], d = dest - object->pid;
        d = d < 0 ? d + object->size : d;
        const struct pub_outgoing *out = &object->out.to[dest];
        if (d == 0 || d & (d - 1) ||
            out->used + (size_t)object->size * sizeof *numbers.at + sizeof object->alike >
                pub.capacity)
            pub_flush(object, dest);
        if (!out->packets)
            continue;
        need_numbers(object);
        numbers.at[d] = out->packets;
    }
}

static bool has_numbers(const struct pub_object *object, unsigned k)
{
    size_t p = (size_t)object->size;
    for (size_t d = FIRST_OF(k); numbers.any && d < p; d += NEXT_OF(k))
        if (numbers.at[d])
            return true;
    return false;
}

static void send_round(struct pub_object *object, unsigned k)
{
    size_t p = (size_t)object->size, n = 0;
    int dest = (int)(((size_t)object->pid + FIRST_OF(k)) % p);
    bool numbered = has_numbers(object, k), alike = k == 0 && pub_alike_any(object);
    size_t front = alike ? sizeof object->alike : 0,
           after = front + (numbered ? numbers_in(object, k) * sizeof *numbers.at : 0);
    if (after) {
        uint8_t *to = pub_append(object, dest, after);
        memcpy(to, &object->alike, front);
        for (size_t d = FIRST_OF(k); numbered && d < p; d += NEXT_OF(k))
            ((uint32_t *)(to + front))[n++] = numbers.at[d];
    }
    struct pub_header header = {.object = object->identity,
                                .step = object->step,
                                .src = (uint32_t)object->pid,
                                .round = (uint8_t)k,
                                .kind = PUB_ROUND};
    uint8_t *block = pub_take_block(object, dest, &header);
    if (after) {
        header.numbered = numbered;
        header.alike = alike;
        header.offset = header.bytes - after;
    }
    pub_send_block(object->first + dest, &header, block ? block : pub_take(sizeof header));
}

static void add_numbers(struct pub_object *object, unsigned k, const struct pub_packet *packet)
{
    size_t front = packet->header.alike ? sizeof object->alike : 0;
    const uint32_t *came = (const uint32_t *)(packet->data + packet->header.offset + front);
    size_t p = (size_t)object->size, n = 0;
    need_numbers(object);
    for (size_t d = FIRST_OF(k); d < p; d += NEXT_OF(k))
        // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): the packet is one with numbers
        numbers.at[d - FIRST_OF(k)] += came[n++];
}

static void take_round(struct pub_object *object, unsigned k)
{
    struct pub_inbox *inbox = &object->inbox;
    int from =
        (int)(((size_t)object->pid + (size_t)object->size - FIRST_OF(k)) % (size_t)object->size);
    while (!(inbox->came >> k & 1)) {
        if (pub_has_finished(object, from))
            pub_fail(object, "processor %d has called %s: it does not end this superstep", from,
                     pub.layer->end);
        pub_wait_event(&(struct pub_wait){object, "the other processors", 0, 0, -1});
    }
    struct pub_packet *packet = inbox->rounds[k];
    const uint8_t *alike =
        packet && packet->header.alike ? packet->data + packet->header.offset : NULL;
    if (alike || (k == 0 && pub_alike_any(object)))
        pub_alike_compare(object, from, (const struct pub_alike *)alike);
    if (!packet)
        return;
    inbox->rounds[k] = NULL;
    if (packet->header.numbered)
        add_numbers(object, k, packet);
    if (packet->header.numbered || alike)
        packet->header.bytes = packet->header.offset;
    if (packet->header.messages || packet->header.others)
        pub_inbox_list(inbox, packet);
    else
        pub_packet_free(packet);
}

static void exchange(struct pub_object *object)
{
    struct pub_inbox *inbox = &object->inbox;
    send_others(object);
    for (unsigned k = 0; FIRST_OF(k) < (size_t)object->size; k++) {
        send_round(object, k);
        take_round(object, k);
    }
    uint64_t expected = inbox->announced + (numbers.any ? numbers.at[0] : 0);
    if (pub.tracing)
        pub_trace_headers();
    while (inbox->arrived < expected)
        pub_wait_event(NULL); /* they have been sent */
}

void pub_sync(struct pub_object *object)
{
    begin_end(object);
    object->pieces = false; /* the receivers come */
    exchange(object);
    object->pieces = object->oblivious;
    uint32_t n = sort_packets(object);
    if (object->inbox.others || object->drma.nwanted || object->drma.nchanges)
        pub_drma_finish(object, order, n);
    wait_for_buffers(object);
    pub_send_far(object);
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
    if (inbox->came)
        pub_fail(object, "processor %d ends this superstep with bsp_sync: all must do the same",
                 inbox->ended_by);
    if (inbox->others)
        pub_fail(object,
                 "a put or get has arrived in this superstep: it must be ended with bsp_sync");
}

static bool all_others_finished(const struct pub_object *object)
{
    for (int pid = 0; pid < object->size; pid++)
        if (pid != object->pid && !pub_has_finished(object, pid))
            return false;
    return true;
}

static void fail_alone(const struct pub_object *object, uint64_t messages)
{
    char what[64];
    pub_arrivals(what, sizeof what, messages, object->inbox.messages);
    if (object->size == 1)
        pub_fail(object, "waits for %s, and there is no other processor", what);
    pub_fail(object, "waits for %s, and all other processors have called %s", what, pub.layer->end);
}

void bsp_oblsync(t_bsp *bsp, int messages)
{
    struct pub_object *object = pub_enter(bsp, "bsp_oblsync");
    const struct pub_inbox *inbox = &object->inbox;
    bool announced = !pub.tracing; /* all messages; only the trace asks */
    begin_end(object);
    if (messages < 0)
        pub_fail(object, "%d messages: a negative number", messages);
    if (object->drma.operations || object->drma.nchanges)
        pub_fail(object, "puts, gets and registrations need bsp_sync");
    object->oblivious = object->pieces = true;
    for (int i = 0; i < object->out.ntouched; i++)
        pub_flush(object, object->out.touched[i]);
    while (inbox->messages < (uint64_t)messages) {
        check_oblivious(object);
        if (pub_far_pending() == 0 && all_others_finished(object))
            fail_alone(object, (uint64_t)messages);
        if (!announced && inbox->messages + pub_far_messages(object) >= (uint64_t)messages) {
            announced = true;
            pub_trace_headers();
        }
        pub_wait_event(&(struct pub_wait){object, NULL, (uint64_t)messages, inbox->messages, -1});
    }
    wait_for_buffers(object);
    check_oblivious(object);
    if (inbox->messages > (uint64_t)messages)
        pub_fail(object, "expects %d message%s, and %llu %s arrived", messages,
                 messages == 1 ? "" : "s", (unsigned long long)inbox->messages,
                 inbox->messages == 1 ? "has" : "have");
    turn(object, sort_packets(object), true);
    pub_leave();
}
