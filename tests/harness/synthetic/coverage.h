/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How often the two prediction intervals hold what they claim to hold, on synthetic data: `typical`
 * the same statistic of as many fresh runs, `single run` one fresh run. Used by the reduced test
 * and by bench/coverage.
 */
#ifndef TESTS_SYNTHETIC_COVERAGE_H
#define TESTS_SYNTHETIC_COVERAGE_H

#include "harness/synthetic/regimes.h"

struct coverage {
    unsigned typical, single, total;
    unsigned constants, constants_total; /* intervals of constants that contain the truth */
    double width;                        /* mean relative half width of typical */
};

/* The statistic of a number of fresh runs at a size. */
static inline double coverage_fresh(struct synth *s, const struct regimes *r, double n, double *one)
{
    enum { MOST = 64 };
    double samples[MOST], truth = regimes_truth(r, n);
    for (size_t i = 0; i < r->repetitions; i++)
        samples[i] = truth * regimes_run_noise(s, r) * regimes_noise(s, r, n);
    *one = samples[0];
    return stats_quantile(samples, r->repetitions, 0.1);
}

/* What the statistic is on average, against the time without noise. */
static inline double coverage_level(struct synth *s, const struct regimes *r, double n)
{
    enum { SETS = 400 };
    double sum = 0, one;
    for (int i = 0; i < SETS; i++)
        sum += coverage_fresh(s, r, n, &one);
    return sum / SETS / regimes_truth(r, n);
}

static inline void coverage_of_constants(struct synth *s, const struct regimes *r,
                                         const struct model *m, struct coverage *c)
{
    double level = coverage_level(s, r, sqrt(r->first * r->last));
    for (size_t k = 0; k < model_constants(m).n; k++) {
        const struct model_piece *p = model_constants(m).list[k].pieces;
        if (model_constants(m).list[k].npieces != 1)
            continue;
        c->constants += p->low <= level * r->constant[k] && p->high >= level * r->constant[k];
        c->constants_total++;
    }
}

/* One set of data, one prediction at `n`, several fresh measurements against it. */
static inline void coverage_add(const struct regimes *r, uint64_t seed, double n,
                                struct coverage *c)
{
    enum { FRESH = 5 };
    struct synth s = synth_begin();
    s.random = 88172645463325252u ^ (seed * 0x9e3779b97f4a7c15u);
    for (int i = 0; i < 16; i++)
        synth_uniform(&s);
    regimes_load(&s, r);
    struct model *m = synth_fit(&s, NULL, false, STATISTIC_P10);
    struct prediction p;
    const char *names[] = {"N"};
    if (m)
        model_resample(m);
    if (m && model_predict(s.arena, m, &(struct place){names, &n, 1}, s.diag, &p) == 0) {
        for (int k = 0; k < FRESH; k++) {
            double one, typical = coverage_fresh(&s, r, n, &one);
            c->typical += typical >= p.low && typical <= p.high;
            c->single += one >= p.single_low && one <= p.single_high;
            c->total++;
        }
        c->width += (p.high - p.low) / 2 / p.value;
        if (!r->boundaries && r->growth == 0)
            coverage_of_constants(&s, r, m, c);
    }
    synth_end(&s);
}

#endif
