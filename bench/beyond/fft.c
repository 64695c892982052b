/* SPDX-License-Identifier: MIT */
/* Fast Fourier transform of N complex numbers in place: bit reversal, then log2 N passes of
 * butterflies with a table of roots. A transform forth and back gives the numbers again. */
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void reverse(double complex *x, int N)
{
    for (int i = 1, j = 0; i < N; i++) {
        int bit = N >> 1;
        for (; j & bit; bit >>= 1)
            j ^= bit;
        j |= bit;
        if (i < j) {
            double complex t = x[i];
            x[i] = x[j];
            x[j] = t;
        }
    }
}

static void passes(double complex *x, const double complex *root, int N)
{
    for (int length = 2; length <= N; length *= 2) {
        int half = length / 2, step = N / length;
        for (int begin = 0; begin < N; begin += length)
            for (int k = 0; k < half; k++) {
                double complex a = x[begin + k], r = root[k * step], b = x[begin + k + half];
                double re = creal(b) * creal(r) - cimag(b) * cimag(r),
                       im = creal(b) * cimag(r) + cimag(b) * creal(r);
                x[begin + k] = a + (re + im * I);
                x[begin + k + half] = a - (re + im * I);
            }
    }
}

static double measure(int N)
{
    double complex *x = malloc(N * sizeof *x), *root = malloc(N / 2 * sizeof *root);
    double wrong = 0;
    if (!x || !root)
        exit(1);
    for (int k = 0; k < N / 2; k++)
        root[k] = cexp(-2 * M_PI * I * k / N);
    for (int repetition = 0; repetition < 4; repetition++) {
        for (int k = 0; k < N; k++)
            x[k] = k % 7 - 3;
#pragma cll fft fft[0] + fft[1] * N *log2(N)
        reverse(x, N);
        passes(x, root, N);
#pragma cll end fft
    }
    /* back: the conjugate of the transform of the conjugate, by N */
    for (int k = 0; k < N; k++)
        x[k] = conj(x[k]);
    reverse(x, N);
    passes(x, root, N);
    for (int k = 0; k < N; k++)
        wrong = fmax(wrong, fabs(creal(x[k]) / N - (k % 7 - 3)));
    free(x);
    free(root);
    return wrong;
}

int main(void)
{
    double wrong = 0;
    int N = 64;
    /* 24 bytes for each number: 2^15 are 768 KB */
#pragma cll for (N = 64; N <= 1 << 19; N *= 2) shuffle
    wrong = fmax(wrong, measure(N));
#pragma cll end for
    if (wrong > 1e-9)
        fputs("fft: wrong result\n", stderr);
    return wrong > 1e-9;
}
