/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A library does most of the work: qsort, with little that is counted. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *text;

static void fill(int n)
{
    unsigned long long r = 7;
    for (int i = 0; i < 8 * n; i++) {
        r = r * 6364136223846793005ULL + 1442695040888963407ULL;
        text[i] = (char)('a' + (r >> 40) % 26);
    }
}

static size_t spans(int n)
{
    size_t sum = 0;
    for (int i = 0; i < 64; i++)
        sum += memchr(text, '#', (size_t)(8 * n)) != NULL;
    return sum;
}

static int compare(const void *x, const void *y)
{
    return memcmp(x, y, 8);
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 0;
    text = malloc((size_t)(8 * n) + 1);
    fill(n);
    size_t sum = spans(n);
    qsort(text, (size_t)n, 8, compare);
    printf("%zu %.8s\n", sum, text);
    free(text);
    return 0;
}
