/* SPDX-License-Identifier: MIT */
/*
 * A region with early returns: wherever the function leaves, the sample ends there. The cost depends on
 * where the key is found: the list holds 0, 2, 4, ..., so the search for `key` ends after key/2 steps.
 *
 *     call run search.c
 */
#include <stdio.h>
#include <stdlib.h>

/* The place of key in the ascending list[0..n-1], or -1. */
static int find(const int *list, int n, int key)
{
#pragma cll find find[0] + find[1]*key
    if (n <= 0)
        return -1;
    for (int i = 0; i < n; i++) {
        if (list[i] == key)
            return i;
        if (list[i] > key)
            return -1;
    }
#pragma cll end find
    return -1;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 65536;
    if (n < 64) {
        fprintf(stderr, "usage: search [N], N at least 64\n");
        return 2;
    }
    int *list = malloc((size_t)n * sizeof *list), right = 1, where = n / 2;
    if (!list)
        return 1;
    for (int i = 0; i < n; i++)
        list[i] = 2 * i;

#pragma cll for (where = 64; where < n; where *= 2) shuffle
    right &= find(list, n, 2 * where) == where;
    right &= find(list, n, 2 * where + 1) == -1;
#pragma cll end for
#pragma cll report all

    free(list);
    puts(right ? "right" : "WRONG");
    return !right;
}
