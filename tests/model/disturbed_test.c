/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which samples are left out of CLOCK because they were preempted, on data of known truth. */
#include "harness/unit.h"

#include "base/text.h"
#include "harness/synthetic/synth.h"
#include "model/disturbed.h"

#define FILE_OF_F                                                                                  \
    "# cll-data 1\n# overhead: 0 0\n# resolution: 1e-9\n# experiment: f\n# formula: f CLOCK "      \
    "f[0]*N\n# variables: f N\n"
#define COLUMNS SYNTH_COLUMNS " N CLOCK CPUTIME disturbed\n"
#define HEAD    FILE_OF_F COLUMNS

static struct points_request request(const struct synth *s, enum statistic statistic)
{
    return (struct points_request){.dataset = s->data,
                                   .experiment = dataset_find(s->data, "f"),
                                   .observable = "CLOCK",
                                   .statistic = statistic};
}

/* The mean of the only point of these rows, with its account. */
static double mean_of(const char *rows, struct points_account *account)
{
    struct synth s = synth_begin();
    struct points p;
    struct text t;
    text_init(&t);
    text_printf(&t, HEAD "%s", rows);
    assert_int_equal(synth_load(&s, t.s), 0);
    struct points_request r = request(&s, STATISTIC_MEAN);
    assert_int_equal(points_make(s.arena, &r, s.diag, &p), 0);
    assert_int_equal(p.n, 1);
    double value = p.value[0];
    *account = p.account;
    text_free(&t);
    synth_end(&s);
    return value;
}

static void preempted_samples_are_left_out_where_others_remain(void **state)
{
    struct points_account a;
    (void)state;
    assert_within(mean_of("f 0 0 0 0 1 0 0 1 8 1e-3 1e-3 0\nf 0 1 0 0 1 0 0 1 8 5e-3 1.1e-3 1\n"
                          "f 0 2 0 0 1 0 0 1 8 1.2e-3 1.2e-3 4\n",
                          &a),
                  1.1e-3, 1e-9);
    assert_int_equal(a.samples, 3);
    assert_int_equal(a.watched, 3);
    assert_int_equal(a.preempted, 1);
    assert_int_equal(a.left_out, 1);
    assert_int_equal(a.by_cpu, 0);
}

static void a_point_without_others_gets_the_cpu_time(void **state)
{
    struct points_account a;
    (void)state;
    assert_within(mean_of("f 0 0 0 0 1 0 0 1 8 4e-3 1e-3 1\nf 0 1 0 0 1 0 0 1 8 5e-3 3e-3 5\n", &a),
                  2e-3, 1e-9);
    assert_int_equal(a.preempted, 2);
    assert_int_equal(a.left_out, 0);
    assert_int_equal(a.by_cpu, 2);
    assert_int_equal(a.by_cpu_points, 1);
}

/* It sleeps, or waits for a message: that is what it is measured for. */
static void a_region_that_waits_keeps_its_samples(void **state)
{
    struct points_account a;
    (void)state;
    assert_within(mean_of("f 0 0 0 0 1 0 0 1 8 4e-3 1e-6 2\nf 0 1 0 0 1 0 0 1 8 6e-3 1e-6 2\n", &a),
                  5e-3, 1e-9);
    assert_int_equal(a.preempted, 0);
    /* also preempted, but not longer than the others */
    assert_within(mean_of("f 0 0 0 0 1 0 0 1 8 4e-3 1e-6 2\nf 0 1 0 0 1 0 0 1 8 3e-3 1e-6 3\n", &a),
                  3.5e-3, 1e-9);
    assert_int_equal(a.preempted, 0);
    /* also preempted, and longer than all others */
    assert_within(mean_of("f 0 0 0 0 1 0 0 1 8 4e-3 1e-6 2\nf 0 1 0 0 1 0 0 1 8 9e-3 1e-6 3\n", &a),
                  4e-3, 1e-9);
    assert_int_equal(a.preempted, 1);
    /* with nothing to compare it is kept */
    assert_within(mean_of("f 0 0 0 0 1 0 0 1 8 9e-3 1e-6 3\n", &a), 9e-3, 1e-9);
    assert_int_equal(a.preempted, 0);
}

