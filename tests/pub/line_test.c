/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The line through times of h-relations, and the quantiles (src/pub/line.c). */
#include "pub/internal.h"
#include "harness/unit.h"

static void exact_points_give_their_line(void **state)
{
    double h[] = {0, 64, 1024, 65536, 1048576}, t[5];
    (void)state;
    for (int i = 0; i < 5; i++)
        t[i] = 3e-6 + 2e-10 * h[i];
    struct pub_line line = pub_line_fit(h, t, 5);
    assert_near(line.l, 3e-6, 1e-9);
    assert_near(line.g, 2e-10, 1e-9);
}

/* Errors of one per cent at the largest h are more than l: absolute least squares would lose it. */
static void small_times_count_as_much_as_large_ones(void **state)
{
    double h[] = {0, 0, 1e6, 1e6}, t[] = {1e-6, 1e-6, 0.99e-3, 1.01e-3};
    (void)state;
    struct pub_line line = pub_line_fit(h, t, 4);
    assert_near(line.l, 1e-6, 0.001);
    assert_near(line.g, 1e-9, 0.01);
}

static void no_constant_is_negative(void **state)
{
    double h[] = {0, 100, 1000}, bent[] = {1e-6, 1e-6, 50e-6}, falling[] = {5e-6, 4e-6, 3e-6};
    (void)state;
    struct pub_line line = pub_line_fit(h, bent, 3);
    assert_true(line.l > 0 && line.l <= 1e-6);
    assert_true(line.g > 0 && line.g < 1e-7);
    line = pub_line_fit(h, falling, 3);
    assert_true(line.l >= 3e-6 && line.l <= 5e-6);
    assert_true(line.g == 0);
}

static void times_of_nothing_are_no_line(void **state)
{
    double h[] = {0, 100, 1000}, zero[] = {0, 0, 0}, some[] = {0, 1e-7, 1e-6}, same[] = {8, 8, 8};
    double time[] = {2e-6, 2e-6, 2e-6};
    (void)state;
    struct pub_line line = pub_line_fit(h, zero, 3);
    assert_true(line.l == 0 && line.g == 0);
    line = pub_line_fit(h, some, 3);
    assert_true(line.l >= 0 && line.l < 1e-7 && near(line.g, 1e-9, 0.01));
    line = pub_line_fit(same, time, 3);
    assert_true(near(line.l, 2e-6, 1e-9) && line.g == 0);
}

static void quantiles_lie_between_the_values(void **state)
{
    double values[] = {5, 1, 4, 2, 3}, one[] = {7};
    (void)state;
    assert_near(pub_quantile(values, 5, 0.1), 1.4, 1e-12);
    assert_near(pub_quantile(values, 5, 0.5), 3, 1e-12);
    assert_near(pub_quantile(values, 5, 1), 5, 1e-12);
    assert_near(pub_quantile(one, 1, 0.1), 7, 1e-12);
    assert_near(pub_spread(values, 5), 1, 1e-12);
    assert_true(pub_spread(one, 1) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_points_give_their_line),
        cmocka_unit_test(small_times_count_as_much_as_large_ones),
        cmocka_unit_test(no_constant_is_negative),
        cmocka_unit_test(times_of_nothing_are_no_line),
        cmocka_unit_test(quantiles_lie_between_the_values),
    };
    return RUN(tests);
}
