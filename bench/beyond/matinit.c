/* SPDX-License-Identifier: MIT */
/* Initialisation of an N x N matrix, row by row. */
#include "sizes.h"

static void initialise(double *a, int N)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            a[(size_t)i * N + j] = (double)i * j;
}

static double measure(int N)
{
    double *a = reserve((size_t)N * N, sizeof *a), sum = 0;
    for (int repetition = 0; repetition < REPETITIONS; repetition++) {
#pragma cll matinit matinit[0] + matinit[1] * N + matinit[2] * N ^ 2
        initialise(a, N);
#pragma cll end matinit
    }
    for (int i = 0; i < N; i++)
        sum += a[(size_t)i * N + N - 1] - (double)i * (N - 1);
    free(a);
    return sum;
}

int main(void)
{
    double wrong = 0;
    int k = 0;
    /* 8 bytes for each element: N = 320 are 800 KB; 16 times the working set is 4 times N */
#pragma cll for (k = 0; k < SIZES; k++) shuffle
    int N = (int)lround(sqrt(size_of(k, 320 * 320, 1024)));
    wrong += measure(N);
#pragma cll end for
    if (wrong != 0)
        fputs("matinit: wrong result\n", stderr);
    return wrong != 0;
}
