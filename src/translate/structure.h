/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The statements of a program, as far as regions need them: blocks, labels, jumps, declarations,
 * and which pragma begins and ends which region. Everything is a position in the stream of items,
 * so that "inside a region" is a comparison of numbers.
 */
#ifndef TRANSLATE_STRUCTURE_H
#define TRANSLATE_STRUCTURE_H

#include "translate/unit.h"

/* How deep statements, blocks and regions nest. A block that a control statement governs is a
 * level of its own. Parentheses and chains of "else if" do not count. */
enum { STRUCTURE_MAX_DEPTH = 1000 };

struct block {
    size_t begin, end; /* items of its braces */
    bool is_switch;    /* the body of a switch */
};

struct region {
    size_t begin, end; /* items of its pragmas */
    uint32_t block;
    uint32_t function;
    bool is_for, single; /* single: one statement is expected at its place */
    bool closed;
    bool excused; /* complained about: no further message */
    bool after_label, end_after_label;
    const char *
        constant; /* C++: the function around it is "constexpr" or "consteval", or "__global__" or "__device__"; else NULL */
    bool in_team; /* inside an OpenMP parallel construct */
    const char *no_barrier; /* the OpenMP construct around it that forbids a barrier */
    uint32_t scope;         /* the innermost default(none) around it: its number, 1...; 0 = none */
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

/* What becomes of a declared name when the block ends. */
enum declare_life {
    DECLARE_NAME,  /* the name is unknown after it */
    DECLARE_ARRAY, /* a pointer may still point to it */
    DECLARE_OBJECT /* C++: it may have a destructor, which would run */
};

struct declaration {
    size_t item;
    uint32_t name, block;
    enum declare_life life;
};

/* C++: co_await or co_yield. */
struct suspension {
    size_t item;
    uint32_t function;
};

/* An OpenMP directive with default(none), and the number of the one around it. */
struct closed_scope {
    size_t directive; /* item */
    uint32_t outer;
};

/* All lists but the blocks and the jumps are in the order of their items. */
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
    struct suspension *suspensions;
    size_t nsuspensions, csuspensions;
    struct closed_scope *scopes;
    size_t nscopes, cscopes;
    size_t *teams; /* directives of OpenMP parallel constructs, ascending */
    size_t nteams, cteams;
    size_t *team_reports; /* `report` pragmas inside parallel constructs */
    size_t nteam_reports, cteam_reports;
};

/* Reads the stream. Misplaced pragmas are complained about to `diag`. Lives in the unit's arena. */
struct structure *structure_read(struct unit *u, const struct stream *s, struct diag *diag);

/* The names a declaration [begin, end) declares (declare.c), each with its item. */
typedef void declare_found(void *user, size_t item, enum declare_life life);
void declare_names(const struct stream *s, size_t begin, size_t end, declare_found *found,
                   void *user);
/* Does the statement that begins at item `at` declare something? */
bool declare_starts(const struct unit *u, const struct stream *s, size_t at);
/* The same for a statement of C++ (cxx_declare.c). Returns whether it declares something. */
bool cxx_declare(const struct unit *u, const struct stream *s, size_t begin, size_t end,
                 declare_found *found, void *user);
/* C++: the item after the `>` that closes the `<` at `at`; 0 if it is a comparison. */
size_t cxx_skip_angles(const struct stream *s, size_t at);
/* The item after the bracket that closes the one at `at`. */
size_t stream_skip(const struct stream *s, size_t at);

/* Where names are used and jumps lead (uses.c). Items are ascending, ranges exclude their ends. */
struct uses;
struct uses *uses_create(struct unit *u, const struct stream *s, const struct structure *t);
/* The first use of the name in (after, before); 0 without a use. Members do not count. */
size_t uses_between(struct uses *x, uint32_t name, size_t after, size_t before);
/* Is the punctuator written before a use of the name in (after, before)? */
bool uses_behind(struct uses *x, uint32_t name, uint32_t punctuator, size_t after, size_t before);
/* Does an item in (begin, end) look like the declaration of the name: after a type, or after its
 * stars? */
bool uses_declared(struct uses *x, uint32_t name, size_t begin, size_t end);

/* A goto and the label it means. */
struct leap {
    size_t from, to; /* items */
};
/* The list [*first, *first + count) of leaps whose label is in (begin, end). */
size_t uses_leaps_to(struct uses *x, size_t begin, size_t end, const struct leap **first);
/* The same, of those whose goto is in (begin, end). */
size_t uses_leaps_from(struct uses *x, size_t begin, size_t end, const struct leap **first);
/* A goto outside of [begin, end] to a label inside; NULL without one. */
const struct leap *uses_leap_into(struct uses *x, size_t begin, size_t end);

/* How many elements of an ascending list of items at the head of each struct are up to `item`. */
size_t uses_count_to(const void *list, size_t n, size_t size, size_t item);

/* The values at the end of a region: complains about what cannot be read there, and finds their leaves (late.c). */
void late_check(struct unit *u, const struct stream *s, const struct structure *t, struct uses *x,
                const struct region *r, struct diag *diag);

/* Where `sync` is not possible: in or around OpenMP constructs. `no_barrier`: the one that forbids a barrier; NULL = none. */
void check_sync(const struct unit *u, const struct pragma *p, bool in_team, const char *no_barrier,
                struct diag *diag);

/* The rules about the places of regions, and what becomes of each pragma (check.c). */
void check_structure(struct unit *u, const struct stream *s, const struct structure *t,
                     struct diag *diag);

#endif
