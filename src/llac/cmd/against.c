/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading and loading the files that a model is compared with. */
#include "llac/cmd/against.h"

#include <math.h>

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
    out->files = arena_zalloc(c->arena, MOST_FILES, sizeof *out->files);
    while (!cursor_done(c)) {
        if (stop_follows(c, stops))
            break;
        if (out->n && cursor_keyword(c, "where")) {
            if (read_condition_until(s, c, stops, &out->condition, &text))
                return -1;
            break;
        }
        if (out->n == MOST_FILES)
            return cursor_error_here(c, "more than %d files in one command", MOST_FILES);
        char *path = cursor_path(c, NULL);
        if (!path)
            return -1;
        out->files[out->n++].path = path;
    }
    if (out->n == 0)
        return cursor_error_here(c, "the name of a file is missing: %s FILE", keyword);
    return 0;
}

static int load_file(struct cursor *c, const struct model *m, const struct against *a,
                     struct against_file *f)
{
    const char *name = m->request.points.experiment->base;
    f->data = dataset_create();
    if (dataset_load(f->data, f->path, NULL, c->arena, c->diag))
        return -1;
    f->request = m->request.points;
    f->request.dataset = f->data;
    f->request.conditions = &a->condition;
    f->request.nconditions = a->condition.formula ? 1 : 0;
    f->request.experiment = dataset_find(f->data, name);
    if (!f->request.experiment) {
        diag_error(c->diag, "%s has no experiment '%s'", f->path, name);
        return -1;
    }
    if (points_make(c->arena, &f->request, c->diag, &f->points))
        return -1;
    if (f->points.n == 0) {
        diag_error(c->diag, "%s has no sample of %s that can be used%s", f->path, name,
                   f->request.nconditions ? " and fulfils the condition" : "");
        return -1;
    }
    return 0;
}

int against_load(struct cursor *c, const struct model *m, struct against *a)
{
    for (size_t i = 0; i < a->n; i++)
        if (load_file(c, m, a, &a->files[i]))
            return -1;
    return 0;
}

/* Point by point; the number of those that the model predicts. */
static size_t predict_each(struct cursor *c, const struct model *m, struct against_file *f)
{
    const struct points *p = &f->points;
    double *values = arena_alloc(c->arena, p->nnames + 1, sizeof *values);
    struct place place = {(const char *const *)p->names, values, p->nnames};
    struct arena *work = arena_create();
    size_t predicted = 0;
    for (size_t i = 0; i < p->n; i++) {
        struct prediction one;
        struct diag *diag = diag_create();
        for (size_t v = 0; v < p->nnames; v++)
            values[v] = p->at[v][i];
        if (model_predict(work, m, &place, diag, &one) == 0) {
            prediction_as_point(&one);
            f->predicted[i] = one.value;
            predicted++;
        } else {
            const char *text = diag_first(diag, SEVERITY_ERROR);
            f->predicted[i] = (double)NAN;
            f->why[i] = arena_strdup(c->arena, text ? text : "the model has no value there");
        }
        diag_destroy(diag);
        arena_reset(work);
    }
    arena_destroy(work);
    return predicted;
}

size_t against_predict(struct cursor *c, const struct model *m, struct against_file *f)
{
    f->predicted = arena_alloc(c->arena, f->points.n + 1, sizeof *f->predicted);
    f->why = arena_zalloc(c->arena, f->points.n + 1, sizeof *f->why);
    struct diag *quiet = diag_create(); /* all points at once are faster */
    int status = model_predict_points(c->arena, m, &f->points, quiet, f->predicted);
    diag_destroy(quiet);
    return status == 0 ? f->points.n : predict_each(c, m, f);
}

int against_nothing(struct cursor *c, const struct against_file *f)
{
    diag_error(c->diag, "no point of %s can be predicted: %s", f->path, f->why[0]);
    return -1;
}

void against_free(struct against *a)
{
    for (size_t i = 0; i < a->n; i++)
        dataset_destroy(a->files[i].data);
}
