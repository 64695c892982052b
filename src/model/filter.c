/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which samples count: the user's conditions, evaluated in blocks of rows. */
#include <math.h>
#include <string.h>

#include "base/interrupt.h"
#include "model/observe.h"

/* Whether the row lacks a value that the condition uses: of an observable that was not measured
 * then. */
static bool lacks_value(const struct observe_columns *c, const struct formula_variables *used,
                        size_t row)
{
    for (size_t i = 0; i < used->n; i++)
        for (size_t j = 0; j < c->n; j++)
            if (strcmp(c->names[j], used->list[i].name) == 0 &&
                isnan(column_at(c->columns[j], row)))
                return true;
    return false;
}

/* Rows that lack a value do not fulfil the condition; any other without a result is an error. */
static int check_rows(struct arena *a, const struct experiment *e, const struct condition *c,
                      const struct observe_columns *columns, const struct formula_program *program,
                      size_t row, size_t rows, double *result, struct diag *diag)
{
    struct formula_variables used = formula_variables(a, c->formula);
    const double **one = arena_alloc(a, columns->n + 1, sizeof *one);
    double *at = arena_alloc(a, columns->n + 1, sizeof *at);
    for (size_t i = 0; i < rows; i++) {
        struct formula_trouble trouble;
        for (size_t j = 0; j < columns->n; j++) {
            at[j] = column_at(columns->columns[j], row + i);
            one[j] = &at[j];
        }
        if (!formula_evaluate(program, one, 1, &result[i], &trouble))
            continue;
        result[i] = 0;
        if (lacks_value(columns, &used, row + i))
            continue;
        return diag_add(diag, SEVERITY_ERROR, c->source, c->formula->span,
                        "the condition has no value for sample %zu of %s: %s", row + i + 1, e->name,
                        trouble.what);
    }
    return 0;
}

static int run_condition(struct arena *a, const struct experiment *e, const struct condition *c,
                         const struct observe_columns *columns, struct diag *diag,
                         unsigned char *keep)
{
    const struct formula_program *program =
        formula_compile(a, c->formula, columns->names, columns->n, c->source, diag);
    if (!program)
        return -1;
    double *result = arena_alloc(a, OBSERVE_BLOCK, sizeof *result);
    struct observe_blocks blocks = observe_blocks(a, columns);
    for (size_t row = 0; row < e->nrows; row += OBSERVE_BLOCK) {
        size_t rows = e->nrows - row < OBSERVE_BLOCK ? e->nrows - row : OBSERVE_BLOCK;
        if (formula_evaluate(program, observe_block(&blocks, row), rows, result, NULL) &&
            check_rows(a, e, c, columns, program, row, rows, result, diag))
            return -1;
        for (size_t i = 0; i < rows; i++)
            keep[row + i] &= result[i] != 0;
        if (interrupt_came())
            return -1;
    }
    return 0;
}

int points_filter(const struct points_request *request, struct diag *diag, unsigned char *keep,
                  size_t *skipped)
{
    const struct experiment *e = request->experiment;
    ARENA_LOCAL struct arena *a = arena_create();
    struct observe_columns columns = observe_fixed(a, request);
    int status = 0;
    memset(keep, 1, e->nrows);
    *skipped = 0;
    for (size_t i = 0; i < request->nconditions && status == 0; i++) {
        struct condition c = request->conditions[i];
        if (!observe_applies(a, request, &columns, c.formula)) {
            ++*skipped;
            continue;
        }
        c.formula = observe_expression(a, request, c.formula, diag, &columns);
        status = c.formula ? run_condition(a, e, &c, &columns, diag, keep) : -1;
    }
    return status;
}
