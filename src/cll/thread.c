/* SPDX-License-Identifier: MIT */
/*
 * The slow paths of begin and end, and the life of a thread's buffer.
 *
 * A thread's struct cll_thread lives in pages that a forked child sees as zeros. The child gets
 * new pages at its next begin; the old ones stay mapped and zero, so that a region begun before
 * the fork finds no room at its end, comes here, and is dropped.
 *
 * When a thread ends, its segment is cut and the rest can be used by other threads; its records
 * stay. Threads are numbered in the order of their first region.
 */
#define _GNU_SOURCE
#include "cll/internal.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define FIRST_SEGMENT   65536u
#define LARGEST_SEGMENT (4u << 20)
#define LEAST_SEGMENT   16384u
#define DRY             10000u /* samples lost before memory is asked for again */

static struct cll_thread nothing; /* capacity 0: every begin takes the slow path */
CLL_PER_THREAD struct cll_thread *cll_self = &nothing;

enum state { STATE_NEW, STATE_ON, STATE_OFF, STATE_FINISHED };
static enum state state;
static pid_t owner; /* the process this state belongs to */
static struct cll_thread_state *threads;
static unsigned next_number;
static unsigned live;
static struct cll_thread_totals ended_totals;
static pthread_key_t key;
static int key_made;
static int said_lost;
static int said_thread;

static size_t hot_bytes(void)
{
    return sizeof(struct cll_thread) + (CLL_MAX_EXPERIMENTS + 1) * sizeof(cll_u64);
}

static size_t pages_bytes(void)
{
    return hot_bytes() + sizeof(struct cll_thread_state);
}

int cll_measuring(void)
{
    return state == STATE_ON && owner == getpid();
}

void cll_finish(void)
{
    state = STATE_FINISHED;
}

/* ---- fork */

static void forget_threads(void)
{
    threads = NULL;
    next_number = 0;
    live = 0;
    memset(&ended_totals, 0, sizeof ended_totals);
    said_lost = 0;
}

static void become_child(void)
{
    cll_lock_reset();
    if (state != STATE_ON)
        return;
    cll_self = &nothing;
    forget_threads();
    cll_spool_forget();
    cll_thin_forget();
    state = STATE_NEW;
}

static int locked_for_fork;

static void before_fork(void)
{
    int locked = cll_lock(2000);
    if (locked) /* else the fork is in a signal handler that interrupted us */
        locked_for_fork = 1;
}

static void after_fork_parent(void)
{
    int locked = locked_for_fork;
    locked_for_fork = 0;
    if (locked)
        cll_unlock();
}

/* Zeroes what the kernel could not (before Linux 4.14 there is no MADV_WIPEONFORK). */
static void after_fork_child(void)
{
    if (cll_self != &nothing)
        memset(cll_self, 0, sizeof *cll_self);
    locked_for_fork = 0;
    become_child();
}

/* ---- start */

static void thread_ended(void *data);

static void describe_run(void)
{
    char text[512];
    cll_info("program: %s", cll_settings.program);
    cll_machine_host(text, sizeof text);
    cll_info("host: %s", text);
    cll_machine_cpu(text, sizeof text);
    cll_info("cpu: %s", text);
    cll_registry_describe();
    cll_counters_describe();
    cll_driver_describe();
}

__attribute__((constructor)) static void at_start(void)
{
    static int done;
    if (!done)
        cll_settings_read();
    done = 1;
}

/* Here rather than in report.c: from a static library only what is referred to gets linked. */
__attribute__((destructor)) static void at_end(void)
{
    cll_report_at_end();
}

