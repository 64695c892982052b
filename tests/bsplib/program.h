/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The programs that test libbsp (harness/program.h). What is wrong ends one through bsp_abort, with
 * file and line.
 */
#ifndef TESTS_BSPLIB_PROGRAM_H
#define TESTS_BSPLIB_PROGRAM_H

#include <bsp.h>

#include "../harness/program.h"

#define CHECK(condition)                                                                           \
    ((condition) ? (void)0 : bsp_abort("%s:%d: %s\n", __FILE__, __LINE__, #condition))

#define SAME(got, want) program_same(__FILE__, __LINE__, #got, (long long)(got), (long long)(want))

static inline void program_same(const char *file, int line, const char *what, long long got,
                                long long want)
{
    if (got != want)
        bsp_abort("%s:%d: %s is %lld, not %lld", file, line, what, got, want);
}

struct program_test {
    const char *name;
    void (*run)(void);
};

static inline int program_main(int argc, char **argv, const struct program_test *tests, size_t n)
{
    size_t run = 0;
    bsp_begin(bsp_nprocs());
    CHECK(argc >= 2);
    SAME(bsp_nprocs(), atoi(argv[1]));
    for (size_t i = 0; i < n; i++) {
        if (!program_is_asked(argc, argv, tests[i].name))
            continue;
        tests[i].run();
        bsp_sync();
        run++;
    }
    CHECK(run > 0);
    int pid = bsp_pid();
    bsp_end();
    return program_passed(pid);
}

#endif
