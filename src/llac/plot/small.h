/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A small plot of characters, without gnuplot: what `fit all full small` shows below a fit. */
#ifndef LLAC_PLOT_SMALL_H
#define LLAC_PLOT_SMALL_H

#include <stdio.h>

#include "llac/plot/plot.h"

/* Points and model, at most 80 columns wide, on a terminal of `room` columns (0: no terminal) not wider than
 * it. Of many curves only the first and the last ones are drawn, with a line that says so. */
void plot_small(FILE *out, const struct plot *p, int room);

/* The same of a model. Draws nothing if nothing varies, or if there are too many curves. */
void plot_small_of_model(FILE *out, const struct model *m, int room);

#endif
