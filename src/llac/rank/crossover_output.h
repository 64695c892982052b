/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The output of crossover. */
#ifndef LLAC_RANK_CROSSOVER_OUTPUT_H
#define LLAC_RANK_CROSSOVER_OUTPUT_H

#include <jansson.h>
#include <stdio.h>

#include "llac/rank/crossover.h"

void text_crossover(FILE *out, const struct crossover *c);
json_t *json_crossover(const struct crossover *c);

#endif
