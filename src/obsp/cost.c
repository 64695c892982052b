/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cost of a superstep from lines over h: by kind, pattern and number of processors. */
#include "obsp/cost.h"

#include <math.h>

const char *const obsp_pattern_names[OBSP_PATTERNS] = {"shift", "exchange", "random"};

struct obsp_costs *obsp_costs_given(struct arena *a, double g, double L)
{
    struct obsp_costs *costs = arena_zalloc(a, 1, sizeof *costs);
    struct obsp_line *line = arena_alloc(a, 1, sizeof *line);
    struct obsp_curve *curve = arena_zalloc(a, 1, sizeof *curve);
    *line = (struct obsp_line){0, INFINITY, g, L, L};
    *curve = (struct obsp_curve){.lines = line, .nlines = 1};
    *costs = (struct obsp_costs){.origin = OBSP_GIVEN,
                                 .g = g,
                                 .L = L,
                                 .pattern = -1,
                                 .h_per_byte = 1,
                                 .times_g = 1,
                                 .times_L = 1};
    for (int p = 0; p < OBSP_PATTERNS; p++)
        costs->sync[p] = costs->oblsync[p] = (struct obsp_curves){curve, 1};
    return costs;
}

const struct obsp_line *obsp_lines_through(struct arena *a, const double *h, const double *seconds,
                                           size_t points, size_t *n)
{
    struct obsp_line *lines = arena_zalloc(a, points + 1, sizeof *lines);
    double g = points > 1 ? (seconds[1] - seconds[0]) / (h[1] - h[0]) : 0,
           L = points ? seconds[0] - g * h[0] : 0;
    *n = 0;
    if (points == 1 ? h[0] > 0 : L < 0) { /* up to the first point everything grows with h */
        lines[(*n)++] = (struct obsp_line){.high = h[0], .g = seconds[0] / h[0]};
        L = 0;
    }
    for (size_t i = 0; i + 1 < points; i++) {
        g = (seconds[i + 1] - seconds[i]) / (h[i + 1] - h[i]);
        lines[(*n)++] = (struct obsp_line){h[i], h[i + 1], g, seconds[i] - g * h[i], L};
    }
    if (*n == 0)
        lines[(*n)++] = (struct obsp_line){.L = L, .start = L};
    lines[0].low = 0;
    lines[*n - 1].high = INFINITY;
    return lines;
}

static enum obsp_pattern pattern_of(const struct obsp_event *event)
{
    if (event->partner_count <= 1)
        return OBSP_SHIFT;
    return event->partner_count >= event->nprocs - 1 ? OBSP_EXCHANGE : OBSP_RANDOM;
}

/* The cost at this h, and the part of it that is L. */
static double on_curve(const struct obsp_costs *costs, const struct obsp_curve *curve, double h,
                       double *L)
{
    const struct obsp_line *line = curve->lines;
    for (size_t i = 1; i < curve->nlines && h >= line->high; i++)
        line++;
    double cost = fmax(line->g * h + line->L, 0), start = fmin(line->start, cost);
    *L = start * costs->times_L;
    return (cost - start) * costs->times_g + *L;
}

double obsp_cost(const struct obsp_costs *costs, const struct obsp_event *event, double h,
                 double *latency)
{
    enum obsp_pattern pattern =
        costs->pattern >= 0 ? (enum obsp_pattern)costs->pattern : pattern_of(event);
    const struct obsp_curves *curves =
        event->kind == OBSP_SYNC ? &costs->sync[pattern] : &costs->oblsync[pattern];
    double L, more_L, cost, share;
    size_t i = 0;
    h /= costs->h_per_byte;
    while (i + 1 < curves->n && curves->list[i + 1].nprocs <= event->nprocs)
        i++;
    cost = on_curve(costs, &curves->list[i], h, &L);
    if (i + 1 < curves->n && curves->list[i].nprocs < event->nprocs) {
        const struct obsp_curve *below = &curves->list[i], *above = below + 1;
        double more = on_curve(costs, above, h, &more_L);
        share =
            log((double)event->nprocs / below->nprocs) / log((double)above->nprocs / below->nprocs);
        cost += share * (more - cost);
        L += share * (more_L - L);
    }
    if (latency)
        *latency = L;
    return cost;
}
