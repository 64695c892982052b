/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The clock, what it costs, and its step: the smallest difference of two readings. */
#include "probe/probe.h"

#include <time.h>

double probe_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double seconds_for(probe_loop *loop, uint64_t n)
{
    double begin = probe_now();
    loop(n);
    return probe_now() - begin;
}

/* The number of steps is doubled until two runs in a row take long enough: one may only have been
 * interrupted. */
double probe_time(probe_loop *loop, uint64_t *n)
{
    if (*n == 0)
        for (*n = 16; *n < (uint64_t)1 << 40; *n *= 2)
            if (seconds_for(loop, *n) >= PROBE_SAMPLE && seconds_for(loop, *n) >= PROBE_SAMPLE)
                break;
    return seconds_for(loop, *n) / (double)*n;
}

static void read_clock(clockid_t clock, uint64_t n)
{
    struct timespec t;
    for (uint64_t i = 0; i < n; i++)
        clock_gettime(clock, &t);
}

static void monotonic(uint64_t n)
{
    read_clock(CLOCK_MONOTONIC, n);
}

static void thread_time(uint64_t n)
{
    read_clock(CLOCK_THREAD_CPUTIME_ID, n);
}

static double sample_reading(const struct probe_point *p, unsigned round)
{
    static probe_loop *const loops[] = {monotonic, thread_time};
    static uint64_t steps[2];
    (void)round;
    return probe_time(loops[p->index], &steps[p->index]);
}

static double sample_step(const struct probe_point *p, unsigned round)
{
    double smallest = 1;
    (void)p, (void)round;
    for (int i = 0; i < 2000; i++) {
        double a = probe_now(), b = probe_now();
        if (b > a && b - a < smallest)
            smallest = b - a;
    }
    struct timespec resolution;
    clock_getres(CLOCK_MONOTONIC, &resolution);
    double least = 1e-9 * (double)resolution.tv_nsec; /* doubles round the difference */
    return smallest > least ? smallest : least;
}

static const char *open_clock(struct probe *p)
{
    struct probe_point point = {.family = probe_clock.name, .unit = "s"};
    point.name = "read", point.sample = sample_reading;
    probe_add(p, point);
    point.name = "read_cpu_time", point.index = 1;
    probe_add(p, point);
    point.name = "step", point.sample = sample_step;
    probe_add(p, point);
    return NULL;
}

const struct probe_family probe_clock = {.name = "clock", .open = open_clock};
