/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "harness/unit.h"

#include "base/text.h"
#include "model/search.h"
#include "numeric/terms.h"
#include "harness/synthetic/beyond.h"
#include "harness/synthetic/few.h"
#include "harness/synthetic/truths.h"

/* The value of a constant of the best formula that has one piece. */
static double value_of(const struct search_result *r, size_t constant)
{
    assert_true(constant < model_constants(r->candidates[0].model).n);
    assert_int_equal(model_constants(r->candidates[0].model).list[constant].npieces, 1);
    return model_constants(r->candidates[0].model).list[constant].pieces[0].value;
}

static void finds_every_truth_without_noise(void **state)
{
    (void)state;
    for (size_t i = 0; i < TRUTHS; i++) {
        struct synth s = truth_load(&truths[i], 0, 1, 1);
        struct search_result r;
        assert_int_equal(truth_search(&s, &r), 0);
        assert_string_equal(r.candidates[0].text, truths[i].found);
        assert_int_equal(model_pieces(r.candidates[0].model)->nboundaries, truths[i].boundaries);
        struct prediction p;
        struct place beyond = truth_beyond(&truths[i]);
        assert_int_equal(model_predict(s.arena, r.candidates[0].model, &beyond, s.diag, &p), 0);
        assert_near(p.value, truth_at(&s, &truths[i], truths[i].beyond), 1e-6);
        synth_end(&s);
    }
}

/* The reported formulas hold the truth, and their intervals enclose it well beyond the data. */
static void truth_is_among_those_reported_with_noise(void **state)
{
    (void)state;
    unsigned first = 0, among = 0, all = 0;
    for (size_t i = 0; i < TRUTHS; i++) {
        for (uint64_t seed = 1; seed <= (is_thorough() ? 4 : 1); seed++, all++) {
            struct synth s = truth_load(&truths[i], 0.02, 1, seed);
            struct search_result r;
            bool seen = false;
            assert_int_equal(truth_search(&s, &r), 0);
            for (size_t c = 0; c < r.ncandidates; c++)
                seen = seen || truth_found(&truths[i], &r.candidates[c]);
            among += seen;
            first += truth_found(&truths[i], &r.candidates[0]);
            synth_end(&s);
        }
    }
    assert_true(first * 100 >= all * 90);
    assert_true(among * 100 >= all * 97);
}

static void two_variables_from_25_points(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= (is_thorough() ? 10 : 2); seed++) {
        struct synth s = truth_load(&truths[9], 0.02, 1, seed);
        struct search_result r;
        assert_int_equal(truth_search(&s, &r), 0);
        assert_string_equal(r.candidates[0].text, "f[0] + f[1]*x^2*log(y)");
        assert_near(value_of(&r, 1), 0.2 / log(2), 0.03);
        const char *names[] = {"x", "y"};
        double at[] = {6000, 500};
        struct prediction p;
        assert_int_equal(model_predict(s.arena, r.candidates[0].model,
                                       &(struct place){names, at, 2}, s.diag, &p),
                         0);
        assert_near(p.value, 1 + 0.2 * 6000.0 * 6000 * log2(500), 0.03);
        synth_end(&s);
    }
}

static void quadratic_from_nine_doubling_sizes(void **state)
{
    (void)state;
    struct synth s = truth_load(&truths[6], 0.01, 1, 3);
    struct search_result r;
    assert_int_equal(truth_search(&s, &r), 0);
    assert_string_equal(r.candidates[0].text, "f[0] + f[1]*n + f[2]*n^2");
    assert_near(value_of(&r, 0), 1e-6, 0.05);
    assert_near(value_of(&r, 1), 5e-9, 0.1);
    assert_near(value_of(&r, 2), 2e-11, 0.03);
    synth_end(&s);
}

static void places_beyond_enclose_all_candidates(void **state)
{
    (void)state;
    struct synth s = truth_load(&truths[6], 0.05, 1, 2);
    struct search_result r;
    assert_int_equal(truth_search(&s, &r), 0);
    assert_true(r.ncandidates > 1);
    assert_int_equal(r.nplaces, 1);
    assert_true(r.places[0].place.values[0] == SEARCH_BEYOND * 16384);
    for (size_t c = 0; c < r.ncandidates; c++) {
        assert_true(r.places[0].values[c] >= r.places[0].low);
        assert_true(r.places[0].values[c] <= r.places[0].high);
        assert_true(r.candidates[c].criterion <= r.candidates[0].criterion + SEARCH_SAME);
    }
    assert_true(r.places[0].typical_low <= r.places[0].low);
    assert_true(r.places[0].typical_high >= r.places[0].high);
    synth_end(&s);
}

