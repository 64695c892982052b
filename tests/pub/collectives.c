/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Collective operations, on the machine, on groups, and while other things go on. */
#include "program.h"

#include <unistd.h>

static const size_t sizes[] = {0, 1, 8, 5000, 16384, 70000};
#define SIZES (sizeof sizes / sizeof *sizes)

static uint64_t seed_of(int pid, size_t bytes, int round)
{
    return mixed((uint64_t)pid * 77 + (uint64_t)round) + bytes;
}

static void blocks_go_from_and_to_any_root(t_bsp *world)
{
    int p = bsp_nprocs(world), pid = bsp_pid(world);
    for (size_t i = 0; i < SIZES; i++) {
        size_t n = sizes[i];
        uint8_t *one = must_alloc(n), *all = must_alloc((size_t)p * n);
        for (int root = 0; root < p; root++) {
            fill(one, n, seed_of(pid, n, root));
            bsp_broadcast(world, root, one, n);
            CHECK(world, holds(one, n, seed_of(root, n, root)));
            fill(one, n, seed_of(pid, n, root));
            memset(all, 0, (size_t)p * n);
            bsp_gather(world, root, one, pid == root ? all : NULL, n);
            for (int q = 0; q < p && pid == root; q++)
                CHECK(world, holds(all + (size_t)q * n, n, seed_of(q, n, root)));
            memset(one, 0, n);
            bsp_scatter(world, root, pid == root ? all : NULL, one, n);
            CHECK(world, holds(one, n, seed_of(pid, n, root)));
        }
        free(one);
        free(all);
    }
}

static void blocks_go_from_all_to_all(t_bsp *world)
{
    int p = bsp_nprocs(world), pid = bsp_pid(world);
    for (size_t i = 0; i < SIZES; i++) {
        size_t n = sizes[i];
        uint8_t *in = must_alloc((size_t)p * n), *out = must_alloc((size_t)p * n);
        fill(in, n, seed_of(pid, n, 3));
        bsp_allgather(world, in, out, n);
        for (int q = 0; q < p; q++)
            CHECK(world, holds(out + (size_t)q * n, n, seed_of(q, n, 3)));
        for (int q = 0; q < p; q++)
            fill(in + (size_t)q * n, n, seed_of(pid, n, q));
        bsp_totalexchange(world, in, out, n);
        for (int q = 0; q < p; q++)
            CHECK(world, holds(out + (size_t)q * n, n, seed_of(q, n, pid)));
        free(in);
        free(out);
    }
}

/* x -> a x + b, one after the other: associative, not commutative. */
struct map {
    uint32_t a, b;
};

static void then(void *accumulated, const void *more, size_t count)
{
    struct map *first = accumulated;
    const struct map *second = more;
    for (size_t i = 0; i < count; i++)
        first[i] = (struct map){second[i].a * first[i].a, second[i].a * first[i].b + second[i].b};
}

static struct map map_of(int pid, size_t i)
{
    uint64_t x = mixed((uint64_t)pid * 1000003 + i);
    return (struct map){(uint32_t)x | 1, (uint32_t)(x >> 32)};
}

static void check_maps(t_bsp *bsp, const struct map *got, size_t count, int last)
{
    for (size_t i = 0; i < count; i++) {
        struct map all = map_of(0, i);
        for (int q = 1; q <= last; q++) {
            struct map one = map_of(q, i);
            then(&all, &one, 1);
        }
        CHECK(bsp, got[i].a == all.a && got[i].b == all.b);
    }
}

static void order_of_processors_counts(t_bsp *world)
{
    static const size_t counts[] = {0, 1, 100, 3000};
    int p = bsp_nprocs(world), pid = bsp_pid(world);
    for (size_t k = 0; k < 4; k++) {
        size_t n = counts[k];
        struct map *in = must_alloc(n * sizeof *in), *out = must_alloc(n * sizeof *out);
        for (size_t i = 0; i < n; i++)
            in[i] = map_of(pid, i);
        for (int root = 0; root < p; root++) {
            memset(out, 0, n * sizeof *out);
            bsp_reduce(world, root, then, in, pid == root ? out : NULL, n, sizeof *in);
            if (pid == root)
                check_maps(world, out, n, p - 1);
        }
        bsp_allreduce(world, then, in, out, n, sizeof *in);
        check_maps(world, out, n, p - 1);
        bsp_prefix(world, then, in, out, n, sizeof *in);
        check_maps(world, out, n, pid);
        bsp_allreduce(world, then, in, in, n, sizeof *in); /* in place */
        check_maps(world, in, n, p - 1);
        free(in);
        free(out);
    }
}

