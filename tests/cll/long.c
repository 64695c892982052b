/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * long MODE: a program with long regions, one way of disturbing them per mode. The work of a region
 * is an amount of CPU time, so it does not depend on the speed of the machine or on its load.
 * Exit status 77 where a mode is not possible here.
 */
#define _GNU_SOURCE
#include <cll.h>

#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define EXPERIMENT(fn, name)                                                                       \
    static const char *const cll_vars_##fn[] = {"N", 0};                                           \
    static const struct cll_formula cll_forms_##fn[] = {{"CLOCK", name "[0]*N"}, {0, 0}};          \
    static const struct cll_site cll_sites_##fn[] = {{"long.c", 1, 2}, {0, 0, 0}};                 \
    CLL_EXPERIMENT(cll_x_##fn, name, 1, cll_vars_##fn, cll_forms_##fn, cll_sites_##fn, 0)

EXPERIMENT(f, "f")
EXPERIMENT(again, "f") /* as in a second source */
EXPERIMENT(g, "g")

#define LONG 3000 /* microseconds: also long where system calls are slow */

static double cpu_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

static void burn(double us)
{
    double end = cpu_us() + us;
    while (cpu_us() < end)
        ;
}

static void measure(int us)
{
    CLL_BEGIN(region, cll_x_f(), 1, CLL_VALUE(us));
    if (us)
        burn(us);
}

static void spin(void)
{
    for (int i = 0; i < 20; i++)
        measure(LONG);
}

static void empty(void)
{
    for (int i = 0; i < 1000; i++)
        measure(0);
}

static void mixed(void)
{
    for (int i = 0; i < 40; i++)
        measure(i % 4 ? 0 : LONG);
}

static void sleeping(void)
{
    for (int i = 0; i < 10; i++) {
        struct timespec pause = {0, 2000000};
        CLL_BEGIN(region, cll_x_f(), 1, 2000.);
        nanosleep(&pause, NULL);
        CLL_END(region);
    }
}

static void go_to_core(int which)
{
    static cpu_set_t all;
    static int known;
    cpu_set_t one;
    int core = 0;
    if (!known && sched_getaffinity(0, sizeof all, &all))
        exit(77);
    known = 1;
    if (CPU_COUNT(&all) < 1 + which)
        exit(77);
    for (; !CPU_ISSET(core, &all) || which--;)
        core++;
    CPU_ZERO(&one);
    CPU_SET(core, &one);
    if (sched_setaffinity(0, sizeof one, &one))
        exit(77);
}

/* Beside a process that wants the same core. */
static void preempted(void)
{
    go_to_core(0);
    pid_t other = fork();
    if (!other)
        for (;;)
            ;
    if (other < 0)
        exit(77);
    for (int i = 0; i < 5; i++)
        measure(10 * LONG);
    kill(other, SIGKILL);
    waitpid(other, NULL, 0);
}

static void migrated(void)
{
    for (int i = 0; i < 4; i++) {
        go_to_core(0);
        CLL_BEGIN(region, cll_x_f(), 1, (double)LONG);
        burn(LONG);
        go_to_core(1);
        CLL_END(region);
    }
}

static int faults(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_THREAD, &usage) ? 0 : (int)(usage.ru_minflt + usage.ru_majflt);
}

/* Its first execution of a size touches new memory and works three times as long. */
static void touch(int us, int times)
{
    enum { BYTES = 1 << 20, STEP = 4096 };
    volatile char *block =
        mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED)
        exit(77);
    for (int i = 0; i < times; i++) {
        int before = faults();
        CLL_BEGIN(region, cll_x_f(), 1, CLL_VALUE(us));
        for (int at = 0; at < BYTES; at += STEP)
            block[at] = 1;
        burn(i ? us : 3 * us);
        CLL_END(region);
        if (i == 0 && faults() == before)
            exit(77); /* the system does not count them */
    }
}

static void touching(void)
{
    touch(10 * LONG, 6);
    touch(LONG, 4);
    touch(2 * LONG, 4);
}

static void *thread(void *data)
{
    (void)data;
    spin();
    return NULL;
}

static void threads(void)
{
    pthread_t list[3];
    for (int i = 0; i < 3; i++)
        if (pthread_create(&list[i], NULL, thread, NULL))
            exit(77);
    for (int i = 0; i < 3; i++)
        pthread_join(list[i], NULL);
}

static void forked(void)
{
    spin();
    CLL_BEGIN(region, cll_x_g(), 1, 1.); /* belongs to the parent */
    pid_t child = fork();
    if (child < 0)
        exit(77);
    burn(LONG);
    CLL_END(region);
    spin();
    if (child)
        waitpid(child, NULL, 0);
}

/* More open regions than are watched at the same time. */
static void descend(int depth)
{
    CLL_BEGIN(region, cll_x_f(), 1, CLL_VALUE(depth));
    if (depth)
        descend(depth - 1);
    burn(300);
}

static void recursive(void)
{
    for (int i = 0; i < 4; i++)
        descend(40);
}

static jmp_buf back;

static void leave_by_jump(void)
{
    CLL_BEGIN(region, cll_x_f(), 1, 0.);
    burn(LONG);
    longjmp(back, 1);
}

static void jumps(void)
{
    measure(LONG);
    for (volatile int i = 0; i < 50; i++)
        if (!setjmp(back))
            leave_by_jump();
    spin();
}

static void handler(int number)
{
    (void)number;
    CLL_BEGIN(region, cll_x_g(), 1, 300.);
    burn(300);
}

static void handlers(void)
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    struct itimerval timer = {{0, 1500}, {0, 1500}};
    sigaction(SIGPROF, &action, NULL);
    setitimer(ITIMER_PROF, &timer, NULL);
    for (int i = 0; i < 100; i++)
        measure(LONG);
    memset(&timer, 0, sizeof timer);
    setitimer(ITIMER_PROF, &timer, NULL);
}

static void killed(void)
{
    spin();
    raise(SIGKILL);
}

/* The same experiment from two sources. */
static void two(void)
{
    for (int i = 0; i < 4; i++) {
        measure(i % 2);
        CLL_BEGIN(region, cll_x_again(), 1, 0.);
    }
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } modes[] = {{"spin", spin},           {"empty", empty},
                 {"mixed", mixed},         {"sleeping", sleeping},
                 {"preempted", preempted}, {"migrated", migrated},
                 {"touching", touching},   {"threads", threads},
                 {"forked", forked},       {"recursive", recursive},
                 {"jumps", jumps},         {"handlers", handlers},
                 {"killed", killed},       {"two", two}};
    for (size_t i = 0; argc > 1 && i < sizeof modes / sizeof *modes; i++)
        if (!strcmp(argv[1], modes[i].name)) {
            modes[i].run();
            return 0;
        }
    fputs("usage: long MODE\n", stderr);
    return 2;
}
