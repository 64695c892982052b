/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Synthetic data for the tests: data files as text, and reproducible noise. */
#ifndef TESTS_SYNTHETIC_SYNTH_H
#define TESTS_SYNTHETIC_SYNTH_H

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "model/fit.h"
#include "model/predict.h"
#include "data/load.h"

#define SYNTH_COLUMNS "experiment run seq start nested P rank thread count"

/* Data set, diagnostics and memory of one test. */
struct synth {
    struct dataset *data;
    struct arena *arena;
    struct diag *diag;
    uint64_t random;
};

static inline struct synth synth_begin(void)
{
    return (struct synth){dataset_create(), arena_create(), diag_create(), 88172645463325252u};
}

static inline void synth_end(struct synth *s)
{
    dataset_destroy(s->data);
    arena_destroy(s->arena);
    diag_destroy(s->diag);
}

/* Uniform in (0, 1). */
static inline double synth_uniform(struct synth *s)
{
    s->random ^= s->random << 13;
    s->random ^= s->random >> 7;
    s->random ^= s->random << 17;
    return ((double)(s->random >> 11) + 0.5) / 9007199254740992.0;
}

static inline double synth_normal(struct synth *s)
{
    double u = synth_uniform(s), v = synth_uniform(s);
    return sqrt(-2 * log(u)) * cos(6.283185307179586 * v);
}

/* Loads the text as if it were a file. */
static inline int synth_load_bytes(struct synth *s, const char *text, size_t n)
{
    FILE *f = tmpfile();
    if (!f || fwrite(text, 1, n, f) != n || fflush(f) || lseek(fileno(f), 0, SEEK_SET) != 0)
        return -2;
    struct dataset *fresh = dataset_create();
    int status = load_dat(fresh, fileno(f), "test.dat", s->arena, s->diag);
    if (status == 0)
        status = dataset_merge(s->data, fresh, false, s->diag);
    dataset_destroy(fresh);
    fclose(f);
    return status;
}

static inline int synth_load(struct synth *s, const char *text)
{
    return synth_load_bytes(s, text, strlen(text));
}

/* The first error, "" if there is none. */
static inline const char *synth_error(struct synth *s)
{
    const char *text = diag_first(s->diag, SEVERITY_ERROR);
    return text ? text : "";
}

/* Fits `formula` (NULL = that of the data) to CLOCK of f. */
static inline struct model *synth_fit_with(struct synth *s, const char *formula, bool nonneg,
                                           enum statistic statistic,
                                           struct interval_request intervals)
{
    const struct experiment *e = dataset_find(s->data, "f");
    if (!e)
        return NULL;
    if (!formula)
        formula = experiment_formula(e, "CLOCK")->text;
    struct fit_request r = {.points = {.dataset = s->data,
                                       .experiment = e,
                                       .observable = "CLOCK",
                                       .statistic = statistic},
                            .formula = formula_parse_text(s->arena, formula, "f", s->diag),
                            .nonneg = nonneg,
                            .intervals = intervals};
    return r.formula ? model_fit(s->arena, &r, s->diag) : NULL;
}

static inline struct model *synth_fit(struct synth *s, const char *formula, bool nonneg,
                                      enum statistic statistic)
{
    return synth_fit_with(s, formula, nonneg, statistic, (struct interval_request){0});
}

static inline bool synth_has_warning(const struct model *m, const char *code)
{
    return warnings_find(model_warnings(m), code) != NULL;
}

static inline const char *synth_warning(const struct model *m, const char *code)
{
    const struct warning *w = warnings_find(model_warnings(m), code);
    return w ? w->text : "";
}

#endif
