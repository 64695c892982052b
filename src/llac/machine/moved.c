/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "llac/machine/moved.h"

#include <math.h>
#include <string.h>

#include "base/text.h"

enum { MOST_POWER = 2, HALVINGS = 60 };

static double *values_copy(struct arena *a, const struct place *place)
{
    double *values = arena_alloc(a, place->n + 1, sizeof *values);
    for (size_t i = 0; i < place->n; i++)
        values[i] = place->values[i];
    return values;
}

/* ---- a formula at a place */

struct at_place {
    const struct formula_program *program;
    const double **columns;
    double *values;
    const struct place *place;
    bool is_variable; /* the formula is one variable */
};

static bool at_place(struct arena *a, const struct formula *f, const struct place *place,
                     struct diag *diag, struct at_place *out)
{
    out->place = place;
    out->is_variable = f->kind == FORMULA_VARIABLE;
    out->program = formula_compile(a, f, place->names, place->n, NULL, diag);
    out->values = values_copy(a, place);
    out->columns = arena_alloc(a, place->n + 1, sizeof *out->columns);
    for (size_t i = 0; i < place->n; i++)
        out->columns[i] = &out->values[i];
    return out->program != NULL;
}

/* With another value of one variable. */
static double value_with(const struct at_place *f, size_t variable, double x)
{
    f->values[variable] = x;
    double value = formula_value(f->program, f->columns);
    f->values[variable] = f->place->values[variable];
    return value;
}

static double power_of(const struct at_place *f, size_t variable, double x)
{
    return log2(value_with(f, variable, 2 * x) / value_with(f, variable, x));
}

/* ---- the working set */

/* The term of the model that grows most with the variable, of those whose constants change along it. */
static const struct formula *changing_term(struct arena *a, const struct model *m,
                                           const struct place *place, size_t variable)
{
    const struct formula *found = NULL;
    double most = -INFINITY;
    DIAG_LOCAL struct diag *quiet = diag_create();
    struct model_constants constants = model_constants(m);
    for (size_t c = 0; c < constants.n; c++) {
        const struct formula *term = model_term(a, m, c);
        struct at_place f;
        bool changes = false;
        for (size_t k = 0; k < constants.list[c].npieces; k++)
            for (size_t w = 0; w < constants.list[c].pieces[k].nwhere; w++)
                changes = changes || strcmp(constants.list[c].pieces[k].where[w].variable,
                                            place->names[variable]) == 0;
        if (!changes || formula_asks_machine(term) || !at_place(a, term, place, quiet, &f))
            continue;
        double power = power_of(&f, variable, fabs(place->values[variable]));
        if (power > most) {
            most = power;
            found = term;
        }
    }
    return found;
}

/* What a term walks through: each variable of it in a whole power, at most a matrix. N*log(N) walks through N, N^3 through N^2. */
static const struct formula *walked_through(struct arena *a, const struct formula *term,
                                            const struct place *place)
{
    const struct formula *set = NULL;
    DIAG_LOCAL struct diag *quiet = diag_create();
    struct at_place f;
    bool known = at_place(a, term, place, quiet, &f);
    for (size_t i = 0; i < place->n && known; i++) {
        double power = round(power_of(&f, i, fabs(place->values[i])));
        if (!(fabs(power) >= 1))
            continue;
        const struct formula *factor = formula_variable(a, place->names[i]);
        if (fabs(power) > 1)
            factor = formula_binary(a, FORMULA_POWER, factor,
                                    formula_number(a, fmin(fabs(power), MOST_POWER)));
        set = power < 0
                  ? formula_binary(a, FORMULA_DIVIDE, set ? set : formula_number(a, 1), factor)
              : set ? formula_binary(a, FORMULA_MULTIPLY, set, factor)
                    : factor;
    }
    return set;
}

/* ---- boundaries of one variable */

/* The boundaries of all constants along the variable, ascending and each once; returns how many. */
static size_t boundaries_along(struct arena *a, const struct model *m, const char *variable,
                               double **out)
{
    size_t most = 1, n = 0;
    struct model_constants constants = model_constants(m);
    for (size_t c = 0; c < constants.n; c++)
        most += constants.list[c].npieces;
    double *list = arena_alloc(a, most, sizeof *list);
    for (size_t c = 0; c < constants.n; c++)
        for (size_t k = 0; k < constants.list[c].npieces; k++) {
            const struct model_piece *p = &constants.list[c].pieces[k];
            for (size_t w = 0; w < p->nwhere; w++)
                if (!strcmp(p->where[w].variable, variable) && p->where[w].open &&
                    p->where[w].from > 0)
                    list[n++] = p->where[w].from;
        }
    *out = list;
    return stats_distinct(list, n);
}

