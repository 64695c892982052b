/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A program that scales perfectly on a simulated machine that is fast or slow by turns: P = 1, 2, 4,
 * 8 are fitted, P = 16 is predicted, and the 10th percentile of the slowest of 16 ranks is known.
 * Mean errors over SEEDS sets, with `ranks auto` and `ranks max`; how often the ranks were found to
 * be alike, or the values follow P.
 *
 *     build/bench/ranks [SEEDS [FIRST]]
 */
#include <stdio.h>
#include <stdlib.h>

#include "harness/synthetic/machine.h"

static void print_case(const struct machine *m, unsigned seeds, unsigned first)
{
    double sum[2] = {0, 0}, worst = 0;
    unsigned alike = 0, follow = 0;
    for (unsigned seed = first; seed < first + seeds; seed++) {
        enum ranks_found found, other;
        double error = machine_error(m, seed, RANKS_AUTO, &found);
        sum[0] += error;
        sum[1] += machine_error(m, seed, RANKS_MAX, &other);
        worst = fmax(worst, error);
        alike += found == RANKS_ALIKE;
        follow += found == RANKS_FOLLOW;
    }
    printf("%-16s x%-4g %4.0f %% %6zu x %-4zu %8.1f %% %8.1f %% %10.1f %% %7.0f %% %6.0f %%\n",
           machine_names[m->kind], m->slow, 100 * m->share, m->runs, m->executions,
           100 * sum[0] / seeds, 100 * worst, 100 * sum[1] / seeds, 100.0 * alike / seeds,
           100.0 * follow / seeds);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    static const double shares[] = {0.05, 0.2, 0.3, 0.5, 0.8};
    static const size_t samples[][2] = {{3, 10}, {10, 10}};
    unsigned seeds = argc > 1 ? (unsigned)atoi(argv[1]) : 20,
             first = argc > 2 ? (unsigned)atoi(argv[2]) : 1;
    printf("%-16s %-5s %6s %13s %10s %10s %12s %9s %8s\n", "slow", "times", "share", "samples",
           "auto", "worst", "max", "alike", "follow");
    for (int kind = 0; kind < MACHINE_KINDS; kind++)
        for (size_t k = 0; k < sizeof samples / sizeof *samples; k++)
            for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
                struct machine m = {(enum machine_kind)kind, 1.6,          shares[i], 0.02,
                                    samples[k][1],           samples[k][0]};
                print_case(&m, seeds, first);
            }
    return 0;
}
