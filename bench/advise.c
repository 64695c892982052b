/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the advice of llac is worth: the same budget spent on the points it names and on a plain
 * doubling sweep, on data with a known truth. Medians over SEEDS sets of the model's uncertainty at
 * the prediction (half of its 95 % interval) and of its actual error, in percent of the truth, and
 * their ratios.
 *
 *     build/bench/advise [SEEDS]
 */
#include <stdio.h>
#include <stdlib.h>

#include "harness/synthetic/designs.h"

static double median(double *x, size_t n)
{
    return stats_quantile(x, n, 0.5);
}

static const char *const ways[] = {"as advised", "one doubling sweep", "sweeps until it is spent"};

static void print_case(const struct design *d, size_t seeds)
{
    double *width[3], *error[3], *spent[3], *promised = mem_alloc(seeds, sizeof *promised);
    double w[3], e[3];
    size_t n = 0;
    for (size_t k = 0; k < 3; k++) {
        width[k] = mem_alloc(seeds, sizeof **width);
        error[k] = mem_alloc(seeds, sizeof **error);
        spent[k] = mem_alloc(seeds, sizeof **spent);
    }
    for (size_t seed = 1; seed <= seeds; seed++) {
        struct design_result r = design_run(d, seed);
        for (size_t k = 0; k < 3 && r.ok; k++) {
            width[k][n] = 100 * r.width[k];
            error[k][n] = 100 * r.error[k];
            spent[k][n] = r.spent[k];
        }
        promised[n] = 100 * r.expected;
        n += r.ok;
    }
    printf("%s, N=%g, budget %g s: +-%.2f %% promised (%zu of %zu sets)\n", d->formula, d->target,
           d->budget, n ? median(promised, n) : NAN, n, seeds);
    for (size_t k = 0; k < 3 && n; k++) {
        w[k] = median(width[k], n);
        e[k] = median(error[k], n);
        printf("    %-26s %8.2f %% %8.2f %% %10.3g s\n", ways[k], w[k], e[k], median(spent[k], n));
    }
    if (n)
        printf("advise/sweep width ratio %.3f\nadvise/sweep error ratio %.3f\n"
               "advise/sweeps width ratio %.3f\nadvise/sweeps error ratio %.3f\n",
               w[0] / w[1], e[0] / e[1], w[0] / w[2], e[0] / e[2]);
    for (size_t k = 0; k < 3; k++) {
        mem_free(width[k]);
        mem_free(error[k]);
        mem_free(spent[k]);
    }
    mem_free(promised);
}

int main(int argc, char **argv)
{
    size_t seeds = argc > 1 ? (size_t)strtoul(argv[1], NULL, 10) : 200;
    printf("    %-26s %10s %10s %12s\n", "", "+-", "error", "spent");
    for (size_t i = 0; i < DESIGNS; i++)
        print_case(&designs[i], seeds ? seeds : 1);
    return 0;
}
