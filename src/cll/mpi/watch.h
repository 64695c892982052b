/* SPDX-License-Identifier: MIT */
/*
 * Waiting for processes that may never arrive. A process that waits for the processes of a machine
 * polls, and calls cll_watch_poll between polls. After CLL_PATIENCE seconds it asks all others by a
 * message whether they also wait here. The waiting ones answer. Then it reports on stderr the processes
 * that have not answered. Nothing is sent or allocated before.
 */
#ifndef CLL_MPI_WATCH_H
#define CLL_MPI_WATCH_H

#include <mpi.h>
#include <stdint.h>

#include "cll/driver.h"

/* One wait; the caller fills in the first fields, zeros the others. */
struct cll_watch {
    enum cll_arrival place;
    const void *machine; /* for list */
    /* The ranks, in the communicator of the watch, of the processes of the machine. */
    void (*list)(const void *machine, int *ranks);
    int n, me; /* how many these are, and the index of this one */

    unsigned polls;
    unsigned number;             /* of its question */
    uint64_t start, next, asked; /* ns: when it arrived, when to ask, when it asked (0: not yet) */
    uint64_t key;                /* of machine and place, the same in all its processes */
    int *ranks;
    char *there; /* by index: it has answered */
};

/* Questions and answers travel in this communicator, which all processes share, under this tag. */
void cll_watch_begin(MPI_Comm comm, int tag);
/* Collective, when no process waits any more: receives the questions and answers still on their way. */
void cll_watch_end(void);

void cll_watch_slowly(struct cll_watch *watch);
void cll_watch_done(struct cll_watch *watch);

/* Waits for a message of the process with this index, in a gathering; reports after CLL_PATIENCE
   seconds, and again after twice the time, that it does not come. Only machine, list, n and me of the
   wait are used. */
void cll_watch_message(struct cll_watch *watch, int from, MPI_Request *request, MPI_Status *status);

/* The clock is read rarely at first; where processes share a core, a poll may take milliseconds. */
static inline void cll_watch_poll(struct cll_watch *watch)
{
    if (++watch->polls % (watch->start ? 8 : 64) == 0)
        cll_watch_slowly(watch);
}

#endif
