/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Functions of the list of `call discover` (timed.h) that cannot have a region. What is compiled is then compiled without
 * these, and the others keep theirs. A file beside the list tells `call discover`, with a line for each:
 *
 *     r12 computed goto
 */
#ifndef CALL_CC_REFUSED_H
#define CALL_CC_REFUSED_H

#include <stdbool.h>
#include <stddef.h>

#include "translate/unit.h"

/* The name of that file is the list's, and this. */
#define REFUSED_ENDING ".refused"

/* Was the region refused, in this process? */
bool refused_has(const char *name);
/* Refuses it and reports it. */
void refused_add(const char *name, const char *why);
/* The line in the file alone: another command may have the region. */
void refused_report(const char *name, const char *why);
/* So many were refused in this process. */
size_t refused_count(void);

/* Refuses the regions of the list that the errors of the unit are in. Returns whether there are any: without them the unit may be
 * good. */
bool refused_find(const struct unit *u);

#endif