/* Called with the lock. */
static void start(void)
{
    static int hooked;
    if (state != STATE_NEW)
        return;
    at_start(); /* a region may run in a constructor before ours */
    cll_settings_complain();
    if (cll_settings.off) {
        state = STATE_OFF;
        return;
    }
    if (!key_made && !SIMULATED) /* a key for each of a thousand processes is all there are */
        key_made = !pthread_key_create(&key, thread_ended);
    if (!hooked && !SIMULATED)
        hooked = !pthread_atfork(before_fork, after_fork_parent, after_fork_child);
    if (!cll_registry_start() || !cll_spool_start()) {
        cll_say("no memory for samples: nothing is measured");
        state = STATE_OFF;
        return;
    }
    owner = getpid();
    state = STATE_ON;
    describe_run();
    cll_counters_start(); /* after it: each absent counter is described as it is found */
    cll_overhead_measure(cll_spool_header());
    cll_spool_tick();
}

int cll_start(void)
{
    if (state == STATE_ON && owner != getpid())
        become_child(); /* a fork that called no handlers */
    start();
    return cll_measuring();
}

/* ---- segments of a thread */

static void open_segment(struct cll_thread_state *self, struct spool_segment *segment)
{
    uint64_t *words = (uint64_t *)(segment + 1);
    segment->thread = self->number;
    segment->open = 1;
    self->segment = segment;
    self->hot->cursor = words; /* a new segment holds nothing */
    self->hot->limit = (uint64_t *)((char *)segment + segment->bytes);
}

static void close_segment(struct cll_thread_state *self)
{
    if (self->segment)
        self->segment->open = 0;
    self->segment = NULL;
    self->hot->cursor = self->hot->limit = NULL;
}

/* The next segment for this thread; thins if the memory is used up. The lock is held. */
static void next_segment(struct cll_thread_state *self)
{
    uint64_t largest = cll_settings.memory / (live > 4 ? 4 * live : 16);
    if (largest > LARGEST_SEGMENT)
        largest = LARGEST_SEGMENT;
    if (largest < LEAST_SEGMENT)
        largest = LEAST_SEGMENT;
    uint64_t want = self->segment_bytes < largest ? self->segment_bytes : largest;
    uint64_t least = 4096; /* smaller ones would only bring us here again */
    close_segment(self);
    struct spool_segment *segment = cll_segment_new(SEGMENT_RECORDS, want, least, 0);
    if (!segment) {
        cll_thin();
        segment = cll_segment_new(SEGMENT_RECORDS, want, least, 0);
        if (!segment) /* other threads hold it all: each thread gets a little */
            segment = cll_segment_new(SEGMENT_RECORDS, LEAST_SEGMENT, least, 1);
    }
    if (self->segment_bytes < largest)
        self->segment_bytes *= 2;
    if (segment)
        open_segment(self, segment);
}

static void thread_ended(void *data)
{
    struct cll_thread *hot = data;
    int error = errno;
    if (!hot->capacity || hot != cll_self || !cll_lock(-1))
        return;
    struct cll_thread_state *self = hot->internal;
    cll_self = &nothing;
    for (struct cll_thread_state **at = &threads; *at; at = &(*at)->next) {
        if (*at == self) {
            *at = self->next;
            break;
        }
    }
    for (unsigned id = 0; id <= cll_known_count(); id++)
        ended_totals.begun += hot->seq[id];
    ended_totals.ended += hot->pairs;
    struct spool_segment *segment = self->segment;
    uint64_t used = segment ? (uint64_t)((char *)hot->cursor - (char *)segment) : 0;
    close_segment(self);
    if (segment && state == STATE_ON)
        cll_segment_cut(segment, used);
    live--;
    cll_unlock();
    cll_counter_close(&self->counters);
    munmap(hot, pages_bytes());
    errno = error;
}

static struct cll_thread *no_thread(void)
{
    if (!threads && !next_number) {
        cll_say("no memory for samples: nothing is measured");
        cll_spool_remove();
        state = STATE_OFF;
    } else if (!said_thread) {
        cll_say("no memory for the samples of another thread: it is not measured");
        said_thread = 1;
    }
    return NULL;
}

