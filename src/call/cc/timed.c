/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds the bodies of functions by their places, which the compiler told: the last character of a body in C is
 * its closing brace, and the brace that opens it is the one that it closes. In Fortran the body begins after the
 * declarations.
 */
#define _GNU_SOURCE 1 /* memmem */
#include "call/cc/timed.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/sort.h"
#include "base/source.h"
#include "base/text.h"
#include "call/cc/refused.h"
#include "call/cc/translate.h"
#include "translate/fortran.h"

static const size_t most_bytes = (size_t)1 << 26;

/* ---- the list ---- */

static char *list_text;
static bool list_known;
static const char *refused_all; /* why no function of this command gets a region */

const char *timed_list(void)
{
    const char *path = getenv(TIMED_VARIABLE);
    size_t size;
    if (!path || !*path)
        return NULL;
    if (!list_known && source_read(path, most_bytes, &list_text, &size))
        list_text = NULL;
    list_known = true;
    return list_text;
}

void timed_refuse_all(const char *why)
{
    refused_all = why;
}

struct timed_region *timed_find(struct arena *a, const char *list, const char *real, size_t *n)
{
    struct timed_region *found = NULL;
    size_t capacity = 0;
    *n = 0;
    for (const char *line = list; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        struct timed_region r = {0};
        char name[32];
        int path = 0;
        size_t end = strcspn(line, "\n");
        // NOLINTNEXTLINE(cert-err34-c): call discover has written the numbers
        if (sscanf(line, "%31s %u %u %u %u %n", name, &r.line, &r.column, &r.end_line,
                   &r.end_column, &path) < 5 ||
            (size_t)path > end || strlen(real) != end - (size_t)path ||
            strncmp(line + path, real, end - (size_t)path) != 0)
            continue;
        if (refused_all)
            refused_report(name, refused_all);
        if (refused_all || refused_has(name))
            continue;
        r.name = arena_strdup(a, name);
        ARENA_ADD(a, found, *n, &capacity, r);
    }
    return found;
}

/* ---- what is put where ---- */

struct insertion {
    size_t at;
    const char *text;
};

struct insertions {
    struct arena *arena;
    struct insertion *list;
    size_t n, capacity;
    const char *newline;
};

static const char *newline_of(const char *text, size_t size)
{
    const char *end = memchr(text, '\n', size);
    return end && end > text && end[-1] == '\r' ? "\r\n" : "\n";
}

static void insert(struct insertions *s, size_t at, const char *text)
{
    ARENA_ADD(s->arena, s->list, s->n, &s->capacity, (struct insertion){at, text});
}

static bool is_blank(const char *text, size_t begin, size_t end)
{
    while (begin < end && (text[begin] == ' ' || text[begin] == '\t' || text[begin] == '\r'))
        begin++;
    return begin == end;
}

/* A line of its own after this place, or before it: what else is in the line gets a line as well. */
static void insert_line_after(struct insertions *s, const char *text, size_t size, size_t at,
                              const char *line)
{
    const char *stop = memchr(text + at, '\n', size - at);
    size_t end = stop ? (size_t)(stop - text) : size;
    insert(s, at,
           arena_printf(s->arena, "%s%s%s", s->newline, line,
                        is_blank(text, at, end) ? "" : s->newline));
}

static void insert_line_before(struct insertions *s, const char *text, size_t at, const char *line)
{
    size_t begin = at;
    while (begin > 0 && text[begin - 1] != '\n')
        begin--;
    bool alone = is_blank(text, begin, at);
    insert(s, alone ? begin : at,
           arena_printf(s->arena, "%s%s%s", alone ? "" : s->newline, line, s->newline));
}

static int by_place(const void *x, const void *y)
{
    const struct insertion *p = x, *q = y;
    return p->at < q->at ? -1 : p->at > q->at;
}

/* The byte at which a line begins; `size` after the last. */
static size_t line_start(const char *text, size_t size, unsigned line)
{
    size_t i = 0;
    for (; line > 1 && i < size; line--) {
        const char *end = memchr(text + i, '\n', size - i);
        i = end ? (size_t)(end - text) + 1 : size;
    }
    return i;
}

