/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A model as data for programs that predict without llac: page/evaluate.js computes from it what
 * `predict` computes, with intervals and marks. The members are described there.
 */
#ifndef LLAC_REPORT_EVALUATOR_H
#define LLAC_REPORT_EVALUATOR_H

#include <jansson.h>
#include <stdio.h>

#include "model/model.h"

/* The program page/evaluate.js, before it the thresholds of llac that it compares with. */
void evaluator_put_script(FILE *out, const void *unused);

/* All that a prediction needs. Resample the model before (model_resample), so that its intervals are
 * those of `predict`. */
json_t *evaluator_model(const struct model *m);

/* An expression as a tree of JSON: a number, {"v": VARIABLE}, {"c": CONSTANT}, or
 * [OPERATION, OPERAND...]. A function that asks the machine is ["machine", NAME, TABLE, OPERAND...]
 * if `tables` is a list, to which its table is added, and [NAME, OPERAND...] if it is NULL. */
json_t *evaluator_tree(const struct formula *f, json_t *tables);

#endif
