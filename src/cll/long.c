/* SPDX-License-Identifier: MIT */
/*
 * Watches long executions: how much CPU time they took, whether the kernel took their core away,
 * whether they waited, whether they ended on another core. All of it is read before the first and
 * after the last clock reading of the execution.
 *
 * Which executions. Reading costs a few system calls, so only executions are watched that are
 * expected to be long: `brief` is a hundred times the cost, and at least LEAST_BRIEF_NS. A longer
 * execution ends in cll_end_full or cll_end_slow, which call cll_long_end. It earns a credit of a
 * hundredth of its duration, and sets ID_WATCH in the descriptor, so that the next begin is slow and
 * calls cll_long_begin, which pays the cost from the credit. So watching costs at most a hundredth
 * of the time of long executions, in whatever order long and short ones come. After PATIENCE short
 * executions in a row the descriptor is as it was. The first execution of an experiment, and of a
 * thread, is watched in any case, because it is slow anyway. The end of a short execution does not
 * come here, and what was read at its begin is overwritten.
 *
 * What is read. The CPU clock of the thread, always. If it has advanced as far as the wall clock,
 * the thread has had its core all the time, and the switches that were counted before are still the
 * right ones. Else the switches are read again. Page faults leave no such trace, so counting them
 * takes two more system calls, `usage`. They are counted in the first execution, and where the credit
 * pays for them and for PATIENCE short executions after it, so that no execution remains unwatched
 * because of them.
 *
 * Open executions have slots in the state of their thread, found by id and sequence number. A slot
 * whose execution ended without cll_long_end (it was short, or was left by longjmp) is used again:
 * its stack pointer tells that. A signal handler may interrupt anything here and watch executions of
 * its own. It is done with them when it returns, so a slot is valid if it is the same before and
 * after it was copied, and `changes` tells whether the last reading is that of one moment.
 */
#define _GNU_SOURCE
#include "cll/internal.h"

#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/resource.h>

#define LEAST_BRIEF_NS 20000
#define AWAY_NS        2000 /* a shorter absence is not looked into */
#define SHARE          100  /* watching may cost one part in so many */
#define PATIENCE       16   /* short executions before an experiment is not watched any more */
#define MOST_CREDIT    64   /* costs */
#define MOST_COST      (UINT32_MAX / MOST_CREDIT)
#define BATCHES        8
#define READINGS       8

/* Measured when the process starts to measure; a forked child measures it again. */
static struct {
    uint64_t brief;   /* ticks; CLL_MOST_BRIEF: nothing is watched */
    uint32_t cost;    /* ticks, of watching one execution */
    uint32_t usage;   /* ticks, of counting its page faults */
    uint64_t own_cpu; /* nanoseconds of CPU time that an empty execution seems to take */
    double ns;        /* per tick */
} watching = {.brief = CLL_MOST_BRIEF};

uint64_t cll_long_brief(void)
{
    return watching.brief;
}

/* ---- readings */

struct reading {
    uint64_t ticks, cpu; /* cpu: nanoseconds */
    uint32_t preemptions, waits, faults;
};

static void read_usage(struct reading *r)
{
    struct rusage usage;
    if (getrusage(RUSAGE_THREAD, &usage))
        return;
    r->preemptions = (uint32_t)usage.ru_nivcsw;
    r->waits = (uint32_t)usage.ru_nvcsw;
    r->faults = (uint32_t)usage.ru_minflt + (uint32_t)usage.ru_majflt;
}

/* Was the thread without its core between two readings? */
static int was_away(uint64_t ticks, uint64_t cpu)
{
    return (double)ticks * watching.ns - (double)cpu > AWAY_NS;
}

/* The switches up to r->ticks; the CPU time is read already, and the switches if `counted`. */
static void complete_reading(struct cll_long *w, struct reading *r, int counted, unsigned changes)
{
    if (w->known && !counted && !was_away(r->ticks - w->ticks, r->cpu - w->cpu)) {
        r->preemptions = w->preemptions;
        r->waits = w->waits;
    } else if (!counted) {
        read_usage(r);
    }
    w->known = 0;
    cll_signal_fence();
    w->ticks = r->ticks;
    w->cpu = r->cpu;
    w->preemptions = r->preemptions;
    w->waits = r->waits;
    cll_signal_fence();
    w->known = w->changes == changes;
}

