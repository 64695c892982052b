/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls that tell arguments, in preprocessed texts. */
#include "harness/unit.h"

#include <stdlib.h>

#include "base/text.h"
#include "call/cc/told.h"

static const char list_of_f[] = "1 f lb /etc/passwd\n"; /* a file that is there */

/* The text of one line, of that file, with the function f of line 1; the prelude is left out. NULL: nothing tells. */
static const char *put(struct arena *a, enum language language, const char *text)
{
    static const char marker[] = "# 1 \"/etc/passwd\"\n";
    const char *all = arena_printf(a, "%s%s\n", marker, text);
    size_t size;
    const char *out = told_put(a, language, false, false, list_of_f, all, strlen(all), &size);
    if (!out)
        return NULL;
    assert_int_equal(size, strlen(out));
    return strstr(out, marker) + sizeof marker - 1;
}

/* Which arguments the text tells: "n,m"; "": nothing tells. */
static const char *told(struct arena *a, enum language language, const char *text)
{
    static const char begin[] = "cll_told_here = {\"1 f :";
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
        "int f(int n) { static struct cll_told cll_told_here = {\"1 f :n /etc/passwd\"}; int cll_told_now "
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

/* What the heads of loops in f tell, "n,p->len;m"; "": nothing. */
static const char *heads(struct arena *a, enum language language, const char *body)
{
    static const char begin[] = "{\"1 f 1:";
    TEXT_LOCAL struct text t = text_new();
    const char *out = put(a, language, arena_printf(a, "void f(void) { %s }", body));
    for (const char *s = out; s && (s = strstr(s, begin));) {
        s += sizeof begin - 1;
        text_add(&t, t.n ? ";" : "");
        text_addn(&t, s, strcspn(s, " "));
    }
    return text_keep(&t, a);
}

static void a_loop_tells_before_it_begins(void **state)
{
    struct arena *a = arena_create();
    (void)state;
    assert_string_equal(
        put(a, LANGUAGE_C, "void f(void) { if (x) while (i < n) i++; else g(); }"),
        "void f(void) { static struct cll_told cll_told_here = {\"1 f : /etc/passwd\"}; int cll_told_now "
        "__attribute__((unused)) = cll_told_call(&cll_told_here, 0, 0, 0, 0, 0); if (x) if (__extension__ ({ static "
        "struct cll_told cll_told_here = {\"1 f 1:i,n /etc/passwd\"}; cll_told_call(&cll_told_here, 2, (unsigned long "
        "long)__builtin_choose_expr(__builtin_classify_type(i) == 1, i, 0), (unsigned long "
        "long)__builtin_choose_expr(__builtin_classify_type(n) == 1, n, 0), 0, 0); })) ; else while (i < n) i++; "
        "else g(); }\n");
    arena_destroy(a);
}

/* Only what the program is sure to read next. */
static void heads_that_may_be_read_before_the_loop(void **state)
{
    static const struct {
        const char *body, *told;
    } cases[] = {
        {"for (i = 0; i < n; i++) ;", "n"},
        {"for (int i = 0; i <= p->len - 1; i++) ;", "p->len"},
        {"for (unsigned long i = 0, *q = x; n != i; i++) ;", ""}, /* *q may be any variable */
        {"for (size_t i = 0, n, *p; i < n + m + p->n; i++) ;", "m"},
        {"for (const char *n; i < n + m; ) ;", "i,m"},
        {"for (i = n * m; i > (t){1}; i--) ;", "n,m"},
        {"for (; a.b.n > i; ) ;", "a.b.n,i"},
        {"for (i = lo; i < q[k]->n && i < x[3]; i++) ;", "q[k]->n,lo"},
        {"for (i = n; i >= 0; i--) ;", "n"},
        {"for (i = 0; i < n * m; i++) for (j = i; j < m; j++) ;", "n,m;m,i"},
        {"for (i = 0; i < (n); i++) while (n) m--;", "n;n"},
        {"while (n-- > 0) ;", ""}, /* it may be the end of do ... while */
        {"while (n-- > 0) { }", "n"},
        {"while (--n) i++;", "n"},
        {"do i++; while (i < n);", ""},
        {"for (;;) break;", ""},
        /* null pointers */
        {"while (p && p->len > i) p = p->next;", "p"},
        {"for (i = 0; p != 0 && i < p->len; i++) ;", "p"},
        {"while (!p || i < p->len) ;", ""},
        {"while (x ? i < p->len : 0) { }", "x"},
        {"while (i < *p) { }", "i"},
        {"while (i < (int)sizeof p->x) { }", "i"},
        /* what the head changes before */
        {"for (n = 9, i = 0; i < n; i++) ;", ""},
        {"for (p = head, i = 0; i < p->len; i++) ;", "head"},
        {"for (n--; i < n; i++) ;", "i"},
        {"for (i = 0, n += m; i < n; i++) ;", "m"},
        {"for (i = g(), k = 0; i < n; i++) ;", ""},
        {"for (*p = 0; i < n; i++) ;", ""},
        {"for (p->n = 0; i < n; i++) ;", "i"},
        {"for (x[0] = 0; i < n; i++) ;", ""},
        {"while ((c = next) != end) { }", "next,end"},
        {"while ((p = next) != end && p->n) { }", "next,end"},
        {"while (g(&n) > i && i < n) { }", ""},
        {"while (n > g()) { }", "n"},
        {"while (n > (*g)(i)) { }", "n"},
        {"while (i < ({ g(); n; })) { }", "i"},
        /* no variables */
        {"while (i < (int)n) { }", "i,n"},
        {"while ((unsigned long)i < n) { }", "i,n"},
        {"while ((t)i < n) { }", "i,n"},
        {"while ((t)-i < n) { }", "i,n"},
        {"while ((t *)x < y) { }", "x,y"},
        {"while (&n < p) { }", "p"},
        {"while ((i) < (p)->len) i++;", "i,(p)->len"},
        {"while (i < *(p)->len && &(p)->len) { }", "i"},
        {"while (i < n[i + 1]) { }", "i"},
        {"while (i < g(1)[2]) { }", "i"},
        {"while (i < a + b + c + d) { }", "i,a,b,c"},
        {"while (\"x\"[i] != 'x') { }", ""},
    };
    struct arena *a = arena_create();
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int cxx = 0; cxx < 2; cxx++)
            assert_string_equal(heads(a, cxx ? LANGUAGE_CXX : LANGUAGE_C, cases[i].body),
                                cases[i].told);
    assert_string_equal(
        heads(a, LANGUAGE_CXX,
              "for (int x : list) s += x; for (auto i = v.begin(); i != end; ++i) ;"),
        "");
    assert_string_equal(
        heads(a, LANGUAGE_CXX, "while (i < std::max(n, m)) { } while (i < max<int>(n, m)) { }"),
        "i");
    assert_string_equal(heads(a, LANGUAGE_CXX, "while (i < this->n) { }"), "i,this->n");
    arena_destroy(a);
}

