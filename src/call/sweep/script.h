/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What every script has that runs a sweep: assignments that say what is run, the table of launchers,
 * and the engine (words.sh, launcher.sh, runs.sh). Batch scripts continue with batch/batch.sh, the
 * scripts of call run with run/round.sh.
 */
#ifndef CALL_SWEEP_SCRIPT_H
#define CALL_SWEEP_SCRIPT_H

#include "base/range.h"
#include "base/text.h"

struct script_program {
    const char *name; /* of the data files */
    const char *path;
    bool processes, openmp;
    const struct range *procs;
    const char *launcher; /* its name, or a command with {P} in it; NULL = the script finds one */
};

/* NAME=VALUE; the value is quoted. */
void script_assign(struct text *out, const char *name, const char *value);

/* The assignments about the program. */
void script_head(struct text *out, const struct script_program *p);

/* The launchers, and the engine. `simulated`: with the launcher of simulations. */
void script_engine(struct text *out, bool simulated);

#endif
