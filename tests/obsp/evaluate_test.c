/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small programs whose times were computed by hand, from equations (1) to (3) and the rule for groups. */
#include "obsp/written.h"

/* Figure 1 of the paper: w is a second, and a transfer of 100 bytes takes w. */
static void figure_1_takes_5w_obliviously_and_6w_with_barriers(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f, 0.01, 0);
    EVALUATE(&f, {0, "m", 0, 2, 1, "oblsync", 1, 100, 0, NULL, 1},
             {0, "m", 0, 2, 2, "oblsync", 2, 100, 100, "1", 1},
             {1, "m", 1, 2, 1, "oblsync", 2, 0, 100, "0", 1},
             {1, "m", 1, 2, 2, "oblsync", 1, 100, 100, "0", 1});
    assert_near(f.result.obsp, 5, 1e-12);
    assert_near(f.result.bsp, 6, 1e-12);
    assert_near(f.result.measured, 5, 1e-12);
    assert_int_equal(f.result.supersteps, 2);
    EVALUATE(&f, {0, "m", 0, 2, 1, "sync", 1, 100, 0, NULL, 1},
             {0, "m", 0, 2, 2, "sync", 2, 100, 100, "1", 1},
             {1, "m", 1, 2, 1, "sync", 2, 0, 100, "0", 1},
             {1, "m", 1, 2, 2, "sync", 1, 100, 100, "0", 1});
    assert_near(f.result.obsp, 6, 1e-12);
    assert_near(f.result.bsp, 6, 1e-12);
    close_fixture(&f);
}

/* With a two-way exchange in superstep 1, as the paper's text has it, nothing is saved. */
static void figure_1_with_two_exchanges_takes_6w(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f, 0.01, 0);
    EVALUATE(&f, {0, "m", 0, 2, 1, "oblsync", 1, 100, 100, "1", 0},
             {0, "m", 0, 2, 2, "oblsync", 2, 100, 100, "1", 0},
             {1, "m", 1, 2, 1, "oblsync", 2, 100, 100, "0", 0},
             {1, "m", 1, 2, 2, "oblsync", 1, 100, 100, "0", 0});
    assert_near(f.result.obsp, 6, 1e-12);
    close_fixture(&f);
}

/* Processor 1 sends 30 bytes to 0 and receives nothing; 0 also sends 20 to 2. */
static void h_is_the_largest_over_the_incoming_partners(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f, 1, 0);
#define PROGRAM                                                                                    \
    {0, "m", 0, 3, 1, "oblsync", 0, 20, 30, "1", 0},                                               \
        {1, "m", 1, 3, 1, "oblsync", 0, 30, 0, NULL, 0},                                           \
        {2, "m", 2, 3, 1, "oblsync", 0, 0, 20, "0", 0}
    EVALUATE(&f, PROGRAM);
    assert_near(f.result.obsp, 30, 1e-12); /* of 0, and of 2, whose partner is 0 */
    f.request.h = OBSP_H_SUM;
    EVALUATE(&f, PROGRAM);
    assert_near(f.result.obsp, 50, 1e-12);
    assert_near(f.result.bsp, 50, 1e-12);
    close_fixture(&f);
#undef PROGRAM
}

/* Equation (2) for s = 1: the processors begin at xi = 5 and 0. */
static void initial_times_count(void **state)
{
    (void)state;
    static const double start[] = {5, 0};
    struct fixture f;
    open_fixture(&f, 0, 1);
    f.request.start = start;
    EVALUATE(&f, {0, "m", 0, 2, 1, "oblsync", 1, 8, 0, NULL, 0},
             {0, "m", 0, 2, 2, "oblsync", 1, 0, 8, "1", 0},
             {1, "m", 1, 2, 1, "oblsync", 2, 0, 8, "0", 0},
             {1, "m", 1, 2, 2, "oblsync", 4, 8, 0, NULL, 0});
    /* superstep 1: 0 at 6 + 1, 1 at max(2, 6) + 1; superstep 2: 1 at 7 + 4 + 1, 0 at max(8, 11) + 1 */
    assert_near(f.result.obsp, 12, 1e-12);
    assert_int_equal(f.result.path[0].process, 0);
    assert_near(f.result.path[0].begin, 5, 1e-12);
    close_fixture(&f);
}

