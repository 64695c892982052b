/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory: latency (a chain of dependent loads in random order), random (loads in random order that do
 * not wait for each other) and bandwidth (streams that read, write and copy) against the size of the
 * working set and the number of active cores. With several cores each has a working set of this size
 * of its own; latency and random are the mean over the cores, the bandwidth the sum. A member of the team goes on until the last one has measured.
 *
 * A cache may give way to lines that were used once and keep those that were used again: after one pass, a
 * working set that fits the last-level cache is only partly in it, and is read at about half of the speed that
 * it has after eight. A program uses its data again and again. So several passes come before a sample.
 *
 * Before a latency is measured, the lines are read in order, and the chain goes on where it ended the
 * last time. A working set that is a little larger than a cache is then partly in it, as that of a
 * program that accesses it at random. The walk is short, since other machines may use the last-level
 * cache, too: during a walk of ten milliseconds they replace much of what the passes brought there.
 *
 * Which pages of the memory a small working set has decides how well it fits the caches. So each
 * sample of up to SMALL bytes takes other pages: a window at a random place of a large pool, in which
 * the chain is made anew. Larger working sets have chains that are made once.
 *
 * One core has all sizes; several cores have every second power of two, with --quick every third.
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
    SMALL = 16 << 20,
    POOL = 64 << 20, /* at least, where there is memory */
    PAGE = 4096,
    MOST_SIZES = 128,
    MOST_GROUPS = MOST_SIZES / CHAINS,
    TEAM_SMALLEST = 16384, /* of several cores */
    WALK = 16384,          /* loads of a chain that are measured */
    WALK_BEFORE = 32768,   /* and before them: as many as usual second-level caches have lines */
};

/* Chains of several sizes in one piece of memory. */
struct group {
    void *memory;
    size_t bytes;
    size_t sizes[CHAINS];
    void **at[CHAINS];
    unsigned n;
};

/* Memory for streams and for small working sets. */
struct pool {
    char *memory;
    size_t bytes;
};

/* What one member of a team has. */
struct own {
    struct group chains; /* of the sizes above SMALL */
    struct pool pool;
};

static size_t sizes[MOST_SIZES];
static size_t nsizes;
static struct group groups[MOST_GROUPS]; /* of the sizes above SMALL, for one core */
static size_t ngroups;
static struct pool pool; /* for one core */
static size_t largest, team_largest;
static struct own *team; /* for several */
static int team_size;
static bool quick;
static uint64_t cache;     /* the largest one, or what a usual one has */
static size_t team_factor; /* from one size of several cores to the next */

/* ---- samples */

enum kind { LATENCY, RANDOM, READ, WRITE, COPY, KINDS };

/* Seconds of an access; the others are bytes per second. */
static bool is_time(enum kind kind)
{
    return kind == LATENCY || kind == RANDOM;
}

struct task {
    enum kind kind;
    size_t bytes;
    uint64_t seed;
    double *results; /* of each member: seconds per load, or bytes per second */
};

/* The memory of a working set: small ones at a random page. */
static char *window(const struct probe_member *m, const struct task *t)
{
    const struct pool *from = m->size > 1 ? &team[m->number].pool : &pool;
    uint64_t state = t->seed + (uint64_t)m->number;
    if (t->bytes > SMALL)
        return from->memory;
    return from->memory + probe_random(&state) % ((from->bytes - t->bytes) / PAGE + 1) * PAGE;
}

static void run_stream(enum kind kind, void *memory, size_t bytes)
{
    if (kind == READ)
        chain_stream_read(memory, bytes);
    else if (kind == WRITE)
        chain_stream_write(memory, bytes);
    else if (kind == COPY)
        chain_stream_copy(memory, bytes);
    else
        chain_touch(memory, bytes);
}

/* The members of a team share the largest cache. With --quick there is no time for many passes over large sets. */
static int passes_before(const struct probe_member *m, size_t bytes)
{
    if (bytes > cache / (unsigned)m->size)
        return 1;
    return !quick ? 8 : bytes <= SMALL ? 4 : 2;
}

