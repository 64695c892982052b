/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command plot: reads what to draw; with --json and no file the plot's data is the answer. */
#include <string.h>

#include "llac/commands.h"
#include "llac/output.h"
#include "llac/plot.h"

struct plot_words {
    const char *observable, *over, *by;
    char *path;
    enum plot_scale scale;
};

static const char *word_behind(struct cursor *c, const char *keyword)
{
    struct span w = cursor_token(c);
    if (w.end == w.begin) {
        cursor_error_here(c, "a name is missing behind '%s'", keyword);
        return NULL;
    }
    return cursor_text(c, w);
}

static int read_plot(struct cursor *c, struct plot_words *out)
{
    while (!cursor_done(c)) {
        if (cursor_keyword(c, "over")) {
            if (!(out->over = word_behind(c, "over")))
                return -1;
        } else if (cursor_keyword(c, "by")) {
            if (!(out->by = word_behind(c, "by")))
                return -1;
        } else if (cursor_keyword(c, "on")) {
            if (!(out->observable = word_behind(c, "on")))
                return -1;
        } else if (cursor_keyword(c, "to")) {
            if (!(out->path = cursor_path(c, NULL)))
                return cursor_error_here(c, "the name of a file is missing behind 'to'");
        } else if (cursor_keyword(c, "log")) {
            out->scale = PLOT_LOG;
        } else if (cursor_keyword(c, "linear")) {
            out->scale = PLOT_LINEAR;
        } else {
            return cursor_finish(c);
        }
    }
    return 0;
}

static json_t *json_series(const struct plot *p, const struct plot_series *s)
{
    const struct points *points = &p->model->points;
    json_t *measured = json_array(), *curve = json_array();
    for (size_t i = 0; i < s->npoints; i++)
        json_array_append_new(measured,
                              json_pack("[o, o]", json_number(points->at[p->column][s->points[i]]),
                                        json_number(points->value[s->points[i]])));
    for (size_t i = 0; i < s->n; i++)
        json_array_append_new(curve,
                              json_pack("[o, o, o, o]", json_number(s->x[i]), json_number(s->y[i]),
                                        json_number(s->low[i]), json_number(s->high[i])));
    return json_pack("{s:o, s:o, s:o}", "label", json_text(s->label), "measured", measured, "curve",
                     curve);
}

static json_t *json_plot(const struct plot *p, const char *path)
{
    json_t *j = json_object(), *series = json_array();
    for (size_t s = 0; s < p->nseries; s++)
        json_array_append_new(series, json_series(p, &p->series[s]));
    json_object_set_new(j, "experiment", json_text(p->title));
    json_object_set_new(j, "observable", json_text(p->observable));
    json_object_set_new(j, "unit", json_text(p->unit));
    json_object_set_new(j, "over", json_text(p->over));
    json_object_set_new(j, "file", path ? json_text(path) : json_null());
    json_object_set_new(j, "series", series);
    return j;
}

int command_plot(struct session *s, struct cursor *c)
{
    struct span where;
    char *name = cursor_name(c, &where);
    struct plot_words words = {.scale = PLOT_AUTO};
    if (!name)
        return cursor_error_here(c, "the name of an experiment is expected here");
    if (!session_experiment(s, c, name, where) || read_plot(c, &words))
        return -1;
    const struct model *m = session_model(s, name, words.observable, c->diag);
    struct plot plot;
    if (!m || plot_make(c->arena, m, words.over, words.by, words.scale, c->diag, &plot))
        return -1;
    if ((words.path || !s->json) && plot_draw(&plot, words.path, s->out, c->diag))
        return -1;
    if (s->json)
        json_print(s->out, json_plot(&plot, words.path));
    else if (words.path)
        fprintf(s->out, "  drawn to %s\n", words.path);
    return 0;
}
