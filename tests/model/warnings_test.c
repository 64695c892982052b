/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each warning is given where it belongs, and none on good data. */
#include "harness/unit.h"

#include "base/text.h"
#include "harness/synthetic/truths.h"

/* f over N, `repeat` samples per point: clock(n, u) with u a normal deviate. */
static void make(struct synth *s, const char *header, int repeat,
                 double (*clock)(struct synth *s, double n))
{
    struct text t;
    text_init(&t);
    text_printf(&t,
                "# cll-data 1\n# experiment: f\n# variables: f N\n%s" SYNTH_COLUMNS " N CLOCK\n",
                header);
    for (int i = 0; i < repeat; i++) {
        int seq = 0;
        for (double n = 256; n <= 1 << 19; n *= 2)
            text_printf(&t, "f %d %d 0 0 1 0 0 1 %.17g %.17g\n", i, seq++, n, clock(s, n));
    }
    if (synth_load_bytes(s, t.s, t.n))
        fail_msg("%s", synth_error(s));
    text_free(&t);
}

static double good(struct synth *s, double n)
{
    return (2e-6 + 3e-9 * n) * (1 + 0.03 * synth_normal(s));
}

static void a_right_formula_on_good_data_gives_no_warning(void **state)
{
    size_t warnings = 0;
    (void)state;
    for (uint64_t seed = 0; seed < 100; seed++) {
        struct synth s = synth_begin();
        s.random += seed * 104729;
        make(&s, "", 12, good);
        struct model *m = synth_fit(&s, "f[0] + f[1]*N", false, STATISTIC_P10);
        assert_non_null(m);
        warnings += model_warnings(m)->n;
        synth_end(&s);
    }
    if (warnings > 3)
        fail_msg("%zu warnings in 100 good sets", warnings);
}

static double two_speeds(struct synth *s, double n)
{
    return good(s, n) * (synth_uniform(s) < 0.4 ? 1.7 : 1);
}

static void two_modes_name_the_one_the_model_describes(void **state)
{
    struct synth s = synth_begin();
    (void)state;
    make(&s, "", 40, two_speeds);
    struct model *m = synth_fit(&s, "f[0] + f[1]*N", false, STATISTIC_P10);
    assert_non_null(strstr(synth_warning(m, "two-modes"), "of 12 points"));
    assert_non_null(strstr(synth_warning(m, "two-modes"), "1.7 times apart"));
    assert_non_null(
        strstr(synth_warning(m, "two-modes"), "the 10th percentile describes the fast one"));
    m = synth_fit(&s, "f[0] + f[1]*N", false, STATISTIC_MEAN);
    assert_non_null(strstr(synth_warning(m, "two-modes"), "the mean describes a mixture of both"));
    synth_end(&s);
}

static double two_paths(struct synth *s, double n)
{
    return good(s, n) * (synth_uniform(s) < 0.4 ? 9 : 1);
}

/* No neighbour makes a core nine times slower. */
static void modes_far_apart_are_paths_of_the_program(void **state)
{
    struct synth s = synth_begin();
    (void)state;
    make(&s, "", 40, two_paths);
    struct model *m = synth_fit(&s, "f[0] + f[1]*N", false, STATISTIC_P10);
    assert_non_null(strstr(synth_warning(m, "two-paths"), "9 times apart"));
    assert_string_equal(synth_warning(m, "two-modes"), "");
    synth_end(&s);
}

/* A simulator's clock: exact up to its steps of 10 ps, one point a little off. */
static double simulated(struct synth *s, double n)
{
    (void)s;
    return 1e-11 * round((3e-9 * n - 4e-12 + (n == 4096 ? 2e-9 : 0)) / 1e-11);
}

static double simulated_exactly(struct synth *s, double n)
{
    (void)s;
    return 3e-9 * n - 4e-12;
}

