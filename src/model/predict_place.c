/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A model at a place: the variables that it needs, the coefficients of its columns there, which piece
 * of each constant holds, its value and the intervals around it. Where the data cannot tell terms
 * apart, only what does not depend on telling them apart has a value.
 */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/text.h"
#include "model/fit_internal.h"
#include "numeric/products.h"

/* Whether it takes the variable of the points to know where a constant changes; SIZE_MAX: any constant. */
static bool decides_pieces(struct arena *a, const struct model *m, size_t constant,
                           const char *variable)
{
    const struct pieces *p = m->structure.pieces;
    for (size_t c = 0; c < p->nboundaries; c++)
        if ((constant == SIZE_MAX || p->changing[c] >> constant & 1) &&
            model_place_uses(a, m, p->boundaries[c].variable, variable))
            return true;
    return false;
}

const char **model_changes_along(struct arena *a, const struct model *m, size_t constant, size_t *n)
{
    const char **names = arena_alloc(a, m->points.nnames + 1, sizeof *names);
    *n = 0;
    for (size_t j = 0; j < m->points.nnames; j++)
        if (decides_pieces(a, m, constant, m->points.names[j]))
            names[(*n)++] = m->points.names[j];
    return names;
}

/* Those of the formula, and those along which constants vary. */
const char **model_variables(struct arena *a, const struct model *m, size_t *n)
{
    struct formula_variables used = formula_variables(a, m->formula.expanded);
    const char **names = arena_alloc(a, m->points.nnames + 1, sizeof *names);
    *n = 0;
    for (size_t j = 0; j < m->points.nnames; j++) { /* in the order of the data */
        bool needed = decides_pieces(a, m, SIZE_MAX, m->points.names[j]);
        for (size_t i = 0; i < used.n; i++)
            needed = needed || strcmp(used.list[i].name, m->points.names[j]) == 0;
        if (needed)
            names[(*n)++] = m->points.names[j];
    }
    return names;
}

const struct formula *model_term(struct arena *a, const struct model *m, size_t constant)
{
    const struct formula_linear *l = m->formula.with_choices;
    return l ? formula_choose(a, l, l->terms[constant].coefficient, NULL)
             : m->constants[constant].coefficient;
}

static size_t find_name(const char *const *names, size_t n, const char *name)
{
    size_t i = text_find(names, n, name);
    return i < n ? i : SIZE_MAX;
}

/* Every name given must mean something. */
static int check_given(struct arena *a, const struct model *m, const struct place *given,
                       struct diag *diag)
{
    for (size_t i = 0; i < given->n; i++) {
        if (model_knows(m, given->names[i]))
            continue;
        return diag_error(diag, "%s",
                          points_no_variable(a, &m->points, &m->request.let, given->names[i]));
    }
    return 0;
}

static void add_variable(struct model_form *form, const char *name)
{
    if (find_name(form->variables, form->nvariables, name) == SIZE_MAX)
        form->variables[form->nvariables++] = name;
}

/* What decides which piece holds: a derived variable that is a definition given by value, else the variables of the points. */
static void add_boundary_variables(struct arena *a, const struct model *m,
                                   const struct place *given, struct model_form *form)
{
    for (size_t c = 0; c < m->structure.pieces->nboundaries; c++) {
        size_t v = m->structure.pieces->boundaries[c].variable;
        size_t by_value = find_name(given->names, given->n, model_place_name(m, v));
        if (by_value != SIZE_MAX)
            add_variable(form, given->names[by_value]);
        for (size_t j = 0; j < m->points.nnames && by_value == SIZE_MAX; j++)
            if (model_place_uses(a, m, v, m->points.names[j]))
                add_variable(form, m->points.names[j]);
    }
}

