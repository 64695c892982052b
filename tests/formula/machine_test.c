/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions that ask the machine: parsed without one, evaluated with one. */
#include <math.h>
#include <string.h>

#include "fixture.h"

/* A machine whose lat() is a thousandth of the bytes, and which has nothing else. */
static double value(const void *curves, const struct formula_function *f, const double *x, size_t n)
{
    (void)f;
    return n ? *(const double *)curves * x[0] : 7;
}

static const char *lacks(const void *curves, const struct formula_function *f, size_t n,
                         struct arena *arena)
{
    (void)curves;
    (void)n;
    bool known = strcmp(f->name, "lat") == 0 || strcmp(f->name, "flop") == 0;
    return known ? NULL : arena_printf(arena, "no %s here", f->name);
}

static const char *beyond(const void *curves, const struct formula_function *f, const double *x,
                          size_t n, struct arena *arena)
{
    (void)curves;
    (void)f;
    (void)x;
    (void)n;
    (void)arena;
    return NULL;
}

static const double thousandth = 0.001;
static const struct formula_machine machine = {.name = "box-1",
                                               .date = "2026-01-02",
                                               .curves = &thousandth,
                                               .value = value,
                                               .lacks = lacks,
                                               .beyond = beyond};

static const struct formula *parse(const char *text)
{
    return formula_parse_text(a, text, "f", d);
}

static double evaluated(const char *text, double n)
{
    static const char *const names[] = {"N"};
    const double *columns[] = {&n};
    double out = NAN;
    const struct formula_program *p =
        formula_compile(a, formula_bind(a, parse(text), &machine), names, 1, NULL, d);
    assert_non_null(p);
    assert_int_equal(formula_evaluate(p, columns, 1, &out, NULL), 0);
    return out;
}

static void calls_have_the_value_of_the_machine(void **state)
{
    (void)state;
    assert_true(evaluated("2*lat(8*N)", 1000) == 16);
    assert_true(evaluated("N*flop() + lat(N, 2)", 3) == 21.003);
    assert_true(evaluated("log2(N)", 8) == 3);
}

static void a_name_without_parentheses_is_a_variable(void **state)
{
    (void)state;
    struct formula_variables v = formula_variables(a, parse("f[0]*g + f[1]*L*lat + g(L)*bw"));
    assert_int_equal(v.n, 4);
    assert_string_equal(v.list[0].name, "g");
    assert_int_equal(v.list[1].occurrences, 2);
    assert_false(formula_asks_machine(parse("f[0]*g + L*lat")));
    assert_true(formula_asks_machine(parse("f[0] + f[1]*min(1, lat(N))")));
}

static void a_formula_without_such_calls_is_not_copied(void **state)
{
    (void)state;
    const struct formula *f = parse("f[0] + f[1]*N*log2(N)");
    assert_ptr_equal(formula_bind(a, f, &machine), f);
}

static void errors_say_what_is_missing(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"lat()", "lat takes 1 or 2 arguments, not 0"},
        {"flop(N)", "flop takes no arguments, not 1"},
        {"alltoall(N)", "alltoall takes 2 arguments, not 1"},
        {"latency(N)", "there is no function 'latency'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct diag *own = diag_create();
        assert_null(formula_parse_text(a, cases[i].text, "f", own));
        assert_non_null(strstr(diag_first(own, SEVERITY_ERROR), cases[i].message));
        diag_destroy(own);
    }
    static const char *const names[] = {"N"};
    struct diag *own = diag_create();
    assert_null(formula_compile(a, parse("N*lat(N)"), names, 1, NULL, own));
    assert_non_null(
        strstr(diag_first(own, SEVERITY_ERROR), "no machine is in use: say 'machine use NAME'"));
    diag_clear(own);
    assert_null(
        formula_compile(a, formula_bind(a, parse("N*g(N)"), &machine), names, 1, NULL, own));
    assert_non_null(strstr(diag_first(own, SEVERITY_ERROR), "no g here"));
    diag_destroy(own);
}

static void a_factor_of_an_argument_becomes_a_variable(void **state)
{
    (void)state;
    const struct formula *f = parse("f[0] + f[1]*N*lat(8*N*f[2]/P) + N/bw(f.w*N)");
    const struct formula_linear *l = formula_linearize(a, f, NULL, d);
    assert_non_null(l);
    assert_int_equal(l->nterms, 2);
    assert_int_equal(l->nexponents, 2);
    assert_true(l->exponents[0].factor && l->exponents[1].factor);
    assert_string_equal(l->exponents[0].name, "f[2]");
    assert_string_equal(l->exponents[1].name, "f.w");
    assert_string_equal(formula_text(a, l->terms[1].coefficient), "N*lat(f[2]*(8*N/P))");
    assert_string_equal(formula_text(a, l->offset), "N/bw(f.w*N)");
}

