/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Dumps of callgrind: files in its "callgrind format", as written with --dump-instr=yes and
 * --dump-line=yes. A file has one part for each dump, also several with --combine-dumps=yes.
 *
 *     struct callgrind_handler h = {.user = &sums, .part = begin, .cost = add};
 *     if (callgrind_read(&source, &h, arena, diag))
 *         diag_print(diag, stderr, 0);
 *
 * The reader passes on what instructions cost themselves. Lines about calls, whose costs are those of
 * the called functions, are read over. Names may be compressed ("(3)" for a name that was given
 * before), and positions may be relative to those of the line before ("+4", "-2", "*").
 */
#ifndef COUNT_CALLGRIND_H
#define COUNT_CALLGRIND_H

#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/memory.h"

enum { CALLGRIND_MAX_EVENTS = 32 };

struct callgrind_part {
    long pid;            /* 0: the file does not tell */
    unsigned thread;     /* from 1; 0: the threads are not separated */
    const char *trigger; /* what caused the dump; "" if the file does not tell */
    const char *const *events;
    size_t nevents;
};

/* Names are "" if the file does not tell them, "???" if callgrind did not know them. They live as
 * long as the arena, and equal names are equal pointers within a part. */
struct callgrind_cost {
    const char *object, *file, *function;
    uint64_t address;
    unsigned long line;
    const uint64_t *costs; /* one per event */
};

struct callgrind_handler {
    void *user;
    void (*part)(void *user, const struct callgrind_part *part); /* before its costs */
    void (*cost)(void *user, const struct callgrind_cost *cost);
};

/* Reads a whole file. Returns 0; or -1 with an error in `diag` that names the line, if the text is not
 * in this format, is cut off, or it states other sums than it has. The handler may have been
 * called before. `source` must live as long as the diagnostics. */
int callgrind_read(const struct source *source, const struct callgrind_handler *handler,
                   struct arena *a, struct diag *diag);

#endif
