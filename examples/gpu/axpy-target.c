/* SPDX-License-Identifier: MIT */
/*
 * y = a*x + y with `omp target`. The host waits for the device at the end of the construct, so the wall clock measures both, with the
 * copies that `map` asks for. Where the compiler has no device, the host executes it.
 *
 *     call run axpy-target.c --cflags '-O2 -fopenmp'
 */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    long last = argc > 1 ? atol(argv[1]) : 1 << 20, N = 0;
    double *x = malloc((size_t)last * sizeof *x), *y = malloc((size_t)last * sizeof *y), a = 0;
    int wrong = 0;
    if (!x || !y)
        return 1;
    for (long i = 0; i < last; i++) {
        x[i] = (double)(i % 7);
        y[i] = 0;
    }

#pragma cll for (N = 4096; N <= last; N *= 2) shuffle
#pragma cll target target[0] + target[1]*N
#pragma omp target teams distribute parallel for map(to : x[0 : N]) map(tofrom : y[0 : N])
    for (long i = 0; i < N; i++)
        y[i] += a * x[i];
#pragma cll end target
#pragma cll end for

    a = 2;
#pragma omp target teams distribute parallel for map(to : x[0 : last]) map(tofrom : y[0 : last])
    for (long i = 0; i < last; i++)
        y[i] += a * x[i];
    for (long i = 0; i < last; i++)
        wrong += y[i] != 2 * (double)(i % 7);
    (void)N;
    free(x);
    free(y);
    puts(wrong ? "WRONG" : "right");
    return wrong != 0;
}
