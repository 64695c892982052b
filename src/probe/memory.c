/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory: latency (a chain of dependent loads in random order) and bandwidth (streams that read, write
 * and copy) against the size of the working set and the number of active cores. With several cores
 * each has a working set of this size of its own; the latency is the mean over the cores, the
 * bandwidth the sum. A member of the team goes on until the last one has measured.
 *
 * Before a latency is measured, the lines are read in order, and the chain goes on where it ended the
 * last time. A working set that is a little larger than a cache is then partly in it, as that of a
 * program that accesses it at random.
 *
 * One core has all sizes; several cores have every third power of two.
 */
#include "probe/system.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "base/memory.h"
#include "probe/chain.h"
#include "probe/cores.h"

enum {
    SMALLEST = 4096,
    MOST_SIZES = 128,
    MOST_GROUPS = MOST_SIZES / CHAINS,
    TEAM_SMALLEST = 16384, /* several cores: this size ... */
    TEAM_FACTOR = 8,       /* ... times this, and so on */
};

/* Chains of several sizes in one piece of memory. */
struct group {
    void *memory;
    size_t bytes;
    size_t sizes[CHAINS];
    void **at[CHAINS];
    unsigned n;
};

/* The memory of one member of a team. */
struct own {
    struct group chains;
    void *stream;
};

static size_t sizes[MOST_SIZES];
static size_t nsizes;
static struct group groups[MOST_GROUPS]; /* of all sizes, for one core */
static size_t ngroups;
static void *stream; /* for one core */
static size_t largest, team_largest;
static struct own *team; /* for several */
static int team_size;
static bool quick;

/* ---- samples */

enum kind { LATENCY, READ, WRITE, COPY, KINDS };

struct task {
    enum kind kind;
    size_t bytes;
    double *results; /* of each member: seconds per load, or bytes per second */
};

static struct group *group_of(int members, int number, size_t bytes, unsigned *which)
{
    size_t n = members > 1 ? 1 : ngroups;
    struct group *g = members > 1 ? &team[number].chains : groups;
    for (size_t i = 0; i < n; i++)
        for (*which = 0; *which < g[i].n; ++*which)
            if (g[i].sizes[*which] == bytes)
                return &g[i];
    return NULL;
}

static double time_walk(struct group *g, unsigned which, size_t loads)
{
    double begin = probe_now();
    g->at[which] = chain_walk(g->at[which], loads);
    return (probe_now() - begin) / (double)loads;
}

static void measure_latency(struct probe_member *m, const struct task *t)
{
    unsigned which;
    struct group *g = group_of(m->size, m->number, t->bytes, &which);
    if (!g)
        return;
    chain_touch(g->memory, t->bytes);
    time_walk(g, which, 4096);
    probe_team_wait(m);
    t->results[m->number] = time_walk(g, which, quick ? 32768 : 65536);
    probe_team_measured(m);
    while (!probe_team_finished(m))
        time_walk(g, which, 1024);
}

static void run_stream(enum kind kind, void *memory, size_t bytes)
{
    if (kind == READ)
        stream_read(memory, bytes);
    else if (kind == WRITE)
        stream_write(memory, bytes);
    else
        stream_copy(memory, bytes);
}

static void measure_bandwidth(struct probe_member *m, const struct task *t)
{
    void *memory = m->size > 1 ? team[m->number].stream : stream;
    size_t least = quick ? 1 << 20 : 4 << 20, repeats = (least + t->bytes - 1) / t->bytes;
    run_stream(t->kind, memory, t->bytes);
    probe_team_wait(m);
    double begin = probe_now();
    for (size_t i = 0; i < repeats; i++)
        run_stream(t->kind, memory, t->bytes);
    t->results[m->number] = (double)(repeats * t->bytes) / (probe_now() - begin);
    probe_team_measured(m);
    while (!probe_team_finished(m))
        run_stream(t->kind, memory, t->bytes < 65536 ? t->bytes : 65536);
}

static void work(struct probe_member *m)
{
    const struct task *t = m->user;
    if (t->kind == LATENCY)
        measure_latency(m, t);
    else
        measure_bandwidth(m, t);
}

static double sample(const struct probe_point *p, unsigned round)
{
    struct task t = {.kind = (enum kind)p->index,
                     .bytes = p->at.bytes,
                     .results = mem_zalloc((size_t)p->at.cores, sizeof(double))};
    double sum = 0;
    (void)round;
    if (probe_team_run(p->at.cores, work, &t) == 0)
        for (int i = 0; i < p->at.cores; i++)
            sum += t.results[i];
    mem_free(t.results);
    return t.kind == LATENCY ? sum / p->at.cores : sum;
}

/* ---- memory */

static bool make_group(struct group *g, const size_t *of, unsigned n)
{
    g->bytes = of[n - 1];
    g->memory = chain_memory(g->bytes);
    if (!g->memory)
        return false;
    for (g->n = 0; g->n < n; g->n++) {
        g->sizes[g->n] = of[g->n];
        chain_make(g->memory, of[g->n], g->n, of[g->n]);
        g->at[g->n] = (void **)g->memory + g->n;
    }
    return true;
}

