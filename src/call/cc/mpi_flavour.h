/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which MPI library a compiler command is for: their types differ, so each has a piece of the
 * run-time of its own (libcll_mpi_FLAVOUR). */
#ifndef CALL_CC_MPI_FLAVOUR_H
#define CALL_CC_MPI_FLAVOUR_H

#include "call/cc/args.h"

/* Does the command compile or link with MPI, as far as its words tell? */
bool mpi_flavour_likely(struct arena *a, const struct cc_args *args);

/* The words of the command that name libraries of MPI, in their order. */
struct words mpi_flavour_libraries(struct arena *a, const struct cc_args *args);

/* "openmpi", "mpich" (all libraries with its binary interface) or "smpi" (SimGrid's, which
 * simulates); NULL if that cannot be told. Asks the compiler what mpi.h defines; where it finds
 * none, the words of the command are looked at. */
const char *mpi_flavour_find(struct arena *a, const struct cc_args *args);

#endif
