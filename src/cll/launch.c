/* SPDX-License-Identifier: MIT */
/*
 * Kernels and copies that regions give to devices. A driver (cll_device.h) sees them on the thread that
 * launches them, so they belong to the regions that are open on this thread. Their number and their bytes
 * are known at once. Their times are known when the device is done, which may be long after the region:
 * its record is written when it ends, with DEVICE and TRANSFER unknown, and gets them later.
 *
 * Each execution has a frame from its begin until all its values are known. A frame waits for its pieces
 * of work, for the frames inside it, and for its own end. When it waits for nothing, its times go into its
 * record and are added to the frame around it. So what is inside counts once for each region around it,
 * whatever the order in which the device is done.
 *
 * The work of a thread is in a ring of its lane. At the ends of regions the oldest pieces are asked for,
 * without waiting, so that about MANY are left: these are perhaps not done yet, and what the driver keeps for
 * a piece of work is used again soon. Only reports and the end of the program wait. If the ring is full of
 * work that is not done, the time of further work stays unknown: the program never waits for it.
 *
 * A lane is changed by its thread, and by the thread that reports. `taken` guards it. A handler that
 * interrupts its own thread in here finds it taken, and its region has no values of the device.
 */
#define _GNU_SOURCE
#include "cll/internal.h"

#include <cll_device.h>
#include <sched.h>
#include <string.h>

enum {
    WORKS = 16384, /* of a lane, not done yet */
    FRAMES =
        WORKS + 4096, /* of a lane: executions whose values are not known yet, or that are open */
    MANY = 64,        /* pieces of work that are not asked for */
    AGAIN = 32 /* and after how many more they are asked for again: asking in vain costs much */
};

enum { NS_DEVICE, NS_TRANSFER, NS_KINDS };
enum { COUNT_IN, COUNT_OUT, COUNT_LAUNCHES, SUMS, WAVES = SUMS, COUNTS };

const char *const cll_work_names[CLL_WORK_VALUES] = {"DEVICE",    "TRANSFER", "BYTES_IN",
                                                     "BYTES_OUT", "LAUNCHES", "WAVES"};

CLL_PER_THREAD struct cll_launched cll_launched;
static CLL_PER_THREAD double waves; /* of the launch that is added next */

struct frame {
    struct frame *outer; /* the one around it; in the list of free ones: the next */
    uint64_t cpu;
    uint64_t counts[COUNTS]; /* sums; of the waves the most, in billionths */
    uint64_t ns[NS_KINDS];
    char unknown[NS_KINDS];
    unsigned waits; /* for its end, pieces of work, frames inside */

    const cll_u64 *record; /* null: it has none (yet) */
    cll_u64 *values;       /* of the record: where NS_DEVICE and NS_TRANSFER are */
    uint64_t start;        /* what the record began with */
    unsigned id;
};

struct work {
    const struct cll_work_driver *driver;
    void *work;
    struct frame *frame;
    unsigned kind;
};

struct cll_lane {
    struct cll_lane *next;
    const struct cll_thread_state *taken; /* by whom; atomic */
    int has_thread;
    struct frame *top; /* the innermost open one */
    struct frame *free;
    unsigned frames;     /* used so far of `all` */
    uint64_t first, end; /* of the works in the ring */
    uint64_t asked;      /* the end when the oldest were asked for */
    uint64_t ask_at;     /* and the end from which on they are asked for again */
    struct frame all[FRAMES];
    struct work ring[WORKS];
};

/* A forked child starts with zeros. */
static struct {
    struct cll_lane *lanes; /* grows at its front only; atomic */
    char said[512];         /* lines about devices */
} launch;

/* ---- lanes */

static const struct cll_thread_state
    reporter; /* its address: a thread without a state that reports */

static const struct cll_thread_state *self_or_reporter(void)
{
    const struct cll_thread_state *self = cll_self->internal;
    return self ? self : &reporter;
}

/* 0: this thread has it already, and was interrupted. */
static int take(struct cll_lane *lane)
{
    const struct cll_thread_state *self = self_or_reporter(), *none;
    while (none = NULL, !__atomic_compare_exchange_n(&lane->taken, &none, self, 0, __ATOMIC_ACQUIRE,
                                                     __ATOMIC_RELAXED)) {
        if (none == self)
            return 0;
        sched_yield();
    }
    return 1;
}

static void leave(struct cll_lane *lane)
{
    __atomic_store_n(&lane->taken, NULL, __ATOMIC_RELEASE);
}

/* Gives the lane to this thread, if its own thread has ended and its work is done. */
static int lane_reuse(struct cll_lane *lane)
{
    int none = 0, done;
    if (!__atomic_compare_exchange_n(&lane->has_thread, &none, 1, 0, __ATOMIC_ACQ_REL,
                                     __ATOMIC_RELAXED))
        return 0;
    done = take(lane);
    if (done) {
        done = lane->first == lane->end;
        leave(lane);
    }
    if (!done)
        __atomic_store_n(&lane->has_thread, 0, __ATOMIC_RELEASE);
    return done;
}

