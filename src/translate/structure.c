/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Regions in the structure of a file. They are matched per block: each block has a stack of the
 * regions opened in it. A region whose `end` is in another block is remembered, so that one
 * mistake gives one message.
 */
#include <string.h>

#include "base/sort.h"
#include "translate/parser.h"

/* ---- regions ---- */

static struct region *open_region(struct parser *p, const struct context *c, bool single,
                                  bool after_label)
{
    const struct pragma *g = parser_pragma(p, p->at);
    bool is_for = g->kind == PRAGMA_FOR;
    APPEND(p, regions,
           (struct region){.begin = p->at,
                           .block = c->block,
                           .function = c->function,
                           .is_for = is_for,
                           .excused = g->bad,
                           .single = single,
                           .after_label = after_label,
                           .constant = c->constant,
                           .in_team = c->in_team,
                           .no_barrier = c->no_barrier,
                           .scope = c->scope});
    p->at++;
    return &p->t->regions[p->t->nregions - 1];
}

static bool ends(const struct parser *p, size_t item, const struct region *r)
{
    const struct pragma *g = parser_pragma(p, item);
    if (r->is_for)
        return g->kind == PRAGMA_END_FOR;
    const char *name = parser_pragma(p, r->begin)->name;
    return g->kind == PRAGMA_END && g->name && name && !strcmp(g->name, name);
}

static void close_region(struct region *r, size_t item, bool after_label)
{
    r->end = item;
    r->closed = true;
    r->end_after_label = after_label;
}

/* A region where one statement is expected: exactly one, then its end. */
static void single_region(struct parser *p, const struct context *c, bool after_label)
{
    if (!parser_enter(p))
        return;
    size_t index = (size_t)(open_region(p, c, true, after_label) - p->t->regions);
    struct context inner = *c;
    if (p->t->regions[index].is_for)
        inner.on_break = inner.on_continue = TARGET_CLL_FOR;
    bool empty = parser_now(p)->kind == ITEM_CLL && ends(p, p->at, &p->t->regions[index]);
    if (!empty)
        parse_substatement(p, &inner);
    struct region *r = &p->t->regions[index];
    p->depth--;
    if (!empty && parser_now(p)->kind == ITEM_CLL && ends(p, p->at, r)) {
        close_region(r, p->at++, false);
        return;
    }
    bool said = r->excused;
    r->excused = true;
    if (empty)
        p->at++;
    if (said)
        return;
    COMPLAIN(
        p, r->begin,
        "one statement is expected here, so the region '%s' must contain exactly one; put braces around the region",
        parser_region_name(p, r));
}

/* The statement that if, else, a loop, a label or an OpenMP directive governs. */
void parse_substatement(struct parser *p, const struct context *c)
{
    bool after_label = false;
    for (;;) {
        after_label |= parse_labels(p, c);
        if (parser_now(p)->kind == ITEM_PRAGMA) {
            parse_other_pragma(p, c);
            const struct item *last = &p->s->list[p->at - 1];
            if (last->kind != ITEM_PRAGMA)
                return;
        } else if (parser_now(p)->kind == ITEM_CLL) {
            const struct pragma *g = parser_pragma(p, p->at);
            if (g->kind == PRAGMA_BEGIN || g->kind == PRAGMA_FOR) {
                single_region(p, c, after_label);
                return;
            }
            if (g->kind == PRAGMA_REPORT)
                COMPLAIN(
                    p, p->at,
                    "one statement is expected here: after 'report' it would no longer belong to the if, else or loop before it; put braces around both");
            else
                parse_misplaced(p, c);
            p->at++;
        } else {
            break;
        }
    }
    if (!parser_at(p, '}') && !parser_at_end(p))
        parse_statement(p, c);
}

enum { MAX_SEARCHES = 1000 }; /* each looks at all regions of the function */

