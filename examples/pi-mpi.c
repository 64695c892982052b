/* SPDX-License-Identifier: MIT */
/*
 * Pi by MPI processes: each adds its share of N rectangles under 4/(1 + x*x), and the shares are
 * added up. The formula says so: a share of the work for each of P processes, and a reduction
 * whose steps grow with log(P).
 *
 *     call run --procs 1:4:2 pi-mpi.c                                           measures and fits
 *
 * By hand (beyond the cores of the machine, Open MPI's mpirun wants --oversubscribe):
 *
 *     mpicc -O2 -Wno-unknown-pragmas pi-mpi.c -o pi -lm && mpirun -n 2 ./pi     computes it once
 *     call cc mpicc -O2 pi-mpi.c -o pi -lm                                      measures:
 *     for p in 1 2 4; do mpirun -n $p ./pi; done
 *     llac -e 'fit pi; fit reduce' pi.cll.*.dat
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#pragma cll parallel MPI

static double share(long N, int rank, int size)
{
    double sum = 0, width = 1.0 / (double)N;
    for (long i = rank; i < N; i += size) {
        double x = ((double)i + 0.5) * width;
        sum += 4 / (1 + x * x);
    }
    return sum * width;
}

static double pi(long N, int rank, int size)
{
    double part, whole;
#pragma cll sync pi pi[0] + pi[1]*N/P + pi[2]*log(P)
    part = share(N, rank, size);
#pragma cll reduce reduce[0] + reduce[1]*log(P)
    MPI_Allreduce(&part, &whole, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
#pragma cll end reduce
#pragma cll end pi
    return whole;
}

int main(int argc, char **argv)
{
    int rank, size, wrong = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    long first = argc > 1 ? atol(argv[1]) : 10000, last = argc > 2 ? atol(argv[2]) : 640000;
    if (first < 100 || last < first) {
        if (rank == 0)
            fprintf(stderr, "usage: pi-mpi [FIRST [LAST]], 100 <= FIRST <= LAST\n");
        MPI_Finalize();
        return 2;
    }
    long N = last;
#pragma cll for (N = first; N <= last; N *= 2) shuffle
    double found = pi(N, rank, size);
    if (fabs(found - acos(-1)) > 1.0 / ((double)N * (double)N)) /* the error of the method */
        wrong = 1;
#pragma cll end for
    if (rank == 0)
        printf("pi is %s\n", wrong ? "wrong" : "right");
    MPI_Finalize();
    return wrong;
}
