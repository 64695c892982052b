/* SPDX-License-Identifier: GPL-3.0-or-later */
/* When call run has measured enough, and whether values are steady. */
#include "harness/unit.h"
#include <math.h>
#include <unistd.h>

#include "base/text.h"
#include "call/run/data.h"
#include "call/run/limits.h"

/* ---- limits ---- */

static void times_are_read(void **state)
{
    static const struct {
        const char *text;
        double seconds;
    } good[] = {{"30s", 30},  {"30", 30},     {"1.5m", 90},
                {"2h", 7200}, {"500ms", 0.5}, {"10min", 600}};
    static const char *const bad[] = {"",   "s",   "-1s", "0",      "30x",
                                      "1d", "nan", "inf", "1e300h", "3 s"};
    double seconds;
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_int_equal(limits_read_time(good[i].text, &seconds), 0);
        assert_true(fabs(seconds - good[i].seconds) < 1e-9);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(limits_read_time(bad[i], &seconds), -1);
}

static void percentages_and_rounds_are_read(void **state)
{
    static const char *const bad[] = {"", "%", "-2%", "0%", "2%%", "2x", "1001%"};
    static const char *const bad_rounds[] = {"", "0", "-1", "1.5", "100001", "x", "2^"};
    double part;
    unsigned rounds;
    (void)state;
    assert_int_equal(limits_read_percent("2%", &part), 0);
    assert_true(part == 0.02);
    assert_int_equal(limits_read_percent("0.5", &part), 0);
    assert_true(part == 0.005);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(limits_read_percent(bad[i], &part), -1);
    assert_int_equal(limits_read_rounds("100000", &rounds), 0);
    assert_int_equal(rounds, 100000);
    assert_int_equal(limits_read_rounds("2^3", &rounds), 0);
    assert_int_equal(rounds, 8);
    for (size_t i = 0; i < sizeof bad_rounds / sizeof *bad_rounds; i++)
        assert_int_equal(limits_read_rounds(bad_rounds[i], &rounds), -1);
}

static void by_default_some_seconds_are_measured(void **state)
{
    struct run_limits l = {0};
    (void)state;
    assert_false(limits_reached(&l, 0, 0, true));
    assert_false(limits_reached(&l, 12, 1, true)); /* one second is not enough */
    assert_false(limits_reached(&l, 2, 40, true)); /* nor are two rounds */
    assert_true(limits_reached(&l, 25, 15.1, true));
    assert_true(limits_reached(&l, 3, 17, true));
    assert_false(limits_reached(&l, 25, 15.1, false));
    assert_false(limits_reached(&l, 11, 300, false)); /* long rounds: at most 12 */
    assert_true(limits_reached(&l, 12, 300, false));
    assert_false(limits_reached(&l, 140, 29, false)); /* short ones: at most 30 s */
    assert_true(limits_reached(&l, 150, 30.1, false));
}

static void rounds_and_time_end_the_measurement_steady_or_not(void **state)
{
    struct run_limits rounds = {.rounds = 4}, time = {.seconds = 30},
                      both = {.rounds = 10, .seconds = 60};
    (void)state;
    for (int steady = 0; steady < 2; steady++) {
        assert_false(limits_reached(&rounds, 3, 1000, steady));
        assert_true(limits_reached(&rounds, 4, 0.1, steady));
        assert_false(limits_reached(&time, 100, 20, steady));
        assert_true(limits_reached(&time, 100, 29.9, steady)); /* the next would end later */
        assert_true(limits_reached(&time, 1, 20, steady));     /* and so would this */
        assert_true(limits_reached(&time, 1, 100, steady));
        assert_false(limits_reached(&both, 9, 50, steady));
        assert_true(limits_reached(&both, 10, 50, steady));
        assert_true(limits_reached(&both, 5, 58, steady));
    }
    assert_true(limits_period(&rounds) == 0);
    assert_true(limits_period(&both) == 6); /* ten rounds over a minute */
    assert_true(limits_period(&time) == 0.2);
    time.seconds = 3600;
    assert_true(limits_period(&time) == 12); /* at most 300 data files */
}

static void until_ends_the_measurement_when_it_is_steady(void **state)
{
    struct run_limits until = {.until = 0.02}, both = {.until = 0.02, .seconds = 20};
    (void)state;
    assert_true(limits_tolerance(&until) == 0.02);
    assert_true(limits_reached(&until, 10, 16, true));
    assert_false(limits_reached(&until, 10, 13, true));
    assert_false(limits_reached(&until, 500, 100, false)); /* more patience than by default */
    assert_true(limits_reached(&until, 500, 121, false));
    assert_true(limits_reached(&both, 10, 16, true));
    assert_false(limits_reached(&both, 10, 16, false));
    assert_true(limits_reached(&both, 100, 19.9, false));
}

