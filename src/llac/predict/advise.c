/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command advise: what to measure next. */
#include <stdint.h>
#include <string.h>

#include "base/number.h"
#include "llac/arguments.h"
#include "llac/data/data.h"
#include "llac/json.h"
#include "llac/predict/advise.h"
#include "llac/predict/output.h"
#include "llac/text.h"
#include "llac/commands.h"

/* Where an advised point is. */
static struct place advised_place(const struct advice *v, const struct advised_point *p)
{
    return (struct place){v->names, p->at, v->nnames};
}

/* The values of a sweep as a range or a list. */
static char *sweep_values(struct arena *a, const struct advice *v, const struct advised_sweep *s)
{
    char x[NUMBER_SIZE], y[NUMBER_SIZE], z[NUMBER_SIZE], *text = "";
    if (s->regular)
        return arena_printf(a, "%s:%s:%s%s", number_text(s->first, x), number_text(s->last, y),
                            s->multiplies ? "" : "+", number_text(s->step, z));
    for (size_t i = 0; i < s->n; i++)
        text = arena_printf(a, "%s%s%s", text, *text ? "," : "",
                            number_text(v->points[s->points[i]].at[0], x));
    return text;
}

static char *sweep_pragma(struct arena *a, const struct advice *v, const struct advised_sweep *s)
{
    char x[NUMBER_SIZE], y[NUMBER_SIZE], z[NUMBER_SIZE];
    const char *n = v->names[0];
    return arena_printf(a, "#pragma cll for (%s = %s; %s <= %s; %s %s %s)", n,
                        number_text(s->first, x), n, number_text(s->last, y), n,
                        s->multiplies ? "*=" : "+=", number_text(s->step, z));
}

/* Points beyond the data, which the budget does not bound. */
static void text_way(FILE *out, struct arena *a, const struct advice *v)
{
    char cost[NUMBER_SIZE];
    if (!v->nway)
        return;
    text_wrapped(out, "  ",
                 "only points beyond the data show whether the model holds there "
                 "(each %zu time%s, %s s in all by the model):",
                 v->repetitions, v->repetitions == 1 ? "" : "s",
                 number_digits(v->way_cost, 3, cost));
    for (size_t i = 0; i < v->nway; i++)
        fprintf(out, "  measure %s   %.3g s\n", text_place(a, advised_place(v, &v->way[i])),
                v->way[i].cost);
}

static void text_advice(FILE *out, const struct model *m, const struct advice *v)
{
    ARENA_LOCAL struct arena *a = arena_create();
    const char *unit = text_unit(model_points(m)->request->observable);
    fprintf(out, "  now:   ");
    text_prediction(out, m, &v->before);
    if (v->npoints == 0)
        text_wrapped(
            out, "  ",
            "no point within this budget improves this prediction: give a larger budget, or a "
            "larger 'beyond'");
    for (size_t i = 0; i < v->nsweeps; i++) {
        const struct advised_sweep *s = &v->sweeps[i];
        double cost = 0;
        for (size_t k = 0; k < s->n; k++)
            cost += v->points[s->points[k]].cost;
        struct place first = advised_place(v, &v->points[s->points[0]]);
        char *rest =
            v->nnames > 1
                ? arena_printf(a, " %s", text_place(a, text_place_part(first, 1, first.n - 1)))
                : "";
        fprintf(out, "  measure %s=%s%s   %.3g s\n", v->names[0], sweep_values(a, v, s), rest,
                cost);
        if (s->regular)
            fprintf(out, "          %s\n", sweep_pragma(a, v, s));
    }
    if (v->npoints) {
        fprintf(out, "  each %zu time%s: %zu point%s, %.3g of %.3g s\n", v->repetitions,
                v->repetitions == 1 ? "" : "s", v->npoints, v->npoints == 1 ? "" : "s", v->cost,
                v->budget);
        fprintf(out, "  then:    typical %s is expected\n",
                text_of_range(v->low, v->high, 4, (char[RANGE_SIZE]){0}));
        fprintf(out, "  the model's own uncertainty: \302\261%.3g%s now, \302\261%.3g%s then\n",
                v->model_before, unit, v->model_after, unit);
    }
    if (v->least_half > 0)
        fprintf(out, "  the noise of a single measurement, which remains: \302\261%.3g%s\n",
                v->least_half, unit);
    text_way(out, a, v);
}

