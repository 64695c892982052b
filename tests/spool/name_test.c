/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rule of names: what may stand in a data file, and nothing that acts elsewhere. */
#include "harness/unit.h"

#include "spool/name.h"

static int is(enum cll_name kind, const char *name)
{
    return cll_name_is(kind, name, strlen(name));
}

static void variables_are_names_joined(void **state)
{
    (void)state;
    static const char *const good[] = {"n",    "N_1",          "m->rows",   "v.size",
                                       "a[i]", "a[3]",         "a[b[i]].c", "größe",
                                       "_x",   "a[i].b->c[0]", "変数",      "a[i][j]"};
    static const char *const bad[] = {"",      "1n",    "a b",  "a.",    "a->",  "a[",       "a[]",
                                      "a[-1]", "a]",    ".a",   "a..b",  "a;b",  "a*/",      "a\"",
                                      "a'b",   "a`b`",  "$(a)", "a%20b", "a\nb", "a\x1b[2J", "a::b",
                                      "a->1",  "a[1x]", "a|b",  "a\\b",  "a#b"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        if (!is(CLL_NAME_VARIABLE, good[i]))
            fail_msg("'%s' is refused", good[i]);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (is(CLL_NAME_VARIABLE, bad[i]))
            fail_msg("'%s' is taken", bad[i]);
}

static void experiments_may_have_encoded_bytes(void **state)
{
    (void)state;
    static const char *const good[] = {"sort", "Matrix::mul%3Cint%3E", "my%20sort", "3d",
                                       "a.b->c[1]"};
    static const char *const bad[] = {"",    "a b",  "a*/b", "a%2", "a%2g", "a%ff",  "a:b", "a-b",
                                      "a'b", "a\"b", "a;b",  "<a>", "a\tb", "a\x7f", "{a}"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        if (!is(CLL_NAME_EXPERIMENT, good[i]))
            fail_msg("'%s' is refused", good[i]);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (is(CLL_NAME_EXPERIMENT, bad[i]))
            fail_msg("'%s' is taken", bad[i]);
}

static void observables_may_be_events(void **state)
{
    (void)state;
    static const char *const good[] = {"CLOCK", "page-faults", "PAPI_L1_DCM", "perf::CYCLES:u=0",
                                       "rapl:::PACKAGE_ENERGY:PACKAGE0"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        if (!is(CLL_NAME_OBSERVABLE, good[i]))
            fail_msg("'%s' is refused", good[i]);
    assert_false(is(CLL_NAME_OBSERVABLE, "a*b"));
    assert_false(is(CLL_NAME_OBSERVABLE, "a b"));
    assert_false(is(CLL_NAME_OBSERVABLE, "a'b"));
}

static void control_characters_never_get_in(void **state)
{
    (void)state;
    static const char *const bad[] = {"a\xc2\x9b"
                                      "2J", /* CSI as one character */
                                      "a\x9b"
                                      "2J", /* and as a byte */
                                      "a\xe2\x80\xae"
                                      "b", /* turns the text around */
                                      "a\xe2\x80\x8b"
                                      "b", /* has no width */
                                      "a\xc0\xaf"
                                      "b",
                                      "a\xed\xa0\x80"
                                      "b",
                                      "a\xf4\x90\x80\x80"
                                      "b",
                                      "a\xe2\x82",
                                      "a\xff"};
    for (int kind = CLL_NAME_VARIABLE; kind <= CLL_NAME_OBSERVABLE; kind++) {
        for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
            assert_false(is((enum cll_name)kind, bad[i]));
        assert_false(cll_name_is((enum cll_name)kind, "a\0b", 3));
    }
    char text[] = "a b\n\x1b\xc2\x9b\xc3\xa9%\t";
    cll_name_clean(text);
    assert_string_equal(text, "a b????\xc3\xa9% ");
}

static const char *written(enum cll_name kind, const char *text)
{
    static char out[256];
    size_t n = 0;
    for (size_t left = strlen(text), used; left; text += used, left -= used)
        n += cll_name_write(kind, text, left, out + n, &used);
    out[n] = 0;
    return out;
}

static void each_text_is_written_by_its_rule(void **state)
{
    static const struct {
        const char *text, *experiment, *observable, *file, *rest;
    } cases[] = {
        {"a b", "a%20b", "a%20b", "a%20b", "a b"},
        {"50%", "50%25", "50%25", "50%25", "50%"},
        {"a(b)", "a%28b%29", "a%28b%29", "a(b)", "a(b)"},
        {"#a", "%23a", "%23a", "%23a", "#a"},
        {"a::b:c", "a::b%3Ac", "a::b:c", "a::b:c", "a::b:c"},
        {"a->b-c", "a->b%2Dc", "a->b-c", "a->b-c", "a->b-c"},
        {"a\nb\x7f", "a%0Ab%7F", "a%0Ab%7F", "a%0Ab%7F", "a%0Ab%7F"},
        {"a\tb", "a%09b", "a%09b", "a%09b", "a\tb"},
        {"größe\x9b", "größe%9B", "größe%9B", "größe\x9b", "größe\x9b"},
        {"a\xe2\x80\xae", "a%E2%80%AE", "a%E2%80%AE", "a\xe2\x80\xae", "a\xe2\x80\xae"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_string_equal(written(CLL_NAME_EXPERIMENT, cases[i].text), cases[i].experiment);
        assert_true(is(CLL_NAME_EXPERIMENT, cases[i].experiment));
        assert_string_equal(written(CLL_NAME_OBSERVABLE, cases[i].text), cases[i].observable);
        assert_true(is(CLL_NAME_OBSERVABLE, cases[i].observable));
        assert_string_equal(written(CLL_NAME_FILE, cases[i].text), cases[i].file);
        assert_string_equal(written(CLL_NAME_TEXT, cases[i].text), cases[i].rest);
    }
}

static void names_have_a_longest(void **state)
{
    (void)state;
    char name[CLL_NAME_LONGEST + 2];
    memset(name, 'a', sizeof name);
    assert_true(cll_name_is(CLL_NAME_VARIABLE, name, CLL_NAME_LONGEST));
    assert_false(cll_name_is(CLL_NAME_VARIABLE, name, CLL_NAME_LONGEST + 1));
    for (size_t i = 1; i < sizeof name; i += 2)
        name[i] = '[';
    assert_false(cll_name_is(CLL_NAME_VARIABLE, name, CLL_NAME_LONGEST));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(variables_are_names_joined),
                                       cmocka_unit_test(experiments_may_have_encoded_bytes),
                                       cmocka_unit_test(observables_may_be_events),
                                       cmocka_unit_test(control_characters_never_get_in),
                                       cmocka_unit_test(each_text_is_written_by_its_rule),
                                       cmocka_unit_test(names_have_a_longest)};
    return RUN(tests);
}