/* Where the expression is `wanted`, as far as a factor of 1e15 from x; nan if it is nowhere. */
static double where_it_is(const struct at_place *set, size_t variable, double x, double wanted)
{
    double low = log(x) - log(1e15), high = log(x) + log(1e15);
    if (set->is_variable)
        return wanted;
    if (!(value_with(set, variable, exp(low)) <= wanted &&
          value_with(set, variable, exp(high)) >= wanted))
        return NAN;
    for (int i = 0; i < HALVINGS; i++) {
        double middle = (low + high) / 2;
        *(value_with(set, variable, exp(middle)) < wanted ? &low : &high) = middle;
    }
    return exp((low + high) / 2);
}

/* A value inside of interval i: the middle, as a ratio; half and twice the ends where there is only one. */
static double inside_of(const struct moved_variable *v, size_t i)
{
    if (i == 0)
        return v->there[0] / 2;
    if (i == v->n)
        return v->there[i - 1] * 2;
    return sqrt(v->there[i - 1]) * sqrt(v->there[i]);
}

/* What a boundary is along: the expression, at a place, and the variable that is varied to reach its values. */
struct direction {
    struct at_place expression;
    size_t along;
    double from; /* a value of that variable */
};

static double reach(const struct direction *d, double value)
{
    return where_it_is(&d->expression, d->along, d->from, value);
}

static void move_boundaries(struct arena *a, const struct moved_model *m,
                            const struct at_place *set, const struct direction *d, bool given,
                            struct moved_variable *v)
{
    v->boundaries = arena_zalloc(a, v->n, sizeof *v->boundaries);
    v->there = arena_alloc(a, v->n, sizeof *v->there);
    v->inside = arena_alloc(a, v->n + 1, sizeof *v->inside);
    for (size_t i = 0; i < v->n; i++)
        v->boundaries[i].units = value_with(set, d->along, reach(d, v->here[i]));
    v->bytes = moved_explain(m->levels, m->nlevels, given ? 1 : NAN, v->boundaries, v->n);
    for (size_t i = 0; i < v->n; i++) {
        struct moved_boundary *b = &v->boundaries[i];
        v->there[i] = v->here[i];
        if (b->level >= 0) {
            double x = where_it_is(set, d->along, reach(d, v->here[i]), b->units * b->factor);
            v->there[i] = isnan(x) ? x : value_with(&d->expression, d->along, x);
        }
        if (isnan(v->there[i])) {
            b->level = -1;
            v->there[i] = v->here[i];
        }
        if (i && v->there[i] < v->there[i - 1])
            v->there[i] = v->there[i - 1]; /* the interval between them is empty there */
    }
    for (size_t i = 0; i <= v->n; i++)
        v->inside[i] = reach(d, inside_of(v, i));
}

/* The boundaries along an expression whose values are reached by one variable of the place, unless none of them could
 * move. `given`: the user states the working set. 0; 1 if the working set does not grow along it; -1 with a diagnostic. */
static int move_along(struct arena *a, const struct formula *expression, const struct place *place,
                      size_t along, bool given, struct diag *diag, struct moved_variable *v,
                      struct moved_model *out)
{
    struct direction d = {.along = along, .from = place->values[along]};
    double *values = values_copy(a, place);
    const struct place there = {place->names, values, place->n};
    struct at_place set;
    if (!at_place(a, expression, place, diag, &d.expression))
        return -1;
    double x = values[along] = reach(&d, v->here[0]);
    if (isnan(x) || isnan(reach(&d, v->here[v->n - 1])))
        return 0;
    if (!v->working_set) { /* at the boundary: near N = 1, N*log(N) has no power */
        const struct formula *term = changing_term(a, out->model, &there, along);
        v->working_set = term ? walked_through(a, term, &there) : NULL;
    }
    if (!v->working_set)
        return 0;
    if (!at_place(a, v->working_set, place, diag, &set))
        return -1;
    v->power = power_of(&set, along, x) / power_of(&d.expression, along, x);
    if (!(v->power > 0 && isfinite(v->power)))
        return 1;
    v->along = place->names[along];
    v->text = formula_text(a, v->working_set);
    move_boundaries(a, out, &set, &d, given, v);
    out->variables[out->nvariables++] = *v;
    return 0;
}

/* The variable of the place that an expression grows with; place->n without one. More processors are another reason than
 * caches. */
static size_t varied(struct arena *a, const struct place *place, const struct formula *expression)
{
    DIAG_LOCAL struct diag *quiet = diag_create();
    struct at_place f;
    size_t i = at_place(a, expression, place, quiet, &f) ? 0 : place->n;
    while (i < place->n && !(strcmp(place->names[i], "P") != 0 && place->values[i] > 0 &&
                             power_of(&f, i, place->values[i]) > 0))
        i++;
    return i;
}

