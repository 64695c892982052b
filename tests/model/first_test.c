/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which first executions are left out, on data of known truth. */
#include "harness/unit.h"

#include "base/text.h"
#include "harness/synthetic/synth.h"
#include "model/points.h"

#define HEAD                                                                                       \
    "# cll-data 1\n# overhead: 0 0\n# resolution: 1e-9\n# experiment: f\n# formula: f CLOCK "      \
    "f[0]*N\n# variables: f N\n" SYNTH_COLUMNS " N CLOCK CPUTIME disturbed\n"

/* A program: each run visits the sizes 8, 16, ... in order or rotated by the number of the run, and
 * executes each of them several times in a row. */
struct program {
    int runs, times;
    int sizes, ranks; /* 0: 5 sizes, 1 rank */
    double first;     /* how many times slower the first execution of a size is, ... */
    double opening;   /* ... and the first one of the run; 0: as the others */
    double noise;     /* of an execution, the same in all its ranks; 0: 2 % */
    int only_rank;    /* the rank whose first executions are slower; 0: all */
    bool rotates;     /* each run opens with another size */
    bool faults;      /* first executions have page faults, later ones none */
    int once_from;    /* sizes from this one on are executed once; 0: none */
    bool taken_first; /* the opening execution was also preempted */
};

static void add_row(struct text *t, const struct program *g, struct synth *s, int run, int seq,
                    int size, int k)
{
    double common = exp(g->noise * synth_normal(s));
    for (int rank = 0; rank < g->ranks; rank++) {
        bool slow = !g->only_rank || rank == g->only_rank;
        double times = seq == 0 && g->opening > 0 ? g->opening
                       : k == 0 && g->first > 0   ? g->first
                                                  : 1;
        double clock = 1e-3 * (1 + size) * (slow ? times : 1) * common;
        bool taken = g->taken_first && seq == 0;
        text_printf(t, "f %d %d 0 0 %d %d 0 1 %d %.9g ", run, seq, g->ranks, rank, 8 << size,
                    clock * (taken ? 3 : 1));
        if (g->faults || g->taken_first)
            text_printf(t, "%.9g %d\n", clock, (g->faults && k == 0 ? 8 : 0) + taken);
        else
            text_add(t, "nan nan\n");
    }
}

static struct points run_program(struct synth *s, struct program *g, enum statistic statistic)
{
    static struct points_request r;
    struct points p;
    struct text t;
    g->sizes = g->sizes ? g->sizes : 5;
    g->ranks = g->ranks ? g->ranks : 1;
    g->noise = g->noise > 0 ? g->noise : 0.02;
    text_init(&t);
    text_add(&t, HEAD);
    for (int run = 0; run < g->runs; run++)
        for (int i = 0, seq = 0; i < g->sizes; i++) {
            int size = g->rotates ? (i + run) % g->sizes : i;
            int times = g->once_from && size >= g->once_from ? 1 : g->times;
            for (int k = 0; k < times; k++)
                add_row(&t, g, s, run, seq++, size, k);
        }
    assert_int_equal(synth_load(s, t.s), 0);
    r = (struct points_request){.dataset = s->data,
                                .experiment = dataset_find(s->data, "f"),
                                .observable = "CLOCK",
                                .statistic = statistic};
    assert_int_equal(points_make(s->arena, &r, s->diag, &p), 0);
    text_free(&t);
    return p;
}

#define PROGRAM(...) (&(struct program){__VA_ARGS__})

