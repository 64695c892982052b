/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "harness/unit.h"
#include <unistd.h>

#include "base/text.h"
#include "call/cc/args.h"
#include "call/cc/depend.h"
#include "call/cc/language.h"
#include "call/run/data.h"
#include "call/cc/translate.h"

static const char *name_of(void *user, const char *path)
{
    (void)user;
    return !strcmp(path, "/t/0/a b.c")         ? "src/a b.c"
           : !strcmp(path, "/t/0/h.h")         ? "inc/h.h"
           : !strcmp(path, "/t/0/a\\ \tb\\.c") ? "a\\ \tb\\.c"
                                               : NULL;
}

static void dependencies_name_the_users_files(void **state)
{
    (void)state;
    struct text out;
    text_init(&out);
    depend_rewrite("x.o: /t/0/a\\ b.c /t/0/x.cll.h \\\n /usr/k$$.h "
                   "/t/0/h.h\n\n/t/0/x.cll.h:\n\n/t/0/h.h:\n\n/usr/k$$.h:\n",
                   "/t/", name_of, NULL, &out);
    assert_string_equal(out.s,
                        "x.o: src/a\\ b.c /usr/k$$.h inc/h.h\n\n\ninc/h.h:\n\n/usr/k$$.h:\n");
    text_clear(&out);
    depend_rewrite("x.o: /t/0/h.h", "/t/", name_of, NULL, &out); /* cut off: no newline */
    assert_string_equal(out.s, "x.o: inc/h.h");
    text_clear(&out);
    depend_rewrite("x.o: /t/0/a\\\\\\ \\\tb\\.c\n", "/t/", name_of, NULL, &out); /* a\ <TAB>b\.c */
    assert_string_equal(out.s, "x.o: a\\\\\\ \\\tb\\.c\n");
    text_clear(&out);
    depend_rewrite("", "/t/", name_of, NULL, &out);
    assert_string_equal(out.s, "");
    text_free(&out);
}

static void words_are_split_as_by_a_shell(void **state)
{
    (void)state;
    struct arena *a = arena_create();
    struct words w = {0};
    words_split(a, &w, "  a 'b c'\t\"d \\\" e\"\nf\\ g '' h\"i\"j 'open");
    const char *want[] = {"a", "b c", "d \" e", "f g", "", "hij", "open"};
    assert_int_equal(w.n, sizeof want / sizeof *want);
    for (size_t i = 0; i < w.n; i++)
        assert_string_equal(w.list[i], want[i]);
    assert_null(w.list[w.n]);
    arena_destroy(a);
}

static void a_command_line_is_understood(void **state)
{
    (void)state;
    struct arena *a = arena_create();
    struct cc_args args;
    const char *argv[] = {"ccache", "gcc",      "-O2",      "-Iinc", "-isystem", "sys",  "-o",
                          "x.c.o",  "-include", "pre.c",    "-x",    "c",        "one",  "-x",
                          "none",   "a.c",      "b.cc",     "-MF",   "dep",      "-MMD", "-lm",
                          "-DX=1",  "-c",       "-iquoteq", "-D",    "Y",        NULL};
    assert_int_equal(cc_args_read(a, argv, &args), 0);
    assert_int_equal(args.compiler, 1);
    assert_int_equal(args.nsources, 3);
    assert_string_equal(args.sources[0].path, "one");
    assert_string_equal(args.sources[1].path, "a.c");
    assert_string_equal(args.sources[2].path, "b.cc");
    assert_int_equal(args.sources[1].language, LANGUAGE_C);
    assert_int_equal(args.sources[2].language, LANGUAGE_CXX);
    assert_int_equal(args.forced.n, 1);
    assert_int_equal(args.nfolders, 3);
    assert_string_equal(args.folders[0].path, "inc");
    assert_string_equal(args.folders[1].path, "sys");
    assert_string_equal(args.folders[2].path, "q");
    assert_string_equal(args.output, "x.c.o");
    assert_string_equal(args.dependencies, "dep");
    assert_true(args.writes_dependencies && args.compile_only && !cc_args_links(&args));
    assert_string_equal(cc_args_flags(a, &args), "-O2 -DX=1 -DY");
    struct words w = cc_args_preprocess(a, &args, 1);
    for (size_t i = 0; i < w.n; i++)
        assert_true(strcmp(w.list[i], "-c") && strcmp(w.list[i], "x.c.o") &&
                    strcmp(w.list[i], "one") && strcmp(w.list[i], "-MMD") &&
                    strcmp(w.list[i], "dep"));
    arena_destroy(a);
}

