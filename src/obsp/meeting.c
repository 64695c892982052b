/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A hash table of the meetings that are open. Those that have ended are used again. */
#include "obsp/meeting.h"

#include <string.h>

#include "base/memory.h"

struct meetings {
    struct meeting **buckets;
    size_t nbuckets, n; /* a power of two */
    struct meeting *spare;
};

struct meetings *meetings_create(void)
{
    struct meetings *all = mem_zalloc(1, sizeof *all);
    all->nbuckets = 64;
    all->buckets = mem_zalloc(all->nbuckets, sizeof *all->buckets);
    return all;
}

static void free_list(struct meeting *m)
{
    while (m) {
        struct meeting *next = m->next;
        mem_free(m->of);
        mem_free(m);
        m = next;
    }
}

void meetings_destroy(struct meetings *all)
{
    for (size_t i = 0; i < all->nbuckets; i++)
        free_list(all->buckets[i]);
    free_list(all->spare);
    mem_free(all->buckets);
    mem_free(all);
}

static struct meeting **bucket(const struct meetings *all, unsigned object, long step)
{
    unsigned long h =
        ((unsigned long)object * 0x9e3779b97f4a7c15u) ^ ((unsigned long)step * 0xd6e8feb86659fd93u);
    return &all->buckets[(h >> 20) & (all->nbuckets - 1)];
}

static void more_buckets(struct meetings *all)
{
    struct meetings old = *all;
    all->nbuckets *= 2;
    all->buckets = mem_zalloc(all->nbuckets, sizeof *all->buckets);
    for (size_t i = 0; i < old.nbuckets; i++)
        for (struct meeting *m = old.buckets[i], *next; m; m = next) {
            struct meeting **to = bucket(all, m->object, m->step);
            next = m->next;
            m->next = *to;
            *to = m;
        }
    mem_free(old.buckets);
}

static struct meeting *make(struct meetings *all, const struct obsp_event *event, int process)
{
    struct meeting *m = all->spare;
    if (m)
        all->spare = m->next;
    else
        m = mem_zalloc(1, sizeof *m);
    struct arrival *of = m->of;
    int capacity = m->capacity;
    if (capacity < event->nprocs) {
        capacity = event->nprocs;
        of = mem_resize(of, (size_t)capacity, sizeof *of);
    }
    memset(of, 0, (size_t)event->nprocs * sizeof *of);
    *m = (struct meeting){.object = event->object,
                          .step = event->step,
                          .kind = event->kind,
                          .first = process - event->pid,
                          .nprocs = event->nprocs,
                          .witness = event->pid,
                          .of = of,
                          .capacity = capacity};
    return m;
}

struct meeting *meeting_find(struct meetings *all, const struct obsp_event *event, int process)
{
    struct meeting **at = bucket(all, event->object, event->step);
    for (struct meeting *m = *at; m; m = m->next)
        if (m->object == event->object && m->step == event->step)
            return m;
    if (all->n++ == all->nbuckets) {
        more_buckets(all);
        at = bucket(all, event->object, event->step);
    }
    struct meeting *m = make(all, event, process);
    m->next = *at;
    *at = m;
    return m;
}

void meeting_end(struct meetings *all, struct meeting *m)
{
    struct meeting **at = bucket(all, m->object, m->step);
    while (*at != m)
        at = &(*at)->next;
    *at = m->next;
    m->next = all->spare;
    all->spare = m;
    all->n--;
}

const struct meeting *meetings_any(const struct meetings *all)
{
    for (size_t i = 0; i < all->nbuckets; i++)
        if (all->buckets[i])
            return all->buckets[i];
    return NULL;
}
