/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Plain BSP beside the evaluation: every synchronisation is a barrier of the whole machine. A superstep
 * costs the largest W, g times the largest h, and L; there is one g and one L. How supersteps of groups
 * become supersteps of the machine: struct obsp_superstep (evaluate.h).
 */
#ifndef OBSP_PLAIN_H
#define OBSP_PLAIN_H

#include "obsp/evaluate.h"
#include "obsp/meeting.h"

struct plain;
struct plain *plain_create(struct obsp_source *source, const struct obsp_request *request);
void plain_destroy(struct plain *b);

/* A process has computed for W seconds. */
void plain_compute(struct plain *b, int process, double W);
/* It arrives at the end of a superstep. */
void plain_arrive(struct plain *b, int process, struct meeting *m);
/* The superstep of plain BSP that it is in. */
size_t plain_superstep(const struct plain *b, int process, const struct meeting *m);
/* It goes on to the next superstep; h is its own in @ out. */
void plain_synchronise(struct plain *b, int process, const struct meeting *m,
                       const struct obsp_event *event, const struct obsp_span *span, double h);
/* It makes no more supersteps. */
void plain_end(struct plain *b, int process, double now);
/* When all have ended: the time, and the number of supersteps. */
double plain_finish(struct plain *b, size_t *supersteps);

#endif
