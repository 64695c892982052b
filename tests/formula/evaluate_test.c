/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/text.h"
#include "fixture.h"

#include <math.h>

static const struct formula_program *compiled(const char *text)
{
    static const char *const columns[] = {"N", "P"};
    const struct formula_program *p =
        formula_compile(a, formula_parse_text(a, text, "f", d), columns, 2, NULL, d);
    assert_non_null(p);
    return p;
}

static void columns_of_any_length_are_evaluated(void **state)
{
    (void)state;
    enum { MOST = 1000 };
    double n[MOST], p[MOST], out[MOST];
    const double *columns[] = {n, p};
    for (size_t i = 0; i < MOST; i++) {
        n[i] = (double)i + 1;
        p[i] = (double)(i % 7) + 1;
    }
    const struct formula_program *program = compiled("(N/P)*log(N/P) + N^2 - sqrt(P)*floor(N/2)");
    static const size_t lengths[] = {0, 1, 127, 128, 129, 256, 1000};
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
        assert_int_equal(formula_evaluate(program, columns, lengths[k], out, NULL), 0);
        for (size_t i = 0; i < lengths[k]; i++)
            assert_near(out[i],
                        n[i] / p[i] * log(n[i] / p[i]) + n[i] * n[i] - sqrt(p[i]) * floor(n[i] / 2),
                        1e-13);
    }
}

/* The sample a formula cannot take is named, even when a later operation hides it. */
static void a_value_that_does_not_exist_is_named(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double n;
        const char *what;
    } cases[] = {
        {"log(N)", 0, "log(N) with N = 0"},
        {"P*log(N - 3)", 3, "log(N - 3) with N = 3"},
        {"1/N", 0, "1/N with N = 0"},
        {"exp(-1/N)", 0, "-1/N with N = 0"},
        {"sqrt(N)", -4, "sqrt(N) with N = -4"},
        {"N^0.5", -4, "N^0.5 with N = -4"},
        {"min(1/N, 2)", 0, "1/N with N = 0"},
        {"N*P", (double)NAN, "N has no value"},
        {"min(N, 2)", (double)NAN, "N has no value"},
        {"exp(N)", 1e6, "exp(N) with N = 1000000"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double n[200], p[200], out[200];
        const double *columns[] = {n, p};
        for (size_t k = 0; k < 200; k++)
            n[k] = p[k] = 5;
        n[150] = n[160] = cases[i].n;
        struct formula_trouble trouble;
        assert_int_equal(formula_evaluate(compiled(cases[i].text), columns, 200, out, &trouble), 1);
        assert_int_equal(trouble.row, 150);
        assert_string_equal(trouble.what, cases[i].what);
        assert_true(isfinite(out[149]));
    }
}

static void a_variable_without_a_column_is_an_error(void **state)
{
    (void)state;
    static const char *const columns[] = {"N"};
    const struct formula *f = formula_parse_text(a, "f[0]*M", "f", d);
    assert_null(formula_compile(a, f, columns, 1, NULL, d));
    assert_non_null(strstr(diag_first(d, SEVERITY_ERROR), "no column 'f[0]'"));
}

static void deep_expressions_need_no_deep_stack(void **state)
{
    (void)state;
    struct text t;
    text_init(&t);
    for (int i = 0; i < 150; i++)
        text_add(&t, "N+(");
    text_add(&t, "P");
    for (int i = 0; i < 150; i++)
        text_add(&t, ")");
    double n = 1, p = 1, out;
    const double *columns[] = {&n, &p};
    assert_int_equal(formula_evaluate(compiled(t.s), columns, 1, &out, NULL), 0);
    assert_true(out == 151);
    text_free(&t);
}

static void conditions_on_a_missing_value_are_false(void **state)
{
    (void)state;
    static const char *const names[] = {"N"};
    struct source s = {"<c>", "N >= 4", 6};
    const struct formula *f = formula_parse_condition(a, &s, (struct span){0, 6}, NULL, d);
    const struct formula_program *program = formula_compile(a, f, names, 1, &s, d);
    double n[] = {3, 4, (double)NAN, 5}, out[4];
    const double *columns[] = {n};
    assert_int_equal(formula_evaluate(program, columns, 4, out, NULL), 0);
    assert_true(out[0] == 0 && out[1] == 1 && out[2] == 0 && out[3] == 1);
}