/* Groups {0, 1}, which makes a superstep, and {2, 3}, which makes none. */
static void groups_are_subroutines_with_their_own_supersteps(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f, 0.1, 1);
    EVALUATE(&f, {0, "m.1:0", 0, 2, 1, "partition", 1, 0, 0, NULL, 0},
             {0, "m.1:0", 0, 2, 1, "sync", 1, 10, 10, "1", 0},
             {0, "m.1:0", 0, 2, 2, "done", 0.5, 0, 0, NULL, 0},
             {0, "m", 0, 4, 1, "oblsync", 0, 20, 20, "2", 0},
             {1, "m.1:0", 1, 2, 1, "partition", 2, 0, 0, NULL, 0},
             {1, "m.1:0", 1, 2, 1, "sync", 1, 10, 10, "0", 0},
             {1, "m.1:0", 1, 2, 2, "done", 0.5, 0, 0, NULL, 0},
             {1, "m", 1, 4, 1, "oblsync", 0, 20, 20, "3", 0},
             {2, "m.1:1", 0, 2, 1, "partition", 3, 0, 0, NULL, 0},
             {2, "m.1:1", 0, 2, 1, "done", 1, 0, 0, NULL, 0},
             {2, "m", 2, 4, 1, "oblsync", 0, 20, 20, "0", 0},
             {3, "m.1:1", 1, 2, 1, "partition", 4, 0, 0, NULL, 0},
             {3, "m.1:1", 1, 2, 1, "done", 2, 0, 0, NULL, 0},
             {3, "m", 3, 4, 1, "oblsync", 0, 20, 20, "1", 0});
    /* group 0: max(2, 3) + 2 = 5, given back at 5.5; group 1 at 4 and 6; then 0 and 2 meet at 5.5, 1 and 3 at 6 */
    assert_near(f.result.obsp, 9, 1e-12);
    /* 3 + 2 of the group's superstep, 6 + 3 of the machine's */
    assert_near(f.result.bsp, 14, 1e-12);
    assert_int_equal(f.result.supersteps, 2);
    assert_int_equal(f.result.path[0].process, 3);
    close_fixture(&f);
}

/* A group in a group: its processors begin at different times, which only they wait for. */
static void groups_nest(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f, 0, 1);
    EVALUATE(&f, {0, "m.1:0", 0, 2, 1, "partition", 1, 0, 0, NULL, 0},
             {0, "m.1:0.1:0", 0, 1, 1, "partition", 1, 0, 0, NULL, 0},
             {0, "m.1:0.1:0", 0, 1, 1, "sync", 1, 0, 0, NULL, 0},
             {0, "m.1:0.1:0", 0, 1, 2, "done", 1, 0, 0, NULL, 0},
             {0, "m.1:0", 0, 2, 1, "sync", 1, 0, 0, NULL, 0},
             {0, "m.1:0", 0, 2, 2, "done", 0, 0, 0, NULL, 0},
             {0, "m", 0, 3, 1, "sync", 1, 0, 0, NULL, 0},
             {1, "m.1:0", 1, 2, 1, "partition", 1, 0, 0, NULL, 0},
             {1, "m.1:0.1:1", 0, 1, 1, "partition", 0, 0, 0, NULL, 0},
             {1, "m.1:0.1:1", 0, 1, 1, "done", 2, 0, 0, NULL, 0},
             {1, "m.1:0", 1, 2, 1, "sync", 4, 0, 0, NULL, 0},
             {1, "m.1:0", 1, 2, 2, "done", 0, 0, 0, NULL, 0},
             {1, "m", 1, 3, 1, "sync", 0, 0, 0, NULL, 0},
             {2, "m.1:1", 0, 1, 1, "partition", 1, 0, 0, NULL, 0},
             {2, "m.1:1", 0, 1, 1, "done", 1, 0, 0, NULL, 0},
             {2, "m", 2, 3, 1, "sync", 0, 0, 0, NULL, 0});
    /* the inner group of 0: 3 + 1, given back at 5; the group: max(6, 7) + 1 = 8; the machine: max(9, 8, 2) + 1 */
    assert_near(f.result.obsp, 10, 1e-12);
    /* 3 + 1 (0 alone), then max(0's 2, 1's 7) + 1, then max(1, 0, 2) + 1 */
    assert_near(f.result.bsp, 15, 1e-12);
    assert_int_equal(f.result.supersteps, 3);
    close_fixture(&f);
}

