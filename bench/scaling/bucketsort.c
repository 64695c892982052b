/* SPDX-License-Identifier: MIT */
/*
 * Bucket sort of N random keys: each process puts its keys into P buckets of equal width, all
 * exchange their buckets, and each sorts what it got. That the keys are in order and none is lost
 * is checked.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma cll parallel MPI procs = 1, 2, 4, 8, 16

#define STEPS  6
#define MOST_P 256

static int by_value(const void *a, const void *b)
{
    unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
    return (x > y) - (x < y);
}

struct exchange {
    int sent[MOST_P], sent_at[MOST_P], got[MOST_P], got_at[MOST_P];
};

/* Sorts the keys into buckets and exchanges these; the number of keys that this process has then. */
static int distribute(struct exchange *x, const unsigned *keys, unsigned *out, unsigned *in, int N,
                      int n, int P)
{
    int next[MOST_P], total = 0;
#pragma cll count count[0] + count[1] * N / P
    memset(x->sent, 0, sizeof x->sent);
    for (int i = 0; i < n; i++)
        x->sent[(size_t)keys[i] * P >> 32]++;
#pragma cll end count
#pragma cll sizes(N) sizes[0] + sizes[1] * P
    MPI_Alltoall(x->sent, 1, MPI_INT, x->got, 1, MPI_INT, MPI_COMM_WORLD);
#pragma cll end sizes
    for (int r = 0, at = 0; r < P; r++) {
        next[r] = x->sent_at[r] = at;
        x->got_at[r] = total;
        at += x->sent[r];
        total += x->got[r];
    }
#pragma cll fill fill[0] + fill[1] * N / P
    for (int i = 0; i < n; i++)
        out[next[(size_t)keys[i] * P >> 32]++] = keys[i];
#pragma cll end fill
#pragma cll keys keys[0] * alltoall(4 * N / P / P, P)
    MPI_Alltoallv(out, x->sent, x->sent_at, MPI_UNSIGNED, in, x->got, x->got_at, MPI_UNSIGNED,
                  MPI_COMM_WORLD);
#pragma cll end keys
    return total;
}

static double measure(int N, int rank, int P)
{
    int n = N / P, total = 0, all = 0;
    unsigned *keys = malloc(n * sizeof *keys), *out = malloc(n * sizeof *out),
             *in = malloc(2 * (size_t)n * sizeof *in), state = 12345u + (unsigned)rank;
    struct exchange x;
    double wrong = 0;
    if (!keys || !out || !in || P > MOST_P)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < n; i++) {
        state = state * 1664525u + 1013904223u;
        keys[i] = state;
    }
    for (int step = 0; step < STEPS; step++) {
#pragma cll sync bucketsort bucketsort[0] +                                                        \
                                       bucketsort[1] * N / P *log2(N / P) +                        \
                                                  bucketsort[2] * N / P +                          \
                                                             bucketsort[3] * N / P *(1 - 1 / P) +  \
                                                                        bucketsort[4] * P
        total = distribute(&x, keys, out, in, N, n, P);
#pragma cll local local[0] + local[1] * N / P *log2(N / P)
        qsort(in, (size_t)total, sizeof *in, by_value);
#pragma cll end local
#pragma cll end bucketsort
    }
    for (int i = 1; i < total; i++)
        wrong += in[i] < in[i - 1];
    MPI_Allreduce(&total, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    free(keys), free(out), free(in);
    return wrong + (all != n * P);
}

int main(int argc, char **argv)
{
    int rank, P;
    double wrong = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &P);
    for (int N = 32000; N <= 512000; N *= 2)
        wrong += measure(N, rank, P);
    MPI_Finalize();
    if (wrong > 0)
        fputs("bucketsort: wrong result\n", stderr);
    return wrong > 0;
}