/* ---- C and C++ ---- */

static bool is_punctuator(const struct token *t, char c)
{
    return t->kind == TOKEN_PUNCTUATOR && t->id == (uint32_t)c;
}

static bool is_word(const char *text, const struct token *t, const char *word)
{
    size_t n = strlen(word);
    return t->kind == TOKEN_NAME && t->end - t->begin == n && !strncmp(text + t->begin, word, n);
}

/* The token at this byte; n without one. */
static size_t token_at(const struct tokens *t, size_t byte)
{
    size_t low = 0, high = t->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (t->list[middle].begin < byte)
            low = middle + 1;
        else
            high = middle;
    }
    return low < t->n && t->list[low].begin == byte ? low : t->n;
}

static size_t opening_of(const struct tokens *t, size_t close)
{
    size_t depth = 0;
    for (size_t i = close + 1; i-- > 0;) {
        depth += is_punctuator(&t->list[i], '}');
        if (is_punctuator(&t->list[i], '{') && --depth == 0)
            return i;
    }
    return t->n;
}

/* The first brace after the name that is not in parentheses, and the one that closes it. Members that a constructor
 * initialises come before it: then nothing is found. */
static void body_after(const struct tokens *t, size_t from, size_t *open, size_t *close)
{
    size_t parentheses = 0, depth = 0;
    *open = *close = t->n;
    for (size_t i = from; i < t->n; i++) {
        const struct token *k = &t->list[i];
        if (*open == t->n && !parentheses && (is_punctuator(k, ':') || is_punctuator(k, ';')))
            return;
        parentheses += is_punctuator(k, '(');
        parentheses -= is_punctuator(k, ')') && parentheses;
        if (parentheses)
            continue;
        if (is_punctuator(k, '{') && !depth++)
            *open = i;
        if (is_punctuator(k, '}') && depth && !--depth) {
            *close = i;
            return;
        }
    }
}

/* The first brace from a byte on that is not in parentheses. In C the body begins there, also if branches of the preprocessor
 * inside it open a brace each, which one closes. */
static size_t first_brace(const struct tokens *t, size_t start)
{
    size_t parentheses = 0, i = 0;
    while (i < t->n && t->list[i].begin < start)
        i++;
    for (; i < t->n && (parentheses || !is_punctuator(&t->list[i], '{')); i++) {
        parentheses += is_punctuator(&t->list[i], '(');
        parentheses -= is_punctuator(&t->list[i], ')') && parentheses;
    }
    return i;
}

/* A word before the body that forbids variables in it, up to the declaration before; NULL: none does. */
static const char *forbidding_word(const char *text, const struct tokens *t, size_t open)
{
    static const char *const words[] = {"constexpr", "consteval", "naked",
                                        "__naked__", "try",       "no_instrument_function"};
    for (size_t i = open; i-- > 0;) {
        const struct token *k = &t->list[i];
        if (is_punctuator(k, ';') || is_punctuator(k, '}') || is_punctuator(k, '{'))
            return NULL;
        for (size_t w = 0; w < sizeof words / sizeof *words; w++)
            if (is_word(text, k, words[w]))
                return words[w];
    }
    return NULL;
}

/* Has a branch of #if other braces than none or pairs, from the name of a function to its last brace? Then the pairs are
 * known only to the compiler. */
static bool has_loose_braces(const struct tokens *t, size_t start, size_t close)
{
    enum { MOST = 64 };
    long depth = 0, at[MOST] = {0};
    size_t n = 1; /* the first is that of branches that begin before the name */
    for (size_t i = 0; i < close; i++) {
        const struct token *k = &t->list[i];
        if (k->begin < start)
            continue;
        depth += is_punctuator(k, '{') - is_punctuator(k, '}');
        if (k->kind != TOKEN_DIRECTIVE)
            continue;
        if ((k->id == DIRECTIVE_IF || k->id == DIRECTIVE_IF_ZERO) && n < MOST)
            at[n++] = depth;
        else if ((k->id == DIRECTIVE_ELIF || k->id == DIRECTIVE_ELSE || k->id == DIRECTIVE_ENDIF) &&
                 depth != at[n - 1])
            return true;
        n -= k->id == DIRECTIVE_ENDIF && n > 1;
    }
    return false;
}