/* ---- slots */

static struct cll_long_slot *slot_for(struct cll_long *w, unsigned id, uint64_t stack)
{
    struct cll_long_slot *unused = NULL;
    for (unsigned i = 0; i < CLL_LONG_SLOTS; i++) {
        struct cll_long_slot *slot = &w->slots[i];
        if (slot->id == id && slot->stack == stack)
            return slot;
        if (!slot->id || slot->stack < stack)
            unused = slot;
    }
    return unused ? unused : &w->slots[w->next++ % CLL_LONG_SLOTS];
}

/* Copies the slot of an execution and frees it; 0: it has none. */
static int take_slot(struct cll_long *w, unsigned id, uint64_t seq, struct cll_long_slot *copy)
{
    for (unsigned i = 0; i < CLL_LONG_SLOTS; i++) {
        struct cll_long_slot *slot = &w->slots[i];
        if (slot->id != id || slot->seq != seq)
            continue;
        *copy = *slot;
        cll_signal_fence();
        int same = slot->id == id && slot->seq == seq;
        slot->id = 0;
        return same;
    }
    return 0;
}

/* ---- begin and end */

static struct cll_history *history_of(struct cll_thread_state *self, unsigned id)
{
    return (struct cll_history *)(self + 1) + id;
}

uint64_t cll_long_begin(struct cll_thread_state *self, struct cll_experiment *experiment,
                        unsigned id, uint64_t seq, uint64_t stack, int first)
{
    struct cll_history *history = history_of(self, id);
    struct cll_long *w = &self->watch;
    uint32_t credit = history->credit;
    if (!first && (uint32_t)seq - history->last > PATIENCE) {
        unsigned watched = id | ID_WATCH;
        __atomic_compare_exchange_n(&experiment->id, &watched, id, 0, __ATOMIC_RELEASE,
                                    __ATOMIC_RELAXED);
        return 0;
    }
    if (watching.brief == CLL_MOST_BRIEF || (!first && credit < watching.cost))
        return 0;
    uint64_t reserve = (uint64_t)watching.cost * (1 + PATIENCE) + watching.usage;
    int counts = first || credit >= reserve;
    uint32_t price = watching.cost + (counts ? watching.usage : 0);
    history->credit = credit < price ? 0 : credit - price;
    unsigned changes = ++w->changes;
    struct cll_long_slot *slot = slot_for(w, id, stack);
    struct reading r = {0};
    int error = errno;
    slot->id = 0;
    cll_signal_fence();
    slot->core = sched_getcpu();
    if (counts) /* before the CPU time, which must not contain this call */
        read_usage(&r);
    r.cpu = cll_clock_cpu_ns();
    r.ticks = cll_clock_ticks();
    complete_reading(w, &r, counts, changes);
    slot->cpu = r.cpu;
    slot->preemptions = r.preemptions;
    slot->waits = r.waits;
    slot->faults = r.faults;
    slot->counted = counts;
    slot->seq = seq;
    slot->stack = stack;
    cll_signal_fence();
    slot->id = id;
    errno = error;
    return r.cpu;
}

static void earn(struct cll_history *history, uint64_t seq, uint64_t duration)
{
    uint64_t credit = history->credit + duration / SHARE, most = MOST_CREDIT * watching.cost;
    history->credit = (uint32_t)(credit < most ? credit : most);
    if ((int32_t)((uint32_t)seq - history->last) > 0) /* in recursion the first ones end last */
        history->last = (uint32_t)seq;
}

static uint64_t watched_word(const struct cll_long_slot *slot, const struct reading *r, int core)
{
    uint64_t ns = r->cpu - slot->cpu;
    float seconds = (float)(ns > watching.own_cpu ? ns - watching.own_cpu : 0) * 1e-9f;
    uint32_t bits;
    memcpy(&bits, &seconds, sizeof bits);
    return (uint64_t)bits << 32 | SPOOL_WATCHED |
           (r->preemptions != slot->preemptions ? SPOOL_PREEMPTED : 0) |
           (r->waits != slot->waits ? SPOOL_WAITED : 0) |
           (core != slot->core ? SPOOL_MIGRATED : 0) |
           (slot->counted && r->faults != slot->faults ? SPOOL_FAULTED : 0);
}

