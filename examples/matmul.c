/* SPDX-License-Identifier: MIT */
/*
 * Matrix product: N^3 multiplications, N^2 elements to clear, N rows to set up.
 *
 *     call run matmul.c
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void multiply(double *c, const double *a, const double *b, int n)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            c[i * n + j] = 0;
        for (int k = 0; k < n; k++) {
            double x = a[i * n + k];
            for (int j = 0; j < n; j++)
                c[i * n + j] += x * b[k * n + j];
        }
    }
}

/* a[i][j] = i + j, b[i][j] = i - j: every element of the product has a closed form. */
static double expected(int i, int j, int n)
{
    double s1 = n * (n - 1.0) / 2, s2 = (n - 1.0) * n * (2 * n - 1.0) / 6;
    return s2 + (i - j) * s1 - (double)i * j * n;
}

int main(int argc, char **argv)
{
    int first = argc > 1 ? atoi(argv[1]) : 16, last = argc > 2 ? atoi(argv[2]) : 256;
    if (first < 1 || last < first) {
        fprintf(stderr, "usage: matmul [FIRST [LAST]], 1 <= FIRST <= LAST\n");
        return 2;
    }
    size_t size = (size_t)last * (size_t)last * sizeof(double);
    double *a = malloc(size), *b = malloc(size), *c = malloc(size);
    if (!a || !b || !c)
        return 1;
    int n = last, right = 1;

#pragma cll for (n = first; n <= last; n += n/2) shuffle
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            a[i * n + j] = i + j;
            b[i * n + j] = i - j;
        }
#pragma cll mul mul[0] + mul[1]*n^2 + mul[2]*n^3
    multiply(c, a, b, n);
#pragma cll end mul
    for (int i = 0; i < n; i += n / 4 + 1)
        right &= fabs(c[i * n + i / 2] - expected(i, i / 2, n)) <= 1e-9 * n * n * n;
#pragma cll end for
#pragma cll report all

    free(a);
    free(b);
    free(c);
    puts(right ? "right" : "WRONG");
    return !right;
}
