/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Synthetic data with a known truth: constants that change at known places, several shapes of
 * noise. Used by the reduced statistical test (tests/model/intervals_test.c) and by the full one
 * (bench/intervals.c).
 */
#ifndef TESTS_SYNTHETIC_REGIMES_H
#define TESTS_SYNTHETIC_REGIMES_H

#include "base/text.h"
#include "harness/synthetic/synth.h"

enum noise_shape { NOISE_NORMAL, NOISE_SKEWED, NOISE_WILD, NOISE_SHAPES };
static const char *const noise_names[NOISE_SHAPES] = {"normal", "skewed", "wild"};

/* How the constant changes. */
enum regimes_form {
    FORM_STEPS,
    FORM_BEND,   /* the part of N beyond the boundary costs the factor: a full cache */
    FORM_SMOOTH, /* half of the change at the boundary, a tenth of it a third below */
    FORM_TERM,   /* it does not: N*log(N) is missing in the formula instead */
    FORM_CACHE, /* as smooth, but of a form that llac does not have: a normal distribution of log(N) */
    FORM_BOTH /* steps, and N*log(N) is missing */
};

/* f[0] + f[1]*N + f[2]*N^2 or its first two terms, one constant changing by `factor` at each
 * boundary. */
struct regimes {
    size_t sizes, repetitions, boundaries;
    double first, last; /* N, evenly spaced in ratio */
    double places[2];   /* of the boundaries; 0 = evenly spaced between sizes */
    double constant[4];
    size_t constants, changing;
    double factor, noise;
    enum noise_shape shape;
    enum regimes_form form;
    double
        missing; /* the missing term: this power of N, as large as the last term in the middle; 0 =
                         N*log(N) */
    double run_noise; /* of whole runs */
    double
        scatter;   /* of each size, the same in all its repetitions: addresses, sets of the cache */
    double growth; /* the noise is proportional to (time / time of the middle size)^growth */
    bool uneven;   /* from 20 times the repetitions at the smallest size down to 2 at the largest */
};

struct regimes_result {
    bool number_right; /* of intervals */
    bool place_right;  /* each boundary in the reported gap or the next */
    bool alone;        /* no other constant has several values */
    bool gradual;      /* every boundary is a gradual change */
    bool missing;      /* llac names a missing term, and makes no intervals */
    bool named;        /* llac names a missing term */
    size_t found;
};

static inline double regimes_size(const struct regimes *r, size_t i)
{
    return floor(r->first * pow(r->last / r->first, (double)i / (double)(r->sizes - 1)) + 0.5);
}

/* The first size of interval b + 1. */
static inline size_t regimes_boundary(const struct regimes *r, size_t b)
{
    return r->sizes * (b + 1) / (r->boundaries + 1);
}

/* At any N: the constants of the interval it lies in, the last one beyond the data. */
static inline double regimes_truth(const struct regimes *r, double n)
{
    double term[] = {1, n, n * n, n * log(n)}, sum = 0, factor = 1;
    for (size_t b = 0; b < r->boundaries; b++) {
        size_t i = regimes_boundary(r, b);
        double at =
            r->places[0] > 0 ? r->places[b] : sqrt(regimes_size(r, i - 1) * regimes_size(r, i));
        if (r->form == FORM_BEND)
            factor *= 1 + (r->factor - 1) * fmax(0, 1 - at / n);
        else if (r->form == FORM_SMOOTH)
            factor *= 1 + (r->factor - 1) / (1 + at * at / (n * n));
        else if (r->form == FORM_CACHE)
            factor *= 1 + (r->factor - 1) * 0.5 * erfc(-log(n / at) / 1.2);
        else if (n > at)
            factor *= r->factor;
    }
    if (r->form == FORM_TERM || r->form == FORM_BOTH) {
        double middle = sqrt(r->first * r->last), last = r->constant[r->constants - 1];
        sum += r->missing != 0
                   ? last * pow(middle, (double)r->constants - 1) * pow(n / middle, r->missing)
                   : last / 10 * term[3];
    }
    for (size_t c = 0; c < r->constants; c++)
        sum += r->constant[c] * term[c] * (c == r->changing ? factor : 1);
    return sum;
}

