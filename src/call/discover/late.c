/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts that begin above a size, or that small sizes have otherwise: they get a formula from a size on. */

#include "call/discover/models.h"

/* The formula of a count from one size on, where smaller sizes do something else. Returns the first row; SIZE_MAX: there is
 * none. One variable, because rows ascend then. */
static size_t find_late(const struct request *q, const struct counted *c,
                        struct discover_formula *out)
{
    bool varies = c->damaged || counted_varies(q, c);
    for (size_t first = 1; q->nvariables == 1 && first + MODELS_LEAST_SIZES <= q->nrows; first++) {
        struct plan_rows rows = plan_rows(q, first, false, false);
        if (rows.n < MODELS_LEAST_SIZES || !q->done[first])
            continue;
        rows = plan_rows_to_beyond(q, first);
        struct discover_points p = plan_points(q, &rows);
        discover_find(q->arena, &p, plan_counts(q, &rows, c->at), varies, out);
        bool is_sure = p.n > MODELS_LEAST_SIZES ||
                       (out->verdict == DISCOVER_DATA && out->scatter < MODELS_NEAR_FORMULA);
        if (out->text && out->verdict != DISCOVER_REFUTED && is_sure)
            return first;
    }
    return SIZE_MAX;
}

void late_settle(const struct request *q, struct region *r)
{
    double all = 0;
    size_t last = q->times.largest;
    for (size_t i = 0; i < r->nwork; i++)
        all += (double)r->work[i]->at[last];
    for (size_t i = 0; i < r->nwork; i++) {
        struct counted *c = arena_alloc(q->arena, 1, sizeof *c);
        *c = *r->work[i];
        if (models_has_formula(c) || c->only_below ||
            !((double)c->at[last] > MODELS_LEAST_COUNT * all))
            continue;
        size_t first = find_late(q, c, &c->formula);
        if (first == SIZE_MAX)
            continue;
        c->to_beyond = q->beyond_end == EXTRA_COUNTED;
        r->work[i] = c;
        r->from = first > r->from ? first : r->from;
    }
}
