/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One pass over the bytes. Line splices (backslash, newline) are skipped between tokens and inside
 * names and directives; a name that contains one is rebuilt without it.
 * Operators are told apart only as far as the statement parser cares: `->`, `&&`, `...`, assignment
 * against comparison. Digraphs become the character they mean.
 */
#define _GNU_SOURCE 1 /* memmem */
#include "translate/lex.h"

#include <string.h>

#include "base/lookup.h"

struct lexer {
    struct arena *arena;
    struct names *names;
    bool cxx;
    const char *text;
    size_t size, at;
    uint32_t line;
    bool line_start; /* only blanks and comments so far on this line */
    struct token *list;
    size_t n, capacity;
};

/* ---- names ---- */

struct names {
    struct arena *arena;
    enum language language;
    const char **texts;
    size_t n, capacity;
    struct lookup numbers;
};

uint32_t names_number(struct names *n, const char *s, size_t size)
{
    size_t number = lookup_find(&n->numbers, s, size);
    if (number != SIZE_MAX)
        return (uint32_t)number;
    const char *text = arena_strndup(n->arena, s, size);
    lookup_add(&n->numbers, n->arena, text, n->n);
    ARENA_ADD(n->arena, n->texts, n->n, &n->capacity, text);
    return (uint32_t)n->n - 1;
}

const char *names_text(const struct names *n, uint32_t number)
{
    return number < n->n ? n->texts[number] : "";
}

size_t names_count(const struct names *n)
{
    return n->n;
}

struct names *names_create(struct arena *a, enum language language)
{
    static const char *const words[] = {
        "",
#define WORD(id, text) text,
#include "translate/words.def"
#undef WORD
    };
    struct names *n = arena_zalloc(a, 1, sizeof *n);
    n->arena = a;
    n->language = language;
    ARENA_ADD(a, n->texts, n->n, &n->capacity, "");
    for (size_t i = 1; i < WORD_COUNT; i++) {
        bool is_word = i < WORD_CLASS || language == LANGUAGE_CXX;
        const char *text = is_word ? words[i] : arena_printf(a, " %s", words[i]);
        names_number(n, text, strlen(text)); /* no name has a blank */
    }
    return n;
}

/* ---- characters ---- */

static bool is_name_start(unsigned char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c >= 0x80;
}

static bool is_digit(unsigned char c)
{
    return c >= '0' && c <= '9';
}

static bool is_name_part(unsigned char c)
{
    return is_name_start(c) || is_digit(c);
}

/* The length of a line splice at i (backslash, blanks that compilers forgive, newline), else 0. */
static size_t splice_at(const char *text, size_t size, size_t i)
{
    if (i >= size || text[i] != '\\')
        return 0;
    size_t k = i + 1;
    while (k < size && (text[k] == ' ' || text[k] == '\t' || text[k] == '\r'))
        k++;
    return k < size && text[k] == '\n' ? k + 1 - i : 0;
}

static char peek(const struct lexer *l, size_t ahead)
{
    return l->at + ahead < l->size ? l->text[l->at + ahead] : '\0';
}

static bool skip_splice(struct lexer *l)
{
    size_t n = splice_at(l->text, l->size, l->at);
    if (!n)
        return false;
    l->at += n;
    l->line++;
    return true;
}

static void skip_block_comment(struct lexer *l)
{
    l->at += 2;
    while (l->at < l->size) {
        if (l->text[l->at] == '*' && peek(l, 1) == '/') {
            l->at += 2;
            return;
        }
        if (l->text[l->at] == '\n')
            l->line++;
        l->at++;
    }
}

/* The end of the raw string R"WORD( ... )WORD" whose quote is at `at`, counting its lines; 0 if it is
 * none. */