static struct search_request *request_of(struct synth *s)
{
    struct search_request *r = arena_zalloc(s->arena, 1, sizeof *r);
    r->fit.points = (struct points_request){.dataset = s->data,
                                            .experiment = dataset_find(s->data, "f"),
                                            .observable = "CLOCK",
                                            .statistic = STATISTIC_P10};
    return r;
}

static void no_constant_is_negative_unless_signed(void **state)
{
    (void)state;
    static const struct truth t = {
        "1e-5 - 5e-7*log(N)", "f[0] + f[1]*log(N)", {"N"}, {16}, {4096}, {9}, 0, {0}};
    struct synth s = truth_load(&t, 0.01, 1, 1);
    struct search_result r;
    struct search_request *request = request_of(&s);
    request->any_sign = true;
    assert_int_equal(model_search(s.arena, request, s.diag, &r), 0);
    assert_string_equal(r.candidates[0].text, t.found);
    request->any_sign = false;
    assert_int_equal(model_search(s.arena, request, s.diag, &r), 0);
    for (size_t c = 0; c < r.ncandidates; c++)
        for (size_t k = 0; k < model_columns(r.candidates[c].model).n; k++)
            assert_true(model_columns(r.candidates[c].model).value[k] >= 0);
    synth_end(&s);
}

/* The prediction after a search where the truth says, and how far it is off. */
static double predict_after_search(const struct truth *t, double noise, unsigned seed,
                                   struct prediction *p, double *last_share)
{
    struct synth s = truth_load(t, noise, 1, seed);
    struct search_result r;
    struct place beyond = truth_beyond(t);
    assert_int_equal(truth_search(&s, &r), 0);
    assert_int_equal(model_predict(s.arena, r.candidates[0].model, &beyond, s.diag, p), 0);
    double truth = truth_at(&s, t, t->beyond);
    if (last_share) /* left out, or plausibly so */
        *last_share = r.left_out ? 1 : r.last_share;
    synth_end(&s);
    return p->value / truth - 1;
}

static void unusual_exponents_are_found(void **state)
{
    (void)state;
    static const char *const formulas[] = {"1e-6 + 2e-9*n^1.3", "2e-9*n^1.25", "1e-7*n^0.75",
                                           "1e-6 + 2e-12*n^2.5"};
    for (size_t i = 0; i < sizeof formulas / sizeof *formulas; i++)
        for (unsigned seed = 1; seed <= 3; seed++) {
            struct truth t = {formulas[i], "", {"n"}, {1000}, {512000}, {10}, 0, {2048000}};
            struct prediction p;
            assert_true(fabs(predict_after_search(&t, 0.005, seed, &p, NULL)) < 0.03);
        }
}

static void terms_of_collective_operations_are_found(void **state)
{
    (void)state;
    static const struct truth ring = {"2e-6*(p - 1) + 1e-9*n*(p - 1)/p",
                                      "f[0]*n*(p - 1)/p + f[1]*(p - 1)",
                                      {"n", "p"},
                                      {1024, 2},
                                      {262144, 32},
                                      {5, 5},
                                      0,
                                      {0}};
    static const struct truth falling = {
        "1e-4 + 3e-3/p", "f[0] + f[1]/p", {"p"}, {1}, {64}, {7}, 0, {256}};
    const struct truth *list[] = {&ring, &falling};
    for (size_t i = 0; i < 2; i++) {
        struct synth s = truth_load(list[i], 0.01, 1, 1);
        struct search_result r;
        assert_int_equal(truth_search(&s, &r), 0);
        assert_string_equal(r.candidates[0].text, list[i]->found);
        synth_end(&s);
    }
}

static void given_terms_are_used(void **state)
{
    (void)state;
    static const struct truth t = {
        "1e-6 + 1e-9*exp(N/1000)", "", {"N"}, {1000}, {16000}, {9}, 0, {0}};
    static const char *const given[] = {"exp(N/1000)"};
    struct synth s = truth_load(&t, 0.01, 1, 1);
    struct search_result r;
    struct search_request *request = request_of(&s);
    request->given = given;
    request->ngiven = 1;
    assert_int_equal(model_search(s.arena, request, s.diag, &r), 0);
    assert_string_equal(r.candidates[0].text, "f[0] + f[1]*exp(N/1000)");
    synth_end(&s);
}

