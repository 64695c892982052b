/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Definitions in the commands predict, table, explain and plot. */
#include "llac/compose/command.h"

#include <math.h>
#include <string.h>

#include "llac/compose/output.h"
#include "llac/compose/picture.h"
#include "llac/arguments.h"
#include "llac/json.h"
#include "llac/predict/table.h"
#include "llac/text.h"

int compose_predict_definition(struct session *s, struct cursor *c,
                               const struct compose_definition *d, const struct assignments *given)
{
    struct composition all;
    if (!cursor_done(c))
        return cursor_error_here(c,
                                 "this part of the command is for experiments: '%s' is a "
                                 "definition",
                                 d->name);
    if (session_compose_at_need(s, c->arena, d, c->diag, &all, &d))
        return -1;
    double *values = arena_alloc(c->arena, given->n + 1, sizeof *values);
    ARENA_LOCAL struct arena *a = arena_create(); /* of one row: there may be many */
    json_auto_t *list = json_array();
    int status = 0;
    for (size_t r = 0; r < given->rows && status == 0 && !session_interrupt; r++) {
        struct composed at;
        arguments_row(given, r, values);
        struct place place = {given->names, values, given->n};
        status = compose_predict(a, &all, d, &place, c->diag, &at);
        if (status == 0 && s->json)
            json_array_append_new(list, json_composed(&all, d, &at));
        else if (status == 0 && given->rows == 1)
            text_composed(s->out, &all, &at);
        else if (status == 0)
            text_composed_row(s->out, &all, &at, r == 0);
        arena_reset(a);
    }
    status = session_interrupt ? -1 : status;
    if (status == 0 && s->json)
        json_print(s->out, "%p",
                   given->rows > 1 ? json_incref(list) : json_incref(json_array_get(list, 0)));
    return status;
}

int compose_explain_definition(struct session *s, struct cursor *c,
                               const struct compose_definition *d)
{
    struct composition all;
    struct composed at;
    struct given_place given = {.n = 0};
    while (!cursor_done(c))
        if (read_place_value(c, &given))
            return -1;
    struct place place = {given.names, given.values, given.n};
    if (session_compose_at_need(s, c->arena, d, c->diag, &all, &d) ||
        compose_predict(c->arena, &all, d, &place, c->diag, &at))
        return -1;
    if (s->json)
        json_print(s->out, "%p", json_composed(&all, d, &at));
    else
        text_parts(s->out, &all, &at);
    return 0;
}

/* The points of an experiment that a definition is compared with: after 'against', NAME [on OBS] [in
 * FILE]. The data of the file stay in *other, which the caller destroys. */
static int read_against(struct session *s, struct cursor *c, struct dataset **other,
                        struct points *points)
{
    struct span where;
    const char *observable = NULL, *name = cursor_experiment(c, &where);
    char *path = NULL;
    *other = NULL;
    if (!name)
        return cursor_error_here(c, "the name of an experiment is expected here: against NAME [in "
                                    "FILE]");
    if (read_observable(c, &observable))
        return -1;
    if (cursor_keyword(c, "in") && !(path = cursor_path(c, NULL)))
        return cursor_error_here(c, "the name of a file is missing: in FILE");
    struct points_request *r = arena_alloc(c->arena, 1, sizeof *r);
    const struct experiment *e = path ? NULL : session_experiment(s, c, name, where);
    if (!path && !e)
        return -1;
    if (path) {
        *other = dataset_create();
        if (dataset_load(*other, path, NULL, c->arena, c->diag))
            return -1;
        e = dataset_find(*other, name);
        if (!e)
            return cursor_error(c, where, "%s has no experiment '%s'", path, name);
    }
    *r = session_points(s, c->arena, e, observable ? observable : experiment_default_observable(e),
                        NULL);
    if (path) {
        r->dataset = *other;
        r->nconditions = 0;
    }
    if (points_make(c->arena, r, c->diag, points))
        return -1;
    return points->n ? 0 : cursor_error(c, where, "%s has no sample that can be used", name);
}

/* Where a definition is compared with measured values: the points of an experiment, or measured
 * values that are composed. */
static int comparison_places(struct session *s, struct cursor *c, const struct composition *all,
                             const struct compose_definition *d, bool against,
                             struct dataset **other, struct compose_places *out)
{
    struct points *points = arena_zalloc(c->arena, 1, sizeof *points);
    *other = NULL;
    if (!against) {
        if (compose_own_places(all, d, c->diag, out))
            return -1;
        out->measured = compose_measure(c->arena, all, d, out);
        return 0;
    }
    if (read_against(s, c, other, points))
        return -1;
    *out = (struct compose_places){.names = points->names,
                                   .nnames = points->nnames,
                                   .n = points->n,
                                   .at = points->at,
                                   .measured = points->value,
                                   .observable = points->request->observable};
    return 0;
}

static bool is_shown(const struct compose_places *p, size_t v)
{
    for (size_t i = 1; i < p->n; i++)
        if (p->at[v][i] != p->at[v][0])
            return true;
    return p->n == 1 || (p->n > 0 && p->at[v][0] != 1);
}