static int make_form(struct arena *a, const struct model *m, const struct place *given,
                     struct diag *diag, struct model_form *out)
{
    const struct definitions *let = &m->request.let;
    struct definitions rest = {.n = 0, .machine = let->machine};
    rest.names = arena_alloc(a, let->n + 1, sizeof *rest.names);
    rest.by = arena_alloc(a, let->n + 1, sizeof *rest.by);
    for (size_t i = 0; i < let->n; i++) {
        if (find_name(given->names, given->n, let->names[i]) != SIZE_MAX)
            continue;
        rest.names[rest.n] = let->names[i];
        rest.by[rest.n++] = let->by[i];
    }
    out->coefficients = arena_alloc(a, m->nconstants, sizeof *out->coefficients);
    if (rest.n == let->n) {
        for (size_t j = 0; j < m->nconstants; j++)
            out->coefficients[j] = m->constants[j].coefficient;
        out->offset = m->formula.offset;
        out->with_choices = m->formula.with_choices;
        out->variables = model_variables(a, m, &out->nvariables);
        return 0;
    }
    const struct formula *f = definitions_expand(a, m->request.formula, &rest, diag);
    const struct formula_linear *linear = f ? formula_linearize(a, f, NULL, diag) : NULL;
    if (!linear)
        return -1;
    if (linear->nterms != m->nconstants)
        return diag_error(
            diag,
            "a constant cancels out if a definition is given by value: give the variables instead");
    for (size_t j = 0; j < m->nconstants; j++)
        out->coefficients[j] =
            formula_choose(a, linear, linear->terms[j].coefficient, m->formula.chosen);
    out->offset =
        linear->offset ? formula_choose(a, linear, linear->offset, m->formula.chosen) : NULL;
    out->with_choices = linear->nchoices ? linear : NULL;
    struct formula_variables used = formula_variables(a, f);
    out->variables = arena_alloc(a, used.n + let->n + m->points.nnames + 1, sizeof *out->variables);
    out->nvariables = used.n;
    for (size_t i = 0; i < used.n; i++)
        out->variables[i] = used.list[i].name;
    add_boundary_variables(a, m, given, out);
    return 0;
}

/* The value of each variable of the formula. */
static int bind(const struct model *m, const char *const *variables, size_t nvariables,
                const struct place *given, struct diag *diag, double *at)
{
    for (size_t i = 0; i < nvariables; i++) {
        size_t k = find_name(given->names, given->n, variables[i]);
        size_t column = points_find(&m->points, variables[i]);
        if (k != SIZE_MAX)
            at[i] = given->values[k];
        else if (column != SIZE_MAX && points_constant(&m->points, column))
            at[i] = m->points.at[column][0];
        else {
            return diag_error(
                diag,
                "the prediction needs a value of %s: give %s=VALUE, or a range such as "
                "%s=1000:8000:2",
                variables[i], variables[i], variables[i]);
        }
    }
    return 0;
}

int predict_expression(struct arena *a, const struct model *m, const struct formula *f,
                       const struct place *at, struct diag *diag, double *out)
{
    const struct formula_program *program = formula_compile(a, f, at->names, at->n, NULL, diag);
    const double **columns = arena_alloc(a, at->n + 1, sizeof *columns);
    for (size_t i = 0; i < at->n; i++)
        columns[i] = &at->values[i];
    struct formula_trouble trouble;
    if (!program)
        return -1;
    if (!formula_evaluate(program, columns, 1, out, &trouble))
        return 0;
    return diag_error(diag, "the formula of %s has no value there: %s",
                      m->request.points.experiment->name, trouble.what);
}

/* The constants of which a column takes part in the relation, each once. How many columns. */
static size_t name_constants(const struct model *m, const double *relation, struct text *names)
{
    size_t columns = 0, last = SIZE_MAX, left = 0, seen = 0;
    for (size_t j = 0; j < m->structure.ncolumns; j++)
        if (relation[j] != 0) {
            left += m->structure.columns[j].constant != last;
            last = m->structure.columns[j].constant;
            columns++;
        }
    last = SIZE_MAX;
    for (size_t j = 0; j < m->structure.ncolumns; j++) {
        size_t constant = m->structure.columns[j].constant;
        if (relation[j] == 0 || constant == last)
            continue;
        text_printf(names, "%s%s",
                    seen == 0          ? ""
                    : seen + 1 == left ? " and "
                                       : ", ",
                    m->constants[constant].name);
        last = constant;
        seen++;
    }
    return columns;
}

