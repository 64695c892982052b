/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "llac/machine/moved.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carry/thresholds.h"

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
};

static bool at_place(struct arena *a, const struct formula *f, const struct place *place,
                     struct diag *diag, struct at_place *out)
{
    out->place = place;
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
    struct diag *quiet = diag_create();
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
    diag_destroy(quiet);
    return found;
}

/* What a term walks through: each variable of it in a whole power, at most a matrix. N*log(N) walks through N, N^3 through N^2. */
static const struct formula *walked_through(struct arena *a, const struct formula *term,
                                            const struct place *place)
{
    const struct formula *set = NULL;
    struct diag *quiet = diag_create();
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
    diag_destroy(quiet);
    return set;
}

/* ---- boundaries of one variable */

static int ascending(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

/* The boundaries of all constants along the variable, ascending and each once; returns how many. */
static size_t boundaries_along(struct arena *a, const struct model *m, const char *variable,
                               double **out)
{
    size_t most = 1, n = 0, kept = 0;
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
    qsort(list, n, sizeof *list, ascending);
    for (size_t i = 0; i < n; i++)
        if (!kept || list[i] > list[kept - 1])
            list[kept++] = list[i];
    *out = list;
    return kept;
}

/* Where the working set is `wanted`, as far as a factor of 1e6 from x; nan if it is nowhere. */
static double where_it_is(const struct at_place *set, size_t variable, double x, double wanted)
{
    double low = log(x) - log(1e6), high = log(x) + log(1e6);
    if (!(value_with(set, variable, exp(low)) <= wanted &&
          value_with(set, variable, exp(high)) >= wanted))
        return NAN;
    for (int i = 0; i < HALVINGS; i++) {
        double middle = (low + high) / 2;
        *(value_with(set, variable, exp(middle)) < wanted ? &low : &high) = middle;
    }
    return exp((low + high) / 2);
}

static void move_variable(struct arena *a, const struct moved_model *m, const struct at_place *set,
                          size_t variable, bool given, struct moved_variable *v)
{
    v->boundaries = arena_zalloc(a, v->n, sizeof *v->boundaries);
    v->there = arena_alloc(a, v->n, sizeof *v->there);
    for (size_t i = 0; i < v->n; i++)
        v->boundaries[i].units = value_with(set, variable, v->here[i]);
    v->power = power_of(set, variable, v->here[0]);
    v->bytes = moved_explain(m->levels, m->nlevels, given ? 1 : NAN, v->boundaries, v->n);
    for (size_t i = 0; i < v->n; i++) {
        struct moved_boundary *b = &v->boundaries[i];
        v->there[i] = v->here[i];
        if (b->level >= 0)
            v->there[i] = where_it_is(set, variable, v->here[i], b->units * b->factor);
        if (isnan(v->there[i])) {
            b->level = -1;
            v->there[i] = v->here[i];
        }
        if (i && v->there[i] < v->there[i - 1])
            v->there[i] = v->there[i - 1]; /* the interval between them is empty there */
    }
}

int moved_find(struct arena *a, const struct model *m, const struct place *place,
               const struct machine *from, const struct machine *to,
               const struct formula *working_set, struct diag *diag, struct moved_model *out)
{
    *out = (struct moved_model){.variables = arena_zalloc(a, place->n + 1, sizeof *out->variables)};
    out->nlevels = moved_levels(a, from, to, out->levels);
    for (size_t i = 0; i < place->n; i++) {
        struct moved_variable v = {.name = place->names[i], .working_set = working_set};
        struct at_place set;
        /* More processors are another reason than caches. */
        if (strcmp(v.name, "P") == 0 || !(place->values[i] > 0))
            continue;
        v.n = boundaries_along(a, m, v.name, &v.here);
        const struct formula *term = v.n ? changing_term(a, m, place, i) : NULL;
        if (term && !working_set)
            v.working_set = walked_through(a, term, place);
        if (!term || !v.working_set)
            continue;
        if (!at_place(a, v.working_set, place, diag, &set))
            return -1;
        if (!(power_of(&set, i, v.here[0]) > 0))
            continue;
        v.text = formula_text(a, v.working_set);
        move_variable(a, out, &set, i, working_set != NULL, &v);
        out->variables[out->nvariables++] = v;
    }
    return 0;
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

struct place moved_place(struct arena *a, const struct moved_model *m, const struct place *place,
                         double off)
{
    double *values = values_copy(a, place);
    for (size_t k = 0; k < m->nvariables; k++)
        for (size_t i = 0; i < place->n; i++)
            if (strcmp(m->variables[k].name, place->names[i]) == 0)
                values[i] =
                    same_levels(&m->variables[k], values[i] * pow(off, 1 / m->variables[k].power));
    return (struct place){place->names, values, place->n};
}

static double largest_in(const struct points *p, const char *variable)
{
    size_t column = points_find(p, variable);
    double largest = 0;
    for (size_t i = 0; column != SIZE_MAX && i < p->n; i++)
        largest = fmax(largest, p->at[column][i]);
    return largest;
}

const struct moved_level *moved_never_left(struct arena *a, const struct moved_model *m,
                                           const struct model *model, const struct place *place)
{
    struct diag *quiet = diag_create();
    const struct moved_level *found = NULL;
    for (size_t k = 0; k < m->nvariables && !found; k++) {
        const struct moved_variable *v = &m->variables[k];
        struct at_place set;
        size_t i = 0;
        while (strcmp(place->names[i], v->name) != 0)
            i++;
        if (isnan(v->bytes) || !at_place(a, v->working_set, place, quiet, &set))
            continue;
        double there = v->bytes * value_with(&set, i, place->values[i]);
        double here = v->bytes * value_with(&set, i, largest_in(model_points(model), v->name));
        for (size_t l = 0; l < m->nlevels && !found; l++)
            if (there > m->levels[l].to && here < m->levels[l].from)
                found = &m->levels[l];
    }
    diag_destroy(quiet);
    return found;
}
