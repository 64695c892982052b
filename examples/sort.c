/* SPDX-License-Identifier: MIT */
/*
 * Merge sort, annotated with its complexity. A plain compiler ignores the pragmas:
 *
 *     cc -O2 -Wno-unknown-pragmas sort.c -o sort && ./sort          sorts once
 *     call run sort.c                                                measures and fits
 *     call run sort.c -- 16384 262144                                the same, for these sizes
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void merge_sort(int *a, int *scratch, int n)
{
    if (n < 2)
        return;
    int half = n / 2, i = 0, j = half, k = 0;
    merge_sort(a, scratch, half);
    merge_sort(a + half, scratch, n - half);
    memcpy(scratch, a, (size_t)n * sizeof *a);
    while (i < half && j < n)
        a[k++] = scratch[j] < scratch[i] ? scratch[j++] : scratch[i++];
    while (i < half)
        a[k++] = scratch[i++];
    while (j < n)
        a[k++] = scratch[j++];
}

/* New numbers each time: the processor would learn the branches of a small array by heart. */
static void fill(int *a, int n)
{
    static unsigned long long x = 88172645463325252ull;
    for (int i = 0; i < n; i++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        a[i] = (int)(x >> 33);
    }
}

static int is_sorted(const int *a, int n)
{
    for (int i = 1; i < n; i++)
        if (a[i - 1] > a[i])
            return 0;
    return 1;
}

int main(int argc, char **argv)
{
    int first = argc > 1 ? atoi(argv[1]) : 1024, last = argc > 2 ? atoi(argv[2]) : 131072;
    if (first < 2 || last < first) {
        fprintf(stderr, "usage: sort [FIRST [LAST]], 2 <= FIRST <= LAST\n");
        return 2;
    }
    int *a = malloc((size_t)last * sizeof *a), *scratch = malloc((size_t)last * sizeof *scratch);
    if (!a || !scratch)
        return 1;
    int N = last, sorted = 1;
    fill(scratch, last); /* or the first sort of the largest size would pay for its pages */

#pragma cll for (N = first; N <= last; N *= 2) shuffle
    fill(a, N);
#pragma cll f f[0] + f[1]*N + f[2]*N*log(N)
    merge_sort(a, scratch, N);
#pragma cll end f
    sorted &= is_sorted(a, N);
#pragma cll end for
#pragma cll report all

    free(a);
    free(scratch);
    puts(sorted ? "sorted" : "NOT SORTED");
    return !sorted;
}
