/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Columns of samples for expressions, and observables that are computed from others. */
#include "model/observe.h"

#include <math.h>
#include <string.h>

#include "base/interrupt.h"
#include "base/misprint.h"
#include "base/text.h"
#include "data/nesting.h"

/* ---- columns */

static void add_column(struct arena *a, struct observe_columns *c, const char *name,
                       const struct column *column)
{
    if (c->n == c->room) {
        size_t room = 2 * c->room + 32;
        const char **names = arena_alloc(a, room, sizeof *names);
        const struct column **columns = arena_alloc(a, room, sizeof *columns);
        for (size_t i = 0; i < c->n; i++)
            names[i] = c->names[i], columns[i] = c->columns[i];
        c->names = names;
        c->columns = columns;
        c->room = room;
    }
    c->names[c->n] = name;
    c->columns[c->n++] = column;
}

static size_t find_name(const struct observe_columns *c, const char *name)
{
    size_t i = text_find(c->names, c->n, name);
    return i < c->n ? i : SIZE_MAX;
}

bool points_condition_uses(const struct points_request *request, const char *name)
{
    ARENA_LOCAL struct arena *a = arena_create();
    bool uses = false;
    for (size_t i = 0; i < request->nconditions && !uses; i++)
        uses = formula_uses(a, request->conditions[i].formula, name);
    return uses;
}

/* What the headers say, as columns; one that differs between files and that a condition uses gets a
 * value for each row. */
static void add_facts(struct arena *a, const struct points_request *request,
                      struct observe_columns *out)
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
        c->name = data_fact_names[k];
        add_column(a, out, data_fact_names[k], c);
    }
}

struct observe_columns observe_fixed(struct arena *a, const struct points_request *request)
{
    struct observe_columns c = {.n = 0};
    const struct experiment *e = request->experiment;
    for (size_t i = 0; i < e->nvariables; i++) {
        const struct column *variable = experiment_variable(e, i);
        add_column(a, &c, variable->name, variable);
    }
    for (size_t f = 0; f < FIELD_FIXED; f++) /* variables hide columns of the same name */
        if (experiment_find_variable(e, data_field_names[f]) == SIZE_MAX)
            add_column(a, &c, data_field_names[f], &e->columns[f]);
    add_facts(a, request, &c);
    return c;
}

size_t points_observable(const struct experiment *e, const char *name)
{
    size_t found = SIZE_MAX;
    TEXT_LOCAL struct text t = text_new();
    for (size_t j = experiment_first_observable(e); j < e->ncolumns && found == SIZE_MAX; j++) {
        if (!column_is_observable(&e->columns[j]))
            continue;
        text_clear(&t);
        formula_identifier(&t, e->columns[j].name);
        if (strcmp(e->columns[j].name, name) == 0 || strcmp(t.s, name) == 0)
            found = j;
    }
    return found;
}

bool points_is_self(const struct experiment *e, const char *name)
{
    return strcmp(name, DATA_SELF) == 0 && nesting_applies(e);
}

/* CLOCK without the overhead of measuring. */
static const struct column *corrected_clock(struct arena *a, const struct points_request *request,
                                            const struct column *clock)
{
    const struct experiment *e = request->experiment;
    struct column *c = arena_zalloc(a, 1, sizeof *c);
    size_t hint = 0;
    *c = *clock;
    c->values = arena_alloc(a, e->nrows + 1, sizeof *c->values);
    for (size_t row = 0; row < e->nrows; row++) {
        const struct data_file *f =
            &request->dataset->files[experiment_segment(e, row, &hint)->file];
        c->values[row] = column_at(clock, row) -
                         data_file_correction(f, column_at(&e->columns[FIELD_NESTED], row));
    }
    return c;
}

/* Adds the observables that the expression uses; those of times have their overhead subtracted. */
static void observe_add(struct arena *a, const struct points_request *request,
                        const struct formula *f, struct observe_columns *c)
{
    const struct experiment *e = request->experiment;
    struct formula_variables used = formula_variables(a, f);
    for (size_t i = 0; i < used.n; i++) {
        bool known = find_name(c, used.list[i].name) != SIZE_MAX;
        size_t j = known ? SIZE_MAX : points_observable(e, used.list[i].name);
        if (!known && points_is_self(e, used.list[i].name))
            add_column(a, c, used.list[i].name, &nesting_of(request->dataset, e)->self);
        if (j == SIZE_MAX)
            continue;
        bool clock = strcmp(e->columns[j].name, "CLOCK") == 0;
        add_column(a, c, used.list[i].name,
                   clock ? corrected_clock(a, request, &e->columns[j]) : &e->columns[j]);
    }
}