int predict_check_estimable(struct arena *a, const struct model *m, const double *row,
                            struct diag *diag)
{
    size_t k = m->structure.ncolumns;
    for (size_t r = 0; r < m->solution.nrelations; r++) {
        const double *relation = m->solution.relations + r * k;
        double sum = 0, size = 0;
        for (size_t j = 0; j < k; j++) {
            sum += relation[j] * row[j];
            size = hypot(size, relation[j] * row[j]);
        }
        if (fabs(sum) <= ESTIMABLE_TOLERANCE * size)
            continue;
        TEXT_LOCAL struct text names = text_new();
        bool one = name_constants(m, relation, &names) == 1;
        return diag_error(
            diag,
            one ? "the data do not determine %s, and this prediction depends on it: measure "
                  "points where its term is not 0"
                : "the data cannot tell %s apart, and this prediction depends on which is "
                  "which: measure points where their terms differ",
            arena_strdup(a, names.s));
    }
    return 0;
}

/* The smallest and the largest value of a variable of the points, or of derived variable `column` - nnames: of the points
 * that take part in the fit, and of all points. */
static struct model_range range_of(const struct model *m, size_t column)
{
    struct model_range r = {INFINITY, -INFINITY, INFINITY, -INFINITY};
    if (m->reach.ranges && !m->again)
        return m->reach.ranges[column];
    size_t own = m->points.nnames;
    const double *at = column < own ? m->points.at[column] : m->structure.derived[column - own].at;
    for (size_t k = 0; k < m->points.n; k++) {
        double x = at[k];
        r.least = fmin(r.least, x);
        r.most = fmax(r.most, x);
        r.low = m->structure.left_out[k] ? r.low : fmin(r.low, x);
        r.high = m->structure.left_out[k] ? r.high : fmax(r.high, x);
    }
    return r;
}

static double least_grown(const struct model *m)
{
    double least = INFINITY;
    if (m->reach.ranges && !m->again)
        return m->reach.least_grown;
    for (size_t i = 0; i < m->points.n && m->noise.growth != 0; i++)
        least = fmin(least, noise_grown(m, m->solution.fitted[i]));
    return least;
}

static double most_grown(const struct model *m)
{
    double most = 0;
    if (m->reach.ranges && !m->again)
        return m->reach.most_grown;
    for (size_t i = 0; i < m->points.n; i++)
        if (!m->structure.left_out[i])
            most = fmax(most, noise_grown(m, m->solution.fitted[i]));
    return most;
}

struct model_reach model_reach_of(struct arena *a, const struct model *m)
{
    size_t n = m->points.nnames + m->structure.nderived;
    struct model_range *ranges = arena_alloc(a, n + 1, sizeof *ranges);
    for (size_t v = 0; v < n; v++)
        ranges[v] = range_of(m, v);
    return (struct model_reach){ranges, least_grown(m), most_grown(m)};
}

void predict_find_reach(struct model *m)
{
    m->reach.ranges = NULL;
    m->reach = model_reach_of(m->arena, m);
}

/* The column of range_of for a name; SIZE_MAX if it is neither a variable of the points nor a derived one. */
static size_t ranged_column(const struct model *m, const char *name)
{
    size_t column = points_find(&m->points, name);
    for (size_t k = 0; k < m->structure.nderived && column == SIZE_MAX; k++)
        if (strcmp(m->structure.derived[k].name, name) == 0)
            column = m->points.nnames + k;
    return column;
}

