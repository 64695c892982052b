/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Statistics of samples. */
#include "harness/unit.h"

#include "numeric/stats.h"
#include "numeric/thresholds.h"
#include "harness/synthetic/synth.h"

static void quantiles_interpolate_between_order_statistics(void **state)
{
    double v[] = {5, 1, 4, 2, 3};
    (void)state;
    assert_within(stats_quantile(v, 5, 0.5), 3, 0);
    assert_within(stats_quantile(v, 5, 0.1), 1.4, 1e-15);
    assert_within(stats_quantile(v, 5, 0), 1, 0);
    assert_within(stats_quantile(v, 5, 1), 5, 0);
    double one = 7;
    assert_within(stats_quantile(&one, 1, 0.1), 7, 0);
}

static void selection_agrees_with_sorting(void **state)
{
    struct synth s = {.random = 3};
    static double v[5000], sorted[5000];
    (void)state;
    for (int round = 0; round < 60; round++) {
        size_t n = 1 + (size_t)(synth_uniform(&s) * 4999);
        for (size_t i = 0; i < n; i++) /* with many ties, ascending, descending, random */
            sorted[i] = v[i] = round % 4 == 0   ? floor(synth_uniform(&s) * 3)
                               : round % 4 == 1 ? (double)i
                               : round % 4 == 2 ? -(double)i
                                                : synth_normal(&s);
        stats_sort(sorted, n);
        for (int k = 0; k < 10; k++) {
            double q = synth_uniform(&s);
            assert_within(stats_quantile(v, n, q), stats_sorted_quantile(sorted, n, q),
                          1e-12 * (1 + fabs(sorted[n - 1])));
        }
    }
}

static void weights_count_as_repetitions(void **state)
{
    double v[] = {3, 1, 2}, w[] = {2, 1, 4}, expanded[] = {1, 2, 2, 2, 2, 3, 3};
    (void)state;
    for (double q = 0; q <= 1; q += 0.05) {
        double a[] = {v[0], v[1], v[2]}, b[] = {w[0], w[1], w[2]};
        assert_within(stats_weighted_quantile(a, b, 3, q), stats_sorted_quantile(expanded, 7, q),
                      1e-12);
    }
}

static void each_statistic_has_its_value_and_error(void **state)
{
    double base[100], v[100];
    (void)state;
    for (int i = 0; i < 100; i++)
        base[i] = i + 1;
    memcpy(v, base, sizeof v);
    assert_within(stats_point(STATISTIC_MIN, v, NULL, 100).value, 1, 0);
    memcpy(v, base, sizeof v);
    assert_within(stats_point(STATISTIC_P10, v, NULL, 100).value, 10.9, 1e-12);
    memcpy(v, base, sizeof v);
    struct stats_value median = stats_point(STATISTIC_MEDIAN, v, NULL, 100);
    assert_within(median.value, 50.5, 1e-12);
    assert_within(median.standard_error, 4.95, 1e-9); /* quantiles 0.45 and 0.55 are 9.9 apart */
    memcpy(v, base, sizeof v);
    struct stats_value mean = stats_point(STATISTIC_MEAN, v, NULL, 100);
    assert_within(mean.value, 50.5, 1e-12);
    assert_within(mean.standard_error, 29.011491975882016 / 10, 1e-9);
    double one = 5;
    assert_true(isnan(stats_point(STATISTIC_P10, &one, NULL, 1).standard_error));
}

/* The differences from the mean, 5, are 3 1 1 1 0 0 2 4: 12 in all, their squares 32. */
static void samples_spread_around_their_mean(void **state)
{
    double v[] = {2, 4, 4, 4, 5, 5, 7, 9}, each[] = {2, 4, 5, 7, 9}, times[] = {1, 3, 2, 1, 1};
    (void)state;
    struct stats_spread s = stats_spread(v, NULL, 8);
    assert_within(s.mean, 5, 1e-15);
    assert_within(s.difference, 1.5, 1e-15);
    assert_within(s.deviation, sqrt(32.0 / 7), 1e-15);
    s = stats_spread(each, times, 5);
    assert_within(s.mean, 5, 1e-15);
    assert_within(s.difference, 1.5, 1e-15);
    s = stats_spread(v, NULL, 1);
    assert_true(s.mean == 2 && s.difference == 0 && isnan(s.deviation));
    double equal[10]; /* whose sum is rounded */
    for (size_t i = 0; i < 10; i++)
        equal[i] = 0.001;
    s = stats_spread(equal, NULL, 10);
    assert_true(s.mean == 0.001 && s.difference == 0 && s.deviation == 0);
}