/* Where a comparison is a number, a missing value stays visible. */
static void comparisons_are_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double at_3, at_5;
    } cases[] = {
        {"(N > 4)*10 + P", 1, 11},
        {"(N >= 3) + (N < 5) + (N <= 5)*2 + (N == 5)*4 + (N != 5)*8", 12, 7},
        {"7*(2 <= N < 5)", 7, 0},
        {"7*(N > 4 or P > 4)", 0, 7},
        {"7*(N > 4 and P < 4)", 0, 7},
        {"7*(not N > 4)", 7, 0},
        {"max(N > 4, 0.5)", 0.5, 1},
    };
    double n[] = {3, 5, (double)NAN}, p[] = {1, 1, 1}, out[3];
    const double *columns[] = {n, p};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct formula_trouble trouble;
        const struct formula_program *program = compiled(cases[i].text);
        assert_int_equal(formula_evaluate(program, columns, 2, out, &trouble), 0);
        assert_true(out[0] == cases[i].at_3 && out[1] == cases[i].at_5);
        assert_int_equal(formula_evaluate(program, columns, 3, out, &trouble), 1);
        assert_int_equal(trouble.row, 2);
        assert_string_equal(trouble.what, "N has no value");
        const double *row[] = {&n[2], &p[2]};
        assert_true(isnan(formula_value(program, row)));
    }
}

/* One row alone has the value that a column of one row has, or none. */
static void one_row_has_the_same_value(void **state)
{
    (void)state;
    static const char *const texts[] = {"(N/P)*log(N/P) + N^2 - sqrt(P)*floor(N/2)", "-N", "3",
                                        "N^P + max(N, P, 2)*min(1, P) - (N - 1)/(P + 1)"};
    double n = 5, p = 3, out;
    const double *columns[] = {&n, &p};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        const struct formula_program *program = compiled(texts[k]);
        assert_int_equal(formula_evaluate(program, columns, 1, &out, NULL), 0);
        assert_true(formula_value(program, columns) == out);
    }
    n = 0;
    assert_true(isnan(formula_value(compiled("exp(-1/N)"), columns)));
    assert_true(isnan(formula_value(compiled("log(N)"), columns)));
    struct text deep;
    text_init(&deep);
    for (int i = 0; i < 150; i++)
        text_add(&deep, "1+(");
    text_add(&deep, "P");
    for (int i = 0; i < 150; i++)
        text_add(&deep, ")");
    assert_true(formula_value(compiled(deep.s), columns) == 153);
    text_free(&deep);
}

/* twice(x) = 2*x */
static double twice(const void *curves, const struct formula_function *f, const double *x, size_t n)
{
    (void)curves;
    (void)f;
    return n == 1 ? 2 * x[0] : 0;
}

static void functions_that_the_caller_adds(void **state)
{
    (void)state;
    static const struct formula_function more[] = {{"twice", 1, 1, "two times x", NULL, NULL},
                                                   {NULL, 0, 0, NULL, NULL, NULL}};
    static const struct formula_machine computer = {.name = "", .date = "", .value = twice};
    const struct formula_options options = {.functions = more, .computer = &computer};
    static const char *const names[] = {"N"};
    double n = 3, out;
    const double *columns[] = {&n};
    struct source s = {"<f>", "twice(N) + max(twice(1), N)", 27};
    const struct formula *f = formula_parse(a, &s, (struct span){0, s.size}, &options, d);
    assert_non_null(f);
    const struct formula_program *program = formula_compile(a, f, names, 1, &s, d);
    assert_int_equal(formula_evaluate(program, columns, 1, &out, NULL), 0);
    assert_true(out == 9 && formula_value(program, columns) == 9);
    assert_string_equal(formula_text(a, f), "twice(N) + max(twice(1), N)");
    /* other formulas have them not */
    assert_null(formula_parse_text(a, "twice(N)", "f", d));
    diag_clear(d);
    struct source wrong = {"<f>", "thrice(N)", 9};
    assert_null(formula_parse(a, &wrong, (struct span){0, 9}, &options, d));
    assert_non_null(strstr(diag_first(d, SEVERITY_ERROR),
                           "there is no function 'thrice'; there are twice, log (natural), ln"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(columns_of_any_length_are_evaluated, setup, teardown),
        cmocka_unit_test_setup_teardown(a_value_that_does_not_exist_is_named, setup, teardown),
        cmocka_unit_test_setup_teardown(a_variable_without_a_column_is_an_error, setup, teardown),
        cmocka_unit_test_setup_teardown(deep_expressions_need_no_deep_stack, setup, teardown),
        cmocka_unit_test_setup_teardown(conditions_on_a_missing_value_are_false, setup, teardown),
        cmocka_unit_test_setup_teardown(comparisons_are_numbers, setup, teardown),
        cmocka_unit_test_setup_teardown(one_row_has_the_same_value, setup, teardown),
        cmocka_unit_test_setup_teardown(functions_that_the_caller_adds, setup, teardown),
    };
    return RUN(tests);
}
