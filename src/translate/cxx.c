/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the statement parser must know of C++ besides C: namespaces, classes with their functions,
 * templates, initialisers of constructors, lambdas inside expressions, try and catch.
 *
 * A declaration is read up to its `;`, or to the `}` of the function that it defines. What a `{` begins
 * follows from what came before it: the head of a class, a list of parameters, an assignment. To take an
 * initialiser for the body of a function does no harm, because no pragma is inside an initialiser, except
 * in a lambda, which both readings find. Files, namespaces and classes are read by the same rule, so a
 * brace too many does no harm either.
 */
#include <string.h>

#include "translate/parser.h"

/* What was read of a declaration so far. */
struct head {
    bool in_block;        /* of a function */
    bool tag, is_enum;    /* a `{` begins the body of a class, of an enumeration */
    bool bases;           /* after the `:` of a class */
    bool parameters;      /* there was a list of them: a `{` begins the body of a function */
    bool assigned;        /* after `=`: a `{` begins an initialiser */
    const char *constant; /* "constexpr" or "consteval"; CUDA: "__global__" or "__device__" */
};

static const struct item *item_at(const struct parser *p, size_t at)
{
    return &p->s->list[at < p->s->n ? at : p->s->n];
}

static bool word_at(const struct parser *p, size_t at, uint32_t id)
{
    return item_at(p, at)->kind == ITEM_NAME && item_at(p, at)->id == id;
}

static bool plain_at(const struct parser *p, size_t at)
{
    return item_at(p, at)->kind == ITEM_NAME && item_at(p, at)->id >= WORD_COUNT;
}

static bool is_pragma(const struct item *i)
{
    return i->kind == ITEM_CLL;
}

/* The item after the bracket that closes the one at `at`. */
static size_t after(const struct parser *p, size_t at)
{
    size_t close = p->s->closing[at];
    return close < p->s->n ? close + 1 : p->s->n;
}

size_t cxx_skip_angles(const struct stream *s, size_t at)
{
    for (size_t depth = 0; at < s->n; at++) {
        const struct item *i = &s->list[at];
        if (is_pragma(i))
            return 0;
        if (i->kind != ITEM_PUNCTUATOR)
            continue;
        if (i->id == '<')
            depth++;
        else if (i->id == '>' && --depth == 0)
            return at + 1;
        else if (i->id == '(' || i->id == '[' || i->id == '{')
            at = s->closing[at];
        else if (i->id == ')' || i->id == ']' || i->id == '}' || i->id == ';')
            return 0;
    }
    return 0;
}

/* Moves the parser to `end`; a pragma on the way is misplaced. */
static void skip_to(struct parser *p, const struct context *c, size_t end)
{
    for (; p->at < end; p->at++)
        if (is_pragma(parser_now(p)))
            parse_misplaced(p, c);
}

/* A template's arguments or parameters at the parser, or the one `<`. */
static void skip_angles(struct parser *p, const struct context *c)
{
    size_t end = cxx_skip_angles(p->s, p->at);
    skip_to(p, c, end ? end : p->at + 1);
}

/* ---- lambdas ---- */

/* Can the bracket at `at` begin a lambda, as far as what is before it tells? */
static bool introduces(const struct parser *p, size_t at)
{
    if (parser_punct_at(p, at + 1, '['))
        return false; /* an attribute */
    if (!at)
        return true;
    const struct item *b = item_at(p, at - 1);
    if (b->kind == ITEM_NAME)
        return b->id == WORD_RETURN || b->id == WORD_CO_RETURN || b->id == WORD_CO_YIELD ||
               b->id == WORD_CO_AWAIT || b->id == WORD_THROW || b->id == WORD_ELSE ||
               b->id == WORD_DO;
    if (b->kind == ITEM_PUNCTUATOR && (b->id == '&' || b->id == PUNCT_AND_AND) && at > 1)
        return !word_at(p, at - 2, WORD_AUTO) && !word_at(p, at - 2, WORD_CONST);
    return b->kind != ITEM_LITERAL && !parser_punct_at(p, at - 1, ']') &&
           !parser_punct_at(p, at - 1, '>');
}

