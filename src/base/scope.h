/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What memory.c tells scope.c: which pieces the open scope would free (see mem_scope_begin). */
#ifndef BASE_SCOPE_H
#define BASE_SCOPE_H

#include <stdbool.h>

/* The number of the open scope, another for each; 0 = none is open. */
unsigned scope_open(void);
/* Nothing happens when no scope is open. A piece that cannot be noted is not freed by the scope. */
void scope_add(void *p);
/* Whether it was noted. */
bool scope_remove(const void *p);

#endif
