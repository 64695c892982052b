/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "obsp/cost.h"

#include <math.h>

const struct obsp_costs *obsp_costs_given(struct arena *a, double g, double L)
{
    struct obsp_costs *costs = arena_zalloc(a, 1, sizeof *costs);
    struct obsp_line *line = arena_alloc(a, 1, sizeof *line);
    *line = (struct obsp_line){0, INFINITY, g, L};
    *costs = (struct obsp_costs){.g = g, .L = L, .lines = {line, line}, .nlines = {1, 1}};
    return costs;
}

double obsp_cost(const struct obsp_costs *costs, const struct obsp_event *event, double h,
                 double *latency)
{
    int which = event->kind == OBSP_OBLSYNC;
    const struct obsp_line *line = costs->lines[which];
    for (size_t i = 1; i < costs->nlines[which] && h >= line[1].low; i++)
        line++;
    if (latency)
        *latency = line->L;
    return line->g * h + line->L;
}
