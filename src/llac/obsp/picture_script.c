/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The picture of an evaluation for gnuplot. One row for each processor or group, the first at the
 * top; time goes to the right. All bars are polygons. A single stretch is a rectangle. The shares of
 * the slices of a row are one polygon for each activity: computing at the bottom, communicating and
 * waiting above it. Each polygon reaches down to the base and the lower ones are drawn over it, so
 * that no gaps can be seen between them.
 *
 * The colours also differ as greys: in print, and for colour-blind eyes.
 */
#include <math.h>

#include "llac/obsp/picture.h"

enum {
    STEPS_OF_SHARES = 64, /* shares are rounded, so that equal ones need no further points */
    MOST_ENDS = 600,      /* of supersteps that are marked */
    ROOMY = 16,           /* up to this number of rows each bar has marks at its supersteps */
    MOST_JUMPS = 150      /* of the critical path that are drawn as lines between rows */
};

static const struct {
    const char *name, *data, *colour;
} activities[PICTURE_ACTIVITIES] = {
    [PICTURE_COMPUTES] = {"computes", "computes", "#56b4e9"},
    [PICTURE_COMMUNICATES] = {"communicates", "communicates", "#c04000"},
    [PICTURE_WAITS] = {"waits", "waits", "#e4e4e4"},
};

/* ---- places; the vertical axis points down */

static bool has_arrows(const struct picture *p)
{
    return p->narrows > 0 && !p->too_many_arrows && !p->request.measured;
}

/* Where the bar of a layer begins and ends; arrows need room between the bars. */
static double top_of(const struct picture *p, enum picture_layer layer, int row)
{
    if (!p->request.measured)
        return row - (has_arrows(p) && p->rows <= ROOMY ? 0.26 : 0.38);
    return row + (layer == PICTURE_MODEL ? -0.42 : 0.06);
}

static double bottom_of(const struct picture *p, enum picture_layer layer, int row)
{
    if (!p->request.measured)
        return row + (has_arrows(p) && p->rows <= ROOMY ? 0.26 : 0.38);
    return row + (layer == PICTURE_MODEL ? 0.02 : 0.4);
}

static double middle_of(const struct picture *p, int row)
{
    return (top_of(p, PICTURE_MODEL, row) + bottom_of(p, PICTURE_MODEL, row)) / 2;
}

struct scale {
    double factor;
    const char *unit;
};

static struct scale scale_of(const struct picture *p)
{
    struct scale s;
    s.factor = pow(10, -picture_unit(p, &s.unit));
    return s;
}

/* ---- bars */

static void put_point(struct text *out, double x, double y)
{
    text_printf(out, "%.12g %.6g\n", x, y);
}

static void put_stretches(struct text *out, const struct picture *p, enum picture_layer layer,
                          enum picture_activity activity)
{
    const struct picture_bars *b = &p->layers[layer];
    double f = scale_of(p).factor;
    for (size_t i = 0; i < b->nstretches; i++) {
        const struct picture_stretch *s = &b->stretches[i];
        if (s->activity != activity)
            continue;
        double top = top_of(p, layer, s->process), bottom = bottom_of(p, layer, s->process);
        put_point(out, f * s->begin, bottom);
        put_point(out, f * s->begin, top);
        put_point(out, f * s->end, top);
        put_point(out, f * s->end, bottom);
        text_add(out, "\n");
    }
}

/* The height of the activity and of those below it, as a number of steps. */
static long height_of(const struct picture *p, enum picture_layer layer, int row, int slice,
                      enum picture_activity activity)
{
    double share = 0;
    for (enum picture_activity a = PICTURE_COMPUTES; a <= activity; a++)
        share += picture_share(p, layer, row, slice, a);
    return lround(fmin(share, 1) * STEPS_OF_SHARES);
}

static void put_shares(struct text *out, const struct picture *p, enum picture_layer layer,
                       enum picture_activity activity)
{
    const struct picture_request *r = &p->request;
    double f = scale_of(p).factor, width = (r->end - r->begin) / r->slices;
    for (int row = 0; row < p->rows; row++) {
        double top = top_of(p, layer, row), bottom = bottom_of(p, layer, row);
        long before = 0;
        put_point(out, f * r->begin, bottom);
        for (int slice = 0; slice <= r->slices; slice++) {
            long now = slice < r->slices ? height_of(p, layer, row, slice, activity) : 0;
            if (now == before)
                continue;
            double x = f * (r->begin + slice * width), step = (bottom - top) / STEPS_OF_SHARES;
            put_point(out, x, bottom - step * (double)before);
            put_point(out, x, bottom - step * (double)now);
            before = now;
        }
        put_point(out, f * r->end, bottom);
        text_add(out, "\n");
    }
}

