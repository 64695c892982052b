/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Searches and comparisons of formulas, and how they are printed. */
#ifndef LLAC_SEARCH_SEARCH_H
#define LLAC_SEARCH_SEARCH_H

#include <jansson.h>
#include "llac/session.h"
#include "model/compare.h"
#include "model/search.h"

void text_search(FILE *out, const struct fit_state *state, const struct model *m,
                 const struct search_result *r);
void text_comparison(FILE *out, const struct fit_state *state, const struct comparison *c);
json_t *json_search(const struct fit_state *state, const struct model *m,
                    const struct search_result *r);
json_t *json_comparison(const struct fit_state *state, const struct comparison *c);
/* Searches, and makes what was found the fit of the experiment. NULL with a message. */
struct fit_state *search_adopt(struct session *s, struct cursor *c, struct fit_state *asked,
                               struct search_request *r, struct search_result *found,
                               struct diag *diag);

#endif
