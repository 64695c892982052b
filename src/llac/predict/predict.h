/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Predictions at the places that a command names. */
#ifndef LLAC_PREDICT_PREDICT_H
#define LLAC_PREDICT_PREDICT_H

#include <jansson.h>
#include "llac/arguments.h"

/* Every name given must be a variable of the data or a definition. 0, or -1 with an error. */
int predict_check_names(const struct cursor *c, const struct model *m,
                        const struct assignments *given);
/* Prints the predictions of a model at all rows, or adds them to the list with --json. */
int predict_rows(struct session *s, struct cursor *c, const struct model *m,
                 const struct assignments *given, json_t *list);

#endif
