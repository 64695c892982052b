/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How rounds that lie close together agree. */
#include <math.h>

#include "harness/unit.h"

#include "numeric/drift.h"
#include "numeric/random.h"
#include "numeric/thresholds.h"

enum { MOST = 400 };

/* n rounds, `period` seconds apart, of a machine whose state decays over tau. */
static void make_rounds(struct random *r, size_t n, double period, double tau, double deviation,
                        double noise, double *time, double *effect)
{
    double state = deviation * random_normal(r), keep = exp(-period / tau);
    for (size_t i = 0; i < n; i++) {
        time[i] = (double)i * period;
        effect[i] = state + noise * random_normal(r);
        state = keep * state + sqrt(1 - keep * keep) * deviation * random_normal(r);
    }
}

static struct drift_sum mean_of(const struct drift *d, const double *time, size_t n)
{
    struct drift_sum sum = {.alone = 0};
    for (size_t i = 0; i < n; i++)
        drift_sum_add(d, &sum, time[i], 1 / (double)n);
    return sum;
}

static double variance_of_mean(const double *time, const double *effect, size_t n)
{
    struct drift d;
    assert_true(drift_estimate(&d, time, effect, n));
    struct drift_sum sum = mean_of(&d, time, n);
    return drift_variance(&d, &sum, 1, 0);
}

/* Rounds far apart share nothing; rounds at the same time share everything that decays. */
static void sums_follow_from_the_times(void **state)
{
    const double far[] = {0, 1e6, 2e6, 3e6}, same[] = {5, 5, 5, 5};
    const struct drift rounds = {.block = 0}, blocks = {.block = 1};
    struct drift_sum apart = mean_of(&rounds, far, 4), together = mean_of(&rounds, same, 4),
                     one = mean_of(&blocks, same, 4);
    (void)state;
    for (int k = 0; k < DRIFT_TIMES; k++) {
        assert_true(fabs(apart.together[k] - 0.25) < 1e-12);
        assert_true(fabs(together.together[k] - 1) < 1e-12);
    }
    assert_true(fabs(apart.alone - 0.25) < 1e-12 && fabs(together.alone - 0.25) < 1e-12);
    assert_true(fabs(one.alone - 1) < 1e-12); /* rounds of one block are one */
}

/* Many rounds over a long time: as if they were independent, if they are; far less known, if they are not. */
static void the_data_tell_how_far_rounds_agree(void **state)
{
    double time[MOST], effect[MOST];
    struct random r = {7};
    (void)state;
    make_rounds(&r, MOST, 0.5, 1, 0, 0.01, time, effect);
    double independent = variance_of_mean(time, effect, MOST) / (0.01 * 0.01 / MOST);
    assert_true(independent > 0.7 && independent < 4);
    make_rounds(&r, MOST, 0.5, 5, 0.01, 0.001, time, effect);
    double truth = 0.01 * 0.01 * 2 * 5 /
                   (MOST * 0.5), /* of the mean over a time much longer than tau */
        drifting = variance_of_mean(time, effect, MOST) / truth;
    assert_true(drifting > 0.4 && drifting < 8);
}

/* What changes within a tenth of a second, at rounds that are shorter, is not a state that lasts for seconds: the mean of
 * many rounds is known far better than one of these would leave it. */
static void fast_changes_are_noise(void **state)
{
    double time[MOST], effect[MOST], truth = 0.1 * 0.1 * 2 * 0.05 / (MOST * 0.02);
    struct random r = {11};
    (void)state;
    make_rounds(&r, MOST, 0.02, 0.05, 0.1, 0.01, time, effect);
    double found = variance_of_mean(time, effect, MOST) / truth;
    assert_true(found > 0.4 && found < 40);
}

/* Ten rounds within half a second do not tell what the machine does later. */
static void a_moment_says_little(void **state)
{
    double time[10], effect[10], later[10];
    struct random r = {3};
    (void)state;
    make_rounds(&r, 10, 0.05, 5, 0, 0.01, time, effect);
    for (int i = 0; i < 10; i++)
        later[i] = 1e3 * time[i];
    assert_true(variance_of_mean(time, effect, 10) > 5 * variance_of_mean(later, effect, 10));
}

static void odd_rounds_have_an_answer(void **state)
{
    const double time[] = {1, 1, 1}, equal[] = {0.5, 0.5, 0.5};
    struct drift d;
    (void)state;
    assert_false(drift_estimate(&d, time, equal, 1));
    struct drift_sum sum = mean_of(&d, time, 3), none = {.alone = 0};
    assert_true(drift_variance(&d, &sum, 1, 0) == 0);
    assert_true(drift_estimate(&d, time, equal, 3));
    double variance = drift_variance(&d, &sum, 1, 0);
    assert_true(isfinite(variance) && variance < 1e-10);
    assert_true(drift_variance(&d, &none, 1, 0) == 0);
}

/* Of one combination, a decaying part of 0.4 with the third time, everything is known. */
static void the_expected_variance_is_that_of_its_parts(void **state)
{
    const double variance = 4e-4, part = 0.4, time[] = {0, 1, 3}, share[] = {0.5, 0.3, 0.2};
    struct drift d = {.dof = 5, .rounds = 1};
    struct drift_sum sum = {.alone = 0};
    double decays = 0, own = 0;
    (void)state;
    d.weight[2][4] = 1; /* tau = 2 s, part 0.4 */
    d.scale[2][4] = variance;
    assert_near(drift_decay(0, 1), exp(-1 / DRIFT_SHORTEST), 1e-12);
    assert_near(drift_decay(2, 1), exp(-1 / (4 * DRIFT_SHORTEST)), 1e-12);
    for (size_t i = 0; i < 3; i++) {
        drift_sum_add(&d, &sum, time[i], share[i]);
        own += share[i] * share[i];
        for (size_t j = 0; j < 3; j++)
            decays += share[i] * share[j] * drift_decay(2, fabs(time[i] - time[j]));
    }
    struct drift_means m = drift_expected(&d, 2, 0.1 * variance);
    assert_near(m.decays[2], variance * part, 1e-12);
    assert_near(m.own, 2 * variance * (1 - part - 0.1), 1e-12);
    assert_true(m.decays[0] == 0 && m.decays[3] == 0);
    double expected = variance * part * decays + m.own * own;
    assert_near(drift_mean_variance(&m, &sum), expected, 1e-12);
    /* of one combination, the variance of the interval is the expected one */
    assert_near(drift_variance(&d, &sum, 2, 0.1 * variance), expected, 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_follow_from_the_times),
        cmocka_unit_test(the_data_tell_how_far_rounds_agree),
        cmocka_unit_test(fast_changes_are_noise),
        cmocka_unit_test(a_moment_says_little),
        cmocka_unit_test(odd_rounds_have_an_answer),
        cmocka_unit_test(the_expected_variance_is_that_of_its_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