/* From the type a lambda returns, or what it requires, to its body; 0 without one. */
static size_t body_after_type(const struct parser *p, size_t at)
{
    for (size_t depth = 0; at < p->s->n; at++) {
        const struct item *i = item_at(p, at);
        if (is_pragma(i))
            return 0;
        if (i->kind != ITEM_PUNCTUATOR)
            continue;
        if (i->id == '{')
            return at;
        if (i->id == '(' || i->id == '[')
            at = p->s->closing[at];
        else if (i->id == '<')
            depth++;
        else if (i->id == '>' && depth)
            depth--;
        else if (!(i->id == PUNCT_SCOPE || i->id == '*' || i->id == '&' || i->id == PUNCT_AND_AND ||
                   i->id == '|' || i->id == '!' || i->id == PUNCT_ELLIPSIS ||
                   (i->id == ',' && depth)))
            return 0;
    }
    return 0;
}

/* The `{` of the lambda whose introducer is at `at`; 0 if this is another bracket. */
static size_t lambda_body(const struct parser *p, size_t at, enum lambda *kind)
{
    *kind = LAMBDA_PLAIN;
    if (!introduces(p, at))
        return 0;
    size_t i = after(p, at);
    if (parser_punct_at(p, i, '<') && !(i = cxx_skip_angles(p->s, i)))
        return 0;
    for (bool parameters = false; i < p->s->n;) {
        const struct item *t = item_at(p, i);
        if (t->kind == ITEM_NAME) {
            if (t->id == WORD_REQUIRES)
                return body_after_type(p, i + 1);
            if (t->id == WORD_CONSTEXPR || t->id == WORD_CONSTEVAL)
                *kind = t->id == WORD_CONSTEXPR ? LAMBDA_CONSTEXPR : LAMBDA_CONSTEVAL;
            else if (t->id >= WORD_COUNT ? !parameters
                                         : t->id != WORD_MUTABLE && t->id != WORD_STATIC &&
                                               t->id != WORD_NOEXCEPT && t->id != WORD_THROW &&
                                               t->id != WORD_ATTRIBUTE && t->id != WORD_ATTRIBUTE_)
                return 0;
            i = parser_punct_at(p, i + 1, '(') && t->id < WORD_COUNT ? after(p, i + 1) : i + 1;
        } else if (parser_punct_at(p, i, '(') && !parameters) {
            parameters = true;
            i = after(p, i);
        } else if (parser_punct_at(p, i, '[') && parser_punct_at(p, i + 1, '[')) {
            i = after(p, i);
        } else if (parser_punct_at(p, i, PUNCT_ARROW)) {
            return body_after_type(p, i + 1);
        } else {
            return parser_punct_at(p, i, '{') ? i : 0;
        }
    }
    return 0;
}

void cxx_note_lambda(struct parser *p)
{
    enum lambda kind;
    size_t body = lambda_body(p, p->at, &kind);
    if (body)
        p->lambdas[body] = (unsigned char)kind;
}

void cxx_lambda(struct parser *p, const struct context *c)
{
    static const char *const words[] = {
        [LAMBDA_CONSTEXPR] = "constexpr", [LAMBDA_CONSTEVAL] = "consteval", [LAMBDA_PLAIN] = NULL};
    struct context inner = *c;
    inner.constant = words[p->lambdas[p->at]];
    if (!parser_enter(p))
        return;
    parse_function_body(p, &inner);
    p->depth--;
}

/* ---- names of types ---- */

static void note_type(struct parser *p, size_t at)
{
    if (plain_at(p, at) && !item_at(p, at)->pragma)
        p->unit->flags[item_at(p, at)->id] |= NAME_TYPE;
}

/* The names that follow class, typename and the like in [begin, end). */
static void note_types(struct parser *p, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i++) {
        if (parser_punct_at(p, i, PUNCT_ELLIPSIS) && i > begin &&
            (word_at(p, i - 1, WORD_CLASS) || word_at(p, i - 1, WORD_TYPENAME)))
            note_type(p, i + 1);
        if (word_at(p, i, WORD_CLASS) || word_at(p, i, WORD_TYPENAME) || word_at(p, i, WORD_STRUCT))
            note_type(p, i + 1);
    }
}

