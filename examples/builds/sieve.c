/* SPDX-License-Identifier: MIT */
/* The sieve of Eratosthenes. A plain compiler ignores the pragmas. */
#include "sieve.h"

#include <stdlib.h>

long sieve(long n)
{
    char *composite = calloc((size_t)n + 1, 1);
    long count = 0;
    if (!composite)
        return -1;
#pragma cll sieve sieve[0] + sieve[1]*n*log(log(n))
    for (long p = 2; p * p <= n; p++)
        if (!composite[p])
            for (long k = p * p; k <= n; k += p)
                composite[k] = 1;
#pragma cll end sieve
#pragma cll count count[0] + count[1]*n
    for (long p = 2; p <= n; p++)
        count += !composite[p];
#pragma cll end count
    free(composite);
    return count;
}
