/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From bytes to directives and statements (fixed form: fortran_fixed.c). In free form a line ends a statement unless it ends with
 * '&'; ';' separates statements; '!' begins a comment outside of strings. Lines that begin with '#'
 * belong to the preprocessor: line markers tell where the next lines come from.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/misprint.h"
#include "base/sort.h"
#include "translate/fortran_scanner.h"
#include "translate/list.h"

static const char mark_word[] = "!$cll_mark ";

/* The '!' that begins the comment of a line; `end` without one. Strings that a line continues from the
 * line before are not known here. */
size_t fortran_comment(const char *s, size_t i, size_t end)
{
    char quote = '\0';
    for (; i < end && (quote || s[i] != '!'); i++) {
        if (quote)
            quote = s[i] == quote ? '\0' : quote;
        else if (s[i] == '\'' || s[i] == '"')
            quote = s[i];
    }
    return i;
}

/* ---- line markers ---- */

/* # 12 "file" or #line 12 "file" at i: the number of the next line, and its file, which may be left out. */
static bool parse_marker(const char *s, size_t i, size_t end, unsigned *line, struct span *file)
{
    i = fortran_skip_blanks(s, i + 1, end);
    if (end - i > 4 && !strncmp(s + i, "line", 4))
        i = fortran_skip_blanks(s, i + 4, end);
    if (i >= end || !isdigit((unsigned char)s[i]))
        return false;
    unsigned long number = strtoul(s + i, NULL, 10);
    while (i < end && isdigit((unsigned char)s[i]))
        i++;
    i = fortran_skip_blanks(s, i, end);
    const char *close = i < end && s[i] == '"' ? memchr(s + i + 1, '"', end - i - 1) : NULL;
    *line = number > 0 && number < 1u << 30 ? (unsigned)number : 1;
    *file = close ? (struct span){i + 1, (size_t)(close - s)} : (struct span){i, i};
    return true;
}

bool fortran_origin(const struct source *source, size_t line, struct text *name, size_t *original)
{
    const char *s = source->text;
    struct span file = {0, 0}, here;
    unsigned next = 0;
    for (size_t i = 0; i < source->size && line > 0; line--) {
        size_t end = fortran_line_end(s, i, source->size);
        *original = next;
        if (s[i] != '#' || !parse_marker(s, i, end, &next, &here))
            next++;
        else if (here.begin < here.end)
            file = here;
        i = end + 1;
    }
    text_addn(name, s + file.begin, file.end - file.begin);
    return name->n != 0;
}

/* ---- directives of the source as written ---- */

/* What a comment is; *body: after the sentinel. `[i, end)` begins with '!'. */
enum fortran_sentinel fortran_sentinel(const char *s, size_t i, size_t end, size_t *body)
{
    size_t at = i + 1, word;
    bool dollar = at < end && s[at] == '$';
    at += dollar;
    word = fortran_skip_blanks(s, at, end);
    bool apart = word > at;
    if (!dollar && word < end && s[word] == '$') { /* "! $cll" */
        dollar = true;
        word++;
    }
    size_t stop = word;
    while (stop < end && (isalnum((unsigned char)s[stop]) || s[stop] == '_'))
        stop++;
    *body = stop;
    char name[8] = "";
    if (stop - word >= sizeof name || stop == word)
        return SENTINEL_NONE;
    for (size_t k = word; k < stop; k++)
        name[k - word] = (char)tolower((unsigned char)s[k]);
    if (!strcmp(name, "cll") && dollar)
        return word == i + 2 && !apart ? SENTINEL_CLL : SENTINEL_MISSED;
    return dollar && strcmp(name, "acc") != 0 && strcmp(name, "omp") != 0 &&
                   misprint_is_one(name, "cll")
               ? SENTINEL_MISSED
               : SENTINEL_NONE;
}

void fortran_note_miss(struct unit *u, struct input *in, size_t i, size_t end)
{
    ADD(u->arena, in, near_misses, (struct near_miss){{i, end}, "!$cll", true});
}

/* Reads one directive, which begins with '!' at `at`, with the lines that continue it. Blanks in the
 * text what is not of the language. Returns where its last line ends. */
