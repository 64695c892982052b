/* SPDX-License-Identifier: MIT */
/*
 * A stencil that the memory limits: nine-point averages of an N x N grid in slabs of rows, the
 * borders exchanged with both neighbours. Constant grids stay constant, which main checks.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#pragma cll parallel MPI procs = 1, 2, 4, 8, 16

#define STEPS 12

static void exchange(double *grid, int rows, int N, int rank, int P)
{
    int up = rank ? rank - 1 : MPI_PROC_NULL, down = rank + 1 < P ? rank + 1 : MPI_PROC_NULL;
    MPI_Sendrecv(grid + N, N, MPI_DOUBLE, up, 0, grid + (size_t)(rows + 1) * N, N, MPI_DOUBLE, down,
                 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(grid + (size_t)rows * N, N, MPI_DOUBLE, down, 0, grid, N, MPI_DOUBLE, up, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void average(const double *from, double *to, int rows, int N)
{
    for (int i = 1; i <= rows; i++) {
        const double *above = from + (size_t)(i - 1) * N, *here = above + N, *below = here + N;
        double *out = to + (size_t)i * N;
        out[0] = here[0];
        out[N - 1] = here[N - 1];
        for (int j = 1; j < N - 1; j++)
            out[j] = (above[j - 1] + above[j] + above[j + 1] + here[j - 1] + here[j] + here[j + 1] +
                      below[j - 1] + below[j] + below[j + 1]) /
                     9;
    }
}

static double measure(int N, int rank, int P)
{
    int first = (int)((long)N * rank / P), rows = (int)((long)N * (rank + 1) / P) - first;
    size_t size = (size_t)(rows + 2) * N;
    double *a = malloc(size * sizeof *a), *b = malloc(size * sizeof *b);
    if (!a || !b)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (size_t i = 0; i < size; i++)
        a[i] = b[i] = 1;
    for (int step = 0; step < STEPS; step++) {
#pragma cll sync stencil stencil[0] + stencil[1] * N *N / P + stencil[2] * N *(1 - 1 / P)
#pragma cll halo halo[0] + halo[1] * N
        exchange(a, rows, N, rank, P);
#pragma cll end halo
#pragma cll average average[0] + average[1] * N *N / P
        average(a, b, rows, N);
#pragma cll end average
#pragma cll end stencil
        double *t = a;
        a = b;
        b = t;
    }
    double wrong = 0;
    for (size_t i = N; i < size - N; i++)
        wrong += a[i] < 1 - 1e-9 || a[i] > 1 + 1e-9;
    free(a);
    free(b);
    return wrong;
}

int main(int argc, char **argv)
{
    int rank, P;
    double wrong = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &P);
    for (int N = 800; N <= 4400; N += 600)
        wrong += measure(N, rank, P);
    MPI_Finalize();
    if (wrong > 0)
        fputs("stencil: wrong result\n", stderr);
    return wrong > 0;
}
