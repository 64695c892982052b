/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How one constant varies along a variable: its pieces as steps, and local estimates. A local
 * estimate is the least-squares value of the constant from the points at up to three neighbouring
 * values of the variable in the same interval, with all other constants as fitted; its 95 %
 * interval contains the noise of these points alone.
 *
 * Points belong to the same series when the constant has the same pieces along the variable for
 * their values of the other variables: a constant that does not change with P has one series,
 * whatever P is.
 */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "llac/plot/plot.h"

enum { WINDOW_SIDE = 1, FEW_VALUES = 6 }; /* neighbours on each side; none where values are few */

/* Pieces of the constant along the axis for the other values of `x`, one for each interval. */
static void pieces_along(const struct constant_plot *p, const double *x, size_t *columns)
{
    const struct plot_frame *f = &p->frame;
    double at[PIECES_MAX_VARIABLES];
    memcpy(at, x, model_places(f->model) * sizeof *at);
    for (size_t k = 0; k <= f->nboundaries; k++) {
        if (f->column < model_places(f->model)) /* a boundary belongs to the piece below */
            at[f->column] = k < f->nboundaries ? plot_boundary(f, k)->at : f->x.high;
        size_t crossed, column = model_column_at(f->model, p->number, at, &crossed);
        columns[k] = crossed ? SIZE_MAX : column; /* never measured: not drawn */
    }
}

/* Whether the constant changes gradually along the axis. */
static bool is_gradual(const struct constant_plot *p)
{
    const struct pieces *pieces = model_pieces(p->frame.model);
    for (size_t k = 0; k < p->frame.nboundaries; k++)
        if (pieces->boundaries[p->frame.boundaries[k]].form != BOUNDARY_STEP &&
            pieces->changing[p->frame.boundaries[k]] >> p->number & 1)
            return true;
    return false;
}

/* Many small steps along a gradual change. */
static void make_curve(struct arena *a, const struct constant_plot *p, const double *x,
                       struct constant_series *s)
{
    const struct plot_frame *f = &p->frame;
    double at[PIECES_MAX_VARIABLES];
    memcpy(at, x, model_places(f->model) * sizeof *at);
    s->steps = arena_alloc(a, PLOT_CURVE, sizeof *s->steps);
    for (size_t i = 0; i < PLOT_CURVE; i++) {
        double end[2];
        struct model_piece here;
        for (int k = 0; k < 2; k++) {
            double part = (double)(i + (size_t)k) / PLOT_CURVE;
            end[k] = f->x.log ? f->x.low * pow(f->x.high / f->x.low, part)
                              : f->x.low + part * (f->x.high - f->x.low);
        }
        at[f->column] = f->x.log ? sqrt(end[0] * end[1]) : (end[0] + end[1]) / 2;
        if (model_constant_at(f->model, p->number, at, &here))
            s->steps[s->nsteps++] =
                (struct constant_step){end[0], end[1], here.value, here.low, here.high};
    }
}

static void make_steps(struct arena *a, const struct constant_plot *p, const size_t *columns,
                       struct constant_series *s)
{
    const struct plot_frame *f = &p->frame;
    s->steps = arena_alloc(a, f->nboundaries + 1, sizeof *s->steps);
    for (size_t k = 0; k <= f->nboundaries; k++) {
        double from = k ? plot_boundary(f, k - 1)->at : f->x.low;
        double to = k < f->nboundaries ? plot_boundary(f, k)->at : f->x.high;
        const struct model_piece *piece =
            columns[k] != SIZE_MAX ? model_columns(f->model).list[columns[k]].fitted : NULL;
        if (!piece)
            continue;
        if (k && columns[k] == columns[k - 1])
            s->steps[s->nsteps - 1].to = to;
        else
            s->steps[s->nsteps++] =
                (struct constant_step){from, to, piece->value, piece->low, piece->high};
    }
}

static void make_value(struct arena *a, const struct constant_plot *p, const double *x,
                       const size_t *columns, struct constant_series *s)
{
    if (is_gradual(p))
        make_curve(a, p, x, s);
    else
        make_steps(a, p, columns, s);
}

/* The intervals of the other variables that this series is in. */
static char *series_label(struct arena *a, const struct constant_plot *p, const double *x)
{
    const struct model *m = p->frame.model;
    size_t column = model_column_at(m, p->number, x, NULL);
    char *label = arena_strdup(a, "");
    const struct model_piece *piece =
        column != SIZE_MAX ? model_columns(m).list[column].fitted : NULL;
    for (size_t i = 0; piece && i < piece->nwhere; i++)
        if (strcmp(piece->where[i].variable, p->frame.over) != 0)
            label = arena_printf(a, "%s%s%s", label, *label ? ", " : "",
                                 model_interval_text(a, &piece->where[i]));
    return label;
}

static bool same_piece(const struct constant_plot *p, size_t one, size_t other)
{
    const struct model *m = p->frame.model;
    double x[PIECES_MAX_VARIABLES], y[PIECES_MAX_VARIABLES];
    model_place_in(m, model_points(m), one, x);
    model_place_in(m, model_points(m), other, y);
    return model_column_at(m, p->number, x, NULL) == model_column_at(m, p->number, y, NULL);
}

