/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads, for sweeps over their number: says what it got. */
#include <stdio.h>
#include <stdlib.h>

#pragma cll parallel OpenMP procs = 1 : 4 : +1

double share(double *x, int n);

double share(double *x, int n)
{
    double sum = 0;
#pragma cll share share[0] + share[1] * n / P
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < n; i++)
        sum += x[i];
#pragma cll end share
    return sum;
}

int main(int argc, char **argv)
{
    static double x[1000];
    char line[80];
    double sum = 0;
    for (int n = 100; n <= 1000; n += 300)
        sum += share(x, n);
    for (int i = 1; i < argc; i++)
        printf("<%s>", argv[i]);
    if (fgets(line, sizeof line, stdin))
        printf("read %s", line);
    return sum > 1e9;
}
