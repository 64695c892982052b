/* SPDX-License-Identifier: MIT */
/*
 * Messages. Small messages to the same processor are collected in a block, which is sent when the
 * superstep ends or when it is large. Large messages are sent at once, alone.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "pub/internal.h"

#define FLUSH_FROM ((size_t)1 << 20)

/* ---- blocks */

static struct pub_outgoing *outgoing(struct pub_object *object, int dest)
{
    struct pub_outgoing *out = &object->out.to[dest];
    if (!out->touched) {
        out->touched = true;
        object->out.touched[object->out.ntouched++] = dest;
    }
    return out;
}

static void enlarge(struct pub_outgoing *out, size_t bytes)
{
    size_t wanted = out->block ? 2 * out->room : pub.capacity;
    if (!out->block && out->hint > wanted)
        wanted = out->hint;
    while (wanted < out->used + bytes)
        wanted *= 2;
    uint8_t *larger = pub_take(wanted);
    if (out->block) {
        memcpy(larger + sizeof(struct pub_header), out->block + sizeof(struct pub_header),
               out->used - sizeof(struct pub_header));
        pub_give(out->block);
    } else {
        out->used = sizeof(struct pub_header);
    }
    out->block = larger;
    out->room = wanted;
}

/* Room for `whole` bytes more in the block for a processor. */
static void make_room(struct pub_object *object, int dest, size_t whole)
{
    struct pub_outgoing *out = outgoing(object, dest);
    if (out->block && out->used + whole > FLUSH_FROM && dest != object->pid)
        pub_flush(object, dest);
    enlarge(out, whole + sizeof(struct pub_header));
}

uint8_t *pub_record(struct pub_object *object, int dest, uint32_t kind, size_t bytes,
                    size_t payload)
{
    struct pub_outgoing *out = &object->out.to[dest];
    size_t whole = sizeof(struct t_bspmsg) + pub_padded(bytes);
    if (__builtin_expect(!out->block || out->used + whole > out->room, 0))
        make_room(object, dest, whole);
    struct t_bspmsg *record = (struct t_bspmsg *)(out->block + out->used);
    out->used += whole;
    out->payload += payload;
    out->turns += out->stride != whole;
    out->stride = (uint32_t)whole;
    *record = (struct t_bspmsg){bytes, object->pid, kind};
    if (kind == PUB_MESSAGE)
        out->messages++;
    else
        out->others++;
    return (uint8_t *)(record + 1);
}

/* A block to this processor itself: as if it had arrived. */
static void deliver_to_self(struct pub_object *object, struct pub_header *header, uint8_t *block)
{
    struct pub_packet *packet = pub_take(sizeof *packet);
    packet->header = *header;
    packet->header.far = 1;
    packet->storage = block;
    packet->data = block + sizeof *header;
    pub_inbox_add(object, packet);
}

uint32_t pub_count_packet(struct pub_object *object, int dest)
{
    return outgoing(object, dest)->packets++;
}

/* Bytes of each record of the block if all have the same size, else 0. */
static uint32_t stride_of(const struct pub_outgoing *out)
{
    return out->turns == 1 && !out->others && out->messages > 1 ? out->stride : 0;
}

/* Counts the contents of the block as sent. */
static void count_block(struct pub_object *object, const struct pub_outgoing *out)
{
    object->out.messages += out->messages + out->others;
    object->out.bytes += out->payload;
}

uint8_t *pub_take_block(struct pub_object *object, int dest, struct pub_header *header)
{
    struct pub_outgoing *out = &object->out.to[dest];
    uint8_t *block = out->block;
    if (!block)
        return NULL;
    count_block(object, out);
    header->bytes = out->used - sizeof *header;
    header->packets = out->packets;
    header->messages = out->messages;
    header->others = out->others;
    header->slot = stride_of(out);
    header->payload = out->payload;
    /* a block that only has numbers of a round tells nothing about the next block */
    uint32_t hint = out->messages || out->others ? (uint32_t)out->used : out->hint;
    *out = (struct pub_outgoing){.hint = hint, .packets = out->packets, .touched = out->touched};
    return block;
}

void pub_flush(struct pub_object *object, int dest)
{
    struct pub_header header = {.object = object->identity,
                                .step = object->step,
                                .src = (uint32_t)object->pid,
                                .kind = PUB_BLOCK,
                                .pieces = object->pieces};
    uint8_t *block = pub_take_block(object, dest, &header);
    if (!block)
        return;
    if (dest == object->pid) {
        object->inbox.announced++;
        deliver_to_self(object, &header, block);
    } else {
        object->out.to[dest].packets++;
        pub_send_block(object->first + dest, &header, block);
    }
}

uint8_t *pub_append(struct pub_object *object, int dest, size_t bytes)
{
    struct pub_outgoing *out = outgoing(object, dest);
    if (!out->block) {
        out->used = sizeof(struct pub_header);
        out->room = out->used + bytes;
        out->block = pub_take(out->room);
    } else if (out->used + bytes > out->room) {
        enlarge(out, bytes);
    }
    out->used += bytes;
    return out->block + out->used - bytes;
}

