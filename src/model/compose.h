/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Compositions: expressions over the constants and the values of fitted experiments, such as the
 * time of a whole program from the models of its blocks.
 *
 *     whole(N, P) = log2(P)*(A[0] + B[0]) + sum(i, 0, log2(P)-1, C(n=N/2^i))
 *
 * A constant is taken at a place, since it may have several values: the place has the variables of
 * the expression, and the ones given in parentheses. The same holds for the value of an
 * experiment. The uncertainty of all constants is carried through: those of one experiment vary
 * together, as its covariance states, those of different experiments independently.
 */
#ifndef MODEL_COMPOSE_H
#define MODEL_COMPOSE_H

#include "model/predict.h"

/* NAME = FORMULA, or NAME(PARAMETERS) = FORMULA. */
struct compose_definition {
    const char *name, *text; /* text: of the formula, as the user wrote it */
    const char *const *parameters;
    size_t nparameters;
    bool has_parameters; /* else it has the variables of the place where it is used */
    const struct formula *formula;
    const struct source *source;
};

/* An experiment that takes part. */
struct compose_block {
    const char *name;
    const struct model *model;
    size_t first; /* of its columns, in the order of the blocks: set by compose_begin */
};

/* An experiment that cannot take part: there is none of this name, or it has no model. It is an error if it is
 * needed; what is multiplied by 0 is not. */
struct compose_missing {
    const char *name, *why;
    const struct source *source; /* of its first use */
    struct span span;
};

struct composition {
    const struct compose_definition *definitions;
    size_t ndefinitions;
    struct definitions let;
    struct compose_block *blocks;
    size_t nblocks, room_blocks;
    struct compose_missing *missing;
    size_t nmissing, room_missing;
    size_t ncolumns; /* of all blocks: set by compose_begin */
    bool any_place;  /* a place may have variables that are not needed: those of a point */
};

/* A name in an expression that is neither a parameter nor the variable of a sum nor a definition. */
struct compose_name {
    const char *name;
    struct span span;
    const struct source *source;
    bool is_block; /* it must be an experiment: NAME[0], NAME(...) */
};

const struct compose_definition *compose_find(const struct composition *c, const char *name);

/* The names that the definition uses, also through other definitions: possible experiments, and
 * variables. Definitions that use themselves are an error. 0, or -1. In the arena. */
int compose_names(struct arena *a, const struct composition *c, const struct compose_definition *d,
                  struct diag *diag, struct compose_name **names, size_t *n);

/* To be called when the blocks are known. */
void compose_begin(struct composition *c);

/* What one block does for a value. */
struct compose_part {
    double share;    /* of the value, to first order: slopes times constants */
    double variance; /* of the value, because the constants of the block are uncertain */
    struct prediction
        at; /* what is special about the places where it was used: extrapolations, gaps,
                             `unmeasured` */
};

struct composed {
    double value;
    double low, high;           /* 95 %, typical; nan when unknown */
    double standard_error;      /* of the value, from the constants alone; nan when unknown */
    const char *unknown;        /* the block whose noise is not known; NULL = none */
    bool is_time;               /* a sum of times, and perhaps a number */
    struct compose_part *parts; /* per block */
    struct place place;         /* the variables that were used */
};

/* Computes the definition at a place. Every variable that it needs must be given, and every one that is
 * given must be needed (but see any_place). 0, or -1 with an error. The result lives in `a`. */
int compose_predict(struct arena *a, const struct composition *c,
                    const struct compose_definition *d, const struct place *place,
                    struct diag *diag, struct composed *out);

/* The value of an expression whose names have values, some of which are such values themselves. */
struct compose_value {
    const struct formula *formula;
    const struct source *source; /* of the formula */
    const char *const *names;
    const double *values;
    const size_t *by; /* which of a list the values are; SIZE_MAX = numbers */
    size_t n;
    double value; /* set by compose_compute */
    double times; /* in a sum */
};

/* Sets the value. 0, or -1 with an error. */
int compose_compute(struct arena *a, const struct composition *c, struct compose_value *v,
                    struct diag *diag);

/* The sum of all values of a list, each as many times as it says, and a number: a time, whose interval is not below
 * 0. Values depend only on values before them. Which values are added is taken as certain. An experiment has the same
 * error wherever it is used. */
struct compose_sum {
    const struct compose_value *list;
    size_t n;
    double rest;
};
int compose_predict_sum(struct arena *a, const struct composition *c, const struct compose_sum *sum,
                        struct diag *diag, struct composed *out);

/* compose_predict with the measured values of points in place of the models: nan where one of them was not
 * measured, or where the definition uses constants. */
double compose_measured(struct arena *a, const struct composition *c,
                        const struct compose_definition *d, const struct place *place);

#endif
