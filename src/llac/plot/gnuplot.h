/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Drawing with gnuplot, to a file or a window. */
#ifndef LLAC_PLOT_GNUPLOT_H
#define LLAC_PLOT_GNUPLOT_H

#include <stdbool.h>
#include <stdio.h>

#include "base/diag.h"
#include "base/text.h"

struct gnuplot_terminal {
    const char *line;     /* chooses it; "" for the default */
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

/* Is there a display for a window? */
bool gnuplot_has_display(void);

/* Draws to the file (NULL: a window). 0, or -1 with an error. */
int gnuplot_draw(gnuplot_script *script, const void *plot, const char *path, struct diag *diag);

#endif
