/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Predictions of models whose constants, covariance and noise are set by hand. */
#include "harness/unit.h"

#include "harness/synthetic/synth.h"
#include "model/fit_internal.h"

/* Exact data of f over N = 100 to 1600 and P = 1, three runs. `time` is a function of N. */
static struct synth load(double (*time)(double n))
{
    static char text[1 << 14];
    struct synth s = synth_begin();
    size_t at = (size_t)snprintf(text, sizeof text,
                                 "# cll-data 1\n# experiment: f\n# variables: f N M\n" SYNTH_COLUMNS
                                 " N M CLOCK\n");
    for (int run = 0; run < 3; run++)
        for (int i = 1; i <= 16; i++) {
            double n = 100.0 * i;
            at += (size_t)snprintf(text + at, sizeof text - at,
                                   "f %d 0 0 0 1 0 0 1 %.17g %.17g %.17g\n", run, n, n, time(n));
        }
    assert_int_equal(synth_load(&s, text), 0);
    return s;
}

static double line(double n)
{
    return 1e-3 + 2e-6 * n;
}

static double stair(double n)
{
    return 1e-3 + (n > 850 ? 4e-6 : 2e-6) * n;
}

/* A line, within a percent. */
static double rough_line(double n)
{
    return line(n) * (1 + 0.01 * sin(n));
}

/* From 800 on each doubling costs half as much again, or a third less. */
static double bends_up(double n)
{
    return rough_line(n) * fmax(1, pow(1.5, log2(n / 800)));
}

static double bends_down(double n)
{
    return rough_line(n) * fmin(1, pow(1.5, -log2(n / 800)));
}

static double last_is_twice(double n)
{
    return rough_line(n) * (n > 1500 ? 2 : 1);
}

static struct model *fit(struct synth *s, const char *formula, struct interval_request intervals)
{
    struct model *m = synth_fit_with(s, formula, false, STATISTIC_P10, intervals);
    if (!m)
        fail_msg("%s", synth_error(s));
    return m;
}

/* A line whose noise and covariance are these. */
static struct model *by_hand(struct synth *s, double relative, double floor)
{
    struct model *m = fit(s, "f[0] + f[1]*N", (struct interval_request){.mode = INTERVALS_NONE});
    const double covariance[] = {4e-10, -2e-13, -2e-13, 1e-15};
    assert_int_equal(m->structure.ncolumns, 2);
    memcpy(m->solution.covariance, covariance, sizeof covariance);
    memset(m->solution.of_runs, 0, sizeof covariance);
    m->noise = (struct model_noise){.relative = relative,
                                    .floor = floor,
                                    .dof = 10,
                                    .single_low = 0.9,
                                    .single_high = 1.5,
                                    .typical = 1};
    predict_find_reach(m);
    return m;
}

static struct prediction predict(struct synth *s, const struct model *m, double n)
{
    const char *names[] = {"N", "M"};
    double at[] = {n, n};
    struct prediction out;
    if (model_predict(s->arena, m, &(struct place){names, at, 2}, s->diag, &out))
        fail_msg("%s", synth_error(s));
    return out;
}

static void the_value_is_that_of_the_formula(void **state)
{
    struct synth s = load(line);
    const struct model *m = by_hand(&s, 0.1, 0);
    (void)state;
    for (double n = 50; n < 1e6; n *= 3)
        assert_near(predict(&s, m, n).value, line(n), 1e-9);
    assert_near(predict(&s, m, 0).value, 1e-3, 1e-9);
    synth_end(&s);
}

/* 2.228139 is the 97.5 % quantile of Student's t with 10 degrees of freedom. */
static void intervals_follow_from_covariance_and_noise(void **state)
{
    const double t = 2.2281388519862735, n = 800, relative = 0.02, floor = 1e-5;
    struct synth s = load(line);
    const struct model *m = by_hand(&s, relative, floor);
    struct prediction p = predict(&s, m, n);
    double v = line(n), own = 4e-10 - 2 * 2e-13 * n + 1e-15 * n * n,
           reach = t * sqrt(own + relative * relative * v * v + floor * floor);
    (void)state;
    assert_near(p.variance, own, 1e-9);
    assert_near(p.low, v - reach, 1e-9);
    assert_near(p.high, v + reach, 1e-9);
    assert_near(p.single_low, v - hypot(0.1 * v, t * sqrt(own)), 1e-9);
    assert_near(p.single_high, v + hypot(0.5 * v, t * sqrt(own)), 1e-9);
    struct model blind = *m; /* nothing is known of the noise */
    blind.noise.dof = 0;
    p = predict(&s, &blind, n);
    assert_true(isnan(p.low) && isnan(p.high) && isnan(p.single_low) && isnan(p.variance));
    synth_end(&s);
}

