/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What processes compute in some supersteps of a trace, to be replaced by other times.
 *
 *     struct obsp_replacements *all;
 *     size_t n;
 *     struct obsp_source *s = obsp_trace_open("fft.trace", diag);
 *     if (s && obsp_replace_find(a, s, 2, 2, diag, &all, &n) == 0 && all[0].n)
 *         all[0].list[0].seconds = all[0].list[0].measured/2;
 */
#ifndef OBSP_REPLACE_H
#define OBSP_REPLACE_H

#include "obsp/evaluate.h"

/* Finds the computing of each process in the supersteps of plain BSP from `first` to `last`, from 0, with its time as it
 * was measured, also as `seconds`. (*out)[PROCESS], in the arena. *supersteps gets how many there are. 0, or -1 with
 * an error in the trace. */
int obsp_replace_find(struct arena *a, struct obsp_source *source, size_t first, size_t last,
                      struct diag *diag, struct obsp_replacements **out, size_t *supersteps);

#endif
