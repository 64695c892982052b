/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where constants hold: the number and places of intervals, and that nothing is invented. */
#include "base/text.h"
#include "harness/unit.h"

#include "harness/synthetic/coverage.h"
#include "model/fit_internal.h"
#include "model/model_internal.h"

static struct regimes usual(size_t sizes, size_t boundaries, enum noise_shape shape)
{
    return (struct regimes){.sizes = sizes,
                            .repetitions = 10,
                            .boundaries = boundaries,
                            .first = sizes > 12 ? 256 : 1024,
                            .last = sizes > 12 ? 1 << 20 : 1024 << 11,
                            .constant = {2e-6, 5e-8},
                            .constants = 2,
                            .changing = 1,
                            .factor = 1.5,
                            .noise = 0.05,
                            .shape = shape};
}

/* At least 95 % of the seeds, all but one of ten (bench/intervals has a hundred). */
static void expect_right(const struct regimes *r)
{
    int seeds = is_thorough() ? 20 : 10, right = 0;
    for (uint64_t seed = 1; seed <= (uint64_t)seeds; seed++) {
        struct regimes_result one = regimes_run(r, seed);
        right += one.number_right && one.place_right && one.alone;
    }
    if (right < seeds - 1)
        fail_msg("%zu sizes, %zu boundaries, %s noise: right in %d of %d", r->sizes, r->boundaries,
                 noise_names[r->shape], right, seeds);
}

static void the_number_of_intervals_is_right(void **state)
{
    (void)state;
    for (size_t boundaries = 0; boundaries <= 3; boundaries++) {
        struct regimes r = usual(40, boundaries, NOISE_NORMAL);
        expect_right(&r);
    }
}

static void twelve_doubling_sizes_are_enough_for_one_boundary(void **state)
{
    (void)state;
    for (size_t boundaries = 0; boundaries <= 1; boundaries++) {
        struct regimes r = usual(12, boundaries, NOISE_NORMAL);
        expect_right(&r);
    }
}

static void disturbed_samples_neither_make_nor_hide_a_boundary(void **state)
{
    (void)state;
    for (size_t boundaries = 0; boundaries <= 2; boundaries++) {
        struct regimes r = usual(40, boundaries, NOISE_WILD);
        expect_right(&r);
    }
}

/* Data with any truth: value(n, p) at each pair, times noise, repeated. */
static void load_grid(struct synth *s, const char *formula, const double *n, size_t nn,
                      const double *p, size_t np, double (*value)(double, double), double noise,
                      size_t repetitions)
{
    struct text t;
    text_init(&t);
    text_printf(&t,
                "# cll-data 1\n# resolution: 1e-12\n# overhead: 0 0\n# experiment: f\n# formula: f "
                "CLOCK %s\n# variables: f N\n%s N CLOCK\n",
                formula, SYNTH_COLUMNS);
    for (size_t k = 0; k < repetitions; k++)
        for (size_t i = 0; i < nn; i++)
            for (size_t j = 0; j < np; j++)
                text_printf(&t, "f %zu %zu 0 0 %.17g 0 0 1 %.17g %.17g\n", k, i * np + j, p[j],
                            n[i], value(n[i], p[j]) * (1 + noise * synth_normal(s)));
    assert_int_equal(synth_load(s, t.s), 0);
    text_free(&t);
}

static const double doubling[] = {1024,  2048,  4096,   8192,   16384,
                                  32768, 65536, 131072, 262144, 524288};
static const double processors[] = {2, 4, 6, 8, 10};

static double two_variables(double n, double p)
{
    return 2e-5 + 1e-5 * log(p) + (n > 10000 ? 5.4e-9 : 3e-9) * (n / p) * log(n / p) +
           (p > 7 ? 4e-9 : 2e-9) * n * (p - 1) / p;
}

static void each_constant_has_its_own_variable(void **state)
{
    (void)state;
    struct synth s = synth_begin();
    load_grid(&s, "f[0]+f[1]*log(P)+f[2]*(N/P)*log(N/P)+f[3]*N*(P-1)/P", doubling, 10, processors,
              5, two_variables, 0.02, 5);
    struct model *m = synth_fit(&s, NULL, false, STATISTIC_MEAN);
    assert_non_null(m);
    assert_int_equal(model_pieces(m)->nboundaries, 2);
    assert_int_equal(model_constants(m).list[0].npieces, 1);
    assert_int_equal(model_constants(m).list[1].npieces, 1);
    assert_int_equal(model_constants(m).list[2].npieces, 2);
    assert_int_equal(model_constants(m).list[3].npieces, 2);
    const struct model_piece *slow = &model_constants(m).list[2].pieces[1];
    assert_string_equal(slow->where[0].variable, "N");
    assert_true(slow->where[0].open && slow->where[0].from == 8192 && slow->where[0].to == 524288);
    assert_near(slow->value, 5.4e-9, 0.05);
    assert_string_equal(model_constants(m).list[3].pieces[0].where[0].variable, "P");
    assert_true(model_constants(m).list[3].pieces[0].where[0].to == 6);
    synth_end(&s);
}