/* One that is free, or a new one; null without memory. */
static struct cll_lane *lane_new(void)
{
    struct cll_lane *lane = __atomic_load_n(&launch.lanes, __ATOMIC_ACQUIRE);
    for (; lane; lane = lane->next)
        if (lane_reuse(lane))
            return lane;
    lane = cll_pages_new(sizeof *lane);
    if (!lane)
        return NULL;
    lane->has_thread = 1;
    lane->next = __atomic_load_n(&launch.lanes, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(&launch.lanes, &lane->next, lane, 0, __ATOMIC_RELEASE,
                                        __ATOMIC_RELAXED))
        continue;
    return lane;
}

void cll_launch_thread_ended(struct cll_thread_state *self)
{
    struct cll_lane *lane = self->lane;
    if (!lane)
        return;
    if (take(lane)) {
        lane->top = NULL; /* abandoned regions */
        leave(lane);
    }
    self->lane = NULL;
    __atomic_store_n(&lane->has_thread, 0, __ATOMIC_RELEASE);
}

void cll_launch_restart(void)
{
    launch.lanes = NULL;
}

/* ---- frames */

static struct frame *frame_new(struct cll_lane *lane)
{
    struct frame *frame = lane->free;
    if (frame)
        lane->free = frame->outer;
    else if (lane->frames < FRAMES)
        frame = &lane->all[lane->frames++];
    else
        return NULL;
    memset(frame, 0, sizeof *frame);
    return frame;
}

/* Is the record still where it was put? A cut spool may have lost it. */
static int is_there(const struct frame *frame)
{
    return frame->record && frame->record[0] >> 6 == frame->start &&
           (frame->record[1] & SPOOL_ID_MASK) == frame->id;
}

/* Something that the frame waited for has come. */
static void came(struct cll_lane *lane, struct frame *frame)
{
    while (frame && --frame->waits == 0) {
        struct frame *outer = frame->outer;
        for (unsigned i = 0; i < NS_KINDS; i++) {
            if (is_there(frame) && !frame->unknown[i])
                __atomic_store_n(&frame->values[i], frame->ns[i], __ATOMIC_RELAXED);
            if (outer) {
                outer->ns[i] += frame->ns[i];
                outer->unknown[i] |= frame->unknown[i];
            }
        }
        frame->outer = lane->free;
        lane->free = frame;
        frame = outer;
    }
}

static void add_waves(struct frame *frame, uint64_t more)
{
    if (frame->counts[WAVES] < more)
        frame->counts[WAVES] = more;
}

static void close_frame(struct frame *frame)
{
    for (unsigned i = 0; frame->outer && i < SUMS; i++)
        frame->outer->counts[i] += frame->counts[i];
    if (frame->outer)
        add_waves(frame->outer, frame->counts[WAVES]);
}

uint64_t cll_launch_begin(struct cll_thread_state *self, uint64_t cpu)
{
    struct cll_lane *lane = self->lane ? self->lane : (self->lane = lane_new());
    if (!lane || !take(lane))
        return 0;
    struct frame *frame = frame_new(lane);
    if (frame) {
        frame->cpu = cpu;
        frame->waits = 1;
        frame->outer = lane->top;
        if (frame->outer)
            frame->outer->waits++;
        lane->top = frame;
    }
    leave(lane);
    return (uint64_t)(uintptr_t)frame;
}

uint64_t cll_launch_cpu(uint64_t mark)
{
    const struct frame *frame = (const struct frame *)(uintptr_t)mark;
    return frame ? frame->cpu : 0;
}

/* Frames above this one are of regions that longjmp has left. 0: it was left itself. */
static int pop_to(struct cll_lane *lane, const struct frame *frame)
{
    const struct frame *at = lane->top;
    while (at && at != frame)
        at = at->outer;
    while (at && lane->top != frame) {
        struct frame *left = lane->top;
        lane->top = left->outer;
        close_frame(left);
        came(lane, left);
    }
    return at != NULL;
}

/* ---- work */

static unsigned ns_kind(unsigned work_kind)
{
    return work_kind == CLL_WORK_IN || work_kind == CLL_WORK_OUT ? NS_TRANSFER : NS_DEVICE;
}

/* Asks for the oldest work; 0: it is not done. The lane is taken. */
static int ask_first(struct cll_lane *lane, int wait)
{
    struct work *work = &lane->ring[lane->first % WORKS];
    cll_u64 ns = 0;
    enum cll_work_state state = work->driver->ask(work->work, wait, &ns);
    if (state == CLL_WORK_RUNS)
        return 0;
    unsigned kind = ns_kind(work->kind);
    if (state == CLL_WORK_DONE)
        work->frame->ns[kind] += ns;
    else
        work->frame->unknown[kind] = 1;
    lane->first++;
    came(lane, work->frame);
    return 1;
}

/* At the end of a region: at most twice as many as were added since the last time, so that all regions pay the same,
   and it becomes fewer when the device catches up. */
