/* SPDX-License-Identifier: MIT */
/* Describes this process when the parallel part begins: its rank, the number of the run, and the
   processes on its host. */
#include "cll/mpi/member.h"

#include <time.h>
#include <unistd.h>

#include "cll/driver.h"

#define CPU_SETS 64 /* words of 64 cores */

/* The cores of all processes on this host, and how many processes there are. */
static void look_at_host(MPI_Comm world, struct cll_member *member)
{
    MPI_Comm host;
    int local = 1;
    uint64_t mine[CPU_SETS], all[CPU_SETS];
    PMPI_Comm_split_type(world, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
    PMPI_Comm_size(host, &local);
    cll_driver_cores(mine, CPU_SETS);
    PMPI_Allreduce(mine, all, CPU_SETS, MPI_UINT64_T, MPI_BOR, host);
    PMPI_Comm_free(&host);
    member->local = (unsigned)local;
    member->local_cores = 0;
    for (unsigned i = 0; i < CPU_SETS; i++)
        member->local_cores += (unsigned)__builtin_popcountll(all[i]);
}

void cll_mpi_join(const char *driver, MPI_Comm world)
{
    struct cll_member member = {.driver = driver};
    int rank, size;
    struct timespec now;
    PMPI_Comm_rank(world, &rank);
    PMPI_Comm_size(world, &size);
    member.rank = (unsigned)rank;
    member.world = (unsigned)size;
    clock_gettime(CLOCK_REALTIME, &now);
    member.job = ((uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec) ^ (uint64_t)getpid()
                                                                                    << 48;
    member.job |= !member.job;
    uint64_t first[2] = {member.job, (uint64_t)cll_driver_run()};
    PMPI_Bcast(first, 2, MPI_UINT64_T, 0, world);
    member.job = first[0];
    member.run = (int64_t)first[1];
    if (!cll_driver_simulated())
        look_at_host(world, &member);
    cll_driver_join(&member);
}
