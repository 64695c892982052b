/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Text to expression: recursive descent over the bytes of the user's source, so that every message
 * points at the very column the user wrote. The grammar rule is above each function. scan.h has the words.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "formula/functions.h"
#include "formula/part.h"
#include "formula/scan.h"

static const struct formula *parse_or(struct parser *p);
static const struct formula *parse_unary(struct parser *p);

/* An operator's node, after the checks that hold for every operator. */
static const struct formula *operation(struct parser *p, enum formula_kind kind,
                                       const struct formula *l, const struct formula *r)
{
    bool logic = kind == FORMULA_AND || kind == FORMULA_OR || kind == FORMULA_NOT;
    const struct formula *operands[] = {l, r};
    size_t n = r ? 2 : 1;
    for (size_t i = 0; i < n; i++)
        if (logic && !formula_is_condition(operands[i]))
            return scan_fail(p, operands[i]->span,
                             "a condition is expected here, such as N >= 4096");
    struct span span = {l->span.begin, p->last};
    const struct formula *f = formula_node(p->arena, kind, span, operands, n);
    if (f->depth > FORMULA_MAX_DEPTH)
        return scan_fail(p, span, "the formula has more than %d operators in a row; simplify it",
                         FORMULA_MAX_DEPTH);
    return f;
}

static bool is_experiment(const struct parser *p, const char *name)
{
    if (!p->options)
        return false;
    if (p->options->any_constant)
        return true;
    for (const char *const *e = p->options->experiments; e && *e; e++)
        if (strcmp(*e, name) == 0)
            return true;
    return false;
}

/* "1 argument", "1 or 2 arguments", "at least 2 arguments" */
static const char *arity_text(struct arena *a, const struct formula_function *f)
{
    int least = f->min_arity, most = f->max_arity;
    if (least == 0 && most == 0)
        return "no arguments";
    if (most > least)
        return arena_printf(a, "%d or %d arguments", least, most);
    return arena_printf(a, "%s%d argument%s", most < 0 ? "at least " : "", least,
                        least == 1 ? "" : "s");
}

/* Whether '(' and an argument with a name, VAR = ..., come next. */
static bool named_argument_follows(const struct parser *p)
{
    size_t i = p->at;
    bool any = false;
    for (; i < p->end; i++) {
        int c = (unsigned char)p->source->text[i];
        int before = i > p->at ? (unsigned char)p->source->text[i - 1] : 0;
        bool arrow = (c == '-' && i + 1 < p->end && p->source->text[i + 1] == '>') ||
                     (c == '>' && before == '-');
        bool path = scan_is_part(c) || arrow || (c && strchr(".[]:", c));
        if (!path && !isspace(c) && !(c == '(' && !any))
            break;
        any = any || path;
    }
    return any && i < p->end && p->source->text[i] == '=' &&
           (i + 1 >= p->end || p->source->text[i + 1] != '=');
}

/* argument := [ path '=' ] or      a comparison would be a misprint of '=' */
static const struct formula *parse_argument(struct parser *p, const char **name)
{
    *name = NULL;
    scan_peek(p);
    if (scan_is_start(scan_peek_at(p, 0)) && named_argument_follows(p)) {
        struct text canonical = text_new();
        int trouble = scan_path(p, &canonical);
        *name = text_keep(&canonical, p->arena);
        if (trouble)
            return NULL;
        if (!scan_take(p, "="))
            return scan_fail(p, (struct span){p->at, p->at + 1}, "'=' is expected here");
    }
    const struct formula *f = parse_or(p);
    if (f && formula_is_condition(f))
        return scan_fail(p, f->span, "a value is expected here, not a comparison; say VAR=VALUE");
    return f;
}

