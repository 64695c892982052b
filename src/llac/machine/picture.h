/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The memory of a machine, or of its accelerator, as a picture: latency above, bandwidth of reading below. */
#ifndef LLAC_MACHINE_PICTURE_H
#define LLAC_MACHINE_PICTURE_H

#include "llac/plot/gnuplot.h"
#include "machine/machine.h"

/* One curve: a quantity at a number of cores. */
struct machine_curve {
    int cores;                             /* 0: the accelerator */
    const struct machine_figure **figures; /* ascending by bytes */
    size_t n;
};

enum { MACHINE_CURVES = 8 };
struct machine_plot {
    const struct machine *machine;
    bool device; /* the accelerator's memory */
    struct machine_curve latency[MACHINE_CURVES], read[MACHINE_CURVES];
    size_t nlatency, nread;
    struct machine_level levels[MACHINE_LEVELS];
    size_t nlevels;
};

/* 0, or -1 with an error if there is nothing to draw. With more numbers of cores than curves, the
 * smallest ones and the largest are drawn. */
int machine_plot_make(struct arena *a, const struct machine *m, bool device, struct diag *diag,
                      struct machine_plot *out);
/* `plot` is a struct machine_plot. */
gnuplot_script machine_plot_script;

#endif
