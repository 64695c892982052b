/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Predictions by several formulas. The data rarely single out one formula: a search leaves many, and the
 * data may not determine all constants of a formula (undetermined.c). A prediction therefore uses draws of
 * all formulas that remain, each with its share, and of what the data leave open of their constants. Its
 * value is the one with most draws near it; its intervals are quantiles of the draws. Without a search, a
 * prediction beyond the data is the mean over the formulas, and its intervals contain those of all of them.
 */
#include <math.h>
#include <string.h>

#include "model/fit_internal.h"
#include "model/search.h"
#include "numeric/random.h"

static void take_terms(struct model *m, const struct search_result *found)
{
    const struct formula **terms = arena_alloc(m->arena, found->nterms + 1, sizeof *terms);
    for (size_t i = 0; i < found->nterms; i++) {
        const struct formula *f = formula_parse_text(m->arena, found->terms[i], NULL, NULL);
        f = f ? definitions_expand(m->arena, f, &m->request.let, NULL) : NULL;
        terms[i] = f ? f : formula_number(m->arena, 0); /* search made the text: it has a formula */
    }
    m->alternatives.terms = terms;
    m->alternatives.nterms = found->nterms;
}

static bool take_draws(struct model *m, const struct search_alternative *from,
                       struct model_alternative *to)
{
    struct arena *a = m->arena;
    double *draws = arena_alloc(a, from->ndraws * from->n + 1, sizeof *draws);
    double *noise = arena_alloc(a, from->ndraws + 1, sizeof *noise);
    size_t *term = arena_alloc(a, from->n + 1, sizeof *term);
    if (from->ndraws == 0)
        return false;
    memcpy(draws, from->draws, from->ndraws * from->n * sizeof *draws);
    memcpy(noise, from->noise, from->ndraws * sizeof *noise);
    memcpy(term, from->term, from->n * sizeof *term);
    to->term = term;
    to->n = from->n;
    to->draws = draws;
    to->noise = noise;
    return true;
}

static bool take_model(struct model *m, const struct search_alternative *from,
                       struct model_alternative *to)
{
    struct fit_request r = m->request;
    r.formula = formula_parse_text(m->arena, from->text, r.points.experiment->base, NULL);
    r.source = NULL;
    r.intervals = from->intervals;
    to->model = r.formula ? fit_model_points(m->arena, &r, &m->points, NULL) : NULL;
    return to->model != NULL;
}

void model_take_alternatives(struct model *m, const struct search_result *found)
{
    struct model_alternative *list = arena_zalloc(m->arena, found->nalternatives + 1, sizeof *list);
    size_t n = 0, with_intervals = 0;
    take_terms(m, found);
    for (size_t i = 0; i < found->nalternatives; i++) {
        const struct search_alternative *from = &found->alternatives[i];
        list[n] = (struct model_alternative){.ndraws = from->ndraws};
        if (from->divided)
            n += with_intervals++ < AVERAGE_MOST_DIVIDED && take_model(m, from, &list[n]);
        else
            n += take_draws(m, from, &list[n]);
    }
    m->alternatives.list = list;
    m->alternatives.n = n;
}

/* ---- predictions ---- */

struct drawn {
    double *value;    /* as a measurement would be */
    double *expected; /* without its noise */
    size_t n;
};

static void add_draw(struct drawn *out, double expected, double value)
{
    out->expected[out->n] = expected;
    out->value[out->n++] = value;
}

/* The values of the terms at the place; nan for one that has none, or needs a variable that is not
 * given. */
static double *terms_at(struct arena *a, const struct model *m, const struct place *place)
{
    double *out = arena_alloc(a, m->alternatives.nterms + 1, sizeof *out);
    for (size_t i = 0; i < m->alternatives.nterms; i++)
        if (formula_at(a, m->alternatives.terms[i], place->names, place->values, place->n, NULL,
                       NULL, &out[i], NULL))
            out[i] = NAN;
    return out;
}

static void add_draws(const struct model_alternative *x, const double *terms, struct random *random,
                      struct drawn *out)
{
    for (size_t j = 0; j < x->n; j++)
        if (isnan(terms[x->term[j]]))
            return;
    for (size_t i = 0; i < x->ndraws; i++) {
        double value = 0;
        for (size_t j = 0; j < x->n; j++)
            value += x->draws[i * x->n + j] * terms[x->term[j]];
        add_draw(out, value, value * (1 + x->noise[i] * random_normal(random)));
    }
}

static void add_model_draws(struct arena *a, const struct model_alternative *x,
                            const struct place *place, struct random *random, struct drawn *out)
{
    struct prediction one;
    if (predict_by_formula(a, x->model, place, NULL, &one))
        return;
    double reach =
        isfinite(one.low) ? (one.high - one.low) / 2 / noise_student_t(AVERAGE_NORMAL_DOF) : 0;
    for (size_t i = 0; i < x->ndraws; i++)
        add_draw(out, one.value, one.value + reach * random_normal(random));
}

/* How many draws are near x, and in *centre where they are on average. */
static double draws_near(const double *logs, size_t n, double x, double *centre)
{
    double weight = 0, sum = 0;
    for (size_t i = 0; i < n; i++) {
        double far = (logs[i] - x) / AVERAGE_NEAR, near = exp(-far * far / 2);
        weight += near;
        sum += near * logs[i];
    }
    *centre = weight > 0 ? sum / weight : x;
    return weight;
}

/* The value with most draws near it. Formulas that remain often form groups far apart, and the median
 * may then be between them, far from both. */
