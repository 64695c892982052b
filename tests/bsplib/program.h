/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the programs that test libbsp share. Such a program is a list of tests, run one after the
 * other by all processors: PROGRAM P [TEST]. It is right if it exits with 0 and processor 0 has
 * printed "passed" at the end; what is wrong ends it through bsp_abort, with file and line.
 */
#ifndef TESTS_BSPLIB_PROGRAM_H
#define TESTS_BSPLIB_PROGRAM_H

#include <bsp.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                                           \
    ((condition) ? (void)0 : bsp_abort("%s:%d: %s\n", __FILE__, __LINE__, #condition))

#define SAME(got, want) program_same(__FILE__, __LINE__, #got, (long long)(got), (long long)(want))

static inline void program_same(const char *file, int line, const char *what, long long got,
                                long long want)
{
    if (got != want)
        bsp_abort("%s:%d: %s is %lld, not %lld", file, line, what, got, want);
}

struct bsp_test {
    const char *name;
    void (*run)(void);
};

#define TEST(name)                                                                                 \
    {                                                                                              \
#name, name                                                                                \
    }

static inline void *must_alloc(size_t bytes)
{
    void *memory = calloc(bytes ? bytes : 1, 1);
    if (!memory)
        abort();
    return memory;
}

static inline int program_main(int argc, char **argv, const struct bsp_test *tests, size_t n)
{
    size_t run = 0;
    bsp_begin(bsp_nprocs());
    CHECK(argc >= 2);
    SAME(bsp_nprocs(), atoi(argv[1]));
    for (size_t i = 0; i < n; i++) {
        if (argc > 2 && strcmp(argv[2], tests[i].name) != 0)
            continue;
        tests[i].run();
        bsp_sync();
        run++;
    }
    CHECK(run > 0);
    int pid = bsp_pid();
    bsp_end();
    if (pid == 0)
        puts("passed");
    return 0;
}

#define PROGRAM(...)                                                                               \
    int main(int argc, char **argv)                                                                \
    {                                                                                              \
        static const struct bsp_test tests[] = {__VA_ARGS__};                                      \
        return program_main(argc, argv, tests, sizeof tests / sizeof *tests);                      \
    }

#endif
