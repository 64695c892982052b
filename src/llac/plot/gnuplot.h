/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Drawing with gnuplot, to a file, a window or as text. */
#ifndef LLAC_PLOT_GNUPLOT_H
#define LLAC_PLOT_GNUPLOT_H

#include <stdbool.h>
#include <stdio.h>

#include "base/diag.h"
#include "base/text.h"

struct gnuplot_terminal {
    const char *line; /* chooses it; "" for the default and where it is plain */
    bool plain;       /* characters: the script chooses the size of each of its parts */
    int columns, rows;
    double width, height; /* of a picture, in `unit` */
    const char *unit;
};

/* Adds the line that chooses the terminal. The picture is `taller` times as high as usual. */
void gnuplot_choose_terminal(struct text *out, const struct gnuplot_terminal *terminal,
                             double taller);

/* Whether the file's name ends as that of a picture; -1 with an error if not. */
int gnuplot_check_name(const char *path, struct diag *diag);

/* Writes the script that draws the plot. */
typedef void gnuplot_script(struct text *out, const void *plot,
                            const struct gnuplot_terminal *terminal);

/* Draws to the file (NULL: a window, or text on `out` when there is no display). 0, or -1. */
int gnuplot_draw(gnuplot_script *script, const void *plot, const char *path, FILE *out,
                 struct diag *diag);

#endif
