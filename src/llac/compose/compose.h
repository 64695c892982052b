/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The definitions of a session ('define'), with the models that they need. */
#ifndef LLAC_COMPOSE_COMPOSE_H
#define LLAC_COMPOSE_COMPOSE_H

#include "llac/session.h"

/* The definition with this name, NULL without one. */
const struct compose_definition *session_definition(const struct session *s, const char *name);

/* The composition for a definition, which need not be one of the session's: the experiments that it
 * needs are fitted. *bound gets the definition with the machine in its functions. 0, or -1 with an
 * error. In the arena. */
int session_compose(struct session *s, struct arena *a, const struct compose_definition *d,
                    struct diag *diag, struct composition *out,
                    const struct compose_definition **bound);
/* The same, but an experiment that is missing, or cannot be fitted, is an error only when it is needed. */
int session_compose_at_need(struct session *s, struct arena *a, const struct compose_definition *d,
                            struct diag *diag, struct composition *out,
                            const struct compose_definition **bound);

/* The definitions of the session and nothing else; and what one more formula needs: the experiments that it names, as in
 * session_compose_at_need. *names (may be NULL) gets the variables that the formula and the models may need. 0, or -1
 * with an error. After the last one, compose_begin. */
void session_compose_start(struct session *s, struct arena *a, struct composition *out);
int session_compose_more(struct session *s, struct arena *a, const struct compose_definition *d,
                         struct diag *diag, struct composition *out, const char *const **names,
                         size_t *nnames);

/* Places to compute a definition at: those of the points of an experiment, or of the block that has
 * the most points. */
struct compose_places {
    const char *const *names;
    size_t nnames, n;
    double **at;            /* at[name][place] */
    const double *measured; /* at each place; NULL = not known */
    const char *observable; /* that was measured; NULL = composed values */
};
/* Of the block with the most points. -1 with an error if the composition has no blocks. */
int compose_own_places(const struct composition *c, const struct compose_definition *d,
                       struct diag *diag, struct compose_places *out);
/* Values of one place, in the order of the names. */
void compose_place(const struct compose_places *p, size_t i, double *values);
/* Measured values at its places, composed from measured values; nan where a place has no value. */
double *compose_measure(struct arena *a, const struct composition *c,
                        const struct compose_definition *d, const struct compose_places *p);

#endif
