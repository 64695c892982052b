/* SPDX-License-Identifier: MIT */
/*
 * The edit distance of two words of N letters: minima of three, each of which needs the one before.
 *
 *     call run edit.c -- 64 1024
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static int distance(const char *a, const char *b, int *row, int N)
{
    for (int j = 0; j <= N; j++)
        row[j] = j;
    for (int i = 1; i <= N; i++) {
        int diagonal = row[0];
        row[0] = i;
        for (int j = 1; j <= N; j++) {
            int change = diagonal + (a[i - 1] != b[j - 1]);
            int least = row[j] < row[j - 1] ? row[j] : row[j - 1];
            diagonal = row[j];
            row[j] = change < least + 1 ? change : least + 1;
        }
    }
    return row[N];
}

int main(int argc, char **argv)
{
    int first = argc > 1 ? atoi(argv[1]) : 64, last = argc > 2 ? atoi(argv[2]) : 1024, N = first;
    if (first < 2 || last < first) {
        fprintf(stderr, "usage: edit [FIRST [LAST]], 2 <= FIRST <= LAST\n");
        return 2;
    }
    char *a = malloc((size_t)last * sizeof *a);
    char *b = malloc((size_t)last * sizeof *b);
    int *row = malloc((size_t)(last + 1) * sizeof *row);
    if (!a || !b || !row) {
        perror("malloc");
        return 1;
    }
    uint32_t state = 1;
    for (int i = 0; i < last; i++) {
        state = state * 1664525u + 1013904223u;
        a[i] = (char)('a' + (state >> 28) % 4);
        b[i] = (char)('a' + (state >> 20) % 4);
    }
    int result = 0;
    int round = 0;
    double sum = 0;
#pragma cll for (N = first; N <= last; N += N) shuffle
#pragma cll for (round = 0; round < 5; round++)
#pragma cll edit edit[0] + edit[1] * N + edit[2] * N ^ 2
    result = distance(a, b, row, N);
#pragma cll end edit
    sum += result;
#pragma cll end for
#pragma cll end for
#pragma cll report all
    free(a);
    free(b);
    free(row);
    return sum < 0;
}
