/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Points made of samples. */
#include "harness/unit.h"

#include "base/text.h"
#include "model/points.h"
#include "harness/synthetic/synth.h"

#define HEAD                                                                                       \
    "# cll-data 1\n# overhead: 1e-6 1e-7\n# resolution: 1e-8\n# experiment: f\n# variables: f "    \
    "N\n" SYNTH_COLUMNS " N CLOCK PAGES\n"

static int make(struct synth *s, struct points_request *r, const char *observable, struct points *p)
{
    *r = (struct points_request){.dataset = s->data,
                                 .experiment = dataset_find(s->data, "f"),
                                 .observable = observable,
                                 .statistic = STATISTIC_MIN};
    return points_make(s->arena, r, s->diag, p);
}

static void overhead_is_subtracted_for_each_pair_from_the_clock_only(void **state)
{
    struct synth s = synth_begin();
    struct points_request r;
    struct points p;
    (void)state;
    assert_int_equal(
        synth_load(&s, HEAD "f 0 0 0 0 1 0 0 1 8 1e-3 5\nf 0 0 0 3 1 0 0 1 16 1e-3 6\n"), 0);
    assert_int_equal(make(&s, &r, "CLOCK", &p), 0);
    assert_int_equal(p.n, 2);
    assert_within(p.value[0], 1e-3 - 1e-6, 1e-18);
    assert_within(p.value[1], 1e-3 - 4e-6, 1e-18);
    assert_within(p.overhead[1], 4e-6, 1e-18);
    assert_within(p.floor_error[0], hypot(1e-8, 1e-7), 1e-15);
    assert_string_equal(points_label(s.arena, &p, 1), "N=16");
    assert_int_equal(make(&s, &r, "PAGES", &p), 0);
    assert_within(p.value[1], 6, 0);
    assert_within(p.floor_error[0], 0, 0);
    assert_int_equal(make(&s, &r, "CYCLES", &p), -1);
    assert_non_null(
        strstr(synth_error(&s), "CYCLES was not measured for f: the data has CLOCK, PAGES"));
    synth_end(&s);
}

static void of_several_ranks_the_slowest_counts_per_execution(void **state)
{
    struct synth s = synth_begin();
    struct points_request r;
    struct points p;
    (void)state;
    assert_int_equal(
        synth_load(
            &s, HEAD
            "f 0 0 0 0 2 0 0 1 8 1 nan\nf 0 0 0 0 2 1 0 1 8 3 nan\nf 0 1 0 0 2 0 0 1 8 5 nan\n"
            "f 0 1 0 0 2 1 0 1 8 2 nan\nf 1 0 0 0 2 0 0 1 8 9 nan\nf 1 0 0 0 2 1 0 1 8 7 nan\n"),
        0);
    assert_int_equal(make(&s, &r, "CLOCK", &p), 0);
    assert_int_equal(p.n, 1);
    assert_int_equal(p.samples, 3);
    assert_true(p.ranks);
    assert_within(p.kept[0], 3 - 1e-6, 1e-12);
    assert_within(p.kept[1], 5 - 1e-6, 1e-12);
    assert_within(p.kept[2], 9 - 1e-6, 1e-12);
    synth_end(&s);
}

/* Two executions on three ranks, and one that only rank 0 took part in. */
static void ranks_can_be_united_otherwise(void **state)
{
    static const struct {
        enum rank_rule rule;
        double rank, want[3];
        size_t n;
    } cases[] = {{RANKS_MAX, 0, {3, 5, 9}, 3},
                 {RANKS_MIN, 0, {1, 2, 9}, 3},
                 {RANKS_MEAN, 0, {2, 4, 9}, 3},
                 {RANKS_ONE, 1, {2, 5, 0}, 2}};
    struct synth s = synth_begin();
    (void)state;
    assert_int_equal(
        synth_load(
            &s,
            HEAD "f 0 0 0 0 3 0 0 1 8 1 nan\nf 0 0 0 0 3 1 0 1 8 2 nan\nf 0 0 0 0 3 2 0 1 8 3 nan\n"
                 "f 0 1 0 0 3 0 0 1 8 5 nan\nf 0 1 0 0 3 1 0 1 8 5 nan\nf 0 1 0 0 3 2 0 1 8 2 nan\n"
                 "f 1 0 0 0 3 0 0 1 8 9 nan\n"),
        0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct points_request r = {.dataset = s.data,
                                   .experiment = dataset_find(s.data, "f"),
                                   .observable = "CLOCK",
                                   .statistic = STATISTIC_MIN,
                                   .ranks = cases[i].rule,
                                   .rank = cases[i].rank};
        struct points p;
        assert_int_equal(points_make(s.arena, &r, s.diag, &p), 0);
        assert_int_equal(p.samples, cases[i].n);
        double sorted[3];
        memcpy(sorted, cases[i].want, sizeof sorted);
        stats_sort(sorted, cases[i].n);
        for (size_t k = 0; k < cases[i].n; k++)
            assert_within(p.kept[k], sorted[k] - 1e-6, 1e-12);
    }
    synth_end(&s);
}

