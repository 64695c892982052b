/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Greedy choice, then exchanges. With C the covariance of the constants, x the coefficients of a
 * candidate, v its variance and c the coefficients of the prediction, measuring it lowers the
 * prediction's variance c'Cc by (c'Cx)^2 / (v + x'Cx), and C becomes C - Cxx'C / (v + x'Cx).
 * Gain per second first, and gain first, are both tried: the former may leave no time for the one
 * expensive point that matters. Then each point is exchanged for a better one while that helps.
 * Points are repeated as often as those of the data, or less often, so that a small budget reaches
 * larger sizes; never more often: the fit gives every point the same relative noise, so another
 * point tells more than another repetition.
 */
#include "model/advise.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "model/fit_internal.h"
#include "base/interrupt.h"
#include "base/progress.h"
#include "base/sort.h"
#include "numeric/products.h"

struct candidate {
    double *at;
    const double *row;
    double variance, cost; /* of one repetition's cost; variance with all repetitions */
};

struct adviser {
    struct arena *arena;
    const struct model *m, *clock; /* clock: says what points cost */
    const struct place *place;     /* of the prediction */
    struct candidate *list;
    size_t n;
    const double *target; /* row of the prediction */
    double within;        /* share of a point's variance that its repetitions show */
    double own;           /* variance of a point there, which remains */
    double now;           /* variance of the model there */
    size_t repetitions;   /* of the points of the data */
    double budget;
    size_t most; /* points */
};

/* A choice of candidates and what it gives. */
struct choice {
    size_t picked[ADVISE_MAX_POINTS], n, repetitions;
    double cost, variance; /* of the model at the target */
};

/* ---- candidates ---- */

static size_t distinct(double *v, size_t n)
{
    size_t k = 0;
    stats_sort(v, n);
    for (size_t i = 0; i < n; i++)
        if (k == 0 || v[i] > v[k - 1] * (1 + ADVISE_SAME_VALUE) + 1e-300)
            v[k++] = v[i];
    return k;
}

/* Values of one variable: the measured ones, and some steps per doubling between and beyond them.
 * P has only the measured values: llac does not know whether a larger machine exists. */
static double *grid_of(struct adviser *ad, const char *name, double beyond, size_t most, size_t *n)
{
    const struct points *p = &ad->m->points;
    size_t column = points_find(p, name), count = p->n;
    double *values = arena_alloc(ad->arena, p->n + ADVISE_MOST_STEPS + 1, sizeof *values);
    bool whole = true;
    memcpy(values, p->at[column], p->n * sizeof *values);
    for (size_t i = 0; i < p->n; i++)
        whole = whole && values[i] == floor(values[i]);
    count = distinct(values, count);
    double low = values[0], high = values[count - 1];
    while (count > most) { /* thin out evenly, both ends stay */
        size_t k = 0;
        for (size_t i = 0; i < count; i++)
            if (i % 2 == 0 || i + 1 == count)
                values[k++] = values[i];
        count = k;
    }
    double ratio = pow(2, 1.0 / ADVISE_STEPS_PER_DOUBLING);
    if (low > 0 && log(high * beyond / low) / log(ratio) > ADVISE_MOST_STEPS)
        ratio = pow(high * beyond / low, 1.0 / ADVISE_MOST_STEPS);
    size_t measured = count;
    if (strcmp(name, "P") != 0 && measured > 1 && low > 0)
        for (double x = high * beyond; x > low && count < measured + ADVISE_MOST_STEPS; x /= ratio)
            values[count++] = whole ? floor(x + 0.5) : x;
    *n = distinct(values, count);
    return values;
}

static double least_value(const struct points *p)
{
    double least = INFINITY;
    for (size_t i = 0; i < p->n; i++)
        if (p->value[i] > 0)
            least = fmin(least, p->value[i]);
    return least;
}

static double at_least(double value, double least)
{
    return isfinite(least) ? fmax(value, least) : value;
}

/* Seconds of one execution at a candidate. Variables that the model does not have are as in the
 * prediction. nan where the model of CLOCK has no value. */
