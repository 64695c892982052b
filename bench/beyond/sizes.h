/* SPDX-License-Identifier: MIT */
/* The sizes of the programs here: STEPS sizes in equal ratios up to the largest that fits the
 * second-level cache, then 4, 8 and 16 times the largest. */
#ifndef BEYOND_SIZES_H
#define BEYOND_SIZES_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { STEPS = 14, SIZES = STEPS + 3, REPETITIONS = 4 };

/* Size k of SIZES; the first is `largest` / `range`. */
static inline int size_of(int k, double largest, double range)
{
    double times = k < STEPS ? pow(range, (double)k / (STEPS - 1) - 1) : 4 << (k - STEPS);
    return (int)lround(largest * times);
}

static inline void *reserve(size_t n, size_t size)
{
    void *p = malloc(n * size);
    if (!p) {
        fputs("beyond: out of memory\n", stderr);
        exit(1);
    }
    return p;
}

/* Always the same numbers (splitmix64). */
static inline uint64_t random_bits(uint64_t *state)
{
    uint64_t x = *state += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

/* A random permutation of 0 to N - 1. */
static inline void make_permutation(int *p, int N, uint64_t *random)
{
    for (int i = 0; i < N; i++)
        p[i] = i;
    for (int i = N - 1; i > 0; i--) {
        int j = (int)(random_bits(random) % (uint64_t)(i + 1)), t = p[i];
        p[i] = p[j];
        p[j] = t;
    }
}

#endif
