/* SPDX-License-Identifier: MIT */
/*
 * A list of N elements of 64 bytes in random order: each load waits for the one before.
 *
 *     call run list.c -- 512 524288
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct element {
    struct element *next;
    int64_t value[7];
};

static int64_t sum_of(const struct element *e)
{
    int64_t sum = 0;
    for (; e; e = e->next)
        sum += e->value[0];
    return sum;
}

/* The elements in a random order; returns the first. */
static struct element *link_all(struct element *e, int *order, int N)
{
    uint64_t state = 1;
    for (int i = 0; i < N; i++)
        order[i] = i;
    for (int i = N - 1; i > 0; i--) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        int j = (int)((state >> 33) % (uint64_t)(i + 1)), t = order[i];
        order[i] = order[j];
        order[j] = t;
    }
    for (int i = 0; i < N; i++) {
        e[order[i]].next = i + 1 < N ? &e[order[i + 1]] : NULL;
        e[order[i]].value[0] = i;
    }
    return &e[order[0]];
}

int main(int argc, char **argv)
{
    int first = argc > 1 ? atoi(argv[1]) : 512, last = argc > 2 ? atoi(argv[2]) : 524288, N = first;
    if (first < 2 || last < first) {
        fprintf(stderr, "usage: list [FIRST [LAST]], 2 <= FIRST <= LAST\n");
        return 2;
    }
    struct element *e = malloc((size_t)last * sizeof *e);
    int *order = malloc((size_t)last * sizeof *order);
    if (!e || !order) {
        perror("malloc");
        return 1;
    }
    int64_t result = 0;
    int round = 0;
    double sum = 0;
#pragma cll for (N = first; N <= last; N += 3 * N) shuffle
    struct element *begin = link_all(e, order, N);
#pragma cll for (round = 0; round < 4; round++)
#pragma cll list list[0] + list[1] * N
    result = sum_of(begin);
#pragma cll end list
    sum += (double)result;
#pragma cll end for
#pragma cll end for
#pragma cll report all
    free(e);
    free(order);
    return sum < 0;
}
