/* SPDX-License-Identifier: MIT */
/*
 * The clock of CLL_CLOCK=FILE.so (cll_clock.h): a function of the user computes how long an execution
 * takes. No other time passes. Each thread has its own time. It advances by one step when a region
 * begins, so that a region lies inside the one that contains it, and by the computed time when a
 * region ends. What is gathered is older than what ends later (gather.c): a reading for gathering
 * is later than all ends before it, and earlier than all ends after it.
 */
#define _GNU_SOURCE
#include "cll/driver.h"
#include "cll/internal.h"

#include <cll_clock.h>

#define HZ           10000000000u
#define STEP         10 /* ticks between two regions */
#define MOST_SECONDS 1e5
#define MOST_TICKS   ((uint64_t)1 << 57) /* of a spool: 166 days */

static double (*seconds_of)(const struct cll_execution *);
static uint64_t latest;  /* the time of the thread that is furthest */
static uint64_t reading; /* the last one for gathering */
static unsigned said;    /* a time that is not possible was reported */

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

uint64_t cll_computed_now(void)
{
    return __atomic_load_n(&latest, __ATOMIC_RELAXED);
}

uint64_t cll_computed_ticks(void)
{
    uint64_t now = __atomic_add_fetch(&latest, 1, __ATOMIC_ACQ_REL);
    __atomic_store_n(&reading, now, __ATOMIC_RELEASE);
    return now;
}

uint64_t cll_computed_begin(struct cll_thread_state *self)
{
    uint64_t read = __atomic_load_n(&reading, __ATOMIC_ACQUIRE);
    uint64_t now = self->computed > read ? self->computed : read;
    return self->computed = now + STEP;
}

/* When the execution ends, by the function; `start` if the function returns an impossible time. */
static uint64_t stated_end(uint64_t start, const struct cll_execution *execution)
{
    double seconds = seconds_of(execution);
    int possible = seconds >= 0 && seconds <= MOST_SECONDS;
    uint64_t end = start + (possible ? (uint64_t)(seconds * HZ + 0.5) : 0);
    if (possible && end < MOST_TICKS)
        return end;
    if (__atomic_exchange_n(&said, 1, __ATOMIC_RELAXED))
        return start;
    if (possible)
        cll_say("the times that cll_clock_seconds gives are more than %.0f days together: the rest "
                "are taken as 0",
                // NOLINTNEXTLINE(bugprone-integer-division): whole days
                (double)(MOST_TICKS / HZ / 86400));
    else
        cll_say("cll_clock_seconds gives %g s for %s, which is not from 0 to %g: taken as 0",
                seconds, execution->experiment, MOST_SECONDS);
    return start;
}

/* Adds the settings of the run that are no variables of the experiment. The arrays have room for all. */
static void add_settings(struct cll_execution *e, const char **names, double *values)
{
    unsigned n = e->nvars;
    for (unsigned i = 0; i < n; i++) {
        names[i] = e->names[i];
        values[i] = e->values[i];
    }
    for (unsigned i = 0; i < cll_settings.settings.n; i++) {
        unsigned k = 0;
        while (k < n && strcmp(names[k], cll_settings.settings.name[i]))
            k++;
        if (k < n)
            continue;
        names[e->nvars] = cll_settings.settings.name[i];
        values[e->nvars++] = cll_settings.settings.value[i];
    }
    e->names = names;
    e->values = values;
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
    const char *names[CLL_MAX_VARIABLES + CLL_MOST_SETTINGS];
    double values[CLL_MAX_VARIABLES + CLL_MOST_SETTINGS];
    if (cll_settings.settings.n)
        add_settings(&execution, names, values);
    if (!execution.processors)
        execution.processors = cll_driver_world();
    uint64_t end = stated_end(r->start, &execution);
    uint64_t read = __atomic_load_n(&reading, __ATOMIC_ACQUIRE);
    if (end < self->computed) /* regions inside it took longer */
        end = self->computed;
    if (end <= read) /* something was gathered during it */
        end = read + 1;
    self->computed = end;
    advance_to(end);
    return end - r->start;
}