/* Called with the lock, when this process measures. */
static struct cll_thread *thread_new(void)
{
    struct cll_thread *hot = cll_pages_new(pages_bytes());
    if (!hot)
        return no_thread();
#ifdef MADV_WIPEONFORK
    madvise(hot, pages_bytes(), MADV_WIPEONFORK);
#endif
    struct cll_thread_state *self = (struct cll_thread_state *)((char *)hot + hot_bytes());
    self->hot = hot;
    self->number = next_number++;
    self->segment_bytes = FIRST_SEGMENT;
    self->next = threads;
    threads = self;
    hot->internal = self;
    next_segment(self);
    hot->capacity = CLL_MAX_EXPERIMENTS + 1;
    if (++live > cll_spool_header()->most_threads)
        cll_spool_header()->most_threads = live;
    if (key_made)
        pthread_setspecific(key, hot);
    return cll_self = hot;
}

void cll_thread_totals(struct cll_thread_totals *totals)
{
    *totals = ended_totals;
    for (struct cll_thread_state *self = threads; self; self = self->next) {
        for (unsigned id = 1; id <= cll_known_count(); id++)
            totals->begun += __atomic_load_n(&self->hot->seq[id], __ATOMIC_RELAXED);
        totals->ended += __atomic_load_n(&self->hot->pairs, __ATOMIC_RELAXED);
    }
}

/* ---- begin */

/* Registers the experiment and gives this thread a buffer; the thread, or null. */
static struct cll_thread *enter(struct cll_experiment *experiment)
{
    struct cll_thread *t = cll_self;
    if (!cll_lock(-1))
        return NULL; /* a region inside of our own code, or in a signal handler */
    if (cll_start()) {
        if (experiment->id == CLL_NOT_REGISTERED)
            cll_register(experiment);
        t = cll_self->capacity ? cll_self : thread_new();
    } else {
        t = NULL;
        if (state == STATE_OFF)
            __atomic_store_n(&experiment->id, ID_SLOW, __ATOMIC_RELEASE);
    }
    cll_unlock();
    return t;
}

/* Is this code in a thread that has samples of its own? A simulated process has no threads. */
static int may_measure(void)
{
    static int said;
    if (!SIMULATED || cll_simulated_is_process())
        return 1;
    if (!__atomic_exchange_n(&said, 1, __ATOMIC_RELAXED))
        cll_say("simulated programs are measured in simulated processes only, not in threads that "
                "they make");
    return 0;
}

void cll_prepare_slow(struct cll_experiment *experiment)
{
    unsigned id = __atomic_load_n(&experiment->id, __ATOMIC_ACQUIRE);
    int error = errno;
    if ((id == CLL_NOT_REGISTERED || (!cll_self->capacity && id != ID_SLOW)) && may_measure())
        enter(experiment);
    errno = error;
}

struct cll_thread *cll_begin_slow(struct cll_experiment *experiment, struct cll_region *region)
{
    struct cll_thread *t = cll_self;
    unsigned id = __atomic_load_n(&experiment->id, __ATOMIC_ACQUIRE);
    region->thread = NULL;
    region->slow = 0;
    if (id == ID_SLOW || !may_measure())
        return NULL;
    if (!t->capacity || id == CLL_NOT_REGISTERED) {
        int error = errno;
        t = enter(experiment);
        errno = error;
        id = __atomic_load_n(&experiment->id, __ATOMIC_ACQUIRE);
        if (!t || id == ID_SLOW)
            return NULL;
    }
    if (!(id & ID_SLOW))
        return t;
    id &= ~ID_SLOW;
    region->slow = id;
    region->id = (unsigned)owner;
    region->seq = t->seq[id];
    __atomic_store_n(&t->seq[id], region->seq + 1, __ATOMIC_RELAXED);
    region->pairs = t->pairs;
    if (cll_settings.counters) {
        int error = errno;
        region->start = cll_clock_ticks();
        region->mark = cll_counter_begin(&((struct cll_thread_state *)t->internal)->counters);
        errno = error;
        return NULL;
    }
    if (cll_known(id)->cputime)
        region->mark = cll_clock_cpu_ns();
    region->start = cll_clock_ticks();
    return NULL;
}

/* ---- end */