static int fill_table(struct cursor *c, const struct composition *all,
                      const struct compose_definition *d, const struct compose_places *p,
                      struct table *out)
{
    struct table_row *rows = arena_zalloc(c->arena, p->n + 1, sizeof *rows);
    size_t *columns = arena_alloc(c->arena, p->nnames + 1, sizeof *columns);
    const char **names = arena_alloc(c->arena, p->nnames + 1, sizeof *names);
    double *values = arena_alloc(c->arena, p->nnames + 1, sizeof *values);
    for (size_t v = 0; v < p->nnames; v++)
        if (is_shown(p, v)) {
            names[out->ncolumns] = p->names[v];
            columns[out->ncolumns++] = v;
        }
    ARENA_LOCAL struct arena *work = arena_create();
    int status = 0;
    for (size_t i = 0; i < p->n && status == 0; i++) {
        struct composed at;
        if (isnan(p->measured[i]))
            continue;
        compose_place(p, i, values);
        arena_reset(work);
        status = compose_predict(work, all, d, &(struct place){p->names, values, p->nnames},
                                 c->diag, &at);
        double *shown = arena_alloc(c->arena, out->ncolumns + 1, sizeof *shown);
        for (size_t v = 0; v < out->ncolumns; v++)
            shown[v] = values[columns[v]];
        rows[out->nrows++] = (struct table_row){
            .at = shown, .measured = p->measured[i], .predicted = at.value, .interval = 1};
    }
    out->columns = names;
    out->rows = rows;
    return status;
}

int compose_table_definition(struct session *s, struct cursor *c,
                             const struct compose_definition *d)
{
    struct composition all;
    struct compose_places places;
    DATASET_LOCAL struct dataset *other = NULL;
    bool against = cursor_keyword(c, "against");
    struct table t = {.experiment = d->name};
    if (session_compose(s, c->arena, d, c->diag, &all, &d))
        return -1;
    all.any_place = true;
    if (comparison_places(s, c, &all, d, against, &other, &places) || cursor_finish(c) ||
        fill_table(c, &all, d, &places, &t))
        return -1;
    if (t.nrows == 0)
        return cursor_error_here(c,
                                 "%s has no measured values of its own: name the experiment to "
                                 "compare it with, 'table %s against NAME'",
                                 d->name, d->name);
    if (s->json) {
        json_print(s->out, "%p", json_table(&t));
    } else {
        text_observable(s->out, places.observable ? places.observable : "CLOCK");
        text_table(s->out, &t);
    }
    return 0;
}

/* ---- plot */

struct plot_words {
    const char *over;
    char *path;
    enum plot_scale scale;
    bool against;
};

/* One of: over VAR, to FILE, log, linear. 1 if it was one, 0 if something else comes next. */
static int read_plot_word(struct cursor *c, struct plot_words *out)
{
    if (cursor_keyword(c, "over")) {
        struct span w = cursor_token(c);
        if (w.end == w.begin)
            return cursor_error_here(c, "a name is missing after 'over'");
        out->over = cursor_text(c, w);
        return 1;
    }
    if (cursor_keyword(c, "to")) {
        out->path = cursor_path(c, NULL);
        return out->path ? 1 : cursor_error_here(c, "the name of a file is missing after 'to'");
    }
    if (cursor_keyword(c, "log")) {
        out->scale = PLOT_LOG;
        return 1;
    }
    if (cursor_keyword(c, "linear")) {
        out->scale = PLOT_LINEAR;
        return 1;
    }
    return 0;
}

/* The places of VAR=VALUES, which are not measured. */
static void given_places(struct arena *a, const struct assignments *given,
                         struct compose_places *out)
{
    double *values = arena_alloc(a, given->n + 1, sizeof *values);
    *out = (struct compose_places){.names = given->names, .nnames = given->n, .n = given->rows};
    out->at = arena_alloc(a, given->n + 1, sizeof *out->at);
    for (size_t v = 0; v < given->n; v++)
        out->at[v] = arena_alloc(a, given->rows + 1, sizeof **out->at);
    for (size_t r = 0; r < given->rows; r++) {
        arguments_row(given, r, values);
        for (size_t v = 0; v < given->n; v++)
            out->at[v][r] = values[v];
    }
}

/* [VAR=VALUES...] [against NAME [in FILE]] and the words, in any order. */
static int read_plot(struct session *s, struct cursor *c, const struct composition *all,
                     const struct compose_definition *d, struct plot_words *words,
                     struct dataset **other, struct compose_places *out)
{
    static const char *const options[] = {"over", "to", "log", "linear", "against", NULL};
    struct assignments given = {.n = 0};
    bool any = false;
    while (!cursor_done(c)) {
        int taken = read_plot_word(c, words);
        if (taken < 0)
            return -1;
        if (taken)
            continue;
        if (cursor_keyword(c, "against")) {
            if (comparison_places(s, c, all, d, true, other, out))
                return -1;
            words->against = true;
        } else if (any || read_assignments(c, options, &given)) {
            return any ? cursor_finish(c) : -1;
        } else {
            any = true;
        }
    }
    if (words->against && any)
        return cursor_error_here(c, "'against' takes the places of the experiment: give either it "
                                    "or values of variables");
    if (any)
        given_places(c->arena, &given, out);
    else if (!words->against)
        return comparison_places(s, c, all, d, false, other, out);
    return 0;
}

int plot_definition(struct session *s, struct cursor *c, const struct compose_definition *d)
{
    struct composition all;
    struct compose_places places;
    DATASET_LOCAL struct dataset *other = NULL;
    struct plot_words words = {.scale = PLOT_AUTO};
    struct composed_plot plot;
    if (session_compose(s, c->arena, d, c->diag, &all, &d))
        return -1;
    all.any_place = true;
    if (read_plot(s, c, &all, d, &words, &other, &places) ||
        compose_plot_make(c->arena, &all, d, &places, words.over, words.scale, c->diag, &plot) ||
        ((words.path || !s->json) && gnuplot_draw(compose_plot_script, &plot, words.path, c->diag)))
        return -1;
    if (s->json)
        json_print(s->out, "%p", json_composed_plot(&plot, words.path));
    else if (words.path)
        fprintf(s->out, "  drawn into %s\n", words.path);
    return 0;
}