/* ---- parts of declarations ---- */

/* {declaration} "}" of a namespace or a class; the parser is at the "{". */
static void scope(struct parser *p, const struct context *c)
{
    if (!parser_enter(p))
        return;
    p->at++;
    while (!parser_at_end(p) && !parser_at(p, '}'))
        cxx_declaration(p, c);
    if (!parser_at_end(p))
        p->at++;
    p->depth--;
}

/* "operator" and what it names, up to the parameters. */
static void operator_name(struct parser *p, const struct context *c)
{
    size_t first = ++p->at;
    if (parser_at(p, '(') || parser_at(p, '[')) { /* operator(), operator[] */
        skip_to(p, c, after(p, p->at));
        return;
    }
    while (!parser_at_end(p) && !parser_at(p, '(') && !parser_at(p, ';') && !parser_at(p, '{') &&
           !parser_at(p, '}')) {
        if (parser_at(p, '<') && p->at > first && item_at(p, p->at - 1)->kind == ITEM_NAME)
            skip_angles(p, c);
        else
            skip_to(p, c, p->at + 1);
    }
}

/* ":" {NAME ( "(" ... ")" | "{" ... "}" ) [","]}: the initialisers of a constructor, up to its body. */
static void initialisers(struct parser *p, const struct context *c)
{
    p->at++;
    while (!parser_at_end(p)) {
        const struct item *before = item_at(p, p->at - 1);
        bool named = before->kind == ITEM_NAME || parser_punct_at(p, p->at - 1, '>');
        if (parser_at(p, '(') || (parser_at(p, '{') && named))
            parse_group(p, c);
        else if (parser_at(p, '<'))
            skip_angles(p, c);
        else if (parser_at(p, '{') || parser_at(p, '}') || parser_at(p, ';'))
            return;
        else
            skip_to(p, c, p->at + 1);
    }
}

/* A pragma before the `{` or the `(` at which the parser must be. */
static void before_bracket(struct parser *p, const struct context *c)
{
    for (; is_pragma(parser_now(p)); p->at++)
        parse_misplaced(p, c);
}

/* "catch" "(" ... ")" at the parser. */
static void handler_head(struct parser *p, const struct context *c)
{
    p->at++;
    before_bracket(p, c);
    if (parser_at(p, '('))
        parse_group(p, c);
    before_bracket(p, c);
}

/* {"catch" "(" ... ")" block}, after the body of a function or of `try`. */
static void handlers(struct parser *p, const struct context *c, bool of_function)
{
    for (;;) {
        parse_between(p, c, WORD_CATCH);
        if (!parser_at_word(p, WORD_CATCH))
            return;
        handler_head(p, c);
        if (parser_at(p, '{') && of_function)
            parse_function_body(p, c);
        else if (parser_at(p, '{'))
            parse_block(p, c, false);
    }
}

static void function_body(struct parser *p, const struct context *c, const struct head *h)
{
    struct context inner = *c;
    inner.constant = h->constant;
    parse_function_body(p, &inner);
    handlers(p, &inner, true);
}

/* A requirement: "requires" {...} or "requires" (...) {...} is an expression where an operand is
 * expected, and a clause elsewhere. */
static void requirement(struct parser *p, const struct context *c)
{
    const struct item *b = item_at(p, p->at ? p->at - 1 : 0);
    bool operand =
        word_at(p, p->at - 1, WORD_REQUIRES) ||
        (b->kind == ITEM_PUNCTUATOR && (b->id == '=' || b->id == '|' || b->id == '!' ||
                                        b->id == '(' || b->id == ',' || b->id == PUNCT_AND_AND));
    p->at++;
    if (parser_at(p, '(') && operand)
        parse_group(p, c);
    if (parser_at(p, '{') && (operand || word_at(p, p->at - 1, WORD_REQUIRES)))
        parse_group(p, c);
}

