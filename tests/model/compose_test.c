/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compositions of synthetic experiments with known truth. */
#include "harness/unit.h"

#include "base/text.h"
#include "harness/synthetic/synth.h"
#include "model/compose.h"

/* A and B over N; B also over P. */
static const double truth_a[] = {4e-5, 3e-8}, truth_b[] = {2e-5, 5e-8};

static double time_a(double n)
{
    return truth_a[0] + truth_a[1] * n;
}

static double time_b(double n, double p)
{
    return truth_b[0] + truth_b[1] * n / p;
}

static void put_rows(struct synth *s, struct text *t, double noise)
{
    int seq = 0;
    for (double n = 1000; n <= 8000; n += 1000) {
        text_printf(t, "A 0 %d 0 0 1 0 0 1 %g %.17g\n", seq++, n,
                    time_a(n) * (1 + noise * synth_normal(s)));
        for (double p = 1; p <= 4; p *= 2)
            text_printf(t, "B 0 %d 0 0 %g 0 0 1 %g %.17g\n", seq++, p, n,
                        time_b(n, p) * (1 + noise * synth_normal(s)));
    }
}

static void load_both(struct synth *s, double noise)
{
    struct text t;
    text_init(&t);
    text_add(&t, "# cll-data 1\n# overhead: 0 0\n# experiment: A\n# variables: A N\n"
                 "# experiment: B\n# variables: B N\n" SYNTH_COLUMNS " N CLOCK\n");
    put_rows(s, &t, noise);
    assert_int_equal(synth_load_bytes(s, t.s, t.n), 0);
    text_free(&t);
}

static struct model *fit_named(struct synth *s, const char *name, const char *formula,
                               const struct interval_request *intervals)
{
    struct fit_request *r = arena_zalloc(s->arena, 1, sizeof *r);
    r->points = (struct points_request){.dataset = s->data,
                                        .experiment = dataset_find(s->data, name),
                                        .observable = "CLOCK",
                                        .statistic = STATISTIC_P10};
    r->formula = formula_parse_text(s->arena, formula, name, s->diag);
    r->intervals = *intervals;
    r->keep_outliers = true;
    struct model *m = model_fit(s->arena, r, s->diag);
    assert_non_null(m);
    return m;
}

static const struct interval_request no_intervals = {.mode = INTERVALS_NONE};

/* name(parameters) = text; parameters NULL: none are named */
static struct compose_definition define(struct synth *s, const char *name,
                                        const char *const *parameters, size_t n, const char *text)
{
    struct source *source = arena_alloc(s->arena, 1, sizeof *source);
    struct formula_options options = {.any_constant = true, .references = true};
    *source = (struct source){"<definition>", text, strlen(text)};
    struct compose_definition d = {.name = name,
                                   .text = text,
                                   .parameters = parameters,
                                   .nparameters = n,
                                   .has_parameters = parameters != NULL,
                                   .source = source};
    d.formula = formula_parse(s->arena, source, (struct span){0, source->size}, &options, s->diag);
    if (!d.formula)
        fail_msg("%s", synth_error(s));
    return d;
}

static struct composition compose_both(struct synth *s, const struct compose_definition *list,
                                       size_t n)
{
    struct compose_block *blocks = arena_zalloc(s->arena, 2, sizeof *blocks);
    blocks[0] = (struct compose_block){.name = "A",
                                       .model = fit_named(s, "A", "A[0] + A[1]*N", &no_intervals)};
    blocks[1] = (struct compose_block){
        .name = "B", .model = fit_named(s, "B", "B[0] + B[1]*N/P", &no_intervals)};
    struct composition c = {
        .definitions = list, .ndefinitions = n, .blocks = blocks, .nblocks = 2, .any_place = true};
    compose_begin(&c);
    return c;
}

static struct composed predict(struct synth *s, const struct composition *c,
                               const struct compose_definition *d, double n, double p)
{
    static const char *const names[] = {"N", "P"};
    double *values = arena_alloc(s->arena, 2, sizeof *values);
    values[0] = n, values[1] = p;
    struct place place = {names, values, isnan(n) ? 0 : isnan(p) ? 1 : 2};
    struct composed at;
    if (compose_predict(s->arena, c, d, &place, s->diag, &at))
        fail_msg("%s", synth_error(s));
    return at;
}

