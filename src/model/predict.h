/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Predictions: what a model says at a place, how certain that is, and what is special about the place.
 *
 *     struct place place = {names, values, n};
 *     struct prediction p;
 *     if (model_predict(arena, m, &place, diag, &p) == 0) // else the reason is in diag
 *         printf("%g, typically from %g to %g\n", p.value, p.low, p.high);
 *
 * model_resample (fit.h) makes the intervals include the uncertainty of the selection.
 */
#ifndef MODEL_PREDICT_H
#define MODEL_PREDICT_H

#include "model/model.h"

/* Values of some variables: names[i] = values[i]. */
struct place {
    const char *const *names;
    const double *values;
    size_t n;
};

/* One variable that is outside the points that the fit uses. */
struct extrapolation {
    const char *variable;
    double times;    /* 16 = sixteen times beyond the largest; 0.25 = a quarter of the smallest;
                        nan = outside */
    double from;     /* that largest or smallest value */
    double left_out; /* a value further out, whose points are all outliers; nan = none */
};
/* The gap of a boundary, between two measured values, that a prediction is in. */
struct gap {
    const char *variable;
    double below, above;
};
struct prediction {
    double value;
    double low, high;               /* typical; nan when unknown */
    double single_low, single_high; /* single run; nan when unknown */
    double variance, of_runs; /* of the value itself, without the noise of further measurements; the
                                 part of it that whole runs cause; nan when unknown */
    double selection; /* of the value when runs are drawn anew and everything is selected again */
    double
        times; /* the fitted value was multiplied by this: values of points mean the same for every
                   * P (ranks.c), a prediction is what an execution takes */
    double
        apart; /* beyond the data: how far the formulas with and without the terms that the data do not
                     determine are apart, as a part of the value */
    double amplification; /* part of the value: times one rank, since the slowest counts; or nan */
    struct extrapolation *extrapolates;
    size_t nextrapolates;
    struct gap *gaps;
    size_t ngaps;
    const char **
        beyond; /* texts about the place: what the machine file says, and why the interval reaches further */
    size_t nbeyond;
    bool
        unmeasured; /* the combination of intervals was never measured: the nearest one was taken */
    bool far; /* inside the ranges of all variables, but the combination is far from all points */
    struct place place; /* it was made for: the variables of the formula */
};

/* Predicts at a place. A variable not given takes the value it has in all points,
 * if it never varies; otherwise it is an error. Definitions (let) can be given directly. The result
 * lives in `a`. */
int model_predict(struct arena *a, const struct model *m, const struct place *place,
                  struct diag *diag, struct prediction *out);
/* The model's value at each point of another set of points of the same experiment. */
int model_predict_points(struct arena *a, const struct model *m, const struct points *p,
                         struct diag *diag, double *out);

/* The constants that the data do not determine: their intervals contain zero. */
struct model_undetermined {
    const size_t *constants;
    size_t n;
    bool
        averaged; /* beyond the data, the value is the mean of the formula with and without their terms */
};
struct model_undetermined model_undetermined(const struct model *m);
/* Whether the prediction depends on constants that the data do not determine. */
bool prediction_is_vague(const struct model *m, const struct prediction *p);
/* The prediction as a value of a point, to be compared with measured points: without `times`. */
void prediction_as_point(struct prediction *p);
/* The interval that the measured value of a point is held against, and whose it is: `single run` for a point with one
 * execution; `burst` for one whose rounds took a much shorter time than those of the model; `few runs` for one with fewer
 * executions; else `typical`, which is for the statistic of as many rounds over as long a time. */
enum point_kind { POINT_TYPICAL, POINT_SINGLE, POINT_BURST, POINT_FEW };
extern const char *const point_kind_words[]; /* "typical", "single run", "burst", "few runs" */
struct point_interval {
    double low, high; /* nan: not known */
    enum point_kind kind;
};
/* What bursts of so many rounds measured in the data of the fit, against the value of all rounds: logarithms. */
struct burst_levels {
    double mean, low, high;
};
/* What the statistic of so many samples of so many runs is against that of as many as the points of the fit have, in parts of
 * it: how much its middle is moved, and how much farther down and up it reaches. */
struct few_runs {
    size_t samples, runs;
    double middle, down, up;
};
/* Points that are compared with a model. */
struct held_points {
    const struct model *model;
    const struct points *points;
    bool burst;
    size_t rounds; /* that `seen` is about; 0 = none yet */
    struct burst_levels seen;
    struct few_runs few; /* 0 samples = none yet */
};
struct held_points burst_held_points(const struct model *m, const struct points *points);
struct point_interval prediction_interval(struct held_points *c, const struct prediction *p,
                                          size_t point);

/* What each constant's term contributes at a place (as in model_predict): out[constant]; *known gets the part
 * of the formula that has no constants. The functions of the machine take the figures of this machine (NULL: the
 * one that the model was fitted with). The terms have the constants that were fitted; which operand of a max() or
 * min() counts is decided with each constant times its ratio (NULL: 1). 0, or -1 with a diagnostic. */
int model_terms_on(struct arena *a, const struct model *m, const struct place *place,
                   const struct formula_machine *machine, const double *ratios, struct diag *diag,
                   double *out, double *known);
/* The value of a constant at the place of a prediction, and the ends of its interval; where that combination of
 * intervals was never measured, those of the nearest piece. All 0 if the data do not determine the constant. */
void model_constant_near(const struct model *m, size_t constant, const struct place *place,
                         struct model_piece *out);

/* How far the data reach: what every prediction asks. */
struct model_range {
    double low, high;   /* of a variable, over the points that take part in the fit */
    double least, most; /* over all points */
};
struct model_reach {
    struct model_range *ranges;     /* per variable of the points, then per derived variable */
    double least_grown, most_grown; /* noise_grown: of all points, and of those in the fit */
};
/* How far the data of the model reach. In the arena. */
struct model_reach model_reach_of(struct arena *a, const struct model *m);

#endif
