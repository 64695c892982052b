/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Declarations that the files of a fit share. */
#ifndef MODEL_FIT_INTERNAL_H
#define MODEL_FIT_INTERNAL_H

#include "model/model_internal.h"
#include "model/thresholds.h"
#include "numeric/lsq.h"

/* Sets the floor to the median of the points, for points measured elsewhere; counts the short
 * points. */
void noise_set_floor(struct model *m);
/* Per point: its standard deviation against that of a usual point; NULL where the numbers of samples
 * hardly differ, or nothing is known (noise_shape.c). */
double *noise_uneven(struct arena *a, const struct points *p);
/* The power of the time with which the samples' relative noise grows; 0 where that explains it. */
double noise_growth_of_samples(const struct points *p, double *typical);
/* The same with the residuals of a fit, into m->noise.growth. Whether it changed. */
bool noise_find_growth(struct model *m, const double *expected, size_t unknowns);
/* What the statistic may drift by where the noise grows, into m->noise.drift. */
void noise_find_drift(struct model *m);
/* The relative noise at a time against that at m->noise.typical. */
double noise_grown(const struct model *m, double time);
/* Student's t for a variance that is partly caused by runs. */
double noise_quantile(const struct model *m, double total, double of_runs);
/* The runs in the order of their times. NULL if a time is not known, or the times are those of a simulation, which does
 * not drift. */
const size_t *runs_order(const struct model *m, struct arena *a);
/* How many runs have samples of the point. `seen`: false for each run, before and after. */
size_t runs_of_point(const struct points *p, size_t point, bool *seen);
/* Includes what disturbs whole runs in the covariance and the noise (runs.c). */
void runs_include(struct model *m, size_t unknowns);

/* Variance of point i when the relative noise is s and the expected time `expected`. */
double noise_variance(const struct model *m, size_t i, double expected, double s);
/* The relative noise at which the residuals are as large as they should be; 0 if they are smaller
 * anyway. */
double noise_from_residuals(const struct model *m, const double *expected, size_t unknowns);
/* Sets variance, relative, dof, none, misfit from the residuals and the repetitions; returns
 * the factor that the variances used for the weights are to be multiplied with. */
double noise_settle(struct model *m, const double *expected, double s, size_t unknowns);
/* Quantiles of single samples. */
void noise_of_single_runs(struct model *m);

/* The relative noise of a point's value as repetitions show it: root mean square over the points,
 * and how many degrees of freedom that is worth; both 0 without repetitions. */
void noise_of_repetitions(const struct points *p, double *noise, double *weight);
/* Standard deviations up to a common factor: relative to the value, and the clock's floor on top,
 * which counts as `relative` says; `least` where both are 0. */
double *noise_scales(struct arena *a, const struct points *p, double relative, double least);

/* A formula with constants that are exponents: finds them roughly, and sets the constants and the
 * offset of the formula that is linear around them. 0, or -1 with a diagnostic. */
int exponents_begin(struct model *m, const struct formula_linear *linear, struct diag *diag);
/* After a fit: makes the formula linear around the exponents that it found. False if they hardly
 * moved, or if there are none. */
bool exponents_move(struct model *m);
/* A formula with max() or min() of constants: finds the constants roughly, and sets the constants and
 * the offset of the formula that is linear around them. 0, or -1 with a diagnostic. */
int choices_begin(struct model *m, const struct formula_linear *linear, struct diag *diag);
/* After a fit: makes the formula linear around the constants that it found. False if the same operands
 * count with them, or if the formula has no such function. */
bool choices_move(struct model *m);
/* At the end, settled if the last choices_move was false: -1 with a diagnostic if the fit cannot be
 * used. */
int choices_check(struct model *m, bool settled, struct diag *diag);
/* The factor itself, in place of its logarithm, and its interval: that of the linear formula, or what
 * the grid shows if that is wider. */
void exponents_show_factor(const struct model *m, const struct model_constant *c,
                           struct model_piece *piece);

/* Makes the derived variables: the candidates of a search for boundaries, that which the user asks for, or
 * those of the model that is made again. -1 with a diagnostic if the user's has no value. */
int derived_make(struct model *m, struct diag *diag);
/* After the search: drops the candidates without boundaries. A variable that the user asked for stays. */
void derived_keep_used(struct model *m);
/* Computes the derived variables of a place from the others. */
void derived_fill(const struct model *m, double *x);

