/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Branches to labels. A branch that leaves regions must end them. The place of the branch may be a part
 * of a statement that cannot be divided, such as READ(1, *, END = 10). Therefore the branch gets the label
 * of a stub at the region's end. The stub ends the region and goes to the label that was meant. A branch
 * that leaves several regions passes through the stub of each.
 */
#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "translate/fortran.h"
#include "translate/list.h"

enum { MAX_LABEL = 99999 };

/* ---- messages ---- */

/* The same place in the user's source; false if it comes from another file. */
static bool user_place(const struct unit *u, const struct fortran *f, size_t place, size_t length,
                       struct span *out)
{
    const struct fortran_line *line = fortran_line_at(f, place);
    const struct input *in = &u->inputs[0];
    if (strcmp(line->file, in->path) != 0 || !line->line || line->line > in->nlines)
        return false;
    size_t begin = in->lines[line->line - 1];
    size_t end = line->line < in->nlines ? in->lines[line->line] - 1 : in->size;
    size_t at = begin + (place - line->begin);
    if (at + length > end || memcmp(in->text + at, f->text + place, length) != 0) {
        for (at = begin; at < end && isspace((unsigned char)in->text[at]);)
            at++; /* a macro changed the line */
        length = end - at;
    }
    *out = (struct span){at, at + length};
    return true;
}

void fortran_complain(struct unit *u, const struct fortran *f, size_t place, size_t length,
                      size_t region, const char *format, ...)
{
    struct span span;
    va_list args;
    va_start(args, format);
    const char *text = arena_vprintf(u->arena, format, args);
    va_end(args);
    if (!user_place(u, f, place, length, &span)) {
        if (!region)
            return;
        span = f->regions[region].begin->word;
    }
    diag_add(u->diag, SEVERITY_ERROR, u->inputs[0].source, span, "%s", text);
}

/* ---- the branches of a statement ---- */

static size_t digits_end(const struct fortran_statement *st, size_t i)
{
    while (i < st->n && isdigit((unsigned char)st->s[i]))
        i++;
    return i;
}

/* The label at i, if there is one. Returns what follows it. */
static size_t add_branch(struct unit *u, const struct fortran_statement *st, size_t i,
                         size_t region, struct fortran_labels *out)
{
    size_t end = digits_end(st, i);
    if (end > i && end - i < 9) {
        ADD(u->arena, out, branches,
            (struct fortran_branch){(unsigned)strtoul(st->s + i, NULL, 10), st->at[i],
                                    st->at[end - 1] + 1, region, st->conditional});
    }
    return fortran_blanks(st, end);
}

/* LABEL {"," LABEL} */
static size_t add_list(struct unit *u, const struct fortran_statement *st, size_t i, size_t region,
                       struct fortran_labels *out)
{
    for (;;) {
        i = add_branch(u, st, fortran_blanks(st, i), region, out);
        if (i >= st->n || st->s[i] != ',')
            return i;
        i++;
    }
}

/* GO TO LABEL, GO TO (LABEL, ...) INDEX, or the deleted GO TO VARIABLE. */
static void read_goto(struct unit *u, const struct fortran *f, const struct fortran_statement *st,
                      size_t i, size_t region, struct fortran_labels *out)
{
    if (i < st->n && st->s[i] == '(')
        add_list(u, st, i + 1, region, out);
    else if (i < st->n && isdigit((unsigned char)st->s[i]))
        add_branch(u, st, i, region, out);
    else if (region)
        fortran_complain(u, f, st->at[i < st->n ? i : 0], 1, region,
                         "an assigned GO TO inside the region '%s' (line %u) may leave it without "
                         "ending its sample; write GO TO with labels",
                         f->regions[region].begin->name, f->regions[region].begin->first_line);
}

/* The argument that begins at i: * LABEL of CALL, or ERR = LABEL and its relatives. */
static void read_argument(struct unit *u, const struct fortran_statement *st, size_t i, bool call,
                          size_t region, struct fortran_labels *out)
{
    i = fortran_blanks(st, i);
    if (call) {
        if (i < st->n && st->s[i] == '*')
            add_branch(u, st, fortran_blanks(st, i + 1), region, out);
        return;
    }
    if ((fortran_word(st, &i, "err") || fortran_word(st, &i, "end") ||
         fortran_word(st, &i, "eor")) &&
        i < st->n && st->s[i] == '=')
        add_branch(u, st, fortran_blanks(st, i + 1), region, out);
}

/* The arguments in the parentheses at i. */
static void read_arguments(struct unit *u, const struct fortran_statement *st, size_t i, bool call,
                           size_t region, struct fortran_labels *out)
{
    size_t close = fortran_close(st, i);
    for (bool begins = true; i + 1 < close; i++) {
        if (begins)
            read_argument(u, st, i + 1, call, region, out);
        char c = st->s[i + 1];
        begins = c == ',';
        if (c == '(' || c == '[')
            i = fortran_close(st, i + 1) - 2;
        else if (c == '\'' || c == '"')
            for (i++; i + 2 < close && st->s[i + 1] != c;)
                i++;
    }
}

