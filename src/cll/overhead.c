/* SPDX-License-Identifier: MIT */
/*
 * Measures the overhead: runs the real begin and end, as a program has them inline, on a scratch
 * buffer. In batches, because one pair takes hardly longer than a tick. The value is the 10th
 * percentile over the batches, the spread is the distance between the quartiles. In a simulated
 * program, and with computed times, the costs are known, so nothing is run.
 */
#define _GNU_SOURCE
#include "cll/internal.h"

#include <math.h>

#define BATCHES  64
#define PAIRS    48
#define WORDS    (CLL_RECORD_WORDS + 2)
#define LEAST_NS 1000000u /* of a run, to know the frequency of a clock that does not state it */

struct scratch {
    uint64_t records[PAIRS * WORDS];
    _Alignas(64) struct cll_thread thread; /* as in pages of its own */
};

/* (Not qsort, which may call malloc.) */
static void sort(double *values, int count)
{
    for (int i = 1; i < count; i++) {
        double moved = values[i];
        int at = i;
        for (; at > 0 && values[at - 1] > moved; at--)
            values[at] = values[at - 1];
        values[at] = moved;
    }
}

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* The step of the clock in ticks. All differences of a counter are multiples of its step.
   clock_gettime converts and rounds, so there the smallest difference has to serve. */
static uint64_t clock_step(void)
{
    uint64_t step = 0, last = cll_clock_ticks();
    for (int i = 0; i < 200; i++) {
        uint64_t now = cll_clock_ticks();
        uint64_t difference = now - last;
        last = now;
        if (!difference)
            continue;
        if (cll_clock_is_counter())
            step = common_divisor(difference, step);
        else if (!step || difference < step)
            step = difference;
    }
    return step ? step : 1;
}

/* Always into the same records: fresh pages would cost faults. */
static void run_batch(struct scratch *scratch, struct cll_experiment *experiment)
{
    scratch->thread.cursor = scratch->records;
    for (int i = 0; i < PAIRS; i++) {
        CLL_BEGIN(region, experiment, 2, (double)i, 1.0);
        CLL_END(region);
    }
}

/* Mean of the durations recorded in a batch; ticks. */
static double mean_duration(const uint64_t *records)
{
    uint64_t sum = 0;
    for (int i = 0; i < PAIRS; i++)
        sum += records[i * WORDS + 1] >> 16;
    return (double)sum / PAIRS;
}

static double ticks_per_second(const struct spool_header *header)
{
    uint64_t ticks, ns;
    if (header->nominal_hz)
        return (double)header->nominal_hz;
    do
        cll_clock_pair(&ticks, &ns);
    while (ns - header->start_ns < LEAST_NS);
    return (double)(ticks - header->start_ticks) / (double)(ns - header->start_ns) * 1e9;
}

void cll_overhead_measure(struct spool_header *header)
{
    size_t seqs = (CLL_MAX_EXPERIMENTS + 1) * sizeof(uint64_t);
    size_t histories = (CLL_MAX_EXPERIMENTS + 1) * sizeof(struct cll_history);
    size_t bytes = sizeof(struct scratch) + seqs + sizeof(struct cll_thread_state) + histories;
    double pairs[BATCHES] = {0}, empty[BATCHES] = {0};
    if (SIMULATED) {
        cll_simulated_overhead(header);
        return;
    }
    double period = 1 / ticks_per_second(header);
    cll_long_measure(period);
    if (cll_clock_kind() == CLOCK_KIND_COMPUTED) {
        header->resolution = period;
        header->overhead = header->spread = header->empty = 0;
        return;
    }
    header->resolution = (double)clock_step() * period;
    header->overhead = header->spread = header->empty = NAN;
    struct scratch *scratch = header->counter_run ? NULL : cll_pages_new(bytes);
    if (!scratch)
        return;
    int slow = !cll_clock_is_counter();
    struct cll_experiment experiment = {.id = CLL_SCRATCH_ID | (slow ? ID_SLOW : 0)};
    struct cll_thread *self = cll_self;
    struct cll_hold hold;
    struct cll_thread_state *state = (void *)((char *)(scratch + 1) + seqs);
    state->hot = &scratch->thread;
    scratch->thread.internal = state;
    scratch->thread.gate = CLL_GATE_OPEN;
    scratch->thread.open = 1;
    scratch->thread.brief = ((uint64_t)1 << CLL_DURATION_BITS) - 1;
    scratch->thread.limit = scratch->records + (size_t)PAIRS * WORDS;
    cll_signals_block(&hold); /* a handler's regions would go to the scratch buffer */
    cll_self = &scratch->thread;
    run_batch(scratch, &experiment); /* touches the pages */
    for (int i = 0; i < BATCHES; i++) {
        uint64_t before = cll_clock_ticks();
        run_batch(scratch, &experiment);
        pairs[i] = (double)(cll_clock_ticks() - before) / PAIRS * period;
        empty[i] = mean_duration(scratch->records) * period;
    }
    cll_self = self;
    cll_signals_restore(&hold);
    sort(pairs, BATCHES);
    sort(empty, BATCHES);
    header->overhead = pairs[BATCHES / 10];
    header->spread = pairs[BATCHES * 3 / 4] - pairs[BATCHES / 4];
    if (header->spread < period / PAIRS) /* a batch is known to a tick */
        header->spread = period / PAIRS;
    header->empty = empty[BATCHES / 10];
    cll_pages_free(scratch, bytes);
}
