/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Operands of max() and min() that count at no point. The data do not determine their constants. But at
 * each point such an operand of max() takes at most what was measured, so there is a largest value of
 * its constant. If it does not count at a place with this value, it does not count there.
 */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "model/fit_internal.h"

/* The largest value of a constant with which its term takes no longer than was measured at any point. */
static double most_of(struct arena *a, const struct model *m, size_t constant)
{
    const struct points *p = &m->points;
    const struct formula_program *program = formula_compile(
        a, model_term(a, m, constant), (const char *const *)p->names, p->nnames, NULL, NULL);
    double *column = arena_alloc(a, p->n, sizeof *column), most = INFINITY;
    if (!program || formula_evaluate(program, (const double *const *)p->at, p->n, column, NULL))
        return INFINITY;
    for (size_t i = 0; i < p->n; i++)
        if (column[i] > 0)
            most = fmin(most, p->value[i] / column[i]);
    return most;
}

size_t choices_open(struct arena *a, const struct model *m, const struct place *place)
{
    const struct formula_linear *l = m->formula.with_choices;
    if (!l)
        return SIZE_MAX;
    double *constants = arena_alloc(a, l->nterms + 1, sizeof *constants);
    memcpy(constants, m->formula.chosen, l->nterms * sizeof *constants);
    for (size_t j = 0; j < m->structure.ncolumns; j++)
        if (m->solution.dropped[j])
            constants[m->structure.columns[j].constant] =
                most_of(a, m, m->structure.columns[j].constant);
    for (size_t j = 0; j < m->structure.ncolumns; j++) {
        size_t c = m->structure.columns[j].constant;
        double coefficient = 1;
        if (!m->solution.dropped[j])
            continue;
        for (size_t i = 0; i < l->nchoices; i++)
            if (!l->choices[i].largest) /* of min() the measured times are no bound */
                return c;
        if (!isfinite(constants[c]) ||
            predict_expression(a, m, formula_choose(a, l, l->terms[c].coefficient, constants),
                               place, NULL, &coefficient) ||
            coefficient != 0)
            return c;
    }
    return SIZE_MAX;
}
