/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Scripts for gnuplot. Names and titles are quoted and never interpreted; all ranges and marks are
 * set here, so that the picture does not depend on gnuplot's defaults.
 *
 * A picture has two panels with one horizontal axis (values above, errors below), every second
 * interval of the variable shaded, a dashed line at each boundary.
 */
#include "llac/plot/script.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/number.h"
#include "base/path.h"
#include "base/quote.h"
#include "base/text.h"
#include "llac/text.h"

#define GREY "'#707070'"

enum {
    WIDE = 1000, /* logarithmic axes from this factor on have marks at powers of ten alone */
    FEW_SERIES = 3
};

static int shape_of(size_t s)
{
    static const int shapes[] = {7, 5, 9, 13, 11, 6, 4, 8, 12, 10};
    return shapes[s % (sizeof shapes / sizeof *shapes)];
}

/* The axis with some room at its ends. */
static void ends_of(const struct plot_axis *axis, double *low, double *high)
{
    *low = axis->low;
    *high = axis->high;
    if (axis->log) {
        double room = fmax(pow(axis->high / axis->low, 0.04), 1.02);
        *low /= room;
        *high *= room;
        return;
    }
    double room = 0.04 * (axis->high - axis->low);
    if (!(room > 0))
        room = fmax(0.1 * fabs(axis->high), 1e-300);
    *low = axis->low >= 0 ? fmax(axis->low - room, 0) : axis->low - room;
    *high += room;
}

/* Marks at 1, 2, 5 times powers of ten, where whole powers would be too few. */
static void put_fine_marks(struct text *out, char axis, double low, double high)
{
    static const double steps[] = {1, 2, 5};
    const char *between = "";
    text_printf(out, "set %ctics (", axis);
    for (int e = (int)floor(log10(low)); e <= (int)ceil(log10(high)); e++)
        for (int k = 0; k < 3; k++) {
            double at = steps[k] * pow(10, e);
            if (at < low || at > high)
                continue;
            text_printf(out, "%s%.10g", between, at);
            between = ", ";
        }
    text_add(out, ")\n");
}

/* Values on a vertical axis are shown in a unit in which they are not tiny or huge: 10 to
 * this power. */
static int exponent_of(const struct plot_axis *y)
{
    double most = fmax(fabs(y->low), fabs(y->high));
    bool powers = y->log && y->high >= WIDE * y->low; /* written as such */
    if (powers || !(most > 0) || (most >= 0.1 && most < 1e5))
        return 0;
    int e = number_exponent(most);
    return e - ((e % 3) + 3) % 3;
}

static double scaled(const struct plot_axis *y, double value)
{
    int e = exponent_of(y);
    return e > -300 ? value * pow(10, -e) : value * 1e300 * pow(10, -e - 300);
}

/* "ms", "10^6 s per N": a unit that begins with s has prefixes. */
static void put_scaled_unit(struct text *out, int exponent, const char *unit)
{
    static const char *const prefixes[] = {"m", "\302\265", "n", "p"};
    bool seconds = strcmp(unit, "s") == 0 || strncmp(unit, "s per", 5) == 0;
    if (exponent < 0 && exponent >= -12 && seconds)
        text_printf(out, "%s%s", prefixes[-exponent / 3 - 1], unit);
    else if (exponent)
        text_printf(out, "10^%d%s%s", exponent, *unit ? " " : "", unit);
    else
        text_add(out, unit);
}

static void put_axis(struct text *out, char which, const struct plot_axis *axis)
{
    double low, high;
    ends_of(axis, &low, &high);
    text_printf(out, "set %crange [%.10g:%.10g]\n", which, low, high);
    if (!axis->log) {
        text_printf(out, "set format %c '%%.10g'\n", which);
        return;
    }
    if (axis->powers_of_two) {
        text_printf(out, "set logscale %c 2\nset format %c '%s'\n", which, which,
                    axis->high >= 4096 ? "2^{%L}" : "%.0f");
        return;
    }
    bool wide = axis->high >= WIDE * axis->low;
    text_printf(out, "set logscale %c\nset format %c '%s'\n", which, which,
                wide ? "10^{%T}" : "%g");
    if (!wide)
        put_fine_marks(out, which, low, high);
}