/* A largest size that is 1.2 times too slow, or 0.7 times: no power explains it away. */
static void one_odd_largest_size_is_noticed(void **state)
{
    (void)state;
    static const double factors[] = {1.2, 0.7};
    for (size_t i = 0; i < 2; i++)
        for (unsigned seed = 1; seed <= (is_thorough() ? 3 : 1); seed++) {
            char text[160];
            struct prediction p;
            double last_share;
            snprintf(text, sizeof text,
                     "(1e-5 + 3e-9*n*log(n))*(1 + %g*min(1, max(0, n - 511000))*"
                     "min(1, max(0, 513000 - n)))",
                     factors[i] - 1);
            struct truth t = {text, "", {"n"}, {1000}, {512000}, {10}, 0, {2048000}};
            double off = predict_after_search(&t, 0.01, seed, &p, &last_share);
            assert_true(p.value > 0 && p.low >= 0);
            double truth = p.value / (1 + off);
            assert_true(p.low < truth && truth < p.high);
            assert_true(last_share > 0.05);
        }
}

/* n and P that change together: nobody knows what belongs to which. */
static void places_off_the_design_have_wide_intervals(void **state)
{
    (void)state;
    struct synth s = synth_begin();
    struct text t;
    text_init(&t);
    text_add(&t, "# cll-data 1\n# experiment: f\n# variables: f n\n" SYNTH_COLUMNS " n CLOCK\n");
    for (double p = 1; p <= 32; p *= 2)
        text_printf(&t, "f 0 0 0 0 %g 0 0 1 %g %.17g\n", p, 1000 * p,
                    (1e-5 + 3e-9 * 1000 * p + 2e-6 * p) * (1 + 0.02 * synth_normal(&s)));
    synth_load(&s, t.s);
    text_free(&t);
    struct search_result r;
    assert_int_equal(truth_search(&s, &r), 0);
    const char *names[] = {"n", "P"};
    const double at[] = {1000, 32};
    struct place place = {names, at, 2};
    struct prediction p;
    assert_int_equal(model_predict(s.arena, r.candidates[0].model, &place, s.diag, &p), 0);
    assert_true(p.low < 7.7e-5 && p.high > 7.7e-5);
    synth_end(&s);
}

/* Ten points along two lines, and what a search in them predicts beyond in both variables. */
static struct prediction predict_few(struct synth *s, const char *formula, enum few_more more,
                                     uint64_t seed, double *truth)
{
    struct search_result r;
    struct prediction p;
    const char *names[] = {"n", "p"};
    double at[2];
    s->random ^= seed * 0x9e3779b97f4a7c15u;
    few_load(s, formula, more, 0.05, 1);
    few_beyond(more, at);
    assert_int_equal(truth_search(s, &r), 0);
    assert_int_equal(r.left_out, 0); /* no point can be spared */
    const struct place place = {names, at, 2};
    assert_int_equal(model_predict(s->arena, r.candidates[0].model, &place, s->diag, &p), 0);
    *truth = few_at(s, formula, at);
    return p;
}

/* Points along two lines do not tell p from n*p. */
static void points_along_two_lines_prefer_separate_terms(void **state)
{
    (void)state;
    static const char *const formulas[] = {"1.5e-7*n*log(n)/p + 3e-5*p", "8e-7*n/p + 2e-4*log(p)",
                                           "9e-9*n^1.5/p + 9e-5*sqrt(p)"};
    unsigned near = 0, inside = 0, all = 0;
    for (size_t i = 0; i < 3; i++)
        for (uint64_t seed = 1; seed <= (is_thorough() ? 20 : 2); seed++, all++) {
            struct synth s = synth_begin();
            double truth;
            struct prediction p = predict_few(&s, formulas[i], FEW_SIXTH, seed, &truth);
            near += p.value < 2 * truth && p.value > truth / 2;
            inside += p.low < truth && truth < p.high;
            synth_end(&s);
        }
    assert_true(near * 10 >= all * 9);
    assert_true(inside * 10 >= all * 9);
}

/* A product is small along the lines and large beyond them. The interval leaves room for what the time in the middle of the
 * ranges allows (bench/search few has the rates). */