static void sums_and_definitions_have_their_values(void **state)
{
    (void)state;
    struct synth s = synth_begin();
    static const char *const np[] = {"N", "P"}, *const n_alone[] = {"N"};
    load_both(&s, 0);
    struct compose_definition list[] = {
        define(&s, "whole", np, 2,
               "log2(P)*(A[0] + 2*A[1]) + sum(i, 0, log2(P)-1, B(N=N/2^i)) + half(N)"),
        define(&s, "half", n_alone, 1, "A(N=N/2)"),
        define(&s, "open", NULL, 0, "A + B(P=1)/(P*B) + half(3*N)"),
        define(&s, "nothing", np, 2, "sum(i, 1, 0, B) + B(N, P) - B"),
    };
    struct composition c = compose_both(&s, list, 4);
    double n = 4000, p = 8, levels = 0;
    for (int i = 0; i < 3; i++)
        levels += time_b(n / pow(2, i), p);
    struct composed at = predict(&s, &c, &list[0], n, p);
    assert_true(near(at.value, 3 * (truth_a[0] + 2 * truth_a[1]) + levels + time_a(n / 2), 1e-9));
    assert_true(at.is_time);
    assert_true(near(at.parts[1].share, levels, 1e-9));
    assert_true(near(at.parts[0].share + at.parts[1].share, at.value, 1e-9));
    at = predict(&s, &c, &list[2], n, p);
    assert_true(
        near(at.value, time_a(n) + time_b(n, 1) / (p * time_b(n, p)) + time_a(1.5 * n), 1e-9));
    assert_false(at.is_time);
    assert_true(fabs(predict(&s, &c, &list[3], n, p).value) < 1e-12);
    double values[] = {2000, 4};
    struct place place = {np, values, 2};
    assert_true(near(compose_measured(s.arena, &c, &list[2], &place),
                     time_a(2000) + time_b(2000, 1) / (4 * time_b(2000, 4)) + time_a(3000), 1e-9));
    assert_true(isnan(compose_measured(s.arena, &c, &list[0], &place))); /* uses constants */
    synth_end(&s);
}

/* The constants of a formula, put together as the formula does it, are the formula. */
static void constants_vary_together(void **state)
{
    (void)state;
    struct synth s = synth_begin();
    load_both(&s, 0.02);
    struct compose_definition list[] = {define(&s, "parts", NULL, 0, "A[0] + A[1]*N"),
                                        define(&s, "value", NULL, 0, "A"),
                                        define(&s, "apart", NULL, 0, "A[1]*N")};
    struct composition c = compose_both(&s, list, 3);
    struct composed parts = predict(&s, &c, &list[0], 4500, NAN),
                    value = predict(&s, &c, &list[1], 4500, NAN),
                    apart = predict(&s, &c, &list[2], 4500, NAN);
    assert_true(near(parts.value, value.value, 1e-12));
    assert_true(near(parts.standard_error, value.standard_error, 1e-9));
    assert_true(apart.standard_error > 1.5 * value.standard_error);
    struct prediction own;
    double n = 4500;
    struct place place = {(const char *const[]){"N"}, &n, 1};
    assert_int_equal(model_predict(s.arena, c.blocks[0].model, &place, s.diag, &own), 0);
    assert_true(near(value.low, own.low, 1e-9) && near(value.high, own.high, 1e-9));
    synth_end(&s);
}

/* A sum of times is not negative, however little is known; a difference may be. */
static void no_sum_of_times_is_below_zero(void **state)
{
    (void)state;
    struct synth s = synth_begin();
    load_both(&s, 0.6);
    struct compose_definition list[] = {define(&s, "sum", NULL, 0, "A + B"),
                                        define(&s, "difference", NULL, 0, "A - B")};
    struct composition c = compose_both(&s, list, 2);
    struct composed sum = predict(&s, &c, &list[0], 1, 4096),
                    difference = predict(&s, &c, &list[1], 1, 4096);
    assert_true(sum.is_time && sum.high > 2 * sum.value); /* as far below: negative */
    assert_true(sum.low == 0);
    assert_true(difference.low < 0);
    synth_end(&s);
}