/* reference := name [ '[' integer ']' ] '(' [ argument { ',' argument } ] ')'; p->at is at '(' */
static const struct formula *parse_reference(struct parser *p, struct span name, const char *text,
                                             unsigned index)
{
    enum { MAX_ARGUMENTS = 16 };
    const struct formula *list[MAX_ARGUMENTS];
    const char **names = arena_zalloc(p->arena, MAX_ARGUMENTS, sizeof *names);
    size_t n = 0;
    scan_take(p, "(");
    if (!scan_take(p, ")")) {
        do {
            if (n == MAX_ARGUMENTS)
                return scan_fail(p, name, "%s has more than %d arguments", text, MAX_ARGUMENTS);
            scan_peek(p);
            struct span here = {p->at, p->at + 1};
            if (!(list[n] = parse_argument(p, &names[n])))
                return NULL;
            for (size_t i = 0; i < n && names[n]; i++)
                if (names[i] && strcmp(names[i], names[n]) == 0)
                    return scan_fail(p, here, "'%s' is given twice", names[n]);
            if (!names[n] && n > 0 && names[n - 1])
                return scan_fail(p, here,
                                 "an argument without a name comes before those with names");
            if (!names[n] && index != FORMULA_NO_INDEX)
                return scan_fail(p, here, "say which variable this is: %s[%u](VAR=...)", text,
                                 index);
            n++;
        } while (scan_take(p, ","));
        if (!scan_take(p, ")"))
            return scan_fail(p, (struct span){p->at, p->at + 1},
                             "')' is missing here, to close the arguments of %s", text);
    }
    struct formula *f = (struct formula *)formula_node(p->arena, FORMULA_REFERENCE,
                                                       scan_span(p, name.begin), list, n);
    f->name = text;
    f->index = index;
    f->arguments = names;
    return f;
}

/* over := 'sum' '(' name ',' or ',' or ',' or ')'; p->at is at '(' */
static const struct formula *parse_over(struct parser *p, struct span name)
{
    const struct formula *list[3];
    scan_take(p, "(");
    if (!scan_is_start(scan_peek(p)))
        return scan_fail(p, (struct span){p->at, p->at + 1},
                         "a name is expected here: sum(i, from, to, term) adds term for i = from, "
                         "from+1, ..., to");
    struct span variable = scan_name(p);
    for (size_t i = 0; i < 3; i++) {
        if (!scan_take(p, ","))
            return scan_fail(p, (struct span){p->at, p->at + 1},
                             "',' is expected here: sum(i, from, to, term)");
        if (!(list[i] = parse_or(p)))
            return NULL;
    }
    if (!scan_take(p, ")"))
        return scan_fail(p, (struct span){p->at, p->at + 1},
                         "')' is expected here: sum(i, from, to, term)");
    struct formula *f =
        (struct formula *)formula_node(p->arena, FORMULA_SUM, scan_span(p, name.begin), list, 3);
    f->name =
        arena_strndup(p->arena, p->source->text + variable.begin, variable.end - variable.begin);
    return f;
}

/* Of the functions that the caller adds, then of those that every formula has. NULL without one. */
static const struct formula_function *look_up_function(const struct parser *p, const char *name)
{
    const struct formula_function *more = p->options ? p->options->functions : NULL;
    for (const struct formula_function *f = more; f && f->name; f++)
        if (strcmp(f->name, name) == 0)
            return f;
    return formula_find_function(name, strlen(name));
}

/* What sum() and calls of other than functions are in a definition; elsewhere an error. NULL without
 * an error for a function. */
static const struct formula *parse_definition_call(struct parser *p, struct span name,
                                                   const char *text, bool *is_one)
{
    bool references = p->options && p->options->references, over = strcmp(text, "sum") == 0;
    *is_one = over || (references && (!look_up_function(p, text) || named_argument_follows(p)));
    if (!*is_one)
        return NULL;
    if (!references)
        return scan_fail(p, name, "sum() is for definitions: 'define NAME = ...'");
    return over ? parse_over(p, name) : parse_reference(p, name, text, FORMULA_NO_INDEX);
}

/* The same; NULL with an error. */
static const struct formula_function *find_function(struct parser *p, struct span where,
                                                    const char *name)
{
    const struct formula_function *more = p->options ? p->options->functions : NULL,
                                  *function = look_up_function(p, name);
    if (function)
        return function;
    TEXT_LOCAL struct text list = text_new();
    for (const struct formula_function *f = more; f && f->name; f++)
        text_printf(&list, "%s, ", f->name);
    scan_fail(p, where,
              "there is no function '%s'; there are %slog (natural), ln, log2, log10, sqrt, "
              "cbrt, exp, pow, abs, floor, ceil, min, max, and lat, bw, g, L, barrier and "
              "others that ask the machine; a variable is multiplied with '*'",
              name, list.s);
    return NULL;
}

