/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts that depend on data: the lengths of the orbits of 3n + 1, and an insertion sort of them in pieces. */
#include <stdio.h>
#include <stdlib.h>

static int orbit(long n)
{
    int steps = 0;
    while (n > 1) {
        n = n % 2 ? 3 * n + 1 : n / 2;
        steps++;
    }
    return steps;
}

static void orbits(int *length, int n)
{
    for (int i = 0; i < n; i++)
        length[i] = orbit(i + 1);
}

static void sort(int *x, int n)
{
    for (int i = 1; i < n; i++)
        for (int j = i; j > 0 && x[j - 1] > x[j]; j--) {
            int t = x[j];
            x[j] = x[j - 1];
            x[j - 1] = t;
        }
}

static void sort_pieces(int *x, int n)
{
    int piece = 1;
    while (piece * piece < n)
        piece++;
    for (int i = 0; i < n; i += piece)
        sort(x + i, i + piece < n ? piece : n - i);
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 0;
    int *length = malloc(((size_t)n + 1) * sizeof *length);
    orbits(length, n);
    sort_pieces(length, n);
    printf("%d\n", n ? length[n / 2] : 0);
    free(length);
    return 0;
}
