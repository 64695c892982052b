/* SPDX-License-Identifier: MIT */
/*
 * This process as a member of a parallel program. The driver describes it, before or after the
 * spool is made, so the description is kept here. gather.c has how the processes write one file.
 *
 * A forked child is not a member: the description belongs to one pid.
 */
#define _GNU_SOURCE
#include "cll/driver.h"
#include "cll/internal.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

_Static_assert(CLL_PLACES == SPOOL_PLACES, "the spool has room for the list of hosts");

unsigned cll_threads_seen = 1;

static struct {
    struct cll_member member;
    char name[16]; /* of the driver */
    pid_t pid;     /* of the member */
    int openmp;
    int stated_launched;            /* in the spool */
    const struct cll_driver *taken; /* by this driver; null: by none */
} parallel;

/* The launcher was not that of the MPI library: this is no program of one process. */
static void state_launched(void)
{
    if (parallel.pid != getpid() || !parallel.member.launched || parallel.stated_launched)
        return;
    cll_info("launched: %u", parallel.member.launched);
    parallel.stated_launched = 1;
}

void cll_driver_describe(void)
{
    struct spool_header *header = cll_spool_header();
    if (!header)
        return;
    header->openmp = (uint32_t)parallel.openmp;
    header->threads = __atomic_load_n(&cll_threads_seen, __ATOMIC_RELAXED);
    cll_driver_identify(header);
    state_launched();
}

void cll_driver_identify(struct spool_header *header)
{
    if (parallel.pid != getpid())
        return;
    memcpy(header->driver, parallel.name, sizeof header->driver);
    header->rank = parallel.member.rank;
    header->local = parallel.member.local;
    header->local_cores = parallel.member.local_cores;
    header->whole_cores = parallel.member.whole_cores;
    header->hosts = parallel.member.hosts;
    memcpy(header->host_ranks, parallel.member.host_ranks, sizeof header->host_ranks);
    memcpy(header->host_cores, parallel.member.host_cores, sizeof header->host_cores);
    if (parallel.member.places)
        strncpy(header->places, parallel.member.places, sizeof header->places - 1);
    header->job = parallel.member.job;
    header->world = parallel.member.world;
}

void cll_driver_join(const struct cll_member *joined)
{
    int error = errno;
    int locked = cll_lock(-1);
    parallel.member = *joined;
    strncpy(parallel.name, joined->driver, sizeof parallel.name - 1);
    parallel.pid = getpid();
    if (cll_measuring())
        cll_driver_describe();
    if (locked)
        cll_unlock();
    errno = error;
}

void cll_driver_openmp(void)
{
    parallel.openmp = 1;
    if (cll_spool_header())
        cll_spool_header()->openmp = 1;
}

void cll_see_threads(unsigned threads)
{
    unsigned seen = __atomic_load_n(&cll_threads_seen, __ATOMIC_RELAXED);
    while (threads > seen && !__atomic_compare_exchange_n(&cll_threads_seen, &seen, threads, 0,
                                                          __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
    if (!cll_lock(-1))
        return; /* cll_driver_describe or a report writes it */
    if (cll_measuring())
        cll_spool_header()->threads = __atomic_load_n(&cll_threads_seen, __ATOMIC_RELAXED);
    cll_unlock();
}

void cll_driver_cores(uint64_t *bits, unsigned words)
{
    cpu_set_t set;
    memset(bits, 0, words * sizeof *bits);
    if (sched_getaffinity(0, sizeof set, &set)) {
        bits[0] = 1;
        return;
    }
    for (unsigned i = 0; i < CPU_SETSIZE && i < words * 64; i++)
        if (CPU_ISSET(i, &set))
            bits[i / 64] |= (uint64_t)1 << i % 64;
}

unsigned cll_driver_whole_cores(const uint64_t *bits, unsigned words)
{
    return cll_machine_whole_cores(bits, words);
}

void cll_driver_host(char *name, size_t size)
{
    cll_machine_host(name, size);
}

/* Is the rank in a list such as "0-3,8-16:4"? Moves to the end of the list. */
static int in_list(const char **at, unsigned long rank)
{
    int found = 0;
    while (**at >= '0' && **at <= '9') {
        char *end;
        unsigned long from = strtoul(*at, &end, 10), to = from, step = 1;
        if (*end == '-')
            to = strtoul(end + 1, &end, 10);
        if (*end == ':')
            step = strtoul(end + 1, &end, 10);
        found |= step && rank >= from && rank <= to && (rank - from) % step == 0;
        *at = end + (*end == ',');
    }
    return found;
}

void cll_driver_host_of(unsigned rank, char *name, size_t size)
{
    name[0] = 0;
    if (parallel.pid != getpid() || parallel.member.hosts < 2)
        return;
    for (const char *at = parallel.member.places; at && *at; at += *at == '\n') {
        int found = in_list(&at, rank);
        at += *at == ' ';
        size_t length = strcspn(at, "\n");
        if (found)
            snprintf(name, size, "%.*s", (int)length, at);
        at += length;
    }
}

int cll_driver_simulated(void)
{
    return SIMULATED;
}

int cll_driver_possible(void)
{
    return !SIMULATED || cll_simulated_is_private();
}

void cll_driver_take(const struct cll_driver *driver)
{
    parallel.taken = driver;
}

int cll_driver_gives_way(const struct cll_driver *driver)
{
    return parallel.taken && parallel.taken != driver;
}

const char *cll_driver_program(void)
{
    return cll_settings.off ? NULL : cll_settings.program;
}

int cll_driver_is_member(void)
{
    return parallel.pid == getpid();
}

unsigned cll_driver_rank(void)
{
    return parallel.pid == getpid() ? parallel.member.rank : 0;
}

unsigned cll_driver_world(void)
{
    return parallel.pid == getpid() && parallel.member.world ? parallel.member.world : 1;
}

int64_t cll_driver_run(void)
{
    return parallel.pid == getpid() ? parallel.member.run : cll_settings.run;
}

int cll_driver_who(char *text, size_t size)
{
    char host[65];
    text[0] = 0;
    if (parallel.pid != getpid() || parallel.member.hosts < 2)
        return 0;
    cll_machine_host(host, sizeof host);
    return snprintf(text, size, "rank %u on host %s: ", parallel.member.rank, host);
}

double cll_driver_patience(void)
{
    return SIMULATED ? 0 : cll_settings.patience;
}

void cll_driver_say(const char *text)
{
    cll_say("%s", text);
}
