/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Models of the spread of samples, on synthetic data whose spread is known: `statistic deviation` and
 * `statistic difference`. How often the intervals of constants contain what normal or skewed noise,
 * and runs that are slow as a whole, make of them, and those of predictions the spread of as many
 * fresh samples. Used by the reduced test and by bench/spreads.
 */
#ifndef TESTS_SYNTHETIC_SPREADS_H
#define TESTS_SYNTHETIC_SPREADS_H

#include "harness/synthetic/regimes.h"

struct spreads {
    unsigned constants, constants_total; /* intervals of constants that contain the truth */
    unsigned inside, total;              /* predictions that contain a fresh spread */
    double ratio, width; /* sums over predictions: predicted / true, half width / true */
};

/* The spread of fresh samples. */
static inline double spreads_fresh(struct synth *s, const struct regimes *r, enum statistic kind,
                                   double n)
{
    enum { MOST = 64 };
    double samples[MOST], truth = regimes_truth(r, n);
    for (size_t i = 0; i < r->repetitions; i++)
        samples[i] = truth * regimes_run_noise(s, r) * regimes_noise(s, r, n);
    return stats_point(kind, samples, NULL, r->repetitions).value;
}

/* The spread of executions that last 1 on average. */
static inline double spreads_truth(const struct regimes *r, enum statistic kind)
{
    double deviation = hypot(r->noise, r->run_noise);
    if (kind == STATISTIC_DEVIATION)
        return deviation;
    return deviation * (r->shape == NOISE_SKEWED ? 2 / M_E : sqrt(2 / M_PI));
}

/* One set of data; a prediction at `n`. */
static inline void spreads_add(const struct regimes *r, enum statistic kind, uint64_t seed,
                               double n, struct spreads *c)
{
    struct synth s = synth_begin();
    double spread = spreads_truth(r, kind), truth = spread * regimes_truth(r, n);
    s.random = 88172645463325252u ^ (seed * 0x9e3779b97f4a7c15u);
    for (int i = 0; i < 16; i++)
        synth_uniform(&s);
    regimes_load(&s, r);
    struct model *m = synth_fit(&s, NULL, false, kind);
    struct prediction p;
    const char *names[] = {"N"};
    if (m)
        model_resample(m);
    if (m && model_predict(s.arena, m, &(struct place){names, &n, 1}, s.diag, &p) == 0) {
        double fresh = spreads_fresh(&s, r, kind, n);
        c->inside += p.low <= fresh && p.high >= fresh;
        c->ratio += p.value / truth;
        c->width += (p.high - p.low) / 2 / truth;
        c->total++;
    }
    for (size_t k = 0; m && k < model_constants(m).n; k++) {
        const struct model_piece *one = model_constants(m).list[k].pieces;
        if (model_constants(m).list[k].npieces != 1)
            continue;
        c->constants += one->low <= spread * r->constant[k] && one->high >= spread * r->constant[k];
        c->constants_total++;
    }
    synth_end(&s);
}

#endif