/* Every second interval shaded; a dashed line at each boundary. */
static void put_intervals(struct text *out, const struct plot_frame *f)
{
    double low, high;
    ends_of(&f->x, &low, &high);
    for (size_t c = 0; c < f->nboundaries; c++) {
        const struct boundary *boundary = plot_boundary(f, c);
        double next = c + 1 < f->nboundaries ? plot_boundary(f, c + 1)->at : high;
        if (c % 2 == 0)
            text_printf(out,
                        "set object rectangle from %.10g, graph 0 to %.10g, graph 1 behind "
                        "fillcolor rgb '#efefe6' fillstyle solid noborder\n",
                        boundary->at, next);
        text_printf(out,
                    "set arrow from %.10g, graph 0 to %.10g, graph 1 nohead back dashtype 2 "
                    "linewidth 1 linecolor rgb " GREY "\n",
                    boundary->at, boundary->at);
    }
}

/* "f[2], f[3] change at N = 3160" */
static void boundary_text(struct text *out, const struct plot_frame *f, size_t boundary)
{
    const struct pieces *pieces = model_pieces(f->model);
    struct model_constants constants = model_constants(f->model);
    char number[NUMBER_SIZE];
    size_t n = 0;
    for (size_t k = 0; k < constants.n; k++)
        if (pieces->changing[boundary] >> k & 1)
            text_printf(out, "%s%s", n++ ? ", " : "", constants.list[k].name);
    static const char *const where[] = {
        [BOUNDARY_STEP] = "at", [BOUNDARY_BEND] = "from", [BOUNDARY_SMOOTH] = "around"};
    text_printf(out, " change%s %s %s = %s", n == 1 ? "s" : "",
                where[pieces->boundaries[boundary].form], f->over,
                text_rounded(pieces->boundaries[boundary].at, 3, number));
}

/* Sets of constants have boundaries of their own: a dashed line in the colour of the set. */
static void put_boundaries_of_sets(struct text *out, const struct plot *p)
{
    for (size_t s = 0; s < p->nseries && p->sets; s++) {
        const struct plot_frame *f = p->series[s].frame;
        const struct boundary *list = model_pieces(f->model)->boundaries;
        for (size_t c = 0; c < f->nboundaries && (s == 0 || p->series[s - 1].frame != f); c++)
            text_printf(out,
                        "set arrow from %.10g, graph 0 to %.10g, graph 1 nohead back dashtype 2 "
                        "linewidth 1 linecolor rgb '#%06x'\n",
                        list[f->boundaries[c]].at, list[f->boundaries[c]].at,
                        gnuplot_colour(s, p->nseries));
    }
}

/* What changes at each boundary, beside its line: from the bottom where curves rise, from the top
 * where steps do. */
static void put_boundary_labels(struct text *out, const struct plot_frame *f, bool at_top)
{
    double low, high;
    ends_of(&f->x, &low, &high);
    for (size_t c = 0; c < f->nboundaries; c++) {
        double at = plot_boundary(f, c)->at;
        double part = f->x.log ? log(at / low) / log(high / low) : (at - low) / (high - low);
        TEXT_LOCAL struct text t = text_new();
        boundary_text(&t, f, f->boundaries[c]);
        text_add(out, "set label ");
        quote_gnuplot(out, t.s);
        text_printf(out, " noenhanced at %.10g, graph %.3f %s offset %s,0 textcolor rgb " GREY "\n",
                    at, at_top ? 0.95 - 0.06 * (double)(c % 4) : 0.05 + 0.06 * (double)(c % 4),
                    part > 0.6 ? "right" : "left", part > 0.6 ? "-0.7" : "0.7");
    }
}

static void put_common(struct text *out, const struct plot_frame *f,
                       const struct gnuplot_terminal *terminal)
{
    gnuplot_begin_plot(out, terminal);
    put_axis(out, 'x', &f->x);
    put_intervals(out, f);
}

/* Between the measured values on both sides of a boundary. There intervals hold what either side
 * says; of many series they would hide each other, and are not drawn. */
static bool in_gap(const struct plot_frame *f, double x)
{
    for (size_t c = 0; c < f->nboundaries; c++) {
        const struct boundary *boundary = plot_boundary(f, c);
        if (boundary->form == BOUNDARY_STEP && x > boundary->below && x < boundary->above)
            return true;
    }
    return false;
}

