/* SPDX-License-Identifier: MIT */
/*
 * The slow paths of begin and end, and the buffers of the threads. record.c writes the records.
 *
 * A thread's struct cll_thread is in pages that a forked child sees as zeros. The child gets new
 * pages at its next begin. The old ones stay mapped and zero: a region begun before the fork finds
 * no room at its end, takes the slow path, and is dropped.
 *
 * When a thread ends, its segment is cut after its records, and other threads can use the rest.
 * Threads are numbered in the order of their first region.
 */
#define _GNU_SOURCE
#include "cll/internal.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define FIRST_SEGMENT   65536u
#define LARGEST_SEGMENT (4u << 20)
#define LEAST_SEGMENT   16384u
#define LEFT_OVER       512u
#define DRY             10000u /* samples to lose before a thread asks for memory again */

static struct cll_thread nothing; /* gate 0: every begin takes the slow path */
CLL_PER_THREAD struct cll_thread *cll_self = &nothing;
/* Its name in programs that were compiled before it had the one of cll.h. */
extern CLL_API CLL_PER_THREAD struct cll_thread *cll_self_of_before __asm__("cll_self")
    __attribute__((alias(CLL_SELF_NAME))) CLL_NEAR;

enum state { STATE_NEW, STATE_ON, STATE_OFF, STATE_FINISHED };

/* This process. A forked child starts with zeros. */
static struct process {
    enum state state;
    pid_t owner; /* the process this state belongs to */
    struct cll_thread_state *threads;
    unsigned next_number;           /* of a thread */
    unsigned live;                  /* threads */
    struct cll_thread_totals ended; /* of threads that have ended; lost: of all, atomic */
    uint64_t closed_bytes;          /* of segments that were filled since the last thinning */
    int said_lost;
} process;

/* The library in this program. A forked child keeps it. */
static struct {
    int settings_read;
    int hooked;        /* fork.c sees forks */
    pthread_key_t key; /* its destructor sees threads end */
    int key_made;
    unsigned ending; /* threads in thread_ended; atomic */
    int said_thread, said_simulated, said_vfork;
} library;

/* Regions ask before they hold the lock, perhaps while another thread starts; these ask again when they have it. */
static pid_t owner(void)
{
    return __atomic_load_n(&process.owner, __ATOMIC_RELAXED);
}

static size_t hot_bytes(void)
{
    return sizeof(struct cll_thread) + (CLL_MAX_EXPERIMENTS + 1) * sizeof(cll_u64);
}

static size_t pages_bytes(void)
{
    return hot_bytes() + sizeof(struct cll_thread_state) +
           (CLL_MAX_EXPERIMENTS + 1) * sizeof(struct cll_history);
}

int cll_measuring(void)
{
    return process.state == STATE_ON && process.owner == getpid();
}

void cll_finish(void)
{
    process.state = STATE_FINISHED;
}

/* ---- fork */

int cll_is_on(void)
{
    return process.state == STATE_ON;
}

/* Before Linux 4.14 there is no MADV_WIPEONFORK. */
void cll_thread_wipe(void)
{
    if (cll_self != &nothing)
        memset(cll_self, 0, sizeof *cll_self);
}

void cll_thread_restart(void)
{
    cll_self = &nothing;
    process = (struct process){.state = STATE_NEW};
}

/* ---- start */

static void thread_ended(void *data);

void cll_thread_describe_run(void)
{
    char text[512];
    cll_info("program: %s", cll_settings.program);
    cll_machine_host(text, sizeof text);
    cll_info("host: %s", text);
    cll_machine_cpu(text, sizeof text);
    cll_info("cpu: %s", text);
    for (const char *s = cll_settings.settings.text, *end; *s; s = end + 1) {
        end = strchr(s, '\n');
        cll_info("setting: %.*s", (int)(end - s), s);
    }
    cll_registry_describe();
    cll_counters_describe();
    cll_launch_describe();
    cll_driver_describe();
}

__attribute__((constructor)) static void at_start(void)
{
    if (library.settings_read)
        return;
    cll_settings_read();
    if (!cll_settings.off && !SIMULATED)
        cll_memory_own();
    library.settings_read = 1;
}

