/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "harness/unit.h"

#include "harness/synthetic/designs.h"
#include "harness/synthetic/truths.h"
#include "model/model_internal.h"

/* Advice on f[0] + f[1]*N, measured from 64 to 65536, for N = 1e6. */
static struct model *some_model(struct synth *s, size_t repetitions)
{
    static const struct truth t = {"2e-6 + 4e-9*N", "", {"N"}, {64}, {65536}, {11}, 0, {0}};
    *s = truth_load(&t, 0.03, repetitions, 1);
    return synth_fit(s, "f[0] + f[1]*N", false, STATISTIC_P10);
}

static int advise(struct synth *s, const struct model *m, double n, double budget, double beyond,
                  struct advice *out)
{
    static const char *const names[] = {"N"};
    struct advise_request *r = arena_zalloc(s->arena, 1, sizeof *r);
    double *at = arena_alloc(s->arena, 1, sizeof *at);
    *at = n;
    *r = (struct advise_request){{names, at, 1}, budget, beyond, NULL, 0};
    return model_advise(s->arena, m, r, s->diag, out);
}

static void advised_points_keep_to_the_budget_and_help(void **state)
{
    (void)state;
    struct synth s;
    const struct model *m = some_model(&s, 5);
    assert_non_null(m);
    for (double budget = 1e-3; budget < 2; budget *= 10) {
        struct advice a;
        double cost = 0;
        assert_int_equal(advise(&s, m, 1e6, budget, 0, &a), 0);
        assert_true(a.npoints > 0 && a.npoints <= ADVISE_MAX_POINTS);
        for (size_t i = 0; i < a.npoints; i++) {
            cost += a.points[i].cost;
            assert_true(a.points[i].at[0] >= 64 && a.points[i].at[0] <= 4 * 65536);
            assert_true(i == 0 || a.points[i].at[0] > a.points[i - 1].at[0]);
        }
        assert_true(cost <= budget * (1 + 1e-9));
        assert_true(fabs(cost - a.cost) <= 1e-9 * cost);
        assert_true(a.model_after < a.model_before);
        assert_true(a.high - a.low < a.before.high - a.before.low);
        assert_true(a.repetitions >= 1 && a.repetitions <= 5);
    }
    synth_end(&s);
}

static void more_money_never_makes_it_worse(void **state)
{
    (void)state;
    struct synth s;
    const struct model *m = some_model(&s, 5);
    double before = INFINITY;
    for (double budget = 1e-3; budget < 2; budget *= 8) {
        struct advice a;
        assert_int_equal(advise(&s, m, 1e6, budget, 0, &a), 0);
        assert_true(a.model_after <= before * 1.03);
        before = a.model_after;
    }
    synth_end(&s);
}

static void beyond_bounds_the_sizes(void **state)
{
    (void)state;
    struct synth s;
    const struct model *m = some_model(&s, 5);
    struct advice a;
    assert_int_equal(advise(&s, m, 1e6, 1, 1, &a), 0);
    for (size_t i = 0; i < a.npoints; i++)
        assert_true(a.points[i].at[0] <= 65536);
    synth_end(&s);
}

static void default_budget_is_what_the_data_took(void **state)
{
    (void)state;
    struct synth s;
    const struct model *m = some_model(&s, 5);
    double took = 0;
    struct advice a;
    for (size_t i = 0; i < model_points(m)->n; i++)
        took += 5 * model_points(m)->value[i];
    assert_int_equal(advise(&s, m, 1e6, 0, 0, &a), 0);
    assert_true(fabs(a.budget / took - 1) < 1e-9);
    synth_end(&s);
}

static void nothing_affordable_is_no_error(void **state)
{
    (void)state;
    struct synth s;
    const struct model *m = some_model(&s, 5);
    struct advice a;
    assert_int_equal(advise(&s, m, 1e6, 1e-9, 0, &a), 0);
    assert_int_equal(a.npoints, 0);
    assert_int_equal(a.nsweeps, 0);
    assert_true(a.low == a.before.low && a.high == a.before.high);
    synth_end(&s);
}

/* Whether the constants hold beyond the data only points there show, whatever they cost. */
static void a_place_beyond_the_data_gets_points_on_the_way(void **state)
{
    (void)state;
    struct synth s;
    const struct model *m = some_model(&s, 5);
    struct advice a;
    assert_int_equal(advise(&s, m, 1e6, 1e-3, 0, &a), 0); /* too little for larger sizes */
    for (size_t i = 0; i < a.npoints; i++)
        assert_true(a.points[i].at[0] < 2 * 65536);
    assert_int_equal(a.nway, 2);
    assert_true(a.way[0].at[0] == 2 * 65536 && a.way[1].at[0] == 4 * 65536);
    double cost = (double)a.repetitions * (2e-6 + 4e-9 * 2 * 65536);
    assert_true(fabs(a.way[0].cost / cost - 1) < 0.1);
    assert_true(a.way_cost == a.way[0].cost + a.way[1].cost && a.way_cost > a.budget);
    assert_int_equal(advise(&s, m, 80000, 1e-9, 0, &a), 0); /* never further than the place */
    assert_true(a.nway == 1 && a.way[0].at[0] == 80000);
    synth_end(&s);
}