static void ask_some(struct cll_lane *lane)
{
    uint64_t most = 2 * (lane->end - lane->asked);
    lane->asked = lane->end;
    for (; most && lane->end - lane->first > MANY; most--)
        if (!ask_first(lane, 0)) {
            lane->ask_at = lane->end + AGAIN;
            break;
        }
}

int cll_work_is_wanted(void)
{
    const struct cll_thread_state *self = cll_self->internal;
    return self && self->lane && self->lane->top;
}

void cll_work_add(const struct cll_work_driver *driver, enum cll_work_kind kind, cll_u64 bytes,
                  void *handle)
{
    struct cll_thread_state *self = cll_self->internal;
    struct cll_lane *lane = self ? self->lane : NULL;
    if (!lane || !take(lane))
        return;
    struct frame *frame = lane->top;
    if (frame) {
        frame->counts[COUNT_LAUNCHES] += kind == CLL_WORK_LAUNCH;
        if (kind == CLL_WORK_LAUNCH)
            add_waves(frame, (uint64_t)(waves * 1e9 + 0.5));
        frame->counts[COUNT_IN] += kind == CLL_WORK_IN ? bytes : 0;
        frame->counts[COUNT_OUT] += kind == CLL_WORK_OUT ? bytes : 0;
        if (handle && (lane->end - lane->first < WORKS || ask_first(lane, 0))) {
            lane->ring[lane->end++ % WORKS] = (struct work){driver, handle, frame, kind};
            frame->waits++;
        } else {
            frame->unknown[ns_kind(kind)] = 1;
        }
    }
    if (kind == CLL_WORK_LAUNCH)
        waves = 0;
    leave(lane);
}

void cll_work_launched(double grid, double block, double sm, double at_once)
{
    waves = at_once > 0 ? grid * block / at_once : 0;
    cll_launched.grid = grid;
    cll_launched.block = block;
    cll_launched.sm = sm;
}

static void collect_lane(struct cll_lane *lane, int wait)
{
    if (!take(lane))
        return;
    while (lane->first != lane->end && ask_first(lane, wait)) {
        leave(lane); /* its thread may go on */
        if (!take(lane))
            return;
    }
    leave(lane);
}

void cll_launch_collect(int wait)
{
    struct cll_lane *lane = __atomic_load_n(&launch.lanes, __ATOMIC_ACQUIRE);
    for (; lane; lane = lane->next)
        collect_lane(lane, wait);
}

void cll_work_finish(void)
{
    cll_launch_collect(1);
}

void cll_launch_let_go(void)
{
    struct cll_lane *lane = __atomic_load_n(&launch.lanes, __ATOMIC_ACQUIRE);
    cll_launch_collect(0);
    for (; lane; lane = lane->next) {
        if (!take(lane))
            continue;
        for (unsigned i = 0; i < lane->frames; i++)
            lane->all[i].record = NULL;
        leave(lane);
    }
}

/* ---- the end of an execution */

static void set_unknown(cll_u64 values[CLL_WORK_VALUES])
{
    for (unsigned i = 0; i < CLL_WORK_VALUES; i++)
        values[i] = SPOOL_NAN;
}

uint64_t cll_launch_end(struct cll_thread_state *self, uint64_t mark,
                        cll_u64 values[CLL_WORK_VALUES])
{
    struct frame *frame = (struct frame *)(uintptr_t)mark;
    struct cll_lane *lane = self->lane;
    set_unknown(values);
    if (!frame || !lane || !take(lane))
        return 0;
    int open = pop_to(lane, frame);
    if (open) {
        lane->top = frame->outer;
        close_frame(frame);
        if (lane->end - lane->first > MANY && lane->end >= lane->ask_at)
            ask_some(lane);
        for (unsigned i = 0; i < NS_KINDS && frame->waits == 1; i++)
            values[i] = frame->unknown[i] ? SPOOL_NAN : frame->ns[i];
        memcpy(values + NS_KINDS, frame->counts, sizeof frame->counts);
    }
    leave(lane);
    return open ? mark : 0;
}

void cll_launch_stored(struct cll_thread_state *self, uint64_t mark, const struct cll_record *r)
{
    struct frame *frame = (struct frame *)(uintptr_t)mark;
    struct cll_lane *lane = self->lane;
    if (!frame || !lane || !take(lane))
        return;
    if (r->stored) {
        frame->record = r->stored;
        frame->values = r->stored_extra + (r->nextra - CLL_WORK_VALUES);
        frame->start = r->start & (UINT64_MAX >> 6);
        frame->id = r->id;
    }
    came(lane, frame);
    leave(lane);
}

/* ---- what is known of devices */

void cll_work_describe(const char *text)
{
    struct cll_hold hold;
    if (!cll_hold(&hold, -1))
        return;
    if (!launch.said[0]) {
        strncpy(launch.said, text, sizeof launch.said - 1);
        if (cll_spool_header())
            cll_launch_describe();
    }
    cll_release(&hold);
}

void cll_launch_describe(void)
{
    if (launch.said[0])
        cll_info("device: %s", launch.said);
}
