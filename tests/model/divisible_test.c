/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Residuals that split by divisibility are named, and only those. */
#include "harness/unit.h"

#include "harness/synthetic/splits.h"
#include "model/fit_internal.h"

static struct synth loaded(const struct splits *s, uint64_t seed)
{
    struct synth r = synth_begin();
    r.random += seed * 104729;
    splits_load(&r, s);
    return r;
}

static struct model *fitted(struct synth *r, const struct splits *s, enum interval_mode mode)
{
    struct model *m = synth_fit_with(r, splits_formula(s), false, STATISTIC_P10,
                                     (struct interval_request){.mode = mode, .variable = "N"});
    if (!m)
        fail_msg("%s", synth_error(r));
    return m;
}

static const char *advice(const struct model *m)
{
    const struct warning *w = warnings_find(model_warnings(m), "divisible");
    return w ? w->advice : "";
}

static void has(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("'%s' is not in '%s'", part, text);
}

static void powers_of_two_are_named_with_their_factor_and_a_term(void **state)
{
    struct splits s = {
        .design = SIZES_HALF, .sizes = 12, .repetitions = 10, .factor = 2, .noise = 0.02};
    struct synth r = loaded(&s, 1);
    struct model *m = fitted(&r, &s, INTERVALS_AUTO);
    (void)state;
    const char *text = synth_warning(m, "divisible");
    has(text, "N that are powers of two (128, 256, 512, 1024, 2048, 4096");
    has(text, ") take 2.0");
    has(text, " times as long (95 %: 1.9");
    has(text, ") as other N");
    has(advice(m), "measure other values of N, or give these a term: + f[2]*N*(1 - ceil(log2(N)) + "
                   "floor(log2(N)))");
    assert_true(model_split(m)->low < 2 && 2 < model_split(m)->high);
    assert_false(synth_has_warning(m, "misfit"));
    assert_int_equal(model_pieces(m)->nboundaries, 0);
    assert_int_equal(model_pieces(m)->noutliers, 0);
    synth_end(&r);
}

/* The term that the advice shows does what it says. */
static void the_term_of_the_advice_explains_the_split(void **state)
{
    static const enum splits_design designs[] = {SIZES_HALF, SIZES_LINES};
    (void)state;
    for (int k = 0; k < 4; k++) {
        struct splits s = {.design = designs[k / 2],
                           .sizes = 12,
                           .repetitions = 10,
                           .factor = k % 2 ? 3 : 0.4,
                           .noise = 0.02};
        struct synth r = loaded(&s, 2);
        struct model *m = fitted(&r, &s, INTERVALS_AUTO);
        assert_true(model_split(m)->found);
        char formula[300];
        snprintf(formula, sizeof formula, "f[0] + f[1]*N + %s", model_split(m)->term);
        struct model *with = synth_fit_with(&r, formula, false, STATISTIC_P10,
                                            (struct interval_request){.mode = INTERVALS_NONE});
        assert_non_null(with);
        assert_false(model_split(with)->found);
        assert_true(model_error(with)->mean_pct < 5 && model_error(m)->mean_pct > 15);
        assert_true(fabs(model_error(with)->mean_pct - model_split(m)->term_error) < 0.5);
        assert_true(model_constants(with).list[2].pieces[0].low > 0);
        synth_end(&r);
    }
}

static void small_differences_are_percentages(void **state)
{
    struct splits s = {
        .design = SIZES_LINES, .sizes = 16, .repetitions = 10, .factor = 1.2, .noise = 0.01};
    struct synth r = loaded(&s, 3);
    struct model *m = fitted(&r, &s, INTERVALS_AUTO);
    (void)state;
    const char *text = synth_warning(m, "divisible");
    has(text, "N that are multiples of 16 (256, 320, 384, 448, 512, 576, ...; here the same as "
              "multiples of 32 to 64) take");
    has(text, " % longer (95 %: ");
    s.factor = 1 / 1.2;
    struct synth faster = loaded(&s, 3);
    has(synth_warning(fitted(&faster, &s, INTERVALS_AUTO), "divisible"), " % less time (95 %: ");
    synth_end(&faster);
    synth_end(&r);
}

/* Three powers of two, three others, and so on: boundaries could describe that. */
static void a_class_wins_over_boundaries(void **state)
{
    struct splits s = {
        .design = SIZES_BLOCKS, .sizes = 18, .repetitions = 10, .factor = 3, .noise = 0.02};
    struct synth r = loaded(&s, 4);
    struct model *m = fitted(&r, &s, INTERVALS_AUTO);
    (void)state;
    assert_true(splits_judge(&s, m).right);
    assert_int_equal(model_pieces(m)->nboundaries, 0);
    struct model *again = fit_refit(r.arena, m, NULL, NULL);
    assert_non_null(again);
    assert_int_equal(model_pieces(again)->nboundaries, 0);
    m = fitted(&r, &s, INTERVALS_ON); /* asked for: made, and the class is named all the same */
    assert_true(model_pieces(m)->nboundaries > 2);
    has(synth_warning(m, "divisible"), "powers of two");
    synth_end(&r);
}

