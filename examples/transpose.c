/* SPDX-License-Identifier: MIT */
/*
 * Matrix transpose, at orders that are powers of two and at others in between. Both have the same
 * number of operations. At a power of two, the elements of a column fall into few sets of a cache, so
 * these orders take longer. llac names them, and the term that describes them.
 *
 *     call run transpose.c
 */
#include <stdio.h>
#include <stdlib.h>

static void transpose(double *to, const double *from, int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            to[(size_t)j * n + i] = from[(size_t)i * n + j];
}

/* 128, 153, 181, 215, 256, 305, 363, 431, 512, ...: three odd orders between two powers of two */
static int order(int k)
{
    static const double step[] = { 1, 1.1892, 1.4142, 1.6818 };
    int n = (int)(step[k % 4] * (128 << k / 4));
    return k % 4 ? n | 1 : n;
}

int main(int argc, char **argv)
{
    int last = argc > 1 ? atoi(argv[1]) : 16, k = 0;
    if (last < 0 || last > 24) {
        fprintf(stderr, "usage: transpose [LAST], LAST from 0 to 24\n");
        return 2;
    }
    size_t most = (size_t)order(last) * (size_t)order(last);
    double *a = malloc(most * sizeof *a), *b = malloc(most * sizeof *b);
    if (!a || !b)
        return 1;
    for (size_t i = 0; i < most; i++)
        a[i] = b[i] = (double)i;
    int right = 1;

#pragma cll for (k = 0; k <= last; k++) shuffle
    int N = order(k);
    transpose(b, a, N); /* the caches are as after another transpose */
#pragma cll transpose transpose[0] + transpose[1]*N^2
    transpose(b, a, N);
#pragma cll end transpose
    right &= b[1] == a[N] && b[(size_t)N * N - 2] == a[(size_t)N * (N - 1) - 1];
#pragma cll end for

    free(a);
    free(b);
    puts(right ? "right" : "wrong");
    return right ? 0 : 1;
}
