/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Expressions over the samples of an experiment: conditions that use observables, and observables that
 * are computed from others, such as size/CLOCK.
 *
 * An observable that uses CLOCK is computed from the time that is left after the preparation: first
 * executions and preempted samples are left out, and the rank that counts is chosen, as for CLOCK
 * itself. If it falls where CLOCK grows, its statistic is taken from the other end: the 10th
 * percentile of times belongs to the 90th percentile of a bandwidth.
 *
 * points_make calls these functions, and they call points_make: CLOCK(P=1) is the value of a point.
 */
#ifndef MODEL_OBSERVE_H
#define MODEL_OBSERVE_H

#include "model/rows.h"

enum { OBSERVE_BLOCK = 4096 };

/* Columns that an expression can be compiled over. */
struct observe_columns {
    const char **names;
    const struct column **columns;
    size_t n, room;
};

/* Variables, P and the other fixed columns, and what the headers say. */
struct observe_columns observe_fixed(struct arena *a, const struct points_request *request);
/* Whether the experiment has all that the expression uses. */
bool observe_applies(struct arena *a, const struct points_request *request,
                     const struct observe_columns *c, const struct formula *f);
/* The expression with its references, CLOCK(P=1), replaced by columns; these and the observables that it
 * uses are added. NULL with an error. */
const struct formula *observe_expression(struct arena *a, const struct points_request *request,
                                         const struct formula *f, struct diag *diag,
                                         struct observe_columns *columns);

/* The columns block by block, for formula_evaluate. */
struct observe_blocks {
    const struct observe_columns *columns;
    double *filled;
    const double **block;
};
struct observe_blocks observe_blocks(struct arena *a, const struct observe_columns *c);
const double *const *observe_block(struct observe_blocks *b, size_t row);

/* The observable of a request. */
struct observed {
    const struct column *column; /* as measured, or as computed from what was measured */
    bool computed, of_clock;
    bool falls; /* where CLOCK grows */
    struct observe_columns columns;
    size_t clock; /* of CLOCK in the columns */
    const struct formula_program *program;
};
/* Finds it, or computes it for all rows. 0, or -1 with an error. */
int observe_begin(struct arena *a, const struct points_request *request, struct diag *diag,
                  struct observed *out);
/* After the preparation, for an observable that uses CLOCK: values[row] is CLOCK of each row that is in
 * a group, and becomes the value of the observable. */
void observe_finish(const struct observed *o, struct grouping *g, double *values);

#endif