static double step(double n, double p)
{
    (void)p;
    return 1e-6 + (n > 10000 ? 3e-8 : 1e-8) * n;
}

static double less_on_two(double n, double p)
{
    return 1e-6 + 4e-8 * n - (p == 2 ? n > 10000 ? 1e-8 : 2e-8 : 0) * n;
}

static void negative_values_of_a_constant_are_one_warning(void **state)
{
    (void)state;
    struct synth s = synth_begin();
    const double two[] = {1, 2};
    load_grid(&s, "f[0]+f[1]*N+f[2]*N*(P==2)", doubling, 10, two, 2, less_on_two, 0.001, 5);
    struct model *m = synth_fit(&s, NULL, false, STATISTIC_P10);
    assert_non_null(m);
    assert_int_equal(model_constants(m).list[2].npieces, 2);
    assert_string_equal(synth_warning(m, "negative"),
                        "2 of the 2 values of f[2] are negative (first for N in [1024, 8192]), and "
                        "their intervals do not contain zero: a cost cannot be negative");
    size_t n = 0;
    for (size_t i = 0; i < model_warnings(m)->n; i++)
        n += strcmp(model_warnings(m)->list[i].code, "negative") == 0;
    assert_int_equal(n, 1);
    synth_end(&s);
}

static void noise_free_data_are_divided_exactly(void **state)
{
    (void)state;
    struct synth s = synth_begin();
    const double one = 1;
    load_grid(&s, "f[0]+f[1]*N", doubling, 10, &one, 1, step, 0, 1);
    struct model *m = synth_fit(&s, NULL, false, STATISTIC_P10);
    assert_non_null(m);
    assert_int_equal(model_pieces(m)->nboundaries, 1);
    assert_true(model_pieces(m)->boundaries[0].below == 8192 &&
                model_pieces(m)->boundaries[0].above == 16384);
    assert_int_equal(model_constants(m).list[0].npieces, 1);
    assert_near(model_constants(m).list[0].pieces[0].value, 1e-6, 1e-6);
    assert_near(model_constants(m).list[1].pieces[0].value, 1e-8, 1e-6);
    assert_near(model_constants(m).list[1].pieces[1].value, 3e-8, 1e-6);
    synth_end(&s);
}

static struct model *fit_with(struct synth *s, struct interval_request intervals)
{
    return synth_fit_with(s, NULL, false, STATISTIC_P10, intervals);
}

/* A gradual change and a step between the same two measured values. */
static void intervals_are_not_printed_backwards(void **state)
{
    (void)state;
    struct synth s = synth_begin();
    const double one = 1, given[] = {4096, 20000};
    load_grid(&s, "f[0]+f[1]*N", doubling, 10, &one, 1, step, 0.01, 5);
    struct model *m =
        fit_with(&s, (struct interval_request){
                         .mode = INTERVALS_GIVEN, .variable = "N", .given = given, .ngiven = 2});
    assert_int_equal(model_pieces(m)->nboundaries, 2);
    struct boundary *b = (struct boundary *)model_pieces(m)->boundaries;
    b[0].below = b[1].below = 8192, b[0].above = b[1].above = 16384;
    b[0].form = BOUNDARY_SMOOTH, b[0].at = 10000, b[0].sharpness = 4;
    b[1].form = BOUNDARY_STEP, b[1].at = 12000;
    struct piece between = {.constant = 1};
    for (size_t v = 0; v < PIECES_MAX_VARIABLES; v++)
        between.low[v] = between.high[v] = -1;
    between.low[0] = 0, between.high[0] = 1;
    struct model_piece out;
    intervals_bounds(m->arena, m, &between, &out);
    assert_int_equal(out.nwhere, 1);
    assert_true(out.where[0].from == 10000 && out.where[0].to == 12000);
    assert_string_equal(model_interval_text(m->arena, &out.where[0]),
                        "N in (1e+04, 1.2e+04], gradually");
    synth_end(&s);
}

