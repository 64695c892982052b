/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "harness/unit.h"

#include "translate/lex.h"

static struct tokens lex_text(struct arena *a, struct names *names, const char *text)
{
    return lex(a, names, text, strlen(text));
}

static void names_with_equal_text_have_one_number(void **state)
{
    (void)state;
    struct arena *a = arena_create();
    struct names *n = names_create(a, LANGUAGE_C);
    uint32_t first = names_number(n, "apple", 5);
    for (int i = 0; i < 5000; i++) {
        char *name = arena_printf(a, "name%d", i);
        names_number(n, name, strlen(name));
    }
    assert_int_equal(names_number(n, "apple pie", 5), first);
    assert_string_equal(names_text(n, first), "apple");
    assert_int_equal(names_number(n, "while", 5), WORD_WHILE);
    assert_string_equal(names_text(n, 1u << 30), "");
    arena_destroy(a);
}

static void splices_inside_names_vanish(void **state)
{
    (void)state;
    struct arena *a = arena_create();
    struct names *n = names_create(a, LANGUAGE_C);
    struct tokens t = lex_text(a, n, "wh\\\nile x\\ \r\ny;\n");
    assert_int_equal(t.n, 3);
    assert_int_equal(t.list[0].id, WORD_WHILE);
    assert_string_equal(names_text(n, t.list[1].id), "xy");
    assert_int_equal(t.list[2].line, 3);
    arena_destroy(a);
}

static void literals_hide_what_they_hold(void **state)
{
    (void)state;
    struct arena *a = arena_create();
    struct tokens t =
        lex_text(a, names_create(a, LANGUAGE_C),
                 "'\"' \"/* \\\" */\" 1'000 L\"x\" .5e-3 don't\n{ /* \" */ } // '\n;");
    enum token_kind want[] = {TOKEN_CHARACTER,  TOKEN_STRING,     TOKEN_NUMBER,    TOKEN_NAME,
                              TOKEN_STRING,     TOKEN_NUMBER,     TOKEN_NAME,      TOKEN_CHARACTER,
                              TOKEN_PUNCTUATOR, TOKEN_PUNCTUATOR, TOKEN_PUNCTUATOR};
    assert_int_equal(t.n, sizeof want / sizeof *want);
    for (size_t i = 0; i < t.n; i++)
        assert_int_equal(t.list[i].kind, want[i]);
    arena_destroy(a);
}

static void directives_are_told_apart(void **state)
{
    (void)state;
    struct arena *a = arena_create();
    struct tokens t =
        lex_text(a, names_create(a, LANGUAGE_C),
                 "#if 0 // off\n# /* x */ ifdef A\n#elif B\n%:else\n#endif\n#if 0x1\n# 12 \"f\" 2\n"
                 "#pragma cll f \\\n  f[0]\n_Pragma ( \"cll end f\" ) ;\n x # pragma\n#if 00\n");
    uint32_t want[] = {DIRECTIVE_IF_ZERO, DIRECTIVE_IF,     DIRECTIVE_ELIF,
                       DIRECTIVE_ELSE,    DIRECTIVE_ENDIF,  DIRECTIVE_IF,
                       DIRECTIVE_LINE,    DIRECTIVE_PRAGMA, DIRECTIVE_PRAGMA_OPERATOR};
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        assert_int_equal(t.list[i].kind, TOKEN_DIRECTIVE);
        assert_int_equal(t.list[i].id, want[i]);
    }
    assert_int_equal(t.list[7].line, 8);
    assert_int_equal(t.list[8].line, 10);
    assert_int_equal(t.list[9].id, ';');
    assert_int_equal(t.list[11].id, '#');
    assert_int_equal(t.list[t.n - 1].id, DIRECTIVE_IF);
    arena_destroy(a);
}

