/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages: the ways to send them, and to read them. */
#include "program.h"

static const size_t sizes[] = {0, 1, 17, 64, 4000, 4096, 16383, 16384, 16385, 100001};
#define SIZES  (sizeof sizes / sizeof *sizes)
#define LONGER 100001

enum way { SEND, HPSEND, SENDMSG, WAYS };

static void send_in(t_bsp *bsp, enum way way, int dest, void *buffer, size_t bytes)
{
    if (way == SEND) {
        bsp_send(bsp, dest, buffer, bytes);
        memset(buffer, 0xee, bytes); /* it is free */
    } else if (way == HPSEND) {
        bsp_hpsend(bsp, dest, buffer, bytes);
    } else {
        t_bspmsg *message = bsp_createmsg(bsp, bytes);
        SAME(bsp, bspmsg_size(message), bytes);
        if (bytes)
            memcpy(bspmsg_data(message), buffer, bytes);
        bsp_sendmsg(bsp, dest, message);
    }
}

static uint64_t seed_of(int from, int to, size_t bytes, enum way way)
{
    return mixed((uint64_t)from * 1000 + (uint64_t)to) + bytes * 4 + way;
}

/* A message from everybody to everybody, itself included. */
static void exchange(t_bsp *bsp, size_t bytes, enum way way, int oblivious)
{
    int p = bsp_nprocs(bsp), pid = bsp_pid(bsp);
    uint8_t *buffers = must_alloc((size_t)p * bytes);
    for (int to = 0; to < p; to++) {
        fill(buffers + (size_t)to * bytes, bytes, seed_of(pid, to, bytes, way));
        send_in(bsp, way, to, buffers + (size_t)to * bytes, bytes);
    }
    if (oblivious)
        bsp_oblsync(bsp, p);
    else
        bsp_sync(bsp);
    free(buffers);
    SAME(bsp, bsp_nmsgs(bsp), p);
    for (int from = 0; from < p; from++) {
        t_bspmsg *message = bsp_getmsg(bsp, from);
        SAME(bsp, bspmsg_src(message), from);
        SAME(bsp, bspmsg_size(message), bytes);
        CHECK(bsp, bytes == 0 || (uintptr_t)bspmsg_data(message) % 16 == 0);
        CHECK(bsp, holds(bspmsg_data(message), bytes, seed_of(from, pid, bytes, way)));
    }
}

static void all_sizes_in_all_ways(t_bsp *world)
{
    for (size_t i = 0; i < SIZES; i++)
        for (int way = 0; way < WAYS; way++) {
            exchange(world, sizes[i], (enum way)way, 0);
            exchange(world, sizes[i], (enum way)way, 1);
        }
}

static void null_buffer_with_no_bytes(t_bsp *world)
{
    int p = bsp_nprocs(world), pid = bsp_pid(world);
    bsp_send(world, (pid + 1) % p, NULL, 0);
    bsp_hpsend(world, (pid + 1) % p, NULL, 0);
    bsp_oblsync(world, 2);
    SAME(world, bsp_nmsgs(world), 2);
    CHECK(world, bspmsg_data(bsp_getmsg(world, 1)) != NULL);
    SAME(world, bspmsg_size(bsp_getmsg(world, 1)), 0);
}

/* Processor i sends i + 1 messages to everybody, of all sizes in turn. */
static void found_by_sender(t_bsp *world)
{
    int p = bsp_nprocs(world), pid = bsp_pid(world), n = 0;
    uint8_t *buffer = must_alloc(LONGER);
    for (int k = 0; k <= pid; k++)
        for (int to = 0; to < p; to++)
            bsp_send(world, to, buffer, sizes[k % (int)SIZES]);
    bsp_sync(world);
    free(buffer);
    SAME(world, bsp_nmsgs(world), p * (p + 1) / 2);
    for (int src = 0; src < p; src++) {
        size_t bytes = 0, expected = 0;
        for (int k = 0; k <= src; k++, n++) {
            CHECK(world, bsp_findmsg(world, src, k) == bsp_getmsg(world, n));
            SAME(world, bspmsg_src(bsp_getmsg(world, n)), src);
            bytes += bspmsg_size(bsp_getmsg(world, n));
            expected += sizes[k % (int)SIZES];
        }
        SAME(world, bytes, expected);
        CHECK(world, !bsp_findmsg(world, src, src + 1));
        CHECK(world, !bsp_findmsg(world, src, -1));
    }
    CHECK(world, !bsp_getmsg(world, n));
    CHECK(world, !bsp_getmsg(world, -1));
}

