/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls that tell arguments, in preprocessed texts. */
#include "harness/unit.h"

#include <stdlib.h>

#include "call/cc/told.h"

static const char list_of_f[] = "1 f /etc/passwd\n"; /* a file that is there */

/* The text of one line, of that file, with the function f of line 1; the prelude is left out. NULL: nothing tells. */
static const char *put(struct arena *a, enum language language, const char *text)
{
    static const char marker[] = "# 1 \"/etc/passwd\"\n";
    const char *all = arena_printf(a, "%s%s\n", marker, text);
    size_t size;
    const char *out = told_put(a, language, false, list_of_f, all, strlen(all), &size);
    if (!out)
        return NULL;
    assert_int_equal(size, strlen(out));
    return strstr(out, marker) + sizeof marker - 1;
}

/* Which arguments the text tells: "n,m"; "": nothing tells. */
static const char *told(struct arena *a, enum language language, const char *text)
{
    static const char begin[] = "cll_told_here = {\"1 f ";
    const char *out = put(a, language, text), *names = out ? strstr(out, begin) : NULL;
    if (!names)
        return "";
    names += sizeof begin - 1;
    return arena_strndup(a, names, strcspn(names, " "));
}

static void the_call_is_the_first_thing_in_the_body(void **state)
{
    struct arena *a = arena_create();
    (void)state;
    assert_string_equal(
        put(a, LANGUAGE_C, "int f(int n) { return n; }"),
        "int f(int n) { static struct cll_told cll_told_here = {\"1 f n /etc/passwd\"}; int cll_told_now "
        "__attribute__((unused)) = cll_told_call(&cll_told_here, 1, (unsigned long "
        "long)__builtin_choose_expr(__builtin_classify_type(n) == 1, n, 0), 0, 0, 0); return n; }\n");
    assert_non_null(strstr(put(a, LANGUAGE_CXX, "int f(int n) { return n; }"),
                           "cll_told_call(&cll_told_here, 1, cll_told_value(n), 0, 0, 0);"));
    arena_destroy(a);
}

static void parameters_that_may_be_integers(void **state)
{
    static const struct {
        enum language language;
        const char *text, *told;
    } cases[] = {
        {LANGUAGE_C, "void f(const double *x, unsigned long n, double y, size_t m) { }", "n,m"},
        {LANGUAGE_C, "void f(int n, int (*g)(int k), int a[n], const int m) { }", "n,m"},
        {LANGUAGE_C, "void f(int a, int b, int c, int d, int e) { }", "a,b,c,d"},
        {LANGUAGE_C, "int f(n, m) int n; struct s *m; { }",
         "n,m"}, /* the compiler sees that m is none */
        {LANGUAGE_C, "int f(struct s x, enum e y, int n, ...) { }", "x,y,n"},
        {LANGUAGE_C, "int f(void) { }", ""},
        {LANGUAGE_C, "int f() { }", ""},
        {LANGUAGE_C, "int f(int, const unsigned) { }", ""},
        {LANGUAGE_C, "int f(struct s) { }", ""},
        {LANGUAGE_C, "int f(int n) __attribute__((cold)); int g(int n) { }", ""},
        {LANGUAGE_C, "int f(int n); int h;", ""},
        {LANGUAGE_C, "int g(void) { return f(n); }", ""},
        {LANGUAGE_C, "int g(void) { if (f(n)) { } }", ""},
        {LANGUAGE_C, "__attribute__((naked)) void f(int n) { }", ""},
        {LANGUAGE_C, "int f; int f(int n) { }", "n"},
        {LANGUAGE_C, "int f(int n", ""},
        {LANGUAGE_C, "int f(int n) {", "n"},
        {LANGUAGE_CXX,
         "int s::f(std::map<int, long> m, std::size_t n = g(1, 2)) const noexcept { }", "m,n"},
        {LANGUAGE_CXX, "s::f(int n) : a{n}, b(n) { }", "n"},
        {LANGUAGE_CXX, "auto f(int n) -> decltype(g(n)) { }", "n"},
        {LANGUAGE_CXX, "template <class T> T f(T x, int &y, int &&z, std::size_t) { }", "x"},
        {LANGUAGE_CXX, "constexpr int f(int n) { }", ""},
        {LANGUAGE_CXX, "int f(int n) try { } catch (...) { }", ""},
        {LANGUAGE_CXX, "s(int n) = delete; f(int n) = default;", ""},
    };
    struct arena *a = arena_create();
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(told(a, cases[i].language, cases[i].text), cases[i].told);
    arena_destroy(a);
}

/* A function is known by its file and its line. */
static void other_places_stay(void **state)
{
    static const char text[] =
        "# 1 \"/etc/hosts\"\nvoid f(int n) { }\n# 1 \"/etc/passwd\"\n\nvoid f(int n) "
        "{ }\n# 1 \"/none\"\nvoid f(int n) { }\n";
    static const char *const lists[] = {"1 f /etc/passwd\n", "2 g /etc/passwd\n",
                                        "x f /etc/passwd\n", "2 f\n", ""};
    struct arena *a = arena_create();
    size_t size;
    (void)state;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        assert_null(told_put(a, LANGUAGE_C, false, lists[i], text, sizeof text - 1, &size));
    assert_non_null(
        told_put(a, LANGUAGE_C, false, "9 h /x\n2 f /etc/passwd\n", text, sizeof text - 1, &size));
    arena_destroy(a);
}

/* Only with threads, because it costs more. */
static void threads_add_at_the_same_time(void **state)
{
    static const char text[] = "# 1 \"/etc/passwd\"\nvoid f(int n) { }\n";
    struct arena *a = arena_create();
    size_t size;
    (void)state;
    assert_non_null(strstr(told_put(a, LANGUAGE_C, true, list_of_f, text, sizeof text - 1, &size),
                           "{ __atomic_fetch_add(at, x, 0); }"));
    assert_non_null(strstr(told_put(a, LANGUAGE_C, false, list_of_f, text, sizeof text - 1, &size),
                           "{ *at += x; }"));
    arena_destroy(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_call_is_the_first_thing_in_the_body),
        cmocka_unit_test(parameters_that_may_be_integers),
        cmocka_unit_test(other_places_stay),
        cmocka_unit_test(threads_add_at_the_same_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
