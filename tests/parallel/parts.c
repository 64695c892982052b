/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The machine is a part of the processes: two halves report by themselves, then all work once more.
 */
#include <mpi.h>

#pragma cll parallel MPI half

static void step(MPI_Comm half, int n)
{
#pragma cll sync f f[0] + f[1] * n / P
    cll_touch(&n);
#pragma cll end f
#pragma cll g g[0] * n
    cll_touch(&n);
#pragma cll end g
}

int main(int argc, char **argv)
{
    MPI_Comm half;
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    step(half, 1);
#pragma cll report all
    step(half, 2);
#pragma cll report all
    if (argc > 1)
        step(half, 3);
    MPI_Finalize();
    return 0;
}
