/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Regions that nobody wrote: around the bodies of functions that a list names. `call discover` measures with
 * them, and writes them into the sources with --write.
 *
 * A list has a line for each function: its region, the place of its name and of its last character (line and
 * column, from 1; 0 0: not known), and the file, separated by single blanks:
 *
 *     r12 31 5 47 1 /home/me/pairs.c
 */
#ifndef CALL_CC_TIMED_H
#define CALL_CC_TIMED_H

#include "base/memory.h"
#include "translate/lex.h"

/* While this variable of the environment names a list, `call cc` puts its regions into what it compiles. */
#define TIMED_VARIABLE "CLL_DISCOVER_REGIONS"

struct timed_region {
    const char *name;
    unsigned line, column, end_line, end_column;
    const char *begin,
        *end; /* the lines that are written; NULL: in C, _Pragma operators, which change no line */
};

/* The list that the environment names, read once; NULL if it names no list. */
const char *timed_list(void);
/* What is compiled from now on gets no regions, for this reason; NULL: it gets them again. */
void timed_refuse_all(const char *why);
/* The regions of the list that are in this file and are not refused (refused.h). *n gets their number. In the arena. */
struct timed_region *timed_find(struct arena *a, const char *list, const char *real, size_t *n);

/* Blanks out the regions that the text has of its own: time in them would be missing in the functions around them.
 * Lines and columns stay. */
void timed_blank(struct arena *a, enum language language, char *text, size_t size);

/* The text with the regions, in the arena. A function whose body is not found, or where a region cannot be, stays as it
 * is: why[i] tells the reason, and NULL of those that have one (`why` may be NULL). */
char *timed_put(struct arena *a, enum language language, bool fixed, const char *text, size_t size,
                const struct timed_region *regions, size_t n, const char **why, size_t *new_size);

#endif