static void nothing_is_found_where_nothing_came(t_bsp *world)
{
    int p = bsp_nprocs(world), pid = bsp_pid(world);
    bsp_sync(world);
    SAME(world, bsp_nmsgs(world), 0);
    CHECK(world, !bsp_getmsg(world, 0));
    CHECK(world, !bsp_findmsg(world, 0, 0));
    CHECK(world, !bspmsg_data(NULL));
    SAME(world, bspmsg_size(NULL), 0);
    SAME(world, bspmsg_src(NULL), -1);
    if (pid == p - 1)
        bsp_send(world, 0, "x", 1);
    bsp_sync(world);
    for (int src = 0; src < p; src++)
        CHECK(world, !bsp_findmsg(world, src, 0) == !(pid == 0 && src == p - 1));
}

static void messages_go_with_the_next_superstep(t_bsp *world)
{
    exchange(world, 64, SEND, 0);
    bsp_oblsync(world, 0);
    SAME(world, bsp_nmsgs(world), 0);
    exchange(world, 20000, SEND, 1);
    bsp_sync(world);
    SAME(world, bsp_nmsgs(world), 0);
}

/* What arrives early waits for its superstep, in whatever order it comes. */
static void early_messages_wait(t_bsp *world)
{
    enum { STEPS = 40 };
    int p = bsp_nprocs(world), pid = bsp_pid(world);
    static uint8_t text[30000];
    bsp_sync(world);
    if (pid == 0) { /* sends all at once, before it reads anything */
        for (int s = 0; s < STEPS; s++) {
            size_t bytes = s % 3 == 2 ? 30000 : (size_t)s;
            fill(text, bytes, (uint64_t)s);
            for (int to = 1; to < p; to++)
                bsp_send(world, to, text, bytes);
            bsp_oblsync(world, 0);
        }
        return;
    }
    for (int s = 0; s < STEPS; s++) {
        bsp_oblsync(world, 1);
        size_t bytes = s % 3 == 2 ? 30000 : (size_t)s;
        SAME(world, bsp_nmsgs(world), 1);
        SAME(world, bspmsg_size(bsp_getmsg(world, 0)), bytes);
        CHECK(world, holds(bspmsg_data(bsp_getmsg(world, 0)), bytes, (uint64_t)s));
    }
}

static void received_messages_can_be_changed(t_bsp *world)
{
    int p = bsp_nprocs(world);
    exchange(world, 100, SEND, 0);
    for (int i = 0; i < p; i++)
        memset(bspmsg_data(bsp_getmsg(world, i)), i, 100);
    for (int i = 0; i < p; i++) {
        const uint8_t *data = bspmsg_data(bsp_getmsg(world, i));
        CHECK(world, data[0] == i && data[99] == i);
        SAME(world, bspmsg_src(bsp_getmsg(world, i)), i);
    }
    for (int i = 0; i < p; i++) /* they can be sent from where they lie */
        bsp_send(world, i, bspmsg_data(bsp_getmsg(world, i)), 100);
    bsp_sync(world);
    for (int i = 0; i < p; i++)
        CHECK(world, *(uint8_t *)bspmsg_data(bsp_getmsg(world, i)) == bsp_pid(world));
}

/* Around and around, from where they were received. */
static void received_messages_are_sent_on(t_bsp *world)
{
    enum { N = 5, BYTES = 40000 };
    static uint8_t first[N][BYTES], cell[BYTES];
    int p = bsp_nprocs(world), pid = bsp_pid(world), right = (pid + 1) % p;
    bsp_push_reg(world, cell, sizeof cell);
    bsp_sync(world);
    for (int i = 0; i < N; i++) {
        fill(first[i], BYTES, (uint64_t)(pid * N + i));
        bsp_hpsend(world, right, first[i], i ? BYTES : 100);
    }
    for (int round = 1; round <= 30; round++) {
        if (round % 3)
            bsp_oblsync(world, N);
        else
            bsp_sync(world);
        int origin = ((pid - round) % p + p) % p;
        SAME(world, bsp_nmsgs(world), N);
        for (int k = 0; k < N; k++) {
            t_bspmsg *message = bsp_getmsg(world, k);
            size_t bytes = bspmsg_size(message);
            int i = 0;
            while (i < N && !holds(bspmsg_data(message), bytes, (uint64_t)(origin * N + i)))
                i++;
            CHECK(world, i < N && bytes == (i ? BYTES : 100));
            bsp_hpsend(world, right, bspmsg_data(message), bytes);
            if (i == 1 && round % 3 == 2) /* the superstep ends with bsp_sync */
                bsp_hpput(world, right, bspmsg_data(message), cell, 0, bytes);
        }
        if (round % 3 == 0)
            CHECK(world, holds(cell, BYTES, (uint64_t)(origin * N + 1)));
    }
    bsp_pop_reg(world, cell);
    bsp_sync(world);
}

