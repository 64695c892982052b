/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the data of random truths say at most: the prediction of someone who knows how the truths are drawn (their terms with
 * their probabilities, the ranges of their constants) and how large the noise may be, and who computes what
 * follows from the data. No method that knows less predicts better on average.
 */
#ifndef BENCH_SEARCH_LIMIT_H
#define BENCH_SEARCH_LIMIT_H

#include "harness/synthetic/beyond.h"
#include "model/predict.h"

/* With three variables there are too many sums. */
enum { LIMIT_MOST_VARIABLES = 2 };

struct limit_prediction {
    double value, low,
        high; /* the value with most of the probability near it, as in average.c; 95 % */
};

/* At a place, from the data of s, whose variables are those of b in this order; `noises` are the two sizes that the noise may
 * have. */
struct limit_prediction limit_predict(struct synth *s, const struct beyond *b,
                                      const struct place *place, const double noises[2]);

#endif
