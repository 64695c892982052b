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

#include "translate/fortran_reader.h"
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

void fortran_complain(struct reader *r, size_t place, size_t length, size_t region,
                      const char *format, ...)
{
    struct span span;
    va_list args;
    va_start(args, format);
    const char *text = arena_vprintf(r->unit->arena, format, args);
    va_end(args);
    if (!user_place(r->unit, r->f, place, length, &span)) {
        if (!region)
            return;
        span = r->f->regions[region].begin->word;
    }
    diag_add(r->unit->diag, SEVERITY_ERROR, r->unit->inputs[0].source, span, "%s", text);
}

/* ---- the branches of a statement ---- */

/* The label at i, if there is one. Returns what follows it. */
static size_t add_branch(struct reader *r, size_t i)
{
    const struct fortran_statement *st = r->st;
    size_t end = i;
    while (end < st->n && isdigit((unsigned char)st->s[end]))
        end++;
    if (end > i && end - i < 9)
        ADD(r->unit->arena, &r->labels, branches,
            (struct fortran_branch){(unsigned)strtoul(st->s + i, NULL, 10), st->at[i],
                                    st->at[end - 1] + 1, r->region, st->conditional});
    return fortran_blanks(st, end);
}

/* LABEL {"," LABEL} */
static void add_list(struct reader *r, size_t i)
{
    while ((i = add_branch(r, fortran_blanks(r->st, i))) < r->st->n && r->st->s[i] == ',')
        i++;
}

/* GO TO LABEL, GO TO (LABEL, ...) INDEX, or the deleted GO TO VARIABLE. */
static void read_goto(struct reader *r, size_t i)
{
    const struct fortran_statement *st = r->st;
    if (i < st->n && st->s[i] == '(')
        add_list(r, i + 1);
    else if (i < st->n && isdigit((unsigned char)st->s[i]))
        add_branch(r, i);
    else if (r->region)
        fortran_complain(r, st->at[i < st->n ? i : 0], 1, r->region,
                         "an assigned GO TO inside the region '%s' (line %u) may leave it without "
                         "ending its sample; write GO TO with labels",
                         fortran_region_name(r, r->region),
                         fortran_region_pragma(r, r->region)->first_line);
}

/* The argument that begins at i: * LABEL of CALL, or ERR = LABEL and its relatives. */
static void read_argument(struct reader *r, size_t i, bool call)
{
    static const char *const targets[] = {"err", "end", "eor", NULL};
    const struct fortran_statement *st = r->st;
    i = fortran_blanks(st, i);
    if ((call || fortran_one_of(st, &i, targets)) && i < st->n && st->s[i] == (call ? '*' : '='))
        add_branch(r, fortran_blanks(st, i + 1));
}

/* The arguments in the parentheses at i. */
static void read_arguments(struct reader *r, size_t i, bool call)
{
    const struct fortran_statement *st = r->st;
    size_t close = fortran_close(st, i);
    for (bool begins = true; i + 1 < close; i++) {
        if (begins)
            read_argument(r, i + 1, call);
        char c = st->s[i + 1];
        begins = c == ',';
        if (c == '(' || c == '[')
            i = fortran_close(st, i + 1) - 2;
        else if (c == '\'' || c == '"')
            for (i++; i + 2 < close && st->s[i + 1] != c;)
                i++;
    }
}

void fortran_branches(struct reader *r, size_t i)
{
    static const char *const with_list[] = {"read",    "write",     "open",   "close",
                                            "inquire", "backspace", "rewind", "endfile",
                                            "flush",   "wait",      NULL};
    const struct fortran_statement *st = r->st;
    size_t at = i;
    if (fortran_word(st, &at, "goto") || fortran_word(st, &at, "go to")) {
        read_goto(r, at);
    } else if (fortran_word(st, &at, "if") && at < st->n && st->s[at] == '(') {
        at = fortran_blanks(st, fortran_close(st, at)); /* IF (X) 10, 20, 30 */
        if (at < st->n && isdigit((unsigned char)st->s[at]))
            add_list(r, at);
    } else if (fortran_word(st, &at, "call")) {
        while (at < st->n && st->s[at] != '(')
            at++;
        if (at < st->n) /* the arguments are the last parentheses: call a(i)%f(*10) */
            for (size_t next = at; (next = fortran_close(st, next)) < st->n;) {
                while (next < st->n && st->s[next] != '(')
                    next++;
                at = next < st->n ? next : at;
            }
        if (at < st->n)
            read_arguments(r, at, true);
    } else if (fortran_one_of(st, &at, with_list) && at < st->n && st->s[at] == '(') {
        read_arguments(r, at, false);
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

static const struct fortran_label *label_of(const struct fortran_labels *l, unsigned number)
{
    for (size_t i = 0; i < l->nlabels; i++)
        if (l->labels[i].number == number)
            return &l->labels[i];
    return NULL;
}

/* A label that the procedure does not have; 0 if it uses all of them. */
static unsigned fresh_label(struct fortran_labels *l)
{
    if (!l->fresh)
        l->fresh = MAX_LABEL + 1;
    while (l->fresh > 1)
        if (!label_of(l, --l->fresh))
            return l->fresh;
    return 0;
}

/* The label that ends the regions from `region` up to the one that contains the target, and goes to the
 * target; 0 if no label is left. */
static unsigned stub_label(struct reader *r, size_t number, const struct fortran_label *target)
{
    if (contains(r->f, number, target->region))
        return target->number;
    struct fortran_region *region = &r->f->regions[number];
    unsigned next = stub_label(r, region->parent, target);
    if (region->is_for) /* a loop has nothing to end */
        return next;
    for (struct fortran_stub *s = region->stubs; s; s = s->next)
        if (s->target == next)
            return s->label;
    struct fortran_stub *s = arena_alloc(r->unit->arena, 1, sizeof *s);
    *s = (struct fortran_stub){fresh_label(&r->labels), next, region->stubs};
    region->stubs = s;
    if (!region->past)
        region->past = fresh_label(&r->labels);
    return next ? s->label : 0;
}

static void connect_one(struct reader *r, const struct fortran_branch *b)
{
    const struct fortran_label *target = label_of(&r->labels, b->number);
    if (!target)
        return; /* the compiler complains */
    if (!contains(r->f, target->region, b->region)) {
        fortran_complain(r, b->begin, b->end - b->begin, target->region,
                         "label %u is inside the region '%s' (line %u), and this statement would "
                         "jump past its start; move the label out of the region",
                         b->number, fortran_region_name(r, target->region),
                         fortran_region_pragma(r, target->region)->first_line);
        return;
    }
    unsigned label = stub_label(r, b->region, target);
    if (label == b->number)
        return;
    if (!label) {
        fortran_complain(r, b->begin, b->end - b->begin, b->region,
                         "the procedure has no label left for the end of the region");
        return;
    }
    ADD(r->unit->arena, r->f, edits,
        (struct fortran_edit){.begin = b->begin,
                              .end = b->end,
                              .label = arena_printf(r->unit->arena, "%u", label),
                              .conditional = b->conditional});
}

void fortran_connect(struct reader *r)
{
    struct fortran_labels *l = &r->labels;
    for (size_t i = 0; i < l->nbranches; i++)
        connect_one(r, &l->branches[i]);
    l->nlabels = l->nbranches = 0;
    l->fresh = 0;
}
