/* SPDX-License-Identifier: MIT */
/*
 * bsp_parameter: measures s, g and l by the second method of "PUB on Parsytec": it times real
 * h-relations and fits a line through the times, time = l + g h.
 *
 * A point is a pattern and a size. The patterns are a shift (one message to a neighbour, a different
 * one in each round), a total exchange, and messages to processors drawn at random, which are the
 * same in each round. h is the largest number of bytes that any processor sends or receives. A
 * sample of a point is a synchronisation and then some supersteps in a row, without computation. Its
 * time is that of the slowest processor.
 *
 * Each round visits all points, because a machine has slow phases: so a slow phase affects all
 * points, not one. The value of a point is the tenth percentile over the rounds. The spread comes
 * from separate lines for each pattern and each third of the time.
 *
 * The supersteps belong to a private object, so the program's objects, messages and traces are not
 * disturbed. A simulated machine has no slow phases, so one round is enough.
 */
#define _GNU_SOURCE /* secure_getenv */
#include <stdlib.h>
#include <string.h>

#include "pub/internal.h"

enum pattern { SHIFT, EXCHANGE, RANDOM, PATTERNS };

static const size_t sizes[] = {0, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576};

#define SIZES   (sizeof sizes / sizeof *sizes)
#define POINTS  (PATTERNS * SIZES)
#define COLUMNS (POINTS + 2) /* of a round: then the kernel, and whether the host is crowded */
#define KERNEL  POINTS
#define CROWDED (POINTS + 1)

#define ROUNDS     300    /* at most */
#define PARTS      3      /* of the time, each with a line of its own */
#define SECONDS    0.5    /* for all rounds */
#define SAMPLE     50e-6  /* seconds that a sample takes at least, by repeating */
#define REPEAT     32     /* at most */
#define LONGEST    0.02   /* seconds of one superstep: no larger sizes then */
#define SLOW       0.002  /* seconds of an empty superstep: fewer sizes then */
#define DRAWS      4      /* messages of a processor in the random pattern */
#define LOW        0.1    /* the quantile */
#define OPERATIONS 200000 /* of the kernel */
#define FEW        16     /* processors: a simulation of more takes long, so it does less */
#define PARTNERS   4      /* in an exchange of more than FEW simulated processors */

/* What all processors do; processor 0 decides. */
struct plan {
    uint32_t sizes; /* only sizes below this index ... */
    uint32_t step;  /* ... and of these each step-th */
    uint32_t repeat[POINTS];
    int go_on;
};

struct trial {
    t_bsp bsp;
    struct pub_object *object;
    uint8_t *buffer; /* to send from */
    struct plan plan;
    double *times; /* a row of COLUMNS for each round */
    uint32_t rounds;
};

void smpi_execute_flops(double flops) __attribute__((weak));

/* ---- h-relations */

static size_t block_of(size_t bytes, int messages)
{
    size_t block = bytes / (size_t)messages;
    return bytes && !block ? 1 : block;
}

static int partners(int p)
{
    return p == 1 ? 1 : pub_simulated() && p > FEW ? PARTNERS : p - 1;
}

/* The processors at evenly spread distances; if all are partners, each once. */
static int partner(int p, int pid, int i)
{
    return p == 1 ? 0 : (int)((pid + 1 + (int64_t)i * (p - 1) / partners(p)) % p);
}

static int drawn(int p, int pid, size_t size, int i)
{
    uint64_t number = ((uint64_t)size * DRAWS + (uint64_t)i) << 32 | (uint32_t)pid;
    return p == 1 ? 0 : (int)((uint64_t)(pid + 1) + pub_mix(number + 1) % (uint64_t)(p - 1)) % p;
}

