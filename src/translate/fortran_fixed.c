/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fixed form. Columns 1 to 5 are for labels, a character in column 6 continues the statement of the line before, the
 * statement is in columns 7 to 72 (unit.columns), and what is beyond them is ignored. 'C', 'c', '*' or '!' in column 1
 * makes the line a comment, so does '!' as its first character except in column 6. A tab among the first six columns
 * goes to column 7; a digit other than 0 after it continues a statement.
 *
 * Blanks mean nothing: DO10I=1,N is a loop. Statements are read as they are written, with blanks put in where a
 * keyword and a label touch; a statement inside a region that cannot be read so is an error (fortran_fixed_knows).
 */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "translate/fortran_scanner.h"
#include "translate/list.h"

enum { BODY = 6 }; /* bytes before the statement */

/* Where the comment of a comment line begins; `end` if the line [i, end) is none. Blank lines are comments. */
static size_t comment_line(const char *s, size_t i, size_t end)
{
    size_t first = fortran_skip_blanks(s, i, end);
    if (i < end && strchr("cC*!dD", s[i]))
        return i;
    bool is_one = first < end && s[first] == '!' && first != i + BODY - 1;
    return is_one ? first : end;
}

/* ---- directives of the source as written ---- */

/* In column 6 a letter would be one of another word. */
bool fortran_fixed_is_directive(const char *line, size_t n)
{
    return n >= 5 && strchr("cCdD*!", line[0]) && !strncasecmp(line + 1, "$cll", 4) &&
           (n == 5 || !(isalpha((unsigned char)line[5]) || line[5] == '_'));
}

static bool continues(const char *s, size_t at, size_t end)
{
    return fortran_fixed_is_directive(s + at, end - at) && end - at > 5 &&
           !fortran_is_blank(s[at + 5]) && s[at + 5] != '0';
}

/* The directive at `at` with the lines that continue it, by a character in column 6. Blanks in the text what is not of
 * the language. Returns where its last line ends. */
static size_t join_lines(struct unit *u, struct input *in, char *text, size_t at)
{
    size_t end = fortran_line_end(text, at, in->size), from = at + 5;
    for (;;) {
        size_t last = fortran_trim(text, from, fortran_comment(text, from, end));
        memset(text + last, ' ', end - last);
        bool announced = last > from && text[last - 1] == '&';
        if (announced)
            text[last - 1] = ' ';
        size_t next = end < in->size ? end + 1 : in->size,
               stop = fortran_line_end(text, next, in->size);
        size_t comment = comment_line(text, next, stop);
        if (comment == stop || !continues(text, comment, stop)) {
            if (announced)
                diag_add(u->diag, SEVERITY_ERROR, in->source, (struct span){last - 1, last},
                         "the next line must continue this directive: it begins with 'C$CLL&'");
            return end;
        }
        from = comment + 6;
        memset(text + comment, ' ', 6);
        end = stop;
    }
}

/* A comment line. Returns the end of what was read. */
static size_t find_directive(struct unit *u, struct input *in, char *text, size_t at, size_t end,
                             unsigned line)
{
    size_t body = 0;
    char first = text[at];
    text[at] = '!';
    enum fortran_sentinel kind = fortran_sentinel(text, at, end, &body);
    if (continues(text, at, end)) {
        kind = SENTINEL_CLL;
        diag_add(u->diag, SEVERITY_ERROR, in->source, (struct span){at, at + 6},
                 "this line continues no directive: column 6 of a directive's first line is blank");
    } else if (kind == SENTINEL_CLL) {
        end = join_lines(u, in, text, at);
        fortran_add_directive(u, in, text, at, end, line);
    }
    text[at] = first;
    if (kind == SENTINEL_MISSED)
        fortran_note_miss(u, in, at, body);
    return end;
}

/* A directive behind a statement would be ignored. */
static void refuse_behind(struct unit *u, struct input *in, const char *text, size_t i, size_t end)
{
    size_t body, comment = fortran_comment(text, i, end);
    if (comment < end && comment != i + BODY - 1 &&
        fortran_sentinel(text, comment, end, &body) == SENTINEL_CLL)
        diag_add(u->diag, SEVERITY_ERROR, in->source, (struct span){comment, body},
                 "a directive must be on a line of its own");
}

void fortran_fixed_find(struct unit *u, struct input *in, char *text)
{
    unsigned line = 1;
    for (size_t i = 0, next; i < in->size; i = next) {
        size_t end = fortran_line_end(text, i, in->size), comment = comment_line(text, i, end);
        if (text[i] == '#')
            fortran_find_marker(u, in, i, end, &line);
        else if (comment < end)
            end = find_directive(u, in, text, comment, end, line);
        else
            refuse_behind(u, in, text, i, end);
        next = end + 1;
        for (; i < end; i++)
            line += text[i] == '\n';
        line++;
    }
}

