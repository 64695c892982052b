/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Predictions by one formula. Typical: variance of the fitted value plus that of a measured point. Single run:
 * quantiles of single samples relative to the fit, widened by the fit's own uncertainty.
 */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "model/fit_internal.h"

/* Whether the data determine the formula much less at the place than at any point: with variables
 * that always changed together, other combinations of them are far, though inside their ranges. */
static bool far_from_points(const struct model *m, const double *row, const struct prediction *p)
{
    size_t k = m->structure.ncolumns;
    double here = 0, most = 0,
           noise = m->noise.relative * predict_noise_grown(m, p->value) * p->value;
    double own = noise * noise + m->noise.floor * m->noise.floor;
    if (m->noise.dof <= 0 || m->noise.none || p->nextrapolates || !(own > 0))
        return false;
    for (size_t a = 0; a < k; a++)
        for (size_t b = 0; b < k; b++)
            here += row[a] * row[b] *
                    (m->solution.covariance[a * k + b] - m->solution.of_runs[a * k + b]);
    for (size_t i = 0; i < m->points.n; i++)
        most = fmax(most, m->structure.left_out[i] ? 0 : m->solution.leverage[i]);
    return here / own > FAR_TIMES_LEVERAGE * most;
}

/* How much the prediction varies when the data are drawn anew and everything is selected again. */
static double selection_variance(struct arena *a, const struct model *m, const double *coefficients,
                                 const double *x, double known)
{
    double sum = 0, squares = 0, n = (double)m->resamples.n;
    size_t most = 0;
    for (size_t i = 0; i < m->resamples.n; i++)
        if (m->resamples.list[i]->structure.ncolumns > most)
            most = m->resamples.list[i]->structure.ncolumns;
    double *row = arena_alloc(a, most + 1, sizeof *row);
    for (size_t i = 0; i < m->resamples.n; i++) {
        const struct model *r = m->resamples.list[i];
        bool unmeasured = false;
        predict_fill_row(r, coefficients, x, row, &unmeasured);
        double value = predict_value_of(r, row, known);
        sum += value;
        squares += value * value;
    }
    return n > 1 ? m->resamples.part * fmax((squares - sum * sum / n) / (n - 1), 0) : 0;
}

int predict_check_finite(const struct model *m, double value, struct diag *diag)
{
    if (isfinite(value))
        return 0;
    return diag_error(diag, "the model of %s has no value there: it is beyond the range of numbers",
                      m->request.points.experiment->name);
}

/* An interval needs both ends. */
static void drop_half_intervals(struct prediction *p)
{
    if (isnan(p->low) || isnan(p->high))
        p->low = p->high = p->single_low = p->single_high = NAN;
    if (isnan(p->single_low) || isnan(p->single_high))
        p->single_low = p->single_high = NAN;
}

/* How much the prediction varies with the machine's figures inside their intervals: the constants are
 * fitted again with each draw, so that what all figures have in common cancels. */
static double machine_variance(struct arena *a, const struct model *m, const struct place *given,
                               double value)
{
    double sum = 0;
    size_t n = 0;
    for (size_t i = 0; i < m->draws.n; i++) {
        struct model_at p;
        if (predict_evaluate(a, m->draws.list[i], given, NULL, &p))
            continue;
        double other = predict_value_of(m->draws.list[i], p.row, p.known) - value;
        sum += other * other;
        n++;
    }
    return n ? sum / (double)n : 0;
}

void predict_add_beyond(struct arena *a, struct prediction *out, const char *text)
{
    if (text_is_in(out->beyond, out->nbeyond, text))
        return;
    const char **longer = arena_alloc(a, out->nbeyond + 1, sizeof *longer);
    if (out->nbeyond)
        memcpy(longer, out->beyond, out->nbeyond * sizeof *longer);
    longer[out->nbeyond++] = text;
    out->beyond = longer;
}

/* Where a call in this expression asks for more than was measured. */
static void ask_beyond(struct arena *a, const struct model *m, const struct formula *f,
                       const struct place *at, struct prediction *out)
{
    size_t n;
    const struct formula *const *calls = formula_machine_calls(a, f, &n);
    for (size_t i = 0; i < n; i++) {
        const struct formula *call = calls[i];
        double *x = arena_alloc(a, call->noperands + 1, sizeof *x);
        bool known = call->machine != NULL;
        for (size_t k = 0; k < call->noperands && known; k++)
            known = predict_expression(a, m, call->operands[k], at, NULL, &x[k]) == 0;
        const char *text = known ? call->machine->beyond(call->machine->curves, call->function, x,
                                                         call->noperands, a)
                                 : NULL;
        if (text)
            predict_add_beyond(a, out, text);
    }
}

static void find_beyond(struct arena *a, const struct model *m, const struct model_form *form,
                        struct prediction *out)
{
    if (!m->formula.machine)
        return;
    for (size_t j = 0; j < m->nconstants; j++)
        if (!m->constants[j].is_exponent)
            ask_beyond(a, m, form->coefficients[j], &out->place, out);
    if (form->offset && !m->formula.nexponents)
        ask_beyond(a, m, form->offset, &out->place, out);
}

int predict_by_formula(struct arena *a, const struct model *m, const struct place *place,
                       struct diag *diag, struct prediction *out)
{
    struct model_at p;
    memset(out, 0, sizeof *out);
    if (predict_evaluate(a, m, place, diag, &p))
        return -1;
    out->place = p.place;
    out->times = 1;
    out->amplification = NAN;
    out->unmeasured = p.unmeasured;
    out->value = predict_value_of(m, p.row, p.known);
    predict_find_extrapolations(a, m, out);
    find_beyond(a, m, &p.form, out);
    predict_set_intervals(m, p.row, selection_variance(a, m, p.coefficients, p.x, p.known),
                          machine_variance(a, m, place, out->value), out);
    out->far = far_from_points(m, p.row, out);
    gaps_consider(a, m, p.coefficients, p.x, p.known, out);
    drop_half_intervals(out);
    return predict_check_finite(m, out->value, diag);
}
