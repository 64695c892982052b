/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Plots. A plot is data first (made from a model), then a script for gnuplot (script.h), then
 * a picture (gnuplot.h).
 */
#ifndef LLAC_PLOT_PLOT_H
#define LLAC_PLOT_PLOT_H

#include "llac/session.h"

struct plot_frame;

/* The points that are drawn: those of the model, or others of its data set. */
struct plot_points {
    const struct points *points;
    const double *predicted; /* by the model, as the value of a point */
    const bool *left_out;    /* of the fit; NULL = none is */
};

/* One curve: the points with the same values of all variables of the model but `over`. */
struct plot_series {
    const struct plot_frame
        *frame;  /* has its model: that of the plot, or of one set of constants */
    char *label; /* "P=4"; "" when there is only one */
    const size_t *points;
    double *measured; /* the value drawn for each of them */
    size_t npoints;
    double from, to; /* of the measured values of `over`: the curve may go beyond */
    /* the curve: x, predicted, and its typical interval; `fresh` where another interval begins */
    double *x, *y, *low, *high;
    bool *fresh;
    size_t n;
    bool joined; /* the curve leads from point to point: another variable goes along with `over` */
};

struct plot_axis {
    bool log;
    bool powers_of_two; /* of all values; then so are the marks */
    double low, high;   /* of what is to be seen */
};

/* What both kinds of plot have in common. */
struct plot_frame {
    const struct model *model;
    struct plot_points drawn;
    const char *title, *over, *unit, *observable;
    const char *
        spread; /* "standard deviation" of the observable; NULL: the values are those of executions */
    size_t
        column; /* of `over` in the points; in a plot of a constant, in the places of the model */
    const double *at; /* its values at the points */
    struct plot_axis x, y;
    size_t boundaries[PIECES_MAX_BOUNDARIES]; /* boundaries on `over` inside the axis */
    size_t nboundaries;
};

/* Points of another file, drawn on top. */
struct plot_other {
    const char *path;
    const struct points *points;
    const double *predicted; /* by the model, as the value of a point */
    size_t *series;          /* per point: the curve it belongs to; SIZE_MAX = none */
};

struct plot {
    struct plot_frame frame;
    struct plot_series *series;
    size_t nseries;
    struct plot_other *others;
    size_t nothers;
    bool beyond;       /* a curve goes beyond its measured values */
    double most_error; /* of the points that take part, % */
    bool speedup;
    bool sets; /* its curves have models of their own: plot_join */
};

enum plot_scale { PLOT_AUTO, PLOT_LOG, PLOT_LINEAR };
enum { PLOT_MOST_SERIES = 20, PLOT_CURVE = 100 };

/* What is drawn. */
struct plot_request {
    const char *over; /* NULL = the first variable of the model that varies */
    const char *by; /* there is a curve for each combination of the other variables, and of this */
    enum plot_scale scale;
    const double *to;   /* how far curves go along `over`, below or beyond the data; NULL = not */
    bool may_be_inside; /* `to` may be inside the data, and changes nothing then */
    const struct plot_other *others; /* without `series` */
    size_t nothers;
    const struct plot_points *chosen; /* NULL = the points of the model */
};

int plot_make(struct arena *a, const struct model *m, const struct plot_request *request,
              struct diag *diag, struct plot *out);
/* One set of constants of several: a plot of its own, and its label. */
struct plot_set {
    struct plot plot;
    const char *label; /* "before", "level=3" */
};
/* One plot of all sets, whose plots are over the same variable: the curves of each, with its label. The sets
 * must last as long as the plot. -1 with an error if there are too many curves. */
int plot_join(struct arena *a, const struct plot_set *sets, size_t n, const char *title,
              struct diag *diag, struct plot *out);
/* 100 (measured - predicted)/measured of a point of another file; nan where nothing was measured. */
double plot_other_error(const struct plot_other *o, size_t point);

/* Changes the times of a plot over P to speed-ups, P0*T(P0)/T(P), where P0 is the smallest P of the
 * series and T(P0) the model's value there. The interval is that of T(P) alone. */
int plot_change_to_speedup(struct plot *p, struct diag *diag);

/* The height of the vertical axis, when points and curves are known. */
void plot_find_height(struct plot *p);

/* Whether the fit leaves out one of the points of the series. */
bool plot_leaves_out(const struct plot_series *s);
/* Whether the fit leaves out the point. */
bool plot_is_left_out(const struct plot_frame *f, size_t point);
/* 100 (measured - predicted)/measured at a point; nan where nothing was measured. */
double plot_error(const struct plot_frame *f, size_t point);

/* One value of the constant along `over`, and its 95 % interval. */
struct constant_step {
    double from, to; /* on the axis */
    double value, low, high;
};
/* An estimate from a few neighbouring points alone. */
struct constant_local {
    double x, value, low, high;
};
/* How a constant varies where the other variables have certain values. */
struct constant_series {
    char *label; /* "P in (8, 32]"; "" when there is only one */
    struct constant_step *steps;
    size_t nsteps;
    struct constant_local *locals;
    size_t nlocals;
};
struct constant_plot {
    struct plot_frame frame;
    const struct model_constant *constant;
    size_t number;    /* of it, in the model */
    const char *unit; /* "s per N*log(N)" */
    struct constant_series *series;
    size_t nseries;
};

/* `over` NULL = the first variable it changes with, which may be a derived one, else the first that varies. */
int constant_plot_make(struct arena *a, const struct model *m, size_t constant, const char *over,
                       enum plot_scale scale, struct diag *diag, struct constant_plot *out);

/* For both, when the ranges of the axes are known: -1 with an error if they cannot be drawn. */
int plot_check_axes(const struct plot_frame *f, struct diag *diag);
/* For both: title, points (`chosen`; NULL: those of the model), axis `over` (NULL = chosen: `preferred` if
 * it is a column, else the first that varies and is not `by`, which may be NULL), its range and
 * boundaries. */
int plot_frame_make(const struct model *m, const struct plot_points *chosen, const char *over,
                    const char *by, size_t preferred, enum plot_scale scale, struct diag *diag,
                    struct plot_frame *out);
/* The boundaries of the frame, in order. */
const struct boundary *plot_boundary(const struct plot_frame *f, size_t i);

#endif
