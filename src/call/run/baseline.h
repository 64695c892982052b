/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An older version that is measured together with the new one (see baseline.c). */
#ifndef CALL_RUN_BASELINE_H
#define CALL_RUN_BASELINE_H

#include "call/run/run.h"

enum { BASELINE_ROUNDS = 10 }; /* unless the command line says how long to measure */

/* Finds the old program, after run_begin. 0, or the exit status after a message. */
int baseline_begin(struct run *r);
/* Builds it, after run_prepare of the new one. */
int baseline_prepare(struct run *r);
/* Before a run of `to`: the standard input was read, if `from` has read it. */
void baseline_share_input(struct run *from, struct run *to);
/* Writes the two data files and compares them. Returns the exit status. */
int baseline_results(struct run *r, int signal);

#endif
