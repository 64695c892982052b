/* SPDX-License-Identifier: MIT */
/*
 * y = a*x + y for vectors. The operations per element are always the same; their time is not: it grows when
 * the two vectors leave a cache. CALL finds the sizes at which that happens.
 *
 *     call run axpy.c
 */
#include <stdio.h>
#include <stdlib.h>

static void axpy(int N, double a, const double *x, double *y)
{
    for (int i = 0; i < N; i++)
        y[i] += a * x[i];
}

int main(int argc, char **argv)
{
    int first = argc > 1 ? atoi(argv[1]) : 2048, last = argc > 2 ? atoi(argv[2]) : 1048576;
    if (first < 16 || last < first) {
        fprintf(stderr, "usage: axpy [FIRST [LAST]], 16 <= FIRST <= LAST\n");
        return 2;
    }
    double *x = malloc((size_t)last * sizeof *x), *y = malloc((size_t)last * sizeof *y);
    if (!x || !y)
        return 1;
    for (int i = 0; i < last; i++) {
        x[i] = i % 7;
        y[i] = 0;
    }
    int N = first, round = 0, wrong = 0;

#pragma cll for (N = first; N <= last; N += N/4) shuffle
    axpy(N, 0, x, y); /* the vectors come into the caches that hold them */
#pragma cll for (round = 0; round < 5; round++)
#pragma cll axpy axpy[0] + axpy[1]*N
    axpy(N, 0, x, y);
#pragma cll end axpy
#pragma cll end for
#pragma cll end for
#pragma cll report all

    axpy(last, 2, x, y);
    for (int i = 0; i < last; i++)
        wrong += y[i] != 2 * (i % 7);
    (void)round;
    free(x);
    free(y);
    puts(wrong ? "WRONG" : "right");
    return wrong != 0;
}