bool points_has_observable(const struct experiment *e, const char *name)
{
    return points_observable(e, name) != SIZE_MAX || points_is_self(e, name);
}

bool observe_applies(struct arena *a, const struct points_request *request,
                     const struct observe_columns *c, const struct formula *f)
{
    struct formula_variables used = formula_variables(a, f);
    const struct formula *reference = formula_first(f, FORMULA_REFERENCE);
    for (size_t i = 0; i < used.n; i++)
        if (find_name(c, used.list[i].name) == SIZE_MAX &&
            !points_has_observable(request->experiment, used.list[i].name))
            return false;
    return !reference || points_has_observable(request->experiment, reference->name);
}

struct observe_blocks observe_blocks(struct arena *a, const struct observe_columns *c)
{
    struct observe_blocks b = {.columns = c};
    b.filled = arena_alloc(a, c->n * OBSERVE_BLOCK + 1, sizeof *b.filled);
    b.block = arena_alloc(a, c->n + 1, sizeof *b.block);
    for (size_t j = 0; j < c->n; j++)
        for (size_t i = 0; i < OBSERVE_BLOCK; i++)
            b.filled[j * OBSERVE_BLOCK + i] = c->columns[j]->constant;
    return b;
}

const double *const *observe_block(struct observe_blocks *b, size_t row)
{
    for (size_t j = 0; j < b->columns->n; j++) {
        const double *values = b->columns->columns[j]->values;
        b->block[j] = values ? values + row : b->filled + j * OBSERVE_BLOCK;
    }
    return b->block;
}

/* ---- values at other points: CLOCK(P=1) */

/* What computing an observable needs everywhere. */
struct computing {
    struct arena *arena;
    const struct points_request *request;
    struct diag *diag;
    struct observe_columns fixed;
};

/* A reference of a computed observable: the values of points, and where each row looks for its own. */
struct elsewhere {
    struct points points;
    const struct formula_program **at; /* per name of the points; NULL: the value of the row */
    const struct column **own;
};

static const struct column *column_of_key(const struct experiment *e, size_t key)
{
    return key < e->nvariables ? experiment_variable(e, key) : &e->columns[FIELD_P];
}

/* The variable of an argument, and what it is there. */
static int elsewhere_argument(const struct computing *c, const struct formula *f, size_t i,
                              struct elsewhere *out)
{
    size_t j = 0;
    const char *name = f->arguments[i];
    if (!name)
        return diag_error(c->diag, "%s: name the variable of the argument, as in %s(P=1)",
                          formula_text(c->arena, f), f->name);
    while (j < out->points.nnames && strcmp(out->points.names[j], name) != 0)
        j++;
    if (j == out->points.nnames)
        return diag_error(c->diag, "%s: %s has no variable '%s'", formula_text(c->arena, f),
                          c->request->experiment->name, name);
    out->at[j] =
        formula_compile(c->arena, f->operands[i], c->fixed.names, c->fixed.n, NULL, c->diag);
    return out->at[j] ? 0 : -1;
}

static int elsewhere_begin(const struct computing *c, const struct formula *f,
                           struct elsewhere *out)
{
    const struct experiment *e = c->request->experiment;
    size_t observable = f->index == FORMULA_NO_INDEX ? points_observable(e, f->name) : SIZE_MAX;
    bool self = f->index == FORMULA_NO_INDEX && points_is_self(e, f->name);
    if (observable == SIZE_MAX && !self)
        return diag_error(
            c->diag, "%s: '%s' is not an observable of %s; only those have values at other points",
            formula_text(c->arena, f), f->name, e->name);
    struct points_request *at = arena_alloc(c->arena, 1, sizeof *at);
    struct condition *conditions =
        arena_alloc(c->arena, c->request->nconditions + 1, sizeof *conditions);
    *at = *c->request;
    at->observable = self ? DATA_SELF : e->columns[observable].name;
    if (points_is_spread(at)) /* of the computed observable, not of what it is computed from */
        at->statistic = STATISTIC_MEAN;
    at->let.n = at->nconditions = 0;
    at->conditions = conditions;
    for (size_t i = 0; i < c->request->nconditions; i++) /* others would need these points first */
        if (!formula_first(c->request->conditions[i].formula, FORMULA_REFERENCE))
            conditions[at->nconditions++] = c->request->conditions[i];
    if (points_make(c->arena, at, c->diag, &out->points))
        return -1;
    size_t n = out->points.nnames;
    out->at = arena_zalloc(c->arena, n + 1, sizeof *out->at);
    out->own = arena_alloc(c->arena, n + 1, sizeof *out->own);
    for (size_t j = 0; j < n; j++)
        out->own[j] = column_of_key(e, j);
    for (size_t i = 0; i < f->noperands; i++)
        if (elsewhere_argument(c, f, i, out))
            return -1;
    return 0;
}

