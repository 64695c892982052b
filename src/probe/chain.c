/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE
#include "probe/chain.h"

#include <sys/mman.h>

#include "probe/kernel.h"
#include "probe/probe.h"

void *chain_memory(size_t bytes)
{
    void *m = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return m == MAP_FAILED ? NULL : m;
}

void chain_free(void *memory, size_t bytes)
{
    if (memory)
        munmap(memory, bytes);
}

static uintptr_t *word_of(void *memory, size_t line, unsigned word)
{
    return (uintptr_t *)((char *)memory + line * LINE) + word;
}

/* Sattolo's shuffle gives a permutation that is one cycle; then numbers of lines become pointers. */
void chain_make(void *memory, size_t bytes, unsigned word, uint64_t seed)
{
    size_t lines = bytes / LINE;
    for (size_t i = 0; i < lines; i++)
        *word_of(memory, i, word) = i;
    for (size_t i = lines - 1; i > 0; i--) {
        uintptr_t *a = word_of(memory, i, word), kept = *a;
        uintptr_t *b = word_of(memory, probe_random(&seed) % i, word);
        *a = *b;
        *b = kept;
    }
    for (size_t i = 0; i < lines; i++) {
        uintptr_t *a = word_of(memory, i, word);
        *a = (uintptr_t)word_of(memory, *a, word);
    }
}

KERNEL void chain_touch(const void *memory, size_t bytes)
{
    const char *m = memory;
    for (size_t i = 0; i < bytes; i += LINE)
        USE_INT(*(const uint64_t *)(m + i));
}

KERNEL void **chain_walk(void **at, size_t n)
{
    for (size_t i = 0; i < n; i += 16) {
        TIMES_16(at = *at;)
    }
    KEEP_INT(at);
    return at;
}

enum { UNROLLED = 8 };
#define UNROLL(access)                                                                             \
    access(0) access(1) access(2) access(3) access(4) access(5) access(6) access(7)

static uint64_t below(uint64_t end, uint64_t *seed)
{
    return (probe_random(seed) >> 32) * end >> 32;
}

void chain_random_places(uint64_t places[RANDOM_PLACES], size_t bytes, uint64_t seed)
{
    for (int k = 0; k < RANDOM_PLACES; k++)
        places[k] = below(bytes / LINE, &seed) * LINE;
}

/* The list is used again and again, each time moved round the working set: what would be behind its end is at its beginning. Computing
 * each place by itself would take longer than a load from the second-level cache. */
#define RANDOM_LOAD(k) USE_INT(*(const uint64_t *)((place[k] < back ? moved : wrapped) + place[k]));

KERNEL void chain_random_read(const void *memory, size_t bytes,
                              const uint64_t places[RANDOM_PLACES], size_t n, uint64_t seed)
{
    for (size_t i = 0; i < n; i += RANDOM_PLACES) {
        uint64_t move = below(bytes / LINE, &seed) * LINE, back = bytes - move;
        uintptr_t moved = (uintptr_t)memory + move, wrapped = moved - bytes;
        for (const uint64_t *place = places, *end = places + RANDOM_PLACES; place < end;
             place += UNROLLED) {
            UNROLL(RANDOM_LOAD)
        }
    }
}

/* ---- streams, with vectors of 16 bytes */

typedef uint64_t v2 __attribute__((vector_size(16), may_alias));

/* A loaded value is used; a store happens before the next one. */
#if defined __x86_64__
#define USE_VECTOR(x) __asm__ volatile("" : : "x"(x))
#elif defined __aarch64__
#define USE_VECTOR(x) __asm__ volatile("" : : "w"(x))
#else
#define USE_VECTOR(x) __asm__ volatile("" : : "m"(x))
#endif
#define READ(k)         USE_VECTOR(p[k]);
#define WRITE(k)        p[k] = x;
#define COPY(k)         to[k] = p[k];
#define KEEP_POINTER(p) __asm__ volatile("" : "+r"(p) : : "memory")

KERNEL void chain_stream_read(void *memory, size_t bytes)
{
    const v2 *p = memory, *end = p + bytes / sizeof(v2);
    for (; p < end; p += UNROLLED) {
        KEEP_POINTER(p);
        UNROLL(READ)
    }
}

KERNEL void chain_stream_write(void *memory, size_t bytes)
{
    v2 *p = memory, *end = p + bytes / sizeof(v2), x = {1, 2};
    for (; p < end; p += UNROLLED) {
        KEEP_POINTER(p);
        UNROLL(WRITE)
    }
}

KERNEL void chain_stream_copy(void *memory, size_t bytes)
{
    const v2 *p = memory, *end = p + bytes / 2 / sizeof(v2);
    v2 *to = (v2 *)memory + bytes / 2 / sizeof(v2);
    for (; p < end; p += UNROLLED, to += UNROLLED) {
        KEEP_POINTER(p);
        UNROLL(COPY)
    }
}