/* Part of a variance that few whole runs determine: fewer degrees of freedom, by Welch and Satterthwaite. */
static void whole_runs_have_their_own_degrees_of_freedom(void **state)
{
    const double n = 800, v = line(n), of_runs = 1e-4;
    struct synth s = load(line);
    struct model *m = by_hand(&s, 0, 0);
    (void)state;
    m->noise.runs_dof = 2;
    m->noise.runs_of_point = of_runs;
    double own = 4e-10 - 2 * 2e-13 * n + 1e-15 * n * n, runs = of_runs * v * v, total = own + runs,
           dof = total * total / (own * own / 10 + runs * runs / 2);
    struct prediction p = predict(&s, m, n);
    assert_near(p.high - v, noise_student_t(dof) * sqrt(total), 1e-9);
    synth_end(&s);
}

static void extrapolations_say_how_far(void **state)
{
    struct synth s = load(line);
    const struct model *m = by_hand(&s, 1e-6, 0);
    struct prediction inside = predict(&s, m, 1600), beyond = predict(&s, m, 6400),
                      below = predict(&s, m, 25);
    (void)state;
    assert_int_equal(inside.nextrapolates, 0);
    assert_int_equal(beyond.nextrapolates, 1);
    assert_string_equal(beyond.extrapolates[0].variable, "N");
    assert_near(beyond.extrapolates[0].times, 4, 1e-12);
    assert_true(beyond.extrapolates[0].from == 1600 && isnan(beyond.extrapolates[0].left_out));
    assert_near(below.extrapolates[0].times, 0.25, 1e-12);
    assert_true(below.extrapolates[0].from == 100);
    /* two of the four doublings of the data further: the formula may be off by half of its usual error */
    double off = FORMULA_ERROR * 2 / 4;
    assert_near(beyond.low, beyond.value * (1 - off), 1e-3);
    assert_near(beyond.high, beyond.value * (1 + off), 1e-3);
    assert_true(inside.high < inside.value * 1.05);
    synth_end(&s);
}

static void a_place_in_a_gap_is_between_both_sides(void **state)
{
    struct synth s = load(stair);
    struct model *m =
        fit(&s, "f[0] + f[1]*N", (struct interval_request){.mode = INTERVALS_ON, .variable = "N"});
    (void)state;
    struct prediction at = predict(&s, m, 800), in = predict(&s, m, 850),
                      over = predict(&s, m, 900);
    assert_int_equal(at.ngaps, 0);
    assert_int_equal(over.ngaps, 0);
    assert_int_equal(in.ngaps, 1);
    assert_string_equal(in.gaps[0].variable, "N");
    assert_true(in.gaps[0].below == 800 && in.gaps[0].above == 900);
    assert_near(at.value, stair(800), 1e-6);
    assert_near(over.value, stair(900), 1e-6);
    /* the boundary may be anywhere in the gap, in ratio */
    double low = 1e-3 + 2e-6 * 850, high = 1e-3 + 4e-6 * 850,
           beyond = log(850.0 / 800) / log(900.0 / 800);
    assert_near(in.value, pow(low, 1 - beyond) * pow(high, beyond), 1e-6);
    assert_true(in.low <= low * (1 + 1e-6) && in.high >= high * (1 - 1e-6));
    synth_end(&s);
}

static struct prediction predict_beyond(struct synth *s, double n)
{
    struct model *m = fit(s, "f[0] + f[1]*N", (struct interval_request){.mode = INTERVALS_NONE});
    model_resample(m);
    return predict(s, m, n);
}

/* The fit up to 800 does not know what the last doubling does: so much may follow in the next one. */
static void what_changes_at_the_end_may_go_on_changing(void **state)
{
    double (*const times[])(double) = {bends_up, bends_down};
    (void)state;
    for (int down = 0; down < 2; down++) {
        struct synth s = load(times[down]);
        struct prediction over = predict_beyond(&s, 3200), inside = predict_beyond(&s, 1600);
        double up = over.high / over.value, low = over.value / over.low;
        assert_int_equal(inside.nbeyond, 0);
        assert_int_equal(over.nbeyond, 1);
        assert_non_null(strstr(over.beyond[0], "fitted up to N = "));
        assert_non_null(strstr(over.beyond[0], down ? " % too much at N = 1600: what changes there"
                                                    : " % too little at N = 1600: what changes"));
        assert_true((down ? low : up) > 1.25 * (down ? up : low));
        assert_true(over.low < times[down](3200) && over.high > times[down](3200));
        synth_end(&s);
    }
}

/* The fit leaves the largest point out: the interval reaches to twice the value, and as much again. */
static void an_outlier_at_the_end_may_be_a_change(void **state)
{
    struct synth s = load(last_is_twice);
    struct prediction over = predict_beyond(&s, 3200);
    (void)state;
    assert_near(over.value, line(3200), 0.02);
    assert_true(over.high > 3.8 * over.value && over.low > 0.9 * over.value);
    synth_end(&s);
}

static void a_formula_that_holds_to_the_end_is_no_surprise(void **state)
{
    struct synth s = load(rough_line);
    struct prediction over = predict_beyond(&s, 6400);
    (void)state;
    assert_int_equal(over.nbeyond, 0);
    assert_true(over.high < 1.1 * over.value);
    synth_end(&s);
}

