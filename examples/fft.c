/* SPDX-License-Identifier: MIT */
/*
 * The sequential fast Fourier transform of the papers: divide and conquer over even and odd elements, the
 * input addressed with a growing stride. `fft` measures the whole; `combine` the merging of two halves, nested
 * inside it at every level of the recursion.
 *
 *     call run fft.c
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    double re, im;
} Complex;

static void combine(Complex *A, const Complex *B, const Complex *C, const Complex *W, int n, int stride)
{
    for (int i = 0; i < n; i++) {
        Complex w = W[i * stride], c = C[i], b = B[i];
        Complex t = {w.re * c.re - w.im * c.im, w.re * c.im + w.im * c.re};
        A[i] = (Complex){b.re + t.re, b.im + t.im};
        A[i + n] = (Complex){b.re - t.re, b.im - t.im};
    }
}

/* W: the roots exp(-2 pi i k / total), total being the length of the outermost transform. */
static void seqDandCFFT(Complex *A, const Complex *a, const Complex *W, int N, int stride)
{
    if (N == 1) {
        A[0] = a[0];
        return;
    }
    int n = N / 2;
    Complex *B = A, *C = A + n;
    seqDandCFFT(B, a, W, n, stride * 2);
    seqDandCFFT(C, a + stride, W, n, stride * 2);
    if (n >= 256) {
#pragma cll combine combine[0] + combine[1]*n
        combine(A, B, C, W, n, stride);
#pragma cll end combine
    } else {
        combine(A, B, C, W, n, stride);
    }
}

static void roots(Complex *W, int N)
{
    const double turn = -2 * 3.14159265358979323846 / N;
    for (int k = 0; k < N / 2 + 1; k++)
        W[k] = (Complex){cos(turn * k), sin(turn * k)};
}

/* Element k against the definition of the transform. */
static double error_at(const Complex *A, const Complex *a, int N, int k)
{
    const double turn = -2 * 3.14159265358979323846 / N;
    Complex sum = {0, 0};
    for (int j = 0; j < N; j++) {
        double angle = turn * (double)((long long)j * k % N);
        sum.re += a[j].re * cos(angle) - a[j].im * sin(angle);
        sum.im += a[j].re * sin(angle) + a[j].im * cos(angle);
    }
    return hypot(sum.re - A[k].re, sum.im - A[k].im);
}

int main(int argc, char **argv)
{
    int first = argc > 1 ? atoi(argv[1]) : 1024, last = argc > 2 ? atoi(argv[2]) : 65536;
    if (first < 2 || last < first || (first & (first - 1))) {
        fprintf(stderr, "usage: fft [FIRST [LAST]], FIRST a power of two, 2 <= FIRST <= LAST\n");
        return 2;
    }
    Complex *a = malloc((size_t)last * sizeof *a), *A = malloc((size_t)last * sizeof *A);
    Complex *W = malloc(((size_t)last / 2 + 1) * sizeof *W);
    if (!a || !A || !W)
        return 1;
    int N = first, right = 1;

#pragma cll for (N = first; N <= last; N *= 2) shuffle
    for (int i = 0; i < N; i++)
        a[i] = (Complex){(i * 37 % 101) / 101.0, (i * 53 % 89) / 89.0};
    roots(W, N);
#pragma cll fft fft[0] + fft[1]*N + fft[2]*N*log(N)
    seqDandCFFT(A, a, W, N, 1);
#pragma cll end fft
    right &= error_at(A, a, N, N / 3) < 1e-9 * N;
#pragma cll end for
#pragma cll report all

    free(a);
    free(A);
    free(W);
    puts(right ? "right" : "WRONG");
    return !right;
}
