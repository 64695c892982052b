/* SPDX-License-Identifier: MIT */
/*
 * A filter of 16 coefficients over N samples of a signal.
 *
 *     call run filter.c -- 256 8192
 */
#include <stdio.h>
#include <stdlib.h>

enum { TAPS = 16 };

static void filter(double *to, const double *from, const double *taps, int N)
{
    for (int i = 0; i < N - TAPS; i++) {
        double sum = 0;
        for (int k = 0; k < TAPS; k++)
            sum += taps[k] * from[i + k];
        to[i] = sum;
    }
}

int main(int argc, char **argv)
{
    int first = argc > 1 ? atoi(argv[1]) : 256, last = argc > 2 ? atoi(argv[2]) : 8192, N = first;
    if (first < 32 || last < first) {
        fprintf(stderr, "usage: filter [FIRST [LAST]], 32 <= FIRST <= LAST\n");
        return 2;
    }
    double *to = malloc((size_t)last * sizeof *to);
    double *from = malloc((size_t)last * sizeof *from);
    double *taps = malloc((size_t)TAPS * sizeof *taps);
    if (!to || !from || !taps) {
        perror("malloc");
        return 1;
    }
    for (int i = 0; i < last; i++)
        from[i] = i % 17;
    for (int k = 0; k < TAPS; k++)
        taps[k] = 1.0 / (k + 1);
    int round = 0;
    double sum = 0;
#pragma cll for (N = first; N <= last; N += N) shuffle
#pragma cll for (round = 0; round < 10; round++)
#pragma cll filter filter[0] + filter[1] * N
    filter(to, from, taps, N);
#pragma cll end filter
    sum += to[N - TAPS - 1] > 0 ? 1 : -1;
#pragma cll end for
#pragma cll end for
#pragma cll report all
    free(to);
    free(from);
    free(taps);
    return sum < 0;
}
