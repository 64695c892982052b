/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside compositions: the walk over an expression (compose_walk.c), for compose.c. */
#ifndef MODEL_COMPOSE_INTERNAL_H
#define MODEL_COMPOSE_INTERNAL_H

#include "model/compose.h"
#include "model/fit_internal.h"

struct compose_dual {
    double value;
    double *slopes; /* NULL = all 0 */
    bool fitted;    /* it depends on constants of models */
    bool bent;      /* it is not a number and values of models times numbers, all added */
};

/* A variable and its value; those further out follow. */
struct compose_binding {
    const char *name;
    struct compose_dual value;
    bool *used; /* NULL = of no interest */
    const struct compose_binding *up;
};

/* A reference, or the call of a definition, and the call that it is inside of. */
struct compose_spot {
    const struct formula *node;
    size_t inside, block;
};

/* A constant that has one value everywhere: a sum asks for it in each term. */
struct compose_known {
    const struct formula *node;
    size_t inside;
    struct compose_dual value;
};

enum { COMPOSE_MOST_KNOWN = 16 };

struct compose_evaluation {
    struct arena *arena, *lasting;
    const struct composition *c;
    const struct model *const *models; /* of the blocks */
    const struct compose_definition *definition;
    const struct compose_sum *sum; /* in place of the definition; NULL = none */
    const enum gap_side *sides;    /* of each block, what holds in its gaps; NULL = mixed */
    struct diag *diag;
    bool measured, with_slopes;
    struct compose_spot *calls, *references;
    size_t ncalls, room_calls, nreferences, room_references;
    size_t width;               /* of slopes */
    struct compose_part *parts; /* NULL: remarks are not wanted */
    size_t steps;
    struct compose_known known[COMPOSE_MOST_KNOWN]; /* of this value */
    size_t nknown;
};

/* The value of an expression where these variables are bound, inside the call with this number (0 =
 * inside none). 0, or -1 with an error. */
int compose_walk(struct compose_evaluation *e, const struct formula *f,
                 const struct compose_binding *scope, size_t inside, struct compose_dual *out);

#endif
