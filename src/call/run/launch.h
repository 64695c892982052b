/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How a program is started on P processors: one table of launchers, for call run and for the batch
 * scripts.
 *
 *     struct launch l;
 *     if (launch_find(a, launch_named("openmpi"), folder_of_mpicc, &l) == 0) {
 *         launch_words(a, &l, 4, &variables, &words, &environment);
 *         words_add(a, &words, "./program");
 *     }
 *
 * Every program of processes is an MPI program, whatever its driver is called: PUB's are, too.
 */
#ifndef CALL_RUN_LAUNCH_H
#define CALL_RUN_LAUNCH_H

#include "base/text.h"
#include "translate/driver.h"
#include "call/process.h"

/* Texts are words as in a shell, with {P} for the number of processors. */
struct launcher {
    const char *name;        /* for --launcher; of MPI libraries: the flavour (mpi_flavour.h) */
    const char *about;       /* as a message calls it */
    const char *programs[6]; /* the first of these that is there; none: the program is started
                                directly */
    const char *says;        /* what their --version prints, "this|or this"; NULL: not asked */
    const char *options;
    const char *crowded;     /* further options, with more processes than slots */
    const char *threaded;    /* further options, when the processes have threads of their own */
    const char *pass;        /* the option before each variable that processes must see */
    const char *environment; /* one variable, or NULL */
    const char *as_root;     /* variables without which it refuses to run for root, or NULL */
    bool processes;          /* P counts processes */
    bool in_scripts;         /* batch scripts can use it */
};

/* A launcher made ready: its program found, or the user's own command. */
struct launch {
    const struct launcher *launcher; /* NULL = the user's own command */
    struct words command;            /* {P} and {NAME} are still in it */
    bool processes;
    bool threaded;                          /* the processes have threads of their own */
    const char *platform, *hosts, *compute; /* of simulations: {platform}, {hosts}, {compute} */
};

/* By its name; NULL if there is none. */
const struct launcher *launch_named(const char *name);

/* For this kind of program. `flavour`: of the MPI library; NULL if it is not known. Returns NULL if
 * only the flavour could tell. */
const struct launcher *launch_for(const struct driver *processes, bool openmp, const char *flavour);

/* Finds the launcher's program, in the folder `near` first (NULL = only on PATH). 0, or -1 after a
 * message that begins with "call run: ". */
int launch_find(struct arena *a, const struct launcher *launcher, const char *near,
                struct launch *out);

/* The user's own command, or the name of a launcher: --launcher. 0, or -1 after a message. */
int launch_own(struct arena *a, const char *text, bool processes, struct launch *out);

/* The words before the program, and the variables that it needs besides `variables` (NAME=VALUE).
 */
void launch_words(struct arena *a, const struct launch *l, unsigned long P,
                  const struct words *variables, struct words *words, struct words *environment);

/* Processors that this process may use; and cores, which an MPI library takes as its slots. */
unsigned long launch_processors(void);
unsigned long launch_slots(void);

/* Threads of each process of a program with both, as OMP_NUM_THREADS says; 1 if it does not. */
unsigned long launch_threads(void);

/* Does a batch system say where processes run? Then this machine's processors say nothing. */
bool launch_in_job(void);

/* The table as a shell function `launcher_entry NAME`, which sets a variable for each field and
 * fails if there is no such launcher. */
void launch_shell(struct text *out);

#endif
