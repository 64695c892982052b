/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Predictions as text and as JSON. */
#ifndef LLAC_PREDICT_OUTPUT_H
#define LLAC_PREDICT_OUTPUT_H

#include <jansson.h>
#include "llac/session.h"

void text_prediction(FILE *out, const struct model *m, const struct prediction *p);
/* Several of them as a table: the head, then each row. */
void text_prediction_head(FILE *out, const struct prediction *p);
void text_prediction_row(FILE *out, const struct model *m, const struct prediction *p);
/* Remarks about the place of a prediction: outside the data, in the gap of a boundary, in a
 * combination of them that was never measured. *n gets their number. */
char **predict_place_remarks(struct arena *a, const struct prediction *p, size_t *n);
/* Where it enters a regime that no data speak of: a variable leaves the data by more than 4 times,
 * or at all when constants changed with it; where the fit does not use the outermost value; and where
 * the formula asks for more than the machine file has. Beyond the data, the constants that the data do not
 * determine. The same text for all predictions alike. */
char **predict_regime_remarks(struct arena *a, const struct model *m, const struct prediction *p,
                              size_t *n);
json_t *json_prediction(const struct model *m, const struct prediction *p);

#endif