static void points_along_two_lines_leave_room_for_products(void **state)
{
    (void)state;
    static const char *const formulas[] = {
        "1.2e-12*n^1.8*p*log(p) + 1.8e-6*n^0.3*log(p)",
        "5.6e-5 + 6.1e-10*n^0.7*p^3 + 1.5e-5*p^0.6",
        "9.7e-5 + 1.5e-9*n*log(n) + 1.2e-11*n^1.5*p*log(p)",
        "8.1e-5 + 4.5e-11*n*log(n)*p^2",
        "1.05e-4 + 3.3e-9*n*p + 7.9e-14*n^2*p*log(p)",
        "3.3e-5 + 1.5e-10*n*p^2 + 6e-6*p",
        "9.9e-5 + 6.1e-9*n^1.1*log(p) + 3e-13*n^2.3*log(p)",
    };
    unsigned inside = 0, far = 0, all = 0;
    for (size_t i = 0; i < sizeof formulas / sizeof *formulas; i++)
        for (uint64_t seed = 1; seed <= (is_thorough() ? 20 : 3); seed++, all++) {
            struct synth s = synth_begin();
            double truth;
            struct prediction p = predict_few(&s, formulas[i], FEW_MIDDLE, seed, &truth);
            inside += p.low < truth && truth < p.high;
            far += p.high > 2 * truth;
            synth_end(&s);
        }
    assert_true(inside * 10 >= all * 8);
    if (far * 4 < all * 3) /* with products as unlikely as typical points make them, 12 of 21 */
        fail_msg("the interval of %u of %u reaches twice as far as the truth", far, all);
}

static void a_point_that_tells_how_variables_combine_is_named(void **state)
{
    (void)state;
    struct synth s = synth_begin();
    struct search_result r;
    few_load(&s, "1e-4 + 1e-7*n + 5e-5*p", FEW_SIXTH, 0.05, 1);
    assert_int_equal(truth_search(&s, &r), 0);
    assert_int_equal(r.next.place.n, 2);
    assert_true(r.next.place.values[0] == 16000 && r.next.place.values[1] == 64);
    assert_true(r.next.high > SEARCH_APART * r.next.low);
    synth_end(&s);
    s = truth_load(&truths[9], 0.02, 1, 1); /* a grid */
    assert_int_equal(truth_search(&s, &r), 0);
    assert_int_equal(r.next.place.n, 0);
    synth_end(&s);
}

static void two_forms_are_told_apart(void **state)
{
    (void)state;
    static const struct truth t = {"(1e-3 + 2e-6*n)*(1 - min(1, max(0, n - 800))) + "
                                   "1e-10*n^3*min(1, max(0, n - 800))",
                                   "",
                                   {"n"},
                                   {100},
                                   {6400},
                                   {19},
                                   0,
                                   {25600}};
    struct synth s = truth_load(&t, 0.01, 1, 1);
    struct search_result r;
    struct place beyond = truth_beyond(&t);
    struct prediction p;
    assert_int_equal(truth_search(&s, &r), 0);
    assert_non_null(strstr(r.candidates[0].text, "n^3*min(1, max(0, (n - "));
    assert_int_equal(model_predict(s.arena, r.candidates[0].model, &beyond, s.diag, &p), 0);
    assert_true(fabs(p.value / truth_at(&s, &t, t.beyond) - 1) < 0.03);
    synth_end(&s);
}

/* Exponents that must change together, and a variable that must leave a term: changing one factor at a
 * time ends at sums with three terms, which are 14 to 189 % off. */
static void exponents_of_three_variables_are_found(void **state)
{
    (void)state;
    static const char *const formulas[] = {"8.774e-16*N^2.3*P*m + 1.764e-16*N^2.3*P*m^1.5",
                                           "1.724e-10*N^1.2/P*m^1.5 + 4.317e-09*m^2.7"};
    for (size_t i = 0; i < 2; i++) {
        struct prediction p;
        struct truth t = {formulas[i], "", {"N", "P", "m"},  {1000, 2, 10}, {16000, 32, 160},
                          {5, 5, 5},   0,  {64000, 128, 640}};
        double off = predict_after_search(&t, 0.02, 7, &p, NULL);
        assert_true(fabs(off) < 0.05);
    }
}