static void send_all(struct trial *t, enum pattern pattern, size_t size, uint32_t round)
{
    int p = t->object->size, pid = t->object->pid, n = pattern == EXCHANGE ? partners(p) : DRAWS;
    size_t block = block_of(sizes[size], n);
    if (!block)
        return;
    if (pattern == SHIFT) {
        int distance = p > 1 ? (int)(1 + round % (uint32_t)(p - 1)) : 0;
        bsp_hpsend(&t->bsp, (pid + distance) % p, t->buffer, sizes[size]);
        return;
    }
    for (int i = 0; i < n; i++)
        bsp_hpsend(&t->bsp, pattern == EXCHANGE ? partner(p, pid, i) : drawn(p, pid, size, i),
                   t->buffer + (size_t)i * block, block);
}

/* The h of a point. All patterns but the random one send as much as they receive. */
static double h_of(int p, enum pattern pattern, size_t size)
{
    if (pattern == SHIFT)
        return (double)sizes[size];
    if (pattern == EXCHANGE)
        return (double)(block_of(sizes[size], partners(p)) * (size_t)partners(p));
    int *in = calloc((size_t)p, sizeof *in), most = DRAWS;
    if (!in)
        pub_fail(NULL, "no memory");
    for (int pid = 0; pid < p; pid++)
        for (int i = 0; i < DRAWS; i++) {
            int dest = drawn(p, pid, size, i);
            if (++in[dest] > most)
                most = in[dest];
        }
    free(in);
    return (double)(block_of(sizes[size], DRAWS) * (size_t)most);
}

/* ---- measuring */

static double time_point(struct trial *t, size_t point, uint32_t round, uint32_t repeat)
{
    enum pattern pattern = (enum pattern)(point / SIZES);
    pub_sync(t->object);
    double begin = pub_seconds();
    for (uint32_t i = 0; i < repeat; i++) {
        send_all(t, pattern, point % SIZES, round);
        pub_sync(t->object);
    }
    return (pub_seconds() - begin) / repeat;
}

/* Seconds for OPERATIONS multiplications and additions. */
static double time_kernel(void)
{
    enum { N = 500 };
    static double x[N], y[N];
    static volatile double sink;
    double begin = pub_seconds();
    if (pub_simulated() && smpi_execute_flops) {
        smpi_execute_flops(OPERATIONS);
        return pub_seconds() - begin;
    }
    for (int i = 0; i < N; i++)
        x[i] = y[i] = 1 + i;
    begin = pub_seconds();
    for (int repeat = 0; repeat < OPERATIONS / (2 * N); repeat++) {
        for (int i = 0; i < N; i++)
            y[i] = 0.5 * y[i] + x[i];
        sink = y[repeat % N];
    }
    (void)sink;
    return pub_seconds() - begin;
}

static uint32_t repeats(double seconds)
{
    return seconds * REPEAT < SAMPLE ? REPEAT : 1 + (uint32_t)(SAMPLE / seconds);
}

/* If one processor starts a superstep later than another, by the time of a message, the other ends
   the superstep later by the same time, and so on alternately. So two supersteps in a row are
   timed. A superstep with large messages before them removes the difference. */
static void plan_simulated(struct trial *t)
{
    t->plan.step = t->object->size > FEW ? 4 : 1;
    for (size_t point = 0; point < POINTS; point++)
        t->plan.repeat[point] = 2;
    time_point(t, POINTS - 1, 0, 1);
}

/* Runs each size once to warm up and once to time it; the first size that takes long is the last.
   Processor 0 decides. */
static void make_plan(struct trial *t)
{
    struct plan *plan = &t->plan;
    *plan = (struct plan){.sizes = SIZES, .step = 1};
    if (pub_simulated()) {
        plan_simulated(t);
        return;
    }
    for (size_t size = 0; size < plan->sizes; size += plan->step) {
        double slowest = 0;
        for (size_t point = size; point < POINTS; point += SIZES) {
            time_point(t, point, 0, 1);
            double seconds = time_point(t, point, 0, 1);
            slowest = seconds > slowest ? seconds : slowest;
            plan->repeat[point] = repeats(seconds);
        }
        if (size == 0 && slowest > SLOW)
            plan->step = 4;
        if (size >= plan->step && slowest > LONGEST)
            plan->sizes = (uint32_t)size + 1;
        bsp_broadcast(&t->bsp, 0, plan, sizeof *plan);
    }
}

