/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fixture.h"

#include <math.h>

/* "f[0]: 1; f[1]: log(P); + offset" */
static const char *canonical(const char *text)
{
    const struct formula *f = formula_parse_text(a, text, "f", d);
    assert_non_null(f);
    const struct formula_linear *l = formula_linearize(a, f, NULL, d);
    if (!l)
        return NULL;
    char *s = arena_strdup(a, "");
    for (size_t i = 0; i < l->nterms; i++)
        s = arena_printf(a, "%sf[%u]: %s; ", s, l->terms[i].index,
                         formula_text(a, l->terms[i].coefficient));
    return l->offset ? arena_printf(a, "%s+ %s", s, formula_text(a, l->offset)) : s;
}

static void coefficients_are_extracted_from_any_linear_form(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"f[0]+f[1]*log(P)+f[2]*(N/P)*log(N/P)+f[3]*N*(P-1)/P",
         "f[0]: 1; f[1]: log(P); f[2]: N/P*log(N/P); f[3]: N*(P - 1)/P; "},
        {"(f[0] + f[1]*N)*log(N)", "f[0]: log(N); f[1]: N*log(N); "},
        {"f[1]*N + f[0]", "f[0]: 1; f[1]: N; "},
        {"f[0] - f[1]*N", "f[0]: 1; f[1]: -1*N; "},
        {"-(f[0] - 3)", "f[0]: -1; + 3"},
        {"f[0]*N + 2*N*f[0]", "f[0]: N + 2*N; "},
        {"N*(f[0]+f[1])/P + 5e-9", "f[0]: N/P; f[1]: N/P; + 5e-09"},
        {"log(N) + 1", "+ log(N) + 1"},
        {"f[0]^1*N", "f[0]: N; "},
        {"f[2]", "f[2]: 1; "},
        {"(P > 1)*(f[0] + f[1]*N) + (P > 2)", "f[0]: P > 1; f[1]: (P > 1)*N; + P > 2"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(canonical(cases[i][0]), cases[i][1]);
}

/* Extraction is right whatever the form: the canonical sum has the same value as the formula. */
static void the_canonical_form_has_the_same_value(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "f[0]+f[1]*log(P)+f[2]*(N/P)*log(N/P)+f[3]*N*(P-1)/P",
        "(f[0] + f[1]*N)*log(N)/2 - -(f[2]*P - 7)*3",
        "((f[0]-1)*N + (2 - f[1])*P)/(N+P) - f[3]",
        "f[0] + max(f[1]*N, f[2]*P, 40)",
        "f[0] + 2*max(f[1]*N, f[2]*P)",
        "min(f[0]*N, f[1]*P) - 3*max(f[2], f[3]) + f[0]",
        "max(f[0] + min(f[1]*N, f[2]*P), f[3]*P)/N",
        "max(f[0]*N, f[1]*N - 13)",
        "max(1, f[1]*N, 3, f[2]*P)",
    };
    static const char *const names[] = {"N", "P", "f[0]", "f[1]", "f[2]", "f[3]"};
    const double n = 13, p = 5, c[] = {2, 3, 5, 7};
    const double *columns[] = {&n, &p, &c[0], &c[1], &c[2], &c[3]};
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        const struct formula *f = formula_parse_text(a, texts[t], "f", d);
        const struct formula_linear *l = formula_linearize(a, f, NULL, d);
        double whole, sum = 0, x, constants[4];
        for (size_t i = 0; i < l->nterms; i++)
            constants[i] = c[l->terms[i].index];
        formula_evaluate(formula_compile(a, f, names, 6, NULL, d), columns, 1, &whole, NULL);
        for (size_t i = 0; i < l->nterms; i++) {
            const struct formula *k = formula_choose(a, l, l->terms[i].coefficient, constants);
            formula_evaluate(formula_compile(a, k, names, 2, NULL, d), columns, 1, &x, NULL);
            sum += c[l->terms[i].index] * x;
        }
        if (l->offset) {
            const struct formula *k = formula_choose(a, l, l->offset, constants);
            formula_evaluate(formula_compile(a, k, names, 2, NULL, d), columns, 1, &x, NULL);
            sum += x;
        }
        assert_near(sum, whole, 1e-13);
    }
}

