/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A growing text. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/memory.h"

/* `s` is always terminated (after text_init), `n` does not count the terminator. */
struct text {
    char *s;
    size_t n, capacity;
};
void text_init(struct text *t);
void text_free(struct text *t);
/* The text in an arena; `t` is freed. */
char *text_keep(struct text *t, struct arena *a);
void text_clear(struct text *t);
void text_add(struct text *t, const char *s);
void text_addn(struct text *t, const char *s, size_t n);
void text_addc(struct text *t, char c);
void text_printf(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Does the string `s` end with `end`? */
bool text_ends_with(const char *s, const char *end);

#endif
