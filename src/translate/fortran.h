/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fortran on its way through the translator. `!$cll` lines, in fixed form also
 * `C$CLL` lines, are directives: the same language as the pragmas of C.
 *
 *     fortran_find(u, in, text);              // the directives of a source as written
 *     fortran_mark_expressions(in, p, &out);  // for the preprocessor: what a directive computes
 *     fortran_scan(u, text, size);            // the text as statements, directives among them
 *     fortran_read(u, f);                     // constructs, regions, and the branches that leave them
 *     fortran_emit(u, "-O2", &out);           // the translated source
 *
 * unit_add, unit_mark and unit_resolve call the first four. The statements are those of the text
 * that the compiler gets after preprocessing; a line of it knows which line of the user it is.
 */
#ifndef TRANSLATE_FORTRAN_H
#define TRANSLATE_FORTRAN_H

#include "translate/unit.h"

/* Columns of a line in fixed form, without an option; and with one that allows any number. */
enum { FORTRAN_FIXED_COLUMNS = 72, FORTRAN_NO_LIMIT = 1 << 20 };

/* Words with which declarations begin; ended by NULL. */
extern const char *const fortran_declaring[];

/* One line of the text, and the line of the user's file that it comes from. */
struct fortran_line {
    size_t begin;
    const char *file;
    unsigned line;
};

enum fortran_kind {
    FORTRAN_CODE,
    FORTRAN_CLL, /* a directive of ours: `pragma` */
    FORTRAN_OMP, /* a directive of OpenMP, its text without the sentinel */
    FORTRAN_HINT /* a directive of OpenACC or of a compiler: with the sentinel, without the '!' */
};

/* A statement: lower case, the inside of strings blanked, without comments and continuations. */
struct fortran_statement {
    enum fortran_kind kind;
    bool conditional; /* in lines with the sentinel !$ */
    char *s;          /* ends with a 0 */
    uint32_t *at; /* per byte of s: its place in the text; at[n]: the place after the last one */
    size_t n;
    size_t pragma;
};

/* A region or a loop `cll for`. The list begins with number 1; number 0 means outside of all. */
struct fortran_region {
    struct pragma *begin, *end; /* end NULL: it is not closed */
    size_t parent;              /* the region around it in the same procedure */
    size_t at, end_at;          /* places of the directives in the text */
    struct fortran_stub *stubs;
    unsigned past; /* the label after the stubs */
    bool is_for;
};

/* What ends a region and goes on to a label outside of it: branches out of the region lead here. */
struct fortran_stub {
    unsigned label, target;
    struct fortran_stub *next;
};

/* What the preprocessor made of an expression of a directive, which begins at byte `begin` of the
 * input. */
struct fortran_expansion {
    size_t begin;
    const char *text;
};

/* A change of the text: [begin, end) is replaced. */
struct fortran_edit {
    size_t begin, end;
    const char *label;    /* the new text; NULL: `regions` end here, before the statement */
    size_t first, until;  /* regions to end: `first` and those around it, without `until` */
    const char *function; /* NULL, or "external f": a new line after that of the place `line` */
    size_t line;
    bool one_line_if; /* the statement is that of a one-line if */
    bool conditional;
};

struct fortran {
    const char *text;
    size_t size;
    struct fortran_line *lines;
    size_t nlines, clines;
    struct fortran_statement *statements;
    size_t nstatements, cstatements;
    struct fortran_region *regions; /* [0] is not used */
    size_t nregions, cregions;
    struct fortran_expansion *expansions;
    size_t nexpansions, cexpansions;
    struct fortran_edit *edits;
    size_t nedits, cedits;
    struct names *names; /* of the code, in lower case: those below nnames */
    size_t nnames;
    bool borrows;  /* names may come from other files */
    bool implicit; /* no IMPLICIT NONE: the compiler does not complain about unknown names */
};

/* Finds the directives of the input; `text` is the copy of its text that messages show. */
void fortran_find(struct unit *u, struct input *in, char *text);

/* For messages about a source that was preprocessed before: its line markers (diag_origin). */
bool fortran_origin(const struct source *source, size_t line, struct text *name, size_t *original);

/* In the text for the preprocessor, a line "!$cll_mark INPUT NUMBER" is in place of each directive. What follows
 * for each of its expressions, which may have macros that the preprocessor replaces: "|BEGIN|EXPRESSION|". */
void fortran_mark_expressions(const struct input *in, const struct pragma *p, struct text *out);

/* Reads the lines and statements of a text with such marks. Lives in the unit's arena. */
struct fortran *fortran_scan(struct unit *u, const char *text, size_t size);

/* An expression of a directive, as the preprocessor made it. In the arena. */
char *fortran_expression(const struct unit *u, const struct fortran *f, struct span span);

/* The line of the text that contains the place. */
const struct fortran_line *fortran_line_at(const struct fortran *f, size_t place);

/* Finds the regions and what leaves them, and settles the directives. Errors go to the unit's diag. */
void fortran_read(struct unit *u, struct fortran *f);

/* Bytes of statements: the next byte that is not a blank, the end of the name at i, the byte after the
 * bracket that closes the one at i (n without one). */
size_t fortran_blanks(const struct fortran_statement *st, size_t i);
size_t fortran_name(const struct fortran_statement *st, size_t i);
size_t fortran_close(const struct fortran_statement *st, size_t i);
/* Is the name at *i this word, or are the names these words ("go to")? Then *i is after them and the blanks. */
bool fortran_word(const struct fortran_statement *st, size_t *i, const char *words);
/* The same for a list that ends with NULL: 1 for its first element, 0 for none. */
size_t fortran_one_of(const struct fortran_statement *st, size_t *i, const char *const *list);
/* An assignment, and not a keyword at its begin? */
bool fortran_assigns(const struct fortran_statement *st, size_t i);

/* The description of a region for the run-time; `flags`: of the compiler. */
const char *fortran_describe(const struct unit *u, const struct fortran *f, const struct pragma *p,
                             const char *flags);

/* The translated source; `flags`: of the compiler, for the data file. */
void fortran_emit(const struct unit *u, const char *flags, struct text *out);
bool fortran_wrote(const char *text, const char *header);

/* Fixed form (fortran_fixed.c): is the line a directive of ours? May the statement from byte i on be read as it is
 * written? Blanks inside of words hide what it does. */
bool fortran_fixed_is_directive(const char *line, size_t n);
bool fortran_fixed_knows(const struct fortran_statement *st, size_t i);

#endif
