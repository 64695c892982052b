/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Formulas that are known, as data with noise: what a search should find. Used by the test with
 * fixed seeds (tests/model/search_test.c) and by the full measurement (bench/search.c).
 */
#ifndef TESTS_SYNTHETIC_TRUTHS_H
#define TESTS_SYNTHETIC_TRUTHS_H

#include "base/memory.h"
#include "base/text.h"
#include "model/search.h"
#include "harness/synthetic/synth.h"

struct truth {
    const char *formula;      /* over the variables, without constants */
    const char *found;        /* as the search should write it */
    const char *variables[3]; /* NULL = no more; P is the column of that name */
    double first[3], last[3];
    size_t values[3];  /* evenly spaced in ratio from first to last */
    size_t boundaries; /* that it should find */
    double beyond[3];  /* a place outside the data */
};

static const struct truth truths[] = {
    {"3e-6", "f[0]", {"N"}, {64}, {65536}, {11}, 0, {524288}},
    {"2e-9*N", "f[0]*N", {"N"}, {64}, {65536}, {11}, 0, {524288}},
    {"2e-6 + 4e-9*N", "f[0] + f[1]*N", {"N"}, {64}, {65536}, {11}, 0, {524288}},
    {"2e-6 + 3e-9*N*log(N)", "f[0] + f[1]*N*log(N)", {"N"}, {64}, {65536}, {11}, 0, {524288}},
    {"2e-9*N^1.5", "f[0]*N^1.5", {"N"}, {64}, {65536}, {11}, 0, {524288}},
    {"1e-6 + 2e-7*log(N)", "f[0] + f[1]*log(N)", {"N"}, {64}, {65536}, {11}, 0, {524288}},
    {"1e-6 + 5e-9*n + 2e-11*n^2",
     "f[0] + f[1]*n + f[2]*n^2",
     {"n"},
     {64},
     {16384},
     {9},
     0,
     {131072}},
    {"1e-6 + 5e-9*n + 2e-11*n^2",
     "f[0] + f[1]*n + f[2]*n^2",
     {"n"},
     {64},
     {16384},
     {33},
     0,
     {131072}},
    {"1e-5 + 2e-10*N^3", "f[0] + f[1]*N^3", {"N"}, {16}, {1024}, {13}, 0, {8192}},
    {"1 + 0.2*x^2*log2(y)",
     "f[0] + f[1]*x^2*log(y)",
     {"x", "y"},
     {4, 2},
     {64, 32},
     {5, 5},
     0,
     {6000, 500}},
    {"1e-6 + 3e-9*N/P + 2e-6*log(P)",
     "f[0] + f[1]*log(P) + f[2]*N/P",
     {"N", "P"},
     {1024, 1},
     {1048576, 32},
     {11, 6},
     0,
     {8388608, 256}},
    {"1e-6 + 3e-9*N*log(N)/P + 1e-9*N",
     "f[0] + f[1]*N + f[2]*N*log(N)/P",
     {"N", "P"},
     {1024, 1},
     {1048576, 32},
     {11, 6},
     0,
     {8388608, 256}},
    {"1e-3 + 2e-5*x*y*log(z)",
     "f[0] + f[1]*x*y*log(z)",
     {"x", "y", "z"},
     {4, 4, 2},
     {64, 64, 32},
     {5, 5, 5},
     0,
     {600, 600, 300}},
    {"2e-6 + 1e-9*N*(1 + 1.5*min(1, max(0, N - 11000)))",
     "f[0] + f[1]*N",
     {"N"},
     {256},
     {524288},
     {23},
     1,
     {4194304}},
};
enum { TRUTHS = sizeof truths / sizeof *truths };

static inline size_t truth_variables(const struct truth *t)
{
    size_t n = 0;
    while (n < 3 && t->variables[n])
        n++;
    return n;
}

static inline struct place truth_beyond(const struct truth *t)
{
    return (struct place){t->variables, t->beyond, truth_variables(t)};
}

static inline double truth_at(struct synth *s, const struct truth *t, const double *at)
{
    size_t n = truth_variables(t);
    double value = NAN;
    const double *columns[3] = {&at[0], &at[1], &at[2]};
    const struct formula *f = formula_parse_text(s->arena, t->formula, "f", s->diag);
    const struct formula_program *p =
        f ? formula_compile(s->arena, f, t->variables, n, NULL, s->diag) : NULL;
    if (p)
        formula_evaluate(p, columns, 1, &value, NULL);
    return value;
}

/* The data of a truth: each point `repetitions` times with relative noise. */
static inline struct synth truth_load(const struct truth *t, double noise, size_t repetitions,
                                      uint64_t seed)
{
    struct synth s = synth_begin();
    size_t n = truth_variables(t), points = 1;
    struct text text;
    s.random = 88172645463325252u ^ (seed * 0x9e3779b97f4a7c15u);
    for (int i = 0; i < 16; i++)
        synth_uniform(&s);
    text_init(&text);
    text_add(&text, "# cll-data 1\n# resolution: 1e-12\n# overhead: 0 0\n# experiment: f\n"
                    "# variables: f");
    for (size_t v = 0; v < n; v++)
        if (strcmp(t->variables[v], "P") != 0)
            text_printf(&text, " %s", t->variables[v]);
    text_add(&text, "\n" SYNTH_COLUMNS);
    for (size_t v = 0; v < n; v++) {
        if (strcmp(t->variables[v], "P") != 0)
            text_printf(&text, " %s", t->variables[v]);
        points *= t->values[v];
    }
    text_add(&text, " CLOCK\n");
    for (size_t i = 0; i < points * repetitions; i++) {
        double at[3] = {0}, procs = 1;
        size_t rest = i % points;
        for (size_t v = 0; v < n; v++) {
            double part = (double)(rest % t->values[v]) / (double)(t->values[v] - 1);
            at[v] = floor(t->first[v] * pow(t->last[v] / t->first[v], part) + 0.5);
            rest /= t->values[v];
            if (strcmp(t->variables[v], "P") == 0)
                procs = at[v];
        }
        text_printf(&text, "f %zu %zu 0 0 %g 0 0 1", i / points, i % points, procs);
        for (size_t v = 0; v < n; v++)
            if (strcmp(t->variables[v], "P") != 0)
                text_printf(&text, " %.17g", at[v]);
        text_printf(&text, " %.17g\n",
                    truth_at(&s, t, at) * fmax(1 + noise * synth_normal(&s), 0.01));
    }
    synth_load(&s, text.s);
    text_free(&text);
    return s;
}

/* Searches in CLOCK of f. */
static inline int truth_search(struct synth *s, struct search_result *out)
{
    struct search_request r = {.fit = {.points = {.dataset = s->data,
                                                  .experiment = dataset_find(s->data, "f"),
                                                  .observable = "CLOCK",
                                                  .statistic = STATISTIC_P10}}};
    struct search_request *kept = arena_alloc(s->arena, 1, sizeof *kept);
    *kept = r;
    return model_search(s->arena, kept, s->diag, out);
}

/* Whether the result is the truth: terms and boundaries. */
static inline bool truth_found(const struct truth *t, const struct search_candidate *c)
{
    return strcmp(c->text, t->found) == 0 && model_pieces(c->model)->nboundaries == t->boundaries;
}

#endif
