/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An experiment as rows (its counted executions), the terms of its formula at each row, and the patterns
 * of its instructions: instructions that were executed equally often in every row have one pattern.
 *
 *     struct count_model *m = count_model_make(arena, counts, experiment, diag);
 *     for (size_t i = 0; m && i < m->npatterns; i++)
 *         count_follow(arena, scratch, m, &m->patterns[i], true); // count/follow.h
 */
#ifndef COUNT_MODEL_H
#define COUNT_MODEL_H

#include "count/counts.h"
#include "data/dataset.h"
#include "formula/formula.h"

struct count_variable {
    const char *name;
    double *at; /* per row */
    bool varies;
};

/* A constant of the formula and its coefficient. */
struct count_term {
    const char *constant, *text; /* "A[2]", "N^2" */
    const struct formula *coefficient;
    double *at;     /* per row */
    double unit;    /* exact numbers are multiples of it: 1, or 1/log(2) for a natural logarithm */
    bool dependent; /* it cannot be told from the terms before it at these rows */
};

/* How the counts of a pattern depend on the variables. */
enum follow_kind {
    FOLLOW_EXACT, /* a sum of terms with simple fractions as factors, at every row */
    FOLLOW_STEPS, /* such a sum with steps: floor(N/4), N mod 4 */
    FOLLOW_ABOUT, /* a sum of terms within a few percent */
    FOLLOW_NOT
};

struct count_pattern {
    double *at;           /* per row: executions of each of the instructions */
    size_t *instructions; /* indices in struct counts */
    size_t n, capacity;
    /* set by count_follow */
    enum follow_kind kind;
    double *share;       /* per term: instructions per unit of the term */
    unsigned step;       /* FOLLOW_STEPS: one execution per so many units; else 0 */
    bool average;        /* FOLLOW_STEPS: shares are means over remainders */
    const char *follows; /* the sum as text; NULL for FOLLOW_NOT */
    const char *missing; /* a term that the formula lacks and that explains it; NULL: none found */
};

struct count_model {
    const char *experiment;
    const char *formula; /* its text; "" if it has none */
    const struct execution **rows;
    size_t nrows, npoints; /* points: rows that differ in the variables */
    struct count_variable *variables;
    size_t nvariables;
    struct count_term *terms;
    size_t nterms;
    struct count_pattern *patterns;
    size_t npatterns;
};

/* The model of an experiment; NULL if no execution was counted, or, after errors in `diag`, if its
 * formula cannot be used. */
struct count_model *count_model_make(struct arena *a, const struct counts *counts,
                                     const struct experiment *e, struct diag *diag);

/* The formula of instructions, else that of the time, which holds for them, too; else the first one. "" without any. */
const char *count_model_formula(const struct experiment *e);

/* Do two rows have the same values? */
bool count_model_same_point(const struct count_model *m, size_t x, size_t y);

#endif
