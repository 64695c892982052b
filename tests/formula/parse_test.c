/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/text.h"
#include "fixture.h"
#include "harness/without_memory.h"

#include <math.h>

/* The value of a formula without variables. */
static double value(const char *text)
{
    const struct formula *f = formula_parse_text(a, text, "f", d);
    if (!f)
        fail_msg("'%s': %s", text, diag_first(d, SEVERITY_ERROR));
    const struct formula_program *p = formula_compile(a, f, NULL, 0, NULL, d);
    double x;
    assert_non_null(p);
    formula_evaluate(p, NULL, 1, &x, NULL);
    return x;
}

static void precedence_is_that_of_mathematics(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double value;
    } cases[] = {
        {"1+2*3", 7},       {"(1+2)*3", 9},    {"2^3^2", 512},      {"-2^2", -4},
        {"(-2)^2", 4},      {"2^-1", 0.5},     {"8/4/2", 1},        {"8-4-2", 2},
        {"1/2", 0.5},       {"7/2*2", 7},      {"- -3", 3},         {"+3", 3},
        {"log(exp(2))", 2}, {"ln(exp(3))", 3}, {"log2(8)", 3},      {"log10(1000)", 3},
        {"sqrt(16)", 4},    {"cbrt(27)", 3},   {"pow(2,10)", 1024}, {"abs(-3)", 3},
        {"floor(2.7)", 2},  {"ceil(2.1)", 3},  {"min(3,1,2)", 1},   {"max(3,1,2)", 3},
        {"1.5e3", 1500},    {".5", 0.5},       {"2e+2", 200},       {"1E-1", 0.1},
        {" 1 +\t2\n", 3},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (!near(value(cases[i].text), cases[i].value, 1e-14))
            fail_msg("%s = %.17g", cases[i].text, value(cases[i].text));
}

static void variables_have_members_and_indices(void **state)
{
    (void)state;
    const struct formula *f =
        formula_parse_text(a, "f[0]*m -> rows + len[ i ] + s.a[3].b + N + N + t[u->k]", "f", d);
    assert_non_null(f);
    struct formula_variables v = formula_variables(a, f);
    assert_int_equal(v.n, 5);
    assert_string_equal(v.list[0].name, "m->rows");
    assert_string_equal(v.list[1].name, "len[i]");
    assert_string_equal(v.list[2].name, "s.a[3].b");
    assert_string_equal(v.list[3].name, "N");
    assert_int_equal(v.list[3].occurrences, 2);
    assert_string_equal(v.list[4].name, "t[u->k]");
    assert_int_equal(v.list[0].span.begin, 5);
    assert_int_equal(v.list[0].span.end, 14);
}

static void another_name_with_an_index_is_a_variable(void **state)
{
    (void)state;
    const struct formula *f = formula_parse_text(a, "f[0] + g[1]", "f", d);
    struct formula_variables v = formula_variables(a, f);
    assert_int_equal(v.n, 1);
    assert_string_equal(v.list[0].name, "g[1]");
}

static void conditions_compare_and_combine(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double value;
    } cases[] = {
        {"1 < 2", 1},
        {"1 < 2 < 3", 1},
        {"3 > 2 > 2", 0},
        {"1 == 1 and 2 != 2", 0},
        {"1 = 1 or 2 = 3", 1},
        {"not 1 > 2", 1},
        {"!(1 > 2) && 2 >= 2", 1},
        {"(1 > 2 or 2 > 1) and 3 <= 3", 1},
        {"1+1 == 2", 1},
        {"(1 < 2) + 1 == 2", 1},
        {"(3 < 2) < 1 == 1", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct source s = {"<c>", cases[i].text, strlen(cases[i].text)};
        const struct formula *f = formula_parse_condition(a, &s, (struct span){0, s.size}, NULL, d);
        if (!f)
            fail_msg("'%s': %s", cases[i].text, diag_first(d, SEVERITY_ERROR));
        const struct formula_program *p = formula_compile(a, f, NULL, 0, NULL, d);
        double x;
        assert_int_equal(formula_evaluate(p, NULL, 1, &x, NULL), 0);
        assert_true(x == cases[i].value);
    }
}

