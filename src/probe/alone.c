/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "probe/alone.h"

#include <stdlib.h>

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

#define NEEDS(family)                                                                              \
    {                                                                                              \
        .name = (family), .open = needs_processes                                                  \
    }

const struct probe_family probe_needs_mpi = NEEDS("mpi"), probe_needs_bsp = NEEDS("bsp");

static const struct probe_family families[] = {NEEDS("mpi"), NEEDS("bsp"), {.name = NULL}};

const struct probe_world probe_alone = {.size = 1,
                                        .hosts = 1,
                                        .families = families,
                                        .share = share_nothing,
                                        .join_cores = join_nothing};

long probe_started(void)
{
    const char *openmpi = getenv("OMPI_COMM_WORLD_SIZE"), *mpich = getenv("PMI_SIZE");
    long n = openmpi ? strtol(openmpi, NULL, 10) : 0;
    return n > 1 || !mpich ? n : strtol(mpich, NULL, 10);
}
