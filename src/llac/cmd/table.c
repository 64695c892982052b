/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * table: measured, predicted, error, at the points of the model or of another file; which interval
 * each row used where there are several, and which points take no part.
 */
#include <string.h>

#include "llac/cmd/composed.h"
#include "llac/cmd/elsewhere.h"
#include "llac/output/output.h"

enum { TABLE_INTERVALS = 4 * PIECES_MAX }; /* more are not told apart */

/* Points of another file, prepared in the same way. Conditions choose what the model rests on, not
 * what it is compared with. */
static int points_of_file(struct cursor *c, const struct model *m, char *path,
                          struct dataset *other, struct points_request *request,
                          struct points *points)
{
    if (dataset_load(other, path, NULL, c->arena, c->diag))
        return -1;
    *request = m->request.points;
    request->dataset = other;
    request->nconditions = 0;
    request->experiment = dataset_find(other, m->request.points.experiment->base);
    if (!request->experiment) {
        diag_error(c->diag, "%s has no experiment '%s'", path, m->request.points.experiment->base);
        return -1;
    }
    if (points_make(c->arena, request, c->diag, points))
        return -1;
    if (points->n == 0) {
        diag_error(c->diag, "%s has no sample of %s that can be used", path,
                   request->experiment->name);
        return -1;
    }
    return 0;
}

/* The columns worth showing: variables of the formula, and others that vary. */
static size_t table_columns(struct arena *a, const struct model *m, const struct points *p,
                            size_t *columns)
{
    size_t n = 0, nused;
    const char **used = model_variables(a, m, &nused);
    for (size_t j = 0; j < p->nnames; j++) {
        bool shown = false;
        for (size_t i = 0; i < nused; i++)
            shown = shown || strcmp(used[i], p->names[j]) == 0;
        for (size_t i = 1; i < p->n && !shown; i++)
            shown = p->at[j][i] != p->at[j][0];
        if (shown)
            columns[n++] = j;
    }
    return n;
}

/* The intervals the rows use, numbered as they come; rows[i].interval is set. */
static size_t number_intervals(struct arena *a, const struct model *m, const struct points *p,
                               struct table_row *rows, struct model_piece *intervals)
{
    size_t k = m->nconstants, n = 0;
    size_t *seen = arena_alloc(a, TABLE_INTERVALS * (k + 1), sizeof *seen),
           *columns = arena_alloc(a, k + 1, sizeof *columns);
    for (size_t i = 0; i < p->n; i++) {
        double x[PIECES_MAX_VARIABLES];
        struct model_piece where;
        size_t is = 0;
        model_place_in(m, p, i, x);
        model_pieces_at(a, m, x, columns, &where);
        while (is < n && memcmp(seen + is * k, columns, k * sizeof *columns) != 0)
            is++;
        if (is == TABLE_INTERVALS)
            return 0;
        if (is == n) {
            memcpy(seen + n * k, columns, k * sizeof *columns);
            intervals[n++] = where;
        }
        rows[i].interval = is + 1;
    }
    return n;
}

/* left_out NULL: none is. */
static void print_table(struct session *s, struct arena *a, const struct model *m,
                        const struct points *p, const double *predicted, const bool *left_out)
{
    size_t *columns = arena_alloc(a, p->nnames + 1, sizeof *columns);
    size_t n = table_columns(a, m, p, columns);
    const char **names = arena_alloc(a, n + 1, sizeof *names);
    struct table_row *rows = arena_zalloc(a, p->n, sizeof *rows);
    struct model_piece *intervals = arena_alloc(a, TABLE_INTERVALS, sizeof *intervals);
    for (size_t v = 0; v < n; v++)
        names[v] = p->names[columns[v]];
    for (size_t i = 0; i < p->n; i++) {
        double *at = arena_alloc(a, n + 1, sizeof *at);
        for (size_t v = 0; v < n; v++)
            at[v] = p->at[columns[v]][i];
        rows[i] = (struct table_row){.at = at,
                                     .measured = p->value[i],
                                     .predicted = predicted[i],
                                     .interval = 1,
                                     .left_out = left_out && left_out[i]};
    }
    struct table t = {.experiment = m->request.points.experiment->name,
                      .columns = names,
                      .ncolumns = n,
                      .rows = rows,
                      .nrows = p->n,
                      .intervals = intervals};
    t.nintervals =
        m->structure.pieces->nboundaries ? number_intervals(a, m, p, rows, intervals) : 0;
    if (s->json)
        json_print(s->out, json_table(&t));
    else
        text_table(s->out, &t);
}

/* The model carried to another machine, at each point that was measured there. */
static int predict_there(struct session *s, struct cursor *c, const struct model *m,
                         const struct points *p, const struct carrying *how, double *out)
{
    double *values = arena_alloc(c->arena, p->nnames + 1, sizeof *values);
    struct place place = {(const char *const *)p->names, values, p->nnames};
    struct arena *a = arena_create(); /* of one point: there may be many */
    int status = 0;
    for (size_t i = 0; i < p->n && status == 0; i++) {
        struct elsewhere e;
        for (size_t v = 0; v < p->nnames; v++)
            values[v] = p->at[v][i];
        status = carrying_predict(s, c, m, &place, how, a, &e);
        out[i] = e.value;
        arena_reset(a);
    }
    arena_destroy(a);
    return status;
}

/* FILE [on MACHINE [scaling ...]] */
static int table_against(struct session *s, struct cursor *c, const struct model *m, char *path)
{
    struct carrying how = {.to = NULL};
    struct points_request request;
    struct points points;
    if (cursor_keyword(c, "on") && carrying_read(s, c, m, &how))
        return -1;
    if (cursor_finish(c))
        return -1;
    struct dataset *other = dataset_create();
    int status = points_of_file(c, m, path, other, &request, &points);
    double *predicted = status ? NULL : arena_alloc(c->arena, points.n, sizeof *predicted);
    if (status == 0)
        status = how.to ? predict_there(s, c, m, &points, &how, predicted)
                        : model_predict_points(c->arena, m, &points, c->diag, predicted);
    if (status == 0)
        print_table(s, c->arena, m, &points, predicted, NULL);
    dataset_destroy(other);
    return status;
}

int command_table(struct session *s, struct cursor *c)
{
    const char *observable = NULL;
    char *path = NULL;
    struct span where;
    const char *name = cursor_experiment(c, &where);
    if (!name)
        return cursor_error_here(c, "the name of an experiment is expected here");
    const struct compose_definition *d = session_definition(s, name);
    if (d)
        return table_definition(s, c, d);
    const struct experiment *e = session_experiment(s, c, name, where);
    if (!e || read_observable(c, &observable))
        return -1;
    if (cursor_keyword(c, "against") && !(path = cursor_path(c, NULL)))
        return cursor_error_here(c, "the name of a file is missing: against FILE");
    if (!path && cursor_finish(c))
        return -1;
    const struct model *m = session_model(s, e->name, observable, c->diag);
    if (!m)
        return -1;
    if (path)
        return table_against(s, c, m, path);
    print_table(s, c->arena, m, &m->points, m->solution.fitted, m->structure.left_out);
    return 0;
}
