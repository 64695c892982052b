/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * storm return|jump THREADS [long]: threads with regions, each interrupted by two timers of its own
 * every few dozen microseconds. The handlers have regions too, with more variables than those they
 * interrupt, and interrupt each other. With `jump` the first handler leaves by siglongjmp now and
 * then. At the end the program prints how many executions of each experiment it had.
 */
#define _GNU_SOURCE
#include <cll.h>

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define LOOPS 60000

#define EXPERIMENT(name, nvars, ...)                                                               \
    static const char *const cll_vars_##name[] = {__VA_ARGS__, 0};                                 \
    static const struct cll_formula cll_forms_##name[] = {{"CLOCK", ""}, {0, 0}};                  \
    static const struct cll_site cll_sites_##name[] = {{"storm.c", 1, 2}, {0, 0, 0}};              \
    CLL_EXPERIMENT(cll_x_##name, #name, nvars, cll_vars_##name, cll_forms_##name,                  \
                   cll_sites_##name, 0)
EXPERIMENT(wide, 6, "a", "b", "c", "d", "e", "g")
EXPERIMENT(f, 1, "N")

/* Of the thread itself, the first handler, and the second. */
struct counts {
    volatile long f[3], wide[3];
    volatile long left; /* regions left by siglongjmp */
};
static _Thread_local struct counts counts;
static _Thread_local sigjmp_buf back;
static _Thread_local volatile int may_jump, jumps;
static struct counts sums;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int jumping;
static long loops = LOOPS;

static void measure_wide(int who)
{
    {
        CLL_BEGIN(cll_region_1, cll_x_wide(), 6, 1001., 1002., 1003., 1004., 1005., 1006.);
    }
    counts.wide[who]++;
}

static void measure(int N, int who)
{
    {
        CLL_BEGIN(cll_region_1, cll_x_f(), 1, CLL_VALUE_AT(N));
    }
    counts.f[who]++;
}

static void first_handler(int number)
{
    (void)number;
    measure_wide(1);
    measure(8, 1);
    if (jumping && may_jump && ++jumps % 8 == 0)
        siglongjmp(back, 1);
}

static void second_handler(int number)
{
    (void)number;
    /* The first handler may interrupt this one. A jump out of here would lose a region of this
       handler, or its count. */
    int might_jump = may_jump;
    may_jump = 0;
    measure(9, 2);
    measure_wide(2);
    may_jump = might_jump;
}

static timer_t start_timer(int number, long ns)
{
    struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = number};
    struct itimerspec often = {{0, ns}, {0, ns}};
    timer_t timer;
#ifdef sigev_notify_thread_id
    event.sigev_notify_thread_id = (pid_t)syscall(SYS_gettid);
#else
    event._sigev_un._tid = (pid_t)syscall(SYS_gettid);
#endif
    if (timer_create(CLOCK_MONOTONIC, &event, &timer)) {
        perror("storm: timer_create");
        exit(77);
    }
    timer_settime(timer, 0, &often, NULL);
    return timer;
}

static void work(void)
{
    for (volatile long i = 0; i < loops; i++) {
        if (jumping) {
            /* A jump out of begin or end may leave the region begun and ended, begun, or neither:
               jumps are allowed only between, where it is begun for sure. */
            volatile int inside = 0;
            if (!sigsetjmp(back, 1)) {
                CLL_BEGIN(cll_region_1, cll_x_f(), 1, (double)(i % 7 + 1));
                inside = 1;
                may_jump = i % 64 == 0;
                for (volatile int k = 0; may_jump && k < 300; k++)
                    ;
                may_jump = 0;
                CLL_END(cll_region_1);
                inside = 0;
            }
            may_jump = 0;
            if (inside)
                counts.left++;
            else
                counts.f[0]++;
        } else {
            measure((int)(i % 7 + 1), 0);
        }
    }
}

static void *run(void *data)
{
    timer_t first = start_timer(SIGRTMIN, 47000), second = start_timer(SIGRTMIN + 1, 31000);
    work();
    timer_delete(first);
    timer_delete(second);
    pthread_mutex_lock(&lock);
    for (int who = 0; who < 3; who++) {
        sums.f[who] += counts.f[who];
        sums.wide[who] += counts.wide[who];
    }
    sums.left += counts.left;
    pthread_mutex_unlock(&lock);
    return data;
}

int main(int argc, char **argv)
{
    int threads = argc > 2 ? atoi(argv[2]) : 1;
    pthread_t started[64];
    jumping = argc > 1 && !strcmp(argv[1], "jump");
    if (argc > 3)
        loops *= 7;
    struct sigaction action = {.sa_handler = first_handler};
    sigaction(SIGRTMIN, &action, NULL);
    action.sa_handler = second_handler;
    sigaction(SIGRTMIN + 1, &action, NULL);
    measure_wide(0); /* its variables are the first columns */
    sums.wide[0]++;
    for (int i = 0; i < threads && i < 64; i++)
        if (pthread_create(&started[i], NULL, run, NULL))
            exit(77);
    for (int i = 0; i < threads && i < 64; i++)
        pthread_join(started[i], NULL);
    printf("f %ld\nwide %ld\nabandoned %ld\n", sums.f[0] + sums.f[1] + sums.f[2],
           sums.wide[0] + sums.wide[1] + sums.wide[2], sums.left);
    return 0;
}
