/* SPDX-License-Identifier: MIT */
/*
 * Matrix product by OpenMP threads, in tiles that stay in the cache. There are (n/32)^2 tiles of
 * the result, each costs 32*32*n multiplications, and the thread that has most of them has
 * ceil((n/32)^2/P). The formula of `tiled` says so, and with it that 3 threads need as long as 2
 * for the 4 tiles of n = 64 (n^3/P would be 33 % off there). `naive` is the product without tiles
 * and threads: what `tiled` is checked against.
 *
 *     cc -O2 -fopenmp -Wno-unknown-pragmas matmul-omp.c -o matmul && ./matmul      multiplies once
 *     call cc cc -O2 -fopenmp matmul-omp.c -o matmul                               measures:
 *     for t in 1 2 3 4; do OMP_NUM_THREADS=$t ./matmul; done
 *     llac -e 'fit tiled; fit naive; predict tiled n=1024 P=4,8' matmul.cll.*.dat
 *
 * What llac says (two cores): a multiplication in `tiled` costs tiled[1]/1024 = 0.47 ns at every
 * size. In `naive` it is 0.7 to 1.8 ns, depending on how the columns of b lie in the cache, and
 * llac warns that the formula does not hold over the whole range.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma cll parallel OpenMP procs = 1:4:+1

enum { TILE = 32 };

/* One tile of c: the rows from i and the columns from j on. */
static void multiply_tile(double *c, const double *a, const double *b, int n, int i0, int j0)
{
    double sum[TILE][TILE] = {{0}};
    for (int k0 = 0; k0 < n; k0 += TILE)
        for (int i = 0; i < TILE; i++)
            for (int k = k0; k < k0 + TILE; k++) {
                double x = a[(size_t)(i0 + i) * (size_t)n + (size_t)k];
                const double *row = b + (size_t)k * (size_t)n + j0;
                for (int j = 0; j < TILE; j++)
                    sum[i][j] += x * row[j];
            }
    for (int i = 0; i < TILE; i++)
        memcpy(c + (size_t)(i0 + i) * (size_t)n + j0, sum[i], sizeof sum[i]);
}

static void multiply(double *c, const double *a, const double *b, int n)
{
#pragma cll tiled tiled[0] + tiled[1]*n*ceil((n/32)^2/P)
#pragma omp parallel for collapse(2) schedule(static)
    for (int i = 0; i < n; i += TILE)
        for (int j = 0; j < n; j += TILE)
            multiply_tile(c, a, b, n, i, j);
#pragma cll end tiled
}

static void multiply_naively(double *c, const double *a, const double *b, size_t n)
{
#pragma cll naive naive[0] + naive[1]*n^3
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            double sum = 0;
            for (size_t k = 0; k < n; k++)
                sum += a[i * n + k] * b[k * n + j];
            c[i * n + j] = sum;
        }
#pragma cll end naive
}

/* Multiplies in both ways; whether the results agree. */
static int try(double *a, double *b, double *c, double *expected, int n)
{
    size_t elements = (size_t)n * (size_t)n;
    for (size_t i = 0; i < elements; i++) {
        a[i] = (double)(i * 37 % 101) / 101 - 0.5;
        b[i] = (double)(i * 53 % 89) / 89 - 0.5;
    }
    multiply(c, a, b, n);
    multiply_naively(expected, a, b, (size_t)n);
    for (size_t i = 0; i < elements; i++)
        if (fabs(c[i] - expected[i]) > 1e-12 * n)
            return 0;
    return 1;
}

int main(int argc, char **argv)
{
    int first = argc > 1 ? atoi(argv[1]) : 64, last = argc > 2 ? atoi(argv[2]) : 416;
    int rounds = argc > 3 ? atoi(argv[3]) : 5;
    if (first < 2 * TILE || first % TILE || last % TILE || last < first || last > 32768 ||
        rounds < 1) {
        fprintf(stderr,
                "usage: matmul-omp [FIRST [LAST [ROUNDS]]], multiples of %d, %d <= FIRST <= LAST\n",
                TILE, 2 * TILE);
        return 2;
    }
    size_t size = (size_t)last * (size_t)last * sizeof(double);
    double *a = malloc(size), *b = malloc(size), *c = malloc(size), *expected = malloc(size);
    if (!a || !b || !c || !expected) {
        fprintf(stderr, "matmul-omp: no memory for n = %d\n", last);
        return 1;
    }
    memset(c, 0, size); /* not the first product pays for new memory */
    memset(expected, 0, size);
    int n = last, right = 1;

    /* All sizes once, then all again: a slow moment of the machine then hits no size alone. */
#pragma cll for (int round = 0; round < rounds; round++)
#pragma cll for (n = first; n <= last; n = (n + n/2)/TILE*TILE)
    right &= try(a, b, c, expected, n);
#pragma cll end for
#pragma cll end for

    free(a);
    free(b);
    free(c);
    free(expected);
    puts(right ? "right" : "WRONG");
    return !right;
}
