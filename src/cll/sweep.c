/* SPDX-License-Identifier: MIT */
/*
 * The order in which a `cll for` with shuffle visits its iterations (struct cll_sweep in cll.h).
 *
 * A loop is only known by executing it, and its body is not executed while its iterations are
 * counted. A sweep needs no memory, and one that the program leaves by a jump leaves nothing behind.
 *
 * The order depends on the round, on the line of the loop, on the number of its iterations, and on the
 * iterations of the loops around it. It must not depend on anything else: the processes and threads
 * of a parallel program visit the iterations in the same order, because a body may wait for the
 * others.
 */
#include "cll/driver.h"
#include "cll/internal.h"

/* Visiting costs half the square of it in steps of the loop. */
#define MOST_ITERATIONS 10000u

enum stage { STAGE_NEW, STAGE_PLAIN, STAGE_COUNT, STAGE_VISIT, STAGE_LEAVE };

static uint64_t mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

unsigned cll_sweep_place(uint64_t seed, unsigned count, unsigned turn)
{
    unsigned bits = 1;
    while ((count - 1) >> bits)
        bits++;
    uint64_t mask = ((uint64_t)1 << bits) - 1, x = turn;
    do { /* each step is a bijection of [0, mask] */
        uint64_t key = seed;
        for (int i = 0; i < 4; i++) {
            key = mix(key);
            x = (x + key) & mask;
            x = x * (key >> 20 | 1) & mask;
            x ^= x >> (bits + 1) / 2;
        }
    } while (x >= count);
    return (unsigned)x;
}

static void say_once(const struct cll_sweep *s, int *said, const char *what)
{
    if (!__atomic_exchange_n(said, 1, __ATOMIC_RELAXED))
        cll_say("%s:%u: %s", s->file, s->line, what);
}

/* The next pass that executes the body; 0 if all did. */
static int next_turn(struct cll_sweep *s)
{
    if (s->turn == s->count)
        return 0;
    s->target = cll_sweep_place(s->seed, s->count, s->turn++);
    return 1;
}

static int begin_visits(struct cll_sweep *s)
{
    static int said;
    if (s->at > MOST_ITERATIONS) {
        say_once(
            s, &said,
            "this loop is not shuffled: it has more than 10000 iterations, or its body decides "
            "when it ends; remove 'shuffle'");
        s->stage = STAGE_PLAIN;
        return 1;
    }
    s->count = s->at;
    s->stage = STAGE_VISIT;
    return next_turn(s);
}

/* A pass that executed the body is over. */
static int continue_visits(struct cll_sweep *s)
{
    static int said;
    if (s->at <= s->target)
        say_once(s, &said,
                 "an iteration of this loop was not executed: its INIT does not set all its "
                 "variables, or its body changes how often the loop is executed; remove 'shuffle'");
    if (!next_turn(s))
        s->stage = STAGE_LEAVE;
    return 1;
}

static int begin_sweep(struct cll_sweep *s, const struct cll_sweep *outer)
{
    uint64_t round = (uint64_t)cll_driver_run();
    s->seed = mix((outer ? outer->seed + outer->at : round) ^ (uint64_t)s->line << 32);
    s->stage = s->shuffle && round ? STAGE_COUNT : STAGE_PLAIN;
    return 1;
}

static int next_pass(struct cll_sweep *s, const struct cll_sweep *outer)
{
    switch ((enum stage)s->stage) {
    case STAGE_NEW: return begin_sweep(s, outer);
    case STAGE_COUNT: return begin_visits(s);
    case STAGE_VISIT: return continue_visits(s);
    case STAGE_PLAIN:
    case STAGE_LEAVE: break;
    }
    return 0;
}

int cll_sweep_pass(struct cll_sweep *s, const struct cll_sweep *outer)
{
    int more = next_pass(s, outer);
    s->at = 0;
    return more;
}

int cll_sweep_over(struct cll_sweep *s)
{
    switch ((enum stage)s->stage) {
    case STAGE_COUNT: return s->at > MOST_ITERATIONS;
    case STAGE_VISIT: return s->at > s->target;
    case STAGE_LEAVE: return s->at >= s->count;
    case STAGE_NEW:
    case STAGE_PLAIN: break;
    }
    return 0;
}

int cll_sweep_skip(struct cll_sweep *s)
{
    unsigned index = s->at++;
    return s->stage != STAGE_PLAIN && (s->stage != STAGE_VISIT || index != s->target);
}
