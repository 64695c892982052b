/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the formulas of the command obsp ask of the models of the session, and the interval of the OBSP* time. */
#ifndef LLAC_OBSP_MODELS_H
#define LLAC_OBSP_MODELS_H

#include "llac/compose/compose.h"
#include "llac/cursor.h"
#include "obsp/critical.h"

struct obsp_asking {
    struct session *session;
    struct arena *arena;
    struct obsp_models models;
    struct composition all;
    struct compose_value *values; /* in the order of their numbers */
    size_t n, capacity;
};

/* In the arena. */
struct obsp_asking *obsp_asking_begin(struct session *s, struct arena *a);

/* Names with values, which may depend on experiments themselves. */
struct obsp_names {
    const char *const *names;
    const double *values;
    struct obsp_fitted *const *by;
    size_t n;
};

/* A formula over names and experiments, of the text of a command. NULL with an error; `before`: which names it may use,
 * for the message. */
const struct formula *obsp_read_formula(struct obsp_asking *asking, struct cursor *c,
                                        struct span where, const struct obsp_names *names,
                                        const char *before);
/* Its value, and what it depends on (NULL = nothing). 0, or -1 with an error. */
int obsp_formula_value(struct obsp_asking *asking, struct cursor *c, struct span where,
                       const struct formula *f, const struct obsp_names *names, double *value,
                       struct obsp_fitted **by);

/* The interval of a time: that of the values in it, each of which has its `times`. 0, or -1 with an error. */
int obsp_interval(struct obsp_asking *asking, double time, struct obsp_fitted *const *list,
                  size_t n, struct diag *diag, struct composed *out);

#endif