/* The caches now have what a program that uses its data again finds there. */
static void warm_up(const struct probe_member *m, enum kind kind, void *memory, size_t bytes)
{
    for (int i = passes_before(m, bytes); i > 0; i--)
        run_stream(kind, memory, bytes);
}

/* The chain of a large working set. */
static struct group *group_of(const struct probe_member *m, size_t bytes, unsigned *which)
{
    size_t n = m->size > 1 ? 1 : ngroups;
    struct group *g = m->size > 1 ? &team[m->number].chains : groups;
    for (size_t i = 0; i < n; i++)
        for (*which = 0; *which < g[i].n; ++*which)
            if (g[i].sizes[*which] == bytes)
                return &g[i];
    return NULL;
}

static double time_walk(void ***at, size_t loads)
{
    double begin = probe_now();
    *at = chain_walk(*at, loads);
    return (probe_now() - begin) / (double)loads;
}

static void measure_latency(struct probe_member *m, const struct task *t)
{
    unsigned which;
    struct group *g = t->bytes > SMALL ? group_of(m, t->bytes, &which) : NULL;
    char *memory = g ? g->memory : window(m, t);
    void **start = (void **)memory, ***at = g ? &g->at[which] : &start;
    if (!g)
        chain_make(memory, t->bytes, 0, t->seed + (uint64_t)m->number);
    warm_up(m, LATENCY, memory, t->bytes);
    size_t lines = t->bytes / LINE;
    /* caches now have what random accesses leave */
    time_walk(at, lines < WALK_BEFORE ? lines : WALK_BEFORE);
    probe_team_wait(m);
    t->results[m->number] = time_walk(at, WALK);
    probe_team_measured(m);
    while (!probe_team_finished(m))
        time_walk(at, 1024);
}

static void measure_random(struct probe_member *m, const struct task *t)
{
    char *memory = window(m, t);
    size_t loads = quick ? 65536 : 262144;
    uint64_t seed = t->seed + (uint64_t)m->number, places[RANDOM_PLACES];
    chain_random_places(places, t->bytes, seed);
    warm_up(m, RANDOM, memory, t->bytes);
    chain_random_read(memory, t->bytes, places, quick ? 65536 : 131072, seed);
    probe_team_wait(m);
    double begin = probe_now();
    chain_random_read(memory, t->bytes, places, loads, seed + 1);
    t->results[m->number] = (probe_now() - begin) / (double)loads;
    probe_team_measured(m);
    while (!probe_team_finished(m))
        chain_random_read(memory, t->bytes, places, 1024, seed + 2);
}

static void measure_bandwidth(struct probe_member *m, const struct task *t)
{
    char *memory = window(m, t);
    size_t least = quick ? 1 << 20 : 4 << 20, repeats = (least + t->bytes - 1) / t->bytes;
    warm_up(m, t->kind, memory, t->bytes);
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
    else if (t->kind == RANDOM)
        measure_random(m, t);
    else
        measure_bandwidth(m, t);
}

