/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory that never comes back as NULL, and arenas (see memory.h).
 *
 * An arena is a list of blocks, each twice the size of the one before up to 1 MiB; a piece larger
 * than a quarter of a block gets a block of its own. Under AddressSanitizer every piece gets its
 * own block, so that overruns and uses after arena_destroy are seen.
 */
#include "base/memory.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__SANITIZE_ADDRESS__)
#define ARENA_SEPARATE 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ARENA_SEPARATE 1
#endif
#endif
#ifndef ARENA_SEPARATE
#define ARENA_SEPARATE 0
#endif

enum { FIRST_BLOCK = 4096, LARGEST_BLOCK = 1 << 20 };

static mem_oom_handler *oom_handler;
static long fail_countdown = -1;

static void leave_without_memory(size_t bytes)
{
    fprintf(stderr, "error: out of memory (cannot allocate %zu bytes)\n", bytes);
    exit(1);
}

mem_oom_handler *mem_set_oom_handler(mem_oom_handler *handler)
{
    mem_oom_handler *before = oom_handler;
    oom_handler = handler;
    return before;
}

void mem_fail_after(long countdown)
{
    fail_countdown = countdown;
}

_Noreturn void mem_exhausted(size_t bytes)
{
    (oom_handler ? oom_handler : leave_without_memory)(bytes);
    abort(); /* a handler that returns breaks the contract */
}

static size_t product(size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > PTRDIFF_MAX)
        mem_exhausted(SIZE_MAX);
    return bytes ? bytes : 1;
}

static int must_fail(void)
{
    if (fail_countdown < 0)
        return 0;
    return fail_countdown-- == 0;
}

void *mem_alloc(size_t count, size_t size)
{
    size_t bytes = product(count, size);
    void *p = must_fail() ? NULL : malloc(bytes);
    if (!p)
        mem_exhausted(bytes);
    return p;
}

void *mem_zalloc(size_t count, size_t size)
{
    size_t bytes = product(count, size);
    void *p = must_fail() ? NULL : calloc(1, bytes);
    if (!p)
        mem_exhausted(bytes);
    return p;
}

void *mem_resize(void *p, size_t count, size_t size)
{
    size_t bytes = product(count, size);
    void *q = must_fail() ? NULL : realloc(p, bytes);
    if (!q)
        mem_exhausted(bytes);
    return q;
}

void mem_free(void *p)
{
    free(p);
}

char *mem_strdup(const char *s)
{
    size_t n = strlen(s) + 1;
    return memcpy(mem_alloc(n, 1), s, n);
}

size_t mem_grown(size_t have, size_t need)
{
    size_t twice = have > SIZE_MAX / 2 ? SIZE_MAX : have * 2;
    size_t least = twice > 16 ? twice : 16;
    return need > least ? need : least;
}

/* ---- arenas ---- */

struct block {
    struct block *next;
    size_t used, size;
    _Alignas(max_align_t) char bytes[];
};

struct arena {
    struct block *newest;
};

struct arena *arena_create(void)
{
    return mem_zalloc(1, sizeof(struct arena));
}

void arena_destroy(struct arena *a)
{
    if (!a)
        return;
    arena_reset(a);
    mem_free(a->newest);
    mem_free(a);
}

void arena_reset(struct arena *a)
{
    while (a->newest && a->newest->next) {
        struct block *next = a->newest->next;
        mem_free(a->newest);
        a->newest = next;
    }
    if (!a->newest)
        return;
    if (ARENA_SEPARATE) {
        mem_free(a->newest);
        a->newest = NULL;
    } else {
        a->newest->used = 0;
    }
}

static struct block *add_block(struct arena *a, size_t size)
{
    if (size > SIZE_MAX - sizeof(struct block))
        mem_exhausted(size);
    struct block *b = mem_alloc(1, sizeof *b + size);
    b->used = 0;
    b->size = size;
    b->next = a->newest;
    a->newest = b;
    return b;
}

void *arena_alloc(struct arena *a, size_t count, size_t size)
{
    const size_t align = _Alignof(max_align_t);
    size_t bytes = product(count, size);
    if (bytes > PTRDIFF_MAX - align)
        mem_exhausted(bytes);
    bytes = (bytes + align - 1) / align * align;
    if (ARENA_SEPARATE)
        return add_block(a, product(count, size))->bytes;
    struct block *b = a->newest;
    if (!b || b->size - b->used < bytes) {
        size_t next = b ? b->size * 2 : FIRST_BLOCK;
        if (next > LARGEST_BLOCK)
            next = LARGEST_BLOCK;
        b = add_block(a, bytes > next / 4 ? bytes + next : next);
    }
    void *p = b->bytes + b->used;
    b->used += bytes;
    return p;
}

void *arena_zalloc(struct arena *a, size_t count, size_t size)
{
    void *p = arena_alloc(a, count, size);
    return memset(p, 0, count * size);
}

/* Most arrays stay short. */
enum { ARENA_FIRST = 4 };

void *arena_grow(struct arena *a, void *array, size_t n, size_t *capacity, size_t need, size_t size)
{
    if (need <= *capacity)
        return array;
    size_t room = *capacity || need > ARENA_FIRST ? mem_grown(*capacity, need) : ARENA_FIRST;
    void *bigger = arena_alloc(a, room, size);
    if (n)
        memcpy(bigger, array, n * size);
    *capacity = room;
    return bigger;
}

char *arena_strndup(struct arena *a, const char *s, size_t n)
{
    char *copy = arena_alloc(a, n + 1, 1);
    memcpy(copy, s, n);
    copy[n] = 0;
    return copy;
}

char *arena_strdup(struct arena *a, const char *s)
{
    return arena_strndup(a, s, strlen(s));
}

char *arena_vprintf(struct arena *a, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (n < 0)
        return arena_strdup(a,
                            format); /* an unprintable argument: better the format than nothing */
    char *s = arena_alloc(a, (size_t)n + 1, 1);
    vsnprintf(s, (size_t)n + 1, format, args);
    return s;
}

char *arena_printf(struct arena *a, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *s = arena_vprintf(a, format, args);
    va_end(args);
    return s;
}
