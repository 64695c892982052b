/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How often `check` is wrong: pairs of data sets of one version of the code, which it must not call
 * slower, and of a version in which one constant is slower by 5, 10 or 20 %, which it should. A data set
 * has three experiments, of one to three constants, the last with a cache: its constant grows beyond a
 * size. It was measured in rounds, each a run of its own.
 *
 * The noise is that of a shared machine (docs/user/measuring.md). All times of a run share a factor, and
 * those of one size in a run another one. Slow phases, in which everything takes 1.7 times as long, come
 * and go during a run. Each sample has noise of its own, and now and then something interrupts it.
 *
 *     build/bench/check [PAIRS [FIRST [MACHINE [ROUNDS]]]]
 *
 * MACHINE: quiet, busy or very-busy; without it and ROUNDS all of them.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/check.h"
#include "numeric/random.h"

enum { EXPERIMENTS = 3, SIZES = 12, REPETITIONS = 3 };

static const char *const names[EXPERIMENTS] = {"f", "g", "h"};
static const char *const formulas[EXPERIMENTS] = {"f[0] + f[1]*N", "g[0] + g[1]*N + g[2]*N*log(N)",
                                                  "h[0]*N"};

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

static void add_run(struct experiment *e, int experiment, unsigned run, const struct machine *m,
                    double slower, struct random *random)
{
    double factor = exp(m->run * random_normal(random));
    bool slow = random_uniform(random) < m->phases;
    for (int s = 0; s < SIZES; s++) {
        double n = 1000 * pow(2, s), here = exp(m->size * random_normal(random));
        for (int k = 0; k < REPETITIONS; k++) {
            if (random_uniform(random) < 0.1) /* phases last for ten samples or so */
                slow = random_uniform(random) < m->phases;
            double t = truth(experiment, n, slower) * factor * here * (slow ? 1.7 : 1) *
                       exp(m->sample * fabs(random_normal(random)));
            if (random_uniform(random) < 0.01)
                t += 2e-4;
            double row[FIELD_FIXED + 2] = {[FIELD_RUN] = run, [FIELD_SEQ] = s * REPETITIONS + k,
                                           [FIELD_P] = 1,     [FIELD_COUNT] = 1,
                                           [FIELD_FIXED] = n, [FIELD_FIXED + 1] = t};
            const double *columns[FIELD_FIXED + 2];
            for (size_t j = 0; j < FIELD_FIXED + 2; j++)
                columns[j] = &row[j];
            experiment_append(e, columns, NULL, 1);
        }
    }
}

/* One version, measured in rounds. */
static struct dataset *measure(unsigned rounds, const struct machine *m, double slower,
                               struct random *random)
{
    struct dataset *d = dataset_create();
    struct data_file file = {.path = "synthetic",
                             .program = "",
                             .driver = "",
                             .host = "",
                             .cpu = "",
                             .compiler = "",
                             .flags = "",
                             .date = "",
                             .clock = "tsc",
                             .job = "",
                             .folder = "",
                             .resolution = 1e-9};
    size_t index = dataset_add_file(d, &file);
    for (int i = 0; i < EXPERIMENTS; i++) {
        struct experiment *e = dataset_add_experiment(d, names[i]);
        experiment_add_variable(d, e, "N");
        experiment_add_observable(d, e, "CLOCK");
        experiment_set_formula(d, e, "CLOCK", formulas[i], index);
        experiment_add_segment(e, index);
        for (unsigned run = 0; run < rounds; run++)
            add_run(e, i, run, m, slower, random);
    }
    return d;
}

static struct model *fit(struct arena *a, const struct dataset *d, int i)
{
    struct fit_request r = {
        .points = {.dataset = d, .experiment = d->experiments[i], .observable = "CLOCK"},
        .formula = formula_parse_text(a, formulas[i], names[i], NULL)};
    return model_fit(a, &r, NULL);
}

/* What one check finds. */
struct found {
    unsigned checks, worse, slower, faster, rows, unknown;
};

static void check_pair(unsigned rounds, const struct machine *m, double slower, double threshold,
                       uint64_t seed, struct found *out)
{
    struct random random = {seed * 7919 + 17};
    struct dataset *old = measure(rounds, m, 1, &random),
                   *new = measure(rounds, m, slower, &random);
    struct arena *a = arena_create();
    struct check_experiment list[EXPERIMENTS];
    size_t n = 0;
    for (int i = 0; i < EXPERIMENTS; i++) {
        struct model *x = fit(a, old, i), *y = fit(a, new, i);
        struct place places[2];
        struct check_side before, after;
        if (!x || !y)
            continue;
        size_t np = check_places(a, x, y, places);
        check_side_of_model(a, x, formulas[i], places, np, &before);
        check_side_of_model(a, y, formulas[i], places, np, &after);
        memset(&list[n], 0, sizeof list[n]);
        check_compare(a, &before, &after, &list[n++]);
    }
    out->checks++;
    out->worse += check_judge(list, n, threshold) > 0;
    bool is_slower = false, is_faster = false;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < list[i].nrows; k++) {
            is_slower = is_slower || list[i].rows[k].verdict == CHECK_SLOWER;
            is_faster = is_faster || list[i].rows[k].verdict == CHECK_FASTER;
            out->rows++;
            out->unknown += list[i].rows[k].verdict == CHECK_CANNOT_TELL;
        }
    out->slower += is_slower;
    out->faster += is_faster;
    arena_destroy(a);
    dataset_destroy(old);
    dataset_destroy(new);
}

int main(int argc, char **argv)
{
    static const struct machine machines[] = {{"quiet", 0.005, 0.003, 0.01, 0},
                                              {"busy", 0.02, 0.01, 0.02, 0.2},
                                              {"very-busy", 0.04, 0.02, 0.03, 0.4}};
    static const unsigned rounds[] = {1, 3, 10};
    static const double slower[] = {1, 1.05, 1.1, 1.2};
    unsigned pairs = argc > 1 ? (unsigned)atoi(argv[1]) : 1000;
    uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    const char *machine = argc > 3 ? argv[3] : NULL;
    unsigned wanted = argc > 4 ? (unsigned)atoi(argv[4]) : 0;
    setvbuf(stdout, NULL, _IOLBF, 0);
    printf(
        "pairs of versions, three experiments, threshold 5 %%; exit 1: checks that fail\n"
        "machine    rounds  slower  pairs   exit 1   slower   faster   rows that cannot be told\n");
    for (size_t m = 0; m < sizeof machines / sizeof *machines; m++)
        for (size_t r = 0; r < sizeof rounds / sizeof *rounds; r++)
            for (size_t s = 0; s < sizeof slower / sizeof *slower; s++) {
                struct found f = {0};
                if ((machine && strcmp(machine, machines[m].name) != 0) ||
                    (wanted && wanted != rounds[r]))
                    continue;
                unsigned n = s ? (pairs + 4) / 5 : pairs; /* power needs fewer */
                for (unsigned i = 0; i < n; i++)
                    check_pair(rounds[r], &machines[m], slower[s], CHECK_THRESHOLD, first + i, &f);
                printf("%-10s %6u  %4.0f %%  %5u  %6.1f %%  %6.1f %%  %6.1f %%  %5.0f %%\n",
                       machines[m].name, rounds[r], 100 * (slower[s] - 1), f.checks,
                       100.0 * f.worse / f.checks, 100.0 * f.slower / f.checks,
                       100.0 * f.faster / f.checks, f.rows ? 100.0 * f.unknown / f.rows : 0);
            }
    return 0;
}
