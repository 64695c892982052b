/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The statements of a program, as far as regions need them: blocks, labels, jumps, declarations,
 * and which pragma begins and ends which region. Everything is a position in the stream of items,
 * so that "inside a region" is a comparison of numbers.
 */
#ifndef CALL_STRUCTURE_H
#define CALL_STRUCTURE_H

#include "call/unit.h"

enum { STRUCTURE_MAX_DEPTH = 400 }; /* nesting of blocks, statements and parentheses */

struct block {
    size_t begin, end; /* items of its braces */
    bool is_switch;    /* the body of a switch */
};

struct region {
    size_t begin, end; /* items of its pragmas */
    uint32_t block;
    uint32_t function;
    bool is_for, single; /* single: stands where one statement is expected */
    bool closed;
    bool excused; /* complained about: no further message */
    bool after_label, end_after_label;
    bool in_team;           /* inside an OpenMP parallel construct */
    const char *no_barrier; /* the OpenMP construct around it in which no barrier may stand */
};

struct label {
    size_t item;
    uint32_t name, block, function;
};

struct jump {
    size_t item;
    uint32_t name; /* of the label; 0 = computed */
    uint32_t function;
};

struct case_label {
    size_t item, switch_item;
};

struct declaration {
    size_t item;
    uint32_t name, block;
    bool is_array;
};

/* The statement of an OpenMP directive with default(none). */
struct closed_scope {
    size_t directive, end; /* items */
};

/* An OpenMP parallel construct, and the item of its directive. */
struct team {
    size_t directive, end;
};

struct structure {
    struct block *blocks;
    size_t nblocks, cblocks;
    struct region *regions;
    size_t nregions, cregions;
    struct label *labels;
    size_t nlabels, clabels;
    struct jump *jumps;
    size_t njumps, cjumps;
    struct case_label *cases;
    size_t ncases, ccases;
    struct declaration *declarations;
    size_t ndeclarations, cdeclarations;
    struct closed_scope *scopes;
    size_t nscopes, cscopes;
    struct team *teams;
    size_t nteams, cteams;
    size_t *team_reports; /* `report` pragmas inside parallel constructs */
    size_t nteam_reports, cteam_reports;
};

/* Reads the stream. Misplaced pragmas are complained about to `diag`. Lives in the unit's arena. */
struct structure *structure_read(struct unit *u, const struct stream *s, struct diag *diag);

/* The names a declaration [begin, end) declares (declare.c), each with its item. */
typedef void declare_found(void *user, size_t item, bool is_array);
void declare_names(const struct stream *s, size_t begin, size_t end, declare_found *found,
                   void *user);
/* Does the statement that begins at item `at` declare something? */
bool declare_starts(const struct unit *u, const struct stream *s, size_t at);
/* The item behind the bracket that closes the one at `at`. */
size_t stream_skip(const struct stream *s, size_t at);

/* The rules about where regions may stand, and what becomes of each pragma (check.c). */
void check_structure(struct unit *u, const struct stream *s, const struct structure *t,
                     struct diag *diag);

#endif