/* ---- words that touch ---- */

static void insert_blank(struct fortran_scanner *c, size_t i)
{
    size_t n = c->nat;
    fortran_scan_byte(c, ' ', c->at[n - 1]);
    memmove(c->s.s + i + 1, c->s.s + i, n - i);
    memmove(c->at + i + 1, c->at + i, (n - i) * sizeof *c->at);
    c->s.s[i] = ' ';
}

static size_t digits_end(const char *s, size_t i, size_t n)
{
    while (i < n && isdigit((unsigned char)s[i]))
        i++;
    return i;
}

/* The first of these bytes outside of brackets and strings; n without one. */
static size_t find_outside(const char *s, size_t i, size_t n, char wanted)
{
    int depth = 0;
    for (char quote = '\0'; i < n; i++) {
        if (quote)
            quote = s[i] == quote ? '\0' : quote;
        else if (s[i] == '\'' || s[i] == '"')
            quote = s[i];
        else if (depth == 0 && s[i] == wanted)
            return i;
        else
            depth += (s[i] == '(') - (s[i] == ')');
    }
    return n;
}

/* DO10I=1,N and DOI=1,N are loops: an assignment has no comma there. */
static void split_do(struct fortran_scanner *c, size_t i)
{
    const char *s = c->s.s;
    size_t equals = find_outside(s, i, c->nat, '=');
    if (c->nat - i < 3 || strncmp(s + i, "do", 2) != 0 || !isalnum((unsigned char)s[i + 2]) ||
        find_outside(s, equals, c->nat, ',') == c->nat)
        return;
    insert_blank(c, i + 2);
    size_t after = digits_end(c->s.s, i + 3, c->nat);
    if (after > i + 3 && after < c->nat)
        insert_blank(c, after);
}

/* GOTO10, also as the statement of an IF */
static void split_goto(struct fortran_scanner *c)
{
    for (size_t i = 0; i + 4 < c->nat; i++) {
        const char *s = c->s.s;
        bool begins = i == 0 || !(isalnum((unsigned char)s[i - 1]) || s[i - 1] == '_');
        size_t stop = digits_end(s, i + 4, c->nat);
        if (begins && !strncmp(s + i, "goto", 4) && stop > i + 4)
            insert_blank(c, i + 4);
    }
}

static void finish(struct fortran_scanner *c)
{
    if (c->kind == FORTRAN_CODE && c->nat) {
        size_t i = fortran_skip_blanks(c->s.s, 0, c->nat);
        split_do(c, fortran_skip_blanks(c->s.s, digits_end(c->s.s, i, c->nat), c->nat));
        split_goto(c);
    }
    fortran_scan_finish(c, c->kind);
    c->quote = '\0';
    c->kind = FORTRAN_CODE;
    c->conditional = false;
}

/* ---- lines ---- */

struct fields {
    size_t label, label_end; /* the label */
    size_t body, end;        /* the statement */
    bool continues;          /* the line before */
    bool full;               /* it has all columns: the next line follows without a blank */
};

/* `from`: columns that a sentinel takes. */
static struct fields read_fields(const char *s, size_t i, size_t end, size_t from, size_t columns)
{
    struct fields f = {.label = i + from, .label_end = i + from};
    while (f.label_end < end && f.label_end < i + BODY - 1 && s[f.label_end] != '\t')
        f.label_end++;
    if (f.label_end < end && f.label_end < i + BODY && s[f.label_end] == '\t') {
        f.body = f.label_end + 1;
        f.continues = f.body < end && s[f.body] > '0' && s[f.body] <= '9';
        f.body += f.continues;
        f.end = end;
        return f;
    }
    f.body = i + BODY < end ? i + BODY : end;
    f.continues =
        i + BODY - 1 < end && !fortran_is_blank(s[i + BODY - 1]) && s[i + BODY - 1] != '0';
    f.full = end - i >= columns;
    f.end = f.full ? i + columns : end;
    return f;
}

/* Columns 7 and on of a line. */
static void read_body(struct fortran_scanner *c, const struct fields *f)
{
    const char *s = c->f->text;
    for (size_t i = f->body; i < f->end; i++) {
        if (c->quote) {
            fortran_scan_quoted(c, i);
        } else if (s[i] == '!') {
            break;
        } else if (s[i] == ';' && c->kind == FORTRAN_CODE) {
            bool conditional = c->conditional;
            finish(c);
            c->conditional = conditional;
        } else {
            c->quote = s[i] == '\'' || s[i] == '"' ? s[i] : '\0';
            fortran_scan_byte(c, fortran_is_blank(s[i]) ? ' ' : s[i], i);
        }
    }
    if (!f->full && c->nat)
        fortran_scan_byte(c, ' ', f->end ? f->end - 1 : 0);
}

