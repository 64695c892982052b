/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The start-up of a traced program: the first supersteps, if their synchronisations take much longer than later ones
 * with the same h, because connections are opened and memory is used for the first time.
 *
 *     size_t n;
 *     if (obsp_startup_find(a, source, costs, OBSP_H_MAX, diag, &n) == 0 && n)
 *         printf("start-up: %zu supersteps\n", n);
 */
#ifndef OBSP_STARTUP_H
#define OBSP_STARTUP_H

#include "obsp/evaluate.h"

/* *supersteps gets their number, in plain BSP; 0 = there is no start-up. `costs` are the usual ones of the trace
 * (obsp_costs_of_trace). 0, or -1 with an error in the trace. */
int obsp_startup_find(struct arena *a, struct obsp_source *source, const struct obsp_costs *costs,
                      enum obsp_h_rule rule, struct diag *diag, size_t *supersteps);

#endif