/* arguments := '(' or { ',' or } ')' */
static const struct formula *parse_call(struct parser *p, struct span name)
{
    enum { MAX_ARGUMENTS = 16 };
    const struct formula *list[MAX_ARGUMENTS];
    size_t n = 0;
    const char *text = arena_strndup(p->arena, p->source->text + name.begin, name.end - name.begin);
    bool is_one;
    const struct formula *other = parse_definition_call(p, name, text, &is_one);
    if (is_one)
        return other;
    const struct formula_function *function = find_function(p, name, text);
    if (!function)
        return NULL;
    p->in_machine += function->unit != NULL;
    scan_take(p, "(");
    if (!scan_take(p, ")")) {
        do {
            if (n == MAX_ARGUMENTS)
                return scan_fail(p, name, "%s has more than %d arguments", text, MAX_ARGUMENTS);
            if (!(list[n++] = parse_or(p)))
                return NULL;
        } while (scan_take(p, ","));
        if (!scan_take(p, ")"))
            return scan_fail(p, (struct span){p->at, p->at + 1},
                             "')' is missing here, to close the arguments of %s", text);
    }
    p->in_machine -= function->unit != NULL;
    if ((int)n < function->min_arity || (function->max_arity >= 0 && (int)n > function->max_arity))
        return scan_fail(p, scan_span(p, name.begin), "%s takes %s, not %zu", text,
                         arity_text(p->arena, function), n);
    struct formula *f =
        (struct formula *)formula_node(p->arena, FORMULA_CALL, scan_span(p, name.begin), list, n);
    f->function = function;
    if (!function->unit && !formula_function_detail(function))
        f->machine = p->options->computer;
    return f;
}

/* constant := NAME '[' integer ']'  with NAME an experiment; p->at is after NAME */
static const struct formula *parse_constant(struct parser *p, struct span name,
                                            const char *experiment)
{
    scan_take(p, "[");
    scan_peek(p);
    size_t begin = p->at;
    unsigned long index = 0;
    while (isdigit(scan_peek_at(p, 0)) && index <= FORMULA_MAX_CONSTANT)
        index = index * 10 + (unsigned long)(p->source->text[p->at++] - '0');
    if (p->at == begin)
        return scan_fail(p, (struct span){begin, begin + 1},
                         "a constant is written %s[0], %s[1], ...: the index must be an integer",
                         experiment, experiment);
    if (index > FORMULA_MAX_CONSTANT)
        return scan_fail(p, (struct span){begin, p->at}, "the index of a constant is at most %d",
                         FORMULA_MAX_CONSTANT);
    if (!scan_take(p, "]"))
        return scan_fail(p, (struct span){p->at, p->at + 1},
                         "']' is missing here; a constant is written %s[%lu]", experiment, index);
    if (p->options->references && scan_peek(p) == '(')
        return scan_enter(p) ? parse_reference(p, name, experiment, (unsigned)index) : NULL;
    struct formula *f = arena_zalloc(p->arena, 1, sizeof *f);
    *f = (struct formula){.kind = FORMULA_CONSTANT,
                          .depth = 1,
                          .span = scan_span(p, name.begin),
                          .name = experiment,
                          .index = (unsigned)index};
    return f;
}

/* With any_constant, NAME[i] is a constant only if i is a literal integer. */
static bool constant_follows(struct parser *p, const char *name)
{
    if (scan_peek(p) != '[' || !is_experiment(p, name))
        return false;
    if (!p->options->any_constant)
        return true;
    size_t i = p->at + 1;
    while (i < p->end && isspace((unsigned char)p->source->text[i]))
        i++;
    return i < p->end && isdigit((unsigned char)p->source->text[i]);
}

/* Inside a function that asks the machine, NAME.word of an experiment NAME is a constant with that
 * word. NULL without an error if this is not such a constant; p->at is after NAME. */
static const struct formula *parse_word(struct parser *p, struct span name, const char *experiment)
{
    size_t before = p->at, i = 0;
    if (!p->in_machine || p->options == NULL || p->options->any_constant ||
        !is_experiment(p, experiment) || !scan_take(p, ".") || !scan_is_start(scan_peek(p))) {
        p->at = before;
        return NULL;
    }
    struct span word = scan_name(p);
    int c = scan_peek(p);
    if (c == '.' || c == '[' || c == '(' || (c == '-' && scan_peek_at(p, 1) == '>')) {
        p->at = before;
        return NULL;
    }
    const char *text = arena_strndup(p->arena, p->source->text + word.begin, word.end - word.begin);
    while (i < p->words.n && strcmp(p->words.list[i], text) != 0)
        i++;
    if (i == p->words.n)
        ARENA_ADD(p->arena, p->words.list, p->words.n, &p->words.capacity, text);
    struct formula *f = arena_zalloc(p->arena, 1, sizeof *f);
    *f = (struct formula){.kind = FORMULA_CONSTANT,
                          .depth = 1,
                          .span = {name.begin, word.end},
                          .name = experiment,
                          .index = FORMULA_MAX_CONSTANT + 1 + (unsigned)i,
                          .word = text};
    return f;
}

