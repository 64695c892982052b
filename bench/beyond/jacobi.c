/* SPDX-License-Identifier: MIT */
/* One sweep of Jacobi's method over an N x N grid: each inner point becomes the mean of its four
 * neighbours. */
#include "sizes.h"

static void sweep(double *restrict to, const double *restrict from, int N)
{
    for (int i = 1; i < N - 1; i++)
        for (int j = 1; j < N - 1; j++) {
            const double *at = from + (size_t)i * N + j;
            to[(size_t)i * N + j] = 0.25 * (at[-N] + at[-1] + at[1] + at[N]);
        }
}

static double measure(int N)
{
    double *a = reserve((size_t)N * N, sizeof *a), *b = reserve((size_t)N * N, sizeof *b),
           wrong = 0;
    for (size_t i = 0; i < (size_t)N * N; i++)
        a[i] = b[i] = (double)(i % (size_t)N);
    for (int repetition = 0; repetition < REPETITIONS; repetition++) {
#pragma cll jacobi jacobi[0] + jacobi[1] * N + jacobi[2] * N ^ 2
        sweep(b, a, N);
#pragma cll end jacobi
    }
    for (size_t i = 0; i < (size_t)N * N; i++)
        wrong += b[i] != a[i];
    free(a);
    free(b);
    return wrong;
}

int main(void)
{
    double wrong = 0;
    int k = 0;
    /* 16 bytes for each point: N = 240 are 900 KB; 16 times the working set is 4 times N */
#pragma cll for (k = 0; k < SIZES; k++) shuffle
    wrong += measure((int)lround(sqrt(size_of(k, 240 * 240, 256))));
#pragma cll end for
    if (wrong != 0)
        fputs("jacobi: wrong result\n", stderr);
    return wrong != 0;
}
