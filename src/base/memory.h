/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory of the analyst's programs (call, llac; never libcll).
 *
 * Rule: no allocation function here returns NULL. When memory runs out the program says so and leaves
 * with status 1; outputs are only ever renamed into place when complete. Tests install a handler of their own.
 *
 *     struct arena *a = arena_create();
 *     char *s = arena_printf(a, "%s.cll.c", base);
 *     arena_destroy(a); // frees everything at once
 *
 * What a block needs for itself is released where the block is left, by whatever way:
 *
 *     ARENA_LOCAL struct arena *a = arena_create();
 *     MEM_LOCAL double *values = mem_alloc(100, sizeof *values);
 */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stdarg.h>
#include <stddef.h>

/* Plain memory, released with mem_free. Sizes are products checked for overflow. */
void *mem_alloc(size_t count, size_t size);
void *mem_zalloc(size_t count, size_t size);
/* Grows or shrinks; the content is kept. */
void *mem_resize(void *p, size_t count, size_t size);
void mem_free(void *p);
char *mem_strdup(const char *s);

/* Of a pointer that is declared in a block: it is released at the end of the block. */
#define MEM_LOCAL __attribute__((cleanup(mem_leave)))
static inline void mem_leave(void *pointer)
{
    mem_free(*(void **)pointer);
}

/* The capacity an array of `need` elements should get when it has `have` (doubling,
 * overflow-checked). */
size_t mem_grown(size_t have, size_t need);

/* The array with room for `need` elements; it has room for *capacity, which is set. */
static inline void *mem_grow(void *array, size_t *capacity, size_t need, size_t size)
{
    if (need <= *capacity)
        return array;
    *capacity = mem_grown(*capacity, need);
    return mem_resize(array, *capacity, size);
}

/* Appends a value to an array of plain memory. */
#define MEM_ADD(array, n, capacity, ...)                                                           \
    do {                                                                                           \
        (array) = mem_grow(array, capacity, (n) + 1, sizeof *(array));                             \
        (array)[(n)++] = __VA_ARGS__;                                                              \
    } while (0)

/* Called when memory runs out, with the size asked for; must not return. NULL = the default:
 * a message on stderr, exit status 1. Returns the handler that was set before. */
typedef void mem_oom_handler(size_t bytes);
mem_oom_handler *mem_set_oom_handler(mem_oom_handler *handler);

/* For allocations of other libraries: calls the handler. */
_Noreturn void mem_exhausted(size_t bytes);

/* Tests: the allocation after `countdown` further ones fails (0 = the next one; negative = none).
 */
void mem_fail_after(long countdown);

/* Many small pieces with one life time. */
struct arena;
struct arena *arena_create(void);
void arena_destroy(struct arena *a); /* NULL is fine */
#define ARENA_LOCAL __attribute__((cleanup(arena_leave)))
static inline void arena_leave(struct arena **a)
{
    arena_destroy(*a);
}
/* Forgets every piece, keeps one block for reuse. */
void arena_reset(struct arena *a);
/* Aligned for any type, not cleared. */
void *arena_alloc(struct arena *a, size_t count, size_t size);
/* `array` has `n` elements and room for *capacity. Returns an array with room for `need`, which has
 * the same elements, and sets *capacity. The room doubles, so that appending takes linear time. */
void *arena_grow(struct arena *a, void *array, size_t n, size_t *capacity, size_t need,
                 size_t size);
/* Appends a value to an array in the arena, which has `n` elements and room for *capacity. */
#define ARENA_ADD(a, array, n, capacity, ...)                                                      \
    do {                                                                                           \
        (array) = arena_grow(a, array, n, capacity, (n) + 1, sizeof *(array));                     \
        (array)[(n)++] = __VA_ARGS__;                                                              \
    } while (0)
void *arena_zalloc(struct arena *a, size_t count, size_t size);
char *arena_strdup(struct arena *a, const char *s);
char *arena_strndup(struct arena *a, const char *s, size_t n);
char *arena_printf(struct arena *a, const char *format, ...) __attribute__((format(printf, 2, 3)));
char *arena_vprintf(struct arena *a, const char *format, va_list args);

#endif