/* Truths that nobody chose, one variable and five sizes: the intervals of predictions hold. */
static void predictions_after_a_search_hold(void **state)
{
    (void)state;
    struct arena *a = arena_create();
    size_t covered = 0, sets = 0;
    for (size_t i = 0; i < BEYOND_TRUTHS; i += 3)
        for (unsigned seed = 1; seed <= (is_thorough() ? 4 : 1); seed++, sets++) {
            const struct beyond *b = beyond_make(a, i);
            struct prediction p;
            double off = predict_after_search(&b->truth, seed % 2 ? 0.02 : 0.05, seed, &p, NULL);
            double truth = p.value / (1 + off);
            covered += p.low <= truth && truth <= p.high;
            assert_true(p.value > 0);
        }
    assert_true(covered >= 0.85 * (double)sets);
    arena_destroy(a);
}

/* What predict says if these draws remain of a constant, `times` of each. */
static double prediction_of_draws(const double *values, const size_t *times, size_t n)
{
    struct synth s = truth_load(&truths[0], 0, 1, 1);
    struct search_alternative all[4] = {0};
    const char *one = "1";
    size_t term = 0;
    struct search_result r = {.alternatives = all, .nalternatives = n, .terms = &one, .nterms = 1};
    struct model *m = synth_fit(&s, "f[0]", false, STATISTIC_P10);
    struct place place = truth_beyond(&truths[0]);
    struct prediction p;
    for (size_t k = 0; k < n; k++) {
        double *draws = arena_alloc(s.arena, times[k], sizeof *draws);
        for (size_t i = 0; i < times[k]; i++)
            draws[i] = values[k];
        all[k] =
            (struct search_alternative){.term = &term,
                                        .n = 1,
                                        .draws = draws,
                                        .noise = arena_zalloc(s.arena, times[k], sizeof(double)),
                                        .ndraws = times[k]};
    }
    assert_non_null(m);
    model_take_alternatives(m, &r);
    assert_int_equal(model_predict(s.arena, m, &place, s.diag, &p), 0);
    synth_end(&s);
    return p.value;
}

/* The median of the first is 2, where few formulas are. */
static void a_prediction_is_where_most_draws_are(void **state)
{
    (void)state;
    assert_near(prediction_of_draws((double[]){1, 2, 4}, (size_t[]){450, 250, 300}, 3), 1, 0.02);
    assert_near(prediction_of_draws((double[]){1, 2, 4}, (size_t[]){300, 250, 450}, 3), 4, 0.02);
    /* narrow, or not positive: the median */
    assert_near(prediction_of_draws((double[]){1, 1.01, 1.02}, (size_t[]){450, 250, 300}, 3), 1.01,
                1e-9);
    assert_near(prediction_of_draws((double[]){-1, 2, 4}, (size_t[]){450, 250, 300}, 3), 2, 1e-9);
}

/* Seven sizes of a constant leave room for a small multiple of N^3, which matters at the largest size alone: it
 * is not plausible enough to reach into the interval. */
static void a_term_that_matters_at_one_end_is_less_plausible(void **state)
{
    (void)state;
    static const struct truth t = {"1e-3", "", {"N"}, {1000}, {64000}, {7}, 0, {256000}};
    for (unsigned seed = 1; seed <= (is_thorough() ? 20 : 2); seed++) {
        struct prediction p;
        predict_after_search(&t, 0.05, seed, &p, NULL);
        assert_true(p.high < 2e-3);
    }
}

static void terms_limits_the_sum(void **state)
{
    (void)state;
    struct synth s = truth_load(&truths[7], 0.01, 1, 1);
    struct search_result r;
    struct search_request *request = request_of(&s);
    request->max_terms = 1;
    request->fit.intervals.mode = INTERVALS_NONE;
    assert_int_equal(model_search(s.arena, request, s.diag, &r), 0);
    for (size_t c = 0; c < r.ncandidates; c++) {
        assert_true(r.candidates[c].terms <= 1);
        assert_int_equal(model_pieces(r.candidates[c].model)->nboundaries, 0);
    }
    synth_end(&s);
}

