/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the passes over a trace share that look at measured times (obsp_request.replay): cost_trace.c, startup.c. */
#ifndef OBSP_REPLAY_H
#define OBSP_REPLAY_H

#include "obsp/evaluate.h"

/* The measured seconds from the arrival of the last incoming partner to the end of the span. False if the span does not
 * end with a synchronisation; or if it seems to end before that arrival: then the clock of the process is put forward in
 * `behind`, which is the `start` of the request. */
bool obsp_replay_cost(const struct obsp_span *span, double *behind, double *seconds);

#endif