/* The program ends, or the object that this library is linked into is unloaded (libcll.so itself
   never is). After that no thread may be in thread_ended, or enter it. It is not in report.c
   because the linker takes only referenced objects from a static library. */
__attribute__((destructor)) static void at_end(void)
{
    struct timespec pause = {0, 1000000};
    cll_report_at_end();
    if (library.key_made)
        pthread_key_delete(library.key);
    library.key_made = 0;
    cll_bus_remove();
    cll_memory_forget();
    for (int i = 0; i < 2000 && __atomic_load_n(&library.ending, __ATOMIC_ACQUIRE); i++)
        nanosleep(&pause, NULL);
}

/* Called with the lock. */
static void start(void)
{
    if (process.state != STATE_NEW)
        return;
    cll_settings_complain();
    if (cll_settings.off) {
        process.state = STATE_OFF;
        return;
    }
    /* not for simulated processes: a thousand of them would take all keys */
    if (!library.key_made && !SIMULATED)
        library.key_made = !pthread_key_create(&library.key, thread_ended);
    if (!library.hooked && !SIMULATED)
        library.hooked = cll_fork_watch();
    if (!cll_registry_start() || !cll_spool_start()) {
        cll_say("no memory for samples: nothing is measured");
        process.state = STATE_OFF;
        return;
    }
    __atomic_store_n(&process.owner, getpid(), __ATOMIC_RELAXED);
    process.state = STATE_ON;
    cll_thread_describe_run();
    cll_counters_start(); /* after it: each absent counter is described as it is found */
    cll_overhead_measure(cll_spool_header());
    cll_spool_tick();
}

/* Can something be started in this process? */
static int may_start(void)
{
    if (cll_settings.off || SIMULATED || !cll_memory_is_of_another())
        return 1;
    if (!library.said_vfork)
        cll_say(
            "a region in a child of vfork is not measured unless its parent has measured the same "
            "experiment before; use fork");
    library.said_vfork = 1;
    return 0;
}

int cll_start(void)
{
    at_start(); /* a region may run in a constructor before at_start */
    if (!may_start())
        return 0;
    if (process.state == STATE_ON && process.owner != getpid())
        cll_restart(); /* a fork that called no handlers */
    start();
    return cll_measuring();
}

/* ---- segments of a thread */

static void open_segment(struct cll_thread_state *self, struct spool_segment *segment)
{
    struct cll_thread *hot = self->hot;
    self->segment = segment;
    self->pairs = hot->pairs;
    hot->cursor = (cll_u64 *)(segment + 1); /* a new segment holds nothing */
    hot->limit = (cll_u64 *)((char *)segment + segment->bytes);
}

static void close_segment(struct cll_thread_state *self)
{
    if (self->segment) {
        self->segment->open = 0;
        process.closed_bytes += self->segment->bytes;
    }
    self->segment = NULL;
    self->hot->cursor = self->hot->limit = NULL;
}

static void close_spare(struct cll_thread_state *self)
{
    if (self->spare) {
        self->spare->open = 0;
        process.closed_bytes += self->spare->bytes;
    }
    self->spare = NULL;
    self->spare_cursor = self->spare_limit = NULL;
}

/* A segment for this thread; the lock is held. When the memory is used up, the closed segments are
   thinned if they are at least a quarter of it. Where the open segments of other threads take
   nearly all, thinning the few closed ones again and again would leave nothing of them. Then the
   thread gets a free segment of any size, or a small one beyond the limit. */
static struct spool_segment *segment_for(struct cll_thread_state *self, uint64_t want)
{
    uint64_t least = 4096; /* a smaller one would soon be full */
    struct spool_segment *segment = cll_segment_new(SEGMENT_RECORDS, want, least, 0);
    if (!segment && process.closed_bytes >= cll_settings.memory / 4) {
        cll_thin();
        cll_spool_tick();
        process.closed_bytes = 0;
        segment = cll_segment_new(SEGMENT_RECORDS, want, least, 0);
    }
    if (!segment)
        segment = cll_segment_new(SEGMENT_RECORDS, want, LEFT_OVER, 0);
    if (!segment)
        segment = cll_segment_new(SEGMENT_RECORDS, LEAST_SEGMENT, least, 1);
    if (segment) {
        segment->thread = self->number;
        segment->open = 1;
    }
    return segment;
}

