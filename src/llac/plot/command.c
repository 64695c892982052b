/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command plot, of an experiment or of one of its constants: reads what to draw; with --json
 * and no file the plot's data is the answer. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/arithmetic.h"
#include "llac/predict/against.h"
#include "llac/data/data.h"
#include "llac/fit/by.h"
#include "llac/compose/command.h"
#include "llac/plot/plot.h"
#include "llac/plot/script.h"
#include "llac/plot/small.h"
#include "llac/json.h"
#include "llac/commands.h"

struct plot_words {
    const char *observable, *over, *by;
    char *path;
    enum plot_scale scale;
    bool speedup;
    const char *to_variable; /* curves go on to this value of it; NULL = they do not */
    double to;
    struct against with; /* measurements of other files */
    struct condition
        condition; /* of the points that are drawn; without a formula those of the model are */
    const char *condition_text;
    bool small; /* characters, without gnuplot */
};

static int word_behind(struct cursor *c, const char *keyword, const char **out)
{
    struct span w = cursor_token(c);
    if (w.end == w.begin)
        return cursor_error_here(c, "a name is missing after '%s'", keyword);
    *out = cursor_text(c, w);
    return 0;
}

static const char *const plot_keywords[] = {"where",   "over", "by",     "on",    "to", "with",
                                            "speedup", "log",  "linear", "small", NULL};
static const char *const *const after_files = plot_keywords + 1; /* 'where' is theirs */

/* Is the next word VAR=NUMBER? Then it is taken. */
static bool read_reach(struct cursor *c, struct plot_words *out)
{
    struct cursor ahead = *c;
    char *text = cursor_text(c, cursor_value(&ahead)), *sign = strchr(text, '=');
    double value;
    if (!sign || sign == text || *text == '"' || *text == '\'' ||
        arithmetic_parse(sign + 1, &value))
        return false;
    *sign = '\0';
    out->to_variable = text;
    out->to = value;
    *c = ahead;
    return true;
}

static int read_plot(struct session *s, struct cursor *c, struct plot_words *out)
{
    int status = 0;
    while (status == 0 && !cursor_done(c)) {
        if (cursor_keyword(c, "over"))
            status = word_behind(c, "over", &out->over);
        else if (cursor_keyword(c, "by"))
            status = word_behind(c, "by", &out->by);
        else if (cursor_keyword(c, "on"))
            status = word_behind(c, "on", &out->observable);
        else if (cursor_keyword(c, "where"))
            status = out->condition.formula
                         ? cursor_error_here(c, "'where' is given twice: where A and B")
                         : read_condition_until(s, c, plot_keywords, &out->condition,
                                                &out->condition_text);
        else if (cursor_keyword(c, "with"))
            status = out->with.npaths
                         ? cursor_error_here(c, "'with' is given twice: with FILE FILE...")
                         : against_read(s, c, "with", after_files, &out->with);
        else if (cursor_keyword(c, "to"))
            status = (!cursor_done(c) && read_reach(c, out)) || (out->path = cursor_path(c, NULL))
                         ? 0
                         : cursor_error_here(c, "the name of a file is missing after 'to'");
        else if (cursor_keyword(c, "speedup"))
            out->speedup = true;
        else if (cursor_keyword(c, "small"))
            out->small = true;
        else if (cursor_keyword(c, "log"))
            out->scale = PLOT_LOG;
        else if (cursor_keyword(c, "linear"))
            out->scale = PLOT_LINEAR;
        else
            return cursor_finish(c);
    }
    return status;
}

/* [INDEX] after the name of an experiment: *index is set, or stays SIZE_MAX. */
static int read_index(struct cursor *c, size_t *index)
{
    *index = SIZE_MAX;
    if (c->at >= c->end || c->source->text[c->at] != '[')
        return 0;
    struct span where = {c->at, c->at + 1};
    size_t value = 0, digits = 0;
    while (where.end < c->end && c->source->text[where.end] >= '0' &&
           c->source->text[where.end] <= '9' && digits++ < 6)
        value = 10 * value + (size_t)(c->source->text[where.end++] - '0');
    if (!digits || where.end >= c->end || c->source->text[where.end] != ']')
        return cursor_error(c, where, "the number of a constant is expected here: plot f[2]");
    c->at = where.end + 1;
    *index = value;
    return 0;
}

