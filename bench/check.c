/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How often `check` is wrong: pairs of data sets of one version of the code, which it must not call
 * slower, and of a version in which one constant is slower by 2, 5, 10 or 20 % or takes three times as long, which it should. A data
 * set has three experiments, of one to three constants, the last with a cache: its constant grows beyond
 * a size. It was measured in rounds, each a run of its own.
 *
 * The noise is that of a shared machine (docs/user/measuring.md). All times of a run share a factor, and
 * those of one size in a run another one. Slow phases, in which everything takes 1.7 times as long, come
 * and go during a run. Each sample has noise of its own, and now and then something interrupts it.
 *
 * Apart: the runs of the two versions have nothing in common. By turns, as `call run --baseline` measures
 * them: a slow phase goes on from one run to the next, and half of the variance of the factor of a run is
 * that of its round.
 *
 *     build/bench/check [PAIRS [FIRST [MACHINE|all [ROUNDS|0 [apart|turns|both [THRESHOLD [wrong]]]]]]]
 *
 * MACHINE: quiet, busy or very-busy. THRESHOLD: in percent, 5 without it. wrong: the formulas do not describe
 * the data, so that measured values are compared.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/check.h"
#include "model/fit.h"
#include "numeric/random.h"

enum { EXPERIMENTS = 3, SIZES = 12, REPETITIONS = 3 };

static const char *const names[EXPERIMENTS] = {"f", "g", "h"};
static const char *const formulas[EXPERIMENTS] = {"f[0] + f[1]*N", "g[0] + g[1]*N + g[2]*N*log(N)",
                                                  "h[0]*N"};

static const char *const wrong_formulas[EXPERIMENTS] = {"f[0]*log(N)", "g[0] + g[1]*log(N)",
                                                        "h[0]*sqrt(N)"};

struct machine {
    const char *name;
    double run, size, sample; /* standard deviations, relative */
    double phases;            /* the part of the time that is slow */
};

static double truth(int experiment, double n, double slower)
{
    switch (experiment) {
    case 0: return 2e-6 + slower * 3e-9 * n;
    case 1: return 5e-6 + 1e-9 * n + slower * 4e-10 * n * log(n);
    default: return slower * (n > 100000 ? 5e-9 : 2e-9) * n;
    }
}

static void add_sample(struct experiment *e, unsigned run, int seq, double n, double t)
{
    double row[FIELD_FIXED + 2] = {[FIELD_RUN] = run, [FIELD_SEQ] = seq, [FIELD_P] = 1,
                                   [FIELD_COUNT] = 1, [FIELD_FIXED] = n, [FIELD_FIXED + 1] = t};
    const double *columns[FIELD_FIXED + 2];
    for (size_t j = 0; j < FIELD_FIXED + 2; j++)
        columns[j] = &row[j];
    experiment_append(e, columns, NULL, 1);
}

static void add_run(struct experiment *e, int experiment, unsigned run, const struct machine *m,
                    double slower, double factor, bool *slow, struct random *random)
{
    for (int s = 0; s < SIZES; s++) {
        double n = 1000 * pow(2, s), here = exp(m->size * random_normal(random));
        for (int k = 0; k < REPETITIONS; k++) {
            if (random_uniform(random) < 0.1) /* phases last for ten samples or so */
                *slow = random_uniform(random) < m->phases;
            double t = truth(experiment, n, slower) * factor * here * (*slow ? 1.7 : 1) *
                       exp(m->sample * fabs(random_normal(random)));
            if (random_uniform(random) < 0.01)
                t += 2e-4;
            add_sample(e, run, s * REPETITIONS + k, n, t);
        }
    }
}

static const char *formula_of(int experiment, bool wrong)
{
    return wrong ? wrong_formulas[experiment] : formulas[experiment];
}

static struct dataset *empty(const char *turns)
{
    struct dataset *d = dataset_create();
    struct data_file file = data_file_of("synthetic");
    file.clock = "tsc";
    file.turns = turns;
    file.resolution = 1e-9;
    size_t index = dataset_add_file(d, &file);
    for (int i = 0; i < EXPERIMENTS; i++) {
        struct experiment *e = dataset_add_experiment(d, names[i]);
        experiment_add_variable(d, e, "N");
        experiment_add_observable(d, e, "CLOCK");
        experiment_set_formula(d, e, "CLOCK", formulas[i], index);
        experiment_add_segment(e, index);
    }
    return d;
}

/* One version, measured in rounds. */
static struct dataset *measure(unsigned rounds, const struct machine *m, double slower,
                               struct random *random)
{
    struct dataset *d = empty("");
    for (int i = 0; i < EXPERIMENTS; i++)
        for (unsigned run = 0; run < rounds; run++) {
            double factor = exp(m->run * random_normal(random));
            bool slow = random_uniform(random) < m->phases;
            add_run(d->experiments[i], i, run, m, slower, factor, &slow, random);
        }
    return d;
}

/* Both versions by turns. */
static void measure_by_turns(unsigned rounds, const struct machine *m, double slower,
                             struct random *random, struct dataset **versions)
{
    bool slow = random_uniform(random) < m->phases;
    versions[0] = empty("1");
    versions[1] = empty("1");
    for (unsigned run = 0; run < rounds; run++)
        for (int i = 0; i < EXPERIMENTS; i++) {
            double of_round = sqrt(0.5) * random_normal(random);
            for (int k = 0; k < 2; k++) {
                int version = (k + (int)run) % 2;
                double factor = exp(m->run * (of_round + sqrt(0.5) * random_normal(random)));
                add_run(versions[version]->experiments[i], i, run, m, version ? slower : 1, factor,
                        &slow, random);
            }
        }
}

