/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * call run --verify MODEL [--at VAR=VALUE]...: measures a place that was predicted. MODEL is the data of an
 * earlier measurement: a data file (such as llac's `save` writes), a pattern of several, or their folder. The program's
 * command line says what is run; --at says which place of the new data counts. llac fits MODEL and compares.
 */
#ifndef CALL_RUN_VERIFY_H
#define CALL_RUN_VERIFY_H

#include "call/run/run.h"

/* Before measuring: finds the files of the model, so that new ones do not become a part of it. 0, or the exit
 * status after a message. */
int verify_check(struct run *r);
/* After measuring: the comparison of each region that has the variables of the place. Returns the exit status: 0 if all
 * could be compared, whatever came out. */
int verify_results(struct run *r);

#endif