int moved_find(struct arena *a, const struct model *m, const struct place *place,
               const struct machine *from, const struct machine *to, bool communicates,
               const struct formula *working_set, struct diag *diag, struct moved_model *out)
{
    *out = (struct moved_model){
        .model = m, .variables = arena_zalloc(a, model_places(m) + 1, sizeof *out->variables)};
    /* Where a region communicates, protocols change with the size as well: caches explain what the user says. */
    if (!communicates || working_set)
        out->nlevels = moved_levels(a, from, to, out->levels);
    const char *stays = NULL;
    for (size_t p = 0; p < model_places(m); p++) {
        struct moved_variable v = {.name = model_place_name(m, p)};
        const struct formula *expression = model_place_formula(m, p);
        bool derived = expression != NULL;
        if (!derived || text_is_in(place->names, place->n, v.name))
            expression = formula_variable(a, v.name);
        /* The values of an expression such as N/P are what a processor has. */
        v.working_set = working_set ? working_set : derived ? expression : NULL;
        v.n = boundaries_along(a, m, v.name, &v.here);
        size_t along = v.n ? varied(a, place, expression) : place->n;
        int status = along < place->n ? move_along(a, expression, place, along, working_set != NULL,
                                                   diag, &v, out)
                                      : 0;
        if (status < 0)
            return -1;
        stays = status ? v.name : stays;
    }
    if (!working_set || !stays || out->nvariables)
        return 0;
    return diag_error(
        diag,
        "the working set %s does not grow with %s, along which constants change: state "
        "the bytes that do, such as 8*%s",
        formula_text(a, working_set), stays, stays);
}

/* ---- places */

/* Logarithms between boundaries keep their distances in proportion, so that a gradual change stays one. */
static double same_levels(const struct moved_variable *v, double x)
{
    size_t i = 0;
    while (i < v->n && x > v->there[i])
        i++;
    if (i == 0)
        return x * v->here[0] / v->there[0];
    if (i == v->n)
        return x * v->here[i - 1] / v->there[i - 1];
    double part = log(x / v->there[i - 1]) / log(v->there[i] / v->there[i - 1]);
    return v->here[i - 1] * pow(v->here[i] / v->here[i - 1], part);
}

static const struct moved_variable *find_moved(const struct moved_model *m, const char *name)
{
    return TEXT_ELEMENT(m->variables, m->nvariables, name, name);
}

static double move_value(const struct moved_variable *v, double x, double off)
{
    return v && x > 0 ? same_levels(v, x * pow(off, 1 / v->power)) : x;
}

/* Expressions along which constants change are names of the place: each moves by itself. */
struct place moved_place(struct arena *a, const struct moved_model *m, const struct place *place,
                         double off)
{
    size_t most = place->n + model_places(m->model) + 1, n = place->n;
    const char **names = arena_alloc(a, most, sizeof *names);
    double *values = arena_alloc(a, most, sizeof *values);
    DIAG_LOCAL struct diag *quiet = diag_create();
    for (size_t i = 0; i < n; i++) {
        names[i] = place->names[i];
        values[i] = move_value(find_moved(m, names[i]), place->values[i], off);
    }
    for (size_t p = 0; p < model_places(m->model); p++) {
        const struct formula *f = model_place_formula(m->model, p);
        struct at_place at;
        names[n] = model_place_name(m->model, p);
        if (!f || text_is_in(place->names, place->n, names[n]) ||
            !at_place(a, f, place, quiet, &at))
            continue;
        values[n] = move_value(find_moved(m, names[n]), formula_value(at.program, at.columns), off);
        n++;
    }
    return (struct place){names, values, n};
}

/* The largest value at the points; nan where it is not known. */
static double largest_at(struct arena *a, const struct formula *f, const struct points *p)
{
    DIAG_LOCAL struct diag *quiet = diag_create();
    const struct formula_program *program =
        formula_compile(a, f, (const char *const *)p->names, p->nnames, NULL, quiet);
    double *values = arena_alloc(a, p->n + 1, sizeof *values), largest = NAN;
    struct formula_trouble trouble;
    if (program &&
        formula_evaluate(program, (const double *const *)p->at, p->n, values, &trouble) == 0)
        for (size_t i = 0; i < p->n; i++)
            largest = fmax(largest, values[i]);
    return largest;
}

const struct moved_level *moved_never_left(struct arena *a, const struct moved_model *m,
                                           const struct place *place)
{
    DIAG_LOCAL struct diag *quiet = diag_create();
    const struct moved_level *found = NULL;
    for (size_t k = 0; k < m->nvariables && !found; k++) {
        const struct moved_variable *v = &m->variables[k];
        struct at_place set;
        if (isnan(v->bytes) || !at_place(a, v->working_set, place, quiet, &set))
            continue;
        double there = v->bytes * formula_value(set.program, set.columns);
        double here = v->bytes * largest_at(a, v->working_set, model_points(m->model));
        for (size_t l = 0; l < m->nlevels && !found; l++)
            if (there > m->levels[l].to && here < m->levels[l].from)
                found = &m->levels[l];
    }
    return found;
}
