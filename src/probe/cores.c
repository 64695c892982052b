/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE
#include "probe/cores.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "probe/system.h"

enum { WORDS = PROBE_CORES / 64 };

static int list[PROBE_CORES]; /* numbers of cores, as the system has them */
static int threads, physical;

/* ---- which there are */

static bool in_set(const uint64_t *set, int core)
{
    return set[core / 64] >> core % 64 & 1;
}

static void own_mask(uint64_t set[WORDS])
{
    cpu_set_t *mask = CPU_ALLOC(PROBE_CORES);
    size_t size = CPU_ALLOC_SIZE(PROBE_CORES);
    if (mask && sched_getaffinity(0, size, mask) == 0)
        for (int i = 0; i < PROBE_CORES; i++)
            if (CPU_ISSET_S(i, size, mask))
                set[i / 64] |= (uint64_t)1 << i % 64;
    if (mask)
        CPU_FREE(mask);
}

/* Whether this is the first hardware thread of its core, among those in the set. */
static bool is_first(int core, const uint64_t *set)
{
    char path[96], text[256] = "";
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list",
             core);
    FILE *f = fopen(path, "re");
    if (!f)
        return true;
    const char *siblings = fgets(text, sizeof text, f);
    fclose(f);
    for (int from, to; siblings && probe_next_cores(&siblings, &from, &to);)
        for (int i = from; i <= to && i < core && i < PROBE_CORES; i++)
            if (in_set(set, i))
                return false;
    return true;
}

/* A launcher may have bound this process to one core. Its threads may use all cores of the set. */
static void widen(const uint64_t set[WORDS])
{
    cpu_set_t *mask = CPU_ALLOC(PROBE_CORES);
    size_t size = CPU_ALLOC_SIZE(PROBE_CORES);
    if (!mask)
        return;
    CPU_ZERO_S(size, mask);
    for (int i = 0; i < PROBE_CORES; i++)
        if (in_set(set, i))
            CPU_SET_S(i, size, mask);
    sched_setaffinity(0, size, mask);
    CPU_FREE(mask);
}

void probe_cores_find(const struct probe_world *world)
{
    uint64_t set[WORDS] = {0};
    own_mask(set);
    world->join_cores(set, WORDS);
    if (world->size > 1 && world->rank == 0)
        widen(set);
    threads = physical = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < PROBE_CORES; i++)
            if (in_set(set, i) && is_first(i, set) == (pass == 0))
                list[threads++] = i;
        if (pass == 0)
            physical = threads;
    }
    if (threads == 0) /* the system does not tell */
        threads = physical = 1, list[0] = -1;
}

int probe_cores_threads(void)
{
    return threads;
}

int probe_cores_physical(void)
{
    return physical;
}

int probe_cores_counts(int most, int counts[PROBE_COUNTS])
{
    int n = 0;
    for (int i = 1; i < most && n < PROBE_COUNTS - 1; i *= 2)
        counts[n++] = i;
    counts[n++] = most;
    return n;
}

/* ---- teams */

struct probe_team {
    atomic_int arrived, phase, measured;
    atomic_int begin; /* 0: wait, 1: work, -1: leave */
    void (*work)(struct probe_member *m);
};

static void relax(unsigned *spins)
{
    if (++*spins > 1000) /* perhaps there are fewer cores than members */
        sched_yield();
}

static void go_to(int core)
{
    cpu_set_t *mask = CPU_ALLOC(PROBE_CORES);
    size_t size = CPU_ALLOC_SIZE(PROBE_CORES);
    if (!mask || core < 0)
        return;
    CPU_ZERO_S(size, mask);
    CPU_SET_S(core, size, mask);
    sched_setaffinity(0, size, mask); /* where it is not allowed, the thread stays where it is */
    CPU_FREE(mask);
}

static void *member(void *argument)
{
    struct probe_member *m = argument;
    unsigned spins = 0;
    int begin;
    go_to(list[m->number % threads]);
    while ((begin = atomic_load(&m->team->begin)) == 0)
        relax(&spins);
    if (begin > 0)
        m->team->work(m);
    return NULL;
}

int probe_team_run(int n, void (*work)(struct probe_member *m), void *user)
{
    struct probe_team team = {.work = work};
    struct probe_member *members = mem_zalloc((size_t)n, sizeof *members);
    pthread_t *ids = mem_zalloc((size_t)n, sizeof *ids);
    cpu_set_t *before = CPU_ALLOC(PROBE_CORES);
    size_t size = CPU_ALLOC_SIZE(PROBE_CORES);
    bool known = before && sched_getaffinity(0, size, before) == 0;
    int made = 1, error = 0;
    for (int i = 0; i < n; i++)
        members[i] = (struct probe_member){.number = i, .size = n, .user = user, .team = &team};
    while (made < n && !(error = pthread_create(&ids[made], NULL, member, &members[made])))
        made++;
    atomic_store(&team.begin, error ? -1 : 1);
    if (!error)
        member(&members[0]);
    for (int i = 1; i < made; i++)
        pthread_join(ids[i], NULL);
    if (known)
        sched_setaffinity(0, size, before);
    if (before)
        CPU_FREE(before);
    mem_free(ids);
    mem_free(members);
    errno = error;
    return error ? -1 : 0;
}

void probe_team_wait(struct probe_member *m)
{
    struct probe_team *team = m->team;
    int phase = atomic_load(&team->phase);
    unsigned spins = 0;
    if (atomic_fetch_add(&team->arrived, 1) + 1 == m->size) {
        atomic_store(&team->arrived, 0);
        atomic_fetch_add(&team->phase, 1);
        return;
    }
    while (atomic_load(&team->phase) == phase)
        relax(&spins);
}

void probe_team_measured(struct probe_member *m)
{
    atomic_fetch_add(&m->team->measured, 1);
}

bool probe_team_finished(const struct probe_member *m)
{
    return atomic_load(&m->team->measured) >= m->size;
}
