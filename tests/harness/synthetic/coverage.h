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
    double width; /* mean relative half width of typical */
};

/* One set of data, one prediction at `n`, several fresh measurements against it. */
static inline void coverage_add(const struct regimes *r, uint64_t seed, double n,
                                struct coverage *c)
{
    enum { FRESH = 5, MOST = 64 };
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
        double truth = regimes_truth(r, n);
        for (int k = 0; k < FRESH; k++) {
            double samples[MOST];
            for (size_t i = 0; i < r->repetitions; i++)
                samples[i] = truth * regimes_noise(&s, r);
            double one = samples[0], typical = stats_quantile(samples, r->repetitions, 0.1);
            c->typical += typical >= p.low && typical <= p.high;
            c->single += one >= p.single_low && one <= p.single_high;
            c->total++;
        }
        c->width += (p.high - p.low) / 2 / p.value;
    }
    synth_end(&s);
}

#endif
