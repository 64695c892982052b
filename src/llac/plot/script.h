/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The scripts that draw plots with gnuplot; see gnuplot_draw. */
#ifndef LLAC_PLOT_SCRIPT_H
#define LLAC_PLOT_SCRIPT_H

#include "llac/plot/gnuplot.h"
#include "llac/plot/plot.h"

/* `plot` is a struct plot: points, model and interval, errors below. */
gnuplot_script plot_script;
/* `plot` is a struct constant_plot: steps, their intervals, local estimates. */
gnuplot_script plot_constant_script;

#endif
