/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Constants that change along derived variables: N/P, N*P, definitions. */
#include "harness/unit.h"

#include "harness/synthetic/shares.h"

static struct shares usual(enum shares_along along, bool odd)
{
    return (struct shares){
        .along = along, .odd = odd, .factor = 1.8, .noise = 0.02, .repetitions = 6};
}

/* What the constant that changes, f[1], changes along: the text before " in ". */
static const char *along_of(struct synth *s, const struct model *m)
{
    if (model_constants(m).list[1].npieces < 2 || model_constants(m).list[1].pieces[0].nwhere == 0)
        return "nothing";
    return arena_strdup(s->arena, model_constants(m).list[1].pieces[0].where[0].variable);
}

static struct model *fit_of(struct synth *s, const struct shares *r, uint64_t seed)
{
    shares_load(s, r, seed);
    struct model *m = synth_fit(s, NULL, false, STATISTIC_P10);
    assert_non_null(m);
    return m;
}

/* Predictions on both sides, at sizes that were not measured, are those of the truth. */
static void predicts(struct synth *s, const struct model *m, const struct shares *r, double n,
                     double p)
{
    const char *names[] = {"N", "P"};
    struct prediction out;
    assert_int_equal(
        model_predict(s->arena, m, &(struct place){names, (double[]){n, p}, 2}, s->diag, &out), 0);
    assert_int_equal(out.ngaps, 0);
    assert_true(fabs(out.value / shares_truth(r, n, p) - 1) < 0.02);
}

static void a_constant_changes_along_what_the_data_show(void **state)
{
    (void)state;
    for (int along = ALONG_NOTHING; along < SHARES_KINDS; along++)
        for (int odd = 0; odd < 2; odd++)
            for (uint64_t seed = 1; seed <= 4; seed++) {
                struct shares r = usual((enum shares_along)along, odd);
                struct synth s = synth_begin();
                struct model *m = fit_of(&s, &r, seed);
                assert_string_equal(along_of(&s, m), shares_names[along]);
                assert_true(model_pieces(m)->nboundaries == (along != ALONG_NOTHING));
                assert_true(model_error(m)->mean_pct < 1);
                assert_int_equal(model_constants(m).list[0].npieces, 1);
                synth_end(&s);
            }
}

static void predictions_on_both_sides_are_right(void **state)
{
    (void)state;
    struct shares r = usual(ALONG_SHARE, false);
    struct synth s = synth_begin();
    struct model *m = fit_of(&s, &r, 1);
    assert_string_equal(
        model_interval_text(s.arena, &model_constants(m).list[1].pieces[0].where[0]),
        "N/P in [256, 8192]");
    model_resample(m);
    for (double n = 5000; n < 1e6; n *= 2.7)
        for (double p = 1; p <= 16; p += 3)
            if (n / p > 300 && (n / p <= 8192 || n / p >= 16384))
                predicts(&s, m, &r, n, p);
    synth_end(&s);
}

static struct prediction predict_at(struct synth *s, const struct model *m, double n, double p)
{
    const char *names[] = {"N", "P"};
    struct prediction out;
    assert_int_equal(
        model_predict(s->arena, m, &(struct place){names, (double[]){n, p}, 2}, s->diag, &out), 0);
    return out;
}

static void places_are_special_along_a_share(void **state)
{
    (void)state;
    struct shares r = usual(ALONG_SHARE, false);
    struct synth s = synth_begin();
    struct model *m = fit_of(&s, &r, 2);
    struct prediction gap = predict_at(&s, m, 100000, 8);
    assert_int_equal(gap.ngaps, 1);
    assert_string_equal(gap.gaps[0].variable, "N/P");
    assert_true(gap.gaps[0].below == 8192 && gap.gaps[0].above == 16384);
    assert_true(gap.low < shares_truth(&r, 65536, 8) * 100000 / 65536 * 1.05);
    struct prediction beyond = predict_at(&s, m, 4096 << 12, 1);
    assert_int_equal(beyond.nextrapolates, 1); /* N; N/P is as far, and counts once */
    assert_string_equal(beyond.extrapolates[0].variable, "N");
    synth_end(&s);
}

