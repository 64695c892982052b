/* SPDX-License-Identifier: MIT */
/* Merge sort of N integers, bottom up: every pass merges runs of one array into the other. */
#include <string.h>

#include "sizes.h"

static void merge(const int *from, int *to, int begin, int middle, int end)
{
    int i = begin, j = middle, k = begin;
    while (i < middle && j < end)
        to[k++] = from[i] <= from[j] ? from[i++] : from[j++];
    while (i < middle)
        to[k++] = from[i++];
    while (j < end)
        to[k++] = from[j++];
}

/* The sorted array is the one that is returned. */
static int *sort(int *a, int *b, int N)
{
    for (int length = 1; length < N; length *= 2) {
        for (int begin = 0; begin < N; begin += 2 * length) {
            int middle = begin + length < N ? begin + length : N,
                end = begin + 2 * length < N ? begin + 2 * length : N;
            merge(a, b, begin, middle, end);
        }
        int *t = a;
        a = b;
        b = t;
    }
    return a;
}

static double measure(int N)
{
    int *keys = reserve(N, sizeof *keys), *a = reserve(N, sizeof *a), *b = reserve(N, sizeof *b),
        *sorted = a;
    uint64_t random = 1;
    double wrong = 0;
    for (int i = 0; i < N; i++)
        keys[i] = (int)(random_bits(&random) >> 33);
    for (int repetition = 0; repetition < REPETITIONS; repetition++) {
        memcpy(a, keys, (size_t)N * sizeof *a);
#pragma cll msort msort[0] + msort[1] * N *log2(N)
        sorted = sort(a, b, N);
#pragma cll end msort
    }
    for (int i = 1; i < N; i++)
        wrong += sorted[i] < sorted[i - 1];
    free(keys);
    free(a);
    free(b);
    return wrong;
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
        fputs("msort: wrong result\n", stderr);
    return wrong != 0;
}
