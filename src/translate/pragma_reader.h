/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The words of a pragma, for pragma.c and pragma_begin.c: a reader moves over the bytes of one pragma, in which comments and
 * continuations are blanks already, and points messages at what the user wrote.
 */
#ifndef TRANSLATE_PRAGMA_READER_H
#define TRANSLATE_PRAGMA_READER_H

#include "translate/pragma.h"

struct pragma_reader {
    struct arena *arena;
    const struct source *source;
    struct diag *diag;
    size_t at, end;
    struct pragma *out;
    bool fortran; /* expressions are those of Fortran */
};

/* Complains about a part of the pragma. Always false. */
#define REFUSE(r, span, ...)                                                                       \
    (diag_add((r)->diag, SEVERITY_ERROR, (r)->source, span, __VA_ARGS__), false)

/* Whether a name may begin with it. */
bool pragma_is_letter(char c);
/* The byte at the reader, 0 at the end. */
char pragma_ahead(const struct pragma_reader *r);
void pragma_skip_blanks(struct pragma_reader *r);
/* The text at the reader, for a message to point at; at least one byte wide. */
struct span pragma_here(const struct pragma_reader *r);
/* Without the blanks at both ends. */
struct span pragma_trimmed(const struct pragma_reader *r, struct span span);

/* The next word; NULL without one. */
const char *pragma_read_word(struct pragma_reader *r, struct span *span);
/* The same; a word of the language is in small letters, however a Fortran source writes it. */
const char *pragma_read_keyword(struct pragma_reader *r, struct span *span);
/* The name of an experiment; NULL after a complaint. */
const char *pragma_read_name(struct pragma_reader *r, struct span *span);
/* Whether it is this word; capitals do not matter in Fortran. */
bool pragma_is_word(const struct pragma_reader *r, const char *s, const char *word);
/* Complains if something follows. */
bool pragma_expect_end(struct pragma_reader *r, const char *after);

/* The position of the first `c` of [begin, end) outside brackets and strings, or end. */
size_t pragma_find_outside(const char *text, size_t begin, size_t end, char c);
/* The position of the first '=' that compares nothing, as in <= or ==. */
size_t pragma_find_equals(const char *text, size_t begin, size_t end);

/* NAME [aliases] [part {";" part}]: the start of a region (pragma_begin.c). */
bool pragma_parse_begin(struct pragma_reader *r);

#endif