static void first_executions_that_differ_are_left_out(void **state)
{
    struct synth s = synth_begin();
    (void)state;
    struct points p = run_program(&s, PROGRAM(.runs = 3, .times = 4, .first = 2), STATISTIC_MEAN);
    assert_int_equal(p.account.first, 15);
    assert_int_equal(p.account.opening, 0);
    assert_int_equal(p.account.first_faulted, 0);
    assert_within(p.account.first_times, 2, 0.1);
    assert_int_equal(p.samples, 45);
    assert_within(p.value[0], 1e-3, 3e-5);
    struct points_request all = *p.request;
    all.keep_first = true;
    assert_int_equal(points_make(s.arena, &all, s.diag, &p), 0);
    assert_int_equal(p.samples, 60);
    assert_int_equal(p.account.first, 0);
    assert_within(p.value[0], 1.25e-3, 4e-5);
    synth_end(&s);
}

/* Of two executions of a size the low quantile is nearly their mean. */
static void two_executions_in_each_of_two_runs_are_enough(void **state)
{
    struct synth s = synth_begin();
    (void)state;
    struct points p = run_program(&s, PROGRAM(.runs = 2, .times = 2, .first = 3), STATISTIC_P10);
    assert_int_equal(p.account.first, 10);
    assert_int_equal(p.samples, 10);
    for (size_t i = 0; i < p.n; i++)
        assert_within(p.value[i], 1e-3 * (double)(1 + i), 5e-5 * (double)(1 + i));
    synth_end(&s);
}

/* A single run, without page faults: two sizes are too few to tell. */
static void one_run_of_five_sizes_is_enough(void **state)
{
    (void)state;
    for (int sizes = 2; sizes <= 5; sizes += 3) {
        struct synth s = synth_begin();
        struct points p = run_program(
            &s, PROGRAM(.runs = 1, .sizes = sizes, .times = 3, .first = 2), STATISTIC_P10);
        assert_int_equal(p.account.first, sizes == 5 ? 5 : 0);
        synth_end(&s);
    }
}

/* The slowest rank counts, so one slow rank makes the execution slow: all its ranks are left out. */
static void a_single_rank_that_is_slow_at_first_is_seen_in_the_maximum(void **state)
{
    struct synth s = synth_begin();
    (void)state;
    struct points p = run_program(
        &s, PROGRAM(.runs = 3, .times = 3, .ranks = 8, .first = 2, .only_rank = 5), STATISTIC_P10);
    assert_int_equal(p.account.samples, 360);
    assert_int_equal(p.account.first, 120);
    assert_within(p.account.first_times, 2, 0.1);
    assert_int_equal(p.samples, 30);
    struct points_request r = *p.request;
    r.ranks = RANKS_MIN; /* where the fastest rank counts, nothing differs */
    assert_int_equal(points_make(s.arena, &r, s.diag, &p), 0);
    assert_int_equal(p.account.first, 0);
    r.ranks = RANKS_ONE;
    r.rank = 5;
    assert_int_equal(points_make(s.arena, &r, s.diag, &p), 0);
    assert_int_equal(p.account.first, 15);
    synth_end(&s);
}

/* Ranks that wait for each other are slow together: 16 of them are not 16 witnesses. */
static void ranks_are_not_independent_witnesses(void **state)
{
    int left_out = 0;
    (void)state;
    for (int set = 0; set < 60; set++) {
        struct synth s = synth_begin();
        s.random ^= (uint64_t)(set + 1) * 0x9e3779b97f4a7c15u;
        for (int i = 0; i < 16; i++)
            synth_uniform(&s);
        struct points p =
            run_program(&s, PROGRAM(.runs = 1, .sizes = 3, .times = 3, .ranks = 16, .noise = 0.3),
                        STATISTIC_P10);
        left_out += p.account.first != 0 || p.account.opening != 0;
        synth_end(&s);
    }
    assert_true(left_out <= 2);
}

/* Without a later execution there is nothing to compare. */
static void the_only_execution_of_a_run_stays(void **state)
{
    struct synth s = synth_begin();
    (void)state;
    struct points p = run_program(&s, PROGRAM(.runs = 6, .times = 1, .first = 2), STATISTIC_MEAN);
    assert_int_equal(p.account.first, 0);
    assert_int_equal(p.account.first_only, 0); /* nothing says that it matters */
    assert_int_equal(p.samples, 30);
    synth_end(&s);
}

