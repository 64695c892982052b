/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the end of a superstep costs: g*h + L. g and L are two numbers, or have different values for
 * synchronisations of different kinds and in intervals of h.
 */
#ifndef OBSP_COST_H
#define OBSP_COST_H

#include <stdbool.h>

#include "base/memory.h"
#include "obsp/source.h"

/* @ of equation (3). */
enum obsp_h_rule { OBSP_H_MAX, OBSP_H_SUM };

/* g and L for h in [low, high). */
struct obsp_line {
    double low, high;
    double g, L; /* s/byte, s */
};

struct obsp_costs {
    double g, L; /* of plain BSP: one pair */
    const struct obsp_line
        *lines[2]; /* of OBSP_SYNC, of OBSP_OBLSYNC; ascending, without gaps, from 0 */
    size_t nlines[2];
};

/* Two numbers for everything. */
const struct obsp_costs *obsp_costs_given(struct arena *a, double g, double L);

/* g*h + L; *latency (may be NULL) gets L of it. */
double obsp_cost(const struct obsp_costs *costs, const struct obsp_event *event, double h,
                 double *latency);

#endif
