/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Predictions. Typical: variance of the fitted value plus that of a measured point. Single run:
 * quantiles of single samples relative to the fit, widened by the fit's own uncertainty. Where the
 * data cannot tell terms apart, only what does not depend on telling them apart is predicted.
 */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/text.h"
#include "model/fit_internal.h"

/* Those of the formula, and those along which constants vary. */
const char **model_variables(struct arena *a, const struct model *m, size_t *n)
{
    struct formula_variables used = formula_variables(a, m->formula.expanded);
    const char **names = arena_alloc(a, m->points.nnames + 1, sizeof *names);
    *n = 0;
    for (size_t j = 0; j < m->points.nnames; j++) { /* in the order of the data */
        bool needed = false;
        for (size_t i = 0; i < used.n; i++)
            needed = needed || strcmp(used.list[i].name, m->points.names[j]) == 0;
        for (size_t c = 0; c < m->structure.pieces->nboundaries; c++)
            needed = needed || m->structure.pieces->boundaries[c].variable == j;
        if (needed)
            names[(*n)++] = m->points.names[j];
    }
    return names;
}

static size_t find_name(const char *const *names, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    return SIZE_MAX;
}

/* Every name given must mean something. */
static int check_given(struct arena *a, const struct model *m, const struct place *given,
                       struct diag *diag)
{
    const struct definitions *let = &m->request.let;
    for (size_t i = 0; i < given->n; i++) {
        if (points_find(&m->points, given->names[i]) != SIZE_MAX ||
            find_name(let->names, let->n, given->names[i]) != SIZE_MAX)
            continue;
        diag_error(diag, "%s", points_no_variable(a, &m->points, let, given->names[i]));
        return -1;
    }
    return 0;
}

/* The formula as this prediction needs it: a definition (let) that is given by value is a variable.
 */
struct form {
    const char **variables;
    size_t nvariables;
    const struct formula **coefficients;
    const struct formula *offset;
};

static int make_form(struct arena *a, const struct model *m, const struct place *given,
                     struct diag *diag, struct form *out)
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
        out->variables = model_variables(a, m, &out->nvariables);
        return 0;
    }
    const struct formula *f = definitions_expand(a, m->request.formula, &rest, diag);
    const struct formula_linear *linear = f ? formula_linearize(a, f, NULL, diag) : NULL;
    if (!linear)
        return -1;
    if (linear->nterms != m->nconstants) {
        diag_error(
            diag,
            "a constant vanishes when a definition is given by value: give the variables instead");
        return -1;
    }
    for (size_t j = 0; j < m->nconstants; j++)
        out->coefficients[j] = linear->terms[j].coefficient;
    out->offset = linear->offset;
    struct formula_variables used = formula_variables(a, f);
    out->variables = arena_alloc(a, used.n + 1, sizeof *out->variables);
    out->nvariables = used.n;
    for (size_t i = 0; i < used.n; i++)
        out->variables[i] = used.list[i].name;
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
            diag_error(diag,
                       "the prediction needs a value of %s: say %s=VALUE, or a range such as "
                       "%s=1000:8000:2",
                       variables[i], variables[i], variables[i]);
            return -1;
        }
    }
    return 0;
}

static int evaluate_one(struct arena *a, const struct model *m, const struct formula *f,
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
    diag_error(diag, "the formula of %s has no value there: %s", m->request.points.experiment->name,
               trouble.what);
    return -1;
}

/* Does the prediction depend on how much belongs to which of the constants that cannot be told
 * apart? */
static int check_estimable(struct arena *a, const struct model *m, const double *row,
                           struct diag *diag)
{
    size_t k = m->structure.ncolumns;
    for (size_t r = 0; r < m->solution.nrelations; r++) {
        const double *relation = m->solution.relations + r * k;
        double sum = 0, size = 0;
        struct text names;
        for (size_t j = 0; j < k; j++) {
            sum += relation[j] * row[j];
            size = hypot(size, relation[j] * row[j]);
        }
        if (fabs(sum) <= ESTIMABLE_TOLERANCE * size)
            continue;
        text_init(&names);
        size_t left = 0;
        for (size_t j = 0; j < k; j++)
            left += relation[j] != 0;
        bool one = left == 1;
        for (size_t j = 0, seen = 0; j < k; j++)
            if (relation[j] != 0)
                text_printf(&names, "%s%s",
                            seen++ == 0    ? ""
                            : seen == left ? " and "
                                           : ", ",
                            m->constants[m->structure.columns[j].constant].name);
        diag_error(diag,
                   one ? "the data do not determine %s, and this prediction depends on it: measure "
                         "with other "
                         "values of the variables that never vary"
                       : "the data cannot tell %s apart, and this prediction depends on which is "
                         "which: measure "
                         "with other values of the variables that never vary",
                   arena_strdup(a, names.s));
        text_free(&names);
        return -1;
    }
    return 0;
}