void pub_outbox_make(struct pub_outbox *out, int size)
{
    if (out->room >= size)
        return;
    pub_outbox_free(out);
    out->to = calloc((size_t)size, sizeof *out->to);
    out->touched = calloc((size_t)size, sizeof *out->touched);
    out->room = size;
    if (!out->to || !out->touched)
        pub_fail(NULL, "no memory for an object of %d processors", size);
}

void pub_outbox_free(struct pub_outbox *out)
{
    free(out->to);
    free(out->touched);
}

void pub_outbox_reset(struct pub_outbox *out)
{
    for (int i = 0; i < out->ntouched; i++) {
        struct pub_outgoing *to = &out->to[out->touched[i]];
        *to = (struct pub_outgoing){.hint = to->hint};
    }
    out->ntouched = 0;
    out->messages = out->bytes = 0;
    out->forwards = false;
}

/* ---- sending */

static inline void check_dest(const struct pub_object *object, int dest)
{
    if (__builtin_expect(dest < 0 || dest >= object->size, 0))
        pub_fail(object, "there is no processor %d: they are 0 .. %d", dest, object->size - 1);
}

/* Sends a message of `size` bytes, `payload` of them the program's, alone; `storage` is given back
   when it has been sent, or `unsent` counts it, or it is copied. */
static void send_alone(struct pub_object *object, int dest, const void *bytes, size_t size,
                       size_t payload, void *storage, uint32_t *unsent)
{
    pub_flush(object, dest); /* keeps the order of messages */
    struct pub_header header = {.object = object->identity,
                                .step = object->step,
                                .bytes = size,
                                .src = (uint32_t)object->pid,
                                .packets = pub_count_packet(object, dest),
                                .messages = 1,
                                .kind = PUB_BLOCK,
                                .single = 1,
                                .pieces = object->pieces,
                                .payload = payload};
    object->out.messages++;
    object->out.bytes += payload;
    pub_send_bytes(object->first + dest, &header, bytes, storage, unsent);
}

static inline void send_copy(struct pub_object *object, int dest, const void *buffer, size_t bytes)
{
    pub_copy(pub_record(object, dest, PUB_MESSAGE, bytes, bytes), buffer, bytes);
}

static void bad_buffer(const struct pub_object *object, const void *buffer, size_t bytes)
{
    if (!buffer)
        pub_fail(object, "the buffer is a null pointer, and the message has %zu bytes", bytes);
    pub_fail(object, "a message of %zu bytes: a negative number?", bytes);
}

static inline struct pub_object *enter_send(const t_bsp *bsp, const char *call, int dest,
                                            const void *buffer, size_t bytes)
{
    struct pub_object *object = pub_enter(bsp, call);
    check_dest(object, dest);
    if (__builtin_expect((!buffer && bytes) || bytes > PTRDIFF_MAX, 0))
        bad_buffer(object, buffer, bytes);
    return object;
}

/* The usual case, in a separate function because programs send very many small messages: all
   arguments are valid and the block has room. */
static inline bool send_quickly(const t_bsp *bsp, int dest, const void *buffer, size_t bytes)
{
    struct pub_object *object = bsp ? bsp->object : NULL;
    if (!pub.plain || !object || object->incarnation != bsp->incarnation || bytes >= pub.far_from ||
        (unsigned)dest >= (unsigned)object->size || (!buffer && bytes))
        return false;
    struct pub_outgoing *out = &object->out.to[dest];
    size_t whole = sizeof(struct t_bspmsg) + pub_padded(bytes);
    if (out->room - out->used < whole)
        return false;
    struct t_bspmsg *record = (struct t_bspmsg *)(out->block + out->used);
    *record = (struct t_bspmsg){bytes, object->pid, PUB_MESSAGE};
    out->used += whole;
    out->payload += bytes;
    out->turns += out->stride != whole;
    out->stride = (uint32_t)whole;
    out->messages++;
    pub_copy((uint8_t *)(record + 1), buffer, bytes);
    return true;
}

static void __attribute__((noinline))
send_slowly(const t_bsp *bsp, int dest, const void *buffer, size_t bytes)
{
    struct pub_object *object = enter_send(bsp, "bsp_send", dest, buffer, bytes);
    if (bytes < pub.far_from || dest == object->pid)
        send_copy(object, dest, buffer, bytes);
    else
        send_alone(object, dest, buffer, bytes, bytes, NULL, NULL);
    pub_leave();
}

void bsp_send(t_bsp *bsp, int dest, const void *buffer, size_t bytes)
{
    if (__builtin_expect(!send_quickly(bsp, dest, buffer, bytes), 0))
        send_slowly(bsp, dest, buffer, bytes);
}

