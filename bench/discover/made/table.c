/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bursts at powers of 2: a hash table that doubles, and is filled and asked. */
#include <stdio.h>
#include <stdlib.h>

struct table {
    unsigned long long *cells;
    size_t size, n;
};

static int insert(struct table *t, unsigned long long key)
{
    size_t at = (size_t)(key * 0x9e3779b97f4a7c15ULL >> 20) & (t->size - 1);
    while (t->cells[at] && t->cells[at] != key)
        at = (at + 1) & (t->size - 1);
    int is_new = !t->cells[at];
    t->cells[at] = key;
    return is_new;
}

static void enlarge(struct table *t)
{
    struct table old = *t;
    t->size = 2 * old.size;
    t->cells = calloc(t->size, sizeof *t->cells);
    for (size_t i = 0; i < old.size; i++)
        if (old.cells[i])
            insert(t, old.cells[i]);
    free(old.cells);
}

static void fill(struct table *t, int n)
{
    unsigned long long r = 1;
    for (int i = 0; i < n; i++) {
        r = r * 6364136223846793005ULL + 1442695040888963407ULL;
        t->n += (size_t)insert(t, r | 1);
        if (2 * t->n > t->size)
            enlarge(t);
    }
}

static double ask(struct table *t, int n)
{
    unsigned long long r = 1;
    double sum = 0;
    for (int i = 0; i < n; i++) {
        r = r * 6364136223846793005ULL + 1442695040888963407ULL;
        sum += insert(t, r | 1) + (double)(r >> 60);
    }
    return sum;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 0;
    struct table t = {calloc(16, sizeof *t.cells), 16, 0};
    fill(&t, n);
    printf("%g\n", ask(&t, n));
    free(t.cells);
    return 0;
}
