/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The samples become a data set of one experiment, which is searched like any other. */
#include "llac/rank/relation.h"

#include <math.h>
#include <string.h>

#include "llac/rank/thresholds.h"
#include "model/search.h"

#define OBSERVED "value"

static bool is_constant(const struct relation_sample *samples, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (fabs(samples[i].value - samples[0].value) > RANK_SAME_VALUE * fabs(samples[0].value))
            return false;
    return true;
}

/* Names that have a value in all samples; P is a column of its own. */
static bool is_known(const struct relation_sample *samples, size_t n, size_t name)
{
    for (size_t i = 0; i < n; i++)
        if (!isfinite(samples[i].at[name]))
            return false;
    return true;
}

static void fill(struct dataset *d, const char *what, const char *const *names, size_t nnames,
                 const struct relation_sample *samples, size_t n)
{
    struct data_file file = data_file_of("");
    file.clock = "none";
    size_t index = dataset_add_file(d, &file);
    struct experiment *e = dataset_add_experiment(d, what);
    for (size_t v = 0; v < nnames; v++)
        if (strcmp(names[v], "P") != 0 && is_known(samples, n, v))
            experiment_add_variable(d, e, names[v]);
    experiment_add_observable(d, e, OBSERVED);
    experiment_add_segment(e, index);
    MEM_LOCAL double *values = mem_zalloc((n + 1) * (e->ncolumns + 1), sizeof *values);
    MEM_LOCAL const double **columns = mem_zalloc(e->ncolumns + 1, sizeof *columns);
    for (size_t j = 0; j < e->ncolumns; j++) {
        double *to = values + j * n;
        size_t v = 0;
        const char *name = e->columns[j].name;
        while (v < nnames && strcmp(names[v], name) != 0)
            v++;
        bool place = v < nnames && (j >= FIELD_FIXED || j == FIELD_P);
        for (size_t i = 0; i < n; i++)
            to[i] = j + 1 == e->ncolumns                  ? samples[i].value
                    : place && isfinite(samples[i].at[v]) ? samples[i].at[v]
                    : j == FIELD_COUNT || j == FIELD_P    ? 1
                                                          : 0;
        columns[j] = to;
    }
    experiment_append(e, columns, NULL, n);
}

/* Samples at one place may differ, which the points do not show. */
static double largest_error(const struct relation *r, const char *const *names, size_t nnames,
                            const struct relation_sample *samples, size_t n)
{
    ARENA_LOCAL struct arena *a = arena_create();
    double most = 0, value, low, high;
    for (size_t i = 0; i < n; i++) {
        struct place place = {names, samples[i].at, nnames};
        if (relation_at(a, r, &place, NULL, &value, &low, &high))
            value = NAN;
        double error = fabs(value - samples[i].value) / fmax(fabs(samples[i].value), 1e-300);
        most = isnan(error) ? INFINITY : fmax(most, error);
        arena_reset(a);
    }
    return most;
}

struct relation *relation_make(struct arena *a, const char *what, const char *const *names,
                               size_t nnames, const struct relation_sample *samples, size_t n,
                               struct diag *diag)
{
    struct relation *r = arena_zalloc(a, 1, sizeof *r);
    struct search_result found;
    if (is_constant(samples, n)) {
        r->constant = true;
        r->value = samples[0].value;
        return r;
    }
    r->data = dataset_create();
    fill(r->data, what, names, nnames, samples, n);
    struct search_request request = {.fit = {.points = {.dataset = r->data,
                                                        .experiment = r->data->experiments[0],
                                                        .observable = OBSERVED,
                                                        .statistic = STATISTIC_MEAN},
                                             .intervals = {.mode = INTERVALS_NONE}},
                                     .any_sign = true};
    if (model_search(a, &request, diag, &found) == 0) {
        struct fit_request fit = request.fit;
        fit.formula = found.candidates[0].formula;
        r->formula = found.candidates[0].text;
        r->model = model_fit(a, &fit, diag);
    }
    if (!r->model) {
        relation_free(r);
        return NULL;
    }
    model_take_alternatives(r->model, &found);
    r->error = largest_error(r, names, nnames, samples, n);
    return r;
}

void relation_free(struct relation *r)
{
    if (!r)
        return;
    dataset_destroy(r->data);
    r->data = NULL;
}

struct place relation_place(struct arena *a, const struct model *m, const struct place *place)
{
    const char **names = arena_alloc(a, place->n + 1, sizeof *names);
    double *values = arena_alloc(a, place->n + 1, sizeof *values);
    size_t n = 0;
    for (size_t i = 0; i < place->n; i++) {
        if (!model_knows(m, place->names[i]))
            continue;
        names[n] = place->names[i];
        values[n++] = place->values[i];
    }
    return (struct place){names, values, n};
}

int relation_at(struct arena *a, const struct relation *r, const struct place *place,
                struct diag *diag, double *value, double *low, double *high)
{
    struct prediction p;
    if (r->constant) {
        *value = *low = *high = r->value;
        return 0;
    }
    struct place known = relation_place(a, r->model, place);
    if (model_predict(a, r->model, &known, diag, &p))
        return -1;
    *value = p.value;
    *low = isfinite(p.low) ? p.low : p.value;
    *high = isfinite(p.high) ? p.high : p.value;
    return 0;
}
