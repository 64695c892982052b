/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the end of the data would have been off by (backtest.c), in predictions beyond the data.
 */
#include <math.h>
#include <stdint.h>

#include "model/fit_internal.h"

bool surprises_are_searched(const struct model *m)
{
    return m->alternatives.n && !m->alternatives.only_beyond;
}

const struct model_surprise *surprises_of(const struct model *m)
{
    return surprises_are_searched(m) ? NULL : m->surprises;
}

/* What the points at the end were off by, from at most this distance: the most; further on as much again. */
static double surprise_within(const struct model_surprise *s, double distance)
{
    double most = 0;
    for (size_t k = 0; k < s->n && distance > 0; k++) {
        double doublings = s->cuts[k].doublings,
               off =
                   s->cuts[k].off * fmin(distance / doublings, k + 1 == s->n ? BACKTEST_AGAIN : 1);
        most = fabs(off) > fabs(most) ? off : most;
        if (doublings >= distance)
            break;
    }
    return most;
}

void surprises_allow(struct arena *a, const struct model *m, struct prediction *p)
{
    const struct model_surprise *all = surprises_of(m);
    double up = 1, down = 1;
    for (size_t i = 0; all && i < p->nextrapolates; i++) {
        const struct extrapolation *e = &p->extrapolates[i];
        size_t v = points_find(&m->points, e->variable);
        if (v == SIZE_MAX || !(e->times > 1))
            continue;
        double more = surprise_within(&all[v], log2(e->times * e->from / all[v].end)),
               times = exp(more + all[v].missed);
        up *= fmax(times, 1);
        down *= fmin(times, 1);
        if (more != 0)
            predict_add_beyond(a, p, all[v].text);
    }
    p->high = fmax(p->high, p->high * up);
    p->single_high = fmax(p->single_high, p->single_high * up);
    p->low = fmin(p->low, p->low * down);
    p->single_low = fmin(p->single_low, p->single_low * down);
}
