/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines and fields of texts that are tables of some kind.
 */
#ifndef DATA_IMPORT_FIELDS_H
#define DATA_IMPORT_FIELDS_H

#include "data/import/build.h"

/* The content of a field: without quotes, but "" inside is still two. */
struct field {
    size_t begin, end;
    bool quoted;
};

enum field_end { END_FIELD, END_ROW, END_TEXT, OPEN_QUOTE, TEXT_BEHIND_QUOTE };

/* Reads the field at *at of s[0..n), quoted as RFC 4180 has it, and what ends it. With the separator
 * ' ' any number of blanks and tabs separates fields, and those around the row do not matter. */
enum field_end field_read(const char *s, size_t n, size_t *at, char separator, struct field *f);
/* The field without its quotes and the blanks around it; lives in in->scratch. */
char *field_text(struct import *in, const struct field *f);

/* The next line of the text without its line end: false at the end of the text. */
bool import_next_line(const char *text, size_t size, size_t *at, struct span *line);
/* The next word of [*at, end), which blanks and tabs separate: false after the last one. */
bool import_next_word(const char *text, size_t *at, size_t end, struct span *word);
/* Splits a line at each separator; blanks around a field are left out. Returns the number of
 * fields; the first `most` of them are in `fields`. */
size_t import_split(const char *text, struct span line, char separator, struct span *fields,
                    size_t most);
/* Whether the text of a span is `word`, or begins with it. */
bool fields_is(const char *text, struct span s, const char *word);
bool fields_begins(const char *text, struct span s, const char *word);
struct span fields_trim(const char *text, struct span s);
char *fields_text(struct import *in, struct span s);

#endif
