/* SPDX-License-Identifier: MIT */
/* Random scatter: y[index[i]] = x[i] with a random permutation of N doubles. */
#include "sizes.h"

static void scatter(double *y, const double *x, const int *index, int N)
{
    for (int i = 0; i < N; i++)
        y[index[i]] = x[i];
}

static double measure(int N)
{
    double *x = reserve(N, sizeof *x), *y = reserve(N, sizeof *y), wrong = 0;
    int *index = reserve(N, sizeof *index);
    uint64_t random = 1;
    for (int i = 0; i < N; i++) {
        x[i] = i;
        y[i] = 0;
    }
    make_permutation(index, N, &random);
    for (int repetition = 0; repetition < REPETITIONS; repetition++) {
#pragma cll scatter scatter[0] + scatter[1] * N
        scatter(y, x, index, N);
#pragma cll end scatter
    }
    for (int i = 0; i < N; i++)
        wrong += y[index[i]] != i;
    free(x);
    free(y);
    free(index);
    return wrong;
}

int main(void)
{
    double wrong = 0;
    int k = 0;
    /* 20 bytes for each element: 50000 are 977 KB */
#pragma cll for (k = 0; k < SIZES; k++) shuffle
    wrong += measure(size_of(k, 50000, 256));
#pragma cll end for
    if (wrong != 0)
        fputs("scatter: wrong result\n", stderr);
    return wrong != 0;
}