static void put_bars(struct text *out, const struct picture *p, enum picture_layer layer)
{
    for (enum picture_activity a = 0; a < PICTURE_ACTIVITIES; a++) {
        text_printf(out, "$%s%d << END_OF_DATA\n", activities[a].data, (int)layer);
        if (picture_is_exact(p, layer))
            put_stretches(out, p, layer, a);
        else
            put_shares(out, p, layer, a);
        text_add(out, "NaN NaN\nEND_OF_DATA\n");
    }
}

/* ---- lines */

/* An arrow goes from the edge of the sender's bar to that of the receiver's. */
static void put_arrows(struct text *out, const struct picture *p)
{
    double f = scale_of(p).factor;
    text_add(out, "$messages << END_OF_DATA\n");
    for (size_t i = 0; i < p->narrows && has_arrows(p); i++) {
        const struct picture_arrow *a = &p->arrows[i];
        bool down = a->from < a->to;
        double y = down ? bottom_of(p, PICTURE_MODEL, a->from) : top_of(p, PICTURE_MODEL, a->from);
        double to = down ? top_of(p, PICTURE_MODEL, a->to) : bottom_of(p, PICTURE_MODEL, a->to);
        if (!isnan(a->sent))
            text_printf(out, "%.12g %.6g %.12g %.6g\n", f * a->sent, y, f * (a->arrived - a->sent),
                        to - y);
    }
    text_add(out, "NaN NaN NaN NaN\nEND_OF_DATA\n");
}

static bool has_ends(const struct picture *p)
{
    return picture_is_exact(p, PICTURE_MODEL) && p->nends <= MOST_ENDS && p->rows <= ROOMY;
}

static void put_ends(struct text *out, const struct picture *p)
{
    double f = scale_of(p).factor;
    text_add(out, "$ends << END_OF_DATA\n");
    for (size_t i = 0; i < p->nends && has_ends(p); i++) {
        const struct picture_end *e = &p->ends[i];
        double top = top_of(p, PICTURE_MODEL, e->process) - 0.05,
               bottom = bottom_of(p, PICTURE_MODEL, e->process) + 0.05;
        text_printf(out, "%.12g %.6g 0 %.6g\n", f * e->end, top, bottom - top);
    }
    text_add(out, "NaN NaN NaN NaN\nEND_OF_DATA\n");
}

static void put_legs(struct text *out, const struct picture *p)
{
    double f = scale_of(p).factor;
    for (size_t i = 0; i < p->nlegs; i++) {
        put_point(out, f * p->legs[i].begin, middle_of(p, p->legs[i].process / p->group));
        put_point(out, f * p->legs[i].end, middle_of(p, p->legs[i].process / p->group));
    }
}

/* How often the path changes its row from one slice to the next. */
static int jumps_of(const struct picture *p)
{
    int jumps = 0;
    for (int slice = 1; slice < p->request.slices; slice++)
        jumps += p->path_rows[slice] != p->path_rows[slice - 1];
    return jumps;
}

/* The path changes the processor so often that no line can show it. */
static bool is_dashed(const struct picture *p)
{
    return p->nlegs > MOST_JUMPS && jumps_of(p) > MOST_JUMPS;
}

/* Where the path is in each slice; without lines between the rows if they were too many. */
static void put_slices_of_path(struct text *out, const struct picture *p)
{
    const struct picture_request *r = &p->request;
    double f = scale_of(p).factor, width = (r->end - r->begin) / r->slices;
    for (int slice = 0; slice < r->slices; slice++) {
        int row = p->path_rows[slice], first = slice;
        while (slice + 1 < r->slices && p->path_rows[slice + 1] == row)
            slice++;
        if (row < 0)
            continue;
        put_point(out, f * (r->begin + first * width), middle_of(p, row));
        put_point(out, f * (r->begin + (slice + 1) * width), middle_of(p, row));
        text_add(out, is_dashed(p) ? "\n" : "");
    }
}

static void put_path(struct text *out, const struct picture *p)
{
    text_add(out, "$path << END_OF_DATA\n");
    if (p->nlegs <= MOST_JUMPS)
        put_legs(out, p);
    else
        put_slices_of_path(out, p);
    text_add(out, "NaN NaN\nEND_OF_DATA\n");
}

/* ---- the frame; pixels of a picture with the usual width */

enum { USUAL_HEIGHT = 660, TOP = 44, BOTTOM = 94 };

static int pixels_of_row(const struct picture *p)
{
    int most = p->request.measured || has_arrows(p) ? 60 : 44,
        least = p->request.measured ? 18 : 10;
    int pixels = 640 / p->rows;
    return pixels > most ? most : pixels < least ? least : pixels;
}

