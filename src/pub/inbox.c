/* SPDX-License-Identifier: MIT */
/*
 * Finds the object and the superstep of each packet. Packets of the current superstep of an object
 * go into its inbox. Packets of a later superstep, or of a group that this processor has not made
 * yet, are queued in a table by identity and superstep until pub_inbox_open takes them. Packets of
 * collective operations that this processor has not begun are queued there, too, by the number of
 * the operation.
 */
#include <stdlib.h>
#include <string.h>

#include "pub/internal.h"

/* ---- the table of packets that arrive early */

struct early {
    struct early *chain;
    uint64_t object, step;
    bool collects; /* step is the number of a collective operation */
    struct pub_packet *packets, **last;
};

static struct early **table;
static size_t buckets, entries;
static uint64_t stashed;

static size_t bucket_of(uint64_t object, uint64_t step, size_t n)
{
    uint64_t mixed = (object ^ step * 0x9e3779b97f4a7c15u) * 0xd6e8feb86659fd93u;
    return (size_t)(mixed >> 20) & (n - 1);
}

static void enlarge(void)
{
    size_t n = buckets ? 2 * buckets : 256;
    struct early **larger = calloc(n, sizeof *larger);
    if (!larger)
        pub_fail(NULL, "no memory for messages that came early");
    for (size_t i = 0; i < buckets; i++)
        while (table[i]) {
            struct early *entry = table[i];
            table[i] = entry->chain;
            size_t to = bucket_of(entry->object, entry->step, n);
            entry->chain = larger[to];
            larger[to] = entry;
        }
    free(table);
    table = larger;
    buckets = n;
}

static struct early **find(uint64_t object, uint64_t step, bool collects)
{
    struct early **at = &table[bucket_of(object, step, buckets)];
    while (*at && ((*at)->object != object || (*at)->step != step || (*at)->collects != collects))
        at = &(*at)->chain;
    return at;
}

void pub_stash(struct pub_packet *packet)
{
    bool collects = packet->header.kind == PUB_COLLECT;
    if (entries >= buckets)
        enlarge();
    struct early **at = find(packet->header.object, packet->header.step, collects);
    if (!*at) {
        struct early *entry = pub_take(sizeof *entry);
        *entry = (struct early){
            .object = packet->header.object, .step = packet->header.step, .collects = collects};
        entry->last = &entry->packets;
        *at = entry;
        entries++;
    }
    packet->next = NULL;
    *(*at)->last = packet;
    (*at)->last = &packet->next;
    stashed++;
}

struct pub_packet *pub_unstash(uint64_t object, uint64_t step, bool collects)
{
    if (!stashed)
        return NULL;
    struct early **at = find(object, step, collects), *entry = *at;
    if (!entry)
        return NULL;
    struct pub_packet *packets = entry->packets;
    for (const struct pub_packet *packet = packets; packet; packet = packet->next)
        stashed--;
    *at = entry->chain;
    entries--;
    pub_give(entry);
    return packets;
}

struct pub_packet *pub_stash_any(void)
{
    for (size_t i = 0; i < buckets; i++)
        if (table[i])
            return table[i]->packets;
    return NULL;
}

void pub_stash_release(void)
{
    free(table);
    table = NULL;
    buckets = entries = 0;
    stashed = 0;
}

/* ---- inboxes */

void pub_inbox_open(struct pub_object *object)
{
    struct pub_inbox *inbox = &object->inbox;
    memset(inbox, 0, offsetof(struct pub_inbox, rounds));
    inbox->last = &inbox->packets;
    struct pub_packet *next;
    for (struct pub_packet *packet = pub_unstash(object->identity, object->step, false); packet;
         packet = next) {
        next = packet->next;
        pub_inbox_add(object, packet);
    }
}

void pub_inbox_list(struct pub_inbox *inbox, struct pub_packet *packet)
{
    packet->next = NULL;
    inbox->count++;
    *inbox->last = packet;
    inbox->last = &packet->next;
    inbox->messages += packet->header.messages;
    inbox->others += packet->header.others;
    inbox->bytes += packet->header.payload;
}

static void round_came(struct pub_inbox *inbox, const struct pub_header *header)
{
    inbox->came |= (uint32_t)1 << header->round;
    inbox->ended_by = (int)header->src;
}

void pub_inbox_add(struct pub_object *object, struct pub_packet *packet)
{
    struct pub_inbox *inbox = &object->inbox;
    const struct pub_header *header = &packet->header;
    switch (header->kind) {
    case PUB_ROUND:
        round_came(inbox, header);
        inbox->rounds[header->round] = packet;
        return;
    case PUB_REPLIES:
    case PUB_HPREPLY: pub_drma_reply(object, packet); return;
    default: inbox->arrived++; pub_inbox_list(inbox, packet);
    }
}

static void came_late(const struct pub_object *object, const struct pub_header *header)
{
    if (header->kind == PUB_ROUND)
        pub_fail(
            object,
            "processor %u ends superstep %llu with bsp_sync, this one ended it with bsp_oblsync",
            header->src, (unsigned long long)header->step);
    pub_fail(
        object,
        "a message of superstep %llu from processor %u arrived after bsp_oblsync had ended the "
        "superstep: its number of messages was too small",
        (unsigned long long)header->step, header->src);
}

void pub_arrive(struct pub_packet *packet)
{
    const struct pub_header *header = &packet->header;
    switch (header->kind) {
    case PUB_COLLECT: pub_collect(packet); return;
    case PUB_FINISH: pub_finish_came(packet); return;
    case PUB_QUESTION: pub_question_came(packet); return;
    case PUB_ANSWER: pub_answer_came(packet); return;
    default: break;
    }
    struct pub_object *object = pub_object_find(header->object);
    if (!object || header->step > object->step)
        pub_stash(packet);
    else if (header->step == object->step)
        pub_inbox_add(object, packet);
    else
        came_late(object, header);
}

void pub_empty_round(const struct pub_header *header)
{
    struct pub_object *object = pub_object_find(header->object);
    if (object && object->step == header->step) {
        round_came(&object->inbox, header);
        return;
    }
    struct pub_packet *packet = pub_take(sizeof *packet);
    packet->header = *header;
    packet->storage = NULL;
    pub_arrive(packet);
}

uint8_t *pub_far_bytes(struct pub_packet *packet)
{
    const struct pub_header *header = &packet->header;
    packet->data = pub_drma_bytes(header);
    if (packet->data)
        return packet->data;
    size_t front = header->single ? sizeof(struct t_bspmsg) : 0;
    packet->storage = pub_take(header->bytes + front);
    packet->data = (uint8_t *)packet->storage + front;
    return packet->data;
}