static void the_user_decides(void **state)
{
    (void)state;
    struct synth s = synth_begin();
    const double one = 1, given[] = {4096, 10000}, outside[] = {1e9};
    load_grid(&s, "f[0]+f[1]*N", doubling, 10, &one, 1, step, 0.01, 5);
    assert_int_equal(
        model_pieces(fit_with(&s, (struct interval_request){.mode = INTERVALS_NONE}))->nboundaries,
        0);
    assert_int_equal(
        model_pieces(fit_with(&s, (struct interval_request){.mode = INTERVALS_ON, .variable = "N"}))
            ->nboundaries,
        1);
    assert_int_equal(
        model_pieces(fit_with(&s, (struct interval_request){.mode = INTERVALS_AUTO, .max = 1}))
            ->nboundaries,
        0);
    assert_int_equal(model_pieces(fit_with(&s, (struct interval_request){.mode = INTERVALS_AUTO,
                                                                         .threshold = 2}))
                         ->nboundaries,
                     0);
    struct model *m =
        fit_with(&s, (struct interval_request){
                         .mode = INTERVALS_GIVEN, .variable = "N", .given = given, .ngiven = 2});
    assert_int_equal(model_pieces(m)->nboundaries, 2);
    assert_true(model_pieces(m)->boundaries[1].at == 10000);
    m = fit_with(&s, (struct interval_request){
                         .mode = INTERVALS_GIVEN, .variable = "N", .given = outside, .ngiven = 1});
    assert_int_equal(model_pieces(m)->nboundaries, 0);
    assert_null(fit_with(&s, (struct interval_request){.mode = INTERVALS_ON, .variable = "M"}));
    assert_non_null(strstr(synth_error(&s), "no variable 'M'"));
    synth_end(&s);
}

static void a_prediction_in_the_gap_spans_both_sides(void **state)
{
    (void)state;
    struct synth s = synth_begin();
    const double one = 1, middle = 12000, left = 8000, far = 4e6;
    const char *names[] = {"N"};
    load_grid(&s, "f[0]+f[1]*N", doubling, 10, &one, 1, step, 0.01, 5);
    struct model *m = synth_fit(&s, NULL, false, STATISTIC_P10);
    struct prediction p;
    assert_int_equal(model_predict(s.arena, m, &(struct place){names, &middle, 1}, s.diag, &p), 0);
    assert_int_equal(p.ngaps, 1);
    assert_true(p.low <= 1e-6 + 1e-8 * middle * 1.02 && p.high >= 1e-6 + 3e-8 * middle * 0.98);
    assert_int_equal(model_predict(s.arena, m, &(struct place){names, &left, 1}, s.diag, &p), 0);
    assert_int_equal(p.ngaps, 0);
    assert_near(p.value, 1e-6 + 1e-8 * left, 0.03);
    assert_int_equal(model_predict(s.arena, m, &(struct place){names, &far, 1}, s.diag, &p), 0);
    assert_near(p.value, 1e-6 + 3e-8 * far, 0.03);
    synth_end(&s);
}

static double smooth(double n, double p)
{
    (void)p;
    return 1e-6 + 1e-8 * n;
}

/* One point ten times too high, without repetitions: left out and named, no boundary made of it. */
/* The time of an element doubles beyond 64: three constants change. */
static double doubled(double n, double p)
{
    (void)p;
    return (n > 64 ? 2 : 1) * (1.1e-6 * log(n) + 3.9e-11 * n * n + 8.2e-10 * n * log(n));
}

/* With as many values as points any data fit, and the repetitions alone would make the intervals: narrow ones, about
 * times that may even be negative. */
static void intervals_do_not_use_up_the_points(void **state)
{
    (void)state;
    static const double sizes[] = {16, 32, 64, 128, 256, 512}, one[] = {1}, given[] = {90};
    const char *names[] = {"N"};
    for (uint64_t seed = 1; seed <= 5; seed++) {
        struct synth s = synth_begin();
        struct prediction p;
        s.random ^= seed * 0x9e3779b97f4a7c15u;
        load_grid(&s, "f[0]*log(N)+f[1]*N^2+f[2]*N*log(N)+f[3]*sqrt(N)", sizes, 6, one, 1, doubled,
                  0.005, 15);
        struct model *m = fit_with(&s, (struct interval_request){0});
        assert_false(synth_has_warning(m, "few-points"));
        assert_int_equal(
            model_predict(s.arena, m, &(struct place){names, (double[]){4096}, 1}, NULL, &p), 0);
        assert_true(p.value > 0 && p.low <= doubled(4096, 1) && doubled(4096, 1) <= p.high);
        m = fit_with(&s,
                     (struct interval_request){
                         .mode = INTERVALS_GIVEN, .variable = "N", .given = given, .ngiven = 1});
        assert_int_equal(model_pieces(m)->nboundaries, 1);
        synth_end(&s);
    }
}

