/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An accelerator: launch and synchronisation, latency and bandwidth of its memory against the working set, arithmetic,
 * atomic additions, and transfers against the size. Launches and transfers are timed by the clock of the host, because
 * the program waits for them; kernels are timed by the device, without the launch.
 *
 * The working set of a bandwidth is shared out among all threads of the device. A small one does not occupy all units, so
 * the bandwidth rises with the size and then falls where the working set leaves the shared cache. The latency is that of
 * one thread that follows a chain; a second walk, which is shorter, is subtracted, so that the launch and the first
 * visit of each line do not count.
 */
#include "probe/gpu/gpu.h"

#include <math.h>

#include "base/memory.h"

enum {
    LINE = 128,      /* bytes of a line of a chain */
    ELEMENT = 16,    /* bytes of an element of a stream */
    SMALLEST = 4096, /* working set of a chain */
    STREAM = 16384,  /* and of a stream */
    LARGEST_TRANSFER = 256 << 20,
    SMALLEST_TRANSFER = 64,
    WALK = 2048,       /* loads of a chain that are measured */
    LONG_WALK = 16384, /* and of one of up to */
    NEAR_LINES = 4096, /* lines, which may fit the cache of one unit: it is walked several times */
    TOUCHES = 4,       /* how often all lines are read before */
    MOST_PASSES = 1 << 20,
    OPERATIONS = 32, /* of a pass of the arithmetic: 16 multiplications with an addition */
    MOST_REPEATS = 1000,
};
#define KERNEL_SECONDS 500e-6 /* a sample of a kernel takes at least so long */

enum kind {
    LAUNCH,
    QUEUED,
    SYNCHRONISE,
    LATENCY,
    READ,
    WRITE,
    COPY,
    ATOMIC,
    FLOP_DOUBLE,
    FLOP_FLOAT,
    TO_PAGEABLE,
    TO_PINNED,
    FROM_PAGEABLE,
    FROM_PINNED,
    KINDS
};

static const struct {
    const char *name;
    bool has_bytes, rate;
    enum device_kernel_id kernel; /* of those that the device times */
} kinds[KINDS] = {
    [LAUNCH] = {"launch.latency", false, false, DEVICE_EMPTY},
    [QUEUED] = {"launch.throughput", false, false, DEVICE_EMPTY},
    [SYNCHRONISE] = {"synchronise", false, false, DEVICE_EMPTY},
    [LATENCY] = {"latency", true, false, DEVICE_CHASE},
    [READ] = {"read", true, true, DEVICE_READ},
    [WRITE] = {"write", true, true, DEVICE_WRITE},
    [COPY] = {"copy", true, true, DEVICE_COPY},
    [ATOMIC] = {"atomic", true, false, DEVICE_ATOMIC},
    [FLOP_DOUBLE] = {"flop_double", false, false, DEVICE_FLOP_DOUBLE},
    [FLOP_FLOAT] = {"flop_float", false, false, DEVICE_FLOP_FLOAT},
    [TO_PAGEABLE] = {"to_device.pageable", true, false, DEVICE_EMPTY},
    [TO_PINNED] = {"to_device.pinned", true, false, DEVICE_EMPTY},
    [FROM_PAGEABLE] = {"from_device.pageable", true, false, DEVICE_EMPTY},
    [FROM_PINNED] = {"from_device.pinned", true, false, DEVICE_EMPTY},
};

struct job {
    enum kind kind;
    uint64_t bytes;
    unsigned repeats; /* passes of a kernel, or operations in a row */
};

struct probe_device probe_device_found;
static struct job *jobs;
static size_t njobs, capacity;

/* ---- what the host times */