static size_t join_lines(struct unit *u, struct input *in, char *text, size_t at)
{
    size_t end = fortran_line_end(text, at, in->size), from = at + 5;
    for (;;) {
        size_t last = fortran_trim(text, from, fortran_comment(text, from, end));
        memset(text + last, ' ', end - last);
        if (last == from || text[last - 1] != '&')
            return end;
        text[last - 1] = ' ';
        size_t next = end < in->size ? fortran_skip_blanks(text, end + 1, in->size) : in->size,
               body = 0;
        size_t stop = fortran_line_end(text, next, in->size);
        if (next >= in->size || text[next] != '!' ||
            fortran_sentinel(text, next, stop, &body) != SENTINEL_CLL) {
            diag_add(u->diag, SEVERITY_ERROR, in->source, (struct span){last - 1, last},
                     "the next line must continue this directive: it begins with '!$cll&'");
            return end;
        }
        body = fortran_skip_blanks(text, body, stop);
        memset(text + next, ' ', body - next + (body < stop && text[body] == '&'));
        from = body;
        end = stop;
    }
}

void fortran_add_directive(struct unit *u, struct input *in, char *text, size_t at, size_t end,
                           unsigned line)
{
    struct token t = {.kind = TOKEN_DIRECTIVE,
                      .id = DIRECTIVE_FORTRAN,
                      .begin = (uint32_t)at,
                      .end = (uint32_t)end,
                      .body = (uint32_t)at + 2,
                      .line = line};
    memcpy(text + at + 2, "cll", 3);
    if (pragma_parse(u->arena, in->source, text, &t, u->diag, &in->pragmas[in->npragmas]))
        unit_take_pragma(u, in);
}

/* A comment of the line; `own_line`: nothing is before it. Returns the end of what was read. */
static size_t read_directive(struct unit *u, struct input *in, char *text, size_t comment,
                             bool own_line, unsigned line)
{
    size_t body = 0, end = fortran_line_end(text, comment, in->size);
    enum fortran_sentinel kind = fortran_sentinel(text, comment, end, &body);
    if (kind == SENTINEL_CLL && own_line) {
        end = join_lines(u, in, text, comment);
        fortran_add_directive(u, in, text, comment, end, line);
    } else if (kind == SENTINEL_CLL) {
        diag_add(u->diag, SEVERITY_ERROR, in->source, (struct span){comment, body},
                 "a directive must be on a line of its own");
    } else if (kind == SENTINEL_MISSED && own_line) {
        fortran_note_miss(u, in, comment, body);
    }
    return end;
}

/* A line of the preprocessor that defines a macro with a directive: only the preprocessor would show it. */
static void refuse_macro(struct unit *u, const struct input *in, size_t i, size_t end)
{
    for (; i + 5 <= end; i++) {
        size_t body;
        if (in->text[i] == '!' && fortran_sentinel(in->text, i, end, &body) == SENTINEL_CLL) {
            diag_add(
                u->diag, SEVERITY_ERROR, in->source, (struct span){i, body},
                "a macro cannot contain a directive, which would be ignored; write the directive "
                "at the region itself");
            return;
        }
    }
}

void fortran_find_marker(struct unit *u, struct input *in, size_t i, size_t end, unsigned *line)
{
    size_t word = fortran_skip_blanks(in->text, i + 1, end);
    struct span file;
    if (parse_marker(in->text, i, end, line, &file))
        (*line)--; /* of the line after it */
    if (end - word > 10 && !strncmp(in->text + word, "pragma cll", 10))
        fortran_note_miss(u, in, i, word + 10);
    refuse_macro(u, in, i, end);
}

void fortran_find(struct unit *u, struct input *in, char *text)
{
    unsigned line = 1;
    in->pragmas = arena_alloc(u->arena, in->nlines, sizeof *in->pragmas);
    if (u->columns) {
        fortran_fixed_find(u, in, text);
        return;
    }
    for (size_t i = 0, next; i < in->size; i = next) {
        size_t end = fortran_line_end(text, i, in->size), first = fortran_skip_blanks(text, i, end);
        size_t comment = text[first] == '&' ? end : fortran_comment(text, first, end);
        if (first < end && text[i] == '#') {
            fortran_find_marker(u, in, i, end, &line);
        } else if (comment < end) {
            end = read_directive(u, in, text, comment, comment == first, line);
        }
        next = end + 1;
        for (; i < end; i++)
            line += text[i] == '\n';
        line++;
    }
}

static void mark_expression(const struct input *in, struct span span, struct text *out)
{
    if (span.begin >= span.end)
        return;
    text_printf(out, " |%zu|", span.begin);
    for (size_t i = span.begin; i < span.end; i++) {
        char c = in->source->text[i];
        text_addc(out, c == '\n' || c == '|' ? ' ' : c);
    }
    text_addc(out, '|');
}

