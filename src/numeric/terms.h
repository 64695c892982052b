/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The library of terms that a search uses: products over the variables of one factor each.
 *
 *     V^e * log(V)^l      (V - 1)      (V - 1)/V      ceil(log2(V))
 *
 * Each factor has a weight: how usual it is in the cost of a program. The weight of a term is the
 * product of the weights of its factors. A term's cost is -ln of its share in the sum of all
 * weights, so it includes the size of the library, and simple terms cost less than strange ones.
 *
 * Points along few lines hardly say how several variables combine. There a term weighs less for each
 * variable that it multiplies with another one, unless it is a division by processors, and for the
 * power with which it grows if all variables grow together. The plain cost of a term is that without
 * these.
 */
#ifndef NUMERIC_TERMS_H
#define NUMERIC_TERMS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/memory.h"
#include "numeric/thresholds.h"

enum search_shape {
    SHAPE_POWER,    /* V^exponent * log(V)^log */
    SHAPE_LESS_ONE, /* V - 1: messages of one processor to all others */
    SHAPE_SHARE,    /* (V - 1)/V: what is on other processors */
    SHAPE_LEVELS    /* ceil(log2(V)): rounds of a tree */
};

struct search_factor {
    enum search_shape shape;
    int log;
    double exponent;
    double weight;
};

struct search_variable {
    const char *name;
    const double *at; /* at each point */
    bool processors;  /* 1/V is usual */
};

struct search_term {
    struct search_factor of[SEARCH_MAX_VARIABLES];
    const char *given;       /* a term that is not a product of factors: its text, */
    const double *values;    /* and its value at each point; NULL for all others */
    double cost, plain_cost; /* see above */
};

struct search_library {
    struct search_term *terms; /* without the constant term */
    size_t n, capacity;
    int level; /* 0 = everything; higher when the product over the variables was too large */
    double weight, plain_weight; /* sums of all weights */
    bool lines;                  /* the points do not tell how several variables combine */
    bool processors[SEARCH_MAX_VARIABLES];
    bool few[SEARCH_MAX_VARIABLES]; /* the variable has few values: its factors are simple */
};

/* The terms that have a value at every point. At most SEARCH_MAX_VARIABLES variables. */
void search_library_make(struct arena *a, const struct search_variable *variables,
                         size_t nvariables, size_t points, struct search_library *out);

/* Adds the exponents between the usual ones, SEARCH_EXPONENT_STEP apart. One variable only: with
 * several there would be too many; see search_term_with_power. */
void search_library_add_exponents(struct arena *a, const struct search_variable *variable,
                                  size_t points, struct search_library *library);

/* Adds a term that is not a product of powers and logarithms; with weight 0 it is not used in sums of others. `text`
 * must be a factor: a sum has parentheses. */
void search_library_add_given(struct arena *a, const char *text, const double *values,
                              double weight, struct search_library *library);

/* The term with another power of one variable, and of its logarithm, which it has already in some power.
 * False if there is no such term. */
bool search_term_with_power(const struct search_library *library, struct search_term *t,
                            size_t variable, double exponent, int log_power);

/* The term without this variable. False if that leaves nothing of it. */
bool search_term_without(const struct search_library *library, struct search_term *t,
                         size_t variable);

/* The exponent of the library, and the multiple of SEARCH_EXPONENT_STEP, that is nearest. */
double search_usual_exponent(double exponent);
double search_grid_exponent(double exponent);

bool search_term_same(const struct search_term *x, const struct search_term *y, size_t nvariables);

/* The term's value at each point. */
void search_term_values(const struct search_term *t, const struct search_variable *variables,
                        size_t nvariables, size_t points, double *out);

/* "N^2*log(P)/P" */
char *search_term_text(struct arena *a, const struct search_term *t,
                       const struct search_variable *variables, size_t nvariables);

#endif
