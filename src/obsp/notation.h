/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Inside the notation (docs/reference/obsp-notation.md): what the reader makes of a file and the
 * runner executes.
 *
 * The statements become a flat list of instructions. Each processor executes it as a coroutine, which
 * pauses where its object meets: at the end of a superstep and at a split.
 */
#ifndef OBSP_NOTATION_H
#define OBSP_NOTATION_H

#include <stdbool.h>
#include <stddef.h>

#include "base/diag.h"
#include "base/memory.h"
#include "formula/formula.h"
#include "obsp/source.h"

enum {
    NOTATION_MAX_SIZE = 1 << 20, /* bytes of a file */
    NOTATION_MAX_BLOCKS = 100,   /* for, if, split and proc inside one another */
    NOTATION_MAX_DEPTH = 500     /* calls and splits inside one another */
};

/* What an execution may take. */
struct notation_limits {
    long statements; /* of a processor in one superstep */
    long supersteps; /* of an object */
    size_t messages; /* of all processors of an object in one superstep */
    size_t values;   /* of the names of all processors */
    size_t events;   /* that the reader of the source has not taken */
    size_t fitted;   /* different values that depend on experiments */
    size_t uses;     /* of such values in events that are not taken */
};
extern const struct notation_limits notation_limits;

/* Where a name has its value. */
enum notation_space {
    SPACE_PARAM, /* the same for all processors, before they begin */
    SPACE_FILE,  /* of the file: one for each processor */
    SPACE_OWN,   /* of the procedure that is being executed */
    SPACE_PID,
    SPACE_NPROCS,
    SPACE_GROUP
};

struct notation_slot {
    enum notation_space space;
    size_t index;
};

struct notation_expression {
    struct span span;
    const struct formula *formula;
    const struct formula_program *program; /* NULL if it asks models */
    const struct notation_slot *slots;     /* of the columns of the program */
    const char *const *names;              /* the same as text */
    size_t n, named; /* the first ones are in the formula; models may need the others */
    bool asks;       /* experiments or definitions */
    bool fixed;      /* depends on parameters alone */
    double value;
};

/* The values that depend on experiments (notation_fitted.c): one for each expression and the values of its names. */
struct notation_fitted;
struct notation_fitted *notation_fitted_create(struct arena *a, const struct obsp_models *models,
                                               const struct source *source, struct diag *diag);
/* NULL after an error, which was reported; or, with *full, if there are more than `most`. by[k] is what values[k]
 * depends on. */
struct obsp_fitted *notation_fitted_find(struct notation_fitted *f,
                                         const struct notation_expression *e, const double *values,
                                         struct obsp_fitted *const *by, size_t most, bool *full);

/* Where a message goes: to one processor, or from one to another one. */
struct notation_target {
    const struct notation_expression *from, *to; /* `to` is NULL for one processor */
};

enum notation_operation {
    DO_ASSIGN, /* slot = a */
    DO_START,  /* a */
    DO_WORK,   /* a */
    DO_SEND,   /* targets : a */
    DO_ALL,    /* a bytes to all processors */
    DO_OTHERS, /* a bytes to all but itself */
    DO_SYNC,
    DO_OBLSYNC, /* a: expected messages; NULL = not stated */
    DO_JUMP,    /* to `next` */
    DO_UNLESS,  /* condition a: to `next` if it does not hold */
    DO_FOR,     /* slot = a; the two slots after `hidden` = b, c */
    DO_TEST,    /* the loop is over: to `next` */
    DO_STEP,    /* slot += step; to `next` */
    DO_CALL,    /* procedure with arguments */
    DO_RETURN,
    DO_SPLIT_IN, /* a groups */
    DO_SPLIT_AT, /* targets are the bounds */
    DO_LEAVE,    /* the group */
    DO_END
};

struct notation_procedure {
    const char *name;
    struct span span;   /* of the name */
    const char **names; /* of its own values; the arguments first */
    size_t nnames, capacity, arguments;
    size_t entry;   /* its first instruction */
    size_t nvalues; /* of its own, with the hidden ones of loops */
    bool begun;     /* its definition was read */
};

struct notation_instruction {
    enum notation_operation operation;
    struct span span;
    const struct notation_expression *a, *b, *c;
    struct notation_slot slot;
    size_t hidden, next;
    const struct notation_target *targets;
    const struct notation_procedure *procedure;
    const struct notation_expression *const *arguments;
    size_t n; /* targets or arguments */
};

struct notation_program {
    struct arena *arena;
    struct source source; /* in the arena */
    struct notation_instruction *code;
    size_t n, capacity;
    const double *params;
    struct obsp_fitted *const *params_by; /* what they depend on, each NULL = nothing */
    struct notation_fitted *fitted;       /* NULL if nothing asks models */
    size_t nfile;                         /* values of the file that each processor has */
    size_t most_columns;                  /* of an expression */
    int processes;
};

/* Reads the text of a file. All memory is of the arena. NULL with errors in `diag`. `text` is changed. */
const struct notation_program *notation_read(struct arena *a, const char *path, char *text,
                                             size_t size, const struct obsp_values *values,
                                             struct diag *diag);

/* A source of the supersteps of a program, whose arena it owns from now on. The limits must live as
 * long. */
struct obsp_source *notation_run(const struct notation_program *program,
                                 const struct notation_limits *limits, struct diag *diag);

/* The functions that formulas of the notation have beside those of all formulas. */
extern const struct formula_function notation_functions[];
extern const struct formula_machine notation_computer;

#endif