static void steps_of_the_clock_are_no_finding(void **state)
{
    struct synth s = synth_begin();
    (void)state;
    make(&s, "# resolution: 1e-11\n# overhead: 0 0\n", 1, simulated);
    struct model *m = synth_fit(&s, "f[0] + f[1]*N", false, STATISTIC_P10);
    assert_false(synth_has_warning(m, "outlier"));
    synth_end(&s);
    s = synth_begin();
    make(&s, "# resolution: 1e-11\n# overhead: 0 0\n# clock: simulated\n", 1, simulated_exactly);
    m = synth_fit(&s, "f[0] + f[1]*N", false, STATISTIC_P10);
    assert_true(model_columns(m).value[0] < 0);
    assert_false(synth_has_warning(m, "negative"));
    assert_false(synth_has_warning(m, "outlier"));
    synth_end(&s);
}

static double flat(struct synth *s, double n)
{
    (void)n;
    return 5e-8 * (1 + 0.005 * synth_normal(s));
}

static void a_time_that_ignores_its_variable_is_suspicious(void **state)
{
    struct synth s = synth_begin();
    (void)state;
    make(&s, "", 10, flat);
    struct model *m = synth_fit(&s, "f[0] + f[1]*N", false, STATISTIC_P10);
    assert_non_null(strstr(synth_warning(m, "independent"), "CLOCK does not depend on N"));
    synth_end(&s);
}

static double spiked(struct synth *s, double n)
{
    return good(s, n) * (n == 4096 ? 2 : 1);
}

static void a_point_far_off_is_named(void **state)
{
    struct synth s = synth_begin();
    (void)state;
    make(&s, "", 10, spiked);
    struct model *m = synth_fit(&s, "f[0] + f[1]*N", false, STATISTIC_P10);
    assert_non_null(
        strstr(synth_warning(m, "left-out"), "1 point is an outlier and left out of the fit"));
    assert_non_null(strstr(synth_warning(m, "left-out"), "N=4096 (2 times the model)"));
    synth_end(&s);
}

/* Exact data, one point one percent off: significant, and without consequence. */
static double hardly_off(struct synth *s, double n)
{
    return (1e-6 + 3e-9 * n) * (n == 4096 ? 1.01 : 1) * (1 + 1e-3 * synth_normal(s));
}

static void points_that_are_hardly_off_are_not_named(void **state)
{
    struct synth s = synth_begin();
    (void)state;
    make(&s, "", 10, hardly_off);
    struct model *m = synth_fit_with(&s, "f[0] + f[1]*N", false, STATISTIC_P10,
                                     (struct interval_request){.mode = INTERVALS_NONE});
    assert_false(synth_has_warning(m, "outlier"));
    assert_false(synth_has_warning(m, "left-out"));
    synth_end(&s);
}

static double spiked_twice(struct synth *s, double n)
{
    return good(s, n) * (n == 1024 ? 1.6 : n == 8192 ? 4 : 1);
}

static void points_farthest_off_are_named_first(void **state)
{
    struct synth s = synth_begin();
    (void)state;
    make(&s, "", 10, spiked_twice);
    struct model *m = synth_fit(&s, "f[0] + f[1]*N", false, STATISTIC_P10);
    const char *text = synth_warning(m, "left-out");
    const char *most = strstr(text, "N=8192 (4 times"), *more = strstr(text, "N=1024 (1.6 times");
    assert_true(most && more && most < more);
    synth_end(&s);
}

static double negative_where_it_is_spiked(struct synth *s, double n)
{
    return n == 256 ? 5e-6 : (3e-9 * n - 1e-6) * (1 + 0.003 * synth_normal(s));
}

static void a_point_left_out_where_the_model_is_negative_has_no_factor(void **state)
{
    struct synth s = synth_begin();
    (void)state;
    make(&s, "", 10, negative_where_it_is_spiked);
    struct model *m = synth_fit(&s, "f[0] + f[1]*N", false, STATISTIC_P10);
    const char *text = synth_warning(m, "left-out");
    assert_non_null(strstr(text, "N=256 (measured 5e-06, model -"));
    assert_null(strstr(text, "times the model"));
    synth_end(&s);
}

static double with_a_jump(struct synth *s, double n)
{
    return good(s, n) * (n > 10000 ? 2.5 : 1);
}