/* Each wrong text, the column of its error and a word of it. */
static void errors_point_at_the_column(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t column;
        const char *word;
    } cases[] = {
        {"", 1, "ends where"},
        {"N +", 4, "ends where"},
        {"2N", 2, "operator is missing"},
        {"N N", 3, "operator is missing"},
        {"(N", 3, "')' is missing"},
        {"N)", 2, "closes nothing"},
        {"sin(N)", 1, "no function"},
        {"log()", 1, "takes 1 argument"},
        {"pow(N)", 1, "takes 2"},
        {"N % 2", 3, "real arithmetic"},
        {"N ** 2", 3, "'^'"},
        {"f[x]", 3, "must be an integer"},
        {"f[1000]", 3, "at most"},
        {"f[1", 4, "']' is missing"},
        {"a[1+1]", 4, "']' is missing"},
        {"a[-1]", 3, "integer or a variable"},
        {"a.", 3, "member"},
        {"1.2.3", 1, "not a number"},
        {"1e999", 1, "not a number"},
        {"N = 3", 3, "write '=='"},
        {"f[0]*(N = 3)", 9, "write '=='"},
        {"f[0]*N and P > 1", 1, "a condition is expected"},
        {"f[0]*!(N > 3)", 6, "not '!'"},
        {"f[0]*or + 1", 6, "'or' joins comparisons"},
        {"+not*3", 2, "'not' joins comparisons"},
        {"@", 1, "not '@'"},
        {"N ? 1 : 2", 3, "has the value 1 or 0"},
        {"a->3", 4, "member"},
        {"* N", 1, "expected here"},
        {"N(3)", 1, "no function"},
        {"N # 3", 3, "is not allowed"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = NULL, place[64];
        size_t size;
        assert_null(formula_parse_text(a, cases[i].text, "f", d));
        assert_int_equal(diag_count(d, SEVERITY_ERROR), 1);
        FILE *out = open_memstream(&text, &size);
        diag_print(d, out, 0);
        fclose(out);
        snprintf(place, sizeof place, "<formula>:1:%zu: error:", cases[i].column);
        if (strncmp(text, place, strlen(place)) != 0 || !strstr(text, cases[i].word))
            fail_msg("'%s' gave: %s", cases[i].text, text);
        free(text);
    }
}

static void a_condition_is_not_a_number(void **state)
{
    (void)state;
    static const char *const wrong[] = {"N", "1 and 2", "not N", "N > 2 and P", "(N > 2) + 1"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct source s = {"<c>", wrong[i], strlen(wrong[i])};
        assert_null(formula_parse_condition(a, &s, (struct span){0, s.size}, NULL, d));
        assert_int_equal(diag_count(d, SEVERITY_ERROR), 1);
        diag_clear(d);
    }
}

static char *repeated(const char *before, const char *middle, const char *after, size_t n)
{
    struct text t;
    text_init(&t);
    for (size_t i = 0; i < n; i++)
        text_add(&t, before);
    text_add(&t, middle);
    for (size_t i = 0; i < n; i++)
        text_add(&t, after);
    char *copy = arena_strdup(a, t.s);
    text_free(&t);
    return copy;
}

static void deep_nesting_is_an_error_not_a_crash(void **state)
{
    (void)state;
    static const char *const before[] = {"(", "-", "log(", "2^", "a[", "1+", "abs(-("};
    static const char *const after[] = {")", "", ")", "", "]", "", "))"};
    for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
        const char *text = repeated(before[i], "N", after[i], 20000 / strlen(before[i]));
        assert_null(formula_parse_text(a, text, "f", d));
        assert_non_null(diag_first(d, SEVERITY_ERROR));
        diag_clear(d);
    }
    assert_non_null(formula_parse_text(a, repeated("(", "N", ")", 150), "f", d));
    assert_non_null(formula_parse_text(a, repeated("N+", "1", "", 1500), "f", d));
}

