/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Objects: the machine, groups, copies. */
#include "program.h"

#include <unistd.h>

double simgrid_get_clock(void) __attribute__((weak));

static void supersteps_are_counted_from_one(t_bsp *world)
{
    int64_t first = bsp_superstep(world);
    for (int i = 0; i < 4; i++) {
        SAME(world, bsp_superstep(world), first + i);
        if (i % 2)
            bsp_oblsync(world, 0);
        else
            bsp_sync(world);
    }
    t_bsp copy;
    bsp_dup(world, &copy);
    SAME(world, bsp_superstep(&copy), 1);
    bsp_sync(&copy);
    SAME(world, bsp_superstep(&copy), 2);
    SAME(world, bsp_superstep(world), first + 4);
    bsp_done(&copy);
}

static void numbers_are_all_different(t_bsp *world)
{
    int p = bsp_nprocs(world), pid = bsp_pid(world);
    CHECK(world, pid >= 0 && pid < p);
    int *all = must_alloc((size_t)p * sizeof *all);
    bsp_allgather(world, &pid, all, sizeof pid);
    for (int i = 0; i < p; i++)
        SAME(world, all[i], i);
    free(all);
}

static void what_is_copied_is_the_same_object(t_bsp *world)
{
    t_bsp same = *world;
    int mine = bsp_pid(world);
    bsp_send(&same, mine, &mine, sizeof mine);
    bsp_sync(world);
    SAME(world, bsp_nmsgs(&same), 1);
    SAME(world, bsp_superstep(&same), bsp_superstep(world));
}

/* One message around the object, in a superstep that ends in the given way. */
static void around(t_bsp *bsp, uint64_t seed, int oblivious)
{
    int p = bsp_nprocs(bsp), pid = bsp_pid(bsp);
    uint64_t text[3] = {seed, (uint64_t)pid, (uint64_t)p};
    bsp_send(bsp, (pid + 1) % p, text, sizeof text);
    if (oblivious)
        bsp_oblsync(bsp, 1);
    else
        bsp_sync(bsp);
    SAME(bsp, bsp_nmsgs(bsp), 1);
    const uint64_t *came = bspmsg_data(bsp_getmsg(bsp, 0));
    SAME(bsp, bspmsg_src(bsp_getmsg(bsp, 0)), (pid + p - 1) % p);
    CHECK(bsp, came[0] == seed && came[1] == (uint64_t)(pid + p - 1) % (uint64_t)p);
    SAME(bsp, came[2], p);
}

static void groups_have_the_processors_of_their_interval(t_bsp *world)
{
    int p = bsp_nprocs(world), pid = bsp_pid(world);
    int64_t step = bsp_superstep(world);
    for (int a = 0; a <= p; a++)
        for (int b = a; b <= p; b++) {
            int ends[4] = {a, b, b, p}; /* group 2 is empty; others may be */
            int first = pid < a ? 0 : pid < b ? a : b, last = pid < a ? a : pid < b ? b : p;
            t_bsp sub;
            bsp_partition(world, &sub, 4, ends);
            SAME(world, bsp_nprocs(&sub), last - first);
            SAME(world, bsp_pid(&sub), pid - first);
            SAME(world, bsp_superstep(&sub), 1);
            around(&sub, (uint64_t)(a * 100 + b), (a + b) % 2);
            SAME(world, bsp_superstep(&sub), 2);
            bsp_done(&sub);
        }
    SAME(world, bsp_superstep(world), step);
}

static void groups_need_not_keep_step(t_bsp *world)
{
    int p = bsp_nprocs(world), half = (p + 1) / 2, ends[2] = {half, p};
    t_bsp sub;
    bsp_partition(world, &sub, 2, ends);
    int steps = bsp_pid(world) < half ? 3 : 60;
    for (int i = 0; i < steps; i++)
        around(&sub, (uint64_t)i, i % 3 == 0);
    SAME(world, bsp_superstep(&sub), steps + 1);
    bsp_done(&sub);
    around(world, 5, 0);
}

/* Halves until one is left, a message around in each, before and after its own halves. */
static void halve(t_bsp *bsp, uint64_t seed, int talk)
{
    int p = bsp_nprocs(bsp), ends[2] = {p / 2, p};
    if (talk)
        around(bsp, seed, seed % 2 == 0);
    if (p == 1)
        return;
    t_bsp half;
    bsp_partition(bsp, &half, 2, ends);
    halve(&half, 3 * seed + (bsp_pid(bsp) < p / 2), talk);
    bsp_done(&half);
    if (talk) { /* what could be read before still can */
        SAME(bsp, bsp_nmsgs(bsp), 1);
        CHECK(bsp, *(uint64_t *)bspmsg_data(bsp_getmsg(bsp, 0)) == seed);
        around(bsp, seed + 1, 1);
    }
}