static void ready_operations(t_bsp *world)
{
    int p = bsp_nprocs(world), pid = bsp_pid(world);
    int i[3] = {pid - 3, -pid, pid * pid}, io[3];
    long l[3] = {pid - 3, -pid, (long)pid << 40}, lo[3];
    double d[3] = {pid - 3, -pid, pid * 0.5}, doo[3];
    long sum = (long)p * (p - 1) / 2;
    bsp_allreduce(world, bsp_op_sum_int, i, io, 3, sizeof *i);
    CHECK(world, io[0] == sum - 3 * p && io[1] == -sum);
    bsp_allreduce(world, bsp_op_min_int, i, io, 3, sizeof *i);
    CHECK(world, io[0] == -3 && io[1] == 1 - p && io[2] == 0);
    bsp_allreduce(world, bsp_op_max_int, i, io, 3, sizeof *i);
    CHECK(world, io[0] == p - 4 && io[1] == 0 && io[2] == (p - 1) * (p - 1));
    bsp_allreduce(world, bsp_op_sum_long, l, lo, 3, sizeof *l);
    CHECK(world, lo[0] == sum - 3 * p && lo[2] == sum << 40);
    bsp_allreduce(world, bsp_op_min_long, l, lo, 3, sizeof *l);
    CHECK(world, lo[0] == -3 && lo[1] == 1 - p && lo[2] == 0);
    bsp_allreduce(world, bsp_op_max_long, l, lo, 3, sizeof *l);
    CHECK(world, lo[0] == p - 4 && lo[1] == 0 && lo[2] == (long)(p - 1) << 40);
    bsp_allreduce(world, bsp_op_sum_double, d, doo, 3, sizeof *d);
    CHECK(world, doo[0] == (double)(sum - 3 * p) && doo[2] == 0.5 * (double)sum);
    bsp_allreduce(world, bsp_op_min_double, d, doo, 3, sizeof *d);
    CHECK(world, doo[0] == -3 && doo[1] == 1 - p && doo[2] == 0);
    bsp_allreduce(world, bsp_op_max_double, d, doo, 3, sizeof *d);
    CHECK(world, doo[0] == p - 4 && doo[1] == 0 && doo[2] == 0.5 * (p - 1));
}

static void sums_repeat_to_the_last_bit(t_bsp *world)
{
    double x[50], first[50], again[50];
    for (size_t i = 0; i < 50; i++)
        x[i] = (double)mixed(i + 100 * (uint64_t)bsp_pid(world)) * 1e-7;
    bsp_allreduce(world, bsp_op_sum_double, x, first, 50, sizeof *x);
    for (int round = 0; round < 20; round++) {
        if (bsp_pid(world) == round % bsp_nprocs(world))
            usleep(200);
        bsp_allreduce(world, bsp_op_sum_double, x, again, 50, sizeof *x);
        CHECK(world, !memcmp(first, again, sizeof first));
    }
}

static void supersteps_know_nothing_of_them(t_bsp *world)
{
    int p = bsp_nprocs(world), pid = bsp_pid(world), n = 0, one = 1;
    bsp_send(world, pid, "old", 4);
    bsp_sync(world);
    int64_t step = bsp_superstep(world);
    bsp_send(world, (pid + 1) % p, "new", 4);
    bsp_allreduce(world, bsp_op_sum_int, &one, &n, 1, sizeof n);
    SAME(world, n, p);
    SAME(world, bsp_superstep(world), step);
    SAME(world, bsp_nmsgs(world), 1);
    CHECK(world, !strcmp(bspmsg_data(bsp_getmsg(world, 0)), "old"));
    bsp_oblsync(world, 1);
    CHECK(world, !strcmp(bspmsg_data(bsp_getmsg(world, 0)), "new"));
}

/* Those in the middle of the tree wait in bsp_sync while those at its leaves wait for them. */
static void waiting_processors_pass_on(t_bsp *world)
{
    enum { LENGTH = 40000 };
    int p = bsp_nprocs(world), pid = bsp_pid(world);
    uint8_t *buffer = must_alloc(LENGTH);
    for (int round = 0; round < 20; round++) {
        int root = round % p;
        size_t bytes = round % 2 ? LENGTH : 50;
        fill(buffer, bytes, seed_of(pid, bytes, round));
        t_bsprequest request = bsp_ibroadcast(world, root, buffer, bytes);
        if ((pid + round) % 3 == 0)
            bsp_wait(&request);
        bsp_sync(world);
        bsp_wait(&request);
        CHECK(world, !request);
        CHECK(world, holds(buffer, bytes, seed_of(root, bytes, round)));
    }
    free(buffer);
}

