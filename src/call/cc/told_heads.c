/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the head of a loop compares: the integers that decide how often it iterates, as `p->len` in for (i = 0; i < p->len; i++). They
 * are told before the loop begins, so each must be what the program itself is sure to read next: the tokens of the first part, and
 * those of the condition up to the first &&, || or ?, without calls, and without variables that the head declares or assigns first. A
 * member of a pointer that may be null, which the program tests before, is not read.
 */
#include "call/cc/told_internal.h"

enum { MOST_TEXT = 60, MOST_CHANGED = 16 };

struct head {
    const struct teller *s;
    size_t open;                            /* the parenthesis after the keyword */
    size_t changed[MOST_CHANGED], nchanged; /* tokens: names that the head declares or assigns */
    const char **names;
    size_t n;
};

/* After these nothing is read, or what they mean is not known. */
static const char *const ends[] = {"sizeof",      "_Alignof",   "alignof",       "__alignof__",
                                   "__alignof",   "typeof",     "__typeof__",    "__typeof",
                                   "decltype",    "_Generic",   "__extension__", "new",
                                   "delete",      "throw",      "typeid",        "noexcept",
                                   "static_cast", "const_cast", "dynamic_cast",  "reinterpret_cast",
                                   "co_await",    "co_yield",   "__real__",      "__imag__",
                                   "__label__",   "asm"};

/* No variables. */
static const char *const words[] = {
    "int",      "char",     "short", "long",   "unsigned", "signed",  "bool",   "_Bool",   "const",
    "volatile", "restrict", "void",  "double", "float",    "struct",  "union",  "enum",    "class",
    "typename", "auto",     "this",  "true",   "false",    "nullptr", "static", "register"};

static const struct token *at(const struct head *h, size_t i)
{
    return &h->s->t.list[i];
}

static bool is(const struct head *h, size_t i, uint32_t c)
{
    return is_punctuator(at(h, i), c);
}

static bool is_name(const struct head *h, size_t i)
{
    return at(h, i)->kind == TOKEN_NAME;
}

/* "+=", but not "==" or "<=". */
static bool is_compound(const struct head *h, size_t i)
{
    const struct token *t = at(h, i);
    const char *s = h->s->text + t->begin;
    return t->kind == TOKEN_PUNCTUATOR && t->id == PUNCT_OTHER &&
           (t->end - t->begin == 3 || (s[1] == '=' && !strchr("=!<>", s[0])));
}

static bool is_twice(const struct head *h, size_t i, uint32_t c)
{
    return is(h, i, c) && is(h, i + 1, c) && at(h, i)->end == at(h, i + 1)->begin;
}

static bool is_step(const struct head *h, size_t i)
{
    return is_twice(h, i, '+') || is_twice(h, i, '-');
}

/* Is what follows here called, or initialised? Then nobody knows what that changes. */
static bool is_call(const struct head *h, size_t i)
{
    return is(h, i, '{') || (is(h, i, '(') && (is_name(h, i - 1) || is(h, i - 1, ')') ||
                                               is(h, i - 1, ']') || is(h, i - 1, '>')));
}

/* *p = 0, x[0] = 0: any name may be changed. "int *p = 0" declares one. */
static bool assigns_elsewhere(const struct head *h, size_t i)
{
    return is(h, i, '=') &&
           (!is_name(h, i - 1) || (is(h, i - 2, '*') && !is_name(h, i - 3) && !is(h, i - 3, '*')));
}

/* Has the part of the first part between commas, in which this token is, a value? Else it declares, as in int i = 0, n, *p; */
static bool is_assigned(const struct head *h, size_t i)
{
    size_t begin = i;
    while (begin > h->open + 1 && !is(h, begin - 1, ','))
        begin--;
    for (; !is(h, begin, ',') && !is(h, begin, ';'); begin++)
        if (is(h, begin, '=') || is_compound(h, begin))
            return true;
    return false;
}

/* Notes the names that are declared or assigned from `begin` to `end`; in the first part also those that are counted up or down.
 * False: anything may be changed. */
static bool find_changed(struct head *h, size_t begin, size_t end, bool first)
{
    for (size_t i = begin; i < end; i++) {
        if ((first && i > begin && is_call(h, i)) || assigns_elsewhere(h, i))
            return false;
        if (!is_name(h, i))
            continue;
        bool steps = is_compound(h, i + 1) || is_step(h, i + 1) || is_step(h, i - 2);
        bool declares = is_name(h, i - 1) || (first && !is_assigned(h, i));
        if (!is(h, i + 1, '=') && !declares && !(first && steps))
            continue;
        if (h->nchanged == MOST_CHANGED)
            return false;
        h->changed[h->nchanged++] = i;
    }
    return true;
}

static bool is_same(const struct head *h, size_t i, size_t k)
{
    const struct token *x = at(h, i), *y = at(h, k);
    return x->end - x->begin == y->end - y->begin &&
           !memcmp(h->s->text + x->begin, h->s->text + y->begin, x->end - x->begin);
}

/* The token behind p->a.b[i], which begins here. */
static size_t chain_end(const struct head *h, size_t i, size_t end)
{
    for (i++; i < end;)
        if ((is(h, i, '.') || is(h, i, PUNCT_ARROW)) && i + 1 < end && is_name(h, i + 1))
            i += 2;
        else if (is(h, i, '[') && i + 2 < end && is(h, i + 2, ']') &&
                 (is_name(h, i + 1) || at(h, i + 1)->kind == TOKEN_NUMBER))
            i += 3;
        else
            break;
    return i;
}