static void a_simulation_has_one_round(void **state)
{
    struct run_limits exact = {.exact = true, .seconds = 100}, asked = {.exact = true, .rounds = 2};
    (void)state;
    assert_true(limits_reached(&exact, 1, 0.1, false));
    assert_false(limits_reached(&asked, 1, 0.1, false));
    assert_true(limits_reached(&asked, 2, 0.1, false));
}

/* Half the variation needs four times the time. */
static void a_longer_time_is_proposed(void **state)
{
    struct run_limits l = {0};
    struct arena *a = arena_create();
    (void)state;
    assert_true(limits_longer(&l, 15, 0.1) == 60);
    assert_true(limits_longer(&l, 30, 0.07) == 60);
    assert_true(limits_longer(&l, 30, 0.051) == 60);
    assert_true(limits_longer(&l, 30, 2) == 0);
    assert_true(limits_longer(&l, 0.2, 9) == 30);
    assert_string_equal(limits_duration(a, 120, true), "2m");
    assert_string_equal(limits_duration(a, 5.04, false), "5 s");
    assert_string_equal(limits_duration(a, 0.24, false), "240 ms");
    assert_string_equal(limits_title(a, &l, 3), "round 3");
    assert_string_equal(limits_title(a, &(struct run_limits){.rounds = 12}, 3), "round 3 of 12");
    assert_string_equal(limits_title(a, &(struct run_limits){.exact = true}, 1), "round 1 of 1");
    arena_destroy(a);
}

/* ---- progress ---- */

static bool is_about(double a, double b)
{
    return fabs(a - b) < 1e-9 * (1 + fabs(b));
}

static void rounds_that_are_left_take_as_long_as_those_before(void **state)
{
    (void)state;
    struct run_limits rounds = {.rounds = 10}, spread = {.rounds = 10, .seconds = 60};
    struct limits_estimate e = limits_progress(&rounds, 0, 0, NAN);
    assert_true(e.part == 0 && isnan(e.left));
    e = limits_progress(&rounds, 2.5, 5, NAN);
    assert_true(is_about(e.part, 0.25) && is_about(e.left, 15) && !e.at_most);
    e = limits_progress(&rounds, 12, 24, NAN);
    assert_true(e.part == 1 && e.left == 0);
    e = limits_progress(&spread, 2, 5, NAN); /* short rounds wait */
    assert_true(is_about(e.part, 0.2) && is_about(e.left, 55));
    struct run_limits exact = {.exact = true};
    e = limits_progress(&exact, 0.25, 1, NAN);
    assert_true(is_about(e.part, 0.25) && is_about(e.left, 3));
}

static void a_time_that_was_given_is_what_is_left(void **state)
{
    (void)state;
    struct run_limits time = {.seconds = 30};
    struct limits_estimate e = limits_progress(&time, 7, 12, 0.5);
    assert_true(is_about(e.part, 0.4) && is_about(e.left, 18) && !e.at_most);
}

static void the_time_until_values_are_steady_is_estimated(void **state)
{
    (void)state;
    struct run_limits open = {0}, until = {.until = 0.02}, both = {.until = 0.02, .seconds = 20};
    struct limits_estimate e = limits_progress(&open, 5, 3, NAN);
    assert_true(is_about(e.part, 0.2) && is_about(e.left, 27) &&
                e.at_most);                   /* 15 s at least, 30 s at most */
    e = limits_progress(&open, 80, 16, 0.06); /* known to 6 %, wanted 5 %: 16 * 1.44 s */
    assert_true(is_about(e.left, 16 * 0.44) && !e.at_most);
    e = limits_progress(&open, 80, 16, 1);
    assert_true(is_about(e.left, 14) && e.at_most);
    e = limits_progress(&until, 40, 8, 0.04); /* four times as long */
    assert_true(is_about(e.part, 0.25) && is_about(e.left, 24));
    e = limits_progress(&both, 40, 8, 0.04);
    assert_true(is_about(e.left, 12) && e.at_most);
    e = limits_progress(&open, 80, 16, 0.01);
    assert_true(e.part == 1 && e.left == 0);
    e = limits_progress(&open, 2, 20, 0.5); /* long rounds: 12 of them */
    assert_true(is_about(e.left, 100) && e.at_most);
}

