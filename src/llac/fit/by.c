/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fit NAME by VAR: one set of constants for each value of a variable, or for each version of the
 * code. Each set is a fit of a part of the samples, f@level=3 or f@before, and every command takes
 * these names. After such a fit, `predict f level=3 ...` takes the set of that value, and
 * `predict f ...` with versions predicts with each.
 */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/text.h"
#include "llac/fit/by.h"
#include "llac/fit/fit.h"
#include "llac/arguments.h"
#include "llac/fit/output.h"
#include "llac/json.h"
#include "llac/predict/predict.h"
#include "base/number.h"
#include "numeric/stats.h"

enum { MOST_SETS = 1000 };

/* The names of the parts. */
struct parts {
    const char **names;
    size_t n;
};

static int add_part(struct cursor *c, struct parts *out, const char *name)
{
    if (out->n == MOST_SETS)
        return cursor_error_here(c,
                                 "more than %d sets of constants: 'by' needs a variable with few "
                                 "different values",
                                 MOST_SETS);
    out->names[out->n++] = name;
    return 0;
}

static int find_versions(struct session *s, struct cursor *c, const struct experiment *e,
                         struct parts *out)
{
    for (e = dataset_find_base(s->data, e->base); e; e = e->next_of_base)
        if (add_part(c, out, e->name))
            return -1;
    return 0;
}

/* "f@level=3", in the arena. */
static char *part_name(struct arena *a, const char *experiment, const char *variable, double value)
{
    return arena_printf(a, "%s@%s=%s", experiment, variable, number_text(value, NUMBER_BUFFER));
}

/* The finite values of the variable in the samples that the fit uses, ascending. */
static int find_values(struct session *s, struct cursor *c, const struct experiment *e,
                       const struct fit_state *asked, struct span where, const char *variable,
                       struct parts *out)
{
    size_t column = experiment_find_variable(e, variable), n = 0, skipped;
    double values[MOST_SETS];
    if (column == SIZE_MAX && strcmp(variable, "P") == 0)
        column = FIELD_P;
    if (column == SIZE_MAX)
        return cursor_error(c, where,
                            "%s has no variable '%s'; 'fit %s by version' fits each version",
                            e->name, variable, e->name);
    struct points_request request = session_points(s, c->arena, e, asked->observable, asked);
    unsigned char *keep = arena_alloc(c->arena, e->nrows + 1, 1);
    if (points_filter(&request, c->diag, keep, &skipped))
        return -1;
    for (size_t row = 0; row < e->nrows; row++) {
        double x = column_at(&e->columns[column], row);
        size_t k = n; /* mostly that of the row before */
        while (k > 0 && values[k - 1] != x)
            k--;
        if (k > 0 || !isfinite(x) || !keep[row])
            continue;
        if (n == MOST_SETS)
            return cursor_error(c, where,
                                "%s has more than %d different values of %s: 'by' needs a "
                                "variable with few",
                                e->name, MOST_SETS, variable);
        values[n++] = x;
    }
    stats_sort(values, n);
    for (size_t i = 0; i < n; i++)
        if (add_part(c, out, part_name(c->arena, e->name, variable, values[i])))
            return -1;
    return 0;
}

void session_set_group(struct session *s, const char *experiment, const char *observable,
                       const struct fit_group *sets)
{
    struct fit_group *list = arena_alloc(s->arena, s->now.ngroups + 1, sizeof *list);
    size_t n = 0;
    for (size_t i = 0; i < s->now.ngroups; i++)
        if (strcmp(s->now.groups[i].experiment, experiment) != 0 ||
            strcmp(s->now.groups[i].observable, observable) != 0)
            list[n++] = s->now.groups[i];
    if (sets) {
        const char **names = arena_alloc(s->arena, sets->n + 1, sizeof *names);
        for (size_t i = 0; i < sets->n; i++)
            names[i] = arena_strdup(s->arena, sets->names[i]);
        list[n++] = (struct fit_group){arena_strdup(s->arena, experiment),
                                       arena_strdup(s->arena, observable),
                                       arena_strdup(s->arena, sets->by), names, sets->n};
    }
    s->now.groups = list;
    s->now.ngroups = n;
}

static bool is_by_version(const struct experiment *e, const char *by)
{
    return strcmp(by, "version") == 0 && experiment_find_variable(e, by) == SIZE_MAX;
}

bool by_find_sets(struct session *s, struct cursor *c, const char *experiment,
                  const char *observable, const char *by, struct fit_group *out)
{
    const struct fit_group *g = session_group(s, experiment, observable);
    const struct experiment *e = dataset_find_base(s->data, experiment);
    const char *wanted = by ? by : g ? g->by : "";
    if (e && is_by_version(e, wanted)) {
        struct parts parts = {.names = arena_alloc(c->arena, MOST_SETS, sizeof *parts.names)};
        if (find_versions(s, c, e, &parts))
            return false;
        *out = (struct fit_group){e->base, observable, wanted, parts.names, parts.n};
        return true;
    }
    if (!g || strcmp(g->by, "version") == 0)
        return false;
    *out = *g;
    return true;
}

