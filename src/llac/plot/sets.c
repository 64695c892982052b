/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One plot of several sets of constants, such as the versions of the code. Each set has a plot of its own,
 * which computed its curves; here they get common axes. Boundaries differ from set to set, so the common
 * frame has none.
 */
#include <math.h>
#include <string.h>

#include "llac/plot/plot.h"

/* The horizontal axis holds those of all sets. It is logarithmic if one of them is and all can be. */
static void join_axes(const struct plot_set *sets, size_t n, struct plot_frame *f)
{
    double least = INFINITY;
    bool x_log = false, y_log = false, powers = true;
    for (size_t i = 0; i < n; i++) {
        const struct plot_frame *own = &sets[i].plot.frame;
        const struct points *p = own->drawn.points;
        f->x.low = fmin(f->x.low, own->x.low);
        f->x.high = fmax(f->x.high, own->x.high);
        x_log = x_log || own->x.log;
        y_log = y_log || own->y.log;
        for (size_t k = 0; k < p->n; k++) {
            double x = p->at[own->column][k];
            least = fmin(least, p->value[k]);
            powers = powers && x >= 1 && log2(x) == floor(log2(x));
        }
    }
    f->x.log = x_log && f->x.low > 0;
    f->y.log = y_log && least > 0;
    f->x.powers_of_two = f->x.log && powers;
}

int plot_join(struct arena *a, const struct plot_set *sets, size_t n, const char *title,
              struct diag *diag, struct plot *out)
{
    memset(out, 0, sizeof *out);
    out->frame = sets[0].plot.frame;
    out->frame.title = title;
    out->frame.nboundaries = 0;
    out->sets = true;
    out->series = arena_alloc(a, PLOT_MOST_SERIES, sizeof *out->series);
    join_axes(sets, n, &out->frame);
    for (size_t i = 0; i < n; i++) {
        const struct plot *p = &sets[i].plot;
        if (out->nseries + p->nseries > PLOT_MOST_SERIES)
            return diag_error(diag,
                              "more than %d curves: choose some with 'where', or plot one set of "
                              "constants, 'plot %s@%s'",
                              PLOT_MOST_SERIES, title, sets[0].label);
        for (size_t s = 0; s < p->nseries; s++) {
            struct plot_series *q = &out->series[out->nseries++];
            *q = p->series[s];
            q->label = arena_printf(a, "%s%s%s", sets[i].label, *q->label ? " " : "", q->label);
        }
        out->beyond = out->beyond || p->beyond;
        out->most_error = fmax(out->most_error, p->most_error);
    }
    plot_find_height(out);
    return plot_check_axes(&out->frame, diag);
}
