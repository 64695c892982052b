/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Predictions by several formulas. The data rarely single out one formula: a search leaves many, and the
 * data may not determine all constants of a formula (undetermined.c). A prediction therefore uses draws of
 * all formulas that remain, each with its share, and of what the data leave open of their constants. Its
 * value is the one with most draws near it; its intervals are quantiles of the draws. Without a search, a
 * prediction beyond the data is the mean over the formulas, and its intervals contain those of all of them.
 */
#ifndef MODEL_AVERAGE_H
#define MODEL_AVERAGE_H

#include "model/search.h"

/* One of the formulas that remain. A formula with intervals, or without a search, has a model; all others
 * have draws. */
struct alternative {
    const size_t *term; /* of each constant: its place in the terms of the model's alternatives */
    size_t n;
    const double *draws,
        *noise; /* of each draw: the constants, and the relative noise of a point */
    size_t ndraws;
    const struct model *model;
};

/* From now on predictions of m, which is the fit of the first candidate to the same data, consider
 * all formulas that remain. */
void model_take_alternatives(struct model *m, const struct search_result *found);

/* Makes the prediction by the formula of m one by all formulas that remain; nothing if there are no others. */
void average_formulas(struct arena *a, const struct model *m, const struct place *place,
                      struct prediction *out);

#endif
