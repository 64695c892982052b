/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * table: measured, predicted, error, at the points of the model; which interval each row used where
 * there are several, and which points take no part. Or at the points that a condition chooses, or
 * those of other files, with the interval of each prediction and whether the measured value is inside it.
 */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "llac/predict/against.h"
#include "llac/compose/command.h"
#include "llac/machine/elsewhere.h"
#include "llac/arguments.h"
#include "llac/data/data.h"
#include "llac/json.h"
#include "llac/predict/table.h"
#include "llac/text.h"
#include "llac/commands.h"
#include "base/text.h"

enum { TABLE_INTERVALS = 4 * PIECES_MAX }; /* more are not told apart */

/* Points with what the model says of each. */
struct part {
    const char *name; /* of other files; NULL = the points are of the data set */
    const struct points *points;
    const double *predicted;
    const struct point_interval *intervals; /* NULL = none */
    const bool *left_out;                   /* NULL = none is */
    const char *const *why; /* a point has no prediction: the reason; NULL = all have one */
};

/* Whether the column is worth showing: a variable of the formula, or one that varies. */
static bool is_shown(const struct part *parts, size_t nparts, const char *name,
                     const char *const *used, size_t nused)
{
    double first = NAN;
    if (text_is_in(used, nused, name))
        return true;
    for (size_t k = 0; k < nparts; k++) {
        const struct points *p = parts[k].points;
        size_t column = points_find(p, name);
        for (size_t i = 0; column != SIZE_MAX && i < p->n; i++) {
            if (isnan(first))
                first = p->at[column][i];
            if (p->at[column][i] != first)
                return true;
        }
    }
    return false;
}

static void choose_columns(struct arena *a, const struct model *m, const struct part *parts,
                           size_t nparts, struct table *t)
{
    const struct points *p = parts[0].points;
    const char **names = arena_alloc(a, p->nnames + 1, sizeof *names);
    size_t nused;
    const char *const *used = model_variables(a, m, &nused);
    for (size_t j = 0; j < p->nnames; j++)
        if (is_shown(parts, nparts, p->names[j], used, nused))
            names[t->ncolumns++] = p->names[j];
    t->columns = names;
}

/* The intervals the rows use, numbered as they come. */
struct numbering {
    struct arena *arena;
    const struct model *m;
    size_t *seen, *columns; /* seen: of each interval, the columns of the constants */
    struct model_piece *intervals;
    size_t n;
};

static struct numbering numbering_begin(struct arena *a, const struct model *m)
{
    struct numbering b = {.arena = a, .m = m};
    b.seen = arena_alloc(a, TABLE_INTERVALS * (model_constants(m).n + 1), sizeof *b.seen);
    b.columns = arena_alloc(a, model_constants(m).n + 1, sizeof *b.columns);
    b.intervals = arena_alloc(a, TABLE_INTERVALS, sizeof *b.intervals);
    return b;
}

/* The number of the interval that a point is in, from 1 on; 0 if there are too many. */
static size_t interval_of(struct numbering *b, const struct points *p, size_t point)
{
    size_t k = model_constants(b->m).n, is = 0;
    double x[PIECES_MAX_VARIABLES];
    struct model_piece where;
    model_place_in(b->m, p, point, x);
    model_pieces_at(b->arena, b->m, x, b->columns, &where);
    while (is < b->n && memcmp(b->seen + is * k, b->columns, k * sizeof *b->columns) != 0)
        is++;
    if (is == TABLE_INTERVALS)
        return 0;
    if (is == b->n) {
        memcpy(b->seen + b->n * k, b->columns, k * sizeof *b->columns);
        b->intervals[b->n++] = where;
    }
    return is + 1;
}

static void number_intervals(struct arena *a, const struct model *m, const struct part *parts,
                             size_t nparts, struct table_row *rows, struct table *t)
{
    struct numbering b = numbering_begin(a, m);
    for (size_t k = 0, row = 0; k < nparts; k++)
        for (size_t i = 0; i < parts[k].points->n; i++, row++) {
            if (rows[row].why)
                continue;
            size_t number = interval_of(&b, parts[k].points, i);
            if (!number)
                return;
            rows[row].interval = number;
        }
    t->intervals = b.intervals;
    t->nintervals = b.n;
}

static struct table_row make_row(struct arena *a, const struct table *t, const struct part *part,
                                 size_t i)
{
    static const struct point_interval unknown = {(double)NAN, (double)NAN, POINT_TYPICAL};
    const struct points *p = part->points;
    double *at = arena_alloc(a, t->ncolumns + 1, sizeof *at);
    for (size_t v = 0; v < t->ncolumns; v++) {
        size_t column = points_find(p, t->columns[v]);
        at[v] = column == SIZE_MAX ? NAN : p->at[column][i];
    }
    return (struct table_row){.at = at,
                              .measured = p->value[i],
                              .predicted = part->predicted[i],
                              .held = part->intervals ? part->intervals[i] : unknown,
                              .file = part->name,
                              .why = part->why ? part->why[i] : NULL,
                              .interval = 1,
                              .left_out = part->left_out && part->left_out[i]};
}

static void print_table(struct session *s, struct arena *a, const struct model *m,
                        const struct part *parts, size_t nparts)
{
    struct table t = {.experiment = model_points(m)->request->experiment->name,
                      .observable = model_points(m)->request->observable,
                      .statistic = statistics[model_points(m)->request->statistic].name,
                      .against = parts[0].intervals != NULL,
                      .nfiles = nparts};
    size_t n = 0;
    for (size_t k = 0; k < nparts; k++)
        n += parts[k].points->n;
    struct table_row *rows = arena_zalloc(a, n + 1, sizeof *rows);
    choose_columns(a, m, parts, nparts, &t);
    for (size_t k = 0; k < nparts; k++)
        for (size_t i = 0; i < parts[k].points->n; i++)
            rows[t.nrows++] = make_row(a, &t, &parts[k], i);
    t.rows = rows;
    if (model_pieces(m)->nboundaries)
        number_intervals(a, m, parts, nparts, rows, &t);
    if (s->json) {
        json_print(s->out, "%p", json_table(&t));
        return;
    }
    text_values(s->out, model_points(m)->request);
    if (t.against)
        text_table_against(s->out, &t);
    else
        text_table(s->out, &t);
}

