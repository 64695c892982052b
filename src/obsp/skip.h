/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The first supersteps of a trace, which are taken as measured while the rest is predicted.
 *
 *     struct obsp_skip skip;
 *     struct obsp_source *s = obsp_trace_open("fft.trace", diag);
 *     if (s && obsp_skip_find(a, s, 4, diag, &skip) == 0)
 *         printf("%g s\n", skip.seconds);
 */
#ifndef OBSP_SKIP_H
#define OBSP_SKIP_H

#include "obsp/evaluate.h"

/* Finds where the first `supersteps` of plain BSP end on each process. The processors of an object end its superstep in
 * the same one of plain BSP: so the boundary may also be inside groups. 0, or -1 with an error in the trace. What *out
 * points to is in the arena. */
int obsp_skip_find(struct arena *a, struct obsp_source *source, size_t supersteps,
                   struct diag *diag, struct obsp_skip *out);

#endif
