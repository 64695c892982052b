/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading and loading the files that a model is compared with. */
#include "llac/cmd/against.h"

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

void against_free(struct against *a)
{
    for (size_t i = 0; i < a->n; i++)
        dataset_destroy(a->files[i].data);
}
