/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "harness/unit.h"

#include "base/text.h"
#include "model/compare.h"
#include "harness/synthetic/truths.h"

static int compare(struct synth *s, const char *const *texts, size_t n, struct comparison *out)
{
    struct compare_request *r = arena_zalloc(s->arena, 1, sizeof *r);
    struct compare_formula *list = arena_zalloc(s->arena, n, sizeof *list);
    for (size_t i = 0; i < n; i++) {
        list[i].text = texts[i];
        list[i].formula = formula_parse_text(s->arena, texts[i], "f", s->diag);
        assert_non_null(list[i].formula);
    }
    r->fit.points = (struct points_request){.dataset = s->data,
                                            .experiment = dataset_find(s->data, "f"),
                                            .observable = "CLOCK",
                                            .statistic = STATISTIC_P10};
    r->fit.intervals.mode = INTERVALS_NONE;
    r->formulas = list;
    r->n = n;
    return model_compare(s->arena, r, s->diag, out);
}

static const struct truth nlogn = {"2e-6 + 3e-9*N*log(N)", "", {"N"}, {64}, {65536}, {11}, 0, {0}};

static void right_formula_is_decided_for(void **state)
{
    (void)state;
    static const char *const texts[] = {"f[0] + f[1]*N", "f[0] + f[1]*N*log(N)",
                                        "f[0] + f[1]*N^1.5"};
    for (uint64_t seed = 1; seed <= 10; seed++) {
        struct synth s = truth_load(&nlogn, 0.02, 1, seed);
        struct comparison c;
        assert_int_equal(compare(&s, texts, 3, &c), 0);
        assert_int_equal(c.best, 1);
        assert_int_equal(c.verdict, VERDICT_DECIDED);
        assert_true(c.formulas[1].weight > 0.95);
        assert_true(c.formulas[0].difference > COMPARE_SAME);
        assert_true(c.formulas[1].beyond_mean_pct < c.formulas[0].beyond_mean_pct);
        assert_true(c.formulas[1].error.loo_mean_pct < c.formulas[0].error.loo_mean_pct);
        assert_int_equal(c.left_out, 2);
        synth_end(&s);
    }
}

static void too_narrow_a_range_cannot_decide(void **state)
{
    (void)state;
    static const char *const texts[] = {"f[0]*N", "f[0]*N*log(N)"};
    static const struct truth narrow = {"3e-9*N*log(N)", "", {"N"}, {60000}, {80000}, {6}, 0, {0}};
    struct synth s = truth_load(&narrow, 0.05, 1, 1);
    struct comparison c;
    assert_int_equal(compare(&s, texts, 2, &c), 0);
    assert_int_equal(c.verdict, VERDICT_UNDECIDED);
    assert_int_equal(c.rival, 1 - c.best);
    assert_true(c.formulas[c.rival].difference <= COMPARE_SAME);
    assert_int_equal(c.place.n, 1);
    assert_true(c.place.values[0] == 4 * 80000);
    assert_true(c.formulas[0].at > 0 && c.formulas[1].at > c.formulas[0].at);
    synth_end(&s);
}

static void same_formula_twice_is_undecided(void **state)
{
    (void)state;
    static const char *const texts[] = {"f[0] + f[1]*N*log(N)", "f[0] + f[1]*N*log2(N)"};
    struct synth s = truth_load(&nlogn, 0.02, 1, 1);
    struct comparison c;
    assert_int_equal(compare(&s, texts, 2, &c), 0);
    assert_int_equal(c.verdict, VERDICT_UNDECIDED);
    assert_true(fabs(c.formulas[0].weight - 0.5) < 1e-3);
    synth_end(&s);
}

static void superfluous_terms_are_paid_for(void **state)
{
    (void)state;
    static const char *const texts[] = {"f[0] + f[1]*N*log(N)",
                                        "f[0] + f[1]*N*log(N) + f[2]*N + f[3]*sqrt(N)"};
    struct synth s = truth_load(&nlogn, 0.02, 1, 1);
    struct comparison c;
    assert_int_equal(compare(&s, texts, 2, &c), 0);
    assert_int_equal(c.best, 0);
    assert_true(c.formulas[1].error.mean_pct <= c.formulas[0].error.mean_pct * 1.05);
    assert_true(c.formulas[1].aicc > c.formulas[0].aicc);
    synth_end(&s);
}

