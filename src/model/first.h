/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * First executions: the first one of each point on a thread in a run, and the opening execution, the
 * first one of the experiment on a thread in a run. They touch memory for the first time, fill the
 * caches, load code and open connections. Where they differ from later ones they are left out.
 */
#ifndef MODEL_FIRST_H
#define MODEL_FIRST_H

#include "model/points.h"
#include "model/rows.h"

/* The user's choice: clears `keep` of the first executions of each group on each thread in each run,
 * `skip` of them, in the order of the file. Returns how many rows. */
size_t first_skip(struct grouping *g, size_t skip);

/* llac's choice. Marks the rows of first and of opening executions, a byte per row; the caller frees
 * it. This is done before any row is taken out of its group for another reason, so that no later
 * execution takes the place of a first one. */
unsigned char *first_find(const struct grouping *g);

/* Takes the rows of first executions that differ out of their groups; a group always keeps some.
 * values: per row, overhead subtracted. Sets the fields first... and opening... of the account. */
void first_leave(struct grouping *g, const struct points_request *request,
                 const unsigned char *marks, const double *values, struct points_account *account);

#endif