uint64_t cll_long_end(struct cll_thread_state *self, struct cll_experiment *experiment,
                      const struct cll_record *record, uint64_t cpu)
{
    struct cll_long *w = &self->watch;
    struct cll_long_slot slot;
    unsigned id = record->id, plain = id;
    if (watching.brief == CLL_MOST_BRIEF)
        return 0;
    earn(history_of(self, id), record->seq, record->duration);
    if (__atomic_load_n(&experiment->id, __ATOMIC_RELAXED) == id)
        __atomic_compare_exchange_n(&experiment->id, &plain, id | ID_WATCH, 0, __ATOMIC_RELEASE,
                                    __ATOMIC_RELAXED);
    unsigned changes = ++w->changes;
    if (!take_slot(w, id, record->seq, &slot))
        return 0;
    int error = errno, core = sched_getcpu();
    errno = error;
    struct reading r = {.ticks = record->start + record->duration,
                        .cpu = cpu ? cpu : cll_clock_cpu_ns(),
                        .preemptions = slot.preemptions,
                        .waits = slot.waits,
                        .faults = slot.faults};
    if (r.cpu < slot.cpu)
        return 0; /* of another thread */
    if (slot.counted || was_away(record->duration, r.cpu - slot.cpu)) {
        w->known = 0;
        complete_reading(w, &r, 0, changes);
    }
    return watched_word(&slot, &r, core);
}

/* ---- what it costs */

/* Ticks of counting the page faults of an execution: one call at its begin and one at its end. */
static uint32_t measure_usage(void)
{
    struct reading r = {0};
    uint64_t least = MOST_COST;
    for (int batch = 0; batch < BATCHES; batch++) {
        uint64_t before = cll_clock_ticks();
        read_usage(&r);
        read_usage(&r);
        uint64_t ticks = cll_clock_ticks() - before;
        least = ticks < least ? ticks : least;
    }
    return (uint32_t)(least + least / 4);
}

void cll_long_measure(double period)
{
    static struct {
        struct cll_thread_state self;
        struct cll_history history[2];
    } scratch; /* the lock is held */
    struct cll_experiment experiment = {.id = 1};
    struct cll_record record = {.id = 1};
    uint64_t least = UINT64_MAX;
    watching.brief = CLL_MOST_BRIEF;
    if (SIMULATED || cll_settings.counters || cll_clock_kind() == CLOCK_KIND_COMPUTED)
        return;
    memset(&scratch, 0, sizeof scratch);
    watching.ns = period * 1e9;
    watching.cost = 0;
    watching.usage = MOST_COST; /* so that the cost does not contain it */
    watching.own_cpu = 0;
    watching.brief = 0;
    uint64_t own = UINT64_MAX;
    for (int batch = 0; batch < BATCHES; batch++) {
        uint64_t before = cll_clock_ticks();
        for (int i = 0; i < READINGS; i++, record.seq++) {
            uint64_t cpu =
                cll_long_begin(&scratch.self, &experiment, 1, record.seq, cll_stack(), 0);
            uint64_t spent = cll_clock_cpu_ns() - cpu;
            record.start = cll_clock_ticks();
            cll_long_end(&scratch.self, &experiment, &record, cpu + spent);
            own = spent < own ? spent : own;
        }
        uint64_t ticks = (cll_clock_ticks() - before) / READINGS;
        least = ticks < least ? ticks : least;
    }
    least += least / 4; /* the slow paths of begin and end, which call this */
    watching.own_cpu = own;
    watching.cost = (uint32_t)(least < MOST_COST ? least : MOST_COST);
    watching.usage = measure_usage();
    uint64_t brief = (uint64_t)watching.cost * SHARE;
    uint64_t floor = (uint64_t)(LEAST_BRIEF_NS / watching.ns);
    brief = brief < floor ? floor : brief;
    watching.brief = brief < CLL_MOST_BRIEF ? brief : CLL_MOST_BRIEF - 1;
}
