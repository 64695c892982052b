/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How often fit gives no warning about a formula that is wrong, and how often it gives one about a
 * formula that is right: 20 sizes, 2 % noise, three ranges of sizes, 1, 3 and 10 samples per size.
 *
 *     build/bench/unnoticed [SEEDS [FIRST]]
 */
#include <stdio.h>
#include <stdlib.h>

#include "harness/synthetic/truths.h"

static const struct {
    const char *truth, *formula;
    bool wrong;
} cases[] = {
    {"3e-9*N*log(N)", "f[0]*N", true},
    {"3e-9*N*log(N)", "f[0] + f[1]*N", true},
    {"2e-6 + 3e-9*N*log(N)", "f[0] + f[1]*N", true},
    {"3e-9*N", "f[0]*N", false},
    {"2e-6 + 3e-9*N", "f[0] + f[1]*N", false},
    {"2e-6 + 3e-9*N*log(N)", "f[0] + f[1]*N*log(N)", false},
    {"2e-6 + 3e-9*N*(1 + 0.5*min(1, max(0, N - 2000)))", "f[0] + f[1]*N", false}, /* a step, */
    {"3e-9*N*(1 + 0.5/(1 + (2000/N)^3))", "f[0]*N", false},                 /* a smooth change, */
    {"2e-6 + 3e-9*N*(1 + 0.5*max(0, 1 - 2000/N))", "f[0] + f[1]*N", false}, /* and a bend */
};

/* Whether fit says something about the formula; outliers and cold points are of the data. */
static bool says_something(const struct model *m)
{
    for (size_t i = 0; i < model_warnings(m)->n; i++)
        if (strcmp(model_warnings(m)->list[i].code, "outlier") != 0 &&
            strcmp(model_warnings(m)->list[i].code, "left-out") != 0 &&
            strcmp(model_warnings(m)->list[i].code, "cold") != 0)
            return true;
    return false;
}

static unsigned warned_sets(size_t c, double last, size_t samples, unsigned seeds, unsigned first)
{
    struct truth t = {.formula = cases[c].truth,
                      .variables = {"N"},
                      .first = {256},
                      .last = {last},
                      .values = {20}};
    unsigned warned = 0;
    for (unsigned seed = first; seed < first + seeds; seed++) {
        struct synth s = truth_load(&t, 0.02, samples, seed);
        const struct model *m = synth_fit(&s, cases[c].formula, false, STATISTIC_P10);
        warned += m && says_something(m);
        synth_end(&s);
    }
    return warned;
}

int main(int argc, char **argv)
{
    static const double lasts[] = {4096, 65536, 1048576};
    static const size_t samples[] = {1, 3, 10};
    unsigned seeds = argc > 1 ? (unsigned)atoi(argv[1]) : 20;
    unsigned first = argc > 2 ? (unsigned)atoi(argv[2]) : 1;
    double sum[2] = {0, 0}, n[2] = {0, 0};
    printf("%-50s %-21s %8s %8s %s\n", "truth", "formula", "N up to", "samples", "warned");
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (size_t l = 0; l < 3; l++)
            for (size_t k = 0; k < 3; k++) {
                double warned = 100.0 * warned_sets(c, lasts[l], samples[k], seeds, first) / seeds;
                sum[cases[c].wrong] += warned;
                n[cases[c].wrong]++;
                printf("%-50s %-21s %8g %8zu %5.1f %%\n", cases[c].truth, cases[c].formula,
                       lasts[l], samples[k], warned);
                fflush(stdout);
            }
    printf("wrong formulas without a warning: %.1f %%; right ones with one: %.1f %%\n",
           100 - sum[1] / n[1], sum[0] / n[0]);
    return 0;
}
