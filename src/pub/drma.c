/* SPDX-License-Identifier: MIT */
/*
 * Remote memory. Registrations have the same numbers on all processors, and puts and gets name the
 * number. They travel as records among the messages; large hp ones travel alone, directly into their
 * place. At the end of the superstep each processor first answers the gets, then waits for the
 * answers to its own gets and writes them, then writes the puts. So gets read what was there before
 * any get or put was written, without a second barrier, and puts are written over gets.
 */
#include <stdlib.h>
#include <string.h>

#include "pub/internal.h"

struct put_head {
    uint64_t offset;
    uint32_t slot;
    uint32_t pad;
};

struct get_head {
    uint64_t offset, bytes;
    uint32_t slot;
    uint32_t number; /* of the get, on the processor that asks */
    uint32_t direct; /* bsp_hpget */
    uint32_t pad;
};

/* ---- registration */

static struct pub_registration *latest(const struct pub_drma *drma, const char *start)
{
    struct pub_registration *found = NULL;
    for (uint32_t i = 0; i < drma->nslots; i++) {
        struct pub_registration *slot = &drma->slots[i];
        if (slot->order && slot->start == start && (!found || slot->order > found->order))
            found = slot;
    }
    return found;
}

static void add_change(struct pub_drma *drma, struct pub_change change)
{
    drma->changes =
        pub_grow(drma->changes, drma->nchanges, &drma->changes_room, sizeof *drma->changes);
    drma->changes[drma->nchanges++] = change;
}

void bsp_push_reg(t_bsp *bsp, void *start, size_t bytes)
{
    struct pub_object *object = pub_look(bsp, "bsp_push_reg");
    if (bytes > PTRDIFF_MAX)
        pub_fail(object, "%zu bytes: a negative number?", bytes);
    if (!start && bytes)
        pub_fail(object, "a null pointer with %zu bytes", bytes);
    struct pub_registration new = {start, bytes, ++object->drma.registrations, false};
    add_change(&object->drma, (struct pub_change){new, true});
    pub_alike_push(&object->alike);
}

/* The latest registration of this memory that no change of this superstep takes back. NULL: none. */
static struct pub_registration *latest_that_stays(const struct pub_drma *drma, const char *start)
{
    struct pub_registration *found = NULL;
    for (uint32_t i = drma->nchanges; i-- > 0;) {
        struct pub_registration *new = &drma->changes[i].registration;
        if (drma->changes[i].push && new->start == start && !new->leaves)
            return new;
    }
    for (uint32_t i = 0; i < drma->nslots; i++) {
        struct pub_registration *slot = &drma->slots[i];
        if (slot->order && slot->start == start && !slot->leaves &&
            (!found || slot->order > found->order))
            found = slot;
    }
    return found;
}

void bsp_pop_reg(t_bsp *bsp, void *start)
{
    struct pub_object *object = pub_look(bsp, "bsp_pop_reg");
    struct pub_registration *old = latest_that_stays(&object->drma, start);
    if (!old)
        pub_fail(object,
                 "this memory is not registered: give the address that was given to bsp_push_reg");
    old->leaves = true;
    pub_alike_pop(&object->alike, old->order);
    add_change(&object->drma, (struct pub_change){*old, false});
}

static struct pub_registration *new_slot(struct pub_drma *drma)
{
    uint32_t i = 0;
    while (i < drma->nslots && drma->slots[i].order)
        i++;
    if (i == drma->nslots) {
        drma->slots = pub_grow(drma->slots, i, &drma->slots_room, sizeof *drma->slots);
        drma->nslots++;
    }
    return &drma->slots[i];
}

static struct pub_registration *slot_with(const struct pub_drma *drma, uint64_t order)
{
    struct pub_registration *slot = drma->slots;
    while (slot->order != order)
        slot++;
    return slot;
}

static void change_registrations(struct pub_drma *drma)
{
    for (uint32_t i = 0; i < drma->nchanges; i++) {
        const struct pub_change *change = &drma->changes[i];
        if (change->push)
            *new_slot(drma) = change->registration;
        else
            slot_with(drma, change->registration.order)->order = 0;
    }
    drma->nchanges = 0;
}

