/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A light statement parser by recursive descent. It knows blocks, labels, control statements,
 * declarations as far as they name something, statement expressions and nested functions;
 * expressions are skipped up to their
 * `;`. It accepts what it does not understand: the C compiler judges the program, this judges the
 * pragmas.
 *
 * Regions are matched per block: each block has a stack of the regions opened in it. A region whose
 * `end` stands in another block is remembered as an orphan, so that one mistake gives one message.
 */
#include "call/structure.h"

#include <string.h>

enum jump_target { TARGET_NONE, TARGET_STATEMENT, TARGET_CLL_FOR };

/* What surrounds a statement. */
struct context {
    uint32_t block, function;
    enum jump_target on_break, on_continue;
    size_t switch_item;
    bool is_switch_body; /* the next block is a switch's body */
};

struct parser {
    struct unit *unit;
    const struct stream *s;
    struct diag *diag;
    struct structure *t;
    size_t at;
    int depth;
    bool too_deep;
    uint32_t functions;
};

static void statement(struct parser *p, const struct context *c);
static void substatement(struct parser *p, const struct context *c);
static size_t block(struct parser *p, const struct context *outer, bool is_value);

/* ---- growing lists in the arena ---- */

static void *grow(struct arena *a, void *list, size_t n, size_t *capacity, size_t size)
{
    if (n < *capacity)
        return list;
    size_t more = mem_grown(*capacity, n + 1);
    void *bigger = arena_alloc(a, more, size);
    if (n)
        memcpy(bigger, list, n * size);
    *capacity = more;
    return bigger;
}

