/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Collecting and printing diagnostics (see diag.h).
 *
 * Messages keep their order of arrival within one position; a note sorts with the message it was
 * added behind. Long source lines are shown as a window around the caret, with '?' for what is not
 * printable; in messages and names that is \xNN.
 */
#include "base/diag.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/printable.h"
#include "base/text.h"

enum { WINDOW = 160, MAX_MESSAGES = 10000 };

struct message {
    enum severity severity;
    const struct source *source;
    struct span where;
    size_t order;  /* of arrival */
    size_t leader; /* the message a note follows: index of arrival; its own otherwise */
    char *text;
};

struct diag {
    struct arena *arena;
    struct message *list;
    size_t n, capacity, errors_left_out;
    diag_origin *origin; /* NULL: all lines are the user's */
};

struct diag *diag_create(void)
{
    struct diag *d = mem_zalloc(1, sizeof *d);
    d->arena = arena_create();
    return d;
}

void diag_destroy(struct diag *d)
{
    if (!d)
        return;
    arena_destroy(d->arena);
    mem_free(d->list);
    mem_free(d);
}

void diag_set_origin(struct diag *d, diag_origin *origin)
{
    d->origin = origin;
}

void diag_clear(struct diag *d)
{
    d->n = 0;
    d->errors_left_out = 0;
    arena_reset(d->arena);
}

const struct source *diag_keep(struct diag *d, const struct source *source)
{
    if (!d)
        return source;
    struct source *copy = arena_alloc(d->arena, 1, sizeof *copy);
    *copy = (struct source){arena_strdup(d->arena, source->name),
                            arena_strndup(d->arena, source->text, source->size), source->size};
    return copy;
}

int diag_add(struct diag *d, enum severity severity, const struct source *source, struct span where,
             const char *format, ...)
{
    if (d && d->n >= MAX_MESSAGES)
        d->errors_left_out += severity == SEVERITY_ERROR;
    if (!d || d->n >= MAX_MESSAGES)
        return -1;
    va_list args;
    va_start(args, format);
    char *text = arena_vprintf(d->arena, format, args);
    va_end(args);
    size_t n = d->n, leader = severity == SEVERITY_NOTE && n ? d->list[n - 1].leader : n;
    MEM_ADD(d->list, d->n, &d->capacity,
            (struct message){severity, source, where, n, leader, text});
    return -1;
}

void diag_locate(struct diag *d, const struct source *source, struct span where)
{
    for (size_t i = 0; i < d->n; i++) {
        if (d->list[i].source)
            continue;
        d->list[i].source = source;
        d->list[i].where = where;
    }
}

size_t diag_count(const struct diag *d, enum severity at_least)
{
    size_t count = at_least <= SEVERITY_ERROR ? d->errors_left_out : 0;
    for (size_t i = 0; i < d->n; i++)
        count += d->list[i].severity >= at_least;
    return count;
}

const char *diag_first(const struct diag *d, enum severity at_least)
{
    for (size_t i = 0; i < d->n; i++)
        if (d->list[i].severity >= at_least)
            return d->list[i].text;
    return NULL;
}

bool diag_next_error(const struct diag *d, size_t *i, const struct source **source,
                     struct span *where, const char **text)
{
    for (; *i < d->n; ++*i) {
        const struct message *m = &d->list[*i];
        if (m->severity != SEVERITY_ERROR || !m->source)
            continue;
        *source = m->source;
        *where = m->where;
        *text = m->text;
        return true;
    }
    return false;
}

/* Of a source line: what is not printable takes one place, so that the caret stands right. */
static void put_line(FILE *out, const char *s, size_t n)
{
    for (size_t i = 0; i < n;) {
        size_t length = s[i] == '\t' ? 1 : printable_length(s + i, n - i);
        fwrite(length ? s + i : "?", 1, length ? length : 1, out);
        i += length ? length : 1;
    }
}

/* The source line of `where` and a caret below it. Tabs are repeated in the caret's line, so it
 * stands right. */
