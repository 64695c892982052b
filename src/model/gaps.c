/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The gaps of boundaries: between the two measured values next to a boundary a constant may have the
 * value of either side. Predictions mix both sides there.
 *
 * And what compositions need: a value of a model at a place with its slope along each column, in which
 * the gaps are treated in the same way.
 */
#include <math.h>
#include <string.h>

#include "model/fit_internal.h"
#include "base/text.h"

/* Whether the place is in the gap of the boundary, between two measured values: it may be on either
 * side of the boundary. */
static bool in_gap(const struct boundary *boundary, const double *x)
{
    return boundary->form == BOUNDARY_STEP && x[boundary->variable] > boundary->below &&
           x[boundary->variable] < boundary->above;
}

/* How likely the place is beyond the boundary, which may be anywhere in the gap: in ratio, as
 * sizes usually grow. */
static double chance_beyond(const struct boundary *boundary, double x)
{
    if (boundary->below > 0)
        return log(x / boundary->below) / log(boundary->above / boundary->below);
    return (x - boundary->below) / (boundary->above - boundary->below);
}

/* How much of the value is that of the other side of the boundary. */
static double weight_across(const struct boundary *boundary, double x, enum gap_side side)
{
    double beyond = side == GAP_MIXED ? chance_beyond(boundary, x) : side == GAP_ABOVE;
    return x > boundary->at ? 1 - beyond : beyond;
}

/* The coefficients and the value on the other side of the boundary. */
static double value_across(const struct model *m, const struct boundary *boundary,
                           const double *coefficients, const double *x, double known, double *row)
{
    double y[PIECES_MAX_VARIABLES];
    bool unmeasured = false;
    memcpy(y, x, model_places(m) * sizeof *y);
    y[boundary->variable] =
        x[boundary->variable] > boundary->at ? boundary->below : boundary->above;
    predict_fill_row(m, coefficients, y, row, &unmeasured);
    return predict_value_of(m, row, known);
}

/* In a gap the two sides are mixed, in ratio, by how likely each is. */
double gaps_mixed(struct arena *a, const struct model *m, const double *coefficients,
                  const double *x, double known, double here)
{
    double value = here, *row = NULL;
    for (size_t c = 0; c < m->structure.pieces->nboundaries; c++) {
        const struct boundary *boundary = &m->structure.pieces->boundaries[c];
        if (!in_gap(boundary, x))
            continue;
        row = row ? row : arena_alloc(a, m->structure.ncolumns + 1, sizeof *row);
        double other = value_across(m, boundary, coefficients, x, known, row);
        double weight = weight_across(boundary, x[boundary->variable], GAP_MIXED);
        if (here > 0 && other > 0)
            value *= pow(other / here, weight);
        else
            value += weight * (other - here);
    }
    return value;
}

/* The intervals then contain those of both sides. */
void gaps_consider(struct arena *a, const struct model *m, const double *coefficients,
                   const double *x, double known, struct prediction *out)
{
    out->gaps = arena_alloc(a, m->structure.pieces->nboundaries + 1, sizeof *out->gaps);
    double *row = arena_alloc(a, m->structure.ncolumns + 1, sizeof *row);
    for (size_t c = 0; c < m->structure.pieces->nboundaries; c++) {
        const struct boundary *boundary = &m->structure.pieces->boundaries[c];
        if (!in_gap(boundary, x))
            continue;
        out->gaps[out->ngaps++] =
            (struct gap){model_place_name(m, boundary->variable), boundary->below, boundary->above};
        struct prediction other = {.value = value_across(m, boundary, coefficients, x, known, row)};
        predict_set_intervals(m, row, 0, 0, &other);
        out->low = fmin(out->low, other.low);
        out->high = fmax(out->high, other.high);
        out->single_low = fmin(out->single_low, other.single_low);
        out->single_high = fmax(out->single_high, other.single_high);
    }
    out->value = gaps_mixed(a, m, coefficients, x, known, out->value);
}