/* ---- steadiness ---- */

/* Rounds of 10 samples each: point N=10 has the times of the list, N=20 always 2 ms, both with a
 * CPU time of 1 ms. */
static const char header[] =
    "# cll-data 1\n# world: 1\n# cores: %u\n# load: 1.5 4\n# steal: 0.5 10\n# overhead: 1e-7 1e-9\n"
    "# experiment: f\n# formula: f %s f[0]*N\n# formula: f PAPI_L1_DCM f[0]\n# variables: f N\n"
    "experiment run seq start nested P rank thread count N CLOCK CPUTIME disturbed PAPI_L1_DCM\n";

struct judged {
    struct arena *arena;
    struct run_data data;
    unsigned rounds;
};

static void add_round(struct judged *j, const char *observable, double milliseconds, int disturbed)
{
    char path[] = "/tmp/call-test-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    FILE *f = fdopen(fd, "w");
    assert_non_null(f);
    fprintf(f, header, j->rounds ? 2 : 1, observable);
    for (int k = 0; k < 10; k++)
        fprintf(f,
                "f 0 %d 0 0 1 0 0 1 10 %.17g 0.001 %d nan\nf 0 %d 0 0 1 0 0 1 20 0.002 0.001 nan "
                "nan\n",
                2 * k, milliseconds * 1e-3, disturbed, 2 * k + 1);
    fprintf(f, "f 0 1 0 0 1 0 0 1 10 1"); /* cut off */
    fclose(f);
    assert_int_equal(run_data_read(&j->data, path, j->rounds++), 0);
    unlink(path);
}

static struct judged begin(void)
{
    struct judged j = {.arena = arena_create()};
    run_data_init(&j.data, j.arena);
    return j;
}

static struct judged rounds_of(const double *milliseconds, unsigned n)
{
    struct judged j = begin();
    for (unsigned i = 0; i < n; i++)
        add_round(&j, "CLOCK", milliseconds[i], 2); /* it waited: its clock counts */
    return j;
}

static struct run_verdict verdict(const struct judged *j, double tolerance)
{
    return run_data_judge(&j->data, j->rounds, 60, tolerance, JUDGE_WANTED);
}

static void formulas_and_points_are_found(void **state)
{
    struct judged j = rounds_of((double[]){1, 1}, 2);
    (void)state;
    assert_int_equal(j.data.nexperiments, 1);
    assert_int_equal(j.data.nformulas, 2);
    assert_true(!j.data.formulas[0].is_counter && j.data.formulas[1].is_counter);
    assert_int_equal(j.data.npoints, 4); /* two places, CLOCK and CPUTIME */
    assert_string_equal(j.data.points[0].key, "f N=10");
    assert_int_equal(j.data.points[0].n, 20);
    assert_true(j.data.stolen == 1 && j.data.wanted == 20);
    assert_true(j.data.load == 3 && j.data.cores == 2); /* the program is one of the four */
    arena_destroy(j.arena);
}

static void values_that_repeat_are_steady(void **state)
{
    struct judged j = rounds_of((double[]){1, 1.01, 1.9}, 3);
    struct run_verdict v = verdict(&j, 0.05);
    (void)state;
    assert_true(run_is_steady(&v, true));
    assert_int_equal(v.points, 2);
    assert_true(v.worst_part > 0.009 && v.worst_part < 0.011);
    v = verdict(&j, 0.005);
    assert_int_equal(v.unsteady, 1);
    assert_false(run_is_steady(&v, false));
    arena_destroy(j.arena);
}

static void a_low_value_seen_once_is_not_steady(void **state)
{
    struct judged j = rounds_of((double[]){1, 1.7, 1.7}, 3);
    struct run_verdict v = verdict(&j, 0.05);
    (void)state;
    assert_false(run_is_steady(&v, false));
    assert_int_equal(v.unsteady, 1);
    assert_string_equal(v.worst, "f N=10");
    assert_true(v.worst_part > 0.69 && v.worst_part < 0.71);
    assert_true(v.typical == v.worst_part); /* nine of ten of two points are both */
    arena_destroy(j.arena);
}

/* One fast phase of five rounds among 32: the 10th percentile is in it and does not move, but the
 * phase may never come again. Two fast phases at different times are steady. */
