/* SPDX-License-Identifier: MIT */
/*
 * The clock of CLL_CLOCK=FILE.so (cll_clock.h): a function of the user computes how long an execution
 * takes. Time stands still but for that. Each thread has its own time, which goes on by a step at a
 * begin, so that a region is inside the one that contains it, and at an end to the end that the
 * function states. What was gathered is older than what begins later (gather.c), so a begin is also
 * later than every reading of the process before it.
 */
#define _GNU_SOURCE
#include "cll/driver.h"
#include "cll/internal.h"

#include <cll_clock.h>

#define HZ           1000000000000u /* durations of a nanosecond have three more digits */
#define STEP         1000           /* ticks between two regions */
#define MOST_SECONDS 1e5

static double (*seconds_of)(const struct cll_execution *);
static uint64_t latest;    /* the time of the thread that is furthest */
static unsigned said_what; /* a value that cannot be a time was reported */

void cll_computed_by(double (*seconds)(const struct cll_execution *))
{
    seconds_of = seconds;
}

uint64_t cll_computed_hz(void)
{
    return HZ;
}

static void advance_to(uint64_t ticks)
{
    uint64_t now = __atomic_load_n(&latest, __ATOMIC_RELAXED);
    while (now < ticks && !__atomic_compare_exchange_n(&latest, &now, ticks, 1, __ATOMIC_RELAXED,
                                                       __ATOMIC_RELAXED)) {
    }
}

uint64_t cll_computed_ticks(void)
{
    return __atomic_add_fetch(&latest, 1, __ATOMIC_RELAXED);
}

static uint64_t gathered_until(void)
{
    const struct spool_header *header = cll_spool_header();
    return header->gathered ? header->gathered_ticks : 0;
}

uint64_t cll_computed_begin(struct cll_thread_state *self)
{
    uint64_t gathered = gathered_until();
    uint64_t now = self->computed > gathered ? self->computed : gathered;
    return self->computed = now + STEP;
}

uint64_t cll_computed_end(struct cll_thread_state *self, const struct cll_known *known,
                          const struct cll_record *r)
{
    unsigned p = known->processors ? 1 : 0; /* the first value is P */
    struct cll_execution execution = {.experiment = known->name,
                                      .names = known->vars + p,
                                      .values = r->values + p,
                                      .nvars = r->nvars - p,
                                      .processors = p ? (unsigned)r->values[0] : 1,
                                      .rank = cll_driver_rank(),
                                      .thread = self->number,
                                      .run = cll_driver_run(),
                                      .seq = r->seq};
    if (!execution.processors)
        execution.processors = cll_driver_world();
    double seconds = seconds_of(&execution);
    if (!(seconds >= 0 && seconds <= MOST_SECONDS)) {
        if (!__atomic_exchange_n(&said_what, 1, __ATOMIC_RELAXED))
            cll_say("cll_clock_seconds gives %g s for %s, which is not from 0 to %g: taken as 0",
                    seconds, known->name, MOST_SECONDS);
        seconds = 0;
    }
    uint64_t end = r->start + (uint64_t)(seconds * HZ + 0.5);
    if (end < self->computed) /* regions inside it took longer */
        end = self->computed;
    if (end <= gathered_until()) /* it contains a report */
        end = gathered_until() + 1;
    self->computed = end;
    advance_to(end);
    return end - r->start;
}