static void digraphs_are_brackets(void **state)
{
    (void)state;
    struct arena *a = arena_create();
    struct tokens t = lex_text(a, names_create(a, LANGUAGE_C), "<% a<:1:> -> ... && = == %>");
    uint32_t want[] = {'{',           0,   '[',         0,  ']', PUNCT_ARROW, PUNCT_ELLIPSIS,
                       PUNCT_AND_AND, '=', PUNCT_OTHER, '}'};
    assert_int_equal(t.n, sizeof want / sizeof *want);
    for (size_t i = 0; i < t.n; i++)
        if (t.list[i].kind == TOKEN_PUNCTUATOR)
            assert_int_equal(t.list[i].id, want[i]);
    arena_destroy(a);
}

static void blanking_keeps_offsets_and_newlines(void **state)
{
    (void)state;
    char text[] = "a /* x\ny */ b \\\n c // d\\";
    lex_blank(text, 0, sizeof text - 1);
    assert_string_equal(text, "a     \n     b  \n c      ");
}

static void only_foreign_pragmas_need_no_translation(void **state)
{
    (void)state;
    const char *no = "#pragma once\n#pragma omp parallel\n_Pragma(\"GCC ivdep\")\n#pragma   STDC "
                     "FP_CONTRACT ON\n";
    const char *yes = "#pragma once\n# pragma\tcll f\n";
    assert_false(lex_may_hold_pragma(no, strlen(no)));
    assert_true(lex_may_hold_pragma(yes, strlen(yes)));
    assert_true(lex_may_hold_pragma("_Pragma(\"cll x\")", 16));
    assert_false(lex_may_hold_pragma("", 0));
    assert_true(lex_may_hold_pragma("#pra\\\ngma cll x", 16));
    assert_true(lex_may_hold_pragma("#pra?\?/\ngma cll x", 18));
    assert_false(lex_may_hold_pragma("#pra\\", 5));
    assert_false(lex_may_hold_pragma("#pra?\?/", 7));
}

static void raw_strings_and_suffixes_are_literals_of_cxx(void **state)
{
    (void)state;
    struct arena *a = arena_create();
    struct tokens t =
        lex_text(a, names_create(a, LANGUAGE_CXX),
                 "R\"(\n#pragma cll \" )\"_s u8R\"x(a)\")x\" 1'0_km\n'c'_k \"s\"sv R\"(open");
    enum token_kind want[] = {TOKEN_STRING, TOKEN_STRING, TOKEN_NUMBER, TOKEN_CHARACTER,
                              TOKEN_STRING, TOKEN_NAME,   TOKEN_STRING};
    assert_int_equal(t.n, sizeof want / sizeof *want);
    for (size_t i = 0; i < t.n; i++)
        assert_int_equal(t.list[i].kind, want[i]);
    assert_int_equal(t.list[1].line, 2);
    assert_int_equal(t.list[3].line, 3);
    arena_destroy(a);
}

static void words_and_operators_of_cxx_are_names_in_c(void **state)
{
    (void)state;
    struct arena *a = arena_create();
    const char *text = "class a<::b>::c <=> d";
    struct tokens t = lex_text(a, names_create(a, LANGUAGE_CXX), text);
    uint32_t want[] = {WORD_CLASS, 0, '<', PUNCT_SCOPE, 0, '>', PUNCT_SCOPE, 0, PUNCT_OTHER, 0};
    assert_int_equal(t.n, sizeof want / sizeof *want);
    for (size_t i = 0; i < t.n; i++)
        if (want[i])
            assert_int_equal(t.list[i].id, want[i]);
    t = lex_text(a, names_create(a, LANGUAGE_C), text);
    assert_true(t.list[0].id >= WORD_COUNT);
    assert_int_equal(t.list[2].id, '['); /* <: */
    arena_destroy(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(raw_strings_and_suffixes_are_literals_of_cxx),
        cmocka_unit_test(words_and_operators_of_cxx_are_names_in_c),
        cmocka_unit_test(names_with_equal_text_have_one_number),
        cmocka_unit_test(splices_inside_names_vanish),
        cmocka_unit_test(literals_hide_what_they_hold),
        cmocka_unit_test(directives_are_told_apart),
        cmocka_unit_test(digraphs_are_brackets),
        cmocka_unit_test(blanking_keeps_offsets_and_newlines),
        cmocka_unit_test(only_foreign_pragmas_need_no_translation),
    };
    return RUN(tests);
}
