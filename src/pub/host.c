/* SPDX-License-Identifier: MIT */
/* The host and the cores of the processes, whether there are enough cores, and whether processes may read the memory of
   each other. */
#define _GNU_SOURCE
#include <ctype.h>
#include <sched.h>
#include <string.h>
#include <sys/uio.h>
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

/* Where a process has a number that others can verify. */
struct mark {
    uint64_t process, address, value;
};

static bool can_read(const struct mark *of)
{
    uint64_t got = 0;
    struct iovec to = {&got, sizeof got}, from = {(void *)(uintptr_t)of->address, sizeof got};
    return process_vm_readv((pid_t)of->process, &to, 1, &from, 1, 0) == (ssize_t)sizeof got &&
           got == of->value;
}

/* Each process of the host tries to read the memory of the one before it. */
static bool all_can_read(MPI_Comm host, int processes)
{
    static uint64_t here;
    struct mark mine, other;
    int me, can, all;
    MPI_Comm_rank(host, &me);
    here = pub_mix((uint64_t)getpid() + (uint64_t)pub.rank);
    mine = (struct mark){(uint64_t)getpid(), (uint64_t)(uintptr_t)&here, here};
    MPI_Sendrecv(&mine, 3, MPI_UINT64_T, (me + 1) % processes, 0, &other, 3, MPI_UINT64_T,
                 (me + processes - 1) % processes, 0, host, MPI_STATUS_IGNORE);
    can = can_read(&other);
    MPI_Allreduce(&can, &all, 1, MPI_INT, MPI_MIN, host);
    return all;
}

void pub_host_begin(void)
{
    MPI_Comm host;
    int processes;
    if (pub_simulated())
        return; /* the simulator shares out simulated cores, and its messages need no sender */
    MPI_Comm_split_type(pub.comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
    MPI_Comm_size(host, &processes);
    pub.crowded = is_crowded(host, processes);
    pub.sender_copies = processes == pub.size && !all_can_read(host, processes);
    MPI_Comm_free(&host);
}

uint64_t pub_host_place(char *name, size_t room)
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