/* What grows faster than is possible takes no part, however well it describes the data. */
static void terms_that_grow_too_fast_are_left_out(void **state)
{
    static const struct truth t = {
        "1e-3+1e-6*N+1e-10*N^2", "", {"N"}, {1000}, {16000}, {6}, 0, {64000}};
    static const char *const names[] = {"N"};
    double from = 16000, to = 64000, ends[2];
    (void)state;
    for (int limited = 0; limited < 2; limited++) {
        struct synth s = truth_load(&t, 0.001, 1, 1);
        struct search_result r;
        struct prediction p;
        struct place beyond = truth_beyond(&t);
        struct search_request *request = request_of(&s);
        request->most_growth = limited ? pow(4, 1.25) : 0;
        request->from = (struct place){names, &from, 1};
        request->to = (struct place){names, &to, 1};
        assert_int_equal(model_search(s.arena, request, s.diag, &r), 0);
        model_take_alternatives(r.candidates[0].model, &r);
        assert_int_equal(model_predict(s.arena, r.candidates[0].model, &beyond, s.diag, &p), 0);
        ends[limited] = p.high;
        synth_end(&s);
    }
    double here = 1e-3 + 1e-6 * from + 1e-10 * from * from;
    assert_true(ends[0] > here * pow(4, 1.5));
    assert_true(ends[1] < here * pow(4, 1.3));
}

static void searches_in_definitions(void **state)
{
    (void)state;
    static const struct truth t = {
        "1e-6 + 3e-9*(N/P)*log(N/P)", "", {"N", "P"}, {4096, 1}, {262144, 8}, {7, 4}, 0, {0}};
    struct synth s = truth_load(&t, 0.01, 1, 1);
    struct search_result r;
    struct search_request *request = request_of(&s);
    const char *name = "n", *variables[] = {"n", "P"};
    const struct formula *by = formula_parse_text(s.arena, "N/P", "f", s.diag);
    request->fit.let = (struct definitions){.names = &name, .by = &by, .n = 1};
    request->variables = variables;
    request->nvariables = 2;
    assert_int_equal(model_search(s.arena, request, s.diag, &r), 0);
    assert_string_equal(r.candidates[0].text, "f[0] + f[1]*n*log(n)");
    synth_end(&s);
}

static void one_wild_point_does_not_matter(void **state)
{
    (void)state;
    struct synth s = synth_begin();
    struct text t;
    text_init(&t);
    text_add(&t, "# cll-data 1\n# resolution: 1e-9\n# overhead: 0 0\n# experiment: f\n"
                 "# variables: f N\n" SYNTH_COLUMNS " N CLOCK\n");
    for (int i = 0; i < 16; i++) {
        double n = 64 * pow(2, i), y = (2e-6 + 3e-9 * n) * (1 + 0.01 * synth_normal(&s));
        text_printf(&t, "f 0 %d 0 0 1 0 0 1 %.17g %.17g\n", i, n, i == 9 ? 5 * y : y);
    }
    assert_int_equal(synth_load(&s, t.s), 0);
    text_free(&t);
    struct search_result r;
    assert_int_equal(truth_search(&s, &r), 0);
    assert_string_equal(r.candidates[0].text, "f[0] + f[1]*N");
    assert_int_equal(r.left_out, 1);
    assert_near(value_of(&r, 1), 3e-9, 0.02);
    synth_end(&s);
}