static json_t *json_series(const struct plot_series *s)
{
    const struct plot_frame *f = s->frame;
    const struct points *points = f->drawn.points;
    json_t *measured = json_array(), *curve = json_array(), *errors = json_array(),
           *left_out = json_array();
    for (size_t i = 0; i < s->npoints; i++) {
        size_t point = s->points[i];
        double x = points->at[f->column][point];
        json_add(measured, "[%g %g]", x, s->measured[i]);
        json_add(errors, "[%g %g]", x, plot_error(f, point));
        if (plot_is_left_out(f, point))
            json_array_append_new(left_out, json_number(x));
    }
    for (size_t i = 0; i < s->n; i++)
        json_add(curve, "[%g %g %g %g]", s->x[i], s->y[i], s->low[i], s->high[i]);
    return json_make("{label:%s measured:%p curve:%p errors_pct:%p left_out:%p data:[%g %g]}",
                     s->label, measured, curve, errors, left_out, s->from, s->to);
}

static json_t *json_frame(const struct plot_frame *f, const char *unit, const char *path)
{
    return json_make("{experiment:%s observable:%s statistic:%s unit:%s over:%s file:%s}", f->title,
                     f->observable, statistics[model_points(f->model)->request->statistic].name,
                     unit, f->over, path);
}

/* The boundaries on the axis: [last below, first above, estimate]. */
static json_t *json_boundaries(const struct plot_frame *f)
{
    json_t *list = json_array();
    for (size_t c = 0; c < f->nboundaries; c++) {
        const struct boundary *boundary = plot_boundary(f, c);
        json_add(list, "[%g %g %g]", boundary->below, boundary->above, boundary->at);
    }
    return list;
}

/* A set of constants is an experiment with boundaries of its own. */
static json_t *json_series_of_set(const struct plot_series *s)
{
    json_t *j = json_series(s);
    json_put(j, "experiment:%s boundaries:%p", s->frame->title, json_boundaries(s->frame));
    return j;
}

/* The points of another file: [x, measured, predicted], and the number of the curve. */
static json_t *json_other(const struct plot *p, const struct plot_other *o)
{
    json_t *list = json_array();
    const double *x = o->points->at[points_find(o->points, p->frame.over)];
    for (size_t i = 0; i < o->points->n; i++)
        json_add(list, "{x:%g measured:%g predicted:%g error_pct:%g series:%p}", x[i],
                 o->points->value[i], o->predicted[i], plot_other_error(o, i),
                 o->series[i] == SIZE_MAX ? json_null() : json_integer((json_int_t)o->series[i]));
    return json_make("{file:%s points:%p}", o->path, list);
}

static json_t *json_plot(const struct plot *p, const char *path)
{
    json_t *j = json_frame(&p->frame, p->frame.unit, path), *series = json_array();
    for (size_t s = 0; s < p->nseries; s++)
        json_array_append_new(series, p->sets ? json_series_of_set(&p->series[s])
                                              : json_series(&p->series[s]));
    json_put(j, "series:%p boundaries:%p", series, json_boundaries(&p->frame));
    json_t *others = json_array();
    for (size_t k = 0; k < p->nothers; k++)
        json_array_append_new(others, json_other(p, &p->others[k]));
    json_put(j, "others:%p", others);
    return j;
}

static json_t *json_constant_plot(const struct constant_plot *p, const char *path)
{
    json_t *j = json_frame(&p->frame, p->unit, path), *series = json_array();
    for (size_t s = 0; s < p->nseries; s++) {
        const struct constant_series *q = &p->series[s];
        json_t *steps = json_array(), *locals = json_array();
        for (size_t i = 0; i < q->nsteps; i++)
            json_add(steps, "[%g %g %g %g %g]", q->steps[i].from, q->steps[i].to, q->steps[i].value,
                     q->steps[i].low, q->steps[i].high);
        for (size_t i = 0; i < q->nlocals; i++)
            json_add(locals, "[%g %g %g %g]", q->locals[i].x, q->locals[i].value, q->locals[i].low,
                     q->locals[i].high);
        json_add(series, "{label:%s steps:%p local:%p}", q->label, steps, locals);
    }
    json_put(j, "series:%p boundaries:%p constant:%s", series, json_boundaries(&p->frame),
             p->constant->name);
    return j;
}

static int plot_constant(struct session *s, struct cursor *c, const struct model *m, size_t index,
                         struct span where, const struct plot_words *words)
{
    struct constant_plot plot;
    struct model_constants constants = model_constants(m);
    size_t k = 0;
    while (k < constants.n && constants.list[k].index != index)
        k++;
    if (k == constants.n)
        return cursor_error(c, where, "the formula of %s has no constant %zu",
                            model_points(m)->request->experiment->name, index);
    if (words->by)
        return cursor_error(c, where, "'by' goes with an experiment, not with one constant");
    if (words->speedup)
        return cursor_error(c, where, "'speedup' goes with an experiment, not with one constant");
    if (words->to_variable || words->with.npaths)
        return cursor_error(c, where, "'%s' goes with an experiment, not with one constant",
                            words->to_variable ? "to VAR=VALUE" : "with");
    if (words->condition.formula)
        return cursor_error(c, where,
                            "'where' goes with an experiment, not with one constant: fit %s where "
                            "%s first",
                            model_points(m)->request->experiment->name, words->condition_text);
    if (words->small)
        return cursor_error(c, where, "'small' goes with an experiment, not with one constant");
    if (constant_plot_make(c->arena, m, k, words->over, words->scale, c->diag, &plot))
        return -1;
    if ((words->path || !s->json) &&
        gnuplot_draw(plot_constant_script, &plot, words->path, c->diag))
        return -1;
    if (s->json)
        json_print(s->out, "%p", json_constant_plot(&plot, words->path));
    return 0;
}

