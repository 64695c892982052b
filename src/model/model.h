/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How a fitted model is read: what it was fitted to, its constants and where each value of them holds, its
 * errors, its noise, its warnings.
 *
 *     struct model_constants c = model_constants(m);
 *     for (size_t i = 0; i < c.n; i++)
 *         if (c.list[i].npieces == 1) // it has one value everywhere
 *             printf("%s = %g\n", c.list[i].name, c.list[i].pieces[0].value);
 *     printf("error: %g %%\n", model_error(m)->mean_pct);
 *
 * What is returned belongs to the model, and changes with it (model_resample, model_leave_out); "in the
 * arena" is said where it does not. fit.h makes models, predict.h predicts with them.
 */
#ifndef MODEL_MODEL_H
#define MODEL_MODEL_H

#include "formula/formula.h"
#include "numeric/pieces.h"
#include "model/points.h"
#include "model/warnings.h"

struct model;
struct fit_request;

/* ---- what was fitted */

/* What model_fit was asked. */
const struct fit_request *model_request(const struct model *m);
const struct points *model_points(const struct model *m);
/* With definitions replaced, and the part of it without constants; NULL = 0. */
const struct formula *model_formula(const struct model *m);
const struct formula *model_offset(const struct model *m);
/* The machine that the formula asks; NULL = none. */
const struct formula_machine *model_machine(const struct model *m);
/* Whether the formula has a max() or min() of constants: with other constants, another operand may count. */
bool model_has_choices(const struct model *m);
/* The names a prediction needs: the variables of the formula. *n gets their number. In the arena. */
const char **model_variables(struct arena *a, const struct model *m, size_t *n);
/* The variables of the points that decide which value of a constant holds. In the arena. */
const char **model_changes_along(struct arena *a, const struct model *m, size_t constant,
                                 size_t *n);
/* Whether a place may have this name: a variable of the points, or a definition (let). */
bool model_knows(const struct model *m, const char *name);

/* ---- the constants */

/* Where a piece holds: from <= variable <= to; `from` itself belongs to the piece below where
 * `open`. Where one of the ends is not a step, the piece has a share of the value: `form`. */
struct model_interval {
    const char *variable;
    double from, to;
    bool open;
    bool single; /* the variable has few values, and `to` is the only one here */
    enum boundary_form form;
};
struct model_piece {
    double value, standard_error;
    double low, high;                   /* 95 %; nan when the data say nothing about the noise */
    const struct model_interval *where; /* empty = everywhere */
    size_t nwhere;
};
struct model_constant {
    const char *name; /* "f[0]" */
    unsigned index;
    const struct formula *coefficient; /* with definitions (let) replaced */
    struct model_piece *pieces;        /* none: the data cannot determine it */
    size_t npieces;
    bool at_bound;    /* held at 0 by nonneg, in every piece */
    bool is_exponent; /* its coefficient is the slope of the time (exponents.c) */
    bool is_factor;   /* the same, against the logarithm of the constant */
};
struct model_constants {
    const struct model_constant *list;
    size_t n;
};
struct model_constants model_constants(const struct model *m);

/* One unknown of the least-squares problem: a piece of a constant. */
struct model_column {
    size_t constant;
    const struct piece *piece;
    struct model_piece *fitted; /* NULL: the data cannot determine it */
};
struct model_columns {
    const struct model_column *list; /* the pieces of the constants, in order */
    const double *value;             /* per column, 0 if the data cannot determine it */
    size_t n;
};
struct model_columns model_columns(const struct model *m);

/* The boundaries, and which constants change at each. */
const struct pieces *model_pieces(const struct model *m);
/* "N in (1024, 4096]", "the part of N in (1024, 4096]", "N in (1024, 4096], gradually". In the arena. */
char *model_interval_text(struct arena *a, const struct model_interval *i);
/* Whether the variable has so few values that a boundary separates values, not sizes: it is between any two of them. */
bool model_few_values(const struct model *m, size_t variable);
/* What a constant is multiplied by; in a max() or min(), where its operand counts. In the arena. */
const struct formula *model_term(struct arena *a, const struct model *m, size_t constant);
/* The value of an exponent, or of a factor in an argument, with which predictions compute. That of its piece is one step
 * of the fit further: another one where the data do not determine it. */
double model_exponent(const struct model *m, size_t constant);

/* The column (piece) of a constant that holds at a place, x[v] being the value of model_place_name(m, v);
 * where that combination of intervals was never measured, the nearest one. SIZE_MAX if there is
 * none. *crossed (may be NULL): how many of its boundaries the place is beyond. */