/* A pragma is about the loop behind it, and so is the shape of that loop. */
static void loops_behind_pragmas_tell_nothing(void **state)
{
    struct arena *a = arena_create();
    (void)state;
    assert_string_equal(
        heads(
            a, LANGUAGE_C,
            "while (n) n--;\n#pragma omp for collapse(2)\nfor (i = 0; i < n; i++) for (j = 0; j < m; j++) ;\n"),
        "n");
    assert_string_equal(heads(a, LANGUAGE_C, "_Pragma(\"GCC unroll 4\") for (i = 0; i < n; i++) ;"),
                        "");
    arena_destroy(a);
}

/* What f says of its allocations: "malloc:bytes;new:elements". */
static const char *allocations(struct arena *a, enum language language, const char *body)
{
    TEXT_LOCAL struct text t = text_new();
    const char *out = put(a, language, arena_printf(a, "void f(void) { %s }", body));
    for (const char *s = out; s && (s = strstr(s, "{\"1 f "));) {
        s += 6;
        if (*s == ':')
            continue;
        text_add(&t, t.n ? ";" : "");
        text_addn(&t, s, strcspn(s, " "));
    }
    return text_keep(&t, a);
}

static void calls_that_allocate(void **state)
{
    static const struct {
        const char *body, *c, *cxx;
    } cases[] = {
        {"p = malloc(n);", "malloc:bytes", "malloc:bytes"},
        {"return (char *)realloc (p, n + g(calloc(2, n)));", "realloc:bytes;calloc:bytes",
         "realloc:bytes;calloc:bytes"},
        {"p->malloc(n); a.malloc(n); extern void *malloc(size_t); char *malloc(); g(malloc);", "",
         ""},
        {"void *(*malloc)(size_t) = g; malloc(n);", "", ""},
        {"p = new T[n];", "", "new:elements"},
        {"p = new (place) a::list<int, char *>[n + 1][3]; new int; new T(n); new int[]{1, 2};", "",
         "new:elements"},
        {"p = operator new[](n); p->x[n] = 1;", "", ""},
    };
    struct arena *a = arena_create();
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_string_equal(allocations(a, LANGUAGE_C, cases[i].body), cases[i].c);
        assert_string_equal(allocations(a, LANGUAGE_CXX, cases[i].body), cases[i].cxx);
    }
    assert_non_null(strstr(
        put(a, LANGUAGE_C, "void f(void) { p = malloc (n); }"),
        " p = cll_told_malloc (__extension__ ({ static struct cll_told cll_told_here = {\"1 f "
        "malloc:bytes /etc/passwd\"}; &cll_told_here; }), n); }"));
    assert_non_null(strstr(put(a, LANGUAGE_CXX, "void f(void) { p = new T[n]; }"),
                           "; &cll_told_here; })) = n]; }"));
    arena_destroy(a);
}

