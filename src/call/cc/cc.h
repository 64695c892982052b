/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `call cc` as a function: call run also compiles with it. */
#ifndef CALL_CC_CC_H
#define CALL_CC_CC_H

#include "base/range.h"
#include "call/cc/args.h"
#include "translate/driver.h"

struct translation;

/* What the pragmas of the sources say about the program. In the arena. */
struct cc_program {
    const struct driver *processes; /* NULL = none */
    bool openmp;
    bool cxx;               /* cc_survey: a source is C++ */
    bool fortran;           /* cc_survey: a source is Fortran */
    enum language language; /* cc_survey: of the compiler that these need */
    bool cuda;              /* cc_survey: a source is one of CUDA (.cu) */
    bool opencl;            /* cc_survey: a source is of an OpenCL program */
    bool parallel;          /* cc_survey: a source has a `parallel`, of whatever driver */
    const struct driver
        *implied;        /* cc_survey: what the headers of the sources tell; NULL = nothing */
    struct range procs;  /* n = 0: not given */
    size_t pragmas;      /* cc_survey: how many of ours the sources have */
    bool contradictory;  /* two sources give different procs */
    const char *flavour; /* cc_run: the MPI library it is linked with (mpi_flavour.h), or NULL */
};

/* Adds what a source, or a note of a built program, says. */
void cc_program_add(struct arena *a, struct cc_program *p, const struct driver *processes,
                    bool openmp, const struct range *procs);

/* The sources of a command, which were read. */
struct cc_sources {
    struct cc_args args;
    struct translation *list; /* one per source */
};

/* Reads the sources and their headers, and looks at the pragmas, in whatever branches they stand: what
 * must be known to choose a compiler, which may be empty. In the arena; ended by cc_sources_end. NULL after a message. */
struct cc_sources *cc_survey(struct arena *a, const struct words *compiler,
                             const struct words *flags, const struct words *sources,
                             struct cc_program *program);
void cc_sources_end(struct cc_sources *s); /* NULL is fine */
/* Source i of a command: the surveyed one if it is the same, else it is read. `surveyed`: may be NULL. 0, or an
 * errno value. */
int cc_sources_take(struct arena *a, const struct cc_args *args, size_t i,
                    struct cc_sources *surveyed, struct translation *out);

/* Compiles and links as the command says, instrumented. `surveyed`: sources that were read before, or
 * NULL. `keep`: a folder that gets copies of the translated files, or NULL. `in_place`: the compiler may replace
 * this process. `program`: filled in, may be NULL. Returns the exit status. */
int cc_run(struct arena *a, const char *const *argv, struct cc_sources *surveyed, const char *keep,
           bool in_place, struct cc_program *program);

#endif