static double cost_of(const struct adviser *ad, const char *const *names, const double *at,
                      size_t n)
{
    const double *row;
    double value;
    size_t most = n + ad->place->n, k = n;
    const char **all = arena_alloc(ad->arena, most + 1, sizeof *all);
    double *values = arena_alloc(ad->arena, most + 1, sizeof *values);
    for (size_t i = 0; i < most; i++) {
        const char *name = i < n ? names[i] : ad->place->names[i - n];
        if (i >= n && text_is_in(names, n, name))
            continue;
        size_t to = i < n ? i : k++;
        all[to] = name;
        values[to] = i < n ? at[i] : ad->place->values[i - n];
    }
    if (predict_row(ad->arena, ad->clock, &(struct place){all, values, k}, NULL, &row, &value))
        return NAN;
    return at_least(value, least_value(&ad->clock->points));
}

/* The product of the grids; coefficients and value of each. */
static int make_candidates(struct adviser *ad, const char **names, size_t n, double beyond,
                           struct diag *diag)
{
    const size_t too_many = (size_t)ADVISE_TOO_MANY * ADVISE_MAX_CANDIDATES;
    double **grid = arena_alloc(ad->arena, n + 1, sizeof *grid);
    size_t *size = arena_alloc(ad->arena, n + 1, sizeof *size), all = 1;
    for (size_t most = ADVISE_MOST_VALUES;; most /= 2) {
        all = 1;
        for (size_t v = 0; v < n; v++) {
            grid[v] = grid_of(ad, names[v], beyond, most, &size[v]);
            while (most < ADVISE_FEW_VALUES &&
                   size[v] > most) { /* every other, the largest stays */
                size_t k = 0;
                for (size_t i = (size[v] - 1) % 2; i < size[v]; i += 2)
                    grid[v][k++] = grid[v][i];
                size[v] = k;
            }
            all = all > too_many ? all : all * size[v];
        }
        if (all <= ADVISE_MAX_CANDIDATES || most <= 2)
            break;
    }
    if (all > too_many)
        return diag_error(
            diag,
            "the formula has %zu variables: their values have too many combinations to choose from",
            n);
    ad->list = arena_alloc(ad->arena, all, sizeof *ad->list);
    double least = least_value(&ad->m->points);
    for (size_t c = 0; c < all && !interrupt_came(); c++) {
        progress_at("points", c, all);
        struct candidate *k = &ad->list[ad->n];
        double value;
        k->at = arena_alloc(ad->arena, n + 1, sizeof *k->at);
        for (size_t v = n, rest = c; v-- > 0; rest /= size[v])
            k->at[v] = grid[v][rest % size[v]];
        if (predict_row(ad->arena, ad->m, &(struct place){names, k->at, n}, NULL, &k->row, &value))
            continue;
        value = at_least(value, least);
        k->cost = ad->clock == ad->m ? value : cost_of(ad, names, k->at, n);
        double noise = ad->m->noise.relative * value;
        k->variance = noise * noise + ad->m->noise.floor * ad->m->noise.floor;
        ad->n += isfinite(k->cost) && k->variance > 0;
    }
    if (!interrupt_came())
        return 0;
    return diag_error(diag, "interrupted");
}

/* ---- choosing ---- */

/* Fewer repetitions raise that part of a point's variance that repetitions show. */
static double variance_of(const struct adviser *ad, size_t c, size_t repetitions)
{
    double part = (double)ad->repetitions / (double)repetitions;
    return ad->list[c].variance * (1 - ad->within + ad->within * part);
}

/* y = C x */
static void multiply(const double *covariance, size_t k, const double *x, double *y)
{
    for (size_t i = 0; i < k; i++) {
        y[i] = 0;
        for (size_t j = 0; j < k; j++)
            y[i] += covariance[i * k + j] * x[j];
    }
}

/* C after measuring candidate c. */
static void measure(const struct adviser *ad, double *covariance, size_t c, size_t repetitions,
                    double *work)
{
    size_t k = ad->m->structure.ncolumns;
    multiply(covariance, k, ad->list[c].row, work);
    double d = variance_of(ad, c, repetitions) + products_dot(ad->list[c].row, work, k);
    for (size_t i = 0; i < k; i++)
        for (size_t j = 0; j < k; j++)
            covariance[i * k + j] -= work[i] * work[j] / d;
}

static bool is_picked(const struct choice *choice, size_t c)
{
    for (size_t i = 0; i < choice->n; i++)
        if (choice->picked[i] == c)
            return true;
    return false;
}

