/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the readers of a Fortran source share: fortran_read.c reads program units and constructs, fortran_openmp.c the
 * directives of OpenMP, fortran_directive.c ours. All of them keep one stack of frames.
 */
#ifndef TRANSLATE_FORTRAN_READER_H
#define TRANSLATE_FORTRAN_READER_H

#include "translate/fortran.h"

enum frame_kind {
    FRAME_UNIT,      /* a program unit or a procedure */
    FRAME_NO_CODE,   /* an interface block, the definition of a type or of enumerators */
    FRAME_ASSIGN,    /* WHERE, FORALL */
    FRAME_CONSTRUCT, /* IF, ASSOCIATE, BLOCK, CRITICAL, CHANGE TEAM */
    FRAME_DO,
    FRAME_SELECT,
    FRAME_OMP,
    FRAME_REGION /* a region or a loop `cll for` */
};

struct frame {
    enum frame_kind kind;
    const char *word;           /* what ends it: "do"; of OpenMP: the construct */
    const char *name;           /* of the construct; NULL without one */
    unsigned label;             /* of a DO that ends with a label */
    bool pure;                  /* a procedure without side effects */
    bool has_code;              /* statements may be here; SELECT: after the first CASE */
    bool concurrent;            /* DO CONCURRENT */
    bool waits;                 /* OpenMP: its loop is expected */
    bool team;                  /* OpenMP: a parallel construct */
    bool no_barrier;            /* OpenMP: it allows no barrier */
    size_t region;              /* FRAME_REGION: its number */
    const struct pragma *first; /* the first of our directives that became statements here */
};

/* Branches (fortran_branch.c). A label of a statement; a place that leads to a label. `region`: the
 * innermost region around it. */
struct fortran_label {
    unsigned number;
    size_t region;
};
struct fortran_branch {
    unsigned number;
    size_t begin, end; /* the digits */
    size_t region;
    bool conditional;
};
struct fortran_labels {
    struct fortran_label *labels;
    size_t nlabels, clabels;
    struct fortran_branch *branches;
    size_t nbranches, cbranches;
    unsigned fresh; /* the last label that was made */
};

/* A name that a type declaration has: a variable, unless it is called. */
struct fortran_typed {
    const char *name;
    size_t place; /* of the last byte of its declaration */
    bool called;  /* in a region */
    bool other;   /* an array, a statement function, or declared in another way as well */
};

struct reader {
    struct unit *unit;
    struct fortran *f;
    const struct fortran_statement *st;
    struct frame *frames;
    size_t nframes, cframes;
    size_t region; /* the innermost open one; 0 = none */
    struct fortran_labels labels;
    const char *name;            /* of the construct that the statement begins */
    unsigned label;              /* of the statement */
    struct fortran_typed *typed; /* of the procedure */
    size_t ntyped, ctyped;
    const struct fortran_statement *head; /* of the procedure */
};

struct frame *fortran_top(const struct reader *r);
struct frame *fortran_push(struct reader *r, enum frame_kind kind, const char *word);
/* Where the statement begins in the text. */
size_t fortran_position(const struct reader *r);
const struct pragma *fortran_region_pragma(const struct reader *r, size_t region);
const char *fortran_region_name(const struct reader *r, size_t region);
/* Drops constructs of OpenMP at the top: their end directives are optional. */
void fortran_drop_openmp(struct reader *r);
/* Drops the innermost region, which is at the top. */
void fortran_drop_region(struct reader *r);

/* The branches of the action statement from byte i on (fortran_branch.c). */
void fortran_branches(struct reader *r, size_t i);
/* The labels and branches of one procedure are complete: makes the edits, and forgets them. */
void fortran_connect(struct reader *r);
/* An error at a place of the text; if it is not in the user's source, at the region's begin. */
void fortran_complain(struct reader *r, size_t place, size_t length, size_t region,
                      const char *format, ...) __attribute__((format(printf, 5, 6)));

/* A directive of OpenMP (fortran_openmp.c). */
void fortran_read_openmp(struct reader *r);
/* The construct of OpenMP around this place: one with a team, or one that allows no barrier. NULL without one. */
const char *fortran_openmp_around(const struct reader *r, bool team);

/* Functions that only a type declares (fortran_external.c): the head of a procedure, a declaration and another statement
 * from byte i on, and its end. */
void fortran_note_head(struct reader *r);
void fortran_note_declaration(struct reader *r, size_t i);
void fortran_note_calls(struct reader *r, size_t i);
void fortran_declare_external(struct reader *r);
/* What may follow the name of a type: *8, (4). Returns the byte after it and the blanks. */
size_t fortran_skip_kind(const struct fortran_statement *st, size_t i);

/* A statement that gives names another meaning in a construct: none of them is in a value that is computed when a
 * region around it ends (fortran_late.c). From byte i on; `declares`: it is a declaration. */
void fortran_check_late(struct reader *r, size_t i, bool declares);

/* One of our directives (fortran_directive.c). */
void fortran_read_directive(struct reader *r);

#endif
