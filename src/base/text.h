/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A growing text. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/memory.h"

/* `s` is always terminated, `n` does not count the terminator. */
struct text {
    char *s;
    size_t n, capacity;
};
struct text text_new(void);
void text_init(struct text *t); /* the same for one that is part of another structure */
void text_free(struct text *t);
/* A text that is freed where the block is left: TEXT_LOCAL struct text t = text_new(); */
#define TEXT_LOCAL __attribute__((cleanup(text_free)))
/* The text in an arena; `t` is freed. */
char *text_keep(struct text *t, struct arena *a);
void text_clear(struct text *t);
void text_add(struct text *t, const char *s);
void text_addn(struct text *t, const char *s, size_t n);
void text_addc(struct text *t, char c);
void text_printf(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The index of `s` in a list of n strings; n if it is not there. */
size_t text_find(const char *const *list, size_t n, const char *s);
bool text_is_in(const char *const *list, size_t n, const char *s);
/* The element of a list of n structures whose `member` is the text s; NULL without one. */
#define TEXT_ELEMENT(list, n, member, s)                                                           \
    ((__typeof__(&*(list)))text_element(list, n, sizeof *(list),                                   \
                                        offsetof(__typeof__(*(list)), member), s))
/* The same of elements of this size, which have the pointer to the text at this place. */
void *text_element(const void *list, size_t n, size_t size, size_t at, const char *s);
/* Does the string `s` end with `end`? */
bool text_ends_with(const char *s, const char *end);

#endif
