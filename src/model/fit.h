/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fitting: the constants of a formula from points, what they are uncertain by, and what follows
 * from them.
 *
 *     struct fit_request r = {.points = points, .formula = f, .source = &source};
 *     struct model *m = model_fit(arena, &r, diag); // NULL: the reason is in diag
 *     struct place place = {names, values, n};
 *     struct prediction p;
 *     if (m && model_predict(arena, m, &place, diag, &p) == 0)
 *         printf("%g\n", p.value);
 *
 * The method (docs/method/statistics.md): relative weighted least squares, iterated until
 * weights and fitted times agree; noise from residuals and from repetitions; Student's t.
 */
#ifndef MODEL_FIT_H
#define MODEL_FIT_H

#include "formula/formula.h"
#include "numeric/drift.h"
#include "numeric/pieces.h"
#include "model/points.h"
#include "model/warnings.h"

/* How intervals are to be found: on all variables, on none, on one, or at places the user gave. */
enum interval_mode { INTERVALS_AUTO, INTERVALS_NONE, INTERVALS_ON, INTERVALS_GIVEN };

struct interval_request {
    enum interval_mode mode;
    const char
        *variable; /* ON, GIVEN: a variable, or an expression over variables and definitions */
    const double *given; /* GIVEN: the boundaries, ascending */
    size_t ngiven;
    size_t max;       /* intervals on one variable; 0 = the default, 6 */
    double threshold; /* mean relative error that is good enough; 0 = none */
    bool steps_only;  /* neither gradual changes nor a missing term are looked for: for a search,
                         which compares formulas itself */
};

struct fit_request {
    struct points_request points;
    const struct formula *formula; /* as the user wrote it */
    const struct source *source;   /* of the formula, may be NULL */
    struct definitions let;
    bool nonneg;
    bool keep_outliers; /* outliers take part in the fit */
    struct interval_request intervals;
};

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

/* One unknown of the least-squares problem: a piece of a constant. */
struct model_column {
    size_t constant;
    const struct piece *piece;
    struct model_piece *fitted; /* NULL: the data cannot determine it */
};

struct fit_error {
    double mean_pct, max_pct, loo_mean_pct; /* nan where undefined */
};

/* The formula, and its parts at the points (fit.c). */
struct model_formula {
    const struct formula *expanded;              /* definitions replaced */
    const struct formula *offset;                /* the part without constants; NULL = 0 */
    double *coefficients;                        /* points x constants, row by row */
    double *known;                               /* the offset at the points; NULL = 0 */
    const struct formula_linear *with_exponents; /* its exponents are variables; NULL = none */
    size_t nexponents;
    const struct formula_linear *with_choices; /* max() and min() of constants; NULL = none */
    double *chosen; /* per constant: around which the formula is linear now, of those */
    /* Around which the formula is linear now; of a factor the logarithm. */
    double exponents[FORMULA_MAX_EXPONENTS];
    /* Factors: the ends of what fits almost as well as the best, on the grid. */
    double factor_low[FORMULA_MAX_EXPONENTS], factor_high[FORMULA_MAX_EXPONENTS];
    const struct formula_machine *machine; /* that the formula asks; NULL = none */
};

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

/* One more term beside intervals, as explanations of what one value for each constant does not explain
 * (missing_term.c). Errors are means over the points, in percent. */
struct model_missing_term {
    const char *text; /* explains the data better than the intervals found; NULL = none does */
    bool instead;     /* nothing remains beside it: llac makes no intervals unless it is told to */
    double *column;   /* the term at the points */
    double error;     /* of the formula with the term */
    double plain;     /* with neither */
    double intervals; /* with the intervals that were found */
    size_t more_values; /* that these have, with their boundaries */
};

/* A value that is computed from variables, along which constants change (derived.c). */
struct derived_variable {
    const char *name; /* "N/P", or that of a definition */
    const struct formula *formula;
    const struct formula_program *program; /* over the variables of the points */
    double *at;                            /* per point */
};

/* Where each constant holds, and the columns of the least-squares problem (intervals.c). */
struct model_structure {
    struct pieces *pieces; /* their variables are those of model_place_name */
    struct derived_variable *derived;
    size_t nderived;
    struct model_column *columns; /* the pieces of the constants, in order */
    size_t ncolumns;
    double *
        design; /* points x columns: the coefficient, 0 where another piece of the constant holds */
    const bool *excluded; /* per point: the caller leaves it out; NULL = none */
    bool *left_out;       /* per point: an outlier, or excluded: takes no part in the fit */
    size_t used;          /* points that take part */
    double threshold; /* mean relative error that is good enough, of the search for boundaries */
    bool has_gradual; /* a boundary that is not a step */
    struct model_missing_term missing;
    struct model_split split; /* explains the data better than intervals do */
};