static void what_is_not_linear_names_the_constant(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"f[0]*f[1]", "f[1] makes the formula non-linear: it is multiplied by f[0]"},
        {"N/f[2]", "f[2] makes the formula non-linear: something is divided by it"},
        {"f[1]^2", "f[1] makes the formula non-linear: something with it is raised to a power"},
        {"N^(2*f[1])", "f[1] makes the formula non-linear: an exponent must be a number or one"},
        {"f[0]^f[1]", "f[0] makes the formula non-linear: something with it is raised to a power"},
        {"f[1]*N^f[1]", "f[1] is an exponent here and a factor elsewhere"},
        {"N^f[1] + N^f[2] + N^f[3] + N^f[4]", "f[4] is one exponent too many"},
        {"f[0]*log(N^f[1])", "f[1] makes the formula non-linear"},
        {"log(f[3]*N)", "f[3] makes the formula non-linear: it is inside log()"},
        {"f[1]*exp(f[2]*N)",
         "f[2] makes the formula non-linear: it is inside exp(), where a number"},
        {"f[1]*N*log(N + f[2])", "f[2] makes the formula non-linear: it is inside log(), where a"},
        {"exp(f[2]*N)*f[1]", "f[2] makes the formula non-linear: it is inside exp()"},
        {"pow(f[0], 2)", "f[0] makes the formula non-linear: something with it is raised to a"},
        {"sqrt(f[0])", "f[0] makes the formula non-linear: it is inside sqrt()"},
        {"max(f[0], f[1]*f[2])", "f[2] makes the formula non-linear: it is multiplied by f[1]"},
        {"f[0]*max(f[1], N)", "f[1] makes the formula non-linear: it is multiplied by f[0]"},
        {"max(f[0], N)^2", "f[0] makes the formula non-linear: something with it is raised"},
        {"log(max(f[0], N))", "f[0] makes the formula non-linear: it is inside log()"},
        {"max(f[0]*N, N^f[1])", "f[1] is an exponent, and max() or min() has operands with"},
        {"max(f[0], 1, 2, 3, 4, 5, 6, 7, 8, 9)", "max() is one too many: at most 8 operands"},
        {"f[0]*(f[1] > 3)", "f[1] makes the formula non-linear: a comparison with it jumps"},
        {"f[0] + N*(N^f[1] <= P)", "f[1] makes the formula non-linear: a comparison with it jumps"},
        {"f[0] > 1", "f[0] makes the formula non-linear: a comparison with it jumps"},
        {"(f[0]+1)*(f[0]+2)", "f[0] makes the formula non-linear: it is multiplied by f[0]"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_null(canonical(cases[i][0]));
        assert_non_null(strstr(diag_first(d, SEVERITY_ERROR), cases[i][1]));
        diag_clear(d);
    }
}

/* Counts belong to all operands; a sum takes the place of max() and min(). */
static void without_constants_every_operand_counts(void **state)
{
    (void)state;
    const struct formula *f = formula_parse_text(a, "f[0] + max(f[1]*N, f[2]*P, 40*N)", "f", d);
    const struct formula_linear *l = formula_linearize(a, f, NULL, d);
    static const char *const terms[] = {"1", "N", "P"};
    assert_int_equal(l->nchoices, 2);
    for (size_t i = 0; i < l->nterms; i++)
        assert_string_equal(formula_text(a, formula_choose(a, l, l->terms[i].coefficient, NULL)),
                            terms[i]);
    assert_string_equal(formula_text(a, formula_choose(a, l, l->offset, NULL)), "40*N");
}

static void exponents_become_variables(void **state)
{
    (void)state;
    assert_string_equal(canonical("f[0] + f[1]*N^f[2]*log(N)/P^f[3]"),
                        "f[0]: 1; f[1]: N^f[2]*log(N)/P^f[3]; ");
    assert_string_equal(canonical("f[1]*pow(N, f[2])"), "f[1]: N^f[2]; ");
    const struct formula *f = formula_parse_text(a, "f[1]*N^f[2]/P^f[3] + N^f[2]", "f", d);
    const struct formula_linear *l = formula_linearize(a, f, NULL, d);
    assert_int_equal(l->nterms, 1);
    assert_int_equal(l->nexponents, 2);
    assert_string_equal(l->exponents[0].name, "f[2]");
    assert_int_equal(l->exponents[1].index, 3);
    assert_string_equal(formula_text(a, l->offset), "N^f[2]");
}