/* Seconds of one operation; nan if one failed. */
static double time_host(const struct job *j, unsigned n)
{
    bool to = j->kind == TO_PAGEABLE || j->kind == TO_PINNED,
         pinned = j->kind == TO_PINNED || j->kind == FROM_PINNED;
    int failed = device_wait();
    double begin = probe_now();
    for (unsigned i = 0; i < n && !failed; i++)
        switch (j->kind) {
        case LAUNCH: failed = device_start() || device_wait(); break;
        case QUEUED: failed = device_start(); break;
        case SYNCHRONISE: failed = device_wait(); break;
        default: failed = device_transfer(to, pinned, j->bytes); break;
        }
    if (j->kind == QUEUED)
        failed = failed || device_wait();
    double seconds = (probe_now() - begin) / n;
    return failed ? (double)NAN : seconds;
}

static double sample_host(struct job *j, unsigned round)
{
    if (round == 0) {
        double seconds = time_host(j, 1);                 /* the first one prepares */
        seconds = fmin(time_host(j, 3), time_host(j, 3)); /* one may be interrupted */
        double n = PROBE_SAMPLE / seconds;
        j->repeats = !(n > 1) ? 1 : n > MOST_REPEATS ? MOST_REPEATS : (unsigned)n;
    }
    return time_host(j, j->repeats);
}

/* ---- what the device times */

/* A number without a common divisor with n, near the golden part of it: multiples of it are spread over n. */
static uint64_t far_step(uint64_t n)
{
    uint64_t step = (uint64_t)(0.6180339887 * (double)n);
    for (step = step ? step : 1;; step++) {
        uint64_t x = n, y = step;
        while (y) {
            uint64_t rest = x % y;
            x = y;
            y = rest;
        }
        if (x == 1)
            return step;
    }
}

/* Seconds of a load: the difference of two walks, both of which see all lines of a short chain before they count. */
static double sample_latency(const struct job *j)
{
    uint64_t lines = j->bytes / LINE, step = far_step(lines);
    bool is_near = lines <= NEAR_LINES;
    unsigned before = is_near ? (unsigned)lines : WALK / 8;
    unsigned walk = is_near ? LONG_WALK : WALK;
    if (isnan(device_kernel(DEVICE_FILL, lines, step, 1)) ||
        isnan(device_kernel(DEVICE_TOUCH, lines, step, TOUCHES)))
        return (double)NAN;
    double start = device_kernel(DEVICE_CHASE, lines, step, before),
           whole = device_kernel(DEVICE_CHASE, lines, step, before + walk);
    return (whole - start) / walk;
}

static double time_kernel(const struct job *j, unsigned passes)
{
    uint64_t n = j->kind == COPY     ? j->bytes / 2 / ELEMENT
                 : j->kind == ATOMIC ? j->bytes / 4
                                     : j->bytes / ELEMENT;
    uint64_t step = j->kind == READ || j->kind == WRITE || j->kind == COPY ? far_step(n) : 0;
    return device_kernel(kinds[j->kind].kernel, n, step, passes);
}

/* So many passes that a kernel takes KERNEL_SECONDS. */
static unsigned find_passes(const struct job *j)
{
    unsigned passes = 1;
    time_kernel(j, 1); /* the first one prepares */
    while (passes < MOST_PASSES) {
        double seconds = time_kernel(j, passes), times = 1.2 * KERNEL_SECONDS / seconds;
        if (!(seconds < KERNEL_SECONDS))
            break;
        passes = times < 2 ? 2 * passes : times > 64 ? 64 * passes : (unsigned)(times * passes);
    }
    return passes;
}

static double sample_kernel(struct job *j, unsigned round)
{
    if (round == 0)
        j->repeats = find_passes(j);
    double seconds = time_kernel(j, j->repeats), passes = j->repeats,
           threads = probe_device_found.threads;
    switch (j->kind) {
    case ATOMIC: return seconds / (passes * threads);
    case FLOP_DOUBLE:
    case FLOP_FLOAT: return seconds / (passes * threads * OPERATIONS);
    default: return passes * (double)j->bytes / seconds;
    }
}

