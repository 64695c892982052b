/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pub_modes MODE [NUMBER]: a PUB program that behaves in the way the mode says; pub.sh looks at
 * what is left. */
#define _GNU_SOURCE
#include <pub.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#pragma cll parallel PUB_BSP BSP_MACHINE = "&machine"

static t_bsp machine;
static int me, size, number;

static void once(int n)
{
#pragma cll sync f f[0] + f[1] * n + f[2] * log(P)
    cll_touch(&n);
#pragma cll end f
}

static void alone(int n)
{
#pragma cll g g[0] + g[1] * n
    cll_touch(&n);
#pragma cll end g
}

static void plain(void)
{
    for (int n = 1; n <= number; n++)
        once(n);
}

static void one_measures(void)
{
    if (me == size - 1)
        for (int n = 1; n <= number; n++)
            alone(n);
}

static void nobody_measures(void)
{
    bsp_sync(&machine);
}

static void report_twice(void)
{
    plain();
#pragma cll report all
    plain();
    alone(1);
#pragma cll report all
}

static void report_then_more(void)
{
    plain();
#pragma cll report all
    plain();
}

static void report_some(void)
{
    plain();
    alone(1);
#pragma cll report g
}

static void wait_for_the_end(void)
{
    struct timespec pause = {60, 0};
    nanosleep(&pause, NULL);
}

static void one_is_killed(void)
{
    plain();
    bsp_sync(&machine);
    if (me == size - 1)
        raise(SIGKILL);
    wait_for_the_end();
}

static void one_aborts(void)
{
    plain();
    bsp_sync(&machine);
    if (me == size - 1)
        bsp_abort(&machine, "on purpose");
    wait_for_the_end();
}

/* A launcher may end the others once one has gone: all have measured by then. */
static void all_exit(void)
{
    plain();
    bsp_sync(&machine);
    exit(0);
}

/* A recursion over groups, each of which synchronises by itself; P is the size of the group. */
static void halves(t_bsp *bsp)
{
    int p = bsp_nprocs(bsp), ends[2] = {p / 2, p};
    t_bsp sub;
#pragma cll sync(bsp) half half[0] * P
    alone(p);
#pragma cll end half
    if (p == 1)
        return;
    bsp_partition(bsp, &sub, 2, ends);
#pragma cll sync(&sub) sub sub[0] * P
    alone(p);
#pragma cll end sub
    halves(&sub);
    bsp_done(&sub);
}

static void groups(void)
{
    t_bsp copy;
    for (int i = 0; i < number; i++)
        halves(&machine);
    bsp_dup(&machine, &copy);
#pragma cll sync(&copy) copy copy[0] * P
    alone(1);
#pragma cll end copy
    bsp_done(&copy);
}

static void expect(int64_t have, int64_t want, const char *what)
{
    if (have != want)
        printf("%s: %lld, not %lld\n", what, (long long)have, (long long)want);
}

/* sync and report end no superstep and deliver no message, small or large, of the machine or of a
 * group of it. */
static void messages(void)
{
    int next = (me + 1) % size, large = 100000, *data = calloc((size_t)large, sizeof *data);
    if (!data)
        exit(1);
    for (int step = 1; step <= number; step++) {
        data[large - 1] = 100 * step + me;
        bsp_send(&machine, next, &data[large - 1], sizeof *data);
        bsp_hpsend(&machine, next, data, (size_t)large * sizeof *data);
        once(step);
        once(step);
#pragma cll report all
        expect(bsp_superstep(&machine), step, "superstep");
        expect(bsp_nmsgs(&machine), step > 1 ? 2 : 0, "messages of the last superstep");
        if (step % 2)
            bsp_sync(&machine);
        else
            bsp_oblsync(&machine, 2);
        expect(bsp_nmsgs(&machine), 2, "messages");
        once(step);
        for (int i = 0; i < 2; i++) {
            t_bspmsg *message = bsp_getmsg(&machine, i);
            size_t n = bspmsg_size(message) / sizeof *data;
            expect(((int *)bspmsg_data(message))[n - 1], 100 * step + (me + size - 1) % size,
                   "contents");
        }
    }
    free(data);
}