static inline double regimes_noise(struct synth *s, const struct regimes *r, double n)
{
    double x = synth_normal(s), noise = r->noise;
    if (r->growth != 0)
        noise *= pow(regimes_truth(r, n) / regimes_truth(r, sqrt(r->first * r->last)), r->growth);
    switch (r->shape) {
    case NOISE_SKEWED: return 1 - noise * log(synth_uniform(s));
    case NOISE_WILD: /* one sample in twenty is disturbed, up to ten times */
        return synth_uniform(s) < 0.05 ? 1 + 9 * synth_uniform(s) : 1 + noise * fabs(x);
    default: return fmax(1 + noise * x, 0.01);
    }
}

/* What a whole run is slower by. */
static inline double regimes_run_noise(struct synth *s, const struct regimes *r)
{
    return r->run_noise > 0 ? fmax(1 + r->run_noise * synth_normal(s), 0.01) : 1;
}

static inline size_t regimes_repetitions(const struct regimes *r, size_t i)
{
    if (!r->uneven)
        return r->repetitions;
    return (size_t)(2 * pow(10.0 * (double)r->repetitions, 1 - (double)i / (double)(r->sizes - 1)) +
                    0.5);
}

static inline void regimes_load(struct synth *s, const struct regimes *r)
{
    struct text t;
    double *scatter = arena_alloc(s->arena, r->sizes, sizeof *scatter);
    for (size_t i = 0; i < r->sizes; i++)
        scatter[i] = r->scatter > 0 ? exp(r->scatter * synth_normal(s)) : 1;
    text_init(&t);
    static const char *const formulas[] = {"f[0]", "f[0] + f[1]*N", "f[0] + f[1]*N + f[2]*N^2",
                                           "f[0] + f[1]*N + f[2]*N^2 + f[3]*N*log(N)"};
    text_printf(&t,
                "# cll-data 1\n# resolution: 1e-9\n# overhead: 0 0\n# experiment: f\n# formula: f "
                "CLOCK %s\n# variables: f N\n" SYNTH_COLUMNS " N CLOCK\n",
                formulas[r->constants - 1]);
    for (size_t k = 0; k < regimes_repetitions(r, 0); k++) {
        double run = regimes_run_noise(s, r);
        for (size_t i = 0; i < r->sizes; i++) {
            double n = regimes_size(r, i);
            if (k < regimes_repetitions(r, i))
                text_printf(&t, "f %zu %zu 0 0 1 0 0 1 %.17g %.17g\n", k, i, n,
                            regimes_truth(r, n) * scatter[i] * run * regimes_noise(s, r, n));
        }
    }
    synth_load(s, t.s);
    text_free(&t);
}

static inline struct regimes_result regimes_judge(const struct regimes *r, const struct model *m)
{
    struct regimes_result out = {.place_right = true, .alone = true, .gradual = true};
    out.found = model_pieces(m)->nboundaries;
    out.number_right = out.found == r->boundaries;
    for (size_t c = 0; c < model_pieces(m)->nboundaries; c++) {
        out.alone = out.alone && model_pieces(m)->changing[c] == 1u << r->changing;
        out.gradual = out.gradual && model_pieces(m)->boundaries[c].form != BOUNDARY_STEP;
    }
    out.named = synth_has_warning(m, "missing-term");
    out.missing = out.found == 0 && out.named;
    for (size_t b = 0; b < r->boundaries && out.number_right; b++) {
        const struct boundary *boundary = &model_pieces(m)->boundaries[b];
        size_t at = 0;
        while (regimes_size(r, at) < boundary->above)
            at++;
        size_t truth = regimes_boundary(r, b);
        out.place_right = out.place_right && at + 1 >= truth && at <= truth + 1;
    }
    return out;
}

/* One set of data from its seed, fitted with automatic intervals. */
static inline struct regimes_result regimes_run(const struct regimes *r, uint64_t seed)
{
    struct synth s = synth_begin();
    s.random = 88172645463325252u ^ (seed * 0x9e3779b97f4a7c15u);
    for (int i = 0; i < 16; i++)
        synth_uniform(&s);
    regimes_load(&s, r);
    struct model *m = synth_fit(&s, NULL, false, STATISTIC_P10);
    struct regimes_result result = m ? regimes_judge(r, m) : (struct regimes_result){0};
    synth_end(&s);
    return result;
}

#endif
