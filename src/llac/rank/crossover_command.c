/* SPDX-License-Identifier: GPL-3.0-or-later */
/* crossover NAME [on OBS] NAME [on OBS] over VAR [VAR=VALUE...] [to VAR=VALUE]: where the order of two models changes. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "llac/arguments.h"
#include "llac/commands.h"
#include "llac/compose/compose.h"
#include "llac/json.h"
#include "llac/rank/crossover.h"
#include "llac/text.h"
#include "model/fit.h"
#include "base/number.h"
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
        double low = INFINITY, high = -INFINITY;
        points_widen(p, over, &low, &high);
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

/* ---- the output, as text */

/* "cpu", "gpu DEVICE" */
static const char *name_of(struct arena *a, const struct crossover_side *side)
{
    if (!side->observable || strcmp(side->observable, "CLOCK") == 0)
        return side->name;
    return arena_printf(a, "%s %s", side->name, side->observable);
}

static const char *at_text(struct arena *a, const struct crossover *c, double x)
{
    return arena_printf(a, "%s=%s", c->over, text_rounded(x, 4, NUMBER_BUFFER));
}

/* Of times, of how samples spread, and of other observables: in the present, and predicted. */
static const char *const less_words[][2] = {
    {"takes less time", "is predicted to take less time"},
    {"spreads less", "is predicted to spread less"},
    {"is less", "is predicted to be less"},
};

static const char *const *words_of(const struct crossover *c)
{
    bool times = true, spread = false;
    for (size_t k = 0; k < 2; k++) {
        const struct model *m = c->sides[k].model; /* a definition is a time */
        times = times && (!m || points_is_time(model_points(m)->request));
        spread = spread || (m && points_is_spread(model_points(m)->request));
    }
    return less_words[times ? 0 : spread ? 1 : 2];
}

static const char *is_less(const struct crossover *c)
{
    return words_of(c)[0];
}

/* The same of a part of the range, in which the order may not be certain. */
static const char *is_less_in(const struct crossover *c, double from, double to)
{
    for (size_t i = 0; i < c->ndoubts; i++) {
        const struct crossover_doubt *d = &c->doubts[i];
        if (!(d->low > to) && !(d->high < from)) /* an end that is nan is open */
            return words_of(c)[1];
    }
    return is_less(c);
}

/* Where the order is not certain. */
static const char *doubt_text(struct arena *a, const struct crossover *c, double low, double high)
{
    if (isnan(low) && isnan(high))
        return arena_printf(a, "from %s to %s", at_text(a, c, c->from), at_text(a, c, c->to));
    if (isnan(low))
        return arena_printf(a, "up to %s", at_text(a, c, high));
    if (isnan(high))
        return arena_printf(a, "from %s on, up to %s", at_text(a, c, low), at_text(a, c, c->to));
    return arena_printf(a, "between %s and %s", at_text(a, c, low), at_text(a, c, high));
}

static const char *crossing_text(struct arena *a, const struct crossover *c,
                                 const struct crossing *x)
{
    const char *less = name_of(a, &c->sides[x->less]), *more = name_of(a, &c->sides[1 - x->less]);
    const char *from = arena_printf(a, "%s %s from %s on", less, is_less(c), at_text(a, c, x->at));
    if (!x->known)
        return arena_printf(a, "%s; before: %s; the uncertainty is not known", from, more);
    if (!x->certain)
        return arena_printf(a, "predicted: %s; before: %s; but the order is not certain %s", from,
                            more, doubt_text(a, c, x->low, x->high));
    return arena_printf(a, "%s (95 %%: %s to %s); before: %s", from, at_text(a, c, x->low),
                        at_text(a, c, x->high), more);
}

static void say_beyond(FILE *out, struct arena *a, const struct crossover *c,
                       const struct crossing *x)
{
    for (size_t k = 0; k < 2; k++)
        if (x->beyond[k])
            text_wrapped(out, "    ", "%s is beyond the data of %s, which are from %s to %s",
                         at_text(a, c, x->at), name_of(a, &c->sides[k]),
                         at_text(a, c, c->sides[k].least), at_text(a, c, c->sides[k].most));
}

