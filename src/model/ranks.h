/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How the ranks of an execution become one value, so that it means the same for every P (ranks.c). */
#ifndef MODEL_RANKS_H
#define MODEL_RANKS_H

#include "model/points.h"
#include "model/rows.h"

/* Of the rows of one execution on several ranks one stays: that with the greatest or the least
 * value, or the first with the mean of all. Overhead is subtracted before. */
void ranks_unite(struct grouping *g, enum rank_rule rule, double *values);

/* RANKS_AUTO for times: chooses what the values stand for, and says so in out->by_rank and
 * out->level. */
void ranks_choose(struct arena *a, struct grouping *g, double *values, struct points *out);

#endif
