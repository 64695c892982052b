/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formula/scan.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arithmetic.h"

const struct formula *scan_fail(struct parser *p, struct span where, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *text = arena_vprintf(p->arena, format, args);
    va_end(args);
    return diag_null(diag_add(p->diag, SEVERITY_ERROR, p->source, where, "%s", text));
}

struct span scan_span(const struct parser *p, size_t begin)
{
    return (struct span){begin, p->last > begin ? p->last : begin};
}

int scan_peek_at(const struct parser *p, size_t ahead)
{
    return p->at + ahead < p->end ? (unsigned char)p->source->text[p->at + ahead] : -1;
}

int scan_peek(struct parser *p)
{
    while (p->at < p->end && isspace((unsigned char)p->source->text[p->at]))
        p->at++;
    return scan_peek_at(p, 0);
}

bool scan_take(struct parser *p, const char *symbol)
{
    size_t n = strlen(symbol);
    scan_peek(p);
    if (p->end - p->at < n || memcmp(p->source->text + p->at, symbol, n) != 0)
        return false;
    p->at += n;
    p->last = p->at;
    return true;
}

bool scan_is_start(int c)
{
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c >= 0x80;
}

bool scan_is_part(int c)
{
    return scan_is_start(c) || (c >= '0' && c <= '9');
}

struct span scan_name(struct parser *p)
{
    size_t begin = p->at;
    while (scan_is_part(scan_peek_at(p, 0)))
        p->at++;
    p->last = p->at;
    return (struct span){begin, p->at};
}

bool scan_word(struct parser *p, const char *word)
{
    size_t n = strlen(word);
    if (!scan_is_start(scan_peek(p)) || p->end - p->at < n ||
        memcmp(p->source->text + p->at, word, n) != 0 || scan_is_part(scan_peek_at(p, n)))
        return false;
    p->at += n;
    p->last = p->at;
    return true;
}

bool scan_enter(struct parser *p)
{
    if (++p->nesting <= FORMULA_MAX_NESTING)
        return true;
    scan_fail(p, (struct span){p->at, p->at + 1},
              "the formula is nested more than %d levels deep; simplify it", FORMULA_MAX_NESTING);
    return false;
}

const struct formula *scan_number(struct parser *p)
{
    size_t begin = p->at;
    while (isdigit(scan_peek_at(p, 0)) || scan_peek_at(p, 0) == '.')
        p->at++;
    int c = scan_peek_at(p, 0), sign = scan_peek_at(p, 1) == '+' || scan_peek_at(p, 1) == '-';
    if ((c == 'e' || c == 'E') && isdigit(scan_peek_at(p, 1 + (size_t)sign))) {
        p->at += 1 + (size_t)sign;
        while (isdigit(scan_peek_at(p, 0)))
            p->at++;
    }
    p->last = p->at;
    struct span span = {begin, p->at};
    char *text = arena_strndup(p->arena, p->source->text + begin, p->at - begin), *rest;
    double value = strtod(text, &rest);
    if (*rest || !isfinite(value))
        return scan_fail(p, span, "'%s' is not a number that can be used", text);
    double times = arithmetic_suffix(scan_peek_at(p, 0));
    bool suffix = times > 0 && !scan_is_part(scan_peek_at(p, 1));
    if (suffix && (p->conditions || (p->options && p->options->suffixes))) {
        value *= times;
        p->last = span.end = ++p->at;
    } else if (suffix) {
        int letter = scan_peek_at(p, 0);
        return scan_fail(
            p, (struct span){p->at, p->at + 1},
            "an operator is missing after the number; write %s*%c, or %s*2^%d for %s%c", text,
            letter, text, ilogb(times), text, letter);
    }
    if (scan_is_start(scan_peek_at(p, 0)))
        return scan_fail(p, (struct span){p->at, p->at + 1},
                         "an operator is missing after the number; write %s*...", text);
    struct formula *f = arena_zalloc(p->arena, 1, sizeof *f);
    *f = (struct formula){.kind = FORMULA_NUMBER, .depth = 1, .span = span, .number = value};
    return f;
}

/* index := integer | variable;  the text is added to the canonical name */
static int read_index(struct parser *p, struct text *name);

int scan_path(struct parser *p, struct text *name)
{
    struct span first = scan_name(p);
    text_addn(name, p->source->text + first.begin, first.end - first.begin);
    for (;;) {
        int c = scan_peek(p);
        bool arrow = c == '-' && scan_peek_at(p, 1) == '>',
             scope = c == ':' && scan_peek_at(p, 1) == ':';
        if (c == '[') {
            if (read_index(p, name))
                return -1;
        } else if (arrow || scope || c == '.') {
            const char *symbol = arrow ? "->" : scope ? "::" : ".";
            scan_take(p, symbol);
            text_add(name, symbol);
            if (!scan_is_start(scan_peek(p))) {
                scan_fail(p, (struct span){p->at, p->at + 1},
                          "the name of a member is missing here");
                return -1;
            }
            struct span member = scan_name(p);
            text_addn(name, p->source->text + member.begin, member.end - member.begin);
        } else {
            return 0;
        }
    }
}

static int read_index(struct parser *p, struct text *name)
{
    if (!scan_enter(p))
        return -1;
    scan_take(p, "[");
    text_addc(name, '[');
    int c = scan_peek(p);
    size_t begin = p->at;
    if (isdigit(c)) {
        while (isdigit(scan_peek_at(p, 0)))
            p->at++;
        text_addn(name, p->source->text + begin, p->at - begin);
    } else if (!scan_is_start(c) || scan_path(p, name)) {
        if (!scan_is_start(c))
            scan_fail(p, (struct span){begin, begin + 1},
                      "an index must be an integer or a variable");
        return -1;
    }
    if (!scan_take(p, "]")) {
        scan_fail(p, (struct span){p->at, p->at + 1},
                  "']' is missing here; an index must be an integer or a variable");
        return -1;
    }
    text_addc(name, ']');
    p->nesting--;
    return 0;
}
