/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Derived variables: values that are computed from variables, such as N/P, along which constants may
 * change. What a cache sees is seldom N itself: it is the share N/P of a processor, or the product N*M.
 *
 * The candidates are the definitions (let) that can be computed at every point, the arguments of the functions
 * in the coefficients, and of each coefficient the product of its variables. A candidate has at least two variables that
 * vary, and orders the points in another way than every variable and every candidate before it: otherwise its
 * boundaries would be theirs.
 *
 * The search for boundaries uses all candidates; the model keeps those that have boundaries. Models that are made
 * again use those of the model, so that all of them have the same places.
 */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/sort.h"
#include "model/fit_internal.h"

static size_t own_variables(const struct model *m)
{
    return m->points.nnames < PIECES_MAX_VARIABLES ? m->points.nnames : PIECES_MAX_VARIABLES;
}

size_t model_places(const struct model *m)
{
    return own_variables(m) + m->structure.nderived;
}

const char *model_place_name(const struct model *m, size_t v)
{
    size_t own = own_variables(m);
    return v < own ? m->points.names[v] : m->structure.derived[v - own].name;
}

const double *model_place_values(const struct model *m, size_t v)
{
    size_t own = own_variables(m);
    return v < own ? m->points.at[v] : m->structure.derived[v - own].at;
}

const struct formula *model_place_formula(const struct model *m, size_t v)
{
    size_t own = own_variables(m);
    return v < own ? NULL : m->structure.derived[v - own].formula;
}

bool model_place_uses(struct arena *a, const struct model *m, size_t v, const char *variable)
{
    const struct formula *f = model_place_formula(m, v);
    return f ? formula_uses(a, f, variable) : strcmp(model_place_name(m, v), variable) == 0;
}

void derived_fill(const struct model *m, double *x)
{
    static const double none = NAN;
    size_t own = own_variables(m);
    const double *columns[PIECES_MAX_VARIABLES];
    for (size_t v = 0; v < PIECES_MAX_VARIABLES; v++)
        columns[v] = v < own ? &x[v] : &none;
    for (size_t k = 0; k < m->structure.nderived; k++)
        x[own + k] = formula_value(m->structure.derived[k].program, columns);
}

/* ---- candidates ---- */

/* What is known of a model while its derived variables are made. */
struct maker {
    struct model *m;
    struct derived_variable *list;
    size_t n, room;
};

static int by_value(const void *x, const void *y, void *context)
{
    const double *at = context, a = at[*(const size_t *)x], b = at[*(const size_t *)y];
    return a < b ? -1 : a > b;
}

/* Whether both divide the points in the same ways: one is a rising, or a falling, function of the other. */
static bool same_order(struct arena *a, const double *x, const double *y, size_t n)
{
    size_t *order = arena_alloc(a, n + 1, sizeof *order);
    bool rises = false, falls = false, same = true;
    for (size_t i = 0; i < n; i++)
        order[i] = i;
    sort_with(order, n, sizeof *order, by_value, x);
    for (size_t i = 1; i < n && same; i++) {
        size_t p = order[i - 1], q = order[i];
        rises = rises || y[q] > y[p];
        falls = falls || y[q] < y[p];
        same = (x[p] == x[q]) == (y[p] == y[q]) && !(rises && falls);
    }
    return same;
}

/* Whether the expression is over variables of the points; *varying gets how many of them vary. */
static bool is_known(const struct model *m, const struct formula *f, size_t *varying)
{
    struct formula_variables used = formula_variables(m->arena, f);
    *varying = 0;
    for (size_t i = 0; i < used.n; i++) {
        size_t column = points_find(&m->points, used.list[i].name);
        if (column >= own_variables(m))
            return false;
        *varying += !points_constant(&m->points, column);
    }
    return !formula_asks_machine(f) && !formula_first(f, FORMULA_CONSTANT);
}