static void put_row_names(struct text *out, const struct picture *p)
{
    int pixels = pixels_of_row(p), size = pixels >= 16 ? 13 : 10, every = 1;
    while (every * pixels < size + 1)
        every *= 2;
    text_printf(out, "set ytics scale 0 font ',%d' (", size);
    for (int row = 0; row < p->rows; row += every) {
        char name[32];
        picture_row_name(p, row, name);
        text_printf(out, "%s'%s' %d", row ? ", " : "", name, row);
    }
    text_printf(out, ")\nset ylabel 'processor%s'\nset yrange [%d.5:-0.6]\n",
                p->rows == 1 && p->group == 1 ? "" : "s", p->rows - 1);
}

/* What is drawn in another way than usual, after the name of the axis. */
static void put_time_label(struct text *out, const struct picture *p, const struct scale *scale)
{
    TEXT_LOCAL struct text t = text_new();
    text_printf(&t, "time (%s)", scale->unit);
    if (p->group > 1)
        text_printf(&t, "; each row: %d processors, heights are shares of them", p->group);
    else if (!picture_is_exact(p, PICTURE_MODEL))
        text_add(&t, "; heights are shares of the time");
    if (p->messages && !has_arrows(p))
        text_printf(&t, "; %lld messages are not drawn", p->messages);
    if (p->request.measured)
        text_add(&t, "; lower bars: measured");
    gnuplot_set_text(out, "xlabel", t.s);
    text_add(out, "set xlabel offset 0,0.5\n");
}

static void put_frame(struct text *out, const struct picture *p,
                      const struct gnuplot_terminal *terminal)
{
    struct scale scale = scale_of(p);
    double height = TOP + BOTTOM + pixels_of_row(p) * p->rows;
    gnuplot_begin(out, terminal, height / USUAL_HEIGHT);
    text_printf(out,
                "set tmargin at screen %.5f\nset bmargin at screen %.5f\nset rmargin 3\n"
                "set key at screen 0.5,screen %.5f center bottom horizontal reverse Left samplen "
                "1.4 width -1\n",
                1 - TOP / height, BOTTOM / height, 8 / height);
    text_add(out, "set border 1 linewidth 0.8\nset grid xtics back linetype 1 linewidth 0.5 "
                  "linecolor rgb '#dcdcdc'\nset xtics scale 0.6 nomirror out offset 0,0.3\n");
    gnuplot_set_text(out, "title", p->request.title);
    text_printf(out, "set xrange [%.12g:%.12g]\n", scale.factor * p->request.begin,
                scale.factor * p->request.end);
    text_printf(out, "set xtics %.12g\n", scale.factor * picture_step(p, 10));
    put_time_label(out, p, &scale);
    put_row_names(out, p);
}

void picture_script(struct text *out, const void *plot, const struct gnuplot_terminal *terminal)
{
    const struct picture *p = plot;
    put_frame(out, p, terminal);
    for (enum picture_layer l = 0; l < (p->request.measured ? PICTURE_LAYERS : 1); l++)
        put_bars(out, p, l);
    put_arrows(out, p);
    put_ends(out, p);
    put_path(out, p);
    text_add(out, "plot ");
    for (enum picture_activity a = 0; a < PICTURE_ACTIVITIES; a++) /* the key, in this order */
        text_printf(out, "NaN with boxes fillcolor rgb '%s' fillstyle solid noborder title '%s', ",
                    activities[a].colour, activities[a].name);
    for (enum picture_layer l = 0; l < (p->request.measured ? PICTURE_LAYERS : 1); l++)
        for (int a = PICTURE_ACTIVITIES - 1; a >= 0; a--)
            text_printf(out,
                        "$%s%d using 1:2 with filledcurves closed fillcolor rgb '%s' fillstyle "
                        "solid noborder notitle, ",
                        activities[a].data, (int)l, activities[a].colour);
    if (has_ends(p))
        text_add(out, "$ends using 1:2:3:4 with vectors nohead linewidth 1.2 linecolor rgb "
                      "'#202020' notitle, ");
    if (has_arrows(p))
        text_add(out, "$messages using 1:2:3:4 with vectors head filled size screen 0.009,20 "
                      "linewidth 0.9 linecolor rgb '#404040' title 'messages', ");
    double width = pixels_of_row(p) >= 16 ? 2.2 : is_dashed(p) ? 3.2 : 1.6;
    text_printf(out,
                "$path using 1:2 with lines linewidth %.1f linecolor rgb '#ffffff' notitle, "
                "$path using 1:2 with lines linewidth %.1f linecolor rgb '#000000' title "
                "'critical path'\n",
                2 * width, width);
}
