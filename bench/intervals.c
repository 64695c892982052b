/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How often the automatic intervals are right, on synthetic data with a known truth: of SEEDS sets
 * of each kind, in how many the number of intervals is right, every boundary lies in the reported
 * gap or the next one, and only the constant that changes has several values.
 *
 * `other`: with noise that is not independent and equal. `forms`: what llac makes of a bend, of a
 * smooth change and of a formula that misses a term. `choice`: whether it takes intervals or a missing
 * term for what the data do not follow. `derived`: along what a constant of two variables changes.
 *
 *     build/bench/intervals [SEEDS [FIRST [all|steps|other|forms|choice|derived]]]
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "harness/synthetic/regimes.h"
#include "harness/synthetic/shares.h"

static unsigned first_seed;

static void print_case(const struct regimes *r, unsigned seeds)
{
    unsigned number = 0, place = 0, alone = 0;
    for (unsigned seed = 1; seed <= seeds; seed++) {
        struct regimes_result one = regimes_run(r, first_seed + seed);
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

static struct regimes usual(size_t sizes, size_t constants, size_t boundaries, int shape)
{
    struct regimes r = {.sizes = sizes,
                        .repetitions = 10,
                        .boundaries = boundaries,
                        .first = sizes < 40 ? 1024 : 256,
                        .last = sizes < 40 ? 1024 << 11 : 1 << 20,
                        .constant = {2e-6, 5e-8, 2e-10},
                        .constants = constants,
                        .changing = constants - 1,
                        .factor = 1.5,
                        .noise = 0.05,
                        .shape = (enum noise_shape)shape};
    return r;
}

static void steps(unsigned seeds)
{
    for (int shape = 0; shape < NOISE_SHAPES; shape++)
        for (size_t constants = 2; constants <= 3; constants++) {
            for (size_t boundaries = 0; boundaries <= 3; boundaries++) {
                struct regimes r = usual(40, constants, boundaries, shape);
                print_case(&r, seeds);
                r.factor = 2.5;
                if (boundaries)
                    print_case(&r, seeds);
            }
            for (size_t boundaries = 0; boundaries <= 1; boundaries++) {
                struct regimes r = usual(12, constants, boundaries, shape);
                print_case(&r, seeds);
            }
        }
}

/* Numbers of samples from 200 at the smallest size to 2 at the largest, runs that are disturbed by
 * 4 %, and noise that grows: none of them is a boundary. */
static void other_noise(unsigned seeds)
{
    printf("the same: samples from 200 to 2 per size; runs disturbed by 4 %%; noise that grows\n");
    for (int kind = 0; kind < 3; kind++)
        for (int shape = 0; shape < NOISE_SHAPES; shape++)
            for (size_t sizes = 12; sizes <= 40; sizes += 28)
                for (size_t boundaries = 0; boundaries <= 1; boundaries++) {
                    struct regimes r = usual(sizes, 2, boundaries, shape);
                    r.uneven = kind == 0;
                    r.run_noise = kind == 1 ? 0.04 : 0;
                    r.growth = kind == 2 ? 0.2 : 0;
                    r.noise = kind == 2 ? 0.03 : 0.05;
                    print_case(&r, seeds);
                }
}

static void print_form(const char *name, const struct regimes *r, unsigned seeds)
{
    unsigned none = 0, bend = 0, one = 0, more = 0, missing = 0;
    for (unsigned seed = 1; seed <= seeds; seed++) {
        struct regimes_result x = regimes_run(r, first_seed + seed);
        missing += x.missing;
        none += x.found == 0 && !x.missing;
        bend += x.found == 1 && x.gradual;
        one += x.found == 1 && !x.gradual;
        more += x.found > 1;
    }
    double p = 100.0 / seeds;
    printf("%-14s %5zu  x%-4g %3.0f %%  %-7s %7.0f %% %7.0f %% %7.0f %% %7.0f %% %7.0f %%\n", name,
           r->sizes, r->factor, 100 * r->noise, noise_names[r->shape], none * p, bend * p, one * p,
           more * p, missing * p);
    fflush(stdout);
}

static void forms(unsigned seeds)
{
    static const char *const names[] = {"step", "bend", "smooth", "missing term"};
    printf("truth          sizes factor noise shape    nothing   gradual  one step      more   "
           "missing term   (f[0] + f[1]*N, %u seeds)\n",
           seeds);
    for (int form = FORM_STEPS; form <= FORM_TERM; form++)
        for (int shape = 0; shape < NOISE_SHAPES; shape++)
            for (size_t sizes = 12; sizes <= 40; sizes += 28)
                for (int large = 0; large <= (form != FORM_TERM); large++) {
                    struct regimes r = usual(sizes, 2, form != FORM_TERM, shape);
                    r.form = (enum regimes_form)form;
                    r.factor = form == FORM_TERM ? 1 : large ? 3 : 1.5;
                    r.noise = 0.02;
                    print_form(names[form], &r, seeds);
                }
}

/* A truth of one kind, for `choice`. */
struct kind {
    const char *name;
    enum regimes_form form;
    size_t boundaries;
    double factor, missing;
};

static void print_choice(const struct kind *k, const struct regimes *r, unsigned seeds)
{
    unsigned nothing = 0, intervals = 0, both = 0, term = 0;
    for (unsigned seed = 1; seed <= seeds; seed++) {
        struct regimes_result x = regimes_run(r, first_seed + seed);
        nothing += x.found == 0 && !x.named;
        intervals += x.found > 0 && !x.named;
        both += x.found > 0 && x.named;
        term += x.missing;
    }
    double p = 100.0 / seeds;
    printf("%-24s %5zu %5.0f %% %5.0f %% %7.0f %% %7.0f %% %7.0f %% %7.0f %%\n", k->name, r->sizes,
           100 * r->noise, 100 * r->scatter, nothing * p, intervals * p, both * p, term * p);
    fflush(stdout);
}

static void choice(unsigned seeds)
{
    static const struct kind kinds[] = {{"1 boundary, x2", FORM_STEPS, 1, 2, 0},
                                        {"2 boundaries, x2", FORM_STEPS, 2, 2, 0},
                                        {"bend, x3", FORM_BEND, 1, 3, 0},
                                        {"smooth, x3", FORM_SMOOTH, 1, 3, 0},
                                        {"2 smooth, x2", FORM_SMOOTH, 2, 2, 0},
                                        {"cache, x3", FORM_CACHE, 1, 3, 0},
                                        {"2 caches, x2", FORM_CACHE, 2, 2, 0},
                                        {"N*log(N) missing", FORM_TERM, 0, 1, 0},
                                        {"N^2 missing", FORM_TERM, 0, 1, 2},
                                        {"N^1.5 missing", FORM_TERM, 0, 1, 1.5},
                                        {"N^0.5 missing", FORM_TERM, 0, 1, 0.5},
                                        {"N^1.3 missing", FORM_TERM, 0, 1, 1.3},
                                        {"1 boundary and N*log(N)", FORM_BOTH, 1, 2, 0},
                                        {"2 boundaries and N^2", FORM_BOTH, 2, 2, 2}};
    static const double noises[][2] = {{0.02, 0}, {0.1, 0}, {0.02, 0.08}};
    printf("truth                    sizes  noise scatter  nothing intervals named too    term   "
           "(f[0] + f[1]*N, %u seeds from %u)\n",
           seeds, first_seed + 1);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        for (size_t noisy = 0; noisy < 3; noisy++)
            for (size_t sizes = 12; sizes <= 40; sizes += 28) {
                struct regimes r = usual(sizes, 2, kinds[i].boundaries, NOISE_SKEWED);
                r.form = kinds[i].form;
                r.factor = kinds[i].factor;
                r.missing = kinds[i].missing;
                r.noise = noises[noisy][0];
                r.scatter = noises[noisy][1];
                print_choice(&kinds[i], &r, seeds);
            }
}

/* Along what llac divides. */
struct divided {
    unsigned nothing, along[SHARES_KINDS], several;
    double error;
};

static void count_divided(const struct shares *r, uint64_t seed, struct divided *d)
{
    struct synth s = synth_begin();
    shares_load(&s, r, seed);
    struct model *m = synth_fit(&s, NULL, false, STATISTIC_P10);
    const struct pieces *p = model_pieces(m);
    d->error += model_error(m)->mean_pct;
    if (p->nboundaries > 1)
        d->several++;
    else if (p->nboundaries == 0)
        d->nothing++;
    for (int k = 0; k < SHARES_KINDS && p->nboundaries == 1; k++)
        d->along[k] += strcmp(model_place_name(m, p->boundaries[0].variable), shares_names[k]) == 0;
    synth_end(&s);
}

static void derived(unsigned seeds)
{
    printf(
        "changes along  grid    factor noise   nothing        N        P      N/P      N*P  several   mean "
        "error   (9 sizes, 5 P, %u seeds from %u)\n",
        seeds, first_seed + 1);
    for (int along = 0; along < SHARES_KINDS; along++)
        for (int odd = 0; odd < 2; odd++)
            for (int strong = 0; strong < 2; strong++) {
                struct shares r = {.along = (enum shares_along)along,
                                   .odd = odd,
                                   .factor = strong ? 1.8 : 1.2,
                                   .noise = strong ? 0.02 : 0.05,
                                   .repetitions = 6};
                struct divided d = {.nothing = 0};
                for (unsigned seed = 1; seed <= seeds; seed++)
                    count_divided(&r, first_seed + seed, &d);
                double p = 100.0 / seeds;
                printf(
                    "%-14s %-6s x%-5g %3.0f %%  %7.0f %% %6.0f %% %6.0f %% %6.0f %% %6.0f %% %6.0f %% %8.2f "
                    "%%\n",
                    shares_names[along], odd ? "odd" : "powers", r.factor, 100 * r.noise,
                    d.nothing * p, d.along[ALONG_N] * p, d.along[ALONG_P] * p,
                    d.along[ALONG_SHARE] * p, d.along[ALONG_PRODUCT] * p, d.several * p,
                    d.error / seeds);
                fflush(stdout);
            }
}

int main(int argc, char **argv)
{
    unsigned seeds = argc > 1 ? (unsigned)atoi(argv[1]) : 20;
    const char *what = argc > 3 ? argv[3] : "all";
    first_seed = argc > 2 ? (unsigned)atoi(argv[2]) - 1 : 0;
    bool all = strcmp(what, "all") == 0;
    print_time();
    if (all || strcmp(what, "steps") == 0 || strcmp(what, "other") == 0)
        printf("sizes  constants  changes factor   noise  shape      number    place    which   "
               "(of %u seeds from %u, 10 repetitions)\n",
               seeds, first_seed + 1);
    if (all || strcmp(what, "steps") == 0)
        steps(seeds);
    if (all || strcmp(what, "other") == 0)
        other_noise(seeds);
    if (all || strcmp(what, "forms") == 0)
        forms(seeds);
    if (all || strcmp(what, "choice") == 0)
        choice(seeds);
    if (all || strcmp(what, "derived") == 0)
        derived(seeds);
    return 0;
}
