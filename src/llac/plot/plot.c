/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The data of a plot: points in series, the curve of each with its interval, sampled evenly along
 * the axis and on both sides of each boundary, so that the picture shows a step where the model has
 * one.
 */
#include "llac/plot/plot.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/number.h"
#include "model/points.h"
#include "llac/text.h"

static size_t find_column(const struct points *p, const char *name, struct diag *diag)
{
    size_t column = points_find(p, name);
    if (column == SIZE_MAX) {
        ARENA_LOCAL struct arena *scratch = arena_create();
        diag_error(diag, "%s", points_no_variable(scratch, p, NULL, name));
    }
    return column;
}

/* Whether the variable can be chosen: it varies, and it is not the one that tells curves apart. */
static bool can_be_over(const struct points *p, size_t column, const char *by)
{
    return !points_constant(p, column) && !(by && strcmp(p->names[column], by) == 0);
}

static size_t choose_over(const struct model *m, const struct points *p, const char *over,
                          const char *by, size_t preferred, struct diag *diag)
{
    if (over)
        return find_column(p, over, diag);
    if (preferred != SIZE_MAX)
        return preferred;
    ARENA_LOCAL struct arena *a = arena_create();
    size_t n, found = SIZE_MAX;
    const char **used = model_variables(a, m, &n);
    for (size_t i = 0; i < n && found == SIZE_MAX; i++)
        for (size_t j = 0; j < p->nnames; j++)
            if (strcmp(used[i], p->names[j]) == 0 && can_be_over(p, j, by))
                found = j;
    if (found != SIZE_MAX)
        return found;
    for (size_t j = 0; j < p->nnames; j++)
        if (can_be_over(p, j, by))
            return j;
    diag_error(diag, "no %svariable of %s varies: there is nothing to plot over",
               by ? "other " : "", p->request->experiment->name);
    return SIZE_MAX;
}

/* Whether the distinct values are spaced by factors rather than by differences: their middle is in
 * the lowest third of the range. */
static bool spread_by_factors(const double *v, size_t n)
{
    MEM_LOCAL double *sorted = mem_alloc(n, sizeof *sorted);
    memcpy(sorted, v, n * sizeof *v);
    size_t distinct = stats_distinct(sorted, n);
    double low = sorted[0], high = sorted[distinct - 1];
    double middle = stats_sorted_quantile(sorted, distinct, 0.5);
    return low > 0 && high >= 8 * low && 3 * (middle - low) < high - low;
}

static bool all_powers_of_two(const double *v, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!(v[i] >= 1) || log2(v[i]) != floor(log2(v[i])))
            return false;
    return true;
}

static void widen(const double *v, size_t n, double *low, double *high)
{
    for (size_t i = 0; i < n; i++) {
        *low = fmin(*low, v[i]);
        *high = fmax(*high, v[i]);
    }
}

static void find_range(const double *v, size_t n, double *low, double *high)
{
    *low = INFINITY;
    *high = -INFINITY;
    widen(v, n, low, high);
}

/* Logarithmic if the values span a wide range: both axes span a factor of 20, or the variable's
 * values are spread by factors; the vertical one then only if it spans a factor of 3. */
static void choose_scale(const struct points *p, enum plot_scale scale, struct plot_frame *f)
{
    const double *x = f->at;
    double y_low, y_high;
    find_range(x, p->n, &f->x.low, &f->x.high);
    find_range(p->value, p->n, &y_low, &y_high);
    bool positive = f->x.low > 0 && y_low > 0;
    bool wide = positive && f->x.high >= 20 * f->x.low && y_high >= 20 * y_low;
    bool factors = spread_by_factors(x, p->n);
    f->x.log = scale == PLOT_LOG ? positive : scale == PLOT_AUTO ? wide || factors : false;
    f->y.log = scale == PLOT_LOG    ? positive
               : scale == PLOT_AUTO ? wide || (factors && positive && y_high >= 3 * y_low)
                                    : false;
    f->x.powers_of_two = f->x.log && all_powers_of_two(x, p->n);
}

