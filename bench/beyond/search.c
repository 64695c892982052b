/* SPDX-License-Identifier: MIT */
/* N binary searches, in random order, in N sorted keys. */
#include "sizes.h"

static void search(const double *key, const double *wanted, int *found, int N)
{
    for (int i = 0; i < N; i++) {
        int low = 0, high = N;
        while (high - low > 1) {
            int middle = low + (high - low) / 2;
            if (key[middle] <= wanted[i])
                low = middle;
            else
                high = middle;
        }
        found[i] = low;
    }
}

static double measure(int N)
{
    double *key = reserve(N, sizeof *key), *wanted = reserve(N, sizeof *wanted), wrong = 0;
    int *found = reserve(N, sizeof *found);
    uint64_t random = 1;
    for (int i = 0; i < N; i++) {
        key[i] = i;
        wanted[i] = (double)(random_bits(&random) % (uint64_t)N);
        found[i] = 0;
    }
    for (int repetition = 0; repetition < REPETITIONS; repetition++) {
#pragma cll search search[0] + search[1] * N + search[2] * N *log2(N)
        search(key, wanted, found, N);
#pragma cll end search
    }
    for (int i = 0; i < N; i++)
        wrong += found[i] != wanted[i];
    free(key);
    free(wanted);
    free(found);
    return wrong;
}

int main(void)
{
    double wrong = 0;
    int k = 0;
    /* 20 bytes for each key: 50000 are 977 KB */
#pragma cll for (k = 0; k < SIZES; k++) shuffle
    wrong += measure(size_of(k, 50000, 256));
#pragma cll end for
    if (wrong != 0)
        fputs("search: wrong result\n", stderr);
    return wrong != 0;
}
