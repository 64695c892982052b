/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Noise that is neither independent nor equal: whole runs, noise that grows, uneven numbers of
 * samples. bench/coverage and bench/intervals measure the rates; this is a small part of them. */
#include "base/text.h"
#include "harness/unit.h"

#include "harness/synthetic/coverage.h"
#include "harness/synthetic/drift.h"
#include "harness/synthetic/spreads.h"

static struct regimes usual(size_t sizes)
{
    return (struct regimes){.sizes = sizes,
                            .repetitions = 10,
                            .first = 1024,
                            .last = 1 << 20,
                            .constant = {2e-6, 5e-8},
                            .constants = 2,
                            .changing = 1,
                            .factor = 1,
                            .noise = 0.02};
}

/* What disturbs a whole run is in the intervals of predictions and of constants. */
static void disturbed_runs_are_in_the_intervals(void **state)
{
    (void)state;
    struct regimes r = usual(16);
    struct coverage c = {0};
    r.run_noise = 0.04;
    for (unsigned seed = 1; seed <= 60; seed++)
        coverage_add(&r, seed, 300000, &c);
    if (c.typical < 264 || c.constants < 106) /* of 300 and 120: 88 % allow for chance */
        fail_msg("typical %u of %u, constants %u of %u", c.typical, c.total, c.constants,
                 c.constants_total);
}

/* Models of a spread find it, however few the samples are, and their intervals contain it; also where
 * runs are slow as a whole. */
static void spreads_are_in_their_intervals(void **state)
{
    static const enum statistic kinds[] = {STATISTIC_DIFFERENCE, STATISTIC_DEVIATION};
    (void)state;
    for (size_t k = 0; k < 4; k += is_thorough() ? 1 : 3) {
        struct regimes r = usual(16);
        struct spreads c = {0};
        r.repetitions = 20;
        r.noise = k / 2 ? 0.04 : 0.05;
        r.run_noise = k / 2 ? 0.03 : 0;
        for (unsigned seed = 1; seed <= 40; seed++)
            spreads_add(&r, kinds[k % 2], seed, 300000, &c);
        assert_int_equal(c.total, 40);
        assert_within(c.ratio / 40, 1, 0.05);
        if (c.inside < 35 || c.constants < 70) /* of 40 and 80: 88 % allow for chance */
            fail_msg("%zu: inside %u, constants %u of %u", k, c.inside, c.constants,
                     c.constants_total);
    }
}

/* Few samples next to many: their spread means the same. */
static void spreads_of_few_samples_are_those_of_many(void **state)
{
    (void)state;
    struct regimes r = usual(16);
    struct spreads c = {0};
    r.repetitions = 4; /* 80 down to 2 samples */
    r.uneven = true;
    for (unsigned seed = 1; seed <= 40; seed++)
        spreads_add(&r, STATISTIC_DEVIATION, seed, 30000, &c);
    assert_within(c.ratio / 40, 1, 0.08);
}

/* One execution has no spread, and a slow run is a part of it. */
static void a_spread_has_no_interval_of_a_single_run(void **state)
{
    (void)state;
    struct synth s = synth_begin();
    struct regimes r = usual(16);
    struct prediction p;
    const char *names[] = {"N"};
    double n = 300000;
    regimes_load(&s, &r);
    struct model *m = synth_fit(&s, NULL, false, STATISTIC_DEVIATION);
    assert_non_null(m);
    assert_int_equal(model_predict(s.arena, m, &(struct place){names, &n, 1}, s.diag, &p), 0);
    assert_true(isfinite(p.low) && isnan(p.single_low) && isnan(p.single_high));
    synth_end(&s);
}

/* The size of the disturbance; 0 without one. */
static void the_noise_of_runs_is_estimated(void **state)
{
    (void)state;
    double with = 0, without = 0;
    for (unsigned seed = 1; seed <= 20; seed++)
        for (int disturbed = 0; disturbed <= 1; disturbed++) {
            struct synth s = synth_begin();
            struct regimes r = usual(16);
            s.random ^= seed * 0x9e3779b97f4a7c15u;
            r.run_noise = disturbed ? 0.04 : 0;
            regimes_load(&s, &r);
            struct model *m = synth_fit(&s, NULL, false, STATISTIC_P10);
            assert_non_null(m);
            *(disturbed ? &with : &without) += model_noise(m)->runs / 20;
            synth_end(&s);
        }
    assert_true(with > 0.03 && with < 0.05);
    assert_true(without < 0.006);
}

/* A run that measured each size by itself disturbs one point, which the residuals show already: its
 * noise is not counted twice. */
