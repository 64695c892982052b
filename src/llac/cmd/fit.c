/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands about models: fit, predict. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/range.h"
#include "base/text.h"
#include "llac/cmd/all.h"
#include "llac/cmd/by.h"
#include "llac/cmd/composed.h"
#include "llac/output/output.h"

const struct experiment *read_experiment(struct session *s, struct cursor *c)
{
    struct span where;
    char *name = cursor_experiment(c, &where);
    if (!name) {
        cursor_error_here(c, "the name of an experiment is expected here");
        return NULL;
    }
    return session_experiment(s, c, name, where);
}

int read_observable(struct cursor *c, const char **observable)
{
    if (!cursor_keyword(c, "on"))
        return 0;
    struct span w = cursor_token(c);
    if (w.end == w.begin)
        return cursor_error_here(c, "the observable is missing: on OBS");
    *observable = cursor_text(c, w);
    return 0;
}

int read_number(struct cursor *c, const char *what, bool percent, double *value)
{
    struct span w = cursor_token(c);
    const char *after = arithmetic_start(cursor_text(c, w), value);
    if (after && percent && *after == '%')
        after++;
    if (!after || *after || *value < 0)
        return cursor_error(c, w, "'%s' needs a number", what);
    return 0;
}

int read_time(struct cursor *c, const char *what, double *seconds)
{
    static const struct {
        const char *name;
        double seconds;
    } units[] = {{"", 1},      {"s", 1},    {"ms", 1e-3}, {"us", 1e-6},
                 {"ns", 1e-9}, {"min", 60}, {"h", 3600}};
    struct span where = cursor_token(c);
    double value;
    const char *after = arithmetic_start(cursor_text(c, where), &value);
    for (size_t i = 0; after && i < sizeof units / sizeof *units; i++) {
        if (strcmp(after, units[i].name) != 0 || value < 0)
            continue;
        *seconds = value * units[i].seconds;
        return 0;
    }
    return cursor_error(c, where, "'%s' needs a time such as 60s, 5min, 2h or 100ms", what);
}

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