static void an_outlier_is_left_out(void **state)
{
    (void)state;
    struct synth s = synth_begin();
    struct text t;
    text_init(&t);
    text_printf(&t,
                "# cll-data 1\n# experiment: f\n# formula: f CLOCK f[0]+f[1]*N\n# variables: f "
                "N\n%s N CLOCK\n",
                SYNTH_COLUMNS);
    for (int i = 0; i < 20; i++) {
        double n = floor(1000 * pow(1.3, i));
        text_printf(&t, "f 0 %d 0 0 1 0 0 1 %.17g %.17g\n", i, n,
                    smooth(n, 1) * (1 + 0.03 * synth_normal(&s)) * (i == 9 ? 10 : 1));
    }
    assert_int_equal(synth_load(&s, t.s), 0);
    text_free(&t);
    struct model *m = synth_fit(&s, NULL, false, STATISTIC_P10);
    assert_non_null(m);
    assert_int_equal(model_pieces(m)->nboundaries, 0);
    assert_int_equal(m->structure.used, 19);
    assert_true(synth_has_warning(m, "left-out"));
    assert_near(model_constants(m).list[1].pieces[0].value, 1e-8, 0.1);
    synth_end(&s);
}

/* Two points, constant data, repeated points, twelve orders of magnitude: no crash, nothing
 * invented. */
static void odd_data_behave(void **state)
{
    (void)state;
    static const char *const rows[] = {
        "f 0 0 0 0 1 0 0 1 1 1e-6\nf 0 1 0 0 1 0 0 1 2 2e-6\n",
        "f 0 0 0 0 1 0 0 1 1 1e-6\nf 0 1 0 0 1 0 0 1 2 1e-6\nf 0 2 0 0 1 0 0 1 3 1e-6\nf 0 3 0 0 1 "
        "0 0 1 4 1e-6\n",
        "f 0 0 0 0 1 0 0 1 1 1e-6\nf 1 0 0 0 1 0 0 1 1 2e-6\nf 2 0 0 0 1 0 0 1 2 3e-6\nf 3 0 0 0 1 "
        "0 0 1 2 1e-6\n",
        "f 0 0 0 0 1 0 0 1 1e-6 1e-6\nf 0 1 0 0 1 0 0 1 1e-3 1e-3\nf 0 2 0 0 1 0 0 1 1 1\nf 0 3 0 "
        "0 1 0 0 1 1e3 1e3\nf 0 4 0 0 1 0 0 1 1e6 1e6\n",
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct synth s = synth_begin();
        char *text = arena_printf(s.arena,
                                  "# cll-data 1\n# experiment: f\n# formula: f CLOCK "
                                  "f[0]+f[1]*N\n# variables: f N\n%s N CLOCK\n%s",
                                  SYNTH_COLUMNS, rows[i]);
        assert_int_equal(synth_load(&s, text), 0);
        struct model *m = synth_fit(&s, NULL, false, STATISTIC_P10);
        assert_non_null(m);
        assert_int_equal(model_pieces(m)->nboundaries, 0);
        synth_end(&s);
    }
}

/* Five steps, up and down: no term is like it. */
static double stairs(double n, double p)
{
    static const double cost[] = {1, 2, 1, 2.5, 1.2, 3};
    (void)p;
    return 1e-7 + n * 1e-9 * cost[(int)(log(n / 250) / log(1.25) / 7)];
}

static void many_intervals_give_the_papers_warning(void **state)
{
    (void)state;
    struct synth s = synth_begin();
    double n[40];
    const double one = 1;
    for (int i = 0; i < 40; i++)
        n[i] = floor(256 * pow(1.25, i));
    load_grid(&s, "f[0]+f[1]*N", n, 40, &one, 1, stairs, 0.01, 5);
    struct model *m = synth_fit(&s, NULL, false, STATISTIC_P10);
    assert_non_null(m);
    assert_true(model_pieces(m)->nboundaries > 3);
    assert_true(synth_has_warning(m, "many-intervals"));
    assert_false(synth_has_warning(m, "missing-term"));
    synth_end(&s);
}