static void no_way_where_none_is_needed(void **state)
{
    (void)state;
    struct synth s;
    const struct model *m = some_model(&s, 5);
    struct advice a;
    assert_int_equal(advise(&s, m, 1e6, 1, 0, &a), 0); /* the chosen points are there */
    assert_true(a.points[a.npoints - 1].at[0] >= 2 * 65536);
    assert_int_equal(a.nway, 0);
    assert_int_equal(advise(&s, m, 1e6, 1e-3, 1, &a), 0); /* 'beyond 1' */
    assert_int_equal(a.nway, 0);
    assert_int_equal(advise(&s, m, 30000, 1e-9, 0, &a), 0); /* within the data */
    assert_int_equal(a.nway, 0);
    synth_end(&s);
}

static void regular_points_are_a_sweep(void **state)
{
    (void)state;
    static const struct truth t = {"1e-6 + 3e-9*N/P", "",     {"N", "P"}, {1024, 1},
                                   {65536, 8},        {7, 4}, 0,          {0}};
    static const char *const names[] = {"N", "P"};
    static const double at[] = {1e7, 8};
    struct synth s = truth_load(&t, 0.03, 3, 1);
    struct model *m = synth_fit(&s, "f[0] + f[1]*N/P", false, STATISTIC_P10);
    struct advise_request r = {{names, at, 2}, 0.05, 0, NULL, 0};
    struct advice a;
    size_t points = 0;
    assert_int_equal(model_advise(s.arena, m, &r, s.diag, &a), 0);
    for (size_t i = 0; i < a.nsweeps; i++) {
        const struct advised_sweep *w = &a.sweeps[i];
        points += w->n;
        for (size_t k = 0; k < w->n; k++) {
            double value = a.points[w->points[k]].at[0];
            assert_true(a.points[w->points[k]].at[1] == a.points[w->points[0]].at[1]);
            assert_true(a.points[w->points[k]].at[1] <= 8);
            if (w->regular) {
                double wanted = w->multiplies ? w->first * pow(w->step, (double)k)
                                              : w->first + w->step * (double)k;
                assert_true(fabs(value - wanted) <= 1e-6 * value);
            }
        }
    }
    assert_int_equal(points, a.npoints);
    synth_end(&s);
}

static void without_noise_or_clock_it_says_why(void **state)
{
    (void)state;
    static const struct truth two = {"2e-6 + 4e-9*N", "", {"N"}, {64}, {128}, {2}, 0, {0}};
    struct synth s = truth_load(&two, 0.03, 1, 1);
    struct model *m = synth_fit(&s, "f[0] + f[1]*N", false, STATISTIC_P10);
    struct advice a;
    assert_int_equal(advise(&s, m, 1e6, 1, 0, &a), -1);
    assert_non_null(strstr(synth_error(&s), "the noise of f is unknown"));
    diag_clear(s.diag);
    m->request.points.observable = "page-faults";
    assert_int_equal(advise(&s, m, 1e6, 1, 0, &a), -1);
    assert_non_null(strstr(synth_error(&s), "use a model of CLOCK"));
    synth_end(&s);
}

static void beats_a_doubling_sweep(void **state)
{
    (void)state;
    enum { SEEDS = 30 };
    for (size_t d = 0; d < DESIGNS; d++) {
        double width[3] = {0}, error[3] = {0};
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            struct design_result r = design_run(&designs[d], seed);
            assert_true(r.ok);
            assert_true(r.spent[0] <= designs[d].budget * 1.25); /* costs are estimates */
            for (size_t k = 0; k < 3; k++) {
                width[k] += r.width[k];
                error[k] += r.error[k];
            }
        }
        assert_true(width[0] < width[1]);
        assert_true(error[0] < error[1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(advised_points_keep_to_the_budget_and_help),
        cmocka_unit_test(more_money_never_makes_it_worse),
        cmocka_unit_test(beyond_bounds_the_sizes),
        cmocka_unit_test(default_budget_is_what_the_data_took),
        cmocka_unit_test(nothing_affordable_is_no_error),
        cmocka_unit_test(a_place_beyond_the_data_gets_points_on_the_way),
        cmocka_unit_test(no_way_where_none_is_needed),
        cmocka_unit_test(regular_points_are_a_sweep),
        cmocka_unit_test(without_noise_or_clock_it_says_why),
        cmocka_unit_test(beats_a_doubling_sweep),
    };
    return RUN(tests);
}
