/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Comparing formulas (see compare.h). */
#include "model/compare.h"

#include <math.h>
#include <string.h>

#include "model/fit_internal.h"
#include "base/interrupt.h"
#include "base/progress.h"

size_t compare_largest(const struct points *p, bool *large)
{
    size_t count = 0;
    MEM_LOCAL double *sorted = mem_alloc(p->n, sizeof *sorted);
    memset(large, 0, p->n * sizeof *large);
    for (size_t v = 0; v < p->nnames; v++) {
        memcpy(sorted, p->at[v], p->n * sizeof *sorted);
        size_t distinct = stats_distinct(sorted, p->n);
        if (distinct < COMPARE_LARGEST_PART)
            continue;
        double from = sorted[distinct - distinct / COMPARE_LARGEST_PART];
        for (size_t i = 0; i < p->n; i++)
            large[i] = large[i] || p->at[v][i] >= from;
    }
    for (size_t i = 0; i < p->n; i++)
        count += large[i];
    return count;
}

/* Of the relative residuals; every formula with the same weights. */
static void set_criterion(struct compared *c, const double *sigma, double noise, double weight)
{
    const struct model *m = c->model;
    double sum = 0, n = 0;
    for (size_t i = 0; i < m->points.n; i++) {
        double r = (m->points.value[i] - m->solution.fitted[i]) / sigma[i];
        sum += r * r;
        n++;
    }
    c->parameters = m->structure.pieces->nboundaries;
    for (size_t j = 0; j < m->structure.ncolumns; j++)
        c->parameters += !m->solution.dropped[j];
    double total = n + weight, k = (double)c->parameters + 1;
    sum += n * RELATIVE_NOISE_FLOOR * RELATIVE_NOISE_FLOOR + weight * noise * noise;
    c->aicc = total > k + 1 ? total * log(sum / total) + 2 * k * total / (total - k - 1) : INFINITY;
}

/* Fits without the largest sizes and predicts them. */
static void predict_beyond(struct arena *a, const struct fit_request *request,
                           const struct points *points, const bool *large, size_t nlarge,
                           struct compared *c)
{
    bool *keep = arena_alloc(a, points->n, sizeof *keep);
    struct points rest, left;
    double sum = 0, most = 0;
    size_t n = 0;
    c->beyond_mean_pct = c->beyond_max_pct = NAN;
    for (size_t i = 0; i < points->n; i++)
        keep[i] = !large[i];
    points_some(a, points, keep, &rest);
    points_some(a, points, large, &left);
    if (nlarge == 0 || rest.n <= c->model->nconstants)
        return;
    struct model *m = model_fit_points(a, request, &rest, NULL);
    double *predicted = arena_alloc(a, left.n, sizeof *predicted);
    if (!m || model_predict_points(a, m, &left, NULL, predicted))
        return;
    for (size_t i = 0; i < left.n; i++) {
        if (!(left.value[i] > 0))
            continue;
        double error = 100 * fabs(predicted[i] / left.value[i] - 1);
        sum += error;
        most = fmax(most, error);
        n++;
    }
    c->beyond_mean_pct = n ? sum / (double)n : NAN;
    c->beyond_max_pct = n ? most : NAN;
}

/* Beyond the data in every variable of the formulas. */
static void predict_place(struct arena *a, struct comparison *out)
{
    const struct points *p = &out->formulas[0].model->points;
    const char **names = arena_alloc(a, p->nnames, sizeof *names);
    double *values = arena_alloc(a, p->nnames, sizeof *values);
    out->place = (struct place){names, values, 0};
    for (size_t v = 0; v < p->nnames; v++) {
        double most = p->at[v][0];
        if (points_constant(p, v))
            continue;
        for (size_t i = 0; i < p->n; i++)
            most = fmax(most, p->at[v][i]);
        names[out->place.n] = p->names[v];
        values[out->place.n++] = COMPARE_BEYOND * most;
    }
    for (size_t i = 0; i < out->n; i++) {
        struct prediction one;
        out->formulas[i].at = NAN;
        if (model_predict(a, out->formulas[i].model, &out->place, NULL, &one) == 0)
            out->formulas[i].at = one.value;
    }
}

static void judge(struct comparison *out)
{
    double sum = 0, next = INFINITY;
    for (size_t i = 1; i < out->n; i++)
        if (out->formulas[i].aicc < out->formulas[out->best].aicc)
            out->best = i;
    const struct compared *best = &out->formulas[out->best];
    for (size_t i = 0; i < out->n; i++) {
        struct compared *c = &out->formulas[i];
        c->difference = isfinite(c->aicc) ? c->aicc - best->aicc : i == out->best ? 0 : INFINITY;
        c->weight = exp(-c->difference / 2);
        sum += c->weight;
        if (i != out->best && c->difference < next) {
            next = c->difference;
            out->rival = i;
        }
    }
    for (size_t i = 0; i < out->n; i++)
        out->formulas[i].weight /= sum;
    out->verdict = next <= COMPARE_SAME ? VERDICT_UNDECIDED : VERDICT_DECIDED;
    if (out->verdict != VERDICT_DECIDED)
        return;
    /* Errors that noise alone would make say nothing. */
    double least = COMPARE_BETTER * fmax(best->error.loo_mean_pct, COMPARE_LEAST_PERCENT);
    for (size_t i = 0; i < out->n; i++) {
        const struct compared *c = &out->formulas[i];
        if (best->beyond_mean_pct > least &&
            COMPARE_BETTER * c->beyond_mean_pct < best->beyond_mean_pct &&
            (out->verdict == VERDICT_DECIDED ||
             c->beyond_mean_pct < out->formulas[out->rival].beyond_mean_pct)) {
            out->verdict = VERDICT_CONFLICT;
            out->rival = i;
        }
    }
}

int model_compare(struct arena *a, const struct compare_request *request, struct diag *diag,
                  struct comparison *out)
{
    struct points *points = arena_alloc(a, 1, sizeof *points);
    double noise, weight;
    memset(out, 0, sizeof *out);
    if (points_make(a, &request->fit.points, diag, points) || points_check(points, diag))
        return -1;
    bool *large = arena_alloc(a, points->n + 1, sizeof *large);
    out->n = request->n;
    out->points = points->n;
    out->formulas = arena_zalloc(a, request->n, sizeof *out->formulas);
    out->left_out = compare_largest(points, large);
    noise_of_repetitions(points, &noise, &weight);
    double *sigma = noise_scales(a, points, noise, 0);
    for (size_t i = 0; i < request->n && !interrupt_came(); i++) {
        progress_at("formulas", i, request->n);
        struct compared *c = &out->formulas[i];
        struct fit_request one = request->fit;
        one.formula = request->formulas[i].formula;
        one.source = request->formulas[i].source;
        c->text = request->formulas[i].text;
        c->model = model_fit_points(a, &one, points, diag);
        if (!c->model)
            return -1;
        model_leave_out(c->model);
        c->error = c->model->error;
        set_criterion(c, sigma, noise, weight);
        predict_beyond(a, &one, points, large, out->left_out, c);
    }
    if (interrupt_came())
        return diag_error(diag, "interrupted");
    judge(out);
    predict_place(a, out);
    return 0;
}
