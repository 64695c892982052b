/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The execution graph of a region as an expression over the costs of its nodes (paper 003, equation 6):
 *
 *     C(1) + N*(C(2) + N*C(3))
 *
 * A node has the lines of one constant, and its cost C() is their instructions. A node inside a loop is
 * inside the node whose term, times the number of iterations, is its own term.
 */
#ifndef COUNT_GRAPH_H
#define COUNT_GRAPH_H

#include <jansson.h>
#include <stdio.h>

#include "count/model.h"

/* {"expression": "...", "nodes": [{"name": "C(2)", "constant": "f[1]", "instructions": 10, "times": "N", "inside": "C(1)"}]};
 * NULL for a formula without constants. `constants`: those of the report, in the order of the model's terms. */
json_t *count_graph_json(struct arena *a, const struct count_model *m, const json_t *constants);

/* The graphs of all experiments of a report as flow charts, in the language of Graphviz. */
void count_graph_draw(FILE *out, const json_t *report);

#endif