/* Inside the ranges, but the data determine the formula there FAR_TIMES_LEVERAGE times less than at any point. */
static void places_that_the_data_determine_less_are_far(void **state)
{
    const double n = 800, relative = 0.02;
    struct synth s = load(line);
    struct model *m = by_hand(&s, relative, 0);
    double own = 4e-10 - 2 * 2e-13 * n + 1e-15 * n * n,
           here = own / (relative * relative * line(n) * line(n));
    (void)state;
    for (int far = 0; far < 2; far++) {
        for (size_t i = 0; i < m->points.n; i++)
            m->solution.leverage[i] = here / FAR_TIMES_LEVERAGE * (far ? 0.99 : 1.01);
        assert_int_equal(predict(&s, m, n).far, far);
    }
    assert_false(predict(&s, m, 6400).far); /* that is beyond */
    synth_end(&s);
}

static void a_place_must_have_the_variables_that_the_formula_needs(void **state)
{
    struct synth s = load(line);
    struct model *m = by_hand(&s, 0.01, 0);
    struct prediction p;
    const char *names[] = {"M", "K"};
    const double values[] = {3, 3};
    (void)state;
    assert_int_equal(model_predict(s.arena, m, &(struct place){names, values, 1}, s.diag, &p), -1);
    assert_non_null(strstr(synth_error(&s), "the prediction needs a value of N"));
    diag_clear(s.diag);
    assert_int_equal(model_predict(s.arena, m, &(struct place){names + 1, values, 1}, s.diag, &p),
                     -1);
    assert_non_null(strstr(synth_error(&s), "no variable 'K'"));
    synth_end(&s);
}

/* The other constant stays as it was fitted; a point without noise does not count. */
static void a_constant_from_one_point_explains_that_point(void **state)
{
    struct synth s = load(line);
    struct model *m = by_hand(&s, 0.01, 0);
    const size_t points[] = {2, 3};
    struct model_piece from;
    (void)state;
    m->weights.variance[2] = 0;
    m->weights.variance[3] = 1e-12;
    m->points.value[3] += 1e-3;
    double n = m->points.at[0][3], slope = (m->points.value[3] - m->solution.value[0]) / n;
    assert_true(model_constant_from(m, 1, points, 2, &from));
    assert_near(from.value, slope, 1e-9);
    assert_near(from.high - from.value, noise_student_t(10) * 1e-6 / n, 1e-9);
    assert_false(model_constant_from(m, 1, points, 1, &from));
    synth_end(&s);
}

static void terms_and_points_are_those_of_the_formula(void **state)
{
    struct synth s = load(line);
    struct model *m = by_hand(&s, 0.01, 0);
    const char *names[] = {"N"};
    const double values[] = {500};
    double terms[2], known, at_points[16];
    (void)state;
    assert_int_equal(model_terms_on(s.arena, m, &(struct place){names, values, 1}, NULL, NULL,
                                    s.diag, terms, &known),
                     0);
    assert_near(terms[0], 1e-3, 1e-9);
    assert_near(terms[1], 1e-3, 1e-9);
    assert_int_equal(model_predict_points(s.arena, m, &m->points, s.diag, at_points), 0);
    for (size_t i = 0; i < m->points.n; i++) {
        assert_near(at_points[i], line(m->points.at[0][i]), 1e-9);
        assert_near(predict_point(s.arena, m, i), at_points[i], 1e-12);
    }
    synth_end(&s);
}

static void as_a_point_a_prediction_is_not_that_of_the_slowest_rank(void **state)
{
    struct prediction p = {.value = 6,
                           .low = 4,
                           .high = 8,
                           .single_low = 2,
                           .single_high = 10,
                           .variance = 4,
                           .of_runs = 2,
                           .selection = 1,
                           .times = 2};
    (void)state;
    prediction_as_point(&p);
    assert_true(p.value == 3 && p.low == 2 && p.high == 4 && p.single_low == 1 &&
                p.single_high == 5 && p.variance == 1 && p.of_runs == 0.5 && p.selection == 0.25 &&
                p.times == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_value_is_that_of_the_formula),
        cmocka_unit_test(intervals_follow_from_covariance_and_noise),
        cmocka_unit_test(whole_runs_have_their_own_degrees_of_freedom),
        cmocka_unit_test(extrapolations_say_how_far),
        cmocka_unit_test(a_place_in_a_gap_is_between_both_sides),
        cmocka_unit_test(what_changes_at_the_end_may_go_on_changing),
        cmocka_unit_test(an_outlier_at_the_end_may_be_a_change),
        cmocka_unit_test(a_formula_that_holds_to_the_end_is_no_surprise),
        cmocka_unit_test(places_that_the_data_determine_less_are_far),
        cmocka_unit_test(a_place_must_have_the_variables_that_the_formula_needs),
        cmocka_unit_test(a_constant_from_one_point_explains_that_point),
        cmocka_unit_test(terms_and_points_are_those_of_the_formula),
        cmocka_unit_test(as_a_point_a_prediction_is_not_that_of_the_slowest_rank),
    };
    return RUN(tests);
}