static double square(double n, double p)
{
    (void)p;
    return n * n * 1e-12 + 1e-7;
}

/* A formula that misses a term gets no intervals, and the term is named; asked for intervals on N, or
 * on any variable, it gets them and the same warning. */
static void a_missing_term_is_not_a_set_of_intervals(void **state)
{
    (void)state;
    for (int asked = 0; asked <= 2; asked++) {
        struct synth s = synth_begin();
        double n[40];
        const double one = 1;
        for (int i = 0; i < 40; i++)
            n[i] = floor(256 * pow(1.25, i));
        load_grid(&s, "f[0]+f[1]*N", n, 40, &one, 1, square, 0.01, 5);
        struct interval_request on = {.mode = asked ? INTERVALS_ON : INTERVALS_AUTO,
                                      .variable = asked == 1 ? "N" : NULL};
        struct model *m = synth_fit_with(&s, NULL, false, STATISTIC_P10, on);
        assert_non_null(m);
        assert_int_equal(model_pieces(m)->nboundaries > 0, asked > 0);
        assert_true(m->structure.missing.error < m->structure.missing.plain / 10);
        assert_true(m->structure.missing.intervals < m->structure.missing.plain / 2);
        assert_true(m->structure.missing.more_values >= 2);
        const struct warning *w = warnings_find(model_warnings(m), "missing-term");
        assert_non_null(w);
        assert_non_null(strstr(w->advice, "'fit f = f[0] + f[1]*N + f[2]*N^2'"));
        synth_end(&s);
    }
}

/* Two caches that fill, and sizes that scatter more than their repetitions: a smooth term follows them
 * about as well as intervals do. The formula gets the intervals, and the warning may name the term. A
 * term that is really missing, with no scatter, takes their place. */
static void in_doubt_intervals_are_made(void **state)
{
    (void)state;
    unsigned named = 0;
    for (unsigned seed = 1; seed <= 8; seed++) {
        struct regimes r = usual(24, 2, NOISE_NORMAL);
        r.form = FORM_CACHE;
        r.factor = 2;
        r.noise = 0.02;
        r.scatter = 0.08;
        struct regimes_result found = regimes_run(&r, seed);
        assert_true(found.found > 0);
        named += found.named;
        r.form = FORM_TERM;
        r.boundaries = 0;
        r.missing = 2;
        r.scatter = 0;
        assert_true(regimes_run(&r, seed).missing);
    }
    assert_true(named > 0);
}

/* A matrix that is initialised along its columns, or along its rows: the cost of an element grows where the matrix leaves
 * two caches. A power of N that the formula does not have follows that as well. */
static struct regimes matrix(bool by_rows, enum regimes_form form, double scatter)
{
    return (struct regimes){.sizes = 37,
                            .repetitions = 20,
                            .boundaries = 2,
                            .first = 32,
                            .last = 2011,
                            .places = {300, 1100},
                            .constant = {3e-8, by_rows ? 1e-9 : 4.3e-9, by_rows ? 2e-10 : 7e-10},
                            .constants = 3,
                            .changing = 2,
                            .factor = by_rows ? 1.94 : 2.75,
                            .noise = 0.05,
                            .shape = NOISE_SKEWED,
                            .form = form,
                            .scatter = scatter};
}

/* The pieces are made whatever term is proposed beside them, and this is one of a few. */
static void the_papers_example_has_its_pieces(void **state)
{
    static const char *const meant[] = {"N^2*log(N)", "N^2.5", "N^3", "N*log(N)", "N^1.5"};
    static const enum regimes_form forms[] = {FORM_STEPS, FORM_BEND, FORM_SMOOTH};
    unsigned named = 0;
    (void)state;
    for (unsigned k = 0; k < 2 * 3 * 4; k++) {
        struct regimes r = matrix(k % 2, forms[k / 2 % 3], k % 4 < 2 ? 0.02 : 0.06);
        struct synth s = synth_begin();
        s.random = 20021115u * (k + 1);
        regimes_load(&s, &r);
        struct model *m = synth_fit(&s, NULL, true, STATISTIC_P10);
        assert_true(m->structure.pieces->nboundaries > 0);
        assert_true(m->constants[2].npieces > 1);
        assert_true(m->error.mean_pct < 12);
        if (synth_has_warning(m, "missing-term")) {
            bool usual_term = false;
            for (size_t i = 0; i < sizeof meant / sizeof *meant; i++)
                usual_term = usual_term || strcmp(m->structure.missing.text, meant[i]) == 0;
            assert_true(usual_term);
            named++;
        }
        synth_end(&s);
    }
    assert_true(named > 0);
}

