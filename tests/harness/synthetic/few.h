/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two variables, ten points: five n at the smallest p, five p at the smallest n, and one more. Such
 * a design costs least, and hardly tells how the variables combine. The one more point is a sixth p,
 * which says nothing about that, the second n and p, or the middle ones.
 */
#ifndef TESTS_SYNTHETIC_FEW_H
#define TESTS_SYNTHETIC_FEW_H

#include "harness/synthetic/truths.h"

enum few_more { FEW_SIXTH, FEW_SECOND, FEW_MIDDLE, FEW_MORE };
enum { FEW_VALUES = 5, FEW_POINTS = 2 * FEW_VALUES };

static inline double few_at(struct synth *s, const char *formula, const double *at)
{
    struct truth t = {.formula = formula, .variables = {"n", "p"}};
    return truth_at(s, &t, at);
}

/* The values of n and p at a step: 0 is the smallest. */
static inline void few_values(size_t n, size_t p, double *at)
{
    at[0] = 1000 * (double)(1u << n);
    at[1] = 2 * (double)(1u << p);
}

static inline void few_point(size_t i, enum few_more more, double *at)
{
    if (i + 1 == FEW_POINTS && more != FEW_SIXTH)
        few_values(more, more, at);
    else if (i < FEW_VALUES)
        few_values(i, 0, at);
    else
        few_values(0, i - FEW_VALUES + 1, at);
}

/* 4 times beyond the data in both variables. */
static inline void few_beyond(enum few_more more, double *at)
{
    few_values(FEW_VALUES + 1, FEW_VALUES + (more == FEW_SIXTH) + 1, at);
}

static inline void few_load(struct synth *s, const char *formula, enum few_more more, double noise,
                            unsigned samples)
{
    struct text text;
    text_init(&text);
    text_add(&text, "# cll-data 1\n# resolution: 1e-12\n# overhead: 0 0\n# experiment: f\n"
                    "# variables: f n p\n" SYNTH_COLUMNS " n p CLOCK\n");
    for (unsigned k = 0; k < samples; k++)
        for (size_t i = 0; i < FEW_POINTS; i++) {
            double at[2];
            few_point(i, more, at);
            text_printf(&text, "f %u %zu 0 0 1 0 0 1 %.17g %.17g %.17g\n", k, i, at[0], at[1],
                        few_at(s, formula, at) * fmax(1 + noise * synth_normal(s), 0.01));
        }
    synth_load(s, text.s);
    text_free(&text);
}

#endif
