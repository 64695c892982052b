/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The data that page/evaluate.js predicts with: the coefficients as trees, the values of all columns with their
 * covariance, the noise, and what the selection left open. Whatever a prediction derives from all points (the
 * ranges, the largest leverage, the noise at the ends) is a number here, so that the points are not needed.
 */
#include "llac/report/evaluator.h"

#include <math.h>
#include <string.h>

#include "base/number.h"
#include "llac/json.h"
#include "llac/machine/terms.h"
#include "model/evaluator.h"
#include "model/thresholds.h"

extern const char report_evaluate[]; /* made from page/evaluate.js */

/* Degrees of freedom with which Student's t is the normal distribution in all digits. */
#define NORMAL_DOF  1e16
#define NAMED(name) #name, name

void evaluator_put_script(FILE *out, const void *unused)
{
    const struct {
        const char *name;
        double value;
    } thresholds[] = {{NAMED(INTERVAL_LOW_QUANTILE)},
                      {NAMED(INTERVAL_HIGH_QUANTILE)},
                      {"NORMAL_QUANTILE", noise_student_t(NORMAL_DOF)},
                      {NAMED(SHARES_ROUNDING)},
                      {NAMED(ESTIMABLE_TOLERANCE)},
                      {NAMED(EXTRAPOLATION_SLACK)},
                      {NAMED(FAR_TIMES_LEVERAGE)},
                      {NAMED(AVERAGE_LEAST_DRAWS)},
                      {NAMED(AVERAGE_NEAR)},
                      {NAMED(AVERAGE_NARROW)},
                      {NAMED(AVERAGE_LOW_QUANTILE)},
                      {NAMED(AVERAGE_HIGH_QUANTILE)},
                      {NAMED(AVERAGE_STARTS)},
                      {NAMED(AVERAGE_STEPS)},
                      {NAMED(AVERAGE_ENOUGH)},
                      {NAMED(AVERAGE_NORMAL_DOF)}};
    char number[NUMBER_SIZE];
    (void)unused;
    fputs("const CLL_THRESHOLDS = {", out);
    for (size_t i = 0; i < sizeof thresholds / sizeof *thresholds; i++)
        fprintf(out, "%s%s: %s", i ? ", " : "", thresholds[i].name,
                number_text(thresholds[i].value, number));
    fprintf(out, "};\n%s", report_evaluate);
}

static json_t *numbers(const double *x, size_t n)
{
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++)
        json_array_append_new(list, json_number(x[i]));
    return list;
}

/* Rows of k numbers; null if all are 0. */
static json_t *matrix(const double *x, size_t rows, size_t k)
{
    bool any = false;
    json_t *list = json_array();
    for (size_t i = 0; i < rows * k; i++)
        any = any || x[i] != 0;
    for (size_t i = 0; i < rows && any; i++)
        json_array_append_new(list, numbers(x + i * k, k));
    if (any)
        return list;
    json_decref(list);
    return json_null();
}

/* ---- expressions */

static const char *operation(const struct formula *f)
{
    switch (f->kind) {
    case FORMULA_NEGATE: return "neg";
    case FORMULA_ADD: return "+";
    case FORMULA_SUBTRACT: return "-";
    case FORMULA_MULTIPLY: return "*";
    case FORMULA_DIVIDE: return "/";
    case FORMULA_POWER: return "^";
    case FORMULA_CALL: return f->function->name;
    case FORMULA_LESS: return "<";
    case FORMULA_LESS_EQUAL: return "<=";
    case FORMULA_GREATER: return ">";
    case FORMULA_GREATER_EQUAL: return ">=";
    case FORMULA_EQUAL: return "==";
    case FORMULA_NOT_EQUAL: return "!=";
    case FORMULA_AND: return "and";
    case FORMULA_OR: return "or";
    case FORMULA_NOT: return "not";
    default: return "?";
    }
}