/* Finds outliers and, where asked for, the intervals of each constant; needs coefficients. Fills
 * pieces, left_out, used. Returns 0, or -1 with a diagnostic. */
int intervals_find(struct model *m, struct diag *diag);
/* The columns of the least-squares problem that follow from the pieces. */
void intervals_expand(struct model *m);
/* Bounds of a piece as the user reads them. */
void intervals_bounds(struct arena *a, const struct model *m, const struct piece *piece,
                      struct model_piece *out);

/* Fits: as model_fit and model_fit_points, without the diagnosis. */
struct model *fit_model(struct arena *a, const struct fit_request *request, struct diag *diag);
struct model *fit_model_points(struct arena *a, const struct fit_request *request,
                               const struct points *points, struct diag *diag);

/* Looks for a term that explains the data better than the pieces found; sets m->structure.missing.
 * True if the term explains them alone, so that intervals are not what the data need. */
bool missing_term_find(struct model *m, const struct pieces_problem *problem);

/* Looks for a class of values that splits the residuals of a fit with these columns, at the points
 * that are not left out (NULL = none): one that chance gives in less than `level` of the fits. False
 * without such a class. */
bool divisible_find(struct model *m, const double *design, size_t columns, const bool *left_out,
                    double level, struct model_split *out);
/* Makes the numbers of the problem those without the factor of a class. */
void divisible_adjust(struct model *m, const struct model_split *split,
                      struct pieces_problem *problem);

/* From now on predictions of m beyond its data consider the formula without the terms of constants that
 * the data do not determine (undetermined.c). Does nothing after a search. */
void undetermined_consider(struct model *m);

/* The model's value at one of its own points, as it would be predicted. */
double predict_point(struct arena *a, const struct model *m, size_t i);

/* Fits the same formula to other values of the same points (NULL = the same), without the
 * excluded ones (NULL = none), through the complete selection of intervals, without diagnosis. NULL
 * when that is impossible. */
struct model *fit_refit(struct arena *a, const struct model *m, const double *values,
                        const bool *excluded);
/* As fit_refit, with some of the points only. */
struct model *fit_refit_some(struct arena *a, const struct model *m, const double *values,
                             const bool *keep);

/* As fit_refit, with the same intervals and another machine. */
struct model *fit_refit_machine(struct arena *a, const struct model *m,
                                const struct formula_machine *machine);

/* How far formulas are usually off at a place that is as far beyond the data as these are wide, in doublings of a
 * variable: a part of the value. 0 if the data follow the formula exactly. */
double predict_error_beyond(const struct model *m);
/* As model_predict, by the model's formula alone. */
int predict_by_formula(struct arena *a, const struct model *m, const struct place *place,
                       struct diag *diag, struct prediction *out);

/* A text about the place, once. */
void predict_add_beyond(struct arena *a, struct prediction *out, const char *text);

/* outgrown.c: by how much a prediction of the time of kernels may be too small, because the working set leaves a cache of the device
 * that all data fit into: a factor, 1 if the machine in use says nothing of it. *text says so, or is NULL. */
double outgrown_times(struct arena *a, const struct model *m, const struct prediction *p,
                      const char **text);

/* unfilled.c: whether the launches of the data filled the device. */
void unfilled_find(struct model *m);
/* By how much the time of kernels may be longer there because they did not: a factor, 1 if they did. *text says so, or is NULL. */
double unfilled_times(struct arena *a, const struct model *m, const struct prediction *p,
                      const char **text);

/* backtest.c: whether the model would have predicted the end of its own data. Once for a model; nothing after a search. */
void backtest_model(struct model *m);
/* surprises.c: what it found, per variable of the points; NULL: nothing, or it does not count. */
const struct model_surprise *surprises_of(const struct model *m);
/* A search leaves formulas that differ in how they grow, so its intervals allow for surprises already. */
bool surprises_are_searched(const struct model *m);
/* Both intervals reach as far as what changes at the end of the data may go on changing, and the prediction says so. */
void surprises_allow(struct arena *a, const struct model *m, struct prediction *p);

/* Makes the prediction by the formula of m one by all formulas that remain; nothing if there are no others. */
void average_formulas(struct arena *a, const struct model *m, const struct place *place,
                      struct prediction *out);

/* Inside predictions: a model at a place (predict_place.c), on it the gaps of boundaries (gaps.c), and on
 * both predictions (predict_formula.c, predict.c) and compositions. */