/* The rows of a curve from one value of the variable to another one. */
static void put_curve(struct text *out, const struct plot *p, const struct plot_series *q,
                      double from, double to)
{
    double floor = p->frame.y.low / 10;
    for (size_t i = 0; i < q->n; i++) {
        if (q->x[i] < from || q->x[i] > to)
            continue;
        bool known = isfinite(q->low[i]);
        known = known && !(p->nseries > FEW_SERIES && in_gap(q->frame, q->x[i]));
        double low = known ? q->low[i] : q->y[i];
        /* what reaches 0 cannot be drawn on a logarithmic axis */
        low = p->frame.y.log ? fmax(low, floor) : low;
        double y = p->frame.y.log ? fmax(q->y[i], floor) : q->y[i];
        text_printf(out, "%s%.17g %.17g %.17g %.17g\n", q->fresh[i] ? "\n" : "", q->x[i],
                    scaled(&p->frame.y, y), scaled(&p->frame.y, low),
                    scaled(&p->frame.y, known ? q->high[i] : q->y[i]));
    }
}

static void put_series_data(struct text *out, const struct plot *p, size_t s)
{
    const struct plot_series *q = &p->series[s];
    const double *x = q->frame->drawn.points->at[q->frame->column];
    double edge = 1.12 * fmax(p->most_error, 1e-9);
    for (int left_out = 0; left_out <= 1; left_out++) {
        text_printf(out, "$%s%zu << END_OF_DATA\n", left_out ? "left" : "points", s);
        for (size_t i = 0; i < q->npoints; i++) {
            size_t point = q->points[i];
            double error = plot_error(q->frame, point);
            if (plot_is_left_out(q->frame, point) != left_out)
                continue;
            if (isnan(error))
                text_printf(out, "%.17g %.17g NaN\n", x[point],
                            scaled(&p->frame.y, q->measured[i]));
            else /* an outlier is drawn at the edge of the lower panel */
                text_printf(out, "%.17g %.17g %.17g\n", x[point],
                            scaled(&p->frame.y, q->measured[i]), fmax(fmin(error, edge), -edge));
        }
        text_add(out, "NaN NaN NaN\nEND_OF_DATA\n"); /* a block must not be empty */
    }
    text_printf(out, "$curve%zu << END_OF_DATA\n", s);
    put_curve(out, p, q, q->from, q->to);
    text_add(out, "END_OF_DATA\n");
    if (!p->beyond)
        return;
    text_printf(out, "$beyond%zu << END_OF_DATA\n", s);
    if (q->x[0] < q->from)
        put_curve(out, p, q, -INFINITY, q->from);
    text_add(out, "\n\n");
    if (q->x[q->n - 1] > q->to)
        put_curve(out, p, q, q->to, INFINITY);
    text_add(out, "NaN NaN NaN NaN\nEND_OF_DATA\n");
}

/* Points of another file, a block for each curve they belong to, and one for those of none. */
static void put_other_data(struct text *out, const struct plot *p, size_t k)
{
    const struct plot_other *o = &p->others[k];
    const double *x = o->points->at[points_find(o->points, p->frame.over)];
    for (size_t s = 0; s <= p->nseries; s++) {
        text_printf(out, "$other%zu_%zu << END_OF_DATA\n", k, s);
        for (size_t i = 0; i < o->points->n; i++) {
            double error = plot_other_error(o, i);
            if ((o->series[i] == SIZE_MAX ? p->nseries : o->series[i]) != s)
                continue;
            text_printf(out, "%.17g %.17g ", x[i], scaled(&p->frame.y, o->points->value[i]));
            text_printf(out, isnan(error) ? "NaN\n" : "%.17g\n", error);
        }
        text_add(out, "NaN NaN NaN\nEND_OF_DATA\n");
    }
}

static bool other_has(const struct plot *p, size_t k, size_t s)
{
    const struct plot_other *o = &p->others[k];
    for (size_t i = 0; i < o->points->n; i++)
        if ((o->series[i] == SIZE_MAX ? p->nseries : o->series[i]) == s)
            return true;
    return false;
}

static bool any_left_out(const struct plot *p)
{
    for (size_t s = 0; s < p->nseries; s++)
        if (plot_leaves_out(&p->series[s]))
            return true;
    return false;
}

