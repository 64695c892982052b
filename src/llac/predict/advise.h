/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What to measure next: a line for other commands. */
#ifndef LLAC_PREDICT_ADVISE_H
#define LLAC_PREDICT_ADVISE_H

#include "llac/session.h"
#include "model/advise.h"

/* Which command says what to measure for a prediction at the place, and its first point; advice NULL: only the command.
 */
void text_advise_command(FILE *out, const struct model *m, struct place place,
                         const struct advice *advice);

#endif
