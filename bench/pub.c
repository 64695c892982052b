/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What libpub costs beside plain MPI, in one process group: both sides of each ratio take turns,
 * round after round, and each is judged by its fastest round, because noise only ever adds.
 *
 *   usage: mpirun -n P pub [ROUNDS [large]]      large: only the exchanges of 64 and 128 KB
 */
#include <mpi.h>
#include <pub.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MEGABYTE (1 << 20)
#define SMALL    64
#define MANY     10000

static t_bsp bsp;
static int p, me, right, left;
static char *out, *in, *many;
static size_t large; /* bytes of a message */

/* ---- the sides; each returns when `n` operations are done */

static void alltoall(int n)
{
    int *a = (int *)out, *b = (int *)in;
    while (n--)
        MPI_Alltoall(a, 2, MPI_INT, b, 2, MPI_INT, MPI_COMM_WORLD);
}

static void empty_sync(int n)
{
    while (n--)
        bsp_sync(&bsp);
}

static void mprobe_exchange(int n)
{
    while (n--) {
        MPI_Request request;
        MPI_Message message;
        MPI_Status status;
        int bytes;
        MPI_Isend(out, 8, MPI_BYTE, right, 7, MPI_COMM_WORLD, &request);
        MPI_Mprobe(left, 7, MPI_COMM_WORLD, &message, &status);
        MPI_Get_count(&status, MPI_BYTE, &bytes);
        MPI_Mrecv(in, bytes, MPI_BYTE, &message, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
}

static void oblivious_exchange(int n)
{
    while (n--) {
        bsp_send(&bsp, right, out, 8);
        bsp_oblsync(&bsp, 1);
    }
}

static void sendrecv(int n)
{
    while (n--)
        MPI_Sendrecv(out, (int)large, MPI_BYTE, right, 7, in, (int)large, MPI_BYTE, left, 7,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void send_large(int n)
{
    while (n--) {
        bsp_send(&bsp, right, out, large);
        bsp_oblsync(&bsp, 1);
    }
}

static void hpsend(int n)
{
    while (n--) {
        bsp_hpsend(&bsp, right, out, large);
        bsp_oblsync(&bsp, 1);
    }
}

static void one_large(int n)
{
    while (n--) {
        bsp_send(&bsp, right, many, (size_t)MANY * SMALL);
        bsp_sync(&bsp);
    }
}

static void many_small(int n)
{
    while (n--) {
        for (size_t i = 0; i < MANY; i++)
            bsp_send(&bsp, right, many + i * SMALL, SMALL);
        bsp_sync(&bsp);
    }
}

static void partition(int n)
{
    int ends[2] = {p / 2, p};
    while (n--) {
        t_bsp half;
        bsp_partition(&bsp, &half, 2, ends);
        bsp_done(&half);
    }
}

/* ---- */

/* Seconds for one operation, of the slowest processor. */
static double measure(void (*side)(int), int n)
{
    double mine, all;
    MPI_Barrier(MPI_COMM_WORLD);
    mine = MPI_Wtime();
    side(n);
    mine = (MPI_Wtime() - mine) / n;
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return all;
}

static void compare(void (*ours)(int), void (*theirs)(int), int n, int rounds, double best[2])
{
    best[0] = best[1] = 1e9;
    for (int i = 0; i < rounds; i++) {
        double a = measure(ours, n), b = theirs ? measure(theirs, n) : 0;
        best[0] = a < best[0] ? a : best[0];
        best[1] = b < best[1] ? b : best[1];
    }
}

static void print(const char *ours, const char *theirs, const double t[2], const char *figure,
                  double value, const char *wanted)
{
    if (me != 0)
        return;
    printf("%-24s %9.3f us   ", ours, t[0] * 1e6);
    if (theirs)
        printf("%-28s %9.3f us   %s %.2f   ", theirs, t[1] * 1e6, figure, value);
    printf("(wanted: %s)\n", wanted);
}

static void small_ones(int rounds)
{
    double t[2];
    compare(empty_sync, alltoall, 2000, rounds, t);
    print("empty bsp_sync", "MPI_Alltoall of two integers", t, "ratio", t[0] / t[1], "at most 1.3");
    compare(oblivious_exchange, mprobe_exchange, 2000, rounds, t);
    print("8 bytes, bsp_oblsync", "Isend + Mprobe + Mrecv", t, "ratio", t[0] / t[1], "at most 1.3");
    large = MEGABYTE;
    compare(hpsend, sendrecv, 20, rounds, t);
    print("1 MB, bsp_hpsend", "MPI_Sendrecv", t, "bandwidth", t[1] / t[0], "at least 0.9");
    compare(many_small, one_large, 10, rounds, t);
    print("10000 of 64 bytes", "one message of the same size", t, "ns more each",
          (t[0] - t[1]) / MANY * 1e9, "at most 20");
    compare(partition, NULL, 10000, rounds, t);
    print("bsp_partition, bsp_done", NULL, t, NULL, 0, "below 1 us");
}

/* Programs that exchange and hardly compute. */
static void large_ones(int rounds)
{
    static const char *const names[] = {"64 KB, bsp_send", "128 KB, bsp_send"};
    double t[2];
    for (int i = 0; i < 2; i++) {
        large = (size_t)65536 << i;
        compare(send_large, sendrecv, 40, rounds, t);
        print(names[i], "MPI_Sendrecv", t, "ratio", t[0] / t[1], "at most 1.3");
    }
}

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 30;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    p = bsp_nprocs(&bsp);
    me = bsp_pid(&bsp);
    right = (me + 1) % p;
    left = (me + p - 1) % p;
    out = calloc(1, MEGABYTE);
    in = calloc(1, MEGABYTE);
    many = calloc(MANY, SMALL);
    if (!out || !in || !many)
        bsp_abort(&bsp, "no memory");
    memset(out, 1, MEGABYTE); /* pages of their own, as data have */
    if (me == 0)
        printf("P = %d, fastest of %d rounds\n", p, rounds);
    if (argc < 3)
        small_ones(rounds);
    large_ones(rounds);
    free(out);
    free(in);
    free(many);
    bsplib_done();
    return 0;
}