/* ---- put and get */

static uint32_t slot_of(const struct pub_object *object, const void *start)
{
    const struct pub_registration *slot = latest(&object->drma, start);
    if (!slot)
        pub_fail(
            object,
            "this memory is not registered: give it to bsp_push_reg first, and then call bsp_sync");
    return (uint32_t)(slot - object->drma.slots);
}

static struct pub_object *enter(const t_bsp *bsp, const char *call, int other, const void *mine,
                                size_t bytes)
{
    struct pub_object *object = pub_enter(bsp, call);
    if (other < 0 || other >= object->size)
        pub_fail(object, "there is no processor %d: they are 0 .. %d", other, object->size - 1);
    if (bytes > PTRDIFF_MAX)
        pub_fail(object, "%zu bytes: a negative number?", bytes);
    if (!mine && bytes)
        pub_fail(object, "a null pointer with %zu bytes", bytes);
    object->drma.operations++;
    return object;
}

static void put_record(struct pub_object *object, int dest, const void *src, uint32_t slot,
                       size_t offset, size_t bytes)
{
    struct put_head head = {.offset = offset, .slot = slot};
    uint8_t *at = pub_record(object, dest, PUB_PUT, sizeof head + bytes, bytes);
    memcpy(at, &head, sizeof head);
    if (bytes)
        memcpy(at + sizeof head, src, bytes);
}

void bsp_put(t_bsp *bsp, int dest, const void *src, void *dst, size_t offset, size_t bytes)
{
    struct pub_object *object = enter(bsp, "bsp_put", dest, src, bytes);
    put_record(object, dest, src, slot_of(object, dst), offset, bytes);
    pub_leave();
}

void bsp_hpput(t_bsp *bsp, int dest, const void *src, void *dst, size_t offset, size_t bytes)
{
    struct pub_object *object = enter(bsp, "bsp_hpput", dest, src, bytes);
    uint32_t slot = slot_of(object, dst);
    if (bytes < pub.far_from || dest == object->pid) {
        put_record(object, dest, src, slot, offset, bytes);
    } else {
        struct pub_header header = {.object = object->identity,
                                    .step = object->step,
                                    .bytes = bytes,
                                    .src = (uint32_t)object->pid,
                                    .packets = pub_count_packet(object, dest),
                                    .others = 1,
                                    .kind = PUB_HPPUT,
                                    .slot = slot,
                                    .offset = offset,
                                    .payload = bytes};
        object->out.forwards = object->out.forwards || pub_holds(object, src);
        object->out.messages++;
        object->out.bytes += bytes;
        pub_send_bytes(object->first + dest, &header, src, NULL, &object->out.unsent);
    }
    pub_leave();
}

static void get(struct pub_object *object, int from, const void *src, size_t offset, void *dst,
                size_t bytes, bool direct)
{
    struct pub_drma *drma = &object->drma;
    struct get_head head = {.offset = offset,
                            .bytes = bytes,
                            .slot = slot_of(object, src),
                            .number = drma->nwanted,
                            .direct = direct};
    drma->wanted = pub_grow(drma->wanted, drma->nwanted, &drma->wanted_room, sizeof *drma->wanted);
    drma->wanted[drma->nwanted++] = (struct pub_wanted){dst, bytes};
    memcpy(pub_record(object, from, PUB_GET, sizeof head, 0), &head, sizeof head);
}

void bsp_get(t_bsp *bsp, int from, const void *src, size_t offset, void *dst, size_t bytes)
{
    get(enter(bsp, "bsp_get", from, dst, bytes), from, src, offset, dst, bytes, false);
    pub_leave();
}

void bsp_hpget(t_bsp *bsp, int from, const void *src, size_t offset, void *dst, size_t bytes)
{
    get(enter(bsp, "bsp_hpget", from, dst, bytes), from, src, offset, dst, bytes, true);
    pub_leave();
}

/* ---- the end of the superstep */