static double sample(const struct probe_point *p, unsigned round)
{
    struct job *j = &jobs[p->index];
    if (j->kind == LATENCY)
        return sample_latency(j);
    return kinds[j->kind].kernel == DEVICE_EMPTY ? sample_host(j, round) : sample_kernel(j, round);
}

/* ---- points */

static void add(struct probe *p, enum kind kind, uint64_t bytes)
{
    jobs = mem_grow(jobs, &capacity, njobs + 1, sizeof *jobs);
    jobs[njobs] = (struct job){.kind = kind, .bytes = bytes, .repeats = 1};
    probe_add(p, (struct probe_point){.family = probe_gpu.name,
                                      .name = kinds[kind].name,
                                      .unit = kinds[kind].rate ? "B/s" : "s",
                                      .at = {.bytes = bytes},
                                      .has_bytes = kinds[kind].has_bytes,
                                      .rate = kinds[kind].rate,
                                      .sample = sample,
                                      .index = njobs++});
}

/* Sizes from `bytes` to `largest`, so many in each doubling, multiples of LINE. */
static void add_sizes(struct probe *p, enum kind kind, uint64_t bytes, uint64_t largest, int each)
{
    for (int i = 0;; i++) {
        double wanted = (double)bytes * pow(2, (double)i / each);
        uint64_t size = (uint64_t)(wanted / LINE + 0.5) * LINE;
        if (size > largest)
            return;
        add(p, kind, size);
    }
}

static void add_points(struct probe *p, uint64_t largest, uint64_t transfer)
{
    int each = p->options.quick ? 1 : 2;
    for (enum kind k = LAUNCH; k <= SYNCHRONISE; k++)
        add(p, k, 0);
    add_sizes(p, LATENCY, SMALLEST, largest, 2 * each);
    for (enum kind k = READ; k <= COPY; k++)
        add_sizes(p, k, STREAM, largest, each);
    for (uint64_t bytes = 4; bytes <= largest && bytes <= 64 << 20;
         bytes *= p->options.quick ? 16 : 4)
        add(p, ATOMIC, bytes);
    if (probe_device_found.doubles)
        add(p, FLOP_DOUBLE, 0);
    add(p, FLOP_FLOAT, 0);
    for (enum kind k = TO_PAGEABLE; k <= FROM_PINNED; k++)
        for (uint64_t bytes = SMALLEST_TRANSFER; bytes <= transfer;
             bytes *= p->options.quick ? 4 : 2)
            add(p, k, bytes);
}

/* The largest power of two that is at most both. */
static uint64_t power_within(uint64_t wanted, uint64_t most)
{
    uint64_t bytes = STREAM;
    while (bytes * 2 <= wanted && bytes * 2 <= most)
        bytes *= 2;
    return bytes;
}

static const char *open_gpu(struct probe *p)
{
    const char *why = device_open(&probe_device_found);
    if (why) {
        probe_device_found.name[0] = '\0';
        return why;
    }
    uint64_t wanted = p->options.quick ? 128 << 20 : 512 << 20, most = (uint64_t)4 << 30,
             eighth = probe_device_found.memory / 8;
    if (wanted < 20 * probe_device_found.cache)
        wanted = 20 * probe_device_found.cache;
    if (p->options.largest)
        wanted = p->options.largest;
    uint64_t largest = power_within(wanted, most < eighth ? most : eighth),
             transfer = power_within(largest, p->options.quick ? 16 << 20 : LARGEST_TRANSFER);
    why = device_reserve(largest, transfer);
    if (why)
        probe_device_found.name[0] = '\0';
    else
        add_points(p, largest, transfer);
    return why;
}

static void close_gpu(void)
{
    device_close();
    mem_free(jobs);
    jobs = NULL;
    njobs = capacity = 0;
}

const struct probe_family probe_gpu = {.name = "gpu", .open = open_gpu, .close = close_gpu};
