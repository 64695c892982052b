/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A growing text. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stddef.h>

/* `s` is always terminated (after text_init), `n` does not count the terminator. */
struct text {
    char *s;
    size_t n, capacity;
};
void text_init(struct text *t);
void text_free(struct text *t);
void text_clear(struct text *t);
void text_add(struct text *t, const char *s);
void text_addn(struct text *t, const char *s, size_t n);
void text_addc(struct text *t, char c);
void text_printf(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
