/* SPDX-License-Identifier: MIT */
/*
 * Time. Under SimGrid it is simulated time, read from SimGrid: the library is compiled without
 * SimGrid's macros, so clock_gettime would give the real time. If SimGrid measures the program's
 * computations (smpi/simulate-computation), it adds a computation to the simulated time when the
 * program calls MPI: only MPI_Wtime gives the time with the computation before it. Each such reading
 * takes smpi/wtime of simulated time.
 */
#include <time.h>

#include "pub/internal.h"

double simgrid_get_clock(void) __attribute__((weak));
int sg_cfg_get_boolean(const char *name) __attribute__((weak));

static bool computations_are_measured;

void pub_clock_begin(void)
{
    computations_are_measured =
        sg_cfg_get_boolean && sg_cfg_get_boolean("smpi/simulate-computation");
}

bool pub_simulated(void)
{
    return simgrid_get_clock != NULL;
}

static double simulated_seconds(void)
{
    return computations_are_measured ? MPI_Wtime() : simgrid_get_clock();
}

uint64_t pub_clock(void)
{
    if (simgrid_get_clock)
        return (uint64_t)(simulated_seconds() * 1e9);
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

double pub_seconds(void)
{
    return simgrid_get_clock ? simulated_seconds() : (double)pub_clock() * 1e-9;
}

double bsp_time(t_bsp *bsp)
{
    pub_look(bsp, "bsp_time");
    return pub_seconds();
}
