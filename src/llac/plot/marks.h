/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The marks of the horizontal axis of a plot of characters, where gnuplot would write labels over each other. */
#ifndef LLAC_PLOT_MARKS_H
#define LLAC_PLOT_MARKS_H

#include "base/number.h"
#include "base/text.h"
#include "llac/plot/plot.h"

enum {
    MARKS_WIDE = 1000, /* logarithmic axes from this factor on have marks at powers of ten alone */
    MARKS_MOST = 200
};

struct marks {
    double at[MARKS_MOST];
    size_t n;
};

/* Chooses marks from low to high whose labels leave a blank between them on an axis of `room` characters. */
struct marks marks_choose(const struct plot_axis *axis, double low, double high, int room);
/* The label of a mark. */
const char *marks_label(const struct plot_axis *axis, double at, char label[NUMBER_SIZE]);
/* Writes `set xtics (...)` with these marks. */
void marks_put(struct text *out, const struct plot_axis *axis, double low, double high, int room);

#endif