static void a_formula_that_is_too_long_is_refused(void **state)
{
    (void)state;
    assert_null(formula_parse_text(a, repeated(" ", "N", "", FORMULA_MAX_SIZE), "f", d));
    assert_non_null(strstr(diag_first(d, SEVERITY_ERROR), "longer than"));
}

static void parse_and_print(const void *unused)
{
    (void)unused;
    const struct formula *f =
        formula_parse_text(a, "(f[0]+f[1]*m->rows)*log(N) + f[2]*min(N, P, 3)", "f", d);
    formula_linearize(a, f, NULL, d);
    formula_text(a, f);
}

static void any_allocation_may_fail(void **state)
{
    (void)state;
    long n = 0;
    while (lacks_memory(n, parse_and_print, NULL))
        n++;
    assert_true(n > 0);
}

static const struct formula *parse_definition(const char *text)
{
    struct formula_options options = {.any_constant = true, .references = true};
    struct source *source = arena_alloc(a, 1, sizeof *source);
    *source = (struct source){"<definition>", text, strlen(text)};
    return formula_parse(a, source, (struct span){0, source->size}, &options, d);
}

static void definitions_have_sums_and_references(void **state)
{
    static const char *const texts[] = {"sum(i, 0, log2(P) - 1, fft(N=N/2^i))",
                                        "fft(N/P, 4) + fft",
                                        "A[0](N=N/2, m->rows=3)*A[1]",
                                        "log(N=2) + log(N)",
                                        "f() + f[0]()",
                                        "max(sum(k, 1, 3, k), T(P=1)/(P*T(P)))",
                                        "f@before + f@after[1]*N",
                                        "f@v1.2(N=2*N)/f@2026[0](N=8)",
                                        "log@new(N) + f@\"v1-2\"[3]",
                                        "f@before@\"level=3\""};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const struct formula *f = parse_definition(texts[i]);
        assert_non_null(f);
        assert_string_equal(formula_text(a, f), texts[i]);
        assert_true(formula_same(f, parse_definition(formula_text(a, f))));
    }
    const struct formula *f = parse_definition("A[2](N=8, P=P+1)");
    assert_int_equal(f->kind, FORMULA_REFERENCE);
    assert_int_equal(f->index, 2);
    assert_string_equal(f->arguments[1], "P");
    assert_false(formula_same(f, parse_definition("A[2](N=8, Q=P+1)")));
    assert_false(formula_same(parse_definition("f(N)"), parse_definition("f(N=N)")));
    f = parse_definition("3*sum(i, 0, P, i)");
    assert_int_equal(formula_first(f, FORMULA_SUM)->noperands, 3);
    assert_null(formula_first(f, FORMULA_REFERENCE));
    assert_int_equal(diag_count(d, SEVERITY_ERROR), 0);
}

/* The name of the first part of an experiment in a definition, where the data have these labels. */
static const char *part_in(const char *text, const char *const *labels)
{
    struct formula_options options = {.any_constant = true, .references = true, .labels = labels};
    struct source *source = arena_alloc(a, 1, sizeof *source);
    *source = (struct source){"<definition>", text, strlen(text)};
    const struct formula *f = formula_parse(a, source, (struct span){0, source->size}, &options, d);
    assert_non_null(f);
    const struct formula *constant = formula_first(f, FORMULA_CONSTANT),
                         *value = formula_first(f, FORMULA_REFERENCE);
    assert_true(constant || value);
    return constant ? constant->name : value->name;
}