static void only_one_factor_is_allowed_in_an_argument(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"f[0]*lat(f[1] + N)", "an argument of lat() may have one constant, as a factor"},
        {"f[0]*lat(f[1]*N + f[2]*P)", "an argument of lat() may have one constant, as a factor"},
        {"f[0]*lat(f[0]*N)", "f[0] is in an argument here and a factor of a term elsewhere"},
        {"f[0]*lat(f[1]*N)*N^f[1]", "f[1] is an exponent and a factor of an argument"},
        {"f[0]*lat(N/f[1])", "something is divided by it"},
        {"log(f[1]*N)", "it is inside log()"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct diag *own = diag_create();
        assert_null(formula_linearize(a, parse(cases[i].text), NULL, own));
        assert_non_null(strstr(diag_first(own, SEVERITY_ERROR), cases[i].message));
        diag_destroy(own);
    }
}

static void words_are_constants_only_inside_such_calls(void **state)
{
    (void)state;
    struct formula_variables v = formula_variables(a, parse("f[0] + f.w*lat(f.w*N)/bw(f.a.b*N)"));
    assert_int_equal(v.n, 3); /* f.w outside, N, f.a.b */
    assert_string_equal(v.list[0].name, "f.w");
    const struct formula *f = parse("f[0]*N*lat(f.w*N) + f[1]/bw(f.w*N)/bw(f.v*N)");
    const char *text = formula_text(a, f);
    assert_string_equal(text, "f[0]*N*lat(f.w*N) + f[1]/bw(f.w*N)/bw(f.v*N)");
    assert_true(formula_same(f, parse(text)));
    assert_false(formula_same(parse("lat(f.w*N)"), parse("lat(f.v*N)")));
}

static void slopes_against_logarithms(void **state)
{
    (void)state;
    static const char *const names[] = {"N", "w"};
    double n = 10, w = 3, slope;
    const double *columns[] = {&n, &w};
    const struct formula *f = formula_bind(a, parse("5*N*lat(w*N)"), &machine);
    formula_evaluate(formula_compile(a, formula_log_slope(a, f, "w"), names, 2, NULL, d), columns,
                     1, &slope, NULL);
    /* lat(w*N) is proportional to w: the slope is the value, but for the width of the step */
    assert_true(fabs(slope / (5 * n * 0.001 * w * n) - 1) < 0.01);
    assert_string_equal(formula_text(a, formula_log_slope(a, parse("N^2"), "w")), "0");
}

static void programs_call_the_machine_by_its_name(void **state)
{
    (void)state;
    const struct formula *f = formula_bind(a, parse("3*flop()*lat(N)"), &machine);
    static const struct {
        enum formula_style style;
        const char *text;
    } cases[] = {
        {FORMULA_TEXT, "3*flop()*lat(N)"},
        {FORMULA_C, "3.0*7.0*cll_lat_box_1__2026_01_02(N, 1.0)"},
        {FORMULA_PYTHON, "3*7*cll_lat_box_1__2026_01_02(N, 1.0)"},
        {FORMULA_LATEX,
         "3 \\cdot \\mathrm{flop}\\left(\\right) \\cdot \\mathrm{lat}\\left(N\\right)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct text t;
        text_init(&t);
        formula_print(&t, f, &(struct formula_print_options){.style = cases[i].style});
        assert_string_equal(t.s, cases[i].text);
        text_free(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(calls_have_the_value_of_the_machine, setup, teardown),
        cmocka_unit_test_setup_teardown(a_name_without_parentheses_is_a_variable, setup, teardown),
        cmocka_unit_test_setup_teardown(a_formula_without_such_calls_is_not_copied, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(errors_say_what_is_missing, setup, teardown),
        cmocka_unit_test_setup_teardown(a_factor_of_an_argument_becomes_a_variable, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(only_one_factor_is_allowed_in_an_argument, setup, teardown),
        cmocka_unit_test_setup_teardown(words_are_constants_only_inside_such_calls, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(slopes_against_logarithms, setup, teardown),
        cmocka_unit_test_setup_teardown(programs_call_the_machine_by_its_name, setup, teardown),
    };
    return RUN(tests);
}
