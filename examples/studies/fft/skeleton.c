/* SPDX-License-Identifier: MIT */
/*
 * The skeleton of fft-pub.c for simulated machines: the same messages between the same partners at the same
 * levels, with injected computation. A machine of 1024 processors with 2 million elements would need a
 * hundred gigabytes: each processor has the whole vector. Here all processors send from and receive into one
 * piece of memory (SMPI_SHARED_MALLOC), which SMPI does not copy.
 *
 *     call run --simulate fast.xml --procs 2:1024:2 skeleton.c -- [LAST]
 *
 * Sizes from 1024 to LAST elements (2097152). The partners are found by their numbers, so that groups cost
 * nothing, as in libpub. Computation takes, in operations:
 *
 *     G    10 N log2(N) for the transform of N elements on one processor
 *     F    20 for each element of a half that is combined; A, B, C and E together 500
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef SMPI_HELPERS_H
#include <smpi/smpi.h>
#else
#define SMPI_SHARED_MALLOC(bytes) malloc(bytes)
#define SMPI_SHARED_FREE(data)    free(data)
#endif

#pragma cll parallel MPI procs = 1 : 1024 : 2

#define BYTES 16 /* of an element */

static char *out, *in;

static void compute(double operations)
{
#ifdef SMPI_HELPERS_H
    smpi_execute_flops(operations);
#else
    (void)operations;
#endif
}

static double levels_of(int N)
{
    double levels = 0;
    for (; N > 1; N /= 2)
        levels++;
    return levels;
}

/* The processors first .. first + p - 1 transform N elements. */
static void transform(int N, int first, int p, int me)
{
    if (p == 1) {
#pragma cll G G[0] + G[1] * N *log(N)
        compute(10.0 * N * levels_of(N));
#pragma cll end G
        return;
    }
    int n = N / 2, size = n * BYTES, lower = me < first + p / 2;
    compute(500);
    transform(n, lower ? first : first + p / 2, p / 2, me);
    int partner = lower ? me + p / 2 : me - p / 2;
#pragma cll D(p = p) D[0] + D[1] * size
    MPI_Sendrecv(out, size, MPI_BYTE, partner, 0, in, size, MPI_BYTE, partner, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
#pragma cll end D
#pragma cll F F[0] + F[1] * n
    compute(20.0 * n);
#pragma cll end F
}

int main(int argc, char **argv)
{
    int last = argc > 1 ? atoi(argv[1]) : 2097152, me, p, N = 1024;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    if (last < 1024 || last > 2097152 || p & (p - 1)) {
        if (!me)
            fprintf(stderr, "usage: skeleton [LAST], LAST from 1024 to 2097152, on 2^k processes\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    out = SMPI_SHARED_MALLOC((size_t)last / 2 * BYTES);
    in = SMPI_SHARED_MALLOC((size_t)last / 2 * BYTES);
#pragma cll for (N = 1024; N <= last; N *= 2)
#pragma cll sync f f[0] + f[1] * log(P) + f[2] * (N / P) * log(N / P) + f[3] * N *(P - 1) / P
    transform(N, 0, p, me);
#pragma cll end f
#pragma cll end for
#pragma cll report all
    SMPI_SHARED_FREE(out);
    SMPI_SHARED_FREE(in);
    if (!me)
        puts("done");
    MPI_Finalize();
    return 0;
}
