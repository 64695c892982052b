/* SPDX-License-Identifier: MIT */
/*
 * Shelves: memory that the processes of a host share. The sender of a far packet puts its bytes on a shelf, and the receiver takes
 * them when it comes. Neither waits for the other, where MPI would need both at the same time, and large parts are copied, where
 * MPI copies each piece by itself.
 *
 * Each process has shelves of its own, all of the same size, which it alone fills. The header of a packet names the shelf. The
 * receiver counts in shared memory how often it emptied it, and the sender looks there when it needs a shelf. If none is empty,
 * the packet goes through MPI.
 *
 * The memory has no name that another user could take or that could stay behind (memfd_create). The others find it in /proc. If a
 * process of the host cannot share its memory with all others, there are no shelves.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pub/internal.h"

#define MOST   16                 /* shelves of a process */
#define SHARED ((size_t)32 << 20) /* bytes of all shelves of a host, at most */
#define LINE   128 /* bytes that the processor moves between cores at once, at most */
#define FRONT  ((size_t)MOST * LINE) /* bytes before the shelves: how often each was emptied */

static uint8_t **stores; /* the shelves of each process; NULL: it is on another host */
static uint32_t filled[MOST];
static unsigned nshelves; /* of each process; 0: there are none */

static size_t store_bytes(unsigned n)
{
    return FRONT + n * pub.shelf;
}

static uint32_t *emptied(uint8_t *store, unsigned shelf)
{
    return (uint32_t *)(store + (size_t)shelf * LINE);
}

static uint8_t *bytes_on(uint8_t *store, unsigned shelf)
{
    return store + FRONT + shelf * pub.shelf;
}

/* ---- begin and end */

/* Where the others find the memory of a process. Numbers of processes mean the same in one name space only. */
struct address {
    int64_t rank, process, space, descriptor; /* -1: there is no memory */
};

static uint8_t *map(int fd, size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

/* A file beyond the limit would end the program. */
static bool is_allowed(size_t bytes)
{
    struct rlimit limit;
    return !getrlimit(RLIMIT_FSIZE, &limit) &&
           (limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur >= bytes);
}

static struct address offer(size_t bytes)
{
    struct stat space;
    struct address mine = {pub.rank, getpid(), -1, -1};
    if (!stat("/proc/self/ns/pid", &space))
        mine.space = (int64_t)space.st_ino;
    int fd = is_allowed(bytes) ? memfd_create("libpub", MFD_CLOEXEC) : -1;
    if (fd >= 0 && !ftruncate(fd, (off_t)bytes))
        stores[pub.rank] = map(fd, bytes);
    mine.descriptor = fd;
    return mine;
}

static uint8_t *find(const struct address *of, size_t bytes)
{
    char name[80];
    snprintf(name, sizeof name, "/proc/%lld/fd/%lld", (long long)of->process,
             (long long)of->descriptor);
    int fd = of->descriptor < 0 ? -1 : open(name, O_RDWR | O_CLOEXEC);
    uint8_t *store = fd < 0 ? NULL : map(fd, bytes);
    if (fd >= 0)
        close(fd);
    return store;
}

static bool find_all(const struct address *of, int processes, size_t bytes)
{
    bool found = stores[pub.rank];
    for (int i = 0; i < processes && found; i++) {
        uint8_t **store = &stores[of[i].rank];
        if (of[i].space < 0 || of[i].space != of[0].space)
            return false;
        if (!*store)
            *store = find(&of[i], bytes);
        found = *store;
    }
    return found;
}

static void release(size_t bytes)
{
    for (int i = 0; stores && i < pub.size; i++)
        if (stores[i])
            munmap(stores[i], bytes);
    free(stores);
    stores = NULL;
}

static bool share(MPI_Comm host, int processes, size_t bytes)
{
    struct address *all = malloc((size_t)processes * sizeof *all);
    int found, all_found;
    stores = calloc((size_t)pub.size, sizeof *stores);
    if (!all || !stores)
        pub_fail(NULL, "no memory");
    struct address mine = offer(bytes);
    MPI_Allgather(&mine, sizeof mine, MPI_BYTE, all, sizeof mine, MPI_BYTE, host);
    found = find_all(all, processes, bytes);
    MPI_Allreduce(&found, &all_found, 1, MPI_INT, MPI_MIN, host);
    if (mine.descriptor >= 0)
        close((int)mine.descriptor);
    free(all);
    if (!all_found)
        release(bytes);
    return all_found;
}

void pub_shelves_begin(void)
{
    MPI_Comm host;
    int processes;
    MPI_Comm_split_type(pub.comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
    MPI_Comm_size(host, &processes);
    size_t fit = SHARED / pub.shelf / (size_t)processes;
    unsigned n = fit < MOST ? (unsigned)fit : MOST;
    if (processes > 1 && n && share(host, processes, store_bytes(n)))
        nshelves = n;
    MPI_Comm_free(&host);
}

void pub_shelves_end(void)
{
    release(store_bytes(nshelves));
    nshelves = 0;
}

/* ---- packets */

/* The first empty shelf: it is the most likely one to be in the cache. */
bool pub_shelf_fill(int receiver, struct pub_header *header, const void *bytes)
{
    if (!nshelves || !stores[receiver])
        return false;
    uint8_t *mine = stores[pub.rank];
    unsigned i = 0;
    while (i < nshelves && __atomic_load_n(emptied(mine, i), __ATOMIC_ACQUIRE) != filled[i])
        i++;
    if (i == nshelves)
        return false;
    filled[i]++;
    memcpy(bytes_on(mine, i), bytes, header->bytes);
    __atomic_thread_fence(__ATOMIC_RELEASE); /* before the header */
    header->shelf = (uint8_t)(i + 1);
    return true;
}

void pub_shelf_empty(int sender, const struct pub_header *header, void *to)
{
    uint8_t *store = stores[sender];
    unsigned shelf = header->shelf - 1u;
    __atomic_thread_fence(__ATOMIC_ACQUIRE); /* after the header */
    memcpy(to, bytes_on(store, shelf), header->bytes);
    __atomic_fetch_add(emptied(store, shelf), 1, __ATOMIC_RELEASE);
}
