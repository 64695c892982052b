/* SPDX-License-Identifier: MIT */
/* The operations that are ready for bsp_reduce and bsp_prefix. */
#include "pub/internal.h"

#define SUM(a, b) ((a) + (b))
#define MIN(a, b) ((b) < (a) ? (b) : (a))
#define MAX(a, b) ((b) > (a) ? (b) : (a))

// NOLINTBEGIN(bugprone-macro-parentheses): a type has none
#define OPERATION(name, type, function)                                                            \
    void bsp_op_##name(void *accumulated, const void *more, size_t count)                          \
    {                                                                                              \
        type *a = accumulated;                                                                     \
        const type *b = more;                                                                      \
        for (size_t i = 0; i < count; i++)                                                         \
            a[i] = function(a[i], b[i]);                                                           \
    }
// NOLINTEND(bugprone-macro-parentheses)

OPERATION(sum_int, int, SUM)
OPERATION(sum_long, long, SUM)
OPERATION(sum_double, double, SUM)
OPERATION(min_int, int, MIN)
OPERATION(min_long, long, MIN)
OPERATION(min_double, double, MIN)
OPERATION(max_int, int, MAX)
OPERATION(max_long, long, MAX)
OPERATION(max_double, double, MAX)
