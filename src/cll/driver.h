/* SPDX-License-Identifier: MIT */
/*
 * What libcll and the driver of a kind of parallel program tell each other. A driver is one file
 * that is linked only into programs that use it (mpi/mpi.c is the example, pub/pub.c another);
 * libcll itself knows no parallel library. A driver has
 *
 *   - a struct cll_driver: how processes of a machine talk to each other, privately;
 *   - cll_NAME_sync(machine) and cll_NAME_report(names, machine), which translated programs call:
 *     a barrier that returns the number of processes, and cll_driver_report. A machine is a pointer
 *     to whatever the program calls one (an MPI_Comm, a t_bsp), null: all processes;
 *   - a hook that runs in every process when the parallel part begins, and calls cll_driver_join,
 *     and one when it ends, which calls cll_driver_finish;
 *   - its line in the translator's table of drivers (translate/driver.c).
 *
 * Gathering. All processes of a machine call cll_driver_report. They agree who writes (the first
 * one that measures), tell the writer their experiments, get the union of all back, and then, one
 * after the other, turn their own samples into rows of the common table and send these in chunks
 * of at most CLL_DRIVER_CHUNK bytes. So no process ever holds the samples of another: memory stays
 * what CLL_MEMORY says, plus a chunk.
 */
#ifndef CLL_DRIVER_H
#define CLL_DRIVER_H

#include <cll.h>
#include <stddef.h>
#include <stdint.h>

#define CLL_DRIVER_CHUNK (256u << 10)

enum cll_reduce { CLL_MINIMUM, CLL_MAXIMUM, CLL_SUM };

/* Where processes wait for each other. */
enum cll_arrival { CLL_AT_SYNC, CLL_AT_REPORT, CLL_AT_END, CLL_AT_FIRST, CLL_ARRIVALS };

/* How the processes of a machine talk. `machine` is the driver's own, handed through. All but send
   and receive are collective; ranks are those in the machine. None returns before its effect is
   there; trouble ends the program, as it does in the parallel library itself. */
struct cll_driver {
    const char *name; /* "MPI": at most 15 bytes, stands in the data file */
    unsigned (*size)(void *machine);
    unsigned (*rank)(void *machine);
    /* The reduction of all values, which are below 2^63 (MPICH compares them signed), to all. */
    uint64_t (*reduce)(void *machine, enum cll_reduce how, uint64_t value);
    void (*broadcast)(void *machine, unsigned root, void *bytes, size_t size);
    /* Returns only when the receiver has begun to receive: so nobody needs to buffer. Messages of
       one sender arrive in order. */
    void (*send)(void *machine, unsigned to, const void *bytes, size_t size);
    /* At most room bytes; returns how many came. */
    size_t (*receive)(void *machine, unsigned from, void *bytes, size_t room);
    /* Waits until all processes of the machine are at this place of the program; says after
       cll_driver_patience seconds who is missing. */
    void (*arrive)(void *machine, enum cll_arrival place);
};

/* This process in the program. */
struct cll_member {
    const char *driver;   /* its name */
    unsigned rank, world; /* among all processes of the program */
    unsigned local;       /* processes of the program on this host */
    unsigned local_cores; /* cores that these may use together */
    uint64_t job;         /* the same number in all processes, another in each run */
};

/* The parallel part begins; every process calls it, before its first gathering. Samples may have
   been taken before. */
CLL_API void cll_driver_join(const struct cll_member *member);

/* Collective over the machine, whose size is P of samples that have none: all that was measured so
   far into one data file; names as in cll_report. The same machine again: the same file again. */
CLL_API void cll_driver_report(const struct cll_driver *driver, void *machine, const char *names);

/* Collective over all processes, when the parallel part ends: gathers what is in no file yet. */
CLL_API void cll_driver_finish(const struct cll_driver *driver, void *machine);

/* Cores that this process may run on, as a set of bits (the first `words` of 64); for drivers that
   count how many cores the processes of a host have together. */
CLL_API void cll_driver_cores(uint64_t *bits, unsigned words);

/* Is the program simulated? Then it has no cores, and hosts are those of the simulation. */
CLL_API int cll_driver_simulated(void);

/* 0: the processes share their globals (simulated ones can), so there is nothing to gather. */
CLL_API int cll_driver_possible(void);

/* The program's name, as in the names of its data files; null: nothing is measured (CLL_OFF). */
CLL_API const char *cll_driver_program(void);

/* Seconds after which one that waits for others says who is missing; 0: never (CLL_PATIENCE). */
CLL_API double cll_driver_patience(void);

/* "cll: text" on stderr. */
CLL_API void cll_driver_say(const char *text);

#endif