/* The smallest and the largest value of a variable: of the points that take part in the fit, or of
 * all points. */
static void range_of(const struct model *m, size_t column, bool all, double *low, double *high)
{
    *low = INFINITY;
    *high = -INFINITY;
    for (size_t k = 0; k < m->points.n; k++) {
        if (!all && m->structure.left_out[k])
            continue;
        *low = fmin(*low, m->points.at[column][k]);
        *high = fmax(*high, m->points.at[column][k]);
    }
}

static void find_extrapolations(struct arena *a, const struct model *m, struct prediction *out)
{
    const struct place *place = &out->place;
    out->extrapolates = arena_alloc(a, place->n + 1, sizeof *out->extrapolates);
    for (size_t i = 0; i < place->n; i++) {
        size_t column = points_find(&m->points, place->names[i]);
        double at = place->values[i];
        if (column == SIZE_MAX)
            continue;
        double low, high, least, most;
        range_of(m, column, false, &low, &high);
        range_of(m, column, true, &least, &most);
        double slack = EXTRAPOLATION_SLACK * fmax(fabs(low), fabs(high)), times = NAN;
        if (at >= low - slack && at <= high + slack)
            continue;
        if (at > high && high > 0)
            times = at / high;
        else if (at < low && at > 0)
            times = at / low;
        bool above = at > high;
        double from = above ? high : low, end = above ? most : least;
        out->extrapolates[out->nextrapolates++] =
            (struct extrapolation){place->names[i], times, from, end != from ? end : NAN};
    }
}

/* Noise that grows beyond the data moves the statistic there by up to this. */
static double drift_beyond(const struct model *m, double value)
{
    double most = 0;
    if (!(m->noise.drift > 0))
        return 0;
    for (size_t i = 0; i < m->points.n; i++)
        if (!m->structure.left_out[i])
            most = fmax(most, noise_grown(m, m->solution.fitted[i]));
    return fabs(value) * m->noise.drift * fmax(noise_grown(m, value) - most, 0);
}

/* The relative noise at a time; beyond the data it may grow, but does not fall. */
static double grown_at(const struct model *m, double value)
{
    double here = noise_grown(m, value), least = INFINITY;
    for (size_t i = 0; i < m->points.n && m->noise.growth != 0; i++)
        least = fmin(least, noise_grown(m, m->solution.fitted[i]));
    return isfinite(least) ? fmax(here, least) : here;
}

/* `selection`: variance of the prediction over resamples, `machine`: over draws of the machine's
 * figures; 0 if there are none. */
