/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Regions that are put around the bodies of functions. */
#include "harness/unit.h"

#include "call/cc/timed.h"

/* The text with a region around the function whose name and last character are at these places. */
static const char *put(struct arena *a, enum language language, const char *text, unsigned line,
                       unsigned column, unsigned end_line, unsigned end_column)
{
    struct timed_region r = {"r1", line, column, end_line, end_column, NULL, NULL};
    size_t size;
    return timed_put(a, language, false, text, strlen(text), &r, 1, NULL, &size);
}

static void bodies_in_c(void **state)
{
    struct arena *a = arena_create();
    (void)state;
    assert_string_equal(
        put(a, LANGUAGE_C, "int f(int n)\n{\n  return \"}\"[n];\n}\n", 1, 5, 4, 1),
        "int f(int n)\n{ _Pragma(\"cll r1\") \n  return \"}\"[n];\n _Pragma(\"cll end r1\") }\n");
    assert_string_equal(
        put(a, LANGUAGE_C, "int f(void) { if (1) { } return 0; }\n", 1, 5, 1, 36),
        "int f(void) { _Pragma(\"cll r1\")  if (1) { } return 0;  _Pragma(\"cll end r1\") }\n");
    /* both branches of the preprocessor have the brace that one closes */
    assert_string_equal(
        put(a, LANGUAGE_C, "f(n)\nint n;\n{\n#if A\nif (n) {\n#else\nif (!n) {\n#endif\n}\n}\n", 1,
            1, 10, 1),
        "f(n)\nint n;\n{ _Pragma(\"cll r1\") \n#if A\nif (n) {\n#else\nif (!n) {\n#endif\n}\n"
        " _Pragma(\"cll end r1\") }\n");
    /* clang does not say where a function ends */
    assert_string_equal(
        put(a, LANGUAGE_C, "int f(int (*g)(int))\n{\n  { }\n}\nint h;\n", 1, 5, 0, 0),
        "int f(int (*g)(int))\n{ _Pragma(\"cll r1\") \n  { }\n _Pragma(\"cll end r1\") }\nint h;\n");
    arena_destroy(a);
}

/* Where a region cannot be, or the place is not that of a body. */
static void other_texts_stay(void **state)
{
    static const struct {
        const char *text;
        unsigned end;
        const char *why;
    } same[] = {
        {"constexpr int f(int n) { return n; }", 36, "constexpr"},
        {"void f(int n) { static void *t[] = {&&a}; goto *t[0]; a:; }", 59, "computed goto"},
        {"void f() try { g(); } catch (...) { }", 21, "try"},
        {"BODY(f, { g(); })", 17, "a brace in a macro or a branch of #if"},
        {"void f() { }", 99, "a brace in a macro or a branch of #if"}};
    struct arena *a = arena_create();
    (void)state;
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        struct timed_region r = {"r1", 1, 6, 1, same[i].end, NULL, NULL};
        const char *why;
        size_t size;
        assert_string_equal(timed_put(a, LANGUAGE_CXX, false, same[i].text, strlen(same[i].text),
                                      &r, 1, &why, &size),
                            same[i].text);
        assert_string_equal(why, same[i].why);
    }
    arena_destroy(a);
}

/* Only the compiler knows which brace of a branch counts. */
static void braces_in_branches(void **state)
{
    static const char inside[] = "void f() {\n#if A\n if (x) {\n#else\n {\n#endif\n } }",
                      before[] = "void f(int n) {\n#else\nvoid f(long n) {\n#endif\n g(); }",
                      pairs[] = "void f() {\n#if A\n if (x) { }\n#else\n#endif\n}";
    struct arena *a = arena_create();
    (void)state;
    assert_string_equal(put(a, LANGUAGE_CXX, inside, 1, 6, 7, 4), inside);
    assert_string_not_equal(put(a, LANGUAGE_C, inside, 1, 6, 7, 4),
                            inside); /* its first brace is clear */
    assert_string_equal(put(a, LANGUAGE_C, before, 1, 6, 5, 7), before);
    assert_string_not_equal(put(a, LANGUAGE_C, pairs, 1, 6, 6, 1), pairs);
    arena_destroy(a);
}

