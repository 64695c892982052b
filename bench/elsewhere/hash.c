/* SPDX-License-Identifier: MIT */
/*
 * A hash of N bytes: integer operations that each need the one before.
 *
 *     call run hash.c -- 1024 32768
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t hash(const unsigned char *s, int N)
{
    uint64_t h = 1469598103934665603u;
    for (int i = 0; i < N; i++)
        h = (h ^ s[i]) * 1099511628211u ^ (h >> 29);
    return h;
}

int main(int argc, char **argv)
{
    int first = argc > 1 ? atoi(argv[1]) : 1024, last = argc > 2 ? atoi(argv[2]) : 32768, N = first;
    if (first < 1 || last < first) {
        fprintf(stderr, "usage: hash [FIRST [LAST]], 1 <= FIRST <= LAST\n");
        return 2;
    }
    unsigned char *s = malloc((size_t)last);
    if (!s) {
        perror("hash");
        return 1;
    }
    for (int i = 0; i < last; i++)
        s[i] = (unsigned char)(i * 31);
    int round = 0;
    uint64_t sum = 0;
#pragma cll for (N = first; N <= last; N *= 2) shuffle
#pragma cll for (round = 0; round < 20; round++)
#pragma cll hash hash[0] + hash[1] * N
    sum += hash(s, N);
#pragma cll end hash
#pragma cll end for
#pragma cll end for
#pragma cll report all
    free(s);
    return sum == 1;
}