/* g and L of equation (8) are numbers: with them it is a time as well. A number beside a ratio is not a time. */
static void a_time_and_a_number_are_a_time(void **state)
{
    (void)state;
    struct synth s = synth_begin();
    load_both(&s, 0.6);
    struct compose_definition list[] = {
        define(&s, "level", NULL, 0, "log2(P)*(A + 1e-9*N + 1e-6)/2 + sum(k, 0, 1, B + 1e-7)"),
        define(&s, "less", NULL, 0, "A - 1e-3"), define(&s, "ratio", NULL, 0, "1 + A/B"),
        define(&s, "root", NULL, 0, "sqrt(A) + 1"), define(&s, "number", NULL, 0, "1e-6 + 0*A")};
    struct composition c = compose_both(&s, list, 5);
    struct composed level = predict(&s, &c, &list[0], 1, 4096);
    assert_true(level.is_time && level.high > 2 * level.value && level.low == 0);
    struct composed less = predict(&s, &c, &list[1], 1, 4096);
    assert_true(less.is_time && less.low < 0);
    for (size_t i = 2; i < 5; i++)
        assert_false(predict(&s, &c, &list[i], 1, 4096).is_time);
    synth_end(&s);
}

/* A list of values, one of which is inside another one and one of which is not added: as if it were one definition. */
static void a_sum_of_values_is_a_composition(void **state)
{
    (void)state;
    struct synth s = synth_begin();
    load_both(&s, 0.02);
    struct compose_definition list[] = {
        define(&s, "whole", NULL, 0, "2*(3*A(N=512) + 1) + 5*(A[1]*4096 + B(N=2048, P=2)) + 7")};
    struct compose_definition inner = define(&s, "inner", NULL, 0, "A(N=512)"),
                              outer = define(&s, "outer", NULL, 0, "3*x + 1"),
                              other = define(&s, "other", NULL, 0, "A[1]*N + B(N=2048, P=2)"),
                              unused = define(&s, "unused", NULL, 0, "A(N=1)");
    struct composition c = compose_both(&s, list, 1);
    struct composed whole = predict(&s, &c, &list[0], NAN, NAN), sum;
    static const char *const x[] = {"x"}, *const n[] = {"N"};
    const size_t first = 0, none = SIZE_MAX;
    double value, size = 4096;
    struct compose_value values[] = {{.formula = inner.formula, .source = inner.source},
                                     {.formula = outer.formula,
                                      .source = outer.source,
                                      .names = x,
                                      .values = &value,
                                      .by = &first,
                                      .n = 1,
                                      .times = 2},
                                     {.formula = unused.formula, .source = unused.source},
                                     {.formula = other.formula,
                                      .source = other.source,
                                      .names = n,
                                      .values = &size,
                                      .by = &none,
                                      .n = 1,
                                      .times = 5}};
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(compose_compute(s.arena, &c, &values[i], s.diag), 0);
        value = values[0].value;
    }
    struct compose_sum all = {values, 4, 7};
    assert_int_equal(compose_predict_sum(s.arena, &c, &all, s.diag, &sum), 0);
    assert_float_equal(sum.value, whole.value, 1e-12);
    assert_float_equal(sum.low, whole.low, 1e-9 * whole.value);
    assert_float_equal(sum.high, whole.high, 1e-9 * whole.value);
    assert_true(sum.high > sum.value && sum.is_time && whole.is_time);
    synth_end(&s);
}

/* Over many sets of data: the standard error is the standard deviation of the values, and 95 % of the
 * typical intervals contain what is measured next. */
