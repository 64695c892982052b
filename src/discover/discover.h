/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The formula of a count, from its values at several sizes. Counts are whole numbers without noise, so a
 * formula is right at a size or it is not; one that is not right at every size is not called exact. All
 * arithmetic is in whole numbers and fractions.
 *
 *     struct discover_points p = {.names = names, .nvariables = 1, .at = at, .n = 5}; // at[row]: sizes
 *     struct discover_formula f;
 *     discover_find(arena, &p, counts, false, &f);
 *     printf("%s (%s)\n", f.text, discover_verdicts[f.verdict]);
 *     double there = discover_value(&f, place); // place[v]: the size of variable v
 *
 * With several variables, the rows through the first one that change one variable say which terms it
 * has; the formula is a sum of their products, and the other rows must come out.
 */
#ifndef DISCOVER_DISCOVER_H
#define DISCOVER_DISCOVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"

enum { DISCOVER_MOST_VARIABLES = 4, DISCOVER_MOST_TERMS = 24 };

/* A size is a whole number from 0 to this. */
#define DISCOVER_MOST_SIZE 1e12

enum discover_verdict {
    DISCOVER_EXACT, /* a polynomial, or powers of 2, whole at every size */
    DISCOVER_STEPS, /* floor, ceil or fractions, or a variable has few sizes: right at the sizes, and elsewhere only so
                       far as these tell */
    DISCOVER_DATA, /* no formula is exact: the count depends on the data, or differs between equal runs */
    DISCOVER_REFUTED /* a formula is exact but for the largest sizes, or for the smallest one */
};
extern const char *const discover_verdicts[]; /* "exact", "steps", "data", "refuted" */

/* The greatest common divisor; that of 0 and x is x. */
static inline int64_t discover_divisor(int64_t x, int64_t y)
{
    while (y) {
        int64_t rest = x % y;
        x = y;
        y = rest;
    }
    return x;
}

struct discover_points {
    const char *const *names; /* of the variables */
    size_t nvariables;
    const int64_t (*at)[DISCOVER_MOST_VARIABLES]; /* of each row; small sizes first */
    size_t n;
};

/* What one variable contributes to a term: n^power * S^steps, where S is of this kind. */
enum discover_kind {
    STEP_NONE,
    STEP_LOG_FLOOR, /* floor(log2(n)) */
    STEP_LOG_CEIL,  /* ceil(log2(n)) */
    STEP_ROOT,      /* floor(sqrt(n)) */
    STEP_BLOCK,     /* floor((n + shift)/block) */
    STEP_UP,        /* 2^ceil(log2(n)), the next power of 2 */
    STEP_UP_LOG,    /* 2^ceil(log2(n))*ceil(log2(n)), a Fourier transform of so many points */
    STEP_MERGE,     /* n*ceil(log2(n)) - 2^ceil(log2(n)) + n, what a merge sort merges */
    STEP_POWER,     /* 2^n */
    STEP_TREE       /* block^ceil(log2(n/shift)): a recursion that divides n into so many halves */
};
struct discover_factor {
    enum discover_kind kind;
    unsigned power, steps;
    int64_t block, shift;
};

/* What one variable divided by another one contributes: floor((n^of_power + shift)/P)^power, or its ceiling. */
struct discover_quotient {
    unsigned power; /* 0: nothing */
    unsigned of_power;
    size_t over, by; /* variables */
    int shift;
    bool up;
};

struct discover_term {
    int64_t over, under; /* its factor, a fraction */
    struct discover_factor of[DISCOVER_MOST_VARIABLES];
    struct discover_quotient quotient;
};

struct discover_formula {
    enum discover_verdict verdict;
    const char *text; /* "1/2*n^2 - 1/2*n"; NULL: none is near the counts */
    size_t nvariables;
    struct discover_term *terms; /* EXACT, STEPS, REFUTED */
    size_t nterms;
    bool rounded;      /* STEPS: the floor of their sum */
    size_t refuted_by; /* REFUTED: the row */
    /* DATA: factor * n^power * log2(n)^logs, or factor * base^n; and how far the counts are from it, 0.02: 2 % */
    double factor, scatter;
    double power[DISCOVER_MOST_VARIABLES];
    int logs[DISCOVER_MOST_VARIABLES];
    double base[DISCOVER_MOST_VARIABLES]; /* 0: none */
    struct discover_beside { /* plus ratio * n^power * log2(n)^logs, inside of the factor */
        double ratio, power;
        int logs;
        size_t variable;
    } beside; /* ratio 0: nothing */
};

/* `varies`: an equal run had other counts, or the counters contradict each other. In the arena. */
void discover_find(struct arena *a, const struct discover_points *p, const uint64_t *counts,
                   bool varies, struct discover_formula *out);

/* ---- counts as sums of other counts ---- */

enum { DISCOVER_MOST_PARTS = 4 };

struct discover_base {
    const uint64_t *counts; /* of each row */
    bool is_near;           /* it is of the same function as the count that is explained */
    bool is_alone;          /* it is not tried together with another one */
    bool is_argument; /* it is a sum of arguments of that function: several are tried together */
};

/* 8*iterations(a.c:12) + 1000*n - 3: a sum of other counts, of sizes and of a constant, with whole factors. */
struct discover_chain {
    size_t nparts;
    size_t of[DISCOVER_MOST_PARTS]; /* indices of bases */
    int64_t factors[DISCOVER_MOST_PARTS];
    int64_t sizes[DISCOVER_MOST_VARIABLES], constant;
};

/* Finds the sum that gives the counts at every row. False if no sum does, or if it may be chance. In the rows of `p`, a size may be
 * there several times: it was run again, with other counts. */
bool discover_chain(struct arena *a, const struct discover_points *p, const uint64_t *counts,
                    const struct discover_base *bases, size_t nbases, struct discover_chain *out);

/* Has a loop the same number of iterations each time that it is entered? Its number, or 0: no, or the counts say too little.
 * With `doubts`, as many bits more must speak for it. */
int64_t discover_trips(const uint64_t *iterations, const uint64_t *entries, size_t nrows,
                       double doubts);

/* The same where the number depends on the sizes alone: n rows for each of the iterations that a solver needs. Finds its formula;
 * false if the counts say too little. Each size is in one row. */
bool discover_trips_by_size(struct arena *a, const struct discover_points *p,
                            const uint64_t *iterations, const uint64_t *entries,
                            struct discover_formula *out);

/* The product of two formulas that are EXACT or STEPS, as STEPS. False if it is no sum of terms that there are. In the arena. */
bool discover_multiply(struct arena *a, const struct discover_points *p,
                       const struct discover_formula *x, const struct discover_formula *y,
                       struct discover_formula *out);

/* The value at a place; nan without a formula, if it is refuted, and where it gives no count. */
double discover_value(const struct discover_formula *f, const double *place);

#endif
