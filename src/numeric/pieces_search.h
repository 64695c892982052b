/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Declarations that the files of the search for pieces share. */
#ifndef NUMERIC_PIECES_SEARCH_H
#define NUMERIC_PIECES_SEARCH_H

#include "numeric/boundaries.h"
#include "numeric/pieces.h"

/* The points in the order of one variable. */
struct ordered {
    size_t *point; /* sorted by the variable, outliers left out */
    size_t *group; /* of each */
    double *value; /* of each group */
    size_t n, groups;
};

struct searcher {
    struct arena *arena; /* scratch */
    const struct pieces_problem *problem;
    struct pieces *out;
    struct ordered order[PIECES_MAX_VARIABLES];
    double
        *beyond[PIECES_MAX_BOUNDARIES]; /* how much counts beyond each boundary, at all points; */
    struct boundary measured[PIECES_MAX_BOUNDARIES]; /* this boundary it was measured for */
    double criterion;
    double mean_error;                         /* relative, of what was evaluated last */
    double values[BOUNDARIES_MAX_COLUMNS + 1]; /* the same: of the pieces that have points */
    bool free_sign; /* the data themselves say that a constant is negative */
};

/* Halfway between two measured values: in ratio where that makes sense. */
double pieces_between(double below, double above);
/* Adds changes at a boundary, which may exist already; the list stays sorted. False if that changes
 * nothing, or if there are too many. */
bool pieces_add_boundary(struct pieces *p, const struct boundary *boundary, unsigned changing);
void pieces_remove_boundary(struct pieces *p, size_t i);
/* The pieces that follow from the boundaries, with their support. False when there are too many. */
bool pieces_make(struct searcher *s);
/* pieces_share at all points of the data, after pieces_make. */
void pieces_shares(const struct searcher *s, const struct piece *piece, double *share);

/* How many distinct values of a variable an interval must have: fewer where each value has several
 * points. */
size_t pieces_least_values(const struct pieces_problem *p, const struct ordered *o);
size_t pieces_boundaries_on(const struct pieces *p, size_t variable);
/* Residual sum of squares with no constant below zero: they are costs, and a structure that needs a
 * negative one explains nothing. Rows are in the order of the first variable. */
double pieces_residual(struct searcher *s, const struct boundaries_problem *b);
/* The least-squares problem of the pieces that have points; NULL when there are too many columns. */
struct boundaries_problem *pieces_problem_of(struct searcher *s, const struct ordered *o);
/* The criterion of everything found so far: AICc of the whole, and for each variable the cost of
 * the choice. */
double pieces_evaluate(struct searcher *s);
/* The part of it that the choice of the boundaries costs. */
double pieces_cost_of_choice(const struct searcher *s);

/* Adds the gradual change that improves the criterion most (gradual.c). False if none does. */
bool pieces_add_gradual(struct searcher *s);
/* By how much each column would reduce the residual sum of squares of the problem, *rest, if it were
 * added: gain[i] for column i, which column(context, i, out) makes, one number per row. It is negative
 * if the column would have a negative constant. */
void pieces_gains(struct arena *a, const struct boundaries_problem *b, size_t columns,
                  void (*column)(const void *context, size_t i, double *out), const void *context,
                  double *gain, double *rest);

#endif