/* The padding is written, so that no memory that is not set travels. */
static uint8_t *put_parts(uint8_t *to, const void *front, size_t front_bytes, const void *body,
                          size_t body_bytes)
{
    size_t padded = pub_padded(front_bytes);
    if (padded)
        memset(to + padded - 16, 0, 16);
    pub_copy(to, front, front_bytes);
    pub_copy(to + padded, body, body_bytes);
    return to;
}

void pub_layer_send(t_bsp *bsp, int dest, const void *front, size_t front_bytes, const void *body,
                    size_t body_bytes)
{
    struct pub_object *object = enter_send(bsp, "bsp_send", dest, body, body_bytes);
    size_t bytes = pub_padded(front_bytes) + body_bytes, payload = front_bytes + body_bytes;
    if (bytes < pub.far_from || dest == object->pid) {
        put_parts(pub_record(object, dest, PUB_MESSAGE, bytes, payload), front, front_bytes, body,
                  body_bytes);
    } else {
        void *copy = put_parts(pub_take(bytes), front, front_bytes, body, body_bytes);
        send_alone(object, dest, copy, bytes, payload, copy, NULL);
    }
    pub_leave();
}

void bsp_hpsend(t_bsp *bsp, int dest, const void *buffer, size_t bytes)
{
    struct pub_object *object = enter_send(bsp, "bsp_hpsend", dest, buffer, bytes);
    if (bytes < pub.far_from || dest == object->pid)
        send_copy(object, dest, buffer, bytes);
    else {
        object->out.forwards = object->out.forwards || pub_holds(object, buffer);
        send_alone(object, dest, buffer, bytes, bytes, NULL, &object->out.unsent);
    }
    pub_leave();
}

bool pub_holds(const struct pub_object *object, const void *buffer)
{
    for (const struct pub_packet *packet = object->delivered.packets; packet;
         packet = packet->next) {
        const char *from = packet->storage ? packet->storage : packet;
        if ((const char *)buffer >= from && (const char *)buffer < from + pub_room(from))
            return true;
    }
    return false;
}

t_bspmsg *bsp_createmsg(t_bsp *bsp, size_t bytes)
{
    struct pub_object *object = pub_look(bsp, "bsp_createmsg");
    if (bytes > PTRDIFF_MAX)
        pub_fail(object, "a message of %zu bytes: a negative number?", bytes);
    struct t_bspmsg *message = pub_take(sizeof *message + bytes);
    *message = (struct t_bspmsg){.size = bytes, .src = object->pid, .kind = PUB_CREATED};
    return message;
}

static void check_created(const struct pub_object *object, const t_bspmsg *message)
{
    if (!message || message->kind != PUB_CREATED)
        pub_fail(object, "the message was not made by bsp_createmsg, or was sent already");
}

void bsp_sendmsg(t_bsp *bsp, int dest, t_bspmsg *message)
{
    struct pub_object *object = pub_enter(bsp, "bsp_sendmsg");
    check_dest(object, dest);
    check_created(object, message);
    message->kind = PUB_SENT;
    if (message->size < pub.far_from || dest == object->pid) {
        send_copy(object, dest, message + 1, message->size);
        pub_give(message);
    } else {
        send_alone(object, dest, message + 1, message->size, message->size, message, NULL);
    }
    pub_leave();
}

void bsp_freemsg(t_bsp *bsp, t_bspmsg *message)
{
    struct pub_object *object = pub_look(bsp, "bsp_freemsg");
    if (message) {
        check_created(object, message);
        message->kind = PUB_SENT;
        pub_give(message);
    }
}

/* ---- reading */

int bsp_nmsgs(t_bsp *bsp)
{
    const struct pub_delivered *d = &pub_look(bsp, "bsp_nmsgs")->delivered;
    return d->nmessages <= INT_MAX ? (int)d->nmessages : INT_MAX;
}

t_bspmsg *bsp_getmsg(t_bsp *bsp, int i)
{
    const struct pub_delivered *d = &pub_look(bsp, "bsp_getmsg")->delivered;
    return i >= 0 && (uint32_t)i < d->nmessages ? d->messages[i] : NULL;
}

t_bspmsg *bsp_findmsg(t_bsp *bsp, int src, int i)
{
    struct pub_object *object = pub_look(bsp, "bsp_findmsg");
    const struct pub_delivered *d = &object->delivered;
    check_dest(object, src);
    uint32_t low = 0, high = d->nmessages; /* the first one that is not from a lower processor */
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (d->messages[middle]->src < src)
            low = middle + 1;
        else
            high = middle;
    }
    if (i < 0 || (uint32_t)i >= d->nmessages - low || d->messages[low + (uint32_t)i]->src != src)
        return NULL;
    return d->messages[low + (uint32_t)i];
}

void *bspmsg_data(t_bspmsg *message)
{
    return message ? message + 1 : NULL;
}

size_t bspmsg_size(const t_bspmsg *message)
{
    return message ? message->size : 0;
}

int bspmsg_src(const t_bspmsg *message)
{
    return message ? message->src : -1;
}
