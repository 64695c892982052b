/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * BSP supersteps through libpub, against pattern, bytes and number of processors. The patterns: a
 * shift (one message to a neighbour, another one in each round), a total exchange, and messages to
 * processors drawn at random, the same in each round. The bytes of a point are its h: the most that a
 * processor sends or receives. The time is that of the slowest processor; the superstep has no
 * computation. g and L follow from the times (summary.c).
 *
 * The processors 0 .. P-1 are a group. The others make a group of their own, in which nothing happens.
 */
#include "probe/mpi/parallel.h"

#include <math.h>
#include <pub.h>

#include "base/memory.h"
#include "probe/cores.h"
#include "probe/kernel.h"

enum { DRAWS = 4, LARGEST = 1 << 20, LENGTH = 500, SWEEPS = 200 };
enum pattern { SHIFT, EXCHANGE, RANDOM, KERNEL_SPEED };

struct job {
    enum pattern pattern;
    size_t block; /* bytes of one message */
    int processors;
    unsigned repeats;
};

static t_bsp all;
static struct job *jobs;
static size_t njobs, capacity;
static char *buffer;

/* ---- h-relations */

static int drawn(int p, int pid, int i)
{
    uint64_t state = (uint64_t)pid * DRAWS + (uint64_t)i + 1;
    return p == 1 ? 0 : (pid + 1 + (int)(probe_random(&state) % (uint64_t)(p - 1))) % p;
}

static void send_all(t_bsp *bsp, const struct job *j, unsigned round)
{
    int p = j->processors, pid = bsp_pid(bsp);
    if (!j->block)
        return;
    if (j->pattern == SHIFT)
        bsp_hpsend(bsp, p == 1 ? 0 : (pid + 1 + (int)(round % (unsigned)(p - 1))) % p, buffer,
                   j->block);
    for (int i = 1; i < p && j->pattern == EXCHANGE; i++)
        bsp_hpsend(bsp, (pid + i) % p, buffer + (size_t)(i - 1) * j->block, j->block);
    for (int i = 0; i < DRAWS && j->pattern == RANDOM; i++)
        bsp_hpsend(bsp, drawn(p, pid, i), buffer + (size_t)i * j->block, j->block);
}

/* Messages that the busiest processor sends or receives. */
static size_t messages(enum pattern pattern, int p)
{
    if (pattern != RANDOM)
        return pattern == SHIFT || p == 1 ? 1 : (size_t)(p - 1);
    MEM_LOCAL int *received = mem_zalloc((size_t)p, sizeof *received);
    int most = DRAWS;
    for (int pid = 0; pid < p; pid++)
        for (int i = 0; i < DRAWS; i++) {
            int to = drawn(p, pid, i);
            most = ++received[to] > most ? received[to] : most;
        }
    return (size_t)most;
}

/* ---- samples */

static KERNEL void multiply_and_add(double *y, const double *x)
{
    for (int i = 0; i < LENGTH; i++)
        y[i] = 0.5 * y[i] + x[i];
}

/* 2 * LENGTH * SWEEPS operations */
static void compute(void)
{
    static double x[LENGTH], y[LENGTH];
    for (int i = 0; i < LENGTH; i++)
        x[i] = y[i] = 1 + i;
    for (int k = 0; k < SWEEPS; k++) {
        multiply_and_add(y, x);
        USE_INT(y);
    }
}

/* Seconds of one superstep, or of the computation, on the slowest processor of the group; the value
 * is on processor 0. */
static double time_job(t_bsp *bsp, const struct job *j, unsigned n, unsigned round)
{
    bsp_sync(bsp);
    double begin = probe_now(), slowest = 0;
    for (unsigned i = 0; i < n; i++) {
        if (j->pattern == KERNEL_SPEED) {
            compute();
        } else {
            send_all(bsp, j, round);
            bsp_sync(bsp);
        }
    }
    double mine = (probe_now() - begin) / n;
    bsp_reduce(bsp, 0, bsp_op_max_double, &mine, &slowest, 1, sizeof mine);
    return slowest;
}

static double sample(const struct probe_point *p, unsigned round)
{
    struct job *j = &jobs[p->index];
    t_bsp group;
    int size = bsp_nprocs(&all), ends[2] = {j->processors, size};
    double seconds = 0;
    bsp_partition(&all, &group, j->processors < size ? 2 : 1, ends);
    if (bsp_pid(&all) < j->processors) {
        if (round == 0) {
            time_job(&group, j, 1, round);
            double fastest = time_job(&group, j, 2, round); /* one may be interrupted */
            for (int i = 0; i < 2; i++)
                fastest = fmin(fastest, time_job(&group, j, 2, round));
            j->repeats = probe_repeats(fastest);
            bsp_broadcast(&group, 0, &j->repeats, sizeof j->repeats);
        }
        seconds = time_job(&group, j, j->repeats, round);
        bsp_sync(&group); /* the last messages are released */
    }
    bsp_done(&group);
    return j->pattern == KERNEL_SPEED ? 2.0 * LENGTH * SWEEPS / seconds : seconds;
}

/* ---- points */

static void add(struct probe *p, enum pattern pattern, size_t h, int processors)
{
    static const char *const names[] = {"shift", "exchange", "random", "s"};
    bool speed = pattern == KERNEL_SPEED;
    size_t n = speed ? 1 : messages(pattern, processors), block = h / n;
    block = h && !block ? 1 : block;
    probe_add(p, (struct probe_point){.family = probe_bsp.name,
                                      .name = names[pattern],
                                      .unit = speed ? "1/s" : "s",
                                      .at = {.bytes = n * block, .processes = processors},
                                      .has_bytes = !speed,
                                      .rate = speed,
                                      .sample = sample,
                                      .index = njobs});
    MEM_ADD(
        jobs, njobs, &capacity,
        (struct job){.pattern = pattern, .block = block, .processors = processors, .repeats = 1});
}

static const char *open_bsp(struct probe *p)
{
    int counts[PROBE_COUNTS], n = probe_cores_counts(p->world->size, counts);
    size_t step = p->options.quick ? 16 : 4;
    bsplib_init(BSPLIB_STDPARAMS, &all);
    buffer = mem_zalloc(1, LARGEST + (size_t)p->world->size + DRAWS);
    for (int c = 0; c < n; c++) {
        add(p, KERNEL_SPEED, 0, counts[c]);
        for (enum pattern k = SHIFT; k <= RANDOM; k++) {
            if (k != SHIFT && counts[c] == 1)
                continue;
            add(p, k, 0, counts[c]);
            /* from a size on that gives each message of each pattern at least a byte */
            for (size_t h = 256; h <= LARGEST; h *= step)
                if (h >= 4 * (size_t)counts[c])
                    add(p, k, h, counts[c]);
        }
    }
    return NULL;
}

static void close_bsp(void)
{
    bsplib_done();
    mem_free(buffer);
    mem_free(jobs);
}

const struct probe_family probe_bsp = {.name = "bsp", .open = open_bsp, .close = close_bsp};