static void points_of_first_executions_alone_are_counted_where_it_matters(void **state)
{
    struct synth s = synth_begin(), with_faults = synth_begin();
    (void)state;
    struct points p =
        run_program(&s, PROGRAM(.runs = 4, .times = 3, .first = 2, .once_from = 3), STATISTIC_P10);
    assert_int_equal(p.account.first, 12);
    assert_int_equal(p.account.first_only, 2);
    assert_int_equal(p.account.first_only_faulted, 0);
    assert_int_equal(p.count[0], 8);
    assert_int_equal(p.count[4], 4);
    p = run_program(&with_faults, PROGRAM(.runs = 2, .times = 1, .first = 2, .faults = true),
                    STATISTIC_P10);
    assert_int_equal(p.account.first, 0);
    assert_int_equal(p.account.first_only, 5);
    assert_int_equal(p.account.first_only_faulted, 5);
    synth_end(&with_faults);
    synth_end(&s);
}

/* Six executions are too few for the test; that the first ones had page faults explains it. */
static void page_faults_of_first_executions_explain_few_samples(void **state)
{
    (void)state;
    for (int faults = 0; faults < 2; faults++) {
        struct synth s = synth_begin();
        struct points p = run_program(
            &s, PROGRAM(.runs = 1, .sizes = 2, .times = 3, .first = 2, .faults = faults),
            STATISTIC_P10);
        assert_int_equal(p.account.first, faults ? 2 : 0);
        assert_int_equal(p.account.first_faulted, faults ? 2 : 0);
        synth_end(&s);
        /* page faults that do not slow the execution down are no reason */
        s = synth_begin();
        p = run_program(&s, PROGRAM(.runs = 1, .times = 3, .noise = 0.01, .faults = faults),
                        STATISTIC_P10);
        assert_int_equal(p.account.first, 0);
        synth_end(&s);
    }
}

/* Only the first execution of the run is slow, at the size that comes first. */
static void opening_executions_are_left_out_alone(void **state)
{
    struct synth s = synth_begin();
    (void)state;
    struct points p = run_program(&s, PROGRAM(.runs = 6, .times = 3, .opening = 5), STATISTIC_MEAN);
    assert_int_equal(p.account.first, 0);
    assert_int_equal(p.account.opening, 6);
    assert_within(p.account.opening_times, 5, 0.3);
    assert_int_equal(p.count[0], 12);
    assert_int_equal(p.count[1], 18);
    assert_within(p.value[0], 1e-3, 3e-5);
    synth_end(&s);
}

/* Each size is executed once in a run, and each run opens with another one. */
static void opening_executions_are_compared_with_other_runs(void **state)
{
    struct synth s = synth_begin();
    (void)state;
    struct points p = run_program(
        &s, PROGRAM(.runs = 10, .times = 1, .opening = 3, .rotates = true), STATISTIC_MEAN);
    assert_int_equal(p.account.first, 0);
    assert_int_equal(p.account.opening, 10);
    for (size_t i = 0; i < p.n; i++)
        assert_int_equal(p.count[i], 8);
    assert_within(p.value[0], 1e-3, 3e-5);
    synth_end(&s);
}

/* A condition that leaves the opening size out does not make another one the opening size. */
static void opening_executions_are_those_of_all_samples(void **state)
{
    struct synth s = synth_begin();
    (void)state;
    struct points p = run_program(&s, PROGRAM(.runs = 6, .times = 3, .opening = 5), STATISTIC_MEAN);
    struct points_request r = *p.request;
    struct source source = {"test", "N > 8", 5};
    struct formula_options options = {.experiments = NULL};
    struct condition where = {
        formula_parse_condition(s.arena, &source, (struct span){0, source.size}, &options, s.diag),
        &source};
    assert_non_null(where.formula);
    r.conditions = &where;
    r.nconditions = 1;
    assert_int_equal(points_make(s.arena, &r, s.diag, &p), 0);
    assert_int_equal(p.n, 4);
    assert_int_equal(p.account.opening, 0);
    assert_int_equal(p.samples, 72);
    synth_end(&s);
}

