/* SPDX-License-Identifier: MIT */
/*
 * The times of both loops of examples/matinit.c, as a table: misses ROUNDS LAST. The matrix has been written just before. A round
 * goes through all sizes and begins with another one each time.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

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

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 1, last = argc > 2 ? atoi(argv[2]) : 1400;
    int size[64], n = 0;
    double *x = malloc(sizeof *x * (size_t)last * (size_t)last);
    for (int N = 100; N <= last && n < 64; N += N / 8)
        size[n++] = N;
    for (long i = 0; i < (long)last * last; i++)
        x[i] = 1;
    puts("experiment,N,seconds");
    for (int k = 0; k < rounds * n; k++) {
        int N = size[(k % n * 7 + k / n) % n];
        double(*a)[N] = (double(*)[N])x, begin, middle;
        jump(N, a);
        begin = now();
        jump(N, a);
        middle = now();
        walk(N, a);
        printf("jumping,%d,%.9g\nwalking,%d,%.9g\n", N, middle - begin, N, now() - middle);
    }
    return 0;
}