/* Is the name a type? "(T)x" is (T)*x, and (n)*x a product: then nobody knows. */
static bool may_be_type(const struct head *h, size_t i, size_t next)
{
    if (is_name(h, next) || is_name(h, i - 1))
        return true;
    if (is(h, next, '*') && (is(h, next + 1, '*') || is(h, next + 1, ')')))
        return true;
    if (!is(h, i - 1, '(') || !is(h, next, ')') || i - 1 == h->open)
        return false;
    const struct token *t = at(h, next + 1);
    return t->kind == TOKEN_PUNCTUATOR ? t->id < 256 && strchr("({-+*&~!", (int)t->id) && t->id
                                       : true;
}

/* Is it the operand of an operator in front: *p, &n? */
static bool has_prefix(const struct head *h, size_t i)
{
    const struct token *before = at(h, i - 2);
    return (is(h, i - 1, '*') || is(h, i - 1, '&')) && before->kind != TOKEN_NUMBER &&
           before->kind != TOKEN_NAME && !is(h, i - 2, ']');
}

static void add(struct head *h, size_t begin, size_t end)
{
    char text[MOST_TEXT + 1];
    size_t n = 0;
    for (size_t i = begin; i < end; i++) {
        const struct token *t = at(h, i);
        for (size_t k = 0; is_name(h, i) && k < h->nchanged; k++)
            if (is_same(h, i, h->changed[k]))
                return;
        if (n + (t->end - t->begin) > MOST_TEXT)
            return;
        memcpy(text + n, h->s->text + t->begin, t->end - t->begin);
        n += t->end - t->begin;
    }
    text[n] = '\0';
    if (h->n < TOLD_MOST && !text_is_in(h->names, h->n, text))
        h->names[h->n++] = arena_strndup(h->s->arena, text, n);
}

static void collect(struct head *h, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i++) {
        if (is(h, i, PUNCT_AND_AND) || is_twice(h, i, '|') || is(h, i, '?') ||
            (is_name(h, i) && IS_ONE_OF(h->s, i, ends)) || (i > begin && is_call(h, i)))
            return;
        if (is(h, i, '[')) {
            size_t close = closing(&h->s->t, i);
            if (close >= end || i == begin)
                return;
            i = close;
            continue;
        }
        if (!is_name(h, i))
            continue;
        size_t first = i, next = chain_end(h, i, end);
        if (next == i + 1 && is(h, i - 1, '(') && is(h, next, ')') &&
            (is(h, next + 1, '.') || is(h, next + 1, PUNCT_ARROW))) {
            next = chain_end(h, next, end); /* (p)->len, as macros have it */
            first = i - 1;
        }
        if (is(h, next, '(') || is(h, next, PUNCT_SCOPE) || is(h, i - 1, PUNCT_SCOPE))
            return;
        if (!is(h, next, '=') && !is(h, next, '[') && !is(h, next, '.') &&
            !is(h, next, PUNCT_ARROW) && !is(h, i - 1, '.') && !is(h, i - 1, PUNCT_ARROW) &&
            !has_prefix(h, first) && (first < i || !may_be_type(h, i, next)) &&
            (next > i + 1 || !IS_ONE_OF(h->s, i, words)))
            add(h, first, next);
        i = next - 1;
    }
}

/* <int> of a template, which is no comparison. */
static bool has_template(const struct head *h, size_t begin, size_t end)
{
    bool less = false;
    for (size_t i = begin; i < end && h->s->language == LANGUAGE_CXX; i++) {
        less |= is(h, i, '<');
        if (less && is(h, i, '>'))
            return true;
    }
    return false;
}

size_t told_heads_read(const struct teller *s, size_t keyword, const char **names)
{
    size_t open = keyword + 1, close, semicolons[2], n = 0;
    struct head h = {.s = s, .open = open, .names = names};
    bool is_for = is_word(s, keyword, "for");
    if (open >= s->t.n || !is(&h, open, '(') || (close = closing(&s->t, open)) == s->t.n)
        return 0;
    for (size_t i = open + 1, depth = 0; i < close; i++) {
        depth += is(&h, i, '(') || is(&h, i, '[') || is(&h, i, '{');
        depth -= is(&h, i, ')') || is(&h, i, ']') || is(&h, i, '}');
        if (at(&h, i)->kind == TOKEN_DIRECTIVE)
            return 0;
        if (is(&h, i, ';') && !depth && n++ < 2)
            semicolons[n - 1] = i;
    }
    if (n != (is_for ? 2 : 0) || (!is_for && is(&h, close + 1, ';'))) /* do ... while (...); */
        return 0;
    size_t first = open + 1, begin = is_for ? semicolons[0] + 1 : first,
           end = is_for ? semicolons[1] : close;
    if ((is_for && (!find_changed(&h, first, begin - 1, true) || has_template(&h, first, begin))) ||
        !find_changed(&h, begin, end, false) || has_template(&h, begin, end))
        return 0;
    collect(&h, begin, end);
    if (is_for)
        collect(&h, first, begin - 1);
    return h.n;
}