/* The slopes of the value in a gap: `slopes` has those of this side, `here` being the value there. */
static double mix_slopes(struct arena *a, const struct model *m, const double *coefficients,
                         const double *x, double known, enum gap_side side, double here,
                         double *slopes)
{
    size_t k = m->structure.ncolumns;
    double value = here, *row = arena_alloc(a, k + 1, sizeof *row),
           *own = arena_alloc(a, k + 1, sizeof *own);
    memcpy(own, slopes, k * sizeof *own);
    for (size_t c = 0; c < m->structure.pieces->nboundaries; c++) {
        const struct boundary *boundary = &m->structure.pieces->boundaries[c];
        if (!in_gap(boundary, x))
            continue;
        double other = value_across(m, boundary, coefficients, x, known, row);
        double weight = weight_across(boundary, x[boundary->variable], side);
        bool ratio = here > 0 && other > 0;
        double times = ratio ? pow(other / here, weight) : 1, before = value;
        value = ratio ? value * times : value + weight * (other - here);
        for (size_t j = 0; j < k; j++)
            slopes[j] = ratio ? times * slopes[j] +
                                    before * times * weight * (row[j] / other - own[j] / here)
                              : slopes[j] + weight * (row[j] - own[j]);
    }
    return value;
}

/* Where a place is, as far as the constant depends on it. */
static int place_of_constant(struct arena *a, const struct model *m, size_t constant,
                             const struct place *given, struct diag *diag, double *x)
{
    const struct pieces *pieces = m->structure.pieces;
    const char *name = m->constants[constant].name;
    size_t n;
    const char **needed = model_changes_along(a, m, constant, &n);
    predict_coordinates(m, given, x);
    for (size_t i = 0; i < n; i++) {
        if (text_is_in(given->names, given->n, needed[i]) ||
            points_constant(&m->points, points_find(&m->points, needed[i])))
            continue;
        for (size_t c = 0; c < pieces->nboundaries; c++) {
            const struct boundary *b = &pieces->boundaries[c];
            if (!(pieces->changing[c] >> constant & 1) ||
                !model_place_uses(a, m, b->variable, needed[i]))
                continue;
            return diag_error(
                diag, "%s has several values, it changes at %s=%.4g: name the place, %s(%s=...)",
                name, model_place_name(m, b->variable), b->at, name, needed[i]);
        }
    }
    return 0;
}

/* What is special about the place of a constant. */
static void remark_gaps(struct arena *a, const struct model *m, const double *x,
                        struct prediction *at)
{
    at->gaps = arena_alloc(a, m->structure.pieces->nboundaries + 1, sizeof *at->gaps);
    for (size_t c = 0; c < m->structure.pieces->nboundaries; c++) {
        const struct boundary *boundary = &m->structure.pieces->boundaries[c];
        if (in_gap(boundary, x))
            at->gaps[at->ngaps++] = (struct gap){model_place_name(m, boundary->variable),
                                                 boundary->below, boundary->above};
    }
}

int predict_constant_slopes(struct arena *a, const struct model *m, size_t constant,
                            const struct place *given, enum gap_side side, struct diag *diag,
                            struct model_slopes *out)
{
    double x[PIECES_MAX_VARIABLES] = {0};
    double *coefficients = arena_zalloc(a, m->nconstants + 1, sizeof *coefficients);
    memset(out, 0, sizeof *out);
    out->at.place = *given;
    out->slopes = arena_zalloc(a, m->structure.ncolumns + 1, sizeof *out->slopes);
    coefficients[constant] = 1;
    if (place_of_constant(a, m, constant, given, diag, x))
        return -1;
    predict_fill_row(m, coefficients, x, out->slopes, &out->at.unmeasured);
    if (predict_check_estimable(a, m, out->slopes, diag))
        return -1;
    double here = predict_value_of(m, out->slopes, 0);
    out->value = mix_slopes(a, m, coefficients, x, 0, side, here, out->slopes);
    predict_find_extrapolations(a, m, &out->at);
    remark_gaps(a, m, x, &out->at);
    if (m->constants[constant].is_factor) {
        out->value = exp(out->value);
        for (size_t j = 0; j < m->structure.ncolumns; j++)
            out->slopes[j] *= out->value;
    }
    return 0;
}

int predict_slopes(struct arena *a, const struct model *m, const struct place *given,
                   enum gap_side side, struct diag *diag, struct model_slopes *out)
{
    struct model_at p;
    memset(out, 0, sizeof *out);
    if (predict_evaluate(a, m, given, diag, &p))
        return -1;
    out->at.place = p.place;
    out->at.unmeasured = p.unmeasured;
    out->slopes = p.row;
    double here = predict_value_of(m, p.row, p.known);
    out->value = mix_slopes(a, m, p.coefficients, p.x, p.known, side, here, p.row);
    predict_find_extrapolations(a, m, &out->at);
    remark_gaps(a, m, p.x, &out->at);
    return 0;
}