/* The innermost open region of the function that this pragma would end, whatever block it is in. */
static struct region *find_elsewhere(struct parser *p, const struct context *c)
{
    if (p->searches++ >= MAX_SEARCHES)
        return NULL;
    for (size_t i = p->t->nregions; i-- > 0;) {
        struct region *r = &p->t->regions[i];
        if (r->function != c->function) {
            if (p->lambdas)
                continue; /* a lambda is a function inside another */
            break;
        }
        if (!r->closed && ends(p, p->at, r))
            return r;
    }
    return NULL;
}

void parse_excused(struct parser *p, const struct context *c)
{
    const struct pragma *g = parser_pragma(p, p->at);
    if (g->kind == PRAGMA_BEGIN || g->kind == PRAGMA_FOR) {
        open_region(p, c, false, false)->excused = true;
        p->at--; /* the caller steps over the pragma */
    } else if (g->kind == PRAGMA_END || g->kind == PRAGMA_END_FOR) {
        struct region *r = find_elsewhere(p, c);
        if (r)
            r->excused = true;
    }
}

static void end_without_region(struct parser *p, const struct context *c)
{
    const struct pragma *g = parser_pragma(p, p->at);
    struct region *r = find_elsewhere(p, c);
    if (r && r->excused)
        return;
    if (r) {
        r->excused = true;
        COMPLAIN(
            p, p->at,
            "'end %s' is in another block than the start of the region in line %u; put both into the same block",
            parser_region_name(p, r), parser_region_line(p, r));
    } else if (!g->bad) {
        COMPLAIN(p, p->at, "'end %s' without a begin: no region of this name is open here",
                 g->kind == PRAGMA_END_FOR ? "for" : g->name);
    }
}

/* The regions that are open in one block, innermost last. */
struct open_list {
    struct opened {
        size_t region;
        struct context around; /* before it began */
    } * list;
    size_t n, capacity;
};

static void end_pragma(struct parser *p, struct context *c, struct open_list *open,
                       bool after_label)
{
    size_t k = open->n;
    while (k > 0 && !ends(p, p->at, &p->t->regions[open->list[k - 1].region]))
        k--;
    if (k == 0) {
        end_without_region(p, c);
        return;
    }
    for (size_t i = k; i < open->n; i++) {
        struct region *r = &p->t->regions[open->list[i].region];
        if (!r->excused)
            COMPLAIN(p, p->at,
                     "'end %s' comes before the end of '%s', which begins inside it in line %u",
                     parser_region_name(p, &p->t->regions[open->list[k - 1].region]),
                     parser_region_name(p, r), parser_region_line(p, r));
        r->excused = true;
    }
    close_region(&p->t->regions[open->list[k - 1].region], p->at, after_label);
    *c = open->list[k - 1].around;
    p->depth -= (int)(open->n - (k - 1));
    open->n = k - 1;
}

static void begin_pragma(struct parser *p, struct context *c, struct open_list *open,
                         bool after_label)
{
    if (!parser_enter(p)) {
        p->at--; /* the caller steps over the pragma */
        return;
    }
    struct region *r = open_region(p, c, false, after_label);
    ARENA_ADD(p->unit->scratch, open->list, open->n, &open->capacity,
              (struct opened){(size_t)(r - p->t->regions), *c});
    if (r->is_for)
        c->on_break = c->on_continue = TARGET_CLL_FOR;
    p->at--;
}

static void block_pragma(struct parser *p, struct context *c, struct open_list *open,
                         bool after_label)
{
    const struct pragma *g = parser_pragma(p, p->at);
    if (g->kind == PRAGMA_BEGIN || g->kind == PRAGMA_FOR)
        begin_pragma(p, c, open, after_label);
    else if (g->kind == PRAGMA_END || g->kind == PRAGMA_END_FOR)
        end_pragma(p, c, open, after_label);
    else if (g->kind == PRAGMA_REPORT && c->in_team)
        APPEND(p, team_reports, p->at);
    p->at++;
}

/* Does the pragma become a statement, or a part of one? */
static bool is_statement(const struct parser *p, size_t item)
{
    return p->s->list[item].kind == ITEM_CLL && parser_pragma(p, item)->kind != PRAGMA_PARALLEL &&
           parser_pragma(p, item)->kind != PRAGMA_USES;
}