/* Bends and smooth changes are found as such, and so is a step. */
static void gradual_changes_are_not_staircases(void **state)
{
    (void)state;
    for (int form = FORM_STEPS; form <= FORM_SMOOTH; form++)
        for (unsigned seed = 1; seed <= 5; seed++) {
            struct regimes r = usual(form == FORM_STEPS ? 12 : 24, 1, NOISE_NORMAL);
            r.form = (enum regimes_form)form;
            r.factor = 3;
            r.noise = 0.02;
            struct regimes_result found = regimes_run(&r, seed);
            assert_int_equal(found.found, 1);
            assert_int_equal(found.gradual, form != FORM_STEPS);
        }
}

/* The shares of the pieces add up, and the exported constant, the prediction and the fit agree. */
static void a_bend_counts_the_part_beyond_it(void **state)
{
    (void)state;
    struct synth s = synth_begin();
    struct regimes r = usual(24, 1, NOISE_NORMAL);
    r.form = FORM_BEND;
    r.factor = 3;
    r.noise = 0.001;
    regimes_load(&s, &r);
    struct model *m = synth_fit(&s, NULL, false, STATISTIC_P10);
    assert_non_null(m);
    assert_int_equal(model_pieces(m)->nboundaries, 1);
    assert_int_equal(model_pieces(m)->boundaries[0].form, BOUNDARY_BEND);
    const struct model_constant *c = &model_constants(m).list[r.changing];
    assert_int_equal(c->npieces, 2);
    assert_true(fabs(c->pieces[1].value / c->pieces[0].value - 3) < 0.1);
    assert_int_equal(c->pieces[1].where[0].form, BOUNDARY_BEND);
    double n = 4 * r.last, x[] = {n, 1};
    const char *names[] = {"N"};
    struct prediction p;
    struct model_piece at;
    assert_int_equal(model_predict(s.arena, m, &(struct place){names, &n, 1}, s.diag, &p), 0);
    assert_true(fabs(p.value / regimes_truth(&r, n) - 1) < 0.01);
    assert_true(model_constant_at(m, r.changing, x, &at));
    assert_true(at.value > c->pieces[0].value && at.value < c->pieces[1].value);
    synth_end(&s);
}

/* A variable with two or three values is divided, where each value has several points. */
static double by_level(double n, double level)
{
    static const double cost[] = {1, 4, 2.5};
    return 1e-6 + n * 1e-9 * cost[(int)level - 1];
}

static void few_values_are_divided(void **state)
{
    (void)state;
    for (size_t levels = 2; levels <= 3; levels++) {
        struct synth s = synth_begin();
        double n[8], level[] = {1, 2, 3};
        for (int i = 0; i < 8; i++)
            n[i] = 1000 << i;
        load_grid(&s, "f[0]+f[1]*N", n, 8, level, levels, by_level, 0.01, 5);
        struct model *m = synth_fit(&s, NULL, false, STATISTIC_P10);
        assert_non_null(m);
        assert_int_equal(model_pieces(m)->nboundaries, levels - 1);
        assert_int_equal(model_constants(m).list[1].npieces, levels);
        assert_true(model_few_values(m, model_pieces(m)->boundaries[0].variable));
        for (size_t i = 0; i < levels; i++)
            assert_string_equal(
                model_interval_text(s.arena, &model_constants(m).list[1].pieces[i].where[0]),
                arena_printf(s.arena, "P = %zu", i + 1));
        assert_true(model_error(m)->mean_pct < 2);
        struct interval_request on = {.mode = INTERVALS_ON, .variable = "P"};
        m = synth_fit_with(&s, NULL, false, STATISTIC_P10, on);
        assert_int_equal(model_pieces(m)->nboundaries, levels - 1);
        synth_end(&s);
    }
}

static double same_everywhere(double n, double level)
{
    (void)level;
    return 1e-6 + n * 1e-9;
}

static struct model *fit_on_levels(struct synth *s, size_t sizes, size_t levels, uint64_t seed,
                                   double (*value)(double, double), double noise)
{
    double n[8], level[] = {1, 2, 3};
    s->random = seed * 0x9e3779b97f4a7c15u;
    for (size_t i = 0; i < sizes; i++)
        n[i] = 1000 * pow(4, (double)i);
    load_grid(s, "f[0]+f[1]*N", n, sizes, level, levels, value, noise, 5);
    struct interval_request on = {.mode = INTERVALS_ON, .variable = "P"};
    struct model *m = synth_fit_with(s, NULL, false, STATISTIC_P10, on);
    assert_non_null(m);
    return m;
}

