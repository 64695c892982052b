/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From a model's points to the pieces of its constants, and from those to the columns of the
 * least-squares problem: one column per piece, the coefficient inside the piece and 0 elsewhere.
 */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "model/fit_internal.h"

static int choose_variables(struct model *m, struct pieces_problem *p, struct diag *diag)
{
    const struct interval_request *r = &m->request.intervals;
    size_t variable = r->variable ? points_find(&m->points, r->variable) : SIZE_MAX;
    if (r->variable && variable >= p->variables) {
        diag_error(diag, "%s", points_no_variable(m->arena, &m->points, NULL, r->variable));
        return -1;
    }
    if (r->mode == INTERVALS_ON && variable < PIECES_MAX_VARIABLES)
        p->may_divide = 1u << variable;
    for (size_t v = 0; r->mode == INTERVALS_AUTO && v < p->variables; v++)
        if (!points_constant(&m->points, v))
            p->may_divide |= 1u << v;
    if (r->mode == INTERVALS_GIVEN) {
        p->given = r->given;
        p->ngiven = r->ngiven;
        p->given_variable = variable;
    }
    return 0;
}

int intervals_find(struct model *m, struct diag *diag)
{
    const struct interval_request *r = &m->request.intervals;
    size_t n = m->points.n;
    if (m->nconstants == 0) {
        m->structure.pieces = arena_zalloc(m->arena, 1, sizeof *m->structure.pieces);
        m->structure.left_out = arena_zalloc(m->arena, n, sizeof *m->structure.left_out);
        m->structure.used = n;
        return 0;
    }
    double *y = arena_alloc(m->arena, n, sizeof *y);
    for (size_t i = 0; i < n; i++)
        y[i] = m->points.value[i] - (m->formula.known ? m->formula.known[i] : 0);
    struct pieces_problem p = {.points = n,
                               .constants = m->nconstants,
                               .variables = m->points.nnames < PIECES_MAX_VARIABLES
                                                ? m->points.nnames
                                                : PIECES_MAX_VARIABLES,
                               .design = m->formula.coefficients,
                               .y = y,
                               .at = (const double *const *)m->points.at,
                               .max_intervals = r->max ? r->max : DEFAULT_MAX_INTERVALS,
                               .noise_floor = r->threshold,
                               .keep_outliers = m->request.keep_outliers};
    noise_of_repetitions(&m->points, &p.known_noise, &p.known_weight);
    p.sigma = noise_scales(m->arena, &m->points, p.known_noise, m->noise.floor);
    if (choose_variables(m, &p, diag))
        return -1;
    m->structure.pieces = arena_alloc(m->arena, 1, sizeof *m->structure.pieces);
    pieces_search(m->arena, &p, m->structure.pieces);
    m->structure.left_out = m->structure.pieces->outlier;
    m->structure.used = n - m->structure.pieces->noutliers;
    return 0;
}

void intervals_expand(struct model *m)
{
    size_t n = m->points.n, k = 0;
    m->structure.columns =
        arena_zalloc(m->arena, m->structure.pieces->n, sizeof *m->structure.columns);
    for (size_t b = 0; b < m->structure.pieces->n; b++)
        if (m->structure.pieces->list[b].support)
            m->structure.columns[k++] =
                (struct model_column){.constant = m->structure.pieces->list[b].constant,
                                      .piece = &m->structure.pieces->list[b]};
    m->structure.ncolumns = k;
    m->structure.design = arena_zalloc(m->arena, n * k, sizeof *m->structure.design);
    for (size_t i = 0; i < n; i++) {
        double x[PIECES_MAX_VARIABLES];
        size_t variables = 0;
        for (; variables < m->points.nnames && variables < PIECES_MAX_VARIABLES; variables++)
            x[variables] = m->points.at[variables][i];
        for (size_t j = 0; j < k; j++)
            if (pieces_contains(m->structure.pieces, m->structure.columns[j].piece, variables, x))
                m->structure.design[i * k + j] =
                    m->formula.coefficients[i * m->nconstants + m->structure.columns[j].constant];
    }
}

void intervals_bounds(struct arena *a, const struct model *m, const struct piece *piece,
                      struct model_piece *out)
{
    const struct points *p = &m->points;
    struct model_interval *list = arena_alloc(a, p->nnames, sizeof *list);
    out->where = list;
    out->nwhere = 0;
    for (size_t v = 0; v < p->nnames && v < PIECES_MAX_VARIABLES; v++) {
        if (piece->low[v] < 0 && piece->high[v] < 0)
            continue;
        struct model_interval *bound = &list[out->nwhere++];
        *bound = (struct model_interval){
            .variable = p->names[v], .from = INFINITY, .to = -INFINITY, .open = piece->low[v] >= 0};
        for (size_t i = 0; i < p->n; i++) {
            bound->from = fmin(bound->from, p->at[v][i]);
            bound->to = fmax(bound->to, p->at[v][i]);
        }
        if (piece->low[v] >= 0)
            bound->from = m->structure.pieces->boundaries[piece->low[v]].below;
        if (piece->high[v] >= 0)
            bound->to = m->structure.pieces->boundaries[piece->high[v]].below;
    }
}

void model_pieces_at(struct arena *a, const struct model *m, const double *x, size_t *columns,
                     struct model_piece *where)
{
    struct piece common = {.constant = 0};
    for (size_t v = 0; v < PIECES_MAX_VARIABLES; v++)
        common.low[v] = common.high[v] = -1;
    for (size_t c = 0; c < m->nconstants; c++) {
        columns[c] = model_column_at(m, c, x, NULL);
        if (columns[c] == SIZE_MAX)
            continue;
        const struct piece *piece = m->structure.columns[columns[c]].piece;
        for (size_t v = 0; v < model_places(m); v++) { /* boundaries are sorted by place */
            if (piece->low[v] > common.low[v])
                common.low[v] = piece->low[v];
            if (piece->high[v] >= 0 && (common.high[v] < 0 || piece->high[v] < common.high[v]))
                common.high[v] = piece->high[v];
        }
    }
    intervals_bounds(a, m, &common, where);
}