static void set_intervals(const struct model *m, const double *row, double selection,
                          double machine, struct prediction *out)
{
    size_t k = m->structure.ncolumns;
    double model_variance = 0, of_runs = 0;
    for (size_t p = 0; p < k; p++)
        for (size_t q = 0; q < k; q++) {
            model_variance += row[p] * m->solution.covariance[p * k + q] * row[q];
            of_runs += row[p] * m->solution.of_runs[p * k + q] * row[q];
        }
    out->low = out->high = out->single_low = out->single_high = NAN;
    if (m->noise.dof <= 0)
        return;
    model_variance = fmax(model_variance, selection) + machine;
    double v = out->value, grown = grown_at(m, v), noise = m->noise.relative * grown * v;
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

/* Whether the data determine the formula much less at the place than at any point: with variables
 * that always changed together, other combinations of them are far, though inside their ranges. */
static bool far_from_points(const struct model *m, const double *row, const struct prediction *p)
{
    size_t k = m->structure.ncolumns;
    double here = 0, most = 0, noise = m->noise.relative * grown_at(m, p->value) * p->value;
    double own = noise * noise + m->noise.floor * m->noise.floor;
    if (m->noise.dof <= 0 || m->noise.none || p->nextrapolates || !(own > 0))
        return false;
    for (size_t a = 0; a < k; a++)
        for (size_t b = 0; b < k; b++)
            here += row[a] * row[b] *
                    (m->solution.covariance[a * k + b] - m->solution.of_runs[a * k + b]);
    for (size_t i = 0; i < m->points.n; i++)
        most = fmax(most, m->structure.left_out[i] ? 0 : m->solution.leverage[i]);
    return here / own > FAR_TIMES_LEVERAGE * most;
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

size_t model_places(const struct model *m)
{
    return m->points.nnames < PIECES_MAX_VARIABLES ? m->points.nnames : PIECES_MAX_VARIABLES;
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
static void fill_row(const struct model *m, const double *coefficients, const double *x,
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

/* Where the place is, in the variables of the points; one that is not given has the value it always
 * has. */
static void coordinates_of(const struct model *m, const struct place *at, double *x)
{
    for (size_t v = 0; v < model_places(m); v++) {
        size_t i = find_name(at->names, at->n, m->points.names[v]);
        x[v] = i != SIZE_MAX ? at->values[i] : m->points.at[v][0];
    }
}

static double value_of(const struct model *m, const double *row, double known)
{
    for (size_t j = 0; j < m->structure.ncolumns; j++)
        known += m->solution.value[j] * row[j];
    return known;
}

/* How much the prediction varies when the data are drawn anew and everything is selected again. */
static double selection_variance(struct arena *a, const struct model *m, const double *coefficients,
                                 const double *x, double known)
{
    double sum = 0, squares = 0, n = (double)m->resamples.n;
    size_t most = 0;
    for (size_t i = 0; i < m->resamples.n; i++)
        if (m->resamples.list[i]->structure.ncolumns > most)
            most = m->resamples.list[i]->structure.ncolumns;
    double *row = arena_alloc(a, most + 1, sizeof *row);
    for (size_t i = 0; i < m->resamples.n; i++) {
        const struct model *r = m->resamples.list[i];
        bool unmeasured = false;
        fill_row(r, coefficients, x, row, &unmeasured);
        double value = value_of(r, row, known);
        sum += value;
        squares += value * value;
    }
    return n > 1 ? m->resamples.part * fmax((squares - sum * sum / n) / (n - 1), 0) : 0;
}

/* Whether the place is in the gap of the boundary, between two measured values: it may be on either
 * side of the boundary. */
static bool in_gap(const struct boundary *boundary, const double *x)
{
    return boundary->form == BOUNDARY_STEP && x[boundary->variable] > boundary->below &&
           x[boundary->variable] < boundary->above;
}

/* How likely the place is beyond the boundary, which may be anywhere in the gap: in ratio, as
 * sizes usually grow. */
static double chance_beyond(const struct boundary *boundary, double x)
{
    if (boundary->below > 0)
        return log(x / boundary->below) / log(boundary->above / boundary->below);
    return (x - boundary->below) / (boundary->above - boundary->below);
}

/* The coefficients and the value on the other side of the boundary. */
static double value_across(const struct model *m, const struct boundary *boundary,
                           const double *coefficients, const double *x, double known, double *row)
{
    double y[PIECES_MAX_VARIABLES];
    bool unmeasured = false;
    memcpy(y, x, model_places(m) * sizeof *y);
    y[boundary->variable] =
        x[boundary->variable] > boundary->at ? boundary->below : boundary->above;
    fill_row(m, coefficients, y, row, &unmeasured);
    return value_of(m, row, known);
}

/* In a gap the two sides are mixed, in ratio, by how likely each is. */
static double mixed_value(struct arena *a, const struct model *m, const double *coefficients,
                          const double *x, double known, double here)
{
    double value = here, *row = NULL;
    for (size_t c = 0; c < m->structure.pieces->nboundaries; c++) {
        const struct boundary *boundary = &m->structure.pieces->boundaries[c];
        if (!in_gap(boundary, x))
            continue;
        row = row ? row : arena_alloc(a, m->structure.ncolumns + 1, sizeof *row);
        double other = value_across(m, boundary, coefficients, x, known, row);
        double beyond = chance_beyond(boundary, x[boundary->variable]);
        double weight = x[boundary->variable] > boundary->at ? 1 - beyond : beyond;
        if (here > 0 && other > 0)
            value *= pow(other / here, weight);
        else
            value += weight * (other - here);
    }
    return value;
}

/* The intervals then contain those of both sides. */
static void consider_gaps(struct arena *a, const struct model *m, const double *coefficients,
                          const double *x, double known, struct prediction *out)
{
    out->gaps = arena_alloc(a, m->structure.pieces->nboundaries + 1, sizeof *out->gaps);
    double *row = arena_alloc(a, m->structure.ncolumns + 1, sizeof *row);
    for (size_t c = 0; c < m->structure.pieces->nboundaries; c++) {
        const struct boundary *boundary = &m->structure.pieces->boundaries[c];
        if (!in_gap(boundary, x))
            continue;
        out->gaps[out->ngaps++] =
            (struct gap){m->points.names[boundary->variable], boundary->below, boundary->above};
        struct prediction other = {.value = value_across(m, boundary, coefficients, x, known, row)};
        set_intervals(m, row, 0, 0, &other);
        out->low = fmin(out->low, other.low);
        out->high = fmax(out->high, other.high);
        out->single_low = fmin(out->single_low, other.single_low);
        out->single_high = fmax(out->single_high, other.single_high);
    }
    out->value = mixed_value(a, m, coefficients, x, known, out->value);
}

/* The model at a place. */
struct model_at {
    struct form form;
    struct place place;   /* the values of the form's variables */
    double *coefficients; /* of the constants */
    double *row;          /* of the columns */
    double known;         /* the part of the formula without constants */
    double x[PIECES_MAX_VARIABLES];
    bool unmeasured;
};

/* The form asks another machine than the one that the model was fitted with. */
static void ask_instead(struct arena *a, const struct model *m,
                        const struct formula_machine *machine, struct form *form)
{
    for (size_t j = 0; j < m->nconstants; j++)
        form->coefficients[j] = formula_bind(a, form->coefficients[j], machine);
    if (form->offset)
        form->offset = formula_bind(a, form->offset, machine);
}

/* machine NULL: the one that the model was fitted with. */
static int evaluate_on(struct arena *a, const struct model *m, const struct place *given,
                       const struct formula_machine *machine, struct diag *diag, struct model_at *p)
{
    memset(p, 0, sizeof *p);
    if (check_given(a, m, given, diag) || make_form(a, m, given, diag, &p->form))
        return -1;
    const struct form *form = &p->form;
    if (machine)
        ask_instead(a, m, machine, &p->form);
    double *at = arena_alloc(a, form->nvariables + 1, sizeof *at);
    p->place = (struct place){form->variables, at, form->nvariables};
    p->coefficients = arena_alloc(a, m->nconstants, sizeof *p->coefficients);
    p->row = arena_alloc(a, m->structure.ncolumns + 1, sizeof *p->row);
    if (bind(m, form->variables, form->nvariables, given, diag, at))
        return -1;
    for (size_t j = 0; j < m->nconstants; j++)
        if (evaluate_one(a, m, form->coefficients[j], &p->place, diag, &p->coefficients[j]))
            return -1;
    coordinates_of(m, &p->place, p->x);
    fill_row(m, p->coefficients, p->x, p->row, &p->unmeasured);
    if (check_estimable(a, m, p->row, diag))
        return -1;
    return form->offset ? evaluate_one(a, m, form->offset, &p->place, diag, &p->known) : 0;
}

static int evaluate_at_place(struct arena *a, const struct model *m, const struct place *given,
                             struct diag *diag, struct model_at *p)
{
    return evaluate_on(a, m, given, NULL, diag, p);
}

static int check_finite(const struct model *m, double value, struct diag *diag)
{
    if (isfinite(value))
        return 0;
    diag_error(diag, "the model of %s has no value there: it is beyond the range of numbers",
               m->request.points.experiment->name);
    return -1;
}

/* An interval needs both ends. */
static void drop_half_intervals(struct prediction *p)
{
    if (isnan(p->low) || isnan(p->high))
        p->low = p->high = p->single_low = p->single_high = NAN;
    if (isnan(p->single_low) || isnan(p->single_high))
        p->single_low = p->single_high = NAN;
}

/* How much the prediction varies with the machine's figures inside their intervals: the constants are
 * fitted again with each draw, so that what all figures have in common cancels. */
static double machine_variance(struct arena *a, const struct model *m, const struct place *given,
                               double value)
{
    double sum = 0;
    size_t n = 0;
    for (size_t i = 0; i < m->draws.n; i++) {
        struct model_at p;
        if (evaluate_at_place(a, m->draws.list[i], given, NULL, &p))
            continue;
        double other = value_of(m->draws.list[i], p.row, p.known) - value;
        sum += other * other;
        n++;
    }
    return n ? sum / (double)n : 0;
}

static void add_beyond(struct arena *a, struct prediction *out, const char *text)
{
    for (size_t i = 0; i < out->nbeyond; i++)
        if (strcmp(out->beyond[i], text) == 0)
            return;
    const char **longer = arena_alloc(a, out->nbeyond + 1, sizeof *longer);
    if (out->nbeyond)
        memcpy(longer, out->beyond, out->nbeyond * sizeof *longer);
    longer[out->nbeyond++] = text;
    out->beyond = longer;
}

/* Where a call in this expression asks for more than was measured. */
static void ask_beyond(struct arena *a, const struct model *m, const struct formula *f,
                       const struct place *at, struct prediction *out)
{
    size_t n;
    const struct formula *const *calls = formula_machine_calls(a, f, &n);
    for (size_t i = 0; i < n; i++) {
        const struct formula *call = calls[i];
        double *x = arena_alloc(a, call->noperands + 1, sizeof *x);
        bool known = call->machine != NULL;
        for (size_t k = 0; k < call->noperands && known; k++)
            known = evaluate_one(a, m, call->operands[k], at, NULL, &x[k]) == 0;
        const char *text = known ? call->machine->beyond(call->machine->curves, call->function, x,
                                                         call->noperands, a)
                                 : NULL;
        if (text)
            add_beyond(a, out, text);
    }
}

static void find_beyond(struct arena *a, const struct model *m, const struct form *form,
                        struct prediction *out)
{
    if (!m->formula.machine)
        return;
    for (size_t j = 0; j < m->nconstants; j++)
        if (!m->constants[j].is_exponent)
            ask_beyond(a, m, form->coefficients[j], &out->place, out);
    if (form->offset && !m->formula.nexponents)
        ask_beyond(a, m, form->offset, &out->place, out);
}

int predict_by_formula(struct arena *a, const struct model *m, const struct place *place,
                       struct diag *diag, struct prediction *out)
{
    struct model_at p;
    memset(out, 0, sizeof *out);
    if (evaluate_at_place(a, m, place, diag, &p))
        return -1;
    out->place = p.place;
    out->times = 1;
    out->amplification = NAN;
    out->unmeasured = p.unmeasured;
    out->value = value_of(m, p.row, p.known);
    find_extrapolations(a, m, out);
    find_beyond(a, m, &p.form, out);
    set_intervals(m, p.row, selection_variance(a, m, p.coefficients, p.x, p.known),
                  machine_variance(a, m, place, out->value), out);
    out->far = far_from_points(m, p.row, out);
    consider_gaps(a, m, p.coefficients, p.x, p.known, out);
    drop_half_intervals(out);
    return check_finite(m, out->value, diag);
}

double predict_point(struct arena *a, const struct model *m, size_t i)
{
    const double *coefficients = m->formula.coefficients + i * m->nconstants;
    double *row = arena_alloc(a, m->structure.ncolumns + 1, sizeof *row),
           known = m->formula.known ? m->formula.known[i] : 0, x[PIECES_MAX_VARIABLES];
    bool unmeasured = false;
    for (size_t v = 0; v < model_places(m); v++)
        x[v] = m->points.at[v][i];
    fill_row(m, coefficients, x, row, &unmeasured);
    return mixed_value(a, m, coefficients, x, known, value_of(m, row, known));
}

int predict_row(struct arena *a, const struct model *m, const struct place *place,
                struct diag *diag, const double **row, double *value)
{
    struct model_at p;
    if (evaluate_at_place(a, m, place, diag, &p))
        return -1;
    *row = p.row;
    *value = value_of(m, p.row, p.known);
    return check_finite(m, *value, diag);
}

int model_terms_on(struct arena *a, const struct model *m, const struct place *place,
                   const struct formula_machine *machine, struct diag *diag, double *out,
                   double *known)
{
    struct model_at p;
    if (evaluate_on(a, m, place, machine, diag, &p))
        return -1;
    memset(out, 0, m->nconstants * sizeof *out);
    *known = p.known;
    for (size_t j = 0; j < m->structure.ncolumns; j++) {
        size_t constant = m->structure.columns[j].constant;
        double term = m->solution.value[j] * p.row[j];
        if (m->constants[constant].is_exponent) /* part of the terms of others: it cancels */
            *known += term;
        else
            out[constant] += term;
    }
    double sum = 0;
    for (size_t j = 0; j < m->nconstants; j++)
        sum += fabs(out[j]);
    return check_finite(m, sum, diag);
}

int model_terms(struct arena *a, const struct model *m, const struct place *place,
                struct diag *diag, double *out)
{
    double known;
    return model_terms_on(a, m, place, NULL, diag, out, &known);
}

void model_constant_near(const struct model *m, size_t constant, const struct place *place,
                         struct model_piece *out)
{
    double x[PIECES_MAX_VARIABLES];
    coordinates_of(m, place, x);
    if (model_constant_at(m, constant, x, out))
        return;
    size_t column = model_column_at(m, constant, x, NULL);
    *out = (struct model_piece){0};
    if (column != SIZE_MAX && m->structure.columns[column].fitted)
        *out = *m->structure.columns[column].fitted;
}

/* One expression at all points; what it cannot take is named. */
static int evaluate_points(struct arena *a, const struct formula *f, const struct points *p,
                           struct diag *diag, double *out)
{
    const struct formula_program *program =
        formula_compile(a, f, (const char *const *)p->names, p->nnames, NULL, diag);
    struct formula_trouble trouble;
    if (!program)
        return -1;
    if (!formula_evaluate(program, (const double *const *)p->at, p->n, out, &trouble))
        return 0;
    diag_error(diag, "the formula has no value at the point %s: %s",
               points_label(a, p, trouble.row), trouble.what);
    return -1;
}

void model_place_in(const struct model *m, const struct points *p, size_t point, double *x)
{
    for (size_t v = 0; v < model_places(m); v++) {
        size_t column = points_find(p, m->points.names[v]);
        x[v] = column != SIZE_MAX ? p->at[column][point] : m->points.at[v][0];
    }
}

int model_predict_points(struct arena *a, const struct model *m, const struct points *p,
                         struct diag *diag, double *out)
{
    size_t nvariables, k = m->nconstants;
    const char **variables = model_variables(a, m, &nvariables);
    for (size_t j = 0; j < nvariables; j++)
        if (points_find(p, variables[j]) == SIZE_MAX) {
            diag_error(diag, "the data have no variable %s", variables[j]);
            return -1;
        }
    double *column = arena_alloc(a, p->n, sizeof *column),
           *coefficients = arena_alloc(a, p->n * k + 1, sizeof *coefficients),
           *row = arena_alloc(a, m->structure.ncolumns + 1, sizeof *row);
    memset(out, 0, p->n * sizeof *out);
    if (m->formula.offset && evaluate_points(a, m->formula.offset, p, diag, out))
        return -1;
    for (size_t j = 0; j < k; j++) {
        if (evaluate_points(a, m->constants[j].coefficient, p, diag, column))
            return -1;
        for (size_t i = 0; i < p->n; i++)
            coefficients[i * k + j] = column[i];
    }
    for (size_t i = 0; i < p->n; i++) {
        double x[PIECES_MAX_VARIABLES] = {0};
        bool unmeasured = false;
        model_place_in(m, p, i, x);
        fill_row(m, coefficients + i * k, x, row, &unmeasured);
        if (m->solution.nrelations && check_estimable(a, m, row, diag))
            return -1;
        double known = out[i];
        out[i] = mixed_value(a, m, coefficients + i * k, x, known, value_of(m, row, known));
    }
    return 0;
}