/* The variable of the horizontal axis. */
static int choose_over(struct cursor *c, const struct plot_words *words, const char **over)
{
    *over = words->over;
    if (!*over && words->to_variable)
        *over = words->to_variable;
    if (!*over && words->speedup)
        *over = "P";
    if (words->to_variable && strcmp(*over, words->to_variable) != 0)
        return diag_error(c->diag, "the plot is over %s: 'to %s=%g' is not along it", *over,
                          words->to_variable, words->to);
    return 0;
}

static int predict_others(struct cursor *c, const struct model *m, const struct against *with,
                          struct plot_request *r)
{
    struct plot_other *list = arena_zalloc(c->arena, with->n + 1, sizeof *list);
    for (size_t i = 0; i < with->n; i++) {
        struct against_part *f = &with->parts[i];
        if (!against_predict(c, m, f))
            return against_nothing(c, f);
        list[i] =
            (struct plot_other){.path = f->name, .points = &f->points, .predicted = f->predicted};
    }
    r->others = list;
    r->nothers = with->n;
    return 0;
}

/* Draws what was made, or prints it. */
static int draw_plot(struct session *s, struct cursor *c, struct plot *plot,
                     const struct plot_words *words)
{
    if (words->speedup && plot_change_to_speedup(plot, c->diag))
        return -1;
    if (words->small && !s->json)
        plot_small(s->out, plot, session_columns(s));
    else if ((words->path || !s->json) && gnuplot_draw(plot_script, plot, words->path, c->diag))
        return -1;
    if (s->json)
        json_print(s->out, "%p", json_plot(plot, words->path));
    return 0;
}

/* The points that the condition chooses; *chosen is NULL without one. */
static int choose_points(struct cursor *c, const struct model *m, const struct plot_words *words,
                         struct diag *diag, const struct plot_points **chosen)
{
    *chosen = NULL;
    if (!words->condition.formula)
        return 0;
    struct cursor quiet = *c;
    quiet.diag = diag;
    struct against_part *part = arena_zalloc(c->arena, 1, sizeof *part);
    struct plot_points *out = arena_zalloc(c->arena, 1, sizeof *out);
    if (against_choose(&quiet, m, &words->condition, words->condition_text, part))
        return -1;
    if (!against_predict(&quiet, m, part))
        return against_nothing(&quiet, part);
    *out = (struct plot_points){.points = &part->points, .predicted = part->predicted};
    *chosen = out;
    return 0;
}

static int draw_experiment(struct session *s, struct cursor *c, struct model *m,
                           const struct plot_words *words)
{
    struct plot plot;
    struct plot_request r = {
        .by = words->by, .scale = words->scale, .to = words->to_variable ? &words->to : NULL};
    if (!words->small || s->json)
        model_resample(m); /* the bands hold the uncertainty of the selection */
    if (session_interrupt || choose_over(c, words, &r.over) ||
        choose_points(c, m, words, c->diag, &r.chosen) || predict_others(c, m, &words->with, &r) ||
        plot_make(c->arena, m, &r, c->diag, &plot))
        return -1;
    return draw_plot(s, c, &plot, words);
}

/* The curves of one set, over the variable that the first set chose. -1: *why has the reason. */
static int make_set(struct session *s, struct cursor *c, const struct fit_group *sets, size_t i,
                    const struct plot_words *words, struct plot_request *r, struct plot_set *out,
                    const char **why)
{
    DIAG_LOCAL struct diag *diag = diag_create();
    struct model *m = session_model(s, sets->names[i], sets->observable, diag);
    if (m && (!words->small || s->json))
        model_resample(m);
    out->label = by_set_label(sets, i);
    int status = m && !session_interrupt ? choose_points(c, m, words, diag, &r->chosen) : -1;
    if (status == 0)
        status = plot_make(c->arena, m, r, diag, &out->plot);
    const char *text = diag_first(diag, SEVERITY_ERROR);
    if (status)
        *why = arena_strdup(c->arena, text ? text : "interrupted");
    else
        r->over = out->plot.frame.over;
    return status;
}

