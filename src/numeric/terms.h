/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The library of terms a formula is searched in: products over the variables of V^a * log(V)^b.
 *
 * Each factor has a weight, how usual it is in costs of programs; the weight of a term is the
 * product of its factors' weights. Weights are made to sum to 1 over the library, so that -2 ln
 * weight is what choosing a term costs: it pays for the size of the library, and simple terms are
 * cheaper than strange ones.
 */
#ifndef NUMERIC_TERMS_H
#define NUMERIC_TERMS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/memory.h"
#include "numeric/thresholds.h"

struct search_power {
    const char *text; /* % is replaced by the variable; "" = no factor */
    double exponent;
    double weight;
    int level;       /* libraries of a higher level leave it out */
    bool processors; /* for the number of processors P alone */
    bool with_logs;  /* may be multiplied by log(V) */
};
extern const struct search_power search_powers[]; /* ended by weight 0 */

struct search_log {
    const char *text;
    int power, level;
    double weight;
};
extern const struct search_log search_logs[]; /* ended by weight 0 */

struct search_variable {
    const char *name;
    const double *at; /* at each point */
    bool processors;
};

struct search_term {
    unsigned char power[SEARCH_MAX_VARIABLES], log[SEARCH_MAX_VARIABLES];
    double cost; /* -2 ln weight */
};

struct search_library {
    struct search_term *terms; /* without the constant term */
    size_t n;
    int level; /* 0 = everything; higher when the product over the variables was too large */
};

/* The terms that have a value at every point. At most SEARCH_MAX_VARIABLES variables. */
void search_library_make(struct arena *a, const struct search_variable *variables,
                         size_t nvariables, size_t points, struct search_library *out);

/* The term's value at each point. */
void search_term_values(const struct search_term *t, const struct search_variable *variables,
                        size_t nvariables, size_t points, double *out);

/* "N^2*log(P)/P" */
char *search_term_text(struct arena *a, const struct search_term *t,
                       const struct search_variable *variables, size_t nvariables);

#endif