/* At the end of a statement expression: its last statement must stay the last. */
static void check_value(struct parser *p)
{
    size_t last = p->at - 1, k = last;
    while (is_statement(p, k))
        k--;
    if (k < last && parser_punct_at(p, k, ';'))
        COMPLAIN(
            p, last,
            "a region cannot end a statement expression: the value of its last statement "
            "would be lost; put the value after the region (or '(void)0;' if it has no value)");
}

/* Is the last statement an attribute that belongs to the label after it? */
static bool falls_through(const struct parser *p)
{
    size_t at = p->at;
    if (at < 4 || !parser_punct_at(p, at - 1, ';'))
        return false;
    const struct item *i = &p->s->list[at - 4];
    return i->kind == ITEM_NAME && strstr(names_text(p->unit->names, i->id), "fallthrough");
}

/* Statements that the compiler wants directly before or after another one: no pragma may separate
 * them. */
static void check_neighbours(struct parser *p)
{
    if (parser_at_word(p, WORD_LABEL) && is_statement(p, p->at - 1))
        COMPLAIN(p, p->at - 1, "no statement may come before '__label__'; put the pragma after it");
    else if (parser_now(p)->kind == ITEM_CLL && is_statement(p, p->at) &&
             parser_pragma(p, p->at)->kind != PRAGMA_END && falls_through(p))
        COMPLAIN(p, p->at,
                 "this pragma is between 'fallthrough' and its label; put it before 'fallthrough'");
}

/* "{" {statement} "}". `is_value`: of a statement expression, whose last statement is its value. */
void parse_block(struct parser *p, const struct context *outer, bool is_value)
{
    int depth = p->depth;
    struct context c = *outer;
    c.block = (uint32_t)p->t->nblocks;
    c.is_switch_body = false;
    APPEND(p, blocks, (struct block){p->at, p->s->n, outer->is_switch_body});
    struct open_list open = {0};
    p->at++;
    while (!parser_at_end(p) && !parser_at(p, '}')) {
        bool after_label = parse_labels(p, &c);
        if (parser_at(p, '}') || parser_at_end(p))
            break;
        check_neighbours(p);
        if (parser_now(p)->kind == ITEM_CLL)
            block_pragma(p, &c, &open, after_label);
        else if (parser_now(p)->kind == ITEM_PRAGMA)
            parse_other_pragma(p, &c);
        else
            parse_statement(p, &c);
    }
    p->t->blocks[c.block].end = p->at;
    if (is_value)
        check_value(p);
    if (!parser_at_end(p))
        p->at++;
    p->depth = depth; /* regions may have been left open */
}

/* ---- the file ---- */

void parse_outside(struct parser *p)
{
    const struct pragma *g = parser_pragma(p, p->at);
    if (g->kind == PRAGMA_BEGIN || g->kind == PRAGMA_FOR)
        COMPLAIN(p, p->at, "a region must be inside a function: only statements can be measured");
    else if (g->kind == PRAGMA_REPORT)
        COMPLAIN(
            p, p->at,
            "'report' must be inside a function: it becomes a statement of the measured program");
    else if (g->kind == PRAGMA_END || g->kind == PRAGMA_END_FOR)
        COMPLAIN(
            p, p->at,
            "'end %s' is outside of functions; put it into the block in which the region begins",
            g->name ? g->name : "for");
}

static void external_declaration(struct parser *p)
{
    static const struct context top = {0};
    size_t begin = p->at;
    if (p->lambdas) {
        cxx_declaration(p, &top);
        return;
    }
    if (parser_at(p, '{')) { /* after the parameters of a K&R function */
        parse_function_body(p, &top);
        return;
    }
    bool body = parse_simple(p, &top, true);
    parse_typedef(p, begin);
    if (body)
        parse_function_body(p, &top);
    if (p->at == begin)
        p->at++;
}

