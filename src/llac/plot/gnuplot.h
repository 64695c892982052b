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

/* Begins a script: encoding and terminal. The picture is `taller` times as high as usual. */
void gnuplot_begin(struct text *out, const struct gnuplot_terminal *terminal, double taller);
/* The same at the usual height, and the frame and the grid of plots of curves. */
void gnuplot_begin_plot(struct text *out, const struct gnuplot_terminal *terminal);
/* set title 'TEXT', for what a plot has: title, xlabel, ylabel. No text is interpreted. */
void gnuplot_set_text(struct text *out, const char *what, const char *text);
/* The title of a curve in the key; NULL: none. */
void gnuplot_title(struct text *out, const char *title);
/* The colour of curve i of n. The first differ for colour-blind eyes as well; of more curves than those, they are
 * steps of a ramp from dark blue to yellow. */
unsigned gnuplot_colour(size_t i, size_t n);

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
