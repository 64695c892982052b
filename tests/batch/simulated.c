/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A program for simulated sweeps: its computing is injected, so that times are exact. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef SMPI_HELPERS_H
#include <smpi/smpi.h>
#else
#define smpi_execute_flops(flops) ((void)(flops))
#endif

#pragma cll parallel MPI procs = 2 : 8 : 2

int main(int argc, char **argv)
{
    static char buffer[1 << 16];
    int rank, n;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc > 1 && !strcmp(argv[1], "abort"))
        MPI_Abort(MPI_COMM_WORLD, 1);
    if (argc > 1 && !strcmp(argv[1], "deadlock") && rank == 0)
        MPI_Recv(buffer, 1, MPI_CHAR, 1, 99, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (n = 1000; n <= 64000; n *= 4) {
#pragma cll sync work work[0] + work[1] * n
        smpi_execute_flops(n * 1e3);
#pragma cll end work
#pragma cll sync cast cast[0] + cast[1] * log2(P) + cast[2] * n *log2(P)
        MPI_Bcast(buffer, n, MPI_CHAR, 0, MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD);
#pragma cll end cast
    }
    if (argc > 1 && !strcmp(argv[1], "say") && rank == 0)
        for (int i = 2; i < argc; i++)
            printf("<%s>", argv[i]);
    MPI_Finalize();
    return 0;
}
