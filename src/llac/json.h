/* SPDX-License-Identifier: GPL-3.0-or-later */
/* JSON values as all commands print them. The first keys of fit, predict and table are fixed
 * (docs/reference/llac.md); further ones may be added after them. */
#ifndef LLAC_JSON_H
#define LLAC_JSON_H

#include <jansson.h>
#include <stdio.h>
#include "model/predict.h"

json_t *json_number(double x);    /* integers without a point, null for nan and infinities */
json_t *json_text(const char *s); /* bytes that are not UTF-8 are escaped */
/* Sets a key that is the name of something in the data: any bytes. */
void json_set(json_t *object, const char *key, json_t *value);
/* {"N": 4096, "P": 8} */
json_t *json_place(struct place p);
/* Prints on a line of its own and releases the value. */
void json_print(FILE *out, json_t *value);

#endif
