/* SPDX-License-Identifier: MIT */
/*
 * A study of one collective operation: MPI_Allreduce of n numbers over P processes. With small n
 * an MPI library passes the whole vector on in log2(P) steps, which is the formula here; with large
 * n it changes how a message travels (at once, or after asking) and then the algorithm (a ring, in
 * which everyone sends 2*n*(P-1)/P numbers). Nobody tells where: measure, and llac shows it as
 * intervals of n in which constants have values of their own.
 *
 *     call run allreduce-mpi.c             measures and fits, for those P that there are cores for
 *
 * By hand (beyond the cores of the machine, Open MPI's mpirun wants --oversubscribe):
 *
 *     mpicc -O2 -Wno-unknown-pragmas allreduce-mpi.c -o allreduce && mpirun -n 2 ./allreduce
 *     call cc mpicc -O2 allreduce-mpi.c -o allreduce                measures:
 *     for p in 2 3 4 8; do mpirun -n $p ./allreduce; done           not more than there are cores
 *     llac -e 'fit reduce; plot reduce over n' allreduce.cll.*.dat
 *
 * Open MPI 4.1 in one machine of two cores, P = 2: reduce[2] is 6.2 ns up to n = 2048 and 3.2 ns
 * beyond. With P = 3 and 4 on the same two cores, where llac rightly warns of too many processes,
 * reduce[0] steps up between 32 and 64 numbers and between 256 and 512 (256 and 4096 bytes: the
 * library's limits for messages that are sent at once).
 *
 * Within the interval of large n, another formula may be the better one:
 *
 *     compare reduce "reduce[0] + reduce[1]*log2(P) + reduce[2]*n*log2(P)"
 *                    "reduce[0] + reduce[1]*P + reduce[2]*n*(P-1)/P" where n > 4096
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#pragma cll parallel MPI procs = 2:8:2

/* The work of a few repetitions is about the same for all n. */
static int repetitions(int n)
{
    return n < 4096 ? 20 : n < 65536 ? 10 : 3;
}

static int value(int rank, int i)
{
    return rank + 1 + i % 7;
}

/* Adds up n numbers of each process; whether the sums are right. */
static int reduce(double *own, double *sum, int n)
{
    int rank, size, right = 1, all;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < n; i++) {
        own[i] = value(rank, i);
        sum[i] = 0;
    }
    for (int repetition = repetitions(n); repetition > 0; repetition--) {
#pragma cll sync reduce reduce[0] + reduce[1]*log2(P) + reduce[2]*n*log2(P)
        MPI_Allreduce(own, sum, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
#pragma cll end reduce
    }
    for (int i = 0; i < n; i++)
        right &= sum[i] == size * (value(0, i) + value(size - 1, i)) / 2.0;
    MPI_Allreduce(&right, &all, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
    return all;
}

int main(int argc, char **argv)
{
    int rank, right = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int last = argc > 1 ? atoi(argv[1]) : 1 << 20, rounds = argc > 2 ? atoi(argv[2]) : 5;
    if (last < 1 || last > 1 << 28 || rounds < 1) {
        if (rank == 0)
            fprintf(stderr, "usage: allreduce-mpi [LAST [ROUNDS]], 1 <= LAST <= %d\n", 1 << 28);
        MPI_Finalize();
        return 2;
    }
    double *own = malloc((size_t)last * sizeof *own), *sum = malloc((size_t)last * sizeof *sum);
    if (!own || !sum) {
        fprintf(stderr, "allreduce-mpi: no memory for %d numbers\n", last);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    int n = last;
    /* All sizes once, then all again: a slow moment of the machine then hits no size alone. */
#pragma cll for (int round = 0; round < rounds; round++)
#pragma cll for (n = 1; n <= last; n *= 2)
    right &= reduce(own, sum, n);
#pragma cll end for
#pragma cll end for
    if (rank == 0)
        puts(right ? "right" : "WRONG");
    free(own);
    free(sum);
    MPI_Finalize();
    return !right;
}