struct record {
    uint64_t start, duration, seq, nested;
    unsigned id;
    unsigned nvars;
    const double *values;
    unsigned nextra;
    uint64_t extra[CLL_MAX_COUNTERS];
};

static uint64_t room(const struct cll_thread *t)
{
    return (uint64_t)((char *)t->limit - (char *)t->cursor) / sizeof(uint64_t);
}

static void make_room(struct cll_thread *t)
{
    struct cll_thread_state *self = t->internal;
    if (self->dry && --self->dry) {
        __atomic_fetch_add(&ended_totals.lost, 1, __ATOMIC_RELAXED);
        return;
    }
    if (!cll_lock(-1))
        return;
    if (state == STATE_ON) {
        next_segment(self);
        if (!self->segment) {
            self->dry = DRY; /* trying costs more than a sample */
            __atomic_fetch_add(&ended_totals.lost, 1, __ATOMIC_RELAXED);
            if (!said_lost)
                cll_say("no memory for more samples: some are lost");
            said_lost = 1;
        }
    }
    cll_unlock();
}

static void store(struct cll_thread *t, const struct record *r)
{
    int wide = (r->duration >> CLL_DURATION_BITS | r->nested >> CLL_NESTED_BITS |
                r->seq >> CLL_SEQ_BITS) != 0;
    unsigned words = CLL_RECORD_WORDS + (wide ? SPOOL_WIDE_WORDS : 0) + r->nvars + r->nextra;
    __atomic_store_n(&t->pairs, t->pairs + 1, __ATOMIC_RELAXED);
    if (room(t) < words && (make_room(t), room(t) < words))
        return;
    uint64_t *record = t->cursor, *at = record + CLL_RECORD_WORDS;
    record[0] = r->start << 6;
    if (wide) {
        record[2] = 0;
        *at++ = r->duration;
        *at++ = r->seq;
        *at++ = r->nested;
    } else {
        record[2] = r->seq << CLL_NESTED_BITS | r->nested;
    }
    memcpy(at, r->values, r->nvars * sizeof *at);
    memcpy(at + r->nvars, r->extra, r->nextra * sizeof *at);
    __atomic_store_n(&record[1], wide ? r->id | SPOOL_WIDE : r->duration << 16 | r->id,
                     __ATOMIC_RELEASE);
    t->cursor = record + words;
}

void cll_end_full(const struct cll_region *region, cll_u64 now, unsigned nvars,
                  const double *values)
{
    struct cll_thread *t = region->thread;
    int error = errno;
    struct record r = {.start = region->start,
                       .duration = now - region->start,
                       .seq = region->seq,
                       .nested = t->pairs - region->pairs,
                       .id = region->id,
                       .nvars = nvars,
                       .values = values};
    if (t->capacity && t == cll_self) /* else begun before a fork */
        store(t, &r);
    errno = error;
}

void cll_end_slow(const struct cll_region *region, unsigned nvars, const double *values)
{
    uint64_t now = cll_settings.counters ? 0 : cll_clock_ticks();
    const struct cll_known *known = cll_known(region->slow);
    struct cll_thread *t = cll_self;
    int error = errno;
    struct record r = {.start = region->start,
                       .duration = now - region->start,
                       .seq = region->seq,
                       .id = region->slow,
                       .nvars = nvars,
                       .values = values,
                       .nextra = known->nextra};
    if (!t->capacity || region->id != (unsigned)owner)
        return; /* begun before a fork */
    if (cll_settings.counters) {
        cll_u64 counted[CLL_MAX_COUNTERS];
        struct cll_thread_state *self = t->internal;
        cll_counter_end(&self->counters, region->mark, counted);
        for (unsigned i = 0; i < known->ncounters; i++)
            r.extra[i] = counted[known->counter[i]];
        r.duration = 0;
    } else if (known->cputime) {
        r.extra[0] = cll_clock_cpu_ns() - region->mark;
    }
    r.nested = t->pairs - region->pairs;
    store(t, &r);
    errno = error;
}
