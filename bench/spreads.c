/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How often the 95 % intervals of models of a spread (`statistic deviation`, `statistic difference`)
 * contain the truth: 20 sizes, T = 2 us + 50 ns N, noise of 5 % of T. In the rows with runs, each run
 * is slow as a whole by 3 %, and the rest of the noise is 4 %. Predictions are for four times the
 * largest size, and held against the spread of as many samples there.
 *
 *     build/bench/spreads [SEEDS [FIRST]]
 */
#include <stdio.h>
#include <stdlib.h>

#include "harness/synthetic/spreads.h"

static const struct {
    const char *noise;
    size_t samples;
    double noise_part, run_part;
    enum noise_shape shape;
    bool uneven;
} cases[] = {
    {"normal", 6, 0.05, 0, NOISE_NORMAL, false},
    {"normal", 10, 0.05, 0, NOISE_NORMAL, false},
    {"normal", 20, 0.05, 0, NOISE_NORMAL, false},
    {"normal", 50, 0.05, 0, NOISE_NORMAL, false},
    {"normal, 2 to 400 samples", 20, 0.05, 0, NOISE_NORMAL, true},
    {"skewed", 20, 0.05, 0, NOISE_SKEWED, false},
    {"normal, runs", 20, 0.04, 0.03, NOISE_NORMAL, false},
    {"normal, runs", 50, 0.04, 0.03, NOISE_NORMAL, false},
};

int main(int argc, char **argv)
{
    unsigned seeds = argc > 1 ? (unsigned)atoi(argv[1]) : 200,
             first = argc > 2 ? (unsigned)atoi(argv[2]) : 1;
    printf("%-20s %-25s %8s %10s %11s %8s %8s\n", "statistic", "noise", "samples", "constants",
           "predictions", "of truth", "width");
    for (int kind = STATISTIC_DIFFERENCE; kind <= STATISTIC_DEVIATION; kind++)
        for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
            struct regimes r = {.sizes = 20,
                                .repetitions = cases[k].samples,
                                .first = 1024,
                                .last = 1 << 20,
                                .constant = {2e-6, 5e-8},
                                .constants = 2,
                                .changing = 1,
                                .factor = 1,
                                .noise = cases[k].noise_part,
                                .run_noise = cases[k].run_part,
                                .shape = cases[k].shape,
                                .uneven = cases[k].uneven};
            struct spreads c = {0};
            for (unsigned seed = first; seed < first + seeds; seed++)
                spreads_add(&r, (enum statistic)kind, seed, 4 << 20, &c);
            printf("%-20s %-25s %8zu %8.1f %% %9.1f %% %6.1f %% %6.1f %%\n", statistics[kind].text,
                   cases[k].noise, cases[k].samples, 100.0 * c.constants / c.constants_total,
                   100.0 * c.inside / c.total, 100 * c.ratio / c.total, 100 * c.width / c.total);
            fflush(stdout);
        }
    return 0;
}
