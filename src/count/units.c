/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The values of terms at points (see units.h), with the evaluation of formulas. */
#include "count/units.h"

#include <math.h>
#include <string.h>

#include "formula/formula.h"

/* The variables of the points are the columns that a term is evaluated over. */
struct columns {
    const char **names;
    double **values; /* [variable][point]; nan where a point does not have it */
    size_t n;
};

static double executions_of(const json_t *point)
{
    const json_t *value = json_object_get(point, "executions");
    double n = json_is_number(value) ? json_number_value(value) : 1;
    return isfinite(n) && n > 0 ? n : 0;
}

static size_t column_of(const struct columns *c, const char *name)
{
    size_t k = 0;
    while (k < c->n && strcmp(c->names[k], name) != 0)
        k++;
    return k;
}

static struct columns columns_of(const json_t *points, size_t npoints, struct arena *a)
{
    struct columns c = {NULL, NULL, 0};
    size_t room = 0, values_room = 0;
    for (size_t p = 0; p < npoints; p++) {
        json_t *values = json_object_get(json_array_get(points, p), "values"), *value;
        const char *name;
        json_object_foreach(values, name, value)
        {
            size_t k = column_of(&c, name);
            if (k == c.n) {
                c.names = arena_grow(a, c.names, c.n, &room, c.n + 1, sizeof *c.names);
                c.values = arena_grow(a, c.values, c.n, &values_room, c.n + 1, sizeof *c.values);
                c.names[k] = arena_strdup(a, name);
                c.values[k] = arena_alloc(a, npoints, sizeof **c.values);
                for (size_t q = 0; q < npoints; q++)
                    c.values[k][q] = NAN;
                c.n++;
            }
            if (json_is_number(value))
                c.values[k][p] = json_number_value(value);
        }
    }
    return c;
}

/* A report of one process leaves P out. */
static void add_processes(struct columns *c, size_t npoints, struct arena *a)
{
    if (column_of(c, "P") < c->n)
        return;
    const char **names = arena_alloc(a, c->n + 1, sizeof *names);
    double **values = arena_alloc(a, c->n + 1, sizeof *values);
    for (size_t k = 0; k < c->n; k++) {
        names[k] = c->names[k];
        values[k] = c->values[k];
    }
    names[c->n] = "P";
    values[c->n] = arena_alloc(a, npoints + 1, sizeof **values);
    for (size_t p = 0; p < npoints; p++)
        values[c->n][p] = 1;
    *c = (struct columns){names, values, c->n + 1};
}

static const double *evaluate(const json_t *constant, const struct columns *c,
                              const struct count_units *u, struct arena *a)
{
    const char *term = json_string_value(json_object_get(constant, "term"));
    const struct formula *f = term ? formula_parse_text(a, term, NULL, NULL) : NULL;
    const struct formula_program *program =
        f ? formula_compile(a, f, c->names, c->n, NULL, NULL) : NULL;
    double *values = arena_alloc(a, u->npoints ? u->npoints : 1, sizeof *values);
    if (!program || u->npoints == 0 ||
        formula_evaluate(program, (const double *const *)c->values, u->npoints, values, NULL))
        return NULL;
    for (size_t p = 0; p < u->npoints; p++) {
        values[p] *= u->executions[p];
        if (!isfinite(values[p]))
            return NULL;
    }
    return values;
}

struct count_units count_units(const json_t *experiment, struct arena *a)
{
    const json_t *points = json_object_get(experiment, "points");
    const json_t *constants = json_object_get(experiment, "constants");
    struct count_units u = {.npoints = json_array_size(points),
                            .nconstants = json_array_size(constants)};
    double *executions = arena_alloc(a, u.npoints ? u.npoints : 1, sizeof *executions);
    const double **of = arena_alloc(a, u.nconstants ? u.nconstants : 1, sizeof *of);
    for (size_t p = 0; p < u.npoints; p++)
        executions[p] = executions_of(json_array_get(points, p));
    u.executions = executions;
    struct columns c = columns_of(points, u.npoints, a);
    add_processes(&c, u.npoints, a);
    for (size_t k = 0; k < u.nconstants; k++)
        of[k] = evaluate(json_array_get(constants, k), &c, &u, a);
    u.of = of;
    return u;
}