void fortran_mark_expressions(const struct input *in, const struct pragma *p, struct text *out)
{
    for (size_t v = 0; v < p->nvariables; v++)
        mark_expression(in, p->variables[v].span, out);
    if (p->kind == PRAGMA_BEGIN)
        mark_expression(in, p->machine, out);
    for (size_t k = 0; k < 3; k++)
        mark_expression(in, p->parts[k], out);
}

/* ---- statements ---- */

void fortran_scan_byte(struct fortran_scanner *c, char byte, size_t place)
{
    c->at = arena_grow(c->unit->arena, c->at, c->nat, &c->cat, c->nat + 2, sizeof *c->at);
    c->at[c->nat++] = (uint32_t)place;
    c->at[c->nat] = (uint32_t)place + 1;
    text_addc(&c->s, (char)tolower((unsigned char)byte));
}

void fortran_scan_quoted(struct fortran_scanner *c, size_t place)
{
    bool closing = c->f->text[place] == c->quote;
    fortran_scan_byte(c, closing ? c->quote : ' ', place);
    c->quote = closing ? '\0' : c->quote;
}

static struct fortran_statement *add_statement(struct fortran_scanner *c, enum fortran_kind kind)
{
    struct fortran *f = c->f;
    ADD(c->unit->arena, f, statements,
        (struct fortran_statement){.kind = kind, .conditional = c->conditional, .n = c->nat});
    return &f->statements[f->nstatements - 1];
}

void fortran_scan_finish(struct fortran_scanner *c, enum fortran_kind kind)
{
    size_t blank = 0;
    while (blank < c->nat && fortran_is_blank(c->s.s[blank]))
        blank++;
    if (blank < c->nat) {
        struct arena *a = c->unit->arena;
        struct fortran_statement *st = add_statement(c, kind);
        st->s = arena_strndup(a, c->s.s, c->nat);
        st->at = arena_alloc(a, c->nat + 1, sizeof *st->at);
        memcpy(st->at, c->at, (c->nat + 1) * sizeof *st->at);
    }
    text_clear(&c->s);
    c->nat = 0;
}

void fortran_scan_marker(struct fortran_scanner *c, size_t i, size_t end)
{
    struct span file;
    if (!parse_marker(c->f->text, i, end, &c->line, &file))
        return;
    c->line--; /* of the line after it */
    if (file.begin < file.end)
        c->file = arena_strndup(c->unit->arena, c->f->text + file.begin, file.end - file.begin);
}

/* The code of [i, end), which a comment does not begin. */
static void read_code(struct fortran_scanner *c, size_t i, size_t end, enum fortran_kind kind)
{
    const char *s = c->f->text;
    size_t first = fortran_skip_blanks(s, i, end);
    if (c->open && first < end && s[first] == '&')
        i = first + 1;
    else if (c->open)
        fortran_scan_byte(c, ' ', i);
    if (c->open && c->quote && !(first < end && s[first] == '&'))
        c->quote = '\0';
    c->open = false;
    for (; i < end; i++) {
        size_t rest = s[i] == '&' ? fortran_skip_blanks(s, i + 1, end) : 0;
        if (s[i] == '&' && (rest == end || (!c->quote && s[rest] == '!'))) {
            c->open = true;
            return;
        }
        if (c->quote) {
            fortran_scan_quoted(c, i);
        } else if (s[i] == '!') {
            break;
        } else if (s[i] == ';' && kind == FORTRAN_CODE) {
            fortran_scan_finish(c, kind);
        } else {
            c->quote = s[i] == '\'' || s[i] == '"' ? s[i] : '\0';
            fortran_scan_byte(c, fortran_is_blank(s[i]) ? ' ' : s[i], i);
        }
    }
    c->quote = '\0';
    fortran_scan_finish(c, kind);
}

/* The expressions after a mark. */
static void read_expressions(struct fortran_scanner *c, size_t i, size_t end)
{
    const char *s = c->f->text;
    for (;;) {
        const char *open = memchr(s + i, '|', end - i);
        const char *text = open ? memchr(open + 1, '|', (size_t)(s + end - open) - 1) : NULL;
        const char *close = text ? memchr(text + 1, '|', (size_t)(s + end - text) - 1) : NULL;
        if (!close)
            return;
        ADD(c->unit->arena, c->f, expansions,
            (struct fortran_expansion){
                strtoul(open + 1, NULL, 10),
                arena_strndup(c->unit->arena, text + 1, (size_t)(close - text) - 1)});
        i = (size_t)(close - s) + 1;
    }
}

