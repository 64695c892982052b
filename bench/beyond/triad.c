/* SPDX-License-Identifier: MIT */
/* The triad of three vectors of N doubles: a[i] = b[i] + s c[i]. */
#include "sizes.h"

static void triad(double *restrict a, const double *restrict b, const double *restrict c, double s,
                  int N)
{
    for (int i = 0; i < N; i++)
        a[i] = b[i] + s * c[i];
}

static double measure(int N)
{
    double *a = reserve(N, sizeof *a), *b = reserve(N, sizeof *b), *c = reserve(N, sizeof *c),
           wrong = 0;
    for (int i = 0; i < N; i++) {
        a[i] = 0;
        b[i] = i;
        c[i] = 2 * i;
    }
    for (int repetition = 0; repetition < REPETITIONS; repetition++) {
#pragma cll triad triad[0] + triad[1] * N
        triad(a, b, c, 3, N);
#pragma cll end triad
    }
    for (int i = 0; i < N; i++)
        wrong += a[i] != 7.0 * i;
    free(a);
    free(b);
    free(c);
    return wrong;
}

int main(void)
{
    double wrong = 0;
    int k = 0;
    /* 24 bytes for each element: 42000 are 984 KB */
#pragma cll for (k = 0; k < SIZES; k++) shuffle
    wrong += measure(size_of(k, 42000, 256));
#pragma cll end for
    if (wrong != 0)
        fputs("triad: wrong result\n", stderr);
    return wrong != 0;
}
