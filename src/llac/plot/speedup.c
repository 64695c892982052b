/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Speed-ups in place of times (see plot_change_to_speedup). */
#include <math.h>
#include <string.h>

#include "llac/plot/plot.h"

static int check(const struct plot *p, struct diag *diag)
{
    const struct plot_frame *f = &p->frame;
    if (strcmp(f->over, "P") != 0)
        return diag_error(diag, "a speed-up is drawn over P, not over %s", f->over);
    if (!points_is_time(model_points(f->model)->request))
        return diag_error(
            diag, "a speed-up is computed from times; %s has none: choose CLOCK or CPUTIME%s",
            f->spread ? f->spread : f->observable, f->spread ? ", and 'statistic p10'" : "");
    for (size_t s = 0; s < p->nseries; s++)
        if (p->series[s].joined)
            return diag_error(
                diag,
                "no two points of %s differ in P alone: a speed-up needs the same problem "
                "with several P",
                f->title);
    return 0;
}

static void change_series(struct plot_series *s)
{
    double reference = s->x[0] * s->y[0];
    for (size_t i = 0; i < s->npoints; i++)
        s->measured[i] = reference / s->measured[i];
    for (size_t i = 0; i < s->n; i++) {
        double low = s->low[i], high = s->high[i];
        s->y[i] = reference / s->y[i];
        s->low[i] = reference / high;
        s->high[i] = low > 0 ? reference / low : INFINITY;
    }
}

int plot_change_to_speedup(struct plot *p, struct diag *diag)
{
    if (check(p, diag))
        return -1;
    for (size_t s = 0; s < p->nseries; s++) {
        if (!(p->series[s].y[0] > 0))
            return diag_error(diag,
                              "the model of %s predicts no positive time for P = %g: a speed-up "
                              "needs one",
                              p->frame.title, p->series[s].x[0]);
        change_series(&p->series[s]);
    }
    p->speedup = true;
    p->frame.unit = "";
    p->frame.observable = "speed-up";
    p->frame.y.log = p->frame.x.log;
    p->frame.y.powers_of_two = p->frame.x.powers_of_two;
    plot_find_height(p);
    return plot_check_axes(&p->frame, diag);
}
