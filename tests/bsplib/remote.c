/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Registration, put and get, as the standard defines them. */
#include "program.h"

enum { LARGE = 100000 };

static int left(void)
{
    return (bsp_pid() + bsp_nprocs() - 1) % bsp_nprocs();
}

static int right(void)
{
    return (bsp_pid() + 1) % bsp_nprocs();
}

static void put_is_buffered(void)
{
    int x = -1, y = bsp_pid();
    bsp_push_reg(&x, sizeof x);
    bsp_sync();
    bsp_put(right(), &y, &x, 0, sizeof y);
    y = -2; /* the put has its copy */
    SAME(x, -1);
    bsp_sync();
    SAME(x, left());
    bsp_pop_reg(&x);
}

/* A get reads what is there at the end of the superstep, not when it is called. */
static void get_reads_at_the_end_of_the_superstep(void)
{
    int x = bsp_pid(), y = -1;
    bsp_push_reg(&x, sizeof x);
    bsp_sync();
    bsp_get(left(), &x, 0, &y, sizeof y);
    x += 1000;
    SAME(y, -1);
    bsp_sync();
    SAME(y, 1000 + left());
    bsp_pop_reg(&x);
}

/* All gets read before any put is written; where both write, the put is last. */
static void gets_come_before_puts(void)
{
    int x = bsp_pid(), seen = -1, both = -1;
    bsp_push_reg(&x, sizeof x);
    bsp_push_reg(&both, sizeof both);
    bsp_sync();
    int minus = -5;
    bsp_put(right(), &minus, &x, 0, sizeof x);
    bsp_get(right(), &x, 0, &seen, sizeof seen);
    bsp_put(right(), &minus, &both, 0, sizeof both);
    bsp_get(left(), &x, 0, &both, sizeof both);
    bsp_sync();
    SAME(seen, right());
    SAME(x, -5);
    SAME(both, -5);
    bsp_pop_reg(&both);
    bsp_pop_reg(&x);
}

/* A ring of gets moves all values by one processor: none reads what another has got. */
static void gets_read_before_gets_are_written(void)
{
    int x = bsp_pid();
    bsp_push_reg(&x, sizeof x);
    bsp_sync();
    bsp_get(left(), &x, 0, &x, sizeof x);
    bsp_sync();
    SAME(x, left());
    bsp_pop_reg(&x);
}

/* A function may register its argument, and take it back in the superstep in which it is used. */
static int reversed(int x)
{
    bsp_push_reg(&x, sizeof x);
    bsp_sync();
    bsp_put(bsp_nprocs() - 1 - bsp_pid(), &x, &x, 0, sizeof x);
    bsp_pop_reg(&x);
    bsp_sync();
    return x;
}

static void registration_taken_back_holds_until_the_superstep_ends(void)
{
    for (int i = 0; i < 3; i++)
        SAME(reversed(bsp_pid()), bsp_nprocs() - 1 - bsp_pid());
}

/* The latest registration counts, from the next superstep on; taken back, the one before. */
static void registrations_are_a_stack(void)
{
    int x[2] = {0, 0}, one = 1;
    bsp_push_reg(x, sizeof x[0]);
    bsp_sync();
    bsp_push_reg(x, sizeof x);
    bsp_put(right(), &one, x, 0, sizeof one); /* within the first one */
    bsp_sync();
    SAME(x[0], 1);
    bsp_put(right(), &one, x, sizeof x[0], sizeof one);
    bsp_pop_reg(x);
    bsp_sync();
    SAME(x[1], 1);
    one = 2;
    bsp_put(right(), &one, x, 0, sizeof one);
    bsp_pop_reg(x);
    bsp_sync();
    SAME(x[0], 2);
    SAME(x[1], 1);
    /* made and taken back in one superstep */
    bsp_push_reg(x, sizeof x);
    bsp_pop_reg(x);
    bsp_sync();
}

/* Each processor registers its own size; NULL takes part, an address without bytes names the others'
   memory. */
