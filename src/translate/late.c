/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Values at the end of a region, ALIAS := EXPR: the names of EXPR.
 *
 * Such a value is taken from what exists at the begin of the region, so the region must not declare its names. An
 * expression that is computed at the end becomes a function that knows the variables around it (CLL_EXIT of cll.h). In C,
 * such a function of clang has copies of the variables, and that of gcc those outside of an OpenMP construct in place of the
 * private ones. Therefore the names of variables in the expression, its leaves, are found here, and emit.c replaces them by
 * pointers. A variable that the text of a macro hides cannot be replaced.
 */
#include <string.h>

#include "translate/list.h"
#include "translate/structure.h"

enum { MOST_MACROS = 32 }; /* inside each other */

struct late {
    struct unit *unit;
    const struct stream *s;
    const struct structure *t;
    struct uses *uses;
    const struct region *region;
    const struct source *source;
    struct pragma_variable *v;
    struct diag *diag;
    size_t function;     /* the first item of the function around the region; 0 = not known yet */
    unsigned char *seen; /* per macro of the stream: its text was looked at */
};

static unsigned char flags_of(const struct unit *u, uint32_t name)
{
    return name < u->nflags ? u->flags[name] : 0;
}

static bool is_punctuator(const struct token *t, uint32_t id)
{
    return t->kind == TOKEN_PUNCTUATOR && t->id == id;
}

/* Words of C that words.def does not have, because no statement begins with them. */
static bool is_other_word(const char *s)
{
    static const char *const words[] = {"true",
                                        "false",
                                        "nullptr",
                                        "_Alignof",
                                        "alignof",
                                        "__alignof__",
                                        "__alignof",
                                        "_Generic",
                                        "__real__",
                                        "__imag__",
                                        "__builtin_va_arg",
                                        "__func__",
                                        "__FUNCTION__",
                                        "__PRETTY_FUNCTION__"};
    return text_is_in(words, sizeof words / sizeof *words, s);
}

/* Is token i a name that means something by itself: no member, no tag, no word? */
static bool is_free_name(const struct unit *u, const struct token *list, size_t i)
{
    const struct token *t = &list[i], *before = i ? &list[i - 1] : NULL;
    if (t->kind != TOKEN_NAME || t->id < WORD_COUNT || is_other_word(names_text(u->names, t->id)))
        return false;
    if (!before)
        return true;
    bool tag = before->kind == TOKEN_NAME &&
               (before->id == WORD_STRUCT || before->id == WORD_UNION || before->id == WORD_ENUM);
    return !tag && !is_punctuator(before, '.') && !is_punctuator(before, PUNCT_ARROW) &&
           !is_punctuator(before, PUNCT_SCOPE);
}

/* ---- names that the region declares ---- */

/* False after a complaint. */
static bool check_declared(const struct late *l, uint32_t name)
{
    const struct structure *t = l->t;
    size_t i =
        uses_count_to(t->declarations, t->ndeclarations, sizeof *t->declarations, l->region->begin);
    for (; i < t->ndeclarations && t->declarations[i].item < l->region->end; i++) {
        const struct declaration *d = &t->declarations[i];
        if (d->name != name || d->block != l->region->block)
            continue;
        diag_add(l->diag, SEVERITY_ERROR, l->source, l->v->span,
                 "'%s' reads at the end of the region a variable that the region declares; "
                 "declare it before the region",
                 l->v->name);
        return false;
    }
    return true;
}

/* ---- variables that macros hide ---- */

/* The first item of the function around the region, with its parameters. */
static size_t function_begin(struct late *l)
{
    size_t begin = l->region->begin;
    if (l->function)
        return l->function;
    for (size_t i = 1; i < l->t->nblocks; i++) {
        const struct block *b = &l->t->blocks[i];
        if (b->begin < begin && b->end > l->region->begin)
            begin = b->begin;
    }
    while (begin > 0 && !(l->s->list[begin - 1].kind == ITEM_PUNCTUATOR &&
                          (l->s->list[begin - 1].id == ';' || l->s->list[begin - 1].id == '}')))
        begin--;
    return l->function = begin;
}

