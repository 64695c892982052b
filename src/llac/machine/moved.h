/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The intervals of a model's constants on another machine: which cache explains that constants change, and where the
 * working set leaves that cache there.
 */
#ifndef LLAC_MACHINE_MOVED_H
#define LLAC_MACHINE_MOVED_H

#include "carry/moved.h"
#include "model/predict.h"

/* A variable, or an expression such as N/P, whose intervals end somewhere else. */
struct moved_variable {
    const char *name;
    const char
        *along; /* the variable of the place that is varied: the same, or one of the expression */
    const char *text; /* of the working set, */
    const struct formula
        *working_set; /* whose units have `bytes` bytes, nan if no cache explains a boundary */
    double bytes;
    double power; /* with which the working set grows with it */
    struct moved_boundary *boundaries;
    double *here, *there; /* its values */
    double *inside;       /* n + 1 values of `along`: one in each interval there */
    size_t n;
};

struct moved_model {
    const struct model *model;
    struct moved_level levels[MOVED_LEVELS];
    size_t nlevels;
    struct moved_variable *variables;
    size_t nvariables;
};

/* At a place that gives every variable of the formula. `communicates`: the region does, or it uses an accelerator, so no cache of the processor explains a boundary
 * unless the user states a working set. `working_set`: bytes, as the user states it; NULL = from the terms. 0, or -1 with
 * a diagnostic. In the arena. */
int moved_find(struct arena *a, const struct model *m, const struct place *place,
               const struct machine *from, const struct machine *to, bool communicates,
               const struct formula *working_set, struct diag *diag, struct moved_model *out);

/* The place here where the working set is in the same levels as it is at `place` there, if a boundary is off by `off` times
 * the working set (1: where it is expected). In the arena. */
struct place moved_place(struct arena *a, const struct moved_model *m, const struct place *place,
                         double off);

/* The first level that the working set leaves at this place there, although no data are beyond it here; NULL if there is
 * none. */
const struct moved_level *moved_never_left(struct arena *a, const struct moved_model *m,
                                           const struct place *place);

#endif
