/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Many supersteps, many bytes, processors far ahead of others, and full buffers. */
#include "program.h"

#include <unistd.h>

static void a_hundred_thousand_supersteps(t_bsp *world)
{
    int p = bsp_nprocs(world), pid = bsp_pid(world), right = (pid + 1) % p;
    int64_t first = bsp_superstep(world);
    for (int i = 0; i < 100000; i++) {
        int text[2] = {i, pid};
        bsp_send(world, right, text, sizeof text);
        if (i % 8)
            bsp_oblsync(world, 1);
        else
            bsp_sync(world);
        const int *came = bspmsg_data(bsp_getmsg(world, 0));
        CHECK(world, bsp_nmsgs(world) == 1 && came[0] == i && came[1] == (pid + p - 1) % p);
    }
    SAME(world, bsp_superstep(world), first + 100000);
}

/* 64 times 16 MB, in the three ways to send. */
static void a_gigabyte_in_total(t_bsp *world)
{
    enum { BYTES = 16 << 20, STEPS = 64 };
    int p = bsp_nprocs(world), pid = bsp_pid(world), right = (pid + 1) % p;
    uint8_t *buffer = must_alloc(BYTES);
    size_t total = 0;
    for (int i = 0; i < STEPS; i++) {
        if (i % 3 == 0) {
            t_bspmsg *message = bsp_createmsg(world, BYTES);
            memset(bspmsg_data(message), i + pid, BYTES);
            bsp_sendmsg(world, right, message);
        } else {
            memset(buffer, i + pid, BYTES);
            (i % 3 == 1 ? bsp_send : bsp_hpsend)(world, right, buffer, BYTES);
        }
        if (i % 2)
            bsp_oblsync(world, 1);
        else
            bsp_sync(world);
        const uint8_t *came = bspmsg_data(bsp_getmsg(world, 0));
        uint8_t want = (uint8_t)(i + (pid + p - 1) % p);
        for (size_t k = 0; k < BYTES; k += 4093)
            SAME(world, came[k], want);
        SAME(world, came[BYTES - 1], want);
        total += bspmsg_size(bsp_getmsg(world, 0));
    }
    SAME(world, total, (size_t)1 << 30);
    free(buffer);
}

/* More than one piece of MPI holds. */
static void one_message_above_a_gigabyte(t_bsp *world)
{
    size_t bytes = ((size_t)1 << 30) + 123457;
    int p = bsp_nprocs(world), pid = bsp_pid(world);
    uint8_t *buffer = pid ? NULL : must_alloc(bytes);
    if (pid == 0) {
        for (size_t i = 0; i < bytes; i += 1009)
            buffer[i] = (uint8_t)(i / 1009);
        buffer[bytes - 1] = 77;
        bsp_hpsend(world, p - 1, buffer, bytes);
    }
    bsp_oblsync(world, pid == p - 1);
    if (pid == p - 1) {
        const uint8_t *came = bspmsg_data(bsp_getmsg(world, 0));
        SAME(world, bspmsg_size(bsp_getmsg(world, 0)), bytes);
        SAME(world, came[bytes - 1], 77);
        for (size_t i = 0; i < bytes - 1; i += 1009)
            SAME(world, came[i], (uint8_t)(i / 1009));
    }
    free(buffer);
    bsp_sync(world);
}

/* Processor 0 has ended 1,000 supersteps before the others begin the first; its messages are
   buffered, or those who do not read them yet wait elsewhere in the library. */
