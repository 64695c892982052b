/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Truths that nobody chose: sums of one or two terms of one to three variables, with or without a
 * constant term, whose factors are drawn at random. Half of them have exponents that the library of
 * the search does not list. Each term has a share of the time in the middle of the data. Five values
 * per variable; the place to predict is 4 times beyond the data in all variables.
 */
#ifndef TESTS_SYNTHETIC_BEYOND_H
#define TESTS_SYNTHETIC_BEYOND_H

#include "harness/synthetic/truths.h"

enum { BEYOND_TRUTHS = 72, BEYOND_VALUES = 5 };

struct beyond {
    struct truth truth;
    char formula[512];
    bool outside; /* of the library */
};

static inline double beyond_uniform(uint64_t *state)
{
    *state += 0x9e3779b97f4a7c15u;
    uint64_t z = *state;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (double)((z ^ z >> 31) >> 11) / 9007199254740992.0;
}

/* V^exponent, multiplied by log(V) if log. */
struct beyond_power {
    double exponent;
    bool log;
};

static inline double beyond_power_at(struct beyond_power p, double x)
{
    return pow(x, p.exponent) * (p.log ? log(x) : 1);
}

static inline struct beyond_power beyond_draw_power(uint64_t *state, bool processors, bool outside)
{
    static const double usual[] = {1, 1, 1, 2, 2, 3, 0.5, 1.5};
    static const double unusual[] = {0.3, 0.4, 0.6, 0.7, 0.8, 0.9, 1.1, 1.2, 1.25,
                                     1.3, 1.4, 1.6, 1.7, 1.8, 2.2, 2.3, 2.5, 2.7};
    double e = outside ? unusual[(size_t)(beyond_uniform(state) * 18)]
                       : usual[(size_t)(beyond_uniform(state) * 8)];
    double kind = beyond_uniform(state);
    if (kind < 0.3 && !outside)
        return (struct beyond_power){kind < 0.15 ? 0 : 1, true};
    return (struct beyond_power){kind < 0.4 && processors ? -1 : e, false};
}

/* Appends a factor of the variable; returns its value in the middle of the data. */
static inline double beyond_factor(uint64_t *state, const char *name, double middle, bool outside,
                                   char *out, size_t size)
{
    struct beyond_power p = beyond_draw_power(state, strcmp(name, "P") == 0, outside);
    size_t at = strlen(out);
    if (p.log && p.exponent > 0)
        snprintf(out + at, size - at, "*%s*log(%s)", name, name);
    else if (p.log)
        snprintf(out + at, size - at, "*log(%s)", name);
    else if (p.exponent < 0)
        snprintf(out + at, size - at, "/%s", name);
    else
        snprintf(out + at, size - at, "*%s^%g", name, p.exponent);
    return beyond_power_at(p, middle);
}

/* Truth number i; the same in every run. */
static inline struct beyond *beyond_make(struct arena *a, size_t i)
{
    static const char *const names[] = {"N", "P", "m"};
    static const double first[] = {1000, 2, 10}, last[] = {16000, 32, 160};
    struct beyond *b = arena_zalloc(a, 1, sizeof *b);
    uint64_t state = 20021115 + 7919 * i;
    size_t n = 1 + i % 3, terms = beyond_uniform(&state) < 0.5 ? 1 : 2;
    b->outside = i / 3 % 2;
    if (beyond_uniform(&state) < 0.7)
        snprintf(b->formula, sizeof b->formula, "%.3g", 1e-4 * (0.1 + beyond_uniform(&state)));
    for (size_t t = 0; t < terms; t++) {
        char text[256] = "";
        double value = 1, share = 1e-4 * (0.2 + beyond_uniform(&state));
        bool any = false;
        for (size_t v = 0; v < n; v++) {
            if (beyond_uniform(&state) < 0.3 && (any || v + 1 < n))
                continue;
            value *= beyond_factor(&state, names[v], sqrt(first[v] * last[v]), b->outside && !any,
                                   text, sizeof text);
            any = true;
        }
        size_t at = strlen(b->formula);
        snprintf(b->formula + at, sizeof b->formula - at, "%s%.4g%s", at ? " + " : "",
                 share / value, text);
    }
    b->truth.formula = b->formula;
    b->truth.found = "";
    for (size_t v = 0; v < n; v++) {
        b->truth.variables[v] = names[v];
        b->truth.first[v] = first[v];
        b->truth.last[v] = last[v];
        b->truth.values[v] = BEYOND_VALUES;
        b->truth.beyond[v] = 4 * last[v];
    }
    return b;
}

#endif
