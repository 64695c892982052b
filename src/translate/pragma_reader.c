/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "translate/pragma_reader.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/misprint.h"

/* Bytes from 0x80 on belong to names: compilers take letters of all languages in UTF-8. */
bool pragma_is_letter(char c)
{
    return isalpha((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

bool pragma_is_name_byte(char c)
{
    return pragma_is_letter(c) || isdigit((unsigned char)c);
}

char pragma_ahead(const struct pragma_reader *r)
{
    return r->at < r->end ? r->source->text[r->at] : '\0';
}

void pragma_skip_blanks(struct pragma_reader *r)
{
    while (r->at < r->end && isspace((unsigned char)r->source->text[r->at]))
        r->at++;
}

/* All that is left, without the blanks at its end. */
static struct span pragma_rest(const struct pragma_reader *r)
{
    size_t end = r->end;
    while (end > r->at && isspace((unsigned char)r->source->text[end - 1]))
        end--;
    return (struct span){r->at, end};
}

struct span pragma_here(const struct pragma_reader *r)
{
    size_t end = r->at;
    while (end < r->end && pragma_is_name_byte(r->source->text[end]))
        end++;
    if (end == r->at && end < r->end)
        end++;
    return r->at < r->end ? (struct span){r->at, end} : r->out->word;
}

const char *pragma_read_word(struct pragma_reader *r, struct span *span)
{
    pragma_skip_blanks(r);
    size_t begin = r->at;
    if (!pragma_is_letter(pragma_ahead(r)))
        return NULL;
    while (r->at < r->end && pragma_is_name_byte(r->source->text[r->at]))
        r->at++;
    *span = (struct span){begin, r->at};
    return arena_strndup(r->arena, r->source->text + begin, r->at - begin);
}

size_t pragma_find_outside(const char *text, size_t begin, size_t end, char c)
{
    int depth = 0;
    for (size_t i = begin; i < end; i++) {
        char x = text[i];
        if (x == c && depth == 0)
            return i;
        if (x == '"' || x == '\'') {
            for (i++; i < end && text[i] != x; i++)
                i += text[i] == '\\';
        } else if (x == '(' || x == '[') {
            depth++;
        } else if ((x == ')' || x == ']') && depth > 0) {
            depth--;
        }
    }
    return end;
}

size_t pragma_find_equals(const char *text, size_t begin, size_t end)
{
    for (;; begin++) {
        size_t at = pragma_find_outside(text, begin, end, '=');
        bool compares = at < end && ((at + 1 < end && text[at + 1] == '=') ||
                                     (at > begin && text[at - 1] && strchr("<>!", text[at - 1])));
        if (!compares)
            return at;
        begin = at + (text[at + 1] == '=');
    }
}

bool pragma_expect_end(struct pragma_reader *r, const char *after)
{
    pragma_skip_blanks(r);
    if (r->at >= r->end)
        return true;
    return REFUSE(r, pragma_rest(r), "nothing may follow %s in this pragma", after);
}

/* ---- words of the language ---- */

static const char *const reserved[] = {"parallel", "uses", "for", "end", "report", "sync", "all"};

bool pragma_is_reserved(const char *name)
{
    return text_is_in(reserved, sizeof reserved / sizeof *reserved, name);
}

/* Is it this word of the language? Capitals do not matter in Fortran. */
bool pragma_is_word(const struct pragma_reader *r, const char *s, const char *word)
{
    return !(r->fortran ? strcasecmp : strcmp)(s, word);
}

/* The next word; a reserved one is returned as it is written in the list. */
const char *pragma_read_keyword(struct pragma_reader *r, struct span *span)
{
    const char *word = pragma_read_word(r, span);
    for (size_t i = 0; word && i < sizeof reserved / sizeof *reserved; i++)
        if (pragma_is_word(r, word, reserved[i]))
            return reserved[i];
    return word;
}

const char *pragma_word_near(const char *name)
{
    for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++)
        if (misprint_is_one(name, reserved[i]))
            return reserved[i];
    return NULL;
}

const char *pragma_read_name(struct pragma_reader *r, struct span *span)
{
    const char *name = pragma_read_keyword(r, span);
    if (!name) {
        diag_add(r->diag, SEVERITY_ERROR, r->source, pragma_here(r),
                 "the name of an experiment is expected here");
        return NULL;
    }
    if (pragma_is_reserved(name)) {
        diag_add(r->diag, SEVERITY_ERROR, r->source, *span,
                 "'%s' is a word of the language and cannot name an experiment", name);
        return NULL;
    }
    return name;
}

struct span pragma_trimmed(const struct pragma_reader *r, struct span span)
{
    const char *text = r->source->text;
    while (span.end > span.begin && isspace((unsigned char)text[span.end - 1]))
        span.end--;
    while (span.begin < span.end && isspace((unsigned char)text[span.begin]))
        span.begin++;
    return span;
}