static void bodies_in_fortran(void **state)
{
    static const char text[] =
        "subroutine f(n, &\n    x)\n  use m ! a module\n  integer, intent(in) :: n\n"
        "  type(t) x\n  interface\n    subroutine g\n    end subroutine\n  end interface\n"
        "\n  call g\n  if (n < 1) return\nend subroutine f\n";
    struct arena *a = arena_create();
    (void)state;
    assert_string_equal(
        put(a, LANGUAGE_FORTRAN, text, 1, 12, 13, 16),
        "subroutine f(n, &\n    x)\n  use m ! a module\n  integer, intent(in) :: n\n"
        "  type(t) x\n  interface\n    subroutine g\n    end subroutine\n  end interface\n"
        "\n!$cll r1\n  call g\n  if (n < 1) return\n!$cll end r1\nend subroutine f\n");
    /* what it contains comes after its last statement */
    assert_string_equal(
        put(a, LANGUAGE_FORTRAN, "subroutine f\n  x = 1\ncontains\nend\n", 1, 12, 2, 7),
        "subroutine f\n!$cll r1\n  x = 1\n!$cll end r1\ncontains\nend\n");
    arena_destroy(a);
}

static void lines_of_a_patch(void **state)
{
    struct timed_region r = {"f", 1, 5, 1, 26, "#pragma cll f f[0]", "#pragma cll end f"};
    static const char text[] = "int f(void) { return 1;  }\n";
    struct arena *a = arena_create();
    size_t size;
    const char *why;
    (void)state;
    assert_string_equal(timed_put(a, LANGUAGE_C, false, text, strlen(text), &r, 1, &why, &size),
                        "int f(void) {\n#pragma cll f f[0]\n return 1;  \n#pragma cll end f\n}\n");
    assert_null(why);
    static const char lines[] = "int\r\nf(void)\r\n{\r\n  return 1;\r\n}\r\n";
    r = (struct timed_region){"f", 2, 1, 5, 1, "#pragma cll f f[0]", "#pragma cll end f"};
    assert_string_equal(timed_put(a, LANGUAGE_C, false, lines, strlen(lines), &r, 1, &why, &size),
                        "int\r\nf(void)\r\n{\r\n#pragma cll f f[0]\r\n  return 1;\r\n"
                        "#pragma cll end f\r\n}\r\n");
    arena_destroy(a);
}

static void a_list_names_files(void **state)
{
    static const char list[] =
        "r1 3 5 9 1 /a b/x.c\nr2 11 5 12 9 /y.c\nr3 20 1 0 0 /a b/x.c\nr4 /a b/x.c\n";
    struct arena *a = arena_create();
    size_t n;
    const struct timed_region *r = timed_find(a, list, "/a b/x.c", &n);
    (void)state;
    assert_int_equal(n, 2);
    assert_string_equal(r[0].name, "r1");
    assert_int_equal(r[0].end_line, 9);
    assert_string_equal(r[1].name, "r3");
    timed_find(a, list, "/x.c", &n);
    assert_int_equal(n, 0);
    arena_destroy(a);
}

static void check_blank(enum language language, const char *text, const char *expected)
{
    struct arena *a = arena_create();
    char *own = arena_strdup(a, text);
    timed_blank(a, language, own, strlen(own));
    assert_string_equal(own, expected);
    arena_destroy(a);
}

static void regions_of_the_user_are_blanked(void **state)
{
    (void)state;
    check_blank(LANGUAGE_C, "#pragma cll f \\\n  f[0]\nx;\n#pragma omp cll\n",
                "               \n      \nx;\n#pragma omp cll\n");
    check_blank(LANGUAGE_C, "#pragma cll parallel mpi\n# pragma cllx\n",
                "#pragma cll parallel mpi\n# pragma cllx\n");
    check_blank(LANGUAGE_CXX, "#define B _Pragma(\"cll f(n) f[0]\") x\n_Pragma (\"once\")",
                "#define B                          x\n_Pragma (\"once\")");
    check_blank(LANGUAGE_CXX, "s = \"#pragma cll x\"; _Pragma(\"cll",
                "s = \"#pragma cll x\"; _Pragma(\"cll");
    check_blank(LANGUAGE_FORTRAN,
                "  !$cll f f[0]\n!$CLL end f\nx = 1 !$cll\n!$cll uses PAPI\n!$omp",
                "  ! cll f f[0]\n! CLL end f\nx = 1 !$cll\n!$cll uses PAPI\n!$omp");
    check_blank(LANGUAGE_FORTRAN, "c$cll f f[0]\n", "c cll f f[0]\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_in_c),
        cmocka_unit_test(other_texts_stay),
        cmocka_unit_test(braces_in_branches),
        cmocka_unit_test(bodies_in_fortran),
        cmocka_unit_test(lines_of_a_patch),
        cmocka_unit_test(a_list_names_files),
        cmocka_unit_test(regions_of_the_user_are_blanked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