static void report_unclosed(struct parser *p)
{
    for (size_t i = 0; i < p->t->nregions && !p->too_deep; i++) {
        const struct region *r = &p->t->regions[i];
        if (r->closed || r->excused)
            continue;
        const char *name = parser_region_name(p, r),
                   *meant = r->is_for ? NULL : pragma_word_near(name);
        COMPLAIN(p, r->begin,
                 "the region '%s' has no end: '#pragma cll end %s' is missing in its block%s%s%s",
                 name, name, meant ? " (or did you mean '" : "", meant ? meant : "",
                 meant ? "'?)" : "");
    }
}

/* After the names of a register declaration: `;`, a parameter list's `)`, or the comma before
 * another parameter. */
static bool ends_declaration(const struct stream *s, size_t i)
{
    const struct item *t = &s->list[i];
    if (t->kind != ITEM_PUNCTUATOR || t->id != ',')
        return t->kind == ITEM_PUNCTUATOR && (t->id == ';' || t->id == ')' || t->id == '{');
    bool name = i + 2 < s->n && t[1].kind == ITEM_NAME;
    bool word = name && t[1].id >= WORD_TYPEDEF && t[1].id < WORD_STATIC_ASSERT;
    return word ||
           (name && (t[2].kind == ITEM_NAME || (t[2].kind == ITEM_PUNCTUATOR && t[2].id == '*')));
}

/* The names of [begin, end) but those of initialisers: each from '=' to the next comma outside of brackets. */
static void note_names(struct unit *u, const struct stream *s, size_t begin, size_t end)
{
    size_t depth = 0; /* brackets of an initialiser */
    bool initialiser = false;
    for (size_t i = begin; i < end; i++) {
        const struct item *t = &s->list[i];
        if (t->kind == ITEM_NAME && !initialiser)
            u->flags[t->id] |= NAME_NO_ADDRESS;
        if (t->kind != ITEM_PUNCTUATOR)
            continue;
        initialiser = t->id == '=' || (initialiser && (depth || t->id != ','));
        depth += initialiser && (t->id == '(' || t->id == '[' || t->id == '{');
        depth -= depth && (t->id == ')' || t->id == ']' || t->id == '}');
    }
}

/* Enumeration constants and register variables have no address. */
static void note_addressless(struct unit *u, const struct stream *s)
{
    for (size_t i = 0; i < s->n; i++) {
        if (s->list[i].kind != ITEM_NAME)
            continue;
        if (s->list[i].id == WORD_REGISTER) {
            size_t begin = i;
            while (i < s->n && !ends_declaration(s, i))
                i++;
            note_names(u, s, begin, i);
        } else if (s->list[i].id == WORD_ENUM) {
            size_t k = i + 1;
            while (k < s->n && (s->list[k].kind == ITEM_NAME || s->list[k].id == ':'))
                k++;
            if (k < s->n && s->list[k].kind == ITEM_PUNCTUATOR && s->list[k].id == '{')
                note_names(u, s, k, stream_skip(s, k));
        }
    }
}

static int by_item(const void *a, const void *b)
{
    const struct declaration *x = a, *y = b;
    return x->item < y->item ? -1 : x->item > y->item;
}

struct structure *structure_read(struct unit *u, const struct stream *s, struct diag *diag)
{
    struct structure *t = arena_zalloc(u->scratch, 1, sizeof *t);
    struct parser p = {.unit = u, .s = s, .diag = diag, .t = t};
    if (u->language == LANGUAGE_CXX)
        p.lambdas = arena_zalloc(u->scratch, s->n + 1, 1);
    APPEND(&p, blocks, (struct block){0, s->n, false});
    note_addressless(u, s);
    while (!parser_at_end(&p)) {
        if (parser_now(&p)->kind == ITEM_CLL) {
            parse_outside(&p);
            p.at++;
        } else if (parser_now(&p)->kind == ITEM_PRAGMA || parser_at(&p, ';') ||
                   parser_at(&p, '}')) {
            p.at++;
        } else {
            external_declaration(&p);
        }
    }
    report_unclosed(&p);
    /* those inside an initialiser come before what it initialises */
    sort_list(t->declarations, t->ndeclarations, sizeof *t->declarations, by_item);
    return t;
}