/* Does the function declare the name before the region, as far as the text shows it? A pointer to a function is declared, or
 * called, as (*name). */
static bool is_local(const struct late *l, uint32_t name, size_t begin)
{
    const struct item *list = l->s->list;
    if (uses_declared(l->uses, name, begin, l->region->begin))
        return true;
    for (size_t i = begin; (i = uses_between(l->uses, name, i, l->region->begin)) != 0;)
        if (i >= begin + 2 && list[i - 1].kind == ITEM_PUNCTUATOR && list[i - 1].id == '*' &&
            list[i - 2].kind == ITEM_PUNCTUATOR && list[i - 2].id == '(')
            return true;
    const struct structure *t = l->t;
    size_t i = uses_count_to(t->declarations, t->ndeclarations, sizeof *t->declarations, begin);
    for (; i < t->ndeclarations && t->declarations[i].item < l->region->begin; i++)
        if (t->declarations[i].name == name)
            return true;
    return false;
}

/* What the macro is where the region begins; NULL if there is none. A macro with parameters is one only before '('. */
static const struct stream_macro *macro_at(const struct late *l, const struct token *t)
{
    const struct stream *s = l->s;
    if (!(flags_of(l->unit, t->id) & NAME_MACRO))
        return NULL;
    for (size_t i = s->nmacros; i-- > 0;)
        if (s->macros[i].name == t->id && s->macros[i].begin < s->list[l->region->begin].begin) {
            const struct stream_macro *m = &s->macros[i];
            size_t end = m->begin + strlen(names_text(l->unit->names, m->name));
            bool parameters = end < m->end && s->text[end] == '(';
            return m->defined && (!parameters || is_punctuator(t + 1, '(')) ? m : NULL;
        }
    return NULL;
}

/* Is the name one of the parameters, which are tokens 2... of a definition NAME(...)? */
static bool is_parameter(const struct tokens *t, size_t nparameters, uint32_t name)
{
    for (size_t i = 2; i < nparameters; i++)
        if (t->list[i].kind == TOKEN_NAME && t->list[i].id == name)
            return true;
    return false;
}

/* The local variable that the text of a macro names, or that of a macro in it; 0 without one. */
static uint32_t hidden_variable(const struct late *l, const struct stream_macro *m, size_t begin,
                                int depth)
{
    unsigned char *seen = &l->seen[m - l->s->macros];
    if (depth == MOST_MACROS || *seen)
        return 0;
    *seen = 1;
    const char *text = l->s->text + m->begin;
    struct tokens t = lex(l->unit->scratch, l->unit->names, text, m->end - m->begin);
    size_t i = 1, nparameters = 0;
    if (t.n > 1 && is_punctuator(&t.list[1], '(') && t.list[1].begin == t.list[0].end) {
        while (i < t.n && !is_punctuator(&t.list[i], ')'))
            i++;
        nparameters = i;
    }
    for (; i < t.n; i++) {
        uint32_t id = t.list[i].id;
        if (!is_free_name(l->unit, t.list, i) || is_parameter(&t, nparameters, id))
            continue;
        const struct stream_macro *inner = macro_at(l, &t.list[i]);
        if (inner && inner != m) {
            uint32_t hidden = hidden_variable(l, inner, begin, depth + 1);
            if (hidden)
                return hidden;
        } else if (is_local(l, id, begin)) {
            return id;
        }
    }
    return 0;
}

static void check_macro(struct late *l, const struct stream_macro *m)
{
    l->seen = arena_zalloc(l->unit->scratch, l->s->nmacros + 1, 1);
    uint32_t hidden = hidden_variable(l, m, function_begin(l), 0);
    if (hidden)
        diag_add(l->diag, SEVERITY_ERROR, l->source, l->v->span,
                 "the macro '%s' uses the variable '%s', which cannot be read at the end of the "
                 "region through a macro; write what it stands for, or assign the value to a "
                 "variable in the region",
                 names_text(l->unit->names, m->name), names_text(l->unit->names, hidden));
}

/* ---- leaves ---- */

