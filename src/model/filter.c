/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which samples count: the user's conditions, evaluated in blocks of rows. */
#include <stdint.h>
#include <string.h>

#include "model/points.h"
#include "base/interrupt.h"

enum { BLOCK_ROWS = 4096 };

/* All columns a condition may use: variables first, so that they hide fixed columns of the same
 * name. */
static size_t condition_columns(const struct experiment *e, const char **names,
                                const struct column **columns)
{
    size_t n = 0;
    for (size_t i = 0; i < e->nvariables; i++, n++) {
        columns[n] = experiment_variable(e, i);
        names[n] = columns[n]->name;
    }
    for (size_t f = 0; f < FIELD_FIXED; f++) {
        if (experiment_find_variable(e, data_field_names[f]) != SIZE_MAX)
            continue;
        columns[n] = &e->columns[f];
        names[n++] = data_field_names[f];
    }
    return n;
}

/* What the headers say, as columns; one that differs between files and that a condition uses gets a
 * value for each row. */
static size_t fact_columns(struct arena *a, const struct points_request *request, size_t n,
                           const char **names, const struct column **columns)
{
    const struct experiment *e = request->experiment;
    for (int k = 0; k < FACT_COUNT; k++) {
        if (experiment_find_variable(e, data_fact_names[k]) != SIZE_MAX)
            continue;
        struct column *c = arena_zalloc(a, 1, sizeof *c);
        bool varies = false;
        for (size_t s = 0; s < e->nsegments; s++) {
            const struct data_file *f = &request->dataset->files[e->segments[s].file];
            double value = data_file_fact(f, (enum data_fact)k);
            varies = varies || (s > 0 && value != c->constant);
            c->constant = value;
        }
        if (varies && points_condition_uses(request, data_fact_names[k]))
            c->values = arena_alloc(a, e->nrows + 1, sizeof *c->values);
        size_t hint = 0;
        for (size_t row = 0; row < e->nrows && c->values; row++)
            c->values[row] =
                data_file_fact(&request->dataset->files[experiment_segment(e, row, &hint)->file],
                               (enum data_fact)k);
        c->name = names[n] = data_fact_names[k];
        columns[n++] = c;
    }
    return n;
}

bool points_condition_uses(const struct points_request *request, const char *name)
{
    struct arena *a = arena_create();
    bool uses = false;
    for (size_t i = 0; i < request->nconditions && !uses; i++) {
        struct formula_variables used = formula_variables(a, request->conditions[i].formula);
        for (size_t k = 0; k < used.n; k++)
            uses = uses || strcmp(used.list[k].name, name) == 0;
    }
    arena_destroy(a);
    return uses;
}

static bool has_name(const char *const *names, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

static int run_condition(struct arena *a, const struct experiment *e, const struct condition *c,
                         const char *const *names, const struct column *const *columns, size_t n,
                         struct diag *diag, unsigned char *keep)
{
    const struct formula_program *program =
        formula_compile(a, c->formula, names, n, c->source, diag);
    if (!program)
        return -1;
    double *filled = arena_alloc(a, n * BLOCK_ROWS + BLOCK_ROWS, sizeof *filled);
    double *result = filled + n * BLOCK_ROWS;
    const double **block = arena_alloc(a, n, sizeof *block);
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < BLOCK_ROWS; i++)
            filled[j * BLOCK_ROWS + i] = columns[j]->constant;
    for (size_t row = 0; row < e->nrows; row += BLOCK_ROWS) {
        size_t rows = e->nrows - row < BLOCK_ROWS ? e->nrows - row : BLOCK_ROWS;
        for (size_t j = 0; j < n; j++)
            block[j] = columns[j]->values ? columns[j]->values + row : filled + j * BLOCK_ROWS;
        struct formula_trouble trouble;
        if (formula_evaluate(program, block, rows, result, &trouble)) {
            diag_add(diag, SEVERITY_ERROR, c->source, c->formula->span,
                     "the condition has no value for sample %zu of %s: %s", row + trouble.row + 1,
                     e->name, trouble.what);
            return -1;
        }
        for (size_t i = 0; i < rows; i++)
            keep[row + i] &= result[i] != 0;
        if (interrupted())
            return -1;
    }
    return 0;
}

int points_filter(const struct points_request *request, struct diag *diag, unsigned char *keep,
                  size_t *skipped)
{
    const struct experiment *e = request->experiment;
    struct arena *a = arena_create();
    size_t most = e->nvariables + FIELD_FIXED + FACT_COUNT;
    const char **names = arena_alloc(a, most, sizeof *names);
    const struct column **columns = arena_alloc(a, most, sizeof *columns);
    size_t n = condition_columns(e, names, columns);
    n = fact_columns(a, request, n, names, columns);
    int status = 0;
    memset(keep, 1, e->nrows);
    *skipped = 0;
    for (size_t i = 0; i < request->nconditions && status == 0; i++) {
        const struct condition *c = &request->conditions[i];
        struct formula_variables used = formula_variables(a, c->formula);
        bool known = true;
        for (size_t k = 0; k < used.n; k++)
            known = known && has_name(names, n, used.list[k].name);
        if (known)
            status = run_condition(a, e, c, names, columns, n, diag, keep);
        else
            ++*skipped;
    }
    arena_destroy(a);
    return status;
}