/* The candidate that helps most within the remaining budget; SIZE_MAX = none. */
static size_t best_next(const struct adviser *ad, const struct choice *choice,
                        const double *covariance, bool per_second, double *work)
{
    size_t k = ad->m->structure.ncolumns, best = SIZE_MAX;
    double most = 0;
    multiply(covariance, k, ad->target, work);
    double now = products_dot(ad->target, work, k);
    double *cx = work + k;
    for (size_t c = 0; c < ad->n; c++) {
        double cost = ad->list[c].cost * (double)choice->repetitions;
        if (cost > ad->budget - choice->cost || is_picked(choice, c))
            continue;
        double along = products_dot(work, ad->list[c].row, k);
        multiply(covariance, k, ad->list[c].row, cx);
        double gain =
            along * along /
            (variance_of(ad, c, choice->repetitions) + products_dot(ad->list[c].row, cx, k));
        if (!(gain > ADVISE_LEAST_GAIN * now))
            continue;
        double score = per_second ? gain / cost : gain;
        if (score > most) {
            most = score;
            best = c;
        }
    }
    return best;
}

static void evaluate(const struct adviser *ad, struct choice *choice, double *covariance,
                     double *work)
{
    size_t k = ad->m->structure.ncolumns;
    memcpy(covariance, ad->m->solution.covariance, k * k * sizeof *covariance);
    choice->cost = 0;
    for (size_t i = 0; i < choice->n; i++) {
        measure(ad, covariance, choice->picked[i], choice->repetitions, work);
        choice->cost += ad->list[choice->picked[i]].cost * (double)choice->repetitions;
    }
    multiply(covariance, k, ad->target, work);
    choice->variance = fmax(products_dot(ad->target, work, k), 0);
}

static void grow(const struct adviser *ad, struct choice *choice, bool per_second,
                 double *covariance, double *work)
{
    evaluate(ad, choice, covariance, work);
    while (choice->n < ad->most && !interrupt_came()) {
        size_t c = best_next(ad, choice, covariance, per_second, work);
        if (c == SIZE_MAX)
            return;
        choice->picked[choice->n++] = c;
        evaluate(ad, choice, covariance, work);
    }
}

/* Takes each point away and puts the best ones in its place, while that helps. */
static void exchange(const struct adviser *ad, struct choice *choice, double *covariance,
                     double *work)
{
    bool improved = true;
    for (int round = 0; round < ADVISE_EXCHANGES && improved && !interrupt_came(); round++) {
        improved = false;
        for (size_t i = 0; i < choice->n; i++) {
            struct choice other = *choice;
            other.n--;
            memmove(other.picked + i, other.picked + i + 1, (other.n - i) * sizeof *other.picked);
            grow(ad, &other, false, covariance, work);
            if (other.variance < choice->variance * (1 - ADVISE_EXCHANGE_GAIN)) {
                *choice = other;
                improved = true;
            }
        }
    }
}

static struct choice choose(struct adviser *ad)
{
    size_t k = ad->m->structure.ncolumns;
    double *covariance = arena_alloc(ad->arena, k * k + 1, sizeof *covariance);
    double *work = arena_alloc(ad->arena, 2 * k + 1, sizeof *work);
    struct choice best = {.repetitions = ad->repetitions};
    evaluate(ad, &best, covariance, work);
    ad->now = best.variance;
    for (size_t r = ad->repetitions; r > 0; r /= 2) {
        for (int per_second = 0; per_second < 2; per_second++) {
            struct choice now = {.repetitions = r};
            grow(ad, &now, per_second, covariance, work);
            exchange(ad, &now, covariance, work);
            if (now.variance < best.variance * (1 - ADVISE_LEAST_GAIN))
                best = now;
        }
    }
    return best;
}

/* ---- beyond the data ---- */

static double largest(const struct points *p, const char *name)
{
    double least = INFINITY, most = -INFINITY;
    points_widen(p, name, &least, &most);
    return most;
}

/* The value of a variable at the place of the prediction; nan: the data have one value, and the place names none. */
static double at_target(const struct adviser *ad, const char *name)
{
    size_t i = text_find(ad->place->names, ad->place->n, name);
    return i < ad->place->n ? ad->place->values[i] : NAN;
}

/* Whether a point is on the way from the data to the place: a doubling beyond the data, or at the place. */
static bool is_beyond(const struct adviser *ad, const struct advice *out, const double *at)
{
    for (size_t v = 0; v < out->nnames; v++) {
        double most = largest(&ad->m->points, out->names[v]), to = at_target(ad, out->names[v]);
        if (to > most && at[v] >= fmin(2 * most, to) * (1 - ADVISE_SAME_VALUE))
            return true;
    }
    return false;
}