static void measure_round(struct trial *t)
{
    double *row = t->times + t->rounds * COLUMNS;
    for (size_t i = 0; i < POINTS; i++) {
        size_t point = (i + t->rounds * 7) % POINTS; /* after a different point each time */
        if (point % SIZES < t->plan.sizes && point % SIZES % t->plan.step == 0)
            row[point] = time_point(t, point, t->rounds, t->plan.repeat[point]);
    }
    row[KERNEL] = time_kernel();
    row[CROWDED] = pub.crowded;
}

static void measure(struct trial *t)
{
    make_plan(t);
    double begin = pub_seconds();
    do {
        measure_round(t);
        t->rounds++;
        double seconds = pub_seconds() - begin;
        t->plan.go_on = !pub_simulated() && t->rounds < ROUNDS &&
                        (seconds < SECONDS || (t->rounds < PARTS && seconds < 4 * SECONDS));
        bsp_broadcast(&t->bsp, 0, &t->plan.go_on, sizeof t->plan.go_on);
    } while (t->plan.go_on);
}

/* ---- evaluating, on processor 0 */

static double low(const double *times, size_t column, uint32_t from, uint32_t to)
{
    double values[ROUNDS];
    for (uint32_t round = from; round < to; round++)
        values[round - from] = times[round * COLUMNS + column];
    return pub_quantile(values, to - from, LOW);
}

/* The line through the points of these patterns, in these rounds. */
static struct pub_line line_of(const struct trial *t, const double *times, size_t first,
                               size_t last, uint32_t from, uint32_t to)
{
    double h[POINTS], value[POINTS];
    size_t n = 0;
    for (size_t pattern = first; pattern <= last; pattern++)
        for (size_t size = 0; size < t->plan.sizes; size += t->plan.step) {
            h[n] = h_of(t->object->size, (enum pattern)pattern, size);
            value[n++] = low(times, pattern * SIZES + size, from, to);
        }
    return pub_line_fit(h, value, n);
}

static void evaluate(const struct trial *t, const double *times, t_bspparameter *result)
{
    double l[PARTS * PATTERNS], g[PARTS * PATTERNS], s[PARTS];
    uint32_t parts = t->rounds < PARTS ? 1 : PARTS;
    size_t n = 0;
    for (uint32_t part = 0; part < parts; part++) {
        uint32_t from = t->rounds * part / parts, to = t->rounds * (part + 1) / parts;
        for (size_t pattern = 0; pattern < PATTERNS; pattern++) {
            struct pub_line line = line_of(t, times, pattern, pattern, from, to);
            l[n] = line.l;
            g[n++] = line.g;
        }
        s[part] = OPERATIONS / low(times, KERNEL, from, to);
    }
    struct pub_line line = line_of(t, times, 0, PATTERNS - 1, 0, t->rounds);
    *result = (t_bspparameter){.l = line.l,
                               .g = line.g,
                               .s = OPERATIONS / low(times, KERNEL, 0, t->rounds),
                               .l_spread = pub_spread(l, n),
                               .g_spread = pub_spread(g, n),
                               .s_spread = pub_spread(s, parts),
                               .nprocs = t->object->size,
                               .oversubscribed = times[CROWDED] != 0};
}

static void *zeros(size_t bytes)
{
    void *memory = calloc(1, bytes);
    if (!memory)
        pub_fail(NULL, "no memory for %zu bytes", bytes);
    return memory;
}

