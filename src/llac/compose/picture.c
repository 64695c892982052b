/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The picture of a definition: data first, then the script for gnuplot. */
#include "llac/compose/picture.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/number.h"
#include "llac/json.h"
#include "llac/text.h"

enum { CURVE = 60 };

static bool varies(const struct compose_places *p, size_t v)
{
    for (size_t i = 1; i < p->n; i++)
        if (p->at[v][i] != p->at[v][0])
            return true;
    return false;
}

static size_t choose_over(const struct compose_places *p, const struct compose_definition *d,
                          const char *over, struct diag *diag)
{
    for (size_t v = 0; v < p->nnames; v++)
        if (over ? strcmp(p->names[v], over) == 0 : varies(p, v))
            return v;
    if (over)
        diag_error(diag, "%s has no variable '%s' there", d->name, over);
    else
        diag_error(diag, "no variable varies: give the values to plot over, 'plot %s N=1000:64000'",
                   d->name);
    return SIZE_MAX;
}

/* Whether place k belongs to the same curve as place i. */
static bool same_curve(const struct compose_places *p, size_t over, size_t i, size_t k)
{
    for (size_t v = 0; v < p->nnames; v++)
        if (v != over && p->at[v][i] != p->at[v][k])
            return false;
    return true;
}

static char *label_of(struct arena *a, const struct compose_places *p, size_t over, size_t place)
{
    char number[NUMBER_SIZE], *label = arena_strdup(a, "");
    for (size_t v = 0; v < p->nnames; v++)
        if (v != over && varies(p, v))
            label = arena_printf(a, "%s%s%s=%s", label, *label ? " " : "", p->names[v],
                                 number_text(p->at[v][place], number));
    return label;
}

/* The curve between the smallest and the largest value, and the measured values. */
static int make_series(struct arena *a, const struct composition *c,
                       const struct compose_definition *d, const struct compose_places *p,
                       size_t over, size_t first, struct diag *diag, struct composed_plot *plot,
                       struct composed_series *s)
{
    double low = INFINITY, high = -INFINITY,
           *values = arena_alloc(a, p->nnames + 1, sizeof *values);
    double **lists[] = {&s->x, &s->y, &s->low, &s->high};
    for (size_t k = 0; k < 4; k++)
        *lists[k] = arena_alloc(a, CURVE, sizeof **lists[k]);
    s->at = arena_alloc(a, p->n + 1, sizeof *s->at);
    s->measured = arena_alloc(a, p->n + 1, sizeof *s->measured);
    s->label = label_of(a, p, over, first);
    for (size_t i = first; i < p->n; i++) {
        if (!same_curve(p, over, first, i))
            continue;
        low = fmin(low, p->at[over][i]);
        high = fmax(high, p->at[over][i]);
        if (p->measured && !isnan(p->measured[i])) {
            s->at[s->nmeasured] = p->at[over][i];
            s->measured[s->nmeasured++] = p->measured[i];
        }
    }
    compose_place(p, first, values);
    ARENA_LOCAL struct arena *work = arena_create();
    int status = 0;
    for (; s->n < CURVE && (s->n == 0 || low < high) && status == 0; s->n++) {
        struct composed at;
        double part = (double)s->n / (CURVE - 1);
        values[over] =
            low > 0 && high >= 8 * low ? low * pow(high / low, part) : low + part * (high - low);
        if (s->n == CURVE - 1)
            values[over] = high;
        arena_reset(work);
        status =
            compose_predict(work, c, d, &(struct place){p->names, values, p->nnames}, diag, &at);
        if (status)
            break;
        s->x[s->n] = values[over];
        s->y[s->n] = at.value;
        s->low[s->n] = at.low;
        s->high[s->n] = at.high;
        plot->is_time = at.is_time;
    }
    return status;
}

/* Logarithmic if the values span a wide range. */
static void choose_scales(enum plot_scale scale, struct composed_plot *p)
{
    double x[2] = {INFINITY, 0}, y[2] = {INFINITY, 0};
    for (size_t k = 0; k < p->nseries; k++) {
        const struct composed_series *s = &p->series[k];
        for (size_t i = 0; i < s->n; i++) {
            x[0] = fmin(x[0], s->x[i]), x[1] = fmax(x[1], s->x[i]);
            y[0] = fmin(y[0], s->y[i]), y[1] = fmax(y[1], s->y[i]);
        }
        for (size_t i = 0; i < s->nmeasured; i++)
            y[0] = fmin(y[0], s->measured[i]);
    }
    bool positive = x[0] > 0 && y[0] > 0;
    p->log_x = scale == PLOT_LOG ? x[0] > 0 : scale == PLOT_AUTO && x[0] > 0 && x[1] >= 8 * x[0];
    p->log_y = scale == PLOT_LOG ? positive : p->log_x && positive && y[1] >= 3 * y[0];
}

