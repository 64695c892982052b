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

/* The mask of the system has a bit for each core, too. False: it does not tell. */
static bool own_mask(uint64_t set[WORDS])
{
    return sched_getaffinity(0, WORDS * sizeof *set, (cpu_set_t *)set) == 0;
}

/* Where it is not allowed, the thread stays where it is. */
static void set_mask(const uint64_t set[WORDS])
{
    sched_setaffinity(0, WORDS * sizeof *set, (const cpu_set_t *)set);
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

void probe_cores_find(const struct probe_world *world)
{
    uint64_t set[WORDS] = {0};
    own_mask(set);
    world->join_cores(set, WORDS);
    if (world->size > 1 && world->rank == 0)
        set_mask(set); /* a launcher may have bound this process to one core */
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
    uint64_t set[WORDS] = {0};
    if (core < 0)
        return;
    set[core / 64] |= (uint64_t)1 << core % 64;
    set_mask(set);
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
    MEM_LOCAL struct probe_member *members = mem_zalloc((size_t)n, sizeof *members);
    MEM_LOCAL pthread_t *ids = mem_zalloc((size_t)n, sizeof *ids);
    uint64_t before[WORDS] = {0};
    bool known = own_mask(before);
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
        set_mask(before);
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
