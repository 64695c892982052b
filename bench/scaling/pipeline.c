/* SPDX-License-Identifier: MIT */
/*
 * A pipeline: g(i, j) = g(i-1, j) + g(i, j-1) - g(i-1, j-1) over an N x N grid in slabs of columns.
 * For each row a process waits for the last value of its neighbour, computes its part, and sends its
 * own last value on. With borders i and j the result is i + j, which main checks.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#pragma cll parallel MPI procs = 1, 2, 4, 8, 16

#define STEPS 8

/* A row has the last column of the neighbour before its own ones. */
static void sweep(double *grid, int columns, int N, int rank, int P)
{
    size_t width = (size_t)columns + 1;
    for (int i = 1; i < N; i++) {
        double *above = grid + (size_t)(i - 1) * width, *here = above + width;
        if (rank > 0)
            MPI_Recv(here, 1, MPI_DOUBLE, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int j = 1; j <= columns; j++)
            here[j] = above[j] + here[j - 1] - above[j - 1];
        if (rank < P - 1)
            MPI_Send(here + columns, 1, MPI_DOUBLE, rank + 1, 0, MPI_COMM_WORLD);
    }
}

static double measure(int N, int rank, int P)
{
    int columns = N / P, first = columns * rank;
    size_t width = (size_t)columns + 1;
    double *grid = malloc(N * width * sizeof *grid), wrong = 0;
    if (!grid)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < N; i++)
        for (int j = 0; j <= columns; j++)
            grid[(size_t)i * width + j] = i == 0 || j == 0 ? i + first + j : 0;
    for (int step = 0; step < STEPS; step++) {
#pragma cll sync pipeline pipeline[0] + pipeline[1] * N *N / P + pipeline[2] * N *(1 - 1 / P) +    \
                                                                          pipeline[3] * N
        sweep(grid, columns, N, rank, P);
#pragma cll end pipeline
    }
    for (int i = 0; i < N; i++)
        for (int j = 1; j <= columns; j++)
            wrong += grid[(size_t)i * width + j] != i + first + j;
    free(grid);
    return wrong;
}

int main(int argc, char **argv)
{
    int rank, P;
    double wrong = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &P);
    for (int N = 640; N <= 4480; N += 640)
        wrong += measure(N, rank, P);
    MPI_Finalize();
    if (wrong > 0)
        fputs("pipeline: wrong result\n", stderr);
    return wrong > 0;
}
