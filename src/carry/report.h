/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What each constant of an experiment executes, read from the report that `call count` writes
 * (docs/reference/count-format.md).
 *
 *     const struct report *c = report_load("fft.count.json", arena, diag); // NULL: see diag
 *     const struct report_experiment *e = report_find(c, "fft");
 */
#ifndef CARRY_REPORT_H
#define CARRY_REPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/diag.h"
#include "base/memory.h"

enum { REPORT_FORMAT = 1 }; /* the version that is read */

/* Classes of instructions; every instruction is in exactly one. */
enum operation {
    OPERATION_INTEGER,
    OPERATION_FLOAT,
    OPERATION_DIVISION,
    OPERATION_LOAD,
    OPERATION_STORE,
    OPERATION_BRANCH,
    OPERATION_CALL,
    OPERATION_OTHER,
    OPERATIONS
};
extern const char *const operation_names[OPERATIONS]; /* as in the report: "integer" */

/* Instructions of one mnemonic and class. */
struct mnemonic {
    const char *name;
    enum operation class;
    double number;
};

/* What one unit of a constant's term executes. Numbers may be negative: where a loop runs N - 1 times,
 * the constant of the term 1 subtracts what the constant of N has too many. */
struct operation_mix {
    double instructions;
    double of[OPERATIONS];
    double multiplies;  /* those of the integer instructions that multiply */
    double wide;        /* those of the instructions that work on vectors of more than 128 bits, as
                    instructions of 128 bits: their bits / 128 */
    double set, copied; /* bytes of blocks of memory */
    double accesses;    /* of memory, without those of blocks */
    const struct mnemonic *mnemonics;
    size_t nmnemonics;
    const char *architecture; /* of the mnemonics; NULL without them */
};

struct report_constant {
    const char *name; /* "f[1]" */
    bool exact;
    struct operation_mix mix;
};

/* How many of the accesses of memory miss the first-level and the last-level cache, at a counted point. */
struct misses {
    double d1, ll; /* parts of 1 */
};
struct report_point {
    const char *const *names; /* of variables */
    const double *values;
    size_t n;
    struct misses misses;
};

struct report_experiment {
    const char *name, *formula;
    const struct report_constant *constants;
    size_t nconstants;
    bool communicates;  /* calls MPI or libpub */
    double unexplained; /* instructions per execution that no term explains, as a part of all */
    const char *caches; /* the machine whose caches were simulated; NULL: none */
    const struct report_point *points; /* those with simulated caches */
    size_t npoints;
};

struct report {
    const char *path, *program, *architecture, *compiler, *flags;
    const struct report_experiment *experiments;
    size_t nexperiments;
};

/* Reads and checks a report. NULL with an error. All memory belongs to the arena. */
const struct report *report_load(const char *path, struct arena *a, struct diag *diag);
/* The same for a text that ends with a 0, which its size does not count. */
const struct report *report_parse(const struct source *source, struct arena *a, struct diag *diag);

/* Whether a program that was compiled for this architecture runs on machines of that one; machine files have the
 * system's names: x86_64. */
bool report_is_for(const char *architecture, const char *machine);

/* The misses at the counted point nearest to a place, in ratios of the variables. NULL if the caches of this machine were
 * not simulated. */
const struct misses *report_misses(const struct report_experiment *e, const char *machine,
                                   const char *const *names, const double *values, size_t n);

/* NULL if it is not there. */
const struct report_experiment *report_find(const struct report *c, const char *experiment);
const struct report_constant *report_constant(const struct report_experiment *e, const char *name);

#endif