static void read_line(struct fortran_scanner *c, size_t i, size_t end, size_t sentinel,
                      enum fortran_kind kind)
{
    struct fields f = read_fields(c->f->text, i, end, sentinel, c->unit->columns);
    bool joins = f.continues && c->kind == kind;
    if (!joins) {
        finish(c);
        c->kind = kind;
        c->conditional = kind == FORTRAN_CODE && sentinel;
        for (size_t k = f.label; k < f.label_end && kind == FORTRAN_CODE; k++)
            fortran_scan_byte(c, fortran_is_blank(c->f->text[k]) ? ' ' : c->f->text[k], k);
        if (f.label_end > f.label && kind == FORTRAN_CODE)
            fortran_scan_byte(c, ' ', f.label_end - 1);
    }
    read_body(c, &f);
}

/* Does the next line that is not a comment continue the statement? */
static bool goes_on(const struct fortran_scanner *c, size_t i)
{
    const char *s = c->f->text;
    for (; i < c->f->size; i = fortran_line_end(s, i, c->f->size) + 1) {
        size_t end = fortran_line_end(s, i, c->f->size);
        if (s[i] != '#' && comment_line(s, i, end) == end && fortran_skip_blanks(s, i, end) < end)
            return read_fields(s, i, end, 0, c->unit->columns).continues;
    }
    return false;
}

/* Columns 3 to 6 of a line with the sentinel of conditional compilation: blanks, a label, or a continuation. */
static bool is_conditional(const char *s, size_t i, size_t end)
{
    if (end - i < 3 || s[i + 1] != '$' || !strchr("cC*!", s[i]))
        return false;
    for (size_t k = i + 2; k < end && k < i + BODY - 1; k++)
        if (!fortran_is_blank(s[k]) && !isdigit((unsigned char)s[k]))
            return false;
    return true;
}

static void read_comment(struct fortran_scanner *c, size_t i, size_t end, size_t comment)
{
    const char *s = c->f->text;
    if (fortran_is_mark(s, comment, end)) {
        bool inside = c->nat && c->kind == FORTRAN_CODE && goes_on(c, end + 1);
        if (!inside)
            finish(c);
        fortran_scan_mark(c, comment, end, inside);
    } else if (comment == i && end - i > 5 && strchr("cC*!", s[i]) &&
               !strncasecmp(s + i + 1, "$omp", 4)) {
        read_line(c, i, end, 5, FORTRAN_OMP);
    } else if (comment == i && is_conditional(s, i, end)) {
        read_line(c, i, end, 2, FORTRAN_CODE);
    } else if (comment == i && end - i > 5 && s[i + 4] == '$' &&
               (!strncasecmp(s + i + 1, "dir", 3) || !strncasecmp(s + i + 1, "gcc", 3))) {
        read_line(c, i, end, 0, FORTRAN_HINT);
    }
}

void fortran_fixed_scan(struct fortran_scanner *c)
{
    struct fortran *f = c->f;
    for (size_t i = 0; i < f->size;) {
        size_t end = fortran_line_end(f->text, i, f->size), comment = comment_line(f->text, i, end);
        ADD(c->unit->arena, f, lines, (struct fortran_line){i, c->file, ++c->line});
        if (f->text[i] == '#')
            fortran_scan_marker(c, i, end);
        else if (comment < end)
            read_comment(c, i, end, comment);
        else if (fortran_skip_blanks(f->text, i, end) < end)
            read_line(c, i, end, 0, FORTRAN_CODE);
        i = end + 1;
    }
    finish(c);
}

/* ---- statements inside regions ---- */

bool fortran_fixed_knows(const struct fortran_statement *st, size_t i)
{
    static const char *const words[] = {
        "allocate", "assign",  "backspace",  "call",     "close",  "continue", "cycle", "data",
        "do",       "entry",   "error",      "exit",     "flush",  "format",   "go to", "goto",
        "if",       "inquire", "deallocate", "nullify",  "open",   "pause",    "print", "read",
        "return",   "rewind",  "stop",       "wait",     "where",  "forall",   "write", "endfile",
        "end",      "sync",    "include",    "lock",     "unlock", "event",    "form",  "fail",
        "dowhile",  "encode",  "decode",     "namelist", NULL};
    return i >= st->n || fortran_assigns(st, i) || !isalpha((unsigned char)st->s[i]) ||
           fortran_one_of(st, &i, words);
}