static void runs_of_one_point_count_once(void **state)
{
    (void)state;
    struct synth s = synth_begin();
    struct text t;
    text_init(&t);
    text_printf(&t, "# cll-data 1\n# experiment: f\n# formula: f CLOCK f[0] + f[1]*N\n"
                    "# variables: f N\n" SYNTH_COLUMNS " N CLOCK\n");
    for (int size = 0, run = 0; size < 20; size++)
        for (int k = 0; k < 5; k++, run++) {
            double slow = 1 + 0.04 * synth_normal(&s), n = 1000 * pow(1.4, size);
            for (int i = 0; i < 4; i++)
                text_printf(&t, "f %d %d 0 0 1 0 0 1 %.17g %.17g\n", run, i, n,
                            (1e-6 + 1e-9 * n) * slow * (1 + 0.002 * synth_normal(&s)));
        }
    assert_int_equal(synth_load(&s, t.s), 0);
    struct model *m = synth_fit(&s, NULL, false, STATISTIC_MEDIAN);
    assert_non_null(m);
    assert_true(model_noise(m)->runs > 0.02);
    double both =
               model_noise(m)->relative * model_noise(m)->relative + model_noise(m)->runs_of_point,
           residuals = 0;
    for (size_t i = 0; i < model_points(m)->n; i++)
        residuals += pow(model_points(m)->value[i] / model_fitted(m)[i] - 1, 2) / 18;
    assert_true(both < 1.3 * residuals);
    text_free(&t);
    synth_end(&s);
}

static void growing_noise_is_found_and_extrapolated(void **state)
{
    (void)state;
    int found = 0, invented = 0;
    for (unsigned seed = 1; seed <= 20; seed++)
        for (int grows = 0; grows <= 1; grows++) {
            struct synth s = synth_begin();
            struct regimes r = usual(16);
            s.random ^= seed * 0x9e3779b97f4a7c15u;
            r.growth = grows ? 0.3 : 0;
            regimes_load(&s, &r);
            struct model *m = synth_fit(&s, NULL, false, STATISTIC_P10);
            struct prediction inside, beyond;
            double n[] = {30000, 8 << 20};
            const char *names[] = {"N"};
            assert_non_null(m);
            found += grows && fabs(model_noise(m)->growth - 0.3) < 0.15;
            invented += !grows && model_noise(m)->growth != 0;
            model_predict(s.arena, m, &(struct place){names, &n[0], 1}, s.diag, &inside);
            model_predict(s.arena, m, &(struct place){names, &n[1], 1}, s.diag, &beyond);
            if (model_noise(m)->growth > 0.1)
                assert_true((beyond.high - beyond.low) / beyond.value >
                            2 * (inside.high - inside.low) / inside.value);
            synth_end(&s);
        }
    assert_true(found >= 16);
    assert_true(invented <= 2);
}

/* From 200 samples at the smallest size to 2 at the largest: no boundary, and no drift. */
static void few_samples_are_comparable_to_many(void **state)
{
    (void)state;
    int right = 0;
    double error = 0;
    for (unsigned seed = 1; seed <= 20; seed++) {
        struct synth s = synth_begin();
        struct regimes r = usual(16);
        s.random ^= seed * 0x9e3779b97f4a7c15u;
        r.uneven = true;
        r.noise = 0.05;
        regimes_load(&s, &r);
        struct model *m = synth_fit(&s, NULL, false, STATISTIC_P10);
        assert_non_null(m);
        assert_true(model_points(m)->corrected > 4);
        right += model_pieces(m)->nboundaries == 0;
        /* The 10th percentile of many is 1.28 standard deviations below the middle. */
        error +=
            model_points(m)->value[15] / (regimes_truth(&r, regimes_size(&r, 15)) * (1 - 0.064)) -
            1;
        synth_end(&s);
    }
    assert_true(right >= 18);
    assert_true(fabs(error / 20) < 0.025); /* 4 to 5 % without the correction */
}

/* Equal numbers of samples are left alone. */
static void equal_numbers_are_not_corrected(void **state)
{
    (void)state;
    struct synth s = synth_begin();
    struct regimes r = usual(16);
    regimes_load(&s, &r);
    struct model *m = synth_fit(&s, NULL, false, STATISTIC_P10);
    assert_non_null(m);
    assert_int_equal(model_points(m)->corrected, 0);
    assert_null(model_points(m)->uneven);
    synth_end(&s);
}

/* A formula that is wrong at small sizes, where the noise is larger as well: the points count alike, and the fit is not worse
 * than the plain one. */