/* Has the name no address here? Names are noted for the whole source: a function without the word register may have a
 * variable of this name. */
static bool is_addressless(struct late *l, uint32_t name)
{
    size_t begin = function_begin(l);
    if (!(flags_of(l->unit, name) & NAME_NO_ADDRESS))
        return false;
    return uses_between(l->uses, WORD_REGISTER, begin ? begin - 1 : 0, l->region->begin) ||
           !uses_declared(l->uses, name, begin, l->region->begin);
}

static void add_leaf(struct late *l, const struct token *t)
{
    size_t begin = l->v->span.begin;
    bool constant = is_addressless(l, t->id);
    ADD(l->unit->arena, l->v, leaves,
        (struct pragma_leaf){{begin + t->begin, begin + t->end}, constant});
}

/* Does the function name it before the region, other than as a member? What it declares, it names. */
static bool is_named(struct late *l, uint32_t name)
{
    for (size_t i = function_begin(l); (i = uses_between(l->uses, name, i, l->region->begin)) != 0;)
        if (l->s->list[i].kind == ITEM_NAME)
            return true;
    return false;
}

/* Does the name of a type stand for a variable here, node *node? Then it is behind a star or a type, and never a type
 * there, unless the function defines one. */
static bool hides_type(struct late *l, uint32_t name)
{
    size_t begin = function_begin(l), first = begin ? begin - 1 : 0;
    if (uses_between(l->uses, WORD_TYPEDEF, first, l->region->begin))
        return false;
    for (size_t i = begin; (i = uses_between(l->uses, name, i, l->region->begin)) != 0;) {
        const struct item *b = &l->s->list[i - 1];
        if (b->kind == ITEM_PUNCTUATOR
                ? b->id == '*'
                : b->kind == ITEM_NAME && ((b->id >= WORD_TYPEOF && b->id < WORD_STATIC_ASSERT) ||
                                           (flags_of(l->unit, b->id) & NAME_TYPE)))
            return true;
    }
    return false;
}

/* A name of an expression that is computed at the end. An argument of a macro may also be a member: GET(l, size). */
static void take_name(struct late *l, const struct token *t, bool is_argument)
{
    const struct stream_macro *m = macro_at(l, t);
    if (m)
        check_macro(l, m);
    else if ((flags_of(l->unit, t->id) & NAME_TYPE) && !hides_type(l, t->id))
        return;
    else if (is_argument && !is_named(l, t->id))
        return;
    else if (!is_punctuator(t + 1, '(') || /* else a function, or a pointer to one */
             is_local(l, t->id, function_begin(l)))
        add_leaf(l, t);
}

static void check_variable(struct late *l)
{
    struct span e = l->v->span;
    struct tokens t =
        lex(l->unit->scratch, l->unit->names, l->source->text + e.begin, e.end - e.begin);
    size_t open = 0, arguments = 0; /* parentheses; that of the outermost macro */
    l->v->nleaves = 0;
    for (size_t i = 0; i < t.n; i++) {
        open += is_punctuator(&t.list[i], '(');
        if (is_punctuator(&t.list[i], ')') && open && open-- == arguments)
            arguments = 0;
        if (!is_free_name(l->unit, t.list, i))
            continue;
        if (!check_declared(l, t.list[i].id) || !l->v->computed)
            return; /* of a path, only the first name is that of the object */
        if (l->unit->language == LANGUAGE_C)
            take_name(l, &t.list[i], arguments != 0);
        if (!arguments && is_punctuator(&t.list[i + 1], '(') && macro_at(l, &t.list[i]))
            arguments = open + 1;
    }
}

void late_check(struct unit *u, const struct stream *s, const struct structure *t, struct uses *x,
                const struct region *r, struct diag *diag)
{
    struct pragma *g = stream_pragma(u, s, r->begin);
    struct late l = {u, s, t, x, r, u->inputs[g->input].source, NULL, diag, 0, NULL};
    for (size_t v = 0; v < g->nvariables && !r->is_for; v++)
        if (g->variables[v].at_end) {
            l.v = &g->variables[v];
            check_variable(&l);
        }
}
