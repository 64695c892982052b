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

/* Counts n numbers of which about half are different. */
static int count_numbers(int n)
{
    struct table *t = table_create(64);
    unsigned x = 12345;
    if (!t)
        return -1;
#pragma cll count count[0] + count[1]*n
    for (int i = 0; i < n; i++) {
        x = x * 1664525u + 1013904223u;
        if (table_size(t) > 4096 && i % 4096 == 0)
            table_grow(t);
        table_count(t, x >> 8 & 0xffff);
    }
#pragma cll end count
    int different = table_size(t);
    table_grow(t);
    table_destroy(t);
    return different;
}

int main(int argc, char **argv)
{
    int last = argc > 1 ? atoi(argv[1]) : 65536, n = last, different = 0;
    if (last < 1024) {
        fprintf(stderr, "usage: words [LAST], LAST at least 1024\n");
        return 2;
    }
#pragma cll for (n = 1024; n <= last; n *= 2)
    different = count_numbers(n);
#pragma cll end for
#pragma cll report all
    printf("%d numbers, %d different\n", last, different);
    return different <= 0;
}
