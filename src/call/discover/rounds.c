/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Measures the program with its regions, in rounds: each visits all sizes, in another order. All of it, with
 * counting, takes a bounded multiple of the longest run; when little of that is left, only small sizes run again.
 */
#define _GNU_SOURCE 1 /* memfd_create, memmem */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/printable.h"
#include "base/source.h"
#include "call/discover/discover.h"
#include "call/discover/thresholds.h"
#include "call/run/limits.h"
#include "call/run/run.h"
#include "numeric/random.h"

enum { LEAST_ROUNDS = 2, MOST_ROUNDS = 12 };

static void shuffle(size_t *order, size_t n, size_t round)
{
    struct random r = {round + 1};
    for (size_t i = n; i > 1; i--) {
        size_t k = random_below(&r, i);
        size_t other = order[i - 1];
        order[i - 1] = order[k];
        order[k] = other;
    }
}

/* Moves what a run wrote to memory into a file. 0, or -1 after a message. */
static int keep_data(int memory, const char *path)
{
    struct stat st;
    int failed = fstat(memory, &st);
    size_t size = failed ? 0 : (size_t)st.st_size;
    MEM_LOCAL char *text = mem_alloc(size + 1, 1);
    for (size_t at = 0; at < size && !failed;) {
        ssize_t n = pread(memory, text + at, size - at, (off_t)at);
        failed = n <= 0;
        at += failed ? 0 : (size_t)n;
    }
    if (failed)
        return say("call discover: cannot read the data of a run: %s\n", strerror(errno));
    return process_save("call discover", path, text, size);
}

/* Runs it once. `direct`: memory is where the data go. libcll then neither makes a spool nor waits for a disk, which may be
 * full, and the time of the process is that of the program. Only one process can write to it. */
static bool measure_once(struct request *q, struct runs_progress *p, size_t row, size_t round,
                         bool direct)
{
    struct arena *a = q->arena;
    struct words variables = {0};
    const char *folder = arena_printf(a, "%s/times", q->temporary);
    int descriptor = direct ? memfd_create("call", 0) : -1;
    double seconds;
    words_add(a, &variables,
              descriptor >= 0 ? arena_printf(a, "CLL_OUT=/dev/fd/%d", descriptor)
                              : arena_printf(a, "CLL_OUT=%s/", folder));
    words_printf(a, &variables, "CLL_RUN=%zu", round);
    /* settings of the user for programs of their own: with these, times would be missing */
    WORDS_ADD(a, &variables, "CLL_OFF=", "CLL_COUNTERS=", "CLL_SETTINGS=", "CLL_MEMORY=");
    if (!q->processes)
        words_add(a, &variables,
                  "CLL_SPOOL=off"); /* making one takes longer than a short program */
    if (descriptor >= 0)
        fcntl(descriptor, F_SETFL, O_APPEND);
    bool good = runs_one(q, p, row, folder, &variables, &seconds);
    if (descriptor >= 0) {
        if (good && keep_data(descriptor, arena_printf(a, "%s/run.dat", folder))) {
            p->hopeless = true;
            good = false;
        }
        close(descriptor);
    }
    return good && !times_add(q, folder, row, fmin(seconds, p->cost), p->waited);
}

/* Does the command start the program itself? In what mpirun starts, a descriptor of this number is another one: data
 * would go into its sockets. */
static bool is_started_directly(const struct request *q)
{
    static const size_t most_bytes = (size_t)1 << 30;
    MEM_LOCAL char *text = NULL;
    size_t size;
    if (q->program)
        return true;
    if (source_read(q->command.list[0], most_bytes, &text, &size))
        return false;
    return memmem(text, size, "libcll", 6) || memmem(text, size, "CLL_OUT", 7);
}

static bool measure_row(struct request *q, struct runs_progress *p, size_t row, size_t round)
{
    bool direct = !q->processes && !q->times.apart;
    if (measure_once(q, p, row, round, direct))
        return true;
    if (!direct || p->hopeless || !p->went_well || process_signal())
        return false;
    q->times.apart = true; /* the program has several processes */
    return measure_once(q, p, row, round, false);
}

bool rounds_affords(const struct request *q, size_t row, size_t round)
{
    double longest = 0;
    if (q->rounds || round < LEAST_ROUNDS)
        return true;
    for (size_t i = 0; i < q->nrows; i++)
        longest = fmax(longest, q->cost[i]);
    return q->spent + q->cost[row] <= fmax(ROUNDS_MOST_TIMES * longest, ROUNDS_SHORT_SECONDS);
}

/* Seconds until the time of --limit is over. */
static double time_left(const struct request *q, double begin)
{
    return q->limit - q->seconds - q->argument_seconds - (run_now() - begin);
}

/* Rounds of a short program would all be in one phase of the machine, which may be slow: they begin no earlier than this after the
 * first one. A number of rounds that the user gave is measured at once. */
static void wait_for_round(const struct request *q, double begin)
{
    double at = begin + (double)q->times.rounds * ROUNDS_SPREAD_SECONDS / MOST_ROUNDS;
    double wait = fmin(at - run_now(), time_left(q, begin));
    struct timespec t = {.tv_sec = (time_t)wait, .tv_nsec = (long)(1e9 * fmod(wait, 1))};
    if (wait > 0 && !q->rounds && !process_signal())
        nanosleep(&t, NULL); /* a signal ends it */
}

/* `ran`: a row did in the last round. */
static bool is_enough(const struct request *q, bool ran, double left, double last)
{
    size_t round = q->times.rounds;
    if (process_signal() || left < 0 || (round && !ran))
        return true;
    return q->rounds ? round == q->rounds
                     : round == MOST_ROUNDS || (round >= LEAST_ROUNDS && last > left);
}

/* Are all formulas right also at the sizes that --vary does not have? */
static bool are_formulas_right(const struct request *q)
{
    for (size_t i = 0; i < q->counts.n; i++)
        if (q->counts.list[i].only_given)
            return false;
    return true;
}

void rounds_make(struct request *q)
{
    struct runs_progress p =
        runs_begin(q, "measuring", q->ndone * (q->rounds ? q->rounds : MOST_ROUNDS));
    size_t *order = arena_alloc(q->arena, q->nrows + 1, sizeof *order);
    size_t n = 0, failed = 0;
    double begin = run_now(), last = 0;
    bool ran = false, with_extra = are_formulas_right(q);
    p.begin -= q->seconds + q->argument_seconds; /* --limit is for all of it */
    q->times.apart = !is_started_directly(q);
    for (size_t i = 0; i < q->nrows; i++)
        if (q->done[i] && (with_extra || extra_variable(q, i) == SIZE_MAX))
            order[n++] = i;
    while (!is_enough(q, ran, time_left(q, begin), last) && !p.hopeless && failed < n) {
        wait_for_round(q, begin);
        double start = run_now();
        ran = false;
        shuffle(order, n, q->times.rounds);
        for (size_t i = 0; i < n && !process_signal() && failed < n && time_left(q, begin) >= 0;
             i++)
            if (rounds_affords(q, order[i], q->times.rounds)) {
                failed += !measure_row(q, &p, order[i], q->times.rounds);
                ran = true;
            }
        q->times.rounds += ran;
        last = run_now() - start;
    }
    q->times.seconds = run_now() - begin;
    if (!q->times.nruns && !process_signal())
        say("call discover: no times were measured, so there are formulas of counts only\n");
}