static void put_ideal(struct text *out, const struct plot *p)
{
    double low, high;
    ends_of(&p->frame.x, &low, &high);
    text_printf(out, ", [%.10g:%.10g] x with lines dashtype 2 linewidth 1.2 linecolor rgb " GREY,
                low, high);
    gnuplot_title(out, "ideal");
}

/* Points of other files: open symbols in the colours of their curves, a symbol for each file. */
static void put_others(struct text *out, const struct plot *p, int column, bool titles)
{
    static const int open[] = {6, 4, 8, 12, 10};
    for (size_t k = 0; k < p->nothers; k++) {
        bool named = false;
        for (size_t s = 0; s <= p->nseries; s++) {
            if (!other_has(p, k, s))
                continue;
            text_printf(
                out,
                ", $other%zu_%zu using 1:%d with points pointtype %d pointsize 1.1 linewidth "
                "1.6 linecolor rgb '#%06x'",
                k, s, column, open[k % (sizeof open / sizeof *open)],
                s < p->nseries ? gnuplot_colour(s, p->nseries) : 0x707070u);
            gnuplot_title(out, titles && !named ? path_base(p->others[k].path) : NULL);
            named = true;
        }
    }
}

/* Where the model goes beyond the data: a line at the end of the data, a shade and a word beyond it. */
static void put_beyond(struct text *out, const struct plot *p)
{
    double low, high, from = INFINITY, to = -INFINITY;
    ends_of(&p->frame.x, &low, &high);
    for (size_t s = 0; s < p->nseries; s++) {
        from = fmin(from, p->series[s].from);
        to = fmax(to, p->series[s].to);
    }
    const struct {
        bool drawn;
        double at, end;
        const char *label;
    } sides[] = {{p->frame.x.low < from, from, low, "graph 0.01, graph 0.04 left"},
                 {p->frame.x.high > to, to, high, "graph 0.99, graph 0.04 right"}};
    for (size_t i = 0; i < sizeof sides / sizeof *sides && p->beyond; i++) {
        if (!sides[i].drawn)
            continue;
        text_printf(out,
                    "set object rectangle from %.10g, graph 0 to %.10g, graph 1 behind "
                    "fillcolor rgb '#f3f1f8' fillstyle solid noborder\n"
                    "set label 'beyond the data' at %s textcolor rgb " GREY "\n"
                    "set arrow from %.10g, graph 0 to %.10g, graph 1 nohead back dashtype 3 "
                    "linewidth 1.2 linecolor rgb " GREY "\n",
                    sides[i].at, sides[i].end, sides[i].label, sides[i].at, sides[i].at);
    }
}

/* The upper panel: bands, then curves, then points, so that nothing hides the data. */
static void put_values(struct text *out, const struct plot *p)
{
    size_t n = p->nseries;
    const char *between = "plot ";
    for (size_t s = 0; s < n; s++, between = ", ") {
        text_printf(out,
                    "%s$curve%zu using 1:3:4 with filledcurves fillcolor rgb '#%06x' fillstyle "
                    "transparent solid %s noborder",
                    between, s, gnuplot_colour(s, n), n > FEW_SERIES ? "0.12" : "0.22");
        gnuplot_title(out, n == 1 ? "typical, 95 %" : NULL);
    }
    for (size_t s = 0; s < n && p->beyond; s++)
        text_printf(out,
                    ", $beyond%zu using 1:3:4 with filledcurves fillcolor rgb '#%06x' fillstyle "
                    "transparent solid %s noborder notitle",
                    s, gnuplot_colour(s, n), n > FEW_SERIES ? "0.07" : "0.12");
    for (size_t s = 0; s < n; s++, between = ", ") {
        text_printf(out, "%s$curve%zu using 1:2 with lines linewidth 1.6 linecolor rgb '#%06x'",
                    between, s, gnuplot_colour(s, n));
        gnuplot_title(out, n == 1 ? "model" : NULL);
    }
    for (size_t s = 0; s < n && p->beyond; s++) {
        text_printf(out,
                    ", $beyond%zu using 1:2 with lines dashtype 2 linewidth 1.6 linecolor rgb "
                    "'#%06x'",
                    s, gnuplot_colour(s, n));
        gnuplot_title(out, s == 0 ? "extrapolated" : NULL);
    }
    for (size_t s = 0; s < n; s++) {
        text_printf(out,
                    ", $points%zu using 1:2 with points pointtype %d pointsize 0.8 linecolor "
                    "rgb '#%06x'",
                    s, shape_of(s), gnuplot_colour(s, n));
        gnuplot_title(out, *p->series[s].label ? p->series[s].label : "measured");
    }
    for (size_t s = 0; s < n && any_left_out(p); s++) {
        text_printf(out,
                    ", $left%zu using 1:2 with points pointtype 2 pointsize 1.4 linewidth 2 "
                    "linecolor rgb '#%06x'",
                    s, gnuplot_colour(s, n));
        gnuplot_title(out, s == 0 ? "left out" : NULL);
    }
    put_others(out, p, 2, true);
    if (p->speedup)
        put_ideal(out, p);
    text_add(out, "\n");
}

