/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The statement parser's inside, shared by statement.c (statements) and structure.c (regions and
 * files).
 */
#ifndef TRANSLATE_PARSER_H
#define TRANSLATE_PARSER_H

#include "translate/list.h"
#include "translate/structure.h"

enum jump_target { TARGET_NONE, TARGET_STATEMENT, TARGET_CLL_FOR };

/* What surrounds a statement. */
struct context {
    uint32_t block, function;
    enum jump_target on_break, on_continue;
    size_t switch_item;
    bool is_switch_body;    /* the next block is a switch's body */
    bool in_team;           /* inside an OpenMP parallel construct of this function */
    const char *no_barrier; /* the OpenMP construct that forbids a barrier here; NULL = none */
    uint32_t scope;         /* the innermost default(none): its number, 1...; 0 = none */
    const char *constant;   /* C++: the function is "constexpr" or "consteval", or code for a
                               device; else NULL */
};

enum lambda { LAMBDA_NONE, LAMBDA_PLAIN, LAMBDA_CONSTEXPR, LAMBDA_CONSTEVAL };

struct parser {
    struct unit *unit;
    const struct stream *s;
    struct diag *diag;
    struct structure *t;
    size_t at;
    int depth;
    bool too_deep;
    uint32_t functions;
    size_t searches;        /* for the pragma that begins the region of a misplaced end */
    unsigned char *lambdas; /* C++: per item, enum lambda: what its `{` begins; NULL in C */
};

#define APPEND(p, kind, ...) ADD((p)->unit->scratch, (p)->t, kind, __VA_ARGS__)

/* ---- looking at items ---- */

static inline const struct item *parser_now(const struct parser *p)
{
    return &p->s->list[p->at < p->s->n ? p->at : p->s->n];
}

static inline bool parser_at(const struct parser *p, uint32_t id)
{
    return parser_now(p)->kind == ITEM_PUNCTUATOR && parser_now(p)->id == id;
}

static inline bool parser_punct_at(const struct parser *p, size_t at, uint32_t id)
{
    return at < p->s->n && p->s->list[at].kind == ITEM_PUNCTUATOR && p->s->list[at].id == id;
}

static inline bool parser_at_word(const struct parser *p, uint32_t id)
{
    return parser_now(p)->kind == ITEM_NAME && parser_now(p)->id == id;
}

static inline bool parser_at_end(const struct parser *p)
{
    return p->at >= p->s->n;
}

static inline const struct pragma *parser_pragma(const struct parser *p, size_t item)
{
    return stream_pragma(p->unit, p->s, item);
}

static inline const char *parser_region_name(const struct parser *p, const struct region *r)
{
    return r->is_for ? "for" : parser_pragma(p, r->begin)->name;
}

static inline unsigned parser_region_line(const struct parser *p, const struct region *r)
{
    return parser_pragma(p, r->begin)->first_line;
}

#define COMPLAIN(p, item, ...)                                                                     \
    do {                                                                                           \
        const struct source *source_;                                                              \
        struct span span_;                                                                         \
        if (stream_item_position((p)->unit, (p)->s, (item), &source_, &span_))                     \
            diag_add((p)->diag, SEVERITY_ERROR, source_, span_, __VA_ARGS__);                      \
    } while (0)

/* One level deeper. False after a complaint: the rest of the text is not read. */
static inline bool parser_enter(struct parser *p)
{
    if (p->depth >= STRUCTURE_MAX_DEPTH) {
        if (!p->too_deep)
            COMPLAIN(p, p->at, "statements, blocks and regions are nested more than %d deep here",
                     STRUCTURE_MAX_DEPTH);
        p->too_deep = true;
        p->at = p->s->n;
        return false;
    }
    p->depth++;
    return true;
}

/* ---- the rules; each reads from parser.at on and leaves it after the last item read ---- */

/* One statement without leading labels or pragmas. */
void parse_statement(struct parser *p, const struct context *c);
/* The statement that if, else, a loop, a label or an OpenMP directive governs, pragmas before it
 * included. */
void parse_substatement(struct parser *p, const struct context *c);
/* "{" {statement} "}". `is_value`: of a statement expression, whose last statement is its value. */
void parse_block(struct parser *p, const struct context *outer, bool is_value);
/* {label}: returns whether there was one. */
bool parse_labels(struct parser *p, const struct context *c);
/* Up to and with the `;`. Returns true if a `{` that is a function's body stopped it. */
bool parse_simple(struct parser *p, const struct context *c, bool declares);
void parse_function_body(struct parser *p, const struct context *outer);
void parse_typedef(struct parser *p, size_t begin);
/* "(" ... ")", "[" ... "]" or an initialiser's "{" ... "}". Statement expressions and lambdas inside are
 * blocks. */
void parse_group(struct parser *p, const struct context *c);
/* Complains about pragmas at the parser if the word comes after them. */
void parse_between(struct parser *p, const struct context *c, uint32_t word);
/* A pragma of ours outside of functions. */
void parse_outside(struct parser *p);
/* A pragma that is not ours, and the statement it governs if it is OpenMP's. */
void parse_other_pragma(struct parser *p, const struct context *c);
/* Complains about a pragma where no statement can begin. */
void parse_misplaced(struct parser *p, const struct context *c);
/* There was a message about the region that the pragma begins or ends: no further one follows. */
void parse_excused(struct parser *p, const struct context *c);

/* ---- C++ (cxx.c) ---- */

/* One declaration of a file, a namespace or a class, or a pragma there. */
void cxx_declaration(struct parser *p, const struct context *outer);
/* A declaration or an expression in a block, up to and with its `;`. */
void cxx_simple(struct parser *p, const struct context *c);
/* "try" block {"catch" "(" ... ")" block} */
void cxx_try(struct parser *p, const struct context *c);
/* At a `[`: if a lambda begins here, its `{` is remembered. At such a `{`: the lambda's body. */
void cxx_note_lambda(struct parser *p);
void cxx_lambda(struct parser *p, const struct context *c);
/* The item after the attributes [[...]] at `at`. */
size_t cxx_attributes(const struct parser *p, size_t at);

#endif
