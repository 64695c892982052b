/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Processes with teams of threads. */
#include <mpi.h>

#pragma cll parallel MPI
#pragma cll parallel OpenMP

int main(int argc, char **argv)
{
    int provided, n = 100;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    for (int round = 0; round < 3; round++, n *= 2) {
#pragma cll sync whole whole[0] + whole[1] * n / (P * T)
#pragma omp parallel num_threads(3)
        {
#pragma cll sync team team[0] * T
            cll_touch(&n);
#pragma cll end team
        }
#pragma cll end whole
#pragma cll alone alone[0] * n
        cll_touch(&n);
#pragma cll end alone
    }
    MPI_Finalize();
    return 0;
}
