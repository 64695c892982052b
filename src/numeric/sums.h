/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The numbers of the search: how plausible a sum of terms is, and which sums are most plausible.
 *
 * Rows are points divided by their scale, so that errors are relative. A column is a term at the
 * points, scaled so that its typical element is SEARCH_USUAL_SHARE: with a coefficient of 1 the term
 * explains that share of the time of a typical point (of points along lines: in the middle of all ranges). With a half-normal prior of coefficients, with
 * standard deviation 1, and a noise that is expected to have a certain size, the probability of the
 * data is an integral in closed form:
 *
 *     ln p = k ln 2 + k/2 ln s - 1/2 ln |G| - (w + n)/2 ln (w e^2 + R) + sum ln P(c_j > 0) + rest
 *
 * with G = X'X + s I, c = G^-1 X'y, R = y'y - c'X'y; e the expected noise, which counts as w points;
 * s (shrink) the square of the noise over that of a coefficient. The last sum takes the coefficients
 * one by one, which is an approximation. The rest depends on n, w and e alone; it matters when
 * points are left out. The plausibility of a sum adds ln of its prior
 * probability: minus the costs of its terms, SEARCH_TERM_PENALTY, and the shares of sums with and
 * without a constant term.
 */
#ifndef NUMERIC_SUMS_H
#define NUMERIC_SUMS_H

#include "numeric/random.h"
#include "numeric/terms.h"

struct search_problem {
    size_t n, terms;
    const double *y;        /* measured / scale; 0 in a row that is left out */
    const double *constant; /* the column of the constant term */
    double *const *columns; /* per term */
    const double *cost;     /* per term: -ln of its prior probability; infinite = is not used */
    size_t rows;            /* n less those left out */
    double noise, weight;   /* expected relative noise, and how many points that counts as */
    double shrink, log_noise, rest; /* see above; log_noise: ln of sqrt(shrink) */
    bool any_sign;                  /* coefficients may be negative */
    bool lines;                     /* see struct search_library */
};

/* A sum of terms. */
struct search_sum {
    size_t term[SEARCH_MAX_TERMS]; /* ascending */
    size_t n;
    bool constant;    /* with the constant term */
    double plausible; /* ln of the probability, up to a constant of the problem */
};

/* What the data say of the coefficients of a sum: Student's t with `dof` degrees of freedom around
 * `mean`, its scale matrix noise^2 (L L')^-1. */
struct search_posterior {
    size_t k;
    double mean[SEARCH_MOST_COLUMNS];
    double *factor; /* L, k x k, row by row */
    double noise, dof;
};

/* Sets noise, weight, shrink, log_noise and rest; needs rows. Without repetitions (weight 0) a usual noise is
 * expected. */
void search_expect_noise(struct search_problem *p, double noise, double weight);

/* Sets shrink and log_noise to this noise; where it is `expected`, also noise. */
void search_settle_noise(struct search_problem *p, double noise, bool expected);

/* ln p of columns as above; out may be NULL. -INFINITY where the columns depend on each other or
 * leave nothing over. out->factor is in the arena. */
double search_evidence(struct arena *a, const struct search_problem *p,
                       const double *const *columns, size_t k, struct search_posterior *out);

/* A draw of the coefficients (draw[k]) and of the noise, which is returned. Coefficients are not
 * negative unless any_sign. */
double search_draw(const struct search_problem *p, const struct search_posterior *q,
                   struct random *random, double *draw);

/* x of (gram + shrink I) x = target, k unknowns; of gram, k x k, the lower triangle is read. Both are
 * overwritten. False if that has no certain solution. */
bool search_solve(double *gram, double *target, size_t k, double shrink, double *x);

/* ln of the prior probability of a sum: of these costs, with or without a constant term; `lines` as in
 * struct search_library. */
double search_prior(const double *cost, size_t n, bool constant, bool lines);

/* Root mean square of the relative errors of the points, each left out in turn; nan where that is
 * undefined. */
double search_left_out_error(struct arena *a, const struct search_problem *p,
                             const double *const *columns, size_t k);

/* The most plausible sums of one length, the best first: more than are extended, because many sums
 * of little plausibility may together have much of it. */
struct search_level {
    struct search_sum *sums;
    size_t n, beam;      /* the first `beam` are extended */
    double best, enough; /* plausibility: of the best of this length or shorter; less is not kept */
};

/* The most plausible sums of 0 to max_terms terms, per number of terms. *tried is counted up. In the
 * arena. */
void search_sums(struct arena *a, const struct search_problem *p, size_t max_terms,
                 struct search_level *levels, size_t *tried);

#endif
