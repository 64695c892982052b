/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Remote memory: registration, put, get. */
#include "program.h"

#include <unistd.h>

#define LARGE ((size_t)50000)

static void registered(t_bsp *bsp, void *memory, size_t bytes)
{
    bsp_push_reg(bsp, memory, bytes);
    bsp_sync(bsp);
}

static void unregistered(t_bsp *bsp, void *memory)
{
    bsp_pop_reg(bsp, memory);
    bsp_sync(bsp);
}

/* Everybody puts a block into its place at everybody. */
static void puts_reach_all(t_bsp *world)
{
    static const size_t sizes[] = {0, 1, 24, 5000, 16384, LARGE};
    int p = bsp_nprocs(world), pid = bsp_pid(world);
    uint8_t *memory = must_alloc((size_t)p * LARGE), *block = must_alloc(LARGE);
    registered(world, memory, (size_t)p * LARGE);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int hp = 0; hp < 2; hp++) {
            uint64_t seed = i * 10 + (uint64_t)hp;
            memset(memory, 0xaa, (size_t)p * LARGE);
            bsp_sync(world); /* an hpput may be written at once */
            fill(block, sizes[i], seed + 1000 * (uint64_t)pid);
            for (int to = 0; to < p; to++)
                (hp ? bsp_hpput : bsp_put)(world, to, block, memory, (size_t)pid * LARGE, sizes[i]);
            if (!hp)
                memset(block, 0, LARGE); /* it was copied */
            bsp_sync(world);
            for (int from = 0; from < p; from++) {
                const uint8_t *at = memory + (size_t)from * LARGE;
                CHECK(world, holds(at, sizes[i], seed + 1000 * (uint64_t)from));
                CHECK(world, sizes[i] == LARGE || at[sizes[i]] == 0xaa);
            }
        }
    unregistered(world, memory);
    free(memory);
    free(block);
}

static void gets_bring_from_all(t_bsp *world)
{
    static const size_t sizes[] = {0, 1, 24, 5000, 16384, LARGE};
    int p = bsp_nprocs(world), pid = bsp_pid(world);
    uint8_t *memory = must_alloc(LARGE + 8), *blocks = must_alloc((size_t)p * LARGE);
    fill(memory, LARGE + 8, (uint64_t)pid);
    registered(world, memory, LARGE + 8);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int hp = 0; hp < 2; hp++) {
            memset(blocks, 0xbb, (size_t)p * LARGE);
            for (int from = 0; from < p; from++)
                (hp ? bsp_hpget : bsp_get)(world, from, memory, 8, blocks + (size_t)from * LARGE,
                                           sizes[i]);
            bsp_sync(world);
            for (int from = 0; from < p; from++)
                for (size_t k = 0; k < LARGE; k += k < 100 ? 1 : 97)
                    SAME(world, blocks[(size_t)from * LARGE + k],
                         k < sizes[i] ? content((uint64_t)from, 8 + k) : 0xbb);
        }
    unregistered(world, memory);
    free(memory);
    free(blocks);
}

/* All exchange a cell with their neighbour by a get and a put in one superstep. */
static void gets_read_before_puts_write(t_bsp *world)
{
    int p = bsp_nprocs(world), pid = bsp_pid(world), right = (pid + 1) % p;
    static uint8_t cell[LARGE], got[LARGE], mine[LARGE];
    static const size_t sizes[] = {8, 3000, LARGE};
    registered(world, cell, sizeof cell);
    for (uint64_t round = 0; round < 30; round++) {
        size_t bytes = sizes[round % 3];
        fill(cell, bytes, round * 100 + (uint64_t)pid);
        bsp_sync(world);
        fill(mine, bytes, round * 100 + 50 + (uint64_t)pid);
        if (round % 2)
            bsp_put(world, right, mine, cell, 0, bytes);
        bsp_get(world, right, cell, 0, got, bytes);
        if (round % 2 == 0)
            bsp_put(world, right, mine, cell, 0, bytes);
        bsp_sync(world);
        CHECK(world, holds(got, bytes, round * 100 + (uint64_t)right));
        CHECK(world, holds(cell, bytes, round * 100 + 50 + (uint64_t)((pid + p - 1) % p)));
    }
    unregistered(world, cell);
}