/* The side that is less at a place, as far as crossings tell. */
static size_t less_at(const struct crossover *c, double x)
{
    size_t less = c->less;
    for (size_t i = 0; i < c->ncrossings && c->crossings[i].at <= x; i++)
        less = c->crossings[i].less;
    return less;
}

/* A definition without experiments was not measured. */
static const char *measured_text(struct arena *a, const struct crossover *c)
{
    for (size_t k = 0; k < 2; k++)
        if (isnan(c->sides[k].least))
            return arena_printf(a, "%s was", name_of(a, &c->sides[1 - k]));
    return "both were";
}

static void say_none(FILE *out, struct arena *a, const struct crossover *c)
{
    size_t inside = 0;
    if (!(c->least <= c->most)) {
        text_wrapped(out, "  ", "there is no %s at which both were measured", c->over);
        inside = 1;
    }
    if (c->same || c->hidden) {
        text_wrapped(out, "  ", "%s",
                     c->same ? "both are predicted to be the same"
                             : "the order changes where one of them has no value");
        return;
    }
    for (size_t i = 0; i < c->ncrossings; i++)
        inside += c->crossings[i].at >= c->least && c->crossings[i].at <= c->most;
    if (!inside)
        text_wrapped(out, "  ", "%s %s at all sizes that %s measured at, from %s to %s",
                     name_of(a, &c->sides[less_at(c, c->least)]), is_less_in(c, c->least, c->most),
                     measured_text(a, c), at_text(a, c, c->least), at_text(a, c, c->most));
    if (!c->ncrossings)
        text_wrapped(out, "  ", "no crossing is predicted from %s to %s: %s %s",
                     at_text(a, c, c->from), at_text(a, c, c->to), name_of(a, &c->sides[c->less]),
                     is_less_in(c, c->from, c->to));
}

static void text_crossover(FILE *out, const struct crossover *c)
{
    ARENA_LOCAL struct arena *a = arena_create();
    say_none(out, a, c);
    for (size_t i = 0; i < c->ncrossings; i++) {
        text_wrapped(out, "  ", "%s", crossing_text(a, c, &c->crossings[i]));
        say_beyond(out, a, c, &c->crossings[i]);
    }
    for (size_t i = 0; i < c->ndoubts; i++)
        text_wrapped(out, "  ", "the order is not certain %s, where no crossing is predicted",
                     doubt_text(a, c, c->doubts[i].low, c->doubts[i].high));
    if (!c->known && !c->ncrossings)
        text_wrapped(out, "  ", "the uncertainty is not known");
    if (!c->whole)
        text_wrapped(out, "  ", "in a part of the range, one of them has no value");
}

/* ---- as JSON */

static json_t *json_side(const struct crossover_side *side)
{
    json_t *at = json_object();
    for (size_t i = 0; i < side->place.n; i++)
        if (i != side->over)
            json_set(at, side->place.names[i], json_number(side->place.values[i]));
    return json_make("{name:%s observable:%s at:%p measured_from:%g measured_to:%g}", side->name,
                     side->observable, at, side->least, side->most);
}

static json_t *json_crossover(const struct crossover *c)
{
    json_t *crossings = json_array(), *doubts = json_array();
    for (size_t i = 0; i < c->ncrossings; i++) {
        const struct crossing *x = &c->crossings[i];
        json_add(crossings, "{at:%g low:%g high:%g less:%s certain:%i inside_data:%i}", x->at,
                 x->low, x->high, c->sides[x->less].name, x->certain,
                 (!x->beyond[0] && !x->beyond[1]));
    }
    for (size_t i = 0; i < c->ndoubts; i++)
        json_add(doubts, "{low:%g high:%g}", c->doubts[i].low, c->doubts[i].high);
    return json_make("{over:%s first:%p second:%p from:%g to:%g less:%s crossings:%p "
                     "doubtful:%p whole_range:%i}",
                     c->over, json_side(&c->sides[0]), json_side(&c->sides[1]), c->from, c->to,
                     c->same ? NULL : c->sides[c->less].name, crossings, doubts, c->whole);
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
        struct given_place *place = to ? &end : given;
        if (read_place_value(c, place))
            return -1;
        const char *name = place->n ? place->names[place->n - 1] : "";
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
