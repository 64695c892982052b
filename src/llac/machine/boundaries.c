/* SPDX-License-Identifier: GPL-3.0-or-later */
/* boundaries NAME [VAR=VALUE...] on MACHINE: the intervals in which each value of a constant is expected to hold there. */
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "llac/commands.h"
#include "llac/json.h"
#include "llac/machine/elsewhere.h"
#include "llac/text.h"
#include "model/points.h"

/* ---- a place for what the user does not give */

/* The middle of the measured values, as a ratio. */
static double middle_of(const struct points *p, const char *variable)
{
    double low = INFINITY, high = -INFINITY;
    points_widen(p, variable, &low, &high);
    return low > 0 ? sqrt(low) * sqrt(high) : (low + high) / 2;
}

static struct place whole_place(struct arena *a, const struct model *m,
                                const struct given_place *given)
{
    size_t n;
    const char **names = model_variables(a, m, &n);
    double *values = arena_alloc(a, n + 1, sizeof *values);
    for (size_t i = 0; i < n; i++) {
        values[i] = middle_of(model_points(m), names[i]);
        size_t k = text_find(given->names, given->n, names[i]);
        if (k < given->n)
            values[i] = given->values[k];
    }
    return (struct place){names, values, n};
}

/* ---- one interval */

struct moved_interval {
    double from, to;           /* there; 0 and infinite at the ends */
    double here_from, here_to; /* the interval of the model that it comes from */
    const char *level;         /* that the working set leaves at `to`; NULL = none */
    struct elsewhere at;       /* inside of it */
};

static int make_interval(struct session *s, struct cursor *c, const struct model *m,
                         const struct carrying *how, const struct elsewhere *e,
                         const struct moved_variable *v, size_t i, struct moved_interval *out)
{
    const struct place *place = &e->here.place;
    double *values = arena_alloc(c->arena, place->n + 1, sizeof *values);
    for (size_t k = 0; k < place->n; k++)
        values[k] = strcmp(place->names[k], v->along) == 0 ? v->inside[i] : place->values[k];
    *out = (struct moved_interval){.from = i ? v->there[i - 1] : 0,
                                   .to = i < v->n ? v->there[i] : INFINITY,
                                   .here_from = i ? v->here[i - 1] : 0,
                                   .here_to = i < v->n ? v->here[i] : INFINITY};
    if (i < v->n && v->boundaries[i].level >= 0)
        out->level = e->moved.levels[v->boundaries[i].level].name;
    struct place there = {place->names, values, place->n};
    return carrying_predict(s, c, m, &there, how, c->arena, &out->at);
}

/* ---- output */

static const char *range_text(struct arena *a, double from, double to)
{
    char low[NUMBER_SIZE], high[NUMBER_SIZE];
    if (from == 0)
        return arena_printf(a, "up to %s", number_digits(to, 4, high));
    if (isinf(to))
        return arena_printf(a, "above %s", number_digits(from, 4, low));
    if (from == to)
        return "none";
    return arena_printf(a, "(%s, %s]", number_digits(from, 4, low), number_digits(to, 4, high));
}

/* The constants that have several values. */
static bool varies(const struct model *m, const char *name)
{
    struct model_constants constants = model_constants(m);
    const struct model_constant *c = TEXT_ELEMENT(constants.list, constants.n, name, name);
    return c && c->npieces > 1;
}