static void groups_in_groups(t_bsp *world)
{
    for (uint64_t i = 0; i < 20; i++)
        halve(world, 1000 * i, 1);
}

static long resident_kilobytes(void)
{
    long pages = 0, ignored;
    FILE *f = fopen("/proc/self/statm", "r");
    if (f && fscanf(f, "%ld %ld", &ignored, &pages) != 2)
        pages = 0;
    if (f)
        fclose(f);
    return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

static void thousands_of_groups_leak_nothing(t_bsp *world)
{
    long before = 0;
    for (uint64_t i = 0; i < 6000; i++) {
        if (i == 1000)
            before = resident_kilobytes();
        halve(world, i, i % 100 == 0);
        t_bsp copy, copy_of_copy;
        bsp_dup(world, &copy);
        bsp_dup(&copy, &copy_of_copy);
        bsp_push_reg(&copy_of_copy, &before, sizeof before);
        bsp_done(&copy_of_copy);
        bsp_done(&copy);
        if (i % 100 == 99)
            bsp_sync(world); /* else some run far ahead, and what they send is kept */
    }
#if !defined __SANITIZE_ADDRESS__
    if (before && !simgrid_get_clock)
        CHECK(world, resident_kilobytes() - before < 4000);
#endif
}

static void copies_have_messages_of_their_own(t_bsp *world)
{
    int p = bsp_nprocs(world), pid = bsp_pid(world), right = (pid + 1) % p;
    t_bsp one, two;
    bsp_dup(world, &one);
    bsp_dup(world, &two);
    SAME(world, bsp_nprocs(&two), p);
    SAME(world, bsp_pid(&two), pid);
    bsp_send(world, right, "w", 2);
    bsp_send(&one, right, "one", 4);
    bsp_send(&two, right, "two", 4);
    bsp_send(&two, right, "and", 4);
    bsp_sync(&two);
    SAME(world, bsp_nmsgs(&two), 2);
    SAME(world, bsp_nmsgs(&one), 0);
    bsp_oblsync(&one, 1);
    SAME(world, bsp_nmsgs(&one), 1);
    CHECK(world, strcmp(bspmsg_data(bsp_getmsg(&one, 0)), "one") == 0);
    bsp_sync(world);
    SAME(world, bsp_nmsgs(world), 1);
    CHECK(world, strcmp(bspmsg_data(bsp_getmsg(world, 0)), "w") == 0);
    CHECK(world, strcmp(bspmsg_data(bsp_getmsg(&two, 0)), "two") == 0);
    bsp_done(&two);
    bsp_done(&one);
}

static void copy_is_used_while_its_object_is_partitioned(t_bsp *world)
{
    int p = bsp_nprocs(world), ends[2] = {p / 2, p};
    t_bsp copy, group, copy_of_group;
    bsp_dup(world, &copy);
    bsp_partition(world, &group, 2, ends);
    bsp_dup(&group, &copy_of_group);
    around(&copy, 1, 0);
    around(&copy_of_group, 2, 1);
    around(&group, 3, 0);
    bsp_done(&copy_of_group);
    bsp_done(&group);
    around(world, 4, 1);
    bsp_done(&copy);
}

static void copy_is_partitioned_too(t_bsp *world)
{
    int p = bsp_nprocs(world), ends[2] = {p / 2, p};
    t_bsp copy, a, b;
    bsp_dup(world, &copy);
    bsp_partition(world, &a, 2, ends);
    bsp_partition(&copy, &b, 1, &p);
    around(&a, 1, 1);
    around(&b, 2, 0);
    bsp_done(&b);
    bsp_done(&a);
    bsp_done(&copy);
}

static void time_goes_on(t_bsp *world)
{
    double begin = bsp_time(world), last = begin;
    for (int i = 0; i < 100; i++) {
        double now = bsp_time(world);
        CHECK(world, now >= last);
        last = now;
    }
    if (!simgrid_get_clock) {
        usleep(3000);
        CHECK(world, bsp_time(world) - begin >= 0.003);
    }
}

PROGRAM(TEST(numbers_are_all_different), TEST(supersteps_are_counted_from_one),
        TEST(what_is_copied_is_the_same_object), TEST(groups_have_the_processors_of_their_interval),
        TEST(groups_need_not_keep_step), TEST(groups_in_groups),
        TEST(copies_have_messages_of_their_own), TEST(copy_is_used_while_its_object_is_partitioned),
        TEST(copy_is_partitioned_too), TEST(time_goes_on), TEST(thousands_of_groups_leak_nothing))