/* The second execution does not become a first one because the first one was preempted. */
static void a_preempted_first_execution_is_not_replaced_by_the_next(void **state)
{
    struct synth s = synth_begin();
    (void)state;
    struct points p = run_program(
        &s, PROGRAM(.runs = 4, .times = 3, .first = 2, .taken_first = true), STATISTIC_P10);
    assert_int_equal(p.account.preempted, 4);
    assert_int_equal(p.account.left_out, 4);
    assert_int_equal(p.account.first, 16);
    assert_int_equal(p.count[0], 8);
    assert_int_equal(p.count[1], 8);
    synth_end(&s);
}

/* The index of the execution tells the order, not the place in the file. */
static void the_order_of_the_rows_does_not_matter(void **state)
{
    struct synth s = synth_begin();
    struct points p;
    struct text t;
    (void)state;
    text_init(&t);
    text_add(&t, HEAD);
    for (int run = 0; run < 8; run++)
        for (int seq = 2; seq >= 0; seq--)
            text_printf(&t, "f %d %d 0 0 1 0 0 1 8 %g nan nan\n", run, seq, seq ? 1e-3 : 4e-3);
    assert_int_equal(synth_load(&s, t.s), 0);
    struct points_request r = {.dataset = s.data,
                               .experiment = dataset_find(s.data, "f"),
                               .observable = "CLOCK",
                               .statistic = STATISTIC_MEAN};
    assert_int_equal(points_make(s.arena, &r, s.diag, &p), 0);
    assert_int_equal(p.account.opening, 8); /* the only point opens every run */
    assert_within(p.value[0], 1e-3, 1e-9);
    text_free(&t);
    synth_end(&s);
}

/* Chance makes the first one the slowest now and then. */
static void first_executions_like_the_others_stay(void **state)
{
    int left_out = 0;
    (void)state;
    for (int set = 0; set < 100; set++) {
        struct synth s = synth_begin();
        s.random ^= (uint64_t)set * 0x9e3779b97f4a7c15u;
        for (int i = 0; i < 16; i++)
            synth_uniform(&s);
        struct points p = run_program(&s,
                                      PROGRAM(.runs = 2 + set % 4, .times = 1 + set % 7,
                                              .noise = set % 2 ? 0.02 : 0.3, .rotates = set % 3),
                                      STATISTIC_MEAN);
        left_out += p.account.first != 0 || p.account.opening != 0;
        synth_end(&s);
    }
    assert_true(left_out <= 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_executions_that_differ_are_left_out),
        cmocka_unit_test(two_executions_in_each_of_two_runs_are_enough),
        cmocka_unit_test(one_run_of_five_sizes_is_enough),
        cmocka_unit_test(a_single_rank_that_is_slow_at_first_is_seen_in_the_maximum),
        cmocka_unit_test(ranks_are_not_independent_witnesses),
        cmocka_unit_test(the_only_execution_of_a_run_stays),
        cmocka_unit_test(points_of_first_executions_alone_are_counted_where_it_matters),
        cmocka_unit_test(page_faults_of_first_executions_explain_few_samples),
        cmocka_unit_test(opening_executions_are_left_out_alone),
        cmocka_unit_test(opening_executions_are_compared_with_other_runs),
        cmocka_unit_test(opening_executions_are_those_of_all_samples),
        cmocka_unit_test(a_preempted_first_execution_is_not_replaced_by_the_next),
        cmocka_unit_test(the_order_of_the_rows_does_not_matter),
        cmocka_unit_test(first_executions_like_the_others_stay),
    };
    return RUN(tests);
}
