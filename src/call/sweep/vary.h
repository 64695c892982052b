/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * --vary NAME=RANGE: numbers that take the place of {NAME} in the arguments of a program. call run and
 * call discover read them alike, and run the program at the same combinations.
 *
 *     struct vary v = {.arena = a, .self = "call run"};
 *     status = vary_read(&v, "n=100:800:2");          // for each option
 *     status = status ? status : vary_make(&v, &arguments);
 *     w = vary_words(&v, &arguments, v.rows[0]);      // of the first run
 */
#ifndef CALL_SWEEP_VARY_H
#define CALL_SWEEP_VARY_H

#include "base/range.h"
#include "call/process.h"
#include "discover/discover.h"

enum { VARY_MOST = DISCOVER_MOST_VARIABLES };

struct vary {
    struct arena *arena;
    const char *self; /* the command, for messages */
    const char *names[VARY_MOST];
    struct range sizes[VARY_MOST]; /* ascending, each once */
    size_t n;
    const char *also; /* a text beside the command that may have variables; NULL: none */
    size_t unmarked;  /* the variable that need not be in the command, P; SIZE_MAX: none */
    int64_t (*rows)[VARY_MOST];
    size_t nrows;
};

/* One option. 0, or the exit status after a message. */
int vary_read(struct vary *v, const char *value);
/* A further variable, which is no option. 0, or the exit status after a message. */
int vary_add(struct vary *v, const char *name, struct range sizes);
/* The index of a variable; SIZE_MAX if there is none of this name. */
size_t vary_find(const struct vary *v, const char *name, size_t n);

/* The rows: one variable has all of its sizes; several have all combinations, if they are few, else each variable alone, with the
 * others at their smallest size, and combinations of the three smallest sizes. Small ones come first. Each variable must be in
 * the command, or in `also`. 0, or the exit status after a message. */
int vary_make(struct vary *v, const struct words *command);

/* The words of the command for a row. */
struct words vary_words(const struct vary *v, const struct words *command, const int64_t *row);
/* The row as a text: vary_text(v, row, " = ", ", ") is "n = 100, m = 32". In the arena. */
const char *vary_text(const struct vary *v, const int64_t *row, const char *equals,
                      const char *between);

#endif
