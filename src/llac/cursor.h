/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reading a command: a position in the source, moved on by what each part of a command looks like.
 * Every error names its place in the text the user wrote.
 */
#ifndef LLAC_CURSOR_H
#define LLAC_CURSOR_H

#include <stdbool.h>
#include <stddef.h>

#include "base/diag.h"
#include "base/memory.h"

struct cursor {
    const struct source *source;
    size_t at, end;
    struct diag *diag;
    struct arena *arena; /* of the command */
    const char *command; /* its name, for messages; NULL if it is not known */
};

/* The next command of a script from *at on: [begin, end) without blanks around. Commands end at `;`
 * or at the end of the line, outside quotes; `#` after a blank starts a comment. False when there
 * is none. */
bool cursor_next_command(const struct source *source, size_t *at, struct span *command);

/* Reports at a span; always returns -1. */
int cursor_error(const struct cursor *c, struct span where, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Reports at the present position. */
#define cursor_error_here(c, ...) cursor_error(c, (struct span){(c)->at, (c)->at}, __VA_ARGS__)

bool cursor_done(struct cursor *c); /* skips blanks */
/* Reports that the command has no 'where', and what to do. */
int cursor_no_condition(const struct cursor *c, struct span where);
/* 0 if nothing is left; otherwise an error that names the rest. */
int cursor_finish(struct cursor *c);

/* An identifier; NULL (and nothing taken) if there is none. *where may be NULL. */
char *cursor_name(struct cursor *c, struct span *where);
/* The same with a part of its data: NAME@LABEL, NAME@VAR=VALUE; several may follow. */
char *cursor_experiment(struct cursor *c, struct span *where);
/* Takes the word if it comes next, as a whole word. */
bool cursor_keyword(struct cursor *c, const char *word);
/* Whether the word comes next, and not as a variable: VARIABLE=. Takes nothing. */
bool cursor_is_next(const struct cursor *c, const char *word);
/* Takes one of these characters. */
bool cursor_punctuation(struct cursor *c, char which);
/* A file name: quoted with "..." or '...', or up to the next blank. NULL if there is none or it is
 * malformed. */
char *cursor_path(struct cursor *c, struct span *where);
/* Everything up to the first of the words in `stops` (NULL-terminated) that stands free, outside
 * brackets and quotes, and is not followed by `(`. A piece in "..." is taken whole, without its
 * quotes. */
struct span cursor_expression(struct cursor *c, const char *const *stops);
/* A blank-free piece up to `=` (kept out): the name of a variable such as m->rows. NULL with an
 * error. */
char *cursor_variable(struct cursor *c, struct span *where);
/* A number or a range: blanks may be beside its operators and inside its parentheses, N = 1024 * 1024. A
 * comma before another VARIABLE= ends it, and is taken. */
struct span cursor_value(struct cursor *c);
/* A blank-free piece. */
struct span cursor_token(struct cursor *c);
char *cursor_text(const struct cursor *c, struct span where);

#endif
