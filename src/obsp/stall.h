/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Stalled messages in a trace: the processor knew of the message, and waited for its bytes until the sender, which
 * was computing, called the library again. Some MPI libraries move large messages only while the sender is in MPI. The
 * model knows no such dependence: for it a sender that has left its superstep has nothing to do with the message.
 *
 *     struct obsp_stalls *s = obsp_stalls_new(a, processes);
 *     obsp_stalls_visit(s, span);
 *     double seconds = obsp_stalls_seconds(s);
 */
#ifndef OBSP_STALL_H
#define OBSP_STALL_H

#include "base/memory.h"
#include "obsp/evaluate.h"

struct obsp_stalls;

/* In the arena. */
struct obsp_stalls *obsp_stalls_new(struct arena *a, int processes);
/* The spans of a replay. Barriers do not count: libpub leaves them when its messages have been sent. */
void obsp_stalls_visit(struct obsp_stalls *s, const struct obsp_span *span);
/* Synchronisations with a stalled message. */
size_t obsp_stalls_count(const struct obsp_stalls *s);
/* How long they waited for senders that computed: of each process, the mean of all processes. */
double obsp_stalls_seconds(const struct obsp_stalls *s);

#endif