/* The derivative agrees with a difference quotient. */
static void derivatives_are_slopes(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "N^e", "3*N^e*log(N)/P",          "(1 + N^e)*(P - N^e)", "P/N^e", "-(N^e) + e*P",
        "N*P", "(N > 3)*N^e + (P > N)*e",
    };
    static const char *const names[] = {"N", "P", "e"};
    double n = 13, p = 5, e = 1.3, step = 1e-6, low, high, slope;
    const double *columns[] = {&n, &p, &e};
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        const struct formula *f = formula_parse_text(a, texts[t], "f", d);
        const struct formula *df = formula_derivative(a, f, "e");
        assert_non_null(df);
        const struct formula_program *program = formula_compile(a, f, names, 3, NULL, d);
        formula_evaluate(formula_compile(a, df, names, 3, NULL, d), columns, 1, &slope, NULL);
        e = 1.3 - step;
        formula_evaluate(program, columns, 1, &low, NULL);
        e = 1.3 + step;
        formula_evaluate(program, columns, 1, &high, NULL);
        e = 1.3;
        assert_true(fabs(slope - (high - low) / (2 * step)) < 1e-6 * (1 + fabs(slope)));
    }
    assert_null(formula_derivative(a, formula_parse_text(a, "log(e)", "f", d), "e"));
    assert_null(formula_derivative(a, formula_parse_text(a, "e^2", "f", d), "e"));
    assert_null(formula_derivative(a, formula_parse_text(a, "(e > 2)*N", "f", d), "e"));
}

static void constants_of_several_experiments_stay_apart(void **state)
{
    (void)state;
    struct source s = {"<define>", "log2(P)*(A[0]+B[0]) + G[1]*N + A[1]", 35};
    struct formula_options options = {.any_constant = true};
    const struct formula *f = formula_parse(a, &s, (struct span){0, s.size}, &options, d);
    const struct formula_linear *l = formula_linearize(a, f, &s, d);
    assert_int_equal(l->nterms, 4);
    assert_string_equal(l->terms[0].experiment, "A");
    assert_int_equal(l->terms[1].index, 1);
    assert_string_equal(l->terms[2].experiment, "B");
    assert_string_equal(l->terms[3].experiment, "G");
}

static void variables_can_be_replaced(void **state)
{
    (void)state;
    const struct formula *f = formula_parse_text(a, "f[0]*n*log(n) + m", "f", d);
    const struct formula *by = formula_parse_text(a, "N/P", "f", d);
    const char *names[] = {"n"};
    assert_string_equal(formula_text(a, formula_substitute(a, f, names, &by, 1)),
                        "f[0]*(N/P)*log(N/P) + m");
    assert_true(formula_same(f, formula_parse_text(a, "f[0] * n * log( n )+m", "f", d)));
    assert_false(formula_same(f, formula_parse_text(a, "f[1]*n*log(n) + m", "f", d)));
    assert_false(formula_same(f, formula_parse_text(a, "f[0]*n*log2(n) + m", "f", d)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(coefficients_are_extracted_from_any_linear_form, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(the_canonical_form_has_the_same_value, setup, teardown),
        cmocka_unit_test_setup_teardown(what_is_not_linear_names_the_constant, setup, teardown),
        cmocka_unit_test_setup_teardown(without_constants_every_operand_counts, setup, teardown),
        cmocka_unit_test_setup_teardown(exponents_become_variables, setup, teardown),
        cmocka_unit_test_setup_teardown(derivatives_are_slopes, setup, teardown),
        cmocka_unit_test_setup_teardown(constants_of_several_experiments_stay_apart, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(variables_can_be_replaced, setup, teardown),
    };
    return RUN(tests);
}
