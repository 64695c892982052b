/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The words of formulas: what the parser (parse.c) reads without an expression inside it. Every message points at the
 * column that the user wrote.
 *
 * Invariants: p->at never passes p->end; a function that fails has reported exactly one error.
 */
#ifndef FORMULA_SCAN_H
#define FORMULA_SCAN_H

#include "base/text.h"
#include "formula/formula.h"

struct parser {
    struct arena *arena;
    const struct source *source;
    const struct formula_options *options;
    struct diag *diag;
    size_t at, end;
    size_t last; /* end of the last thing read, for spans */
    unsigned nesting;
    bool conditions;
    unsigned in_machine; /* calls of functions that ask the machine around here */
    struct words {       /* of constants NAME.word, in the order of their indices */
        const char **list;
        size_t n, capacity;
    } words;
};

/* Reports an error. Always NULL. */
const struct formula *scan_fail(struct parser *p, struct span where, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* From here to the end of the last thing read. */
struct span scan_span(const struct parser *p, size_t begin);

/* The byte so many places ahead; -1 at the end. */
int scan_peek_at(const struct parser *p, size_t ahead);
/* The next byte that is not blank. */
int scan_peek(struct parser *p);

/* Reads the symbol, or the word, if it comes next. */
bool scan_take(struct parser *p, const char *symbol);
bool scan_word(struct parser *p, const char *word);

/* Can a name begin with this byte, or contain it? */
bool scan_is_start(int c);
bool scan_is_part(int c);

/* The name at p->at, which must be one. */
struct span scan_name(struct parser *p);

/* path := name { '.' name | '->' name | '::' name | '[' index ']' };  adds its canonical text to the name. 0, or -1. */
int scan_path(struct parser *p, struct text *name);

/* number := digits [ '.' digits ] [ ('e'|'E') ['+'|'-'] digits ] [letter]; a letter only where 2M cannot be
 * meant as 2*M: in conditions and values. NULL after an error. */
const struct formula *scan_number(struct parser *p);

/* Before something nested; false if it is nested too deep. The caller counts p->nesting down again. */
bool scan_enter(struct parser *p);

#endif
