/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Predictions, as the user gets them: by all formulas that remain (average.c), with what formulas are usually off by, and for
 * the slowest rank. And what terms and constants are at a place.
 */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "model/fit_internal.h"

static void scale(struct prediction *p, double times)
{
    double *scaled[] = {&p->value, &p->low, &p->high, &p->single_low, &p->single_high};
    for (size_t i = 0; i < sizeof scaled / sizeof *scaled; i++)
        *scaled[i] *= times;
    p->variance *= times * times;
    p->of_runs *= times * times;
    p->selection *= times * times;
    p->times *= times;
}

bool prediction_is_vague(const struct model *m, const struct prediction *p)
{
    return p->nextrapolates && m->undetermined.n &&
           (m->request.nonneg || !(p->apart <= UNDETERMINED_SHOWN));
}

void prediction_as_point(struct prediction *p)
{
    scale(p, 1 / p->times);
}

/* From the value that means the same for every P to what an execution at this P takes. */
static void apply_slowest(const struct model *m, struct prediction *out)
{
    double processors = NAN;
    for (size_t i = 0; i < out->place.n; i++)
        if (strcmp(out->place.names[i], "P") == 0)
            processors = out->place.values[i];
    if (!(processors >= 1))
        return;
    scale(out, points_slowest(&m->points, processors));
    out->amplification = points_amplification(&m->points, processors);
}

/* The typical interval is at least as wide as formulas are usually off at such a distance. */
static void allow_for_formula(const struct model *m, struct prediction *out)
{
    double reach = fabs(out->value) * predict_formula_error(m, out);
    if (isnan(out->low))
        return;
    out->low = fmin(out->low, out->value - reach);
    out->high = fmax(out->high, out->value + reach);
    if (isnan(out->single_low))
        return;
    out->single_low = fmin(out->single_low, out->low);
    out->single_high = fmax(out->single_high, out->high);
}

/* Both intervals reach as far as the memory of a device, or threads that take turns on it, may slow kernels down. */
static void allow_for_device(struct arena *a, const struct model *m, struct prediction *out)
{
    const char *texts[2];
    double times = outgrown_times(a, m, out, &texts[0]) * unfilled_times(a, m, out, &texts[1]);
    out->high *= times;
    out->single_high *= times;
    for (int i = 0; i < 2; i++)
        if (texts[i])
            predict_add_beyond(a, out, texts[i]);
}

int model_predict(struct arena *a, const struct model *m, const struct place *place,
                  struct diag *diag, struct prediction *out)
{
    if (predict_by_formula(a, m, place, diag, out))
        return -1;
    average_formulas(a, m, place, out);
    allow_for_formula(m, out);
    allow_for_device(a, m, out);
    surprises_allow(a, m, out);
    apply_slowest(m, out);
    return 0;
}

double predict_point(struct arena *a, const struct model *m, size_t i)
{
    const double *coefficients = m->formula.coefficients + i * m->nconstants;
    double *row = arena_alloc(a, m->structure.ncolumns + 1, sizeof *row),
           known = m->formula.known ? m->formula.known[i] : 0, x[PIECES_MAX_VARIABLES];
    bool unmeasured = false;
    for (size_t v = 0; v < model_places(m); v++)
        x[v] = model_place_values(m, v)[i];
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
    return predict_check_finite(m, *value, diag);
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
    return predict_check_finite(m, sum, diag);
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
    return diag_error(diag, "the formula has no value at the point %s: %s",
                      points_label(a, p, trouble.row), trouble.what);
}

void model_place_in(const struct model *m, const struct points *p, size_t point, double *x)
{
    for (size_t v = 0; v < model_places(m) && !model_place_formula(m, v); v++) {
        size_t column = points_find(p, m->points.names[v]);
        x[v] = column != SIZE_MAX ? p->at[column][point] : m->points.at[v][0];
    }
    derived_fill(m, x);
}

bool model_constant_from(const struct model *m, size_t constant, const size_t *points, size_t n,
                         struct model_piece *out)
{
    double above = 0, below = 0;
    for (size_t i = 0; i < n; i++) {
        size_t point = points[i];
        double x[PIECES_MAX_VARIABLES],
            variance = m->weights.variance[point],
            coefficient = m->formula.coefficients[point * m->nconstants + constant];
        struct model_piece here;
        model_place_in(m, &m->points, point, x);
        if (!model_constant_at(m, constant, x, &here) || !(variance > 0))
            continue;
        double others = m->solution.fitted[point] - here.value * coefficient;
        above += coefficient * (m->points.value[point] - others) / variance;
        below += coefficient * coefficient / variance;
    }
    if (!(below > 0))
        return false;
    double error = 1 / sqrt(below), value = above / below,
           half = m->noise.dof > 0 ? noise_student_t(m->noise.dof) / sqrt(below) : NAN;
    *out = (struct model_piece){
        .value = value, .standard_error = error, .low = value - half, .high = value + half};
    return isfinite(value);
}

int model_predict_points(struct arena *a, const struct model *m, const struct points *p,
                         struct diag *diag, double *out)
{
    size_t nvariables, k = m->nconstants;
    const char **variables = model_variables(a, m, &nvariables);
    for (size_t j = 0; j < nvariables; j++)
        if (points_find(p, variables[j]) == SIZE_MAX)
            return diag_error(diag, "the data have no variable %s", variables[j]);
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