/* The axis goes on to x. Far from the data, both axes are logarithmic where they can be. */
static void reach_to(struct plot_frame *f, enum plot_scale scale, double x)
{
    const struct points *p = f->drawn.points;
    double y_low, y_high;
    f->x.low = fmin(f->x.low, x);
    f->x.high = fmax(f->x.high, x);
    find_range(p->value, p->n, &y_low, &y_high);
    if (scale == PLOT_AUTO && f->x.low > 0 && y_low > 0 && f->x.high >= 20 * f->x.low)
        f->x.log = f->y.log = true;
    if (!(f->x.low > 0))
        f->x.log = false;
    f->x.powers_of_two = f->x.log && f->x.powers_of_two && all_powers_of_two(&x, 1);
}

int plot_frame_make(const struct model *m, const struct plot_points *chosen, const char *over,
                    const char *by, size_t preferred, enum plot_scale scale, struct diag *diag,
                    struct plot_frame *out)
{
    const struct plot_points own = {model_points(m), model_fitted(m), model_left_out(m)};
    memset(out, 0, sizeof *out);
    out->model = m;
    out->drawn = chosen ? *chosen : own;
    const struct points *p = out->drawn.points;
    out->column = choose_over(m, p, over, by, preferred, diag);
    if (out->column == SIZE_MAX)
        return -1;
    bool of_points = out->column < p->nnames;
    out->over = of_points ? p->names[out->column] : model_place_name(m, out->column);
    out->at = of_points ? p->at[out->column] : model_place_values(m, out->column);
    out->observable = model_points(m)->request->observable;
    const struct points_request *r = model_points(m)->request;
    out->spread = points_is_spread(r) ? statistics[r->statistic].text : NULL;
    out->unit = points_unit(model_points(m)->request);
    out->title = model_points(m)->request->experiment->name;
    choose_scale(p, scale, out);
    const struct pieces *pieces = model_pieces(m);
    for (size_t c = 0; c < pieces->nboundaries; c++) {
        const struct boundary *b = &pieces->boundaries[c];
        if (b->variable == out->column && b->at > out->x.low && b->at < out->x.high)
            out->boundaries[out->nboundaries++] = c;
    }
    return 0;
}

const struct boundary *plot_boundary(const struct plot_frame *f, size_t i)
{
    return &model_pieces(f->model)->boundaries[f->boundaries[i]];
}

bool plot_is_left_out(const struct plot_frame *f, size_t point)
{
    return f->drawn.left_out && f->drawn.left_out[point];
}

double plot_error(const struct plot_frame *f, size_t point)
{
    double measured = f->drawn.points->value[point];
    return measured != 0 ? 100 * (measured - f->drawn.predicted[point]) / measured : NAN;
}

/* The variables that tell curves apart: those of the model and `by`. */
static bool *choose_distinct(struct arena *a, const struct plot_frame *f, const char *by)
{
    const struct points *p = f->drawn.points;
    size_t n;
    const char **used = model_variables(a, f->model, &n);
    bool *distinct = arena_zalloc(a, p->nnames, sizeof *distinct);
    for (size_t j = 0; j < p->nnames; j++) {
        distinct[j] = text_is_in(used, n, p->names[j]) || (by && strcmp(by, p->names[j]) == 0);
        distinct[j] = distinct[j] && j != f->column && !points_constant(p, j);
    }
    return distinct;
}

/* Where every point would be a curve of its own, another variable goes along with `over`: one curve
 * then leads from point to point. */
static bool goes_along(const struct plot_frame *f, const bool *distinct)
{
    const struct points *p = f->drawn.points;
    for (size_t i = 1; i < p->n; i++)
        for (size_t k = 0; k < i; k++) {
            bool alike = true;
            for (size_t j = 0; j < p->nnames && alike; j++)
                alike = !distinct[j] || p->at[j][i] == p->at[j][k];
            if (alike)
                return false;
        }
    return p->n > 1;
}

/* All points in one series, from left to right. */
static void join_points(struct arena *a, struct plot *out)
{
    const struct points *p = out->frame.drawn.points;
    const double *x = p->at[out->frame.column];
    size_t *list = arena_alloc(a, p->n, sizeof *list);
    for (size_t i = 0; i < p->n; i++) {
        size_t k = i;
        for (; k > 0 && x[list[k - 1]] > x[i]; k--)
            list[k] = list[k - 1];
        list[k] = i;
    }
    out->series = arena_zalloc(a, 1, sizeof *out->series);
    out->series[0] = (struct plot_series){.frame = &out->frame,
                                          .label = arena_strdup(a, ""),
                                          .points = list,
                                          .npoints = p->n,
                                          .joined = true};
    out->nseries = 1;
}

