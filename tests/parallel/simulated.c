/* SPDX-License-Identifier: GPL-3.0-or-later */
/* simulated MODE [NUMBER]: a program for SimGrid's smpicc that behaves in the way the mode says;
 * simulation.sh looks at what is left. */
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <smpi/smpi.h>

#pragma cll parallel MPI

static int rank, size, number;
static char buffer[1 << 20];

/* Affine: N/P operations, then log2(P) exchanges of n bytes. */
static void step(int N, int n)
{
#pragma cll sync step step[0] + step[1] * N / P + step[2] * log2(P) + step[3] * n *log2(P)
    smpi_execute_flops((double)N / size);
    for (int d = 1; d < size; d *= 2)
        MPI_Sendrecv(buffer, n, MPI_CHAR, rank ^ d, 0, buffer + n, n, MPI_CHAR, rank ^ d, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#pragma cll end step
}

/* A message to the last process, which answers with none: one way each. */
static void ping(void)
{
    for (int n = 0; n <= 1000000; n += 1000000) {
#pragma cll sync ping ping[0] + ping[1] * n
        if (rank == 0)
            MPI_Ssend(buffer, n, MPI_CHAR, size - 1, 0, MPI_COMM_WORLD);
        else if (rank == size - 1)
            MPI_Recv(buffer, n, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#pragma cll end ping
    }
}

static void compute(double flops)
{
#pragma cll f f[0] + f[1] * flops
    smpi_execute_flops(flops);
#pragma cll end f
}

static void affine(void)
{
    for (int N = 1000000; N <= 16000000; N *= 4)
        for (int n = 1000; n <= 64000; n *= 4)
            step(N, n);
}

static void plain(void)
{
    for (int i = 1; i <= number; i++)
        compute(1e6 * i * (rank + 1));
}

/* All but one process without samples, also the one that writes. */
static void one_measures(void)
{
    if (rank == size - 1)
        plain();
}

/* No simulated time passes in it. */
static void nothing(int n)
{
#pragma cll g g[0] + g[1] * n
    n++;
#pragma cll end g
}

static void parts_report(void)
{
    MPI_Comm half;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    for (int i = 0; i < number; i++) {
#pragma cll sync(half) h h[0] + h[1] * P
        smpi_execute_flops(1e6);
#pragma cll end h
    }
    cll_mpi_report("", &half);
    MPI_Comm_free(&half);
}

static void alone_then_more(void)
{
    MPI_Comm self = MPI_COMM_SELF;
    nothing(1);
    cll_mpi_report("", &self);
    nothing(2);
}

static void one_aborts(void)
{
    plain();
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == size - 1)
        MPI_Abort(MPI_COMM_WORLD, 3);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void deadlock(void)
{
    plain();
    MPI_Recv(buffer, 1, MPI_CHAR, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* All simulated processes are one, so all are killed. */
static void killed(void)
{
    plain();
    MPI_Barrier(MPI_COMM_WORLD);
    raise(SIGKILL);
}

static void exit_early(void)
{
    plain();
    exit(0);
}

/* Really computes: simulated where smpi/simulate-computation is on. */
static void real(void)
{
    volatile double sum = 0;
    for (int n = 1; n <= number; n++) {
#pragma cll sync real real[0] + real[1] * n
        for (long i = 0; i < n * 300000L; i++)
            sum += (double)i;
#pragma cll end real
    }
}

static void *thread(void *data)
{
    nothing(1);
    return data;
}

static void with_threads(void)
{
    pthread_t t;
    compute(1e6);
    pthread_create(&t, NULL, thread, NULL);
    pthread_join(t, NULL);
    compute(1e6);
}

static void cpu_time(void)
{
#pragma cll c c[0] + c[1] * number; CPUTIME = c[2] * number
    smpi_execute_flops(1e6);
#pragma cll end c
}

static void late(void)
{
}

static const struct {
    const char *name;
    void (*run)(void);
} modes[] = {{"affine", affine},
             {"ping", ping},
             {"plain", plain},
             {"one_measures", one_measures},
             {"parts_report", parts_report},
             {"alone_then_more", alone_then_more},
             {"one_aborts", one_aborts},
             {"deadlock", deadlock},
             {"killed", killed},
             {"exit_early", exit_early},
             {"real", real},
             {"with_threads", with_threads},
             {"cpu_time", cpu_time},
             {"late", late}};

int main(int argc, char **argv)
{
    unsigned mode = 0, count = sizeof modes / sizeof *modes;
    while (argc > 1 && mode < count && strcmp(argv[1], modes[mode].name))
        mode++;
    if (argc < 2 || mode == count)
        return 2;
    number = argc > 2 ? atoi(argv[2]) : 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    modes[mode].run();
    MPI_Finalize();
    if (modes[mode].run == late)
        nothing(1);
    if (!rank)
        puts("done");
    return 0;
}