/* If the user asks for it, three sizes at each of three values are enough; where nothing changes,
 * next to nothing is found. */
static void intervals_on_few_values_are_found_and_not_invented(void **state)
{
    enum { SETS = 100 };
    (void)state;
    for (size_t sizes = 3; sizes <= 8; sizes += 5)
        for (size_t levels = 2; levels <= 3; levels++) {
            size_t invented = 0;
            struct synth s = synth_begin();
            struct model *m = fit_on_levels(&s, sizes, levels, 1, by_level, 0.01);
            assert_int_equal(model_pieces(m)->nboundaries, levels - 1);
            synth_end(&s);
            for (uint64_t set = 1; set <= SETS; set++) {
                s = synth_begin();
                m = fit_on_levels(&s, sizes, levels, set, same_everywhere, 0.05);
                invented += model_pieces(m)->nboundaries > 0;
                synth_end(&s);
            }
            assert_true(invented <= 0.03 * SETS);
        }
}

/* With too few points for intervals the variable is named. */
static void a_variable_that_the_formula_does_not_have_is_named(void **state)
{
    (void)state;
    struct synth s = synth_begin();
    double n[] = {1000, 4000, 16000}, level[] = {1, 2, 3};
    load_grid(&s, "f[0]+f[1]*N", n, 3, level, 3, by_level, 0.01, 5);
    struct model *m = synth_fit(&s, NULL, false, STATISTIC_P10);
    assert_non_null(m);
    assert_int_equal(model_pieces(m)->nboundaries, 0);
    assert_non_null(strstr(synth_warning(m, "unused-variable"), "with P, which the formula"));
    synth_end(&s);
}

/* `threshold` is the mean error that is shown: no boundary more than it needs. */
static void a_threshold_is_the_error_that_is_shown(void **state)
{
    (void)state;
    double thresholds[] = {0.5, 0.1, 0.02};
    size_t before = 0;
    for (int k = 0; k < 3; k++) {
        struct synth s = synth_begin();
        struct regimes r = usual(40, 3, NOISE_NORMAL);
        regimes_load(&s, &r);
        struct interval_request q = {.threshold = thresholds[k]};
        struct model *m = synth_fit_with(&s, NULL, false, STATISTIC_P10, q);
        assert_non_null(m);
        size_t now = model_pieces(m)->nboundaries;
        assert_true(now >= before && (k > 0 || now == 0));
        if (thresholds[k] > 0.05)
            assert_true(model_error(m)->mean_pct <= 100 * thresholds[k]);
        before = now;
        synth_end(&s);
    }
    assert_int_equal(before, 3);
}

/* With many points some of them show the structure, and all of them the exact place. */
static void a_boundary_of_many_points_has_its_exact_place(void **state)
{
    (void)state;
    struct synth s = synth_begin();
    struct text t;
    text_init(&t);
    text_printf(&t, "# cll-data 1\n# experiment: f\n# formula: f CLOCK f[0] + f[1]*N\n"
                    "# variables: f N\n" SYNTH_COLUMNS " N CLOCK\n");
    for (int n = 1000; n < 9000; n++)
        text_printf(&t, "f 0 %d 0 0 1 0 0 1 %d %.17g\n", n, n,
                    (1e-6 + (n <= 6000 ? 1e-9 : 2e-9) * n) * (1 + 0.02 * synth_normal(&s)));
    assert_int_equal(synth_load(&s, t.s), 0);
    struct model *m = synth_fit(&s, NULL, false, STATISTIC_P10);
    assert_non_null(m);
    assert_int_equal(model_pieces(m)->nboundaries, 1);
    assert_true(model_pieces(m)->boundaries[0].below == 6000);
    assert_int_equal(model_pieces(m)->changing[0], 2);
    text_free(&t);
    synth_end(&s);
}

/* Leaving a point out means that boundaries are chosen again: the error is larger than with the
 * boundaries as they are. */
