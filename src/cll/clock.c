/* SPDX-License-Identifier: MIT */
/*
 * The clocks. The counter of the processor is used if the kernel uses it as its clocksource: the
 * kernel watches the counter and drops it when it is not steady. A simulated program has only the
 * clock of its simulator. CLL_CLOCK=FILE computes times and reads no clock.
 */
#define _GNU_SOURCE
#include "cll/internal.h"

#include <string.h>
#include <time.h>

static int kind = CLOCK_KIND_GETTIME; /* the clock of this run: enum spool_clock */

static uint64_t monotonic_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t cll_clock_cpu_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t cll_clock_ticks(void)
{
    if (SIMULATED)
        return cll_simulated_ticks();
    if (kind == CLOCK_KIND_COMPUTED)
        return cll_computed_ticks();
    return kind == CLOCK_KIND_GETTIME ? monotonic_ns() : cll_ticks();
}

/* The counter this processor has, and the name of the kernel's clocksource on it; 0 if none. */
static int own_counter(const char **clocksource)
{
#if defined(__x86_64__)
    *clocksource = "tsc";
    return CLOCK_KIND_TSC;
#elif defined(__aarch64__)
    *clocksource = "arch_sys_counter";
    return CLOCK_KIND_CNTVCT;
#else
    *clocksource = "";
    return 0;
#endif
}

void cll_clock_choose(void)
{
    const char *clocksource;
    char current[64];
    int counter = own_counter(&clocksource);
    if (SIMULATED) {
        kind = CLOCK_KIND_SIMULATED;
        return;
    }
    kind = CLOCK_KIND_GETTIME;
    if (cll_settings.clock) {
        if (cll_settings.clock == counter || cll_settings.clock == CLOCK_KIND_COMPUTED)
            kind = cll_settings.clock;
        return;
    }
    cll_read_file("/sys/devices/system/clocksource/clocksource0/current_clocksource", current,
                  sizeof current);
    current[strcspn(current, "\n")] = 0;
    if (counter && !strcmp(current, clocksource))
        kind = counter;
}

int cll_clock_kind(void)
{
    return kind;
}

int cll_clock_is_counter(void)
{
    return kind == CLOCK_KIND_TSC || kind == CLOCK_KIND_CNTVCT;
}

uint64_t cll_clock_hz(void)
{
    if (SIMULATED)
        return cll_simulated_hz();
    if (kind == CLOCK_KIND_COMPUTED)
        return cll_computed_hz();
    if (kind == CLOCK_KIND_GETTIME)
        return 1000000000u;
#if defined(__aarch64__)
    uint64_t hz;
    __asm__("mrs %0, cntfrq_el0" : "=r"(hz));
    return hz;
#else
    return 0;
#endif
}

/* Of five tries, the one whose two readings of the counter are closest. */
void cll_clock_pair(uint64_t *ticks, uint64_t *ns)
{
    uint64_t best = UINT64_MAX;
    if (SIMULATED) {
        *ticks = cll_simulated_ticks();
        *ns = (uint64_t)((double)*ticks / (double)cll_simulated_hz() * 1e9);
        return;
    }
    if (kind == CLOCK_KIND_COMPUTED) {
        *ticks = cll_computed_now();
        *ns = monotonic_ns();
        return;
    }
    if (kind == CLOCK_KIND_GETTIME) {
        *ticks = *ns = monotonic_ns();
        return;
    }
    for (int i = 0; i < 5; i++) {
        uint64_t before = cll_ticks();
        uint64_t now = monotonic_ns();
        uint64_t after = cll_ticks();
        if (after - before < best) {
            best = after - before;
            *ticks = before + best / 2;
            *ns = now;
        }
    }
}
