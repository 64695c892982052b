/* SPDX-License-Identifier: MIT */
#ifndef SIEVE_H
#define SIEVE_H

/* The number of primes up to n; -1 without memory. */
long sieve(long n);

#endif