static void a_formula_that_does_not_hold_everywhere_is_reported(void **state)
{
    struct synth s = synth_begin();
    (void)state;
    make(&s, "", 10, with_a_jump);
    struct model *m = synth_fit_with(&s, "f[0] + f[1]*N", false, STATISTIC_P10,
                                     (struct interval_request){.mode = INTERVALS_NONE});
    assert_non_null(
        strstr(synth_warning(m, "misfit"), "times more than their repetitions explain"));
    synth_end(&s);
}

static double cold_start(struct synth *s, double n)
{
    return good(s, n) * (n == 256 ? 4 : 1);
}

static void a_point_that_was_always_first_and_slow_is_named(void **state)
{
    struct synth s = synth_begin();
    (void)state;
    make(&s, "", 6, cold_start);
    struct model *m = synth_fit(&s, "f[0] + f[1]*N", false, STATISTIC_P10);
    assert_non_null(strstr(synth_warning(m, "cold"), "N=256 was measured first in every run"));
    synth_end(&s);
}

/* f over N in one run of this number; `slow` of its 120 samples in a row take twice as long. */
static void make_run(struct synth *s, int run, int slow)
{
    struct text t;
    text_init(&t);
    text_add(&t, "# cll-data 1\n# experiment: f\n# variables: f N\n" SYNTH_COLUMNS " N CLOCK\n");
    for (int i = 0, seq = 0; i < 10; i++)
        for (double n = 256; n <= 1 << 19; n *= 2, seq++)
            text_printf(&t, "f %d %d %g 0 1 0 0 1 %.17g %.17g\n", run, seq, seq * 1e-3, n,
                        good(s, n) * (seq >= 50 && seq < 50 + slow ? 2 : 1));
    if (synth_load_bytes(s, t.s, t.n))
        fail_msg("%s", synth_error(s));
    text_free(&t);
}

static void a_slow_phase_is_named_by_its_file_and_run(void **state)
{
    struct synth s = synth_begin();
    (void)state;
    make_run(&s, 7, 20);
    struct model *m = synth_fit(&s, "f[0] + f[1]*N", false, STATISTIC_P10);
    assert_non_null(strstr(synth_warning(m, "slow-phase"), "(0.05 s to 0.069 s of run 7);"));
    make_run(&s, 3, 0);
    m = synth_fit(&s, "f[0] + f[1]*N", false, STATISTIC_P10);
    assert_non_null(strstr(synth_warning(m, "slow-phase"), "of run 7 of test.dat);"));
    synth_end(&s);
}

/* One sample in ten is slow, at no particular time. */
static void slow_samples_here_and_there_are_no_phase(void **state)
{
    size_t found = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        struct synth s = synth_begin();
        struct text t;
        s.random += seed * 104729;
        text_init(&t);
        text_add(&t,
                 "# cll-data 1\n# experiment: f\n# variables: f N\n" SYNTH_COLUMNS " N CLOCK\n");
        for (int i = 0, seq = 0; i < 20; i++)
            for (double n = 256; n <= 1 << 19; n *= 2, seq++)
                text_printf(&t, "f 0 %d %g 0 1 0 0 1 %.17g %.17g\n", seq, seq * 1e-3, n,
                            good(&s, n) * (synth_uniform(&s) < 0.1 ? 2 : 1));
        assert_int_equal(synth_load_bytes(&s, t.s, t.n), 0);
        struct model *m = synth_fit(&s, "f[0] + f[1]*N", false, STATISTIC_P10);
        assert_non_null(m);
        found += synth_has_warning(m, "slow-phase");
        text_free(&t);
        synth_end(&s);
    }
    if (found > 1)
        fail_msg("%zu slow phases in 100 sets without any", found);
}

