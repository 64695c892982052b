/* SPDX-License-Identifier: MIT */
/* Histogram of N random keys with N counters. */
#include "sizes.h"

static void histogram(int *counter, const int *key, int N)
{
    for (int i = 0; i < N; i++)
        counter[key[i]]++;
}

static double measure(int N)
{
    int *counter = reserve(N, sizeof *counter), *key = reserve(N, sizeof *key);
    uint64_t random = 1;
    double sum = 0;
    for (int i = 0; i < N; i++) {
        counter[i] = 0;
        key[i] = (int)(random_bits(&random) % (uint64_t)N);
    }
    for (int repetition = 0; repetition < REPETITIONS; repetition++) {
#pragma cll histogram histogram[0] + histogram[1] * N
        histogram(counter, key, N);
#pragma cll end histogram
    }
    for (int i = 0; i < N; i++)
        sum += counter[i];
    free(counter);
    free(key);
    return sum != (double)REPETITIONS * N;
}

int main(void)
{
    double wrong = 0;
    int k = 0;
    /* 8 bytes for each key: 120000 are 938 KB */
#pragma cll for (k = 0; k < SIZES; k++) shuffle
    wrong += measure(size_of(k, 120000, 256));
#pragma cll end for
    if (wrong != 0)
        fputs("histogram: wrong result\n", stderr);
    return wrong != 0;
}