static void note_if_beyond(const struct model *m, const char *name, double at,
                           struct prediction *out)
{
    size_t column = ranged_column(m, name);
    if (column == SIZE_MAX || isnan(at))
        return;
    struct model_range r = range_of(m, column);
    double low = r.low, high = r.high;
    double slack = EXTRAPOLATION_SLACK * fmax(fabs(low), fabs(high)), times = NAN;
    if (at >= low - slack && at <= high + slack)
        return;
    if (at > high && high > 0)
        times = at / high;
    else if (at < low && at > 0)
        times = at / low;
    bool above = at > high;
    double from = above ? high : low, end = above ? r.most : r.least;
    out->extrapolates[out->nextrapolates++] =
        (struct extrapolation){name, times, from, end != from ? end : NAN};
}

void predict_find_extrapolations(struct arena *a, const struct model *m, struct prediction *out)
{
    const struct place *place = &out->place;
    double x[PIECES_MAX_VARIABLES];
    out->extrapolates =
        arena_alloc(a, place->n + m->structure.nderived + 1, sizeof *out->extrapolates);
    for (size_t i = 0; i < place->n; i++)
        note_if_beyond(m, place->names[i], place->values[i], out);
    if (out->nextrapolates) /* the distance counts once */
        return;
    predict_coordinates(m, place, x);
    for (size_t v = 0; v < model_places(m); v++)
        if (model_place_formula(m, v))
            note_if_beyond(m, model_place_name(m, v), x[v], out);
}

double predict_error_beyond(const struct model *m)
{
    return m->noise.none ? 0 : FORMULA_ERROR;
}

double predict_formula_error(const struct model *m, const struct prediction *p)
{
    double sum = 0;
    for (size_t i = 0; i < p->nextrapolates; i++) {
        const struct extrapolation *e = &p->extrapolates[i];
        struct model_range r = range_of(m, ranged_column(m, e->variable));
        double away = e->times > 0 ? fabs(log2(e->times)) : 1,
               wide = r.low > 0 ? log2(r.high / r.low) : 0;
        sum += away / fmax(wide, 1);
    }
    return predict_error_beyond(m) * sum;
}

/* Noise that grows beyond the data moves the statistic there by up to this. */
static double drift_beyond(const struct model *m, double value)
{
    if (!(m->noise.drift > 0))
        return 0;
    return fabs(value) * m->noise.drift * fmax(noise_grown(m, value) - most_grown(m), 0);
}

/* The relative noise at a time; beyond the data it may grow, but does not fall. */
double predict_noise_grown(const struct model *m, double value)
{
    double here = noise_grown(m, value), least = least_grown(m);
    return isfinite(least) ? fmax(here, least) : here;
}

/* `selection`: variance of the prediction over resamples, `machine`: over draws of the machine's
 * figures; 0 if there are none. */
void predict_set_intervals(const struct model *m, const double *row, double selection,
                           double machine, struct prediction *out)
{
    size_t k = m->structure.ncolumns;
    double model_variance = products_quadratic(row, m->solution.covariance, k),
           of_runs = products_quadratic(row, m->solution.of_runs, k);
    out->low = out->high = out->single_low = out->single_high = NAN;
    out->variance = out->of_runs = NAN;
    out->selection = selection;
    if (m->noise.dof <= 0)
        return;
    model_variance = fmax(model_variance, selection) + machine;
    out->variance = fmax(model_variance, 0);
    out->of_runs = fmax(fmin(of_runs, model_variance), 0);
    double v = out->value, grown = predict_noise_grown(m, v), noise = m->noise.relative * grown * v;
    double fresh_runs = m->noise.runs_of_point * v * v;
    double total =
        fmax(model_variance, 0) + noise * noise + m->noise.floor * m->noise.floor + fresh_runs;
    double of_model = noise_quantile(m, model_variance, of_runs) * sqrt(fmax(model_variance, 0));
    double reach = noise_quantile(m, total, of_runs + fresh_runs) * sqrt(total);
    if (m->noise.none)
        reach = of_model;
    double drift = drift_beyond(m, v);
    reach += drift;
    out->low = v - reach;
    out->high = v + reach;
    if (isfinite(m->noise.single_low)) {
        double down = fmax(fabs(v) * grown * (1 - m->noise.single_low), 0),
               up = fmax(fabs(v) * grown * (m->noise.single_high - 1), 0);
        out->single_low = fmin(v - hypot(down, of_model) - drift, out->low);
        out->single_high = fmax(v + hypot(up, of_model) + drift, out->high);
    }
    if (v > 0) { /* neither times nor counts are negative */
        out->low = fmax(out->low, 0);
        out->single_low = fmax(out->single_low, 0);
    }
}

