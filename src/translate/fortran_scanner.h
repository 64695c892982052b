/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the scanners of both forms of Fortran share: fortran_text.c reads free form, fortran_fixed.c fixed form. */
#ifndef TRANSLATE_FORTRAN_SCANNER_H
#define TRANSLATE_FORTRAN_SCANNER_H

#include <string.h>

#include "translate/fortran.h"

/* Bytes of a line: [i, end). */
static inline bool fortran_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

static inline size_t fortran_skip_blanks(const char *s, size_t i, size_t end)
{
    while (i < end && fortran_is_blank(s[i]))
        i++;
    return i;
}

static inline size_t fortran_line_end(const char *s, size_t i, size_t size)
{
    const char *stop = memchr(s + i, '\n', size - i);
    return stop ? (size_t)(stop - s) : size;
}

static inline size_t fortran_trim(const char *s, size_t begin, size_t end)
{
    while (end > begin && fortran_is_blank(s[end - 1]))
        end--;
    return end;
}

struct fortran_scanner {
    struct unit *unit;
    struct fortran *f;
    const char *file;
    unsigned line;
    struct text s; /* the statement that is being read */
    uint32_t *at;
    size_t nat, cat;
    bool conditional, open; /* open: the next line continues the statement */
    bool open_directive;
    char quote;
    enum fortran_kind kind; /* fixed form: of the statement that is being read */
};

/* A line of the preprocessor in a text that is scanned. */
void fortran_scan_marker(struct fortran_scanner *c, size_t i, size_t end);
/* One byte of the statement. */
void fortran_scan_byte(struct fortran_scanner *c, char byte, size_t place);
/* One byte of a string, whose inside is blanked. */
void fortran_scan_quoted(struct fortran_scanner *c, size_t place);
/* The statement is complete. */
void fortran_scan_finish(struct fortran_scanner *c, enum fortran_kind kind);
/* Is there the mark of a directive of ours? */
bool fortran_is_mark(const char *s, size_t i, size_t end);
/* Such a mark at i; `inside`: in the middle of a statement. */
void fortran_scan_mark(struct fortran_scanner *c, size_t i, size_t end, bool inside);

/* Directives of the source as written. A line of the preprocessor; *line is the number of the present line. */
void fortran_find_marker(struct unit *u, struct input *in, size_t i, size_t end, unsigned *line);
enum fortran_sentinel { SENTINEL_NONE, SENTINEL_CLL, SENTINEL_MISSED };
/* What a comment is, which begins with '!' at i; *body: after the sentinel. */
enum fortran_sentinel fortran_sentinel(const char *s, size_t i, size_t end, size_t *body);
/* The '!' that begins the comment of a line; `end` without one. */
size_t fortran_comment(const char *s, size_t i, size_t end);
void fortran_note_miss(struct unit *u, struct input *in, size_t i, size_t end);
/* The directive at `at`, with the lines that continue it. */
void fortran_add_directive(struct unit *u, struct input *in, char *text, size_t at, size_t end,
                           unsigned line);

/* Fixed form. */
void fortran_fixed_find(struct unit *u, struct input *in, char *text);
void fortran_fixed_scan(struct fortran_scanner *c);

#endif
