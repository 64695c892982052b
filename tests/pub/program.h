/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The programs that test libpub (harness/program.h). What is wrong ends one through bsp_abort, with
 * file and line.
 */
#ifndef TESTS_PUB_PROGRAM_H
#define TESTS_PUB_PROGRAM_H

#include <pub.h>

#include "../harness/program.h"

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

struct program_test {
    const char *name;
    void (*run)(t_bsp *world);
};

static inline int program_main(int argc, char **argv, const struct program_test *tests, size_t n)
{
    t_bsp world;
    size_t run = 0;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, &world);
    CHECK(&world, argc >= 2);
    SAME(&world, bsp_nprocs(&world), atoi(argv[1]));
    for (size_t i = 0; i < n; i++) {
        if (!program_is_asked(argc, argv, tests[i].name))
            continue;
        tests[i].run(&world);
        bsp_sync(&world);
        run++;
    }
    CHECK(&world, run > 0);
    int pid = bsp_pid(&world);
    bsplib_done();
    return program_passed(pid);
}

#endif
