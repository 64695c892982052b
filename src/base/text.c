/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A growing text (see text.h). */
#include "base/text.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"

struct text text_new(void)
{
    struct text t = {.capacity = 64};
    t.s = mem_zalloc(t.capacity, 1);
    return t;
}

void text_init(struct text *t)
{
    *t = text_new();
}

void text_free(struct text *t)
{
    mem_free(t->s);
    t->s = NULL;
    t->n = t->capacity = 0;
}

char *text_keep(struct text *t, struct arena *a)
{
    char *copy = arena_strndup(a, t->s, t->n);
    text_free(t);
    return copy;
}

void text_clear(struct text *t)
{
    t->n = 0;
    t->s[0] = 0;
}

static void text_reserve(struct text *t, size_t more)
{
    if (more >= SIZE_MAX - t->n)
        mem_exhausted(SIZE_MAX);
    t->s = mem_grow(t->s, &t->capacity, t->n + more + 1, 1);
}

void text_addn(struct text *t, const char *s, size_t n)
{
    text_reserve(t, n);
    memcpy(t->s + t->n, s, n);
    t->n += n;
    t->s[t->n] = 0;
}

void text_add(struct text *t, const char *s)
{
    text_addn(t, s, strlen(s));
}

void text_addc(struct text *t, char c)
{
    text_addn(t, &c, 1);
}

void text_printf(struct text *t, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (n > 0) {
        text_reserve(t, (size_t)n);
        vsnprintf(t->s + t->n, (size_t)n + 1, format, args);
        t->n += (size_t)n;
    }
    va_end(args);
}

size_t text_find(const char *const *list, size_t n, const char *s)
{
    size_t i = 0;
    while (i < n && strcmp(list[i], s) != 0)
        i++;
    return i;
}

bool text_is_in(const char *const *list, size_t n, const char *s)
{
    return text_find(list, n, s) < n;
}

void *text_element(const void *list, size_t n, size_t size, size_t at, const char *s)
{
    for (const char *element = list; n > 0; n--, element += size)
        if (strcmp(*(const char *const *)(const void *)(element + at), s) == 0)
            return (void *)(uintptr_t)element;
    return NULL;
}

bool text_ends_with(const char *s, const char *end)
{
    size_t n = strlen(s), m = strlen(end);
    return n >= m && strcmp(s + n - m, end) == 0;
}
