/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Coverage files that the compilers of this machine write for a program with known counts; damaged ones. */
#include "harness/unit.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/source.h"
#include "flow/flow.h"

/* Each loop has a function of its own, so that its name says which it is. */
static const char program[] =
    "#include <stdlib.h>\n"
    "static volatile int sink;\n"
    "static int small(int x) { return x + 1; }\n"
    "static int next(int *x) { return (*x)-- > 0; }\n"
    "static void l_for(int n)\n{\n    for (int i = 0; i < n; i++)\n        sink = small(sink);\n}\n"
    "static void l_while(int n)\n{\n    while (next(&n))\n        sink++;\n}\n"
    "static void l_do(int n)\n{\n    do {\n        sink += n;\n        n--;\n    } while (n > 0);\n}\n"
    "static void l_do_calls(int n)\n{\n    do {\n        sink = small(n);\n        n--;\n    } while (n > "
    "0);\n}\n"
    "static void l_and(int n)\n{\n    int i = 0;\n    while (i < n && i < 7)\n        i++;\n    sink = i;\n}\n"
    "static void l_or(int n)\n{\n    int i = 0;\n    while (i < 3 || i < n)\n        i++;\n    sink = i;\n}\n"
    "static void l_break(int n)\n{\n    for (int i = 0; i < n; i++) {\n        sink = i;\n        if (i == "
    "4)\n            break;\n    }\n}\n"
    "static void l_continue(int n)\n{\n    for (int i = 0; i < n; i++) {\n        if (i % 2)\n            "
    "continue;\n        sink = i;\n    }\n}\n"
    "static int l_return(int n)\n{\n    for (int i = 0; i < n; i++) {\n        sink = i;\n        if (i == "
    "2)\n            return i;\n    }\n    return 0;\n}\n"
    "static void l_ever(int n)\n{\n    for (;;) {\n        sink = n;\n        if (--n == 0)\n            "
    "break;\n    }\n}\n"
    "static void l_unused(int n)\n{\n    for (int i = 0; i < n; i++) {\n        int k = i;\n        (void)k;\n    "
    "}\n}\n"
    "static int tail(int n, int s)\n{\n    if (n == 0)\n        return s;\n    return tail(n - 1, s + n);\n}\n"
    "static void l_exit(int n)\n{\n    for (int i = 0; i < n; i++) {\n        if (i == 3)\n            "
    "exit(0);\n        sink = i;\n    }\n}\n"
    "static void nest(int n)\n{\n    for (int i = 0; i < n; i++) {\n        small(i);\n"
    "        for (int k = 0; k < 3; k++)\n            sink = k;\n"
    "        if (i % 2)\n            for (int k = 0; k < 5; k++)\n                sink = k;\n    }\n}\n"
    "int main(void)\n{\n    nest(10); l_for(10); l_while(10); l_do(10); l_do_calls(10); l_and(10); l_or(10);\n"
    "    l_break(10); l_continue(10); l_return(10); l_ever(10); l_unused(10); tail(10, 0);\n"
    "    l_exit(10);\n}\n";

static const struct {
    const char *name;
    unsigned calls, iterations; /* UINT32_MAX: it has no loop */
} expected[] = {{"small", 30, UINT32_MAX}, {"next", 11, UINT32_MAX}, {"l_for", 1, 10},
                {"l_while", 1, 10},        {"l_do", 1, 10},          {"l_do_calls", 1, 10},
                {"l_and", 1, 7},           {"l_or", 1, 10},          {"l_break", 1, 5},
                {"l_continue", 1, 10},     {"l_return", 1, 3},       {"l_ever", 1, 10},
                {"l_unused", 1, 10},       {"tail", 11, UINT32_MAX}, {"l_exit", 1, 4},
                {"main", 1, UINT32_MAX}};

static char folder[64];

struct file {
    char *text;
    size_t size;
};

static struct file load(const char *name)
{
    char path[512];
    struct file f;
    snprintf(path, sizeof path, "%s%s", folder, name);
    assert_int_equal(source_read(path, 1 << 20, &f.text, &f.size), 0);
    return f;
}