const char *by_set_label(const struct fit_group *sets, size_t i)
{
    size_t n = strlen(sets->experiment);
    const char *name = sets->names[i];
    return strncmp(name, sets->experiment, n) == 0 && name[n] == '@' ? name + n + 1 : name;
}

/* Fits one part. 0, or -1: *why has the reason. */
static int fit_part(struct session *s, struct cursor *c, const struct fit_state *asked,
                    const char *name, json_t *list, const char **why)
{
    const struct experiment *e = session_find(s, name);
    struct fit_state one = *asked;
    DIAG_LOCAL struct diag *diag = diag_create();
    one.experiment = arena_strdup(s->arena, name);
    fit_take_formula(s, e, &one);
    struct model *m = session_fit(s, &one, diag);
    if (!m) {
        const char *text = diag_first(diag, SEVERITY_ERROR);
        *why = arena_strdup(c->arena, text ? text : "interrupted");
        arena_destroy(one.arena);
        return -1;
    }
    struct fit_state *state = session_state(s, one.experiment, one.observable);
    arena_destroy(state->arena);
    one.experiment = state->experiment;
    one.observable = state->observable;
    *state = one;
    model_leave_out(m);
    if (s->json)
        json_array_append_new(list, json_fit(state, m));
    else
        text_fit(s->out, state, m, true);
    return 0;
}

int fit_by(struct session *s, struct cursor *c, const struct experiment *e,
           const struct fit_state *asked, const char *by, struct span where)
{
    struct parts parts = {.names = arena_alloc(c->arena, MOST_SETS, sizeof *parts.names)};
    bool versions = is_by_version(e, by);
    if (versions ? find_versions(s, c, e, &parts) : find_values(s, c, e, asked, where, by, &parts))
        return -1;
    json_auto_t *list = json_array(), *failed = json_array();
    size_t fitted = 0;
    const char *why = "";
    for (size_t i = 0; i < parts.n && !session_interrupt; i++) {
        if (fit_part(s, c, asked, parts.names[i], list, &why) == 0) {
            parts.names[fitted++] = parts.names[i];
            continue;
        }
        json_add(failed, "{experiment:%s error:%s}", parts.names[i], why);
        diag_warning(c->diag, "%s could not be fitted: %s", parts.names[i], why);
    }
    if (s->json && fitted)
        json_print(s->out, "{experiment:%s by:%s sets:%p failed:%p}", versions ? e->base : e->name,
                   by, json_incref(list), json_incref(failed));
    if (session_interrupt)
        return -1;
    if (!fitted)
        return cursor_error(c, where, "none of the %zu parts of %s could be fitted: %s", parts.n,
                            versions ? e->base : e->name, why);
    struct fit_group sets = {.by = by, .names = parts.names, .n = fitted};
    session_set_group(s, versions ? e->base : e->name, asked->observable, &sets);
    return 0;
}

static int predict_part(struct session *s, struct cursor *c, const char *name,
                        const char *observable, const struct assignments *given, json_t *list)
{
    struct model *m = session_model(s, name, observable, c->diag);
    if (!m || predict_check_names(c, m, given))
        return -1;
    model_resample(m);
    if (!s->json)
        fprintf(s->out, "  %s\n", name);
    return predict_rows(s, c, m, given, list);
}

/* With versions: with each of them. */
static int predict_versions(struct session *s, struct cursor *c, const struct fit_group *g,
                            const struct assignments *given, json_t *list)
{
    const struct experiment *e = dataset_find_base(s->data, g->experiment);
    for (; e; e = e->next_of_base)
        if (predict_part(s, c, e->name, g->observable, given, list))
            return -1;
    return 0;
}

/* With the set of each value that is given. */
static int predict_values(struct session *s, struct cursor *c, const struct fit_group *g,
                          struct span where, const struct assignments *given, json_t *list)
{
    size_t by = 0;
    while (by < given->n && strcmp(given->names[by], g->by) != 0)
        by++;
    if (by == given->n)
        return cursor_error(
            c, where,
            "%s has a set of constants for each %s: give %s=VALUE, or fit it without "
            "'by'",
            g->experiment, g->by, g->by);
    struct assignments one = *given;
    one.values = arena_alloc(c->arena, given->n, sizeof *one.values);
    memcpy(one.values, given->values, given->n * sizeof *one.values);
    one.rows = given->rows / given->values[by].n;
    for (size_t i = 0; i < given->values[by].n; i++) {
        one.values[by] = (struct range){.values = &given->values[by].values[i], .n = 1};
        const char *name = part_name(c->arena, g->experiment, g->by, one.values[by].values[0]);
        if (!session_experiment(s, c, name, given->spans[by]) ||
            predict_part(s, c, name, g->observable, &one, list))
            return -1;
    }
    return 0;
}

int by_predict(struct session *s, struct cursor *c, const struct fit_group *g, struct span where,
               const struct assignments *given)
{
    json_auto_t *list = json_array();
    if (cursor_finish(c))
        return -1;
    bool versions = strcmp(g->by, "version") == 0 && !session_find(s, g->experiment);
    int status = versions ? predict_versions(s, c, g, given, list)
                          : predict_values(s, c, g, where, given, list);
    if (status == 0 && s->json)
        json_print(s->out, "%p", json_incref(list));
    return status;
}