/* Sizes that grow with P: each variable is inside its range, the share is not. */
static void a_share_beyond_the_data_is_an_extrapolation(void **state)
{
    (void)state;
    struct synth s = synth_begin();
    struct text t;
    text_init(&t);
    text_printf(&t, "# cll-data 1\n# resolution: 1e-9\n# overhead: 0 0\n# experiment: f\n"
                    "# formula: f CLOCK f[0] + f[1]*N/P\n# variables: f N\n" SYNTH_COLUMNS
                    " N CLOCK\n");
    for (int run = 0; run < 6; run++)
        for (double p = 1; p <= 32; p *= 2)
            for (double share = 1000; share <= 64000; share *= 2)
                text_printf(&t, "f %d 0 0 0 %g 0 0 1 %.17g %.17g\n", run, p, share * p,
                            (1e-6 + (share > 8000 ? 2e-9 : 1e-9) * share) *
                                (1 - 0.01 * log(synth_uniform(&s))));
    assert_int_equal(synth_load(&s, t.s), 0);
    text_free(&t);
    struct model *m = synth_fit(&s, NULL, false, STATISTIC_P10);
    assert_string_equal(along_of(&s, m), "N/P");
    struct prediction inside = predict_at(&s, m, 64000, 2), far = predict_at(&s, m, 512000, 1);
    assert_int_equal(inside.nextrapolates, 0);
    assert_int_equal(far.nextrapolates, 1);
    assert_string_equal(far.extrapolates[0].variable, "N/P");
    assert_true(fabs(far.extrapolates[0].times - 8) < 1e-9);
    assert_true(far.high - far.low > 0.05 * far.value); /* as far as formulas are usually off */
    synth_end(&s);
}

/* ---- definitions and requests ---- */

static struct model *fit_with_let(struct synth *s, const char *formula, const char *name,
                                  const char *by, struct interval_request intervals)
{
    const struct experiment *e = dataset_find(s->data, "f");
    const char **names = arena_alloc(s->arena, 1, sizeof *names);
    const struct formula **expressions = arena_alloc(s->arena, 1, sizeof *expressions);
    names[0] = name;
    expressions[0] = formula_parse_text(s->arena, by, NULL, s->diag);
    struct fit_request r = {.points = {.dataset = s->data,
                                       .experiment = e,
                                       .observable = "CLOCK",
                                       .statistic = STATISTIC_P10},
                            .formula = formula_parse_text(s->arena, formula, "f", s->diag),
                            .let = {.names = names, .by = expressions, .n = 1},
                            .intervals = intervals};
    return model_fit(s->arena, &r, s->diag);
}

static void a_definition_is_the_name_of_its_boundary(void **state)
{
    (void)state;
    struct shares r = usual(ALONG_SHARE, false);
    struct synth s = synth_begin();
    shares_load(&s, &r, 3);
    struct model *m = fit_with_let(&s, "f[0]*P + f[1]*share*log(share)", "share", "N/P",
                                   (struct interval_request){0});
    assert_string_equal(along_of(&s, m), "share");
    struct prediction by_value, by_variables = predict_at(&s, m, 16384 * 4, 4);
    const char *names[] = {"share", "P"};
    assert_int_equal(model_predict(s.arena, m, &(struct place){names, (double[]){16384, 4}, 2},
                                   s.diag, &by_value),
                     0);
    assert_true(fabs(by_value.value / by_variables.value - 1) < 1e-12);
    assert_true(fabs(by_value.value / shares_truth(&r, 16384 * 4, 4) - 1) < 0.02);
    /* one that the formula does not have */
    m = fit_with_let(&s, "f[0]*P + f[1]*(N/P)*log(N/P)", "bytes", "8*N/P",
                     (struct interval_request){0});
    assert_string_equal(along_of(&s, m), "bytes");
    synth_end(&s);
}

/* A boundary on a definition that is given by value needs no variables; one on a variable does. */
static void a_definition_by_value_does_not_hide_a_boundary(void **state)
{
    (void)state;
    struct shares r = usual(ALONG_N, false);
    struct synth s = synth_begin();
    shares_load(&s, &r, 3);
    struct model *m = fit_with_let(&s, "f[0]*P + f[1]*share*log(share)", "share", "N/P",
                                   (struct interval_request){0});
    assert_string_equal(along_of(&s, m), "N");
    struct prediction out;
    const char *names[] = {"share", "P", "N"};
    double at[] = {16384, 32, 524288};
    assert_int_equal(model_predict(s.arena, m, &(struct place){names, at, 2}, s.diag, &out), -1);
    assert_non_null(strstr(synth_error(&s), "the prediction needs a value of N"));
    assert_int_equal(model_predict(s.arena, m, &(struct place){names, at, 3}, s.diag, &out), 0);
    assert_true(fabs(out.value / shares_truth(&r, 524288, 32) - 1) < 0.05);
    synth_end(&s);
}

