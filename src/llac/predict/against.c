/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading and loading the files that a model is compared with. */
#include "llac/predict/against.h"

#include <math.h>

#include "llac/arguments.h"
#include "llac/data/data.h"

enum { MOST_FILES = 1000 };

static bool stop_follows(const struct cursor *c, const char *const *stops)
{
    for (; *stops; stops++) {
        struct cursor ahead = *c;
        if (cursor_keyword(&ahead, *stops))
            return true;
    }
    return false;
}

int against_read(struct session *s, struct cursor *c, const char *keyword, const char *const *stops,
                 struct against *out)
{
    const char *text;
    *out = (struct against){.n = 0};
    struct paths files = {.n = 0};
    while (!cursor_done(c)) {
        if (stop_follows(c, stops))
            break;
        if (files.n && cursor_keyword(c, "where")) {
            if (read_condition_until(s, c, stops, &out->condition, &text))
                return -1;
            break;
        }
        if (read_paths(c, &files, NULL))
            return -1;
        if (files.n > MOST_FILES)
            return cursor_error_here(c, "more than %d files in one command", MOST_FILES);
    }
    out->paths = files.list;
    out->npaths = files.n;
    if (out->npaths == 0)
        return cursor_error_here(c, "the name of a file is missing: %s FILE", keyword);
    return 0;
}

/* Reads one file, and adds it to the others. */
static int load_file(struct cursor *c, const char *name, const char *path, struct dataset *into)
{
    DATASET_LOCAL struct dataset *one = dataset_create();
    /* That versions differ is no news: each has its rows. */
    DIAG_LOCAL struct diag *quiet = diag_create();
    if (dataset_load(one, path, NULL, c->arena, c->diag))
        return -1;
    if (!dataset_find_base(one, name))
        return diag_error(c->diag, "%s has no experiment '%s'", path, name);
    if (dataset_merge(into, one, true, quiet) == 0)
        return 0;
    const char *text = diag_first(quiet, SEVERITY_ERROR);
    return diag_error(c->diag, "%s: %s", path,
                      text ? text : "it does not go together with the others");
}

static int load_files(struct cursor *c, const char *name, struct against *a)
{
    bool *leave_out = arena_zalloc(c->arena, a->npaths, sizeof *leave_out);
    a->data = dataset_create();
    if (load_choose(a->paths, a->npaths, NULL, leave_out, c->arena, c->diag))
        return -1;
    for (size_t i = 0; i < a->npaths; i++)
        if (!leave_out[i] && load_file(c, name, a->paths[i], a->data))
            return -1;
    return 0;
}

static const char *name_of(struct arena *a, const struct dataset *d, size_t version)
{
    const char *first = NULL, *last = NULL;
    size_t n = 0;
    for (size_t i = 0; i < d->nfiles; i++) {
        if (d->files[i].version != version)
            continue;
        last = d->files[i].path;
        first = n++ ? first : last;
    }
    return arena_strdup(a,
                        n > 1 ? arena_printf(a, "%s ... %s (%zu files)", first, last, n) : first);
}

static int make_part(struct cursor *c, const struct model *m, const struct against *a,
                     const struct experiment *e, struct against_part *f)
{
    f->name = name_of(c->arena, a->data, e->version);
    f->request = *model_points(m)->request;
    f->request.dataset = a->data;
    f->request.conditions = &a->condition;
    f->request.nconditions = a->condition.formula ? 1 : 0;
    f->request.experiment = e;
    if (points_make(c->arena, &f->request, c->diag, &f->points))
        return -1;
    if (f->points.n == 0)
        return diag_error(c->diag, "%s has no sample of %s that can be used%s", f->name, e->base,
                          f->request.nconditions ? " and fulfils the condition" : "");
    return 0;
}

int against_load(struct cursor *c, const struct model *m, struct against *a)
{
    const char *name = model_points(m)->request->experiment->base;
    if (a->npaths == 0)
        return 0;
    if (load_files(c, name, a))
        return -1;
    a->parts = arena_zalloc(c->arena, a->data->nversions, sizeof *a->parts);
    for (const struct experiment *e = dataset_find_base(a->data, name); e; e = e->next_of_base)
        if (make_part(c, m, a, e, &a->parts[a->n++]))
            return -1;
    return 0;
}

int against_choose(struct cursor *c, const struct model *m, const struct condition *condition,
                   const char *text, struct against_part *out)
{
    *out = (struct against_part){.request = *model_points(m)->request};
    out->request.conditions = condition;
    out->request.nconditions = 1;
    if (points_make(c->arena, &out->request, c->diag, &out->points))
        return -1;
    if (out->points.n == 0)
        return diag_error(c->diag, "no sample of %s can be used and fulfils %s",
                          out->request.experiment->name, text);
    return 0;
}

void against_make_room(struct cursor *c, struct against_part *f)
{
    size_t n = f->points.n;
    f->predicted = arena_alloc(c->arena, n + 1, sizeof *f->predicted);
    f->intervals = arena_zalloc(c->arena, n + 1, sizeof *f->intervals);
    f->why = arena_zalloc(c->arena, n + 1, sizeof *f->why);
}

size_t against_predict(struct cursor *c, const struct model *m, struct against_part *f)
{
    const struct points *p = &f->points;
    double *values = arena_alloc(c->arena, p->nnames + 1, sizeof *values);
    struct place place = {(const char *const *)p->names, values, p->nnames};
    struct held_points held = burst_held_points(m, p);
    ARENA_LOCAL struct arena *work = arena_create();
    size_t predicted = 0;
    against_make_room(c, f);
    for (size_t i = 0; i < p->n; i++) {
        struct prediction one;
        DIAG_LOCAL struct diag *diag = diag_create();
        for (size_t v = 0; v < p->nnames; v++)
            values[v] = p->at[v][i];
        f->predicted[i] = NAN;
        f->intervals[i] = (struct point_interval){NAN, NAN, POINT_TYPICAL};
        if (model_predict(work, m, &place, diag, &one) == 0) {
            prediction_as_point(&one);
            f->predicted[i] = one.value;
            f->intervals[i] = prediction_interval(&held, &one, i);
            predicted++;
        } else {
            const char *text = diag_first(diag, SEVERITY_ERROR);
            f->why[i] = arena_strdup(c->arena, text ? text : "the model has no value there");
        }
        arena_reset(work);
    }
    return predicted;
}

int against_nothing(struct cursor *c, const struct against_part *f)
{
    return diag_error(c->diag, "no point%s%s can be predicted: %s", f->name ? " of " : "",
                      f->name ? f->name : "", f->why[0]);
}

void against_free(struct against *a)
{
    dataset_destroy(a->data);
}
