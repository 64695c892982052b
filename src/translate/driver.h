/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The kinds of parallel program that `#pragma cll parallel DRIVER` can name. A driver of processes
 * needs no more here than its line in the table: `prefix` gives the names of its functions in the
 * run-time (cll_PREFIX_sync, cll_PREFIX_processors, cll_PREFIX_report, CLL_LINK_PREFIX) and of the
 * library that has them (libcll_PREFIX_FLAVOUR), and CLL_PREFIX(EXPR) makes a pointer of a machine.
 * CLL_TRACE_PREFIX asks for a trace. A program has at most one driver of processes, and OpenMP and a
 * driver of devices besides. BSPlib programs (BSP) run on libpub, and have the driver of PUB programs; CALL 1.0 had
 * BSP as another name of PUB, so they may also name a machine.
 */
#ifndef TRANSLATE_DRIVER_H
#define TRANSLATE_DRIVER_H

#include <stdbool.h>

#include "base/memory.h"

struct driver {
    const char *name;
    const char *const *spellings; /* case does not matter; ended by NULL */
    const char *prefix;           /* "mpi"; NULL: the driver has no processes */
    const char *machine_word;     /* CALL 1.0: WORD = "MACHINE"; NULL: it has no such form */
    bool has_trace;
    const char
        *device; /* "cuda": the driver of devices in the run-time (CLL_LINK_CUDA); NULL: none */
};

extern const struct driver *const driver_mpi, *const driver_openmp, *const driver_cuda,
                                                                        *const driver_opencl;

/* NULL if there is no such driver. */
const struct driver *driver_find(const char *spelling);

/* "SEQ, MPI, OpenMP, PUB, BSP, CUDA and OpenCL" */
const char *driver_list(struct arena *a);

#endif
