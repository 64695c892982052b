/* SPDX-License-Identifier: MIT */
/*
 * One loop, c[j] += x b[j], in rows of several lengths and in a product of matrices: nanoseconds for an element, the
 * smallest and the median of REPETITIONS. All of them execute the same instructions.
 *
 *     cc -O2 rows.c -o rows && ./rows
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { REPETITIONS = 3000, ORDER = 36, LONG = 512, SHORT = 32 };
/* The compiler must not know the lengths, or it makes another loop of each. */
static volatile int order = ORDER, length_of_long = LONG, length_of_short = SHORT;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static __attribute__((noinline)) void update(double *restrict c, const double *restrict b, double x,
                                             int n)
{
    for (int j = 0; j < n; j++)
        c[j] += x * b[j];
}

static __attribute__((noinline)) void rows(double *restrict c, const double *restrict b,
                                           const double *a, int n)
{
    for (int k = 0; k < n; k++) {
        double x = a[k];
        for (int j = 0; j < n; j++)
            c[j] += x * b[k * n + j];
    }
}

static __attribute__((noinline)) void multiply(double *c, const double *a, const double *b, int n)
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

static double a[ORDER * ORDER], b[ORDER * ORDER], c[ORDER * ORDER];

static void work(int kind)
{
    if (kind == 0)
        for (int i = 0; i < 20; i++)
            update(c, b, 1e-9, length_of_long);
    else if (kind == 1)
        for (int i = 0; i < 10; i++)
            rows(c, b, a, length_of_short);
    else
        multiply(c, a, b, order);
}

static int compare(const void *l, const void *r)
{
    double x = *(const double *)l, y = *(const double *)r;
    return (x > y) - (x < y);
}

int main(void)
{
    static double times[3][REPETITIONS];
    static const char *const names[] = {"rows of 512", "rows of 32", "product of order 36"};
    static const double elements[] = {20 * LONG, 10 * SHORT * SHORT, ORDER * ORDER * ORDER};
    for (int i = 0; i < ORDER * ORDER; i++)
        a[i] = b[i] = c[i] = 1e-9;
    for (int i = 0; i < REPETITIONS; i++)
        for (int kind = 0; kind < 3; kind++) {
            double begin = now();
            work(kind);
            times[kind][i] = (now() - begin) / elements[kind];
        }
    for (int kind = 0; kind < 3; kind++) {
        qsort(times[kind], REPETITIONS, sizeof **times, compare);
        printf("%-20s smallest %.3f, median %.3f ns\n", names[kind], 1e9 * times[kind][0],
               1e9 * times[kind][REPETITIONS / 2]);
    }
    return 0;
}
