/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where counted instructions come from and what they do: for each, the line of the report that it belongs
 * to, and its class. Instructions of the program belong to a line of a source, those of a library to a
 * function of the library. Callers of memset and memcpy have sites in the same way, with bytes for instructions.
 */
#ifndef COUNT_SITES_H
#define COUNT_SITES_H

#include "count/classes.h"
#include "count/counts.h"

/* A line of the report. */
struct count_site {
    const char *file;     /* of the source as the user names it; of a library: its name */
    const char *function; /* of a library; NULL for the program */
    unsigned long line;   /* 0: not known */
};

struct count_sites {
    struct count_site *list; /* sorted by file and line */
    size_t n;
    size_t *of;                       /* per instruction of the counts: its site */
    struct instruction *instructions; /* per instruction of the counts */
    const char *architecture;         /* "aarch64"; "other" if not known */
};

/* `sources`: the user's names of the program's sources. Objects that are not there have instructions of
 * the class other; unreadable ones also give errors in `diag`. Called once: from the counts of rep stos and rep movs it takes
 * the look that finds no step left, which callgrind counts, too. */
const struct count_sites *count_sites_make(struct arena *a, struct counts *counts,
                                           const char *const *sources, size_t nsources,
                                           struct diag *diag);

/* Of an execution: without the steps of rep stos and rep movs, which callgrind counts as instructions. */
double count_sites_instructions(const struct count_sites *s, const struct execution *e);

#endif