static void levels_are_those_of_the_statistics(void **state)
{
    double v[7] = {3, 1, 4, 1, 5, 9, 2}, w[7];
    (void)state;
    assert_true(stats_level(STATISTIC_P10) == POINT_QUANTILE && stats_level(STATISTIC_MIN) == 0 &&
                stats_level(STATISTIC_MEDIAN) == 0.5 && isnan(stats_level(STATISTIC_MEAN)));
    memcpy(w, v, sizeof w);
    assert_within(stats_at(0.75, w, NULL, 7).value, 4.5, 1e-15); /* of 1 1 2 3 4 5 9 */
    memcpy(w, v, sizeof w);
    struct stats_value at = stats_at(0.5, w, NULL, 7);
    assert_true(at.value == stats_point(STATISTIC_MEDIAN, v, NULL, 7).value &&
                at.standard_error == stats_point(STATISTIC_MEDIAN, v, NULL, 7).standard_error);
}

static void a_sample_of_weight_0_is_not_there(void **state)
{
    const double v[] = {1, 2, 3, 4, 5}, weight[] = {0, 2, 0, 1, 0}, there[] = {2, 2, 4};
    (void)state;
    for (double q = 0; q <= 1; q += 0.0625)
        assert_within(stats_sorted_weighted_quantile(v, weight, 5, 3, q),
                      stats_sorted_quantile(there, 3, q), 1e-15);
}

static void numbers_are_compared_and_ranked(void **state)
{
    struct arena *a = arena_create();
    const double at[] = {8, 2, 8, 4, -1, 2};
    const double *rank = stats_ranks(a, at, 6), want[] = {3, 1, 3, 2, 0, 1};
    (void)state;
    for (size_t i = 0; i < 6; i++)
        assert_true(rank[i] == want[i]);
    assert_true(stats_compare(1, 2) == -1 && stats_compare(2, 1) == 1 && stats_compare(1, 1) == 0);
    assert_true(stats_compare(NAN, 1) == 1 && stats_compare(1, NAN) == -1 &&
                stats_compare(NAN, NAN) == 0);
    arena_destroy(a);
}

static void two_modes_are_seen_and_one_is_not(void **state)
{
    struct synth s = {.random = 99};
    double v[200];
    int false_alarms = 0;
    (void)state;
    for (int i = 0; i < 60; i++)
        v[i] = (i % 3 ? 1 : 1.7) * (1 + 0.03 * synth_normal(&s));
    stats_sort(v, 60);
    struct stats_modes m = stats_two_modes(v, 60);
    assert_true(m.two);
    assert_within(m.high / m.low, 1.7, 0.1);
    assert_within(m.low_share, 2.0 / 3, 0.01);
    for (int round = 0; round < 2000; round++) {
        size_t n = 10 + (size_t)round % 100;
        for (size_t i = 0; i < n; i++)
            v[i] = round % 3 == 0   ? 1 + 0.1 * synth_normal(&s)
                   : round % 3 == 1 ? 1 - 0.2 * log(synth_uniform(&s))
                                    : 1 + synth_uniform(&s);
        stats_sort(v, n);
        false_alarms += v[0] > 0 && stats_two_modes(v, n).two;
    }
    assert_true(false_alarms <= 10); /* half a percent */
    double few[] = {1, 1, 1, 2, 2, 2};
    assert_false(stats_two_modes(few, 6).two);
}

static void indices_are_in_the_order_of_their_keys(void **state)
{
    const double key[] = {3, NAN, 1, 3, 2};
    size_t order[] = {4, 3, 1, 0, 2};
    (void)state;
    stats_order(order, 5, key);
    assert_memory_equal(order, ((const size_t[]){2, 4, 0, 3, 1}), sizeof order);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantiles_interpolate_between_order_statistics),
        cmocka_unit_test(selection_agrees_with_sorting),
        cmocka_unit_test(weights_count_as_repetitions),
        cmocka_unit_test(each_statistic_has_its_value_and_error),
        cmocka_unit_test(samples_spread_around_their_mean),
        cmocka_unit_test(levels_are_those_of_the_statistics),
        cmocka_unit_test(a_sample_of_weight_0_is_not_there),
        cmocka_unit_test(numbers_are_compared_and_ranked),
        cmocka_unit_test(two_modes_are_seen_and_one_is_not),
        cmocka_unit_test(indices_are_in_the_order_of_their_keys),
    };
    return RUN(tests);
}
