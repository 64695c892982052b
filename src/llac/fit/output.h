/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Models as text and as JSON. */
#ifndef LLAC_FIT_OUTPUT_H
#define LLAC_FIT_OUTPUT_H

#include <jansson.h>
#include "llac/session.h"

/* of_machine: with the warnings about the machine, which several fits of one data set print once together. */
void text_fit(FILE *out, const struct fit_state *state, const struct model *m, bool of_machine);
/* The constants of a model with their intervals, and the boundaries. */
void text_constants(FILE *out, const struct model *m);
json_t *json_fit(const struct fit_state *state, const struct model *m);
json_t *json_where(const struct model_piece *p);
/* The constants of a model and their pieces. */
json_t *json_constants(const struct model *m);
/* The machine that the formula asks: null if it asks none. */
json_t *json_machine_used(const struct model *m);
/* Where a piece holds: "N in [1, 64]". */
void text_bounds(FILE *out, const struct model_piece *p);
/* How far the points are from the model. */
void text_error(FILE *out, const struct fit_error *e);

#endif