static void left_out_points_choose_no_boundaries(void **state)
{
    (void)state;
    struct synth s = synth_begin();
    struct regimes r = usual(12, 1, NOISE_NORMAL);
    regimes_load(&s, &r);
    struct model *m = synth_fit(&s, NULL, false, STATISTIC_P10);
    assert_non_null(m);
    assert_int_equal(model_pieces(m)->nboundaries, 1);
    double as_they_are = model_error(m)->loo_mean_pct;
    model_leave_out(m);
    assert_true(model_error(m)->loo_mean_pct > as_they_are);
    synth_end(&s);
}

static void a_right_formula_on_good_data_gives_no_warning(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct synth s = synth_begin();
        struct regimes r = usual(40, seed % 3, NOISE_NORMAL);
        s.random ^= seed * 0x9e3779b97f4a7c15u;
        regimes_load(&s, &r);
        struct model *m = synth_fit(&s, NULL, false, STATISTIC_P10);
        assert_non_null(m);
        if (model_warnings(m)->n)
            fail_msg("seed %u: %s: %s", (unsigned)seed, model_warnings(m)->list[0].code,
                     model_warnings(m)->list[0].text);
        synth_end(&s);
    }
}

/* bench/coverage has the whole table. */
static void prediction_intervals_cover_what_they_claim(void **state)
{
    (void)state;
    static const double places[] = {300000, 8 << 20};
    for (int shape = 0; shape < NOISE_SHAPES; shape++) {
        for (size_t i = 0; i < 2; i++) {
            struct regimes r = usual(24, 1, (enum noise_shape)shape);
            struct coverage c = {0};
            r.factor = 2;
            for (uint64_t seed = 1; seed <= 12; seed++)
                coverage_add(&r, seed, places[i], &c);
            if (c.typical * 100 < 85 * c.total || c.single * 100 < 85 * c.total)
                fail_msg("%s noise at %g: typical %u, single %u of %u", noise_names[shape],
                         places[i], c.typical, c.single, c.total);
        }
    }
}

static void resampling_is_reproducible(void **state)
{
    (void)state;
    double width[2];
    for (int k = 0; k < 2; k++) {
        struct synth s = synth_begin();
        struct regimes r = usual(12, 1, NOISE_NORMAL);
        const double n = 3e6;
        const char *names[] = {"N"};
        struct prediction p;
        r.factor = 1.2;
        regimes_load(&s, &r);
        struct model *m = synth_fit(&s, NULL, false, STATISTIC_P10);
        model_resample(m);
        assert_true(m->resamples.n > 10);
        assert_int_equal(model_predict(s.arena, m, &(struct place){names, &n, 1}, s.diag, &p), 0);
        width[k] = p.high - p.low;
        synth_end(&s);
    }
    assert_true(width[0] == width[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_number_of_intervals_is_right),
        cmocka_unit_test(twelve_doubling_sizes_are_enough_for_one_boundary),
        cmocka_unit_test(disturbed_samples_neither_make_nor_hide_a_boundary),
        cmocka_unit_test(each_constant_has_its_own_variable),
        cmocka_unit_test(negative_values_of_a_constant_are_one_warning),
        cmocka_unit_test(noise_free_data_are_divided_exactly),
        cmocka_unit_test(intervals_are_not_printed_backwards),
        cmocka_unit_test(the_user_decides),
        cmocka_unit_test(a_prediction_in_the_gap_spans_both_sides),
        cmocka_unit_test(intervals_do_not_use_up_the_points),
        cmocka_unit_test(an_outlier_is_left_out),
        cmocka_unit_test(odd_data_behave),
        cmocka_unit_test(many_intervals_give_the_papers_warning),
        cmocka_unit_test(a_missing_term_is_not_a_set_of_intervals),
        cmocka_unit_test(in_doubt_intervals_are_made),
        cmocka_unit_test(the_papers_example_has_its_pieces),
        cmocka_unit_test(gradual_changes_are_not_staircases),
        cmocka_unit_test(a_bend_counts_the_part_beyond_it),
        cmocka_unit_test(few_values_are_divided),
        cmocka_unit_test(intervals_on_few_values_are_found_and_not_invented),
        cmocka_unit_test(a_variable_that_the_formula_does_not_have_is_named),
        cmocka_unit_test(a_threshold_is_the_error_that_is_shown),
        cmocka_unit_test(left_out_points_choose_no_boundaries),
        cmocka_unit_test(a_boundary_of_many_points_has_its_exact_place),
        cmocka_unit_test(a_right_formula_on_good_data_gives_no_warning),
        cmocka_unit_test(prediction_intervals_cover_what_they_claim),
        cmocka_unit_test(resampling_is_reproducible),
    };
    return RUN(tests);
}
