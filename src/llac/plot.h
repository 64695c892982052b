/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plots: what is drawn (from a model), and drawing it with gnuplot. */
#ifndef LLAC_PLOT_H
#define LLAC_PLOT_H

#include "llac/session.h"

/* One curve: the points with the same values of all variables but `over`. */
struct plot_series {
    char *label; /* "P=4"; "" when there is only one */
    const size_t *points;
    size_t npoints;
    /* the curve: x, predicted, and its typical interval */
    double *x, *y, *low, *high;
    size_t n;
};
struct plot {
    const char *title, *over, *unit, *observable;
    bool log_x, log_y;
    const struct model *model;
    size_t column; /* of `over` in the points */
    struct plot_series *series;
    size_t nseries;
};

enum plot_scale { PLOT_AUTO, PLOT_LOG, PLOT_LINEAR };
enum { PLOT_MOST_SERIES = 20, PLOT_CURVE = 100 };

/* `over` NULL = the first variable that varies; `by` NULL = every other variable that varies. */
int plot_make(struct arena *a, const struct model *m, const char *over, const char *by,
              enum plot_scale scale, struct diag *diag, struct plot *out);

/* Draws to the file (NULL: a window, or text on `text` when there is no display). 0, or -1. */
int plot_draw(const struct plot *p, const char *path, FILE *text, struct diag *diag);

/* The script for gnuplot: what plot_draw runs. `terminal` is a line of gnuplot. */
void plot_script(struct text *out, const struct plot *p, const char *terminal, bool plain);

#endif
