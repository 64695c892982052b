/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A simulated machine that is fast or slow by turns, and a program on it that scales perfectly: N/P
 * units of work on each of P ranks. What the slowest rank takes is known exactly. Used by
 * tests/model/ranks_test.c and bench/ranks.c.
 */
#ifndef TESTS_SYNTHETIC_MACHINE_H
#define TESTS_SYNTHETIC_MACHINE_H

#include "base/text.h"
#include "harness/synthetic/synth.h"

/* Who is slow at the same time. */
enum machine_kind {
    MACHINE_RANKS,   /* each rank by itself */
    MACHINE_WAITING, /* the same, and all ranks wait for the slowest one in the region */
    MACHINE_RUNS,    /* each rank by itself, for a whole run */
    MACHINE_ALL,     /* all ranks at once */
    MACHINE_KINDS
};
static const char *const machine_names[MACHINE_KINDS] = {"ranks", "ranks that wait",
                                                         "ranks for a run", "all at once"};

struct machine {
    enum machine_kind kind;
    double slow, share, noise; /* times as long; part of the time; relative */
    size_t executions, runs;   /* executions: of each point in each run */
};

#define MACHINE_UNIT 1e-8
enum { MACHINE_SIZES = 5, MACHINE_MOST = 16 };

static inline double machine_size(size_t i)
{
    return 100000 * pow(2, (double)i);
}

static inline double machine_mode(struct synth *s, const struct machine *m)
{
    return synth_uniform(s) < m->share ? m->slow : 1;
}

/* What the ranks of one execution take, in units. */
static inline void machine_execute(struct synth *s, const struct machine *m, const double *mode,
                                   size_t ranks, double *out)
{
    double all = machine_mode(s, m), greatest = 0;
    for (size_t r = 0; r < ranks; r++) {
        double now = m->kind == MACHINE_RUNS  ? mode[r]
                     : m->kind == MACHINE_ALL ? all
                                              : machine_mode(s, m);
        out[r] = now * (1 + m->noise * fabs(synth_normal(s)));
        greatest = fmax(greatest, out[r]);
    }
    for (size_t r = 0; r < ranks && m->kind == MACHINE_WAITING; r++)
        out[r] = greatest;
}

/* P = 1, 2, 4, ... up to `most`. */
static inline void machine_load(struct synth *s, const struct machine *m, size_t most)
{
    struct text t;
    size_t run = 0;
    text_init(&t);
    text_add(&t, "# cll-data 1\n# resolution: 1e-9\n# overhead: 0 0\n# experiment: f\n# formula: f "
                 "CLOCK f[0] + f[1]*N/P\n# variables: f N\n" SYNTH_COLUMNS " N CLOCK\n");
    for (size_t k = 0; k < m->runs; k++)
        for (size_t ranks = 1; ranks <= most; ranks *= 2, run++) {
            double mode[MACHINE_MOST], took[MACHINE_MOST];
            size_t seq = 0;
            for (size_t r = 0; r < ranks; r++)
                mode[r] = machine_mode(s, m);
            for (size_t i = 0; i < MACHINE_SIZES; i++)
                for (size_t e = 0; e < m->executions; e++, seq++) {
                    machine_execute(s, m, mode, ranks, took);
                    for (size_t r = 0; r < ranks; r++)
                        text_printf(&t, "f %zu %zu 0 0 %zu %zu 0 1 %.17g %.17g\n", run, seq, ranks,
                                    r, machine_size(i),
                                    took[r] * MACHINE_UNIT * machine_size(i) / (double)ranks);
                }
        }
    synth_load(s, t.s);
    text_free(&t);
}

/* The p-quantile of one rank, in units. */
static inline double machine_quantile(const struct machine *m, double p)
{
    bool slow = p > 1 - m->share;
    double part = slow ? (p - (1 - m->share)) / m->share : p / (1 - m->share), low = 0, high = 8;
    for (int i = 0; i < 60; i++) { /* of the half normal distribution */
        double middle = (low + high) / 2;
        *(erf(middle / sqrt(2)) < part ? &low : &high) = middle;
    }
    return (slow ? m->slow : 1) * (1 + m->noise * low);
}

/* The 10th percentile of executions on so many ranks, in seconds. */
static inline double machine_truth(const struct machine *m, double n, double ranks)
{
    double p = m->kind == MACHINE_ALL ? 0.1 : pow(0.1, 1 / ranks);
    return machine_quantile(m, p) * MACHINE_UNIT * n / ranks;
}

/* The mean error of predictions at P = 16 from P <= 8, relative; nan if the fit fails. */
static inline double machine_error(const struct machine *m, uint64_t seed, enum rank_rule rule,
                                   enum ranks_found *found)
{
    struct synth s = synth_begin();
    s.random = 88172645463325252u ^ (seed * 0x9e3779b97f4a7c15u);
    for (int i = 0; i < 16; i++)
        synth_uniform(&s);
    machine_load(&s, m, 8);
    const struct experiment *e = dataset_find(s.data, "f");
    struct fit_request r = {
        .points = {.dataset = s.data, .experiment = e, .observable = "CLOCK", .ranks = rule},
        .formula = formula_parse_text(s.arena, "f[0] + f[1]*N/P", "f", s.diag)};
    struct model *fitted = model_fit(s.arena, &r, s.diag);
    double sum = 0;
    for (size_t i = 0; i < MACHINE_SIZES; i++) {
        const char *names[] = {"N", "P"};
        double at[] = {machine_size(i), 16};
        struct prediction p;
        bool made = fitted &&
                    model_predict(s.arena, fitted, &(struct place){names, at, 2}, s.diag, &p) == 0;
        sum += made ? fabs(p.value / machine_truth(m, at[0], 16) - 1) : NAN;
    }
    *found = fitted ? model_points(fitted)->by_rank.how : RANKS_UNITED;
    synth_end(&s);
    return sum / MACHINE_SIZES;
}

#endif