static bool joins_conditions(const char *name)
{
    return !strcmp(name, "and") || !strcmp(name, "or") || !strcmp(name, "not");
}

/* parts := { '@' ( label | variable '=' number | '"' text '"' ) }; they become a part of the name. -1 with an error. */
static int parse_parts(struct parser *p, struct span *name, const char **text)
{
    while (scan_peek_at(p, 0) == '@') {
        struct formula_part part =
            formula_part_at(p->source->text, ++p->at, p->end, p->options->labels);
        if (part.text.end == part.text.begin) {
            scan_fail(p, (struct span){p->at - 1, p->at},
                      "a version or a value is missing after '@': NAME@LABEL, NAME@VAR=NUMBER, or "
                      "NAME@\"...\" with either of them");
            return -1;
        }
        *text = arena_printf(p->arena, "%s@%.*s", *text, (int)(part.text.end - part.text.begin),
                             p->source->text + part.text.begin);
        p->at = p->last = name->end = part.end;
    }
    return 0;
}

/* value := name parts [ '[' integer ']' ] [ '(' arguments ')' ]; p->at is after the name */
static const struct formula *parse_part_of(struct parser *p, struct span name, const char *text)
{
    if (parse_parts(p, &name, &text))
        return NULL;
    if (scan_peek(p) == '[')
        return parse_constant(p, name, text);
    if (scan_peek(p) == '(')
        return scan_enter(p) ? parse_reference(p, name, text, FORMULA_NO_INDEX) : NULL;
    struct formula *f = (struct formula *)formula_node(p->arena, FORMULA_REFERENCE, name, NULL, 0);
    f->name = text;
    f->index = FORMULA_NO_INDEX;
    return f;
}

/* named := name arguments | constant | part | path */
static const struct formula *parse_named(struct parser *p)
{
    size_t begin = p->at;
    struct span name = scan_name(p);
    const char *text = arena_strndup(p->arena, p->source->text + name.begin, name.end - name.begin);
    if (p->options && p->options->references && p->options->any_constant &&
        scan_peek_at(p, 0) == '@')
        return parse_part_of(p, name, text);
    if (joins_conditions(text))
        return scan_fail(p, name,
                         "'%s' joins comparisons, as in (N > 4 and not P == 1); a variable "
                         "needs another name here",
                         text);
    if (scan_peek(p) == '(')
        return scan_enter(p) ? (p->last = name.end, parse_call(p, name)) : NULL;
    if (constant_follows(p, text))
        return parse_constant(p, name, text);
    const struct formula *word = parse_word(p, name, text);
    if (word)
        return word;
    p->at = begin;
    TEXT_LOCAL struct text canonical = text_new();
    int trouble = scan_path(p, &canonical);
    struct formula *f = arena_zalloc(p->arena, 1, sizeof *f);
    *f = (struct formula){.kind = FORMULA_VARIABLE,
                          .depth = 1,
                          .span = scan_span(p, begin),
                          .name = arena_strdup(p->arena, canonical.s)};
    return trouble ? NULL : f;
}

/* In a condition '=' compares. In a formula it could be meant to assign. */
static const struct formula *single_equals(struct parser *p)
{
    return scan_fail(p, (struct span){p->at, p->at + 1},
                     "'=' does not compare in a formula; write '==', as in (N == 4)*f[1]");
}

