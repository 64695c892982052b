/* SPDX-License-Identifier: MIT */
/*
 * PUB_CHECK=1: checks that need communication.
 *
 * The watchdog. A processor that has waited for PUB_CHECK_SECONDS tells all others what it waits
 * for, and tells them when it no longer waits. If all wait, and processor 0 has received nothing new
 * for as long again, the program hangs: processor 0 reports what each processor waits for, and ends
 * the program.
 *
 * Counts. When an object is given back, and at the end, all its processors compare how many
 * supersteps they made and how each superstep ended.
 */
#define _GNU_SOURCE /* secure_getenv */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "pub/internal.h"

#define TEXT 160
#define HOST 65 /* bytes of a name */

static struct {
    bool active;
    char text[TEXT];
    const struct pub_object *object;
    uint64_t since; /* of waiting without anything coming */
    bool told;
    uint64_t news; /* when the last status came */
    bool complained;
} wait;

static char (*others)[TEXT]; /* what they wait for; empty: they do not */
static unsigned polls;
static char (*hosts)[HOST]; /* of all processes; null: one host */

/* Collective. */
static void learn_hosts(void)
{
    char mine[HOST];
    bool several = false;
    pub_host_place(mine, sizeof mine);
    free(hosts);
    hosts = calloc((size_t)pub.size, sizeof *hosts);
    if (!hosts)
        pub_fail(NULL, "no memory");
    MPI_Allgather(mine, HOST, MPI_CHAR, hosts, HOST, MPI_CHAR, pub.comm);
    for (int i = 1; i < pub.size; i++)
        several = several || strcmp(hosts[i], hosts[0]) != 0;
    if (several)
        return;
    free(hosts);
    hosts = NULL;
}

void pub_check_begin(void)
{
    const char *text = secure_getenv("PUB_CHECK_SECONDS");
    char *end;
    pub.check_seconds = 10;
    if (text && *text) {
        pub.check_seconds = strtod(text, &end);
        if (*end || !(pub.check_seconds > 0 && pub.check_seconds < 1e6))
            pub_fail(NULL, "PUB_CHECK_SECONDS=%s: a number of seconds is expected", text);
    }
    MPI_Bcast(&pub.check_seconds, 1, MPI_DOUBLE, 0, pub.comm);
    others = calloc((size_t)pub.size, sizeof *others);
    if (!others)
        pub_fail(NULL, "no memory");
    if (!pub_simulated())
        learn_hosts();
}

/* ---- the watchdog */

static void tell(const char *text)
{
    struct pub_header header = {.kind = PUB_STATUS, .src = (uint32_t)pub.rank, .bytes = TEXT};
    for (int i = 1; i < pub.size; i++) {
        uint8_t *block = pub_take(sizeof header + TEXT);
        memset(block + sizeof header, 0, TEXT);
        strcpy((char *)block + sizeof header, text);
        pub_send_block((pub.rank + i) % pub.size, &header, block);
    }
}

void pub_status(struct pub_packet *packet)
{
    if (others)
        memcpy(others[packet->header.src], packet->data, TEXT);
    wait.news = pub_clock();
    pub_packet_free(packet);
}

void pub_progressed(void)
{
    wait.since = pub_clock();
    if (wait.told)
        tell("");
    wait.told = false;
}

void pub_waiting(const struct pub_object *object, const char *what, int64_t wanted, int64_t have)
{
    if (!object) {
        if (wait.told)
            tell("");
        wait.active = wait.told = false;
        return;
    }
    if (!wait.active)
        wait.since = pub_clock();
    wait.active = true;
    wait.object = object;
    snprintf(wait.text, sizeof wait.text,
             "%s: processor %d of %d%s, superstep %llu: waits for %s, %lld of %lld", pub.call,
             object->pid, object->size, object->family.depth ? pub_object_name(object) : "",
             (unsigned long long)object->step, what, (long long)have, (long long)wanted);
}

