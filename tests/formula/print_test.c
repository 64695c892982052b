/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/text.h"
#include "fixture.h"

static const char *styled(const char *text, enum formula_style style)
{
    const struct formula *f = formula_parse_text(a, text, "f", d);
    assert_non_null(f);
    struct text t;
    text_init(&t);
    formula_print(&t, f, &(struct formula_print_options){.style = style});
    const char *copy = arena_strdup(a, t.s);
    text_free(&t);
    return copy;
}

static void text_reads_back_as_the_same_tree(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "f[0]+f[1]*log(P)+f[2]*(N/P)*log(N/P)+f[3]*N*(P-1)/P",
        "a-(b-c)",
        "a/(b/c)",
        "a/(b*c)",
        "(a+b)+c",
        "a+(b+c)",
        "-(a+b)",
        "(-a)^2",
        "-a^2",
        "2^(-a)",
        "(a^b)^c",
        "a^b^c",
        "a--b",
        "a*-b",
        "- - -a",
        "min(a,b,c)*max(a,b)",
        "1e-9*m->rows[i]",
        "(a*b)/c*d",
        "a-(-b)",
        "f[0] + f[1]*(P > 1)*N",
        "(a < b) < c",
        "a <= b < c",
        "f[0]*(a > 1 and not b == 2 or c != 3)",
        "not (a > 1 or b > 1)",
        "-(a >= 2)^2",
        "min(a < 1, b)",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const struct formula *f = formula_parse_text(a, texts[i], "f", d);
        const char *text = formula_text(a, f);
        const struct formula *again = formula_parse_text(a, text, "f", d);
        if (!again || !formula_same(f, again))
            fail_msg("'%s' printed '%s'", texts[i], text);
    }
}

static void each_language_gets_its_own_spelling(void **state)
{
    (void)state;
    const char *text = "f[0] + f[1]*N^2*log2(m->rows)/3 + min(N, 4, P)";
    assert_string_equal(styled(text, FORMULA_TEXT),
                        "f[0] + f[1]*N^2*log2(m->rows)/3 + min(N, 4, P)");
    assert_string_equal(styled(text, FORMULA_C),
                        "f[0] + f[1]*pow(N, 2.0)*log2(m_rows)/3.0 + fmin(fmin(N, 4.0), P)");
    assert_string_equal(styled(text, FORMULA_GNUPLOT),
                        "f_0 + f_1*N**2.0*cll_log2(m_rows)/3.0 + cll_min(cll_min(N, 4.0), P)");
    assert_string_equal(styled(text, FORMULA_PYTHON),
                        "f[0] + f[1]*math.pow(N, 2)*math.log2(m_rows)/3 + min(N, 4, P)");
    assert_string_equal(
        styled(text, FORMULA_LATEX),
        "f_{0} + \\frac{f_{1} \\cdot {N}^{2} \\cdot \\log_2\\left(\\mathrm{m->rows}\\right)}{3} + "
        "\\min\\left(N, 4, P\\right)");
    assert_string_equal(styled("1e-9*a_b", FORMULA_LATEX),
                        "1\\cdot 10^{-9} \\cdot \\mathrm{a\\_b}");
}

static void a_comparison_is_a_real_number_in_each_language(void **state)
{
    (void)state;
    const char *text = "f[1]*(P > 1)/(not N <= 4 and P != 2)";
    assert_string_equal(styled(text, FORMULA_TEXT), "f[1]*(P > 1)/(not N <= 4 and P != 2)");
    assert_string_equal(styled(text, FORMULA_C),
                        "f[1]*(P > 1.0 ? 1.0 : 0.0)/(!(N <= 4.0) && P != 2.0 ? 1.0 : 0.0)");
    assert_string_equal(styled(text, FORMULA_GNUPLOT),
                        "f_1*(P > 1.0 ? 1.0 : 0.0)/(!(N <= 4.0) && P != 2.0 ? 1.0 : 0.0)");
    assert_string_equal(styled(text, FORMULA_PYTHON),
                        "f[1]*(1.0 if P > 1 else 0.0)/(1.0 if not N <= 4 and P != 2 else 0.0)");
    assert_string_equal(styled("f[1]*(P >= 2)", FORMULA_LATEX),
                        "f_{1} \\cdot \\left[P \\ge 2\\right]");
    assert_string_equal(styled("(not N == 4 or P < 1)", FORMULA_LATEX),
                        "\\left[\\lnot \\left(N = 4\\right) \\lor P < 1\\right]");
}

static void a_minus_never_becomes_a_decrement(void **state)
{
    (void)state;
    assert_string_equal(styled("- - N", FORMULA_C), "- -N");
    assert_string_equal(styled("a - -b", FORMULA_C), "a - -b");
}

static const char *spell_constant(void *user, const char *experiment, unsigned index)
{
    (void)user;
    static char buffer[64];
    snprintf(buffer, sizeof buffer, "%s_%u_value", experiment, index);
    return buffer;
}

static void the_caller_may_spell_constants(void **state)
{
    (void)state;
    struct text t;
    text_init(&t);
    const struct formula *f = formula_parse_text(a, "f[0]*N", "f", d);
    formula_print(&t, f,
                  &(struct formula_print_options){.style = FORMULA_C, .constant = spell_constant});
    assert_string_equal(t.s, "f_0_value*N");
    text_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(text_reads_back_as_the_same_tree, setup, teardown),
        cmocka_unit_test_setup_teardown(each_language_gets_its_own_spelling, setup, teardown),
        cmocka_unit_test_setup_teardown(a_comparison_is_a_real_number_in_each_language, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(a_minus_never_becomes_a_decrement, setup, teardown),
        cmocka_unit_test_setup_teardown(the_caller_may_spell_constants, setup, teardown),
    };
    return RUN(tests);
}
