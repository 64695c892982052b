/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From the pieces of a model's constants to the columns of the least-squares problem: one column per
 * piece, the coefficient inside the piece and 0 elsewhere.
 */
#include "model/fit_internal.h"

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
        size_t variables = model_places(m);
        for (size_t v = 0; v < variables; v++)
            x[v] = model_place_values(m, v)[i];
        for (size_t j = 0; j < k; j++) {
            const struct model_column *c = &m->structure.columns[j];
            double share = pieces_share(m->structure.pieces, c->piece, variables, x);
            if (share != 0)
                m->structure.design[i * k + j] =
                    share * m->formula.coefficients[i * m->nconstants + c->constant];
        }
    }
}