/* Executions of 1 us, in each of which `nested` pairs of 20 ns ended. */
static struct model *fit_nested(struct synth *s, int nested, double seconds)
{
    struct text t;
    text_init(&t);
    text_add(&t, "# cll-data 1\n# overhead: 2e-8 1e-9\n# experiment: f\n# variables: f "
                 "N\n" SYNTH_COLUMNS " N CLOCK\n");
    for (int i = 0; i < 10; i++)
        for (int n = 1; n <= 8; n++)
            text_printf(&t, "f 0 %d 0 %d 1 0 0 1 %d %.17g\n", i, nested, n,
                        seconds * n * (1 + 0.01 * synth_normal(s)) + 2e-8 * (1 + nested));
    if (synth_load_bytes(s, t.s, t.n))
        fail_msg("%s", synth_error(s));
    text_free(&t);
    return synth_fit(s, "f[0] + f[1]*N", false, STATISTIC_P10);
}

static void the_pairs_of_nested_regions_are_named_as_the_cause(void **state)
{
    struct synth s = synth_begin();
    (void)state;
    struct model *m = fit_nested(&s, 1000, 1e-6);
    assert_non_null(strstr(synth_warning(m, "nested"), "every point lasts less than 5 times the "
                                                       "overhead of the regions nested in it: up "
                                                       "to 1000 of them"));
    assert_false(synth_has_warning(m, "empty") || synth_has_warning(m, "short"));
    synth_end(&s);
    s = synth_begin();
    m = fit_nested(&s, 60, 1e-6);
    assert_non_null(strstr(synth_warning(m, "nested"), "each of 4 of 8 points lasts"));
    synth_end(&s);
    s = synth_begin();
    m = fit_nested(&s, 0, 1e-9); /* nothing nested: the region is empty */
    assert_true(synth_has_warning(m, "empty") && !synth_has_warning(m, "nested"));
    synth_end(&s);
    s = synth_begin();
    m = fit_nested(&s, 1, 1e-6); /* long enough for one */
    assert_false(synth_has_warning(m, "nested") || synth_has_warning(m, "short"));
    synth_end(&s);
}

static void what_the_file_says_is_passed_on(void **state)
{
    struct synth s = synth_begin();
    (void)state;
    make(&s,
         "# abandoned: 3\n# oversubscribed: yes\n# thinned: global\n# absent: CLOCK the clock was "
         "away\n",
         10, good);
    struct model *m = synth_fit(&s, "f[0] + f[1]*N", false, STATISTIC_P10);
    assert_non_null(strstr(synth_warning(m, "abandoned"), "3 samples were begun and never ended"));
    assert_true(synth_has_warning(m, "oversubscribed") && synth_has_warning(m, "thinned"));
    assert_non_null(strstr(synth_warning(m, "absent"), "the clock was away"));
    synth_end(&s);
}

static void a_fixed_variable_of_a_single_term_is_reported(void **state)
{
    struct synth s = synth_begin();
    (void)state;
    make(&s, "", 10, good);
    struct model *m = synth_fit(&s, "f[0] + f[1]*N/P", false, STATISTIC_P10);
    assert_non_null(strstr(synth_warning(m, "never-varies"), "P never varies (it is always 1)"));
    assert_int_equal(model_warnings(m)->n, 1);
    synth_end(&s);
}

static void terms_that_change_almost_alike_are_reported(void **state)
{
    struct synth s = synth_begin();
    (void)state;
    make(&s, "", 10, good);
    struct model *m =
        synth_fit(&s, "f[0] + f[1]*N + f[2]*(N + 0.01*sqrt(N))", false, STATISTIC_P10);
    assert_non_null(
        strstr(synth_warning(m, "nearly-collinear"), "f[1] and f[2] can hardly be told apart"));
    synth_end(&s);
}

static void variables_without_a_value_do_no_harm(void **state)
{
    struct synth s = synth_begin();
    (void)state;
    assert_int_equal(
        synth_load(
            &s, "# cll-data 1\n# experiment: f\n# variables: f N M\n" SYNTH_COLUMNS " N M CLOCK\n"
                "f 0 0 0 0 1 0 0 1 1 nan 1\nf 0 1 0 0 1 0 0 1 2 nan 2\nf 0 2 0 0 1 0 0 1 4 nan 4\n"
                "f 0 3 0 0 1 0 0 1 8 nan 8.1\n"),
        0);
    struct model *m = synth_fit(&s, "f[0]*N", false, STATISTIC_P10);
    assert_non_null(m);
    assert_int_equal(model_points(m)->n, 4);
    synth_end(&s);
}

