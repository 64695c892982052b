/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures that follow from several points: the cycle, start-up and time per byte, g and L. */
#ifndef PROBE_SUMMARY_H
#define PROBE_SUMMARY_H

#include "base/memory.h"
#include "probe/probe.h"

struct probe_figure {
    const char *family, *name, *unit;
    int processes; /* 0: does not apply */
    double value, low, high;
    bool steady;
};

struct probe_summary {
    const struct probe_figure *figures;
    size_t n;
    const char **implausible; /* what is wrong with which point */
    size_t nimplausible;
};

void probe_summarise(const struct probe *p, struct arena *a, struct probe_summary *out);

#endif
