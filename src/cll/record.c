/* SPDX-License-Identifier: MIT */
/*
 * Numbers and records of a thread, where the inline begin and end (cll.h) cannot provide them:
 * above all in signal handlers that interrupt begin and end. A handler may interrupt at any
 * instruction, be interrupted itself, and never return.
 *
 * The code here runs with signals blocked, so nothing interrupts it. It finds one of these states:
 *
 *   gate >= 0, busy == 0   no begin or end was interrupted
 *   gate < 0               a begin is taking a number: it may have read seq[id] already, and will
 *                          then write that value plus one, even if seq[id] has changed
 *   busy != 0              an end is writing a record at cursor
 *
 * Numbers. A handler that begins the same experiment leaves the number in seq[id] to the begin that
 * it interrupted, and takes the numbers after it, from a note. While there is a note, `open` is 0,
 * so the next begin takes the slow path and settles the note: seq[id] moves beyond it. If the
 * interrupted begin had taken its number already, the number left for it is free: that next begin
 * gets it if it is of the same experiment; else the number is not used.
 *
 * Records of a handler that interrupts an end go into a spare segment of the thread.
 *
 * A handler may leave by siglongjmp: then the interrupted function never resets gate or busy. Both
 * hold the stack pointer of that function. A function whose stack pointer is not below it, on the
 * same stack, is not a handler that interrupted it, so the interrupted function has been left. It
 * took its number or did not, and the segment shows which records are complete.
 *
 * A handler may fork: then the child finds the thread wiped, at whatever instruction it continues.
 */
#define _GNU_SOURCE
#include "cll/internal.h"

#include <signal.h>
#include <string.h>

#define STACK_MASK (((uint64_t)1 << CLL_STACK_BITS) - 1)
#define MOST_WORDS (CLL_RECORD_WORDS + SPOOL_WIDE_WORDS + CLL_MAX_VARIABLES + CLL_MAX_COUNTERS)

/* Has the function with this stack pointer been left, seen from a function whose stack pointer is
   `now`? If that is not certain, it has not. */
static int is_gone(uint64_t stack, uint64_t now)
{
    stack_t other;
    if (stack == now)
        return 1;
    if (sigaltstack(NULL, &other))
        return 0;
    uint64_t base = (uint64_t)(uintptr_t)other.ss_sp;
    int on_other = !(other.ss_flags & SS_DISABLE) && stack - base < other.ss_size;
    if (other.ss_flags & SS_ONSTACK)
        return on_other && now > stack;
    return on_other || now > stack;
}

/* ---- numbers */

/* The experiment whose number is just being taken by a begin that goes on later; 0: none. */
static unsigned claimed(const struct cll_thread *t, uint64_t stack)
{
    uint64_t claim = ~(uint64_t)t->gate;
    if (t->gate >= 0 || is_gone(claim & STACK_MASK, stack))
        return 0;
    return (unsigned)(claim >> CLL_STACK_BITS);
}

/* No begin is taking a number of the note's experiment. Returns 1 if the number that was left is
   the one to take now. */
static int settle_note(struct cll_thread_state *self, unsigned id, uint64_t *number)
{
    struct cll_thread *t = self->hot;
    unsigned noted = self->note.id;
    int was_taken = t->seq[noted] > self->note.left;
    self->note.id = 0;
    t->seq[noted] = self->note.next;
    t->open = 1;
    if (was_taken)
        return 0;
    *number = self->note.left;
    if (noted == id)
        return 1;
    self->unused++;
    return 0;
}

static uint64_t take_number(struct cll_thread *t, unsigned id, uint64_t stack)
{
    struct cll_thread_state *self = t->internal;
    unsigned other = claimed(t, stack);
    uint64_t number;
    if (!self)
        return 0;
    if (self->note.id && self->note.id != other && settle_note(self, id, &number)) {
        t->gate = other ? t->gate : CLL_GATE_OPEN;
        return number;
    }
    if (!other)
        t->gate = CLL_GATE_OPEN;
    if (id != other) {
        number = t->seq[id]++;
        return number;
    }
    if (!self->note.id) {
        self->note.id = id;
        self->note.left = t->seq[id];
        self->note.next = t->seq[id] + 1;
        t->open = 0;
    }
    return self->note.next++;
}

uint64_t cll_number(struct cll_thread *t, unsigned id, uint64_t stack)
{
    struct cll_hold hold;
    uint64_t number;
    if (cll_take_number(t, id, &number))
        return number;
    cll_signals_block(&hold);
    number = take_number(t, id, stack);
    cll_signals_restore(&hold);
    return number;
}

uint64_t cll_record_begun(const struct cll_thread_state *self)
{
    uint64_t begun = 0;
    for (unsigned id = 1; id <= cll_known_count(); id++)
        begun += __atomic_load_n(&self->hot->seq[id], __ATOMIC_RELAXED);
    if (self->note.id)
        begun += self->note.next - self->note.left - 1;
    return begun - self->unused;
}

/* ---- records */

