/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Constants that the data do not determine: what predictions beyond the data make of them. */
#include "harness/synthetic/synth.h"
#include "harness/unit.h"
#include "model/search.h"
#include "model/fit_internal.h"

static const char grid_formula[] = "f[0] + f[1]*N^2/P + f[2]*N*(1 - 1/P) + f[3]*(P - 1)";

static double grid_time(double n, double p)
{
    return 2e-6 + 1e-9 * n * n / p;
}

/* P = 1 to 8 at four sizes, three rounds; the terms of f[2] and f[3] take no time. */
static struct synth load_grid(uint64_t seed, double noise)
{
    static char text[1 << 14];
    struct synth s = synth_begin();
    s.random ^= seed * 0x9e3779b97f4a7c15u;
    for (int i = 0; i < 16; i++)
        synth_uniform(&s);
    size_t at = (size_t)snprintf(text, sizeof text,
                                 "# cll-data 1\n# experiment: f\n# formula: f CLOCK %s\n"
                                 "# variables: f N\n" SYNTH_COLUMNS " N CLOCK\n",
                                 grid_formula);
    for (double p = 1; p <= 8; p *= 2)
        for (double n = 256; n <= 2048; n *= 2) {
            double level = grid_time(n, p) * exp(noise * synth_normal(&s));
            for (int r = 0; r < 3; r++)
                at += (size_t)snprintf(text + at, sizeof text - at, "f %d 0 0 0 %g 0 0 1 %g %.9e\n",
                                       r, p, n, level * exp(noise / 4 * synth_normal(&s)));
        }
    assert_int_equal(synth_load(&s, text), 0);
    return s;
}

/* The same in twelve rounds, each of which is slow or fast as a whole. */
static struct synth load_disturbed_grid(uint64_t seed)
{
    static char text[1 << 15];
    double round[12];
    struct synth s = synth_begin();
    s.random ^= seed * 0x9e3779b97f4a7c15u;
    for (int i = 0; i < 16; i++)
        synth_uniform(&s);
    size_t at = (size_t)snprintf(text, sizeof text,
                                 "# cll-data 1\n# experiment: f\n# formula: f CLOCK %s\n"
                                 "# variables: f N\n" SYNTH_COLUMNS " N CLOCK\n",
                                 grid_formula);
    for (int r = 0; r < 12; r++)
        round[r] = exp(0.5 * synth_normal(&s));
    for (double p = 1; p <= 8; p *= 2)
        for (double n = 256; n <= 2048; n *= 2)
            for (int r = 0; r < 12; r++)
                at += (size_t)snprintf(text + at, sizeof text - at, "f %d 0 0 0 %g 0 0 1 %g %.9e\n",
                                       r, p, n,
                                       grid_time(n, p) * round[r] * exp(0.01 * synth_normal(&s)));
    assert_int_equal(synth_load(&s, text), 0);
    return s;
}

static struct model *fit_grid(struct synth *s, const char *formula, bool nonneg)
{
    struct model *m = synth_fit_with(s, formula, nonneg, STATISTIC_P10,
                                     (struct interval_request){.mode = INTERVALS_NONE});
    assert_non_null(m);
    model_resample(m);
    return m;
}

static struct prediction predict_grid(struct synth *s, const struct model *m, double n, double p)
{
    const char *names[] = {"N", "P"};
    double at[] = {n, p};
    struct prediction out;
    assert_int_equal(model_predict(s->arena, m, &(struct place){names, at, 2}, s->diag, &out), 0);
    return out;
}

static void terms_without_cost_spoil_predictions_beyond_the_data_less(void **state)
{
    (void)state;
    enum { SETS = 30 };
    double alone_error = 0, error = 0;
    int inside = 0;
    for (uint64_t seed = 1; seed <= SETS; seed++) {
        struct synth s = load_grid(seed, 0.05);
        struct model *m = fit_grid(&s, NULL, false), alone = *m;
        double truth = grid_time(512, 32);
        alone.alternatives.n = 0;
        struct prediction one = predict_grid(&s, &alone, 512, 32),
                          all = predict_grid(&s, m, 512, 32);
        alone_error += fabs(one.value / truth - 1) / SETS;
        error += fabs(all.value / truth - 1) / SETS;
        inside += all.low <= truth && truth <= all.high;
        synth_end(&s);
    }
    assert_true(error < 0.6 * alone_error);
    assert_true(inside >= SETS - 2);
}

/* A slow round makes all constants larger. That a term may cost nothing does not make the others smaller. */
static void slow_rounds_say_nothing_of_the_terms(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        struct synth s = load_disturbed_grid(seed);
        struct model *m = fit_grid(&s, NULL, false), alone = *m;
        alone.alternatives.n = 0;
        assert_true(m->undetermined.n > 0);
        struct prediction one = predict_grid(&s, &alone, 4096, 8),
                          all = predict_grid(&s, m, 4096, 8);
        assert_true(fabs(all.value / one.value - 1) < 0.1);
        assert_true(all.low <= one.value && one.value <= all.high);
        synth_end(&s);
    }
}

