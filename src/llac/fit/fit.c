/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fit: the constants of a formula. */
#include "llac/fit/fit.h"

#include <math.h>
#include <string.h>

#include "base/range.h"
#include "llac/fit/all.h"
#include "llac/fit/by.h"
#include "llac/arguments.h"
#include "llac/data/data.h"
#include "llac/fit/output.h"
#include "llac/json.h"
#include "llac/commands.h"

/* VAR at v, v...: the boundaries, ascending. */
static int read_boundaries(struct session *s, struct cursor *c, struct interval_request *r)
{
    struct span where = cursor_expression(c, fit_keywords);
    struct range range;
    if (where.end == where.begin)
        return cursor_error_here(c, "the boundaries are missing: intervals %s at 4096, 65536",
                                 r->variable);
    if (range_parse(s->arena, c->source, where, c->diag, &range))
        return -1;
    for (size_t i = 1; i < range.n; i++)
        if (!(range.values[i] > range.values[i - 1]))
            return cursor_error(c, where, "the boundaries must be in ascending order");
    r->given = range.values;
    r->ngiven = range.n;
    return 0;
}

/* What ends the variable of VAR at v, v... */
static const char *const until_at[] = {"at", NULL};

/* A variable, or an expression over variables, as the fit reads it. NULL with an error. */
static const char *read_along(struct session *s, struct cursor *c, struct span where)
{
    struct formula_options options = {.experiments = NULL};
    const struct formula *f = formula_parse(s->arena, c->source, where, &options, c->diag);
    return f ? formula_text(s->arena, f) : NULL;
}

