/* SPDX-License-Identifier: MIT */
/* Loops whose constants change where the data leave a cache: sums in order, sums in another order, updates of two arrays. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static double sum(const double *x, long n)
{
    double s = 0;
#pragma cll ordered ordered[0] + ordered[1] * n
    for (long i = 0; i < n; i++)
        s += x[i];
#pragma cll end ordered
    return s;
}

static uint32_t chase(const uint32_t *next, long n)
{
    uint32_t at = 0;
#pragma cll random random[0] + random[1] * n
    for (long i = 0; i < n; i++)
        at = next[16 * (size_t)at]; /* a cache line each */
#pragma cll end random
    return at;
}

static void update(double *y, const double *x, double a, long n)
{
#pragma cll update update[0] + update[1] * n
    for (long i = 0; i < n; i++)
        y[i] += a * x[i];
#pragma cll end update
}

int main(int argc, char **argv)
{
    long last = argc > 1 ? atol(argv[1]) : 1 << 23, n = 256;
    double *x = calloc((size_t)last, sizeof *x), *y = calloc((size_t)last, sizeof *y), s = 0;
    uint32_t *next = calloc((size_t)last * 2, sizeof *next),
             *order = calloc((size_t)last / 8 + 1, sizeof *order);
    uint64_t r = 1;
    for (; n <= last; n += n / 4) {
        long lines = n / 8;
        int times = n < 100000 ? 200000 / n + 3 : 3;
        for (long i = 0; i < lines; i++)
            order[i] = (uint32_t)i;
        for (long i = lines - 1; i > 0; i--) { /* one cycle through all lines */
            r = r * 6364136223846793005u + 1442695040888963407u;
            long k = (long)((r >> 33) % (uint64_t)i);
            uint32_t t = order[i];
            order[i] = order[k];
            order[k] = t;
        }
        for (long i = 0; i < lines; i++)
            next[16 * (size_t)order[i]] = order[(i + 1) % lines];
        for (int k = 0; k < times; k++)
            s += sum(x, n);
        for (int k = 0; k < times; k++)
            s += chase(next, lines);
        for (int k = 0; k < times; k++)
            update(y, x, s, n);
    }
    printf("%g\n", s + y[0]);
    return 0;
}