/* The place after so many doublings from the end of the data; whether it is further on than before. P stays within the
 * data, as in grid_of. */
static bool way_at(const struct adviser *ad, const struct advice *out, double beyond,
                   size_t doublings, const double *before, double *at)
{
    bool further = false;
    for (size_t v = 0; v < out->nnames; v++) {
        double most = largest(&ad->m->points, out->names[v]), to = at_target(ad, out->names[v]);
        double end = strcmp(out->names[v], "P") == 0 ? most : most * beyond;
        at[v] = fmin(isnan(to) ? most : to, fmin(end, most * pow(2, (double)doublings)));
        if (most == floor(most))
            at[v] = floor(at[v]);
        further = further || at[v] > (before ? before[v] : most);
    }
    return further;
}

/* Points on the way to the place, unless a chosen one is there. */
static void add_way(const struct adviser *ad, const struct choice *best, double beyond,
                    struct advice *out)
{
    const double *before = NULL;
    out->way = arena_alloc(ad->arena, ADVISE_MAX_POINTS, sizeof *out->way);
    for (size_t i = 0; i < best->n; i++)
        if (is_beyond(ad, out, ad->list[best->picked[i]].at))
            return;
    while (out->nway < ADVISE_MAX_POINTS) {
        double *at = arena_alloc(ad->arena, out->nnames + 1, sizeof *at);
        if (!way_at(ad, out, beyond, out->nway + 1, before, at))
            return;
        double cost = cost_of(ad, out->names, at, out->nnames) * (double)best->repetitions;
        if (!isfinite(cost))
            return;
        out->way[out->nway++] = (struct advised_point){at, cost};
        out->way_cost += cost;
        before = at;
    }
}

/* ---- the report ---- */

struct by_place {
    const struct adviser *adviser;
    size_t variables;
};

static int by_place(const void *x, const void *y, void *context)
{
    const struct by_place *c = context;
    const double *a = c->adviser->list[*(const size_t *)x].at;
    const double *b = c->adviser->list[*(const size_t *)y].at;
    /* The first variable varies fastest: the points of a sweep over it are adjacent. */
    for (size_t v = c->variables; v-- > 0;)
        if (a[v] != b[v])
            return a[v] < b[v] ? -1 : 1;
    return 0;
}

/* first, first*step, ...: whether all values are of this form. */
static bool regular_steps(const struct advice *out, struct advised_sweep *s, bool multiplies)
{
    const struct advised_point *p = out->points;
    size_t v = s->variable;
    s->step = multiplies ? p[s->points[1]].at[v] / p[s->points[0]].at[v]
                         : p[s->points[1]].at[v] - p[s->points[0]].at[v];
    for (size_t i = 1; i < s->n; i++) {
        double before = p[s->points[i - 1]].at[v], now = p[s->points[i]].at[v];
        double wanted = multiplies ? before * s->step : before + s->step;
        if (fabs(now - wanted) > ADVISE_SAME_VALUE * fabs(now))
            return false;
    }
    return !multiplies || s->step == floor(s->step);
}

/* Points that differ only in the first variable. */
static void make_sweeps(struct arena *a, struct advice *out)
{
    size_t *index = arena_alloc(a, out->npoints + 1, sizeof *index);
    out->sweeps = arena_zalloc(a, out->npoints + 1, sizeof *out->sweeps);
    for (size_t i = 0; i < out->npoints; i++) {
        struct advised_sweep *s = out->nsweeps ? &out->sweeps[out->nsweeps - 1] : NULL;
        bool same = s != NULL;
        index[i] = i;
        for (size_t v = 1; same && v < out->nnames; v++)
            same = out->points[i].at[v] == out->points[s->points[0]].at[v];
        if (same) {
            s->n++;
            continue;
        }
        // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): as many as points
        out->sweeps[out->nsweeps++] = (struct advised_sweep){.points = index + i, .n = 1};
    }
    for (size_t i = 0; i < out->nsweeps && out->nnames; i++) {
        struct advised_sweep *s = &out->sweeps[i];
        s->first = out->points[s->points[0]].at[0];
        s->last = out->points[s->points[s->n - 1]].at[0];
        if (s->n < ADVISE_RANGE)
            continue;
        s->regular = s->multiplies = s->first > 0 && regular_steps(out, s, true);
        if (!s->regular)
            s->regular = regular_steps(out, s, false);
    }
}

