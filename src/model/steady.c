/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How well rounds determine the value of a point (steady.h).
 *
 * The rounds are divided into blocks of consecutive ones, of several seconds each where that leaves enough of them, because
 * slow phases of a machine last for seconds. Blocks are drawn with replacement, as many as there are, and the value of their
 * samples is compared with that of all samples. The part by which nine of ten such values differ at
 * most is how well the point is known. A fast phase that only one block has seen is missing in a
 * third of the draws, so such a point is not known well, although its quantile may hardly move from
 * one round to the next.
 */
#include "model/steady.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/memory.h"
#include "numeric/random.h"
#include "numeric/stats.h"

struct steady_draws steady_begin(unsigned rounds, double seconds)
{
    struct steady_draws d = {.rounds = rounds};
    struct random random = {1};
    double blocks =
        fmin(fmax(floor(seconds / STEADY_SECONDS), STEADY_LEAST_BLOCKS), STEADY_MOST_BLOCKS);
    d.blocks = (unsigned)fmin(rounds, blocks);
    for (size_t i = 0; i < STEADY_DRAWS; i++)
        for (unsigned k = 0; k < d.blocks; k++)
            d.times[i][(size_t)(random_uniform(&random) * d.blocks)]++;
    return d;
}

static int by_value(const void *x, const void *y)
{
    return stats_compare(((const struct steady_sample *)x)->value,
                         ((const struct steady_sample *)y)->value);
}

/* The samples of a point, ascending. */
struct work {
    double *value, *weight; /* weight: how often the draw has the sample */
    unsigned *block;
    size_t n, of_block[STEADY_MOST_BLOCKS];
};

static void sort_samples(const struct steady_draws *d, const struct steady_sample *samples,
                         struct work *w)
{
    MEM_LOCAL struct steady_sample *sorted = mem_alloc(w->n, sizeof *sorted);
    for (size_t i = 0; i < w->n; i++)
        sorted[i] = samples[i];
    qsort(sorted, w->n, sizeof *sorted, by_value);
    for (size_t i = 0; i < w->n; i++) {
        w->value[i] = sorted[i].value;
        w->block[i] = (unsigned)((uint64_t)sorted[i].round * d->blocks / d->rounds);
        w->of_block[w->block[i]]++;
    }
}

/* The part by which the value of a draw differs; nan: the draw has no sample. */
static double part_of_draw(const struct work *w, const unsigned char *times, unsigned blocks,
                           double level, double value)
{
    double total = 0;
    for (unsigned k = 0; k < blocks; k++)
        total += (double)(w->of_block[k] * times[k]);
    if (total == 0)
        return NAN;
    for (size_t i = 0; i < w->n; i++)
        w->weight[i] = times[w->block[i]];
    double drawn = stats_sorted_weighted_quantile(w->value, w->weight, w->n, total, level);
    return value > 0 ? fabs(drawn / value - 1) : drawn > 0;
}

static double part_of_draws(const struct steady_draws *d, const struct work *w, double level,
                            double value)
{
    double parts[STEADY_DRAWS];
    size_t n = 0;
    for (size_t i = 0; i < STEADY_DRAWS; i++) {
        double part = part_of_draw(w, d->times[i], d->blocks, level, value);
        if (!isnan(part))
            parts[n++] = part;
    }
    return n ? stats_quantile(parts, n, STEADY_SHARE) : 0;
}

static bool of_one_round(const struct steady_sample *samples, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (samples[i].round != samples[0].round)
            return false;
    return true;
}

struct steady_value steady_value(const struct steady_draws *d, double level,
                                 const struct steady_sample *samples, size_t n)
{
    ARENA_LOCAL struct arena *a = arena_create();
    struct work w = {.value = arena_alloc(a, n, sizeof *w.value),
                     .weight = arena_alloc(a, n, sizeof *w.weight),
                     .block = arena_alloc(a, n, sizeof *w.block),
                     .n = n};
    sort_samples(d, samples, &w);
    struct steady_value v = {.value = stats_sorted_quantile(w.value, n, level), .part = NAN};
    if (!of_one_round(samples, n))
        v.part = part_of_draws(d, &w, level, v.value);
    return v;
}