/* The place of the table in the list, to which it is added if it is new. */
static json_int_t table_of(const struct formula *call, json_t *tables)
{
    const struct machine_table *t = terms_table(call->machine, call->function);
    json_t *one = json_pack(
        "{s:s, s:o, s:o, s:o, s:o, s:o}", "name", call->function->name, "x", numbers(t->x, t->nx),
        "y", numbers(t->y, t->ny), "low", t->low ? numbers(t->low, t->ny) : json_null(), "high",
        t->high ? numbers(t->high, t->ny) : json_null(), "value", numbers(t->value, t->nx * t->ny));
    size_t i = 0;
    while (i < json_array_size(tables) && !json_equal(json_array_get(tables, i), one))
        i++;
    if (i < json_array_size(tables))
        json_decref(one);
    else
        json_array_append_new(tables, one);
    return (json_int_t)i;
}

json_t *evaluator_tree(const struct formula *f, json_t *tables)
{
    if (f->kind == FORMULA_NUMBER)
        return json_number(f->number);
    if (f->kind == FORMULA_VARIABLE)
        return json_pack("{s:o}", "v", json_text(f->name));
    if (f->kind == FORMULA_CONSTANT) {
        struct arena *a = arena_create();
        json_t *c = json_pack("{s:o}", "c", json_text(formula_constant_name(a, f)));
        arena_destroy(a);
        return c;
    }
    bool asks = f->kind == FORMULA_CALL && f->function->unit && f->machine && tables;
    if (asks && f->function->max_arity == 0)
        return json_number(f->machine->value(f->machine->curves, f->function, NULL, 0));
    json_t *list = json_array();
    json_array_append_new(list, json_string(asks ? "machine" : operation(f)));
    if (asks)
        json_array_append_new(list, json_integer(table_of(f, tables)));
    for (size_t i = 0; i < f->noperands; i++)
        json_array_append_new(list, evaluator_tree(f->operands[i], tables));
    return list;
}

static json_t *tree_or_null(const struct formula *f, json_t *tables)
{
    return f ? evaluator_tree(f, tables) : json_null();
}

static json_t *coefficients(const struct model *m, json_t *tables)
{
    json_t *list = json_array();
    for (size_t j = 0; j < model_constants(m).n; j++)
        json_array_append_new(list, evaluator_tree(model_constants(m).list[j].coefficient, tables));
    return list;
}

/* ---- variables */

