/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What times are added up over, for `rank`: a unit. If each run of the program was at one place, as a
 * program that gets its size from the command line, the unit is a run, and the executions of a region
 * in it count. If one run was at several places, as in a sweep inside the program, how often a region
 * was executed says nothing about the program. Then the unit is one execution of each outermost
 * region, with all that it contains.
 */
#ifndef LLAC_RANK_UNITS_H
#define LLAC_RANK_UNITS_H

#include "base/tuples.h"
#include "llac/session.h"

/* One unit in which a region was executed. */
struct unit_sample {
    const double *at; /* the place of the unit, per name; nan where it has none */
    double executions;
    const double *own; /* per variable of the region: its value in all executions; nan = several */
};

/* The units of one kind: runs, or executions of one outermost experiment. */
struct unit_group {
    const struct experiment *outer; /* NULL: runs */
    struct unit_sample *samples;
    size_t n;
};

struct unit_region {
    struct unit_group *groups;
    size_t ngroups;
    const char
        *elsewhere; /* a name that has other values in the region than in its unit; or NULL */
};

struct units {
    bool of_runs;
    bool alone;      /* what contains what is not known: each execution is a unit of its own */
    const char *why; /* a unit is not a run: the reason */
    const char *const *names;
    size_t nnames;
    struct unit_run *runs;
    size_t nruns;
    struct tuples *files_and_runs; /* of the runs */
};

/* Which units the data have, at places that these variables tell apart. In the arena. */
struct units units_find(struct session *s, struct arena *a, const char *const *names, size_t n);
void units_free(struct units *u);
/* The executions of a region. In the arena. */
struct unit_region units_of(struct session *s, struct arena *a, const struct units *u,
                            const struct experiment *e);

#endif