/* Everybody gets its neighbour's cell into its own, which another one gets: all read first. */
static void destinations_are_written_when_all_have_read(t_bsp *world)
{
    int p = bsp_nprocs(world), pid = bsp_pid(world);
    static uint8_t cell[LARGE];
    static const size_t sizes[] = {8, 3000, LARGE};
    registered(world, cell, sizeof cell);
    for (int i = 0; i < 3; i++) {
        fill(cell, sizes[i], (uint64_t)pid);
        for (int round = 1; round <= 2 * p; round++) {
            bsp_get(world, (pid + 1) % p, cell, 0, cell, sizes[i]);
            bsp_sync(world);
            CHECK(world, holds(cell, sizes[i], (uint64_t)((pid + round) % p)));
        }
    }
    unregistered(world, cell);
}

static void source_and_target_may_overlap(t_bsp *world)
{
    int pid = bsp_pid(world);
    uint8_t memory[400];
    registered(world, memory, sizeof memory);
    fill(memory, sizeof memory, 5);
    bsp_put(world, pid, memory, memory, 3, 300);
    bsp_sync(world);
    CHECK(world, holds(memory + 3, 300, 5) && holds(memory, 3, 5));
    fill(memory, sizeof memory, 6);
    bsp_get(world, pid, memory, 0, memory + 7, 300);
    bsp_get(world, pid, memory, 100, memory + 320, 80);
    bsp_sync(world);
    CHECK(world, holds(memory + 7, 300, 6) && holds(memory, 7, 6));
    for (size_t i = 0; i < 80; i++)
        SAME(world, memory[320 + i], content(6, 100 + i));
    unregistered(world, memory);
}

/* Puts in any order to neighbouring places; those of several processors fill one memory. */
static void many_small_puts_and_gets(t_bsp *world)
{
    enum { N = 2000 };
    int p = bsp_nprocs(world), pid = bsp_pid(world);
    int *memory = must_alloc((size_t)p * N * sizeof(int)), *back = must_alloc(N * sizeof(int));
    registered(world, memory, (size_t)p * N * sizeof(int));
    for (int i = 0; i < N; i++) {
        int value = pid * N + i;
        bsp_put(world, i % p, &value, memory, (size_t)value * sizeof(int), sizeof(int));
    }
    bsp_sync(world);
    for (int i = 0; i < N; i++) {
        back[i] = -1;
        bsp_get(world, i % p, memory, (size_t)(pid * N + i) * sizeof(int), &back[i], sizeof(int));
    }
    bsp_sync(world);
    for (int i = 0; i < N; i++)
        SAME(world, back[i], pid * N + i);
    for (int i = 0; i < p * N; i++)
        SAME(world, memory[i], i % N % p == pid ? i : 0);
    unregistered(world, memory);
    free(memory);
    free(back);
}

static void sizes_may_differ(t_bsp *world)
{
    int p = bsp_nprocs(world), pid = bsp_pid(world), one = 1;
    /* Odd processors give nothing; the others as much as their number says. */
    int *memory = pid % 2 ? NULL : must_alloc((size_t)(pid + 1) * sizeof(int));
    size_t bytes = pid % 2 ? 0 : (size_t)(pid + 1) * sizeof(int);
    registered(world, memory, bytes);
    for (int to = 0; to < p; to++) {
        if (to % 2 == 0)
            bsp_put(world, to, &one, memory, (size_t)to * sizeof(int), to == pid ? 4 : 0);
        else
            bsp_put(world, to, NULL, memory, 0, 0);
    }
    bsp_sync(world);
    if (memory)
        SAME(world, memory[pid], 1);
    unregistered(world, memory);
    free(memory);
}

static void latest_registration_counts(t_bsp *world)
{
    int p = bsp_nprocs(world), pid = bsp_pid(world), right = (pid + 1) % p;
    static int a[100], b[100];
    memset(a, 0, sizeof a);
    memset(b, 0, sizeof b);
    int *other = pid == 0 ? b : a; /* the second registration couples other memory */
    registered(world, a, 10 * sizeof(int));
    registered(world, other, sizeof a);
    int seven = 7;
    bsp_put(world, right, &seven, other, 99 * sizeof(int), sizeof(int));
    bsp_sync(world);
    SAME(world, other[99], 7);
    bsp_pop_reg(world, other);
    bsp_put(world, right, &seven, other, 98 * sizeof(int), sizeof(int)); /* not yet taken back */
    bsp_sync(world);
    SAME(world, other[98], 7);
    bsp_put(world, right, &seven, a, 9 * sizeof(int), sizeof(int)); /* the first one again */
    bsp_sync(world);
    SAME(world, a[9], 7);
    unregistered(world, a);
}

