/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Synthetic data of two variables, in which a constant changes along one of them, along N/P, along N*P, or not at
 * all. Used by tests/model/derived_test.c and by bench/intervals.c.
 */
#ifndef TESTS_SYNTHETIC_SHARES_H
#define TESTS_SYNTHETIC_SHARES_H

#include "base/text.h"
#include "harness/synthetic/synth.h"

enum shares_along { ALONG_NOTHING, ALONG_N, ALONG_P, ALONG_SHARE, ALONG_PRODUCT, SHARES_KINDS };
static const char *const shares_names[SHARES_KINDS] = {"nothing", "N", "P", "N/P", "N*P"};

struct shares {
    enum shares_along along;
    bool odd; /* sizes and processors that are not powers of two: nearly every N/P is another one */
    double factor, noise;
    int repetitions;
};

static inline double shares_size(const struct shares *r, size_t i)
{
    return r->odd ? floor(3000 * pow(1.83, (double)i)) : 4096 * pow(2, (double)i);
}

static inline double shares_processors(const struct shares *r, size_t i)
{
    static const double odd[] = {1, 3, 6, 10, 15};
    return r->odd ? odd[i] : pow(2, (double)i);
}

/* Where the constant has its second value: in the middle of the grid. */
static inline bool shares_beyond(const struct shares *r, double n, double p)
{
    switch (r->along) {
    case ALONG_N: return n > 100000;
    case ALONG_P: return p > 4;
    case ALONG_SHARE: return n / p > 10000;
    case ALONG_PRODUCT: return n * p > 300000;
    default: return false;
    }
}

/* f[0]*P + f[1]*N/P*log(N/P); along N*P: f[0] + f[1]*N*P. */
static inline double shares_truth(const struct shares *r, double n, double p)
{
    double c = shares_beyond(r, n, p) ? 3e-9 * r->factor : 3e-9, share = n / p;
    return r->along == ALONG_PRODUCT ? 2e-6 + c * n * p : 2e-6 * p + c * share * log(share);
}

/* Nine sizes and five numbers of processors. */
static inline void shares_load(struct synth *s, const struct shares *r, uint64_t seed)
{
    struct text t;
    s->random = 88172645463325252u ^ (seed * 0x9e3779b97f4a7c15u);
    for (int i = 0; i < 16; i++)
        synth_uniform(s);
    text_init(&t);
    text_printf(
        &t,
        "# cll-data 1\n# resolution: 1e-9\n# overhead: 0 0\n# experiment: f\n# formula: f CLOCK %s\n"
        "# variables: f N\n" SYNTH_COLUMNS " N CLOCK\n",
        r->along == ALONG_PRODUCT ? "f[0] + f[1]*N*P" : "f[0]*P + f[1]*N/P*log(N/P)");
    for (int k = 0; k < r->repetitions; k++)
        for (size_t i = 0; i < 9; i++)
            for (size_t j = 0; j < 5; j++) {
                double n = shares_size(r, i), p = shares_processors(r, j);
                text_printf(&t, "f %d 0 0 0 %.17g 0 0 1 %.17g %.17g\n", k, p, n,
                            shares_truth(r, n, p) * (1 - r->noise * log(synth_uniform(s))));
            }
    synth_load(s, t.s);
    text_free(&t);
}

#endif