/* Does a branch of #if that has the first brace end before the last one? */
static bool leaves_branch(const struct tokens *t, size_t open, size_t close)
{
    size_t depth = 0;
    for (size_t i = open; i < close; i++) {
        const struct token *k = &t->list[i];
        if (k->kind != TOKEN_DIRECTIVE)
            continue;
        bool ends = k->id == DIRECTIVE_ELSE || k->id == DIRECTIVE_ELIF || k->id == DIRECTIVE_ENDIF;
        if (ends && !depth)
            return true;
        depth += k->id == DIRECTIVE_IF || k->id == DIRECTIVE_IF_ZERO;
        depth -= k->id == DIRECTIVE_ENDIF;
    }
    return false;
}

/* Jumps whose targets the translator does not know; NULL: there are none. */
static const char *unclear_jump(const char *text, const struct tokens *t, size_t open, size_t close)
{
    for (size_t i = open; i < close; i++) {
        const struct token *k = &t->list[i];
        if (is_word(text, k, "goto") && i + 1 < t->n && is_punctuator(&t->list[i + 1], '*'))
            return "computed goto";
        if (is_word(text, k, "__label__"))
            return "__label__";
        if (is_word(text, k, "goto") && i &&
            (is_word(text, &t->list[i - 1], "asm") || is_word(text, &t->list[i - 1], "__asm__")))
            return "asm goto";
    }
    return NULL;
}

/* Why a region cannot be in the body; NULL: it can. */
static const char *obstacle(enum language language, const char *text, const struct tokens *t,
                            const struct timed_region *r, size_t start, size_t open, size_t close)
{
    static const char hidden[] = "a brace in a macro or a branch of #if";
    if (open >= close || close == t->n || t->list[open].begin < start)
        return hidden;
    const char *why = forbidding_word(text, t, open);
    if (!why)
        why = unclear_jump(text, t, open, close);
    if (why)
        return why;
    bool loose = language == LANGUAGE_C && r->end_line ? leaves_branch(t, open, close)
                                                       : has_loose_braces(t, start, close);
    return loose ? hidden : NULL;
}

/* NULL, or why there is no region. */
static const char *put_braced(struct insertions *s, enum language language, const char *text,
                              size_t size, const struct tokens *t, const struct timed_region *r)
{
    size_t start = line_start(text, size, r->line) + (r->column ? r->column - 1 : 0);
    size_t open = t->n, close;
    if (r->end_line) {
        close = token_at(t, line_start(text, size, r->end_line) + r->end_column - 1);
        if (close < t->n && is_punctuator(&t->list[close], '}'))
            open = language == LANGUAGE_C ? first_brace(t, start) : opening_of(t, close);
    } else {
        size_t from = 0;
        while (from < t->n && t->list[from].begin < start)
            from++;
        body_after(t, from, &open, &close);
    }
    const char *why = obstacle(language, text, t, r, start, open, close);
    if (why)
        return why;
    if (r->begin) {
        insert_line_after(s, text, size, t->list[open].end, r->begin);
        insert_line_before(s, text, t->list[close].begin, r->end);
    } else {
        insert(s, t->list[open].end, arena_printf(s->arena, " _Pragma(\"cll %s\") ", r->name));
        insert(s, t->list[close].begin,
               arena_printf(s->arena, " _Pragma(\"cll end %s\") ", r->name));
    }
    return NULL;
}

/* ---- Fortran ---- */

/* Does a line begin with this word? */
static bool begins(const char *s, size_t n, const char *word)
{
    size_t m = strlen(word);
    return n >= m && !strncasecmp(s, word, m) &&
           (n == m || !(isalnum((unsigned char)s[m]) || s[m] == '_'));
}

