/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A part that is small now and grows with n^2, beside much that is linear; how long it takes depends on the data. */
#include <stdio.h>
#include <stdlib.h>

static double smooth(double *x, int n)
{
    double last = 0;
    for (int k = 0; k < 700; k++)
        for (int i = 1; i + 1 < n; i++)
            last = x[i] = 0.5 * x[i] + 0.25 * (x[i - 1] + x[i + 1]);
    return last;
}

static void sort(double *x, int n)
{
    for (int i = 1; i < n; i++)
        for (int j = i; j > 0 && x[j - 1] > x[j]; j--) {
            double t = x[j];
            x[j] = x[j - 1];
            x[j - 1] = t;
        }
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 0;
    double *x = malloc(((size_t)n + 1) * sizeof *x);
    double *y = malloc(((size_t)n + 1) * sizeof *y);
    unsigned long long r = 1;
    for (int i = 0; i < n; i++) {
        r = r * 6364136223846793005ULL + 1442695040888963407ULL;
        x[i] = y[i] = (double)(r >> 11) / 9007199254740992.0;
    }
    double last = smooth(x, n);
    for (int i = 0; i < n; i += 4)
        y[i / 4] = y[i];
    sort(y, n / 4);
    printf("%g %g\n", last, n > 4 ? y[n / 8] : 0);
    free(x);
    free(y);
    return 0;
}