/* !$acc, !dir$ or !gcc$: a directive that may belong to the next statement. */
static bool is_hint(const char *s, size_t i, size_t end)
{
    static const char *const sentinels[] = {"!$acc", "!dir$", "!gcc$"};
    for (size_t k = 0; k < sizeof sentinels / sizeof *sentinels; k++)
        if (end - i > 5 && !strncasecmp(s + i, sentinels[k], 5) && fortran_is_blank(s[i + 5]))
            return true;
    return false;
}

bool fortran_is_mark(const char *s, size_t i, size_t end)
{
    return end - i > sizeof mark_word - 1 && !memcmp(s + i, mark_word, sizeof mark_word - 1);
}

void fortran_scan_mark(struct fortran_scanner *c, size_t i, size_t end, bool inside)
{
    char *next;
    unsigned long input = strtoul(c->f->text + i + sizeof mark_word - 1, &next, 10);
    unsigned long number = strtoul(next, NULL, 10);
    if (input >= c->unit->ninputs || number >= c->unit->inputs[input].npragmas)
        return;
    if (inside) {
        diag_add(c->unit->diag, SEVERITY_ERROR, c->unit->inputs[input].source,
                 c->unit->inputs[input].pragmas[number].word,
                 "this directive is in the middle of a statement, which goes on in the next "
                 "line; put it before or after the statement");
        return;
    }
    read_expressions(c, i, end);
    struct fortran_statement *st = add_statement(c, FORTRAN_CLL);
    st->pragma = number;
    st->n = end - i;
    st->at = arena_alloc(c->unit->arena, 1, sizeof *st->at);
    st->at[0] = (uint32_t)i;
}

/* A comment line at i: a mark, a directive of OpenMP or for the compiler, or conditional code. */
static void read_comment(struct fortran_scanner *c, size_t i, size_t end)
{
    const char *s = c->f->text;
    if (fortran_is_mark(s, i, end)) {
        fortran_scan_mark(c, i, end, c->open);
    } else if (end - i > 5 && !strncasecmp(s + i, "!$omp", 5) &&
               (fortran_is_blank(s[i + 5]) || s[i + 5] == '&')) {
        if (c->open && !c->open_directive)
            return;
        read_code(c, i + 5, end, FORTRAN_OMP);
        c->open_directive = c->open;
    } else if (is_hint(s, i, end)) {
        if (c->open)
            return;
        read_code(c, i + 1, end, FORTRAN_HINT);
        c->open = false; /* what follows '&' is not looked at */
        fortran_scan_finish(c, FORTRAN_HINT);
    } else if (end - i > 2 && s[i + 1] == '$' && (fortran_is_blank(s[i + 2]) || s[i + 2] == '&')) {
        if (c->open_directive)
            return;
        c->conditional = true;
        read_code(c, i + 2, end, FORTRAN_CODE);
        c->conditional = c->open;
    }
}

/* P and T are built in unless the program writes such a name, as it is written in the formula. */
static void note_names(struct unit *u, struct fortran *f)
{
    static const char *const lenders[] = {"use", "include", "submodule", NULL};
    uint32_t p = names_number(u->names, "P", 1), t = names_number(u->names, "T", 1);
    u->nflags = (p > t ? p : t) + 1;
    u->flags = arena_zalloc(u->arena, u->nflags, 1);
    f->names = names_create(u->arena, LANGUAGE_FORTRAN);
    f->implicit = true;
    for (size_t i = 0; i < f->nstatements; i++) {
        const struct fortran_statement *st = &f->statements[i];
        if (st->kind != FORTRAN_CODE)
            continue;
        size_t at = fortran_blanks(st, 0);
        f->borrows |= fortran_one_of(st, &at, lenders) != 0;
        f->implicit &= !fortran_word(st, &at, "implicit none");
        for (size_t k = 0; k < st->n;) {
            size_t stop = fortran_name(st, k);
            char c = f->text[st->at[k]];
            if (stop == k + 1 && (c == 'P' || c == 'T') && (!k || st->s[k - 1] != '%'))
                u->flags[c == 'P' ? p : t] |= NAME_SEEN;
            if (stop > k)
                names_number(f->names, st->s + k, stop - k);
            k = stop > k ? stop : k + 1;
        }
    }
    f->nnames = names_count(f->names);
}

