/* SPDX-License-Identifier: MIT */
/*
 * Matrix initialisation with both loop orders (figure 3 of "A tool for performance modeling of parallel
 * programs"). The operations and the formula are the same; the constants of N^2 are not, because one walks
 * along the rows of memory and the other jumps from row to row. And the jumping one is not even constant: it
 * grows each time the matrix leaves a cache.
 *
 *     call run matinit.c
 */
#include <stdio.h>
#include <stdlib.h>

static void jump(int N, double a[N][N])
{
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
            a[i][j] = 0;
}

static void walk(int N, double a[N][N])
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            a[i][j] = 0;
}

int main(int argc, char **argv)
{
    int first = argc > 1 ? atoi(argv[1]) : 32, last = argc > 2 ? atoi(argv[2]) : 2048;
    if (first < 8 || last < first) {
        fprintf(stderr, "usage: matinit [FIRST [LAST]], 8 <= FIRST <= LAST\n");
        return 2;
    }
    double *storage = malloc((size_t)last * (size_t)last * sizeof *storage);
    if (!storage)
        return 1;
    for (size_t i = 0; i < (size_t)last * (size_t)last; i++)
        storage[i] = 1;
    int N = first;
    double sum = 0;
    jump(N, (double(*)[N])storage); /* the first execution of anything is slow: not that of a region */
    walk(N, (double(*)[N])storage);

#pragma cll for (N = first; N <= last; N += N/8) shuffle
    double(*a)[N] = (double(*)[N])storage;
#pragma cll jumping jumping[0] + jumping[1]*N + jumping[2]*N^2
    jump(N, a);
#pragma cll end jumping
#pragma cll walking walking[0] + walking[1]*N + walking[2]*N^2
    walk(N, a);
#pragma cll end walking
    for (int i = 0; i < N; i++)
        sum += a[i][N - 1 - i];
#pragma cll end for
#pragma cll report all

    free(storage);
    puts(sum == 0 ? "all zero" : "NOT ZERO");
    return sum != 0;
}
