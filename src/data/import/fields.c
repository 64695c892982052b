/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines and fields (fields.h). Positions are byte offsets; nothing reads at or after the end. */
#include "data/import/fields.h"

#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static void skip_blanks(const char *s, size_t n, size_t *at)
{
    while (*at < n && is_blank(s[*at]))
        ++*at;
}

static enum field_end after_field(const char *s, size_t n, size_t *at, char separator)
{
    bool blanks = separator == ' ', separated = false;
    if (blanks) {
        size_t before = *at;
        skip_blanks(s, n, at);
        separated = *at > before;
    }
    if (*at >= n)
        return END_TEXT;
    if (!blanks && s[*at] == separator) {
        ++*at;
        return END_FIELD;
    }
    *at += s[*at] == '\r' && *at + 1 < n && s[*at + 1] == '\n';
    if (s[*at] == '\n') {
        ++*at;
        return END_ROW;
    }
    return separated ? END_FIELD : TEXT_BEHIND_QUOTE;
}

static bool ends_plain(const char *s, size_t n, size_t at, char separator)
{
    if (s[at] == '\n')
        return true;
    if (separator != ' ')
        return s[at] == separator;
    return is_blank(s[at]) || (s[at] == '\r' && at + 1 < n && s[at + 1] == '\n');
}

enum field_end field_read(const char *s, size_t n, size_t *at, char separator, struct field *f)
{
    if (separator == ' ')
        skip_blanks(s, n, at);
    f->quoted = *at < n && s[*at] == '"';
    f->begin = *at += f->quoted;
    if (!f->quoted) {
        while (*at < n && !ends_plain(s, n, *at, separator))
            ++*at;
        f->end = *at;
        if (f->end > f->begin && s[f->end - 1] == '\r' && *at < n && s[*at] == '\n')
            f->end--;
        return after_field(s, n, at, separator);
    }
    for (; *at < n; ++*at) {
        if (s[*at] != '"')
            continue;
        if (*at + 1 >= n || s[*at + 1] != '"')
            break;
        ++*at;
    }
    f->end = *at;
    if (*at >= n)
        return OPEN_QUOTE;
    ++*at;
    return after_field(s, n, at, separator);
}

char *field_text(struct import *in, const struct field *f)
{
    char *s = arena_alloc(in->scratch, f->end - f->begin + 1, 1);
    size_t n = 0;
    for (size_t i = f->begin; i < f->end; i++) {
        s[n++] = in->text[i];
        i += f->quoted && in->text[i] == '"';
    }
    s[n] = 0;
    while (!f->quoted && n > 0 && is_blank(s[n - 1]))
        s[--n] = 0;
    return s + (f->quoted ? 0 : strspn(s, " \t"));
}

bool import_next_line(const char *text, size_t size, size_t *at, struct span *line)
{
    if (*at >= size)
        return false;
    const char *newline = memchr(text + *at, '\n', size - *at);
    line->begin = *at;
    line->end = newline ? (size_t)(newline - text) : size;
    *at = line->end + 1;
    if (line->end > line->begin && text[line->end - 1] == '\r')
        line->end--;
    return true;
}

bool import_next_word(const char *text, size_t *at, size_t end, struct span *word)
{
    skip_blanks(text, end, at);
    word->begin = *at;
    while (*at < end && !is_blank(text[*at]))
        ++*at;
    word->end = *at;
    return word->end > word->begin;
}

struct span fields_trim(const char *text, struct span s)
{
    while (s.begin < s.end && is_blank(text[s.begin]))
        s.begin++;
    while (s.end > s.begin && is_blank(text[s.end - 1]))
        s.end--;
    return s;
}

size_t import_split(const char *text, struct span line, char separator, struct span *fields,
                    size_t most)
{
    size_t n = 0;
    for (size_t begin = line.begin;;) {
        const char *next = memchr(text + begin, separator, line.end - begin);
        size_t end = next ? (size_t)(next - text) : line.end;
        if (n < most)
            fields[n] = fields_trim(text, (struct span){begin, end});
        n++;
        if (!next)
            return n;
        begin = end + 1;
    }
}

bool fields_is(const char *text, struct span s, const char *word)
{
    size_t n = strlen(word);
    return s.end - s.begin == n && memcmp(text + s.begin, word, n) == 0;
}

bool fields_begins(const char *text, struct span s, const char *word)
{
    size_t n = strlen(word);
    return s.end - s.begin >= n && memcmp(text + s.begin, word, n) == 0;
}

char *fields_text(struct import *in, struct span s)
{
    return arena_strndup(in->scratch, in->text + s.begin, s.end - s.begin);
}