/* Is it code for a device of CUDA: __global__, or what the preprocessor makes of it, __attribute__((global))? */
static const char *device_word(const struct parser *p, uint32_t id)
{
    static const char *const words[][2] = {{"__global__", "global"}, {"__device__", "device"}};
    bool attribute =
        (id == WORD_ATTRIBUTE || id == WORD_ATTRIBUTE_) && parser_punct_at(p, p->at + 2, '(');
    const struct item *name = item_at(p, attribute ? p->at + 3 : p->at);
    if (name->kind != ITEM_NAME || name->id < WORD_COUNT)
        return NULL;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strcmp(names_text(p->unit->names, name->id), words[i][attribute]))
            return words[i][0];
    return NULL;
}

static void head_word(struct parser *p, const struct context *c, struct head *h)
{
    uint32_t id = parser_now(p)->id;
    const char *device = p->unit->device ? device_word(p, id) : NULL;
    if (device)
        h->constant = device;
    switch (id) {
    case WORD_CO_AWAIT:
    case WORD_CO_YIELD: APPEND(p, suspensions, (struct suspension){p->at, c->function}); break;
    case WORD_CONSTEXPR: h->constant = "constexpr"; break;
    case WORD_CONSTEVAL: h->constant = "consteval"; break;
    case WORD_ENUM: h->is_enum = true; break;
    case WORD_CLASS:
    case WORD_STRUCT:
    case WORD_UNION: h->tag = !word_at(p, p->at - 1, WORD_ENUM) || !p->at; break;
    case WORD_REQUIRES: requirement(p, c); return;
    case WORD_OPERATOR:
        operator_name(p, c);
        h->parameters |= parser_at(p, '(') && !h->in_block;
        return;
    case WORD_TEMPLATE:
        if (parser_punct_at(p, p->at + 1, '<')) {
            size_t begin = p->at++;
            skip_angles(p, c);
            note_types(p, begin, p->at);
            return;
        }
        break;
    default: break;
    }
    if (id == WORD_CLASS || id == WORD_STRUCT || id == WORD_UNION || id == WORD_ENUM ||
        id == WORD_TYPENAME || id == WORD_USING)
        note_type(p, p->at + 1);
    /* struct S f(): a second name is not that of the class */
    bool second =
        id >= WORD_COUNT && p->at && (plain_at(p, p->at - 1) || parser_punct_at(p, p->at - 1, '>'));
    if (second && p->s->preprocessed && !h->bases &&
        strcmp(names_text(p->unit->names, id), "final") != 0)
        h->tag = false;
    p->at++;
}

/* A `{`. Returns true if the declaration ends with what it began. */
static bool head_brace(struct parser *p, const struct context *c, struct head *h)
{
    if (p->lambdas[p->at]) {
        cxx_lambda(p, c);
    } else if (h->tag) {
        h->tag = false;
        scope(p, c);
    } else if (h->is_enum || h->assigned) {
        h->is_enum = false;
        parse_group(p, c);
    } else if (h->parameters && !h->in_block) {
        function_body(p, c, h);
        return true;
    } else if (h->in_block && parser_punct_at(p, p->at - 1, ')') && !p->s->preprocessed) {
        parse_block(p, c, false); /* MACRO(...) { */
        return true;
    } else {
        parse_group(p, c);
    }
    return false;
}

static void head_punctuator(struct parser *p, const struct context *c, struct head *h)
{
    uint32_t id = parser_now(p)->id;
    if (id == '(' || id == '[') {
        const struct item *b = item_at(p, p->at ? p->at - 1 : 0);
        bool list = id == '(' && p->at && !h->bases &&
                    ((b->kind == ITEM_NAME && b->id >= WORD_COUNT) ||
                     (b->kind == ITEM_PUNCTUATOR && (b->id == '>' || b->id == ')')));
        if (list && !h->assigned) {
            h->parameters = true;
            h->tag = h->is_enum = false;
        }
        parse_group(p, c);
    } else if (id == ':' && h->parameters && !h->assigned && !h->in_block) {
        initialisers(p, c);
    } else {
        h->bases |= id == ':' && h->tag;
        h->assigned |= id == '=';
        if (id == '=' || ((id == '*' || id == '&') && !h->bases))
            h->tag = false;
        p->at++;
    }
}

