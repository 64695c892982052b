/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * 'fit all' and 'search all': the models of all experiments, a line each or in full. A warning about the machine
 * is printed once for all of them.
 */
#ifndef LLAC_FIT_ALL_H
#define LLAC_FIT_ALL_H

#include <jansson.h>

#include "llac/cursor.h"
#include "llac/session.h"
#include "model/search.h"

struct all_model {
    const char *experiment, *observable;
    const struct fit_state *state; /* NULL: there is no model, and `reason` says why */
    const struct model *model;
    const char *reason;
    const struct points *few; /* fewer points than constants: these; NULL: another reason */
    bool searched;            /* the data have no formula, or a search was asked for */
    double seconds;           /* of all samples together; nan: the observable is not a time */
    const char
        *growth;  /* the largest term at the point with the largest value; "": no term is known */
    double share; /* of that term, there */
};

struct all_models {
    struct all_model *list; /* the longest times first, experiments without a model last */
    size_t n, failed;       /* failed: formulas that could not be fitted; too few points are
                               no failure */
};

/* Whether the word 'all' is meant, and not an experiment of that name. */
bool all_is_meant(struct session *s, const char *name);

/* Fits every formula of the data, or those of one observable (NULL: all), with the conditions of the
 * command, and searches one for each experiment that has none. 0, or -1 with a message if a formula could not be fitted. */
int all_fit(struct session *s, struct cursor *c, const char *observable, struct all_models *out);

/* Searches a formula for every experiment, with these options. */
int all_search(struct session *s, struct cursor *c, const struct fit_state *asked,
               const struct search_request *request, struct all_models *out);

void text_all(struct session *s, const struct all_models *all);
/* Those with a formula in full, each with a small plot if `small`; a line for each of the others. */
void text_all_in_full(struct session *s, const struct all_models *all, bool small);
json_t *json_all(const struct all_models *all);

#endif