/* A hypervisor takes the core without a switch; a switch of a microsecond is not visible. */
static void the_time_away_decides_and_not_the_switch(void **state)
{
    struct points_account a;
    (void)state;
    assert_within(mean_of("f 0 0 0 0 1 0 0 1 8 1e-3 1e-3 0\nf 0 1 0 0 1 0 0 1 8 3e-3 1e-3 0\n", &a),
                  1e-3, 1e-9);
    assert_int_equal(a.preempted, 1);
    assert_within(
        mean_of("f 0 0 0 0 1 0 0 1 8 1.2e-3 1.2e-3 0\nf 0 1 0 0 1 0 0 1 8 1e-3 .999e-3 1\n", &a),
        1.1e-3, 1e-9);
    assert_int_equal(a.preempted, 0);
    /* cold caches after a switch: longer than all undisturbed samples */
    assert_within(mean_of("f 0 0 0 0 1 0 0 1 8 1e-3 1e-3 0\nf 0 1 0 0 1 0 0 1 8 2e-3 2e-3 1\n", &a),
                  1e-3, 1e-9);
    assert_int_equal(a.preempted, 1);
}

static void a_sample_that_was_not_watched_is_compared_with_its_point(void **state)
{
    struct points_account a;
    (void)state;
    assert_within(mean_of("f 0 0 0 0 1 0 0 1 8 3e-3 nan nan\nf 0 1 0 0 1 0 0 1 8 1e-3 nan nan\n"
                          "f 0 2 0 0 1 0 0 1 8 4e-3 1e-3 1\n",
                          &a),
                  1e-3, 1e-9);
    assert_int_equal(a.watched, 2);
    assert_int_equal(a.preempted, 2);
    /* without a preempted sample at the point there is no reason to leave it out */
    assert_within(
        mean_of("f 0 0 0 0 1 0 0 1 8 3e-3 nan nan\nf 0 1 0 0 1 0 0 1 8 1e-3 1e-3 0\n", &a), 2e-3,
        1e-9);
    assert_int_equal(a.preempted, 0);
}

/* A thread of the program itself runs on the same core in nearly every execution: the few samples that
   are not preempted are no better, and here they are the slow ones. */
static void preempted_samples_that_are_not_longer_stay(void **state)
{
    struct points_account a;
    (void)state;
    assert_within(mean_of("f 0 0 0 0 1 0 0 1 8 1e-3 .9e-3 1\nf 0 1 0 0 1 0 0 1 8 1e-3 .9e-3 1\n"
                          "f 0 2 0 0 1 0 0 1 8 1e-3 .9e-3 1\nf 0 3 0 0 1 0 0 1 8 2e-3 2e-3 0\n",
                          &a),
                  1.25e-3, 1e-9);
    assert_int_equal(a.preempted, 0);
    assert_int_equal(a.left_out, 0);
    /* with all ranks of their executions */
    assert_within(mean_of("f 0 0 0 0 2 0 0 1 8 1e-3 1e-3 0\nf 0 0 0 0 2 1 0 1 8 1e-3 .9e-3 1\n"
                          "f 0 1 0 0 2 0 0 1 8 2e-3 2e-3 0\nf 0 1 0 0 2 1 0 1 8 2e-3 2e-3 0\n",
                          &a),
                  1.5e-3, 1e-9);
    assert_int_equal(a.left_out, 0);
}

