/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rounds on a machine whose speed drifts: how often the intervals contain what a burst of rounds, and as many rounds over
 * as long a time, measure a minute later. Used by a test and by bench/drift.
 */
#ifndef TESTS_SYNTHETIC_DRIFT_H
#define TESTS_SYNTHETIC_DRIFT_H

#include "harness/synthetic/synth.h"

/* The state of the machine: an Ornstein-Uhlenbeck process, or phases that are slow by a factor. */
struct drifting {
    double span, period; /* seconds: of all rounds, and from one to the next */
    double
        deviation; /* of the logarithm of the time, or the slowness of slow phases; 0 = a steady machine */
    double tau;   /* seconds: over which the state is forgotten */
    bool phases;  /* one third of the time is in slow phases */
    double noise; /* of a sample */
    double state; /* of the process now */
};

static inline double drifting_start(struct synth *s, const struct drifting *d)
{
    if (d->phases)
        return synth_uniform(s) < 1.0 / 3 ? log1p(d->deviation) : 0;
    return d->deviation * synth_normal(s);
}

static inline void drifting_pass(struct synth *s, struct drifting *d, double seconds)
{
    double keep = exp(-seconds / d->tau);
    if (!d->phases)
        d->state = keep * d->state + sqrt(1 - keep * keep) * d->deviation * synth_normal(s);
    else if (synth_uniform(s) > keep)
        d->state = drifting_start(s, d);
}

static inline double drifting_truth(double n)
{
    return 2e-6 + 5e-9 * n;
}

static inline double drifting_sample(struct synth *s, const struct drifting *d, double n)
{
    return drifting_truth(n) * exp(d->state + d->noise * synth_normal(s));
}

/* A round at these sizes, as a file of its own, `at` seconds after the first one. */
static inline void drifting_round(struct synth *s, struct synth *random, struct drifting *d,
                                  int number, double at, const double *sizes, size_t n)
{
    char text[4096];
    int whole = (int)at,
        length = snprintf(
            text, sizeof text,
            "# cll-data 1\n# resolution: 1e-9\n# overhead: 0 0\n# date: 2001-02-03T04:%02d:%02dZ\n"
            "# experiment: f\n# formula: f CLOCK f[0] + f[1]*N\n# variables: f N\n%s N CLOCK\n",
            whole / 60, whole % 60, SYNTH_COLUMNS);
    for (size_t i = 0; i < n; i++)
        length +=
            snprintf(text + length, sizeof text - (size_t)length, "f %d %zu %g 0 1 0 0 1 %g %.9g\n",
                     number, i, at - whole, sizes[i], drifting_sample(random, d, sizes[i]));
    if (synth_load(s, text))
        abort();
}

struct drifting_result {
    unsigned burst, typical, total; /* inside */
    double half;                    /* mean relative half width of the interval for a burst */
};

/* What so many rounds at one size measure, held against the interval that is right for them. */
static inline bool drifting_compare(const struct model *m, struct synth *random, struct drifting *d,
                                    int rounds, double period, double n, double *half,
                                    enum point_kind *kind)
{
    struct synth s = synth_begin();
    const char *names[] = {"N"};
    double at = 60 + d->span;
    struct points p;
    struct prediction predicted;
    bool inside = false;
    for (int i = 0; i < rounds; i++, at += period) {
        drifting_round(&s, random, d, i, at, &n, 1);
        drifting_pass(random, d, period);
    }
    struct points_request r = model_request(m)->points;
    r.dataset = s.data;
    r.experiment = dataset_find(s.data, "f");
    if (points_make(s.arena, &r, s.diag, &p) == 0 &&
        model_predict(s.arena, m, &(struct place){names, &n, 1}, s.diag, &predicted) == 0) {
        struct held_points held = burst_held_points(m, &p);
        struct point_interval i = prediction_interval(&held, &predicted, 0);
        inside = p.value[0] >= i.low && p.value[0] <= i.high;
        *half += (i.high - i.low) / 2 / predicted.value;
        *kind = i.kind;
    }
    synth_end(&s);
    return inside;
}

static inline void drifting_add(struct drifting d, uint64_t seed, struct drifting_result *out)
{
    struct synth s = synth_begin();
    double sizes[8], n = 1024, unused = 0;
    int rounds = 0;
    enum point_kind kind;
    s.random = 88172645463325252u ^ (seed * 0x9e3779b97f4a7c15u);
    for (int i = 0; i < 16; i++)
        synth_uniform(&s);
    for (int i = 0; i < 8; i++, n *= 2)
        sizes[i] = n;
    d.state = drifting_start(&s, &d);
    for (double at = 0; at < d.span; at += d.period) {
        drifting_round(&s, &s, &d, rounds++, at, sizes, 8);
        drifting_pass(&s, &d, d.period);
    }
    struct model *m = synth_fit(&s, NULL, false, STATISTIC_P10);
    if (!m)
        abort();
    drifting_pass(&s, &d, 60);
    struct drifting later = d;
    out->burst += drifting_compare(m, &s, &later, 8, 0.12, 2 * n, &out->half, &kind);
    out->typical += drifting_compare(m, &s, &d, rounds, d.period, 2 * n, &unused, &kind);
    out->total++;
    synth_end(&s);
}

#endif