/* What a model carried to another machine says of each point that was measured there. A point without a
 * prediction has a reason. Returns how many have one. */
static size_t predict_there(struct session *s, struct cursor *c, const struct model *m,
                            const struct carrying *how, struct against_part *f)
{
    const struct points *p = &f->points;
    double *values = arena_alloc(c->arena, p->nnames + 1, sizeof *values);
    struct place place = {(const char *const *)p->names, values, p->nnames};
    ARENA_LOCAL struct arena *a = arena_create(); /* of one point: there may be many */
    size_t predicted = 0;
    against_make_room(c, f);
    for (size_t i = 0; i < p->n && !session_interrupt; i++) {
        struct elsewhere e = {.value = NAN, .low = NAN, .high = NAN};
        DIAG_LOCAL struct diag *diag = diag_create();
        struct cursor at = *c;
        at.diag = diag;
        for (size_t v = 0; v < p->nnames; v++)
            values[v] = p->at[v][i];
        if (carrying_predict(s, &at, m, &place, how, a, &e) == 0) {
            predicted++;
        } else {
            const char *text = diag_first(diag, SEVERITY_ERROR);
            e = (struct elsewhere){.value = NAN, .low = NAN, .high = NAN};
            f->why[i] = arena_strdup(c->arena, text ? text : "the model has no value there");
        }
        f->predicted[i] = e.value;
        f->intervals[i] = (struct point_interval){e.low, e.high, POINT_TYPICAL};
        arena_reset(a);
    }
    return predicted;
}

/* Returns how many points of the part are predicted. */
static size_t predict_part(struct session *s, struct cursor *c, const struct model *m,
                           const struct carrying *how, struct against_part *f, struct part *out)
{
    size_t n = how->to ? predict_there(s, c, m, how, f) : against_predict(c, m, f);
    *out = (struct part){.name = f->name,
                         .points = &f->points,
                         .predicted = f->predicted,
                         .intervals = f->intervals,
                         .why = f->why};
    return n;
}

static int predict_parts(struct session *s, struct cursor *c, const struct model *m,
                         const struct carrying *how, const struct against *against,
                         struct part *parts)
{
    size_t predicted = 0;
    for (size_t i = 0; i < against->n && !session_interrupt; i++)
        predicted += predict_part(s, c, m, how, &against->parts[i], &parts[i]);
    if (session_interrupt)
        return -1;
    return predicted ? 0 : against_nothing(c, &against->parts[0]);
}

/* FILE... [where CONDITION] [on MACHINE [scaling ...]] */
static int table_against(struct session *s, struct cursor *c, struct model *m)
{
    static const char *const stops[] = {"on", NULL};
    struct carrying how = {.to = NULL};
    AGAINST_LOCAL struct against against = {.n = 0};
    if (against_read(s, c, "against", stops, &against) ||
        (cursor_keyword(c, "on") && carrying_read(s, c, m, &how)) || cursor_finish(c))
        return -1;
    model_resample(m); /* the intervals hold the uncertainty of the selection */
    if (session_interrupt || against_load(c, m, &against))
        return -1;
    struct part *parts = arena_zalloc(c->arena, against.n + 1, sizeof *parts);
    if (predict_parts(s, c, m, &how, &against, parts))
        return -1;
    print_table(s, c->arena, m, parts, against.n);
    return 0;
}

/* where CONDITION: the points of the data set that fulfil it. */
static int table_where(struct session *s, struct cursor *c, struct model *m)
{
    const struct carrying here = {.to = NULL};
    struct condition condition;
    struct against_part chosen;
    struct part part;
    const char *text;
    if (read_condition(s, c, &condition, &text) || cursor_finish(c) ||
        against_choose(c, m, &condition, text, &chosen))
        return -1;
    model_resample(m); /* the intervals hold the uncertainty of the selection */
    size_t predicted = predict_part(s, c, m, &here, &chosen, &part);
    if (session_interrupt)
        return -1;
    if (predicted == 0)
        return against_nothing(c, &chosen);
    print_table(s, c->arena, m, &part, 1);
    return 0;
}

int command_table(struct session *s, struct cursor *c)
{
    const char *observable = NULL;
    struct span where;
    const char *name = cursor_experiment(c, &where);
    if (!name)
        return session_name_missing(s, c);
    const struct compose_definition *d = session_definition(s, name);
    if (d)
        return compose_table_definition(s, c, d);
    const struct experiment *e = session_experiment(s, c, name, where);
    if (!e || read_observable(c, &observable))
        return -1;
    bool against = cursor_keyword(c, "against");
    bool chosen = !against && cursor_keyword(c, "where");
    if (!against && !chosen && cursor_finish(c))
        return -1;
    if (against && cursor_done(c))
        return cursor_error_here(c, "the name of a file is missing: against FILE");
    struct model *m = session_model(s, e->name, observable, c->diag);
    if (!m)
        return -1;
    if (against)
        return table_against(s, c, m);
    if (chosen)
        return table_where(s, c, m);
    struct part own = {
        .points = model_points(m), .predicted = model_fitted(m), .left_out = model_left_out(m)};
    print_table(s, c->arena, m, &own, 1);
    return 0;
}
