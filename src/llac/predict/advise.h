/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What to measure next, as text and as JSON. */
#ifndef LLAC_PREDICT_ADVISE_H
#define LLAC_PREDICT_ADVISE_H

#include <jansson.h>
#include "llac/session.h"
#include "model/advise.h"

void text_advice(FILE *out, const struct model *m, const struct advice *a);
/* Which command says what to measure for a prediction at the place, and its first point; advice NULL: only the command.
 */
void text_advise_command(FILE *out, const struct model *m, struct place place,
                         const struct advice *advice);
json_t *json_advice(const struct model *m, const struct advice *a);

#endif