static void numbers_of_registrations_are_used_again(t_bsp *world)
{
    enum { N = 12 };
    int p = bsp_nprocs(world), pid = bsp_pid(world), right = (pid + 1) % p;
    int cells[N];
    memset(cells, 0, sizeof cells);
    for (int i = 0; i < N; i++)
        bsp_push_reg(world, &cells[i], sizeof cells[i]);
    bsp_sync(world);
    for (int round = 0; round < 50; round++) {
        int out = round * 5 % N;
        bsp_pop_reg(world, &cells[out]);
        bsp_push_reg(world, &cells[out], sizeof(int)); /* in the same superstep */
        bsp_sync(world);
        for (int i = 0; i < N; i++) {
            int value = 1000 * round + i;
            bsp_put(world, right, &value, &cells[i], 0, sizeof value);
        }
        bsp_sync(world);
        for (int i = 0; i < N; i++)
            SAME(world, cells[i], 1000 * round + i);
    }
    for (int i = 0; i < N; i++)
        bsp_pop_reg(world, &cells[i]);
    bsp_push_reg(world, cells, 4);
    bsp_pop_reg(world, cells);
    bsp_sync(world);
}

/* Messages, puts and gets in one superstep, on a group and its object. */
static void beside_messages_and_on_groups(t_bsp *world)
{
    int p = bsp_nprocs(world), pid = bsp_pid(world), ends[2] = {p / 2, p};
    static uint8_t large[LARGE], cell[LARGE], got[LARGE];
    t_bsp sub;
    registered(world, cell, sizeof cell);
    bsp_put(world, (pid + 1) % p, &pid, cell, 0, sizeof pid); /* of the superstep around */
    bsp_partition(world, &sub, 2, ends);
    int n = bsp_nprocs(&sub), me = bsp_pid(&sub), right = (me + 1) % n;
    fill(large, LARGE, (uint64_t)me);
    static uint8_t here[LARGE];
    registered(&sub, here, sizeof here);
    bsp_hpsend(&sub, right, large, LARGE);
    bsp_send(&sub, right, &me, sizeof me);
    bsp_hpput(&sub, right, large, here, 0, LARGE);
    bsp_send(&sub, me, large, 100);
    bsp_sync(&sub);
    int left = (me + n - 1) % n;
    SAME(world, bsp_nmsgs(&sub), 3);
    CHECK(world, holds(here, LARGE, (uint64_t)left));
    bsp_hpget(&sub, right, here, 0, got, LARGE);
    bsp_send(&sub, right, large, LARGE);
    bsp_sync(&sub);
    CHECK(world, holds(got, LARGE, (uint64_t)me)); /* what this one put there */
    CHECK(world, holds(bspmsg_data(bsp_getmsg(&sub, 0)), LARGE, (uint64_t)left));
    bsp_done(&sub);
    bsp_sync(world);
    SAME(world, *(int *)cell, (pid + p - 1) % p);
    unregistered(world, cell);
}

/* One processor comes late to bsp_sync; of those that wait for it, one leaves first, and puts. */
static void puts_of_the_next_superstep_wait(t_bsp *world)
{
    int p = bsp_nprocs(world), pid = bsp_pid(world), right = (pid + 1) % p;
    static uint8_t cell[LARGE], mine[LARGE];
    registered(world, cell, sizeof cell);
    for (int round = 0; round < 20; round++) {
        memset(cell, 1, sizeof cell);
        fill(mine, LARGE, (uint64_t)(round + pid));
        if (round % p == pid)
            usleep(500);
        bsp_sync(world);
        bsp_hpput(world, right, mine, cell, 0, LARGE);
        bsp_sync(world);
        CHECK(world, holds(cell, LARGE, (uint64_t)(round + (pid + p - 1) % p)));
    }
    unregistered(world, cell);
}

PROGRAM(TEST(puts_reach_all), TEST(gets_bring_from_all), TEST(gets_read_before_puts_write),
        TEST(destinations_are_written_when_all_have_read), TEST(source_and_target_may_overlap),
        TEST(many_small_puts_and_gets), TEST(sizes_may_differ), TEST(latest_registration_counts),
        TEST(numbers_of_registrations_are_used_again), TEST(beside_messages_and_on_groups),
        TEST(puts_of_the_next_superstep_wait))