/* Per point, run, rank and thread; a point that is then gone does not leave a trace. */
static void first_rounds_can_be_left_out(void **state)
{
    struct synth s = synth_begin();
    (void)state;
    assert_int_equal(
        synth_load(
            &s, HEAD
            "f 0 0 0 0 1 0 0 1 8 9 nan\nf 0 1 0 0 1 0 0 1 8 1 nan\nf 0 2 0 0 1 0 0 1 16 9 nan\n"
            "f 1 0 0 0 1 0 0 1 8 9 nan\nf 1 1 0 0 1 0 0 1 8 2 nan\nf 1 2 0 0 1 0 1 1 8 9 nan\n"),
        0);
    struct points_request r = {.dataset = s.data,
                               .experiment = dataset_find(s.data, "f"),
                               .observable = "CLOCK",
                               .statistic = STATISTIC_MEAN,
                               .skip_rounds = 1};
    struct points p;
    assert_int_equal(points_make(s.arena, &r, s.diag, &p), 0);
    assert_int_equal(p.n, 1);
    assert_int_equal(p.samples, 2);
    assert_int_equal(p.skipped, 4);
    assert_within(p.value[0], 1.5 - 1e-6, 1e-12);
    r.skip_rounds = 2;
    assert_int_equal(points_make(s.arena, &r, s.diag, &p), -1);
    assert_non_null(strstr(synth_error(&s), "no point was executed more than 2 times in a run"));
    synth_end(&s);
}

static void threads_and_files_are_samples_of_their_own(void **state)
{
    struct synth s = synth_begin();
    struct points_request r;
    struct points p;
    (void)state;
    for (int i = 0; i < 2; i++)
        assert_int_equal(synth_load(&s, HEAD "f 0 0 0 0 2 0 0 1 8 1 nan\nf 0 0 0 0 2 0 1 1 8 3 "
                                             "nan\nf 0 0 0 0 2 1 0 1 8 2 nan\n"),
                         0);
    assert_int_equal(make(&s, &r, "CLOCK", &p), 0);
    assert_int_equal(p.samples, 4);
    synth_end(&s);
}

static void points_are_sorted_and_rows_without_value_left_out(void **state)
{
    struct synth s = synth_begin();
    struct points_request r;
    struct points p;
    (void)state;
    assert_int_equal(
        synth_load(
            &s, HEAD
            "f 0 0 0 0 4 0 0 1 8 4 nan\nf 0 0 0 0 1 0 0 1 8 3 nan\nf 0 0 0 0 1 0 0 1 -2 1 nan\n"
            "f 0 0 0 0 1 0 0 1 1 nan nan\nf 0 0 0 0 1 0 0 1 0 2 nan\nf 0 0 0 0 1 0 0 1 -0 2 nan\n"),
        0);
    assert_int_equal(make(&s, &r, "CLOCK", &p), 0);
    assert_int_equal(p.n, 4);
    assert_int_equal(p.missing, 1);
    assert_within(p.at[0][0], -2, 0);
    assert_within(p.at[0][1], 0, 0);
    assert_int_equal(p.count[1], 2); /* 0 and -0 are one value */
    assert_within(p.at[1][2], 1, 0);
    assert_within(p.at[1][3], 4, 0);
    synth_end(&s);
}

static void conditions_choose_samples(void **state)
{
    static const struct {
        const char *condition;
        size_t samples;
    } cases[] = {{"N >= 4 and run > 0", 2},  {"2 <= N < 8", 2}, {"not N == 8", 4},
                 {"P == 1 or rank != 0", 6}, {"M > 3", 6},      {"CLOCK > 3", 0}};
    struct synth s = synth_begin();
    (void)state;
    assert_int_equal(
        synth_load(
            &s, HEAD
            "f 0 0 0 0 1 0 0 1 1 1 nan\nf 1 0 0 0 1 0 0 1 1 1 nan\nf 0 0 0 0 1 0 0 1 4 1 nan\n"
            "f 1 0 0 0 1 0 0 1 4 1 nan\nf 0 0 0 0 1 0 0 1 8 1 nan\nf 1 0 0 0 1 0 0 1 8 1 nan\n"),
        0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct source source = {"c", cases[i].condition, strlen(cases[i].condition)};
        struct span all = {0, source.size};
        struct formula_options options = {.experiments = NULL};
        struct condition c = {formula_parse_condition(s.arena, &source, all, &options, s.diag),
                              &source};
        struct points_request r = {.dataset = s.data,
                                   .experiment = dataset_find(s.data, "f"),
                                   .observable = "CLOCK",
                                   .conditions = &c,
                                   .nconditions = 1};
        struct points p;
        assert_non_null(c.formula);
        assert_int_equal(points_make(s.arena, &r, s.diag, &p), 0);
        if (p.samples != cases[i].samples)
            fail_msg("%s: %zu samples instead of %zu", cases[i].condition, p.samples,
                     cases[i].samples);
    }
    synth_end(&s);
}

