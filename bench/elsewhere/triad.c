/* SPDX-License-Identifier: MIT */
/*
 * a = b + s c over N elements: three streams.
 *
 *     call run triad.c -- 1024 8388608
 */
#include <stdio.h>
#include <stdlib.h>

static void triad(double *restrict a, const double *restrict b, const double *restrict c, double s,
                  int N)
{
    for (int i = 0; i < N; i++)
        a[i] = b[i] + s * c[i];
}

int main(int argc, char **argv)
{
    int first = argc > 1 ? atoi(argv[1]) : 1024, last = argc > 2 ? atoi(argv[2]) : 8388608,
        N = first;
    if (first < 2 || last < first) {
        fprintf(stderr, "usage: triad [FIRST [LAST]], 2 <= FIRST <= LAST\n");
        return 2;
    }
    double *a = malloc((size_t)last * sizeof *a);
    double *b = malloc((size_t)last * sizeof *b);
    double *c = malloc((size_t)last * sizeof *c);
    if (!a || !b || !c) {
        perror("malloc");
        return 1;
    }
    for (int i = 0; i < last; i++) {
        a[i] = 0;
        b[i] = i % 3;
        c[i] = 1;
    }
    int round = 0;
    double sum = 0;
#pragma cll for (N = first; N <= last; N += N) shuffle
#pragma cll for (round = 0; round < 4; round++)
#pragma cll triad triad[0] + triad[1] * N
    triad(a, b, c, 0.5, N);
#pragma cll end triad
    sum += a[N - 1];
#pragma cll end for
#pragma cll end for
#pragma cll report all
    free(a);
    free(b);
    free(c);
    return sum < 0;
}
