/* SPDX-License-Identifier: GPL-3.0-or-later */
/* traced MODE: programs whose traces trace.sh knows. */
#include "program.h"

#include <signal.h>
#include <sys/resource.h>
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

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } modes[] = {{"each_kind", each_kind},
                 {"many_rows", many_rows},
                 {"limited", limited},
                 {"killed", killed},
                 {"misused", misused}};
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