static double sample(const struct probe_point *p, unsigned round)
{
    struct task t = {.kind = (enum kind)p->index,
                     .bytes = p->at.bytes,
                     .seed = ((uint64_t)round << 32) + p->at.bytes,
                     .results = mem_zalloc((size_t)p->at.cores, sizeof(double))};
    double sum = 0;
    if (probe_team_run(p->at.cores, work, &t) == 0)
        for (int i = 0; i < p->at.cores; i++)
            sum += t.results[i];
    mem_free(t.results);
    return is_time(t.kind) ? sum / p->at.cores : sum;
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

static bool make_pool(struct pool *p, size_t bytes, uint64_t memory)
{
    p->bytes = bytes < POOL && memory > POOL ? POOL : bytes;
    p->memory = chain_memory(p->bytes);
    if (p->memory)
        memset(p->memory, 1, p->bytes);
    return p->memory;
}

static bool make_single(uint64_t memory)
{
    size_t first = 0;
    while (first < nsizes && sizes[first] <= SMALL)
        first++;
    for (size_t i = first; i < nsizes; i += CHAINS, ngroups++)
        if (!make_group(&groups[ngroups], sizes + i,
                        nsizes - i < CHAINS ? (unsigned)(nsizes - i) : CHAINS))
            return false;
    return make_pool(&pool, largest, memory);
}

static atomic_bool failed;

/* Each member touches its memory first, so that it is near. */
static void make_own(struct probe_member *m)
{
    struct own *o = &team[m->number];
    const uint64_t *memory = m->user;
    size_t of[CHAINS];
    unsigned n = 0;
    for (size_t b = TEAM_SMALLEST; b <= team_largest && n < CHAINS; b *= team_factor)
        if (b > SMALL)
            of[n++] = b;
    if (!make_pool(&o->pool, team_largest, *memory) || (n && !make_group(&o->chains, of, n)))
        failed = true;
}

static bool make_team(int cores, uint64_t memory)
{
    uint64_t each = memory / (uint64_t)cores;
    team = mem_zalloc((size_t)cores, sizeof *team);
    team_size = cores;
    return probe_team_run(cores, make_own, &each) == 0 && !failed;
}

static void close_memory(void)
{
    for (size_t i = 0; i < MOST_GROUPS; i++)
        chain_free(groups[i].memory, groups[i].bytes);
    for (int i = 0; i < team_size; i++) {
        chain_free(team[i].chains.memory, team[i].chains.bytes);
        chain_free(team[i].pool.memory, team[i].pool.bytes);
    }
    chain_free(pool.memory, pool.bytes);
    mem_free(team);
    team = NULL;
    team_size = 0;
    pool = (struct pool){.memory = NULL};
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
    static const char *const names[KINDS] = {"latency", "random", "read", "write", "copy"};
    probe_add(p, (struct probe_point){.family = probe_memory.name,
                                      .name = names[kind],
                                      .unit = is_time(kind) ? "s" : "B/s",
                                      .at = {.bytes = bytes, .cores = cores},
                                      .has_bytes = true,
                                      .rate = !is_time(kind),
                                      .sample = sample,
                                      .index = kind});
}

static void add_points(struct probe *p, int cores)
{
    int counts[PROBE_COUNTS], n = probe_cores_counts(cores, counts);
    for (size_t i = 0; i < nsizes; i++)
        for (enum kind k = LATENCY; k < KINDS; k++)
            if (k == LATENCY || (k == RANDOM && i % 2 == 0) || is_power(sizes[i]))
                add(p, k, sizes[i], 1);
    for (int i = 1; i < n; i++)
        for (size_t b = TEAM_SMALLEST; b <= team_largest; b *= team_factor)
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
    team_factor = quick ? 8 : 4;
    uint64_t memory = p->system->memory / 8, known = probe_system_largest_cache(p->system);
    cache = known ? known : SMALL;
    uint64_t wanted = quick ? 64 << 20 : 256 << 20, most = quick ? 256 << 20 : 1 << 30;
    int cores = probe_cores_threads();
    if (wanted < 4 * known)
        wanted = 4 * known < most ? 4 * known : most;
    if (p->options.largest)
        wanted = p->options.largest;
    choose_sizes(within(memory, wanted), quick ? 2 : 4);
    team_largest = within(memory / (uint64_t)cores, wanted < 64 << 20 ? wanted : 64 << 20);
    failed = false;
    bool several = cores > 1 && team_largest >= TEAM_SMALLEST;
    if (!make_single(memory) || (several && !make_team(cores, memory))) {
        close_memory();
        return "there is not enough memory; --largest sets a smaller working set";
    }
    add_points(p, several ? cores : 1);
    return NULL;
}

const struct probe_family probe_memory = {
    .name = "memory", .open = open_memory, .close = close_memory};