/* The value of the point at these values of the variables; nan without one. *last is where it was
 * found before. */
static double find_point(const struct points *p, const double *at, size_t *last)
{
    for (size_t k = 0; k < p->n; k++) {
        size_t i = (*last + k) % p->n, j = 0;
        while (j < p->nnames && rows_bits(p->at[j][i]) == rows_bits(at[j]))
            j++;
        if (j == p->nnames) {
            *last = i;
            return p->value[i];
        }
    }
    return (double)NAN;
}

/* The column of a reference. */
static const struct column *elsewhere_column(const struct computing *c, const struct formula *f)
{
    const struct experiment *e = c->request->experiment;
    struct elsewhere w;
    if (elsewhere_begin(c, f, &w))
        return NULL;
    size_t n = w.points.nnames, last = 0;
    struct observe_blocks blocks = observe_blocks(c->arena, &c->fixed);
    struct column *out = arena_zalloc(c->arena, 1, sizeof *out);
    double *at = arena_alloc(c->arena, n + 1, sizeof *at),
           *moved = arena_alloc(c->arena, n * OBSERVE_BLOCK + 1, sizeof *moved);
    out->name = f->name;
    out->values = arena_alloc(c->arena, e->nrows + 1, sizeof *out->values);
    for (size_t row = 0; row < e->nrows && !interrupt_came(); row += OBSERVE_BLOCK) {
        size_t rows = e->nrows - row < OBSERVE_BLOCK ? e->nrows - row : OBSERVE_BLOCK;
        const double *const *block = observe_block(&blocks, row);
        for (size_t j = 0; j < n; j++)
            if (w.at[j])
                formula_evaluate(w.at[j], block, rows, moved + j * OBSERVE_BLOCK, NULL);
        for (size_t i = 0; i < rows; i++) {
            for (size_t j = 0; j < n; j++)
                at[j] = w.at[j] ? moved[j * OBSERVE_BLOCK + i] : column_at(w.own[j], row + i);
            out->values[row + i] = find_point(&w.points, at, &last);
        }
    }
    return interrupt_came() ? NULL : out;
}

/* f with each reference replaced by a column of its own. NULL with an error. */
static const struct formula *replace_references(const struct computing *c, const struct formula *f,
                                                struct observe_columns *all)
{
    if (f->kind == FORMULA_REFERENCE) {
        const char *name = formula_text(c->arena, f);
        if (find_name(all, name) == SIZE_MAX) {
            const struct column *column = elsewhere_column(c, f);
            if (!column)
                return NULL;
            add_column(c->arena, all, name, column);
        }
        return formula_variable(c->arena, name);
    }
    if (!formula_first(f, FORMULA_REFERENCE))
        return f;
    const struct formula **operands = arena_alloc(c->arena, f->noperands + 1, sizeof *operands);
    for (size_t i = 0; i < f->noperands; i++)
        if (!(operands[i] = replace_references(c, f->operands[i], all)))
            return NULL;
    struct formula *copy = arena_alloc(c->arena, 1, sizeof *copy);
    *copy = *f;
    copy->operands = operands;
    return copy;
}

/* ---- computed observables */

const char *observe_unit(const char *observable)
{
    static const char *const times[] = {"CLOCK", "CPUTIME", "DEVICE", "TRANSFER", DATA_SELF};
    return text_is_in(times, sizeof times / sizeof *times, observable) ? "s" : "count";
}

bool points_uses_observables(struct arena *a, const struct experiment *e, const struct formula *f)
{
    struct formula_variables used = formula_variables(a, f);
    for (size_t i = 0; i < used.n; i++)
        if (experiment_find_variable(e, used.list[i].name) == SIZE_MAX &&
            points_has_observable(e, used.list[i].name))
            return true;
    return formula_first(f, FORMULA_REFERENCE) != NULL;
}