static double most_drawn(struct arena *a, const double *sorted, size_t n)
{
    double median = stats_sorted_quantile(sorted, n, 0.5), best = -1, at = 0, next;
    if (!(sorted[0] > 0) ||
        log(stats_sorted_quantile(sorted, n, AVERAGE_HIGH_QUANTILE) /
            stats_sorted_quantile(sorted, n, AVERAGE_LOW_QUANTILE)) < AVERAGE_NARROW)
        return median;
    double *logs = arena_alloc(a, n, sizeof *logs);
    for (size_t i = 0; i < n; i++)
        logs[i] = log(sorted[i]);
    for (int k = 0; k < AVERAGE_STARTS; k++) {
        double x = stats_sorted_quantile(logs, n, (k + 0.5) / AVERAGE_STARTS);
        double near = draws_near(logs, n, x, &next);
        if (near > best) {
            best = near;
            at = x;
        }
    }
    for (int step = 0; step < AVERAGE_STEPS; step++) { /* uphill, to the mean of what is near */
        draws_near(logs, n, at, &next);
        double by = fabs(next - at);
        at = next;
        if (by < AVERAGE_ENOUGH)
            break;
    }
    return exp(at);
}

/* The place with the values that variables have in all points. */
static struct place complete_place(struct arena *a, const struct model *m,
                                   const struct place *given)
{
    const struct points *p = &m->points;
    const char **names = arena_alloc(a, given->n + p->nnames + 1, sizeof *names);
    double *values = arena_alloc(a, given->n + p->nnames + 1, sizeof *values);
    size_t n = 0;
    for (size_t i = 0; i < given->n; i++, n++) {
        names[n] = given->names[i];
        values[n] = given->values[i];
    }
    for (size_t v = 0; v < p->nnames; v++) {
        if (!points_constant(p, v) || text_is_in(given->names, given->n, p->names[v]))
            continue;
        names[n] = p->names[v];
        values[n++] = p->at[v][0];
    }
    return (struct place){names, values, n};
}

/* Value and intervals over all formulas in place of those of one. */
static void average_search(struct arena *a, const struct model *m, const struct place *given,
                           struct prediction *out)
{
    struct place place = complete_place(a, m, given);
    struct random random = {1};
    struct drawn drawn = {NULL, NULL, 0};
    const double *terms = terms_at(a, m, &place);
    size_t room = 0;
    for (size_t i = 0; i < m->alternatives.n; i++)
        room += m->alternatives.list[i].ndraws;
    drawn.value = arena_alloc(a, room + 1, sizeof *drawn.value);
    drawn.expected = arena_alloc(a, room + 1, sizeof *drawn.expected);
    for (size_t i = 0; i < m->alternatives.n; i++) {
        const struct model_alternative *x = &m->alternatives.list[i];
        if (x->model)
            add_model_draws(a, x, &place, &random, &drawn);
        else
            add_draws(x, terms, &random, &drawn);
    }
    if (drawn.n < AVERAGE_LEAST_DRAWS)
        return;
    stats_sort(drawn.value, drawn.n);
    stats_sort(drawn.expected, drawn.n);
    double before = out->value;
    out->value = most_drawn(a, drawn.expected, drawn.n);
    out->low = stats_sorted_quantile(drawn.value, drawn.n, INTERVAL_LOW_QUANTILE);
    out->high = stats_sorted_quantile(drawn.value, drawn.n, INTERVAL_HIGH_QUANTILE);
    if (!isfinite(out->single_low) || !(before > 0))
        return;
    /* Single runs differ from the typical value as they did, and by what the formulas differ. */
    double down = fmax(out->value * (1 - out->single_low / before), 0),
           up = fmax(out->value * (out->single_high / before - 1), 0);
    out->single_low = fmax(fmin(out->value - hypot(down, out->value - out->low), out->low), 0);
    out->single_high = fmax(out->value + hypot(up, out->high - out->value), out->high);
}

static void widen(double *low, double *high, double with_low, double with_high)
{
    *low = fmin(*low, with_low);
    *high = fmax(*high, with_high);
}

/* The mean of the formula with and without the terms that the data do not determine; the intervals contain
 * those of all these formulas. */
static void average_terms(struct arena *a, const struct model *m, const struct place *place,
                          struct prediction *out)
{
    double sum = 0, weight = 0, least = out->value, most = out->value;
    struct prediction one, all = *out;
    for (size_t i = 0; i < m->alternatives.n; i++) {
        const struct model_alternative *x = &m->alternatives.list[i];
        if (predict_by_formula(a, x->model, place, NULL, &one))
            continue;
        all = weight > 0 ? all : one;
        sum += (double)x->ndraws * one.value;
        weight += (double)x->ndraws;
        widen(&all.low, &all.high, one.low, one.high);
        widen(&all.single_low, &all.single_high, one.single_low, one.single_high);
        widen(&least, &most, one.value, one.value);
    }
    if (!(weight > 0))
        return;
    out->value = sum / weight;
    out->low = all.low;
    out->high = all.high;
    out->single_low = all.single_low;
    out->single_high = all.single_high;
    out->apart = (most - least) / fabs(out->value);
}

void average_formulas(struct arena *a, const struct model *m, const struct place *place,
                      struct prediction *out)
{
    if (m->alternatives.only_beyond && out->nextrapolates)
        average_terms(a, m, place, out);
    else if (m->alternatives.n && !m->alternatives.only_beyond)
        average_search(a, m, place, out);
}