static void many_at_once_in_any_order_of_waiting(t_bsp *world)
{
    enum { N = 12, BLOCK = 18000 };
    int p = bsp_nprocs(world), pid = bsp_pid(world);
    static long in[N], out[N];
    uint8_t *blocks = must_alloc((size_t)(2 * p + 2) * BLOCK), *own = blocks + (size_t)p * BLOCK;
    uint8_t *second = own + BLOCK, *third = second + BLOCK;
    for (int round = 0; round < 6; round++) {
        t_bsprequest sums[N], prefix, gather, exchange;
        long mine = pid + 1, upto = 0;
        fill(own, BLOCK, seed_of(pid, BLOCK, round));
        prefix = bsp_iprefix(world, bsp_op_sum_long, &mine, &upto, 1, sizeof mine);
        gather = bsp_iallgather(world, own, blocks, BLOCK);
        memset(third, pid + round, (size_t)p * 10);
        exchange = bsp_itotalexchange(world, third, second, 10);
        for (int i = 0; i < N; i++) {
            in[i] = pid * 10 + i;
            sums[i] = i % 2 ? bsp_iallreduce(world, bsp_op_sum_long, &in[i], &out[i], 1, 8)
                            : bsp_ireduce(world, i % p, bsp_op_sum_long, &in[i], &out[i], 1, 8);
        }
        if (round % 2)
            bsp_sync(world);
        for (int i = N - 1; i >= 0; i--) {
            if (round % 3 == pid % 3)
                while (!bsp_test(&sums[i]))
                    ;
            bsp_wait(&sums[i]);
            if (i % 2 || i % p == pid)
                SAME(world, out[i], 10L * p * (p - 1) / 2 + (long)i * p);
        }
        bsp_wait(&exchange);
        bsp_wait(&gather);
        bsp_wait(&prefix);
        SAME(world, upto, (long)(pid + 1) * (pid + 2) / 2);
        for (int q = 0; q < p; q++) {
            CHECK(world, holds(blocks + (size_t)q * BLOCK, BLOCK, seed_of(q, BLOCK, round)));
            SAME(world, second[q * 10 + 9], q + round);
        }
    }
    free(blocks);
}

static void asynchronous_gather_and_scatter(t_bsp *world)
{
    enum { BLOCK = 9000 };
    int p = bsp_nprocs(world), pid = bsp_pid(world), root = p - 1;
    uint8_t *own = must_alloc(BLOCK), *all = must_alloc((size_t)p * BLOCK);
    fill(own, BLOCK, seed_of(pid, BLOCK, 1));
    t_bsprequest request = bsp_igather(world, root, own, all, BLOCK);
    while (!bsp_test(&request))
        ;
    SAME(world, bsp_test(&request), 1);
    bsp_wait(&request);
    memset(own, 0, BLOCK);
    request = bsp_iscatter(world, root, all, own, BLOCK);
    bsp_oblsync(world, 0);
    bsp_wait(&request);
    CHECK(world, holds(own, BLOCK, seed_of(pid, BLOCK, 1)));
    free(own);
    free(all);
}

/* Groups of different sizes make different numbers of operations; one of the machine goes on. */
static void on_groups_beside_one_of_the_machine(t_bsp *world)
{
    int p = bsp_nprocs(world), pid = bsp_pid(world), ends[2] = {(p + 2) / 3, p};
    long mine = pid, total = 0;
    t_bsprequest around = bsp_iallreduce(world, bsp_op_sum_long, &mine, &total, 1, sizeof mine);
    t_bsp sub, copy;
    bsp_partition(world, &sub, 2, ends);
    bsp_dup(&sub, &copy);
    int n = bsp_nprocs(&sub), first = pid - bsp_pid(&sub);
    for (int i = 0; i < (first ? 30 : 7); i++) {
        long sum = 0, least = 0;
        t_bsprequest one = bsp_iallreduce(&sub, bsp_op_sum_long, &mine, &sum, 1, sizeof mine);
        bsp_allreduce(&copy, bsp_op_min_long, &mine, &least, 1, sizeof mine);
        SAME(world, least, first);
        if (i % 4 == 0)
            bsp_sync(&sub);
        bsp_wait(&one);
        SAME(world, sum, (long)n * first + (long)n * (n - 1) / 2);
    }
    bsp_done(&copy);
    bsp_done(&sub);
    bsp_wait(&around);
    SAME(world, total, (long)p * (p - 1) / 2);
}

/* The root is far ahead of the others. */
static void root_far_ahead(t_bsp *world)
{
    int pid = bsp_pid(world);
    if (pid)
        usleep(3000);
    for (int i = 0; i < 2000; i++) {
        int value = pid ? -1 : i;
        bsp_broadcast(world, 0, &value, sizeof value);
        SAME(world, value, i);
    }
}

PROGRAM(TEST(blocks_go_from_and_to_any_root), TEST(blocks_go_from_all_to_all),
        TEST(order_of_processors_counts), TEST(ready_operations), TEST(sums_repeat_to_the_last_bit),
        TEST(supersteps_know_nothing_of_them), TEST(waiting_processors_pass_on),
        TEST(many_at_once_in_any_order_of_waiting), TEST(asynchronous_gather_and_scatter),
        TEST(on_groups_beside_one_of_the_machine), TEST(root_far_ahead))