static void created_messages(t_bsp *world)
{
    int p = bsp_nprocs(world), pid = bsp_pid(world);
    t_bsp copy;
    bsp_dup(world, &copy);
    t_bspmsg *kept = bsp_createmsg(world, 50000), *empty = bsp_createmsg(world, 0);
    t_bspmsg *thrown_away = bsp_createmsg(world, 1 << 20);
    CHECK(world, (uintptr_t)bspmsg_data(kept) % 16 == 0);
    SAME(world, bspmsg_size(empty), 0);
    SAME(world, bspmsg_src(kept), pid);
    fill(bspmsg_data(kept), 50000, 7);
    bsp_freemsg(world, thrown_away);
    bsp_freemsg(world, NULL);
    exchange(world, 64, SEND, 0); /* it lives through supersteps */
    bsp_sendmsg(&copy, (pid + 1) % p, kept);
    bsp_sendmsg(world, (pid + 1) % p, empty);
    bsp_sync(world);
    bsp_sync(&copy);
    SAME(world, bsp_nmsgs(world), 1);
    SAME(world, bspmsg_size(bsp_getmsg(&copy, 0)), 50000);
    CHECK(world, holds(bspmsg_data(bsp_getmsg(&copy, 0)), 50000, 7));
    bsp_done(&copy);
}

/* More of them than fit into one packet, or into one block; and none is lost or doubled. */
static void ten_thousand_in_a_superstep(t_bsp *world)
{
    enum { N = 10000 };
    int p = bsp_nprocs(world), pid = bsp_pid(world), right = (pid + 1) % p;
    for (int oblivious = 0; oblivious < 2; oblivious++) {
        for (int i = 0; i < N; i++) {
            int text[16] = {i, pid};
            bsp_send(world, right, text, sizeof text);
        }
        if (oblivious)
            bsp_oblsync(world, N);
        else
            bsp_sync(world);
        SAME(world, bsp_nmsgs(world), N);
        for (int i = 0; i < N; i++) {
            const int *text = bspmsg_data(bsp_getmsg(world, i));
            CHECK(world, text[0] == i && text[1] == (pid + p - 1) % p);
        }
    }
}

/* Small ones between large ones. The order is the same in both rounds. */
static void order_repeats(t_bsp *world)
{
    enum { N = 40 };
    int p = bsp_nprocs(world);
    static uint8_t text[N][60000];
    size_t *order[2];
    uint64_t state = 99;
    for (int round = 0; round < 6; round++) {
        uint64_t random = state + (uint64_t)(round / 2);
        for (int i = 0; i < N; i++) {
            size_t bytes = 8 + (below(&random, 3) ? below(&random, 100) : below(&random, 50000));
            memcpy(text[i], &i, sizeof i);
            for (int to = 0; to < p; to++)
                send_in(world, i % 2 ? HPSEND : SENDMSG, to, text[i], bytes);
        }
        bsp_sync(world);
        SAME(world, bsp_nmsgs(world), N * p);
        order[round % 2] = must_alloc((size_t)(N * p) * sizeof(size_t));
        for (int i = 0; i < N * p; i++)
            order[round % 2][i] = *(uint32_t *)bspmsg_data(bsp_getmsg(world, i));
        if (round % 2) {
            CHECK(world, !memcmp(order[0], order[1], (size_t)(N * p) * sizeof(size_t)));
            free(order[0]);
            free(order[1]);
        }
    }
}

PROGRAM(TEST(all_sizes_in_all_ways), TEST(null_buffer_with_no_bytes), TEST(found_by_sender),
        TEST(nothing_is_found_where_nothing_came), TEST(messages_go_with_the_next_superstep),
        TEST(early_messages_wait), TEST(received_messages_can_be_changed),
        TEST(received_messages_are_sent_on), TEST(created_messages),
        TEST(ten_thousand_in_a_superstep), TEST(order_repeats))