static void a_file_that_was_cut_off_says_so(void **state)
{
    struct synth s = synth_begin();
    struct text t;
    (void)state;
    text_init(&t);
    text_add(&t, "# cll-data 1\n# experiment: f\n# variables: f N\n" SYNTH_COLUMNS " N CLOCK\n");
    for (int i = 1; i < 9; i++)
        text_printf(&t, "f 0 0 0 0 1 0 0 1 %d %.17g\n", i, i * (1 + 0.01 * synth_normal(&s)));
    text_add(&t, "f 0 0 0 0 1 0 0 1 9 9.0");
    assert_int_equal(synth_load_bytes(&s, t.s, t.n), 0);
    struct model *m = synth_fit(&s, "f[0]*N", false, STATISTIC_P10);
    assert_int_equal(model_points(m)->n, 8);
    assert_true(synth_has_warning(m, "truncated"));
    text_free(&t);
    synth_end(&s);
}

static double squared(struct synth *s, double n)
{
    (void)s;
    return 1e-12 * n * n;
}

/* One sample of each point: nothing is known of the noise, but 100 % off is no noise. */
static void a_wrong_formula_is_noticed_without_repetitions(void **state)
{
    struct synth s = synth_begin();
    (void)state;
    make(&s, "", 1, squared);
    struct model *m = synth_fit_with(&s, "f[0]*N", false, STATISTIC_P10,
                                     (struct interval_request){.mode = INTERVALS_NONE});
    assert_non_null(strstr(synth_warning(m, "misfit"), "the points differ from the formula by"));
    synth_end(&s);
}

static double dropped(struct synth *s, double n)
{
    return good(s, n) * (n == 4096 ? 1e-3 : 1);
}

/* Over a short range a smooth change of a constant follows a logarithm about as well. */
static void a_missing_logarithm_is_named_beside_intervals(void **state)
{
    (void)state;
    static const struct truth missing = {.formula = "3e-9*N*log(N)",
                                         .variables = {"N"},
                                         .first = {256},
                                         .last = {4096},
                                         .values = {20}};
    struct truth step = missing;
    step.formula = "3e-9*N*(1 + 0.5*min(1, max(0, N - 1000)))";
    unsigned silent = 0, alarms = 0, all = 40;
    for (uint64_t seed = 1; seed <= all; seed++) {
        struct synth s = truth_load(&missing, 0.02, 1, seed);
        silent += model_warnings(synth_fit(&s, "f[0]*N", false, STATISTIC_P10))->n == 0;
        synth_end(&s);
        s = truth_load(&step, 0.02, 1, seed);
        alarms += synth_has_warning(synth_fit(&s, "f[0]*N", false, STATISTIC_P10), "missing-term");
        synth_end(&s);
    }
    assert_true(silent * 20 <= all);
    assert_int_equal(alarms, 0);
}

static void a_point_far_too_low_is_left_out(void **state)
{
    struct synth s = synth_begin();
    (void)state;
    make(&s, "", 10, dropped);
    struct model *m = synth_fit(&s, "f[0] + f[1]*N", false, STATISTIC_P10);
    assert_non_null(strstr(synth_warning(m, "left-out"), "N=4096"));
    assert_true(model_error(m)->max_pct < 20);
    synth_end(&s);
}

static void files_of_different_builds_are_reported(void **state)
{
    struct synth s = synth_begin();
    (void)state;
    make(&s, "# flags: -O2\n", 3, good);
    make(&s, "# flags: -O0\n", 3, good);
    struct model *m = synth_fit(&s, "f[0] + f[1]*N", false, STATISTIC_P10);
    assert_non_null(strstr(synth_warning(m, "mixed"), "different flags: '-O2' and '-O0'"));
    synth_end(&s);
}