/* Labels and members of the curves. */
static int make_series(struct arena *a, struct plot *out, const bool *distinct, struct diag *diag)
{
    const struct points *p = out->frame.drawn.points;
    size_t *of = arena_alloc(a, p->n, sizeof *of),
           *first = arena_alloc(a, PLOT_MOST_SERIES, sizeof *first);
    out->series = arena_zalloc(a, PLOT_MOST_SERIES, sizeof *out->series);
    for (size_t i = 0; i < p->n; i++) {
        size_t s = 0;
        for (bool alike = false; s < out->nseries; s++) {
            alike = true;
            for (size_t j = 0; j < p->nnames && alike; j++)
                alike = !distinct[j] || p->at[j][i] == p->at[j][first[s]];
            if (alike)
                break;
        }
        if (s == PLOT_MOST_SERIES)
            return diag_error(diag, "more than %d curves: choose some with 'where'",
                              PLOT_MOST_SERIES);
        if (s == out->nseries)
            first[out->nseries++] = i;
        of[i] = s;
        out->series[s].npoints++;
    }
    for (size_t s = 0; s < out->nseries; s++) {
        struct plot_series *q = &out->series[s];
        size_t *list = arena_alloc(a, q->npoints, sizeof *list), n = 0;
        char number[NUMBER_SIZE];
        q->frame = &out->frame;
        q->label = arena_strdup(a, "");
        for (size_t i = 0; i < p->n; i++)
            if (of[i] == s)
                list[n++] = i;
        for (size_t j = 0; j < p->nnames; j++)
            if (distinct[j])
                q->label = arena_printf(a, "%s%s%s=%s", q->label, *q->label ? " " : "", p->names[j],
                                        number_text(p->at[j][first[s]], number));
        q->points = list;
    }
    return 0;
}

/* Where the curve is computed: evenly along the axis, at the ends of the data, and at both sides of each
 * boundary and of the gap it is in. Returns how many. */
static size_t curve_places(const struct plot_frame *f, const struct plot_series *s, double from,
                           double to, double *x)
{
    size_t n = 0;
    if (s->from > from)
        x[n++] = s->from;
    if (s->to < to)
        x[n++] = s->to;
    size_t ends = n;
    for (size_t i = 0; i < PLOT_CURVE && (from < to || i == 0); i++) {
        double part = (double)i / (PLOT_CURVE - 1);
        x[n++] = f->x.log ? from * pow(to / from, part) : from + part * (to - from);
    }
    if (n > ends + 1)
        x[n - 1] = to;
    for (size_t c = 0; c < f->nboundaries; c++) {
        const struct boundary *boundary = plot_boundary(f, c);
        double places[] = {boundary->below, nextafter(boundary->below, INFINITY),
                           boundary->at,    nextafter(boundary->at, INFINITY),
                           boundary->above, nextafter(boundary->above, -INFINITY)};
        for (size_t k = 0; k < sizeof places / sizeof *places; k++)
            if (places[k] > from && places[k] < to)
                x[n++] = places[k];
    }
    stats_sort(x, n);
    return n;
}

static int make_curve(struct arena *a, const struct plot_frame *f, const double *reach, int nreach,
                      struct plot_series *s, struct diag *diag)
{
    const struct points *points = f->drawn.points;
    double from = INFINITY, to = -INFINITY;
    for (size_t i = 0; i < s->npoints; i++) {
        from = fmin(from, points->at[f->column][s->points[i]]);
        to = fmax(to, points->at[f->column][s->points[i]]);
    }
    s->from = from, s->to = to;
    for (int i = 0; i < nreach; i++)
        from = fmin(from, reach[i]), to = fmax(to, reach[i]);
    size_t room = s->joined ? s->npoints : PLOT_CURVE + 6 * f->nboundaries + 2;
    double **lists[] = {&s->x, &s->y, &s->low, &s->high};
    for (int k = 0; k < 4; k++)
        *lists[k] = arena_alloc(a, room, sizeof **lists[k]);
    s->fresh = arena_zalloc(a, room, sizeof *s->fresh);
    s->n = s->joined ? s->npoints : curve_places(f, s, from, to, s->x);
    double *at = arena_alloc(a, points->nnames, sizeof *at);
    for (size_t j = 0; j < points->nnames; j++)
        at[j] = points->at[j][s->points[0]];
    ARENA_LOCAL struct arena *work = arena_create();
    int status = 0;
    for (size_t i = 0; i < s->n && status == 0; i++) {
        struct prediction one;
        for (size_t j = 0; s->joined && j < points->nnames; j++)
            at[j] = points->at[j][s->points[i]];
        if (s->joined)
            s->x[i] = at[f->column];
        at[f->column] = s->x[i];
        arena_reset(work);
        status = model_predict(work, f->model, &(struct place){points->names, at, points->nnames},
                               diag, &one);
        if (status == 0)
            prediction_as_point(&one);
        s->y[i] = one.value, s->low[i] = one.low, s->high[i] = one.high;
        for (size_t c = 0; c < f->nboundaries && i > 0; c++) {
            const struct boundary *b = plot_boundary(f, c);
            s->fresh[i] = s->fresh[i] ||
                          (b->form == BOUNDARY_STEP && s->x[i - 1] <= b->at && s->x[i] > b->at);
        }
    }
    return status;
}

