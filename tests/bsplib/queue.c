/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages: tags, the queue, and what a superstep does to them. */
#include "program.h"

static void set_tagsize(size_t bytes, size_t before)
{
    size_t value = bytes;
    bsp_set_tagsize(&value);
    SAME(value, before);
}

/* The tags of a superstep have the size that was set before it, sent and received. */
static void tag_size_changes_with_the_superstep(void)
{
    int p = bsp_nprocs(), pid = bsp_pid(), next = (pid + 1) % p, before = (pid + p - 1) % p;
    int size = sizeof(int), status;
    char byte = (char)(10 + pid), got = 0;
    bsp_set_tagsize(&size);
    SAME(size, 0);
    bsp_send(next, NULL, &pid,
             sizeof pid); /* without a tag: the size counts from the next one on */
    bsp_sync();
    size = 1;
    bsp_set_tagsize(&size);
    SAME(size, (int)sizeof(int));
    bsp_get_tag(&status, NULL);
    SAME(status, (int)sizeof(int));
    bsp_send(next, &pid, "abc", 3);
    bsp_sync();
    int tag = -1;
    char text[4] = "";
    bsp_get_tag(&status, &tag);
    SAME(status, 3);
    SAME(tag, before);
    bsp_move(text, 3);
    CHECK(!strcmp(text, "abc"));
    bsp_send(next, &byte, NULL, 0);
    set_tagsize(0, 1);
    bsp_sync();
    bsp_get_tag(&status, &got);
    SAME(status, 0);
    SAME(got, 10 + before);
    bsp_sync(); /* the message was not read, and is gone */
    bsp_get_tag(&status, &got);
    SAME(status, -1);
}

static void queue_counts_down(void)
{
    int p = bsp_nprocs(), messages, bytes, status;
    set_tagsize(sizeof(int), 0);
    bsp_sync();
    for (int to = 0; to < p; to++)
        for (int i = 0; i < 3; i++)
            bsp_send(to, &i, "0123456789", (size_t)(i + 1));
    bsp_qsize(&messages, &bytes);
    SAME(messages, 0);
    SAME(bytes, 0);
    bsp_sync();
    for (int left = 3 * p, i = 0; left > 0; left--, i++) {
        int tag = -1, payload = i % 3 + 1;
        char text[3] = "";
        bsp_qsize(&messages, &bytes);
        SAME(messages, left);
        SAME(bytes, (left + 2) / 3 * 6 - (i % 3 == 1 ? 1 : i % 3 == 2 ? 3 : 0));
        bsp_get_tag(&status, &tag);
        SAME(tag, i % 3); /* sorted by sender, in the order of sending */
        SAME(status, payload);
        bsp_move(text, 2); /* what does not fit is lost */
        SAME(text[0], '0');
        SAME(text[1], payload > 1 ? '1' : 0);
    }
    bsp_qsize(&messages, NULL);
    SAME(messages, 0);
    bsp_get_tag(&status, &messages);
    SAME(status, -1);
    set_tagsize(0, sizeof(int));
}

/* bsp_hpmove gives pointers into the queue, aligned for any type; the payload may be changed. */
static void messages_are_read_in_place(void)
{
    int p = bsp_nprocs(), pid = bsp_pid();
    double x[3] = {pid, pid + 0.5, -pid};
    char tag[5] = "tag";
    void *tag_at = NULL, *payload_at = NULL;
    set_tagsize(sizeof tag, 0);
    bsp_sync();
    for (int to = 0; to < p; to++) {
        tag[4] = (char)pid;
        bsp_send(to, tag, x, sizeof x);
        bsp_hpsend(to, tag, NULL, 0);
    }
    bsp_sync();
    for (int from = 0; from < p; from++) {
        SAME(bsp_hpmove(&tag_at, &payload_at), sizeof x);
        SAME((uintptr_t)tag_at % 16 + (uintptr_t)payload_at % 16, 0);
        double *y = payload_at;
        CHECK(!strcmp(tag_at, "tag") && ((char *)tag_at)[4] == from);
        CHECK(y[0] == from && y[1] == from + 0.5 && y[2] == -from);
        y[0]++;
        SAME(bsp_hpmove(&tag_at, &payload_at), 0);
    }
    SAME(bsp_hpmove(&tag_at, &payload_at), -1);
    CHECK(bsp_hpmove(&tag_at, &payload_at) < 0);
    set_tagsize(0, sizeof tag);
}

/* Variables of each type that programs use. */
static void numbers_of_each_type(void)
{
    int pid = bsp_pid();
    unsigned messages = 99;
    size_t bytes = 99, status = 99;
    long wide = 8;
    bsp_set_tagsize(&wide);
    SAME(wide, 0);
    bsp_sync();
    bsp_send(pid, &wide, &pid, sizeof pid);
    bsp_sync();
    bsp_qsize(&messages, &bytes);
    SAME(messages, 1);
    SAME(bytes, sizeof pid);
    bsp_get_tag(&status, &wide);
    SAME(status, sizeof pid);
    bsp_move(&pid, sizeof pid);
    bsp_get_tag(&status, &wide);
    CHECK(status == (size_t)-1);
    unsigned none = 0;
    bsp_set_tagsize(&none);
    SAME(none, 8);
}

static void large_and_many(void)
{
    enum { LARGE = 200001, MANY = 2000 };
    int p = bsp_nprocs(), pid = bsp_pid(), next = (pid + 1) % p, before = (pid + p - 1) % p;
    char *large = must_alloc(LARGE);
    memset(large, pid + 1, LARGE);
    set_tagsize(sizeof(long), 0);
    bsp_sync();
    for (long i = 0; i < MANY; i++)
        bsp_send(next, &i, &pid, i % 5 ? sizeof pid : 0);
    long tag = -7;
    bsp_send(next, &tag, large, LARGE);
    bsp_sync();
    memset(large, 0, LARGE);
    for (long i = 0; i < MANY; i++) {
        int status, from = before;
        bsp_get_tag(&status, &tag);
        SAME(tag, i);
        SAME(status, i % 5 ? (int)sizeof pid : 0);
        bsp_move(&from, sizeof from);
        SAME(from, before);
    }
    int status;
    bsp_get_tag(&status, &tag);
    SAME(tag, -7);
    SAME(status, LARGE);
    bsp_move(large, LARGE);
    for (int i = 0; i < LARGE; i++)
        SAME(large[i], before + 1);
    free(large);
    set_tagsize(0, sizeof(long));
}

/* Messages, puts and gets of one superstep do not disturb each other. */
static void messages_beside_puts_and_gets(void)
{
    int p = bsp_nprocs(), pid = bsp_pid(), next = (pid + 1) % p, x = pid, y = -1, z = -1, status;
    bsp_push_reg(&x, sizeof x);
    bsp_push_reg(&y, sizeof y);
    bsp_sync();
    bsp_send(next, NULL, "message", 8);
    bsp_put(next, &pid, &y, 0, sizeof pid);
    bsp_get(next, &x, 0, &z, sizeof z);
    bsp_sync();
    char text[8] = "";
    bsp_get_tag(&status, NULL);
    SAME(status, 8);
    bsp_move(text, sizeof text);
    CHECK(!strcmp(text, "message"));
    SAME(y, (pid + p - 1) % p);
    SAME(z, next);
    bsp_pop_reg(&y);
    bsp_pop_reg(&x);
}

PROGRAM(TEST(tag_size_changes_with_the_superstep), TEST(queue_counts_down),
        TEST(messages_are_read_in_place), TEST(numbers_of_each_type), TEST(large_and_many),
        TEST(messages_beside_puts_and_gets))
