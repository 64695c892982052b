/* SPDX-License-Identifier: GPL-3.0-or-later */
/* JSON values as all commands print them. The first keys of fit, predict and table are fixed
 * (docs/reference/llac.md); further ones may be added after them. */
#ifndef LLAC_JSON_H
#define LLAC_JSON_H

#include <stdio.h>

#include "json/make.h"
#include "model/predict.h"

/* {"N": 4096, "P": 8} */
json_t *json_place(struct place p);
/* The place of a point. */
json_t *json_point(const struct points *p, size_t i);
/* Prints what json_make makes, on a line of its own. */
void json_print(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