static bool make_single(void)
{
    stream = chain_memory(largest);
    if (!stream)
        return false;
    memset(stream, 1, largest);
    for (size_t i = 0; i < nsizes; i += CHAINS, ngroups++)
        if (!make_group(&groups[ngroups], sizes + i,
                        nsizes - i < CHAINS ? (unsigned)(nsizes - i) : CHAINS))
            return false;
    return true;
}

static atomic_bool failed;

/* Each member touches its memory first, so that it is near. */
static void make_own(struct probe_member *m)
{
    struct own *o = &team[m->number];
    size_t of[CHAINS];
    unsigned n = 0;
    for (size_t b = TEAM_SMALLEST; b <= team_largest && n < CHAINS; b *= TEAM_FACTOR)
        of[n++] = b;
    o->stream = chain_memory(team_largest);
    if (o->stream)
        memset(o->stream, 1, team_largest);
    if (!o->stream || !make_group(&o->chains, of, n))
        failed = true;
}

static bool make_team(int cores)
{
    team = mem_zalloc((size_t)cores, sizeof *team);
    team_size = cores;
    return probe_team_run(cores, make_own, NULL) == 0 && !failed;
}

static void close_memory(void)
{
    for (size_t i = 0; i < MOST_GROUPS; i++)
        chain_free(groups[i].memory, groups[i].bytes);
    for (int i = 0; i < team_size; i++) {
        chain_free(team[i].chains.memory, team[i].chains.bytes);
        chain_free(team[i].stream, team_largest);
    }
    chain_free(stream, largest);
    mem_free(team);
    team = NULL;
    stream = NULL;
    team_size = 0;
    memset(groups, 0, sizeof groups);
}

/* ---- points */

/* Sizes from SMALLEST to `end`, so many in each doubling, multiples of 256 bytes. */
static void choose_sizes(size_t end, int each)
{
    size_t exponent = 0;
    nsizes = ngroups = 0;
    while (nsizes < MOST_SIZES) {
        double wanted = SMALLEST * pow(2, (double)exponent / each);
        size_t bytes = exponent % (size_t)each ? (size_t)(wanted / 256 + 0.5) * 256
                                               : (size_t)SMALLEST << exponent / (size_t)each;
        if (bytes > end)
            break;
        sizes[nsizes++] = bytes;
        exponent++;
    }
    largest = sizes[nsizes - 1];
}

static bool is_power(size_t n)
{
    return (n & (n - 1)) == 0;
}

static void add(struct probe *p, enum kind kind, size_t bytes, int cores)
{
    static const char *const names[KINDS] = {"latency", "read", "write", "copy"};
    probe_add(p, (struct probe_point){.family = probe_memory.name,
                                      .name = names[kind],
                                      .unit = kind == LATENCY ? "s" : "B/s",
                                      .at = {.bytes = bytes, .cores = cores},
                                      .has_bytes = true,
                                      .rate = kind != LATENCY,
                                      .sample = sample,
                                      .index = kind});
}

static void add_points(struct probe *p, int cores)
{
    int counts[PROBE_COUNTS], n = probe_cores_counts(cores, counts);
    for (size_t i = 0; i < nsizes; i++)
        for (enum kind k = LATENCY; k < KINDS; k++)
            if (k == LATENCY || is_power(sizes[i]))
                add(p, k, sizes[i], 1);
    for (int i = 1; i < n; i++)
        for (size_t b = TEAM_SMALLEST; b <= team_largest; b *= TEAM_FACTOR)
            for (enum kind k = LATENCY; k < KINDS; k++)
                if (k != WRITE)
                    add(p, k, b, counts[i]);
}

/* The largest size for which a total of `memory` bytes is there. */
static size_t within(uint64_t memory, uint64_t wanted)
{
    size_t bytes = SMALLEST;
    while (bytes * 2 <= wanted && bytes * 2 <= memory)
        bytes *= 2;
    return bytes;
}

static const char *open_memory(struct probe *p)
{
    quick = p->options.quick;
    uint64_t cache = probe_system_largest_cache(p->system), memory = p->system->memory / 8;
    uint64_t wanted = quick ? 64 << 20 : 256 << 20, most = quick ? 256 << 20 : 1 << 30;
    int cores = probe_cores_threads();
    if (wanted < 4 * cache)
        wanted = 4 * cache < most ? 4 * cache : most;
    if (p->options.largest)
        wanted = p->options.largest;
    choose_sizes(within(memory, wanted), quick ? 2 : 4);
    team_largest = within(memory / (uint64_t)cores, wanted < 64 << 20 ? wanted : 64 << 20);
    failed = false;
    if (!make_single() || (cores > 1 && team_largest >= TEAM_SMALLEST && !make_team(cores))) {
        close_memory();
        return "there is not enough memory; --largest sets a smaller working set";
    }
    add_points(p, team_largest >= TEAM_SMALLEST ? cores : 1);
    return NULL;
}

const struct probe_family probe_memory = {
    .name = "memory", .open = open_memory, .close = close_memory};