/* The solution of the least-squares problem (fit.c). */
struct model_solution {
    double *value;      /* per column, 0 when dropped */
    double *covariance; /* ncolumns^2, of the values */
    double *of_runs;    /* the part of it that whole runs cause (runs.c) */
    double *fitted;     /* per point */
    double *leverage;   /* per point */
    double condition;   /* of the columns, scaled to length 1 */
    double *weakest;    /* per column: the direction that the data determine least */
    bool *dropped;      /* per column: the data cannot determine it */
    bool *active;       /* per column: not held at 0 */
    double *relations;  /* nrelations x ncolumns: combinations that the data do not determine */
    size_t nrelations;
};

/* The noise (noise.c). */
struct model_noise {
    double relative; /* of the value of a point, at the time `typical` */
    double growth;   /* elsewhere: times (time / typical)^growth; 0 = the same everywhere */
    double typical;
    double growth_refused; /* the power that made the fit worse, and is not used; 0 = none */
    bool growth_decided;   /* while a fit is made: `growth` stays as it is */
    double drift;     /* where the noise grows: how far the statistic may be from the time that the
                         formula describes, relative, at the time `typical`; 0 otherwise */
    double *uneven;   /* per point: its standard deviation against that of a usual point, where the
                         numbers of samples differ; NULL = all 1 */
    double floor;     /* seconds: what clock and overhead leave uncertain at a typical point */
    double *variance; /* per point, of its value */
    double dof;       /* degrees of freedom; 0 = the noise is unknown */
    bool none;        /* the data follow the formula exactly */
    double misfit;    /* residuals over what repetitions explain, as a ratio of standard deviations;
                      nan = unknown */
    double single_low, single_high; /* 2.5 % and 97.5 % quantiles of sample / fitted */
    size_t short_points;            /* shorter than TRUSTED_OVERHEADS */
    double runs;          /* what a whole run is disturbed by: standard deviation, relative; 0 = not
                             seen */
    double runs_of_point; /* what this adds to the relative variance of a point's value */
    double runs_dof;      /* degrees of freedom of both */
    struct drift
        runs_drift; /* what of it neighbouring runs share; its dof is 0 if the times of the runs are not known */
    double runs_factor, runs_chance; /* with runs_drift: runs.c */
    double
        runs_rest; /* with runs_drift: variance of the statistic by what samples do not share, times their number */
    double runs_span; /* with runs_drift: seconds from the first run to the end of the last one */
    double runs_independent; /* so many runs that share nothing determine a value as well */
};

/* Models of resampled data (resample.c). */
struct model_resamples {
    struct model **list;
    size_t n;
    double part; /* of the points that each of them has */
};

/* Models of the same data with figures of the machine that are drawn from their intervals. */
struct model_draws {
    struct model **list;
    size_t n;
};

/* The formulas that a search left, or those without terms that the data do not determine
 * (undetermined.c), for predictions (average.c). */
struct model_alternatives {
    struct alternative *list;
    size_t n;
    bool only_beyond;           /* inside the data the model alone predicts */
    const size_t *undetermined; /* constants: those whose intervals contain zero */
    size_t nundetermined;
    const struct formula **terms; /* definitions replaced */
    size_t nterms;
};

/* How far the data reach: what every prediction asks. */
struct model_range {
    double low, high;   /* of a variable, over the points that take part in the fit */
    double least, most; /* over all points */
};
struct model_reach {
    struct model_range *ranges;     /* per variable of the points, then per derived variable */
    double least_grown, most_grown; /* noise_grown: of all points, and of those in the fit */
};

struct model {
    struct arena *arena;
    struct fit_request request;
    struct points points;
    struct model_formula formula;
    struct model_constant *constants;
    size_t nconstants;
    struct model_structure structure;
    struct model_solution solution;
    struct model_noise noise;
    struct fit_error error;
    struct model_split split; /* of the residuals: the diagnosis finds it */
    struct model_resamples resamples;
    struct model_draws draws;
    struct model_alternatives alternatives;
    struct model_reach reach; /* of a model that is made whole, not of one made again */
    struct warnings warnings; /* diagnose.c */
    bool again; /* made by model_refit: missing terms, and gradual changes where there were
                                 none, are not looked for again */
};

/* NULL on error. The model lives in the arena; the data set must live as long. */
struct model *model_fit(struct arena *a, const struct fit_request *request, struct diag *diag);
/* The same on points that are made already (or on some of them); their lists must live as long. */
struct model *model_fit_points(struct arena *a, const struct fit_request *request,
                               const struct points *points, struct diag *diag);

/* Fits the same formula to other values of the same points (NULL = the same), without the
 * excluded ones (NULL = none), through the complete selection of intervals, without diagnosis. NULL
 * when that is impossible. */
struct model *model_refit(struct arena *a, const struct model *m, const double *values,
                          const bool *excluded);

/*
 * Makes predictions include the uncertainty of the selection: whole runs are drawn anew (where
 * there are too few runs, residuals), each time everything is selected and fitted again. Does
 * nothing when it was done before, or when nothing was selected. Takes some dozens of fits; the
 * result is the same every time. If the formula asks the machine, the figures of the machine are drawn
 * anew as well, and the constants fitted again with each of them. Constants that the data do not determine
 * make predictions beyond the data averages over the formula with and without their terms.
 */