static void put_errors(struct text *out, const struct plot *p)
{
    size_t n = p->nseries;
    text_printf(out, "plot 0 with lines linewidth 1 linecolor rgb %s notitle", GREY);
    for (size_t s = 0; s < n; s++)
        text_printf(out,
                    ", $points%zu using 1:3 with points pointtype %d pointsize 0.7 linecolor rgb "
                    "'#%06x' notitle",
                    s, shape_of(s), gnuplot_colour(s, n));
    for (size_t s = 0; s < n && any_left_out(p); s++)
        text_printf(out,
                    ", $left%zu using 1:3 with points pointtype 2 pointsize 1.2 linewidth 2 "
                    "linecolor rgb '#%06x' notitle",
                    s, gnuplot_colour(s, n));
    put_others(out, p, 3, false);
    text_add(out, "\n");
}

/* A round number of percent, so that three to five marks fit. */
static double error_step(double most)
{
    double unit = pow(10, floor(log10(most)));
    return most >= 5 * unit ? 5 * unit : most >= 2 * unit ? 2 * unit : unit;
}

static void put_error_axis(struct text *out, const struct plot *p)
{
    double most = fmax(p->most_error, 1e-9), step = error_step(most);
    text_printf(out, "unset logscale y\nset yrange [%.10g:%.10g]\nset format y '%%g'\n",
                -1.2 * most, 1.2 * most);
    text_printf(out, "set ytics (%.10g, 0, %.10g)\n", -step, step);
    gnuplot_set_text(out, "ylabel", "error %");
}

static void put_value_axis(struct text *out, const struct plot_frame *f, const char *what,
                           const char *unit)
{
    struct plot_axis shown = f->y;
    TEXT_LOCAL struct text label = text_new(), of = text_new();
    put_scaled_unit(&of, exponent_of(&f->y), unit);
    text_printf(&label, "%s%s%s%s", what, of.n ? " (" : "", of.s, of.n ? ")" : "");
    gnuplot_set_text(out, "ylabel", label.s);
    shown.low = scaled(&f->y, f->y.low);
    shown.high = scaled(&f->y, f->y.high);
    put_axis(out, 'y', &shown);
}

enum key_place { KEY_LEFT, KEY_RIGHT, KEY_BESIDE, KEY_BELOW };

static void put_key(struct text *out, enum key_place place)
{
    static const char *const places[] = {
        [KEY_LEFT] = "left top reverse Left samplen 2 opaque fillcolor rgb '#ffffff'",
        [KEY_RIGHT] = "right top reverse Left samplen 2 opaque fillcolor rgb '#ffffff'",
        [KEY_BESIDE] = "at screen 0.84, graph 1 left top maxcols 1 samplen 1 width -1 reverse Left",
        [KEY_BELOW] = "below reverse Left samplen 2"};
    text_printf(out, "set key %s\n", places[place]);
}

static void put_margins(struct text *out, double bottom, double top, bool beside)
{
    text_printf(out,
                "set lmargin at screen 0.125\nset rmargin at screen %s\nset bmargin at screen "
                "%.3f\nset tmargin at screen %.3f\n",
                beside ? "0.83" : "0.97", bottom, top);
}

