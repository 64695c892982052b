/* SPDX-License-Identifier: MIT */
/* N values of a function from a table of N places, with linear interpolation, at random arguments. */
#include "sizes.h"

static void interpolate(double *y, const double *x, const double *table, int N)
{
    for (int i = 0; i < N; i++) {
        double at = x[i] * (N - 1);
        int k = (int)at;
        y[i] = table[k] + (at - k) * (table[k + 1] - table[k]);
    }
}

static double measure(int N)
{
    double *x = reserve(N, sizeof *x), *y = reserve(N, sizeof *y),
           *table = reserve(N, sizeof *table), wrong = 0;
    uint64_t random = 1;
    for (int i = 0; i < N; i++) {
        x[i] = (double)(random_bits(&random) >> 11) * 0x1p-53;
        y[i] = 0;
        table[i] = i;
    }
    for (int repetition = 0; repetition < REPETITIONS; repetition++) {
#pragma cll table table[0] + table[1] * N
        interpolate(y, x, table, N);
#pragma cll end table
    }
    for (int i = 0; i < N; i++)
        wrong += !(fabs(y[i] - x[i] * (N - 1)) <= 1e-9 * N);
    free(x);
    free(y);
    free(table);
    return wrong;
}

int main(void)
{
    double wrong = 0;
    int k = 0;
    /* 24 bytes for each value: 42000 are 984 KB */
#pragma cll for (k = 0; k < SIZES; k++) shuffle
    wrong += measure(size_of(k, 42000, 256));
#pragma cll end for
    if (wrong != 0)
        fputs("table: wrong result\n", stderr);
    return wrong != 0;
}