void model_resample(struct model *m);

/*
 * Makes error.loo_mean_pct the error of points that are left out while everything is selected again.
 * Takes up to one fit for each point where intervals were selected; before, it is that of the
 * intervals as they are. The result is the same every time.
 */
void model_leave_out(struct model *m);

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
    const char **beyond; /* where a function asks for more than the machine file has: texts */
    size_t nbeyond;
    bool
        unmeasured; /* the combination of intervals was never measured: the nearest one was taken */
    bool far; /* inside the ranges of all variables, but the combination is far from all points */
    struct place place; /* it was made for: the variables of the formula */
};

/* "N in (1024, 4096]", "the part of N in (1024, 4096]", "N in (1024, 4096], gradually". In the arena.
 */
char *model_interval_text(struct arena *a, const struct model_interval *i);

/* Whether the variable has so few values that a boundary separates values, not sizes: it is between any two of them. */
bool model_few_values(const struct model *m, size_t variable);

/* The names a prediction needs: the variables of the formula. *n gets their number. In the arena.
 */
const char **model_variables(struct arena *a, const struct model *m, size_t *n);

/* The variables of the points that decide which value of a constant holds. In the arena. */
const char **model_changes_along(struct arena *a, const struct model *m, size_t constant,
                                 size_t *n);

/* Predicts at a place. A variable not given takes the value it has in all points,
 * if it never varies; otherwise it is an error. Definitions (let) can be given directly. The result
 * lives in `a`. */
int model_predict(struct arena *a, const struct model *m, const struct place *place,
                  struct diag *diag, struct prediction *out);
/* How far the data of the model reach. In the arena. */
struct model_reach model_reach_of(struct arena *a, const struct model *m);
/* How far formulas are usually off at a place that is as far beyond the data as these are wide, in doublings of a
 * variable: a part of the value. 0 if the data follow the formula exactly. */
double model_error_beyond(const struct model *m);
/* Whether the prediction depends on constants that the data do not determine (m->alternatives.undetermined). */
bool prediction_is_vague(const struct model *m, const struct prediction *p);
/* The prediction as a value of a point, to be compared with measured points: without `times`. */
void prediction_as_point(struct prediction *p);
/* The interval that the measured value of a point is held against, and whose it is: `single run` for a point with one
 * execution; `burst` for one whose rounds took a much shorter time than those of the model; else `typical`, which is for
 * the statistic of as many rounds over as long a time. */
enum point_kind { POINT_TYPICAL, POINT_SINGLE, POINT_BURST };
extern const char *const point_kind_words[]; /* "typical", "single run", "burst" */
struct point_interval {
    double low, high; /* nan: not known */
    enum point_kind kind;
};
/* What bursts of so many rounds measured in the data of the fit, against the value of all rounds: logarithms. */
struct burst_levels {
    double mean, low, high;
};
/* Points that are compared with a model. */
struct held_points {
    const struct model *model;
    const struct points *points;
    bool burst;
    size_t rounds; /* that `seen` is about; 0 = none yet */
    struct burst_levels seen;
};
struct held_points burst_held_points(const struct model *m, const struct points *points);
struct point_interval prediction_interval(struct held_points *c, const struct prediction *p,
                                          size_t point);

/* What each constant's term contributes at a place (as in model_predict): out[constant], without a
 * known offset. 0, or -1 with a diagnostic. */
int model_terms(struct arena *a, const struct model *m, const struct place *place,
                struct diag *diag, double *out);

/* What a constant is multiplied by; in a max() or min(), where its operand counts. In the arena. */
const struct formula *model_term(struct arena *a, const struct model *m, size_t constant);

/* The same on another machine, whose figures the functions of the machine take (NULL: the one that the
 * model was fitted with), with the part of the formula that has no constants in *known. The terms have
 * the constants that were fitted; which operand of a max() or min() counts is decided with each
 * constant times its ratio (NULL: 1). */
int model_terms_on(struct arena *a, const struct model *m, const struct place *place,
                   const struct formula_machine *machine, const double *ratios, struct diag *diag,
                   double *out, double *known);

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
/* The same at the place of a prediction; where that combination of intervals was never measured, the
 * nearest piece. All 0 if the data do not determine the constant. */
void model_constant_near(const struct model *m, size_t constant, const struct place *place,
                         struct model_piece *out);
/* The same for all constants (columns[constant]), and in `where` the place's interval on each
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

/* The model's value at each point of another set of points of the same experiment. */
int model_predict_points(struct arena *a, const struct model *m, const struct points *p,
                         struct diag *diag, double *out);

/* Whether a value is in the class. */
bool class_has(const struct value_class *c, double x);
/* "powers of two", "multiples of 64". In the arena. */
char *class_text(struct arena *a, const struct model_split *split);
/* The values of a class at the points of a fit, ascending; returns how many. In the arena. */
size_t class_values(struct arena *a, const struct model *m, const struct value_class *c,
                    double **values);

/* 97.5 % quantile of Student's t. */
double noise_student_t(double dof);

#endif
