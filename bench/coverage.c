/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Coverage of the 95 % prediction intervals, on synthetic data: right formula, several shapes of
 * noise, 1 to 4 constants, with and without a boundary, inside the data and up to 8 times beyond.
 *
 *     build/bench/coverage [SEEDS]
 */
#include <stdio.h>
#include <stdlib.h>

#include "harness/synthetic/coverage.h"

static void print_case(const struct regimes *r, const char *where, double n, unsigned seeds)
{
    struct coverage c = {0};
    for (unsigned seed = 1; seed <= seeds; seed++)
        coverage_add(r, seed, n, &c);
    double typical = 100.0 * c.typical / c.total, single = 100.0 * c.single / c.total;
    printf("%5zu  %6zu  %9zu  x%-6g  %-7s %-10s %8.1f %% %8.1f %%  %6.1f %%%s\n", r->sizes,
           r->repetitions, r->constants, r->boundaries ? r->factor : 1, noise_names[r->shape],
           where, typical, single, 100 * c.width / seeds,
           typical < 90 || typical > 99 || single < 90 || single > 99 ? "   outside 90..99" : "");
    fflush(stdout);
}

int main(int argc, char **argv)
{
    unsigned seeds = argc > 1 ? (unsigned)atoi(argv[1]) : 100;
    printf("sizes  repet.  constants  factor   noise   where        typical    single  half width  "
           "(95 %% claimed, %u seeds)\n",
           seeds);
    static const double factors[] = {1, 1.2, 2};
    for (int shape = 0; shape < NOISE_SHAPES; shape++)
        for (size_t constants = 1; constants <= 4; constants++)
            for (int change = 0; change < 3; change++)
                for (int sparse = 0; sparse <= 1; sparse++) {
                    struct regimes r = {.sizes = sparse ? 10 : 24,
                                        .repetitions = sparse ? 5 : 10,
                                        .boundaries = change > 0,
                                        .first = 1024,
                                        .last = 1 << 20,
                                        .constant = {2e-6, 5e-8, 2e-13, 3e-9},
                                        .constants = constants,
                                        .changing = constants - 1,
                                        .factor = factors[change],
                                        .noise = 0.05,
                                        .shape = (enum noise_shape)shape};
                    print_case(&r, "inside", 300000, seeds);
                    print_case(&r, "2x beyond", 2 << 20, seeds);
                    print_case(&r, "8x beyond", 8 << 20, seeds);
                }
    return 0;
}