static void print_excerpt(FILE *out, const struct source *source, struct span where)
{
    size_t at = where.begin < source->size ? where.begin : source->size;
    size_t begin = at, end = at;
    while (begin > 0 && source->text[begin - 1] != '\n')
        begin--;
    while (end < source->size && source->text[end] != '\n')
        end++;
    if (end > begin && source->text[end - 1] == '\r')
        end--;
    if (at > end)
        at = end;
    if (at - begin > WINDOW / 2)
        begin = at - WINDOW / 2;
    if (end - begin > WINDOW)
        end = begin + WINDOW;
    fputs("  ", out);
    put_line(out, source->text + begin, end - begin);
    fputs("\n  ", out);
    for (size_t i = begin; i < at;) { /* a character takes one place */
        size_t length = printable_length(source->text + i, end - i);
        fputc(source->text[i] == '\t' ? '\t' : ' ', out);
        i += length ? length : 1;
    }
    fputc('^', out);
    for (size_t i = at + 1; i < where.end && i < end; i++)
        fputc('~', out);
    fputc('\n', out);
}

/* FILE:LINE:COLUMN: */
static void add_place(struct text *out, const struct message *m, diag_origin *origin)
{
    size_t line, column, original;
    TEXT_LOCAL struct text name = text_new();
    source_position(m->source, m->where.begin, &line, &column);
    if (origin && origin(m->source, line, &name, &original)) {
        line = original;
    } else {
        text_clear(&name);
        text_add(&name, m->source->name);
    }
    text_add_printable(out, name.s, name.n);
    text_printf(out, ":%zu:%zu: ", line, column);
}

static bool has_colours;

void diag_have_colours(bool colours)
{
    has_colours = colours;
}

static void print_message(FILE *out, const struct message *m, diag_origin *origin)
{
    static const char *const plain[] = {"note", "warning", "error"};
    static const char *const coloured[] = {"note", "\033[33mwarning\033[0m",
                                           "\033[1;31merror\033[0m"};
    const char *const *word = has_colours ? coloured : plain;
    TEXT_LOCAL struct text t = text_new();
    if (m->source)
        add_place(&t, m, origin);
    text_printf(&t, "%s: ", word[m->severity]);
    text_add_printable(&t, m->text, strlen(m->text));
    fprintf(out, "%s\n", t.s);
    if (m->source)
        print_excerpt(out, m->source, m->where);
}

/* A message with what it is sorted by: the place of its leader. */
struct keyed {
    const struct message *message;
    const struct source *source;
    size_t begin, leader, order, source_order;
};

static int by_place(const void *x, const void *y)
{
    const struct keyed *a = x, *b = y;
    if (a->source_order != b->source_order)
        return a->source_order < b->source_order ? -1 : 1;
    if (a->begin != b->begin)
        return a->begin < b->begin ? -1 : 1;
    if (a->leader != b->leader)
        return a->leader < b->leader ? -1 : 1;
    return a->order < b->order ? -1 : a->order > b->order;
}

/* Sources in the order of their first message. */
static size_t source_order(const struct diag *d, const struct source *source)
{
    size_t i = 0;
    while (d->list[i].source != source)
        i++;
    return i;
}

void diag_print(struct diag *d, FILE *out, size_t limit)
{
    MEM_LOCAL struct keyed *keys = mem_alloc(d->n ? d->n : 1, sizeof *keys);
    for (size_t i = 0; i < d->n; i++) {
        const struct message *leader = &d->list[d->list[i].leader];
        keys[i] = (struct keyed){&d->list[i],   leader->source,   leader->where.begin,
                                 leader->order, d->list[i].order, source_order(d, leader->source)};
    }
    qsort(keys, d->n, sizeof *keys, by_place);
    size_t errors = 0, hidden = d->errors_left_out;
    for (size_t i = 0; i < d->n; i++) {
        errors += keys[i].message->severity == SEVERITY_ERROR;
        if (limit && errors > limit)
            hidden += keys[i].message->severity == SEVERITY_ERROR;
        else
            print_message(out, keys[i].message, d->origin);
    }
    if (hidden)
        fprintf(out, "... and %zu more error%s\n", hidden, hidden == 1 ? "" : "s");
    diag_clear(d);
}
