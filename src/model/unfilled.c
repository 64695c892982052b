/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Predictions of times of kernels from launches that did not fill the device. As long as a launch has fewer threads than the device
 * runs at the same time, more threads cost little; then they take turns. The data say nothing of this, but the observable WAVES says
 * how full the device was. In the worst case all threads beyond those of the data take turns from the start: the time grows by the
 * factor by which WAVES does, beside what the formula says. The interval reaches there.
 *
 * WAVES beyond the data comes from its powers of the variables in the data.
 */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/diag.h"
#include "base/number.h"
#include "model/fit_internal.h"
#include "numeric/lsq.h"

/* Points of another observable of the same samples; false without any. */
static bool points_of(struct arena *a, const struct model *m, const char *observable,
                      struct points_request *request, struct points *out)
{
    DIAG_LOCAL struct diag *quiet = diag_create();
    *request = m->request.points;
    request->observable = observable;
    request->statistic = STATISTIC_MEDIAN;
    return points_observable(request->experiment, observable) != SIZE_MAX &&
           points_make(a, request, quiet, out) == 0 && out->n > 0;
}

static double sum_of_values(const struct points *p)
{
    double sum = 0;
    for (size_t i = 0; i < p->n; i++)
        sum += p->value[i];
    return sum;
}

/* Whether the times are those of kernels: DEVICE, or a clock whose region waits for them. */
static bool times_kernels(struct arena *a, const struct model *m)
{
    struct points_request request;
    struct points device;
    const char *observable = m->request.points.observable;
    if (strcmp(observable, "DEVICE") == 0)
        return true;
    return strcmp(observable, "CLOCK") == 0 && points_of(a, m, "DEVICE", &request, &device) &&
           sum_of_values(&device) > UNFILLED_WAITED * sum_of_values(&m->points);
}

/* The powers of the variables in `waves`; 0 for those that do not vary, or that follow from others. */
static void find_powers(struct arena *a, const struct points *waves, double *power)
{
    size_t k = waves->nnames + 1;
    struct lsq *l = lsq_create(a, k);
    double *row = arena_zalloc(a, k, sizeof *row), *relation = arena_alloc(a, k, sizeof *relation);
    bool *keep = arena_zalloc(a, k, sizeof *keep);
    for (size_t i = 0; i < waves->n; i++) {
        if (!(waves->value[i] > 0))
            continue;
        row[0] = 1;
        for (size_t v = 0; v < waves->nnames; v++)
            row[1 + v] = waves->at[v][i] > 0 ? log(waves->at[v][i]) : 0;
        lsq_add(l, row, log(waves->value[i]));
    }
    lsq_finish(l);
    for (size_t j = 0; j < k; j++)
        keep[j] = !lsq_dependent(a, l, keep, j, relation);
    struct lsq_solution solution;
    lsq_solve(a, l, keep, &solution);
    for (size_t v = 0; v < waves->nnames; v++)
        power[v] = solution.x[1 + v];
}

void unfilled_find(struct model *m)
{
    ARENA_LOCAL struct arena *a = arena_create();
    struct points_request request;
    struct points waves;
    double most = 0;
    m->unfilled.waves = 0;
    if (!points_of(a, m, "WAVES", &request, &waves) || !times_kernels(a, m))
        return;
    for (size_t i = 0; i < waves.n; i++)
        most = fmax(most, waves.value[i]);
    if (!(most > 0 && most < 1))
        return;
    m->unfilled.waves = most;
    m->unfilled.power = arena_zalloc(m->arena, waves.nnames, sizeof *m->unfilled.power);
    find_powers(a, &waves, m->unfilled.power);
}

double unfilled_times(struct arena *a, const struct model *m, const struct prediction *p,
                      const char **text)
{
    double times = 1;
    *text = NULL;
    for (size_t i = 0; m->unfilled.waves > 0 && i < p->nextrapolates; i++) {
        size_t v = points_find(&m->points, p->extrapolates[i].variable);
        if (v != SIZE_MAX && p->extrapolates[i].times > 1)
            times *= pow(p->extrapolates[i].times, fmax(m->unfilled.power[v], 0));
    }
    if (times < 1 + UNFILLED_SHOWN)
        return 1;
    *text = arena_printf(
        a,
        "the largest launch of the data has %s %% of the threads that the device runs at the same time: at larger sizes "
        "they may not fit, and take turns, which the data do not show; the interval reaches as far as that can make it; "
        "measure sizes that fill the device",
        number_digits(100 * m->unfilled.waves, 2, NUMBER_BUFFER));
    return times;
}
