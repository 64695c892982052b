/* SPDX-License-Identifier: MIT */
/* The host and the cores of the processes, and whether there are enough cores. */
#define _GNU_SOURCE
#include <ctype.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pub/internal.h"

#define WORDS 16 /* 1024 cores; on larger hosts the others are ignored */

static void cores(uint64_t set[WORDS])
{
    cpu_set_t allowed;
    memset(set, 0, WORDS * sizeof *set);
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) {
        for (unsigned i = 0; i < 64 * WORDS; i++)
            if (CPU_ISSET(i, &allowed))
                set[i / 64] |= (uint64_t)1 << i % 64;
        return;
    }
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    for (long i = 0; i < n && i < 64 * WORDS; i++)
        set[i / 64] |= (uint64_t)1 << i % 64;
}

static bool is_crowded(MPI_Comm host, int processes)
{
    uint64_t mine[WORDS], all[WORDS];
    int there = 0;
    cores(mine);
    MPI_Allreduce(mine, all, WORDS, MPI_UINT64_T, MPI_BOR, host);
    for (unsigned i = 0; i < WORDS; i++)
        there += __builtin_popcountll(all[i]);
    return processes > there;
}

void pub_host_begin(void)
{
    MPI_Comm host;
    int processes;
    if (pub_simulated())
        return; /* the simulator shares out simulated cores */
    MPI_Comm_split_type(pub.comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
    MPI_Comm_size(host, &processes);
    pub.crowded = is_crowded(host, processes);
    MPI_Comm_free(&host);
}

uint64_t pub_host_number(char *name, size_t room)
{
    char full[MPI_MAX_PROCESSOR_NAME + 1] = "";
    uint64_t set[WORDS], place = 0;
    int length = 0;
    MPI_Get_processor_name(full, &length);
    for (const char *at = full; *at; at++)
        place = pub_mix(place + (unsigned char)*at);
    cores(set);
    for (unsigned i = 0; i < WORDS; i++)
        place = pub_mix(place + set[i]);
    size_t n = 0;
    for (const char *at = full; *at && n + 1 < room; at++)
        name[n++] = isgraph((unsigned char)*at) && *at != '#' ? *at : '_';
    if (!n)
        name[n++] = '-';
    name[n] = '\0';
    return place;
}

char (*pub_host_names(void))[PUB_HOST]
{
    char mine[PUB_HOST], (*names)[PUB_HOST] = calloc((size_t)pub.size, sizeof *names);
    bool several = false;
    if (!names)
        pub_fail(NULL, "no memory");
    pub_host_number(mine, sizeof mine);
    MPI_Allgather(mine, PUB_HOST, MPI_CHAR, names, PUB_HOST, MPI_CHAR, pub.comm);
    for (int i = 1; i < pub.size; i++)
        several = several || strcmp(names[i], names[0]) != 0;
    if (several)
        return names;
    free(names);
    return NULL;
}