#define APPEND(p, kind, ...)                                                                       \
    ((p)->t->kind = grow((p)->unit->arena, (p)->t->kind, (p)->t->n##kind, &(p)->t->c##kind,        \
                         sizeof *(p)->t->kind),                                                    \
     (p)->t->kind[(p)->t->n##kind] = __VA_ARGS__, (p)->t->n##kind++)

/* ---- looking at items ---- */

static const struct item *now(const struct parser *p)
{
    return &p->s->list[p->at < p->s->n ? p->at : p->s->n];
}

static bool at_punct(const struct parser *p, uint32_t id)
{
    return now(p)->kind == ITEM_PUNCTUATOR && now(p)->id == id;
}

static bool punct_at(const struct parser *p, size_t at, uint32_t id)
{
    return at < p->s->n && p->s->list[at].kind == ITEM_PUNCTUATOR && p->s->list[at].id == id;
}

static bool at_word(const struct parser *p, uint32_t id)
{
    return now(p)->kind == ITEM_NAME && now(p)->id == id;
}

static bool at_end(const struct parser *p)
{
    return p->at >= p->s->n;
}

static const struct pragma *pragma_of(const struct parser *p, size_t item)
{
    const struct item *i = &p->s->list[item];
    return &p->unit->inputs[i->input].pragmas[i->pragma];
}

static const char *region_name(const struct parser *p, const struct region *r)
{
    return r->is_for ? "for" : pragma_of(p, r->begin)->name;
}

static unsigned region_line(const struct parser *p, const struct region *r)
{
    return pragma_of(p, r->begin)->first_line;
}

#define COMPLAIN(p, item, ...)                                                                     \
    do {                                                                                           \
        const struct source *source_;                                                              \
        struct span span_;                                                                         \
        if (item_place((p)->unit, (p)->s, (item), &source_, &span_))                               \
            diag_add((p)->diag, SEVERITY_ERROR, source_, span_, __VA_ARGS__);                      \
    } while (0)

static bool enter(struct parser *p)
{
    if (p->depth >= STRUCTURE_MAX_DEPTH) {
        if (!p->too_deep)
            diag_add(p->diag, SEVERITY_ERROR, p->unit->inputs[0].source, (struct span){0, 0},
                     "statements are nested more than %d deep", STRUCTURE_MAX_DEPTH);
        p->too_deep = true;
        p->at = p->s->n;
        return false;
    }
    p->depth++;
    return true;
}

/* ---- pragmas that stand wrong ---- */

static void foreign(struct parser *p)
{
    const struct source *source;
    struct span span;
    const struct item *i = now(p);
    bool here = item_place(p->unit, p->s, p->at, &source, &span);
    if (here)
        diag_add(p->diag, SEVERITY_ERROR, source, span,
                 "a macro used here holds a cll pragma: it cannot be translated; write the pragma "
                 "out where the "
                 "region stands");
    else
        diag_add(p->diag, SEVERITY_WARNING, NULL, (struct span){0, 0},
                 "an included file holds the pragma '%.*s', which is not translated here; compile "
                 "with 'call cc'",
                 (int)(i->end - i->begin > 60 ? 60 : i->end - i->begin), p->s->text + i->begin);
}

/* A pragma at a place where no statement can begin. */
static void misplaced(struct parser *p)
{
    if (now(p)->kind == ITEM_FOREIGN) {
        foreign(p);
        return;
    }
    const struct pragma *g = pragma_of(p, p->at);
    if (g->kind != PRAGMA_PARALLEL && g->kind != PRAGMA_USES && !g->bad)
        COMPLAIN(p, p->at,
                 "this pragma stands in the middle of a statement; put it before or behind the "
                 "statement");
}

/* ---- groups ---- */

/* "(" ... ")", "[" ... "]" or an initialiser's "{" ... "}". Statement expressions inside are
 * blocks. */
static void group(struct parser *p, const struct context *c)
{
    if (!enter(p))
        return;
    p->at++;
    while (!at_end(p)) {
        const struct item *i = now(p);
        if (i->kind == ITEM_CLL || i->kind == ITEM_FOREIGN) {
            misplaced(p);
            p->at++;
        } else if (i->kind != ITEM_PUNCTUATOR) {
            p->at++;
        } else if (i->id == '{' && punct_at(p, p->at - 1, '(')) {
            struct context inner = *c;
            inner.is_switch_body = false;
            block(p, &inner, true);
        } else if (i->id == '(' || i->id == '[' || i->id == '{') {
            group(p, c);
        } else if (i->id == ')' || i->id == ']' || i->id == '}') {
            p->at++;
            break;
        } else {
            p->at++;
        }
    }
    p->depth--;
}

/* ---- declarations and simple statements ---- */

struct found_context {
    struct parser *p;
    const struct context *c;
    bool is_type, no_address;
};

static void found_name(void *user, size_t item, bool is_array)
{
    struct found_context *f = user;
    uint32_t name = f->p->s->list[item].id;
    if (f->is_type)
        f->p->unit->flags[name] |= NAME_TYPE;
    if (f->c)
        APPEND(f->p, declarations, (struct declaration){item, name, f->c->block, is_array});
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
static bool simple(struct parser *p, const struct context *c, bool declares)
{
    bool tag = false, initialiser = false;
    while (!at_end(p)) {
        const struct item *i = now(p);
        if (i->kind == ITEM_CLL || i->kind == ITEM_FOREIGN) {
            misplaced(p);
            p->at++;
        } else if (i->kind == ITEM_NAME) {
            tag = tag || i->id == WORD_STRUCT || i->id == WORD_UNION || i->id == WORD_ENUM;
            bool attribute = i->id == WORD_ATTRIBUTE || i->id == WORD_ATTRIBUTE_ ||
                             i->id == WORD_ALIGNAS || i->id == WORD_ALIGNAS23 ||
                             i->id == WORD_DECLSPEC;
            p->at++;
            if (attribute && at_punct(p, '('))
                group(p, c);
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
            if (!aggregate && punct_at(p, p->at - 1, ')') && !p->s->preprocessed)
                return true; /* MACRO(...) { */
            group(p, c);
        } else if (i->id == '(' || i->id == '[') {
            bool attribute = i->id == '[' && punct_at(p, p->at + 1, '[');
            tag = tag && attribute;
            group(p, c);
        } else {
            initialiser = i->id == '=' || (initialiser && i->id != ',');
            if (i->id == '=' || i->id == '*' || i->id == ',')
                tag = false;
            p->at++;
        }
    }
    return false;
}

static void function_body(struct parser *p, const struct context *outer)
{
    struct context c = *outer;
    c.function = outer->function ? outer->function : ++p->functions;
    c.on_break = c.on_continue = TARGET_NONE;
    c.switch_item = 0;
    c.is_switch_body = false;
    block(p, &c, false);
}

static void declaration_or_expression(struct parser *p, const struct context *c)
{
    size_t begin = p->at;
    bool declares = declare_starts(p->unit, p->s, begin);
    bool body = simple(p, c, declares);
    if (declares) {
        struct found_context f = {p, c, is_typedef(p, begin, p->at), false};
        declare_names(p->s, begin, p->at, found_name, &f);
    }
    if (body && declares)
        function_body(p, c);
    else if (body)
        block(p, c, false);
}

/* asm goto (... : labels): every name in it may be a label it jumps to. */
static void asm_statement(struct parser *p, const struct context *c)
{
    size_t begin = p->at;
    simple(p, c, false);
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
    if (now(p)->kind == ITEM_NAME)
        APPEND(p, jumps, (struct jump){item, now(p)->id, c->function});
    else
        APPEND(p, jumps, (struct jump){item, 0, c->function});
    simple(p, c, false);
}

static void break_or_continue(struct parser *p, const struct context *c)
{
    bool is_break = at_word(p, WORD_BREAK);
    if ((is_break ? c->on_break : c->on_continue) == TARGET_CLL_FOR)
        COMPLAIN(p, p->at,
                 "'%s' out of a 'cll for': the loop is there only in the measured program",
                 is_break ? "break" : "continue");
    simple(p, c, false);
}

/* ---- labels ---- */

/* case EXPR [... EXPR] ":"; the colon of a ?: inside does not end it. */
static void skip_case(struct parser *p, const struct context *c)
{
    size_t open = 0;
    while (!at_end(p)) {
        const struct item *i = now(p);
        if (i->kind == ITEM_CLL || i->kind == ITEM_FOREIGN) {
            misplaced(p);
        } else if (i->kind == ITEM_PUNCTUATOR) {
            if (i->id == '(' || i->id == '[') {
                group(p, c);
                continue;
            }
            if (i->id == '?')
                open++;
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

/* {label}: returns whether there was one. */
static bool labels(struct parser *p, const struct context *c)
{
    bool any = false;
    for (;; any = true) {
        if (at_word(p, WORD_CASE) || (at_word(p, WORD_DEFAULT) && punct_at(p, p->at + 1, ':'))) {
            APPEND(p, cases, (struct case_label){p->at, c->switch_item});
            p->at++;
            skip_case(p, c);
        } else if (now(p)->kind == ITEM_NAME && now(p)->id >= WORD_COUNT &&
                   punct_at(p, p->at + 1, ':')) {
            APPEND(p, labels, (struct label){p->at, now(p)->id, c->block, c->function});
            p->at += 2;
        } else {
            return any;
        }
    }
}

/* ---- OpenMP ---- */

enum omp_kind { OMP_NONE, OMP_BLOCK, OMP_STRICT };

/* What follows the directive: nothing of its own, one statement, or a loop (or the like) it must
 * see itself. */
static enum omp_kind omp_directive(const char *s, const char *end, char *name, size_t size)
{
    static const char *const strict[] = {"for",    "simd",     "loop", "taskloop", "distribute",
                                         "atomic", "sections", "scan", "tile",     "unroll"};
    static const char *const blocks[] = {"parallel", "single",    "master",    "masked", "critical",
                                         "task",     "section",   "taskgroup", "target", "teams",
                                         "ordered",  "workshare", "scope"};
    enum omp_kind kind = OMP_NONE;
    size_t length = 0;
    name[0] = '\0';
    while (s < end) {
        while (s < end && (*s == ' ' || *s == '\t'))
            s++;
        const char *word = s;
        while (s < end && ((*s >= 'a' && *s <= 'z') || *s == '_'))
            s++;
        size_t n = (size_t)(s - word);
        if (n == 0)
            break;
        bool known = false;
        for (size_t i = 0; i < sizeof strict / sizeof *strict; i++)
            if (strlen(strict[i]) == n && !memcmp(word, strict[i], n)) {
                kind = OMP_STRICT;
                known = true;
            }
        for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
            if (strlen(blocks[i]) == n && !memcmp(word, blocks[i], n)) {
                kind = kind == OMP_STRICT ? kind : OMP_BLOCK;
                known = true;
            }
        if (!known)
            break;
        if (length + n + 2 < size) {
            memcpy(name + length, length ? " " : "", length ? 1 : 0);
            length += length ? 1 : 0;
            memcpy(name + length, word, n);
            length += n;
            name[length] = '\0';
        }
        if (s < end && *s != ' ' && *s != '\t')
            break;
    }
    return kind;
}

static bool contains(const char *s, const char *end, const char *what)
{
    size_t n = strlen(what);
    for (; s + n <= end; s++)
        if (!memcmp(s, what, n))
            return true;
    return false;
}

/* A pragma that is not ours, and the statement it governs if it is OpenMP's. */
static void other_pragma(struct parser *p, const struct context *c)
{
    size_t item = p->at++;
    const char *s = p->s->text + p->s->list[item].begin, *end = p->s->text + p->s->list[item].end;
    char name[64];
    while (s < end && (*s == ' ' || *s == '\t'))
        s++;
    if (end - s < 4 || memcmp(s, "omp", 3) || (s[3] != ' ' && s[3] != '\t'))
        return;
    enum omp_kind kind = omp_directive(s + 3, end, name, sizeof name);
    if (kind == OMP_NONE || at_end(p) || at_punct(p, '}'))
        return;
    if (kind == OMP_STRICT && now(p)->kind == ITEM_CLL) {
        const struct pragma *g = pragma_of(p, p->at);
        if (g->kind == PRAGMA_BEGIN || g->kind == PRAGMA_FOR)
            COMPLAIN(p, p->at,
                     "a region cannot begin between '#pragma omp %s' and its statement: OpenMP "
                     "must see the statement "
                     "itself; put the region around the directive, or inside the statement",
                     name);
    }
    substatement(p, c);
    if (contains(s, end, "default(none)") || contains(s, end, "default (none)"))
        APPEND(p, scopes, (struct closed_scope){item, p->at});
}

/* ---- control statements ---- */

static void if_statement(struct parser *p, const struct context *c)
{
    p->at++;
    while (now(p)->kind == ITEM_NAME) /* if constexpr, if MACRO(...) */
        p->at++;
    if (at_punct(p, '('))
        group(p, c);
    substatement(p, c);
    if (at_word(p, WORD_ELSE)) {
        p->at++;
        substatement(p, c);
    }
}

static void loop_statement(struct parser *p, const struct context *c)
{
    struct context inner = *c;
    inner.on_break = inner.on_continue = TARGET_STATEMENT;
    p->at++;
    if (at_punct(p, '('))
        group(p, c);
    substatement(p, &inner);
}

static void do_statement(struct parser *p, const struct context *c)
{
    struct context inner = *c;
    inner.on_break = inner.on_continue = TARGET_STATEMENT;
    p->at++;
    substatement(p, &inner);
    if (at_word(p, WORD_WHILE))
        simple(p, c, false);
}

static void switch_statement(struct parser *p, const struct context *c)
{
    struct context inner = *c;
    inner.on_break = TARGET_STATEMENT;
    inner.switch_item = p->at;
    inner.is_switch_body = true;
    p->at++;
    if (at_punct(p, '('))
        group(p, c);
    substatement(p, &inner);
}

/* One statement without leading labels or pragmas. */
static void statement(struct parser *p, const struct context *outer)
{
    if (at_end(p) || !enter(p))
        return;
    struct context c = *outer;
    size_t before = p->at;
    if (at_punct(p, '{')) {
        block(p, &c, false);
        p->depth--;
        return;
    }
    c.is_switch_body = false;
    switch (now(p)->kind == ITEM_NAME ? now(p)->id : WORD_NONE) {
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
    case WORD_ELSE: p->at++; break; /* stray: the compiler says so */
    default: declaration_or_expression(p, &c); break;
    }
    if (p->at == before)
        p->at++; /* never stand still */
    p->depth--;
}

/* ---- regions ---- */

static struct region *open_region(struct parser *p, const struct context *c, bool single,
                                  bool after_label)
{
    const struct pragma *g = pragma_of(p, p->at);
    bool is_for = g->kind == PRAGMA_FOR;
    APPEND(p, regions,
           (struct region){.begin = p->at,
                           .block = c->block,
                           .function = c->function,
                           .is_for = is_for,
                           .excused = g->bad,
                           .single = single,
                           .after_label = after_label});
    p->at++;
    return &p->t->regions[p->t->nregions - 1];
}

static bool ends(const struct parser *p, size_t item, const struct region *r)
{
    const struct pragma *g = pragma_of(p, item);
    if (r->is_for)
        return g->kind == PRAGMA_END_FOR;
    const char *name = pragma_of(p, r->begin)->name;
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
    size_t index = (size_t)(open_region(p, c, true, after_label) - p->t->regions);
    struct context inner = *c;
    if (p->t->regions[index].is_for)
        inner.on_break = inner.on_continue = TARGET_CLL_FOR;
    bool empty = now(p)->kind == ITEM_CLL && ends(p, p->at, &p->t->regions[index]);
    if (!empty)
        substatement(p, &inner);
    struct region *r = &p->t->regions[index];
    if (!empty && now(p)->kind == ITEM_CLL && ends(p, p->at, r)) {
        close_region(r, p->at++, false);
        return;
    }
    r->excused = true;
    if (empty)
        p->at++;
    COMPLAIN(p, r->begin,
             "the region '%s' stands where one statement is expected, so exactly one statement "
             "must stand between the "
             "pragma and its end; put braces around them",
             region_name(p, r));
}

/* The statement that if, else, a loop, a label or an OpenMP directive governs. */
static void substatement(struct parser *p, const struct context *c)
{
    if (!enter(p))
        return;
    bool after_label = false;
    for (;;) {
        after_label |= labels(p, c);
        if (now(p)->kind == ITEM_PRAGMA) {
            other_pragma(p, c);
            const struct item *last = &p->s->list[p->at - 1];
            if (last->kind != ITEM_PRAGMA) {
                p->depth--;
                return;
            }
        } else if (now(p)->kind == ITEM_FOREIGN) {
            foreign(p);
            p->at++;
        } else if (now(p)->kind == ITEM_CLL) {
            const struct pragma *g = pragma_of(p, p->at);
            if (g->kind == PRAGMA_BEGIN || g->kind == PRAGMA_FOR) {
                single_region(p, c, after_label);
                p->depth--;
                return;
            }
            if (g->kind == PRAGMA_REPORT)
                COMPLAIN(p, p->at,
                         "'report' cannot stand where one statement is expected: the statement "
                         "behind it "
                         "would no longer belong to the if, else or loop before it");
            else
                misplaced(p);
            p->at++;
        } else {
            break;
        }
    }
    if (!at_punct(p, '}') && !at_end(p))
        statement(p, c);
    p->depth--;
}

/* The innermost open region of the function that this pragma would end, whatever block it is in. */
static struct region *find_elsewhere(struct parser *p, const struct context *c)
{
    for (size_t i = p->t->nregions; i-- > 0;) {
        struct region *r = &p->t->regions[i];
        if (r->function != c->function)
            break;
        if (!r->closed && ends(p, p->at, r))
            return r;
    }
    return NULL;
}

static void end_without_region(struct parser *p, const struct context *c)
{
    const struct pragma *g = pragma_of(p, p->at);
    struct region *r = find_elsewhere(p, c);
    if (r && r->excused)
        return;
    if (r) {
        r->excused = true;
        COMPLAIN(p, p->at,
                 "'end %s' stands in another block than the begin of the region in line %u: both "
                 "must stand in the "
                 "same block",
                 region_name(p, r), region_line(p, r));
    } else if (!g->bad) {
        COMPLAIN(p, p->at, "'end %s' without a begin: no region of this name is open here",
                 g->kind == PRAGMA_END_FOR ? "for" : g->name);
    }
}

/* The regions that are open in one block, innermost last. */
struct open_list {
    size_t *regions;
    struct context *contexts; /* what was around each before it began */
    size_t n, capacity, ccontexts;
};

static void end_pragma(struct parser *p, struct context *c, struct open_list *open,
                       bool after_label)
{
    size_t k = open->n;
    while (k > 0 && !ends(p, p->at, &p->t->regions[open->regions[k - 1]]))
        k--;
    if (k == 0) {
        end_without_region(p, c);
        return;
    }
    for (size_t i = k; i < open->n; i++) {
        struct region *r = &p->t->regions[open->regions[i]];
        if (!r->excused)
            COMPLAIN(p, p->at, "'end %s' before the end of '%s', which begins inside it in line %u",
                     region_name(p, &p->t->regions[open->regions[k - 1]]), region_name(p, r),
                     region_line(p, r));
        r->excused = true;
    }
    close_region(&p->t->regions[open->regions[k - 1]], p->at, after_label);
    *c = open->contexts[k - 1];
    open->n = k - 1;
}

static void begin_pragma(struct parser *p, struct context *c, struct open_list *open,
                         bool after_label)
{
    struct arena *a = p->unit->arena;
    open->regions = grow(a, open->regions, open->n, &open->capacity, sizeof *open->regions);
    open->contexts = grow(a, open->contexts, open->n, &open->ccontexts, sizeof *open->contexts);
    open->contexts[open->n] = *c;
    struct region *r = open_region(p, c, false, after_label);
    open->regions[open->n++] = (size_t)(r - p->t->regions);
    if (r->is_for)
        c->on_break = c->on_continue = TARGET_CLL_FOR;
    p->at--; /* the caller steps over the pragma */
}

static void block_pragma(struct parser *p, struct context *c, struct open_list *open,
                         bool after_label)
{
    if (now(p)->kind == ITEM_FOREIGN) {
        foreign(p);
    } else {
        const struct pragma *g = pragma_of(p, p->at);
        if (g->kind == PRAGMA_BEGIN || g->kind == PRAGMA_FOR)
            begin_pragma(p, c, open, after_label);
        else if (g->kind == PRAGMA_END || g->kind == PRAGMA_END_FOR)
            end_pragma(p, c, open, after_label);
    }
    p->at++;
}

/* "{" {statement} "}". `is_value`: of a statement expression, whose last statement is its value. */
static size_t block(struct parser *p, const struct context *outer, bool is_value)
{
    if (!enter(p))
        return 0;
    struct context c = *outer;
    c.block = (uint32_t)p->t->nblocks;
    c.is_switch_body = false;
    APPEND(p, blocks, (struct block){p->at, p->s->n, outer->is_switch_body});
    struct open_list open = {0};
    p->at++;
    while (!at_end(p) && !at_punct(p, '}')) {
        bool after_label = labels(p, &c);
        if (at_punct(p, '}') || at_end(p))
            break;
        if (now(p)->kind == ITEM_CLL || now(p)->kind == ITEM_FOREIGN)
            block_pragma(p, &c, &open, after_label);
        else if (now(p)->kind == ITEM_PRAGMA)
            other_pragma(p, &c);
        else
            statement(p, &c);
    }
    p->t->blocks[c.block].end = p->at;
    const struct item *last = &p->s->list[p->at - 1];
    if (is_value && last->kind == ITEM_CLL && punct_at(p, p->at - 2, ';') &&
        (pragma_of(p, p->at - 1)->kind == PRAGMA_END ||
         pragma_of(p, p->at - 1)->kind == PRAGMA_END_FOR))
        COMPLAIN(p, p->at - 1,
                 "a region cannot end a statement expression: the value of its last statement "
                 "would be lost; put the "
                 "value behind the region (or '(void)0;' if there is none)");
    if (!at_end(p))
        p->at++;
    p->depth--;
    return c.block;
}

/* ---- the file ---- */

static void file_scope_pragma(struct parser *p)
{
    if (now(p)->kind == ITEM_FOREIGN) {
        foreign(p);
        return;
    }
    const struct pragma *g = pragma_of(p, p->at);
    if (g->kind == PRAGMA_BEGIN || g->kind == PRAGMA_FOR)
        COMPLAIN(p, p->at,
                 "a region cannot stand outside of functions: only statements can be measured");
    else if (g->kind == PRAGMA_REPORT)
        COMPLAIN(p, p->at,
                 "'report' must stand in a function: it is a statement of the measured program");
    else if (g->kind == PRAGMA_END || g->kind == PRAGMA_END_FOR)
        COMPLAIN(p, p->at,
                 "'end %s' outside of functions: it belongs into the block where the region begins",
                 g->name ? g->name : "for");
}

static void external_declaration(struct parser *p)
{
    static const struct context top = {0};
    size_t begin = p->at;
    if (at_punct(p, '{')) { /* behind the parameters of a K&R function */
        function_body(p, &top);
        return;
    }
    bool body = simple(p, &top, true);
    if (is_typedef(p, begin, p->at)) {
        struct found_context f = {p, NULL, true, false};
        declare_names(p->s, begin, p->at, found_name, &f);
    }
    if (body)
        function_body(p, &top);
    if (p->at == begin)
        p->at++;
}

static void report_unclosed(struct parser *p)
{
    for (size_t i = 0; i < p->t->nregions; i++) {
        const struct region *r = &p->t->regions[i];
        if (r->closed || r->excused)
            continue;
        const char *name = region_name(p, r), *meant = r->is_for ? NULL : pragma_word_near(name);
        COMPLAIN(p, r->begin,
                 "the region '%s' has no end: '#pragma cll end %s' is missing in its block%s%s%s",
                 name, name, meant ? " (or was '" : "", meant ? meant : "",
                 meant ? "' meant?)" : "");
    }
}

/* Behind the names of a register declaration: `;`, a parameter list's `)`, or the comma before
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

/* Enumeration constants and register variables have no address. */
static void note_addressless(struct unit *u, const struct stream *s)
{
    for (size_t i = 0; i < s->n; i++) {
        if (s->list[i].kind != ITEM_NAME)
            continue;
        if (s->list[i].id == WORD_REGISTER) {
            for (; i < s->n && !ends_declaration(s, i); i++)
                if (s->list[i].kind == ITEM_NAME)
                    u->flags[s->list[i].id] |= NAME_NO_ADDRESS;
        } else if (s->list[i].id == WORD_ENUM) {
            size_t k = i + 1;
            while (k < s->n && (s->list[k].kind == ITEM_NAME || s->list[k].id == ':'))
                k++;
            if (k < s->n && s->list[k].kind == ITEM_PUNCTUATOR && s->list[k].id == '{')
                for (size_t end = stream_skip(s, k); k < end; k++)
                    if (s->list[k].kind == ITEM_NAME)
                        u->flags[s->list[k].id] |= NAME_NO_ADDRESS;
        }
    }
}

struct structure *structure_read(struct unit *u, const struct stream *s, struct diag *diag)
{
    struct structure *t = arena_zalloc(u->arena, 1, sizeof *t);
    struct parser p = {.unit = u, .s = s, .diag = diag, .t = t};
    APPEND(&p, blocks, (struct block){0, s->n, false});
    note_addressless(u, s);
    while (!at_end(&p)) {
        if (now(&p)->kind == ITEM_CLL || now(&p)->kind == ITEM_FOREIGN) {
            file_scope_pragma(&p);
            p.at++;
        } else if (now(&p)->kind == ITEM_PRAGMA || at_punct(&p, ';') || at_punct(&p, '}')) {
            p.at++;
        } else {
            external_declaration(&p);
        }
    }
    report_unclosed(&p);
    return t;
}
