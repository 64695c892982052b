/* SPDX-License-Identifier: MIT */
/*
 * The fast Fourier transform of figures 4 and 5 of "A tool for performance modeling of parallel
 * programs" (González, Rodríguez, Rodríguez, de Sande, Printista), as a complete program. The
 * machine is cut in halves, which transform the even and the odd elements; each processor then
 * exchanges its half with its partner in the other group and combines the two. A machine of one
 * processor transforms its part alone.
 *
 *     call cc mpicc -O2 fft-pub.c -o fft -lm
 *     for p in 1 2 4 8; do mpirun -n $p ./fft; done             the sweep of figure 4, for each P
 *     llac fft-pub.llac fft.cll.*.dat                           the constants, and equation (8)
 *
 *     fft [LAST [TIMES]]   sizes from 1024 to LAST (131072, as in figure 4; up to 2097152, as in
 *                          table 3 of the paper); TIMES transforms of each size (1)
 *
 * Compiled by mpicc alone it transforms LAST elements only:
 *
 *     mpicc -O2 -Wno-unknown-pragmas fft-pub.c $(pkg-config --cflags cll) -o fft \
 *         -L$(pkg-config --variable=libdir cll) -lpub_openmpi -lm
 *
 * P must be a power of two. The input is the same on all processors, and so is the result. It is
 * checked against the sum that defines the transform (up to 2048 elements; beyond, by transforming
 * it back, and by its energy).
 *
 * Start-up: the first message between two processes opens a connection and takes memory for it, which
 * is a hundred times the time of a small transform, happens once in a run, and has no term in the
 * formula. So all partners exchange a message of the largest size before the first transform (`meet`).
 * The first transform of each size finds the caches cold: with TIMES above 1, llac can leave it out.
 *
 * Corrected in the figures:
 *   - figure 4 calls parDandCFFT with an argument D that the function does not have;
 *   - `#pragma ll end D` in line 36 of figure 5 is `#pragma cll end D`;
 *   - combine is not told where its roots are: here W holds, at n, the n roots for it.
 *   - the loop of figure 4 ends at LAST.
 * The other pragmas stand as they are printed. E[1] comes out as 0: a message is read where it lies.
 * In an earlier version of the paper the first pragma lacks `cll`.
 */
#include <math.h>
#include <pub.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 2097152

typedef struct {
    double re, im;
} Complex;

/* clang-format off */
#pragma cll parallel PUB gbsp\
            procs = 1:32:2
/* clang-format on */

static void combine(Complex *A, const Complex *B, const Complex *C, const Complex *W, int n)
{
    for (int k = 0; k < n; k++) {
        Complex w = W[n + k], b = B[k], c = C[k];
        Complex t = {w.re * c.re - w.im * c.im, w.re * c.im + w.im * c.re};
        A[k] = (Complex){b.re + t.re, b.im + t.im};
        A[n + k] = (Complex){b.re - t.re, b.im - t.im};
    }
}

static void seqDandCFFT(Complex *A, const Complex *a, const Complex *W, int N, int stride)
{
    if (N == 1) {
        A[0] = a[0];
        return;
    }
    int n = N / 2;
    seqDandCFFT(A, a, W, n, stride * 2);
    seqDandCFFT(A + n, a + stride, W, n, stride * 2);
    combine(A, A, A + n, W, n);
}

/* As in figure 5, to the letter but for what is listed above. */
/* clang-format off */
static void parDandCFFT(Complex *A, Complex *a, Complex *W, int N, int stride, t_bsp *gbsp) {
    int n, size, partner, subgroup[2];
    Complex *B, *C;
    t_bsp bsp_new;
    if (bsp_nprocs(gbsp) > 1) {
        if (N==1) {A[0].re = a[0].re; A[0].im = a[0].im;}
        else {
            #pragma cll A A[0]
            n = N/2; size = n * sizeof(Complex); B = A; C = A + n;
            #pragma cll end A
            #pragma cll B B[0]
            subgroup[1] = bsp_nprocs(gbsp);
            subgroup[0] = (bsp_nprocs(gbsp)/2);
            bsp_partition(gbsp, &bsp_new, 2, subgroup);
            #pragma cll end B
            if(bsp_pid(gbsp)<subgroup[0]) {
                parDandCFFT(B, a, W, n, stride * 2, &bsp_new);
            #pragma cll C C[0]
                partner = bsp_pid(&bsp_new) + subgroup[0];
                bsp_done(&bsp_new);
            #pragma cll end C
            #pragma cll D D[0] + D[1] * size
                bsp_hpsend(gbsp, partner, B, size);
                bsp_oblsync(gbsp, 1);
            #pragma cll end D
            #pragma cll E E[0] + E[1] * n
                C = (Complex *)bspmsg_data(bsp_getmsg(gbsp, 0));
            #pragma cll end E
            } else {
                parDandCFFT(C, a + stride, W, n, stride * 2, &bsp_new);
            #pragma cll C C[0]
                partner = bsp_pid(&bsp_new);
                bsp_done(&bsp_new);
            #pragma cll end C
            #pragma cll D D[0] + D[1] * size
                bsp_hpsend(gbsp, partner, C, size);
                bsp_oblsync(gbsp, 1);
            #pragma cll end D
            #pragma cll E E[0] + E[1] * n
                B = (Complex *)bspmsg_data(bsp_getmsg(gbsp, 0));
            #pragma cll end E
            }
            #pragma cll F F[0] + F[1] * n
                combine(A, B, C, W, n);
            #pragma cll end F
            }
        } else
        #pragma cll G G[0] + G[1] * N * log(N)
        seqDandCFFT(A, a, W, N, stride);
        #pragma cll end G
    }
