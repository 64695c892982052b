/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command export: chooses the models, fits those that are stale, writes the file whole or not
 * at all. */
#include <errno.h>
#include <string.h>

#include "base/outfile.h"
#include "llac/export/export.h"
#include "llac/json.h"
#include "llac/commands.h"

/* The fit of this experiment that was made last, fitted. */
static struct fit_state *fitted_state(struct session *s, const char *name, struct diag *diag)
{
    return session_model(s, name, NULL, diag) ? session_model_state(s, name, NULL) : NULL;
}

static int named_fits(struct session *s, struct cursor *c, struct fit_state **fits, size_t *n)
{
    while (!cursor_done(c)) {
        struct span where;
        char *name = cursor_experiment(c, &where);
        if (!name)
            return cursor_finish(c);
        const struct experiment *e = session_experiment(s, c, name, where);
        if (!e)
            return -1;
        struct fit_state *f = fitted_state(s, e->name, c->diag);
        if (!f)
            return -1;
        for (size_t i = 0; i < *n; i++)
            if (fits[i] == f)
                return cursor_error(c, where, "'%s' is named twice", name);
        fits[(*n)++] = f;
    }
    return 0;
}

/* All fits made; if there are none, of every experiment that has a formula of its
 * default observable. */
static int all_fits(struct session *s, struct cursor *c, struct fit_state **fits, size_t *n)
{
    size_t made = s->nfits;
    for (size_t i = 0; i < made; i++) {
        if (!s->fits[i]->model && !session_fit(s, s->fits[i], c->diag))
            return -1;
        fits[(*n)++] = s->fits[i];
    }
    for (size_t i = 0; i < s->data->nexperiments && made == 0; i++) {
        const struct experiment *e = s->data->experiments[i];
        if (!experiment_formula(e, experiment_default_observable(e)))
            continue;
        struct fit_state *f = fitted_state(s, e->name, c->diag);
        if (!f)
            return -1;
        fits[(*n)++] = f;
    }
    return *n ? 0 : cursor_error_here(c, "there is no model to write: 'fit' an experiment first");
}

static void report(struct session *s, const char *path, struct fit_state *const *fits, size_t n)
{
    json_auto_t *names = json_array();
    if (!s->json)
        fprintf(s->out, "  %zu model%s written to %s\n", n, n == 1 ? "" : "s", path);
    for (size_t i = 0; i < n; i++)
        json_add(names, "%s", fits[i]->experiment);
    if (s->json)
        json_print(s->out, "{exported:%s experiments:%p}", path, json_incref(names));
}

int command_export(struct session *s, struct cursor *c)
{
    struct span where = {c->at, c->at};
    char *path = cursor_path(c, &where);
    if (!path)
        return cursor_error_here(c, "the name of a file is missing");
    const struct export_format *format = export_format_of(path);
    if (!format)
        return cursor_error(
            c, where,
            "the name must end in .h, .py, .js, .gp, .tex, .json or .csv: the extension selects the format");
    struct fit_state **fits =
        arena_alloc(c->arena, s->nfits + s->data->nexperiments + 1, sizeof(*fits));
    size_t n = 0;
    if (cursor_done(c) ? all_fits(s, c, fits, &n) : named_fits(s, c, fits, &n))
        return -1;
    struct outfile f;
    if (outfile_open(&f, path))
        return cursor_error(c, where, "cannot write %s: %s", path, destination_error(errno));
    format->write(f.stream, fits, n);
    if (outfile_commit(&f))
        return cursor_error(c, where, "cannot write %s: %s", path, destination_error(errno));
    report(s, path, fits, n);
    return 0;
}