static void noise_does_not_make_a_fit_worse(void **state)
{
    int refused = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        struct synth s = synth_begin();
        struct text t;
        text_init(&t);
        s.random ^= seed * 0x9e3779b97f4a7c15u;
        text_printf(&t,
                    "# cll-data 1\n# resolution: 1e-9\n# overhead: 0 0\n# experiment: f\n"
                    "# formula: f CLOCK f[0] + f[1]*N\n# variables: f N\n%s N CLOCK\n",
                    SYNTH_COLUMNS);
        for (int run = 0; run < 10; run++)
            for (double n = 128; n <= 16384; n *= 2)
                text_printf(&t, "f %d 0 0 0 1 0 0 1 %g %.9g\n", run, n,
                            3e-9 * pow(n, 1.25) *
                                (1 + 0.3 * sqrt(128 / n) * fabs(synth_normal(&s))));
        assert_int_equal(synth_load(&s, t.s), 0);
        struct model *m = synth_fit_with(&s, NULL, false, STATISTIC_P10,
                                         (struct interval_request){.mode = INTERVALS_NONE});
        assert_non_null(m);
        refused += model_noise(m)->growth_refused < 0;
        assert_true(model_noise(m)->growth == 0);
        assert_true(model_error(m)->mean_pct < 25); /* 35 to 37 with the noise that falls */
        text_free(&t);
        synth_end(&s);
    }
    assert_true(refused >= 3); /* chance hides it in some */
}

/* Rounds within ten seconds share the state of the machine; what is measured a minute later does not. bench/drift
 * has the rates. Without the times of the rounds, 15 and 20 of 40 are inside. */
static void rounds_close_together_are_not_independent(void **state)
{
    enum { SEEDS = 40, ENOUGH = 34 };
    struct drifting d = {.span = 10, .period = 0.25, .deviation = 0.03, .tau = 5, .noise = 0.01};
    struct drifting_result r = {.total = 0};
    (void)state;
    for (unsigned seed = 1; seed <= SEEDS; seed++)
        drifting_add(d, seed, &r);
    assert_true(r.burst >= ENOUGH && r.typical >= ENOUGH);
}

/* A point of a few rounds within a second is held against an interval for them; of as many over as long a time, against
 * the typical one; of one execution, against that of a single run. */
static void comparisons_are_held_against_what_they_are(void **state)
{
    struct drifting d = {.span = 10, .period = 0.5, .deviation = 0.03, .tau = 5, .noise = 0.01};
    static const struct {
        int rounds;
        double period;
        enum point_kind kind;
    } cases[] = {{1, 1, POINT_SINGLE}, {8, 0.1, POINT_BURST}, {20, 0.5, POINT_TYPICAL}};
    struct synth s = synth_begin();
    const double sizes[] = {1024, 2048, 4096, 8192};
    double half[3] = {0};
    (void)state;
    for (int i = 0; i < 20; i++) {
        drifting_round(&s, &s, &d, i, i * d.period, sizes, 4);
        drifting_pass(&s, &d, d.period);
    }
    struct model *m = synth_fit(&s, NULL, false, STATISTIC_P10);
    assert_non_null(m);
    for (int i = 0; i < 3; i++) {
        enum point_kind kind;
        struct drifting later = d;
        drifting_compare(m, &s, &later, cases[i].rounds, cases[i].period, 8192, &half[i], &kind);
        assert_int_equal(kind, cases[i].kind);
    }
    assert_true(half[1] > half[2]);
    synth_end(&s);
}

/* On a steady machine the noise of few samples is what a burst differs by, also if its rounds began in the same second. */
static void a_burst_has_the_noise_of_few_samples(void **state)
{
    enum { SIZES = 50, ROUNDS = 40, BURST = 8, ENOUGH = 45 };
    struct drifting d = {.span = ROUNDS, .period = 1, .tau = 1, .noise = 0.02};
    struct synth s = synth_begin(), later = synth_begin();
    double sizes[SIZES];
    int inside = 0;
    (void)state;
    for (int i = 0; i < SIZES; i++)
        sizes[i] = 1000 + 100 * i;
    for (int i = 0; i < ROUNDS; i++)
        drifting_round(&s, &s, &d, i, i, sizes, SIZES);
    for (int i = 0; i < BURST; i++)
        drifting_round(&later, &s, &d, i, 100, sizes, SIZES);
    struct model *m = synth_fit(&s, NULL, false, STATISTIC_P10);
    assert_non_null(m);
    struct points_request r = model_request(m)->points;
    struct points p;
    r.dataset = later.data;
    r.experiment = dataset_find(later.data, "f");
    assert_int_equal(points_make(later.arena, &r, later.diag, &p), 0);
    struct held_points held = burst_held_points(m, &p);
    for (size_t i = 0; i < p.n; i++) {
        const char *names[] = {"N"};
        struct prediction one;
        assert_int_equal(
            model_predict(s.arena, m, &(struct place){names, &p.at[0][i], 1}, s.diag, &one), 0);
        struct point_interval interval = prediction_interval(&held, &one, i);
        assert_int_equal(interval.kind, POINT_BURST);
        inside += p.value[i] >= interval.low && p.value[i] <= interval.high;
    }
    assert_true(inside >= ENOUGH);
    synth_end(&later);
    synth_end(&s);
}