static bool all_wait(void)
{
    for (int i = 0; i < pub.size; i++)
        if (i != pub.rank && !others[i][0])
            return false;
    return true;
}

static void report_hang(double seconds)
{
    strcpy(others[pub.rank], wait.text);
    pub_say("all processors wait, and nothing has arrived for %.3g s:", seconds);
    for (int i = 0; i < pub.size; i++)
        pub_say("  %s", others[i]);
    pub_fail(wait.object, "no processor can go on");
}

/* Some processors are not in the library: they may compute. The lowest one that waits reports it,
   once. */
static void complain(double seconds)
{
    char list[400] = "";
    size_t n = 0;
    for (int i = 0; i < pub.rank; i++)
        if (others[i][0])
            return;
    for (int i = 0; i < pub.size && n + 24 + HOST < sizeof list; i++)
        if (i != pub.rank && !others[i][0])
            n += (size_t)snprintf(list + n, sizeof list - n, "%s%d%s%s", n ? ", " : "", i,
                                  hosts ? " on " : "", hosts ? hosts[i] : "");
    pub_say("%s, for %.0f s; processes that are not in the library: %s", wait.text, seconds, list);
    wait.complained = true;
}

void pub_watch(void)
{
    struct timespec pause = {0, 20000};
    if (++polls % 64)
        return;
    double seconds = (double)(pub_clock() - wait.since) * 1e-9;
    if (seconds < 0.001)
        return;
    nanosleep(&pause, NULL);
    if (!wait.active || seconds < pub.check_seconds)
        return;
    if (pub_far_receiving()) { /* a large message is arriving */
        pub_progressed();
        return;
    }
    if (!wait.told)
        tell(wait.text);
    wait.told = true;
    if (all_wait()) {
        if (pub.rank == 0 && (double)(pub_clock() - wait.news) * 1e-9 > pub.check_seconds &&
            seconds > 2 * pub.check_seconds)
            report_hang(seconds);
    } else if (seconds > 6 * pub.check_seconds && !wait.complained) {
        complain(seconds);
    }
}

/* ---- counts */

struct tally {
    int64_t least, most; /* supersteps */
    int64_t least_at, most_at;
    uint64_t endings;
    int64_t differs; /* a processor whose endings differ from those before it, or -1 */
    int64_t pid;
};

static void merge(void *accumulated, const void *more, size_t count)
{
    struct tally *a = accumulated;
    const struct tally *b = more;
    (void)count;
    if (b->least < a->least)
        a->least = b->least, a->least_at = b->least_at;
    if (b->most > a->most)
        a->most = b->most, a->most_at = b->most_at;
    if (a->differs < 0)
        a->differs = b->differs >= 0 ? b->differs : b->endings != a->endings ? b->pid : -1;
}

void pub_check_superstep(struct pub_object *object, bool oblivious)
{
    object->endings = (object->endings ^ (oblivious ? 1u : 2u)) * 0x9e3779b97f4a7c15u + 1;
}

void pub_check_done(struct pub_object *object)
{
    t_bsp bsp = {object, object->incarnation};
    const char *call = pub.call;
    int64_t step = (int64_t)object->step;
    struct tally mine = {step, step, object->pid, object->pid, object->endings, -1, object->pid},
                 all;
    t_bsprequest request = bsp_iallreduce(&bsp, merge, &mine, &all, 1, sizeof mine);
    pub_collective_serves(request, call);
    bsp_wait(&request);
    if (all.least != all.most)
        pub_fail(object,
                 "processor %lld is here in superstep %lld, processor %lld in superstep %lld",
                 (long long)all.least_at, (long long)all.least, (long long)all.most_at,
                 (long long)all.most);
    if (all.differs >= 0)
        pub_fail(object,
                 "processor %lld ended a superstep with bsp_sync that processor 0 ended with "
                 "bsp_oblsync, or the other way round",
                 (long long)all.differs);
}