/* The others wait for the preempted rank. */
static void all_ranks_of_a_preempted_execution_are_left_out(void **state)
{
    struct points_account a;
    (void)state;
    assert_within(mean_of("f 0 0 0 0 2 0 0 1 8 1e-3 1e-3 0\nf 0 0 0 0 2 1 0 1 8 2e-3 2e-3 0\n"
                          "f 0 1 0 0 2 0 0 1 8 5e-3 5e-3 0\nf 0 1 0 0 2 1 0 1 8 5e-3 1e-3 1\n",
                          &a),
                  2e-3, 1e-9);
    assert_int_equal(a.preempted, 1);
    assert_int_equal(a.left_out, 2);
    /* the CPU time of one rank says nothing about the execution */
    assert_within(mean_of("f 0 0 0 0 2 0 0 1 8 5e-3 5e-3 0\nf 0 0 0 0 2 1 0 1 8 5e-3 1e-3 1\n", &a),
                  5e-3, 1e-9);
    assert_int_equal(a.left_out, 0);
    assert_int_equal(a.kept, 1);
}

static void samples_can_be_kept_and_old_files_have_nothing_to_leave_out(void **state)
{
    struct synth s = synth_begin();
    struct points p;
    (void)state;
    assert_int_equal(
        synth_load(&s, HEAD "f 0 0 0 0 1 0 0 1 8 1e-3 1e-3 0\nf 0 1 0 0 1 0 0 1 8 5e-3 1e-3 1\n"),
        0);
    struct points_request r = request(&s, STATISTIC_MEAN);
    r.keep_disturbed = true;
    assert_int_equal(points_make(s.arena, &r, s.diag, &p), 0);
    assert_within(p.value[0], 3e-3, 1e-9);
    assert_int_equal(p.account.preempted, 0);
    struct disturbed_counts n = disturbed_count(r.experiment);
    assert_int_equal(n.watched, 2);
    assert_int_equal(n.preempted, 1);
    /* merged with a file of an older run-time: its samples are not watched */
    assert_int_equal(synth_load(&s, "# cll-data 1\n# overhead: 0 0\n# experiment: f\n# formula: f "
                                    "CLOCK f[0]*N\n# variables: f N\n" SYNTH_COLUMNS
                                    " N CLOCK\nf 0 0 0 0 1 0 0 1 8 1e-3\n"),
                     0);
    r = request(&s, STATISTIC_MEAN);
    assert_int_equal(points_make(s.arena, &r, s.diag, &p), 0);
    assert_int_equal(p.account.samples, 3);
    assert_int_equal(p.account.watched, 2);
    assert_within(p.value[0], 1e-3, 1e-9);
    r.observable = "disturbed";
    assert_int_equal(points_make(s.arena, &r, s.diag, &p), -1);
    assert_non_null(
        strstr(synth_error(&s), "disturbed was not measured for f: the data has CLOCK, CPUTIME"));
    synth_end(&s);
}

/* Of the short executions at N = 8 only the one that was preempted has a CPU time. */
static void cpu_times_of_long_samples_only_make_no_point_of_short_ones(void **state)
{
    struct synth s = synth_begin();
    struct points p;
    (void)state;
    assert_int_equal(
        synth_load(&s,
                   HEAD "f 0 0 0 0 1 0 0 1 8 1e-6 nan nan\nf 0 1 0 0 1 0 0 1 16 1e-3 1e-3 0\n"
                        "f 0 2 0 0 1 0 0 1 8 1e-3 9e-6 1\nf 0 3 0 0 1 0 0 1 8 1e-6 nan nan\n"
                        "f 0 4 0 0 1 0 0 1 16 1e-3 nan nan\nf 0 5 0 0 1 0 0 1 4 1e-6 nan nan\n"),
        0);
    struct points_request r = request(&s, STATISTIC_MEAN);
    r.observable = "CPUTIME";
    assert_int_equal(points_make(s.arena, &r, s.diag, &p), 0);
    assert_int_equal(p.n, 1);
    assert_within(p.at[0][0], 16, 0);
    assert_within(p.value[0], 1e-3, 1e-9);
    synth_end(&s);
}

/* f = 2e-8 N: short regions are never watched, of the longer ones the scheduler interrupts more and
 * more, and of the largest all. */