/* How many boundaries of the piece the place is beyond. */
static size_t boundaries_crossed(const struct model *m, const struct piece *piece, size_t variables,
                                 const double *x)
{
    size_t n = 0;
    for (size_t v = 0; v < variables; v++) {
        n += piece->low[v] >= 0 && !(x[v] > m->structure.pieces->boundaries[piece->low[v]].at);
        n += piece->high[v] >= 0 && x[v] > m->structure.pieces->boundaries[piece->high[v]].at;
    }
    return n;
}

size_t model_column_at(const struct model *m, size_t constant, const double *x, size_t *crossed)
{
    size_t best = SIZE_MAX, least = SIZE_MAX, variables = model_places(m);
    for (size_t j = 0; j < m->structure.ncolumns; j++) {
        if (m->structure.columns[j].constant != constant)
            continue;
        size_t n = boundaries_crossed(m, m->structure.columns[j].piece, variables, x);
        if (n < least) {
            least = n;
            best = j;
        }
    }
    if (crossed)
        *crossed = best == SIZE_MAX ? 0 : least;
    return best;
}

bool model_constant_at(const struct model *m, size_t constant, const double *x,
                       struct model_piece *out)
{
    double whole = 0;
    *out = (struct model_piece){0};
    for (size_t j = 0; j < m->structure.ncolumns; j++) {
        const struct model_column *c = &m->structure.columns[j];
        double share = c->constant == constant
                           ? pieces_share(m->structure.pieces, c->piece, model_places(m), x)
                           : 0;
        if (share == 0 || !c->fitted)
            continue;
        out->value += share * c->fitted->value;
        out->low += share * c->fitted->low;
        out->high += share * c->fitted->high;
        whole += share;
    }
    return fabs(whole - 1) < SHARES_ROUNDING;
}

/* The coefficients of all columns at a place: of each constant the piece that holds there counts, or
 * beyond a bend each piece with its share. A combination that was never measured gets the nearest
 * piece. */
void predict_fill_row(const struct model *m, const double *coefficients, const double *x,
                      double *row, bool *unmeasured)
{
    const struct model_column *columns = m->structure.columns;
    for (size_t c = 0, j = 0; c < m->nconstants; c++) { /* columns are in the order of constants */
        size_t first = j;
        double whole = 0;
        for (; j < m->structure.ncolumns && columns[j].constant == c; j++) {
            double share = pieces_share(m->structure.pieces, columns[j].piece, model_places(m), x);
            row[j] = coefficients[c] * share;
            whole += share;
        }
        if (j == first || fabs(whole - 1) < SHARES_ROUNDING)
            continue;
        memset(row + first, 0, (j - first) * sizeof *row);
        row[model_column_at(m, c, x, NULL)] = coefficients[c];
        *unmeasured = true;
    }
}

/* Where the place is, in the variables of model_place_name; one that is not given has the value it always
 * has. */
