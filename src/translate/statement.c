/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A light statement parser by recursive descent. It knows blocks, labels, control statements,
 * declarations as far as they name something, statement expressions and nested functions. It skips
 * expressions up to their `;`. It accepts what it does not understand: the C compiler checks the
 * program, this parser checks the pragmas.
 */
#define _GNU_SOURCE 1 /* memmem */
#include "translate/parser.h"

#include <string.h>

/* ---- misplaced pragmas ---- */

/* A pragma at a place where no statement can begin. */
void parse_misplaced(struct parser *p, const struct context *c)
{
    const struct pragma *g = parser_pragma(p, p->at);
    if (g->kind == PRAGMA_PARALLEL || g->kind == PRAGMA_USES)
        return;
    if (!g->bad)
        COMPLAIN(
            p, p->at,
            "this pragma is inside a statement; put it before or after it (is a ';' missing above?)");
    parse_excused(p, c);
}

/* Pragmas between a statement and the word that continues it, as `else`: the compiler would no
 * longer see that they belong together, or would take the word for another statement's. */
void parse_between(struct parser *p, const struct context *c, uint32_t word)
{
    size_t next = p->at;
    while (p->s->list[next].kind == ITEM_CLL)
        next++;
    if (p->s->list[next].kind == ITEM_NAME && p->s->list[next].id == word)
        for (; p->at < next; p->at++)
            parse_misplaced(p, c);
}

/* ---- groups ---- */

/* A name or a bracket of C++ inside a group. Returns whether it was read. */
static bool cxx_in_group(struct parser *p, const struct context *c)
{
    const struct item *i = parser_now(p);
    if (i->kind == ITEM_NAME && (i->id == WORD_CO_AWAIT || i->id == WORD_CO_YIELD))
        APPEND(p, suspensions, (struct suspension){p->at, c->function});
    if (parser_at(p, '['))
        cxx_note_lambda(p);
    if (!parser_at(p, '{') || !p->lambdas[p->at])
        return false;
    cxx_lambda(p, c);
    return true;
}

void parse_group(struct parser *p, const struct context *c)
{
    size_t open = 1;
    if (p->lambdas && parser_at(p, '['))
        cxx_note_lambda(p);
    p->at++;
    while (!parser_at_end(p) && open) {
        const struct item *i = parser_now(p);
        if (i->kind == ITEM_CLL) {
            parse_misplaced(p, c);
            p->at++;
        } else if (p->lambdas && cxx_in_group(p, c)) {
            continue;
        } else if (i->kind != ITEM_PUNCTUATOR) {
            p->at++;
        } else if (i->id == '{' && parser_punct_at(p, p->at - 1, '(')) {
            struct context inner = *c;
            inner.is_switch_body = false;
            parse_block(p, &inner, true);
        } else if (i->id == '(' || i->id == '[' || i->id == '{') {
            open++;
            p->at++;
        } else {
            open -= i->id == ')' || i->id == ']' || i->id == '}';
            p->at++;
        }
    }
}

/* ---- declarations and simple statements ---- */

struct found_context {
    struct parser *p;
    const struct context *c;
    bool is_type;
};

static void found_name(void *user, size_t item, enum declare_life life)
{
    struct found_context *f = user;
    uint32_t name = f->p->s->list[item].id;
    if (f->is_type)
        f->p->unit->flags[name] |= NAME_TYPE;
    if (f->c)
        APPEND(f->p, declarations, (struct declaration){item, name, f->c->block, life});
}

/* typedef anywhere among the specifiers. */
static bool is_typedef(const struct parser *p, size_t begin, size_t end)
{
    for (size_t i = begin; i < end && i < begin + 8; i++)
        if (p->s->list[i].kind == ITEM_NAME && p->s->list[i].id == WORD_TYPEDEF)
            return true;
    return false;
}

