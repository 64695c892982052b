/* SPDX-License-Identifier: MIT */
/*
 * The interface between libcll and the driver of one kind of parallel program. A driver is a file
 * that is linked only into programs that use it (mpi/mpi.c, pub/pub.c); libcll itself does not
 * depend on a parallel library. A driver has
 *
 *   - a struct cll_driver: how the processes of a machine communicate, apart from the program;
 *   - cll_NAME_sync(machine) and cll_NAME_report(names, machine), which translated programs call:
 *     a barrier that returns the number of processes, and cll_driver_report. A machine is a pointer
 *     to what the program uses as one (an MPI_Comm, a t_bsp); null: all processes;
 *   - a hook that runs in every process when the parallel part begins, and calls cll_driver_join,
 *     and one when it ends, which calls cll_driver_finish;
 *   - its line in the translator's table of drivers (translate/driver.c).
 *
 * Gathering. All processes of a machine call cll_driver_report. They agree on the writer (the first
 * process that measures), send it their experiments and receive the union of all. Then, one after
 * the other, they convert their own samples to rows of the common table and send these to the
 * writer, at most CLL_DRIVER_CHUNK bytes at a time. So no process holds the samples of another: it
 * needs the memory of CLL_MEMORY and one such part.
 */
#ifndef CLL_DRIVER_H
#define CLL_DRIVER_H

#include <cll.h>
#include <stddef.h>
#include <stdint.h>

#define CLL_DRIVER_CHUNK (256u << 10)
#define CLL_PLACES       2048u /* bytes of cll_member.places, with the end of the text */

enum cll_reduce { CLL_MINIMUM, CLL_MAXIMUM, CLL_SUM };

/* Where processes wait for each other. */
enum cll_arrival { CLL_AT_SYNC, CLL_AT_REPORT, CLL_AT_END, CLL_AT_FIRST, CLL_ARRIVALS };

/* How the processes of a machine communicate. `machine` belongs to the driver; libcll only passes it
   on. All but send and receive are collective; ranks are those in the machine. Each returns when it
   has taken effect. A failure ends the program, as it does in the parallel library itself. */
struct cll_driver {
    const char *name; /* "MPI", as in the data file; at most 15 bytes */
    unsigned (*size)(void *machine);
    unsigned (*rank)(void *machine);
    /* The reduction of all values, which are below 2^63 (MPICH compares them signed), to all. */
    uint64_t (*reduce)(void *machine, enum cll_reduce how, uint64_t value);
    void (*broadcast)(void *machine, unsigned root, void *bytes, size_t size);
    /* Returns only when the receiver has begun to receive, so no process buffers. Messages of one
       sender arrive in order. */
    void (*send)(void *machine, unsigned to, const void *bytes, size_t size);
    /* At most room bytes; returns how many came. */
    size_t (*receive)(void *machine, unsigned from, void *bytes, size_t room);
    /* Waits until all processes of the machine are at this place of the program; after
       cll_driver_patience seconds it reports which ones are missing. */
    void (*arrive)(void *machine, enum cll_arrival place);
    /* CLL_DRIVER_CHUNK bytes for one gathering at a time. Static, because a process without memory takes
       part in it, and in the driver, because a program that is not parallel does not need them. */
    char *chunk;
};

/* This process in the program. */
struct cll_member {
    const char *driver;                    /* its name */
    unsigned rank, world;                  /* among all processes of the program */
    unsigned local;                        /* processes of the program on this host */
    unsigned local_cores;                  /* cores that these may use together */
    unsigned whole_cores;                  /* of the hardware, among these; 0: unknown */
    unsigned hosts;                        /* of the program; 0: unknown */
    unsigned host_ranks[2], host_cores[2]; /* on the host with the fewest, on that with the most */
    const char *places; /* lines "RANKS HOST" of all processes, as in the spool; null: unknown */
    uint64_t job;       /* the same number in all processes, another in each run */
    int64_t run;        /* cll_driver_run of the first process */
    unsigned launched;  /* processes that the launcher started, if each of them is alone; else 0 */
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

/* How many cores of the hardware these are; 0 if the system does not show it. Reads a file for each
   core. */
CLL_API unsigned cll_driver_whole_cores(const uint64_t *bits, unsigned words);

/* The name of this host. */
CLL_API void cll_driver_host(char *name, size_t size);

/* The name of the host of a process of the program, from cll_member.places; "" if it is not known
   or if all processes are on one host. */
CLL_API void cll_driver_host_of(unsigned rank, char *name, size_t size);

/* Is the program simulated? Then it has no cores, and hosts are those of the simulation. */
CLL_API int cll_driver_simulated(void);

/* 0: the processes share their globals (simulated ones can), so there is nothing to gather. */
CLL_API int cll_driver_possible(void);

/* A program may have two drivers: that of libpub, and that of MPI from a source that does not say what
   it belongs to. The one that takes the program works, and the other gives way. Called in a
   constructor. */
CLL_API void cll_driver_take(const struct cll_driver *driver);
CLL_API int cll_driver_gives_way(const struct cll_driver *driver);

/* The program's name, as in the names of its data files; null: nothing is measured (CLL_OFF). */
CLL_API const char *cll_driver_program(void);

/* The number of the run in the environment of this process (CLL_RUN), until it joins. */
CLL_API int64_t cll_driver_run(void);

/* Seconds after which a process that waits reports which ones are missing; 0: never (CLL_PATIENCE). */
CLL_API double cll_driver_patience(void);

/* "cll: text" on stderr. */
CLL_API void cll_driver_say(const char *text);

#endif
