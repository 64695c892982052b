/* SPDX-License-Identifier: GPL-3.0-or-later */
/* n log n with a pass over all: a merge sort of pseudo-random numbers, then sums. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void merge(double *x, double *work, int n)
{
    int half = n / 2, i = 0, j = half, k = 0;
    while (i < half && j < n)
        work[k++] = x[i] <= x[j] ? x[i++] : x[j++];
    while (i < half)
        work[k++] = x[i++];
    while (j < n)
        work[k++] = x[j++];
    memcpy(x, work, (size_t)n * sizeof *x);
}

static void sort(double *x, double *work, int n)
{
    if (n < 2)
        return;
    sort(x, work, n / 2);
    sort(x + n / 2, work, n - n / 2);
    merge(x, work, n);
}

static double passes(const double *x, int n)
{
    double sum = 0;
    for (int k = 0; k < 20; k++)
        for (int i = 0; i < n; i++)
            sum = sum * 0.999 + x[i];
    return sum;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 0;
    double *x = malloc((size_t)(n + 1) * sizeof *x), *work = malloc((size_t)(n + 1) * sizeof *work);
    unsigned long long r = 1;
    for (int i = 0; i < n; i++) {
        r = r * 6364136223846793005ULL + 1442695040888963407ULL;
        x[i] = (double)(r >> 11);
    }
    sort(x, work, n);
    printf("%g\n", passes(x, n));
    free(x);
    free(work);
    return 0;
}