/* Up to and with the `;`. Returns true if a `{` that is a function's body stopped it. */
bool parse_simple(struct parser *p, const struct context *c, bool declares)
{
    bool tag = false, initialiser = false;
    while (!parser_at_end(p)) {
        const struct item *i = parser_now(p);
        if (i->kind == ITEM_CLL) {
            parse_misplaced(p, c);
            p->at++;
        } else if (i->kind == ITEM_NAME) {
            tag = tag || i->id == WORD_STRUCT || i->id == WORD_UNION || i->id == WORD_ENUM;
            bool attribute = i->id == WORD_ATTRIBUTE || i->id == WORD_ATTRIBUTE_ ||
                             i->id == WORD_ALIGNAS || i->id == WORD_ALIGNAS23 ||
                             i->id == WORD_DECLSPEC;
            p->at++;
            if (attribute && parser_at(p, '('))
                parse_group(p, c);
        } else if (i->kind != ITEM_PUNCTUATOR) {
            p->at++;
        } else if (i->id == ';') {
            p->at++;
            return false;
        } else if (i->id == '}') {
            return false; /* a `;` is missing, or a macro ate it */
        } else if (i->id == '{') {
            bool aggregate = tag || initialiser;
            tag = false;
            if (!aggregate && declares)
                return true;
            if (!aggregate && parser_punct_at(p, p->at - 1, ')') && !p->s->preprocessed)
                return true; /* MACRO(...) { */
            parse_group(p, c);
        } else if (i->id == '(' || i->id == '[') {
            bool attribute = i->id == '[' && parser_punct_at(p, p->at + 1, '[');
            tag = tag && attribute;
            parse_group(p, c);
        } else {
            initialiser = i->id == '=' || (initialiser && i->id != ',');
            if (i->id == '=' || i->id == '*' || i->id == ',')
                tag = false;
            p->at++;
        }
    }
    return false;
}

void parse_function_body(struct parser *p, const struct context *outer)
{
    struct context c = *outer;
    bool own = !outer->function || p->lambdas; /* a lambda has no label of the function around it */
    c.function = own ? ++p->functions : outer->function;
    c.on_break = c.on_continue = TARGET_NONE;
    c.switch_item = 0;
    c.is_switch_body = false;
    c.in_team = false;
    c.no_barrier = NULL;
    parse_block(p, &c, false);
}

/* The names of a typedef at file scope, from `begin` to the parser's position. */
void parse_typedef(struct parser *p, size_t begin)
{
    struct found_context f = {p, NULL, true};
    if (is_typedef(p, begin, p->at))
        declare_names(p->s, begin, p->at, found_name, &f);
}

static void declaration_or_expression(struct parser *p, const struct context *c)
{
    size_t begin = p->at;
    if (p->lambdas) {
        struct found_context f = {p, c, false};
        cxx_simple(p, c);
        cxx_declare(p->unit, p->s, begin, p->at, found_name, &f);
        return;
    }
    bool declares = declare_starts(p->unit, p->s, begin);
    bool body = parse_simple(p, c, declares);
    if (declares) {
        struct found_context f = {p, c, is_typedef(p, begin, p->at)};
        declare_names(p->s, begin, p->at, found_name, &f);
    }
    if (body && declares)
        parse_function_body(p, c);
    else if (body)
        parse_block(p, c, false);
}

/* asm goto (... : labels): every name in it may be a label it jumps to. */
static void asm_statement(struct parser *p, const struct context *c)
{
    size_t begin = p->at;
    parse_simple(p, c, false);
    bool is_goto = false;
    for (size_t i = begin; i < p->at; i++) {
        const struct item *item = &p->s->list[i];
        if (item->kind != ITEM_NAME)
            continue;
        if (item->id == WORD_GOTO)
            is_goto = true;
        else if (is_goto)
            APPEND(p, jumps, (struct jump){i, item->id, c->function});
    }
}

static void goto_statement(struct parser *p, const struct context *c)
{
    size_t item = p->at++;
    if (parser_now(p)->kind == ITEM_NAME)
        APPEND(p, jumps, (struct jump){item, parser_now(p)->id, c->function});
    else
        APPEND(p, jumps, (struct jump){item, 0, c->function});
    parse_simple(p, c, false);
}

static void break_or_continue(struct parser *p, const struct context *c)
{
    bool is_break = parser_at_word(p, WORD_BREAK);
    if ((is_break ? c->on_break : c->on_continue) == TARGET_CLL_FOR)
        COMPLAIN(p, p->at,
                 "this '%s' would leave a 'cll for', which is a loop only in the measured program",
                 is_break ? "break" : "continue");
    parse_simple(p, c, false);
}

/* ---- labels ---- */

/* case EXPR [... EXPR] ":"; the colon of a ?: inside does not end it. */
static void skip_case(struct parser *p, const struct context *c)
{
    size_t open = 0;
    while (!parser_at_end(p)) {
        const struct item *i = parser_now(p);
        if (i->kind == ITEM_CLL) {
            parse_misplaced(p, c);
        } else if (i->kind == ITEM_PUNCTUATOR) {
            if (i->id == '(' || i->id == '[') {
                parse_group(p, c);
                continue;
            }
            if (i->id == '?')
                open++;
            if (i->id == '{' && p->lambdas) {
                parse_group(p, c);
                continue;
            }
            if (i->id == '{' || i->id == '}' || i->id == ';')
                return;
            if (i->id == ':' && open-- == 0) {
                p->at++;
                return;
            }
        }
        p->at++;
    }
}