static size_t raw_string_end(const struct lexer *l, size_t at, uint32_t *lines)
{
    enum { MAX_DELIMITER = 16 };
    char close[MAX_DELIMITER + 3] = ")";
    size_t n = 1, i = at + 1;
    for (; i < l->size && l->text[i] != '('; i++) {
        if (n > MAX_DELIMITER || strchr(" )\\\t\v\f\n\"", l->text[i]))
            return 0;
        close[n++] = l->text[i];
    }
    close[n++] = '"';
    const char *found = i < l->size ? memmem(l->text + i, l->size - i, close, n) : NULL;
    if (!found)
        return 0;
    size_t end = (size_t)(found - l->text) + n;
    for (i = at; i < end; i++)
        *lines += l->text[i] == '\n';
    return end;
}

/* Does a name with these bytes make the string after it a raw one? */
static bool is_raw_prefix(const char *s, size_t n)
{
    return n && s[n - 1] == 'R' &&
           (n == 1 || (n == 2 && strchr("LuU", s[0])) || (n == 3 && !memcmp(s, "u8", 2)));
}

/* Is the quote at l->at that of a raw string, for a reader that does not read names? */
static bool is_raw_quote(const struct lexer *l, size_t first)
{
    size_t begin = l->at;
    while (begin > first && is_name_part((unsigned char)l->text[begin - 1]))
        begin--;
    return l->cxx && l->text[l->at] == '"' && is_raw_prefix(l->text + begin, l->at - begin);
}

/* A string or character, or what is in this line of one without an end. */
static void skip_quoted(struct lexer *l, char quote)
{
    l->at++;
    while (l->at < l->size && l->text[l->at] != '\n' && l->text[l->at] != quote)
        if (!skip_splice(l))
            l->at += l->text[l->at] == '\\' && peek(l, 1) && peek(l, 1) != '\n' ? 2 : 1;
    if (peek(l, 0) == quote)
        l->at++;
}

/* Up to the newline that ends the logical line, comments and splices included; not the newline. */
static void skip_logical_line(struct lexer *l, bool comments)
{
    size_t first = l->at, raw;
    while (l->at < l->size && l->text[l->at] != '\n') {
        if (skip_splice(l))
            continue;
        char c = l->text[l->at];
        if (comments && c == '/' && peek(l, 1) == '*') {
            skip_block_comment(l);
        } else if (comments && c == '/' && peek(l, 1) == '/') {
            comments = false;
        } else if (comments && is_raw_quote(l, first) &&
                   (raw = raw_string_end(l, l->at, &l->line)) != 0) {
            l->at = raw;
        } else if (comments && (c == '"' || c == '\'')) {
            skip_quoted(l, c);
        } else {
            l->at++;
        }
    }
}

/* Blanks, splices and comments of a directive, which stay on its logical line. */
static void skip_blanks_inline(struct lexer *l)
{
    for (;;) {
        char c = peek(l, 0);
        if (l->at < l->size && (c == ' ' || c == '\t' || c == '\v' || c == '\f' || c == '\r'))
            l->at++;
        else if (c == '/' && peek(l, 1) == '*')
            skip_block_comment(l);
        else if (!skip_splice(l))
            return;
    }
}

/* A name from l->at on, splices taken out; into buffer (cut at size - 1) and its full length. */
static size_t read_name(struct lexer *l, char *buffer, size_t size)
{
    size_t n = 0;
    while (l->at < l->size) {
        if (is_name_part((unsigned char)l->text[l->at])) {
            if (n + 1 < size)
                buffer[n] = l->text[l->at];
            n++;
            l->at++;
        } else if (!skip_splice(l)) {
            break;
        }
    }
    buffer[n < size ? n : size - 1] = '\0';
    return n;
}

static struct token *push(struct lexer *l, enum token_kind kind, uint32_t id, size_t begin,
                          uint32_t line)
{
    l->list = arena_grow(l->arena, l->list, l->n, &l->capacity, l->n + 1, sizeof *l->list);
    l->list[l->n] = (struct token){kind, id, begin, l->at, begin, line};
    return &l->list[l->n++];
}

