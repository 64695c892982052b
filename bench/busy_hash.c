/* SPDX-License-Identifier: GPL-3.0-or-later */
/* busy_hash FIRST LAST: fills a hash table of 2 N slots with N keys, for N = FIRST, FIRST + FIRST / 2,
 * ... LAST. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned *table;

/* Of a text of 64 characters, as the key of a record would be. */
static unsigned hash(unsigned key)
{
    unsigned h = 2166136261u;
    for (int i = 0; i < 64; i++)
        h = (h ^ ("0123456789abcdef"[key >> i % 28 & 15] + (unsigned)i)) * 16777619u;
    h = (h ^ h >> 15) * 0x846ca68bu;
    return h ^ h >> 16;
}

/* Open addressing. */
static void fill(unsigned n)
{
    unsigned slots = 2 * n;
    memset(table, 0, slots * sizeof *table);
    for (unsigned key = 1; key <= n; key++) {
        unsigned at = (unsigned)((unsigned long long)hash(key) * slots >> 32);
        while (table[at])
            at = at + 1 == slots ? 0 : at + 1;
        table[at] = key;
    }
}

int main(int argc, char **argv)
{
    int first = argc > 1 ? atoi(argv[1]) : 1024, last = argc > 2 ? atoi(argv[2]) : 5120;
    if (first < 2 || last < first) {
        fprintf(stderr, "usage: busy_hash FIRST LAST, 2 <= FIRST <= LAST\n");
        return 2;
    }
    table = malloc((size_t)last * 2 * sizeof *table);
    if (!table)
        return 1;
    int N = last;
    fill((unsigned)N);
#pragma cll for (N = first; N <= last; N += first / 2)
#pragma cll f f[0] + f[1] * N
    fill((unsigned)N);
#pragma cll end f
#pragma cll end for
#pragma cll report all
    return table[0] == 1;
}