static void text_intervals(FILE *out, struct arena *a, const struct model *m,
                           const struct elsewhere *e, const struct moved_variable *v,
                           const struct moved_interval *list)
{
    char bytes[NUMBER_SIZE];
    if (isnan(v->bytes))
        fprintf(out, "  no cache of %s explains where the constants change\n", e->from->name);
    else if (v->bytes == 1)
        fprintf(out, "  the working set is %s bytes\n", v->text);
    else
        fprintf(out, "  the working set is about %s bytes times %s\n",
                number_digits(v->bytes, 2, bytes), v->text);
    fprintf(out, "    %-20s %-20s %-6s", arena_printf(a, "%s here", v->name),
            arena_printf(a, "%s there", v->name), "leaves");
    for (size_t k = 0; k < e->nconstants; k++)
        if (varies(m, e->constants[k].name))
            fprintf(out, " %11s", e->constants[k].name);
    fputc('\n', out);
    for (size_t i = 0; i <= v->n; i++) {
        fprintf(out, "    %-20s %-20s %-6s", range_text(a, list[i].here_from, list[i].here_to),
                range_text(a, list[i].from, list[i].to),
                list[i].level ? list[i].level
                : i < v->n    ? "?"
                              : "");
        for (size_t k = 0; k < e->nconstants; k++)
            if (varies(m, e->constants[k].name))
                fprintf(out, " %11s",
                        number_digits(list[i].at.constants[k].value, 4, NUMBER_BUFFER));
        fputc('\n', out);
    }
}

/* What JSON has of an end: null where there is none. */
static double end_of(double x)
{
    return x == 0 ? NAN : x;
}

static json_t *json_interval(const struct model *m, const struct moved_variable *v,
                             const struct moved_interval *one)
{
    json_t *constants = json_array();
    for (size_t k = 0; k < one->at.nconstants; k++)
        if (varies(m, one->at.constants[k].name))
            json_add(constants, "{name:%s value:%g ratio:%g}", one->at.constants[k].name,
                     one->at.constants[k].value, one->at.constants[k].ratio.ratio);
    return json_make("{variable:%s here_from:%g here_to:%g from:%g to:%g leaves:%s "
                     "constants:%p}",
                     v->name, end_of(one->here_from), end_of(one->here_to), end_of(one->from),
                     end_of(one->to), one->level, constants);
}

static int print_intervals(struct session *s, struct cursor *c, const struct model *m,
                           const struct carrying *how, const struct elsewhere *e)
{
    json_auto_t *all = json_array();
    int status = 0;
    if (!s->json)
        fprintf(s->out, "%s on %s, carried from %s\n", model_request(m)->points.experiment->name,
                e->to->name, e->from->name);
    if (!s->json && !e->moved.nvariables)
        fputs("  no constant changes where a cache could be the cause\n", s->out);
    for (size_t k = 0; k < e->moved.nvariables && status == 0; k++) {
        const struct moved_variable *v = &e->moved.variables[k];
        struct moved_interval *list = arena_alloc(c->arena, v->n + 1, sizeof *list);
        for (size_t i = 0; i <= v->n && status == 0; i++) {
            status = make_interval(s, c, m, how, e, v, i, &list[i]);
            if (status == 0)
                json_array_append_new(all, json_interval(m, v, &list[i]));
        }
        if (status == 0 && !s->json)
            text_intervals(s->out, c->arena, m, e, v, list);
    }
    if (status == 0 && s->json)
        json_print(s->out, "{experiment:%s machine:%s from:%s at:%p intervals:%p boundaries:%p}",
                   model_request(m)->points.experiment->name, e->to->name, e->from->name,
                   json_place(e->here.place), json_incref(all), json_moved(&e->moved));
    return status;
}

int command_boundaries(struct session *s, struct cursor *c)
{
    struct given_place given = {.n = 0};
    struct carrying how;
    struct elsewhere e;
    const struct experiment *x = read_experiment(s, c);
    struct model *m = x ? session_model(s, x->name, NULL, c->diag) : NULL;
    if (!m)
        return -1;
    while (!cursor_keyword(c, "on")) {
        if (cursor_done(c))
            return cursor_error_here(c, "the word 'on' and a machine are expected here");
        if (read_place_value(c, &given))
            return -1;
        const char *name = given.names[given.n - 1];
        if (points_find(model_points(m), name) == SIZE_MAX)
            return cursor_error_here(
                c, "%s",
                points_no_variable(c->arena, model_points(m), &model_request(m)->let, name));
    }
    if (carrying_read(s, c, m, &how))
        return -1;
    struct place place = whole_place(c->arena, m, &given);
    if (carrying_predict(s, c, m, &place, &how, c->arena, &e))
        return -1;
    return print_intervals(s, c, m, &how, &e);
}
