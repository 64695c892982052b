/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The batch script of a program with `procs`: a shell script that runs it for each number of
 * processors in rounds; for Slurm, the same script with a head that sbatch reads. At its top are
 * the names and numbers; the engine of sweeps (sweep/script.h) and batch.sh follow as they are.
 */
#ifndef CALL_BATCH_BATCH_H
#define CALL_BATCH_BATCH_H

#include "base/range.h"
#include "base/text.h"
#include "translate/driver.h"
#include "call/process.h"

enum { BATCH_ROUNDS = 5 };

/* What a script for Slurm asks of it; NULL = not said. */
struct batch_slurm {
    bool wanted, array; /* array: a job for each round */
    const char *time, *partition, *nodes;
    const char *threads;  /* of each process, for programs of both */
    struct words options; /* further options of sbatch */
};

struct batch {
    const char *source, *script; /* paths: what it is made from, where it is written */
    const char *program;         /* the name of the program */
    const struct driver *processes;
    bool openmp;
    const char *flavour; /* of the MPI library, if it is known */
    struct range procs;
};

/* Are these values valid in a line for sbatch? Returns NULL, or a message (arena). */
const char *batch_slurm_check(struct arena *a, const struct batch_slurm *s);

/* The script; `slurm` NULL: a plain one. */
void batch_script(const struct batch *b, const struct batch_slurm *slurm, struct text *out);

/* Does a text begin as a script of ours does? */
bool batch_wrote(const char *text, const char *unused);

#endif
