/* SPDX-License-Identifier: MIT */
/*
 * The inner product of two vectors as a BSPlib program: it runs with any implementation of bsp.h.
 * The vectors are dealt out in turn, element i to processor i mod P. In the first superstep each
 * processor multiplies its elements and puts its sum to all others, in the second it adds the sums.
 *
 *     call run --procs 1:8:2 inprod-bsp.c                      measures and prints the fits
 *
 * or, step by step:
 *
 *     call cc mpicc -O2 inprod-bsp.c -o inprod
 *     for p in 1 2 4 8; do mpirun -n $p ./inprod; done
 *     llac -e 'fit ip; fit dot; fit share' inprod.cll.*.dat
 *
 * ip[1] is the time of a multiplication and an addition, which dot[1] finds too. ip[2] and share[1]
 * are the time of a put of 8 bytes to one more processor, ip[0] and share[0] those of the
 * synchronisation. Compiled by mpicc alone it multiplies vectors of N elements (a million if no N is
 * given):
 *
 *     mpicc -O2 -Wno-unknown-pragmas inprod-bsp.c $(pkg-config --cflags cll) -o inprod \
 *         -L$(pkg-config --variable=libdir cll) -lbsp_openmpi -lpub_openmpi
 *     mpirun -n 4 ./inprod N
 */
#include <bsp.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST 1024000

#pragma cll parallel BSP procs = 1 : 8 : 2

static long wanted = 1000000; /* elements; only process 0 reads the arguments */

static void *allocate(size_t bytes)
{
    void *memory = malloc(bytes);
    if (!memory)
        bsp_abort("no memory for %zu bytes", bytes);
    return memory;
}

/* Elements of a vector of n that this processor has. */
static long count(long n)
{
    return (n + bsp_nprocs() - bsp_pid() - 1) / bsp_nprocs();
}

/* `sums` has room for one of each processor, and is registered. */
static double inner_product(const double *x, const double *y, long n, double *sums)
{
    int p = bsp_nprocs(), s = bsp_pid();
    long local = count(n);
    double sum = 0;
#pragma cll dot dot[0] + dot[1] * n / P
    for (long i = 0; i < local; i++)
        sum += x[i] * y[i];
#pragma cll end dot
#pragma cll share share[0] + share[1] * P
    for (int t = 0; t < p; t++)
        bsp_put(t, &sum, sums, (size_t)s * sizeof sum, sizeof sum);
    bsp_sync();
#pragma cll end share
    sum = 0;
    for (int t = 0; t < p; t++)
        sum += sums[t];
    return sum;
}

static void spmd(void)
{
    bsp_begin(bsp_nprocs());
    int p = bsp_nprocs(), s = bsp_pid(), right = 1;
    long n = wanted;
    double *sums = allocate((size_t)p * sizeof *sums), sum = 0;
    bsp_push_reg(&n, sizeof n);
    bsp_push_reg(sums, (size_t)p * sizeof *sums);
    bsp_sync();
    bsp_get(0, &n, 0, &n, sizeof n);
    bsp_sync();
    size_t room = (size_t)count(n > MOST ? n : MOST);
    double *x = allocate(room * sizeof *x), *y = allocate(room * sizeof *y);

#pragma cll for (n = 1000; n <= MOST; n *= 2)
    for (long i = 0; i < count(n); i++) {
        x[i] = (double)(i * p + s + 1);
        y[i] = 1 / x[i];
    }
    for (int round = 0; round < 10; round++) {
#pragma cll sync ip ip[0] + ip[1] * n / P + ip[2] * P
        sum = inner_product(x, y, n, sums);
#pragma cll end ip
    }
    right = right && sum > (double)n * (1 - 1e-9) && sum < (double)n * (1 + 1e-9);
#pragma cll end for

#pragma cll report all
    if (!right)
        bsp_abort("the inner product is %g", sum);
    if (s == 0)
        printf("the inner product is right on %d processors\n", p);
    bsp_pop_reg(sums);
    bsp_pop_reg(&n);
    free(sums);
    free(x);
    free(y);
    bsp_end();
}

int main(int argc, char **argv)
{
    bsp_init(spmd, argc, argv);
    if (argc > 1)
        wanted = atol(argv[1]);
    if (wanted < 1)
        bsp_abort("%s: a number of elements is expected", argv[1]);
    spmd();
    return 0;
}
