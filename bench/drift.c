/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A machine whose speed drifts: how often the 95 % intervals contain what is measured a minute after the rounds of the
 * fit, at four times the largest size: by a burst of eight rounds within a second, and by as many rounds over as long a time.
 *
 *     build/bench/drift [SEEDS [FIRST]]
 */
#include <stdio.h>
#include <stdlib.h>

#include "harness/synthetic/drift.h"

static void print_row(const struct drifting *d, unsigned seeds, unsigned first)
{
    struct drifting_result r = {0};
    for (unsigned i = 0; i < seeds; i++)
        drifting_add(*d, first + i, &r);
    printf("%5g s %6g s %6s %9g %% %6g s %9.1f %% %9.1f %% %9.2g %%\n", d->span, d->period,
           d->deviation == 0 ? "none"
           : d->phases       ? "phases"
                             : "drift",
           100 * d->deviation, d->tau, 100.0 * r.burst / r.total, 100.0 * r.typical / r.total,
           100 * r.half / r.total);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    unsigned seeds = argc > 1 ? (unsigned)atoi(argv[1]) : 100,
             first = argc > 2 ? (unsigned)atoi(argv[2]) : 1;
    static const struct {
        double span, period;
    } rounds[] = {{0.6, 0.06}, {10, 0.25}, {10, 1}, {25, 0.25}};
    static const struct {
        double deviation, tau;
        bool phases;
    } machines[] = {{0, 1, false},     {0.01, 5, false}, {0.03, 2, false}, {0.03, 5, false},
                    {0.03, 10, false}, {0.08, 5, false}, {0.3, 5, true}};
    printf(
        "   span   period   kind   deviation    tau      burst    as long   half of the burst's interval (95 %% claimed, %u seeds from %u)\n",
        seeds, first);
    for (size_t i = 0; i < sizeof rounds / sizeof *rounds; i++)
        for (size_t k = 0; k < sizeof machines / sizeof *machines; k++) {
            struct drifting d = {.span = rounds[i].span,
                                 .period = rounds[i].period,
                                 .deviation = machines[k].deviation,
                                 .tau = machines[k].tau,
                                 .phases = machines[k].phases,
                                 .noise = 0.01};
            print_row(&d, seeds, first);
        }
    return 0;
}