/* The inline end does not look whether the number of an execution fits into a record. It need not do so before half of
   the numbers are used: no segment has room for the other half. */
static int numbers_are_large(const struct cll_thread *hot)
{
    for (unsigned id = 1; id <= cll_known_count(); id++)
        if (hot->seq[id] >> (CLL_SEQ_BITS - 1))
            return 1;
    return 0;
}

static void next_segment(struct cll_thread_state *self)
{
    uint64_t largest = cll_settings.memory / (process.live > 4 ? 4 * process.live : 16);
    if (largest > LARGEST_SEGMENT)
        largest = LARGEST_SEGMENT;
    if (largest < LEAST_SEGMENT)
        largest = LEAST_SEGMENT;
    close_segment(self);
    struct spool_segment *segment =
        segment_for(self, self->segment_bytes < largest ? self->segment_bytes : largest);
    if (self->segment_bytes < largest)
        self->segment_bytes *= 2;
    if (numbers_are_large(self->hot))
        self->hot->brief = 0; /* cll_store writes all records */
    if (segment)
        open_segment(self, segment);
    else
        self->dry = DRY; /* trying costs more than a sample */
}

int cll_thread_room(struct cll_thread_state *self)
{
    struct cll_hold hold;
    if ((self->dry && --self->dry) || !cll_hold(&hold, -1))
        return 0;
    if (process.state == STATE_ON && self->hot)
        next_segment(self);
    cll_release(&hold);
    return self->segment != NULL;
}

int cll_thread_spare_room(struct cll_thread_state *self)
{
    struct cll_hold hold;
    if ((self->dry && --self->dry) || !cll_hold(&hold, -1))
        return 0;
    if (process.state == STATE_ON && self->hot) {
        close_spare(self);
        self->spare = segment_for(self, LEAST_SEGMENT);
        if (self->spare) {
            self->spare_cursor = (cll_u64 *)(self->spare + 1);
            self->spare_limit = (cll_u64 *)((char *)self->spare + self->spare->bytes);
        }
    }
    cll_release(&hold);
    return self->spare != NULL;
}

void cll_thread_abandon(const char *from, const char *to)
{
    for (struct cll_thread_state *self = process.threads; self; self = self->next) {
        const char *segment = (char *)self->segment, *spare = (char *)self->spare;
        if (segment >= from && segment < to) {
            self->segment = NULL;
            self->hot->limit = NULL; /* its next end takes a new one */
        }
        if (spare >= from && spare < to) {
            self->spare = NULL;
            self->spare_limit = NULL;
        }
    }
}

void cll_record_lost(void)
{
    __atomic_fetch_add(&process.ended.lost, 1, __ATOMIC_RELAXED);
    if (process.state == STATE_ON && !__atomic_exchange_n(&process.said_lost, 1, __ATOMIC_RELAXED))
        cll_say("no memory for more samples: some are lost");
}

/* Cuts the thread's segments after their records; other threads can use the rest. */
static void give_back_segments(struct cll_thread_state *self)
{
    struct spool_segment *segment = self->segment, *spare = self->spare;
    uint64_t used = (uint64_t)((char *)self->hot->cursor - (char *)segment);
    uint64_t spare_used = (uint64_t)((char *)self->spare_cursor - (char *)spare);
    close_segment(self);
    close_spare(self);
    if (process.state != STATE_ON)
        return;
    if (segment) {
        process.closed_bytes -= segment->bytes - used;
        cll_segment_cut(segment, used);
    }
    if (spare) {
        process.closed_bytes -= spare->bytes - spare_used;
        cll_segment_cut(spare, spare_used);
    }
}

static void end_thread(struct cll_thread *hot)
{
    struct cll_hold hold;
    if (!hot->internal || hot != cll_self || !cll_hold(&hold, -1))
        return;
    struct cll_thread_state *self = hot->internal;
    cll_self = &nothing;
    for (struct cll_thread_state **at = &process.threads; *at; at = &(*at)->next) {
        if (*at == self) {
            *at = self->next;
            break;
        }
    }
    if (hot->busy)
        cll_record_mend(self);
    process.ended.begun += cll_record_begun(self);
    process.ended.ended += cll_record_ended(self);
    give_back_segments(self);
    process.live--;
    cll_counter_close(&self->counters);
    cll_launch_thread_ended(self);
    cll_pages_free(hot, pages_bytes());
    cll_release(&hold);
}