/* The expression of the observable, with all definitions replaced; NULL if it has none. */
static const struct formula *expression_of(struct arena *a, const struct points_request *r,
                                           struct diag *diag)
{
    size_t i = text_find(r->let.names, r->let.n, r->observable);
    return i < r->let.n ? definitions_expand(a, r->let.by[i], &r->let, diag) : NULL;
}

bool points_is_computed(const struct points_request *r)
{
    if (experiment_find_observable(r->experiment, r->observable) != SIZE_MAX ||
        points_is_self(r->experiment, r->observable))
        return false;
    return text_is_in(r->let.names, r->let.n, r->observable);
}

const char *points_unit(const struct points_request *r)
{
    return points_is_computed(r) ? "" : observe_unit(r->observable);
}

bool points_is_spread(const struct points_request *r)
{
    return statistics[r->statistic].is_spread;
}

bool points_is_time(const struct points_request *r)
{
    return strcmp(points_unit(r), "s") == 0 && !points_is_spread(r);
}

static int not_measured(const struct points_request *r, struct diag *diag)
{
    const struct experiment *e = r->experiment;
    MEM_LOCAL const char **names = mem_zalloc(e->ncolumns + r->let.n + 1, sizeof *names);
    size_t n = 0;
    TEXT_LOCAL struct text have = text_new();
    for (size_t j = experiment_first_observable(e); j < e->ncolumns; j++)
        if (strcmp(e->columns[j].name, DATA_DISTURBED) != 0) {
            text_printf(&have, "%s%s", have.n ? ", " : "", e->columns[j].name);
            names[n++] = e->columns[j].name;
        }
    for (size_t j = 0; j < r->let.n; j++)
        names[n++] = r->let.names[j];
    const char *reason = experiment_absent(r->dataset, e, r->observable),
               *meant = reason ? NULL : misprint_meant(r->observable, names);
    if (meant)
        diag_error(diag, "%s was not measured for %s; did you mean '%s'?", r->observable, e->name,
                   meant);
    else
        diag_error(diag, "%s was not measured for %s%s%s%s: the data has %s; name one with 'on'",
                   r->observable, e->name, reason ? " (" : "", reason ? reason : "",
                   reason ? ")" : "", have.s);
    return -1;
}

/* Values of rows that have one; the others get nan. */
static void evaluate_rows(struct arena *a, const struct observed *o, size_t nrows, double *out)
{
    struct observe_blocks blocks = observe_blocks(a, &o->columns);
    for (size_t row = 0; row < nrows && !interrupt_came(); row += OBSERVE_BLOCK) {
        size_t rows = nrows - row < OBSERVE_BLOCK ? nrows - row : OBSERVE_BLOCK;
        formula_evaluate(o->program, observe_block(&blocks, row), rows, out + row, NULL);
    }
}

/* Whether most values fall if CLOCK is a little longer. */
static bool falls_with_clock(struct arena *a, const struct observed *o, size_t nrows)
{
    const double longer = 1.01;
    struct observed other = *o;
    struct column clock = *o->columns.columns[o->clock];
    size_t n = nrows < OBSERVE_BLOCK ? nrows : OBSERVE_BLOCK, falling = 0, growing = 0;
    double *values = arena_alloc(a, n + 1, sizeof *values);
    other.columns.columns = arena_alloc(a, o->columns.n, sizeof *other.columns.columns);
    for (size_t j = 0; j < o->columns.n; j++)
        other.columns.columns[j] = o->columns.columns[j];
    clock.values = arena_alloc(a, n + 1, sizeof *clock.values);
    for (size_t i = 0; i < n; i++)
        clock.values[i] = longer * o->columns.columns[o->clock]->values[i];
    other.columns.columns[o->clock] = &clock;
    evaluate_rows(a, &other, n, values);
    for (size_t i = 0; i < n; i++) {
        falling += values[i] < column_at(o->column, i);
        growing += values[i] > column_at(o->column, i);
    }
    return falling > growing;
}

static int check_expression(struct arena *a, const struct points_request *r,
                            const struct formula *f, struct diag *diag)
{
    if (!points_uses_observables(a, r->experiment, f))
        return diag_error(
            diag,
            "%s is not an observable of %s: it uses no observable, such as CLOCK; use it in "
            "formulas",
            r->observable, r->experiment->name);
    if (!formula_asks_machine(f))
        return 0;
    return diag_error(diag, "%s cannot be observed: it asks the machine", r->observable);
}