static bool has_name(const char *const *names, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

static bool alternatives_use(struct arena *a, const struct model_alternatives *all,
                             const char *name)
{
    for (size_t i = 0; i < all->n; i++) {
        const struct model_alternative *x = &all->list[i];
        size_t n = 0;
        const char **names = x->model ? model_variables(a, x->model, &n) : NULL;
        if (names && has_name(names, n, name))
            return true;
    }
    for (size_t k = 0; k < all->nterms; k++) {
        struct formula_variables v = formula_variables(a, all->terms[k]);
        for (size_t j = 0; j < v.n; j++)
            if (strcmp(v.list[j].name, name) == 0)
                return true;
    }
    return false;
}

/* Those of the model, then those that only other formulas of a search have. */
static json_t *variables(struct arena *a, const struct model *m, const struct model_evaluator *e)
{
    size_t n;
    const char **names = model_variables(a, m, &n);
    const struct points *p = model_points(m);
    json_t *list = json_array();
    for (int used = 1; used >= 0; used--)
        for (size_t v = 0; v < p->nnames; v++) {
            const char *name = p->names[v];
            bool own = has_name(names, n, name), fixed = points_constant(p, v);
            if (used ? !own : own || !alternatives_use(a, e->alternatives, name))
                continue;
            struct model_range r = e->reach.ranges[v];
            json_array_append_new(list, json_pack("{s:o, s:b, s:o, s:o, s:o, s:o, s:o}", "name",
                                                  json_text(name), "used", used, "low",
                                                  json_number(r.low), "high", json_number(r.high),
                                                  "least", json_number(r.least), "most",
                                                  json_number(r.most), "fixed",
                                                  fixed ? json_number(p->at[v][0]) : json_null()));
        }
    return list;
}

/* The variables along which constants may change: [name, value where it is not given], and of one that is computed
 * from others its tree and its ends, as those of variables(). */
static json_t *coordinates(const struct model *m, const struct model_evaluator *e)
{
    const struct points *p = model_points(m);
    json_t *list = json_array();
    const struct model_range *r = e->reach.ranges + p->nnames;
    for (size_t v = 0; v < model_places(m); v++) {
        const struct formula *f = model_place_formula(m, v);
        json_t *one = json_pack("[o, o]", json_text(model_place_name(m, v)),
                                json_number(model_place_values(m, v)[0]));
        if (f) {
            json_array_append_new(one, evaluator_tree(f, NULL));
            json_array_append_new(one,
                                  json_pack("{s:o, s:o, s:o, s:o}", "low", json_number(r->low),
                                            "high", json_number(r->high), "least",
                                            json_number(r->least), "most", json_number(r->most)));
            r++;
        }
        json_array_append_new(list, one);
    }
    return list;
}

/* ---- the structure */

static json_t *boundaries(const struct model *m)
{
    static const char *const forms[] = {"step", "bend", "smooth"};
    const struct pieces *p = model_pieces(m);
    json_t *list = json_array();
    for (size_t i = 0; i < p->nboundaries; i++) {
        const struct boundary *b = &p->boundaries[i];
        json_array_append_new(list, json_pack("{s:I, s:o, s:o, s:o, s:s, s:o}", "variable",
                                              (json_int_t)b->variable, "below",
                                              json_number(b->below), "above", json_number(b->above),
                                              "at", json_number(b->at), "form", forms[b->form],
                                              "sharpness", json_number(b->sharpness)));
    }
    return list;
}

/* {"constant": 1, "value": 2e-9, "bounds": [[coordinate, boundary below or -1, boundary above or -1]]} */
static json_t *columns(const struct model *m)
{
    struct model_columns c = model_columns(m);
    json_t *list = json_array();
    for (size_t j = 0; j < c.n; j++) {
        const struct piece *p = c.list[j].piece;
        json_t *bounds = json_array();
        for (size_t v = 0; v < model_places(m); v++)
            if (p->low[v] >= 0 || p->high[v] >= 0)
                json_array_append_new(bounds,
                                      json_pack("[I, i, i]", (json_int_t)v, p->low[v], p->high[v]));
        json_array_append_new(list, json_pack("{s:I, s:o, s:o}", "constant",
                                              (json_int_t)c.list[j].constant, "value",
                                              json_number(c.value[j]), "bounds", bounds));
    }
    return list;
}

/* What resampled data give: the covariance of the constants where none of them changes, else the models. */
static json_t *selection(const struct model_evaluator *e, size_t constants)
{
    const struct model_resamples *r = e->resamples;
    if (r->n < 2)
        return json_null();
    if (e->selection)
        return json_pack("{s:o}", "covariance", matrix(e->selection, constants, constants));
    json_t *list = json_array();
    for (size_t i = 0; i < r->n; i++)
        json_array_append_new(list, json_pack("{s:o, s:o}", "boundaries", boundaries(r->list[i]),
                                              "columns", columns(r->list[i])));
    return json_pack("{s:o, s:o}", "part", json_number(r->part), "models", list);
}

/* ---- noise */

static json_t *noise(const struct model_noise *n, const struct model_evaluator *e)
{
    const struct {
        const char *name;
        double value;
    } members[] = {{"relative", n->relative},
                   {"growth", n->growth},
                   {"typical", n->typical},
                   {"drift", n->drift},
                   {"formula_error", e->formula_error},
                   {"floor", n->floor},
                   {"dof", n->dof},
                   {"runs_of_point", n->runs_of_point},
                   {"runs_dof", n->runs_dof},
                   {"single_low", n->single_low},
                   {"single_high", n->single_high},
                   {"least_grown", e->reach.least_grown},
                   {"most_grown", e->reach.most_grown}};
    json_t *j = json_pack("{s:b}", "none", n->none);
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        json_object_set_new(j, members[i].name, json_number(members[i].value));
    return j;
}

/* How much longer the slowest of many ranks takes; null if that is not known. */
static json_t *slowest(const struct model *m)
{
    const struct points_ranks *r = &model_points(m)->by_rank;
    if (!r->nrelative)
        return json_null();
    return json_pack("{s:o, s:o, s:o, s:o, s:o}", "relative", numbers(r->relative, r->nrelative),
                     "level", json_number(r->level), "least", json_number(r->least), "reach",
                     json_number(r->reach), "independence", json_number(r->independence));
}

/* ---- other models */

/* The terms of all formulas that a search left. */
static json_t *alternative_terms(const struct model_alternatives *all, json_t *tables)
{
    json_t *list = json_array();
    for (size_t k = 0; k < all->nterms; k++)
        json_array_append_new(list, evaluator_tree(all->terms[k], tables));
    return list;
}

static json_t *alternatives(const struct model_alternatives *all)
{
    json_t *list = json_array();
    for (size_t i = 0; i < all->n; i++) {
        const struct model_alternative *x = &all->list[i];
        json_t *one = json_object();
        if (x->model) {
            json_object_set_new(one, "ndraws", json_integer((json_int_t)x->ndraws));
            json_object_set_new(one, "model", evaluator_model(x->model));
        } else {
            json_t *terms = json_array();
            for (size_t k = 0; k < x->n; k++)
                json_array_append_new(terms, json_integer((json_int_t)x->term[k]));
            json_object_set_new(one, "terms", terms);
            json_object_set_new(one, "draws", numbers(x->draws, x->ndraws * x->n));
            json_object_set_new(one, "noise", numbers(x->noise, x->ndraws));
        }
        json_array_append_new(list, one);
    }
    return list;
}

/* The models with other figures of the machine. */
static json_t *draws(const struct model_draws *all, json_t *tables)
{
    json_t *list = json_array();
    for (size_t i = 0; i < all->n; i++) {
        const struct model *d = all->list[i];
        json_array_append_new(list, json_pack("{s:o, s:o, s:o, s:o}", "coefficients",
                                              coefficients(d, tables), "offset",
                                              tree_or_null(model_offset(d), tables), "boundaries",
                                              boundaries(d), "columns", columns(d)));
    }
    return list;
}

json_t *evaluator_model(const struct model *m)
{
    struct arena *a = arena_create();
    size_t k = model_columns(m).n;
    const struct points_request *request = model_points(m)->request;
    struct model_constants constants = model_constants(m);
    struct model_evaluator e = model_evaluator(a, m);
    json_t *tables = json_array(), *names = json_array(), *j = json_object();
    for (size_t c = 0; c < constants.n; c++)
        json_array_append_new(names, json_text(constants.list[c].name));
    json_object_set_new(j, "experiment", json_text(request->experiment->name));
    json_object_set_new(j, "observable", json_text(request->observable));
    json_object_set_new(j, "unit", json_text(points_unit(request)));
    json_object_set_new(j, "statistic", json_text(statistics[request->statistic].name));
    json_object_set_new(j, "variables", variables(a, m, &e));
    json_object_set_new(j, "coordinates", coordinates(m, &e));
    json_object_set_new(j, "constants", names);
    json_object_set_new(j, "coefficients", coefficients(m, tables));
    json_object_set_new(j, "offset", tree_or_null(model_offset(m), tables));
    json_object_set_new(j, "boundaries", boundaries(m));
    json_object_set_new(j, "columns", columns(m));
    json_object_set_new(j, "covariance", matrix(e.covariance, k, k));
    json_object_set_new(j, "of_runs", matrix(e.of_runs, k, k));
    json_object_set_new(j, "relations", matrix(e.relations, e.nrelations, k));
    json_object_set_new(j, "leverage", json_number(e.leverage));
    json_object_set_new(j, "noise", noise(model_noise(m), &e));
    json_object_set_new(j, "selection", selection(&e, constants.n));
    json_object_set_new(j, "draws", draws(e.draws, tables));
    json_object_set_new(j, "alternatives", alternatives(e.alternatives));
    json_object_set_new(j, "alternative_terms", alternative_terms(e.alternatives, tables));
    json_object_set_new(j, "only_beyond", json_boolean(e.alternatives->only_beyond));
    json_object_set_new(j, "slowest", slowest(m));
    json_object_set_new(j, "tables", tables);
    arena_destroy(a);
    return j;
}