static int by_begin(const void *a, const void *b)
{
    const struct fortran_expansion *x = a, *y = b;
    return x->begin < y->begin ? -1 : x->begin > y->begin;
}

char *fortran_expression(const struct unit *u, const struct fortran *f, struct span span)
{
    struct fortran_expansion key = {span.begin, NULL};
    const struct fortran_expansion *found =
        f->nexpansions ? bsearch(&key, f->expansions, f->nexpansions, sizeof key, by_begin) : NULL;
    if (found)
        return arena_strdup(u->arena, found->text);
    return arena_strndup(u->arena, u->inputs[0].source->text + span.begin, span.end - span.begin);
}

struct fortran *fortran_scan(struct unit *u, const char *text, size_t size)
{
    struct fortran *f = arena_zalloc(u->arena, 1, sizeof *f);
    struct fortran_scanner c = {.unit = u, .f = f, .file = u->inputs[0].path};
    f->text = text;
    f->size = size;
    text_init(&c.s);
    if (u->columns)
        fortran_fixed_scan(&c);
    for (size_t i = 0; i < size && !u->columns;) {
        size_t end = fortran_line_end(text, i, size), first = fortran_skip_blanks(text, i, end);
        ADD(u->arena, f, lines, (struct fortran_line){i, c.file, ++c.line});
        if (text[i] == '#')
            fortran_scan_marker(&c, i, end);
        else if (first < end && text[first] == '!')
            read_comment(&c, first, end);
        else if (first < end && !c.open_directive)
            read_code(&c, i, end, FORTRAN_CODE);
        i = end + 1;
    }
    c.open = false;
    if (!u->columns)
        fortran_scan_finish(&c, c.open_directive ? FORTRAN_OMP : FORTRAN_CODE);
    text_free(&c.s);
    sort_list(f->expansions, f->nexpansions, sizeof *f->expansions, by_begin);
    note_names(u, f);
    return f;
}

const struct fortran_line *fortran_line_at(const struct fortran *f, size_t place)
{
    size_t low = 0, high = f->nlines;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (f->lines[middle].begin <= place)
            low = middle;
        else
            high = middle;
    }
    return &f->lines[low];
}

/* ---- bytes of statements ---- */

size_t fortran_blanks(const struct fortran_statement *st, size_t i)
{
    return fortran_skip_blanks(st->s, i, st->n);
}

size_t fortran_name(const struct fortran_statement *st, size_t i)
{
    if (i >= st->n || !(isalpha((unsigned char)st->s[i]) || st->s[i] == '_'))
        return i;
    while (i < st->n && (isalnum((unsigned char)st->s[i]) || st->s[i] == '_'))
        i++;
    return i;
}

size_t fortran_close(const struct fortran_statement *st, size_t i)
{
    char quote = '\0';
    for (size_t depth = 0; i < st->n; i++) {
        char c = st->s[i];
        if (quote)
            quote = c == quote ? '\0' : quote;
        else if (c == '\'' || c == '"')
            quote = c;
        else if (c == '(' || c == '[')
            depth++;
        else if ((c == ')' || c == ']') && depth <= 1)
            return i + 1;
        else if (c == ')' || c == ']')
            depth--;
    }
    return st->n;
}

bool fortran_word(const struct fortran_statement *st, size_t *i, const char *words)
{
    size_t at = *i;
    for (const char *w = words; *w; w += *w == ' ') {
        size_t stop = fortran_name(st, at), n = strcspn(w, " ");
        if (stop - at != n || memcmp(st->s + at, w, n) != 0)
            return false;
        at = fortran_blanks(st, stop);
        w += n;
    }
    *i = at;
    return true;
}

size_t fortran_one_of(const struct fortran_statement *st, size_t *i, const char *const *list)
{
    for (size_t k = 0; list[k]; k++)
        if (fortran_word(st, i, list[k]))
            return k + 1;
    return 0;
}

bool fortran_assigns(const struct fortran_statement *st, size_t i)
{
    size_t stop = fortran_name(st, i);
    if (stop == i)
        return false;
    i = fortran_blanks(st, stop);
    while (i < st->n && (st->s[i] == '(' || st->s[i] == '[' || st->s[i] == '%')) {
        if (st->s[i] == '%')
            i = fortran_name(st, fortran_blanks(st, i + 1));
        else
            i = fortran_close(st, i);
        i = fortran_blanks(st, i);
    }
    return i < st->n && st->s[i] == '=' && st->s[i + 1] != '=';
}
