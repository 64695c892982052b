/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a statement declares. Not a C parser: specifiers are skipped, then the first name of each
 * declarator is the one declared. In a preprocessed text the typedefs are known; in a text as
 * written, `a * b;` at the start of a statement is taken for a declaration, which costs a region
 * its braces at worst.
 */
#include "translate/structure.h"

static bool is_punct(const struct stream *s, size_t at, uint32_t id)
{
    return at < s->n && s->list[at].kind == ITEM_PUNCTUATOR && s->list[at].id == id;
}

static bool is_name(const struct stream *s, size_t at)
{
    return at < s->n && s->list[at].kind == ITEM_NAME;
}

static bool is_specifier(const struct stream *s, size_t at)
{
    return is_name(s, at) && s->list[at].id >= WORD_TYPEDEF && s->list[at].id < WORD_STATIC_ASSERT;
}

static bool is_plain_name(const struct stream *s, size_t at)
{
    return is_name(s, at) && s->list[at].id >= WORD_COUNT;
}

size_t stream_skip(const struct stream *s, size_t at)
{
    size_t depth = 0;
    for (; at < s->n; at++) {
        if (s->list[at].kind != ITEM_PUNCTUATOR)
            continue;
        switch (s->list[at].id) {
        case '(':
        case '[':
        case '{': depth++; break;
        case ')':
        case ']':
        case '}':
            if (depth <= 1)
                return at + 1;
            depth--;
            break;
        default: break;
        }
    }
    return at;
}

/* [[...]], and words such as __attribute__ with the parentheses after them. */
static size_t skip_attributes(const struct stream *s, size_t at)
{
    for (;;) {
        if (is_punct(s, at, '[') && is_punct(s, at + 1, '['))
            at = stream_skip(s, at);
        else if (is_name(s, at) &&
                 (s->list[at].id == WORD_ATTRIBUTE || s->list[at].id == WORD_ATTRIBUTE_ ||
                  s->list[at].id == WORD_DECLSPEC))
            at = is_punct(s, at + 1, '(') ? stream_skip(s, at + 1) : at + 1;
        else
            return at;
    }
}

bool declare_starts(const struct unit *u, const struct stream *s, size_t at)
{
    at = skip_attributes(s, at);
    while (is_name(s, at) && s->list[at].id == WORD_EXTENSION)
        at++;
    if (is_specifier(s, at))
        return true;
    if (is_name(s, at) && s->list[at].id == WORD_LABEL)
        return false;
    if (!is_plain_name(s, at))
        return false;
    if (is_plain_name(s, at + 1) || is_specifier(s, at + 1))
        return true;
    bool parenthesis = is_punct(s, at + 1, '(');
    if (!parenthesis && !is_punct(s, at + 1, '*'))
        return false;
    if (s->preprocessed)
        return u->flags[s->list[at].id] & NAME_TYPE;
    size_t k = at + 1 + parenthesis;
    while (is_punct(s, k, '*'))
        k++;
    if (parenthesis) /* T (*p)[4], T (*f)(int), T (x) = 1: only the last one cannot be a call */
        return is_plain_name(s, k) && is_punct(s, k + 1, ')') &&
               (is_punct(s, k + 2, '=') ||
                (k > at + 2 && (is_punct(s, k + 2, '[') || is_punct(s, k + 2, '('))));
    return is_plain_name(s, k) && (is_punct(s, k + 1, '=') || is_punct(s, k + 1, ';') ||
                                   is_punct(s, k + 1, ',') || is_punct(s, k + 1, '['));
}

/* The enumerators and the tag of struct/union/enum at `at`; returns what follows. */
static size_t skip_tagged(const struct stream *s, size_t at, size_t end, declare_found *found,
                          void *user)
{
    bool is_enum = s->list[at].id == WORD_ENUM;
    at = skip_attributes(s, at + 1);
    size_t tag = is_plain_name(s, at) ? at++ : end;
    if (is_enum && is_punct(s, at, ':')) /* C23: enum e : int { */
        while (at < end && !is_punct(s, at, '{') && !is_punct(s, at, ';'))
            at++;
    if (!is_punct(s, at, '{'))
        return at;
    if (tag < end)
        found(user, tag, DECLARE_NAME);
    size_t close = stream_skip(s, at);
    for (size_t k = at + 1; is_enum && k < close; k++) {
        if (is_plain_name(s, k) && (is_punct(s, k - 1, '{') || is_punct(s, k - 1, ',')))
            found(user, k, DECLARE_NAME);
        if (is_punct(s, k, '(') || is_punct(s, k, '[') || is_punct(s, k, '{'))
            k = stream_skip(s, k) - 1;
    }
    return close;
}

/* Storage classes, qualifiers and the type. */
static size_t skip_specifiers(const struct stream *s, size_t at, size_t end, declare_found *found,
                              void *user)
{
    bool have_type = false;
    size_t begin = at;
    while (at < end) {
        size_t next = skip_attributes(s, at);
        if (next != at) {
            at = next;
            continue;
        }
        if (!is_name(s, at))
            break;
        uint32_t id = s->list[at].id;
        if (id == WORD_STRUCT || id == WORD_UNION || id == WORD_ENUM) {
            at = skip_tagged(s, at, end, found, user);
            have_type = true;
        } else if (is_specifier(s, at)) {
            have_type |= id >= WORD_TYPEOF;
            at++;
            if (is_punct(s, at, '(') &&
                (id == WORD_ATOMIC || id == WORD_ALIGNAS || id == WORD_ALIGNAS23 ||
                 id == WORD_BITINT || (id >= WORD_TYPEOF && id <= WORD_TYPEOF_UNQUAL))) {
                at = stream_skip(s, at);
                have_type |= id != WORD_ALIGNAS && id != WORD_ALIGNAS23;
            }
        } else if (have_type ||
                   (at > begin && (is_punct(s, at + 1, '=') || is_punct(s, at + 1, ';') ||
                                   is_punct(s, at + 1, ',') || is_punct(s, at + 1, '[')))) {
            break; /* the declarator */
        } else {
            have_type = true;
            at++;
        }
    }
    return at;
}

void declare_names(const struct stream *s, size_t begin, size_t end, declare_found *found,
                   void *user)
{
    size_t at = skip_specifiers(s, begin, end, found, user);
    while (at < end) {
        size_t name = at;
        while (name < end && !is_plain_name(s, name) && !is_punct(s, name, ',') &&
               !is_punct(s, name, '=') && !is_punct(s, name, ';')) {
            size_t next = skip_attributes(s, name);
            name = next > name ? next : name + 1;
        }
        if (is_plain_name(s, name) && name < end)
            found(user, name, is_punct(s, name + 1, '[') ? DECLARE_ARRAY : DECLARE_NAME);
        at = name;
        while (at < end && !is_punct(s, at, ',')) {
            if (is_punct(s, at, '(') || is_punct(s, at, '[') || is_punct(s, at, '{'))
                at = stream_skip(s, at);
            else
                at++;
        }
        at++;
    }
}
