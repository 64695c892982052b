/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Predictions for a machine on which nothing was measured: parts that several commands have. */
#ifndef LLAC_MACHINE_ELSEWHERE_H
#define LLAC_MACHINE_ELSEWHERE_H

#include "llac/machine/elsewhere_output.h"
#include "llac/arguments.h"

/* The machine that constants are carried to, and rules that the user gives. */
struct carrying {
    const struct machine *to;
    struct spread spread_from, spread_to; /* of the machine in use, and of `to` */
    const char *names[MOST_VARIABLES];    /* of constants */
    enum carry_rule rules[MOST_VARIABLES];
    size_t n;
    const struct formula *working_set; /* bytes; NULL = from the terms */
};

/* MACHINE [working set EXPRESSION] [scaling CONSTANT by RULE, ...], up to the end of the command. 0, or -1 with an error: also
 * if no machine is in use, or the model is not one of times. */
int carrying_read(struct session *s, struct cursor *c, const struct model *m, struct carrying *out);

/* The prediction at a place. 0, or -1 with an error. The result lives in `a`. */
int carrying_predict(struct session *s, struct cursor *c, const struct model *m,
                     const struct place *place, const struct carrying *how, struct arena *a,
                     struct elsewhere *out);

/* After 'on': MACHINE [working set EXPRESSION] [scaling CONSTANT by RULE, ...], and the predictions for it. */
int predict_on_machine(struct session *s, struct cursor *c, const struct model *m,
                       const struct assignments *given);
/* After 'before': running [on MACHINE], and the predictions. */
int predict_before(struct session *s, struct cursor *c, const char *name, struct span where,
                   const struct assignments *given);

#endif
