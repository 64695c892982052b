/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sets of constants: 'fit NAME by VAR' and 'fit NAME by version' (by.c). */
#ifndef LLAC_FIT_BY_H
#define LLAC_FIT_BY_H

#include "llac/arguments.h"

/* Fits each part of the experiment and prints the fits; where: the word after 'by'. A part that cannot
 * be fitted is a warning. 0, or -1 with an error if none can. */
int fit_by(struct session *s, struct cursor *c, const struct experiment *e,
           const struct fit_state *asked, const char *by, struct span where);
/* From now on the experiment has these sets; NULL: one fit. */
void session_set_group(struct session *s, const char *experiment, const char *observable,
                       const struct fit_group *sets);
/* Finds them: those of the versions if `by` is "version", else those of the last fit by parts. false
 * without any: the experiment has one model. NULL: any observable; any `by`. In the cursor's arena. */
bool by_find_sets(struct session *s, struct cursor *c, const char *experiment,
                  const char *observable, const char *by, struct fit_group *out);
/* "before", "level=3" */
const char *by_set_label(const struct fit_group *sets, size_t i);
/* Predicts with the sets of the group. */
int by_predict(struct session *s, struct cursor *c, const struct fit_group *g, struct span where,
               const struct assignments *given);

#endif
