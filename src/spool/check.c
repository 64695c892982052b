/* SPDX-License-Identifier: MIT */
/*
 * Tells damage from data in a spool that was read from a file. There are no checksums, because a
 * record is written in a few instructions. But the records of a thread end one after the other,
 * within the time that the run can have taken, and a number of executions cannot be larger than that
 * time allows. Random bytes hardly ever satisfy this.
 *
 * What damage costs: the rest of its segment, because the length of a record tells where the next
 * one is, and the record before the damage. (Values of variables may be anything, so damage that
 * begins in them is found one record later.) A segment whose head is damaged is lost completely.
 */
#include "spool/read.h"

#include <math.h>
#include <string.h>
#include <time.h>

#define MOST_THREADS    (1u << 24)
#define MOST_WORDS      (3 + SPOOL_WIDE_WORDS + READ_MAX_VARS + READ_MAX_EXTRA)
#define TICKS           (UINT64_MAX >> 6)
#define CLOCK_ERROR     86400 /* seconds by which the calendar may have been set back since */
#define BEFORE_START    60    /* seconds by which a region may have begun before the run-time */
#define SHORTEST_PAIR   1e-9  /* seconds */
#define COUNTER_BITS    56    /* counters stay below 2^56 */
#define LARGEST_VALUE   1e100
#define SMALLEST_VALUE  1e-100
#define LARGEST_ADVANCE 1e-2 /* seconds by which clocks of two processors may differ */

/* ---- the header */

static double ticks_per_second(const struct spool_header *h)
{
    double ns = (double)(h->last_ns - h->start_ns);
    double hz = (double)h->nominal_hz;
    if (!(hz > 0) && ns > 0)
        hz = (double)(h->last_ticks - h->start_ticks) / ns * 1e9;
    return hz >= 1 && hz <= 1e12 ? hz : 1e9;
}

void cll_check_start(struct read_spool *spool)
{
    const struct spool_header *h = spool->header;
    double known = h->last_ticks > h->start_ticks ? (double)(h->last_ticks - h->start_ticks) : 0;
    double age = (double)time(NULL) - (double)h->start_unix;
    spool->hz = ticks_per_second(h);
    spool->longest = (age + CLOCK_ERROR) * spool->hz;
    if (spool->longest < known)
        spool->longest = known;
    if (age < 0 || !spool_clock_is_real(h->clock) || spool->longest > (double)(TICKS >> 1))
        spool->longest = (double)(TICKS >> 1);
    if (h->last_ticks < h->start_ticks)
        spool->damaged = 1;
}

int cll_check_count(const struct read_spool *spool, uint64_t count)
{
    return !spool->view->suspect || !spool_clock_is_real(spool->header->clock) ||
           (double)count <= spool->longest / spool->hz / SHORTEST_PAIR;
}

/* ---- segments */

static int is_head(const struct cll_spool_part *part, uint64_t at)
{
    struct spool_segment head;
    if (at > part->bytes || part->bytes - at < sizeof head)
        return 0;
    memcpy(&head, part->base + at, sizeof head);
    return head.magic == SEGMENT_MAGIC && head.kind >= SEGMENT_FREE &&
           head.kind <= SEGMENT_TOTALS && head.bytes >= sizeof head &&
           head.bytes % SPOOL_ALIGN == 0 && head.bytes <= UINT64_MAX / 2 &&
           head.thread < MOST_THREADS;
}

static uint64_t next_head(const struct cll_spool_part *part, uint64_t at)
{
    while (at < part->bytes && !is_head(part, at))
        at += SPOOL_ALIGN;
    return at < part->bytes ? at : part->bytes;
}

uint64_t cll_check_segment(struct read_spool *spool, const struct cll_spool_part *part,
                           uint64_t *at)
{
    static const uint32_t no_magic;
    uint64_t here = next_head(part, *at);
    if (here != *at && here < part->bytes) {
        spool->damaged = 1; /* a head was overwritten */
        spool->skipped_segments++;
    } else if (here - *at >= sizeof no_magic &&
               memcmp(part->base + *at, &no_magic, sizeof no_magic)) {
        spool->damaged = 1;
    } /* else zeros: space was allocated and the process ended before it was used */
    *at = here;
    if (here == part->bytes)
        return 0;
    const struct spool_segment *segment = (const void *)(part->base + here);
    uint64_t bytes = segment->bytes, left = part->bytes - here;
    if (bytes == left || (bytes < left && is_head(part, here + bytes)))
        return bytes;
    uint64_t next = next_head(part, here + SPOOL_ALIGN);
    if (next < part->bytes && next - here < bytes) {
        spool->damaged = 1; /* its length was overwritten */
        return next - here;
    }
    if (bytes > left) {
        spool->damaged = 1; /* the file is truncated: the beginning of the segment can be read */
        return left & ~(uint64_t)7;
    }
    return bytes;
}

/* ---- records */

