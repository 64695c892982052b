/* SPDX-License-Identifier: GPL-3.0-or-later */
/* n^3: Gaussian elimination. The matrix outgrows the caches beyond the sizes. */
#include <stdio.h>
#include <stdlib.h>

static void eliminate(double *a, int n)
{
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i < n; i++) {
            double l = a[(size_t)i * (size_t)n + (size_t)k] /= a[(size_t)k * (size_t)n + (size_t)k];
            for (int j = k + 1; j < n; j++)
                a[(size_t)i * (size_t)n + (size_t)j] -= l * a[(size_t)k * (size_t)n + (size_t)j];
        }
}

static void fill(double *a, int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[(size_t)i * (size_t)n + (size_t)j] = i == j ? n : 1.0 / (1 + i + j);
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 0;
    double *a = malloc(((size_t)n * (size_t)n + 1) * sizeof *a);
    fill(a, n);
    eliminate(a, n);
    printf("%g\n", n ? a[(size_t)n * (size_t)n - 1] : 0);
    free(a);
    return 0;
}