void plot_script(struct text *out, const void *plot, const struct gnuplot_terminal *terminal)
{
    const struct plot *p = plot;
    const struct plot_frame *f = &p->frame;
    bool beside = p->nseries > 1;
    put_common(out, f, terminal);
    for (size_t s = 0; s < p->nseries; s++)
        put_series_data(out, p, s);
    for (size_t k = 0; k < p->nothers; k++)
        put_other_data(out, p, k);
    put_beyond(out, p);
    put_boundaries_of_sets(out, p);
    gnuplot_set_text(out, "title", f->title);
    bool falls = p->series[0].y[0] > p->series[0].y[p->series[0].n - 1];
    put_key(out, beside ? KEY_BESIDE : falls ? KEY_RIGHT : KEY_LEFT);
    TEXT_LOCAL struct text what = text_new();
    text_printf(&what, "%s%s%s", f->spread ? f->spread : "", f->spread ? " of " : "",
                f->observable);
    put_value_axis(out, f, what.s, strcmp(f->unit, "s") == 0 ? "s" : "");
    text_add(out, "set multiplot\nset xtics format ''\n");
    put_margins(out, 0.35, 0.93, beside);
    put_boundary_labels(out, f, false);
    put_values(out, p);
    text_add(out, "unset title\nunset key\nunset label\n");
    gnuplot_set_text(out, "xlabel", f->over);
    put_margins(out, 0.11, 0.325, beside);
    put_axis(out, 'x', &f->x);
    put_error_axis(out, p);
    put_errors(out, p);
    text_add(out, "unset multiplot\n");
}

/* value low high, scaled; an unknown interval has no width */
static void put_estimate(struct text *out, const struct plot_axis *y, double x, double value,
                         double low, double high)
{
    text_printf(out, "%.17g %.17g %.17g %.17g\n", x, scaled(y, value),
                scaled(y, isnan(low) ? value : low), scaled(y, isnan(high) ? value : high));
}

static void put_constant_data(struct text *out, const struct constant_plot *p, size_t i)
{
    const struct constant_series *s = &p->series[i];
    const struct plot_axis *y = &p->frame.y;
    text_printf(out, "$steps%zu << END_OF_DATA\n", i);
    for (size_t k = 0; k < s->nsteps; k++) {
        const struct constant_step *t = &s->steps[k];
        text_add(out, k ? "\n" : "");
        put_estimate(out, y, t->from, t->value, t->low, t->high);
        put_estimate(out, y, t->to, t->value, t->low, t->high);
    }
    text_printf(out, "NaN NaN NaN NaN\nEND_OF_DATA\n$local%zu << END_OF_DATA\n", i);
    for (size_t k = 0; k < s->nlocals; k++)
        put_estimate(out, y, s->locals[k].x, s->locals[k].value, s->locals[k].low,
                     s->locals[k].high);
    text_add(out, "NaN NaN NaN NaN\nEND_OF_DATA\n");
}

static void put_constant_title(struct text *out, const char *what, const char *label)
{
    TEXT_LOCAL struct text t = text_new();
    text_printf(&t, "%s%s%s", what, *label ? ", " : "", label);
    gnuplot_title(out, t.s);
}

void plot_constant_script(struct text *out, const void *plot,
                          const struct gnuplot_terminal *terminal)
{
    const struct constant_plot *p = plot;
    size_t n = p->nseries;
    put_common(out, &p->frame, terminal);
    for (size_t s = 0; s < n; s++)
        put_constant_data(out, p, s);
    gnuplot_set_text(out, "title", p->frame.title);
    gnuplot_set_text(out, "xlabel", p->frame.over);
    put_value_axis(out, &p->frame, p->constant->name, p->unit);
    put_key(out, KEY_BELOW);
    put_boundary_labels(out, &p->frame, true);
    const char *between = "plot ";
    for (size_t s = 0; s < n; s++, between = ", ")
        text_printf(out,
                    "%s$steps%zu using 1:3:4 with filledcurves fillcolor rgb '#%06x' fillstyle "
                    "transparent solid 0.25 noborder notitle",
                    between, s, gnuplot_colour(s, n));
    for (size_t s = 0; s < n; s++, between = ", ") {
        text_printf(out, "%s$steps%zu using 1:2 with lines linewidth 2.2 linecolor rgb '#%06x'",
                    between, s, gnuplot_colour(s, n));
        put_constant_title(out, "fitted, 95 %", p->series[s].label);
        text_printf(out,
                    ", $local%zu using 1:2:3:4 with yerrorbars pointtype %d pointsize 0.7 "
                    "linewidth 0.8 linecolor rgb '#%06x'",
                    s, shape_of(s), gnuplot_colour(s, n));
        put_constant_title(out, "local estimates", p->series[s].label);
    }
    text_add(out, "\n");
}