/* Every third point above its neighbours is not an outlier. */
static void a_class_is_not_a_set_of_outliers(void **state)
{
    struct splits s = {
        .design = SIZES_THIRD, .sizes = 14, .repetitions = 10, .factor = 5, .noise = 0.02};
    struct synth r = loaded(&s, 5);
    struct model *m = fitted(&r, &s, INTERVALS_AUTO);
    (void)state;
    assert_true(splits_judge(&s, m).right);
    assert_int_equal(model_pieces(m)->noutliers, 0);
    m = fitted(&r, &s, INTERVALS_NONE);
    assert_true(splits_judge(&s, m).right);
    assert_int_equal(model_pieces(m)->noutliers, 0);
    synth_end(&r);
}

/* As in real caches: Student's t sees noise, but no other set of sizes explains as much. */
static void a_factor_that_varies_is_found(void **state)
{
    struct splits s = {.design = SIZES_THIRD,
                       .sizes = 20,
                       .repetitions = 10,
                       .factor = 2,
                       .varying = true,
                       .noise = 0.02};
    struct synth r = loaded(&s, 8);
    struct model *m = fitted(&r, &s, INTERVALS_AUTO);
    (void)state;
    has(synth_warning(m, "divisible"), "N that are powers of two");
    assert_true(model_split(m)->high > 1.2 * model_split(m)->low);
    synth_end(&r);
}

static void a_class_on_top_of_a_true_boundary(void **state)
{
    struct splits s = {.design = SIZES_HALF,
                       .sizes = 20,
                       .repetitions = 10,
                       .factor = 1.5,
                       .noise = 0.01,
                       .step = true};
    struct synth r = loaded(&s, 6);
    struct model *m = fitted(&r, &s, INTERVALS_AUTO);
    (void)state;
    assert_true(splits_judge(&s, m).right);
    assert_int_equal(model_pieces(m)->nboundaries, 1);
    synth_end(&r);
}

static void numbers_of_processors_may_be_squares(void **state)
{
    struct synth r = synth_begin();
    struct text t;
    (void)state;
    text_init(&t);
    text_printf(&t, "# cll-data 1\n# experiment: f\n# variables: f N\n" SYNTH_COLUMNS " N CLOCK\n");
    for (int k = 0; k < 10; k++)
        for (int p = 1; p <= 16; p++) {
            bool square = p == 1 || p == 4 || p == 9 || p == 16;
            double time = (1e-5 + 1e-3 / p) * (square ? 1 : 1.4) * (1 + 0.01 * synth_normal(&r));
            text_printf(&t, "f %d %d 0 0 %d 0 0 1 1000 %.17g\n", k, p, p, time);
        }
    assert_int_equal(synth_load_bytes(&r, t.s, t.n), 0);
    text_free(&t);
    struct model *m = synth_fit(&r, "f[0] + f[1]*N/P", false, STATISTIC_P10);
    assert_non_null(m);
    has(synth_warning(m, "divisible"), "P that are squares (1, 4, 9, 16) take ");
    has(synth_warning(m, "divisible"), "less time");
    has(advice(m), "*(ceil(sqrt(P)) - floor(sqrt(P)))");
    synth_end(&r);
}

/* The rates are measured by bench/divisible; here no more than a few in a hundred. */
static void clean_data_have_no_class(void **state)
{
    unsigned found = 0;
    (void)state;
    for (int design = 0; design < SIZES_DESIGNS; design++)
        for (uint64_t seed = 0; seed < 12; seed++) {
            struct splits s = {.design = (enum splits_design)design,
                               .sizes = 12,
                               .repetitions = 10,
                               .factor = 1,
                               .noise = 0.05,
                               .shape = seed % 2 ? NOISE_SKEWED : NOISE_NORMAL,
                               .growth = seed % 3 ? 0 : 0.3,
                               .wrong = seed >= 8};
            found += splits_run(&s, 7000 + seed).found;
        }
    if (found > 2)
        fail_msg("a class in %u clean sets", found);
}

static void classes_are_told_by_their_values(void **state)
{
    struct value_class powers = {0, CLASS_POWERS_OF_TWO, 1}, squares = {0, CLASS_SQUARES, 1},
                       lines = {0, CLASS_MULTIPLES, 64};
    (void)state;
    assert_true(class_has(&powers, 1) && class_has(&powers, 0x1p52) && !class_has(&powers, 96));
    assert_true(class_has(&squares, 49) && !class_has(&squares, 50));
    assert_true(class_has(&lines, 192) && !class_has(&lines, 200));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(powers_of_two_are_named_with_their_factor_and_a_term),
        cmocka_unit_test(the_term_of_the_advice_explains_the_split),
        cmocka_unit_test(small_differences_are_percentages),
        cmocka_unit_test(a_class_wins_over_boundaries),
        cmocka_unit_test(a_class_is_not_a_set_of_outliers),
        cmocka_unit_test(a_factor_that_varies_is_found),
        cmocka_unit_test(a_class_on_top_of_a_true_boundary),
        cmocka_unit_test(numbers_of_processors_may_be_squares),
        cmocka_unit_test(clean_data_have_no_class),
        cmocka_unit_test(classes_are_told_by_their_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