static void one_fast_phase_is_not_steady_and_two_are(void **state)
{
    double times[32];
    (void)state;
    for (int phases = 1; phases <= 3; phases++) {
        for (int i = 0; i < 32; i++)
            times[i] = i % 10 < 5 && i / 10 < phases ? 1 : 1.7;
        struct judged j = rounds_of(times, 32);
        struct run_verdict v = verdict(&j, 0.05);
        assert_int_equal(run_is_steady(&v, false), phases > 1);
        arena_destroy(j.arena);
    }
}

static void regions_of_a_few_overheads_do_not_count(void **state)
{
    struct judged j = rounds_of((double[]){1e-4, 1.7e-4, 1.7e-4}, 3);
    struct run_verdict v = verdict(&j, 0.05);
    (void)state;
    assert_true(run_is_steady(&v, true));
    assert_int_equal(v.points, 1);
    arena_destroy(j.arena);
}

static void short_regions_are_known_as_such(void **state)
{
    struct judged j = rounds_of((double[]){1e-3, 1.7e-3, 1.7e-3}, 3);
    struct run_verdict v = verdict(&j, 0.05);
    (void)state;
    assert_true(v.worst_is_short);
    arena_destroy(j.arena);
}

static void what_a_formula_names_is_judged(void **state)
{
    struct judged j = begin();
    (void)state;
    add_round(&j, "CPUTIME", 1, 0);
    add_round(&j, "CPUTIME", 3, 0);
    add_round(&j, "CPUTIME", 3, 0);
    struct run_verdict v = verdict(&j, 0.05);
    assert_int_equal(v.points, 2);
    assert_true(run_is_steady(&v, true) && v.worst_part == 0); /* not CLOCK, which varies */
    arena_destroy(j.arena);
    j = rounds_of((double[]){1, 3, 3}, 3);
    v = verdict(&j, 0.05);
    assert_false(run_is_steady(&v, true));
    v = run_data_judge(&j.data, 3, 60, 0.05, JUDGE_CPU);
    assert_true(v.points == 2 && run_is_steady(&v, true));
    arena_destroy(j.arena);
}

/* The clock of N=10 differs in all rounds, its CPU time is always the same. What counts is what llac prints: the CPU time of samples
 * whose core was away for a visible time and that did not wait (2). */
static void preempted_samples_are_judged_by_their_cpu_time(void **state)
{
    static const struct {
        int disturbed;
        bool steady;
    } cases[] = {{1, true},  {5, true}, {9, true}, {13, true},  {0, true},   {2, false},
                 {3, false}, {4, true}, {8, true}, {10, false}, {11, false}, {16, false}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct judged j = begin();
        for (int round = 0; round < 4; round++)
            add_round(&j, "CLOCK", 1 + 2 * round, cases[i].disturbed);
        struct run_verdict v = verdict(&j, 0.05);
        assert_int_equal(v.points, 2);
        assert_int_equal(run_is_steady(&v, true), cases[i].steady);
        arena_destroy(j.arena);
    }
}

static void points_of_one_round_say_nothing(void **state)
{
    struct judged j = rounds_of((double[]){1}, 1);
    (void)state;
    j.rounds = 2;
    struct run_verdict v = verdict(&j, 0.05);
    assert_int_equal(v.points, 0);
    assert_int_equal(v.single, 2);
    arena_destroy(j.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_are_read),
        cmocka_unit_test(percentages_and_rounds_are_read),
        cmocka_unit_test(by_default_some_seconds_are_measured),
        cmocka_unit_test(rounds_and_time_end_the_measurement_steady_or_not),
        cmocka_unit_test(until_ends_the_measurement_when_it_is_steady),
        cmocka_unit_test(a_simulation_has_one_round),
        cmocka_unit_test(a_longer_time_is_proposed),
        cmocka_unit_test(rounds_that_are_left_take_as_long_as_those_before),
        cmocka_unit_test(a_time_that_was_given_is_what_is_left),
        cmocka_unit_test(the_time_until_values_are_steady_is_estimated),
        cmocka_unit_test(formulas_and_points_are_found),
        cmocka_unit_test(values_that_repeat_are_steady),
        cmocka_unit_test(a_low_value_seen_once_is_not_steady),
        cmocka_unit_test(one_fast_phase_is_not_steady_and_two_are),
        cmocka_unit_test(regions_of_a_few_overheads_do_not_count),
        cmocka_unit_test(short_regions_are_known_as_such),
        cmocka_unit_test(what_a_formula_names_is_judged),
        cmocka_unit_test(preempted_samples_are_judged_by_their_cpu_time),
        cmocka_unit_test(points_of_one_round_say_nothing),
    };
    return RUN(tests);
}
