/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of the search share: its state, and what each of them does. */
#ifndef MODEL_SEARCH_SEARCHER_H
#define MODEL_SEARCH_SEARCHER_H

#include "model/fit_internal.h"
#include "model/search.h"
#include "numeric/sums.h"

/* A sum with what was found for it. */
struct found {
    struct search_sum sum;
    bool divided;
    bool without_last; /* without the points at the largest value of a variable */
    double plausible;
};

struct searcher {
    struct arena *arena, *work; /* work: of one pass */
    struct arena *scratch;      /* of one sum, in climb.c */
    const struct search_request *request;
    struct diag *diag;
    struct points all, used;
    struct search_variable variables[SEARCH_MAX_VARIABLES];
    size_t nvariables;
    struct search_library library;
    struct search_problem problem;
    double **columns, *cost; /* of the problem; there is room for more terms */
    size_t room;
    size_t *slots, nslots;                     /* see make_slots */
    double log_exponent[SEARCH_MAX_VARIABLES]; /* the power that log(V) is about; see climb.c */
    double *sigma;
    double middle[SEARCH_MAX_VARIABLES]; /* of the range of each variable, in ratio */
    double middle_time; /* sigma there; 0 = columns are scaled by the points, see searcher_column */
    double *shares;     /* room for a column */
    bool *keep;         /* per point: it is used */
    bool *skip;         /* per used point: an outlier */
    bool *last;         /* per used point: left out in this variant */
    bool settled[2];    /* enough points tell it */
    double least_noise; /* of formulas with boundaries */
    size_t passes;      /* for that */
    double most_noise;  /* that is expected: no more than these have */
    double noise[2];    /* of the variants with and without the largest size; 0 = not known yet */
    double bonus; /* of this variant: ln of its prior probability, and of the points left out */
    struct found *pool; /* what was found; searcher_sort_pool puts the best first */
    size_t npool, *pool_slots;
    double pool_enough;               /* less plausible sums do not enter the pool */
    size_t in_pool[SEARCH_MAX_FOUND]; /* per candidate of the result */
    size_t *listed;                   /* per term: its place in the list of the result + 1 */
    size_t formulas;
};

/* ---- variables.c ---- */

int searcher_take_variables(struct searcher *s);
/* An expression over variables and definitions at all points. */
int searcher_values(struct searcher *s, const struct formula *expression, const char *text,
                    double *out);

/* ---- problem.c ---- */

/* Not more points than SEARCH_MOST_POINTS, spread over all, never in step with a grid. */
void searcher_choose_points(struct searcher *s);
/* Terms that the user gave. */
int searcher_add_given(struct searcher *s);
/* (V/P)*log(V/P): sorts and transforms of what each processor has. No product of powers and
 * logarithms of V and P alone is this. */
void searcher_add_shares(struct searcher *s);
bool searcher_leaves_out(const struct searcher *s, size_t i);
/* Divides a column so that its typical element, the median of all that are not 0, is
 * SEARCH_USUAL_SHARE. Returns by what; 0 if all are 0. */
double searcher_scale(const struct searcher *s, double *column);
/* A term at the points: divided by sigma, and scaled as above; rows left out are 0. Returns what it
 * was divided by. Of points along few lines no typical one says what a product does: there a term of variables is
 * SEARCH_USUAL_SHARE of the time in the middle of all ranges. */
double searcher_column(const struct searcher *s, const struct search_term *t, double *out);
/* Is the term beyond the limit of the request? */
bool searcher_grows_too_fast(const struct searcher *s, const struct search_term *t);
void searcher_problem(struct searcher *s);
/* The columns of a sum. */
size_t searcher_columns(const struct searcher *s, const struct search_sum *sum,
                        const double **columns, double *cost);
/* How plausible it is with the plain costs of its terms, as if there were one variable. */
double searcher_plain(const struct searcher *s, const struct found *f);
/* So few that a boundary or an outlier explains what a variable does. */
bool searcher_few_points(const struct searcher *s);

/* ---- pool.c ---- */

void searcher_clear_pool(struct searcher *s);
/* A sum that is there already does not enter again. */
void searcher_add(struct searcher *s, const struct found *f);
void searcher_sort_pool(struct searcher *s);

/* ---- judge.c ---- */

/* The terms of the library by their factors: slots hold index + 1. */
void searcher_make_slots(struct searcher *s);
/* The sum as the pool wants it, its terms ascending; it enters the pool. */
struct search_sum searcher_judged(struct searcher *s, struct search_sum sum);
/* The sum with another term in the place of term t; false if there is no such sum. */
bool searcher_with_term(struct searcher *s, struct search_sum *sum, size_t t,
                        const struct search_term *term);
/* The sum of these terms, judged; it enters the pool. False if there is no such sum. */
bool searcher_judge_terms(struct searcher *s, const struct search_term *terms, size_t n,
                          bool constant, struct search_sum *out);

/* ---- boundaries.c ---- */

/* The best sums of few terms, once more with intervals. Large data allow few attempts. */
void searcher_try_boundaries(struct searcher *s, const struct search_level *levels,
                             size_t max_terms);
/* Points the winner's fit leaves out, if there are any new ones. */
bool searcher_take_outliers(struct searcher *s);

/* ---- climb.c ---- */

/* The best sums of each length with other exponents near those of the library: with several
 * variables it has few. */
void searcher_try_exponents(struct searcher *s, const struct search_level *levels,
                            size_t max_terms);

/* ---- refine.c ---- */

/* The best sum that least squares over the exponents leads to, if it can be more plausible than
 * `enough`. False without one. */
bool searcher_refine(struct searcher *s, const struct search_sum *sum, double enough,
                     struct search_sum *best);

/* ---- passes.c ---- */

void searcher_pass(struct searcher *s);
/* Leaves out the points at the largest value of a variable. False if that leaves too few. */
bool searcher_leave_last_out(struct searcher *s, size_t v);

/* ---- report.c ---- */

int searcher_report(struct searcher *s, struct search_result *out);

#endif
