/* SPDX-License-Identifier: MIT */
/*
 * The primes below N: stores with a stride, and a count.
 *
 *     call run sieve.c -- 1024 131072
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int sieve(char *composite, int N)
{
    int primes = 0;
    memset(composite, 0, (size_t)N);
    for (int i = 2; i < N; i++) {
        if (composite[i])
            continue;
        primes++;
        for (int k = 2 * i; k < N; k += i)
            composite[k] = 1;
    }
    return primes;
}

int main(int argc, char **argv)
{
    int first = argc > 1 ? atoi(argv[1]) : 1024, last = argc > 2 ? atoi(argv[2]) : 131072,
        N = first;
    if (first < 16 || last < first) {
        fprintf(stderr, "usage: sieve [FIRST [LAST]], 16 <= FIRST <= LAST\n");
        return 2;
    }
    char *composite = malloc((size_t)last * sizeof *composite);
    if (!composite) {
        perror("malloc");
        return 1;
    }
    int primes = 0;
    int round = 0;
    double sum = 0;
#pragma cll for (N = first; N <= last; N += N) shuffle
#pragma cll for (round = 0; round < 5; round++)
#pragma cll sieve sieve[0] + sieve[1] * N + sieve[2] * N *log(log(N))
    primes = sieve(composite, N);
#pragma cll end sieve
    sum += primes;
#pragma cll end for
#pragma cll end for
#pragma cll report all
    free(composite);
    return sum < 0;
}
