/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The values of terms at points (see units.h), with the evaluation of formulas. */
#include "count/units.h"

#include <math.h>
#include <string.h>

#include "formula/formula.h"
#include "base/text.h"

/* The variables of the points are the columns that a term is evaluated over. */
struct columns {
    struct arena *arena;
    size_t npoints, n, names_room, values_room;
    const char **names;
    double **values; /* [variable][point]; nan where a point does not have it */
};

static double executions_of(const json_t *point)
{
    const json_t *value = json_object_get(point, "executions");
    double n = json_is_number(value) ? json_number_value(value) : 1;
    return isfinite(n) && n > 0 ? n : 0;
}

/* A new one, with the values of the points. */
static void add_column(struct columns *c, const char *name, const json_t *points, double missing)
{
    double *values = arena_alloc(c->arena, c->npoints + 1, sizeof *values);
    for (size_t p = 0; p < c->npoints; p++) {
        const json_t *value =
            json_object_get(json_object_get(json_array_get(points, p), "values"), name);
        values[p] = json_is_number(value) ? json_number_value(value) : missing;
    }
    size_t n = c->n;
    ARENA_ADD(c->arena, c->names, n, &c->names_room, arena_strdup(c->arena, name));
    ARENA_ADD(c->arena, c->values, c->n, &c->values_room, values);
}

static struct columns columns_of(const json_t *points, size_t npoints, struct arena *a)
{
    struct columns c = {.arena = a, .npoints = npoints};
    for (size_t p = 0; p < npoints; p++) {
        json_t *values = json_object_get(json_array_get(points, p), "values"), *value;
        const char *name;
        json_object_foreach(values, name, value)
        {
            if (!text_is_in(c.names, c.n, name))
                add_column(&c, name, points, NAN);
        }
    }
    if (!text_is_in(c.names, c.n, "P")) /* a report of one process leaves it out */
        add_column(&c, "P", points, 1);
    return c;
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
    for (size_t k = 0; k < u.nconstants; k++)
        of[k] = evaluate(json_array_get(constants, k), &c, &u, a);
    u.of = of;
    return u;
}
