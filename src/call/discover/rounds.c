/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Measures the program with its regions, in rounds: each visits all sizes, in another order. All of it, with
 * counting, takes a bounded multiple of the longest run.
 */
#define _GNU_SOURCE 1 /* memmem */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/printable.h"
#include "base/source.h"
#include "call/discover/discover.h"
#include "call/run/limits.h"
#include "call/run/run.h"
#include "numeric/random.h"

enum { LEAST_ROUNDS = 3, MOST_ROUNDS = 12 };

/* Counting and measuring take so many times as long as the longest run; short programs so many seconds. */
static const double most_times = 16, short_seconds = 5;

static void shuffle(size_t *order, size_t n, size_t round)
{
    struct random r = {round + 1};
    for (size_t i = n; i > 1; i--) {
        size_t k = (size_t)(random_uniform(&r) * (double)i);
        size_t other = order[i - 1];
        order[i - 1] = order[k];
        order[k] = other;
    }
}

/* Runs it once. `direct`: a descriptor is where the data go. libcll then neither makes a spool nor waits for the disk, and
 * the time of the process is that of the program. Only one process can write to it. */
static bool measure_once(struct request *q, struct runs_progress *p, size_t row, size_t round,
                         bool direct)
{
    struct arena *a = q->arena;
    struct words variables = {0};
    const char *folder = arena_printf(a, "%s/times", q->temporary);
    const char *file = arena_printf(a, "%s/direct", q->temporary);
    int descriptor = direct ? open(file, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0666) : -1;
    double seconds;
    words_add(a, &variables,
              descriptor >= 0 ? arena_printf(a, "CLL_OUT=/dev/fd/%d", descriptor)
                              : arena_printf(a, "CLL_OUT=%s/", folder));
    words_add(a, &variables, arena_printf(a, "CLL_RUN=%zu", round));
    bool good = runs_one(q, p, row, folder, &variables, &seconds);
    if (descriptor >= 0) {
        close(descriptor);
        good = good && !rename(file, arena_printf(a, "%s/run.dat", folder));
    }
    return good && !times_add(q, folder, row, seconds, p->waited);
}

/* Does the command start the program itself? In what mpirun starts, a descriptor of this number is another one: data
 * would go into its sockets. */
static bool is_started_directly(const struct request *q)
{
    static const size_t most_bytes = (size_t)1 << 30;
    char *text;
    size_t size;
    if (q->program)
        return true;
    if (source_read(q->command.list[0], most_bytes, &text, &size))
        return false;
    bool found = memmem(text, size, "libcll", 6) || memmem(text, size, "CLL_OUT", 7);
    mem_free(text);
    return found;
}

static bool measure_row(struct request *q, struct runs_progress *p, size_t row, size_t round)
{
    bool direct = !q->processes && !q->times.apart;
    if (measure_once(q, p, row, round, direct))
        return true;
    if (!direct || p->hopeless || process_signal())
        return false;
    q->times.apart = true; /* the program has several processes */
    return measure_once(q, p, row, round, false);
}

static bool is_enough(const struct request *q, size_t round, double elapsed, double last)
{
    double budget = fmax(most_times * q->longest - q->seconds, short_seconds);
    bool over = elapsed + last > fmin(budget, q->limit - q->seconds);
    if (process_signal() || elapsed > q->limit - q->seconds)
        return true;
    return q->rounds ? round == q->rounds : round == MOST_ROUNDS || (round >= LEAST_ROUNDS && over);
}

void rounds_make(struct request *q)
{
    struct runs_progress p =
        runs_begin(q, "measuring", q->ndone * (q->rounds ? q->rounds : MOST_ROUNDS));
    size_t *order = arena_alloc(q->arena, q->nrows + 1, sizeof *order);
    size_t n = 0, failed = 0;
    double begin = run_now(), last = 0;
    p.begin -= q->seconds; /* --limit is for all of it */
    q->times.apart = !is_started_directly(q);
    for (size_t i = 0; i < q->nrows; i++)
        if (q->done[i])
            order[n++] = i;
    while (!is_enough(q, q->times.rounds, run_now() - begin, last) && !p.hopeless && failed < n) {
        double start = run_now();
        shuffle(order, n, q->times.rounds);
        for (size_t i = 0; i < n && !process_signal() && failed < n; i++)
            failed += !measure_row(q, &p, order[i], q->times.rounds);
        q->times.rounds++;
        last = run_now() - start;
    }
    q->times.seconds = run_now() - begin;
    if (!q->times.nruns && !process_signal())
        say("call discover: no times were measured, so there are formulas of counts only\n");
}
