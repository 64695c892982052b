/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the programs that test libpub share. Such a program is a list of tests, run one after the
 * other by all processors: PROGRAM P [TEST]. It is right if it exits with 0 and processor 0 has
 * printed "passed" at the end; what is wrong ends it through bsp_abort, with file and line.
 */
#ifndef TESTS_PUB_PROGRAM_H
#define TESTS_PUB_PROGRAM_H

#include <pub.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(bsp, condition)                                                                      \
    ((condition) ? (void)0 : bsp_abort(bsp, "%s:%d: %s", __FILE__, __LINE__, #condition))

#define SAME(bsp, got, want)                                                                       \
    program_same(bsp, __FILE__, __LINE__, #got, (long long)(got), (long long)(want))

static inline void program_same(t_bsp *bsp, const char *file, int line, const char *what,
                                long long got, long long want)
{
    if (got != want)
        bsp_abort(bsp, "%s:%d: %s is %lld, not %lld", file, line, what, got, want);
}

/* ---- random numbers and contents that everybody can compute */

static inline uint64_t mixed(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

static inline uint64_t next(uint64_t *state)
{
    *state += 0x9e3779b97f4a7c15u;
    return mixed(*state);
}

/* 0 .. n-1 */
static inline uint64_t below(uint64_t *state, uint64_t n)
{
    return next(state) % n;
}

/* Contents `seed`: eight bytes of them, from 8 i on; and byte i. */
static inline uint64_t content_word(uint64_t seed, size_t i)
{
    return seed * 0xd6e8feb86659fd93u + i * 0x9e3779b97f4a7c15u;
}

static inline uint8_t content(uint64_t seed, size_t i)
{
    uint64_t word = content_word(seed, i / 8);
    uint8_t bytes[8];
    memcpy(bytes, &word, sizeof bytes);
    return bytes[i % 8];
}

static inline void fill(void *buffer, size_t bytes, uint64_t seed)
{
    for (size_t i = 0; i < bytes; i += 8) {
        uint64_t word = content_word(seed, i / 8);
        memcpy((uint8_t *)buffer + i, &word, bytes - i < 8 ? bytes - i : 8);
    }
}

static inline int holds(const void *buffer, size_t bytes, uint64_t seed)
{
    for (size_t i = 0; i < bytes; i += 8) {
        uint64_t word = content_word(seed, i / 8);
        if (memcmp((const uint8_t *)buffer + i, &word, bytes - i < 8 ? bytes - i : 8) != 0)
            return 0;
    }
    return 1;
}

/* ---- tests */

struct pub_test {
    const char *name;
    void (*run)(t_bsp *world);
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

static inline int program_main(int argc, char **argv, const struct pub_test *tests, size_t n)
{
    t_bsp world;
    size_t run = 0;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, &world);
    CHECK(&world, argc >= 2);
    SAME(&world, bsp_nprocs(&world), atoi(argv[1]));
    for (size_t i = 0; i < n; i++) {
        if (argc > 2 && strcmp(argv[2], tests[i].name) != 0)
            continue;
        tests[i].run(&world);
        bsp_sync(&world);
        run++;
    }
    CHECK(&world, run > 0);
    int pid = bsp_pid(&world);
    bsplib_done();
    if (pid == 0)
        puts("passed");
    return 0;
}

#define PROGRAM(...)                                                                               \
    int main(int argc, char **argv)                                                                \
    {                                                                                              \
        static const struct pub_test tests[] = {__VA_ARGS__};                                      \
        return program_main(argc, argv, tests, sizeof tests / sizeof *tests);                      \
    }

#endif