/* Runs of a steady machine whose times are not known. */
static void load_runs(struct synth *to, struct synth *noise, size_t sizes, size_t runs,
                      size_t repetitions)
{
    struct text t;
    text_init(&t);
    text_printf(&t,
                "# cll-data 1\n# resolution: 1e-12\n# overhead: 0 0\n# experiment: f\n"
                "# formula: f CLOCK f[0] + f[1]*N\n# variables: f N\n%s N CLOCK\n",
                SYNTH_COLUMNS);
    for (size_t run = 0; run < runs; run++) {
        double slower = 1 + 0.01 * synth_normal(noise);
        for (size_t k = 0; k < sizes * repetitions; k++)
            text_printf(&t, "f %zu %zu 0 0 1 0 0 1 %zu %.9g\n", run, k, 1000 + 100 * (k % sizes),
                        (1e-6 + 3e-9 * (double)(1000 + 100 * (k % sizes))) * slower *
                            (1 - 0.1 * log(synth_uniform(noise))));
    }
    assert_int_equal(synth_load(to, t.s), 0);
    text_free(&t);
}

/* The 10th percentile of two executions is nearly their mean, and their minimum is far above that of twenty. With the interval
 * of as many executions as the fit has, 4 to 8 in ten of these points would be inside. */
static void few_runs_are_held_against_what_they_are(void **state)
{
    enum { SIZES = 50, ENOUGH = 44 };
    static const struct {
        size_t runs, repetitions, few_runs, few;
    } cases[] = {{20, 1, 2, 1}, {20, 1, 3, 1}, {20, 1, 5, 1}, {1, 20, 1, 3}, {5, 1, 2, 1}};
    static const enum statistic list[] = {STATISTIC_P10, STATISTIC_MIN, STATISTIC_MEDIAN,
                                          STATISTIC_MEAN};
    const char *names[] = {"N"};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases * 4; i++) {
        struct synth s = synth_begin(), later = synth_begin();
        struct points p;
        int inside = 0;
        load_runs(&s, &s, SIZES, cases[i / 4].runs, cases[i / 4].repetitions);
        load_runs(&later, &s, SIZES, cases[i / 4].few_runs, cases[i / 4].few);
        struct model *m = synth_fit(&s, NULL, false, list[i % 4]);
        assert_non_null(m);
        struct points_request r = model_request(m)->points;
        r.dataset = later.data;
        r.experiment = dataset_find(later.data, "f");
        assert_int_equal(points_make(later.arena, &r, later.diag, &p), 0);
        struct held_points held = burst_held_points(m, &p);
        for (size_t k = 0; k < p.n; k++) {
            struct prediction one;
            assert_int_equal(
                model_predict(s.arena, m, &(struct place){names, &p.at[0][k], 1}, s.diag, &one), 0);
            struct point_interval interval = prediction_interval(&held, &one, k);
            assert_int_equal(interval.kind, POINT_FEW);
            inside += p.value[k] >= interval.low && p.value[k] <= interval.high;
        }
        if (inside < ENOUGH)
            fail_msg("case %zu, %s: %d of %d", i / 4, statistics[list[i % 4]].name, inside, SIZES);
        synth_end(&later);
        synth_end(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(disturbed_runs_are_in_the_intervals),
        cmocka_unit_test(spreads_are_in_their_intervals),
        cmocka_unit_test(spreads_of_few_samples_are_those_of_many),
        cmocka_unit_test(a_spread_has_no_interval_of_a_single_run),
        cmocka_unit_test(the_noise_of_runs_is_estimated),
        cmocka_unit_test(runs_of_one_point_count_once),
        cmocka_unit_test(growing_noise_is_found_and_extrapolated),
        cmocka_unit_test(few_samples_are_comparable_to_many),
        cmocka_unit_test(equal_numbers_are_not_corrected),
        cmocka_unit_test(noise_does_not_make_a_fit_worse),
        cmocka_unit_test(rounds_close_together_are_not_independent),
        cmocka_unit_test(a_burst_has_the_noise_of_few_samples),
        cmocka_unit_test(few_runs_are_held_against_what_they_are),
        cmocka_unit_test(comparisons_are_held_against_what_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