static void thread_ended(void *data)
{
    int error = errno;
    __atomic_fetch_add(&library.ending, 1, __ATOMIC_ACQ_REL);
    end_thread(data);
    errno = error;
    __atomic_fetch_sub(&library.ending, 1, __ATOMIC_ACQ_REL);
}

static struct cll_thread *no_thread(void)
{
    if (!process.threads && !process.next_number) {
        cll_say("no memory for samples: nothing is measured");
        cll_spool_remove();
        process.state = STATE_OFF;
    } else if (!library.said_thread) {
        cll_say("no memory for the samples of another thread: it is not measured");
        library.said_thread = 1;
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
    self->number = process.next_number++;
    self->segment_bytes = FIRST_SEGMENT;
    self->next = process.threads;
    process.threads = self;
    hot->internal = self;
    next_segment(self);
    hot->gate = CLL_GATE_OPEN;
    hot->open = 1;
    hot->brief = cll_long_brief();
    if (++process.live > cll_spool_header()->most_threads)
        cll_spool_header()->most_threads = process.live;
    if (library.key_made)
        pthread_setspecific(library.key, hot);
    return cll_self = hot;
}

void cll_thread_totals(struct cll_thread_totals *totals)
{
    *totals = process.ended;
    for (struct cll_thread_state *self = process.threads; self; self = self->next) {
        totals->begun += cll_record_begun(self);
        totals->ended += cll_record_ended(self);
    }
}

/* ---- begin */

/* Registers the experiment and gives this thread a buffer; the thread, or null. */
static struct cll_thread *enter(struct cll_experiment *experiment)
{
    struct cll_thread *t;
    struct cll_hold hold;
    if (!cll_hold(&hold, -1))
        return NULL; /* a region inside the run-time */
    if (cll_start()) {
        t = cll_self->internal ? cll_self : thread_new();
        /* another thread may have registered it, and may watch it by now */
        if (t && __atomic_load_n(&experiment->id, __ATOMIC_RELAXED) == CLL_NOT_REGISTERED)
            cll_register(experiment);
    } else {
        t = NULL;
        if (process.state == STATE_OFF)
            __atomic_store_n(&experiment->id, ID_SLOW, __ATOMIC_RELEASE);
    }
    cll_release(&hold);
    return t;
}

/* Can this code be measured? Threads of a simulated process cannot. */
static int may_measure(void)
{
    if (!SIMULATED || cll_simulated_is_process())
        return 1;
    if (!__atomic_exchange_n(&library.said_simulated, 1, __ATOMIC_RELAXED))
        cll_say("simulated programs are measured in simulated processes only, not in threads that "
                "they make");
    return 0;
}

void cll_prepare_slow(struct cll_experiment *experiment)
{
    unsigned id = __atomic_load_n(&experiment->id, __ATOMIC_ACQUIRE);
    int error = errno;
    if ((id == CLL_NOT_REGISTERED || (!cll_self->internal && id != ID_SLOW)) && may_measure())
        enter(experiment);
    errno = error;
}

int cll_begin_slow(struct cll_experiment *experiment, struct cll_region *region)
{
    struct cll_thread *t = cll_self;
    struct cll_thread_state *self = t->internal;
    unsigned id = __atomic_load_n(&experiment->id, __ATOMIC_ACQUIRE);
    uint64_t stack = region->start;
    pid_t pid = owner(); /* of the thread's pages: a handler may fork */
    int error = errno;
    region->thread = NULL;
    region->slow = 0;
    region->experiment = experiment;
    if (id == ID_SLOW || !may_measure() || (cll_settings.counters && !may_start()))
        return 0; /* the counters of a thread are not those of a child of vfork */
    int first = !self || id == CLL_NOT_REGISTERED;
    if (first) {
        t = enter(experiment);
        errno = error;
        pid = owner();
        id = __atomic_load_n(&experiment->id, __ATOMIC_ACQUIRE);
        self = t ? t->internal : NULL;
        if (!self || id == ID_SLOW)
            return 0;
    }
    region->id = id & ~(ID_SLOW | ID_WATCH);
    region->seq = cll_number(t, region->id, stack);
    if (id == region->id && !first) {
        region->thread = t;
        return 1;
    }
    uint64_t cpu = cll_long_begin(self, experiment, region->id, region->seq, stack, first);
    if (!(id & ID_SLOW)) {
        region->thread = t;
        return 1;
    }
    region->slow = region->id;
    region->id = (unsigned)pid;
    region->pairs = t->pairs + t->aside;
    if (cll_settings.counters) {
        region->start = cll_clock_ticks();
        region->mark = cll_counter_begin(&self->counters);
        errno = error;
        return 0;
    }
    if (cll_clock_kind() == CLOCK_KIND_COMPUTED) {
        if (cll_known(region->slow)->device)
            region->mark = cll_launch_begin(self, 0);
        region->start = cll_computed_begin(self);
        return 0;
    }
    if (cll_known(region->slow)->cputime)
        region->mark = cpu ? cpu : cll_clock_cpu_ns();
    if (cll_known(region->slow)->device)
        region->mark = cll_launch_begin(self, region->mark);
    region->start = cll_clock_ticks();
    return 0;
}

/* ---- end */

static int is_long(const struct cll_thread *t, uint64_t duration)
{
    return duration >= (t->brief ? t->brief : cll_long_brief());
}

/* An execution that was long; cpu: the CPU time of the thread, 0 if it was not read. */
static void watch(struct cll_thread_state *self, struct cll_experiment *experiment,
                  struct cll_record *r, uint64_t cpu)
{
    r->watched = cll_long_end(self, experiment, r, cpu);
    if (r->watched && !__atomic_load_n(&cll_known(r->id)->watched, __ATOMIC_RELAXED))
        cll_registry_watched(r->id);
}

void cll_end_full(const struct cll_region *region, cll_u64 now, unsigned nvars,
                  const double *values)
{
    struct cll_thread *t = region->thread;
    struct cll_thread_state *self = t->internal;
    int error = errno;
    struct cll_record r = {.start = region->start,
                           .duration = now - region->start,
                           .seq = region->seq,
                           .pairs = region->pairs,
                           .id = region->id,
                           .nvars = nvars,
                           .values = values};
    if (self && t == cll_self) { /* else begun before a fork */
        if (is_long(t, r.duration))
            watch(self, region->experiment, &r, 0);
        cll_store(t, &r, region->mark, (int)region->slow);
    }
    errno = error;
}

void cll_end_slow(const struct cll_region *region, unsigned nvars, const double *values)
{
    uint64_t now = cll_settings.counters ? 0 : cll_clock_ticks();
    const struct cll_known *known = cll_known(region->slow);
    struct cll_thread *t = cll_self;
    struct cll_thread_state *self = t->internal;
    int error = errno;
    struct cll_record r = {.start = region->start,
                           .duration = now - region->start,
                           .seq = region->seq,
                           .pairs = region->pairs,
                           .id = region->slow,
                           .nvars = nvars,
                           .values = values,
                           .nextra = known->nextra};
    uint64_t cpu = 0;
    if (!self || region->id != (unsigned)owner())
        return; /* begun before a fork */
    if (cll_settings.counters) {
        cll_u64 counted[CLL_MAX_COUNTERS];
        cll_counter_end(&self->counters, region->mark, counted);
        for (unsigned i = 0; i < known->ncounters; i++)
            r.extra[i] = counted[known->counter[i]];
        r.duration = 0;
    } else if (cll_clock_kind() == CLOCK_KIND_COMPUTED) {
        r.duration = cll_computed_end(self, known, &r);
        r.extra[0] = r.duration / (cll_computed_hz() / 1000000000u); /* CPU time, nanoseconds */
    } else if (known->cputime) {
        cpu = cll_clock_cpu_ns();
        r.extra[0] = cpu - (known->device ? cll_launch_cpu(region->mark) : region->mark);
    }
    uint64_t launched =
        known->device ? cll_launch_end(self, region->mark, r.extra + known->cputime) : 0;
    if (is_long(t, r.duration))
        watch(self, region->experiment, &r, cpu);
    cll_store(t, &r, cll_stack(), 0);
    if (launched)
        cll_launch_stored(self, launched, &r);
    errno = error;
}
