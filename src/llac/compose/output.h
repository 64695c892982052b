/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The output of commands about definitions. */
#ifndef LLAC_COMPOSE_OUTPUT_H
#define LLAC_COMPOSE_OUTPUT_H

#include <jansson.h>

#include "llac/session.h"

/* A prediction with its interval, and what is special about the places of its blocks. */
void text_composed(FILE *out, const struct composition *c, const struct composed *at);
/* One of several; with a head if it is the first. */
void text_composed_row(FILE *out, const struct composition *c, const struct composed *at,
                       bool first);
/* What each block contributes. */
void text_parts(FILE *out, const struct composition *c, const struct composed *at);
/* What is special about the places of the blocks, one on each line. */
void text_composed_remarks(FILE *out, const struct composition *c, const struct composed *at);
/* Sets low, high, standard_error, remarks and parts. */
void json_composed_into(json_t *j, const struct composition *c, const struct composed *at);
json_t *json_composed(const struct composition *c, const struct compose_definition *d,
                      const struct composed *at);

#endif