static bool is_declaration(const char *s, size_t n)
{
    static const char *const others[] = {"data", "include", "interface", "enum", "byte", NULL};
    for (size_t i = 0; fortran_declaring[i]; i++)
        if (begins(s, n, fortran_declaring[i]))
            return true;
    for (size_t i = 0; others[i]; i++)
        if (begins(s, n, others[i]))
            return true;
    return memmem(s, n, "::", 2) != NULL;
}

struct fortran_line_view {
    const char *s; /* without leading blanks and without its comment */
    size_t n;
    bool blank, continues; /* this line continues the one before (fixed form) */
    bool goes_on;          /* the next line continues this one (free form) */
};

static struct fortran_line_view view_line(const char *text, size_t begin, size_t end, bool fixed)
{
    struct fortran_line_view v = {0};
    const char *s = text + begin, *stop = text + end;
    if (fixed && begin < end && strchr("cC*!dD", *s)) {
        v.blank = true;
        return v;
    }
    v.continues = fixed && end - begin > 5 && s[5] != ' ' && s[5] != '0' && !memchr(s, '\t', 6);
    while (s < stop && isspace((unsigned char)*s))
        s++;
    const char *comment = memchr(s, '!', (size_t)(stop - s));
    if (comment)
        stop = comment;
    while (stop > s && isspace((unsigned char)stop[-1]))
        stop--;
    v.s = s;
    v.n = (size_t)(stop - s);
    v.blank = !v.n || *s == '#';
    v.goes_on = !fixed && v.n && stop[-1] == '&';
    return v;
}

/* The byte of the first statement of a procedure whose head begins in this line; `size` if none is found. */
static size_t first_statement(const char *text, size_t size, unsigned line, unsigned last,
                              bool fixed)
{
    bool goes_on = true; /* the head itself */
    unsigned blocks = 0; /* interface and type have an end of their own */
    size_t at = line_start(text, size, line);
    for (unsigned k = line; k <= last && at < size; k++) {
        const char *stop = memchr(text + at, '\n', size - at);
        size_t end = stop ? (size_t)(stop - text) : size;
        struct fortran_line_view v = view_line(text, at, end, fixed);
        bool is_part = v.blank || goes_on || v.continues;
        if (!is_part) {
            bool opens = begins(v.s, v.n, "interface") || begins(v.s, v.n, "enum") ||
                         (begins(v.s, v.n, "type") && !memchr(v.s, '(', v.n));
            if (blocks && begins(v.s, v.n, "end"))
                blocks -= strncasecmp(v.s + 3, " sub", 4) && strncasecmp(v.s + 3, " fun", 4);
            else if (opens)
                blocks++;
            else if (!blocks && !is_declaration(v.s, v.n))
                return at;
        }
        if (!v.blank)
            goes_on = v.goes_on;
        at = end < size ? end + 1 : size;
    }
    return size;
}

/* NULL, or why there is no region. */
static const char *put_fortran(struct insertions *s, const char *text, size_t size, bool fixed,
                               const struct timed_region *r)
{
    if (!r->end_line)
        return "its end is not known";
    size_t first = first_statement(text, size, r->line, r->end_line, fixed);
    size_t last = line_start(text, size, r->end_line);
    size_t next = line_start(text, size, r->end_line + 1);
    struct fortran_line_view v = view_line(text, last, next, fixed);
    bool is_end = begins(v.s, v.n, "end") || begins(v.s, v.n, "endsubroutine") ||
                  begins(v.s, v.n, "endfunction") || begins(v.s, v.n, "endprogram");
    if (is_end && v.n > 4 && (!strncasecmp(v.s, "end do", 6) || !strncasecmp(v.s, "end if", 6)))
        is_end = false;
    size_t end = is_end ? last : next;
    if (first >= end)
        return "no statement";
    insert(s, first,
           r->begin ? arena_printf(s->arena, "%s%s", r->begin, s->newline)
                    : arena_printf(s->arena, "!$cll %s\n", r->name));
    insert(s, end,
           r->end ? arena_printf(s->arena, "%s%s", r->end, s->newline)
                  : arena_printf(s->arena, "!$cll end %s\n", r->name));
    return NULL;
}

