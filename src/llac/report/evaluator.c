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
#include "base/text.h"
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

/* Rows of k numbers; null if all are 0. */
static json_t *matrix(const double *x, size_t rows, size_t k)
{
    bool any = false;
    json_t *list = json_array();
    for (size_t i = 0; i < rows * k; i++)
        any = any || x[i] != 0;
    for (size_t i = 0; i < rows && any; i++)
        json_array_append_new(list, json_numbers(x + i * k, k));
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
    json_t *one = json_make("{name:%s x:%p y:%p low:%p high:%p value:%p}", call->function->name,
                            json_numbers(t->x, t->nx), json_numbers(t->y, t->ny),
                            t->low ? json_numbers(t->low, t->ny) : json_null(),
                            t->high ? json_numbers(t->high, t->ny) : NULL,
                            json_numbers(t->value, t->nx * t->ny));
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
        return json_make("{v:%s}", f->name);
    if (f->kind == FORMULA_CONSTANT) {
        ARENA_LOCAL struct arena *a = arena_create();
        json_t *c = json_make("{c:%s}", formula_constant_name(a, f));
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

static bool alternatives_use(struct arena *a, const struct model_alternatives *all,
                             const char *name)
{
    for (size_t i = 0; i < all->n; i++) {
        const struct model_alternative *x = &all->list[i];
        size_t n = 0;
        const char **names = x->model ? model_variables(a, x->model, &n) : NULL;
        if (names && text_is_in(names, n, name))
            return true;
    }
    for (size_t k = 0; k < all->nterms; k++)
        if (formula_uses(a, all->terms[k], name))
            return true;
    return false;
}

/* What the end of the data was off by; null if by nothing. */
static json_t *surprise(const struct model_surprise *s)
{
    if (!s || (!s->text && s->missed == 0))
        return json_null();
    json_t *cuts = json_array();
    for (size_t k = 0; k < s->n; k++)
        json_add(cuts, "[%g %g]", s->cuts[k].off, s->cuts[k].doublings);
    return json_make("{end:%g missed:%g again:%g cuts:%p text:%s}", s->end, s->missed,
                     BACKTEST_AGAIN, cuts, s->text);
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
            bool own = text_is_in(names, n, name), fixed = points_constant(p, v);
            if (used ? !own : own || !alternatives_use(a, e->alternatives, name))
                continue;
            struct model_range r = e->reach.ranges[v];
            json_add(list, "{name:%s used:%i low:%g high:%g least:%g most:%g fixed:%g surprise:%p}",
                     name, used, r.low, r.high, r.least, r.most, fixed ? p->at[v][0] : NAN,
                     surprise(e->surprises ? &e->surprises[v] : NULL));
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
        json_t *one = json_make("[%s %g]", model_place_name(m, v), model_place_values(m, v)[0]);
        if (f) {
            json_array_append_new(one, evaluator_tree(f, NULL));
            json_add(one, "{low:%g high:%g least:%g most:%g}", r->low, r->high, r->least, r->most);
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
        json_add(list, "{variable:%zu below:%g above:%g at:%g form:%s sharpness:%g}", b->variable,
                 b->below, b->above, b->at, forms[b->form], b->sharpness);
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
                json_add(bounds, "[%zu %d %d]", v, p->low[v], p->high[v]);
        json_add(list, "{constant:%zu value:%g bounds:%p}", c.list[j].constant, c.value[j], bounds);
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
        return json_make("{covariance:%p}", matrix(e->selection, constants, constants));
    json_t *list = json_array();
    for (size_t i = 0; i < r->n; i++)
        json_add(list, "{boundaries:%p columns:%p}", boundaries(r->list[i]), columns(r->list[i]));
    return json_make("{part:%g models:%p}", r->part, list);
}

/* ---- noise */

static json_t *noise(const struct model_noise *n, const struct model_evaluator *e)
{
    return json_make(
        "{none:%i relative:%g growth:%g typical:%g drift:%g formula_error:%g floor:%g "
        "dof:%g runs_of_point:%g runs_dof:%g single_low:%g single_high:%g least_grown:%g "
        "most_grown:%g}",
        n->none, n->relative, n->growth, n->typical, n->drift, e->formula_error, n->floor, n->dof,
        n->runs_of_point, n->runs_dof, n->single_low, n->single_high, e->reach.least_grown,
        e->reach.most_grown);
}

/* How much longer the slowest of many ranks takes; null if that is not known. */
static json_t *slowest(const struct model *m)
{
    const struct points_ranks *r = &model_points(m)->by_rank;
    if (!r->nrelative)
        return json_null();
    return json_make("{relative:%p level:%g least:%g reach:%g independence:%g}",
                     json_numbers(r->relative, r->nrelative), r->level, r->least, r->reach,
                     r->independence);
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
            json_put(one, "ndraws:%zu model:%p", x->ndraws, evaluator_model(x->model));
        } else {
            json_t *terms = json_array();
            for (size_t k = 0; k < x->n; k++)
                json_add(terms, "%zu", x->term[k]);
            json_put(one, "terms:%p draws:%p noise:%p", terms,
                     json_numbers(x->draws, x->ndraws * x->n), json_numbers(x->noise, x->ndraws));
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
        json_add(list, "{coefficients:%p offset:%p boundaries:%p columns:%p}",
                 coefficients(d, tables), tree_or_null(model_offset(d), tables), boundaries(d),
                 columns(d));
    }
    return list;
}

json_t *evaluator_model(const struct model *m)
{
    ARENA_LOCAL struct arena *a = arena_create();
    size_t k = model_columns(m).n;
    const struct points_request *request = model_points(m)->request;
    struct model_constants constants = model_constants(m);
    struct model_evaluator e = model_evaluator(a, m);
    json_t *tables = json_array(), *names = json_array();
    for (size_t c = 0; c < constants.n; c++)
        json_add(names, "%s", constants.list[c].name);
    json_t *of_constants = coefficients(m, tables); /* these four number the tables in this order */
    json_t *offset = tree_or_null(model_offset(m), tables);
    json_t *drawn = draws(e.draws, tables);
    json_t *terms = alternative_terms(e.alternatives, tables);
    return json_make("{experiment:%s observable:%s unit:%s statistic:%s variables:%p "
                     "coordinates:%p constants:%p coefficients:%p offset:%p boundaries:%p "
                     "columns:%p covariance:%p of_runs:%p relations:%p leverage:%g noise:%p "
                     "selection:%p draws:%p alternatives:%p alternative_terms:%p "
                     "only_beyond:%i slowest:%p tables:%p}",
                     request->experiment->name, request->observable, points_unit(request),
                     statistics[request->statistic].name, variables(a, m, &e), coordinates(m, &e),
                     names, of_constants, offset, boundaries(m), columns(m),
                     matrix(e.covariance, k, k), matrix(e.of_runs, k, k),
                     matrix(e.relations, e.nrelations, k), e.leverage, noise(model_noise(m), &e),
                     selection(&e, constants.n), drawn, alternatives(e.alternatives), terms,
                     e.alternatives->only_beyond, slowest(m), tables);
}