/* clang-format on */

/* The same numbers in [-1, 1) on all processors. */
static void initialize(int N, Complex *a)
{
    unsigned x = 12345;
    for (int i = 0; i < N; i++) {
        x = x * 1664525u + 1013904223u;
        a[i].re = (double)(x >> 8) / (1 << 23) - 1;
        x = x * 1664525u + 1013904223u;
        a[i].im = (double)(x >> 8) / (1 << 23) - 1;
    }
}

/* For transforms of up to 2 n elements: W[m + k] is the k-th of the 2 m-th roots of unity. */
static void Roots(int n, Complex *W)
{
    double pi = acos(-1);
    for (int m = 1; m <= n; m *= 2)
        for (int k = 0; k < m; k++)
            W[m + k] = (Complex){cos(pi * k / m), -sin(pi * k / m)};
}

/* Each two partners of the transform of n elements exchange a message of the size that it will have. */
static void meet(t_bsp *gbsp, const Complex *A, int n)
{
    int p = bsp_nprocs(gbsp);
    for (int distance = 1; distance < p; distance *= 2) {
        bsp_hpsend(gbsp, bsp_pid(gbsp) ^ distance, A, (size_t)(n / p * distance) * sizeof *A);
        bsp_oblsync(gbsp, 1);
    }
}

/* ---- is the result right? */

static double distance(Complex x, Complex y)
{
    return hypot(x.re - y.re, x.im - y.im);
}

static int agrees_with_the_sum(const Complex *A, const Complex *a, const Complex *W, int N)
{
    double worst = 0;
    for (int j = 0; j < N; j++) {
        Complex sum = {0, 0};
        for (int i = 0; i < N; i++) { /* the root to the power of i j; W has the first half */
            int e = (int)((long)i * j % N), half = N / 2;
            Complex w = N == 1 ? (Complex){1, 0} : W[half + e % half];
            double sign = N > 1 && e >= half ? -1 : 1;
            sum.re += sign * (w.re * a[i].re - w.im * a[i].im);
            sum.im += sign * (w.re * a[i].im + w.im * a[i].re);
        }
        worst = fmax(worst, distance(sum, A[j]));
    }
    return worst < 1e-11 * N;
}

static double energy(const Complex *a, int N)
{
    double sum = 0;
    for (int i = 0; i < N; i++)
        sum += a[i].re * a[i].re + a[i].im * a[i].im;
    return sum;
}

/* The inverse is the transform of the conjugate; and it keeps the energy. */
static int agrees_with_its_inverse(const Complex *A, const Complex *a, const Complex *W, int N)
{
    Complex *conjugate = malloc((size_t)N * sizeof *conjugate);
    Complex *back = malloc((size_t)N * sizeof *back);
    double worst = 0, before = energy(a, N) * N, after = energy(A, N);
    if (!conjugate || !back)
        exit(1);
    for (int i = 0; i < N; i++)
        conjugate[i] = (Complex){A[i].re, -A[i].im};
    seqDandCFFT(back, conjugate, W, N, 1);
    for (int i = 0; i < N; i++)
        worst = fmax(worst, distance((Complex){back[i].re / N, -back[i].im / N}, a[i]));
    free(conjugate);
    free(back);
    return worst < 1e-12 && fabs(after - before) < 1e-12 * before;
}

static int is_right(const Complex *A, const Complex *a, const Complex *W, int N)
{
    return N <= 2048 ? agrees_with_the_sum(A, a, W, N) : agrees_with_its_inverse(A, a, W, N);
}

static int is_power_of_two(int n)
{
    return n > 0 && !(n & (n - 1));
}

int main(int argc, char **argv)
{
    t_bsp bsp, *gbsp = &bsp;
    int last = argc > 1 ? atoi(argv[1]) : 131072, times = argc > 2 ? atoi(argv[2]) : 1;
    int N = last, right = 1, all_right = 0;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, gbsp);
    if (!is_power_of_two(bsp_nprocs(gbsp)))
        bsp_abort(gbsp, "the number of processors must be a power of two");
    if (!is_power_of_two(last) || last > MOST || times < 1)
        bsp_abort(gbsp, "N must be a power of two up to %d, and TIMES at least 1", MOST);
    size_t bytes = (size_t)last * sizeof(Complex);
    Complex *a = malloc(bytes), *A = malloc(bytes), *W = malloc(bytes);
    if (!a || !A || !W)
        bsp_abort(gbsp, "no memory");
    memset(A, 0, bytes); /* no page of it is new when the time is taken */
    meet(gbsp, A, last);

    /* clang-format off */
#pragma cll for(N=1024; N<=last; N*=2)
    initialize(N, a);
    Roots(N/2, W);
    for (int time = 0; time < times; time++) {
#pragma cll sync f f[0]+f[1]*log(P)+\
                   f[2]*(N/P)*log(N/P)+f[3]*N*(P-1)/P
    parDandCFFT(A, a, W, N, 1, gbsp);
#pragma cll end f
    }
    right = right && is_right(A, a, W, N);
#pragma cll end for
    /* clang-format on */

#pragma cll report all
    bsp_reduce(gbsp, 0, bsp_op_min_int, &right, &all_right, 1, sizeof right);
    if (bsp_pid(gbsp) == 0)
        printf("the transform is %s on all %d processors\n", all_right ? "right" : "wrong",
               bsp_nprocs(gbsp));
    right = right && (bsp_pid(gbsp) || all_right);
    free(a);
    free(A);
    free(W);
    bsplib_done();
    return !right;
}
