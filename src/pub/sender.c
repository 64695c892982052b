/* SPDX-License-Identifier: MIT */
/*
 * Whether MPI needs the sender of a large message until its bytes have been moved.
 *
 * No function of MPI says so, and permissions do not either: a library may be built without the means that a machine has. So this
 * is tried. A sender begins a large message, and does not call MPI for much longer than such a message takes. If the receiver has
 * the message long before that time is over, the sender was not needed.
 */
#include <stdlib.h>

#include "pub/internal.h"

#define BYTES         ((size_t)1 << 16) /* more than Open MPI and others send at once */
#define ABSENCES      8 /* an absence is this many times as long as a message takes, */
#define LEAST_ABSENCE ((uint64_t)200000) /* but at least and at most so many nanoseconds */
#define MOST_ABSENCE  ((uint64_t)20000000)
#define NO_MORE       UINT64_MAX
#define TRIES         4 /* a process that loses its core is late once, not four times */

static void send_and_leave(uint64_t absence, uint8_t *bytes, int to)
{
    MPI_Request sending;
    MPI_Isend(bytes, (int)BYTES, MPI_BYTE, to, 0, pub.comm, &sending);
    uint64_t start = pub_clock();
    while (pub_clock() - start < absence)
        ;
    MPI_Wait(&sending, MPI_STATUS_IGNORE);
}

static void serve(uint8_t *bytes, int to)
{
    uint64_t absence;
    for (;;) {
        MPI_Recv(&absence, 1, MPI_UINT64_T, to, 0, pub.comm, MPI_STATUS_IGNORE);
        if (absence == NO_MORE)
            return;
        send_and_leave(absence, bytes, to);
    }
}

/* How long it takes to ask for a message, and to have it, if its sender is absent for a while. The clock starts before the sender
   begins, so a receiver that needs the sender never takes less than the absence, whatever else happens on the machine. */
static uint64_t receive(uint64_t absence, uint8_t *bytes, int from)
{
    uint64_t start = pub_clock();
    MPI_Send(&absence, 1, MPI_UINT64_T, from, 0, pub.comm);
    MPI_Recv(bytes, (int)BYTES, MPI_BYTE, from, 0, pub.comm, MPI_STATUS_IGNORE);
    return pub_clock() - start;
}

static bool waits_for_sender(uint8_t *bytes, int from)
{
    uint64_t no_more = NO_MORE;
    bool waits = true;
    receive(0, bytes, from); /* opens the connection */
    uint64_t absence = ABSENCES * receive(0, bytes, from);
    if (absence < LEAST_ABSENCE)
        absence = LEAST_ABSENCE;
    if (absence > MOST_ABSENCE)
        absence = MOST_ABSENCE;
    for (int i = 0; i < TRIES && waits; i++)
        waits = receive(absence, bytes, from) > absence / 2;
    MPI_Send(&no_more, 1, MPI_UINT64_T, from, 0, pub.comm);
    return waits;
}

static bool waits_between(uint8_t *bytes, int from, int to)
{
    if (pub.rank == from)
        serve(bytes, to);
    return pub.rank == to && waits_for_sender(bytes, from);
}

/* The neighbour of process 0 is on its host in most placements, and the last process on another one if there are several. Where
   processes share cores, a late message shows nothing. */
bool pub_sender_is_needed(void)
{
    int crowded = pub.crowded, any_crowded, needed, any_needed;
    if (pub_simulated() || pub.size == 1)
        return false;
    MPI_Allreduce(&crowded, &any_crowded, 1, MPI_INT, MPI_MAX, pub.comm);
    if (any_crowded)
        return false;
    uint8_t *bytes = calloc(1, BYTES);
    if (!bytes)
        pub_fail(NULL, "no memory");
    needed = waits_between(bytes, 0, 1);
    if (pub.size > 2)
        needed |= waits_between(bytes, 0, pub.size - 1);
    free(bytes);
    MPI_Allreduce(&needed, &any_needed, 1, MPI_INT, MPI_MAX, pub.comm);
    return any_needed;
}
