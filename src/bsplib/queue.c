/* SPDX-License-Identifier: MIT */
/*
 * Messages with tags. A message of libpub holds the tag, padding to a multiple of 16 bytes, and the
 * payload. The queue is libpub's list of messages of the last superstep, from `next` on.
 */
#include <limits.h>
#include <stdint.h>
#include <string.h>

#include "bsplib/internal.h"

static struct {
    size_t received, sent, set; /* bytes of tags: in the queue, of this superstep, of the next */
} tags;

static struct {
    int next;
    size_t bytes; /* of all payloads from `next` on, if they were added up */
    bool is_added_up;
} queue;

void bspstd_queue_turn(void)
{
    tags.received = tags.sent;
    tags.sent = tags.set;
    queue.next = 0;
    queue.is_added_up = false;
}

/* ---- integers of the program */

static long long load(const void *from, size_t width)
{
    int narrow;
    long long wide;
    if (width == sizeof narrow) {
        memcpy(&narrow, from, sizeof narrow);
        return narrow;
    }
    memcpy(&wide, from, sizeof wide);
    return wide;
}

static void store(const char *call, void *to, size_t width, size_t value)
{
    if (width == sizeof(int) && value > INT_MAX && value != SIZE_MAX)
        pub_layer_fail(call, "%zu does not fit in the variable: give a size_t", value);
    int narrow = value == SIZE_MAX ? -1 : (int)value;
    long long wide = (long long)value;
    memcpy(to, width == sizeof narrow ? (const void *)&narrow : &wide, width);
}

/* ---- sending */

void bspstd_set_tagsize(void *bytes, size_t width)
{
    const t_bsp *machine = bspstd_machine("bsp_set_tagsize");
    if (!bytes)
        pub_layer_fail("bsp_set_tagsize", "the pointer to the size is null");
    long long wanted = load(bytes, width);
    if (wanted < 0)
        pub_layer_fail("bsp_set_tagsize", "%lld bytes: a negative number", wanted);
    store("bsp_set_tagsize", bytes, width, tags.set);
    tags.set = (size_t)wanted;
    pub_layer_alike(machine, tags.set);
}

static void send(const char *call, int pid, const void *tag, const void *payload, size_t bytes)
{
    t_bsp *machine = bspstd_machine(call);
    if (!tag && tags.sent)
        pub_layer_fail(call, "the tag is a null pointer, and tags have %zu bytes", tags.sent);
    pub_layer_send(machine, pid, tag, tags.sent, payload, bytes);
}

void bspstd_send(int pid, const void *tag, const void *payload, size_t bytes)
{
    send("bsp_send", pid, tag, payload, bytes);
}

void bspstd_hpsend(int pid, const void *tag, const void *payload, size_t bytes)
{
    send("bsp_hpsend", pid, tag, payload, bytes);
}

/* ---- the queue */

static size_t payload_size(const t_bspmsg *message)
{
    return bspmsg_size(message) - pub_layer_padded(tags.received);
}

/* The first message; NULL: the queue is empty. */
static t_bspmsg *first(const char *call)
{
    return bsp_getmsg(bspstd_machine(call), queue.next);
}

static void remove_first(size_t bytes)
{
    queue.next++;
    queue.bytes -= bytes;
}

static size_t bytes_left(const char *call)
{
    t_bsp *machine = bspstd_machine(call);
    int n = bsp_nmsgs(machine);
    if (!queue.is_added_up) {
        queue.bytes = 0;
        for (int i = queue.next; i < n; i++)
            queue.bytes += payload_size(bsp_getmsg(machine, i));
        queue.is_added_up = true;
    }
    return queue.bytes;
}

void bspstd_qsize(void *messages, size_t width, void *bytes, size_t bytes_width)
{
    size_t n = (size_t)(bsp_nmsgs(bspstd_machine("bsp_qsize")) - queue.next);
    if (!messages)
        pub_layer_fail("bsp_qsize", "the pointer to the number of messages is null");
    store("bsp_qsize", messages, width, n);
    if (bytes)
        store("bsp_qsize", bytes, bytes_width, bytes_left("bsp_qsize"));
}

void bspstd_get_tag(void *status, size_t width, void *tag)
{
    t_bspmsg *message = first("bsp_get_tag");
    if (!status)
        pub_layer_fail("bsp_get_tag", "the pointer to the status is null");
    if (!message) {
        store("bsp_get_tag", status, width, SIZE_MAX);
        return;
    }
    size_t width_of_tag = tags.received;
    if (!tag && width_of_tag)
        pub_layer_fail("bsp_get_tag", "the pointer to the tag is null, and tags have %zu bytes",
                       width_of_tag);
    store("bsp_get_tag", status, width, payload_size(message));
    if (width_of_tag)
        memcpy(tag, bspmsg_data(message), width_of_tag);
}

void bspstd_move(void *payload, size_t bytes)
{
    t_bspmsg *message = first("bsp_move");
    if (!message)
        pub_layer_fail("bsp_move", "the queue is empty: bsp_qsize tells how many messages it has");
    if (bytes > PTRDIFF_MAX)
        pub_layer_fail("bsp_move", "%zu bytes: a negative number?", bytes);
    size_t size = payload_size(message), moved = size < bytes ? size : bytes;
    if (!payload && moved)
        pub_layer_fail("bsp_move", "the buffer is a null pointer, and the payload has %zu bytes",
                       size);
    if (moved)
        memcpy(payload, (char *)bspmsg_data(message) + pub_layer_padded(tags.received), moved);
    remove_first(size);
}

ptrdiff_t bspstd_hpmove(void **tag, void **payload)
{
    t_bspmsg *message = first("bsp_hpmove");
    if (!tag || !payload)
        pub_layer_fail("bsp_hpmove", "the pointer to the tag or to the payload is null");
    if (!message)
        return -1;
    size_t size = payload_size(message);
    *tag = bspmsg_data(message);
    *payload = (char *)bspmsg_data(message) + pub_layer_padded(tags.received);
    remove_first(size);
    return (ptrdiff_t)size;
}
