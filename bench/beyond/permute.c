/* SPDX-License-Identifier: MIT */
/* Two permutations of N doubles, one after the other: y[i] = x[p[q[i]]]. */
#include "sizes.h"

static void permute(double *y, const double *x, const int *p, const int *q, int N)
{
    for (int i = 0; i < N; i++)
        y[i] = x[p[q[i]]];
}

static double measure(int N)
{
    double *x = reserve(N, sizeof *x), *y = reserve(N, sizeof *y), wrong = 0;
    int *p = reserve(N, sizeof *p), *q = reserve(N, sizeof *q);
    uint64_t random = 1;
    for (int i = 0; i < N; i++) {
        x[i] = i;
        y[i] = 0;
    }
    make_permutation(p, N, &random);
    make_permutation(q, N, &random);
    for (int repetition = 0; repetition < REPETITIONS; repetition++) {
#pragma cll permute permute[0] + permute[1] * N
        permute(y, x, p, q, N);
#pragma cll end permute
    }
    for (int i = 0; i < N; i++)
        wrong += y[i] != p[q[i]];
    free(x);
    free(y);
    free(p);
    free(q);
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
        fputs("permute: wrong result\n", stderr);
    return wrong != 0;
}