/* Compiles and runs the program. Skips where the compiler is missing. */
static void make(const char *compiler, const char *flags)
{
    char command[1024], data[256];
    snprintf(command, sizeof command, "%s --version >/dev/null 2>&1", compiler);
    if (system(command))
        skip();
    snprintf(data, sizeof data, "%s/x.c", folder);
    FILE *f = fopen(data, "w");
    assert_non_null(f);
    fputs(program, f);
    assert_int_equal(fclose(f), 0);
    snprintf(
        command, sizeof command,
        "cd %s && rm -rf data x.gc?? && %s %s --coverage -c x.c -o x.o && %s --coverage x.o -o x && "
        "GCOV_PREFIX=data ./x && mv $(find data -name x.gcda) x.gcda",
        folder, compiler, flags, compiler);
    assert_int_equal(system(command), 0);
}

static const struct flow_function *find(const struct flow *c, const char *name)
{
    for (size_t i = 0; i < c->nfunctions; i++)
        if (!strcmp(c->functions[i].name, name))
            return &c->functions[i];
    fail_msg("there is no function %s", name);
    return NULL;
}

/* A loop with two loops in it. The first one is entered in each iteration, whatever the counts are; the second one is not. */
static void check_nest(struct arena *a, const struct flow *c, const struct flow_counts *counts,
                       unsigned times)
{
    const struct flow_function *f = find(c, "nest");
    const size_t outer = f->first_loop;
    assert_int_equal(f->nloops, 3);
    assert_true(f->loops[0].parent == SIZE_MAX);
    assert_int_equal(f->loops[1].parent, 0);
    assert_int_equal(f->loops[2].parent, 0);
    assert_int_equal(counts->entries[outer], times);
    assert_int_equal(counts->entries[outer + 1], times * 10);
    assert_int_equal(counts->entries[outer + 2], times * 5);
    for (uint64_t seed = 1; seed < 4; seed++) {
        struct flow_counts random = flow_counts_make(a, c);
        flow_random(c, seed, &random);
        assert_true(random.entries[outer] == random.calls[f - c->functions]);
        assert_true(random.entries[outer + 1] == random.iterations[outer]);
        assert_true(random.entries[outer + 2] != random.iterations[outer]);
        assert_true(random.iterations[outer + 1] != 3 * random.entries[outer + 1]);
    }
}

/* `times`: how often the data file is added. */
static void check(unsigned times)
{
    struct arena *a = arena_create();
    struct file notes = load("/x.gcno"), data = load("/x.gcda");
    const char *why;
    struct flow *c = flow_read(a, notes.text, notes.size, &why);
    assert_non_null(c);
    struct flow_counts counts = flow_counts_make(a, c);
    for (unsigned i = 0; i < times; i++)
        assert_int_equal(flow_add(c, data.text, data.size, &counts, &why), 0);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        const struct flow_function *f = find(c, expected[i].name);
        size_t index = (size_t)(f - c->functions);
        if (counts.calls[index] != (uint64_t)times * expected[i].calls)
            fail_msg("%s: %llu calls", f->name, (unsigned long long)counts.calls[index]);
        assert_false(counts.damaged[index]);
        if (expected[i].iterations == UINT32_MAX) {
            assert_int_equal(f->nloops, 0);
            continue;
        }
        assert_int_equal(f->nloops, 1);
        if (counts.iterations[f->first_loop] != (uint64_t)times * expected[i].iterations)
            fail_msg("%s: %llu iterations", f->name,
                     (unsigned long long)counts.iterations[f->first_loop]);
        assert_int_equal(counts.entries[f->first_loop], times);
        assert_true(f->loops[0].parent == SIZE_MAX);
        assert_true(f->loops[0].line > f->line);
    }
    check_nest(a, c, &counts, times);
    assert_true(find(c, "l_for")->loops[0].one_exit);
    assert_true(find(c, "l_do")->loops[0].one_exit);
    assert_false(find(c, "l_break")->loops[0].one_exit);
    assert_false(find(c, "l_return")->loops[0].one_exit);
    mem_free(notes.text);
    mem_free(data.text);
    arena_destroy(a);
}

#define FLAGS                                                                                        \
    " -fno-early-inlining -fno-optimize-sibling-calls -fno-thread-jumps -fno-tree-dce -fno-tree-fre" \
    " -fno-tree-ccp -fno-tree-forwprop -fno-tree-vrp -fno-ssa-phiopt -fno-tree-switch-conversion"

