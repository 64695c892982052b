/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Diagnostics: every message about a text the user wrote.
 *
 *     fft.c:12:24: error: f[2] makes the formula non-linear: it is multiplied by f[1]; write ...
 *       #pragma cll f f[0] + f[1]*f[2]
 *                            ^~~~
 *
 * Messages are collected in a struct diag, printed in the order of their positions, and counted.
 */
#ifndef BASE_DIAG_H
#define BASE_DIAG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/source.h"

enum severity { SEVERITY_NOTE, SEVERITY_WARNING, SEVERITY_ERROR };

struct diag;
struct diag *diag_create(void);
void diag_destroy(struct diag *d); /* NULL is fine */
/* Messages that are destroyed where the block is left: DIAG_LOCAL struct diag *d = diag_create(); */
#define DIAG_LOCAL __attribute__((cleanup(diag_leave)))
static inline void diag_leave(struct diag **d)
{
    diag_destroy(*d);
}

/* Adds a message about `where` in `source`; source and its text must live until diag_print/destroy.
 * source NULL: a message without a place. A NULL diag swallows the message. Always -1. */
int diag_add(struct diag *d, enum severity severity, const struct source *source, struct span where,
             const char *format, ...) __attribute__((format(printf, 5, 6)));
/* For a function that returns a pointer: return diag_null(diag_error(d, "...")); */
static inline void *diag_null(int error)
{
    (void)error;
    return NULL;
}

/* Where a line of a source comes from, for a text that another program made of the user's file: the name
 * and the number of the line there; false if it is the user's file itself. `name` is empty before. */
struct text;
typedef bool diag_origin(const struct source *source, size_t line, struct text *name,
                         size_t *original);
void diag_set_origin(struct diag *d, diag_origin *origin);

/* A copy of the source that lives as long as the messages: for a text that is gone when they are
 * printed. Without a diag it is the source itself. */
const struct source *diag_keep(struct diag *d, const struct source *source);

/* As diag_add, for messages without a place; diag_locate may give them one later. */
#define diag_error(d, ...)   diag_add(d, SEVERITY_ERROR, NULL, (struct span){0, 0}, __VA_ARGS__)
#define diag_warning(d, ...) diag_add(d, SEVERITY_WARNING, NULL, (struct span){0, 0}, __VA_ARGS__)

/* How many messages of at least this severity there are. */
size_t diag_count(const struct diag *d, enum severity at_least);

/* The text of the first message of at least this severity, NULL if none. */
const char *diag_first(const struct diag *d, enum severity at_least);

/* The next error that has a place, from the message *i on, in the order of arrival: its index in *i, and what it says. False if
 * there is none. */
bool diag_next_error(const struct diag *d, size_t *i, const struct source **source,
                     struct span *where, const char **text);

/* Prints all, with source line and caret, notes staying behind the message they follow; then
 * forgets them. At most `limit` errors are printed (0 = all), the rest counted in one line. */
void diag_print(struct diag *d, FILE *out, size_t limit);
void diag_clear(struct diag *d);
/* Whether the words 'error' and 'warning' have colours: for a program whose messages go to a terminal. */
void diag_have_colours(bool colours);

/* Gives every message that has no place this one: the command or statement that caused it. */
void diag_locate(struct diag *d, const struct source *source, struct span where);

#endif
