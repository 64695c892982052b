/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Would the model have predicted the end of its own data? Along each variable it is fitted again without the values of the last one, two, four and
 * eight doublings, and predicts the points at the largest value. Where these are outside its interval, something changes there that the formula does
 * not have, such as data that leave a cache little by little. A prediction as far beyond the data may be off by as much: its interval allows for it
 * (surprises.c).
 */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/interrupt.h"
#include "base/text.h"
#include "model/fit_internal.h"
#include "numeric/random.h"

/* The largest value that is at least so many doublings below the largest of all; NAN if fewer than BACKTEST_LEAST_VALUES are, or too few doublings
 * remain. */
static double last_kept(const double *at, size_t n, struct model_range range, double doublings)
{
    double values[BACKTEST_LEAST_VALUES],
        last = NAN, cut = range.most * exp2(-doublings) * (1 + EXTRAPOLATION_SLACK);
    size_t found = 0;
    if (!(range.least > 0))
        return NAN;
    for (size_t i = 0; i < n; i++) {
        bool is_new = at[i] <= cut;
        for (size_t k = 0; k < found && is_new; k++)
            is_new = values[k] != at[i];
        if (is_new && found < BACKTEST_LEAST_VALUES)
            values[found++] = at[i];
        last = is_new ? fmax(last, at[i]) : last;
    }
    bool enough = log2(range.most / last) <= BACKTEST_PART * log2(range.most / range.least);
    return found == BACKTEST_LEAST_VALUES && enough ? last : NAN;
}

/* The model without the points beyond `last`; of many points some. NULL when that is impossible. */
static struct model *fit_without(struct arena *a, const struct model *m, const double *at,
                                 double last)
{
    const struct points *p = &m->points;
    struct random random = {RESAMPLE_SEED};
    double part = p->n > RESAMPLE_SUBSET ? RESAMPLE_SUBSET / (double)p->n : 1;
    bool *keep = arena_alloc(a, p->n, sizeof *keep);
    size_t kept = 0;
    for (size_t i = 0; i < p->n; i++)
        kept += keep[i] = at[i] <= last && (part >= 1 || random_uniform(&random) < part);
    struct points some;
    if (kept <= m->nconstants)
        return NULL;
    points_some(a, p, keep, &some);
    struct model *without = fit_model_points(a, &m->request, &some, NULL);
    if (without)
        undetermined_consider(without);
    return without;
}

/* What a model says of one of the points of m; false if nothing. */
static bool predict_own_point(struct arena *a, const struct model *by, const struct model *m,
                              size_t i, struct prediction *out)
{
    size_t n;
    const char **names = model_variables(a, m, &n);
    double *values = arena_alloc(a, n + 1, sizeof *values);
    for (size_t k = 0; k < n; k++)
        values[k] = m->points.at[points_find(&m->points, names[k])][i];
    if (model_predict(a, by, &(struct place){names, values, n}, NULL, out))
        return false;
    prediction_as_point(out);
    return m->points.value[i] > 0 && out->value > 0 && isfinite(out->high);
}

/* By how much the points at the largest value are above what the model says, as a logarithm, and how many of them are outside of its interval, above
 * or below; false if it says nothing of them. */
static bool compare_end(struct arena *a, const struct model *by, const struct model *m,
                        size_t variable, double *off, double *outside)
{
    double end = m->reach.ranges[variable].most;
    size_t n = 0;
    *off = *outside = 0;
    for (size_t i = 0; i < m->points.n && n < BACKTEST_MOST_POINTS; i++) {
        struct prediction p;
        double measured = m->points.value[i];
        if (m->points.at[variable][i] != end || !predict_own_point(a, by, m, i, &p))
            continue;
        *off += log(measured / p.value);
        *outside += (measured > p.high) - (measured < p.low);
        n++;
    }
    *off /= (double)(n ? n : 1);
    *outside /= (double)(n ? n : 1);
    return n > 0;
}

static bool end_is_left_out(const struct model *m, size_t variable)
{
    return m->reach.ranges[variable].high < m->reach.ranges[variable].most;
}

/* One text for all places, so that a table says it once. */
static const char *surprise_text(struct arena *a, const char *variable,
                                 const struct model_surprise *s)
{
    size_t most = 0;
    for (size_t k = 1; k < s->n; k++)
        most = fabs(s->cuts[k].off) > fabs(s->cuts[most].off) ? k : most;
    double off = s->n ? s->cuts[most].off : 0;
    if (off == 0)
        return NULL;
    return arena_printf(a,
                        "fitted up to %s = %.4g, the model says %.0f %% too %s at %s = %.4g: what "
                        "changes there may go on changing, and the interval allows for it",
                        variable, s->cuts[most].from, 100 * fabs(exp(-off) - 1),
                        off > 0 ? "little" : "much", variable, s->end);
}

static void judge(struct model *m, size_t variable, struct model_surprise *s)
{
    static const double doublings[BACKTEST_CUTS] = {1, 2, 4, 8};
    const double *at = m->points.at[variable];
    double off, outside;
    ARENA_LOCAL struct arena *a = arena_create();
    s->end = m->reach.ranges[variable].most;
    if (end_is_left_out(m, variable) && compare_end(a, m, m, variable, &off, &outside))
        s->missed = off;
    for (size_t k = 0; k < BACKTEST_CUTS; k++) {
        double last = last_kept(at, m->points.n, m->reach.ranges[variable], doublings[k]);
        if (isnan(last) || (s->n && s->cuts[s->n - 1].from == last))
            continue;
        const struct model *without = fit_without(a, m, at, last);
        if (!without || !compare_end(a, without, m, variable, &off, &outside))
            continue;
        bool is_surprise = fabs(outside) > BACKTEST_MOST_INSIDE && outside * off > 0;
        s->cuts[s->n].off = is_surprise ? off : 0;
        s->cuts[s->n].from = last;
        s->cuts[s->n++].doublings = log2(s->end / last);
    }
    s->text = surprise_text(m->arena, m->points.names[variable], s);
}

void backtest_model(struct model *m)
{
    size_t n;
    if (m->surprises || m->again || surprises_are_searched(m) || m->noise.none || m->noise.dof <= 0)
        return;
    const char **names = model_variables(m->arena, m, &n);
    struct model_surprise *list = arena_zalloc(m->arena, m->points.nnames + 1, sizeof *list);
    for (size_t v = 0; v < m->points.nnames && !interrupt_came(); v++)
        if (text_is_in(names, n, m->points.names[v]))
            judge(m, v, &list[v]);
    m->surprises = interrupt_came() ? NULL : list;
}
