/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whether one more term explains the data better than intervals of the formula's constants do. A
 * formula without an N*log(N) that the program has gets intervals everywhere, and each of them looks
 * good: their number and places describe the formula, not the machine.
 */
#include <math.h>
#include <string.h>

#include "model/fit_internal.h"
#include "numeric/terms.h"

struct candidates {
    struct search_variable variables[SEARCH_MAX_VARIABLES];
    size_t nvariables, points;
    struct search_library library;
};

static void make_candidates(struct arena *a, const struct points *p, struct candidates *c)
{
    c->nvariables = 0;
    c->points = p->n;
    memset(&c->library, 0, sizeof c->library);
    for (size_t v = 0; v < p->nnames && c->nvariables < SEARCH_MAX_VARIABLES; v++)
        if (!points_constant(p, v))
            c->variables[c->nvariables++] =
                (struct search_variable){p->names[v], p->at[v], strcmp(p->names[v], "P") == 0};
    if (c->nvariables)
        search_library_make(a, c->variables, c->nvariables, p->n, &c->library);
}

static void candidate_values(const void *context, size_t i, double *out)
{
    const struct candidates *c = context;
    search_term_values(&c->library.terms[i], c->variables, c->nvariables, c->points, out);
}

/* Mean relative error, in percent, of the formula with one more column and one value for each
 * constant. */
static double error_with(struct arena *a, const struct model *m, const double *extra)
{
    size_t n = m->points.n, k = m->nconstants, used = 0;
    struct lsq *l = lsq_create(a, k + 1);
    struct lsq_solution solution;
    double *row = arena_alloc(a, k + 1, sizeof *row), sum = 0;
    for (size_t i = 0; i < n; i++) {
        double y = m->points.value[i];
        if (m->structure.left_out[i] || !(y > 0))
            continue;
        for (size_t j = 0; j < k; j++)
            row[j] = m->formula.coefficients[i * k + j] / y;
        row[k] = extra[i] / y;
        lsq_add(l, row, 1 - (m->formula.known ? m->formula.known[i] / y : 0));
        used++;
    }
    lsq_finish(l);
    lsq_solve(a, l, NULL, &solution);
    for (size_t i = 0; i < n; i++) {
        double y = m->points.value[i],
               fitted = (m->formula.known ? m->formula.known[i] : 0) + solution.x[k] * extra[i];
        if (m->structure.left_out[i] || !(y > 0))
            continue;
        for (size_t j = 0; j < k; j++)
            fitted += solution.x[j] * m->formula.coefficients[i * k + j];
        sum += fabs(fitted - y) / y;
    }
    return used ? 100 * sum / (double)used : NAN;
}

bool missing_term_find(struct model *m, const struct pieces_problem *problem)
{
    struct arena *a = arena_create();
    struct candidates c;
    size_t which;
    bool found = false;
    m->structure.missing_term = NULL;
    make_candidates(a, &m->points, &c);
    if (c.library.n) {
        double gain = pieces_gain_of_column(problem, m->structure.left_out, c.library.n,
                                            candidate_values, &c, &which);
        found = gain > m->structure.pieces->gain + MISSING_TERM_MARGIN;
    }
    if (found) {
        double *column = m->structure.missing_column =
            arena_alloc(m->arena, m->points.n, sizeof *column);
        candidate_values(&c, which, column);
        m->structure.missing_term =
            search_term_text(m->arena, &c.library.terms[which], c.variables, c.nvariables);
        m->structure.missing_term_error = error_with(a, m, column);
    }
    arena_destroy(a);
    return found;
}
