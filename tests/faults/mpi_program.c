/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An instrumented MPI program: its output and exit status are the same whatever fails in libcll. */
#include <mpi.h>
#include <stdio.h>

#include <cll.h>

#pragma cll parallel MPI

enum { ROUNDS = 20 };

static volatile long sink;

int main(int argc, char **argv)
{
    int rank, sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int N = 1; N <= ROUNDS; N++) {
#pragma cll f f[0] + f[1] * N
        for (int i = 0; i < N; i++)
            sink = i;
#pragma cll end f
    }
    MPI_Reduce(&rank, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("done %d\n", sum);
    MPI_Finalize();
    return 0;
}
