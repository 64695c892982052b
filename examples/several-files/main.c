/* SPDX-License-Identifier: MIT */
/*
 * Counts numbers with a hash table; two experiments in two files end up in one data file.
 *
 *     make CC="call cc gcc" && ./words && llac words.cll.0.dat
 *     call run main.c table.c                                    or in one step
 */
#include <stdio.h>
#include <stdlib.h>

#include "table.h"

/* Counts n numbers, of which about 63 % are different. The default sizes fit into the
 * cache, so each number costs the same. */
static int count_numbers(int n)
{
    struct table *t = table_create(64);
    unsigned x = 12345;
    if (!t)
        return -1;
#pragma cll count count[0]*n
    for (int i = 0; i < n; i++) {
        x = x * 1664525u + 1013904223u;
        table_count(t, (x >> 8) % (unsigned)n);
    }
#pragma cll end count
    int different = table_size(t);
    table_grow(t);
    table_destroy(t);
    return different;
}

int main(int argc, char **argv)
{
    int last = argc > 1 ? atoi(argv[1]) : 4096, n = last, different = 0;
    if (last < 128) {
        fprintf(stderr, "usage: words [LAST], LAST at least 128\n");
        return 2;
    }
/* Each size ten times, not in a row: a slow phase of the machine does not hit one size alone. */
#pragma cll for (int round = 0; round < 10; round++)
#pragma cll for (n = 128; n <= last; n *= 2)
    different = count_numbers(n);
#pragma cll end for
#pragma cll end for
#pragma cll report all
    printf("%d numbers, %d different\n", last, different);
    return different <= 0;
}