/* Processor 0 waits in a sync of a group for processor 1, which waits for 2, which waits for 0 to
 * take a large message: who waits in a sync goes on with that. */
static void chain(void)
{
    int ends[2] = {2, size}, n = 1 << 20;
    char *data = calloc(1, (size_t)n);
    t_bsp copy, cut, group;
    if (!data || size != 3)
        exit(1);
    bsp_dup(&machine, &copy);
    bsp_dup(&machine, &cut);
    bsp_partition(&cut, &group, 2, ends);
    if (me == 2) {
        bsp_hpsend(&machine, 0, data, (size_t)n);
        bsp_oblsync(&machine, 0); /* returns when the buffer has left */
        bsp_send(&copy, 1, data, 1);
    } else if (me == 1) {
        bsp_oblsync(&copy, 1);
    }
#pragma cll sync(&group) pair pair[0] * P
    alone(1);
#pragma cll end pair
    if (me != 1)
        bsp_oblsync(&copy, 0);
    if (me != 2)
        bsp_oblsync(&machine, me == 0 ? 1 : 0);
    bsp_done(&group);
    bsp_done(&cut);
    bsp_done(&copy);
    free(data);
}

/* Two halves report by themselves, then all do. */
static void parts(void)
{
    int ends[2] = {size / 2, size};
    t_bsp all = machine;
    alone(1);
    bsp_partition(&all, &machine, 2, ends); /* the machine of the pragma is a group for a while */
    once(1);
#pragma cll report all
    once(2);
#pragma cll report all
    bsp_done(&machine);
    machine = all;
    once(3);
}

static void some_report(void)
{
    plain();
    if (me == 0) {
#pragma cll report all
    }
}

static void stale_machine(void)
{
    t_bsp sub;
    bsp_dup(&machine, &sub);
    bsp_done(&sub);
#pragma cll sync(&sub) gone gone[0] * P
    alone(1);
#pragma cll end gone
}

/* Traces have the time in sync as time inside the library, not as work. */
static void late_one(void)
{
    struct timespec pause = {0, 50000000};
    if (me == 0)
        nanosleep(&pause, NULL);
    once(1);
    bsp_sync(&machine);
}

/* So late, by LATE seconds, that the others report it. */
static void come_late(void)
{
    const char *seconds = getenv("LATE");
    if (me == number)
        sleep(seconds ? (unsigned)atoi(seconds) : 1);
}

static void late_sync(void)
{
    come_late();
    once(1);
}

static void late_report(void)
{
    alone(1);
    come_late();
#pragma cll report all
}

static void left_out_sync(void)
{
    if (me != number)
        once(1);
}

static void many(void)
{
    for (int i = 0; i < number; i++)
        alone(i % 3);
}

static const struct {
    const char *name;
    void (*run)(void);
} modes[] = {{"plain", plain},
             {"early", plain},
             {"late", plain},
             {"one_measures", one_measures},
             {"nobody_measures", nobody_measures},
             {"report_twice", report_twice},
             {"report_then_more", report_then_more},
             {"report_some", report_some},
             {"one_is_killed", one_is_killed},
             {"one_aborts", one_aborts},
             {"all_exit", all_exit},
             {"groups", groups},
             {"messages", messages},
             {"chain", chain},
             {"parts", parts},
             {"some_report", some_report},
             {"stale_machine", stale_machine},
             {"late_one", late_one},
             {"late_sync", late_sync},
             {"late_report", late_report},
             {"left_out_sync", left_out_sync},
             {"many", many}};

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "plain";
    number = argc > 2 ? atoi(argv[2]) : 5;
    if (!strcmp(mode, "early"))
        alone(77);
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, &machine);
    me = bsp_pid(&machine);
    size = bsp_nprocs(&machine);
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        if (!strcmp(mode, modes[i].name))
            modes[i].run();
    bsplib_done();
    if (!strcmp(mode, "late"))
        once(88);
    if (me == 0)
        puts("done");
    return 0;
}
