/* SPDX-License-Identifier: MIT */
/*
 * The transpose of an N x N matrix in slabs of rows: each process packs a block for each other one,
 * all exchange their blocks, and each writes what it got, transposed. Element (i, j) is N i + j,
 * which main checks.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#pragma cll parallel MPI procs = 1, 2, 4, 8, 16

#define STEPS 12

static void pack(const double *from, double *to, int rows, int N)
{
    for (int block = 0; block < N / rows; block++)
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < rows; j++)
                *to++ = from[(size_t)i * N + (size_t)block * rows + j];
}

static void unpack(const double *from, double *to, int rows, int N)
{
    for (int block = 0; block < N / rows; block++, from += (size_t)rows * rows)
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < rows; j++)
                to[(size_t)i * N + (size_t)block * rows + j] = from[(size_t)j * rows + i];
}

static double measure(int N, int rank, int P)
{
    int rows = N / P;
    size_t size = (size_t)rows * N, block = (size_t)rows * rows;
    double *a = malloc(size * sizeof *a), *b = malloc(size * sizeof *b),
           *c = malloc(size * sizeof *c), wrong = 0;
    if (!a || !b || !c)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (size_t i = 0; i < size; i++) {
        a[i] = (double)N * rows * rank + (double)i;
        b[i] = c[i] = 0;
    }
    for (int step = 0; step < STEPS; step++) {
#pragma cll sync transpose transpose[0] + transpose[1] * N *N / P +                                \
                                                    transpose[2] * N *N / P *(1 - 1 / P) +         \
                                                              transpose[3] * P
#pragma cll pack pack[0] + pack[1] * N *N / P
        pack(a, b, rows, N);
#pragma cll end pack
#pragma cll exchange exchange[0] * alltoall(8 * N * N / P / P, P)
        MPI_Alltoall(b, (int)block, MPI_DOUBLE, c, (int)block, MPI_DOUBLE, MPI_COMM_WORLD);
#pragma cll end exchange
#pragma cll unpack(N, rows) unpack[0] + unpack[1] * rows *N
        unpack(c, a, rows, N);
#pragma cll end unpack
#pragma cll end transpose
    }
    for (size_t i = 0; i < size; i++) /* an even number of transposes */
        wrong += a[i] != (double)N * rows * rank + (double)i;
    free(a), free(b), free(c);
    return wrong;
}

int main(int argc, char **argv)
{
    int rank, P;
    double wrong = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &P);
    for (int N = 480; N <= 2400; N += 320)
        wrong += measure(N, rank, P);
    MPI_Finalize();
    if (wrong > 0)
        fputs("transpose: wrong result\n", stderr);
    return wrong > 0;
}
