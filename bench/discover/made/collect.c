/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A collector of garbage: it marks what lives whenever the number of cells has doubled since the last time. Half of the cells live. */
#include <stdio.h>
#include <stdlib.h>

struct cell {
    struct cell *next;
    long value, mark;
};

static long mark(struct cell *list, long now)
{
    long n = 0;
    for (struct cell *c = list; c; c = c->next) {
        c->mark = now;
        n++;
    }
    return n;
}

static long work(long value)
{
    for (int i = 0; i < 40; i++)
        value = value * 1103515245 + 12345;
    return value;
}

static struct cell *mutate(int n, long *sum)
{
    struct cell *live = NULL;
    long made = 0, next = 1000;
    for (int i = 0; i < n; i++) {
        *sum += work(i);
        if (*sum & 1) {
            struct cell *c = malloc(sizeof *c);
            *c = (struct cell){live, i, 0};
            live = c;
        }
        if (++made > next)
            next = 1000 + 2 * mark(live, made) + made;
    }
    return live;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 0;
    long sum = 0;
    struct cell *live = mutate(n, &sum);
    printf("%ld %ld\n", sum, mark(live, -1));
    return 0;
}