static void odd_data_is_an_error_or_a_result(void **state)
{
    (void)state;
    struct {
        const char *values[8];
        const char *error; /* NULL = a result */
    } cases[] = {
        {{"1 1e-6", "2 2e-6", "4 4e-6", NULL}, "a search needs at least 5"},
        {{"1 0", "2 0", "3 0", "4 0", "5 0", NULL}, "every measured value of f is 0"},
        {{"0 1e-6", "0.5 1e-6", "1 1e-6", "2 2e-6", "3 2e-6", "4 3e-6", NULL}, NULL},
        {{"-4 1e-6", "-2 1e-6", "-1 2e-6", "2 2e-6", "3 2e-6", "4 3e-6", NULL}, NULL},
        {{"1e100 1e-6", "2e100 2e-6", "4e100 4e-6", "8e100 8e-6", "1e200 2e2", NULL}, NULL},
        {{"1 1e-300", "2 1e-200", "3 1e-100", "4 1", "5 1e100", "6 1e200", NULL}, NULL},
        {{"1 0", "2 1e-6", "3 2e-6", "4 3e-6", "5 4e-6", "6 0", NULL}, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct synth s = synth_begin();
        struct search_result r;
        char *text = "# cll-data 1\n# resolution: 1e-9\n# overhead: 0 0\n# experiment: f\n"
                     "# variables: f N\n" SYNTH_COLUMNS " N CLOCK\n";
        for (const char **v = cases[i].values; *v; v++)
            text = arena_printf(s.arena, "%sf 0 0 0 0 1 0 0 1 %s\n", text, *v);
        assert_int_equal(synth_load(&s, text), 0);
        int status = truth_search(&s, &r);
        if (cases[i].error) {
            assert_int_equal(status, -1);
            assert_non_null(strstr(synth_error(&s), cases[i].error));
        } else {
            assert_int_equal(status, 0);
            assert_true(r.ncandidates > 0);
        }
        synth_end(&s);
    }
}

static void many_points_are_thinned(void **state)
{
    (void)state;
    static const struct truth t = {"2e-6 + 4e-9*N", "f[0] + f[1]*N", {"N"}, {1000},
                                   {2000000},       {5000},          0,     {0}};
    struct synth s = truth_load(&t, 0.05, 1, 1);
    struct search_result r;
    struct search_request *request = request_of(&s);
    request->fit.intervals.mode = INTERVALS_NONE;
    assert_int_equal(model_search(s.arena, request, s.diag, &r), 0);
    assert_true(r.used <= SEARCH_MOST_POINTS && r.used > 0.9 * SEARCH_MOST_POINTS);
    assert_string_equal(r.candidates[0].text, t.found);
    assert_int_equal(model_points(r.candidates[0].model)->n, 5000);
    synth_end(&s);
}

static void library_is_what_the_variables_allow(void **state)
{
    (void)state;
    struct arena *a = arena_create();
    double at[] = {1, 2, 4, 8}, zero[] = {0, 1, 2, 4};
    struct search_variable v[] = {
        {"N", at, false}, {"P", at, true}, {"x", zero, false}, {"y", at, false}};
    struct search_library l;
    search_library_make(a, v, 1, 4, &l);
    double sum = 0;
    for (size_t t = 0; t < l.n; t++) {
        sum += exp(-l.terms[t].cost);
        assert_null(strchr(search_term_text(a, &l.terms[t], v, 1), '%'));
    }
    assert_true(fabs(sum - 1) < 1e-9);
    assert_int_equal(l.n, 28); /* 21 with logarithms, less the constant; 5 without, 3 shapes */
    search_library_make(a, v + 1, 1, 4, &l);
    assert_int_equal(l.n, 28);
    search_library_make(a, v + 2, 1, 4, &l); /* 0: no logarithms */
    for (size_t t = 0; t < l.n; t++)
        assert_null(strstr(search_term_text(a, &l.terms[t], v + 2, 1), "log"));
    search_library_make(a, v, 2, 4, &l); /* P/N is as unusual if the search comes to it from N*P */
    struct search_term moved = {.given = NULL};
    double cost = NAN;
    for (size_t t = 0; t < l.n; t++) {
        const char *text = search_term_text(a, &l.terms[t], v, 2);
        if (strcmp(text, "N*P") == 0)
            moved = l.terms[t];
        if (strcmp(text, "P/N") == 0)
            cost = l.terms[t].cost;
    }
    assert_true(search_term_with_power(&l, &moved, 0, -1, 0));
    assert_true(fabs(moved.cost - cost) < 1e-9);
    search_library_make(a, v, 4, 4, &l);
    assert_true(l.n > 0 && l.n <= SEARCH_MAX_LIBRARY);
    assert_true(l.level > 0);
    arena_destroy(a);
}

/* Through two or three values any curve passes: the terms of such a variable are those that a person would write. */
static void few_values_have_simple_terms(void **state)
{
    (void)state;
    struct arena *a = arena_create();
    static const char *const odd[] = {"sqrt(bytes)", "bytes^", "log(bytes)^2", "log(bytes)/bytes"};
    double n[] = {1e3, 2e3, 4e3, 8e3, 1e3, 2e3, 4e3, 8e3}, bytes[] = {4, 4, 4, 4, 8, 8, 8, 8};
    struct search_variable v[] = {{"n", n, false}, {"bytes", bytes, false}};
    struct search_library l;
    bool log = false, inverse = false;
    search_library_make(a, v, 2, 8, &l);
    for (size_t t = 0; t < l.n; t++) {
        const char *text = search_term_text(a, &l.terms[t], v, 2), *power = strstr(text, "bytes^");
        for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
            if (strstr(text, odd[i]) && !(i == 1 && strchr("23", power[6]) && power[7] != '.'))
                fail_msg("%s", text);
        log = log || strcmp(text, "n*log(bytes)") == 0;
        inverse = inverse || strcmp(text, "n/bytes") == 0;
        struct search_term other = l.terms[t];
        assert_false(search_term_with_power(&l, &other, 1, 0.85, 1));
    }
    assert_true(log && inverse);
    search_library_make(a, v + 1, 1, 8, &l);
    size_t before = l.n;
    search_library_add_exponents(a, v + 1, 8, &l);
    assert_int_equal(l.n, before);
    arena_destroy(a);
}

/* Four terms of three values are one too many: the points cannot tell them apart, and nothing can be predicted. */
static void terms_that_the_points_cannot_tell_apart_are_no_formula(void **state)
{
    static const struct truth t = {"4e-8*sqrt(N)", "",     {"N", "P"}, {1000, 1},
                                   {4000, 16},     {3, 5}, 0,          {8000, 16}};
    (void)state;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        struct synth s = truth_load(&t, 0.005, 3, seed);
        struct search_result r;
        struct prediction p;
        struct place beyond = truth_beyond(&t);
        assert_int_equal(truth_search(&s, &r), 0);
        for (size_t i = 0; i < r.ncandidates; i++) {
            assert_false(synth_has_warning(r.candidates[i].model, "collinear"));
            if (model_predict(s.arena, r.candidates[i].model, &beyond, s.diag, &p))
                fail_msg("%s: %s", r.candidates[i].text, synth_error(&s));
        }
        synth_end(&s);
    }
}

