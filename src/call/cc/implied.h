/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which kind of parallel program a source belongs to that has no `#pragma cll parallel`. */
#ifndef CALL_CC_IMPLIED_H
#define CALL_CC_IMPLIED_H

#include <stdbool.h>
#include <stddef.h>

#include "translate/unit.h"

/* Is a compiler of this name one of an MPI library? */
bool implied_is_mpi(const char *name);

/* The headers of parallel libraries, of all languages; NULL ends the list. */
extern const char *const implied_headers[];
/* Does the text name one of them, or a module of MPI, wherever that is? */
bool implied_is_named(const char *text, size_t size);

/* The driver that the headers of a source tell (mpi.h, pub.h, bsp.h), or the modules and included files of a
 * Fortran source (mpi, mpi_f08, mpif.h), else the one that its compiler tells; NULL = none. `text`: the source,
 * in which an #include of C inside a conditional tells nothing, or what the preprocessor made of it. */
const struct driver *implied_driver(enum language language, const char *text, size_t size,
                                    bool mpi_compiler);

/* Is the statement [s, end) of Fortran USE [[, NATURE] ::] MODULE? */
bool implied_uses(const char *s, const char *end, const char *module);

/* Says that it was used for this unit, if it was. `self`: the command. */
void implied_note(const struct unit *u, const char *self);

#endif