static void find_range_of_measured(const struct plot *p, double *low, double *high)
{
    *low = INFINITY;
    *high = -INFINITY;
    for (size_t s = 0; s < p->nseries; s++)
        widen(p->series[s].measured, p->series[s].npoints, low, high);
    for (size_t k = 0; k < p->nothers; k++)
        widen(p->others[k].points->value, p->others[k].points->n, low, high);
}

static void copy_measured(struct arena *a, const struct points *points, struct plot_series *s)
{
    s->measured = arena_alloc(a, s->npoints, sizeof *s->measured);
    for (size_t i = 0; i < s->npoints; i++)
        s->measured[i] = points->value[s->points[i]];
}

/* The vertical axis holds points and curves, and of the intervals what is not far away: one wide
 * interval must not flatten the rest. */
void plot_find_height(struct plot *p)
{
    struct plot_axis *y = &p->frame.y;
    find_range_of_measured(p, &y->low, &y->high);
    for (size_t s = 0; s < p->nseries; s++)
        for (size_t i = 0; i < p->series[s].n; i++) {
            y->low = fmin(y->low, p->series[s].y[i]);
            y->high = fmax(y->high, p->series[s].y[i]);
        }
    double low = y->low, high = y->high, reach = 0.2 * (high - low);
    if (y->log && !(low > 0)) /* the model goes below zero between positive points */
        find_range_of_measured(p, &y->low, &low), low = y->low;
    for (size_t s = 0; s < p->nseries; s++)
        for (size_t i = 0; i < p->series[s].n; i++) {
            const struct plot_series *q = &p->series[s];
            if (!isfinite(q->low[i]) || !isfinite(q->high[i]))
                continue;
            y->low = fmin(y->low, fmax(q->low[i], y->log ? low / 2 : low - reach));
            y->high = fmax(y->high, fmin(q->high[i], y->log ? high * 2 : high + reach));
        }
}

int plot_check_axes(const struct plot_frame *f, struct diag *diag)
{
    const double most = 1e300; /* leaves room for the axis's ends */
    const double ends[] = {f->x.low, f->x.high, f->y.low, f->y.high};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (!(fabs(ends[i]) <= most))
            return diag_error(
                diag,
                "%s cannot be drawn: its values are not finite, or larger than 1e300; choose "
                "others with 'where'",
                f->title);
    return 0;
}

bool plot_leaves_out(const struct plot_series *s)
{
    for (size_t i = 0; i < s->npoints; i++)
        if (plot_is_left_out(s->frame, s->points[i]))
            return true;
    return false;
}

double plot_other_error(const struct plot_other *o, size_t point)
{
    double measured = o->points->value[point];
    return measured != 0 ? 100 * (measured - o->predicted[point]) / measured : NAN;
}

/* How far curves go: as asked, and as far as the points of other files. *reach gets the values;
 * returns how many there are, 0 to 2: one below the data, one beyond. */