static void counts_of_gcc_without_optimisation(void **state)
{
    (void)state;
    make("gcc", "-O0");
    check(1);
}

static void counts_of_gcc_with_optimisation(void **state)
{
    (void)state;
    make("gcc", "-O2" FLAGS);
    check(1);
}

static void counts_of_clang(void **state)
{
    (void)state;
    make("clang", "-O2");
    check(1);
}

static void counts_of_processes_add_up(void **state)
{
    (void)state;
    make("gcc", "-O1" FLAGS);
    check(3);
}

/* Reads a prefix of the file, and the file with a byte changed; nothing may crash, whatever it says. */
static void try_damage(struct file notes, struct file data, size_t at)
{
    struct arena *a = arena_create();
    const char *why = NULL;
    char *exact = mem_alloc(at + 1, 1); /* of its own, for the address sanitizer */
    memcpy(exact, notes.text, at);
    struct flow *c = flow_read(a, exact, at, &why);
    assert_true(c || why);
    mem_free(exact);
    c = flow_read(a, notes.text, notes.size, &why);
    struct flow_counts counts = flow_counts_make(a, c);
    size_t n = at < data.size ? at : data.size;
    exact = mem_alloc(n + 1, 1);
    memcpy(exact, data.text, n);
    why = NULL;
    if (flow_add(c, exact, n, &counts, &why))
        assert_non_null(why);
    mem_free(exact);
    char *changed = mem_alloc(notes.size, 1);
    memcpy(changed, notes.text, notes.size);
    changed[at] ^= 0x11;
    if ((c = flow_read(a, changed, notes.size, &why))) {
        counts = flow_counts_make(a, c);
        flow_add(c, data.text, data.size, &counts, &why);
    }
    mem_free(changed);
    arena_destroy(a);
}

static void damaged_files_are_refused_or_read(void **state)
{
    static const char *const compilers[] = {"gcc", "clang"};
    (void)state;
    for (size_t k = 0; k < 2; k++) {
        make(compilers[k], "-O1");
        struct file notes = load("/x.gcno"), data = load("/x.gcda");
        for (size_t at = 0; at < notes.size; at += is_thorough() ? 1 : 13)
            try_damage(notes, data, at);
        mem_free(notes.text);
        mem_free(data.text);
    }
}

static void other_versions_are_refused(void **state)
{
    struct arena *a = arena_create();
    const char *why = NULL;
    (void)state;
    assert_null(flow_read(a, "oncg*04A\1\2\3\4\0\0\0\0", 16, &why));
    assert_string_equal(why, "it is of an old compiler; gcc 12 or later, or clang, is needed");
    assert_null(flow_read(a, "gcno22B*\1\2\3\4\0\0\0\0", 16, &why));
    assert_string_equal(why, "it does not begin as a coverage file of a little-endian machine");
    arena_destroy(a);
}

static void data_of_another_compilation_are_refused(void **state)
{
    const char *why;
    (void)state;
    make("gcc", "-O0");
    struct arena *a = arena_create();
    struct file notes = load("/x.gcno"), data = load("/x.gcda");
    struct flow *c = flow_read(a, notes.text, notes.size, &why);
    struct flow_counts counts = flow_counts_make(a, c);
    c->stamp++;
    assert_int_equal(flow_add(c, data.text, data.size, &counts, &why), -1);
    assert_string_equal(why, "it is of another compilation than its notes");
    mem_free(notes.text);
    mem_free(data.text);
    arena_destroy(a);
}

static int begin(void **state)
{
    const char *base = getenv("TMPDIR");
    (void)state;
    snprintf(folder, sizeof folder, "%s/flow-XXXXXX", base && strlen(base) < 40 ? base : "/tmp");
    return mkdtemp(folder) ? 0 : -1;
}

static int end(void **state)
{
    char command[128];
    (void)state;
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_of_gcc_without_optimisation),
        cmocka_unit_test(counts_of_gcc_with_optimisation),
        cmocka_unit_test(counts_of_clang),
        cmocka_unit_test(counts_of_processes_add_up),
        cmocka_unit_test(damaged_files_are_refused_or_read),
        cmocka_unit_test(other_versions_are_refused),
        cmocka_unit_test(data_of_another_compilation_are_refused),
    };
    return RUN_WITH(tests, begin, end);
}
