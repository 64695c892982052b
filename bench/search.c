/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How often the search finds a formula that is known: of SEEDS sets of data of each kind, in how
 * many the formula found first is the truth, in how many it is among those that are reported as
 * not to be told apart, how far the first one's prediction is off well beyond the data, and in how
 * many sets the 95 % intervals of all reported ones together enclose the truth there.
 *
 *     build/bench/search [SEEDS [-v]]
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "harness/synthetic/truths.h"

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

struct rates {
    unsigned first, among, enclosed, failed;
    size_t reported;
    double *error, time;
};

static void judge(const struct truth *t, double noise, unsigned seed, bool verbose,
                  struct rates *out)
{
    struct synth s = truth_load(t, noise, 1, seed);
    struct search_result r;
    struct prediction p;
    double before = seconds(), truth = truth_at(&s, t, t->beyond), low = INFINITY, high = 0;
    bool among = false;
    int status = truth_search(&s, &r);
    out->time += seconds() - before;
    out->error[seed - 1] = INFINITY;
    if (status) {
        out->failed++;
        printf("    %s\n", synth_error(&s));
    }
    for (size_t i = 0; status == 0 && i < r.ncandidates; i++) {
        among = among || truth_found(t, &r.candidates[i]);
        struct place beyond = truth_beyond(t);
        if (model_predict(s.arena, r.candidates[i].model, &beyond, NULL, &p))
            continue;
        low = fmin(low, isnan(p.low) ? p.value : p.low);
        high = fmax(high, isnan(p.high) ? p.value : p.high);
        if (i == 0)
            out->error[seed - 1] = 100 * fabs(p.value / truth - 1);
    }
    if (status == 0) {
        out->first += truth_found(t, &r.candidates[0]);
        out->reported += r.ncandidates;
        if (verbose && !truth_found(t, &r.candidates[0]))
            printf("    seed %u: %s, %zu boundaries\n", seed, r.candidates[0].text,
                   r.candidates[0].model->structure.pieces->nboundaries);
    }
    out->among += among;
    out->enclosed += low <= truth * (1 + 1e-6) && high >= truth * (1 - 1e-6);
    synth_end(&s);
}

static void print_case(const struct truth *t, double noise, unsigned seeds, bool verbose)
{
    struct rates r = {.error = mem_alloc(seeds, sizeof *r.error)};
    size_t points = 1;
    for (size_t v = 0; v < truth_variables(t); v++)
        points *= t->values[v];
    for (unsigned seed = 1; seed <= seeds; seed++)
        judge(t, noise, seed, verbose, &r);
    stats_sort(r.error, seeds);
    printf("%-50s %4zu %4.0f %% %6.0f %% %6.0f %% %6.0f %% %8.1f %% %6.1f %8.1f ms\n", t->formula,
           points, 100 * noise, 100.0 * r.first / seeds, 100.0 * r.among / seeds,
           100.0 * r.enclosed / seeds, r.error[seeds / 2], (double)r.reported / seeds,
           1000 * r.time / seeds);
    fflush(stdout);
    mem_free(r.error);
}

int main(int argc, char **argv)
{
    static const double noises[] = {0, 0.01, 0.02, 0.05};
    unsigned seeds = argc > 1 ? (unsigned)atoi(argv[1]) : 100;
    if (seeds == 0)
        seeds = 1;
    printf(
        "%-50s pts   noise   first    among  within  error beyond  found     time   (%u seeds)\n",
        "truth", seeds);
    for (size_t k = 0; k < sizeof noises / sizeof *noises; k++)
        for (size_t i = 0; i < TRUTHS; i++)
            print_case(&truths[i], noises[k], noises[k] > 0 ? seeds : 1, argc > 2);
    return 0;
}