void predict_coordinates(const struct model *m, const struct place *at, double *x)
{
    for (size_t v = 0; v < model_places(m); v++) {
        size_t i = find_name(at->names, at->n, model_place_name(m, v));
        x[v] = i != SIZE_MAX ? at->values[i] : model_place_values(m, v)[0];
    }
    double computed[PIECES_MAX_VARIABLES];
    memcpy(computed, x, model_places(m) * sizeof *x);
    derived_fill(m, computed);
    for (size_t v = 0; v < model_places(m); v++)
        if (find_name(at->names, at->n, model_place_name(m, v)) == SIZE_MAX)
            x[v] = computed[v];
}

double predict_value_of(const struct model *m, const double *row, double known)
{
    for (size_t j = 0; j < m->structure.ncolumns; j++)
        known += m->solution.value[j] * row[j];
    return known;
}

/* The form asks another machine than the one that the model was fitted with. */
static void ask_instead(struct arena *a, const struct model *m,
                        const struct formula_machine *machine, struct model_form *form)
{
    for (size_t j = 0; j < m->nconstants; j++)
        form->coefficients[j] = formula_bind(a, form->coefficients[j], machine);
    if (form->offset)
        form->offset = formula_bind(a, form->offset, machine);
}

/* Other operands of max() and min() may count where the constants have other values. */
static void choose_again(struct arena *a, const struct model *m, const double *ratios,
                         struct model_form *form)
{
    const struct formula_linear *l = form->with_choices;
    double *constants = arena_alloc(a, m->nconstants + 1, sizeof *constants);
    if (!l)
        return;
    for (size_t j = 0; j < m->nconstants; j++)
        constants[j] = m->formula.chosen[j] * ratios[j];
    for (size_t j = 0; j < m->nconstants; j++)
        form->coefficients[j] = formula_choose(a, l, l->terms[j].coefficient, constants);
    form->offset = l->offset ? formula_choose(a, l, l->offset, constants) : NULL;
}

/* The derived variables must have values: else it is not known which piece holds. */
static int check_coordinates(const struct model *m, const double *x, struct diag *diag)
{
    for (size_t v = 0; v < model_places(m); v++)
        if (model_place_formula(m, v) && !isfinite(x[v]))
            return diag_error(diag, "%s, along which constants of %s change, has no value there",
                              model_place_name(m, v), m->request.points.experiment->name);
    return 0;
}

int predict_evaluate_on(struct arena *a, const struct model *m, const struct place *given,
                        const struct formula_machine *machine, const double *ratios,
                        struct diag *diag, struct model_at *p)
{
    memset(p, 0, sizeof *p);
    if (check_given(a, m, given, diag) || make_form(a, m, given, diag, &p->form))
        return -1;
    const struct model_form *form = &p->form;
    if (ratios)
        choose_again(a, m, ratios, &p->form);
    if (machine)
        ask_instead(a, m, machine, &p->form);
    double *at = arena_alloc(a, form->nvariables + 1, sizeof *at);
    p->place = (struct place){form->variables, at, form->nvariables};
    p->coefficients = arena_alloc(a, m->nconstants, sizeof *p->coefficients);
    p->row = arena_alloc(a, m->structure.ncolumns + 1, sizeof *p->row);
    if (bind(m, form->variables, form->nvariables, given, diag, at))
        return -1;
    for (size_t j = 0; j < m->nconstants; j++)
        if (predict_expression(a, m, form->coefficients[j], &p->place, diag, &p->coefficients[j]))
            return -1;
    predict_coordinates(m, &p->place, p->x);
    if (check_coordinates(m, p->x, diag))
        return -1;
    predict_fill_row(m, p->coefficients, p->x, p->row, &p->unmeasured);
    if (predict_check_estimable(a, m, p->row, diag))
        return -1;
    return form->offset ? predict_expression(a, m, form->offset, &p->place, diag, &p->known) : 0;
}

int predict_evaluate(struct arena *a, const struct model *m, const struct place *given,
                     struct diag *diag, struct model_at *p)
{
    return predict_evaluate_on(a, m, given, NULL, NULL, diag, p);
}