void fortran_branches(struct unit *u, const struct fortran *f, const struct fortran_statement *st,
                      size_t i, size_t region, struct fortran_labels *out)
{
    static const char *const with_list[] = {"read",      "write",  "open",    "close", "inquire",
                                            "backspace", "rewind", "endfile", "flush", "wait"};
    size_t at = i;
    if (fortran_word(st, &at, "goto") ||
        (fortran_word(st, &at, "go") && fortran_word(st, &at, "to"))) {
        read_goto(u, f, st, at, region, out);
        return;
    }
    at = i;
    if (fortran_word(st, &at, "if") && at < st->n && st->s[at] == '(') { /* IF (X) 10, 20, 30 */
        at = fortran_blanks(st, fortran_close(st, at));
        if (at < st->n && isdigit((unsigned char)st->s[at]))
            add_list(u, st, at, region, out);
        return;
    }
    at = i;
    if (fortran_word(st, &at, "call")) {
        while (at < st->n && st->s[at] != '(')
            at++;
        if (at < st->n) /* the arguments are the last parentheses: call a(i)%f(*10) */
            for (size_t next = at; (next = fortran_close(st, next)) < st->n;) {
                while (next < st->n && st->s[next] != '(')
                    next++;
                at = next < st->n ? next : at;
            }
        if (at < st->n)
            read_arguments(u, st, at, true, region, out);
        return;
    }
    for (size_t k = 0; k < sizeof with_list / sizeof *with_list; k++) {
        at = i;
        if (fortran_word(st, &at, with_list[k]) && at < st->n && st->s[at] == '(')
            read_arguments(u, st, at, false, region, out);
    }
}

/* ---- connecting them ---- */

static bool contains(const struct fortran *f, size_t outer, size_t region)
{
    for (; region; region = f->regions[region].parent)
        if (region == outer)
            return true;
    return outer == 0;
}

static bool is_used(const struct fortran_labels *l, unsigned number)
{
    for (size_t i = 0; i < l->nlabels; i++)
        if (l->labels[i].number == number)
            return true;
    return false;
}

/* A label that the procedure does not have; 0 if it uses all of them. */
static unsigned fresh_label(struct fortran_labels *l)
{
    if (!l->fresh)
        l->fresh = MAX_LABEL + 1;
    while (l->fresh > 1)
        if (!is_used(l, --l->fresh))
            return l->fresh;
    return 0;
}

/* The label that ends the regions from `region` up to the one that contains the target, and goes to the
 * target; 0 if no label is left. */
static unsigned stub_label(struct unit *u, struct fortran *f, struct fortran_labels *l,
                           size_t region, const struct fortran_label *target)
{
    if (contains(f, region, target->region))
        return target->number;
    unsigned next = stub_label(u, f, l, f->regions[region].parent, target);
    if (f->regions[region].is_for) /* a loop has nothing to end */
        return next;
    for (struct fortran_stub *s = f->regions[region].stubs; s; s = s->next)
        if (s->target == next)
            return s->label;
    struct fortran_stub *s = arena_alloc(u->arena, 1, sizeof *s);
    *s = (struct fortran_stub){fresh_label(l), next, f->regions[region].stubs};
    f->regions[region].stubs = s;
    if (!f->regions[region].past)
        f->regions[region].past = fresh_label(l);
    return next ? s->label : 0;
}

static void connect_one(struct unit *u, struct fortran *f, struct fortran_labels *l,
                        const struct fortran_branch *b)
{
    const struct fortran_label *target = NULL;
    for (size_t i = 0; i < l->nlabels && !target; i++)
        if (l->labels[i].number == b->number)
            target = &l->labels[i];
    if (!target)
        return; /* the compiler complains */
    if (!contains(f, target->region, b->region)) {
        const struct pragma *p = f->regions[target->region].begin;
        fortran_complain(u, f, b->begin, b->end - b->begin, target->region,
                         "label %u is inside the region '%s' (line %u), and this statement would "
                         "jump past its start; move the label out of the region",
                         b->number, p->name ? p->name : "for", p->first_line);
        return;
    }
    unsigned label = stub_label(u, f, l, b->region, target);
    if (label == b->number)
        return;
    if (!label) {
        fortran_complain(u, f, b->begin, b->end - b->begin, b->region,
                         "the procedure has no label left for the end of the region");
        return;
    }
    ADD(u->arena, f, edits,
        (struct fortran_edit){.begin = b->begin,
                              .end = b->end,
                              .label = arena_printf(u->arena, "%u", label),
                              .conditional = b->conditional});
}

void fortran_connect(struct unit *u, struct fortran *f, struct fortran_labels *l)
{
    for (size_t i = 0; i < l->nbranches; i++)
        connect_one(u, f, l, &l->branches[i]);
    l->nlabels = l->nbranches = 0;
    l->fresh = 0;
}