/* Of the three: its arguments and its loops, its allocations. */
static void the_list_says_what_a_function_tells(void **state)
{
    static const char text[] =
        "# 1 \"/etc/passwd\"\nvoid f(int n) { while (n) n--; p = malloc(n); }\n",
                      without[] = "# 1 \"/etc/passwd\"\nvoid f(int n) { while (n) n--; }\n";
    struct arena *a = arena_create();
    size_t size;
    (void)state;
    const char *loops = told_put(a, LANGUAGE_C, false, false, "1 f l /etc/passwd\n", text,
                                 sizeof text - 1, &size),
               *bytes = told_put(a, LANGUAGE_C, false, false, "1 f b /etc/passwd\n", text,
                                 sizeof text - 1, &size);
    assert_non_null(strstr(loops, "\"1 f :n "));
    assert_non_null(strstr(loops, "\"1 f 1:n "));
    assert_null(strstr(loops, "\"1 f malloc:"));
    assert_non_null(strstr(bytes, "\"1 f : "));
    assert_null(strstr(bytes, "\"1 f 1:n "));
    assert_non_null(strstr(bytes, "\"1 f malloc:bytes "));
    assert_null(told_put(a, LANGUAGE_C, false, false, "1 f b /etc/passwd\n", without,
                         sizeof without - 1, &size));
    arena_destroy(a);
}

/* A function is known by its file and its line. */
static void other_places_stay(void **state)
{
    static const char text[] =
        "# 1 \"/etc/hosts\"\nvoid f(int n) { }\n# 1 \"/etc/passwd\"\n\nvoid f(int n) "
        "{ }\n# 1 \"/none\"\nvoid f(int n) { }\n";
    static const char *const lists[] = {"1 f lb /etc/passwd\n",
                                        "2 g lb /etc/passwd\n",
                                        "x f lb /etc/passwd\n",
                                        "2 f /etc/passwd\n",
                                        "2 f\n",
                                        ""};
    struct arena *a = arena_create();
    size_t size;
    (void)state;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        assert_null(told_put(a, LANGUAGE_C, false, false, lists[i], text, sizeof text - 1, &size));
    assert_non_null(told_put(a, LANGUAGE_C, false, false, "9 h l /x\n2 f l /etc/passwd\n", text,
                             sizeof text - 1, &size));
    arena_destroy(a);
}

/* Only with threads, because it costs more. */
static void threads_add_at_the_same_time(void **state)
{
    static const char text[] = "# 1 \"/etc/passwd\"\nvoid f(int n) { }\n";
    struct arena *a = arena_create();
    size_t size;
    (void)state;
    assert_non_null(
        strstr(told_put(a, LANGUAGE_C, true, false, list_of_f, text, sizeof text - 1, &size),
               "{ __atomic_fetch_add(at, x, 0); }"));
    assert_non_null(
        strstr(told_put(a, LANGUAGE_C, false, false, list_of_f, text, sizeof text - 1, &size),
               "{ *at += x; }"));
    arena_destroy(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_call_is_the_first_thing_in_the_body),
        cmocka_unit_test(parameters_that_may_be_integers),
        cmocka_unit_test(a_loop_tells_before_it_begins),
        cmocka_unit_test(heads_that_may_be_read_before_the_loop),
        cmocka_unit_test(loops_behind_pragmas_tell_nothing),
        cmocka_unit_test(calls_that_allocate),
        cmocka_unit_test(the_list_says_what_a_function_tells),
        cmocka_unit_test(other_places_stay),
        cmocka_unit_test(threads_add_at_the_same_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