const struct formula *observe_expression(struct arena *a, const struct points_request *request,
                                         const struct formula *f, struct diag *diag,
                                         struct observe_columns *columns)
{
    struct computing c = {a, request, diag, *columns};
    columns->room = columns->n; /* further columns go into a copy */
    const struct formula *whole = replace_references(&c, f, columns);
    if (whole)
        observe_add(a, request, whole, columns);
    return whole;
}

static int compute(const struct computing *c, const struct formula *f, struct observed *out)
{
    const struct experiment *e = c->request->experiment;
    out->columns = c->fixed;
    const struct formula *whole =
        observe_expression(c->arena, c->request, f, c->diag, &out->columns);
    if (!whole)
        return -1;
    out->program =
        formula_compile(c->arena, whole, out->columns.names, out->columns.n, NULL, c->diag);
    if (!out->program)
        return -1;
    struct column *column = arena_zalloc(c->arena, 1, sizeof *column);
    column->name = c->request->observable;
    column->values = arena_alloc(c->arena, e->nrows + 1, sizeof *column->values);
    out->column = column;
    out->computed = true;
    out->clock = find_name(&out->columns, "CLOCK");
    out->of_clock = out->clock != SIZE_MAX && experiment_find_variable(e, "CLOCK") == SIZE_MAX;
    evaluate_rows(c->arena, out, e->nrows, column->values);
    out->falls = out->of_clock && falls_with_clock(c->arena, out, e->nrows);
    return 0;
}

/* Why SELF is not known, and what to do. */
static const char *self_trouble(const struct dataset *d, const struct experiment *e)
{
    switch (nesting_trouble(d, e)) {
    case NESTED_NO_TIMES: return "the data do not state when executions began";
    case NESTED_TORN:
        return "samples of several processes have the same file, run, rank and thread; load the "
               "files that the program wrote";
    case NESTED_MISSING: break;
    }
    return "samples of regions inside them are not in the data: they were thinned (raise "
           "CLL_MEMORY), or a report or 'save' left them out; or a signal handler interrupted the "
           "end of a region";
}

/* SELF of all rows; those that have none take no part. */
static int observe_self(const struct points_request *r, struct diag *diag, struct observed *out)
{
    const struct experiment *e = r->experiment;
    const struct nested *n = nesting_of(r->dataset, e);
    if (n->unknown == e->nrows && e->nrows)
        return diag_error(diag, "SELF of %s is not known: %s", e->name,
                          self_trouble(r->dataset, e));
    if (n->unknown)
        diag_warning(diag, "SELF of %zu of %zu samples of %s is not known: %s", n->unknown,
                     e->nrows, e->name, self_trouble(r->dataset, e));
    out->column = &n->self;
    return 0;
}

int observe_begin(struct arena *a, const struct points_request *request, struct diag *diag,
                  struct observed *out)
{
    const struct experiment *e = request->experiment;
    size_t column = experiment_find_observable(e, request->observable);
    memset(out, 0, sizeof *out);
    if (column != SIZE_MAX && strcmp(request->observable, DATA_DISTURBED) != 0) {
        out->column = &e->columns[column];
        return 0;
    }
    if (points_is_self(e, request->observable))
        return observe_self(request, diag, out);
    bool named = points_is_computed(request);
    const struct formula *f = named ? expression_of(a, request, diag) : NULL;
    if (!f)
        return named ? -1 : not_measured(request, diag);
    if (check_expression(a, request, f, diag))
        return -1;
    struct computing c = {a, request, diag, observe_fixed(a, request)};
    return compute(&c, f, out);
}

void observe_finish(const struct observed *o, struct grouping *g, double *values)
{
    ARENA_LOCAL struct arena *a = arena_create();
    struct observed prepared = *o;
    struct column clock = *o->columns.columns[o->clock];
    MEM_LOCAL double *computed = mem_alloc(g->e->nrows + 1, sizeof *computed);
    prepared.columns.columns = arena_alloc(a, o->columns.n, sizeof *prepared.columns.columns);
    for (size_t j = 0; j < o->columns.n; j++)
        prepared.columns.columns[j] = o->columns.columns[j];
    for (size_t row = 0; row < g->e->nrows; row++)
        if (g->group[row] == UINT32_MAX)
            values[row] = NAN;
    clock.values = values;
    prepared.columns.columns[o->clock] = &clock;
    evaluate_rows(a, &prepared, g->e->nrows, computed);
    for (size_t row = 0; row < g->e->nrows; row++)
        values[row] = isfinite(computed[row]) ? computed[row] : column_at(o->column, row);
}