/* ---- tokens ---- */

static const struct {
    const char *name;
    enum directive directive;
} directives[] = {
    {"if", DIRECTIVE_IF},           {"ifdef", DIRECTIVE_IF},
    {"ifndef", DIRECTIVE_IF},       {"elif", DIRECTIVE_ELIF},
    {"elifdef", DIRECTIVE_ELIF},    {"elifndef", DIRECTIVE_ELIF},
    {"else", DIRECTIVE_ELSE},       {"endif", DIRECTIVE_ENDIF},
    {"define", DIRECTIVE_DEFINE},   {"undef", DIRECTIVE_UNDEF},
    {"include", DIRECTIVE_INCLUDE}, {"include_next", DIRECTIVE_INCLUDE},
    {"import", DIRECTIVE_INCLUDE},  {"line", DIRECTIVE_LINE},
    {"pragma", DIRECTIVE_PRAGMA},
};

/* l->at is after the # of a directive. */
static void lex_directive(struct lexer *l, size_t begin, uint32_t line)
{
    char word[32];
    enum directive directive = DIRECTIVE_OTHER;
    skip_blanks_inline(l);
    size_t body = l->at;
    if (is_digit((unsigned char)peek(l, 0))) {
        directive = DIRECTIVE_LINE;
    } else {
        read_name(l, word, sizeof word);
        body = l->at;
        for (size_t i = 0; i < sizeof directives / sizeof *directives; i++)
            if (!strcmp(word, directives[i].name))
                directive = directives[i].directive;
        if (directive == DIRECTIVE_IF && !strcmp(word, "if")) {
            skip_blanks_inline(l);
            if (peek(l, 0) == '0' && !is_name_part((unsigned char)peek(l, 1))) {
                size_t k = l->at + 1;
                while (k < l->size && strchr(" \t\r", l->text[k]))
                    k++;
                if (k >= l->size || l->text[k] == '\n' || l->text[k] == '/')
                    directive = DIRECTIVE_IF_ZERO;
            }
        }
    }
    skip_logical_line(l, true);
    size_t end = l->at;
    while (end > body && strchr(" \t\r", l->text[end - 1]))
        end--;
    struct token *t = push(l, TOKEN_DIRECTIVE, directive, begin, line);
    t->end = end;
    t->body = body;
}

/* The suffix of a literal that a program defines itself, "x"_name. */
static void skip_suffix(struct lexer *l)
{
    while (l->cxx && l->at < l->size && is_name_part((unsigned char)l->text[l->at]))
        l->at++;
}

static void lex_literal(struct lexer *l, char quote, size_t begin, uint32_t line)
{
    skip_quoted(l, quote);
    skip_suffix(l);
    push(l, quote == '"' ? TOKEN_STRING : TOKEN_CHARACTER, 0, begin, line);
}

static void lex_number(struct lexer *l, size_t begin, uint32_t line)
{
    while (l->at < l->size) {
        unsigned char c = (unsigned char)l->text[l->at];
        if ((c == 'e' || c == 'E' || c == 'p' || c == 'P') &&
            (peek(l, 1) == '+' || peek(l, 1) == '-'))
            l->at += 2;
        else if (is_name_part(c) || c == '.' ||
                 (c == '\'' && is_name_part((unsigned char)peek(l, 1))))
            l->at++;
        else if (!skip_splice(l))
            break;
    }
    push(l, TOKEN_NUMBER, 0, begin, line);
}

