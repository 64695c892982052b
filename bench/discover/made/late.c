/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Above a size, blocks are used, and a part begins that small sizes do not have. */
#include <stdio.h>
#include <stdlib.h>

static double relax(double *x, int n)
{
    double last = 0;
    for (int k = 0; k < 60; k++)
        for (int i = 1; i + 1 < n; i++)
            last = x[i] = 0.5 * x[i] + 0.25 * (x[i - 1] + x[i + 1]);
    return last;
}

static double refine(double *x, int n)
{
    double sum = 0;
    for (int b = 1; b < n / 2000; b++)
        for (int i = 0; i < n; i++)
            sum += x[i] * b;
    return sum;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 0;
    double *x = calloc((size_t)n + 1, sizeof *x), sum = 0;
    for (int i = 0; i < n; i++)
        x[i] = i % 17;
    for (int k = 0; k < 8; k++)
        sum += relax(x, n);
    if (n >= 4000)
        sum += refine(x, n);
    printf("%g\n", sum);
    free(x);
    return 0;
}
