/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What advice is worth, on a synthetic truth: some data, a prediction far beyond them, and a budget
 * that is spent once as advised and once on a plain doubling sweep. Used by tests/model/
 * advise_test.c and bench/advise.c.
 */
#ifndef TESTS_SYNTHETIC_DESIGNS_H
#define TESTS_SYNTHETIC_DESIGNS_H

#include "base/memory.h"
#include "base/text.h"
#include "model/advise.h"
#include "harness/synthetic/synth.h"

struct design {
    const char *formula;
    double constant[3];
    size_t constants;
    double first, last; /* N, doubling */
    double target, noise, budget;
};

static const struct design designs[] = {
    {"f[0] + f[1]*N", {2e-5, 4e-9}, 2, 1024, 65536, 4e6, 0.03, 0.05},
    {"f[0] + f[1]*N*log(N)", {2e-5, 3e-9}, 2, 1024, 65536, 4e6, 0.03, 0.3},
    {"f[0] + f[1]*N + f[2]*N^2", {1e-5, 2e-8, 4e-13}, 3, 1024, 65536, 2e6, 0.03, 1.5},
    {"f[0] + f[1]*N + f[2]*N*log(N)", {1e-5, 2e-8, 2e-9}, 3, 1024, 65536, 4e6, 0.03, 1},
    {"f[0] + f[1]*sqrt(N) + f[2]*N", {1e-5, 1e-6, 2e-9}, 3, 1024, 65536, 4e6, 0.03, 0.1},
};
enum { DESIGNS = sizeof designs / sizeof *designs, DESIGN_REPETITIONS = 5 };

struct design_result {
    /* Relative to the truth: as advised; one doubling sweep; the same again and again. */
    double width[3], error[3], spent[3];
    double expected; /* the width that was promised */
    bool ok;
};

static inline double design_truth(const struct design *d, double n)
{
    double term[3] = {1, n, n * n};
    if (strstr(d->formula, "N*log(N)"))
        term[d->constants - 1] = n * log(n);
    if (strstr(d->formula, "sqrt(N)")) {
        term[1] = sqrt(n);
        term[2] = n;
    }
    double sum = 0;
    for (size_t c = 0; c < d->constants; c++)
        sum += d->constant[c] * term[c];
    return sum;
}

static inline void design_measure(struct synth *s, struct text *t, const struct design *d, double n,
                                  size_t repetitions, size_t *seq)
{
    for (size_t i = 0; i < repetitions; i++)
        text_printf(t, "f %zu %zu 0 0 1 0 0 1 %.17g %.17g\n", i, (*seq)++, n,
                    design_truth(d, n) * fmax(1 + d->noise * synth_normal(s), 0.01));
}

static inline struct model *design_fit(struct synth *s, const char *text)
{
    dataset_destroy(s->data);
    s->data = dataset_create();
    if (synth_load(s, text))
        return NULL;
    struct fit_request *r = arena_zalloc(s->arena, 1, sizeof *r);
    const struct experiment *e = dataset_find(s->data, "f");
    r->points = (struct points_request){
        .dataset = s->data, .experiment = e, .observable = "CLOCK", .statistic = STATISTIC_MEAN};
    r->formula = formula_parse_text(s->arena, experiment_formula(e, "CLOCK")->text, "f", s->diag);
    r->intervals.mode = INTERVALS_NONE;
    return model_fit(s->arena, r, s->diag);
}

/* The model's own uncertainty (half of its interval) and the error of the prediction, from the
 * data in the text. */
static inline bool design_predict(struct synth *s, const struct design *d, const char *text,
                                  double *width, double *error)
{
    const char *names[] = {"N"};
    struct prediction p;
    double truth = design_truth(d, d->target);
    struct model *m = design_fit(s, text);
    if (!m || model_predict(s->arena, m, &(struct place){names, &d->target, 1}, s->diag, &p))
        return false;
    *width = noise_student_t(model_noise(m)->dof) * sqrt(p.variance) / truth;
    *error = fabs(p.value / truth - 1);
    return true;
}

/* One doubling sweep as far as the budget goes; whether there was money for any of it. */
static inline bool design_sweep(struct synth *s, struct text *t, const struct design *d,
                                size_t *seq, double *spent)
{
    bool any = false;
    for (double n = d->first; n < d->target; n *= 2) {
        double cost = DESIGN_REPETITIONS * design_truth(d, n);
        if (*spent + cost > d->budget)
            break;
        design_measure(s, t, d, n, DESIGN_REPETITIONS, seq);
        *spent += cost;
        any = true;
    }
    return any;
}

static inline struct design_result design_run(const struct design *d, uint64_t seed)
{
    struct synth s = synth_begin();
    struct design_result out = {.ok = false};
    struct text data, more[3];
    size_t seq = 0;
    s.random ^= seed * 0x9e3779b97f4a7c15u;
    for (int i = 0; i < 16; i++)
        synth_uniform(&s);
    text_init(&data);
    text_printf(&data,
                "# cll-data 1\n# resolution: 1e-9\n# overhead: 0 0\n# experiment: f\n# formula: f "
                "CLOCK %s\n# variables: f N\n" SYNTH_COLUMNS " N CLOCK\n",
                d->formula);
    for (double n = d->first; n <= d->last; n *= 2)
        design_measure(&s, &data, d, n, DESIGN_REPETITIONS, &seq);
    for (size_t k = 0; k < 3; k++) {
        text_init(&more[k]);
        text_add(&more[k], data.s);
    }
    const char *names[] = {"N"};
    struct advise_request r = {.place = {names, &d->target, 1}, .budget = d->budget, .beyond = 64};
    struct advice advice;
    struct model *m = design_fit(&s, data.s);
    if (m && model_advise(s.arena, m, &r, s.diag, &advice) == 0) {
        out.expected = advice.model_after / design_truth(d, d->target);
        for (size_t i = 0; i < advice.npoints; i++) {
            double n = advice.points[i].at[0];
            design_measure(&s, &more[0], d, n, advice.repetitions, &seq);
            out.spent[0] += (double)advice.repetitions * design_truth(d, n);
        }
        design_sweep(&s, &more[1], d, &seq, &out.spent[1]);
        while (design_sweep(&s, &more[2], d, &seq, &out.spent[2]))
            ;
        out.ok = true;
        for (size_t k = 0; k < 3; k++)
            out.ok = design_predict(&s, d, more[k].s, &out.width[k], &out.error[k]) && out.ok;
    }
    for (size_t k = 0; k < 3; k++)
        text_free(&more[k]);
    text_free(&data);
    synth_end(&s);
    return out;
}

#endif