static void definitions_name_versions_and_values(void **state)
{
    static const char *const labels[] = {"new", "new-x", "new-xy+1", NULL};
    (void)state;
    assert_string_equal(part_in("f@new-x", NULL), "f@new"); /* minus x */
    assert_string_equal(part_in("f@new-x", labels), "f@new-x");
    assert_string_equal(part_in("f@new-xy", labels), "f@new");
    assert_string_equal(part_in("f@new-xy+1[0]+2", labels), "f@new-xy+1");
    assert_string_equal(part_in("f@new - x", labels), "f@new");
    assert_string_equal(part_in("f@\"other-x\"[0]", labels), "f@other-x");
    assert_string_equal(part_in("f@level=3*N", NULL), "f@level=3");
    assert_string_equal(part_in("f@level=-2.5e-3-1", NULL), "f@level=-2.5e-3");
    assert_string_equal(part_in("f@m.rows=4K(N=3)", NULL), "f@m.rows=4K");
    assert_string_equal(part_in("f@\"N=2^20\"(P=3)", NULL), "f@N=2^20");
    assert_string_equal(part_in("f@new@level=3[1](N=f@x=1)", NULL), "f@new@level=3");
    assert_int_equal(diag_count(d, SEVERITY_ERROR), 0);
    /* not in formulas that are fitted */
    assert_null(formula_parse_text(a, "f@new[0]*N", "f", d));
    assert_non_null(strstr(diag_first(d, SEVERITY_ERROR), "'@' is not allowed here"));
}

static void wrong_sums_and_references_are_errors(void **state)
{
    static const char *const texts[] = {"sum(3, 0, 1, N)",
                                        "sum(i, 0, 1)",
                                        "sum(i, 0, 1, N, 2)",
                                        "sum(i 0, 1, N)",
                                        "f(N=1, N=2)",
                                        "f(N=1, 2)",
                                        "f[0](3)",
                                        "f(N=)",
                                        "f(N==1)",
                                        "f(",
                                        "f(a.=1)",
                                        "f[0](N=1",
                                        "f(N>=1)",
                                        "f@",
                                        "f@ before",
                                        "f@[0]",
                                        "f@(N=3)",
                                        "f@\"before",
                                        "f@\"\"",
                                        "f@\"a b\"",
                                        "f@\"a@b\"",
                                        "f@before[x]",
                                        "f@before@",
                                        "f@before 3",
                                        "sum(i, 0, 1, i"};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        assert_null(parse_definition(texts[i]));
        assert_int_equal(diag_count(d, SEVERITY_ERROR), i + 1);
    }
    /* formulas that are fitted have neither */
    assert_null(formula_parse_text(a, "f[0]*sum(i, 0, 3, N)", "f", d));
    assert_null(formula_parse_text(a, "f[0]*g(N=3)", "f", d));
    const struct formula *f = parse_definition("sum(i, 0, 3, N)");
    assert_null(formula_compile(a, f, (const char *const[]){"N", "i"}, 2, NULL, d));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(precedence_is_that_of_mathematics, setup, teardown),
        cmocka_unit_test_setup_teardown(variables_have_members_and_indices, setup, teardown),
        cmocka_unit_test_setup_teardown(another_name_with_an_index_is_a_variable, setup, teardown),
        cmocka_unit_test_setup_teardown(conditions_compare_and_combine, setup, teardown),
        cmocka_unit_test_setup_teardown(errors_point_at_the_column, setup, teardown),
        cmocka_unit_test_setup_teardown(a_condition_is_not_a_number, setup, teardown),
        cmocka_unit_test_setup_teardown(deep_nesting_is_an_error_not_a_crash, setup, teardown),
        cmocka_unit_test_setup_teardown(a_formula_that_is_too_long_is_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(any_allocation_may_fail, setup, teardown),
        cmocka_unit_test_setup_teardown(definitions_have_sums_and_references, setup, teardown),
        cmocka_unit_test_setup_teardown(definitions_name_versions_and_values, setup, teardown),
        cmocka_unit_test_setup_teardown(wrong_sums_and_references_are_errors, setup, teardown),
    };
    return RUN(tests);
}