static struct model *fit(struct arena *a, const struct dataset *d, int i, bool wrong)
{
    struct fit_request r = {
        .points = {.dataset = d, .experiment = d->experiments[i], .observable = "CLOCK"},
        .formula = formula_parse_text(a, formula_of(i, wrong), names[i], NULL)};
    return model_fit(a, &r, NULL);
}

struct setting {
    const struct machine *machine;
    unsigned rounds;
    bool turns, wrong;
    double slower, threshold;
};

/* What the checks find. */
struct found {
    unsigned checks, worse, slower, faster, rows, unknown, measured;
};

static void count_rows(const struct check_experiment *list, size_t n, struct found *out)
{
    bool is_slower = false, is_faster = false;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < list[i].nrows; k++) {
            is_slower = is_slower || list[i].rows[k].verdict == CHECK_SLOWER;
            is_faster = is_faster || list[i].rows[k].verdict == CHECK_FASTER;
            out->rows++;
            out->measured += list[i].rows[k].measured;
            out->unknown += list[i].rows[k].verdict == CHECK_CANNOT_TELL;
        }
    out->slower += is_slower;
    out->faster += is_faster;
}

static void check_pair(const struct setting *s, uint64_t seed, struct found *out)
{
    struct random random = {seed * 7919 + 17};
    struct dataset *versions[2];
    if (s->turns) {
        measure_by_turns(s->rounds, s->machine, s->slower, &random, versions);
    } else {
        versions[0] = measure(s->rounds, s->machine, 1, &random);
        versions[1] = measure(s->rounds, s->machine, s->slower, &random);
    }
    struct arena *a = arena_create();
    struct check_experiment list[EXPERIMENTS];
    size_t n = 0;
    for (int i = 0; i < EXPERIMENTS; i++) {
        struct model *x = fit(a, versions[0], i, s->wrong), *y = fit(a, versions[1], i, s->wrong);
        struct place places[2];
        struct check_side before, after;
        if (!x || !y)
            continue;
        size_t np = check_places(a, x, y, places);
        check_side_of_model(a, x, formula_of(i, s->wrong), places, np, &before);
        check_side_of_model(a, y, formula_of(i, s->wrong), places, np, &after);
        memset(&list[n], 0, sizeof list[n]);
        check_compare(a, &before, &after, &list[n++]);
    }
    out->checks++;
    out->worse += check_judge(list, n, s->threshold) > 0;
    count_rows(list, n, out);
    arena_destroy(a);
    dataset_destroy(versions[0]);
    dataset_destroy(versions[1]);
}

static void check_setting(const struct setting *s, unsigned pairs, uint64_t first)
{
    struct found f = {0};
    for (unsigned i = 0; i < pairs; i++)
        check_pair(s, first + i, &f);
    printf("%-10s %-6s %6u  %4.0f %%  %5u  %6.1f %%  %6.1f %%  %6.1f %%  %5.0f %%  %5.0f %%\n",
           s->machine->name, s->turns ? "turns" : "apart", s->rounds, 100 * (s->slower - 1),
           f.checks, 100.0 * f.worse / f.checks, 100.0 * f.slower / f.checks,
           100.0 * f.faster / f.checks, f.rows ? 100.0 * f.unknown / f.rows : 0,
           f.rows ? 100.0 * f.measured / f.rows : 0);
}

static bool is_wanted(int argc, char **argv, int place, const char *all, const char *name)
{
    return argc <= place || strcmp(argv[place], all) == 0 || strcmp(argv[place], name) == 0;
}

int main(int argc, char **argv)
{
    static const struct machine machines[] = {{"quiet", 0.005, 0.003, 0.01, 0},
                                              {"busy", 0.02, 0.01, 0.02, 0.2},
                                              {"very-busy", 0.04, 0.02, 0.03, 0.4}};
    static const unsigned rounds[] = {1, 3, 4, 5, 10, 20};
    static const double slower[] = {1, 1.02, 1.05, 1.1, 1.2, 3};
    unsigned pairs = argc > 1 ? (unsigned)atoi(argv[1]) : 100,
             wanted = argc > 4 ? (unsigned)atoi(argv[4]) : 0;
    uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    struct setting s = {.threshold = argc > 6 ? atof(argv[6]) / 100 : CHECK_THRESHOLD,
                        .wrong = argc > 7 && strcmp(argv[7], "wrong") == 0};
    setvbuf(stdout, NULL, _IOLBF, 0);
    printf("pairs of versions, three experiments, threshold %g %%; exit 1: checks that fail\n"
           "machine    rounds           slower  pairs   exit 1   slower   faster   rows: cannot "
           "tell, measured\n",
           100 * s.threshold);
    for (size_t m = 0; m < sizeof machines / sizeof *machines; m++)
        for (int turns = 0; turns < 2; turns++)
            for (size_t r = 0; r < sizeof rounds / sizeof *rounds; r++)
                for (size_t k = 0; k < sizeof slower / sizeof *slower; k++) {
                    if (!is_wanted(argc, argv, 3, "all", machines[m].name) ||
                        !is_wanted(argc, argv, 5, "both", turns ? "turns" : "apart") ||
                        (wanted && wanted != rounds[r]))
                        continue;
                    s.machine = &machines[m];
                    s.turns = turns;
                    s.rounds = rounds[r];
                    s.slower = slower[k];
                    check_setting(&s, k ? (pairs + 9) / 10 : pairs, first); /* power needs fewer */
                }
    return 0;
}