/* Its values at the points. -1 with a diagnostic (`diag` may be NULL) if one of them is not finite. */
static int compute(struct model *m, struct derived_variable *d, struct diag *diag)
{
    const struct points *p = &m->points;
    struct formula_trouble trouble;
    d->program = formula_compile(m->arena, d->formula, (const char *const *)p->names,
                                 own_variables(m), NULL, diag);
    d->at = arena_alloc(m->arena, p->n + 1, sizeof *d->at);
    if (!d->program)
        return -1;
    if (!formula_evaluate(d->program, (const double *const *)p->at, p->n, d->at, &trouble))
        return 0;
    return diag_error(diag, "%s has no value at the point %s: %s", d->name,
                      points_label(m->arena, p, trouble.row), trouble.what);
}

static void add_candidate(struct maker *k, const char *name, const struct formula *f)
{
    struct model *m = k->m;
    size_t varying;
    if (k->n == k->room || !is_known(m, f, &varying) || varying < 2)
        return;
    struct derived_variable d = {.name = name ? name : formula_text(m->arena, f), .formula = f};
    if (compute(m, &d, NULL))
        return;
    ARENA_LOCAL struct arena *work = arena_create();
    bool fresh = true;
    for (size_t v = 0; v < own_variables(m) && fresh; v++)
        fresh = !same_order(work, m->points.at[v], d.at, m->points.n);
    for (size_t i = 0; i < k->n && fresh; i++)
        fresh = !same_order(work, k->list[i].at, d.at, m->points.n);
    if (fresh)
        k->list[k->n++] = d;
}

/* The definitions: those of the formula first. */
static void add_definitions(struct maker *k)
{
    const struct fit_request *r = &k->m->request;
    for (int own = 1; own >= 0; own--)
        for (size_t i = 0; i < r->let.n; i++) {
            bool in_formula = formula_uses(k->m->arena, r->formula, r->let.names[i]);
            const struct formula *f =
                in_formula == own ? definitions_expand(k->m->arena, r->let.by[i], &r->let, NULL)
                                  : NULL;
            if (f)
                add_candidate(k, r->let.names[i], f);
        }
}

static void add_arguments(struct maker *k, const struct formula *f)
{
    for (size_t i = 0; i < f->noperands; i++) {
        add_arguments(k, f->operands[i]);
        if (f->kind == FORMULA_CALL)
            add_candidate(k, NULL, f->operands[i]);
    }
}

/* The powers of the variables that are factors of f, times `power`; other factors are left out. */
static void collect_powers(const struct model *m, const struct formula *f, double power,
                           double *powers)
{
    size_t column;
    switch (f->kind) {
    case FORMULA_VARIABLE:
        column = points_find(&m->points, f->name);
        if (column < own_variables(m) && !points_constant(&m->points, column))
            powers[column] += power;
        break;
    case FORMULA_CALL:
        if (strcmp(f->function->name, "sqrt") == 0)
            collect_powers(m, f->operands[0], power / 2, powers);
        break;
    case FORMULA_NEGATE: collect_powers(m, f->operands[0], power, powers); break;
    case FORMULA_MULTIPLY:
    case FORMULA_DIVIDE:
        collect_powers(m, f->operands[0], power, powers);
        collect_powers(m, f->operands[1], f->kind == FORMULA_DIVIDE ? -power : power, powers);
        break;
    case FORMULA_POWER:
        if (f->operands[1]->kind == FORMULA_NUMBER)
            collect_powers(m, f->operands[0], power * f->operands[1]->number, powers);
        break;
    default: break;
    }
}

static const struct formula *times_power(struct arena *a, const struct formula *f, const char *name,
                                         double power)
{
    const struct formula *x = formula_variable(a, name);
    if (power != 1)
        x = formula_binary(a, FORMULA_POWER, x, formula_number(a, power));
    return f ? formula_binary(a, FORMULA_MULTIPLY, f, x) : x;
}

/* The product of the variables of a coefficient: the least power becomes 1, and it grows with the variables other than P. */
static void add_product(struct maker *k, const struct formula *coefficient)
{
    const struct model *m = k->m;
    struct arena *a = m->arena;
    double powers[PIECES_MAX_VARIABLES] = {0}, least = INFINITY, sum = 0;
    const struct formula *above = NULL, *below = NULL;
    collect_powers(m, coefficient, 1, powers);
    for (size_t v = 0; v < own_variables(m); v++) {
        least = powers[v] != 0 ? fmin(least, fabs(powers[v])) : least;
        sum += strcmp(m->points.names[v], "P") != 0 ? powers[v] : 0;
    }
    for (size_t v = 0; v < own_variables(m); v++) {
        double power = powers[v] / (sum < 0 ? -least : least);
        if (power > 0)
            above = times_power(a, above, m->points.names[v], power);
        else if (power < 0)
            below = times_power(a, below, m->points.names[v], -power);
    }
    if (above && below)
        above = formula_binary(a, FORMULA_DIVIDE, above, below);
    if (above)
        add_candidate(k, NULL, above);
}

