/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The error of points that take no part in the fit: each is left out, everything is chosen and
 * fitted again, and the result is compared with it.
 *
 * Without a choice this needs no further fit: the residual divided by 1 - leverage is the same. Where
 * boundaries were chosen it is not, since the point may have decided where they are.
 */
#include <math.h>

#include "base/interrupt.h"
#include "base/progress.h"
#include "model/fit_internal.h"

static bool counts(const struct model *m, size_t i)
{
    return m->points.value[i] > 0 && !m->structure.left_out[i];
}

/* With many points, some of them are left out in turn, evenly spread. */
static double error_of_refits(const struct model *m)
{
    size_t n = m->points.n, fits = LEAVE_OUT_POINTS / n, counted = 0;
    MEM_LOCAL bool *excluded = mem_zalloc(n, sizeof *excluded);
    double sum = 0;
    fits = fits < LEAVE_OUT_LEAST ? LEAVE_OUT_LEAST : fits;
    fits = fits > n ? n : fits;
    for (size_t k = 0; k < fits && !interrupt_came(); k++) {
        size_t i = (2 * k + 1) * n / (2 * fits);
        progress_at("leaving points out", k, fits);
        if (!counts(m, i))
            continue;
        ARENA_LOCAL struct arena *a = arena_create();
        excluded[i] = true;
        struct model *r = fit_refit(a, m, NULL, excluded);
        double expected = r ? predict_point(a, r, i) : NAN;
        if (isfinite(expected)) {
            sum += fabs(m->points.value[i] - expected) / m->points.value[i];
            counted++;
        }
        excluded[i] = false;
    }
    return counted ? 100 * sum / (double)counted : NAN;
}

void model_leave_out(struct model *m)
{
    if (m->structure.pieces->nboundaries && m->request.intervals.mode != INTERVALS_GIVEN &&
        m->points.n <= LEAVE_OUT_MOST)
        m->error.loo_mean_pct = error_of_refits(m);
}