int compose_plot_make(struct arena *a, const struct composition *c,
                      const struct compose_definition *d, const struct compose_places *places,
                      const char *over, enum plot_scale scale, struct diag *diag,
                      struct composed_plot *out)
{
    size_t column = choose_over(places, d, over, diag);
    if (column == SIZE_MAX)
        return -1;
    *out = (struct composed_plot){.title = d->name, .over = places->names[column]};
    out->series = arena_zalloc(a, PLOT_MOST_SERIES, sizeof *out->series);
    for (size_t i = 0; i < places->n; i++) {
        bool known = false;
        for (size_t k = 0; k < i && !known; k++)
            known = same_curve(places, column, k, i);
        if (known)
            continue;
        if (out->nseries == PLOT_MOST_SERIES)
            return diag_error(diag, "more than %d curves: choose fewer values, or 'where'",
                              PLOT_MOST_SERIES);
        if (make_series(a, c, d, places, column, i, diag, out, &out->series[out->nseries]))
            return -1;
        out->nseries++;
    }
    choose_scales(scale, out);
    return 0;
}

/* ---- the script */

static void put_data(struct text *out, const struct composed_plot *p)
{
    for (size_t k = 0; k < p->nseries; k++) {
        const struct composed_series *s = &p->series[k];
        text_printf(out, "$curve%zu << END_OF_DATA\n", k);
        for (size_t i = 0; i < s->n; i++) {
            bool known = !isnan(s->low[i]) && (!p->log_y || s->low[i] > 0);
            text_printf(out, "%.17g %.17g %.17g %.17g\n", s->x[i], s->y[i],
                        known ? s->low[i] : s->y[i], isnan(s->high[i]) ? s->y[i] : s->high[i]);
        }
        text_printf(out, "END_OF_DATA\n$points%zu << END_OF_DATA\n", k);
        for (size_t i = 0; i < s->nmeasured; i++)
            text_printf(out, "%.17g %.17g\n", s->at[i], s->measured[i]);
        text_add(out, "END_OF_DATA\n");
    }
}

static void put_curves(struct text *out, const struct composed_plot *p)
{
    const char *between = "plot ";
    for (size_t k = 0; k < p->nseries; k++, between = ", ") {
        const struct composed_series *s = &p->series[k];
        text_printf(out,
                    "%s$curve%zu using 1:3:4 with filledcurves fillcolor rgb '#%06x' fillstyle "
                    "transparent solid 0.25 noborder notitle, $curve%zu using 1:2 with lines "
                    "linewidth 1.6 linecolor rgb '#%06x'",
                    between, k, gnuplot_colour(k, p->nseries), k, gnuplot_colour(k, p->nseries));
        gnuplot_title(out, *s->label ? s->label : p->title);
        if (s->nmeasured)
            text_printf(out,
                        ", $points%zu using 1:2 with points pointtype 7 pointsize 0.6 linecolor "
                        "rgb '#%06x' notitle",
                        k, gnuplot_colour(k, p->nseries));
    }
    text_add(out, "\n");
}

void compose_plot_script(struct text *out, const void *plot,
                         const struct gnuplot_terminal *terminal)
{
    const struct composed_plot *p = plot;
    gnuplot_begin_plot(out, terminal);
    put_data(out, p);
    gnuplot_set_text(out, "title", p->title);
    gnuplot_set_text(out, "xlabel", p->over);
    gnuplot_set_text(out, "ylabel", p->is_time ? "s" : p->title);
    text_add(out, "set key left top\n");
    if (p->log_x)
        text_add(out, "set logscale x\n");
    if (p->log_y)
        text_add(out, "set logscale y\nset format y '%g'\n");
    put_curves(out, p);
}

json_t *json_composed_plot(const struct composed_plot *p, const char *path)
{
    json_t *series = json_array();
    for (size_t k = 0; k < p->nseries; k++) {
        const struct composed_series *s = &p->series[k];
        json_t *measured = json_array(), *curve = json_array();
        for (size_t i = 0; i < s->nmeasured; i++)
            json_add(measured, "[%g %g]", s->at[i], s->measured[i]);
        for (size_t i = 0; i < s->n; i++)
            json_add(curve, "[%g %g %g %g]", s->x[i], s->y[i], s->low[i], s->high[i]);
        json_add(series, "{label:%s measured:%p curve:%p}", s->label, measured, curve);
    }
    return json_make("{definition:%s unit:%s over:%s file:%s series:%p}", p->title,
                     p->is_time ? "s" : "", p->over, path, series);
}
