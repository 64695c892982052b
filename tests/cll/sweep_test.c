/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The order of a `cll for` with shuffle. */
#include "harness/unit.h"

#include <string.h>

#include "cll/internal.h"

enum { MOST = 200 };

/* The values that the body of a loop sees, and the value after the loop. */
static int visits(int64_t round, int n, int *seen, int *after)
{
    struct cll_sweep sweep = CLL_SWEEP("x.c", 7, 1);
    int i = 0, count = 0;
    cll_settings.run = round;
    while (cll_sweep_pass(&sweep, 0))
        for (i = 0; i < n; i++) {
            CLL_SWEEP_VISIT(sweep)
            {
                seen[count++] = i;
            }
        }
    *after = i;
    return count;
}

static void each_iteration_is_visited_once(void **state)
{
    int seen[MOST], after;
    (void)state;
    for (int n = 0; n <= MOST; n++)
        for (int round = 0; round < 12; round++) {
            char had[MOST] = {0};
            assert_int_equal(visits(round, n, seen, &after), n);
            assert_int_equal(after, n);
            for (int i = 0; i < n; i++)
                assert_int_equal(had[seen[i]]++, 0);
        }
}

static void round_0_has_the_order_of_the_source(void **state)
{
    int seen[MOST], after;
    (void)state;
    visits(0, 20, seen, &after);
    for (int i = 0; i < 20; i++)
        assert_int_equal(seen[i], i);
}

static void a_round_has_its_own_order_each_time(void **state)
{
    int seen[MOST], again[MOST], after;
    (void)state;
    for (int round = 1; round < 50; round++) {
        visits(round, 12, seen, &after);
        visits(round, 12, again, &after);
        assert_memory_equal(seen, again, 12 * sizeof *seen);
        visits(round + 1, 12, again, &after);
        assert_memory_not_equal(seen, again, 12 * sizeof *seen);
    }
}

/* Over many rounds every iteration is equally often at every place: 4200 rounds of 7 iterations put
 * each 600 times at each place, with a standard deviation of 23. */
static void places_are_equally_frequent(void **state)
{
    int seen[MOST], after, counts[7][7] = {{0}};
    (void)state;
    for (int round = 1; round <= 4200; round++) {
        visits(round, 7, seen, &after);
        for (int i = 0; i < 7; i++)
            counts[seen[i]][i]++;
    }
    for (int i = 0; i < 7; i++)
        for (int k = 0; k < 7; k++)
            assert_in_range(counts[i][k], 480, 720);
}

static void two_loops_have_different_orders(void **state)
{
    struct cll_sweep one = CLL_SWEEP("x.c", 7, 1), other = CLL_SWEEP("x.c", 9, 1);
    char first[80] = "", second[80] = "", number[16];
    (void)state;
    cll_settings.run = 3;
    while (cll_sweep_pass(&one, 0))
        for (int i = 0; i < 10; i++) {
            CLL_SWEEP_VISIT(one)
            {
                snprintf(number, sizeof number, " %d", i), strcat(first, number);
            }
        }
    while (cll_sweep_pass(&other, 0))
        for (int i = 0; i < 10; i++) {
            CLL_SWEEP_VISIT(other)
            {
                snprintf(number, sizeof number, " %d", i), strcat(second, number);
            }
        }
    assert_string_not_equal(first, second);
}

/* Six iterations around ten: the orders of the ten, as text, one after the other. */
static void inner_orders(unsigned shuffle, int64_t round, char orders[6][80])
{
    struct cll_sweep outer = CLL_SWEEP("x.c", 7, shuffle);
    char number[16];
    int n = 0;
    cll_settings.run = round;
    while (cll_sweep_pass(&outer, 0))
        for (int i = 0; i < 6; i++) {
            CLL_SWEEP_VISIT(outer)
            {
                struct cll_sweep inner = CLL_SWEEP("x.c", 8, 1);
                orders[n][0] = 0;
                while (cll_sweep_pass(&inner, &outer))
                    for (int k = 0; k < 10; k++) {
                        CLL_SWEEP_VISIT(inner)
                        {
                            snprintf(number, sizeof number, " %d", k);
                            strcat(orders[n], number);
                        }
                    }
                n++;
            }
        }
    assert_int_equal(n, 6);
}

/* Whether the outer loop is shuffled or not: a program may repeat its sweep. */
static void each_iteration_of_an_outer_loop_has_its_own_order(void **state)
{
    char orders[6][80];
    (void)state;
    for (unsigned shuffle = 0; shuffle < 2; shuffle++) {
        inner_orders(shuffle, 4, orders);
        for (int i = 0; i < 6; i++) {
            assert_int_equal(strlen(orders[i]), 20);
            for (int k = 0; k < i; k++)
                assert_string_not_equal(orders[i], orders[k]);
        }
        inner_orders(shuffle, 0, orders);
        for (int i = 0; i < 6; i++)
            assert_string_equal(orders[i], " 0 1 2 3 4 5 6 7 8 9");
    }
}

/* Such a loop cannot be counted without its body. It is executed as written. */
static void a_loop_that_its_body_ends_is_not_shuffled(void **state)
{
    struct cll_sweep sweep = CLL_SWEEP("x.c", 7, 1);
    int done = 0, i, last = -1;
    (void)state;
    cll_settings.run = 5;
    while (cll_sweep_pass(&sweep, 0))
        for (i = 0; !done; i++) {
            CLL_SWEEP_VISIT(sweep)
            {
                assert_int_equal(i, last + 1);
                last = i;
                done = i == 30;
            }
        }
    assert_int_equal(last, 30);
}

/* A body that shortens the loop must not make it endless. */
static void a_loop_that_its_body_changes_ends(void **state)
{
    struct cll_sweep sweep = CLL_SWEEP("x.c", 7, 1);
    int n = 40, bodies = 0;
    (void)state;
    cll_settings.run = 2;
    while (cll_sweep_pass(&sweep, 0))
        for (int i = 0; i < n; i++) {
            CLL_SWEEP_VISIT(sweep)
            {
                bodies++, n = n > 10 ? n - 1 : n + 100;
            }
        }
    assert_in_range(bodies, 1, 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_iteration_is_visited_once),
        cmocka_unit_test(round_0_has_the_order_of_the_source),
        cmocka_unit_test(a_round_has_its_own_order_each_time),
        cmocka_unit_test(places_are_equally_frequent),
        cmocka_unit_test(two_loops_have_different_orders),
        cmocka_unit_test(each_iteration_of_an_outer_loop_has_its_own_order),
        cmocka_unit_test(a_loop_that_its_body_ends_is_not_shuffled),
        cmocka_unit_test(a_loop_that_its_body_changes_ends),
    };
    return RUN(tests);
}