static void the_fit_of_a_busy_machine_is_that_of_a_quiet_one(void **state)
{
    struct synth s = synth_begin();
    struct text t;
    (void)state;
    text_init(&t);
    text_add(&t, HEAD);
    for (int run = 0, seq; run < 12; run++) {
        seq = 0;
        for (double n = 1e3; n <= 1.1e6; n *= 2) {
            double truth = 2e-8 * n * (1 + 0.005 * fabs(synth_normal(&s))), slice = 3e-3;
            double slices = floor(truth / slice + synth_uniform(&s));
            double clock = truth + slices * slice * (1 + synth_uniform(&s));
            text_printf(&t, "f %d %d 0 0 1 0 0 1 %g %.9g ", run, seq++, n, clock);
            if (clock > 1e-4)
                text_printf(&t, "%.9g %d\n", truth, slices > 0);
            else
                text_add(&t, "nan nan\n");
        }
    }
    assert_int_equal(synth_load(&s, t.s), 0);
    struct model *m = synth_fit(&s, NULL, false, STATISTIC_P10);
    assert_non_null(m);
    assert_within(model_constants(m).list[0].pieces[0].value, 2e-8, 2e-10);
    assert_true(model_error(m)->max_pct < 2);
    assert_true(model_points(m)->account.left_out > 10);
    assert_true(model_points(m)->account.by_cpu_points >= 2);
    text_free(&t);
    synth_end(&s);
}

static void a_busy_machine_is_reported_where_most_samples_are_preempted(void **state)
{
    (void)state;
    for (int busy = 0; busy < 2; busy++) {
        struct synth s = synth_begin();
        struct text t;
        text_init(&t);
        text_add(&t, HEAD);
        for (int i = 0; i < 40; i++) {
            double truth = 1e-3 * (1 + i % 5);
            bool taken = busy ? i % 8 != 3 : i % 8 == 3;
            text_printf(&t, "f 0 %d 0 0 1 0 0 1 %d %g %g %d\n", i, 1 + i % 5,
                        truth * (taken ? 2 : 1), truth, taken);
        }
        assert_int_equal(synth_load(&s, t.s), 0);
        struct model *m = synth_fit(&s, NULL, false, STATISTIC_P10);
        assert_non_null(m);
        assert_int_equal(model_points(m)->account.preempted, busy ? 35 : 5);
        assert_int_equal(synth_has_warning(m, "preempted"), busy);
        text_free(&t);
        synth_end(&s);
    }
}

/* Page faults alone are no reason to leave a sample out. */
static void page_faults_are_counted_and_change_nothing(void **state)
{
    struct points_account a;
    struct synth s = synth_begin();
    (void)state;
    static const char rows[] =
        "f 0 0 0 0 1 0 0 1 8 1e-3 1e-3 8\nf 0 1 0 0 1 0 0 1 8 3e-3 3e-3 8\n"
        "f 0 2 0 0 1 0 0 1 8 9e-3 2e-3 9\nf 0 3 0 0 1 0 0 1 8 2e-3 2e-3 12\n";
    assert_within(mean_of(rows, &a), 2e-3, 1e-9);
    assert_int_equal(a.watched, 4);
    assert_int_equal(a.preempted, 1);
    assert_int_equal(a.left_out, 1);
    struct text t;
    text_init(&t);
    text_printf(&t, HEAD "%s", rows);
    assert_int_equal(synth_load(&s, t.s), 0);
    struct disturbed_counts n = disturbed_count(dataset_find(s.data, "f"));
    assert_int_equal(n.faulted, 4);
    assert_int_equal(n.migrated, 1);
    assert_int_equal(n.preempted, 1);
    text_free(&t);
    synth_end(&s);
}

