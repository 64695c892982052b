/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What predictions are computed from (evaluator.h). */
#include <math.h>

#include "model/fit_internal.h"

static double most_leverage(const struct model *m)
{
    double most = 0;
    for (size_t i = 0; i < m->points.n; i++)
        most = fmax(most, m->structure.left_out[i] ? 0 : m->solution.leverage[i]);
    return most;
}

/* Where no model has boundaries, the selection only moves the constants: so far, and together. */
static const double *selection(struct arena *a, const struct model *m)
{
    size_t k = m->nconstants, n = m->resamples.n;
    if (n < 2)
        return NULL;
    for (size_t i = 0; i < n; i++)
        if (m->resamples.list[i]->structure.pieces->nboundaries)
            return NULL;
    double *value = arena_zalloc(a, n * k + 1, sizeof *value),
           *mean = arena_zalloc(a, k + 1, sizeof *mean),
           *sum = arena_zalloc(a, k * k + 1, sizeof *sum);
    for (size_t i = 0; i < n; i++) {
        const struct model *r = m->resamples.list[i];
        for (size_t j = 0; j < r->structure.ncolumns; j++)
            value[i * k + r->structure.columns[j].constant] = r->solution.value[j];
        for (size_t j = 0; j < k; j++)
            mean[j] += value[i * k + j] / (double)n;
    }
    for (size_t i = 0; i < n; i++)
        for (size_t p = 0; p < k; p++)
            for (size_t q = 0; q < k; q++)
                sum[p * k + q] += m->resamples.part * (value[i * k + p] - mean[p]) *
                                  (value[i * k + q] - mean[q]) / (double)(n - 1);
    return sum;
}

struct model_evaluator model_evaluator(struct arena *a, const struct model *m)
{
    return (struct model_evaluator){.covariance = m->solution.covariance,
                                    .of_runs = m->solution.of_runs,
                                    .relations = m->solution.relations,
                                    .nrelations = m->solution.nrelations,
                                    .leverage = most_leverage(m),
                                    .formula_error = predict_error_beyond(m),
                                    .reach = model_reach_of(a, m),
                                    .surprises = surprises_of(m),
                                    .resamples = &m->resamples,
                                    .selection = selection(a, m),
                                    .draws = &m->draws,
                                    .alternatives = &m->alternatives};
}