/* ---- regions of the user ---- */

/* Do these words after `cll` begin or end a region? The others say how the program is parallel. */
static bool is_region(const char *s, const char *end)
{
    while (s < end && (*s == ' ' || *s == '\t'))
        s++;
    return !begins(s, (size_t)(end - s), "parallel") && !begins(s, (size_t)(end - s), "uses");
}

static void blank(char *begin, const char *end)
{
    for (; begin < end; begin++)
        if (*begin != '\n')
            *begin = ' ';
}

/* Also in macros, where the lexer does not look: _Pragma("cll ..."). */
static void blank_operators(char *text, const char *end)
{
    static const char word[] = "_Pragma";
    for (char *p = text; (p = memmem(p, (size_t)(end - p), word, sizeof word - 1));) {
        char *begin = p;
        p += sizeof word - 1;
        while (p < end && strchr(" \t(\"", *p) && *p)
            p++;
        char *close = p < end ? memchr(p, ')', (size_t)(end - p)) : NULL;
        while (close && close[-1] != '"')
            close = memchr(close + 1, ')', (size_t)(end - close - 1));
        if (close && p[-1] == '"' && begins(p, (size_t)(end - p), "cll") && is_region(p + 3, close))
            blank(begin, close + 1);
    }
}

static void blank_fortran(char *text, const char *end)
{
    static const char word[] = "$cll";
    for (char *line = text; line < end;) {
        char *p = line;
        while (p < end && (*p == ' ' || *p == '\t'))
            p++;
        bool comment = p + 5 < end && strchr(p == line ? "cCdD*!" : "!", *p);
        if (comment && !strncasecmp(p + 1, word, 4) && is_region(p + 5, end))
            p[1] = ' ';
        char *stop = memchr(line, '\n', (size_t)(end - line));
        line = stop ? stop + 1 : text + (end - text);
    }
}

void timed_blank(struct arena *a, enum language language, char *text, size_t size)
{
    if (language == LANGUAGE_FORTRAN) {
        blank_fortran(text, text + size);
        return;
    }
    struct tokens t = lex(a, names_create(a, language), text, size);
    for (size_t i = 0; i < t.n; i++) {
        const struct token *k = &t.list[i];
        const char *body = text + k->body, *end = text + k->end;
        if (k->kind != TOKEN_DIRECTIVE || k->id != DIRECTIVE_PRAGMA)
            continue;
        while (body < end && (*body == ' ' || *body == '\t'))
            body++;
        if (begins(body, (size_t)(end - body), "cll") && is_region(body + 3, end))
            blank(text + k->begin, end);
    }
    blank_operators(text, text + size);
}

/* ---- the whole ---- */

char *timed_put(struct arena *a, enum language language, bool fixed, const char *text, size_t size,
                const struct timed_region *regions, size_t n, const char **why, size_t *new_size)
{
    struct insertions s = {.arena = a, .newline = newline_of(text, size)};
    struct tokens tokens = {0};
    size_t at = 0;
    if (language != LANGUAGE_FORTRAN)
        tokens = lex(a, names_create(a, language), text, size);
    for (size_t i = 0; i < n; i++) {
        const char *refused = language == LANGUAGE_FORTRAN
                                  ? put_fortran(&s, text, size, fixed, &regions[i])
                                  : put_braced(&s, language, text, size, &tokens, &regions[i]);
        if (why)
            why[i] = refused;
    }
    sort_list(s.list, s.n, sizeof *s.list, by_place);
    TEXT_LOCAL struct text out = text_new();
    for (size_t i = 0; i < s.n; i++) {
        text_addn(&out, text + at, s.list[i].at - at);
        text_add(&out, s.list[i].text);
        at = s.list[i].at;
    }
    text_addn(&out, text + at, size - at);
    char *result = arena_strndup(a, out.s, out.n);
    *new_size = out.n;
    return result;
}