static void uncertainty_is_that_of_a_simulation(void **state)
{
    (void)state;
    enum { SETS = 400 };
    const double noise = 0.03, n = 6000, p = 4;
    static const char *const texts[] = {"2*A[0] + sum(i, 0, 1, B(N=N/2^i)) + 0.5*A[1]*N",
                                        "B(P=1)/(P*B)", "B[1]*N - A",
                                        "sqrt(A*B) + log(1 + A/B)*B[0]"};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        double sum = 0, squares = 0, variance = 0, inside = 0;
        for (uint64_t set = 0; set < SETS; set++) {
            struct synth s = synth_begin();
            s.random = (set + 1) * 0x9e3779b97f4a7c15u;
            load_both(&s, noise);
            struct compose_definition d = define(&s, "w", NULL, 0, texts[k]);
            struct composition c = compose_both(&s, &d, 1);
            struct composed at = predict(&s, &c, &d, n, p);
            sum += at.value, squares += at.value * at.value;
            variance += at.standard_error * at.standard_error;
            if (k == 1) { /* the next measurement of both */
                double next = time_b(n, 1) * (1 + noise * synth_normal(&s)) /
                              (p * time_b(n, p) * (1 + noise * synth_normal(&s)));
                inside += at.low <= next && next <= at.high;
            }
            synth_end(&s);
        }
        double seen = (squares - sum * sum / SETS) / (SETS - 1);
        if (!near(variance / SETS, seen, 0.2))
            fail_msg("%s: %g, not %g", texts[k], variance / SETS, seen);
        if (k == 1)
            assert_true(inside >= 0.92 * SETS && inside <= 0.98 * SETS);
    }
}

/* A constant with two values is taken where the definition says. */
static void each_place_has_its_piece(void **state)
{
    (void)state;
    struct synth s = synth_begin();
    struct text t;
    const double at[] = {5000};
    text_init(&t);
    text_add(&t, "# cll-data 1\n# overhead: 0 0\n# experiment: A\n# variables: A N\n" SYNTH_COLUMNS
                 " N CLOCK\n");
    for (int i = 1; i <= 10; i++)
        text_printf(&t, "A 0 %d 0 0 1 0 0 1 %d %.17g\n", i, 1000 * i,
                    (i <= 5 ? 1e-9 : 3e-9) * 1000 * i);
    assert_int_equal(synth_load_bytes(&s, t.s, t.n), 0);
    text_free(&t);
    struct interval_request given = {
        .mode = INTERVALS_GIVEN, .variable = "N", .given = at, .ngiven = 1};
    struct compose_block block = {.name = "A", .model = fit_named(&s, "A", "A[1]*N", &given)};
    struct compose_definition list[] = {
        define(&s, "here", NULL, 0, "A[1]"),
        define(&s, "levels", NULL, 0, "sum(i, 0, 2, A[1](N=N/2^i))"),
        define(&s, "nowhere", (const char *const[]){"M"}, 1, "A[1]*M"),
    };
    struct composition c = {.definitions = list, .ndefinitions = 3, .blocks = &block, .nblocks = 1};
    compose_begin(&c);
    assert_true(near(predict(&s, &c, &list[0], 4000, NAN).value, 1e-9, 1e-6));
    assert_true(near(predict(&s, &c, &list[0], 8000, NAN).value, 3e-9, 1e-6));
    assert_true(near(predict(&s, &c, &list[1], 8000, NAN).value, 3e-9 + 1e-9 + 1e-9, 1e-6));
    double m = 3;
    struct place place = {(const char *const[]){"M"}, &m, 1};
    struct composed none;
    assert_int_equal(compose_predict(s.arena, &c, &list[2], &place, s.diag, &none), -1);
    assert_non_null(strstr(synth_error(&s), "A needs a value of N here"));
    synth_end(&s);
}

/* A[1] is 1e-9 up to N = 5000, 3e-9 from 6000 on. */
static struct model *fit_with_gap(struct synth *s)
{
    struct text t;
    text_init(&t);
    text_add(&t, "# cll-data 1\n# overhead: 0 0\n# experiment: A\n# variables: A N\n" SYNTH_COLUMNS
                 " N CLOCK\n");
    for (int n = 1000, seq = 0; n <= 10000; n += 1000)
        for (int i = 0; i < 5; i++)
            text_printf(&t, "A 0 %d 0 0 1 0 0 1 %d %.17g\n", seq++, n,
                        (n <= 5000 ? 1e-9 : 3e-9) * n * (1 + 0.01 * synth_normal(s)));
    assert_int_equal(synth_load_bytes(s, t.s, t.n), 0);
    text_free(&t);
    return fit_named(s, "A", "A[1]*N", &(struct interval_request){.mode = INTERVALS_AUTO});
}

