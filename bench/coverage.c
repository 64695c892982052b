/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Coverage of the 95 % intervals of predictions and constants, on synthetic data: right formula,
 * several shapes of noise, 1 to 4 constants, with and without a boundary, inside the data and up to 8
 * times beyond; `other`: whole runs that are disturbed, and noise that grows with the time; `unfinished`: a constant that still
 * changes, gradually, where the data end.
 *
 *     build/bench/coverage [SEEDS [FIRST [all|independent|other|unfinished]]]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/synthetic/coverage.h"

static unsigned first_seed;

static void print_case(const struct regimes *r, const char *where, double n, unsigned seeds)
{
    struct coverage c = {0};
    for (unsigned seed = 1; seed <= seeds; seed++)
        coverage_add(r, first_seed + seed, n, &c);
    double typical = 100.0 * c.typical / c.total, single = 100.0 * c.single / c.total;
    printf("%5zu  %6zu  %9zu  x%-6g  %-7s %3g %% %5.2g  %-10s %6.1f %% %6.1f %%", r->sizes,
           r->repetitions, r->constants, r->boundaries ? r->factor : 1, noise_names[r->shape],
           100 * r->run_noise, r->growth, where, typical, single);
    if (c.constants_total)
        printf(" %8.1f %%", 100.0 * c.constants / c.constants_total);
    else
        printf(" %10s", "-");
    printf("  %8.1f %%%s\n", 100 * c.width / seeds,
           typical < 90 || typical > 99 || single < 90 || single > 99 ? "   outside 90..99" : "");
    fflush(stdout);
}

static struct regimes usual(size_t constants, bool sparse, enum noise_shape shape)
{
    return (struct regimes){.sizes = sparse ? 10 : 24,
                            .repetitions = sparse ? 5 : 10,
                            .first = 1024,
                            .last = 1 << 20,
                            .constant = {2e-6, 5e-8, 2e-13, 3e-9},
                            .constants = constants,
                            .changing = constants - 1,
                            .factor = 1,
                            .noise = 0.05,
                            .shape = shape};
}

static void print_places(const struct regimes *r, unsigned seeds)
{
    print_case(r, "inside", 300000, seeds);
    print_case(r, "2x beyond", 2 << 20, seeds);
    print_case(r, "8x beyond", 8 << 20, seeds);
}

/* Noise of single samples, with and without a boundary. */
static void independent_noise(unsigned seeds)
{
    static const double factors[] = {1, 1.2, 2};
    for (int shape = 0; shape < NOISE_SHAPES; shape++)
        for (size_t constants = 1; constants <= 4; constants++)
            for (int change = 0; change < 3; change++)
                for (int sparse = 0; sparse <= 1; sparse++) {
                    struct regimes r = usual(constants, sparse, (enum noise_shape)shape);
                    r.boundaries = change > 0;
                    r.factor = factors[change];
                    print_places(&r, seeds);
                }
}

/* Whole runs are disturbed, by 4 % (standard deviation), and noise that grows with the time. */
static void other_noise(unsigned seeds)
{
    for (int shape = 0; shape < NOISE_SHAPES; shape++)
        for (size_t constants = 1; constants <= 3; constants++)
            for (int sparse = 0; sparse <= 1; sparse++) {
                struct regimes r = usual(constants, sparse, (enum noise_shape)shape);
                r.run_noise = 0.04;
                print_places(&r, seeds);
                r.noise = 0.01;
                print_places(&r, seeds);
            }
    for (int shape = 0; shape < NOISE_SHAPES; shape++)
        for (size_t constants = 2; constants <= 3; constants++)
            for (int sparse = 0; sparse <= 1; sparse++) {
                struct regimes r = usual(constants, sparse, (enum noise_shape)shape);
                r.growth = 0.3;
                r.noise = 0.03;
                print_places(&r, seeds);
            }
}

/* A constant changes as a full cache changes it, over several doublings: half of it at the largest size, or at a half or a quarter of that. */
static void unfinished_changes(unsigned seeds)
{
    static const double factors[] = {1.5, 3};
    for (int change = 0; change < 2; change++)
        for (int sizes = 6; sizes <= 12; sizes += 3)
            for (double at = 1; at <= 4; at *= 2) {
                struct regimes r = usual(2, true, NOISE_NORMAL);
                r.sizes = (size_t)sizes;
                r.noise = 0.02;
                r.boundaries = 1;
                r.form = FORM_CACHE;
                r.factor = factors[change];
                r.places[0] = r.last / at;
                printf("half of the change at 1/%g of the largest size:\n", at);
                print_places(&r, seeds);
            }
}

int main(int argc, char **argv)
{
    unsigned seeds = argc > 1 ? (unsigned)atoi(argv[1]) : 20;
    const char *what = argc > 3 ? argv[3] : "all";
    first_seed = argc > 2 ? (unsigned)atoi(argv[2]) - 1 : 0;
    printf("sizes  repet.  constants  factor   noise  runs growth where       typical   single  "
           "constants  half width  (95 %% claimed, %u seeds from %u)\n",
           seeds, first_seed + 1);
    bool all = strcmp(what, "all") == 0;
    if (all || strcmp(what, "independent") == 0)
        independent_noise(seeds);
    if (all || strcmp(what, "other") == 0)
        other_noise(seeds);
    if (all || strcmp(what, "unfinished") == 0)
        unfinished_changes(seeds);
    return 0;
}
