/* SPDX-License-Identifier: MIT */
/*
 * A matrix of order N becomes a lower and an upper triangle, in its place.
 *
 *     call run lu.c -- 16 128
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void decompose(double *a, int N)
{
    for (int k = 0; k < N; k++)
        for (int i = k + 1; i < N; i++) {
            double factor = a[i * N + k] /= a[k * N + k];
            for (int j = k + 1; j < N; j++)
                a[i * N + j] -= factor * a[k * N + j];
        }
}

int main(int argc, char **argv)
{
    int first = argc > 1 ? atoi(argv[1]) : 16, last = argc > 2 ? atoi(argv[2]) : 128, N = first;
    if (first < 2 || last < first) {
        fprintf(stderr, "usage: lu [FIRST [LAST]], 2 <= FIRST <= LAST\n");
        return 2;
    }
    double *a = malloc((size_t)last * last * sizeof *a);
    double *b = malloc((size_t)last * last * sizeof *b);
    if (!a || !b) {
        perror("malloc");
        return 1;
    }
    int round = 0;
    double sum = 0;
#pragma cll for (N = first; N <= last; N += N / 2) shuffle
    for (int i = 0; i < N * N; i++)
        b[i] = i % (N + 1) ? 1.0 / (i % 13 + 2) : N;
#pragma cll for (round = 0; round < 5; round++)
    memcpy(a, b, (size_t)N * (size_t)N * sizeof *a);
#pragma cll lu lu[0] + lu[1] * N ^ 2 + lu[2] * N ^ 3
    decompose(a, N);
#pragma cll end lu
    sum += a[N * N - 1] > 0 ? 1 : -1;
#pragma cll end for
#pragma cll end for
#pragma cll report all
    free(a);
    free(b);
    return sum < 0;
}
