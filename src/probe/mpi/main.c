/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cllprobe-FLAVOUR: cllprobe as an MPI program. While rank 0 measures alone, the other processes sleep
 * and look for its word every millisecond: a process that waits inside MPI would keep a core busy.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <string.h>
#include <time.h>

#include "base/about.h"
#include "base/outfile.h"
#include "base/printable.h"
#include "probe/alone.h"
#include "probe/mpi/parallel.h"

MPI_Comm probe_comm;
static MPI_Comm host_comm;
static struct probe_world world;

unsigned probe_repeats(double seconds)
{
    enum { MOST = 2000 };
    double n = PROBE_SAMPLE / seconds;
    return n >= MOST ? MOST : n > 1 ? (unsigned)n : 1;
}

static void share(void *data, size_t bytes)
{
    struct timespec pause = {.tv_nsec = 1000000};
    MPI_Request request;
    int done = 0;
    MPI_Ibcast(data, (int)bytes, MPI_BYTE, 0, probe_comm, &request);
    for (MPI_Test(&request, &done, MPI_STATUS_IGNORE); !done;
         MPI_Test(&request, &done, MPI_STATUS_IGNORE))
        if (world.rank != 0)
            nanosleep(&pause, NULL);
    MPI_Wait(&request, MPI_STATUS_IGNORE); /* returns at once */
}

/* All processes of a host call it: it also finds out whether they have enough cores. */
static void join_cores(uint64_t *set, size_t words)
{
    int processes, cores = 0, crowded;
    MPI_Allreduce(MPI_IN_PLACE, set, (int)words, MPI_UINT64_T, MPI_BOR, host_comm);
    for (size_t i = 0; i < words; i++)
        cores += __builtin_popcountll(set[i]);
    MPI_Comm_size(host_comm, &processes);
    crowded = cores && processes > cores;
    MPI_Allreduce(MPI_IN_PLACE, &crowded, 1, MPI_INT, MPI_MAX, probe_comm);
    world.oversubscribed = crowded;
}

static const char *library(void)
{
    static char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    MPI_Get_library_version(text, &length);
    text[strcspn(text, ",\n")] = '\0'; /* its name and version; more follows */
    text[strnlen(text, 120)] = '\0';
    for (char *at = text; *at; at++)
        *at = *at == '\t' ? ' ' : *at;
    return text;
}

static void about(void)
{
    about_fact("MPI", "%s", world.library);
}

static int count_hosts(void)
{
    int rank, first, hosts;
    MPI_Comm_rank(host_comm, &rank);
    first = rank == 0;
    MPI_Allreduce(&first, &hosts, 1, MPI_INT, MPI_SUM, probe_comm);
    return hosts;
}

/* With another MPI library than the launcher's, each process believes that it is alone, and all of
 * them would write the file. */
static int check_launcher(void)
{
    long started = probe_started();
    if (started <= 1 || world.size > 1)
        return 0;
    return SAY_STATUS(1,
                      "cllprobe: error: the launcher started %ld processes, but this program uses "
                      "another MPI library (%s) and sees one; start it with that library's "
                      "launcher\n",
                      started, world.library);
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    output_setup();
    MPI_Comm_dup(MPI_COMM_WORLD, &probe_comm);
    MPI_Comm_split_type(probe_comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host_comm);
    const struct probe_family families[] = {probe_mpi, probe_bsp, {.name = NULL}};
    world = (struct probe_world){
        .library = library(), .share = share, .join_cores = join_cores, .about = about};
    MPI_Comm_rank(probe_comm, &world.rank);
    MPI_Comm_size(probe_comm, &world.size);
    world.hosts = count_hosts();
    world.families = world.size > 1 ? families : probe_alone.families;
    int status = check_launcher();
    if (!status)
        status = probe_run(argc, argv, &world);
    if (output_finish("cllprobe"))
        status = 1;
    MPI_Comm_free(&host_comm);
    MPI_Comm_free(&probe_comm);
    MPI_Finalize();
    return status;
}
