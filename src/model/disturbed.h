/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Samples that something other than the region made longer: what the file says of them, and which
 * ones are left out. First executions: first.h.
 *
 * The run-time writes the CPU time of long executions and what disturbed them (the columns CPUTIME and
 * disturbed). Only a core that was taken away disturbs; a region that sleeps or waits is measured
 * as it is.
 */
#ifndef MODEL_DISTURBED_H
#define MODEL_DISTURBED_H

#include "model/points.h"
#include "model/rows.h"

/* Before the ranks are united: takes rows out of their groups (a group always keeps some), or
 * replaces their values by the CPU time where a group would lose all of them. values: per row,
 * overhead subtracted. Begins the account. */
void disturbed_leave(struct grouping *g, const struct points_request *request, double *values,
                     struct points_account *account);

/* The column that says what disturbed each row, or NULL. */
const struct column *disturbed_column(const struct experiment *e);
/* Did the execution have page faults? 1: yes, -1: none was seen, 0: the file does not say. */
int disturbed_faulted(const struct column *flags, size_t row);

/* Was this observable measured for long executions only? Of a short execution it is then known only
 * if something made that one long, so such points are not used. */
bool disturbed_is_rare(const struct experiment *e, const char *observable);

/* What the file says of the long executions of an experiment, without points. */
struct disturbed_counts {
    size_t watched, preempted, waited, migrated, faulted;
};
struct disturbed_counts disturbed_count(const struct experiment *e);

#endif
