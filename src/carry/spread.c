/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "carry/spread.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "carry/thresholds.h"
#include "numeric/stats.h"

/* At least 1; NAN if the figure has too few rounds. */
static double spread_of(struct arena *a, const struct machine_figure *f)
{
    if (!f->values || f->rounds < SPREAD_LEAST_ROUNDS)
        return NAN;
    double *sorted = arena_alloc(a, f->rounds, sizeof *sorted);
    memcpy(sorted, f->values, f->rounds * sizeof *sorted);
    double low = stats_quantile(sorted, f->rounds, 0.1),
           high = stats_quantile(sorted, f->rounds, 0.9);
    return low > 0 ? high / low : NAN;
}

/* The median over the figures of a family whose names end so. */
static double median_spread(struct arena *a, const struct machine *m, const char *family,
                            const char *end)
{
    double *all = arena_alloc(a, m->nfigures + 1, sizeof *all);
    size_t n = 0;
    for (size_t i = 0; i < m->nfigures; i++) {
        const struct machine_figure *f = &m->figures[i];
        if (strcmp(f->family, family) != 0 || f->cores > 1 || !text_ends_with(f->name, end))
            continue;
        double spread = spread_of(a, f);
        if (!isnan(spread))
            all[n++] = spread;
    }
    return n ? stats_quantile(all, n, 0.5) : NAN;
}

struct spread spread_find(const struct machine *m)
{
    ARENA_LOCAL struct arena *a = arena_create();
    struct spread s = {.throughput = median_spread(a, m, "operations", ".throughput"),
                       .latency = median_spread(a, m, "operations", ".latency"),
                       .memory = median_spread(a, m, "memory", "")};
    return s;
}

double spread_of_operations(const struct spread *s, double overlap)
{
    double of = pow(s->throughput, overlap) * pow(s->latency, 1 - overlap);
    return isnan(of) ? 1 : of;
}

double spread_of_term(const struct spread *s)
{
    return fmax(1, fmax(s->memory, s->throughput)); /* fmax ignores a NAN */
}