/* What follows `intervals`: auto | always | none | on VAR | VAR at v, v... */
static int read_intervals(struct session *s, struct cursor *c, struct interval_request *r)
{
    static const struct {
        const char *word;
        enum interval_mode mode;
    } words[] = {{"auto", INTERVALS_AUTO}, {"always", INTERVALS_ON}, {"none", INTERVALS_NONE}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (cursor_keyword(c, words[i].word)) {
            r->mode = words[i].mode;
            r->variable = NULL;
            return 0;
        }
    size_t begin = c->at;
    bool on = cursor_keyword(c, "on");
    struct span along = cursor_expression(c, on ? fit_keywords : until_at);
    bool any = along.end > along.begin, at = any && !on && cursor_keyword(c, "at");
    if (on && any)
        r->mode = INTERVALS_ON;
    else if (at)
        r->mode = INTERVALS_GIVEN;
    else {
        c->at = begin;
        return cursor_error_here(
            c, "'intervals' is followed by auto, always, none, on VAR, or VAR at v, v...");
    }
    r->variable = read_along(s, c, along);
    return !r->variable ? -1 : at ? read_boundaries(s, c, r) : 0;
}

static int read_formula(struct session *s, struct cursor *c, const struct experiment *e,
                        struct fit_state *state)
{
    struct span where = cursor_expression(c, fit_keywords);
    if (where.end == where.begin)
        return cursor_error_here(c, "a formula is expected after '='");
    const char *names[] = {e->base, NULL};
    struct formula_options options = {.experiments = names};
    state->formula = formula_parse(s->arena, c->source, where, &options, c->diag);
    state->formula_text = arena_strdup(s->arena, cursor_text(c, where));
    state->source = c->source;
    return state->formula ? 0 : -1;
}

int read_fit_option(struct session *s, struct cursor *c, struct fit_state *state)
{
    double number;
    size_t before = c->at;
    if (read_observable(c, &state->observable))
        return -1;
    if (c->at != before)
        return 1;
    if (cursor_keyword(c, "where"))
        return read_fit_condition(s, c, fit_keywords, state) ? -1 : 1;
    if (cursor_keyword(c, "nonneg")) {
        state->nonneg = true;
        return 1;
    }
    if (cursor_keyword(c, "intervals"))
        return read_intervals(s, c, &state->intervals) ? -1 : 1;
    if (cursor_keyword(c, "max")) {
        struct span here = {c->at, c->end};
        if (read_number(c, "max", false, &number))
            return -1;
        if (number < 1 || number != floor(number))
            return cursor_error(c, here, "'max' is a whole number of intervals, 1 or more");
        state->intervals.max = (size_t)fmin(number, 1000);
        return 1;
    }
    if (cursor_keyword(c, "threshold")) {
        if (read_number(c, "threshold", true, &number))
            return -1;
        state->intervals.threshold = number / 100;
        return 1;
    }
    return 0;
}

/* After 'by': the variable, or 'version'. */
static int read_by(struct cursor *c, const char **by, struct span *where)
{
    *where = cursor_token(c);
    if (where->end == where->begin)
        return cursor_error_here(c, "a variable or 'version' is missing: by VAR");
    *by = cursor_text(c, *where);
    return 0;
}

/* [= FORMULA] and options in any order */
static int read_fit(struct session *s, struct cursor *c, const struct experiment *e,
                    struct fit_state *state, const char **by, struct span *where)
{
    if (cursor_punctuation(c, '=') && read_formula(s, c, e, state))
        return -1;
    while (!cursor_done(c)) {
        if (cursor_keyword(c, "by")) {
            if (read_by(c, by, where))
                return -1;
            continue;
        }
        int taken = read_fit_option(s, c, state);
        if (taken <= 0)
            return taken < 0 ? -1 : cursor_finish(c);
    }
    return 0;
}

void fit_take_formula(struct session *s, const struct experiment *e, struct fit_state *asked)
{
    const struct fit_state *before = session_find_state(s, e->name, asked->observable);
    if (asked->formula || experiment_formula(e, asked->observable) || !before)
        return;
    asked->formula = before->formula;
    asked->formula_text = before->formula_text;
    asked->source = before->source;
}

struct fit_state *fit_adopt(struct session *s, struct fit_state *asked, struct diag *diag)
{
    struct model *m = session_fit(s, asked, diag);
    if (!m) { /* the fit of before, if there was one, stays */
        arena_destroy(asked->arena);
        return NULL;
    }
    struct fit_state *state = session_state(s, asked->experiment, asked->observable);
    arena_destroy(state->arena);
    asked->experiment = state->experiment;
    asked->observable = state->observable;
    asked->asked = true;
    *state = *asked;
    session_set_group(s, state->experiment, state->observable, NULL);
    model_leave_out(m);
    return state;
}

/* fit all [full [small]] [on OBS] [where CONDITION] */
static int fit_all(struct session *s, struct cursor *c)
{
    struct all_models all = {.n = 0};
    const char *observable = NULL;
    bool full = cursor_keyword(c, "full"), small = full && cursor_keyword(c, "small");
    if (read_observable(c, &observable) || read_where(s, c, fit_keywords) || cursor_finish(c) ||
        all_fit(s, c, observable, &all))
        return -1;
    if (all.n == 1 && all.failed && !s->json)
        return diag_error(c->diag, "%s", all.list[0].reason);
    if (s->json)
        json_print(s->out, "%p", json_all(&all));
    else if (full)
        text_all_in_full(s, &all, small);
    else
        text_all(s, &all);
    if (!all.failed)
        return 0;
    return diag_error(c->diag, "%zu of %zu formulas could not be fitted", all.failed, all.n);
}

int command_fit(struct session *s, struct cursor *c)
{
    struct span where, by_at = {0, 0};
    const char *name = cursor_experiment(c, &where), *by = NULL;
    if (!name)
        return session_name_missing(s, c);
    if (all_is_meant(s, name))
        return fit_all(s, c);
    const struct experiment *e = session_find(s, name);
    bool several = !e && session_has_versions(s, name); /* 'by version' says what to do */
    e = several ? dataset_find_base(s->data, name) : session_experiment(s, c, name, where);
    if (!e)
        return -1;
    struct fit_state asked = {.experiment = e->name,
                              .observable = experiment_default_observable(e)};
    if (read_fit(s, c, e, &asked, &by, &by_at))
        return -1;
    if (several && (!by || strcmp(by, "version") != 0))
        return session_experiment(s, c, name, where) ? 0 : -1; /* reports the versions */
    if (arguments_check_observable(s, c, e, asked.observable))
        return -1;
    if (by)
        return fit_by(s, c, e, &asked, by, by_at);
    fit_take_formula(s, e, &asked);
    struct fit_state *state = fit_adopt(s, &asked, c->diag);
    if (!state)
        return -1;
    if (s->json)
        json_print(s->out, "%p", json_fit(state, state->model));
    else
        text_fit(s->out, state, state->model, true);
    return 0;
}
