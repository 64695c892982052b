/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How often the search finds a formula that is known: of SEEDS sets of data of each kind, in how
 * many the formula found first is the truth, in how many it is among those that are reported as
 * not to be told apart, how far the first one's prediction is off well beyond the data, and in how
 * many sets the 95 % intervals of all reported ones together enclose the truth there.
 *
 *     build/bench/search [SEEDS [-v]]
 *     build/bench/search beyond [SEEDS [FIRST [TRUTH [-v]]]]
 *     build/bench/search limit [SEEDS [FIRST [TRUTH]]]
 *     build/bench/search few [SEEDS [FIRST [known|new|random|limit [SAMPLES [-v]]]]]
 *
 * The second form takes 72 truths that nobody chose (harness/synthetic/beyond.h), and asks how far
 * the prediction after the search is off 4 times beyond the data in all variables, how often that is
 * negative, and how often its typical interval contains a new measurement there. FIRST is the first
 * seed, TRUTH the number of the first truth: others than 0 make 72 other truths. -v prints the sets in
 * which the error is above 10 %.
 *
 * The third form takes the same data of one and two variables, and asks how far a prediction by someone
 * who knows how truths are drawn is off (search_limit.h), and how often its interval contains the truth.
 *
 * The fourth form has ten points of two variables along two lines, and predicts 4 times beyond them in
 * both (search_few.c): truths of the development, others, or random ones; `limit` takes the random ones, and predicts as the
 * third form does.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "harness/synthetic/beyond.h"
#include "model/search.h"
#include "search_few.h"
#include "search_limit.h"

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
                   model_pieces(r.candidates[0].model)->nboundaries);
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

/* ---- truths that nobody chose ---- */

struct tally {
    double *error;
    size_t n, covered, negative;
    double time;
    bool verbose;
};

static void predict_beyond(const struct beyond *b, double noise, unsigned seed, struct tally *out)
{
    struct synth s = truth_load(&b->truth, noise, 1, seed);
    struct search_result r;
    struct prediction p;
    struct place place = {b->truth.variables, b->truth.beyond, truth_variables(&b->truth)};
    double truth = truth_at(&s, &b->truth, b->truth.beyond), before = seconds();
    double measured = truth * fmax(1 + noise * synth_normal(&s), 0.01);
    out->error[out->n] = INFINITY;
    if (truth_search(&s, &r) == 0) {
        model_take_alternatives(r.candidates[0].model, &r);
        if (model_predict(s.arena, r.candidates[0].model, &place, NULL, &p) == 0) {
            out->error[out->n] = 100 * fabs(p.value / truth - 1);
            out->covered += p.low <= measured && measured <= p.high;
            out->negative += p.value < 0;
            if (out->verbose && out->error[out->n] > 10)
                printf("    %5.1f %% off, %s, seed %u, noise %g: %s\n        found %s (%.0f %%)\n",
                       out->error[out->n],
                       p.low <= measured && measured <= p.high ? "covered" : "not covered", seed,
                       noise, b->formula, r.candidates[0].text, 100 * r.candidates[0].share);
        }
    }
    out->time += seconds() - before;
    out->n++;
    synth_end(&s);
}

/* What the data say at most. */
static void predict_limit(const struct beyond *b, double noise, unsigned seed, struct tally *out)
{
    struct synth s = truth_load(&b->truth, noise, 1, seed);
    double truth = truth_at(&s, &b->truth, b->truth.beyond), before = seconds();
    struct place place = {b->truth.variables, b->truth.beyond, truth_variables(&b->truth)};
    struct limit_prediction p = limit_predict(&s, b, &place, (double[]){0.02, 0.05});
    out->error[out->n++] = 100 * fabs(p.value / truth - 1);
    out->covered += p.low <= truth && truth <= p.high;
    out->time += seconds() - before;
    synth_end(&s);
}

static void print_tally(const char *what, struct tally *t)
{
    if (!t->n)
        return;
    stats_sort(t->error, t->n);
    printf("%-28s %6zu %8.2f %% %8.1f %% %9.1f %% %9zu %8.0f ms\n", what, t->n, t->error[t->n / 2],
           t->error[t->n * 9 / 10], 100.0 * (double)t->covered / (double)t->n, t->negative,
           1000 * t->time / (double)t->n);
    fflush(stdout);
}

/* Both kinds of predictions, for the same sets. */
typedef void predict_function(const struct beyond *b, double noise, unsigned seed,
                              struct tally *out);

static int bench_beyond(predict_function *predict, unsigned seeds, unsigned first, size_t truth,
                        bool verbose)
{
    static const double noises[] = {0.02, 0.05};
    struct arena *a = arena_create();
    size_t most = (size_t)BEYOND_TRUTHS * seeds * 2;
    struct tally all = {.error = arena_alloc(a, most, sizeof(double))}, of[3][2];
    for (size_t v = 0; v < 3; v++)
        for (int outside = 0; outside < 2; outside++)
            of[v][outside] =
                (struct tally){.error = arena_alloc(a, most, sizeof(double)), .verbose = verbose};
    printf(
        "%-28s   sets   median  90th of 100   covered  negative      time   (seeds %u to %u, truths "
        "%zu to %zu)\n",
        "truths", first, first + seeds - 1, truth, truth + BEYOND_TRUTHS - 1);
    for (size_t i = 0; i < BEYOND_TRUTHS; i++) {
        const struct beyond *b = beyond_make(a, truth + i);
        if (predict == predict_limit && truth_variables(&b->truth) > LIMIT_MOST_VARIABLES)
            continue;
        struct tally *t = &of[truth_variables(&b->truth) - 1][b->outside];
        for (unsigned k = 0; k < 2 * seeds; k++) {
            /* each truth has noise of its own */
            predict(b, noises[k % 2], first + k / 2 + 10007 * (unsigned)i, t);
            all.error[all.n++] = t->error[t->n - 1];
        }
    }
    for (size_t v = 0; v < 3; v++)
        for (int outside = 0; outside < 2; outside++) {
            struct tally *t = &of[v][outside];
            char name[64];
            snprintf(name, sizeof name, "%zu variable%s, %s", v + 1, v ? "s" : "",
                     outside ? "outside" : "inside");
            all.covered += t->covered;
            all.negative += t->negative;
            all.time += t->time;
            print_tally(name, t);
        }
    print_tally("all", &all);
    arena_destroy(a);
    return 0;
}

int main(int argc, char **argv)
{
    bool limit = argc > 1 && strcmp(argv[1], "limit") == 0;
    if (limit || (argc > 1 && strcmp(argv[1], "beyond") == 0))
        return bench_beyond(
            limit ? predict_limit : predict_beyond, argc > 2 ? (unsigned)atoi(argv[2]) : 5,
            argc > 3 ? (unsigned)atoi(argv[3]) : 1, argc > 4 ? (size_t)atol(argv[4]) : 0, argc > 5);
    if (argc > 1 && strcmp(argv[1], "few") == 0)
        return bench_few(&(struct few_request){.seeds = argc > 2 ? (unsigned)atoi(argv[2]) : 5,
                                               .first = argc > 3 ? (unsigned)atoi(argv[3]) : 1,
                                               .truths = argc > 4 ? argv[4] : "known",
                                               .samples = argc > 5 ? (unsigned)atoi(argv[5]) : 1,
                                               .verbose = argc > 6});
    static const double noises[] = {0, 0.01, 0.02, 0.05};
    unsigned seeds = argc > 1 ? (unsigned)atoi(argv[1]) : 20;
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
