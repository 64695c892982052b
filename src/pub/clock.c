/* SPDX-License-Identifier: MIT */
/* Time. Under SimGrid it is simulated time, read from SimGrid: the library is compiled without
   SimGrid's macros, so clock_gettime would give the real time. */
#include <time.h>

#include "pub/internal.h"

double simgrid_get_clock(void) __attribute__((weak));

uint64_t pub_clock(void)
{
    if (simgrid_get_clock)
        return (uint64_t)(simgrid_get_clock() * 1e9);
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

bool pub_simulated(void)
{
    return simgrid_get_clock != NULL;
}

double pub_seconds(void)
{
    return simgrid_get_clock ? simgrid_get_clock() : (double)pub_clock() * 1e-9;
}

double bsp_time(t_bsp *bsp)
{
    pub_enter(bsp, "bsp_time");
    double seconds = pub_seconds();
    pub_leave();
    return seconds;
}