/* Measures; the result is on processor 0. */
static void run_trial(struct pub_object *object, t_bspparameter *result)
{
    struct trial *t = zeros(sizeof *t);
    size_t largest = sizes[SIZES - 1], p = (size_t)object->size;
    t->object = object;
    t->bsp = (t_bsp){object, object->incarnation};
    t->buffer = zeros(largest > p ? largest : p);
    memset(t->buffer, 1, largest); /* until then the kernel has allocated no pages */
    t->times = zeros(ROUNDS * COLUMNS * sizeof *t->times);
    measure(t);
    double *slowest = zeros(t->rounds * COLUMNS * sizeof *slowest);
    bsp_reduce(&t->bsp, 0, bsp_op_max_double, t->times, slowest, t->rounds * COLUMNS,
               sizeof *slowest);
    if (object->pid == 0)
        evaluate(t, slowest, result);
    free(slowest);
    free(t->times);
    free(t->buffer);
    free(t);
}

/* ---- earlier results */

/* Of this run, for the processors first .. first + size - 1. */
struct known {
    int first, size;
    t_bspparameter parameter;
};
static struct known *known;
static uint32_t nknown, known_room;

static const t_bspparameter *recall(int first, int size)
{
    for (uint32_t i = 0; i < nknown; i++)
        if (known[i].first == first && known[i].size == size)
            return &known[i].parameter;
    return NULL;
}

void pub_parameter_release(void)
{
    free(known);
    known = NULL;
    nknown = known_room = 0;
}

/* The key of results of earlier runs. All processors call it; processor 0 gets the key. */
static void make_key(t_bsp *bsp, struct pub_store_key *key)
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length;
    size_t p = (size_t)bsp->object->size;
    uint64_t mine = pub_host_number(key->host, sizeof key->host), *all = zeros(p * sizeof *all);
    bsp_gather(bsp, 0, &mine, all, sizeof mine);
    for (size_t i = 0; i < p; i++)
        key->placement = pub_mix(key->placement + all[i]);
    free(all);
    key->nprocs = bsp->object->size;
    MPI_Get_library_version(version, &length);
    for (const char *at = version; *at; at++)
        key->mpi = pub_mix(key->mpi + (unsigned char)*at);
}

/* The file is not used for simulated machines: two platforms may have the same names and different
   numbers. */
static const char *store_name(void)
{
    const char *file = secure_getenv("PUB_PARAMETER");
    return file && *file && !pub_simulated() ? file : NULL;
}

static void look_up_or_measure(struct pub_object *object, t_bspparameter *result)
{
    t_bsp bsp = {object, object->incarnation};
    struct pub_store_key key = {.nprocs = 0};
    const char *file = object->pid == 0 ? store_name() : NULL;
    int stored = PUB_UNUSABLE;
    make_key(&bsp, &key);
    if (file)
        stored = (int)pub_store_find(file, &key, result);
    bsp_broadcast(&bsp, 0, &stored, sizeof stored);
    if (stored != PUB_STORED)
        run_trial(object, result);
    if (file && stored == PUB_NOT_STORED)
        pub_store_add(file, &key, result);
    bsp_broadcast(&bsp, 0, result, sizeof *result);
}

/* Measures on a private object, which is not traced. The checks are off once all processors have
   come: none can hang then, and the checks would be part of the times. */
static void find_out(const struct pub_object *of, t_bspparameter *result)
{
    uint64_t identity = pub_mix((uint64_t)of->first << 32 | (uint32_t)of->size) | 1;
    bool tracing = pub.tracing, checking = pub.checking;
    struct pub_object *object = pub_object_new(pub_mix(identity), of->first, of->size);
    pub.tracing = false;
    pub_sync(object);
    pub.checking = false;
    look_up_or_measure(object, result);
    pub.checking = checking;
    pub.tracing = tracing;
    pub_object_free(object);
}

void bsp_parameter(t_bsp *bsp, t_bspparameter *parameter)
{
    struct pub_object *object = pub_enter(bsp, "bsp_parameter");
    if (!parameter)
        pub_fail(object, "the pointer to the parameters is null");
    const t_bspparameter *before = recall(object->first, object->size);
    if (before) {
        *parameter = *before;
    } else {
        find_out(object, parameter);
        known = pub_grow(known, nknown, &known_room, sizeof *known);
        known[nknown++] = (struct known){object->first, object->size, *parameter};
    }
    pub_leave();
}
