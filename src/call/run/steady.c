/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How well the rounds so far determine the value of each point: its 10th percentile.
 *
 * The rounds are divided into blocks of consecutive ones, of several seconds each where that leaves enough of them, because
 * slow phases of a machine last for seconds. Blocks are drawn with replacement, as many as there are, and the percentile of their
 * samples is compared with that of all samples. The part by which nine of ten such values differ at
 * most is how well the point is known. A fast phase that only one block has seen is missing in a
 * third of the draws, so such a point is not known well, although its percentile may hardly move from
 * one round to the next.
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "call/run/data.h"

enum {
    LEAST_BLOCKS = 3,
    MOST_BLOCKS = 8,
    DRAWS = 200,
    TRUSTED_OVERHEADS = 5,
    SHORT_OVERHEADS = 50
};

/* How often each block is in each draw. */
struct draws {
    unsigned blocks;
    unsigned char times[DRAWS][MOST_BLOCKS];
};

#define BLOCK_SECONDS 4.0

static void make_draws(struct draws *d, unsigned rounds, double seconds)
{
    uint64_t state = 88172645463325252u;
    double blocks = fmin(fmax(floor(seconds / BLOCK_SECONDS), LEAST_BLOCKS), MOST_BLOCKS);
    memset(d, 0, sizeof *d);
    d->blocks = rounds < (unsigned)blocks ? rounds : (unsigned)blocks;
    for (size_t i = 0; i < DRAWS; i++)
        for (unsigned k = 0; k < d->blocks; k++) {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            d->times[i][(state >> 33) % d->blocks]++;
        }
}

/* A sample of the point that is judged. */
struct drawn {
    double value;
    unsigned block;
};

static int by_value(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

/* The samples of the point in these rounds, ascending; returns how many. */
static size_t sort_samples(const struct run_point *p, unsigned rounds, unsigned blocks,
                           struct drawn *samples)
{
    size_t n = 0;
    for (; n < p->n && p->samples[n].round < rounds; n++)
        samples[n] = (struct drawn){p->samples[n].value,
                                    (unsigned)((uint64_t)p->samples[n].round * blocks / rounds)};
    qsort(samples, n, sizeof *samples, by_value);
    return n;
}

/* The 10th percentile of a draw; a negative number if it has no sample. */
static double draw_value(const struct drawn *samples, size_t n, const size_t *sizes,
                         unsigned blocks, const unsigned char *times)
{
    size_t all = 0, seen = 0;
    for (unsigned k = 0; k < blocks; k++)
        all += sizes[k] * times[k];
    if (!all)
        return -1;
    for (size_t i = 0; i < n; i++) {
        seen += times[samples[i].block];
        if (seen > (all - 1) / 10)
            return samples[i].value;
    }
    return -1;
}

/* The part of its value to which the point is known. */
static double uncertainty(const struct drawn *samples, size_t n, const struct draws *d)
{
    size_t sizes[MOST_BLOCKS] = {0}, found = 0;
    double value = samples[(n - 1) / 10].value, parts[DRAWS];
    for (size_t i = 0; i < n; i++)
        sizes[samples[i].block]++;
    for (size_t i = 0; i < DRAWS; i++) {
        double drawn = draw_value(samples, n, sizes, d->blocks, d->times[i]);
        if (drawn >= 0)
            parts[found++] = value > 0 ? fabs(drawn / value - 1) : drawn > 0;
    }
    if (!found)
        return 0;
    qsort(parts, found, sizeof *parts, by_value);
    return parts[(found - 1) * 9 / 10];
}

static bool is_judged(const struct run_data *d, const struct run_point *p, enum run_judged which)
{
    return which == JUDGE_CPU ? p->time == TIME_CPU : d->experiments[p->experiment].wanted[p->time];
}

/* Samples are in the order of the rounds. */
static bool is_of_one_round(const struct run_point *p, size_t n)
{
    return p->samples[0].round == p->samples[n - 1].round;
}

static size_t most_samples(const struct run_data *d)
{
    size_t most = 1;
    for (size_t i = 0; i < d->npoints; i++)
        most = d->points[i].n > most ? d->points[i].n : most;
    return most;
}

struct run_verdict run_data_judge(const struct run_data *d, unsigned rounds, double seconds,
                                  double tolerance, enum run_judged which)
{
    struct run_verdict v = {.worst = ""};
    struct draws draws;
    struct drawn *samples = mem_alloc(most_samples(d), sizeof *samples);
    double *parts = mem_alloc(d->npoints + 1, sizeof *parts);
    make_draws(&draws, rounds, seconds);
    for (size_t i = 0; i < d->npoints && rounds > 1; i++) {
        const struct run_point *p = &d->points[i];
        if (!is_judged(d, p, which))
            continue;
        size_t n = sort_samples(p, rounds, draws.blocks, samples);
        double value = n ? samples[(n - 1) / 10].value : 0;
        if (!n || value < TRUSTED_OVERHEADS * d->overhead)
            continue;
        if (is_of_one_round(p, n)) {
            v.single++;
            continue;
        }
        double part = uncertainty(samples, n, &draws);
        parts[v.points++] = part;
        v.unsteady += part > tolerance;
        if (part >= v.worst_part) {
            v.worst = p->key;
            v.worst_part = part;
            v.worst_is_short = value < SHORT_OVERHEADS * d->overhead;
        }
    }
    if (v.points) {
        qsort(parts, v.points, sizeof *parts, by_value);
        v.typical = parts[(9 * v.points + 9) / 10 - 1]; /* of few points: the last one */
    }
    mem_free(samples);
    mem_free(parts);
    return v;
}

bool run_is_steady(const struct run_verdict *v, bool all)
{
    return all ? v->unsteady == 0 : v->unsteady * 10 <= v->points;
}
