/* SPDX-License-Identifier: GPL-3.0-or-later */
/* crossover NAME [on OBS] NAME [on OBS] over VAR [VAR=VALUE...] [to VAR=VALUE]: reads the two models and the range. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "llac/arguments.h"
#include "llac/commands.h"
#include "llac/compose/compose.h"
#include "llac/json.h"
#include "llac/rank/crossover_output.h"
#include "model/fit.h"
#include "base/text.h"

/* ---- one side */

static int read_definition(struct session *s, struct cursor *c, const struct compose_definition *d,
                           struct span where, struct crossover_side *out)
{
    struct composition *all = arena_zalloc(c->arena, 1, sizeof *all);
    if (out->observable)
        return cursor_error(c, where, "'%s' is a definition: it has no observable", d->name);
    if (session_compose(s, c->arena, d, c->diag, all, &out->definition))
        return -1;
    all->any_place = true; /* the other side may need more variables */
    out->composition = all;
    return 0;
}

/* NAME [on OBS] */
static int read_side(struct session *s, struct cursor *c, struct crossover_side *out)
{
    struct span where;
    out->name = cursor_experiment(c, &where);
    if (!out->name)
        return cursor_error_here(c,
                                 "the name of an experiment is expected here: crossover NAME NAME "
                                 "over VAR");
    if (read_observable(c, &out->observable))
        return -1;
    const struct compose_definition *d = session_definition(s, out->name);
    if (d)
        return read_definition(s, c, d, where, out);
    const struct experiment *e = session_experiment(s, c, out->name, where);
    struct model *m = e ? session_model(s, e->name, out->observable, c->diag) : NULL;
    if (!m)
        return -1;
    model_resample(m);
    out->model = m;
    out->observable = model_points(m)->request->observable;
    out->unit = points_unit(model_points(m)->request);
    return session_interrupt ? -1 : 0;
}

/* Whether a place of this side may have the variable. */
static bool knows(const struct crossover_side *side, const char *name)
{
    if (side->model)
        return model_knows(side->model, name);
    if (text_is_in(side->definition->parameters, side->definition->nparameters, name))
        return true;
    for (size_t i = 0; i < side->composition->nblocks; i++)
        if (model_knows(side->composition->blocks[i].model, name))
            return true;
    return false;
}

/* The measured values of the variable; of a definition, those at which all its models have data. */
static void find_data(struct crossover_side *side, const char *over)
{
    size_t n = side->model ? 1 : side->composition->nblocks;
    side->least = side->most = NAN;
    for (size_t k = 0; k < n; k++) {
        const struct points *p =
            model_points(side->model ? side->model : side->composition->blocks[k].model);
        size_t column = points_find(p, over);
        double low = INFINITY, high = -INFINITY;
        for (size_t i = 0; column != SIZE_MAX && i < p->n; i++) {
            low = fmin(low, p->at[column][i]);
            high = fmax(high, p->at[column][i]);
        }
        if (low <= high) {
            side->least = fmax(side->least, low); /* the other one if one is nan */
            side->most = fmin(side->most, high);
        }
    }
}

/* The variables that the side has, and the one that is varied. */
static void take_place(struct arena *a, const struct given_place *given, const char *over,
                       struct crossover_side *side)
{
    const char **names = arena_alloc(a, given->n + 1, sizeof *names);
    double *values = arena_alloc(a, given->n + 1, sizeof *values);
    size_t n = 0;
    for (size_t i = 0; i < given->n; i++)
        if (knows(side, given->names[i])) {
            names[n] = given->names[i];
            values[n++] = given->values[i];
        }
    names[n] = over;
    values[n] = 1;
    side->place = (struct place){names, values, n + 1};
    side->over = n;
}

/* ---- the command */

static int check_over(const struct cursor *c, const struct crossover *x)
{
    struct span whole = {c->at, c->at};
    for (size_t k = 0; k < 2; k++)
        if (!knows(&x->sides[k], x->over))
            return cursor_error(c, whole, "%s has no variable '%s'", x->sides[k].name, x->over);
    return 0;
}

/* over VAR */
static int read_over(struct cursor *c, const char **over)
{
    if (!cursor_keyword(c, "over"))
        return cursor_error_here(c,
                                 "the word 'over' is expected here: crossover NAME NAME over VAR");
    struct span w = cursor_token(c);
    if (w.end == w.begin)
        return cursor_error_here(c, "the name of a variable is missing after 'over'");
    *over = cursor_text(c, w);
    return 0;
}

/* [VAR=VALUE...] [to VAR=VALUE] */
static int read_places(struct cursor *c, struct crossover *x, struct given_place *given)
{
    struct given_place end = {.n = 0};
    x->end = NAN;
    while (!cursor_done(c)) {
        bool to = cursor_keyword(c, "to");
        struct cursor here = *c;
        if (read_place_value(c, to ? &end : given))
            return -1;
        const char *name = to ? end.names[end.n - 1] : given->names[given->n - 1];
        bool over = strcmp(name, x->over) == 0;
        if (to && !over)
            return cursor_error_here(&here, "'to' gives the end of the range: to %s=VALUE",
                                     x->over);
        if (!to && over)
            return cursor_error_here(&here, "'%s' is varied: give values of the other variables",
                                     x->over);
        if (!to && !knows(&x->sides[0], name) && !knows(&x->sides[1], name))
            return cursor_error_here(&here, "neither %s nor %s has a variable '%s'",
                                     x->sides[0].name, x->sides[1].name, name);
        if (to)
            x->end = end.values[end.n - 1];
    }
    return 0;
}

int command_crossover(struct session *s, struct cursor *c)
{
    struct crossover x = {.ncrossings = 0};
    struct given_place given = {.n = 0};
    if (read_side(s, c, &x.sides[0]) || read_side(s, c, &x.sides[1]) || read_over(c, &x.over) ||
        check_over(c, &x) || read_places(c, &x, &given))
        return -1;
    for (size_t k = 0; k < 2; k++) {
        find_data(&x.sides[k], x.over);
        take_place(c->arena, &given, x.over, &x.sides[k]);
    }
    if (crossover_find(c->arena, &x, c->diag))
        return -1;
    if (s->json)
        json_print(s->out, "%p", json_crossover(&x));
    else
        text_crossover(s->out, &x);
    return 0;
}