static int find_reach(const struct plot_request *r, struct plot *out, double reach[2],
                      struct diag *diag)
{
    struct plot_frame *f = &out->frame;
    double low = f->x.low, high = f->x.high, from = low, to = high;
    for (size_t k = 0; k < r->nothers; k++) {
        const struct points *p = r->others[k].points;
        size_t column = points_find(p, f->over);
        if (column == SIZE_MAX)
            return diag_error(diag, "%s has no variable '%s': its points cannot be drawn over it",
                              r->others[k].path, f->over);
        widen(p->at[column], p->n, &from, &to);
    }
    bool inside = r->to && *r->to >= low && *r->to <= high;
    if (inside && !r->may_be_inside) {
        char number[NUMBER_SIZE], most[NUMBER_SIZE];
        return diag_error(
            diag, "'to %s=%s' is inside the data, which reach to %s: give a value beyond them",
            f->over, number_text(*r->to, number), number_text(high, most));
    }
    if (r->to && !inside)
        from = fmin(from, *r->to), to = fmax(to, *r->to);
    int n = 0;
    if (from < low)
        reach[n++] = from;
    if (to > high)
        reach[n++] = to;
    for (int i = 0; i < n; i++)
        reach_to(f, r->scale, reach[i]);
    return n;
}

/* The curve that a point of another file belongs to: all variables that tell curves apart agree. */
static size_t series_of(const struct plot *p, const bool *distinct, const struct points *other,
                        size_t point)
{
    const struct points *own = p->frame.drawn.points;
    for (size_t s = 0; s < p->nseries; s++) {
        bool alike = !p->series[s].joined;
        for (size_t j = 0; j < own->nnames && alike; j++) {
            size_t column = points_find(other, own->names[j]);
            alike = !distinct[j] || (column != SIZE_MAX && other->at[column][point] ==
                                                               own->at[j][p->series[s].points[0]]);
        }
        if (alike)
            return s;
    }
    return p->nseries == 1 && p->series[0].joined ? 0 : SIZE_MAX;
}

static void take_others(struct arena *a, const struct plot_request *r, const bool *distinct,
                        struct plot *out)
{
    out->others = arena_alloc(a, r->nothers + 1, sizeof *out->others);
    out->nothers = r->nothers;
    for (size_t k = 0; k < r->nothers; k++) {
        struct plot_other *o = &out->others[k];
        *o = r->others[k];
        o->series = arena_alloc(a, o->points->n + 1, sizeof *o->series);
        for (size_t i = 0; i < o->points->n; i++) {
            double error = fabs(plot_other_error(o, i));
            o->series[i] = series_of(out, distinct, o->points, i);
            if (isfinite(error))
                out->most_error = fmax(out->most_error, error);
        }
    }
}

int plot_make(struct arena *a, const struct model *m, const struct plot_request *r,
              struct diag *diag, struct plot *out)
{
    double reach[2];
    const char *by = r->by;
    memset(out, 0, sizeof *out);
    if (plot_frame_make(m, r->chosen, r->over, by, SIZE_MAX, r->scale, diag, &out->frame))
        return -1;
    const struct points *p = out->frame.drawn.points;
    int nreach = find_reach(r, out, reach, diag);
    if (nreach < 0)
        return -1;
    if (by && find_column(p, by, diag) == SIZE_MAX)
        return -1;
    if (by && strcmp(by, out->frame.over) == 0)
        return diag_error(diag, "'over %s by %s': the two must differ", by, by);
    const bool *distinct = choose_distinct(a, &out->frame, by);
    if (goes_along(&out->frame, distinct))
        join_points(a, out);
    else if (make_series(a, out, distinct, diag))
        return -1;
    if (r->to && out->series[0].joined)
        return diag_error(
            diag,
            "the curve cannot go on to other values of %s: other variables change along "
            "with it; 'predict' takes values of all of them",
            out->frame.over);
    for (size_t s = 0; s < out->nseries; s++) {
        if (make_curve(a, &out->frame, reach, nreach, &out->series[s], diag))
            return -1;
        copy_measured(a, p, &out->series[s]);
        out->beyond = out->beyond || out->series[s].x[0] < out->series[s].from ||
                      out->series[s].x[out->series[s].n - 1] > out->series[s].to;
    }
    take_others(a, r, distinct, out);
    plot_find_height(out);
    for (size_t i = 0; i < p->n; i++)
        if (!plot_is_left_out(&out->frame, i))
            out->most_error = fmax(out->most_error, fabs(plot_error(&out->frame, i)));
    if (!(out->most_error <= 1e300))
        out->most_error = 1e300;
    return plot_check_axes(&out->frame, diag);
}