/* Between the measured values around a boundary a constant may have either value: also in a composition. */
static void in_a_gap_the_interval_contains_both_sides(void **state)
{
    (void)state;
    struct synth s = synth_begin();
    struct compose_block block = {.name = "A", .model = fit_with_gap(&s)};
    struct compose_definition list[] = {define(&s, "alone", NULL, 0, "A"),
                                        define(&s, "more", NULL, 0, "A + A[1]*N + A(N=1000)"),
                                        define(&s, "below", NULL, 0, "A(N=5000) + 0*N")};
    struct composition c = {.definitions = list, .ndefinitions = 3, .blocks = &block, .nblocks = 1};
    compose_begin(&c);
    double n = 5500;
    struct place place = {(const char *const[]){"N"}, &n, 1};
    struct prediction own;
    assert_int_equal(model_predict(s.arena, block.model, &place, s.diag, &own), 0);
    assert_true(own.ngaps == 1 && own.low < 1.05e-9 * n && own.high > 2.95e-9 * n);
    struct composed alone = predict(&s, &c, &list[0], n, NAN);
    assert_true(near(alone.value, own.value, 1e-9) && near(alone.low, own.low, 1e-9) &&
                near(alone.high, own.high, 1e-9));
    struct composed more = predict(&s, &c, &list[1], n, NAN);
    assert_true(near(more.low, 2 * n * 1e-9 + 1e-6, 0.05) &&
                near(more.high, 6 * n * 1e-9 + 1e-6, 0.05));
    struct composed below = predict(&s, &c, &list[2], n, NAN);
    assert_true(below.high < 1.1 * below.value && below.low > 0.9 * below.value);
    struct compose_value value = {.formula = list[0].formula,
                                  .source = list[0].source,
                                  .names = place.names,
                                  .values = &n,
                                  .by = &(size_t){SIZE_MAX},
                                  .n = 1,
                                  .times = 3};
    struct compose_sum all = {&value, 1, 1e-6};
    struct composed sum;
    assert_int_equal(compose_compute(s.arena, &c, &value, s.diag), 0);
    assert_int_equal(compose_predict_sum(s.arena, &c, &all, s.diag, &sum), 0);
    assert_true(near(sum.low, 3 * own.low + 1e-6, 1e-6) &&
                near(sum.high, 3 * own.high + 1e-6, 1e-6));
    synth_end(&s);
}

static void circles_are_refused(void **state)
{
    (void)state;
    struct synth s = synth_begin();
    struct compose_definition list[] = {
        define(&s, "a", NULL, 0, "2*b(N=3)"), define(&s, "b", NULL, 0, "sum(i, 0, 3, c)"),
        define(&s, "c", NULL, 0, "a + 1"), define(&s, "d", NULL, 0, "x[0] + y(z) + i")};
    struct composition c = {.definitions = list, .ndefinitions = 4};
    struct compose_name *names;
    size_t n;
    assert_int_equal(compose_names(s.arena, &c, &list[0], s.diag, &names, &n), -1);
    assert_non_null(strstr(synth_error(&s), "circular: a uses b, b uses c, c uses a"));
    assert_int_equal(compose_names(s.arena, &c, &list[3], s.diag, &names, &n), 0);
    assert_int_equal(n, 4);
    assert_true(names[0].is_block && names[1].is_block && !names[2].is_block && !names[3].is_block);
    synth_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_and_definitions_have_their_values),
        cmocka_unit_test(constants_vary_together),
        cmocka_unit_test(no_sum_of_times_is_below_zero),
        cmocka_unit_test(a_time_and_a_number_are_a_time),
        cmocka_unit_test(a_sum_of_values_is_a_composition),
        cmocka_unit_test(uncertainty_is_that_of_a_simulation),
        cmocka_unit_test(each_place_has_its_piece),
        cmocka_unit_test(in_a_gap_the_interval_contains_both_sides),
        cmocka_unit_test(circles_are_refused),
    };
    return RUN(tests);
}
