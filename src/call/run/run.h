/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The state of one `call run`, and its steps: run.c reads the command line and builds the program,
 * run_rounds.c runs it, run_result.c says what came out.
 */
#ifndef CALL_RUN_RUN_H
#define CALL_RUN_RUN_H

#include "call/cc/cc.h"
#include "call/sweep/launch.h"
#include "call/run/data.h"
#include "call/run/input.h"
#include "call/run/simulate.h"

struct run {
    struct arena *arena;
    /* the command line */
    struct words compiler, cflags, ldflags, sources, arguments;
    const char *outdir, *procs_option, *launcher_option;
    struct simulation simulation;
    unsigned rounds; /* 0 = until steady */
    bool keep, quiet, oversubscribe;
    /* the program */
    const char *program, *program_name, *temporary;
    const char *name; /* of the data files */
    struct cc_program kind;
    bool has_pragmas;
    struct launch launch;
    struct range procs; /* of the sweep; n = 0: the program is run once in a round, as it is */
    /* what was done */
    struct run_input input;
    struct run_data data;
    struct words files; /* the data files, at their final places */
    struct words parts; /* those of incomplete runs of a sweep */
    unsigned done;      /* rounds run */
    unsigned first;     /* the number of the first round in the names of a sweep's files */
    bool earlier;       /* there were data files of this name before */
    unsigned empty;     /* runs without a sample */
    bool *dropped;      /* per number of processors: it failed and is run no more */
    bool *tried;        /* per number of processors: it was run */
    bool failed;
    bool lost; /* a data file could not be written: it makes no sense to measure more */
};

/* Runs the program in rounds. Returns what is to be said about the timed rounds. */
struct run_verdict run_rounds(struct run *r);

/* Prints what was run and the fits. `signal`: what ended the rounds early, 0 = nothing. Returns the
 * exit status. */
int run_results(struct run *r, const struct run_verdict *v, int signal);

#endif