/* The formula as this prediction needs it: a definition (let) that is given by value is a variable.
 */
struct model_form {
    const char **variables;
    size_t nvariables;
    const struct formula **coefficients;
    const struct formula *offset;
    const struct formula_linear *with_choices; /* max() and min() of constants; NULL = none */
};

/* The model at a place. */
struct model_at {
    struct model_form form;
    struct place place;   /* the values of the form's variables */
    double *coefficients; /* of the constants */
    double *row;          /* of the columns */
    double known;         /* the part of the formula without constants */
    double x[PIECES_MAX_VARIABLES];
    bool unmeasured;
};
/* -1 with an error if the model has no value at the place. */
int predict_evaluate(struct arena *a, const struct model *m, const struct place *given,
                     struct diag *diag, struct model_at *p);
/* The same on another machine, on which each constant has its value times its ratio; machine NULL: the
 * one that the model was fitted with, without ratios. */
int predict_evaluate_on(struct arena *a, const struct model *m, const struct place *given,
                        const struct formula_machine *machine, const double *ratios,
                        struct diag *diag, struct model_at *p);
/* One expression of the model's formula at a place. */
int predict_expression(struct arena *a, const struct model *m, const struct formula *f,
                       const struct place *at, struct diag *diag, double *out);
/* Where the place is, in the variables of model_place_name; one that is not given has the value it always
 * has. */
void predict_coordinates(const struct model *m, const struct place *at, double *x);
/* The coefficients of all columns at a place: of each constant the piece that holds there counts, or
 * beyond a bend each piece with its share. A combination that was never measured gets the nearest
 * piece. */
void predict_fill_row(const struct model *m, const double *coefficients, const double *x,
                      double *row, bool *unmeasured);
double predict_value_of(const struct model *m, const double *row, double known);
/* -1 with an error if the value depends on how much belongs to which of the constants that cannot be
 * told apart. */
int predict_check_estimable(struct arena *a, const struct model *m, const double *row,
                            struct diag *diag);
/* Sets `reach`: the data do not change after it. */
void predict_find_reach(struct model *m);
void predict_find_extrapolations(struct arena *a, const struct model *m, struct prediction *out);
/* The relative noise at a time against that at a typical one; beyond the data it may grow, but does
 * not fall. */
double predict_noise_grown(const struct model *m, double value);
/* How far the formula is usually off at the place of a prediction: a part of its value. */
double predict_formula_error(const struct model *m, const struct prediction *p);
/* `selection`: variance of the prediction over resamples, `machine`: over draws of the machine's
 * figures; 0 if there are none. */
void predict_set_intervals(const struct model *m, const double *row, double selection,
                           double machine, struct prediction *out);
/* -1 with an error if a value is not finite. */
int predict_check_finite(const struct model *m, double value, struct diag *diag);
/* In a gap the two sides are mixed, in ratio, by how likely each is. */
double gaps_mixed(struct arena *a, const struct model *m, const double *coefficients,
                  const double *x, double known, double here);
/* The intervals then contain those of both sides. */
void gaps_consider(struct arena *a, const struct model *m, const double *coefficients,
                   const double *x, double known, struct prediction *out);

/* A value of a model at a place, its slope along each column, and what is special about the place
 * (`at`: only its place, extrapolations, gaps and `unmeasured` are set). */
struct model_slopes {
    double value, *slopes;
    struct prediction at;
};
/* What holds in a gap. */
enum gap_side { GAP_MIXED, GAP_BELOW, GAP_ABOVE };
/* Of the formula, as a value of a point; a place as in model_predict. */
int predict_slopes(struct arena *a, const struct model *m, const struct place *given,
                   enum gap_side side, struct diag *diag, struct model_slopes *out);
/* Of one constant. The place must have the variables at which it changes. */
int predict_constant_slopes(struct arena *a, const struct model *m, size_t constant,
                            const struct place *given, enum gap_side side, struct diag *diag,
                            struct model_slopes *out);

/* The coefficients of the model's columns at a place, and the value there; as model_predict. */
int predict_row(struct arena *a, const struct model *m, const struct place *place,
                struct diag *diag, const double **row, double *value);

/* ---- few_runs.c ---- */

/* Whether the point of other points has clearly fewer samples than those of the fit. */
bool few_runs_differ(const struct model *m, const struct points *points, size_t point);
struct few_runs few_runs_of(const struct model *m, const struct points *points, size_t point);

#endif
