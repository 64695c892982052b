/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The value of a figure, its interval, and whether it is steady. */
#include "harness/unit.h"

#include <math.h>

#include "probe/probe.h"

static struct probe_point point_of(double *values, unsigned n, bool rate)
{
    struct probe_point p = {.values = values, .n = n, .rate = rate};
    probe_evaluate(&p);
    return p;
}

static void quantiles_are_interpolated(void **state)
{
    double v[] = {5, 1, 4, 2, 3};
    (void)state;
    assert_near(probe_quantile(v, 5, 0), 1, 1e-12);
    assert_near(probe_quantile(v, 5, 0.1), 1.4, 1e-12);
    assert_near(probe_quantile(v, 5, 0.5), 3, 1e-12);
    assert_near(probe_quantile(v, 5, 1), 5, 1e-12);
    assert_near(probe_quantile(v, 1, 0.3), 1, 1e-12);
}

static void times_are_low_and_rates_are_high(void **state)
{
    double v[] = {10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20};
    (void)state;
    assert_near(point_of(v, 11, false).value, 11, 1e-12);
    assert_near(point_of(v, 11, true).value, 19, 1e-12);
}

static void slow_phases_do_not_change_the_value(void **state)
{
    double v[40];
    (void)state;
    for (unsigned i = 0; i < 40; i++)
        v[i] = (i % 4 ? 1 : 1.8) * (1 + 0.001 * (i % 7)); /* a quarter of the rounds is slow */
    struct probe_point p = point_of(v, 40, false);
    assert_near(p.value, 1, 0.01);
    assert_true(p.steady && p.low <= p.value && p.value <= p.high);
}

static void noise_is_not_steady(void **state)
{
    double v[30];
    uint64_t seed = 3;
    (void)state;
    for (unsigned i = 0; i < 30; i++)
        v[i] = 1 + (double)(probe_random(&seed) % 1000) / 1000;
    struct probe_point p = point_of(v, 30, false);
    assert_false(p.steady);
    assert_true(p.low < p.value && p.value < p.high);
}

static void few_or_no_rounds_are_not_steady(void **state)
{
    double v[] = {1, 1, 1};
    (void)state;
    struct probe_point none = point_of(v, 0, false);
    assert_true(isnan(none.value) && !none.steady);
    assert_false(point_of(v, 2, false).steady);
    assert_true(point_of(v, 3, false).steady);
}

static void results_repeat_to_the_last_bit(void **state)
{
    double v[] = {3, 1, 4, 1.5, 9, 2.6, 5.3};
    (void)state;
    struct probe_point a = point_of(v, 7, false), b = point_of(v, 7, false);
    assert_true(a.low == b.low && a.value == b.value && a.high == b.high);
}

/* The interval covers the true quantile about as often as it says. */
static void intervals_cover(void **state)
{
    enum { RUNS = 300, ROUNDS = 40 };
    int covered = 0;
    uint64_t seed = 11;
    (void)state;
    for (int run = 0; run < RUNS; run++) {
        double v[ROUNDS];
        for (int i = 0; i < ROUNDS; i++)
            v[i] = 1 + (double)(probe_random(&seed) % 100000) / 100000;
        struct probe_point p = point_of(v, ROUNDS, false);
        covered += p.low <= 1.1 && 1.1 <= p.high;
    }
    assert_true(covered > 0.85 * RUNS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantiles_are_interpolated),
        cmocka_unit_test(times_are_low_and_rates_are_high),
        cmocka_unit_test(slow_phases_do_not_change_the_value),
        cmocka_unit_test(noise_is_not_steady),
        cmocka_unit_test(few_or_no_rounds_are_not_steady),
        cmocka_unit_test(results_repeat_to_the_last_bit),
        cmocka_unit_test(intervals_cover),
    };
    return RUN(tests);
}
