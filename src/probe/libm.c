/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Functions of libm. Latency: the argument is the result of the call before; an addition keeps it in
 * the usual range of the function, and its cost is included. Throughput: arguments from a table.
 */
#include "probe/operations.h"

#include <math.h>

#include "probe/kernel.h"

enum { ARGUMENTS = 64 };

static const double *arguments(void)
{
    static double table[ARGUMENTS];
    for (int i = 0; i < ARGUMENTS; i++)
        table[i] = 0.1 + 0.0297 * i; /* to 2 */
    return table;
}

#define FUNCTION(name, expression)                                                                 \
    static KERNEL void name##_latency(uint64_t n)                                                  \
    {                                                                                              \
        double x = 0.5, y = 1;                                                                     \
        KEEP_FP(y);                                                                                \
        for (uint64_t i = 0; i < n; i++) {                                                         \
            x = x + y;                                                                             \
            x = expression;                                                                        \
            KEEP_FP(x);                                                                            \
        }                                                                                          \
    }                                                                                              \
    static KERNEL void name##_throughput(uint64_t n)                                               \
    {                                                                                              \
        const double *table = arguments();                                                         \
        for (uint64_t i = 0; i < n; i++) {                                                         \
            double x = table[i % ARGUMENTS];                                                       \
            KEEP_FP(x);                                                                            \
            x = expression;                                                                        \
            KEEP_FP(x);                                                                            \
        }                                                                                          \
    }

FUNCTION(exp, exp(-x))
FUNCTION(log, log(x))
FUNCTION(sin, sin(x))
FUNCTION(cos, cos(x))
FUNCTION(tan, tan(x * 0.5))
FUNCTION(atan, atan(x))
FUNCTION(pow, pow(x, 0.7))

const struct probe_operation probe_libm[] = {
    BOTH(exp, 1, NULL), BOTH(log, 1, NULL),  BOTH(sin, 1, NULL), BOTH(cos, 1, NULL),
    BOTH(tan, 1, NULL), BOTH(atan, 1, NULL), BOTH(pow, 1, NULL), {NULL, NULL, 0, NULL},
};