/* One estimate at each distinct value of the variable, from it and its neighbours. */
static void make_locals(struct arena *a, const struct constant_plot *p, size_t *list, size_t n,
                        struct constant_series *s)
{
    const double *x = p->frame.at;
    stats_order(list, n, x);
    size_t *starts = arena_alloc(a, n + 1, sizeof *starts), values = 0;
    for (size_t i = 0; i < n; i++)
        if (i == 0 || x[list[i]] != x[list[i - 1]])
            starts[values++] = i;
    starts[values] = n;
    size_t side = values < FEW_VALUES ? 0 : WINDOW_SIDE;
    s->locals = arena_alloc(a, values, sizeof *s->locals);
    for (size_t v = 0; v < values; v++) {
        size_t from = v, to = v + 1;
        while (from > 0 && v - from < side &&
               same_piece(p, list[starts[v]], list[starts[from - 1]]))
            from--;
        while (to < values && to - v <= side && same_piece(p, list[starts[v]], list[starts[to]]))
            to++;
        struct model_piece here;
        if (!model_constant_from(p->frame.model, p->number, list + starts[from],
                                 starts[to] - starts[from], &here))
            continue;
        s->locals[s->nlocals++] =
            (struct constant_local){x[list[starts[v]]], here.value, here.low, here.high};
    }
}

/* The axis holds the steps, their intervals, and the estimates that say something: those that are
 * known to half their value. */
static void find_height(struct constant_plot *p, enum plot_scale scale)
{
    struct plot_axis *y = &p->frame.y;
    double least = INFINITY, most = -INFINITY;
    y->low = INFINITY;
    y->high = -INFINITY;
    for (size_t s = 0; s < p->nseries; s++) {
        for (size_t i = 0; i < p->series[s].nsteps; i++) {
            const struct constant_step *step = &p->series[s].steps[i];
            y->low = fmin(y->low, fmin(step->value, step->low));
            y->high = fmax(y->high, fmax(step->value, step->high));
            least = fmin(least, step->value);
            most = fmax(most, step->value);
        }
        for (size_t i = 0; i < p->series[s].nlocals; i++) {
            const struct constant_local *l = &p->series[s].locals[i];
            if (isnan(l->low) || l->high - l->low > fabs(l->value))
                continue;
            y->low = fmin(y->low, l->low);
            y->high = fmax(y->high, l->high);
        }
    }
    y->log = scale != PLOT_LINEAR && y->low > 0 && most >= 20 * least;
}

static char *constant_unit(struct arena *a, const struct model *m, size_t constant,
                           const struct constant_plot *p)
{
    const char *term = formula_text(a, model_term(a, m, constant));
    const char *unit = strcmp(p->frame.unit, "s") == 0 ? "s" : p->frame.observable;
    if (p->constant->is_exponent)
        return arena_strdup(a, "");
    return strcmp(term, "1") == 0 ? arena_strdup(a, unit)
                                  : arena_printf(a, "%s per %s", unit, term);
}

/* The first variable along which the constant changes; SIZE_MAX if there is none. */
static size_t changes_along(const struct model *m, size_t constant)
{
    const struct pieces *p = model_pieces(m);
    for (size_t c = 0; c < p->nboundaries; c++)
        if (p->changing[c] >> constant & 1)
            return p->boundaries[c].variable;
    return SIZE_MAX;
}

/* The derived variable of this name; SIZE_MAX without one. */
static size_t find_derived(const struct model *m, const char *name)
{
    for (size_t v = 0; v < model_places(m); v++)
        if (model_place_formula(m, v) && strcmp(model_place_name(m, v), name) == 0)
            return v;
    return SIZE_MAX;
}

/* Which series each point belongs to; members[s] lists them. */
static int make_series(struct arena *a, struct constant_plot *p, struct diag *diag)
{
    const struct model *m = p->frame.model;
    size_t width = p->frame.nboundaries + 1,
           *sizes = arena_zalloc(a, PLOT_MOST_SERIES, sizeof *sizes),
           *seen = arena_alloc(a, PLOT_MOST_SERIES * width, sizeof *seen),
           *columns = arena_alloc(a, width, sizeof *columns), **members;
    members = arena_alloc(a, PLOT_MOST_SERIES, sizeof *members);
    p->series = arena_zalloc(a, PLOT_MOST_SERIES, sizeof *p->series);
    for (size_t i = 0; i < model_points(m)->n; i++) {
        double x[PIECES_MAX_VARIABLES];
        size_t s = 0;
        model_place_in(m, model_points(m), i, x);
        pieces_along(p, x, columns);
        while (s < p->nseries && memcmp(seen + s * width, columns, width * sizeof *columns) != 0)
            s++;
        if (s == PLOT_MOST_SERIES)
            return diag_error(diag, "more than %d sets of values: choose some with 'where'",
                              PLOT_MOST_SERIES);
        if (s == p->nseries) {
            memcpy(seen + s * width, columns, width * sizeof *columns);
            members[s] = arena_alloc(a, model_points(m)->n, sizeof **members);
            make_value(a, p, x, columns, &p->series[s]);
            p->series[s].label = series_label(a, p, x);
            p->nseries++;
        }
        if (!model_left_out(m)[i])
            members[s][sizes[s]++] = i;
    }
    for (size_t s = 0; s < p->nseries; s++)
        make_locals(a, p, members[s], sizes[s], &p->series[s]);
    return 0;
}

int constant_plot_make(struct arena *a, const struct model *m, size_t constant, const char *over,
                       enum plot_scale scale, struct diag *diag, struct constant_plot *out)
{
    memset(out, 0, sizeof *out);
    out->constant = &model_constants(m).list[constant];
    out->number = constant;
    if (out->constant->npieces == 0)
        return diag_error(diag,
                          "the data do not determine %s: there is nothing to draw; 'fit' says why",
                          out->constant->name);
    size_t derived = over ? find_derived(m, over) : SIZE_MAX,
           along = over ? derived : changes_along(m, constant);
    if (plot_frame_make(m, NULL, derived == SIZE_MAX ? over : NULL, NULL, along, scale, diag,
                        &out->frame))
        return -1;
    out->unit = constant_unit(a, m, constant, out);
    if (make_series(a, out, diag))
        return -1;
    find_height(out, scale);
    return plot_check_axes(&out->frame, diag);
}
