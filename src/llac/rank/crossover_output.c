/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Crossings as text and as JSON. */
#include "llac/rank/crossover_output.h"

#include <math.h>
#include <string.h>

#include "base/number.h"
#include "llac/json.h"
#include "llac/text.h"

/* ---- text */

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

/* Of times and of other observables. */
static bool are_times(const struct crossover *c)
{
    bool times = true;
    for (size_t k = 0; k < 2; k++)
        times = times && (!c->sides[k].unit || strcmp(c->sides[k].unit, "s") == 0);
    return times;
}

static const char *is_less(const struct crossover *c)
{
    return are_times(c) ? "takes less time" : "is less";
}

/* The same of a part of the range, in which the order may not be certain. */
static const char *is_less_in(const struct crossover *c, double from, double to)
{
    for (size_t i = 0; i < c->ndoubts; i++) {
        const struct crossover_doubt *d = &c->doubts[i];
        if (!(d->low > to) && !(d->high < from)) /* an end that is nan is open */
            return are_times(c) ? "is predicted to take less time" : "is predicted to be less";
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

void text_crossover(FILE *out, const struct crossover *c)
{
    struct arena *a = arena_create();
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
    arena_destroy(a);
}

/* ---- JSON */

static json_t *json_side(const struct crossover_side *side)
{
    json_t *at = json_object();
    for (size_t i = 0; i < side->place.n; i++)
        if (i != side->over)
            json_set(at, side->place.names[i], json_number(side->place.values[i]));
    return json_make("{name:%s observable:%s at:%p measured_from:%g measured_to:%g}", side->name,
                     side->observable, at, side->least, side->most);
}

json_t *json_crossover(const struct crossover *c)
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
