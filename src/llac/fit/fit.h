/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a fit is asked for with. */
#ifndef LLAC_FIT_FIT_H
#define LLAC_FIT_FIT_H

#include "llac/session.h"

/* The keywords that end a formula or a condition inside a command. */
extern const char *const fit_keywords[];
/* One of: on OBS, where CONDITION, nonneg, intervals ..., max K, threshold X%. 1 if it was one, 0
 * if something else comes next. */
int read_fit_option(struct session *s, struct cursor *c, struct fit_state *state);
/* Without a formula of its own or of the data: that which the experiment was fitted with before. */
void fit_take_formula(struct session *s, const struct experiment *e, struct fit_state *asked);
/* Fits, and makes it the fit of its experiment and observable. NULL with a message. */
struct fit_state *fit_adopt(struct session *s, struct fit_state *asked, struct diag *diag);

#endif
