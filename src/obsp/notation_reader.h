/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside the reader of the notation: its state, its words and its names. */
#ifndef OBSP_NOTATION_READER_H
#define OBSP_NOTATION_READER_H

#include "obsp/notation.h"

/* A name of the file with a value that is known before the processors begin. */
struct reader_param {
    const char *name;
    struct span span;
    double value;
    struct obsp_fitted *by; /* what it depends on; NULL = nothing */
    bool known;             /* its line was read */
};

enum reader_block_kind { BLOCK_FOR, BLOCK_IF, BLOCK_SPLIT, BLOCK_PROC };

struct reader_block {
    enum reader_block_kind kind;
    struct span span;           /* of its first line */
    size_t begin;               /* the instruction to go back to, or to complete */
    struct notation_slot index; /* FOR */
    size_t hidden;              /* FOR: its end and its step */
    size_t *ends;               /* IF: jumps to its end */
    size_t nends, capacity;
    bool otherwise; /* IF: `else` was read */
};

struct reader {
    struct arena *arena;
    const struct source *source; /* lives as long as the messages */
    struct diag *diag;
    const struct obsp_values *values;
    struct notation_program *program;
    struct reader_param *params;
    size_t nparams, params_capacity;
    struct notation_procedure **procedures;
    size_t nprocedures, procedures_capacity;
    struct notation_procedure file, *scope; /* the names of the file; of where the reader is */
    struct reader_block blocks[NOTATION_MAX_BLOCKS];
    size_t nblocks;
};

/* ---- text (notation_text.c) */

/* Replaces comments and the backslashes of continued lines by spaces. Returns the lines, a continued one
 * as one line, without spaces at their ends; empty ones are left out. */
const struct span *reader_lines(struct arena *a, char *text, size_t size, size_t *n);

/* The text of a span, in the arena. */
const char *reader_text(const struct reader *r, struct span where);
struct span reader_trim(const struct reader *r, struct span where);
bool reader_empty(struct span where);
/* The word that `where` begins with, empty if it begins with something else. */
struct span reader_word(const struct reader *r, struct span where);
/* The name, "N" or "A[0]", that `where` begins with; NULL if it begins with something else. */
const char *reader_name(const struct reader *r, struct span where, struct span *found);
/* Whether `where` is this word. */
bool reader_is(const struct reader *r, struct span where, const char *word);
/* Looks for a word or a symbol outside parentheses and divides `where` into what is before and after it.
 * False if it is not there. */
bool reader_divide(const struct reader *r, struct span where, const char *symbol,
                   struct span *before, struct span *after);
/* One of the words of the notation, which a name cannot be. */
bool reader_reserved(const char *name);
/* Always false. */
bool reader_error(struct reader *r, struct span where, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* ---- names (notation_names.c) */

struct reader_param *reader_param(const struct reader *r, const char *name);
struct notation_procedure *reader_procedure(const struct reader *r, const char *name);
/* Adds a name to a scope, if it is not there. */
void reader_declare(struct reader *r, struct notation_procedure *scope, const char *name);
/* Whether a line may give this name a value. Errors are reported. */
bool reader_may_name(struct reader *r, const char *name, struct span where);
/* Where a name of the present scope has its value; it must have been declared. */
struct notation_slot reader_slot(const struct reader *r, const char *name);

/* A formula over the names of the present scope. NULL with errors. `what` says what it is for, if it
 * is missing. */
const struct notation_expression *reader_formula(struct reader *r, struct span where,
                                                 const char *what);
const struct notation_expression *reader_condition(struct reader *r, struct span where);
/* The program has values that depend on experiments. */
void reader_begin_fitted(struct reader *r);
/* The value of a formula over the parameters that are known, and what it depends on. False with errors. */
bool reader_constant(struct reader *r, struct span where, double *value, struct obsp_fitted **by);

#endif