static void thinned_rows_weigh_what_they_stand_for(void **state)
{
    struct synth s = synth_begin();
    (void)state;
    assert_int_equal(
        synth_load(&s,
                   HEAD "f 0 0 0 0 1 0 0 1 8 1.000001 nan\nf 0 1 0 0 1 0 0 64 8 2.000001 nan\n"),
        0);
    struct points_request r = {.dataset = s.data,
                               .experiment = dataset_find(s.data, "f"),
                               .observable = "CLOCK",
                               .statistic = STATISTIC_MEAN};
    struct points p;
    assert_int_equal(points_make(s.arena, &r, s.diag, &p), 0);
    assert_within(p.value[0], (1 + 64 * 2) / 65.0, 1e-12);
    r.statistic = STATISTIC_P10;
    assert_int_equal(points_make(s.arena, &r, s.diag, &p), 0);
    assert_within(p.value[0], 2, 1e-12);
    synth_end(&s);
}

/* f at N = 8 and 16: `zeros` of ten samples are 0, the others 1. */
static void load_zeros(struct synth *s, int zeros)
{
    struct text t;
    text_init(&t);
    text_add(&t, "# cll-data 1\n# experiment: f\n# variables: f N\n" SYNTH_COLUMNS " N CLOCK\n");
    for (int n = 8; n <= 16; n *= 2)
        for (int i = 0; i < 10; i++)
            text_printf(&t, "f 0 %d 0 0 1 0 0 1 %d %d\n", i, n, i >= zeros);
    assert_int_equal(synth_load_bytes(s, t.s, t.n), 0);
    text_free(&t);
}

static void where_every_value_is_0_the_message_tells_what_the_samples_are(void **state)
{
    static const struct {
        int zeros;
        enum statistic statistic;
        const char *message;
    } cases[] = {
        {4, STATISTIC_P10,
         "the 10th percentile of every point of f is 0, but 12 of its 20 samples are not: use "
         "'statistic median'"},
        {9, STATISTIC_P10,
         "the 10th percentile of every point of f is 0, but 2 of its 20 samples are not: use "
         "'statistic mean'"},
        {9, STATISTIC_MEDIAN, "the median of every point of f is 0, but 2 of its 20 samples"},
        {10, STATISTIC_P10, "every measured value of f is 0"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct synth s = synth_begin();
        load_zeros(&s, cases[i].zeros);
        assert_null(synth_fit(&s, "f[0]", false, cases[i].statistic));
        if (!strstr(synth_error(&s), cases[i].message))
            fail_msg("%s", synth_error(&s));
        synth_end(&s);
    }
    struct synth s = synth_begin();
    load_zeros(&s, 4);
    assert_non_null(synth_fit(&s, "f[0]", false, STATISTIC_MEDIAN));
    synth_end(&s);
}

static void runs_keep_the_number_and_the_file_they_have(void **state)
{
    struct synth s = synth_begin();
    struct points_request r;
    struct points p;
    (void)state;
    assert_int_equal(synth_load(&s, HEAD "f 3 0 0 0 1 0 0 1 8 1 nan\n"), 0);
    assert_int_equal(synth_load(&s, HEAD "f 3 0 0 0 1 0 0 1 8 1 nan\nf 5 0 0 0 1 0 0 1 8 1 nan\n"),
                     0);
    assert_int_equal(make(&s, &r, "CLOCK", &p), 0);
    assert_int_equal(p.nruns, 3);
    assert_true(p.runs[0].file == 0 && p.runs[0].number == 3);
    assert_true(p.runs[1].file == 1 && p.runs[1].number == 3);
    assert_true(p.runs[2].file == 1 && p.runs[2].number == 5);
    synth_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(where_every_value_is_0_the_message_tells_what_the_samples_are),
        cmocka_unit_test(runs_keep_the_number_and_the_file_they_have),
        cmocka_unit_test(overhead_is_subtracted_for_each_pair_from_the_clock_only),
        cmocka_unit_test(of_several_ranks_the_slowest_counts_per_execution),
        cmocka_unit_test(ranks_can_be_united_otherwise),
        cmocka_unit_test(first_rounds_can_be_left_out),
        cmocka_unit_test(threads_and_files_are_samples_of_their_own),
        cmocka_unit_test(points_are_sorted_and_rows_without_value_left_out),
        cmocka_unit_test(conditions_choose_samples),
        cmocka_unit_test(thinned_rows_weigh_what_they_stand_for),
    };
    return RUN(tests);
}