static void inside_the_data_nothing_changes(void **state)
{
    (void)state;
    struct synth s = load_grid(1, 0.05);
    struct model *m = fit_grid(&s, NULL, false), alone = *m;
    alone.alternatives.n = 0;
    assert_true(m->alternatives.n > 0);
    struct prediction one = predict_grid(&s, &alone, 700, 3), all = predict_grid(&s, m, 700, 3);
    assert_true(one.value == all.value && one.low == all.low && one.high == all.high);
    assert_true(one.single_low == all.single_low && one.single_high == all.single_high);
    one = predict_grid(&s, &alone, 700, 16);
    all = predict_grid(&s, m, 700, 16);
    assert_true(one.value != all.value);
    synth_end(&s);
}

/* What was found out about a model is not said of one that is fitted again. */
static void a_model_made_again_begins_without_alternatives(void **state)
{
    (void)state;
    struct synth s = load_grid(1, 0.05);
    struct model *m = fit_grid(&s, NULL, false), *again = fit_refit(s.arena, m, NULL, NULL);
    assert_true(m->alternatives.n > 0 && again->alternatives.n == 0);
    struct prediction whole = predict_grid(&s, m, 512, 32), one = predict_grid(&s, again, 512, 32);
    assert_true(m->undetermined.n > 0 && whole.nextrapolates > 0);
    assert_false(prediction_is_vague(again, &one));
    assert_true(again->undetermined.n == 0);
    undetermined_consider(again); /* and it can be asked */
    assert_int_equal(again->undetermined.n, m->undetermined.n);
    again->constants[0].npieces = 0; /* its constants are its own */
    assert_true(m->constants[0].npieces > 0);
    synth_end(&s);
}

/* The columns of the formula whose constants are not 0. */
static size_t terms_of(const struct model *m)
{
    size_t n = 0;
    for (size_t j = 0; j < m->structure.ncolumns; j++)
        n += m->solution.value[j] != 0;
    return n;
}

static void a_formula_without_terms_is_that_fit(void **state)
{
    (void)state;
    struct synth s = load_grid(2, 0.02);
    struct model *m = fit_grid(&s, NULL, false),
                 *shorter = fit_grid(&s, "f[0] + f[1]*N^2/P", false);
    const struct model *held = NULL;
    for (size_t i = 0; i < m->alternatives.n; i++)
        if (terms_of(m->alternatives.list[i].model) == 2)
            held = m->alternatives.list[i].model;
    assert_non_null(held);
    for (size_t c = 0; c < 2; c++) {
        double se = shorter->constants[c].pieces[0].standard_error,
               own = sqrt(held->solution.covariance[c * 4 + c]);
        assert_true(fabs(held->solution.value[c] - shorter->solution.value[c]) < 0.1 * se);
        assert_true(own > 0.7 * se && own < 1.4 * se);
    }
    synth_end(&s);
}

static void no_alternative_has_a_negative_cost(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        struct synth s = load_grid(seed, 0.05);
        struct model *m = fit_grid(&s, NULL, false);
        size_t draws = 0;
        for (size_t i = 0; i < m->alternatives.n; i++) {
            draws += m->alternatives.list[i].ndraws;
            for (size_t j = 0; j < m->structure.ncolumns; j++)
                assert_true(m->alternatives.list[i].model->solution.value[j] >= 0);
        }
        assert_true(draws > 500);
        synth_end(&s);
    }
}

static void with_nonneg_the_terms_at_the_bound_are_named(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        struct synth s = load_grid(seed, 0.05);
        struct model *m = fit_grid(&s, NULL, true);
        size_t held = 0;
        for (size_t c = 0; c < m->nconstants; c++)
            held += m->constants[c].at_bound;
        assert_int_equal(m->undetermined.n, held);
        assert_int_equal(m->alternatives.n, 0);
        synth_end(&s);
    }
}

/* N (N - 1) / 2 pairs: the constant of N is negative, and the data show it. */
static void a_negative_constant_that_the_data_show_stays(void **state)
{
    (void)state;
    static char text[1 << 14];
    struct synth s = synth_begin();
    size_t at =
        (size_t)snprintf(text, sizeof text,
                         "# cll-data 1\n# experiment: f\n# formula: f CLOCK f[0]*N^2 + f[1]*N\n"
                         "# variables: f N\n" SYNTH_COLUMNS " N CLOCK\n");
    for (double n = 4; n <= 64; n *= 1.5)
        for (int r = 0; r < 4; r++)
            at += (size_t)snprintf(
                text + at, sizeof text - at, "f %d 0 0 0 1 0 0 1 %g %.9e\n", r, floor(n),
                1e-6 * floor(n) * (floor(n) - 1) / 2 * exp(0.01 * synth_normal(&s)));
    assert_int_equal(synth_load(&s, text), 0);
    struct model *m = fit_grid(&s, NULL, false);
    assert_true(m->solution.value[1] < 0);
    assert_int_equal(m->undetermined.n, 0);
    assert_int_equal(m->alternatives.n, 0);
    synth_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(terms_without_cost_spoil_predictions_beyond_the_data_less),
        cmocka_unit_test(slow_rounds_say_nothing_of_the_terms),
        cmocka_unit_test(inside_the_data_nothing_changes),
        cmocka_unit_test(a_model_made_again_begins_without_alternatives),
        cmocka_unit_test(a_formula_without_terms_is_that_fit),
        cmocka_unit_test(no_alternative_has_a_negative_cost),
        cmocka_unit_test(with_nonneg_the_terms_at_the_bound_are_named),
        cmocka_unit_test(a_negative_constant_that_the_data_show_stays),
    };
    return RUN(tests);
}
