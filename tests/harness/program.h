/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the programs that test libpub and libbsp share. Such a program is a list of tests, run one
 * after the other by all processors: PROGRAM P [TEST]. It is right if it exits with 0 and processor
 * 0 has printed "passed" at the end. The program.h of each library defines before its use
 *
 *     struct program_test     a name, and the function of a test with the library's parameters
 *     program_main            runs those that program_is_asked names; then program_passed
 */
#ifndef TESTS_HARNESS_PROGRAM_H
#define TESTS_HARNESS_PROGRAM_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline void *must_alloc(size_t bytes)
{
    void *memory = calloc(bytes ? bytes : 1, 1);
    if (!memory)
        abort();
    return memory;
}

static inline int program_is_asked(int argc, char **argv, const char *name)
{
    return argc <= 2 || strcmp(argv[2], name) == 0;
}

static inline int program_passed(int pid)
{
    if (pid == 0)
        puts("passed");
    return 0;
}

#define TEST(name)                                                                                 \
    {                                                                                              \
#name, name                                                                                \
    }

#define PROGRAM(...)                                                                               \
    int main(int argc, char **argv)                                                                \
    {                                                                                              \
        static const struct program_test tests[] = {__VA_ARGS__};                                  \
        return program_main(argc, argv, tests, sizeof tests / sizeof *tests);                      \
    }

#endif