/* A time that falls is no sum of costs. What is left of the sums that seem to explain it is what the fit needs of them. */
static void terms_that_cost_nothing_are_left_out(void **state)
{
    static const struct truth t = {"1e-3 - 1e-9*N", "", {"N"}, {1000}, {128000}, {8}, 0, {1024000}};
    (void)state;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        struct synth s = truth_load(&t, 0.001, 3, seed);
        struct search_result r;
        assert_int_equal(truth_search(&s, &r), 0);
        assert_true(r.ncandidates > 0);
        for (size_t i = 0; i < r.ncandidates; i++) {
            struct model_constants all = model_constants(r.candidates[i].model);
            for (size_t k = 0; k < all.n; k++)
                if (all.list[k].at_bound)
                    fail_msg("%s: %s is held at 0", r.candidates[i].text, all.list[k].name);
            for (size_t k = 0; k < i; k++)
                assert_string_not_equal(r.candidates[i].text, r.candidates[k].text);
        }
        synth_end(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_every_truth_without_noise),
        cmocka_unit_test(truth_is_among_those_reported_with_noise),
        cmocka_unit_test(two_variables_from_25_points),
        cmocka_unit_test(quadratic_from_nine_doubling_sizes),
        cmocka_unit_test(places_beyond_enclose_all_candidates),
        cmocka_unit_test(no_constant_is_negative_unless_signed),
        cmocka_unit_test(unusual_exponents_are_found),
        cmocka_unit_test(terms_of_collective_operations_are_found),
        cmocka_unit_test(given_terms_are_used),
        cmocka_unit_test(one_odd_largest_size_is_noticed),
        cmocka_unit_test(places_off_the_design_have_wide_intervals),
        cmocka_unit_test(points_along_two_lines_prefer_separate_terms),
        cmocka_unit_test(points_along_two_lines_leave_room_for_products),
        cmocka_unit_test(a_point_that_tells_how_variables_combine_is_named),
        cmocka_unit_test(two_forms_are_told_apart),
        cmocka_unit_test(exponents_of_three_variables_are_found),
        cmocka_unit_test(predictions_after_a_search_hold),
        cmocka_unit_test(a_prediction_is_where_most_draws_are),
        cmocka_unit_test(a_term_that_matters_at_one_end_is_less_plausible),
        cmocka_unit_test(terms_limits_the_sum),
        cmocka_unit_test(terms_that_grow_too_fast_are_left_out),
        cmocka_unit_test(searches_in_definitions),
        cmocka_unit_test(one_wild_point_does_not_matter),
        cmocka_unit_test(odd_data_is_an_error_or_a_result),
        cmocka_unit_test(many_points_are_thinned),
        cmocka_unit_test(library_is_what_the_variables_allow),
        cmocka_unit_test(few_values_have_simple_terms),
        cmocka_unit_test(terms_that_the_points_cannot_tell_apart_are_no_formula),
        cmocka_unit_test(terms_that_cost_nothing_are_left_out),
    };
    return RUN(tests);
}
