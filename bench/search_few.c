/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ten points of two variables (harness/synthetic/few.h). The constants of each truth are drawn so that
 * each term has a share of the time in the middle of n and p, from 1 to 10. The one more point takes
 * turns.
 */
#include "search_few.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/synthetic/beyond.h"
#include "harness/synthetic/few.h"
#include "model/search.h"
#include "search_limit.h"

enum { MOST_TERMS = 3 };

static const char *const names[] = {"n", "p"};
static const double noise = 0.05;

struct few_truth {
    const char *term[MOST_TERMS];
};

/* The method was developed with these, */
static const struct few_truth known[] = {
    {{"n*log(n)/p", "p"}}, {{"n/p", "log(p)"}},      {{"n^2/p", "n"}},  {{"n*p"}},
    {{"n*log(p)"}},        {{"n^1.5/p", "sqrt(p)"}}, {{"1", "n", "p"}}, {{"n^2/p", "n*log(p)"}},
};

/* and was fixed before it saw these. */
static const struct few_truth unseen[] = {
    {{"n^3/p", "n^2/sqrt(p)"}}, {{"n", "p^2"}},        {{"n*sqrt(p)"}},     {{"1", "n*log(n)/p"}},
    {{"n^2*log(p)/p", "n"}},    {{"n/p", "p*log(p)"}}, {{"log(n)", "n/p"}}, {{"1", "n*p^2"}},
};

/* The formula of the set: constants for the terms. */
static const char *draw_formula(struct synth *s, const struct few_truth *t, uint64_t *state)
{
    char *text = "";
    double middle[2];
    few_values(2, 2, middle);
    for (size_t k = 0; k < MOST_TERMS && t->term[k]; k++) {
        double share = 1e-4 * pow(10, beyond_uniform(state));
        text = arena_printf(s->arena, "%s%s%.6g*%s", text, k ? " + " : "",
                            share / few_at(s, t->term[k], middle), t->term[k]);
    }
    return text;
}

/* A truth that nobody chose, with two variables. */
static const struct beyond *random_truth(struct synth *s, size_t i)
{
    struct beyond *b = beyond_make(s->arena, 1 + 3 * (100000 + i));
    for (char *c = b->formula; *c; c++) /* those have other names */
        *c = (char)(*c == 'N' ? 'n' : *c == 'P' ? 'p' : *c);
    return b;
}

struct few_tally {
    double *error;
    size_t n, covered, holds;
    double *width; /* of the interval: high / low */
};

static void add_set(struct few_tally *t, double error, double width, bool covered, bool holds)
{
    t->error[t->n] = error;
    t->width[t->n++] = width;
    t->covered += covered;
    t->holds += holds;
}

/* The formula that was found, or NULL without a prediction. */
static const char *predict_set(struct synth *s, const struct beyond *limit,
                               const struct place *place, struct prediction *out)
{
    struct search_result found;
    if (limit) {
        struct limit_prediction p = limit_predict(s, limit, place, (double[]){noise, noise});
        *out = (struct prediction){.value = p.value, .low = p.low, .high = p.high};
        return "";
    }
    if (truth_search(s, &found) ||
        model_predict(s->arena, found.candidates[0].model, place, NULL, out))
        return NULL;
    return arena_printf(s->arena, ", found %s (%.0f %%)", found.candidates[0].text,
                        100 * found.candidates[0].share);
}

static void search_set(const struct few_request *r, const struct few_truth *t, size_t truth,
                       unsigned seed, struct few_tally *to[3])
{
    struct synth s = synth_begin();
    uint64_t state = 424243 + 7919 * seed + 104729 * truth;
    s.random ^= (seed + 1000 * (truth + 1)) * 0x9e3779b97f4a7c15u;
    for (int i = 0; i < 16; i++)
        synth_uniform(&s);
    const struct beyond *b = t ? NULL : random_truth(&s, truth * 50 + seed);
    const char *formula = t ? draw_formula(&s, t, &state) : b->formula, *found;
    enum few_more more = seed % FEW_MORE;
    double at[2];
    few_beyond(more, at);
    double right = few_at(&s, formula, at), error = INFINITY, width = INFINITY;
    bool covered = false, holds = false;
    struct prediction p;
    few_load(&s, formula, more, noise, r->samples);
    double measured = right * fmax(1 + noise * synth_normal(&s), 0.01);
    if ((found = predict_set(&s, strcmp(r->truths, "limit") == 0 ? b : NULL,
                             &(struct place){names, at, 2}, &p))) {
        error = 100 * fabs(p.value / right - 1);
        width = p.high / fmax(p.low, 1e-300);
        covered = p.low <= measured && measured <= p.high;
        holds = p.low <= right && right <= p.high;
        if (r->verbose && (error > 50 || !covered))
            printf(
                "    %.3g %% off, %s, one more %d, seed %u: %s\n        %.3g in [%.3g, %.3g]%s\n",
                error, covered ? "covered" : "NOT COVERED", (int)more, seed, formula,
                right / p.value, p.low / p.value, p.high / p.value, found);
    }
    for (size_t k = 0; k < 3; k++)
        if (k != 2)
            add_set(to[k], error, width, covered, holds);
    add_set(to[2] + more, error, width, covered, holds);
    synth_end(&s);
}

static void print_few(const char *what, struct few_tally *t)
{
    if (!t->n)
        return;
    stats_sort(t->error, t->n);
    stats_sort(t->width, t->n);
    printf("%-36s %5zu %8.1f %% %8.0f %% %9.1f %% %8.1f %% %8.3g %8.3g\n", what, t->n,
           t->error[t->n / 2], t->error[t->n * 9 / 10], 100.0 * (double)t->covered / (double)t->n,
           100.0 * (double)t->holds / (double)t->n, t->width[t->n / 2], t->width[t->n * 9 / 10]);
    fflush(stdout);
}

static struct few_tally make_tally(struct arena *a, size_t sets)
{
    return (struct few_tally){.error = arena_alloc(a, sets, sizeof(double)),
                              .width = arena_alloc(a, sets, sizeof(double))};
}

int bench_few(const struct few_request *r)
{
    static const char *const places[FEW_MORE] = {
        "one more is a sixth p", "one more: the second n and p", "one more: the middle n and p"};
    struct arena *a = arena_create();
    const struct few_truth *list = strcmp(r->truths, "new") == 0 ? unseen : known;
    bool random = strcmp(r->truths, "random") == 0 || strcmp(r->truths, "limit") == 0;
    size_t ntruths = sizeof known / sizeof *known, sets = ntruths * r->seeds;
    struct few_tally all = make_tally(a, sets), at[FEW_MORE];
    for (size_t i = 0; i < FEW_MORE; i++)
        at[i] = make_tally(a, sets);
    printf(
        "%-36s  sets    median  90th of 100  covered     truth   width: median, 90th  (seeds %u to %u)\n",
        "truth", r->first, r->first + r->seeds - 1);
    for (size_t i = 0; i < ntruths; i++) {
        struct few_tally one = make_tally(a, r->seeds), *to[] = {&one, &all, at};
        char *name = random ? "random" : "";
        for (size_t k = 0; k < MOST_TERMS && list[i].term[k] && !random; k++)
            name = arena_printf(a, "%s%s%s", name, k ? " + " : "", list[i].term[k]);
        for (unsigned k = 0; k < r->seeds; k++)
            search_set(r, random ? NULL : &list[i], i, r->first + k, to);
        print_few(name, &one);
    }
    for (size_t i = 0; i < FEW_MORE; i++)
        print_few(places[i], &at[i]);
    print_few("all", &all);
    arena_destroy(a);
    return 0;
}
