/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finding the formula of an experiment: the sum of terms of a library (numeric/terms.h), and the
 * intervals of its constants, that predicts left out points best (docs/method/search.md).
 *
 *     struct search_request r = {.fit = {.points = points}, .max_terms = 3};
 *     struct search_result result;
 *     if (model_search(arena, &r, diag, &result) == 0)
 *         puts(result.candidates[0].text);
 */
#ifndef MODEL_SEARCH_H
#define MODEL_SEARCH_H

#include "model/fit.h"
#include "model/predict.h"

struct search_request {
    struct fit_request fit;       /* formula is not used */
    const char *const *variables; /* of the data, or definitions; */
    size_t nvariables;            /* 0 = all variables of the data that vary */
    size_t max_terms;             /* beside the constant; 0 = SEARCH_DEFAULT_TERMS */
    bool any_sign;                /* constants may be negative */
    const char *const *given;     /* further terms, as the user wrote them */
    size_t ngiven;
    /* A term of the library is left out if it grows by more than this factor between two places, which name all
     * variables; 0 = no limit. Given terms have none. */
    double most_growth;
    struct place from, to;
};

struct search_candidate {
    const char *text; /* "f[0] + f[1]*N^2" */
    const struct formula *formula;
    struct interval_request intervals; /* with which it was fitted */
    struct model *model;
    size_t terms;     /* beside the constant */
    bool divided;     /* it has intervals */
    double criterion; /* -2 ln of its plausibility: less is better */
    double share;     /* of the plausibility of all that remain */
    double cv_pct;    /* root mean square relative error of left out points */
};

/* A place beyond the data, and what the formulas say there. */
struct search_place {
    struct place place;
    double *values;                   /* per candidate; nan where it has none */
    double low, high;                 /* of their values */
    double typical;                   /* over all formulas that remain */
    double typical_low, typical_high; /* of their intervals (of the value where there is none) */
};

/* A formula that remains, with draws of its constants. A formula with intervals has none: its model
 * predicts. */
struct search_alternative {
    const char *text;                  /* of a formula with intervals, */
    struct interval_request intervals; /* and with which it is fitted */
    bool divided;
    bool without_last; /* without the largest size */
    size_t *term;      /* of its constants: places in the list of terms */
    size_t n;
    double share;  /* of the plausibility of all that remain */
    double *draws; /* ndraws x n: values of the constants */
    double *noise; /* per draw: relative */
    size_t ndraws;
};

/* A place inside the data that was not measured, and the typical interval there. */
struct search_next {
    struct place place; /* n = 0: none */
    double low, high;
};

struct search_result {
    const char **variables;
    size_t nvariables;
    size_t library; /* terms looked at */
    int level;      /* of the library */
    size_t used;    /* points the search looked at */
    size_t left_out;
    size_t formulas; /* sums tried */
    struct search_candidate *candidates;
    size_t ncandidates;
    struct search_place *places; /* one per variable */
    size_t nplaces;
    struct search_alternative *alternatives; /* the formulas that remain, for predictions */
    size_t nalternatives;
    const char **terms; /* of the alternatives: "1", "N*log(N)" */
    size_t nterms;
    struct search_next
        next; /* several variables: a measurement there tells most about how they combine */
    double last_share; /* how plausible it is that the largest size does not belong to the rest */
};

/* 0, or -1 with a diagnostic. Everything lives in the arena. */
int model_search(struct arena *a, const struct search_request *request, struct diag *diag,
                 struct search_result *out);

/* From now on predictions of m, which is the fit of the first candidate to the same data, consider
 * all formulas that remain. */
void model_take_alternatives(struct model *m, const struct search_result *found);

#endif
