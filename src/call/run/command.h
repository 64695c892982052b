/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * call run -- COMMAND: the command may run any number of instrumented programs, any number of times.
 * Their data files are sorted by program: each program has a `struct run` of its own in r->programs,
 * with its name, its files and its data.
 */
#ifndef CALL_RUN_COMMAND_H
#define CALL_RUN_COMMAND_H

#include "call/run/run.h"

/* After a run of the command: takes the data files of this round. The list has the files in the
 * run's folder. Returns how many samples they have, or -1: a file could not be read or moved. */
long command_take(struct run *r, const struct words *found, const char *folder);

/* The whole judged: that of the programs together. */
struct run_verdict command_judge(const struct run *r);

/* Prints the result of each program. Returns the exit status. */
int command_results(struct run *r, int signal);

#endif