/* 0.6 of 10 seconds in one file, nothing in the other: together 4 %. */
static void stolen_time_is_reported(void **state)
{
    struct synth s = synth_begin();
    (void)state;
    make(&s, "# steal: 0.6 10\n", 3, good);
    make(&s, "# steal: 0 5\n", 3, good);
    struct model *m = synth_fit(&s, "f[0] + f[1]*N", false, STATISTIC_P10);
    assert_non_null(strstr(synth_warning(m, "stolen"),
                           "other virtual machines took 4 % of the time that the cores"));
    make(&s, "# steal: 0 20\n", 3, good);
    m = synth_fit(&s, "f[0] + f[1]*N", false, STATISTIC_P10);
    assert_false(synth_has_warning(m, "stolen"));
    synth_end(&s);
}

/* One tick of the system's clock in a short run is a large share of it. */
static void a_little_stolen_time_is_not_reported(void **state)
{
    struct synth s = synth_begin();
    (void)state;
    make(&s, "# steal: 0.01 0.05\n", 3, good);
    struct model *m = synth_fit(&s, "f[0] + f[1]*N", false, STATISTIC_P10);
    assert_false(synth_has_warning(m, "stolen"));
    synth_end(&s);
}

/* The begin of a run does not count: a core that was idle is still slow then. */
static void a_frequency_that_differs_between_runs_is_reported(void **state)
{
    struct synth s = synth_begin();
    (void)state;
    make(&s, "# frequency: 1000000000 3000000000\n", 3, good);
    make(&s, "# frequency: 2000000000 2800000000\n", 3, good);
    make(&s, "# frequency: 2000000000 nan\n", 3, good);
    struct model *m = synth_fit(&s, "f[0] + f[1]*N", false, STATISTIC_P10);
    assert_false(synth_has_warning(m, "frequency"));
    make(&s, "# frequency: 1000000000 2100000000\n", 3, good);
    m = synth_fit(&s, "f[0] + f[1]*N", false, STATISTIC_P10);
    assert_non_null(strstr(synth_warning(m, "frequency"),
                           "at 2.10 GHz in some runs and at 3.00 GHz in others"));
    synth_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stolen_time_is_reported),
        cmocka_unit_test(a_little_stolen_time_is_not_reported),
        cmocka_unit_test(a_frequency_that_differs_between_runs_is_reported),
        cmocka_unit_test(a_wrong_formula_is_noticed_without_repetitions),
        cmocka_unit_test(a_missing_logarithm_is_named_beside_intervals),
        cmocka_unit_test(a_point_far_too_low_is_left_out),
        cmocka_unit_test(files_of_different_builds_are_reported),
        cmocka_unit_test(a_right_formula_on_good_data_gives_no_warning),
        cmocka_unit_test(two_modes_name_the_one_the_model_describes),
        cmocka_unit_test(modes_far_apart_are_paths_of_the_program),
        cmocka_unit_test(a_time_that_ignores_its_variable_is_suspicious),
        cmocka_unit_test(a_point_far_off_is_named),
        cmocka_unit_test(points_that_are_hardly_off_are_not_named),
        cmocka_unit_test(points_farthest_off_are_named_first),
        cmocka_unit_test(a_point_left_out_where_the_model_is_negative_has_no_factor),
        cmocka_unit_test(a_formula_that_does_not_hold_everywhere_is_reported),
        cmocka_unit_test(a_point_that_was_always_first_and_slow_is_named),
        cmocka_unit_test(a_slow_phase_is_named_by_its_file_and_run),
        cmocka_unit_test(slow_samples_here_and_there_are_no_phase),
        cmocka_unit_test(the_pairs_of_nested_regions_are_named_as_the_cause),
        cmocka_unit_test(what_the_file_says_is_passed_on),
        cmocka_unit_test(a_fixed_variable_of_a_single_term_is_reported),
        cmocka_unit_test(terms_that_change_almost_alike_are_reported),
        cmocka_unit_test(steps_of_the_clock_are_no_finding),
        cmocka_unit_test(variables_without_a_value_do_no_harm),
        cmocka_unit_test(a_file_that_was_cut_off_says_so),
    };
    return RUN(tests);
}