static char *place(const struct pub_object *object, const char *what, uint32_t src, uint32_t slot,
                   uint64_t offset, uint64_t bytes)
{
    const struct pub_drma *drma = &object->drma;
    const struct pub_registration *r = &drma->slots[slot]; /* the same on all processors */
    if (offset > r->bytes || bytes > r->bytes - offset)
        pub_fail(
            object,
            "a %s of processor %u, %llu bytes at offset %llu, is outside of the %zu bytes that this "
            "processor has registered",
            what, src, (unsigned long long)bytes, (unsigned long long)offset, r->bytes);
    return bytes ? r->start + offset : r->start;
}

/* A block of answers to one processor. */
struct answers {
    uint8_t *block;
    size_t used, room;
    uint32_t n;
    int to;
    uint64_t payload;
};

static void send_answers(struct pub_object *object, struct answers *a)
{
    if (!a->n)
        return;
    struct pub_header header = {.object = object->identity,
                                .step = object->step,
                                .bytes = a->used - sizeof header,
                                .src = (uint32_t)object->pid,
                                .others = a->n,
                                .kind = PUB_REPLIES,
                                .payload = a->payload};
    if (a->to == object->pid) {
        struct pub_packet *packet = pub_take(sizeof *packet);
        packet->header = header;
        packet->storage = a->block;
        packet->data = a->block + sizeof header;
        pub_drma_reply(object, packet);
    } else {
        pub_send_block(object->first + a->to, &header, a->block);
    }
    *a = (struct answers){.to = a->to};
}

static void add_answer(struct pub_object *object, struct answers *a, const struct get_head *head,
                       const char *from)
{
    size_t whole = sizeof(struct t_bspmsg) + pub_padded(head->bytes);
    if (a->n && a->used + whole > a->room)
        send_answers(object, a);
    if (!a->n) {
        a->used = sizeof(struct pub_header);
        a->room = a->used + whole > pub.far_from ? a->used + whole : pub.far_from;
        a->block = pub_take(a->room);
    }
    struct t_bspmsg *record = (struct t_bspmsg *)(a->block + a->used);
    *record = (struct t_bspmsg){head->bytes, (int32_t)head->number, PUB_REPLY};
    if (head->bytes)
        memcpy(record + 1, from, head->bytes);
    a->used += whole;
    a->payload += head->bytes;
    a->n++;
}

static void answer_directly(struct pub_object *object, int to, const struct get_head *head,
                            const char *from)
{
    struct pub_header header = {.object = object->identity,
                                .step = object->step,
                                .bytes = head->bytes,
                                .src = (uint32_t)object->pid,
                                .others = 1,
                                .kind = PUB_HPREPLY,
                                .slot = head->number,
                                .payload = head->bytes};
    pub_send_bytes(object->first + to, &header, from, NULL, &object->out.unsent);
}

static void answer(struct pub_object *object, struct answers *a, int to,
                   const struct t_bspmsg *record)
{
    struct get_head head;
    memcpy(&head, record + 1, sizeof head);
    const char *from = place(object, "get", (uint32_t)to, head.slot, head.offset, head.bytes);
    object->out.bytes += head.bytes;
    if (head.direct && head.bytes >= pub.far_from && to != object->pid) {
        answer_directly(object, to, &head, from);
        return;
    }
    if (a->to != to)
        send_answers(object, a);
    a->to = to;
    add_answer(object, a, &head, from);
}

static void write_put(struct pub_object *object, const struct t_bspmsg *record)
{
    struct put_head head;
    memcpy(&head, record + 1, sizeof head);
    size_t bytes = record->size - sizeof head;
    char *to = place(object, "put", (uint32_t)record->src, head.slot, head.offset, bytes);
    if (bytes)
        memcpy(to, (const char *)(record + 1) + sizeof head, bytes);
}

static void write_hpput(struct pub_object *object, const struct pub_packet *packet)
{
    const struct pub_header *h = &packet->header;
    char *to = place(object, "put", h->src, h->slot, h->offset, h->bytes);
    if ((char *)packet->data != to)
        memcpy(to, packet->data, h->bytes);
}

static bool has_others(const struct pub_packet *packet)
{
    return packet->header.others && packet->header.kind != PUB_HPPUT;
}

