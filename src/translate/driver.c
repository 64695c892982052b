/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of drivers, with every spelling the papers and CALL 1.0 use. */
#include "translate/driver.h"

#include <strings.h>

static const char *const seq[] = {"SEQ", NULL};
static const char *const mpi[] = {"MPI", NULL};
static const char *const openmp[] = {"OpenMP", "OMP", NULL};
static const char *const pub[] = {"PUB", "PUB_BSP", "OBSP", NULL};
static const char *const bsp[] = {"BSP", NULL};
static const char *const cuda[] = {"CUDA", NULL};
static const char *const opencl[] = {"OpenCL", "CL", NULL};

static const struct driver drivers[] = {
    {.name = "SEQ", .spellings = seq},
    {.name = "MPI", .spellings = mpi, .prefix = "mpi"},
    {.name = "OpenMP", .spellings = openmp},
    {.name = "PUB",
     .spellings = pub,
     .prefix = "pub",
     .machine_word = "BSP_MACHINE",
     .has_trace = true},
    {.name = "BSP",
     .spellings = bsp,
     .prefix = "pub",
     .machine_word = "BSP_MACHINE",
     .has_trace = true},
    {.name = "CUDA", .spellings = cuda, .device = "cuda"},
    {.name = "OpenCL", .spellings = opencl, .device = "opencl"}};

enum { DRIVERS = sizeof drivers / sizeof *drivers };

const struct driver *const driver_mpi = &drivers[1], *const driver_openmp = &drivers[2],
                           *const driver_cuda = &drivers[5], *const driver_opencl = &drivers[6];

const struct driver *driver_find(const char *spelling)
{
    for (size_t i = 0; i < DRIVERS; i++)
        for (const char *const *s = drivers[i].spellings; *s; s++)
            if (!strcasecmp(*s, spelling))
                return &drivers[i];
    return NULL;
}

const char *driver_list(struct arena *a)
{
    const char *list = drivers[0].name;
    for (size_t i = 1; i < DRIVERS; i++)
        list = arena_printf(a, "%s%s%s", list, i < DRIVERS - 1 ? ", " : " and ", drivers[i].name);
    return list;
}
