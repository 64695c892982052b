/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Formulas side by side: the same points, each formula fitted; errors in and out of the sample, an
 * information criterion, and whether the data can decide between them.
 *
 *     struct compare_request r = {.fit = {.points = points}, .formulas = list, .n = 2};
 *     struct comparison c;
 *     if (model_compare(arena, &r, diag, &c) == 0 && c.verdict == VERDICT_DECIDED)
 *         puts(c.formulas[c.best].text);
 */
#ifndef MODEL_COMPARE_H
#define MODEL_COMPARE_H

#include "model/fit.h"
#include "model/predict.h"

struct compare_formula {
    const char *text;
    const struct formula *formula;
    const struct source *source;
};
struct compare_request {
    struct fit_request fit; /* formula and source are not used */
    const struct compare_formula *formulas;
    size_t n;
};

struct compared {
    const char *text;
    struct model *model;
    size_t parameters; /* values of constants, and boundaries */
    struct fit_error error;
    double aicc, difference, weight;        /* to the best; share of likelihood, 0..1 */
    double beyond_mean_pct, beyond_max_pct; /* of the largest sizes, left out; nan = no fit without
                                               them */
    double at; /* prediction at the place below; nan if there is none */
};

enum verdict {
    VERDICT_DECIDED,   /* one is better than all others */
    VERDICT_UNDECIDED, /* several cannot be told apart */
    VERDICT_CONFLICT   /* the one that fits best predicts the largest sizes worse than another */
};

struct comparison {
    struct compared *formulas; /* in the order given */
    size_t n;
    size_t best;
    enum verdict verdict;
    size_t rival;    /* UNDECIDED: the next best; CONFLICT: the one that predicts better */
    size_t left_out; /* points with the largest sizes */
    size_t points;
    /* Where the formulas that cannot be told apart differ: beyond the data, all variables. */
    struct place place;
};

/* 0, or -1 with a diagnostic. Everything lives in the arena. */
int model_compare(struct arena *a, const struct compare_request *request, struct diag *diag,
                  struct comparison *out);

/* Marks the points that are large: among the last distinct values of a variable that has enough of
 * them (COMPARE_LARGEST_PART). Returns how many. */
size_t compare_largest(const struct points *p, bool *large);

#endif
