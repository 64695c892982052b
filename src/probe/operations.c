/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Operations of the processor: latency (each needs the result of the one before) and throughput (eight
 * that do not depend on each other). A loop has sixteen operations per step, so that its own cost is
 * hidden behind them. Vectors are in vector.c, functions of libm in libm.c, branches, calls and page faults in events.c,
 * loops of several operations in loops.c.
 *
 * Operands: none of the values grows beyond or becomes denormal, and those of divisions and roots are
 * such that no short cut for simple operands applies.
 */
#include "probe/operations.h"

#include "probe/kernel.h"

#ifdef __OPTIMIZE__
const bool probe_optimised = true;
#else
const bool probe_optimised = false;
#endif

/* clang-format off */
OPERATION(int_add, uint64_t, KEEP_INT, 1, 3, x = x + y)
OPERATION(int_logic, uint64_t, KEEP_INT, 1, 3, x = x ^ y)
OPERATION(int_shift, uint64_t, KEEP_INT, 1, 3, x = x << (y & 63))
OPERATION(int_mul, uint64_t, KEEP_INT, 3, 5, x = x * y)
/* The quotient of 2^60 and about 2^30 is about 2^30. */
OPERATION(int_div, uint64_t, KEEP_INT, 1073741789, 1152921504606846883, x = y / x)
OPERATION(fp_add, double, KEEP_FP, 1, 1e-3, x = x + y)
OPERATION(fp_mul, double, KEEP_FP, 1.5, 0.99999999999, x = x * y)
OPERATION(fp_div, double, KEEP_FP, 1.2345678901, 1.7320508075688772, x = y / x)
/* The sum keeps the operand away from 1, where all roots lead; its cost is included. */
OPERATION(fp_sqrt, double, KEEP_FP, 2.3, 1.7320508075688772, x = __builtin_sqrt(x) + y)
OPERATION(float_add, float, KEEP_FP, 1, 1e-3f, x = x + y)
OPERATION(float_mul, float, KEEP_FP, 1.5f, 0.9999999f, x = x * y)
OPERATION(float_div, float, KEEP_FP, 1.2345678f, 1.7320508f, x = y / x)
OPERATION(int_to_fp, uint64_t, KEEP_INT, 1000, 0, x = (uint64_t)(int64_t)(double)(int64_t)(x + y))
/* clang-format on */

/* ---- loads and stores in the first-level cache */

enum { WORDS = 512 };
static uint64_t words[WORDS];

#define WORDS_4(access, k) access((k)) access((k) + 1) access((k) + 2) access((k) + 3)
#define WORDS_16(access)                                                                           \
    WORDS_4(access, 0) WORDS_4(access, 4) WORDS_4(access, 8) WORDS_4(access, 12)
#define LOAD(k) USE_INT(at[k]);
#define STORE(k)                                                                                   \
    at[k] = x;                                                                                     \
    USE_INT(at);

static KERNEL void load_latency(uint64_t n)
{
    static void *cell = &cell; /* points at itself */
    void **p = cell;
    for (uint64_t i = 0; i < n; i++) {
        TIMES_16(p = *p; KEEP_INT(p);)
    }
}

static KERNEL void load_throughput(uint64_t n)
{
    const uint64_t *p = words;
    KEEP_INT(p);
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t *at = p + (i & 31) * 16;
        WORDS_16(LOAD)
    }
}

static KERNEL void store_throughput(uint64_t n)
{
    uint64_t *p = words, x = 1;
    KEEP_INT(p);
    for (uint64_t i = 0; i < n; i++) {
        uint64_t *at = p + (i & 31) * 16;
        WORDS_16(STORE)
    }
}

static const struct probe_operation operations[] = {
    BOTH(int_add, 16, NULL),
    BOTH(int_logic, 16, NULL),
    BOTH(int_shift, 16, NULL),
    BOTH(int_mul, 16, NULL),
    BOTH(int_div, 16, NULL),
    BOTH(fp_add, 16, NULL),
    BOTH(fp_mul, 16, NULL),
    BOTH(fp_div, 16, NULL),
    BOTH(fp_sqrt, 16, NULL),
    BOTH(float_add, 16, NULL),
    BOTH(float_mul, 16, NULL),
    BOTH(float_div, 16, NULL),
    BOTH(int_to_fp, 16, NULL),
    {"load.latency", load_latency, 16, NULL},
    {"load.throughput", load_throughput, 16, NULL},
    {"store.throughput", store_throughput, 16, NULL},
    {NULL, NULL, 0, NULL},
};

/* ---- the family */

enum { TABLES = 5, MOST = 96 };
static const struct probe_operation *chosen[MOST];
static uint64_t steps[MOST];

static double sample(const struct probe_point *p, unsigned round)
{
    const struct probe_operation *o = chosen[p->index];
    (void)round;
    return probe_time(o->loop, &steps[p->index]) / o->count;
}

static const char *open_operations(struct probe *p)
{
    static const struct probe_operation *const tables[TABLES] = {
        operations, probe_vector, probe_libm, probe_events, probe_loops};
    size_t n = 0;
    for (size_t t = 0; t < TABLES; t++)
        for (const struct probe_operation *o = tables[t]; o->name && n < MOST; o++) {
            if (o->available && !o->available())
                continue;
            chosen[n] = o;
            probe_add(p, (struct probe_point){.family = probe_operations.name,
                                              .name = o->name,
                                              .unit = "s",
                                              .sample = sample,
                                              .index = n++});
        }
    return NULL;
}

const struct probe_family probe_operations = {.name = "operations", .open = open_operations};