/* A copy has supersteps of its own beside those of the object. */
static void copies_have_their_own_supersteps(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f, 0, 1);
    EVALUATE(
        &f, {0, "m.1c", 0, 2, 1, "dup", 1, 0, 0, NULL, 0},
        {0, "m.1c", 0, 2, 1, "sync", 1, 0, 0, NULL, 0}, {0, "m", 0, 2, 1, "sync", 1, 0, 0, NULL, 0},
        {0, "m.1c", 0, 2, 2, "sync", 1, 0, 0, NULL, 0},
        {0, "m.1c", 0, 2, 3, "done", 3, 0, 0, NULL, 0},
        {1, "m.1c", 1, 2, 1, "dup", 2, 0, 0, NULL, 0},
        {1, "m.1c", 1, 2, 1, "sync", 2, 0, 0, NULL, 0}, {1, "m", 1, 2, 1, "sync", 2, 0, 0, NULL, 0},
        {1, "m.1c", 1, 2, 2, "sync", 2, 0, 0, NULL, 0},
        {1, "m.1c", 1, 2, 3, "done", 1, 0, 0, NULL, 0});
    /* 4 + 1, then 2 + 1 twice, then 3 */
    assert_near(f.result.obsp, 14, 1e-12);
    assert_near(f.result.bsp, 14, 1e-12);
    close_fixture(&f);
}

/* The processors synchronise two copies in different orders; nobody waits for anybody. */
static void oblivious_copies_may_be_synchronised_in_different_orders(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f, 0, 1);
#define COPIES(p)                                                                                  \
    {p, "m.1c", p, 2, 1, "dup", 0, 0, 0, NULL, 0}, {p, "m.2c", p, 2, 1, "dup", 0, 0, 0, NULL, 0}
#define DONE(p, first, second)                                                                     \
    {p, first, p, 2, 2, "done", 0, 0, 0, NULL, 0},                                                 \
    {                                                                                              \
        p, second, p, 2, 2, "done", 0, 0, 0, NULL, 0                                               \
    }
    EVALUATE(&f, COPIES(0), {0, "m.1c", 0, 2, 1, "oblsync", 1, 0, 0, NULL, 0},
             {0, "m.2c", 0, 2, 1, "oblsync", 1, 0, 0, NULL, 0}, DONE(0, "m.2c", "m.1c"), COPIES(1),
             {1, "m.2c", 1, 2, 1, "oblsync", 5, 0, 0, NULL, 0},
             {1, "m.1c", 1, 2, 1, "oblsync", 5, 0, 0, NULL, 0}, DONE(1, "m.2c", "m.1c"));
    assert_near(f.result.obsp, 12, 1e-12);
    close_fixture(&f);
#undef COPIES
#undef DONE
}

/* What follows the last synchronisation, and the time before a group, cost W and nothing else. */
static void a_superstep_without_synchronisation_costs_its_work(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f, 1, 100);
    EVALUATE(&f, {0, "m.1:0", 0, 1, 1, "partition", 2, 0, 0, NULL, 0},
             {0, "m.1:0", 0, 1, 1, "done", 3, 0, 0, NULL, 0},
             {0, "m", 0, 1, 1, "done", 4, 0, 0, NULL, 0});
    assert_near(f.result.obsp, 9, 1e-12);
    assert_near(f.result.bsp, 9, 1e-12);
    assert_int_equal(f.result.synchronisations, 0);
    close_fixture(&f);
}