static void lex_name(struct lexer *l, size_t begin, uint32_t line)
{
    size_t k = begin;
    while (k < l->size && is_name_part((unsigned char)l->text[k]))
        k++;
    uint32_t number, lines = 0;
    size_t raw = 0;
    if (l->cxx && k < l->size && l->text[k] == '"' && is_raw_prefix(l->text + begin, k - begin))
        raw = raw_string_end(l, k, &lines);
    if (raw) {
        l->at = raw;
        l->line += lines;
        skip_suffix(l);
        push(l, TOKEN_STRING, 0, begin, line);
        return;
    }
    if (!splice_at(l->text, l->size, k)) {
        l->at = k;
        number = names_number(l->names, l->text + begin, k - begin);
    } else {
        char buffer[256];
        size_t n = read_name(l, buffer, sizeof buffer);
        number = names_number(l->names, buffer, n < sizeof buffer ? n : sizeof buffer - 1);
    }
    push(l, TOKEN_NAME, number, begin, line);
}

/* Turns the tokens _Pragma ( "..." ) at the end of the list into one directive. */
static void fold_pragma_operator(struct lexer *l)
{
    if (l->n < 4)
        return;
    struct token *t = &l->list[l->n - 4];
    if (t[0].kind != TOKEN_NAME || t[0].id != WORD_PRAGMA || t[1].id != '(' ||
        t[2].kind != TOKEN_STRING)
        return;
    t[0].kind = TOKEN_DIRECTIVE;
    t[0].id = DIRECTIVE_PRAGMA_OPERATOR;
    t[0].end = t[3].end;
    t[0].body = t[2].begin + 1;
    l->n -= 3;
}

static void lex_punctuator(struct lexer *l, size_t begin, uint32_t line)
{
    static const struct {
        const char *text;
        uint32_t id;
    } longer[] = {{"...", PUNCT_ELLIPSIS},
                  {"<<=", PUNCT_OTHER},
                  {">>=", PUNCT_OTHER},
                  {"->", PUNCT_ARROW},
                  {"&&", PUNCT_AND_AND},
                  {"<%", '{'},
                  {"%>", '}'},
                  {"<:", '['},
                  {":>", ']'}};
    const char *s = l->text + l->at;
    size_t left = l->size - l->at;
    uint32_t id = (unsigned char)*s;
    size_t n = 1;
    if (l->cxx && left > 1 && !memcmp(s, "::", 2)) {
        id = PUNCT_SCOPE;
        n = 2;
    } else if (l->cxx && left > 2 && !memcmp(s, "<=>", 3)) {
        id = PUNCT_OTHER;
        n = 3;
    } else if (l->cxx && left > 3 && !memcmp(s, "<::", 3) && s[3] != ':' && s[3] != '>') {
        n = 1; /* a<::b>, not the bracket <: */
    } else if (left > 1 && s[1] == '=' && strchr("=!<>+-*/%&|^", *s)) {
        id = PUNCT_OTHER;
        n = 2;
    } else if (left > 1 && strchr(".<>-&%:", *s)) {
        for (size_t i = 0; i < sizeof longer / sizeof *longer; i++) {
            size_t size = strlen(longer[i].text);
            if (size <= left && !memcmp(s, longer[i].text, size)) {
                id = longer[i].id;
                n = size;
                break;
            }
        }
    }
    l->at += n;
    push(l, TOKEN_PUNCTUATOR, id, begin, line);
    if (id == ')')
        fold_pragma_operator(l);
}

/* Blanks, newlines and comments between tokens. */
static bool skip_between(struct lexer *l)
{
    char c = l->text[l->at];
    if (c == '\n') {
        l->line++;
        l->line_start = true;
        l->at++;
    } else if (c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f' || c == '\0') {
        l->at++;
    } else if (c == '/' && peek(l, 1) == '*') {
        skip_block_comment(l);
    } else if (c == '/' && peek(l, 1) == '/') {
        skip_logical_line(l, false);
    } else {
        return skip_splice(l);
    }
    return true;
}