void text_advise_command(FILE *out, const struct model *m, struct place place,
                         const struct advice *advice)
{
    ARENA_LOCAL struct arena *a = arena_create();
    const char *observable = model_points(m)->request->observable;
    char *text = arena_printf(
        a, "what to measure: advise %s %s%sfor %s", model_points(m)->request->experiment->name,
        strcmp(observable, "CLOCK") == 0 ? "" : "on ",
        strcmp(observable, "CLOCK") == 0 ? "" : arena_printf(a, "%s ", observable),
        text_place(a, place));
    if (advice && advice->npoints)
        text = arena_printf(a, "%s (first %s)", text,
                            text_place(a, advised_place(advice, &advice->points[0])));
    text_wrapped(out, "    ", "%s", text);
}

static json_t *json_points(const struct advice *v, const struct advised_point *list, size_t n)
{
    json_t *points = json_array();
    for (size_t i = 0; i < n; i++)
        json_add(points, "{at:%p cost:%g}", json_place(advised_place(v, &list[i])), list[i].cost);
    return points;
}

static json_t *json_advice(const struct model *m, const struct advice *v)
{
    ARENA_LOCAL struct arena *a = arena_create();
    json_t *sweeps = json_array();
    for (size_t i = 0; i < v->nsweeps; i++) {
        const struct advised_sweep *s = &v->sweeps[i];
        json_t *others =
            v->nnames ? json_place(text_place_part(advised_place(v, &v->points[s->points[0]]), 1,
                                                   v->nnames - 1))
                      : json_object();
        json_add(sweeps, "{variable:%s range:%s others:%p pragma:%s}", v->names[0],
                 sweep_values(a, v, s), others, s->regular ? sweep_pragma(a, v, s) : NULL);
    }
    return json_make("{experiment:%s before:%p points:%p sweeps:%p way:%p way_cost:%g "
                     "repetitions:%zu budget:%g cost:%g low:%g high:%g model_before:%g "
                     "model_after:%g noise:%g unit:%s schema:%d}",
                     model_points(m)->request->experiment->name, json_prediction(m, &v->before),
                     json_points(v, v->points, v->npoints), sweeps, json_points(v, v->way, v->nway),
                     v->way_cost, v->repetitions, v->budget, v->cost, v->low, v->high,
                     v->model_before, v->model_after, v->least_half, "s", 1);
}

int command_advise(struct session *s, struct cursor *c)
{
    static const char *const words[] = {"budget", "beyond", "where", NULL};
    struct given_place given = {.n = 0};
    struct advise_request r = {.budget = 0};
    const struct experiment *e = read_experiment(s, c);
    if (!e || session_need_values(s, c->diag, "advise"))
        return -1;
    const char *observable = experiment_default_observable(e);
    if (read_observable(c, &observable))
        return -1;
    if (!cursor_keyword(c, "for"))
        return cursor_error_here(c, "the prediction is missing: advise %s for VAR=VALUE...",
                                 e->name);
    while (!cursor_done(c)) {
        if (cursor_keyword(c, "budget")) {
            struct span here = {c->at, c->end};
            if (read_time(c, "budget", &r.budget))
                return -1;
            if (!(r.budget > 0))
                return cursor_error(c, here, "'budget' must be more than 0");
        } else if (cursor_keyword(c, "beyond")) {
            struct span here = {c->at, c->end};
            if (read_number(c, "beyond", false, &r.beyond))
                return -1;
            if (r.beyond < 1)
                return cursor_error(c, here,
                                    "'beyond' is 1 or more: how many times the largest "
                                    "value measured");
        } else if (cursor_is_next(c, "where")) {
            if (read_where(s, c, words))
                return -1;
        } else if (read_place_value(c, &given)) {
            return -1;
        }
    }
    r.place = (struct place){given.names, given.values, given.n};
    if (arguments_check_observable(s, c, e, observable))
        return -1;
    size_t clock = experiment_find_observable(e, "CLOCK");
    bool costs = clock != SIZE_MAX && !column_is_empty(&e->columns[clock]);
    if (strcmp(observable, "CLOCK") != 0 && costs &&
        !(r.clock = session_model(s, e->name, "CLOCK", c->diag)))
        return -1;
    const struct model *m = session_model(s, e->name, observable, c->diag);
    struct advice advice;
    if (!m || model_advise(c->arena, m, &r, c->diag, &advice))
        return -1;
    if (s->json)
        json_print(s->out, "%p", json_advice(m, &advice));
    else
        text_advice(s->out, m, &advice);
    return 0;
}
