/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How often the terms of an experiment's constants count at its points: the figures of a count report
 * are per unit of a term, so the instructions of a constant at a point are its figure times the units.
 */
#ifndef COUNT_UNITS_H
#define COUNT_UNITS_H

#include <jansson.h>
#include <stddef.h>

#include "base/memory.h"

struct count_units {
    size_t npoints, nconstants;
    const double *executions; /* of each point */
    const double *const
        *of; /* of[constant][point]: the term's value there, times the executions. NULL
                                 for a constant whose term cannot be evaluated at every point */
};

/* Of an element of "experiments". Never fails: members that are missing or have other types make the
 * units of a constant unknown. Lives in the arena. */
struct count_units count_units(const json_t *experiment, struct arena *a);

#endif
