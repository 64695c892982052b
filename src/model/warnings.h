/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The warnings of a fit: a list of code, text, advice. */
#ifndef MODEL_WARNINGS_H
#define MODEL_WARNINGS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/memory.h"

struct warning {
    const char *code;   /* stable, for programs: "two-modes" */
    const char *text;   /* what was found */
    const char *advice; /* what to do; "" if there is nothing */
};

struct warnings {
    struct warning *list;
    size_t n, capacity;
};

/* Whether it is about the machine or the runs, and not about the region: many regions have the same one. */
bool warning_is_of_machine(const struct warning *w);
/* The codes of these warnings. */
const char *const *warning_codes_of_machine(size_t *n);

/* The first one with this code; NULL if there is none. */
const struct warning *warnings_find(const struct warnings *w, const char *code);

/* Copies code and advice; text by format. */
void warnings_add(struct arena *a, struct warnings *w, const char *code, const char *advice,
                  const char *format, ...) __attribute__((format(printf, 5, 6)));

#endif