static void report(struct adviser *ad, const struct choice *best, struct advice *out)
{
    const struct model *m = ad->m;
    size_t *order = arena_alloc(ad->arena, best->n + 1, sizeof *order);
    memcpy(order, best->picked, best->n * sizeof *order);
    sort_with(order, best->n, sizeof *order, by_place, &(struct by_place){ad, out->nnames});
    out->npoints = best->n;
    out->points = arena_alloc(ad->arena, best->n + 1, sizeof *out->points);
    for (size_t i = 0; i < best->n; i++)
        out->points[i] = (struct advised_point){
            ad->list[order[i]].at, ad->list[order[i]].cost * (double)best->repetitions};
    out->repetitions = best->repetitions;
    out->cost = best->cost;
    out->budget = ad->budget;
    out->candidates = ad->n;
    double v = out->before.value, t = noise_student_t(m->noise.dof + (double)best->n);
    double half = t * sqrt(best->variance + ad->own);
    out->least_half = t * sqrt(ad->own);
    out->model_before = noise_student_t(m->noise.dof) * sqrt(ad->now);
    out->model_after = t * sqrt(best->variance);
    out->low = v > 0 ? fmax(v - half, 0) : v - half;
    out->high = v + half;
    if (best->n == 0) {
        out->low = out->before.low;
        out->high = out->before.high;
    }
    make_sweeps(ad->arena, out);
}

static double time_of_data(const struct points *p)
{
    double sum = 0;
    for (size_t i = 0; i < p->n; i++)
        sum += fmax(p->value[i], 0) * (double)p->count[i];
    return sum;
}

static size_t usual_count(struct arena *a, const struct points *p)
{
    double *counts = arena_alloc(a, p->n, sizeof *counts);
    for (size_t i = 0; i < p->n; i++)
        counts[i] = (double)p->count[i];
    return (size_t)fmax(floor(stats_quantile(counts, p->n, 0.5)), 1);
}

int model_advise(struct arena *a, const struct model *m, const struct advise_request *request,
                 struct diag *diag, struct advice *out)
{
    memset(out, 0, sizeof *out);
    const char *name = m->request.points.experiment->name;
    const struct model *clock = request->clock ? request->clock : m;
    if (strcmp(clock->request.points.observable, "CLOCK") != 0)
        return diag_error(diag, "advise needs the cost of points in seconds: use a model of CLOCK");
    struct adviser ad = {
        .arena = a, .m = m, .clock = clock, .place = &request->place, .budget = request->budget};
    ad.most = request->most ? request->most : ADVISE_MAX_POINTS;
    struct model alone =
        *m; /* without its terms that the data do not determine, there is no advice */
    if (m->alternatives.only_beyond)
        alone.alternatives.n = 0;
    double value;
    if (model_predict(a, &alone, &request->place, diag, &out->before) ||
        predict_row(a, m, &request->place, diag, &ad.target, &value))
        return -1;
    prediction_as_point(&out->before);
    size_t nvariables;
    if (m->nconstants == 0 || (model_variables(a, m, &nvariables), nvariables == 0))
        return diag_error(diag, "the formula of %s has no %s: no further point improves it", name,
                          m->nconstants ? "variables" : "constants");
    if (m->noise.dof <= 0)
        return diag_error(
            diag,
            "the noise of %s is unknown: there are as many constants as points and no "
            "repetitions; measure a point twice first",
            name);
    double noise = m->noise.relative * value;
    ad.own = m->noise.none ? 0 : noise * noise + m->noise.floor * m->noise.floor;
    double shown, weight;
    noise_of_repetitions(&m->points, &shown, &weight);
    ad.within = weight > 0 ? shown * shown / (m->noise.relative * m->noise.relative) : 1;
    ad.within = m->noise.none ? 0 : fmin(ad.within, 1);
    if (!(ad.budget > 0))
        ad.budget = time_of_data(&clock->points);
    ad.repetitions = usual_count(a, &m->points);
    out->names = model_variables(a, m, &out->nnames);
    double beyond = request->beyond > 0 ? request->beyond : ADVISE_BEYOND;
    if (make_candidates(&ad, out->names, out->nnames, beyond, diag))
        return -1;
    struct choice best = choose(&ad);
    report(&ad, &best, out);
    add_way(&ad, &best, beyond, out);
    return 0;
}
