/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The output of rank. */
#ifndef LLAC_RANK_OUTPUT_H
#define LLAC_RANK_OUTPUT_H

#include <jansson.h>

#include "llac/rank/rank.h"

/* `room`: the columns of the terminal; 0: the output is none, and nothing is cut. */
void text_ranking(FILE *out, const struct ranking *r, int room);
json_t *json_ranking(const struct ranking *r);
/* The same with the sentences of the text, for reports. */
json_t *json_ranking_told(const struct ranking *r);

#endif