/* The sets that can be drawn; of the others the user learns why. Returns their number. */
static size_t make_sets(struct session *s, struct cursor *c, const struct fit_group *sets,
                        const struct plot_words *words, struct plot_request *r,
                        struct plot_set *list)
{
    size_t n = 0;
    const char **why = arena_zalloc(c->arena, sets->n + 1, sizeof *why);
    for (size_t i = 0; i < sets->n && !session_interrupt; i++)
        n += make_set(s, c, sets, i, words, r, &list[n], &why[i]) == 0;
    if (session_interrupt)
        return 0;
    bool chosen = words->condition.formula != NULL; /* sets that it leaves out are no news */
    for (size_t i = 0; i < sets->n && n && !chosen; i++)
        if (why[i])
            diag_warning(c->diag, "%s is not drawn: %s", sets->names[i], why[i]);
    if (!n)
        diag_error(c->diag, "no set of constants of %s can be drawn: %s", sets->experiment,
                   sets->n ? why[0] : "it has no samples");
    return n;
}

static int plot_sets(struct session *s, struct cursor *c, const struct fit_group *sets,
                     const struct plot_words *words)
{
    struct plot plot;
    struct plot_set *list = arena_zalloc(c->arena, sets->n + 1, sizeof *list);
    bool own = words->by && strcmp(words->by, sets->by) == 0;
    struct plot_request r = {.by = own ? NULL : words->by,
                             .scale = words->scale,
                             .to = words->to_variable ? &words->to : NULL,
                             .may_be_inside = true};
    if (words->with.npaths)
        return diag_error(c->diag, "'with' needs one set of constants: 'plot %s with FILE...'",
                          sets->names[0]);
    if (choose_over(c, words, &r.over))
        return -1;
    if (r.over && strcmp(r.over, sets->by) == 0)
        return diag_error(c->diag, "'over %s by %s': the two must differ", r.over, sets->by);
    size_t n = make_sets(s, c, sets, words, &r, list);
    if (!n || plot_join(c->arena, list, n, sets->experiment, c->diag, &plot))
        return -1;
    if (words->to_variable && !plot.beyond)
        return diag_error(c->diag,
                          "'to %s=%g' is inside the data of every set: give a value beyond them",
                          words->to_variable, words->to);
    return draw_plot(s, c, &plot, words);
}

static int plot_experiment(struct session *s, struct cursor *c, struct model *m,
                           struct plot_words *words)
{
    if (words->speedup && words->with.npaths)
        return diag_error(c->diag, "'with' draws times: it does not go together with 'speedup'");
    int status = against_load(c, m, &words->with);
    if (status == 0)
        status = draw_experiment(s, c, m, words);
    against_free(&words->with);
    return status;
}

/* One experiment, or one of its constants. */
static int plot_one(struct session *s, struct cursor *c, const struct experiment *e, size_t index,
                    struct span where, struct plot_words *words)
{
    struct model *m = session_model(s, e->name, words->observable, c->diag);
    if (!m)
        return -1;
    return index != SIZE_MAX ? plot_constant(s, c, m, index, where, words)
                             : plot_experiment(s, c, m, words);
}

int command_plot(struct session *s, struct cursor *c)
{
    struct span where;
    char *name = cursor_experiment(c, &where);
    struct plot_words words = {.scale = PLOT_AUTO};
    struct fit_group sets;
    size_t index;
    if (!name)
        return session_name_missing(s, c);
    const struct compose_definition *d = session_definition(s, name);
    if (d)
        return plot_definition(s, c, d);
    if (!session_has_versions(s, name) && !session_experiment(s, c, name, where))
        return -1;
    if (read_index(c, &index))
        return -1;
    where.end = c->at;
    if (read_plot(s, c, &words))
        return -1;
    if (words.small && words.path)
        return cursor_error(c, where, "'small' draws on the terminal: leave out 'to %s'",
                            words.path);
    if (words.small && words.with.npaths)
        return cursor_error(c, where, "'small' draws no points of other files: leave out 'with'");
    bool may_be_small = index == SIZE_MAX && !words.path && !words.with.npaths && !s->json;
    words.small |= may_be_small && !gnuplot_has_display();
    if (index == SIZE_MAX && by_find_sets(s, c, name, words.observable, words.by, &sets)) {
        if (plot_sets(s, c, &sets, &words))
            return -1;
    } else {
        const struct experiment *e = session_experiment(s, c, name, where);
        if (!e || plot_one(s, c, e, index, where, &words))
            return -1;
    }
    if (!s->json && words.path)
        fprintf(s->out, "  drawn into %s\n", words.path);
    return 0;
}