static bool is_label(const struct parser *p, size_t at)
{
    const struct item *i = &p->s->list[at < p->s->n ? at : p->s->n];
    return i->kind == ITEM_NAME &&
           (i->id == WORD_CASE ||
            ((i->id == WORD_DEFAULT || i->id >= WORD_COUNT) && parser_punct_at(p, at + 1, ':')));
}

/* {label}: returns whether there was one. */
bool parse_labels(struct parser *p, const struct context *c)
{
    bool any = false;
    for (;; any = true) {
        size_t next = p->lambdas ? cxx_attributes(p, p->at) : p->at;
        if (next != p->at && is_label(p, next))
            p->at = next;
        if (parser_at_word(p, WORD_CASE) ||
            (parser_at_word(p, WORD_DEFAULT) && parser_punct_at(p, p->at + 1, ':'))) {
            APPEND(p, cases, (struct case_label){p->at, c->switch_item});
            p->at++;
            skip_case(p, c);
        } else if (parser_now(p)->kind == ITEM_NAME && parser_now(p)->id >= WORD_COUNT &&
                   parser_punct_at(p, p->at + 1, ':')) {
            APPEND(p, labels, (struct label){p->at, parser_now(p)->id, c->block, c->function});
            p->at += 2;
        } else {
            return any;
        }
    }
}

/* ---- OpenMP ---- */

enum omp_kind { OMP_NONE, OMP_BLOCK, OMP_STRICT };

/* What follows the directive: nothing of its own, one statement, or a loop (or the like) it must
 * see itself. *name gets its words. */
static enum omp_kind omp_directive(struct arena *a, const char *s, const char *end,
                                   const char **name)
{
    static const char *const strict[] = {"for",    "simd",     "loop", "taskloop", "distribute",
                                         "atomic", "sections", "scan", "tile",     "unroll"};
    static const char *const blocks[] = {"parallel", "single",    "master",    "masked", "critical",
                                         "task",     "section",   "taskgroup", "target", "teams",
                                         "ordered",  "workshare", "scope"};
    enum omp_kind kind = OMP_NONE;
    *name = "";
    while (s < end) {
        while (s < end && (*s == ' ' || *s == '\t'))
            s++;
        const char *begin = s;
        while (s < end && ((*s >= 'a' && *s <= 'z') || *s == '_'))
            s++;
        const char *word = arena_strndup(a, begin, (size_t)(s - begin));
        bool is_strict = text_is_in(strict, sizeof strict / sizeof *strict, word);
        if (!is_strict && !text_is_in(blocks, sizeof blocks / sizeof *blocks, word))
            break;
        kind = is_strict || kind == OMP_STRICT ? OMP_STRICT : OMP_BLOCK;
        *name = arena_printf(a, "%s%s%s", *name, **name ? " " : "", word);
        if (s < end && *s != ' ' && *s != '\t')
            break;
    }
    return kind;
}

/* Is the word one of the directive's? */
static bool omp_names(const char *directive, const char *word)
{
    size_t n = strlen(word);
    for (const char *p = directive; (p = strstr(p, word)); p++)
        if ((p == directive || p[-1] == ' ') && (!p[n] || p[n] == ' '))
            return true;
    return false;
}

/* What the statement of a directive is in: a team of its own, or where OpenMP allows no barrier. */
static void omp_context(const char *directive, struct context *c)
{
    static const char *const no_barrier[] = {
        "for",    "sections", "section", "single", "master", "masked", "critical",   "task",
        "atomic", "taskloop", "ordered", "simd",   "loop",   "teams",  "distribute", "scope"};
    if (omp_names(directive, "parallel")) {
        c->in_team = true;
        c->no_barrier = NULL;
    }
    for (size_t i = 0; i < sizeof no_barrier / sizeof *no_barrier; i++)
        if (omp_names(directive, no_barrier[i]))
            c->no_barrier = directive;
}

