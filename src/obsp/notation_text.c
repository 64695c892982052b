/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines and words of the notation. All positions are bytes of the file, so that each message, also
 * one of a formula, points at what the user wrote.
 */
#include <ctype.h>
#include <stdarg.h>
#include <string.h>

#include "obsp/notation_reader.h"

static const char *const reserved[] = {
    "param", "start", "work",  "send", "sync", "oblsync", "for",    "to",  "step", "if",  "else",
    "end",   "proc",  "split", "in",   "at",   "all",     "others", "and", "or",   "not", NULL};

bool reader_reserved(const char *name)
{
    for (const char *const *word = reserved; *word; word++)
        if (strcmp(*word, name) == 0)
            return true;
    return false;
}

bool reader_error(struct reader *r, struct span where, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *text = arena_vprintf(r->arena, format, args);
    va_end(args);
    diag_add(r->diag, SEVERITY_ERROR, r->source, where, "%s", text);
    return false;
}

/* ---- lines */

static bool is_space(char c)
{
    return isspace((unsigned char)c);
}

/* Whether the backslash at `at` is the last thing of its line; *newline gets the end of the line. */
static bool continues(const char *text, size_t size, size_t at, size_t *newline)
{
    if (text[at] != '\\')
        return false;
    size_t i = at + 1;
    while (i < size && text[i] != '\n' && is_space(text[i]))
        i++;
    *newline = i;
    return i < size && text[i] == '\n';
}

/* Blanks one line, with those that continue it. Returns where it ends. */
static size_t blank_line(char *text, size_t size, size_t at)
{
    size_t newline;
    for (; at < size && text[at] != '\n'; at++) {
        if (text[at] == '#') {
            while (at < size && text[at] != '\n')
                text[at++] = ' ';
            return at;
        }
        if (continues(text, size, at, &newline)) {
            text[at] = ' ';
            at = newline;
        }
    }
    return at;
}

static struct span trim(const char *text, struct span s)
{
    while (s.begin < s.end && is_space(text[s.begin]))
        s.begin++;
    while (s.end > s.begin && is_space(text[s.end - 1]))
        s.end--;
    return s;
}

const struct span *reader_lines(struct arena *a, char *text, size_t size, size_t *n)
{
    struct span *lines = NULL;
    size_t capacity = 0;
    *n = 0;
    for (size_t at = 0; at < size; at++) {
        size_t end = blank_line(text, size, at);
        struct span line = trim(text, (struct span){at, end});
        at = end;
        if (reader_empty(line))
            continue;
        ARENA_ADD(a, lines, *n, &capacity, line);
    }
    return lines;
}

/* ---- words */

const char *reader_text(const struct reader *r, struct span where)
{
    return arena_strndup(r->arena, r->source->text + where.begin, where.end - where.begin);
}

struct span reader_trim(const struct reader *r, struct span where)
{
    return trim(r->source->text, where);
}

bool reader_empty(struct span where)
{
    return where.begin == where.end;
}

static bool begins_word(char c)
{
    unsigned char u = (unsigned char)c;
    return u == '_' || (u >= 'a' && u <= 'z') || (u >= 'A' && u <= 'Z') || u >= 0x80;
}

static bool in_word(char c)
{
    return begins_word(c) || (c >= '0' && c <= '9');
}

struct span reader_word(const struct reader *r, struct span where)
{
    struct span word = {where.begin, where.begin};
    if (!reader_empty(where) && begins_word(r->source->text[where.begin]))
        while (word.end < where.end && in_word(r->source->text[word.end]))
            word.end++;
    return word;
}

bool reader_is(const struct reader *r, struct span where, const char *word)
{
    size_t n = strlen(word);
    return where.end - where.begin == n && memcmp(r->source->text + where.begin, word, n) == 0;
}

const char *reader_name(const struct reader *r, struct span where, struct span *found)
{
    const char *text = r->source->text;
    *found = reader_word(r, where);
    if (reader_empty(*found))
        return NULL;
    const char *name = reader_text(r, *found);
    struct span rest = reader_trim(r, (struct span){found->end, where.end});
    if (reader_empty(rest) || text[rest.begin] != '[')
        return name;
    struct span index = reader_trim(r, (struct span){rest.begin + 1, rest.end});
    size_t end = index.begin;
    while (end < index.end && isdigit((unsigned char)text[end]))
        end++;
    struct span after = reader_trim(r, (struct span){end, rest.end});
    if (end == index.begin || reader_empty(after) || text[after.begin] != ']')
        return name;
    found->end = after.begin + 1;
    return arena_printf(r->arena, "%s[%.*s]", name, (int)(end - index.begin), text + index.begin);
}

bool reader_divide(const struct reader *r, struct span where, const char *symbol,
                   struct span *before, struct span *after)
{
    const char *text = r->source->text;
    bool is_word = begins_word(*symbol);
    int depth = 0;
    for (size_t at = where.begin; at < where.end; at++) {
        struct span word = {at, at + 1};
        if (begins_word(text[at]))
            word = reader_word(r, (struct span){at, where.end});
        else if (in_word(text[at])) /* a number: 2to is not `to` */
            while (word.end < where.end && in_word(text[word.end]))
                word.end++;
        depth += text[at] == '(' || text[at] == '[';
        depth -= text[at] == ')' || text[at] == ']';
        if (depth <= 0 && reader_is(r, word, symbol) && begins_word(text[at]) == is_word) {
            *before = reader_trim(r, (struct span){where.begin, at});
            *after = reader_trim(r, (struct span){word.end, where.end});
            return true;
        }
        at = word.end - 1;
    }
    return false;
}