/* Up to and with the `;`, or the `}` of a function. */
static void declaration(struct parser *p, const struct context *c, struct head *h)
{
    while (!parser_at_end(p)) {
        const struct item *i = parser_now(p);
        if (is_pragma(i)) {
            parse_misplaced(p, c);
            p->at++;
        } else if (i->kind == ITEM_NAME) {
            head_word(p, c, h);
        } else if (i->kind != ITEM_PUNCTUATOR) {
            p->at++;
        } else if (i->id == ';') {
            p->at++;
            return;
        } else if (i->id == '}') {
            return; /* a `;` is missing, or a macro ate it */
        } else if (i->id == '{') {
            if (head_brace(p, c, h))
                return;
        } else {
            head_punctuator(p, c, h);
        }
    }
}

void cxx_simple(struct parser *p, const struct context *c)
{
    struct head h = {.in_block = true};
    declaration(p, c, &h);
}

/* ---- declarations of files, namespaces and classes ---- */

/* ["inline"] "namespace" ... "{", "extern" "C" "{", "export" "{": the item of the `{`; 0 for another
 * declaration. */
static size_t scope_brace(const struct parser *p)
{
    size_t at = p->at;
    if (word_at(p, at, WORD_EXPORT))
        at++;
    if (word_at(p, at, WORD_INLINE))
        at++;
    if (word_at(p, at, WORD_NAMESPACE)) {
        while (at < p->s->n && !is_pragma(item_at(p, at)) && !parser_punct_at(p, at, '{') &&
               !parser_punct_at(p, at, ';') && !parser_punct_at(p, at, '='))
            at = parser_punct_at(p, at, '(') || parser_punct_at(p, at, '[') ? after(p, at) : at + 1;
    } else if (word_at(p, at, WORD_EXTERN) && item_at(p, at + 1)->kind == ITEM_LITERAL) {
        at += 2;
    } else if (at == p->at) {
        return 0;
    }
    return parser_punct_at(p, at, '{') ? at : 0;
}

/* "public" ":" and the like: the item after it; 0 for something else. */
static size_t access_label(const struct parser *p)
{
    size_t at = p->at;
    if (!word_at(p, at, WORD_PUBLIC) && !word_at(p, at, WORD_PROTECTED) &&
        !word_at(p, at, WORD_PRIVATE))
        return 0;
    for (at++; plain_at(p, at);) /* public slots: */
        at++;
    return parser_punct_at(p, at, ':') ? at + 1 : 0;
}

/* The name that a typedef [begin, end) declares: the last one before its end. */
static void note_typedef(struct parser *p, size_t begin, size_t end)
{
    if (!word_at(p, begin, WORD_TYPEDEF))
        return;
    while (end > begin && !plain_at(p, end))
        end--;
    note_type(p, end);
}

void cxx_declaration(struct parser *p, const struct context *outer)
{
    size_t begin = p->at, next;
    struct context c = {.scope = outer->scope};
    struct head h = {0};
    if (is_pragma(parser_now(p))) {
        parse_outside(p);
        p->at++;
    } else if (parser_now(p)->kind == ITEM_PRAGMA || parser_at(p, ';') || parser_at(p, '}')) {
        p->at++;
    } else if ((next = access_label(p)) != 0) {
        p->at = next;
    } else if ((next = scope_brace(p)) != 0) {
        skip_to(p, &c, next);
        scope(p, &c);
    } else {
        declaration(p, &c, &h);
        note_typedef(p, begin, p->at - 1);
        if (p->at == begin)
            p->at++;
    }
}

/* ---- statements ---- */

void cxx_try(struct parser *p, const struct context *c)
{
    p->at++;
    before_bracket(p, c);
    if (parser_at(p, '{'))
        parse_block(p, c, false);
    handlers(p, c, false);
}

size_t cxx_attributes(const struct parser *p, size_t at)
{
    while (parser_punct_at(p, at, '[') && parser_punct_at(p, at + 1, '['))
        at = after(p, at);
    return at;
}