size_t model_column_at(const struct model *m, size_t constant, const double *x, size_t *crossed);
/* The value of a constant at a place, and the ends of its interval: of the piece that holds there, or
 * of all pieces with their shares. False without such a piece, or if the combination of intervals was
 * never measured. */
bool model_constant_at(const struct model *m, size_t constant, const double *x,
                       struct model_piece *out);
/* The columns of all constants at a place (columns[constant]), and in `where` the place's interval on each
 * variable with boundaries: what all of these pieces have in common. */
void model_pieces_at(struct arena *a, const struct model *m, const double *x, size_t *columns,
                     struct model_piece *where);
/* Number of variables used to look up a piece: those of the points, then the derived ones. */
size_t model_places(const struct model *m);
/* Of such a variable: its name; its values at the points; its expression, NULL for a variable of the points. */
const char *model_place_name(const struct model *m, size_t v);
const double *model_place_values(const struct model *m, size_t v);
const struct formula *model_place_formula(const struct model *m, size_t v);
/* Whether it is this variable of the points, or is computed from it. */
bool model_place_uses(struct arena *a, const struct model *m, size_t v, const char *variable);
/* The place of a point of any data of this experiment: x[v] for each of them. */
void model_place_in(const struct model *m, const struct points *p, size_t point, double *x);
/* The least-squares value of a constant from these points alone, with all other constants as fitted; its
 * interval contains the noise of these points alone. False if they do not determine it. */
bool model_constant_from(const struct model *m, size_t constant, const size_t *points, size_t n,
                         struct model_piece *out);

/* ---- how well it describes the points */

struct fit_error {
    double mean_pct, max_pct, loo_mean_pct; /* nan where undefined */
};
const struct fit_error *model_error(const struct model *m);
const struct warnings *model_warnings(const struct model *m);
/* Per point: the model's value, and whether the fit leaves it out as an outlier. */
const double *model_fitted(const struct model *m);
const bool *model_left_out(const struct model *m);

/* The noise (noise.c), and what whole runs are disturbed by (runs.c). */
struct model_noise {
    double relative; /* of the value of a point, at the time `typical` */
    double growth;   /* elsewhere: times (time / typical)^growth; 0 = the same everywhere */
    double typical;
    double growth_refused; /* the power that made the fit worse, and is not used; 0 = none */
    double drift;   /* where the noise grows: how far the statistic may be from the time that the
                      formula describes, relative, at the time `typical`; 0 otherwise */
    double floor;   /* seconds: what clock and overhead leave uncertain at a typical point */
    double dof;     /* degrees of freedom; 0 = the noise is unknown */
    bool none;      /* the data follow the formula exactly */
    double in_runs; /* the part of the residuals' variance that counts with the runs, and not with
                       the points */
    double misfit;  /* residuals over what repetitions explain, as a ratio of standard deviations;
                      nan = unknown */
    double single_low, single_high; /* 2.5 % and 97.5 % quantiles of sample / fitted */
    size_t short_points;            /* shorter than TRUSTED_OVERHEADS */
    double runs;          /* what a whole run is disturbed by: standard deviation, relative; 0 = not
                             seen */
    double runs_of_point; /* what this adds to the relative variance of a point's value */
    double runs_dof;      /* degrees of freedom of both */
    double runs_independent; /* so many runs that share nothing determine a value as well; 0 = the
                                times of the runs are not known */
    double runs_span;        /* then also: seconds from the first run to the end of the last one */
};
const struct model_noise *model_noise(const struct model *m);
/* 97.5 % quantile of Student's t. */
double noise_student_t(double dof);

/* Values of a variable that have something to do with divisibility (divisible.c). */
enum class_kind { CLASS_POWERS_OF_TWO, CLASS_SQUARES, CLASS_MULTIPLES };
struct value_class {
    size_t variable; /* of the points */
    enum class_kind kind;
    double of; /* CLASS_MULTIPLES: of this number */
};

/* The points of a class take `factor` times as long as the others. */
struct model_split {
    bool found;
    struct value_class class;
    double factor, low, high;  /* 95 % */
    double same_from, same_to; /* multiples of these powers of two are the same points; 0 = none */
    const char *term;          /* explains it, to be added to the formula; NULL = not known */
    double term_error;         /* mean, in percent, of the formula with it */
};
const struct model_split *model_split(const struct model *m);
/* Whether a value is in the class. */
bool class_has(const struct value_class *c, double x);
/* "powers of two", "multiples of 64". In the arena. */
char *class_text(struct arena *a, const struct model_split *split);
/* The values of a class at the points of a fit, ascending; returns how many. In the arena. */
size_t class_values(struct arena *a, const struct model *m, const struct value_class *c,
                    double **values);

#endif