/* An exact polynomial through few points: nothing is left to judge it by. */
static void as_many_constants_as_points_has_no_criterion(void **state)
{
    (void)state;
    static const struct truth few = {"2e-6 + 3e-9*N", "", {"N"}, {64}, {512}, {4}, 0, {0}};
    static const char *const texts[] = {"f[0] + f[1]*N", "f[0] + f[1]*N + f[2]*N^2 + f[3]*N^3"};
    struct synth s = truth_load(&few, 0.02, 1, 1);
    struct comparison c;
    assert_int_equal(compare(&s, texts, 2, &c), 0);
    assert_int_equal(c.best, 0);
    assert_true(isinf(c.formulas[1].aicc));
    assert_true(isnan(c.formulas[1].beyond_mean_pct));
    assert_true(c.formulas[1].weight == 0);
    synth_end(&s);
}

/* Waves that a polynomial follows, and that end before the largest sizes: it explains the data best
 * and predicts worst. */
static void conflict_names_the_one_that_predicts_better(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "f[0]*N", "f[0]*N + f[1]*N^2 + f[2]*N^3 + f[3]*N^4 + f[4]*N^5 + f[5]*N^6"};
    struct synth s = synth_begin();
    struct text t;
    text_init(&t);
    text_add(&t, "# cll-data 1\n# resolution: 1e-12\n# overhead: 0 0\n# experiment: f\n"
                 "# variables: f N\n" SYNTH_COLUMNS " N CLOCK\n");
    for (int i = 0; i < 48; i++) {
        double n = 1000 + 125 * i, wave = n < 5500 ? 0.05 * sin((n - 1000) / 1500 * 3.14159) : 0;
        text_printf(&t, "f 0 %d 0 0 1 0 0 1 %.17g %.17g\n", i, n, 1e-9 * n * (1 + wave));
    }
    assert_int_equal(synth_load(&s, t.s), 0);
    text_free(&t);
    struct comparison c;
    assert_int_equal(compare(&s, texts, 2, &c), 0);
    assert_int_equal(c.best, 1);
    assert_int_equal(c.verdict, VERDICT_CONFLICT);
    assert_int_equal(c.rival, 0);
    synth_end(&s);
}

static void largest_sizes_of_a_grid(void **state)
{
    (void)state;
    struct synth s = truth_load(&truths[9], 0, 1, 1);
    struct points p;
    struct points_request r = {.dataset = s.data,
                               .experiment = dataset_find(s.data, "f"),
                               .observable = "CLOCK",
                               .statistic = STATISTIC_P10};
    bool large[25];
    assert_int_equal(points_make(s.arena, &r, s.diag, &p), 0);
    assert_int_equal(p.n, 25);
    assert_int_equal(compare_largest(&p, large), 9); /* one row and one column */
    synth_end(&s);
}

static void unknown_variable_is_an_error(void **state)
{
    (void)state;
    static const char *const texts[] = {"f[0]*N", "f[0]*M"};
    struct synth s = truth_load(&nlogn, 0.02, 1, 1);
    struct comparison c;
    assert_int_equal(compare(&s, texts, 2, &c), -1);
    assert_non_null(strstr(synth_error(&s), "f has no variable 'M'"));
    synth_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_formula_is_decided_for),
        cmocka_unit_test(too_narrow_a_range_cannot_decide),
        cmocka_unit_test(same_formula_twice_is_undecided),
        cmocka_unit_test(superfluous_terms_are_paid_for),
        cmocka_unit_test(as_many_constants_as_points_has_no_criterion),
        cmocka_unit_test(conflict_names_the_one_that_predicts_better),
        cmocka_unit_test(largest_sizes_of_a_grid),
        cmocka_unit_test(unknown_variable_is_an_error),
    };
    return RUN(tests);
}