static void answer_gets(struct pub_object *object, struct pub_packet **order, uint32_t n)
{
    struct answers a = {.to = -1};
    for (uint32_t i = 0; i < n; i++)
        for (size_t at = 0; has_others(order[i]) && at < order[i]->header.bytes;) {
            const struct t_bspmsg *record = (const struct t_bspmsg *)(order[i]->data + at);
            at += sizeof *record + pub_padded(record->size);
            if (record->kind == PUB_GET)
                answer(object, &a, record->src, record);
        }
    send_answers(object, &a);
}

static void write_puts(struct pub_object *object, struct pub_packet **order, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        if (order[i]->header.kind == PUB_HPPUT)
            write_hpput(object, order[i]);
        for (size_t at = 0; has_others(order[i]) && at < order[i]->header.bytes;) {
            const struct t_bspmsg *record = (const struct t_bspmsg *)(order[i]->data + at);
            at += sizeof *record + pub_padded(record->size);
            if (record->kind == PUB_PUT)
                write_put(object, record);
        }
    }
}

void pub_drma_reply(struct pub_object *object, struct pub_packet *packet)
{
    object->drma.answered += packet->header.others;
    object->inbox.bytes += packet->header.payload;
    if (packet->header.kind == PUB_HPREPLY) {
        pub_packet_free(packet); /* it was received where it belongs */
        return;
    }
    packet->next = object->drma.replies;
    object->drma.replies = packet;
}

static void write_answers(struct pub_object *object, const struct pub_packet *packet)
{
    for (size_t at = 0; at < packet->header.bytes;) {
        const struct t_bspmsg *record = (const struct t_bspmsg *)(packet->data + at);
        at += sizeof *record + pub_padded(record->size);
        if (record->size)
            memcpy(object->drma.wanted[record->src].destination, record + 1, record->size);
    }
}

static void take_answers(struct pub_object *object)
{
    struct pub_drma *drma = &object->drma;
    while (drma->answered < drma->nwanted)
        pub_wait_event(NULL); /* all others are in bsp_sync and answer */
    for (struct pub_packet *packet = drma->replies, *next; packet; packet = next) {
        next = packet->next;
        write_answers(object, packet);
        pub_packet_free(packet);
    }
    drma->replies = NULL;
    drma->nwanted = drma->answered = 0;
}

void pub_drma_finish(struct pub_object *object, struct pub_packet **order, uint32_t n)
{
    if (object->inbox.others)
        answer_gets(object, order, n);
    if (object->drma.nwanted)
        take_answers(object);
    if (object->inbox.others)
        write_puts(object, order, n);
    change_registrations(&object->drma);
}

void pub_drma_release(struct pub_object *object)
{
    struct pub_drma *drma = &object->drma;
    drma->nslots = drma->nchanges = drma->nwanted = drma->answered = 0;
    drma->registrations = 0;
}

void pub_drma_free(struct pub_drma *drma)
{
    free(drma->slots);
    free(drma->changes);
    free(drma->wanted);
}

/* ---- far packets */

/* The target of bsp_hpput, if it is known already; else the end of the superstep finds it. This processor may have
   registered something else than the sender: a barrier tells only neighbours before the put arrives (alike.c). */
static uint8_t *put_place(const struct pub_object *object, const struct pub_header *header)
{
    if (!object || object->step != header->step || header->slot >= object->drma.nslots)
        return NULL;
    const struct pub_registration *slot = &object->drma.slots[header->slot];
    if (!slot->order || header->offset > slot->bytes ||
        header->bytes > slot->bytes - header->offset)
        return NULL;
    return (uint8_t *)slot->start + header->offset;
}

uint8_t *pub_drma_bytes(const struct pub_header *header)
{
    if (header->kind != PUB_HPPUT && header->kind != PUB_HPREPLY)
        return NULL;
    const struct pub_object *object = pub_object_find(header->object);
    if (header->kind == PUB_HPPUT)
        return put_place(object, header);
    return (uint8_t *)object->drma.wanted[header->slot].destination;
}