static void the_critical_path_is_where_the_time_is_spent(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f, 0.5, 1);
    EVALUATE(
        &f, {0, "m", 0, 3, 1, "sync", 1, 0, 2, "1", 0},
        {0, "m", 0, 3, 2, "oblsync", 7, 4, 0, NULL, 0}, {1, "m", 1, 3, 1, "sync", 6, 2, 0, NULL, 0},
        {1, "m", 1, 3, 2, "oblsync", 1, 0, 4, "0", 0}, {2, "m", 2, 3, 1, "sync", 2, 0, 0, NULL, 0},
        {2, "m", 2, 3, 2, "oblsync", 1, 0, 0, NULL, 0});
    /* 1 computes 6; all communicate until 8; 0 computes 7; 1 communicates until 18, and 0 too */
    assert_near(f.result.obsp, 18, 1e-12);
    assert_int_equal(f.result.npath, 2);
    assert_int_equal(f.critical.legs[0].process, 1);
    assert_near(f.critical.legs[0].end, 6, 1e-12);
    assert_string_equal(f.critical.legs[0].object, "m");
    assert_int_equal(f.critical.legs[0].step, 1);
    assert_int_equal(f.critical.legs[1].process, 0);
    assert_near(f.critical.shares.computing, 13, 1e-12);
    assert_near(f.critical.shares.transferring, 3, 1e-12);
    assert_near(f.critical.shares.latency, 2, 1e-12);
    assert_int_equal(f.critical.largest[0].process, 0);
    assert_int_equal(f.critical.largest[0].step, 2);
    assert_true(f.critical.largest[0].computing);
    assert_near(f.critical.largest[0].seconds, 7, 1e-12);
    close_fixture(&f);
}

static void slower_processors_compute_longer(void **state)
{
    (void)state;
    static const double slower[] = {1, 3};
    struct fixture f;
    open_fixture(&f, 0, 1);
    f.request.slower = slower;
    EVALUATE(&f, {0, "m", 0, 2, 1, "sync", 4, 0, 0, NULL, 0},
             {1, "m", 1, 2, 1, "sync", 2, 0, 0, NULL, 0});
    assert_near(f.result.obsp, 7, 1e-12);
    close_fixture(&f);
}

struct seen {
    size_t supersteps;
    double work, mean_work, h, bsp, waiting;
    int processors;
    char object[8];
};

static void see_superstep(void *user, const struct obsp_superstep *s)
{
    struct seen *seen = user;
    assert_int_equal(s->index, seen->supersteps);
    seen->supersteps++;
    if (s->index)
        return;
    seen->work = s->work;
    seen->mean_work = s->mean_work;
    seen->h = s->h;
    seen->bsp = s->bsp;
    seen->waiting = s->waiting;
    seen->processors = s->processors;
    snprintf(seen->object, sizeof seen->object, "%s", s->object ? s->object : "");
}

static void supersteps_are_shown_in_order_with_their_sums(void **state)
{
    (void)state;
    struct fixture f;
    struct seen seen = {0};
    open_fixture(&f, 0.5, 1);
    f.request.superstep = see_superstep;
    f.request.user = &seen;
    EVALUATE(
        &f, {0, "m", 0, 2, 1, "sync", 1, 8, 2, "1", 0}, {0, "m", 0, 2, 2, "done", 1, 0, 0, NULL, 0},
        {1, "m", 1, 2, 1, "sync", 3, 2, 8, "0", 0}, {1, "m", 1, 2, 2, "done", 2, 0, 0, NULL, 0});
    assert_int_equal(seen.supersteps, 2);
    assert_near(seen.work, 3, 1e-12);
    assert_near(seen.mean_work, 2, 1e-12);
    assert_near(seen.h, 8, 1e-12);
    assert_near(seen.bsp, 8, 1e-12);
    assert_near(seen.waiting, 2, 1e-12);
    assert_int_equal(seen.processors, 2);
    assert_string_equal(seen.object, "m");
    assert_near(f.result.bsp, 10, 1e-12);
    close_fixture(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figure_1_takes_5w_obliviously_and_6w_with_barriers),
        cmocka_unit_test(figure_1_with_two_exchanges_takes_6w),
        cmocka_unit_test(h_is_the_largest_over_the_incoming_partners),
        cmocka_unit_test(initial_times_count),
        cmocka_unit_test(groups_are_subroutines_with_their_own_supersteps),
        cmocka_unit_test(groups_nest),
        cmocka_unit_test(copies_have_their_own_supersteps),
        cmocka_unit_test(oblivious_copies_may_be_synchronised_in_different_orders),
        cmocka_unit_test(a_superstep_without_synchronisation_costs_its_work),
        cmocka_unit_test(the_critical_path_is_where_the_time_is_spent),
        cmocka_unit_test(slower_processors_compute_longer),
        cmocka_unit_test(supersteps_are_shown_in_order_with_their_sums),
    };
    return RUN(tests);
}