static void add_candidates(struct maker *k)
{
    add_definitions(k);
    for (size_t j = 0; j < k->m->nconstants; j++)
        add_arguments(k, k->m->constants[j].coefficient);
    for (size_t j = 0; j < k->m->nconstants; j++)
        add_product(k, k->m->constants[j].coefficient);
}

/* ---- making them ---- */

/* The expression on which the user wants intervals; the variable of an error is named. */
static int add_asked(struct maker *k, struct diag *diag)
{
    struct model *m = k->m;
    const struct fit_request *r = &m->request;
    const char *text = r->intervals.variable;
    const struct formula *f = formula_parse_text(m->arena, text, NULL, diag);
    if (f)
        f = definitions_expand(m->arena, f, &r->let, diag);
    if (!f)
        return -1;
    struct formula_variables used = formula_variables(m->arena, f);
    for (size_t i = 0; i < used.n; i++)
        if (points_find(&m->points, used.list[i].name) >= own_variables(m))
            return diag_error(diag, "%s",
                              points_no_variable(m->arena, &m->points, &r->let, used.list[i].name));
    if (used.n == 0 || formula_asks_machine(f) || k->n == k->room)
        return diag_error(
            diag,
            "constants cannot have intervals on %s: name a variable, or an expression over variables",
            text);
    k->list[k->n] = (struct derived_variable){.name = text, .formula = f};
    return compute(m, &k->list[k->n++], diag);
}

static int add_again(struct maker *k)
{
    const struct model_structure *s = &k->m->structure;
    for (size_t i = 0; i < s->nderived; i++) {
        k->list[k->n] = s->derived[i];
        if (compute(k->m, &k->list[k->n++], NULL))
            return -1;
    }
    return 0;
}

int derived_make(struct model *m, struct diag *diag)
{
    const struct interval_request *r = &m->request.intervals;
    struct maker k = {.m = m, .room = PIECES_MAX_VARIABLES - own_variables(m)};
    k.room = k.room < DERIVED_MOST ? k.room : DERIVED_MOST;
    k.list = arena_alloc(m->arena, k.room + 1, sizeof *k.list);
    bool any = r->mode == INTERVALS_AUTO || (r->mode == INTERVALS_ON && !r->variable);
    int status = 0;
    if (m->again)
        status = add_again(&k);
    else if (any && !r->steps_only)
        add_candidates(&k);
    else if (!any && r->mode != INTERVALS_NONE && points_find(&m->points, r->variable) == SIZE_MAX)
        status = add_asked(&k, diag);
    m->structure.derived = k.list;
    m->structure.nderived = k.n;
    return status;
}

/* ---- keeping those that have boundaries ---- */

static void move_piece(struct piece *p, size_t from, size_t to)
{
    p->low[to] = p->low[from];
    p->high[to] = p->high[from];
    if (from != to)
        p->low[from] = p->high[from] = -1;
}

void derived_keep_used(struct model *m)
{
    struct pieces *p = m->structure.pieces;
    size_t own = own_variables(m), kept = 0;
    if (m->again || m->request.intervals.variable)
        return;
    for (size_t k = 0; k < m->structure.nderived; k++) {
        bool used = false;
        for (size_t b = 0; b < p->nboundaries; b++)
            if (p->boundaries[b].variable == own + k) {
                p->boundaries[b].variable = own + kept;
                used = true;
            }
        if (!used)
            continue;
        for (size_t i = 0; i < p->n; i++)
            move_piece(&p->list[i], own + k, own + kept);
        m->structure.derived[kept++] = m->structure.derived[k];
    }
    m->structure.nderived = kept;
}
