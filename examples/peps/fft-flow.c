/* SPDX-License-Identifier: MIT */
/*
 * A whole Fourier transform of N points, decimation in frequency, radix 2: the flow chart of figure 1
 * of "Smart Integration: A Test Case Study" (Zemerly et al., Warwick RR257). Each stage is a region, and
 * in it each butterfly, so that the executions of a count report are the flow chart:
 *
 *     call count --graph --executions 1 fft-flow.c -- 16
 *
 * A butterfly makes of two points, `span` apart, their sum, and their difference times a coefficient.
 * Element k of the result is where the bits of k are reversed.
 *
 * Checked: the result is that of the definition.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { LARGEST = 1024 };
static const double pi = 3.14159265358979323846;

struct point {
    double re, im;
};

static struct point data[LARGEST], result[LARGEST], circle[LARGEST]; /* exp(-2 pi i k/N) */

static void butterfly(struct point *a, struct point *b, struct point w)
{
    struct point d = {a->re - b->re, a->im - b->im};
    a->re += b->re;
    a->im += b->im;
    b->re = d.re * w.re - d.im * w.im;
    b->im = d.re * w.im + d.im * w.re;
}

static void transform(struct point *x, int N)
{
    for (int span = N / 2; span; span /= 2) {
#pragma cll stage stage[0] + stage[1]*N + stage[2]*N/span
        for (int block = 0; block < N; block += 2 * span)
            for (int i = 0; i < span; i++) {
                int first = block + i;
#pragma cll butterfly(first, span) butterfly[0]
                butterfly(&x[first], &x[first + span], circle[i * (N / 2 / span)]);
#pragma cll end butterfly
            }
#pragma cll end stage
    }
}

static int reversed(int k, int N)
{
    int r = 0;
    for (int bit = 1; bit < N; bit *= 2, k /= 2)
        r = 2 * r + k % 2;
    return r;
}

static int is_right(int N)
{
    double worst = 0;
    for (int k = 0; k < N; k++) {
        struct point s = {0, 0}, got = result[reversed(k, N)];
        for (int i = 0; i < N; i++) {
            struct point w = circle[i * k % N];
            s.re += data[i].re * w.re - data[i].im * w.im;
            s.im += data[i].re * w.im + data[i].im * w.re;
        }
        worst = fmax(worst, hypot(got.re - s.re, got.im - s.im));
    }
    return worst < 1e-12 * N;
}

int main(int argc, char **argv)
{
    int N = argc > 1 ? atoi(argv[1]) : 16;
    if (argc > 2 || N < 2 || N > LARGEST || (N & (N - 1))) {
        fprintf(stderr, "usage: fft-flow [N]: a power of two from 2 to %d\n", LARGEST);
        return 2;
    }
    for (int i = 0; i < N; i++) {
        data[i] = result[i] = (struct point){sin(i * i + 1), cos(3 * i)};
        circle[i] = (struct point){cos(2 * pi * i / N), -sin(2 * pi * i / N)};
    }
    transform(result, N);
    puts(is_right(N) ? "right" : "WRONG");
    return !is_right(N);
}
