/* SPDX-License-Identifier: GPL-3.0-or-later */
/* steps MODE FILE: measures a few steps, makes FILE, and then
 *   end     ends
 *   wait    waits forever in the last process for a message, in the others for a barrier
 *   sync    goes on with steps forever
 *   kill    kills its last process; the others wait for it
 *   late    ends, but its last process only after an hour
 * mpi.sh lets hosts die or lose their network in the meantime. */
#define _GNU_SOURCE
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#pragma cll parallel MPI

static void step(int n)
{
#pragma cll sync step step[0] + step[1] * n + step[2] * log(P)
    usleep((useconds_t)(10 * n));
#pragma cll end step
}

int main(int argc, char **argv)
{
    int rank, size, nothing;
    const char *mode = argc > 2 ? argv[1] : "end";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int n = 1; n <= 5; n++)
        step(n);
    MPI_Barrier(MPI_COMM_WORLD);
    if (!rank && argc > 2)
        fclose(fopen(argv[2], "w"));
    if (!strcmp(mode, "wait")) {
        if (rank == size - 1)
            MPI_Recv(&nothing, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    if (!strcmp(mode, "kill")) {
        if (rank == size - 1)
            raise(SIGKILL);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    while (!strcmp(mode, "sync")) {
        step(6);
        usleep(10000);
    }
    if (!strcmp(mode, "late") && rank == size - 1)
        sleep(3600);
    MPI_Finalize();
    return 0;
}