static void sizes_differ_between_processors(void)
{
    int p = bsp_nprocs(), pid = bsp_pid(), nothing;
    int *all = pid ? &nothing : must_alloc((size_t)p * sizeof *all);
    bsp_push_reg(all, pid ? 0 : (size_t)p * sizeof *all);
    bsp_push_reg(pid ? NULL : all, pid ? 0 : sizeof *all);
    bsp_sync();
    bsp_pop_reg(pid ? NULL : all);
    bsp_sync();
    int square = pid * pid;
    bsp_put(0, &square, all, (size_t)pid * sizeof square, sizeof square);
    bsp_sync();
    for (int i = 0; i < p && !pid; i++)
        SAME(all[i], i * i);
    bsp_pop_reg(all);
    bsp_sync();
    if (!pid)
        free(all);
}

/* Nothing is looked at where there are no bytes. */
static void calls_without_bytes_do_nothing(void)
{
    int x = 0, y = 0;
    bsp_put(99, &x, &y, 5, 0);
    bsp_hpput(-1, NULL, NULL, 0, 0);
    bsp_get(99, &x, 7, &y, 0);
    bsp_hpget(-1, NULL, 0, NULL, 0);
    bsp_sync();
    SAME(x + y, 0);
}

static void unbuffered_calls_of_all_sizes(void)
{
    static const size_t sizes[] = {1, 8, 1000, LARGE};
    char *a = must_alloc(LARGE), *b = must_alloc(LARGE), *c = must_alloc(LARGE);
    bsp_push_reg(a, LARGE);
    bsp_push_reg(b, LARGE);
    bsp_sync();
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        memset(a, bsp_pid() + 1, LARGE);
        bsp_sync();
        bsp_hpput(right(), a, b, LARGE - sizes[i], sizes[i]);
        bsp_hpget(right(), a, 0, c, sizes[i]);
        bsp_sync();
        for (size_t k = 0; k < sizes[i]; k++) {
            SAME(b[LARGE - 1 - k], left() + 1);
            SAME(c[k], right() + 1);
        }
    }
    bsp_pop_reg(b);
    bsp_pop_reg(a);
    bsp_sync();
    free(a), free(b), free(c);
}

static void to_itself(void)
{
    double x = 1, y = 2, z = 0;
    bsp_push_reg(&x, sizeof x);
    bsp_sync();
    bsp_put(bsp_pid(), &y, &x, 0, sizeof y);
    bsp_get(bsp_pid(), &x, 0, &z, sizeof z);
    bsp_sync();
    CHECK(x == 2 && z == 1);
    bsp_pop_reg(&x);
}

/* Numbers of bytes as int and as size_t. */
static void numbers_of_both_kinds(void)
{
    int x[4] = {0}, one = 1, offset = 2 * (int)sizeof one, bytes = (int)sizeof one;
    size_t wide_offset = 3 * sizeof one, wide = sizeof one;
    bsp_pid_t to = right();
    bsp_push_reg(x, (int)sizeof x);
    bsp_sync();
    bsp_put(to, &one, x, offset, bytes);
    bsp_put(to, &one, x, wide_offset, wide);
    bsp_sync();
    CHECK(x[0] == 0 && x[1] == 0 && x[2] == 1 && x[3] == 1);
    bsp_pop_reg(x);
}

static void time_begins_with_the_parallel_part(void)
{
    double time = bsp_time();
    CHECK(time >= 0 && time < 600);
    CHECK(bsp_time() >= time);
}

PROGRAM(TEST(put_is_buffered), TEST(get_reads_at_the_end_of_the_superstep),
        TEST(gets_come_before_puts), TEST(gets_read_before_gets_are_written),
        TEST(registration_taken_back_holds_until_the_superstep_ends),
        TEST(registrations_are_a_stack), TEST(sizes_differ_between_processors),
        TEST(calls_without_bytes_do_nothing), TEST(unbuffered_calls_of_all_sizes), TEST(to_itself),
        TEST(numbers_of_both_kinds), TEST(time_begins_with_the_parallel_part))
