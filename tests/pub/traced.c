/* SPDX-License-Identifier: GPL-3.0-or-later */
/* traced MODE: programs whose traces trace.sh knows. */
#include "program.h"

#include <signal.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static t_bsp world;
static int p, pid, right;

/* With three processors: each kind of row, with numbers that can be computed. */
static void each_kind(void)
{
    static char text[50000];
    int ends[2] = {1, p};
    t_bsp sub, copy;
    if (pid == 2)
        usleep(20000);
    bsp_send(&world, right, text, 100);
    bsp_sync(&world);
    for (int to = 0; to < p && pid == 0; to++)
        bsp_send(&world, to, text, 10);
    bsp_oblsync(&world, 1);
    bsp_push_reg(&world, text, 1000);
    bsp_sync(&world);
    bsp_put(&world, right, &right, text, 0, 4);
    bsp_get(&world, right, text, 100, text + 2000, 16);
    bsp_sync(&world);
    bsp_partition(&world, &sub, 2, ends);
    bsp_hpsend(&sub, 0, text, sizeof text);
    bsp_oblsync(&sub, bsp_pid(&sub) ? 0 : bsp_nprocs(&sub));
    bsp_sync(&sub);
    bsp_done(&sub);
    bsp_dup(&world, &copy);
    bsp_broadcast(&world, 0, text, 100);
    bsp_sync(&copy);
    bsp_done(&copy);
    bsp_sync(&world);
}

/* With three processors: one of two messages, each of which travels in pieces, comes late. */
static void late(void)
{
    static char text[8192];
    bsp_oblsync(&world, 0);
    if (pid == 2)
        usleep(200000);
    if (pid > 0)
        bsp_send(&world, 0, text, sizeof text);
    bsp_oblsync(&world, pid == 0 ? 2 : 0);
}

/* Processor 1 sends the first large message of the program, and then does not call the library for a while. */
static void absent(void)
{
    static char text[65536];
    if (pid == 0)
        usleep(100000);
    if (pid == 1)
        bsp_send(&world, 0, text, sizeof text);
    bsp_oblsync(&world, pid == 0);
    if (pid == 1)
        usleep(800000);
}

static void many_rows(void)
{
    for (int i = 0; i < 40000; i++)
        bsp_oblsync(&world, 0);
}

static void limited(void)
{
    struct rlimit limit = {1500000, 1500000};
    if (pid == 1)
        setrlimit(RLIMIT_FSIZE, &limit);
    many_rows();
}

static void killed(void)
{
    for (int i = 0; i < 100; i++) {
        bsp_send(&world, right, "x", 1);
        bsp_sync(&world);
    }
    if (pid == 1)
        kill(getpid(), SIGKILL);
    bsp_sync(&world);
}

static void misused(void)
{
    bsp_sync(&world);
    if (pid == 1)
        bsp_abort(&world, "enough");
    bsp_sync(&world);
}

/* Five supersteps of 10 ms, filled with calls that cost nothing in the model. */
static void looking(void)
{
    for (int step = 0; step < 5; step++) {
        double end = bsp_time(&world) + 0.01;
        while (bsp_time(&world) < end) {
            CHECK(&world, bsp_nprocs(&world) == p && bsp_pid(&world) == pid);
            CHECK(&world, bsp_superstep(&world) == step + 1 && bsp_nmsgs(&world) == 0);
            CHECK(&world, !bsp_getmsg(&world, 0) && !bsp_findmsg(&world, 0, 0));
            bsp_freemsg(&world, bsp_createmsg(&world, 8));
        }
        bsp_sync(&world);
    }
}

/* Real seconds of the processor, also in a simulation. */
static double cpu_seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

/* Superstep 1: processor 1 computes for 50 ms. Superstep 2: processor 0 waits for 20 ms of bsp_time,
   for at most ten seconds. */
static void computing(void)
{
    double begin = cpu_seconds(), time = bsp_time(&world);
    while (pid == 1 && cpu_seconds() < begin + 0.05)
        ;
    bsp_sync(&world);
    CHECK(&world, bsp_time(&world) >= time + 0.04);
    begin = cpu_seconds(), time = bsp_time(&world);
    while (pid == 0 && bsp_time(&world) < time + 0.02)
        CHECK(&world, cpu_seconds() < begin + 10);
    bsp_sync(&world);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } modes[] = {{"each_kind", each_kind}, {"many_rows", many_rows}, {"limited", limited},
                 {"looking", looking},     {"computing", computing}, {"killed", killed},
                 {"misused", misused},     {"late", late},           {"absent", absent}};
    bsplib_saveargs(&argc, &argv);
    if (argc == 3)
        bsplib_trace(argv[2]);
    bsplib_init(BSPLIB_STDPARAMS, &world);
    p = bsp_nprocs(&world);
    pid = bsp_pid(&world);
    right = (pid + 1) % p;
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        if (argc > 1 && strcmp(modes[i].name, argv[1]) == 0)
            modes[i].run();
    int last = pid;
    bsplib_done();
    if (last == 0)
        puts("passed");
    return 0;
}