static int is_sound_value(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    if (isnan(value)) /* the one that the processor makes, of either sign */
        return bits << 1 == (uint64_t)0x7ff8000000000000u << 1;
    double size = fabs(value);
    return isinf(value) || size == 0 || (size >= SMALLEST_VALUE && size <= LARGEST_VALUE);
}

/* A thread cannot have used more CPU time than the run took. */
static int is_sound_watch(const struct read_spool *spool, const struct read_record *r)
{
    const uint32_t known =
        SPOOL_WATCHED | SPOOL_PREEMPTED | SPOOL_WAITED | SPOOL_MIGRATED | SPOOL_FAULTED;
    double seconds = cll_watched_seconds(r->watched);
    return !((uint32_t)r->watched & ~known) && r->watched & SPOOL_WATCHED && seconds >= 0 &&
           seconds <= spool->longest / spool->hz;
}

/* *end: when the record before ended, ticks since the start. */
static int is_sound(const struct read_spool *spool, const struct read_record *r, double *end)
{
    const struct read_experiment *e = r->experiment;
    uint64_t ticks = (r->start - spool->header->start_ticks) & TICKS;
    double start = ticks >> 57 ? -(double)(TICKS + 1 - ticks) : (double)ticks;
    double ended = start + (double)r->duration;
    if (start < -BEFORE_START * spool->hz || ended > spool->longest ||
        ended < *end - LARGEST_ADVANCE * spool->hz)
        return 0;
    if (!cll_check_count(spool, r->seq) || !cll_check_count(spool, r->nested) ||
        (r->level && !spool->header->thinned))
        return 0;
    /* For a real clock this is tighter than the age of the file. */
    double most = (ended > 0 ? ended : 0) / spool->hz / SHORTEST_PAIR + 1e6;
    if (spool_clock_is_real(spool->header->clock) &&
        ((double)r->seq > most || (double)r->nested > most))
        return 0;
    for (unsigned i = 0; i < e->nvars; i++)
        if (!is_sound_value(r->values[i]))
            return 0;
    for (unsigned i = e->nvars; i < e->nvars + e->nextra; i++)
        if (r->values[i] != SPOOL_NAN && r->values[i] >> COUNTER_BITS)
            return 0;
    if (r->watched && !is_sound_watch(spool, r))
        return 0;
    *end = ended;
    return 1;
}

/* One more than the last word in [at, end) that is not zero; at if there is none. */
static uint64_t used_words(const uint64_t *words, uint64_t at, uint64_t end)
{
    while (end > at && !words[end - 1])
        end--;
    return end;
}

/* Can the records end here? A record that was being written when the process was killed may follow. */
static int is_end(const uint64_t *words, uint64_t at, uint64_t end)
{
    return end - at < 3 || (!words[at + 1] && used_words(words, at, end) <= at + MOST_WORDS);
}

/* The approximate number of records of that size in [at, end). */
static uint64_t count_lost(const uint64_t *words, uint64_t at, uint64_t end, uint64_t size)
{
    uint64_t lost = 0;
    for (; end - at > size; at += size)
        lost += used_words(words, at, at + size) > at;
    return lost + (used_words(words, at, end) > at);
}

/* Was the process killed while it cut a segment? Then the head of the free rest has been written,
   and the segment still has its old length. */
static int is_cut(const struct spool_segment *segment, uint64_t at, uint64_t end)
{
    uint64_t bytes = sizeof *segment + end * sizeof(uint64_t);
    uint64_t place = sizeof *segment + at * sizeof(uint64_t);
    struct spool_segment rest;
    place = (place + SPOOL_ALIGN - 1) / SPOOL_ALIGN * SPOOL_ALIGN;
    if (place > bytes || bytes - place < sizeof rest)
        return 0;
    memcpy(&rest, (const char *)segment + place, sizeof rest);
    return rest.bytes == bytes - place && !rest.thread && !rest.open && !rest.progress &&
           (!rest.kind || rest.kind == SEGMENT_FREE);
}

uint64_t cll_check_records(struct read_spool *spool, const struct spool_segment *segment,
                           uint64_t from, uint64_t to, enum read_order order)
{
    const uint64_t *words = (const uint64_t *)(segment + 1);
    struct read_record r = {.thread = segment->thread};
    double earliest = -BEFORE_START * spool->hz, end = earliest;
    uint64_t at = from, last = from, length;
    if (order != READ_FILLED && is_cut(segment, from, to))
        return from;
    while (at < to && (length = cll_read_record(spool, words + at, to - at, &r)) &&
           is_sound(spool, &r, &end)) {
        last = at;
        at += length;
        if (order != READ_AS_WRITTEN)
            end = earliest;
    }
    if (at == to || (order != READ_FILLED && is_end(words, at, to)))
        return at;
    spool->damaged = 1;
    spool->skipped += count_lost(words, last, to, at > last ? at - last : 4);
    spool->skipped_segments++;
    return last;
}
