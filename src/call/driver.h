/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The kinds of parallel program that `#pragma cll parallel DRIVER` can name. To add one: make it
 * available here, and let emit.c write what its programs need into the generated header.
 */
#ifndef CALL_DRIVER_H
#define CALL_DRIVER_H

#include <stdbool.h>

#include "base/memory.h"

struct driver {
    const char *name;
    const char *const *spellings; /* case does not matter; ended by NULL */
    bool available;
};

/* NULL if there is no such driver. */
const struct driver *driver_find(const char *spelling);

/* "SEQ, MPI, OpenMP and PUB" */
const char *driver_list(struct arena *a);

#endif