/* primary := number | named | '(' or ')' */
static const struct formula *parse_primary(struct parser *p)
{
    int c = scan_peek(p);
    if (isdigit(c) || (c == '.' && isdigit(scan_peek_at(p, 1))))
        return scan_number(p);
    if (scan_is_start(c)) {
        unsigned nesting = p->nesting;
        const struct formula *f = parse_named(p);
        p->nesting = nesting;
        return f;
    }
    struct span here = {p->at, p->at + (c >= 0)};
    if (c != '(') {
        if (c < 0)
            return scan_fail(
                p, here, "the formula ends where a number, a variable or a constant is expected");
        return scan_fail(p, here, "a number, a variable or a constant is expected here, not '%c'",
                         isprint(c) ? c : '?');
    }
    if (!scan_enter(p))
        return NULL;
    scan_take(p, "(");
    const struct formula *f = parse_or(p);
    if (f && scan_peek(p) == '=' && scan_peek_at(p, 1) != '=')
        return single_equals(p);
    if (f && !scan_take(p, ")"))
        return scan_fail(p, (struct span){p->at, p->at + 1},
                         "')' is missing here, to close this '('");
    p->nesting--;
    return f;
}

/* power := primary [ '^' unary ]       right-associative: 2^3^2 = 2^9, 2^-1 is fine */
static const struct formula *parse_power(struct parser *p)
{
    const struct formula *base = parse_primary(p);
    if (!base)
        return NULL;
    scan_peek(p);
    if (scan_peek_at(p, 0) == '*' && scan_peek_at(p, 1) == '*')
        return scan_fail(p, (struct span){p->at, p->at + 2},
                         "a power is written with '^', as in N^2");
    if (!scan_take(p, "^"))
        return base;
    if (!scan_enter(p))
        return NULL;
    const struct formula *exponent = parse_unary(p);
    p->nesting--;
    return exponent ? operation(p, FORMULA_POWER, base, exponent) : NULL;
}

/* unary := ('-' | '+') unary | power      -N^2 is -(N^2) */
static const struct formula *parse_unary(struct parser *p)
{
    int c = scan_peek(p);
    if (c != '-' && c != '+')
        return parse_power(p);
    size_t begin = p->at;
    if (!scan_enter(p))
        return NULL;
    scan_take(p, c == '-' ? "-" : "+");
    const struct formula *f = parse_unary(p);
    p->nesting--;
    if (!f || c == '+')
        return f;
    struct formula *negated = (struct formula *)operation(p, FORMULA_NEGATE, f, NULL);
    if (negated)
        negated->span = scan_span(p, begin);
    return negated;
}

/* product := unary { ('*' | '/') unary } */
static const struct formula *parse_product(struct parser *p)
{
    const struct formula *f = parse_unary(p);
    while (f) {
        bool multiply = scan_take(p, "*");
        if (!multiply && !scan_take(p, "/"))
            return f;
        const struct formula *r = parse_unary(p);
        f = r ? operation(p, multiply ? FORMULA_MULTIPLY : FORMULA_DIVIDE, f, r) : NULL;
    }
    return NULL;
}

/* sum := product { ('+' | '-') product } */
static const struct formula *parse_sum(struct parser *p)
{
    const struct formula *f = parse_product(p);
    while (f) {
        bool add = scan_take(p, "+");
        if (!add && !scan_take(p, "-"))
            return f;
        const struct formula *r = parse_product(p);
        f = r ? operation(p, add ? FORMULA_ADD : FORMULA_SUBTRACT, f, r) : NULL;
    }
    return NULL;
}

/* A single '=' is for conditions: in a formula it separates the name of an argument from its value. */
static bool take_comparison(struct parser *p, enum formula_kind *kind)
{
    static const struct {
        const char *symbol;
        enum formula_kind kind;
    } table[] = {
        {"<=", FORMULA_LESS_EQUAL}, {">=", FORMULA_GREATER_EQUAL}, {"==", FORMULA_EQUAL},
        {"!=", FORMULA_NOT_EQUAL},  {"<", FORMULA_LESS},           {">", FORMULA_GREATER},
        {"=", FORMULA_EQUAL},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table - !p->conditions; i++) {
        if (scan_take(p, table[i].symbol)) {
            *kind = table[i].kind;
            return true;
        }
    }
    return false;
}

/* comparison := sum { ('<' | '<=' | '>' | '>=' | '==' | '=' | '!=') sum }      a chain means all of
 * them */
static const struct formula *parse_comparison(struct parser *p)
{
    const struct formula *left = parse_sum(p), *all = NULL;
    enum formula_kind kind;
    while (left && take_comparison(p, &kind)) {
        const struct formula *right = parse_sum(p);
        const struct formula *one = right ? operation(p, kind, left, right) : NULL;
        if (!one)
            return NULL;
        all = all ? operation(p, FORMULA_AND, all, one) : one;
        if (!all)
            return NULL;
        left = right;
    }
    return all ? all : left;
}