struct tokens lex(struct arena *a, struct names *names, const char *text, size_t size)
{
    struct lexer l = {
        .arena = a, .names = names, .text = text, .size = size, .line = 1, .line_start = true};
    l.cxx = names->language == LANGUAGE_CXX;
    l.capacity = size / 2 + 16; /* seldom more: a copy would stay in the arena */
    l.list = arena_alloc(a, l.capacity, sizeof *l.list);
    while (l.at < l.size) {
        if (skip_between(&l))
            continue;
        size_t begin = l.at;
        uint32_t line = l.line;
        char c = l.text[begin];
        bool start = l.line_start;
        l.line_start = false;
        if (start && (c == '#' || (c == '%' && peek(&l, 1) == ':'))) {
            l.at += c == '#' ? 1 : 2;
            lex_directive(&l, begin, line);
        } else if (c == '"' || c == '\'') {
            lex_literal(&l, c, begin, line);
        } else if (is_digit((unsigned char)c) ||
                   (c == '.' && is_digit((unsigned char)peek(&l, 1)))) {
            lex_number(&l, begin, line);
        } else if (is_name_start((unsigned char)c)) {
            lex_name(&l, begin, line);
        } else {
            lex_punctuator(&l, begin, line);
        }
    }
    push(&l, TOKEN_END, 0, l.size, l.line);
    return (struct tokens){l.list, l.n - 1};
}

size_t lex_byte_order_mark(const char *text, size_t size)
{
    return size >= 3 && !memcmp(text, "\xef\xbb\xbf", 3) ? 3 : 0;
}

bool lex_is_wide(const char *text, size_t size)
{
    return size >= 2 &&
           (!text[0] || !text[1] || !memcmp(text, "\xff\xfe", 2) || !memcmp(text, "\xfe\xff", 2));
}

/* "ragma" at p, with line splices between its letters: the text after it, or NULL. Whether a trigraph
 * is a splice, only the compiler knows. */
static const char *after_pragma(const char *p, const char *end)
{
    for (const char *word = "ragma"; *word; word++) {
        for (size_t n = 1; n;) {
            n = splice_at(p, (size_t)(end - p), 0);
            if (!n && end - p > 3 && !memcmp(p, "?\?/", 3))
                n = p[3] == '\n' ? 4 : end - p > 4 && p[3] == '\r' && p[4] == '\n' ? 5 : 0;
            p += n;
        }
        if (p == end || *p++ != *word)
            return NULL;
    }
    return p;
}

bool lex_may_hold_pragma(const char *text, size_t size)
{
    /* Misprints are worth finding too: every pragma is looked at, but not those of OpenMP and the
     * compilers. */
    static const char *const others[] = {"omp",   "once", "GCC",  "STDC",
                                         "clang", "pack", "weak", "acc"};
    const char *p = text, *end = text + size;
    while ((p = memchr(p, 'r', (size_t)(end - p)))) {
        const char *q = after_pragma(p++, end);
        if (!q)
            continue;
        while (q < end && strchr(" \t(\"", *q) && *q)
            q++;
        bool known = false;
        for (size_t i = 0; i < sizeof others / sizeof *others && !known; i++) {
            size_t n = strlen(others[i]);
            known = (size_t)(end - q) > n && !memcmp(q, others[i], n) &&
                    !is_name_part((unsigned char)q[n]);
        }
        if (!known)
            return true;
    }
    return false;
}

void lex_blank(char *text, size_t begin, size_t end)
{
    for (size_t i = begin; i < end;) {
        size_t splice = splice_at(text, end, i), stop = i;
        if (splice) {
            stop = i + splice;
        } else if (text[i] == '/' && i + 1 < end && text[i + 1] == '/') {
            stop = end;
        } else if (text[i] == '/' && i + 1 < end && text[i + 1] == '*') {
            stop = i + 2;
            while (stop < end && !(text[stop - 1] == '/' && text[stop - 2] == '*' && stop >= i + 4))
                stop++;
        } else {
            i++;
            continue;
        }
        for (; i < stop; i++)
            if (text[i] != '\n' && text[i] != '\t')
                text[i] = ' ';
    }
}