/* Writes a record at *cursor if it fits before *limit, which is read last: see cll_end. */
static int put(struct cll_record *r, uint64_t nested, cll_u64 **cursor, cll_u64 *const *limit)
{
    int wide = r->watched || (r->duration >> CLL_DURATION_BITS | nested >> CLL_NESTED_BITS |
                              r->seq >> CLL_SEQ_BITS) != 0;
    unsigned words = CLL_RECORD_WORDS + (wide ? SPOOL_WIDE_WORDS : 0) + r->nvars + r->nextra;
    cll_u64 *record = *cursor;
    cll_signal_fence();
    /* as numbers: in a forked child both are null, to which nothing may be added */
    if ((uintptr_t)record + words * sizeof *record > (uintptr_t)*limit)
        return 0;
    cll_u64 *at = record + CLL_RECORD_WORDS;
    record[0] = r->start << 6;
    if (wide) {
        record[2] = r->watched;
        *at++ = r->duration;
        *at++ = r->seq;
        *at++ = nested;
    } else {
        record[2] = r->seq << CLL_NESTED_BITS | nested;
    }
    memcpy(at, r->values, r->nvars * sizeof *at);
    memcpy(at + r->nvars, r->extra, r->nextra * sizeof *at);
    r->stored = record;
    r->stored_extra = at + r->nvars;
    __atomic_store_n(&record[1], wide ? r->id | SPOOL_WIDE : r->duration << 16 | r->id,
                     __ATOMIC_RELEASE);
    *cursor = record + words;
    return 1;
}

static uint64_t nested_in(const struct cll_thread *t, const struct cll_record *r)
{
    return t->pairs + t->aside - r->pairs;
}

/* Writes into the thread's own segment; the caller has taken busy. */
static int put_own(struct cll_thread *t, struct cll_record *r)
{
    if (!put(r, nested_in(t, r), &t->cursor, &t->limit))
        return 0;
    __atomic_store_n(&t->pairs, t->pairs + 1, __ATOMIC_RELAXED);
    return 1;
}

unsigned cll_record_words(const uint64_t *record)
{
    const struct cll_known *known = cll_known((unsigned)(record[1] & SPOOL_ID_MASK));
    return CLL_RECORD_WORDS + (record[1] & SPOOL_WIDE ? SPOOL_WIDE_WORDS : 0) + known->nvars +
           known->nextra;
}

/* The end of the complete records in the thread's own segment; *records: how many there are. */
static cll_u64 *complete_records(const struct cll_thread_state *self, uint64_t *records)
{
    cll_u64 *at = (cll_u64 *)(self->segment + 1);
    const cll_u64 *limit = (cll_u64 *)((char *)self->segment + self->segment->bytes);
    *records = 0;
    for (; limit - at >= CLL_RECORD_WORDS && __atomic_load_n(&at[1], __ATOMIC_ACQUIRE);
         at += cll_record_words((uint64_t *)at))
        ++*records;
    return at;
}

void cll_record_mend(struct cll_thread_state *self)
{
    struct cll_thread *t = self->hot;
    uint64_t records;
    if (!self->segment)
        return;
    t->cursor = complete_records(self, &records);
    t->pairs = self->pairs + records;
    size_t rest = (size_t)(t->limit - t->cursor);
    memset(t->cursor, 0, (rest < MOST_WORDS ? rest : MOST_WORDS) * sizeof *t->cursor);
}

uint64_t cll_record_ended(const struct cll_thread_state *self)
{
    uint64_t pairs = __atomic_load_n(&self->hot->pairs, __ATOMIC_RELAXED);
    if (self->segment && __atomic_load_n(&self->hot->busy, __ATOMIC_RELAXED)) {
        complete_records(self, &pairs); /* the one that is being written may be complete */
        pairs += self->pairs;
    }
    return pairs + __atomic_load_n(&self->hot->aside, __ATOMIC_RELAXED);
}

/* Signals are blocked. Returns 0 when a new segment is needed first. */
static int put_somewhere(struct cll_thread *t, struct cll_record *r, uint64_t stack, int *mine)
{
    struct cll_thread_state *self = t->internal;
    if (!*mine && (!t->busy || is_gone(t->busy, stack))) {
        if (t->busy)
            cll_record_mend(self);
        t->busy = stack;
        *mine = 1;
    }
    if (*mine)
        return put_own(t, r);
    if (!put(r, nested_in(t, r), &self->spare_cursor, &self->spare_limit))
        return 0;
    t->aside++;
    return 1;
}

/* Signals are unblocked while a new segment is made: those without a handler may end the program,
   and handlers find a consistent state. */
static void store_slowly(struct cll_thread *t, struct cll_record *r, uint64_t stack, int mine)
{
    struct cll_hold hold;
    struct cll_thread_state *self = t->internal;
    cll_signals_block(&hold);
    if (self && t->internal && !put_somewhere(t, r, stack, &mine)) {
        cll_signals_restore(&hold);
        int room = mine ? cll_thread_room(self) : cll_thread_spare_room(self);
        cll_signals_block(&hold);
        if (t->internal && (!room || !put_somewhere(t, r, stack, &mine))) {
            cll_record_lost();
            t->aside++;
        }
    }
    if (mine)
        t->busy = 0;
    cll_signals_restore(&hold);
}

void cll_store(struct cll_thread *t, struct cll_record *r, uint64_t stack, int mine)
{
    if (!mine && !t->busy) {
        t->busy = stack;
        mine = 1;
    }
    cll_signal_fence();
    if (mine && put_own(t, r)) {
        cll_signal_fence();
        t->busy = 0;
        return;
    }
    store_slowly(t, r, stack, mine);
}
