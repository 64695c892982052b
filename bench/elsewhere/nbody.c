/* SPDX-License-Identifier: MIT */
/*
 * Gravity between N bodies, every pair: floating-point operations with a division and a square root, all data in the
 * first-level cache.
 *
 *     call run nbody.c -- 32 512
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    double x, y, z, ax, ay, az;
} Body;

static void accelerate(Body *b, int N)
{
    for (int i = 0; i < N; i++) {
        double ax = 0, ay = 0, az = 0;
        for (int j = 0; j < N; j++) {
            double dx = b[j].x - b[i].x, dy = b[j].y - b[i].y, dz = b[j].z - b[i].z;
            double r2 = dx * dx + dy * dy + dz * dz + 1e-3, inverse = 1 / (r2 * sqrt(r2));
            ax += dx * inverse;
            ay += dy * inverse;
            az += dz * inverse;
        }
        b[i].ax = ax;
        b[i].ay = ay;
        b[i].az = az;
    }
}

int main(int argc, char **argv)
{
    int first = argc > 1 ? atoi(argv[1]) : 32, last = argc > 2 ? atoi(argv[2]) : 512, N = first;
    if (first < 2 || last < first) {
        fprintf(stderr, "usage: nbody [FIRST [LAST]], 2 <= FIRST <= LAST\n");
        return 2;
    }
    Body *b = malloc((size_t)last * sizeof *b);
    if (!b) {
        perror("nbody");
        return 1;
    }
    for (int i = 0; i < last; i++)
        b[i] = (Body){i % 7, i % 11, i % 13, 0, 0, 0};
    int round = 0;
    double sum = 0;
#pragma cll for (N = first; N <= last; N += N / 2) shuffle
#pragma cll for (round = 0; round < 20; round++)
#pragma cll nbody nbody[0] + nbody[1] * N + nbody[2] * N ^ 2
    accelerate(b, N);
#pragma cll end nbody
    sum += b[N - 1].ax;
#pragma cll end for
#pragma cll end for
#pragma cll report all
    free(b);
    return isfinite(sum) ? 0 : 1;
}