/* The header says so; the account counts the samples. */
static void samples_of_more_processes_than_cores_are_counted(void **state)
{
    struct synth s = synth_begin();
    struct points p;
    (void)state;
    assert_int_equal(synth_load(&s, HEAD "f 0 0 0 0 1 0 0 1 8 1e-3 1e-3 0\n"), 0);
    assert_int_equal(synth_load(&s,
                                "# cll-data 1\n# oversubscribed: yes\n# overhead: 0 0\n"
                                "# experiment: f\n# formula: f CLOCK f[0]*N\n"
                                "# variables: f N\n" SYNTH_COLUMNS
                                " N CLOCK\nf 0 0 0 0 4 0 0 1 8 1e-3\nf 0 1 0 0 4 0 0 1 8 1e-3\n"),
                     0);
    struct points_request r = request(&s, STATISTIC_MEAN);
    assert_int_equal(points_make(s.arena, &r, s.diag, &p), 0);
    assert_int_equal(p.account.samples, 3);
    assert_int_equal(p.account.oversubscribed, 2);
    synth_end(&s);
}

/* SELF of the only sample of f, which was preempted; two executions of g are inside. */
static double self_of(const char *rows)
{
    struct synth s = synth_begin();
    struct points p;
    struct text t;
    text_init(&t);
    text_printf(&t, FILE_OF_F "# experiment: g\n# formula: g CLOCK g[0]\n" COLUMNS "%s", rows);
    assert_int_equal(synth_load(&s, t.s), 0);
    struct points_request r = request(&s, STATISTIC_MEAN);
    r.observable = "SELF";
    assert_int_equal(points_make(s.arena, &r, s.diag, &p), 0);
    assert_int_equal(p.n, 1);
    assert_int_equal(p.account.by_cpu, 1);
    double value = p.value[0];
    text_free(&t);
    synth_end(&s);
    return value;
}

#define INSIDE(cpu)                                                                                \
    "g 0 0 1e-3 0 1 0 0 1 nan 7e-3 " cpu "\n"                                                      \
    "g 0 1 8.5e-3 0 1 0 0 1 nan 1e-3 nan nan\n"

/* Short executions inside have no CPU time, so the thread may have been without its core in them all the
 * time: only what cannot have been there is subtracted. */
static void self_is_not_less_than_what_is_known_of_it(void **state)
{
    (void)state;
    assert_within(self_of(INSIDE("nan nan") "f 0 0 0 2 1 0 0 1 8 10e-3 4e-3 1\n"), 2e-3, 1e-9);
    assert_within(self_of(INSIDE("nan nan") "f 0 0 0 2 1 0 0 1 8 20e-3 4e-3 1\n"), 4e-3, 1e-9);
    assert_within(self_of(INSIDE("1e-3 1") "f 0 0 0 2 1 0 0 1 8 20e-3 4e-3 1\n"), 3e-3, 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(preempted_samples_are_left_out_where_others_remain),
        cmocka_unit_test(a_point_without_others_gets_the_cpu_time),
        cmocka_unit_test(a_region_that_waits_keeps_its_samples),
        cmocka_unit_test(the_time_away_decides_and_not_the_switch),
        cmocka_unit_test(a_sample_that_was_not_watched_is_compared_with_its_point),
        cmocka_unit_test(preempted_samples_that_are_not_longer_stay),
        cmocka_unit_test(all_ranks_of_a_preempted_execution_are_left_out),
        cmocka_unit_test(samples_can_be_kept_and_old_files_have_nothing_to_leave_out),
        cmocka_unit_test(cpu_times_of_long_samples_only_make_no_point_of_short_ones),
        cmocka_unit_test(the_fit_of_a_busy_machine_is_that_of_a_quiet_one),
        cmocka_unit_test(a_busy_machine_is_reported_where_most_samples_are_preempted),
        cmocka_unit_test(page_faults_are_counted_and_change_nothing),
        cmocka_unit_test(samples_of_more_processes_than_cores_are_counted),
        cmocka_unit_test(self_is_not_less_than_what_is_known_of_it),
    };
    return RUN(tests);
}
