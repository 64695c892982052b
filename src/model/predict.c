/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Predictions. Typical: variance of the fitted value plus that of a measured point. Single run:
 * quantiles of single samples relative to the fit, widened by the fit's own uncertainty.
 */
#include <math.h>
#include <stdint.h>
#include <string.h>

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

static int check_finite(const struct model *m, double value, struct diag *diag)
{
    if (isfinite(value))
        return 0;
    diag_error(diag, "the model of %s has no value there: it is beyond the range of numbers",
               m->request.points.experiment->name);
    return -1;
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

static void add_beyond(struct arena *a, struct prediction *out, const char *text)
{
    for (size_t i = 0; i < out->nbeyond; i++)
        if (strcmp(out->beyond[i], text) == 0)
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
            add_beyond(a, out, text);
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
    return check_finite(m, out->value, diag);
}

double predict_point(struct arena *a, const struct model *m, size_t i)
{
    const double *coefficients = m->formula.coefficients + i * m->nconstants;
    double *row = arena_alloc(a, m->structure.ncolumns + 1, sizeof *row),
           known = m->formula.known ? m->formula.known[i] : 0, x[PIECES_MAX_VARIABLES];
    bool unmeasured = false;
    for (size_t v = 0; v < model_places(m); v++)
        x[v] = m->points.at[v][i];
    predict_fill_row(m, coefficients, x, row, &unmeasured);
    return gaps_mixed(a, m, coefficients, x, known, predict_value_of(m, row, known));
}

int predict_row(struct arena *a, const struct model *m, const struct place *place,
                struct diag *diag, const double **row, double *value)
{
    struct model_at p;
    if (predict_evaluate(a, m, place, diag, &p))
        return -1;
    *row = p.row;
    *value = predict_value_of(m, p.row, p.known);
    return check_finite(m, *value, diag);
}

int model_terms_on(struct arena *a, const struct model *m, const struct place *place,
                   const struct formula_machine *machine, const double *ratios, struct diag *diag,
                   double *out, double *known)
{
    struct model_at p;
    if (predict_evaluate_on(a, m, place, machine, ratios, diag, &p))
        return -1;
    memset(out, 0, m->nconstants * sizeof *out);
    *known = p.known;
    for (size_t j = 0; j < m->structure.ncolumns; j++) {
        size_t constant = m->structure.columns[j].constant;
        double term = m->solution.value[j] * p.row[j];
        if (m->constants[constant].is_exponent) /* part of the terms of others: it cancels */
            *known += term;
        else
            out[constant] += term;
    }
    double sum = 0;
    for (size_t j = 0; j < m->nconstants; j++)
        sum += fabs(out[j]);
    return check_finite(m, sum, diag);
}

int model_terms(struct arena *a, const struct model *m, const struct place *place,
                struct diag *diag, double *out)
{
    double known;
    return model_terms_on(a, m, place, NULL, NULL, diag, out, &known);
}

void model_constant_near(const struct model *m, size_t constant, const struct place *place,
                         struct model_piece *out)
{
    double x[PIECES_MAX_VARIABLES];
    predict_coordinates(m, place, x);
    if (model_constant_at(m, constant, x, out))
        return;
    size_t column = model_column_at(m, constant, x, NULL);
    *out = (struct model_piece){0};
    if (column != SIZE_MAX && m->structure.columns[column].fitted)
        *out = *m->structure.columns[column].fitted;
}

/* One expression at all points; what it cannot take is named. */
static int evaluate_points(struct arena *a, const struct formula *f, const struct points *p,
                           struct diag *diag, double *out)
{
    const struct formula_program *program =
        formula_compile(a, f, (const char *const *)p->names, p->nnames, NULL, diag);
    struct formula_trouble trouble;
    if (!program)
        return -1;
    if (!formula_evaluate(program, (const double *const *)p->at, p->n, out, &trouble))
        return 0;
    diag_error(diag, "the formula has no value at the point %s: %s",
               points_label(a, p, trouble.row), trouble.what);
    return -1;
}

void model_place_in(const struct model *m, const struct points *p, size_t point, double *x)
{
    for (size_t v = 0; v < model_places(m); v++) {
        size_t column = points_find(p, m->points.names[v]);
        x[v] = column != SIZE_MAX ? p->at[column][point] : m->points.at[v][0];
    }
}

int model_predict_points(struct arena *a, const struct model *m, const struct points *p,
                         struct diag *diag, double *out)
{
    size_t nvariables, k = m->nconstants;
    const char **variables = model_variables(a, m, &nvariables);
    for (size_t j = 0; j < nvariables; j++)
        if (points_find(p, variables[j]) == SIZE_MAX) {
            diag_error(diag, "the data have no variable %s", variables[j]);
            return -1;
        }
    double *column = arena_alloc(a, p->n, sizeof *column),
           *coefficients = arena_alloc(a, p->n * k + 1, sizeof *coefficients),
           *row = arena_alloc(a, m->structure.ncolumns + 1, sizeof *row);
    memset(out, 0, p->n * sizeof *out);
    if (m->formula.offset && evaluate_points(a, m->formula.offset, p, diag, out))
        return -1;
    for (size_t j = 0; j < k; j++) {
        if (evaluate_points(a, m->constants[j].coefficient, p, diag, column))
            return -1;
        for (size_t i = 0; i < p->n; i++)
            coefficients[i * k + j] = column[i];
    }
    for (size_t i = 0; i < p->n; i++) {
        double x[PIECES_MAX_VARIABLES] = {0};
        bool unmeasured = false;
        model_place_in(m, p, i, x);
        predict_fill_row(m, coefficients + i * k, x, row, &unmeasured);
        if (m->solution.nrelations && predict_check_estimable(a, m, row, diag))
            return -1;
        double known = out[i];
        out[i] = gaps_mixed(a, m, coefficients + i * k, x, known, predict_value_of(m, row, known));
    }
    return 0;
}