static void what_links_and_what_does_not(void **state)
{
    (void)state;
    static const struct {
        const char *argv[5];
        bool links;
    } cases[] = {{{"gcc", "a.o", NULL}, true},
                 {{"gcc", "--version", NULL}, false},
                 {{"gcc", "-c", "a.c", NULL}, false},
                 {{"gcc", "-r", "a.o", NULL}, false},
                 {{"gcc", "-shared", "a.o", NULL}, true},
                 {{"gcc", "-fsyntax-only", "a.c", NULL}, false},
                 {{"gcc", "-MM", "a.c", NULL}, false},
                 {{"gcc", "a.c", "-o", "a", NULL}, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena *a = arena_create();
        struct cc_args args;
        assert_int_equal(cc_args_read(a, cases[i].argv, &args), 0);
        assert_int_equal(cc_args_links(&args), cases[i].links);
        arena_destroy(a);
    }
}

/* What run_data_read returns for a file of this text, and the number of samples that it adds. */
static int read_text(const char *text, size_t *rows)
{
    char path[] = "/tmp/call-test-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
    struct arena *a = arena_create();
    struct run_data d;
    run_data_init(&d, a);
    int result = run_data_read(&d, path, 0);
    *rows = d.rows;
    arena_destroy(a);
    unlink(path);
    return result;
}

static void damaged_files_add_no_samples(void **state)
{
    (void)state;
    size_t rows;
    assert_int_equal(read_text("", &rows), 0);
    assert_int_equal(rows, 0);
    assert_int_equal(read_text("# cll-data 1\n# experiment: f\n"
                               "experiment run seq start nested P rank thread count CLOCK\n"
                               "f 0 0 0 0 1 0 0 1 1e-3\nf 0 1 0 0 1 0 0 1 x\n",
                               &rows),
                     -1);
    assert_int_equal(rows, 0);
    assert_int_equal(read_text("# cll-data 1\n# experiment: f\n", &rows), -1);
    assert_int_equal(rows, 0);
}

static void the_language_is_that_of_the_driver(void **state)
{
    (void)state;
    static const struct {
        const char *path, *option, *compiler;
        enum source_kind kind;
    } cases[] = {{"a.c", NULL, "gcc", SOURCE_C},
                 {"a.c", NULL, "/usr/bin/g++-12", SOURCE_CXX},
                 {"a.c", NULL, "mpicxx.openmpi", SOURCE_CXX},
                 {"a.c", "c", "clang++", SOURCE_C},
                 {"a.C", NULL, "gcc", SOURCE_CXX},
                 {"dir.c/a.cpp", NULL, "mpicc", SOURCE_CXX},
                 {"a.h", "c++", "gcc", SOURCE_CXX},
                 {"a.hpp", NULL, "g++", SOURCE_NONE},
                 {"a.ii", NULL, "g++", SOURCE_OTHER},
                 {"a.c", "c-header", "gcc", SOURCE_NONE},
                 {"a.o", NULL, "CC", SOURCE_NONE},
                 {".c", NULL, "gcc", SOURCE_NONE}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(
            source_kind(cases[i].path, cases[i].option, language_is_cxx(cases[i].compiler)),
            cases[i].kind);
    assert_string_equal(source_ending("x/y.cll.cxx"), ".cxx");
    assert_null(source_ending("x.hpp"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dependencies_name_the_users_files),
        cmocka_unit_test(words_are_split_as_by_a_shell),
        cmocka_unit_test(the_language_is_that_of_the_driver),
        cmocka_unit_test(a_command_line_is_understood),
        cmocka_unit_test(what_links_and_what_does_not),
        cmocka_unit_test(damaged_files_add_no_samples),
    };
    return RUN(tests);
}