/* not := ('not' | '!') not | comparison */
static const struct formula *parse_not(struct parser *p)
{
    scan_peek(p);
    bool bang = scan_peek_at(p, 0) == '!' && scan_peek_at(p, 1) != '=';
    if (!bang && !scan_word(p, "not"))
        return parse_comparison(p);
    if (bang)
        scan_take(p, "!");
    if (!scan_enter(p))
        return NULL;
    const struct formula *f = parse_not(p);
    p->nesting--;
    return f ? operation(p, FORMULA_NOT, f, NULL) : NULL;
}

/* and := not { ('and' | '&&') not } */
static const struct formula *parse_and(struct parser *p)
{
    const struct formula *f = parse_not(p);
    while (f && (scan_take(p, "&&") || scan_word(p, "and"))) {
        const struct formula *r = parse_not(p);
        f = r ? operation(p, FORMULA_AND, f, r) : NULL;
    }
    return f;
}

/* or := and { ('or' | '||') and } */
static const struct formula *parse_or(struct parser *p)
{
    const struct formula *f = parse_and(p);
    while (f && (scan_take(p, "||") || scan_word(p, "or"))) {
        const struct formula *r = parse_and(p);
        f = r ? operation(p, FORMULA_OR, f, r) : NULL;
    }
    return f;
}

static const struct formula *left_over(struct parser *p)
{
    int c = scan_peek(p);
    struct span here = {p->at, p->at + 1};
    if (scan_is_start(c) || c == '(' || isdigit(c))
        return scan_fail(p, here, "an operator is missing before this");
    if (c == ')')
        return scan_fail(p, here, "this ')' closes nothing");
    if (c == '%')
        return scan_fail(p, here, "formulas are real arithmetic, without '%%'; use floor()");
    if (c == '=')
        return single_equals(p);
    if (c == '@')
        return scan_fail(
            p, here,
            "'@' is not allowed here: the formula of an experiment has its plain name, f[0]; "
            "f@LABEL[0] is for definitions, 'define NAME = ...'");
    if (c == '?')
        return scan_fail(p, here,
                         "'?' is not allowed in a formula; a comparison has the value 1 or 0: "
                         "(N > 4)*x + (N <= 4)*y");
    return scan_fail(p, here, "'%c' is not allowed in a formula", isprint(c) ? c : '?');
}

static const struct formula *parse_whole(struct parser *p)
{
    if (p->end - p->at > FORMULA_MAX_SIZE)
        return scan_fail(p, (struct span){p->at, p->at + 1}, "the formula is longer than %d bytes",
                         FORMULA_MAX_SIZE);
    const struct formula *f = parse_or(p);
    if (!f)
        return NULL;
    if (scan_peek(p) >= 0)
        return left_over(p);
    if (p->conditions && !formula_is_condition(f))
        return scan_fail(p, f->span, "a condition is expected here, such as N >= 4096");
    return f;
}

const struct formula *formula_parse(struct arena *a, const struct source *source, struct span where,
                                    const struct formula_options *options, struct diag *diag)
{
    struct parser p = {.arena = a,
                       .source = source,
                       .options = options,
                       .diag = diag,
                       .at = where.begin,
                       .end = where.end,
                       .last = where.begin};
    return parse_whole(&p);
}

const struct formula *formula_parse_condition(struct arena *a, const struct source *source,
                                              struct span where,
                                              const struct formula_options *options,
                                              struct diag *diag)
{
    struct parser p = {.arena = a,
                       .source = source,
                       .options = options,
                       .diag = diag,
                       .at = where.begin,
                       .end = where.end,
                       .last = where.begin,
                       .conditions = true};
    return parse_whole(&p);
}

const struct formula *formula_parse_text(struct arena *a, const char *text, const char *experiment,
                                         struct diag *diag)
{
    const char *experiments[] = {experiment, NULL};
    struct formula_options options = {.experiments = experiments};
    struct source *source = arena_alloc(a, 1, sizeof *source);
    *source = (struct source){"<formula>", arena_strdup(a, text), strlen(text)};
    return formula_parse(a, source, (struct span){0, source->size}, &options, diag);
}
