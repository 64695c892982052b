/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Samples that something other than the region made longer: preempted ones, and first executions.
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
 * replaces their values by the CPU time where a group would lose all of them. is_time: the observable
 * is a time; values: per row, overhead subtracted. */
void disturbed_leave(struct grouping *g, const struct points_request *request, bool is_time,
                     double *values, struct points_account *account);

/* Was this observable measured for long executions only? Of a short execution it is then known only
 * if something made that one long, so such points are not used. */
bool disturbed_is_rare(const struct experiment *e, const char *observable);

/* What the file says of the long executions of an experiment, without points. */
struct disturbed_counts {
    size_t watched, preempted, waited, migrated;
};
struct disturbed_counts disturbed_count(const struct experiment *e);

#endif
