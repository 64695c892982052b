/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The cost of a begin/end pair, in nanoseconds, in a program of the kind that is compiled: plain,
 * with -DUSE_MPI as an MPI program, with -fopenmp as an OpenMP program whose threads all measure
 * (with -DOUTSIDE: outside of all teams). An OpenMP program records P besides n; -DSECOND makes a
 * plain one that records as much. The 10th percentile over batches, on the main thread.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#ifdef USE_MPI
#include <mpi.h>
#pragma cll parallel MPI
#endif
#ifdef _OPENMP
#pragma cll parallel OpenMP
#endif

#ifdef SECOND
static int two = 2;
#endif
enum { BATCHES = 400, PAIRS = 2000 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double batch(int n)
{
    double start = now();
    for (int i = 0; i < PAIRS; i++) {
#ifdef SECOND
#pragma cll second second[0] + second[1] * n + second[2] * two
#pragma cll end second
#else
#pragma cll pair pair[0] + pair[1] * n
#pragma cll end pair
#endif
    }
    return (now() - start) / PAIRS;
}

int main(int argc, char **argv)
{
    static double each[BATCHES];
    int rank = 0;
#ifdef USE_MPI
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#endif
    (void)argc;
    (void)argv;
#ifndef OUTSIDE
#pragma omp parallel
#endif
    for (int i = 0; i < BATCHES; i++) {
        double cost = batch(i % 4);
#pragma omp master
        each[i] = cost;
    }
    qsort(each, BATCHES, sizeof *each, by_value);
    if (rank == 0)
        printf("%.1f\n", each[BATCHES / 10]);
#ifdef USE_MPI
    MPI_Finalize();
#endif
    return 0;
}
