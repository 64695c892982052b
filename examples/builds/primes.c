/* SPDX-License-Identifier: MIT */
/* primes [MOST]: how many primes there are up to 1000, 2000, 4000, ... MOST. */
#include <stdio.h>
#include <stdlib.h>

#include "sieve.h"

int main(int argc, char **argv)
{
    long most = argc > 1 ? strtol(argv[1], NULL, 10) : 128000;
    if (most < 1000) {
        fprintf(stderr, "usage: primes [MOST]    (at least 1000)\n");
        return 2;
    }
    for (long n = 1000; n <= most; n *= 2)
        printf("%ld primes up to %ld\n", sieve(n), n);
    return 0;
}