/* What follows `intervals`: auto | always | none | on VAR | VAR at v, v... */
static int read_intervals(struct session *s, struct cursor *c, struct interval_request *r)
{
    if (cursor_keyword(c, "auto")) {
        r->mode = INTERVALS_AUTO;
        return 0;
    }
    if (cursor_keyword(c, "always")) {
        r->mode = INTERVALS_ON;
        r->variable = NULL;
        return 0;
    }
    if (cursor_keyword(c, "none")) {
        r->mode = INTERVALS_NONE;
        return 0;
    }
    size_t begin = c->at;
    bool on = cursor_keyword(c, "on");
    struct span variable = cursor_token(c);
    if (variable.end > variable.begin)
        r->variable = arena_strdup(s->arena, cursor_text(c, variable));
    if (variable.end > variable.begin && on) {
        r->mode = INTERVALS_ON;
        return 0;
    }
    if (variable.end > variable.begin && cursor_keyword(c, "at")) {
        r->mode = INTERVALS_GIVEN;
        return read_boundaries(s, c, r);
    }
    c->at = begin;
    return cursor_error_here(
        c, "'intervals' is followed by auto, always, none, on VAR, or VAR at v, v...");
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

static int add_condition(struct session *s, struct cursor *c, struct fit_state *state)
{
    const char *text;
    size_t n = state->nconditions;
    struct condition *list = arena_alloc(s->arena, n + 1, sizeof *list);
    for (size_t i = 0; i < n; i++)
        list[i] = state->conditions[i];
    if (read_condition(s, c, &list[n], &text))
        return -1;
    state->conditions = list;
    state->nconditions = n + 1;
    return 0;
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
        return add_condition(s, c, state) ? -1 : 1;
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

int check_observable(struct session *s, struct cursor *c, const struct experiment *e,
                     const char *observable)
{
    if (experiment_find_observable(e, observable) != SIZE_MAX &&
        strcmp(observable, DATA_DISTURBED) != 0)
        return 0;
    struct points_request request = session_points(s, c->arena, e, observable, NULL);
    struct points points;
    return points_make(c->arena, &request, c->diag, &points); /* says what there is */
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
    arena_keep(asked->arena);
    asked->asked = true;
    *state = *asked;
    session_set_group(s, state->experiment, state->observable, NULL);
    model_leave_out(m);
    return state;
}

/* fit all [full [small]] [on OBS] */
static int fit_all(struct session *s, struct cursor *c)
{
    struct all_models all = {.n = 0};
    const char *observable = NULL;
    bool full = cursor_keyword(c, "full"), small = full && cursor_keyword(c, "small");
    if (read_observable(c, &observable) || cursor_finish(c) || all_fit(s, c, observable, &all))
        return -1;
    if (all.n == 1 && all.failed) {
        diag_error(c->diag, "%s", all.list[0].reason);
        return -1;
    }
    if (s->json)
        json_print(s->out, json_all(&all));
    else if (full)
        text_all_in_full(s, &all, small);
    else
        text_all(s, &all);
    if (!all.failed)
        return 0;
    diag_error(c->diag, "%zu of %zu formulas could not be fitted", all.failed, all.n);
    return -1;
}

int command_fit(struct session *s, struct cursor *c)
{
    struct span where, by_at = {0, 0};
    const char *name = cursor_experiment(c, &where), *by = NULL;
    if (!name)
        return cursor_error_here(c, "the name of an experiment is expected here");
    if (all_is_meant(s, name))
        return fit_all(s, c);
    const struct experiment *e = session_find(s, name);
    bool several = !e && first_version(s, name); /* 'by version' says what to do */
    e = several ? first_version(s, name) : session_experiment(s, c, name, where);
    if (!e)
        return -1;
    struct fit_state asked = {.experiment = e->name,
                              .observable = experiment_default_observable(e)};
    if (read_fit(s, c, e, &asked, &by, &by_at))
        return -1;
    if (several && (!by || strcmp(by, "version") != 0))
        return session_experiment(s, c, name, where) ? 0 : -1; /* reports the versions */
    if (check_observable(s, c, e, asked.observable))
        return -1;
    if (by)
        return fit_by(s, c, e, &asked, by, by_at);
    const struct fit_state *before = session_find_state(s, asked.experiment, asked.observable);
    if (!asked.formula && !experiment_formula(e, asked.observable) && before) {
        /* What was given or found before. */
        asked.formula = before->formula;
        asked.formula_text = before->formula_text;
        asked.source = before->source;
    }
    struct fit_state *state = fit_adopt(s, &asked, c->diag);
    if (!state)
        return -1;
    if (s->json)
        json_print(s->out, json_fit(state, state->model));
    else
        text_fit(s->out, state, state->model, true);
    return 0;
}

/* Whether the values are over: one of these words comes next, not a variable of that name. */
static bool option_follows(struct cursor *c, const char *const *words)
{
    for (; *words; words++) {
        struct cursor ahead = *c;
        if (cursor_keyword(&ahead, *words) && !cursor_punctuation(&ahead, '='))
            return true;
    }
    return false;
}

int read_assignments(struct cursor *c, const char *const *words, struct assignments *out)
{
    if (!out->names) { /* else it goes on */
        out->names = arena_alloc(c->arena, MOST_VARIABLES, sizeof *out->names);
        out->values = arena_alloc(c->arena, MOST_VARIABLES, sizeof *out->values);
        out->spans = arena_alloc(c->arena, MOST_VARIABLES, sizeof *out->spans);
        out->rows = 1;
    }
    while (!cursor_done(c) && !option_follows(c, words)) {
        struct span name_at;
        char *name = cursor_variable(c, &name_at);
        if (!name)
            return -1;
        for (size_t i = 0; i < out->n; i++)
            if (strcmp(out->names[i], name) == 0)
                return cursor_error(c, name_at, "'%s' is given twice", name);
        struct span value_at = cursor_value(c);
        if (value_at.end == value_at.begin)
            return cursor_error_here(c, "a value of '%s' is missing", name);
        if (out->n == MOST_VARIABLES)
            return cursor_error(c, name_at, "more than %d variables", MOST_VARIABLES);
        if (range_parse(c->arena, c->source, value_at, c->diag, &out->values[out->n]))
            return -1;
        out->names[out->n] = name;
        out->spans[out->n] = name_at;
        size_t length = out->values[out->n++].n;
        if (length > RANGE_MAX_VALUES / out->rows)
            return cursor_error(c, value_at, "more than %d predictions in one command",
                                RANGE_MAX_VALUES);
        out->rows *= length;
    }
    return 0;
}

int read_place_value(struct cursor *c, struct given_place *out)
{
    struct span name_at;
    struct range range;
    char *name = cursor_variable(c, &name_at);
    if (!name)
        return -1;
    struct span value_at = cursor_value(c);
    if (value_at.end == value_at.begin)
        return cursor_error_here(c, "a value of '%s' is missing", name);
    for (size_t i = 0; i < out->n; i++)
        if (strcmp(out->names[i], name) == 0)
            return cursor_error(c, name_at, "'%s' is given twice", name);
    if (out->n == MOST_VARIABLES)
        return cursor_error(c, name_at, "more than %d variables", MOST_VARIABLES);
    if (range_parse(c->arena, c->source, value_at, c->diag, &range))
        return -1;
    if (range.n != 1)
        return cursor_error(c, value_at, "one value of '%s' is expected here, not a range", name);
    out->names[out->n] = name;
    out->values[out->n++] = range.values[0];
    return 0;
}

void assignment_row(const struct assignments *a, size_t r, double *values)
{
    for (size_t i = a->n; i-- > 0;) {
        values[i] = a->values[i].values[r % a->values[i].n];
        r /= a->values[i].n;
    }
}

int predict_check_names(const struct cursor *c, const struct model *m,
                        const struct assignments *given)
{
    const struct definitions *let = &m->request.let;
    for (size_t i = 0; i < given->n; i++) {
        bool known = points_find(&m->points, given->names[i]) != SIZE_MAX;
        for (size_t j = 0; j < let->n; j++)
            known = known || strcmp(given->names[i], let->names[j]) == 0;
        if (!known)
            return cursor_error(c, given->spans[i], "%s",
                                points_no_variable(c->arena, &m->points, let, given->names[i]));
    }
    return 0;
}

/* Regimes never measured, each said once below the rows. */
struct notes {
    struct arena *arena;
    char **list;
    size_t n;
};

static void note_regimes(struct notes *notes, const struct model *m, const struct prediction *p)
{
    size_t n;
    char **said = regime_remarks(notes->arena, m, p, &n);
    for (size_t i = 0; i < n; i++) {
        bool known = false;
        for (size_t k = 0; k < notes->n; k++)
            known = known || strcmp(notes->list[k], said[i]) == 0;
        if (known)
            continue;
        char **longer = arena_alloc(notes->arena, notes->n + 1, sizeof *longer);
        for (size_t k = 0; k < notes->n; k++)
            longer[k] = notes->list[k];
        longer[notes->n++] = said[i];
        notes->list = longer;
    }
}

static void print_prediction(struct session *s, const struct model *m, const struct prediction *p,
                             size_t row, size_t rows)
{
    if (rows == 1) {
        text_prediction(s->out, m, p);
        return;
    }
    if (row == 0)
        text_observable(s->out, m->request.points.observable);
    if (row == 0)
        text_prediction_head(s->out, p);
    text_prediction_row(s->out, p);
}

/* Says what to measure if the data do not determine all constants of a prediction beyond them. */
static void say_what_to_measure(struct session *s, struct arena *a, const struct model *m,
                                struct place place)
{
    struct advise_request r = {.place = place, .most = 1};
    struct advice advice;
    bool advised = strcmp(m->request.points.observable, "CLOCK") == 0 &&
                   model_advise(a, m, &r, NULL, &advice) == 0;
    text_advise_command(s->out, m, place, advised ? &advice : NULL);
}

int predict_rows(struct session *s, struct cursor *c, const struct model *m,
                 const struct assignments *given, json_t *list)
{
    double *values = arena_alloc(c->arena, given->n + 1, sizeof *values);
    struct arena *a = arena_create(); /* of one row: there may be many */
    struct notes notes = {.arena = c->arena};
    size_t vague =
        SIZE_MAX; /* the last row that depends on constants that the data do not determine */
    int status = 0;
    for (size_t r = 0; r < given->rows && status == 0 && !session_interrupt; r++) {
        struct prediction p;
        assignment_row(given, r, values);
        struct place place = {given->names, values, given->n};
        status = model_predict(a, m, &place, c->diag, &p);
        if (status == 0 && s->json) {
            json_array_append_new(list, json_prediction(m, &p));
        } else if (status == 0) {
            print_prediction(s, m, &p, r, given->rows);
            if ((p.nextrapolates || p.nbeyond) && (r == 0 || notes.n < 4 * p.place.n))
                note_regimes(&notes, m, &p);
            if (prediction_is_vague(m, &p))
                vague = r;
        }
        arena_reset(a);
    }
    for (size_t i = 0; i < notes.n && status == 0; i++)
        text_wrapped(s->out, "    ", notes.list[i]);
    if (vague != SIZE_MAX && status == 0 && !session_interrupt) {
        assignment_row(given, vague, values);
        say_what_to_measure(s, a, m, (struct place){given->names, values, given->n});
    }
    arena_destroy(a);
    return session_interrupt ? -1 : status;
}

int command_predict(struct session *s, struct cursor *c)
{
    static const char *const options[] = {"on", "before", NULL};
    const char *observable = NULL;
    struct assignments given = {.n = 0};
    struct span where;
    const char *name = cursor_experiment(c, &where);
    if (!name)
        return cursor_error_here(c, "the name of an experiment is expected here");
    if (read_observable(c, &observable) || read_assignments(c, options, &given))
        return -1;
    const struct compose_definition *d = session_definition(s, name);
    if (d && observable)
        return cursor_error(c, where, "'%s' is a definition: it has no observable", name);
    if (d)
        return predict_definition(s, c, d, &given);
    if (cursor_keyword(c, "before")) /* needs no data */
        return predict_before(s, c, name, where, &given);
    const struct fit_group *group = session_group(s, name, observable);
    if (group)
        return predict_group(s, c, group, where, &given);
    const struct experiment *e = session_experiment(s, c, name, where);
    struct model *m = e ? session_model(s, e->name, observable, c->diag) : NULL;
    if (!m || predict_check_names(c, m, &given))
        return -1;
    model_resample(m);
    if (cursor_keyword(c, "on"))
        return predict_on_machine(s, c, m, &given);
    json_t *list = json_array();
    int status = predict_rows(s, c, m, &given, list);
    if (status == 0 && s->json)
        json_print(s->out,
                   given.rows > 1 ? json_incref(list) : json_incref(json_array_get(list, 0)));
    json_decref(list);
    return status;
}
