/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "llac/rank/order.h"

#include <math.h>
#include <stdbool.h>

#include "llac/rank/thresholds.h"

static bool has_interval(struct rank_value v)
{
    return isfinite(v.low) && isfinite(v.high);
}

enum order order_of(struct rank_value a, struct rank_value b)
{
    if (!has_interval(a) || !has_interval(b))
        return ORDER_UNKNOWN;
    if (a.low > b.high || b.low > a.high)
        return a.low > b.high ? ORDER_FIRST : ORDER_SECOND;
    if (!(a.low > 0 && b.low > 0))
        return ORDER_DOUBTFUL;
    double width = hypot(log(a.high / a.low), log(b.high / b.low)) / 2, d = log(b.value / a.value);
    return d > width ? ORDER_SECOND : d < -width ? ORDER_FIRST : ORDER_DOUBTFUL;
}

/* Between a place for which `goes_on` says yes and one for which it says no. */
static double halve(order_pair *at, const void *context, double before, double after,
                    bool (*goes_on)(struct rank_value a, struct rank_value b, int wanted),
                    int wanted)
{
    ARENA_LOCAL struct arena *work = arena_create();
    for (int i = 0; i < RANK_HALVINGS; i++) {
        double middle = (before + after) / 2;
        struct rank_value a, b;
        if (at(work, context, middle, &a, &b))
            break;
        if (goes_on(a, b, wanted))
            before = middle;
        else
            after = middle;
        arena_reset(work);
    }
    return (before + after) / 2;
}

static bool is_second_larger(struct rank_value a, struct rank_value b, int wanted)
{
    return (b.value > a.value) == (wanted != 0);
}

double order_change(order_pair *at, const void *context, double before, double after)
{
    ARENA_LOCAL struct arena *work = arena_create();
    struct rank_value a, b;
    bool wanted = at(work, context, before, &a, &b) == 0 && b.value > a.value;
    return halve(at, context, before, after, is_second_larger, wanted);
}

static bool is_certain(struct rank_value a, struct rank_value b, int wanted)
{
    enum order o = order_of(a, b);
    (void)wanted;
    return o == ORDER_FIRST || o == ORDER_SECOND;
}

double order_edge(order_pair *at, const void *context, double certain, double doubtful)
{
    return halve(at, context, certain, doubtful, is_certain, 0);
}
