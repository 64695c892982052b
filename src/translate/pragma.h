/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The pragmas of CALL: from the bytes of one pragma to a struct pragma. The content of a
 * pragma is checked here (formulas parse and are linear, ranges are ranges); structure.c and check.c
 * check its place.
 */
#ifndef TRANSLATE_PRAGMA_H
#define TRANSLATE_PRAGMA_H

#include <stdbool.h>

#include "base/diag.h"
#include "base/range.h"
#include "translate/driver.h"
#include "translate/lex.h"
#include "formula/formula.h"

enum {
    PRAGMA_MAX_VARIABLES = 16, /* CLL_MAX_VARIABLES of cll.h */
    PRAGMA_MAX_OBSERVABLES = 64,
    PRAGMA_MAX_EXPERIMENTS = 32767 /* CLL_MAX_EXPERIMENTS */
};

enum pragma_kind {
    PRAGMA_BEGIN,
    PRAGMA_END,
    PRAGMA_FOR,
    PRAGMA_END_FOR,
    PRAGMA_REPORT,
    PRAGMA_PARALLEL,
    PRAGMA_USES
};

/* What becomes of the pragma's line. */
enum pragma_action {
    ACTION_LEAVE, /* stays as it is: the compiler does not see it */
    ACTION_BLANK,
    ACTION_BEGIN,
    ACTION_END,
    ACTION_FOR,
    ACTION_END_FOR,
    ACTION_REPORT
};

/* A variable that an expression names, in C. */
struct pragma_leaf {
    struct span span;
    bool constant; /* it has no address: a constant of an enumeration */
};

/* One measured variable: the name of its column and the C expression it is read from. */
struct pragma_variable {
    const char *name;
    struct span span; /* the expression, in the source */
    const char *base; /* the object whose address is handed to the barrier; NULL = none is known */
    bool at_end;      /* ALIAS := EXPR: the object that EXPR names is read when the region ends */
    bool computed;    /* at_end, and EXPR names no object: it is computed when the region ends */
    struct pragma_leaf *leaves; /* of such an expression, in their order (late.c) */
    size_t nleaves, cleaves;
};

struct pragma_name {
    const char *name;
    struct span span;
};

struct pragma_formula {
    const char *observable;
    const char *text; /* canonical; "" = none was given */
};

struct pragma {
    enum pragma_kind kind;
    bool is_operator;  /* written as _Pragma("...") */
    bool bad;          /* already complained about */
    struct span whole; /* the bytes that are replaced */
    struct span word;  /* what an error about the pragma as such points at */
    unsigned first_line, last_line;
    const char *name; /* BEGIN, END */
    bool sync;
    struct span sync_word;
    struct span machine; /* PARALLEL, BEGIN with sync(...): the expression; empty = none */
    bool uses_p,
        uses_t; /* the formula has a variable P, T; later: and the program has no such name */
    struct pragma_variable *variables;
    size_t nvariables, cvariables;
    struct pragma_name *settings; /* names of the formulas that are no variables of the program */
    size_t nsettings, csettings;
    struct pragma_formula *formulas;
    size_t nformulas, cformulas;
    struct span header;        /* FOR: from `for` to its `)` */
    struct span parts[3];      /* FOR: INIT, CONDITION, STEP */
    bool shuffle;              /* FOR: iterations in another order in each round */
    const char *reported;      /* REPORT: "f,g"; NULL = all */
    struct pragma_name *names; /* the same, one by one */
    size_t nnames, cnames;
    const struct driver *driver; /* PARALLEL */
    struct range processes;      /* PARALLEL */
    bool trace;                  /* PARALLEL */

    /* filled in later (check.c) */
    enum pragma_action action;
    unsigned region; /* number of the region it begins or ends, 1... */
    bool braces, after_label;
    bool after_return;   /* END: never reached, because the statement before it is a return */
    bool records_t;      /* BEGIN: the number of threads is recorded, as T */
    bool around_team;    /* BEGIN: the region contains an OpenMP parallel construct */
    const char *threads; /* BEGIN: the expression of its num_threads; NULL = none */
    size_t partner;      /* BEGIN, END: index of the pragma at the region's other side */
    bool sweep;          /* FOR: it has shuffle, or contains a loop that has it */
    size_t outer;        /* FOR: 1 + index of the innermost cll for around it; 0 = none */
    bool unclear;        /* FOR: the preprocessor chooses its other side, or its outer */
    size_t input;        /* index of the input that contains it */
    struct pragma *next; /* BEGIN: the next one of the same experiment */

    /* of a pragma that is not ours */
    const char *meant; /* "cll parallel": what `word` was probably meant to be; NULL = nothing */
    bool surely_meant; /* the rest reads as a pragma of ours */
};

/* Parses the directive `t` of `source`, whose text is writable: comments and splices inside the
 * pragma are blanked in it. Returns false if it is not a cll pragma; out->meant and out->word then
 * tell whether it was meant to be one. */
bool pragma_parse(struct arena *a, const struct source *source, char *text, const struct token *t,
                  struct diag *diag, struct pragma *out);

/* Can the byte be part of a name? */
bool pragma_is_name_byte(char c);

/* The word of the language that a name is a misprint of; NULL if it is none. */
const char *pragma_word_near(const char *name);

/* Does the pragma that begins a region have a variable of this name? */
bool pragma_has_variable(const struct pragma *p, const char *name);

/* Does it have a value that is computed when the region ends? */
bool pragma_computes(const struct pragma *p);

/* Whether it is a word of the language, which cannot name an experiment. */
bool pragma_is_reserved(const char *name);

#endif
