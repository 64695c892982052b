/* SPDX-License-Identifier: GPL-3.0-or-later */
/* busy_product FIRST LAST: matrix products of orders FIRST, FIRST + 40, ... LAST, in blocks that stay in
 * the first cache, so that one constant holds for all orders. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK 40

static void multiply_block(const float *a, const float *b, float *c, int n)
{
    for (int i = 0; i < BLOCK; i++)
        for (int k = 0; k < BLOCK; k++) {
            float x = a[i * n + k];
            for (int j = 0; j < BLOCK; j++)
                c[i * n + j] += x * b[k * n + j];
        }
}

static void multiply(const float *a, const float *b, float *c, int n)
{
    memset(c, 0, (size_t)n * n * sizeof *c);
    for (int i = 0; i < n; i += BLOCK)
        for (int k = 0; k < n; k += BLOCK)
            for (int j = 0; j < n; j += BLOCK)
                multiply_block(a + i * n + k, b + k * n + j, c + i * n + j, n);
}

int main(int argc, char **argv)
{
    int first = argc > 1 ? atoi(argv[1]) : BLOCK, last = argc > 2 ? atoi(argv[2]) : 5 * BLOCK;
    if (first < BLOCK || first % BLOCK || last % BLOCK || last < first) {
        fprintf(stderr, "usage: busy_product FIRST LAST, multiples of %d\n", BLOCK);
        return 2;
    }
    size_t most = (size_t)last * last;
    float *a = malloc(most * sizeof *a), *b = malloc(most * sizeof *b),
          *c = malloc(most * sizeof *c);
    if (!a || !b || !c)
        return 1;
    for (size_t i = 0; i < most; i++)
        a[i] = (float)(i % 7), b[i] = (float)(i % 5);
    int N = first;
    multiply(a, b, c, last);
#pragma cll for (N = first; N <= last; N += BLOCK)
#pragma cll f f[0] + f[1] * N ^ 2 + f[2] * N ^ 3
    multiply(a, b, c, N);
#pragma cll end f
#pragma cll end for
#pragma cll report all
    return c[0] < 0;
}