static void the_user_decides_along_what(void **state)
{
    (void)state;
    struct shares r = usual(ALONG_SHARE, false);
    struct synth s = synth_begin();
    double at[] = {9000};
    shares_load(&s, &r, 4);
    struct interval_request on = {.mode = INTERVALS_ON, .variable = "N/P"},
                            given = {.mode = INTERVALS_GIVEN,
                                     .variable = "share",
                                     .given = at,
                                     .ngiven = 1},
                            none = {.mode = INTERVALS_ON, .variable = "N/Q"};
    const char *formula = "f[0]*P + f[1]*N/P*log(N/P)";
    struct model *m = synth_fit_with(&s, NULL, false, STATISTIC_P10, on);
    assert_string_equal(along_of(&s, m), "N/P");
    model_leave_out(m);
    assert_true(model_error(m)->loo_mean_pct < 1);
    m = fit_with_let(&s, formula, "share", "N/P", given);
    assert_string_equal(along_of(&s, m), "share");
    assert_true(model_pieces(m)->boundaries[0].at == 9000);
    assert_null(synth_fit_with(&s, NULL, false, STATISTIC_P10, none));
    assert_string_equal(synth_error(&s), "f has no variable 'Q': it has N, P");
    synth_end(&s);
}

/* Where the user asks for intervals on an expression and nothing changes, there are none. */
static void nothing_is_invented_along_an_expression(void **state)
{
    (void)state;
    struct shares r = usual(ALONG_NOTHING, true);
    struct interval_request on = {.mode = INTERVALS_ON, .variable = "N/P"};
    for (uint64_t seed = 1; seed <= 5; seed++) {
        struct synth s = synth_begin();
        shares_load(&s, &r, seed);
        struct model *m = synth_fit_with(&s, NULL, false, STATISTIC_P10, on);
        assert_int_equal(model_pieces(m)->nboundaries, 0);
        model_resample(m);
        predicts(&s, m, &r, 50000, 4);
        synth_end(&s);
    }
}

/* N = 4096 ... 1M at P = 1 ... 16; constants change at N/P = 8192. The smallest N at the largest P takes `times` as long. */
static struct model *fit_with_corner(struct synth *s, double times)
{
    TEXT_LOCAL struct text t = text_new();
    int i = 0;
    text_printf(
        &t,
        "# cll-data 1\n# experiment: f\n# formula: f CLOCK f[0] + f[1]*N/P\n# variables: f N\n" SYNTH_COLUMNS
        " N CLOCK\n");
    for (int p = 1; p <= 16; p *= 2)
        for (int n = 4096; n <= 1 << 20; n *= 2)
            for (int k = 0; k < 5; k++) {
                double share = (double)n / p, part = share <= 8192 ? 1e-9 : 3e-9;
                double time = (2e-6 + share * part) * (1 + 0.001 * synth_normal(s));
                text_printf(&t, "f 0 %d 0 0 %d 0 0 1 %d %.17g\n", i++, p, n,
                            time * (share == 256 ? times : 1));
            }
    assert_int_equal(synth_load(s, t.s), 0);
    struct model *m = synth_fit(s, NULL, false, STATISTIC_P10);
    assert_non_null(m);
    assert_string_equal(along_of(s, m), "N/P");
    return m;
}

/* All neighbours of the corner are across the boundary or differ from each other. */
static void a_corner_is_an_outlier_only_if_the_model_misses_it(void **state)
{
    (void)state;
    for (double times = 1; times < 2; times += 0.5) {
        struct synth s = synth_begin();
        assert_int_equal(synth_has_warning(fit_with_corner(&s, times), "left-out"), times > 1);
        synth_end(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_corner_is_an_outlier_only_if_the_model_misses_it),
        cmocka_unit_test(a_constant_changes_along_what_the_data_show),
        cmocka_unit_test(predictions_on_both_sides_are_right),
        cmocka_unit_test(places_are_special_along_a_share),
        cmocka_unit_test(a_share_beyond_the_data_is_an_extrapolation),
        cmocka_unit_test(a_definition_is_the_name_of_its_boundary),
        cmocka_unit_test(a_definition_by_value_does_not_hide_a_boundary),
        cmocka_unit_test(the_user_decides_along_what),
        cmocka_unit_test(nothing_is_invented_along_an_expression),
    };
    return RUN(tests);
}
