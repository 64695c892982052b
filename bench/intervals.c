/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How often the automatic intervals are right, on synthetic data with a known truth: of SEEDS sets
 * of each kind, in how many the number of intervals is right, every boundary lies in the reported
 * gap or the next one, and only the constant that changes has several values.
 *
 *     build/bench/intervals [SEEDS]
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "harness/synthetic/regimes.h"

static void print_case(const struct regimes *r, unsigned seeds)
{
    unsigned number = 0, place = 0, alone = 0;
    for (unsigned seed = 1; seed <= seeds; seed++) {
        struct regimes_result one = regimes_run(r, seed);
        number += one.number_right;
        place += one.number_right && one.place_right;
        alone += one.number_right && one.alone;
    }
    printf("%5zu  %9zu  %7zu  x%-4g %5.0f %%  %-7s %8.0f %% %8.0f %% %8.0f %%\n", r->sizes,
           r->constants, r->boundaries, r->factor, 100 * r->noise, noise_names[r->shape],
           100.0 * number / seeds, 100.0 * place / seeds, 100.0 * alone / seeds);
    fflush(stdout);
}

/* How long the search takes on a large set: 50 sizes, P = 2 to 21, one constant changing along each
 * variable. */
static void print_time(void)
{
    enum { SIZES = 50, PROCESSORS = 20, POINTS = SIZES * PROCESSORS };
    static double design[POINTS * 4], y[POINTS], n[POINTS], p[POINTS];
    struct synth s = synth_begin();
    const double *at[] = {n, p};
    double best = 1e9;
    for (size_t i = 0; i < POINTS; i++) {
        n[i] = floor(1024 * pow(2, 9.0 * (double)(i % SIZES) / (SIZES - 1)));
        p[i] = 2 + (double)(i / SIZES);
        double term[] = {1, log(p[i]), n[i] / p[i] * log(n[i] / p[i]), n[i] * (p[i] - 1) / p[i]};
        double c[] = {2e-5, 1e-5, n[i] > 16000 ? 5.4e-9 : 3e-9, p[i] > 6 ? 4e-9 : 2e-9};
        y[i] = 0;
        for (int k = 0; k < 4; k++) {
            design[i * 4 + (size_t)k] = term[k];
            y[i] += c[k] * term[k];
        }
        y[i] *= 1 + 0.03 * synth_normal(&s);
    }
    struct pieces_problem problem = {.points = POINTS,
                                     .constants = 4,
                                     .variables = 2,
                                     .design = design,
                                     .y = y,
                                     .sigma = y,
                                     .at = at,
                                     .may_divide = 3,
                                     .max_intervals = 6};
    struct pieces found;
    for (int round = 0; round < 5; round++) {
        struct timespec begin, end;
        clock_gettime(CLOCK_MONOTONIC, &begin);
        pieces_search(s.arena, &problem, &found);
        clock_gettime(CLOCK_MONOTONIC, &end);
        best = fmin(best, (double)(end.tv_sec - begin.tv_sec) * 1e3 +
                              (double)(end.tv_nsec - begin.tv_nsec) * 1e-6);
    }
    printf("search of 1000 points of two variables, four constants: %.0f ms, %zu boundaries found "
           "of 2\n",
           best, found.nboundaries);
    synth_end(&s);
}

int main(int argc, char **argv)
{
    unsigned seeds = argc > 1 ? (unsigned)atoi(argv[1]) : 100;
    print_time();
    printf("sizes  constants  changes factor   noise  shape      number    place    which   (of %u "
           "seeds, 10 repetitions)\n",
           seeds);
    for (int shape = 0; shape < NOISE_SHAPES; shape++) {
        for (size_t constants = 2; constants <= 3; constants++) {
            for (size_t boundaries = 0; boundaries <= 3; boundaries++) {
                struct regimes r = {.sizes = 40,
                                    .repetitions = 10,
                                    .boundaries = boundaries,
                                    .first = 256,
                                    .last = 1 << 20,
                                    .constant = {2e-6, 5e-8, 2e-11},
                                    .constants = constants,
                                    .changing = constants - 1,
                                    .factor = 1.5,
                                    .noise = 0.05,
                                    .shape = (enum noise_shape)shape};
                if (constants == 3)
                    r.constant[2] = 2e-10;
                print_case(&r, seeds);
                r.factor = 2.5;
                if (boundaries)
                    print_case(&r, seeds);
            }
            for (size_t boundaries = 0; boundaries <= 1; boundaries++) {
                struct regimes r = {.sizes = 12,
                                    .repetitions = 10,
                                    .boundaries = boundaries,
                                    .first = 1024,
                                    .last = 1024 << 11,
                                    .constant = {2e-6, 5e-8, 2e-10},
                                    .constants = constants,
                                    .changing = constants - 1,
                                    .factor = 1.5,
                                    .noise = 0.05,
                                    .shape = (enum noise_shape)shape};
                print_case(&r, seeds);
            }
        }
    }
    return 0;
}
