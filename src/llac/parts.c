/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names of experiments and of parts of their samples. `f` is the experiment f if one version of the
 * data has it, `f@before` that of the version `before`, `f@level=3` the samples with this value of a
 * variable. A part is made when it is first named, and forgotten when the data change: it is a copy.
 */
#include <stdint.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/misprint.h"
#include "base/text.h"
#include "llac/session.h"

void session_forget_parts(struct session *s)
{
    for (size_t i = 0; i < s->nparts; i++)
        arena_destroy(s->parts[i].arena);
    s->nparts = 0;
}

/* The column of a variable, or of P; SIZE_MAX without one. */
static size_t column_of(const struct experiment *e, const char *name)
{
    size_t column = experiment_find_variable(e, name);
    return column == SIZE_MAX && strcmp(name, "P") == 0 ? FIELD_P : column;
}

static const struct experiment *add_part(struct session *s, const char *name,
                                         const struct experiment *whole, size_t column,
                                         double value)
{
    struct arena *a = arena_create();
    unsigned char *keep = arena_zalloc(a, whole->nrows + 1, 1);
    size_t kept = 0;
    for (size_t row = 0; row < whole->nrows; row++) {
        keep[row] = column_at(&whole->columns[column], row) == value;
        kept += keep[row];
    }
    if (!kept) {
        arena_destroy(a);
        return NULL;
    }
    struct session_part part = {.arena = a, .experiment = experiment_part(a, whole, name, keep)};
    s->parts = mem_resize(s->parts, s->nparts + 1, sizeof *s->parts);
    s->parts[s->nparts++] = part;
    return part.experiment;
}

/* "f@level=3" as f, level and 3; false if it names no part by a value. */
static bool split_part(struct arena *a, const char *name, const char **whole, const char **variable,
                       double *value)
{
    const char *at = strrchr(name, '@'), *equal = at ? strchr(at, '=') : NULL;
    if (!equal || equal == at + 1 || at == name || arithmetic_parse(equal + 1, value))
        return false;
    *whole = arena_strndup(a, name, (size_t)(at - name));
    *variable = arena_strndup(a, at + 1, (size_t)(equal - at - 1));
    return true;
}

const struct experiment *session_find(struct session *s, const char *name)
{
    const struct experiment *e = dataset_find(s->data, name);
    for (size_t i = 0; i < s->nparts && !e; i++)
        // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): a part has its experiment
        if (strcmp(s->parts[i].experiment->name, name) == 0)
            e = s->parts[i].experiment;
    const char *whole_name, *variable;
    double value;
    ARENA_LOCAL struct arena *a = arena_create();
    if (!e && split_part(a, name, &whole_name, &variable, &value)) {
        const struct experiment *whole = session_find(s, whole_name);
        size_t column = whole ? column_of(whole, variable) : SIZE_MAX;
        if (column != SIZE_MAX)
            e = add_part(s, name, whole, column, value);
    }
    return e;
}

void session_list_names(const struct session *s, const char *base, struct text *out)
{
    for (size_t i = 0; i < s->data->nexperiments && out->n < 200; i++)
        if (!base || strcmp(s->data->experiments[i]->base, base) == 0)
            text_printf(out, "%s%s", out->n ? ", " : "", s->data->experiments[i]->name);
}

const char *const *session_labels(const struct session *s, struct arena *a)
{
    const char **labels = arena_zalloc(a, s->data->nversions + 1, sizeof *labels);
    for (size_t i = 0; i < s->data->nversions; i++)
        labels[i] = s->data->versions[i].label;
    return labels;
}

int session_name_missing(const struct session *s, const struct cursor *c)
{
    TEXT_LOCAL struct text have = text_new();
    session_list_names(s, NULL, &have);
    return cursor_error_here(c, "the name of an experiment is expected here%s%s",
                             have.n ? ": " : "", have.n ? have.s : "");
}

bool session_has_versions(const struct session *s, const char *name)
{
    return dataset_find_base(s->data, name) != NULL;
}

/* The error for a part that has no samples. */
static void no_part(struct session *s, const struct cursor *c, const char *name, struct span where)
{
    const char *whole_name, *variable;
    double value;
    if (!split_part(c->arena, name, &whole_name, &variable, &value)) {
        cursor_error(c, where,
                     "'%s' is not a part of the data: write NAME@LABEL for a version, or "
                     "NAME@VARIABLE=VALUE",
                     name);
        return;
    }
    const struct experiment *whole = session_experiment(s, c, whole_name, where);
    if (!whole)
        return;
    if (column_of(whole, variable) == SIZE_MAX)
        cursor_error(c, where, "%s has no variable '%s'", whole->name, variable);
    else
        cursor_error(c, where, "no sample of %s has %s = %g; 'show %s' lists its points",
                     whole->name, variable, value, whole->name);
}

static const char *meant_experiment(const struct session *s, const struct cursor *c,
                                    const char *name)
{
    size_t n = s->data->nexperiments;
    const char **names = arena_alloc(c->arena, n + 1, sizeof *names);
    for (size_t i = 0; i < n; i++)
        names[i] = s->data->experiments[i]->name;
    names[n] = NULL;
    return misprint_meant(name, names);
}

const struct experiment *session_experiment(struct session *s, const struct cursor *c,
                                            const char *name, struct span where)
{
    const struct experiment *e = session_find(s, name);
    if (e)
        return e;
    if (s->data->nexperiments == 0)
        return diag_null(cursor_error(
            c, where, "there is no experiment '%s': no data is loaded; use 'load FILE'", name));
    if (strchr(name, '=')) {
        no_part(s, c, name, where);
        return NULL;
    }
    if (strcmp(name, "where") == 0)
        return diag_null(cursor_no_condition(c, where));
    const char *meant = strchr(name, '@') ? NULL : meant_experiment(s, c, name);
    bool several = session_has_versions(s, name);
    if (!several && meant)
        return diag_null(
            cursor_error(c, where, "there is no experiment '%s'; did you mean '%s'?", name, meant));
    TEXT_LOCAL struct text have = text_new();
    session_list_names(s, several ? name : NULL, &have);
    if (several)
        cursor_error(c, where, "%s has several versions: name one, %s, or use 'fit %s by version'",
                     name, have.s, name);
    else
        cursor_error(c, where, "there is no experiment '%s': the data has %s", name, have.s);
    return NULL;
}

const struct fit_group *session_group(const struct session *s, const char *experiment,
                                      const char *observable)
{
    for (size_t i = s->now.ngroups; i-- > 0;)
        if (strcmp(s->now.groups[i].experiment, experiment) == 0 &&
            (!observable || strcmp(s->now.groups[i].observable, observable) == 0))
            return &s->now.groups[i];
    return NULL;
}