/* A pragma that is not ours, and the statement it governs if it is OpenMP's. */
void parse_other_pragma(struct parser *p, const struct context *c)
{
    size_t item = p->at++;
    const char *s = p->s->text + p->s->list[item].begin, *end = p->s->text + p->s->list[item].end;
    const char *name;
    while (s < end && (*s == ' ' || *s == '\t'))
        s++;
    if (end - s < 4 || memcmp(s, "omp", 3) || (s[3] != ' ' && s[3] != '\t'))
        return;
    enum omp_kind kind = omp_directive(p->unit->scratch, s + 3, end, &name);
    if (kind == OMP_NONE || parser_at_end(p) || parser_at(p, '}'))
        return;
    if (kind == OMP_STRICT && parser_now(p)->kind == ITEM_CLL) {
        const struct pragma *g = parser_pragma(p, p->at);
        if (g->kind == PRAGMA_BEGIN || g->kind == PRAGMA_FOR)
            COMPLAIN(
                p, p->at,
                "a region cannot begin between '#pragma omp %s' and its statement: the statement must follow its directive; put the region around the directive, or inside the statement",
                name);
    }
    if (!parser_enter(p))
        return;
    struct context inner = *c;
    omp_context(name, &inner);
    if (omp_names(name, "parallel"))
        APPEND(p, teams, item);
    if (memmem(s, (size_t)(end - s), "default(none)", 13) ||
        memmem(s, (size_t)(end - s), "default (none)", 14)) {
        APPEND(p, scopes, (struct closed_scope){item, c->scope});
        inner.scope = (uint32_t)p->t->nscopes;
    }
    parse_substatement(p, &inner);
    p->depth--;
}

/* ---- control statements ---- */

/* The parentheses after if, for, while and switch. */
static void condition(struct parser *p, const struct context *c)
{
    for (; parser_now(p)->kind == ITEM_CLL; p->at++)
        parse_misplaced(p, c);
    if (parser_at(p, '('))
        parse_group(p, c);
}

/* A chain of "else if" is read in a loop: programs that write programs make long ones. */
static void if_statement(struct parser *p, const struct context *c)
{
    do {
        p->at++;
        while (parser_now(p)->kind == ITEM_NAME ||
               parser_at(p, '!')) /* if constexpr, if ! consteval,
                                                                          if MACRO(...) */
            p->at++;
        condition(p, c);
        parse_substatement(p, c);
        parse_between(p, c, WORD_ELSE);
        if (!parser_at_word(p, WORD_ELSE))
            return;
        p->at++;
    } while (parser_at_word(p, WORD_IF));
    parse_substatement(p, c);
}

static void loop_statement(struct parser *p, const struct context *c)
{
    struct context inner = *c;
    inner.on_break = inner.on_continue = TARGET_STATEMENT;
    p->at++;
    condition(p, c);
    parse_substatement(p, &inner);
}

static void do_statement(struct parser *p, const struct context *c)
{
    struct context inner = *c;
    inner.on_break = inner.on_continue = TARGET_STATEMENT;
    p->at++;
    parse_substatement(p, &inner);
    parse_between(p, c, WORD_WHILE);
    if (parser_at_word(p, WORD_WHILE))
        parse_simple(p, c, false);
}

static void switch_statement(struct parser *p, const struct context *c)
{
    struct context inner = *c;
    inner.on_break = TARGET_STATEMENT;
    inner.switch_item = p->at;
    inner.is_switch_body = true;
    p->at++;
    condition(p, c);
    parse_substatement(p, &inner);
}

/* Is there a control statement or a block after the attributes at the parser, [[likely]] {? */
static bool begins_after_attributes(const struct parser *p)
{
    size_t at = cxx_attributes(p, p->at);
    const struct item *i = &p->s->list[at < p->s->n ? at : p->s->n];
    return at != p->at && (parser_punct_at(p, at, '{') ||
                           (i->kind == ITEM_NAME &&
                            ((i->id >= WORD_IF && i->id <= WORD_RETURN) || i->id == WORD_TRY)));
}

/* One statement without leading labels or pragmas. */
void parse_statement(struct parser *p, const struct context *outer)
{
    if (parser_at_end(p) || !parser_enter(p))
        return;
    struct context c = *outer;
    size_t before = p->at;
    if (p->lambdas && parser_at(p, '[') && begins_after_attributes(p))
        p->at = cxx_attributes(p, p->at);
    if (parser_at(p, '{')) {
        parse_block(p, &c, false);
        p->depth--;
        return;
    }
    c.is_switch_body = false;
    switch (parser_now(p)->kind == ITEM_NAME ? parser_now(p)->id : WORD_NONE) {
    case WORD_IF: if_statement(p, &c); break;
    case WORD_FOR:
    case WORD_WHILE: loop_statement(p, &c); break;
    case WORD_DO: do_statement(p, &c); break;
    case WORD_SWITCH: switch_statement(p, &c); break;
    case WORD_GOTO: goto_statement(p, &c); break;
    case WORD_BREAK:
    case WORD_CONTINUE: break_or_continue(p, &c); break;
    case WORD_ASM:
    case WORD_ASM_:
    case WORD_ASM__: asm_statement(p, &c); break;
    case WORD_TRY: cxx_try(p, &c); break;
    case WORD_ELSE: p->at++; break; /* stray: the compiler says so */
    default: declaration_or_expression(p, &c); break;
    }
    if (p->at == before)
        p->at++; /* always advance */
    p->depth--;
}
