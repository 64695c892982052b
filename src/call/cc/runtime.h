/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the run-time is: cll.h, libcll, llac. Found relative to `call` itself, so that an installed
 * tree can be moved. */
#ifndef CALL_CC_RUNTIME_H
#define CALL_CC_RUNTIME_H

#include "translate/driver.h"
#include "call/process.h"

struct cc_args;

struct runtime {
    const char *include; /* the folder of cll.h */
    const char *library; /* the folder of libcll */
    bool has_papi;       /* libcll_papi is there */
    const char *mpi;     /* the MPI library whose pieces are linked (mpi_flavour.h); NULL = none */
    struct words mpi_libraries; /* the words of the command that name this library */
};

/* Looks at $CLL_PREFIX, else beside the running program. 0, or -1 after a message. */
int runtime_find(struct arena *a, struct runtime *out);

/* What programs of this MPI library and driver need and is not there, "libcll_mpi_openmpi.a"; NULL:
 * all is there. */
const char *runtime_lacks(struct arena *a, const struct runtime *r, const struct driver *driver,
                          const char *flavour);

/* The MPI libraries for whose programs the run-time has its piece: "openmpi". */
struct words runtime_flavours(struct arena *a, const struct runtime *r);

/* Is the program one that SimGrid simulates? */
bool runtime_is_simulated(const struct runtime *r);

/* A program of ours in the folder of `call`; NULL if it is not there. */
const char *runtime_program(struct arena *a, const char *name);

/* An archive of the run-time; NULL if it is not there. */
const char *runtime_library(struct arena *a, const char *name);

/* What a compile command needs, so that a source can include <cll.h>: its folder, searched last.
 * Nothing where the run-time is not found: a source that does not ask for it needs none. */
void runtime_search(struct arena *a, struct words *out);

/* What a link command needs at its end. `cuda`: the command, if its program has CUDA, else NULL. */
void runtime_link(struct arena *a, const struct runtime *r, const struct cc_args *cuda,
                  struct words *out);

#endif