static void run_ahead(t_bsp *world, size_t bytes, int hp)
{
    enum { STEPS = 1000 };
    int p = bsp_nprocs(world), pid = bsp_pid(world);
    uint8_t *buffer = must_alloc(bytes);
    t_bsp copy, gate;
    bsp_dup(world, &copy);
    bsp_dup(world, &gate);
    if (pid == 0) {
        for (int i = 0; i < STEPS; i++) {
            fill(buffer, bytes, (uint64_t)i);
            for (int to = 1; to < p; to++)
                (hp ? bsp_hpsend : bsp_send)(&copy, to, buffer, bytes);
            bsp_oblsync(&copy, 0);
        }
        SAME(world, bsp_superstep(&copy), STEPS + 1);
    } else if (!hp) {
        usleep(30000);
    }
    if (hp)
        bsp_sync(&gate);
    for (int i = 0; i < STEPS && pid; i++) {
        SAME(world, bsp_superstep(&copy), i + 1);
        bsp_oblsync(&copy, 1);
        SAME(world, bspmsg_size(bsp_getmsg(&copy, 0)), bytes);
        CHECK(world, holds(bspmsg_data(bsp_getmsg(&copy, 0)), bytes, (uint64_t)i));
    }
    bsp_done(&gate);
    bsp_done(&copy);
    free(buffer);
}

static void a_thousand_supersteps_ahead(t_bsp *world)
{
    run_ahead(world, 40, 0);
    run_ahead(world, 5000, 0);
    run_ahead(world, 20000, 0);
    run_ahead(world, 20000, 1);
}

/* A waits on a copy until its buffer has left; B waits on the machine for A. */
static void waiting_on_one_object_serves_the_other(t_bsp *world)
{
    enum { BYTES = 1 << 20 };
    int p = bsp_nprocs(world), pid = bsp_pid(world);
    uint8_t *buffer = must_alloc(BYTES);
    t_bsp copy;
    bsp_dup(world, &copy);
    for (int i = 0; i < 5; i++) {
        if (pid == 0) {
            fill(buffer, BYTES, (uint64_t)i);
            for (int to = 1; to < p; to++)
                bsp_hpsend(&copy, to, buffer, BYTES);
            bsp_oblsync(&copy, 0);
            bsp_sync(world);
        } else {
            bsp_sync(world);
            bsp_oblsync(&copy, 1);
            CHECK(world, holds(bspmsg_data(bsp_getmsg(&copy, 0)), BYTES, (uint64_t)i));
        }
    }
    bsp_done(&copy);
    free(buffer);
}

/* With PUB_BUFFER=1: while a processor waits for room it passes the parts of a broadcast on, to the
   same one that it is sending to. */
static void full_buffers_keep_packets_whole(t_bsp *world)
{
    enum { N = 30, BYTES = 120000, BLOCK = 60000 };
    int p = bsp_nprocs(world), pid = bsp_pid(world);
    uint8_t *text = must_alloc(BYTES), *blocks = must_alloc((size_t)p * BLOCK);
    for (int round = 0; round < 8; round++) {
        t_bsprequest requests[16];
        for (int root = 0; root < p && root < 16; root++) {
            if (pid == root)
                fill(blocks + root * BLOCK, BLOCK, (uint64_t)root);
            requests[root] = bsp_ibroadcast(world, root, blocks + root * BLOCK, BLOCK);
        }
        for (int i = 0; i < N; i++) {
            fill(text, BYTES, (uint64_t)i);
            bsp_send(world, (pid + 1 + i % 3) % p, text, i % 2 ? BYTES : 3000);
        }
        bsp_sync(world);
        SAME(world, bsp_nmsgs(world), N);
        for (int i = 0; i < N; i++) {
            t_bspmsg *message = bsp_getmsg(world, i);
            int k = 0;
            while (k < N && !holds(bspmsg_data(message), bspmsg_size(message), (uint64_t)k))
                k++;
            CHECK(world, k < N);
        }
        for (int root = 0; root < p && root < 16; root++) {
            bsp_wait(&requests[root]);
            CHECK(world, holds(blocks + root * BLOCK, BLOCK, (uint64_t)root));
        }
    }
    free(text);
    free(blocks);
}

PROGRAM(TEST(a_hundred_thousand_supersteps), TEST(a_gigabyte_in_total),
        TEST(one_message_above_a_gigabyte), TEST(a_thousand_supersteps_ahead),
        TEST(waiting_on_one_object_serves_the_other), TEST(full_buffers_keep_packets_whole))
