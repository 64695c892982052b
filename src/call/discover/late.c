/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts that begin above a size, or that small sizes have otherwise: they get a formula from a size on. */
#include <string.h>

#include "call/discover/models.h"

/* The formula of a count from one size on, where smaller sizes do something else. Returns the first row; SIZE_MAX: there is
 * none. One variable, because rows ascend then. */
static size_t find_late(const struct request *q, const struct counted *c,
                        struct discover_formula *out)
{
    bool varies = c->damaged || counted_varies(q, c);
    int64_t(*at)[DISCOVER_MOST_VARIABLES] = arena_alloc(q->arena, q->nrows + 1, sizeof *at);
    uint64_t *counts = arena_alloc(q->arena, q->nrows + 1, sizeof *counts);
    for (size_t first = 1; q->nvariables == 1 && first + MODELS_LEAST_SIZES <= q->nrows; first++) {
        struct discover_points p = {.names = q->names, .nvariables = 1};
        for (size_t i = first; i < q->nrows; i++)
            if (q->done[i]) {
                memcpy(at[p.n], q->rows[i], sizeof *at);
                counts[p.n++] = c->at[i];
            }
        p.at = (const int64_t(*)[DISCOVER_MOST_VARIABLES])at;
        if (p.n < MODELS_LEAST_SIZES || !q->done[first])
            continue;
        discover_find(q->arena, &p, counts, varies, out);
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
        if (models_has_formula(c) || !((double)c->at[last] > MODELS_LEAST_COUNT * all))
            continue;
        size_t first = find_late(q, c, &c->formula);
        if (first == SIZE_MAX)
            continue;
        r->work[i] = c;
        r->from = first > r->from ? first : r->from;
    }
}
