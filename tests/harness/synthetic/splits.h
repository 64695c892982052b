/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Synthetic data with and without a class of sizes that take longer: powers of two, or multiples of
 * a number. Used by the reduced test (tests/model/divisible_test.c) and by bench/divisible.c.
 */
#ifndef TESTS_SYNTHETIC_SPLITS_H
#define TESTS_SYNTHETIC_SPLITS_H

#include "base/text.h"
#include "harness/synthetic/regimes.h"

/* Which sizes are measured. */
enum splits_design {
    SIZES_POWERS,    /* powers of two and no others */
    SIZES_LINEAR,    /* 100, 200, 300, ... */
    SIZES_SMALL,     /* 1, 2, 3, ... */
    SIZES_GEOMETRIC, /* evenly spaced in ratio, from 200 to 20000 */
    SIZES_HALF,      /* every second one is a power of two */
    SIZES_THIRD,     /* every third one */
    SIZES_BLOCKS,    /* three powers of two, three others, and so on */
    SIZES_LINES,     /* multiples of 64, and 40 beyond each of them */
    SIZES_GRID,      /* as SIZES_HALF, each with P = 1, 2, 3, 4, 6, 8 */
    SIZES_DESIGNS
};
static const char *const splits_names[SIZES_DESIGNS] = {
    "powers of two", "100, 200, 300",    "1, 2, 3",          "geometric",         "half powers",
    "third powers",  "blocks of powers", "half lines of 64", "half powers, six P"};

struct splits {
    enum splits_design design;
    size_t sizes, repetitions;
    double factor; /* of the sizes in the class; 1 = none */
    bool varying;  /* its logarithm varies from 0.4 to 1.6 times that of `factor` */
    double noise, growth;
    enum noise_shape shape;
    bool step;      /* one constant also doubles in the middle of the sizes */
    bool wrong;     /* the formula misses N*log(N) */
    size_t spoilt;  /* points that are three times too long */
    bool quadratic; /* f[0] + f[1]*N + f[2]*N^2 */
};

static inline double splits_size(const struct splits *s, size_t i)
{
    static const double of_third[] = {1, 1.28125, 1.6171875};
    static const double of_block[] = {1, 2, 4, 4.6875, 5.78125, 6.84375};
    switch (s->design) {
    case SIZES_POWERS: return ldexp(1, 6 + (int)i);
    case SIZES_LINEAR: return 100 * (double)(i + 1);
    case SIZES_SMALL: return (double)(i + 1);
    case SIZES_GEOMETRIC: return floor(200 * pow(100, (double)i / (double)(s->sizes - 1)) + 0.5);
    case SIZES_THIRD: return ldexp(of_third[i % 3], 7 + (int)(i / 3));
    case SIZES_BLOCKS: return ldexp(of_block[i % 6], 6 + 3 * (int)(i / 6));
    case SIZES_LINES: return 64 * (double)(i / 2 + 4) + (i % 2 ? 40 : 0);
    default: return ldexp(i % 2 ? 1.40625 : 1, 7 + (int)(i / 2));
    }
}

static inline bool splits_in_class(const struct splits *s, double n)
{
    int exponent;
    return s->design == SIZES_LINES ? fmod(n, 64) == 0 : frexp(n, &exponent) == 0.5;
}

static inline double splits_time(const struct splits *s, double n, double p)
{
    double middle = splits_size(s, s->sizes / 2), slope = 3e-8 * (s->step && n >= middle ? 2 : 1);
    double time = 2e-6 + slope * n / p + (s->quadratic ? 2e-11 * n * n : 0) +
                  (s->wrong ? 1e-8 * n * log(n) : 0) + (p > 1 ? 3e-7 * p : 0);
    double power = s->varying ? 0.4 + 0.3 * fmod(floor(3 * log2(n)), 5) : 1;
    return time * (splits_in_class(s, n) ? pow(s->factor, power) : 1);
}

static inline double splits_noise(struct synth *r, const struct splits *s, double time)
{
    double typical = splits_time(s, splits_size(s, s->sizes / 2), 1);
    double noise = s->noise * (s->growth != 0 ? pow(time / typical, s->growth) : 1);
    double x = synth_normal(r);
    if (s->shape == NOISE_SKEWED)
        return 1 - noise * log(synth_uniform(r));
    if (s->shape == NOISE_WILD)
        return synth_uniform(r) < 0.05 ? 1 + 9 * synth_uniform(r) : 1 + noise * fabs(x);
    return fmax(1 + noise * x, 0.01);
}

static inline void splits_load(struct synth *r, const struct splits *s)
{
    static const double processors[] = {1, 2, 3, 4, 6, 8};
    struct text t;
    text_init(&t);
    text_printf(&t, "# cll-data 1\n# resolution: 1e-9\n# overhead: 0 0\n# experiment: f\n"
                    "# variables: f N\n" SYNTH_COLUMNS " N CLOCK\n");
    size_t np = s->design == SIZES_GRID ? 6 : 1;
    for (size_t k = 0; k < s->repetitions; k++)
        for (size_t i = 0; i < s->sizes; i++)
            for (size_t j = 0; j < np; j++) {
                double n = splits_size(s, i), time = splits_time(s, n, processors[j]);
                bool spoilt = i * 7 % s->sizes < s->spoilt;
                text_printf(&t, "f %zu %zu 0 0 %g 0 0 1 %.17g %.17g\n", k, i * np + j,
                            processors[j], n, time * (spoilt ? 3 : 1) * splits_noise(r, s, time));
            }
    synth_load(r, t.s);
    text_free(&t);
}

static inline const char *splits_formula(const struct splits *s)
{
    return s->design == SIZES_GRID ? "f[0] + f[1]*N/P + f[2]*P"
           : s->quadratic          ? "f[0] + f[1]*N + f[2]*N^2"
                                   : "f[0] + f[1]*N";
}

struct splits_result {
    bool found;   /* a class is named */
    bool right;   /* it has the sizes of the class and no others */
    bool covered; /* the interval of its factor contains the true one */
    size_t boundaries, left_out;
};

static inline struct splits_result splits_judge(const struct splits *s, const struct model *m)
{
    struct splits_result out = {.found = model_split(m)->found, .right = model_split(m)->found};
    out.boundaries = model_pieces(m)->nboundaries;
    out.left_out = model_pieces(m)->noutliers;
    out.covered = model_split(m)->found && model_split(m)->low <= s->factor &&
                  s->factor <= model_split(m)->high;
    for (size_t i = 0; i < model_points(m)->n && out.right; i++) {
        double n = model_points(m)->at[0][i];
        out.right = model_split(m)->class.variable == 0 &&
                    class_has(&model_split(m)->class, n) == splits_in_class(s, n);
    }
    return out;
}

static inline struct splits_result splits_run(const struct splits *s, uint64_t seed)
{
    struct synth r = synth_begin();
    r.random = 88172645463325252u ^ (seed * 0x9e3779b97f4a7c15u);
    for (int i = 0; i < 16; i++)
        synth_uniform(&r);
    splits_load(&r, s);
    struct model *m = synth_fit(&r, splits_formula(s), false, STATISTIC_P10);
    struct splits_result result = m ? splits_judge(s, m) : (struct splits_result){0};
    synth_end(&r);
    return result;
}

#endif
