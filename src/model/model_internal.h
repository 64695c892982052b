/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a model consists of, for the files of this library. */
#ifndef MODEL_MODEL_INTERNAL_H
#define MODEL_MODEL_INTERNAL_H

#include "model/evaluator.h"
#include "model/fit.h"
#include "numeric/drift.h"

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

/* What the weights of the points come from (noise.c). */
struct model_weights {
    double *variance; /* per point, of its value */
    double *uneven;   /* per point: its standard deviation against that of a usual point, where the
                         numbers of samples differ; NULL = all 1 */
    bool growth_decided; /* while a fit is made: noise.growth stays as it is */
};

/* What neighbouring runs share of their disturbances (runs.c). */
struct model_runs {
    struct drift drift; /* its dof is 0 if the times of the runs are not known */
    double factor, chance;
    double rest; /* variance of the statistic by what samples do not share, times their number */
};

/* Launches of the data that did not fill the device (unfilled.c). */
struct model_unfilled {
    double waves;  /* of the largest launch; 0: it filled the device, or nothing is known */
    double *power; /* per variable of the points: that of WAVES */
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
    struct model_weights weights;
    struct model_runs runs;
    struct fit_error error;
    struct model_split split; /* of the residuals: the diagnosis finds it */
    struct model_resamples resamples;
    struct model_draws draws;
    struct model_alternatives alternatives;
    struct model_undetermined undetermined;
    struct model_unfilled unfilled;
    struct model_surprise *surprises; /* per variable of the points (backtest.c); NULL = none */
    struct model_reach reach;         /* of a model that is made whole, not of one made again */
    struct warnings warnings;         /* diagnose.c */
    bool again; /* made by fit_refit: missing terms, and gradual changes where there were
                                 none, are not looked for again */
};

#endif
