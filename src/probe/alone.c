/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "probe/alone.h"

static void share_nothing(void *data, size_t bytes)
{
    (void)data, (void)bytes;
}

static void join_nothing(uint64_t *set, size_t words)
{
    (void)set, (void)words;
}

static const char *needs_processes(struct probe *p)
{
    (void)p;
    return "there is one process; start several with: mpirun -n P cllprobe";
}

#define NEEDS_MPI                                                                                  \
    {                                                                                              \
        .name = "mpi", .open = needs_processes                                                     \
    }
#define NEEDS_BSP                                                                                  \
    {                                                                                              \
        .name = "bsp", .open = needs_processes                                                     \
    }

const struct probe_family probe_needs_mpi = NEEDS_MPI, probe_needs_bsp = NEEDS_BSP;

static const struct probe_family families[] = {NEEDS_MPI, NEEDS_BSP, {.name = NULL}};

const struct probe_world probe_alone = {.size = 1,
                                        .hosts = 1,
                                        .families = families,
                                        .share = share_nothing,
                                        .join_cores = join_nothing};
