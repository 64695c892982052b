/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A definition as a picture: its curve and the band of its typical interval over one variable, a curve
 * for each combination of the others, and measured values where there are some. */
#ifndef LLAC_COMPOSE_PICTURE_H
#define LLAC_COMPOSE_PICTURE_H

#include <jansson.h>

#include "llac/compose/compose.h"
#include "llac/plot/gnuplot.h"
#include "llac/plot/plot.h"

struct composed_series {
    char *label;                /* "N=65536"; "" if there is only one */
    double *x, *y, *low, *high; /* the curve; low and high may be nan */
    size_t n;
    double *at, *measured; /* nmeasured of each */
    size_t nmeasured;
};

struct composed_plot {
    const char *title, *over;
    bool is_time, log_x, log_y;
    struct composed_series *series;
    size_t nseries;
};

/* Over which variable (NULL = the first that varies), between its smallest and largest value at the
 * places. 0, or -1 with an error. */
int compose_plot_make(struct arena *a, const struct composition *c,
                      const struct compose_definition *d, const struct compose_places *places,
                      const char *over, enum plot_scale scale, struct diag *diag,
                      struct composed_plot *out);
/* `plot` is a struct composed_plot. */
gnuplot_script compose_plot_script;
json_t *json_composed_plot(const struct composed_plot *p, const char *path);

#endif
