/* SPDX-License-Identifier: MIT */
/*
 * Pi by OpenMP threads: N rectangles under 4/(1 + x*x), shared by P threads. Measured from outside
 * (the whole parallel region) and inside (each thread's own share, from the moment all are there).
 *
 *     cc -O2 -fopenmp -Wno-unknown-pragmas pi-omp.c -o pi -lm && ./pi         computes it once
 *     call cc cc -O2 -fopenmp pi-omp.c -o pi -lm                              measures:
 *     for t in 1 2 4; do OMP_NUM_THREADS=$t ./pi; done
 *     llac -e 'fit pi; fit share' pi.cll.*.dat
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#pragma cll parallel OpenMP

static double pi(long N)
{
    double sum = 0, width = 1.0 / (double)N;
#pragma cll pi pi[0] + pi[1]*N/P
#pragma omp parallel default(none) shared(N, width) reduction(+ : sum)
    {
#pragma cll sync share share[0] + share[1]*N/P
#pragma omp for
        for (long i = 0; i < N; i++) {
            double x = ((double)i + 0.5) * width;
            sum += 4 / (1 + x * x);
        }
#pragma cll end share
    }
#pragma cll end pi
    return sum * width;
}

int main(int argc, char **argv)
{
    long first = argc > 1 ? atol(argv[1]) : 10000, last = argc > 2 ? atol(argv[2]) : 640000;
    if (first < 100 || last < first) {
        fprintf(stderr, "usage: pi-omp [FIRST [LAST]], 100 <= FIRST <= LAST\n");
        return 2;
    }
    long N = last;
    int wrong = 0;
#pragma cll for (N = first; N <= last; N *= 2) shuffle
    double found = pi(N);
    if (fabs(found - acos(-1)) > 1.0 / ((double)N * (double)N)) /* the error of the method */
        wrong = 1;
#pragma cll end for
    printf("pi is %s\n", wrong ? "wrong" : "right");
    return wrong;
}
