/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Diagnosis of a fit. Each check is a function that adds at most a few warnings; the table at the
 * end is their order. A correct formula on good data must cause no warning; the thresholds are in
 * thresholds.h.
 */
#include "model/diagnose.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/sort.h"
#include "base/text.h"
#include "model/fit_internal.h"

/* "a", "a and b", "a, b and c" */
static char *join(struct arena *a, const char *const *names, size_t n)
{
    struct text t = text_new();
    for (size_t i = 0; i < n; i++)
        text_printf(&t, "%s%s", i == 0 ? "" : i + 1 == n ? " and " : ", ", names[i]);
    return text_keep(&t, a);
}

static const struct model_constant *column_constant(const struct model *m, size_t j)
{
    return &m->constants[m->structure.columns[j].constant];
}

/* " for N in (1024, 4096]"; "" where it holds everywhere. */
static char *where_text(struct arena *a, const struct model_piece *p)
{
    char *text = arena_strdup(a, "");
    for (size_t i = 0; i < p->nwhere; i++)
        text = arena_printf(a, "%s%s%s", text, i ? ", " : " for ",
                            model_interval_text(a, &p->where[i]));
    return text;
}

/* "P is always 1 and M is always 8": the variables of these constants' terms that never vary; "" if
 * none. */
static char *fixed_variables(struct model *m, const double *relation)
{
    const struct points *p = &m->points;
    const char **parts = arena_alloc(m->arena, p->nnames + 1, sizeof *parts);
    size_t n = 0;
    for (size_t v = 0; v < p->nnames; v++) {
        bool used = false;
        char number[NUMBER_SIZE];
        for (size_t j = 0; j < m->structure.ncolumns && !used; j++)
            used = relation[j] != 0 &&
                   formula_uses(m->arena, column_constant(m, j)->coefficient, p->names[v]);
        if (used && points_constant(p, v))
            parts[n++] = arena_printf(m->arena, "%s never varies (it is always %s)", p->names[v],
                                      number_text(p->at[v][0], number));
    }
    return join(m->arena, parts, n);
}

static void check_collinear(struct model *m)
{
    for (size_t r = 0; r < m->solution.nrelations; r++) {
        const double *relation = m->solution.relations + r * m->structure.ncolumns;
        const char **names = arena_alloc(m->arena, m->structure.ncolumns, sizeof *names);
        size_t n = 0, columns = 0, last = 0;
        for (size_t j = 0; j < m->structure.ncolumns; j++)
            if (relation[j] != 0) { /* the pieces of a constant follow each other */
                if (!columns++ || column_constant(m, j) != column_constant(m, last))
                    names[n++] = column_constant(m, j)->name;
                last = j;
            }
        char *fixed = fixed_variables(m, relation);
        const char *advice =
            *fixed ? "measure with other values of it"
                   : "measure points where these terms differ, or leave one of them out";
        if (columns == 1)
            SAY(m, "undetermined", advice,
                "%s cannot be determined: its term %s is 0 at every point%s%s", names[0],
                formula_text(m->arena,
                             model_term(m->arena, m, m->structure.columns[last].constant)),
                *fixed ? ": " : "", fixed);
        else
            SAY(m, "collinear", advice, "%s cannot be told apart: %s; %s is left out",
                join(m->arena, names, n),
                *fixed ? fixed : "their terms are proportional at all points",
                column_constant(m, last)->name);
    }
}

static void check_nearly_collinear(struct model *m)
{
    if (m->solution.nrelations || m->solution.condition < COLLINEAR_CONDITION || m->noise.dof <= 0)
        return;
    const char **names = arena_alloc(m->arena, m->structure.ncolumns, sizeof *names);
    size_t n = 0;
    bool vague = true;
    for (size_t j = 0; j < m->structure.ncolumns; j++) {
        const struct model_piece *c = m->structure.columns[j].fitted;
        if (fabs(m->solution.weakest[j]) < COLLINEAR_PART || !c)
            continue;
        names[n++] = column_constant(m, j)->name;
        vague = vague && c->low < 0 && c->high > 0;
    }
    if (n > 1 && vague)
        SAY(m, "nearly-collinear", "measure over a wider range, or leave one of the terms out",
            "%s can hardly be told apart: their terms change almost alike over the measured range",
            join(m->arena, names, n));
}

static void check_never_varies(struct model *m)
{
    const struct points *p = &m->points;
    for (size_t v = 0; v < p->nnames; v++) {
        bool named = false;
        char number[NUMBER_SIZE];
        if (p->n < 2 || !points_constant(p, v) ||
            !formula_uses(m->arena, m->formula.expanded, p->names[v]))
            continue;
        for (size_t r = 0; r < m->solution.nrelations && !named; r++)
            for (size_t j = 0; j < m->structure.ncolumns && !named; j++)
                named = m->solution.relations[r * m->structure.ncolumns + j] != 0 &&
                        formula_uses(m->arena, column_constant(m, j)->coefficient, p->names[v]);
        if (!named)
            SAY(m, "never-varies", "measure with other values of it",
                "%s never varies (it is always %s): the data do not test how the time depends on "
                "it",
                p->names[v], number_text(p->at[v][0], number));
    }
}

/* Differences below the clock resolution, or below the last digits of a point, are ignored. */
static bool is_visible(const struct model *m, size_t i, double difference)
{
    return fabs(difference) >
           fmax(m->points.floor_error[i], VISIBLE_PART * fabs(m->points.value[i]));
}

/* Does the term of a column change any point? */
static bool term_is_visible(const struct model *m, size_t j)
{
    for (size_t i = 0; i < m->points.n; i++)
        if (is_visible(m, i,
                       m->solution.value[j] * m->structure.design[i * m->structure.ncolumns + j]))
            return true;
    return false;
}

/* Whether the value of a column is a negative cost, certainly or not. */
static bool is_negative(const struct model *m, size_t j, bool certain)
{
    const struct model_piece *p = m->structure.columns[j].fitted;
    return p && p->value < 0 && (p->high < 0) == certain && !column_constant(m, j)->is_exponent &&
           term_is_visible(m, j);
}

/* "f[1] is negative for N in (1024, 4096], and its interval does"; of several values one warning: "3 of the 4
 * values of f[1] are negative (first for N in (1024, 4096]), and their intervals do". */
static void tell_negative(struct model *m, size_t constant, bool certain)
{
    const struct model_columns c = model_columns(m);
    size_t n = 0, all = 0;
    const struct model_piece *first = NULL;
    for (size_t j = c.n; j-- > 0;)
        if (c.list[j].constant == constant) {
            bool counts = is_negative(m, j, certain);
            n += counts;
            all += c.list[j].fitted != NULL;
            first = counts ? c.list[j].fitted : first;
        }
    if (!first)
        return;
    const char *name = m->constants[constant].name;
    const char *where = where_text(m->arena, first);
    const char *what =
        n == 1 ? arena_printf(m->arena, "%s is negative%s, %s its interval", name, where,
                              certain ? "and" : "but")
               : arena_printf(m->arena, "%zu of the %zu values of %s are negative (first%s), %s %s",
                              n, all, name, where, certain ? "and" : "but", "their intervals");
    if (certain)
        SAY(m, "negative", "check the formula, or fit with 'nonneg'",
            "%s %s not contain zero: a cost cannot be negative", what, n == 1 ? "does" : "do");
    else
        SAY(m, "negative", "leave its term out, or fit with 'nonneg'",
            "%s %s zero: the data hardly determine %s", what, n == 1 ? "contains" : "contain",
            n == 1 ? "it" : "them");
}

static void check_negative(struct model *m)
{
    if (points_is_computed(&m->request.points)) /* rates and ratios are not costs */
        return;
    for (size_t i = 0; i < m->nconstants; i++) {
        tell_negative(m, i, true);
        tell_negative(m, i, false);
    }
}

static void check_few_points(struct model *m)
{
    size_t unknowns = 0, n = m->structure.used;
    for (size_t j = 0; j < m->nconstants; j++)
        unknowns += m->constants[j].at_bound ? 0 : m->constants[j].npieces;
    if (n > unknowns)
        return;
    bool repeated = m->noise.dof > 0;
    SAY(m, "few-points",
        repeated ? "measure more points, at least two for each constant"
                 : "measure more points, at least two for each constant, several times each",
        "there are as many constants as points (%zu), so the formula fits any data%s", n,
        repeated ? "; the intervals come from the repetitions alone"
                 : "; without repetitions there are no intervals");
}

/* Exact counts have no noise; measured data without noise are strange. */
static void check_noise_free(struct model *m)
{
    bool counted = true;
    for (size_t i = 0; i < m->points.n; i++)
        counted &= m->points.settings[i].counted == m->points.settings[i].samples;
    if (m->noise.none && !counted)
        SAY(m, "noise-free", "",
            "the data follow the formula exactly: the intervals have zero width");
}

/* The formula is wrong, or a constant is not the same over the whole range. */
static void check_misfit(struct model *m)
{
    if (m->split.found && m->split.term_error < MISFIT_PERCENT)
        return; /* the values that cause it are named */
    if (isnan(m->noise.misfit) && m->noise.dof > 0 && m->error.mean_pct > MISFIT_PERCENT_ALONE)
        SAY(m, "misfit",
            "try another formula ('search', 'compare'), or measure each point several times to "
            "see the noise",
            "the points differ from the formula by %s %% on average",
            number_decimals(m->error.mean_pct, 0, NUMBER_BUFFER));
    if (!(m->noise.misfit > MISFIT_TIMES) || !(m->error.mean_pct > MISFIT_PERCENT))
        return;
    if (isinf(m->noise.misfit))
        SAY(m, "misfit", "try another formula ('search', 'compare')",
            "the points differ from the formula by %s %% on average, but their repetitions agree "
            "exactly",
            number_decimals(m->error.mean_pct, 0, NUMBER_BUFFER));
    if (isinf(m->noise.misfit))
        return;
    SAY(m, "misfit",
        "try another formula ('search', 'compare'), or fit parts of the range with 'where'",
        "the points differ from the formula by %s %% on average, %.2g times more than their "
        "repetitions explain",
        number_decimals(m->error.mean_pct, 0, NUMBER_BUFFER), m->noise.misfit);
}

/* The point whose tuple the row has, SIZE_MAX if none. */
static size_t point_of_row(const struct points *p, const struct experiment *e, size_t row)
{
    for (size_t i = 0; i < p->n; i++) {
        bool same = true;
        for (size_t j = 0; j < p->nnames && same; j++) {
            size_t column = experiment_find_variable(e, p->names[j]);
            same =
                p->at[j][i] == column_at(&e->columns[column == SIZE_MAX ? FIELD_P : column], row);
        }
        if (same)
            return i;
    }
    return SIZE_MAX;
}

/* Of a point's residual, with what its runs have in common. */
static double residual_variance(const struct model *m, size_t i)
{
    return m->weights.variance[i] / (1 - m->noise.in_runs);
}

/* A point that was always the first of its run and is slower than the others predict: caches, page
 * faults, clock frequency. */
static void check_cold(struct model *m)
{
    const struct points *p = &m->points;
    const struct experiment *e = m->request.points.experiment;
    size_t point = SIZE_MAX, runs = 0;
    for (size_t row = 0; row < e->nrows && runs < COLD_MOST_RUNS; row++) {
        if (column_at(&e->columns[FIELD_SEQ], row) != 0)
            continue;
        size_t i = point_of_row(p, e, row);
        if (runs++ > 0 && i != point)
            return;
        point = i;
    }
    if (point == SIZE_MAX || p->count[point] > runs ||
        1 - m->solution.leverage[point] < LEVERAGE_ROOM || p->n < COLD_LEAST_POINTS)
        return;
    double residual = p->value[point] - m->solution.fitted[point];
    double without = p->value[point] - residual / (1 - m->solution.leverage[point]);
    if (p->value[point] > COLD_TIMES * fmax(without, 0) &&
        residual * residual > COLD_DEVIATIONS * COLD_DEVIATIONS * residual_variance(m, point) *
                                  (1 - m->solution.leverage[point]))
        SAY(m, "cold",
            "execute the region once before the sweep, or leave the point out with 'where'",
            "%s was measured first in every run, and is slower than the other points predict",
            points_label(m->arena, p, point));
}

/* Points that a warning is about, those that are farthest from the model first. */
struct far_points {
    const struct model *m;
    size_t *list, n;
};

static struct far_points far_points(const struct model *m)
{
    return (struct far_points){m, arena_alloc(m->arena, m->points.n, sizeof(size_t)), 0};
}

/* As a ratio, so that half the model is as far as twice the model. */
static double distance(const struct model *m, size_t i)
{
    double times = m->points.value[i] / m->solution.fitted[i];
    return times > 0 ? fabs(log(times)) : INFINITY;
}

static int by_distance(const void *x, const void *y, void *context)
{
    size_t i = *(const size_t *)x, k = *(const size_t *)y;
    double a = distance(context, i), b = distance(context, k);
    if (a != b)
        return a > b ? -1 : 1;
    return i < k ? -1 : 1;
}

/* "N=64 (+49 %), N=128 (+7 %), ..." */
static char *far_text(struct far_points *f, const char *(*describe)(const struct model *, size_t))
{
    sort_with(f->list, f->n, sizeof *f->list, by_distance, (void *)f->m);
    TEXT_LOCAL struct text t = text_new();
    for (size_t k = 0; k < f->n && k < WARNING_NAMED_POINTS; k++)
        text_printf(&t, "%s%s (%s)", k ? ", " : "",
                    points_label(f->m->arena, &f->m->points, f->list[k]),
                    describe(f->m, f->list[k]));
    return arena_printf(f->m->arena, "%s%s", t.s, f->n > WARNING_NAMED_POINTS ? ", ..." : "");
}

static double relative_residual(const struct model *m, size_t i)
{
    return m->points.value[i] / m->solution.fitted[i] - 1;
}

static const char *percent_off(const struct model *m, size_t i)
{
    double relative = relative_residual(m, i);
    return arena_printf(m->arena, "%s%s %%", relative > 0 ? "+" : "",
                        number_decimals(100 * relative, 0, NUMBER_BUFFER));
}

static void check_outliers(struct model *m)
{
    const struct points *p = &m->points;
    struct far_points far = far_points(m);
    size_t unknowns = 0;
    for (size_t j = 0; j < m->nconstants; j++)
        unknowns += m->constants[j].npieces;
    double dof = (double)m->structure.used - (double)unknowns;
    if (dof < OUTLIER_LEAST_DOF || m->noise.none)
        return;
    double limit = gsl_cdf_tdist_Qinv(OUTLIER_LEVEL / 2 / (double)p->n, dof - 1);
    for (size_t i = 0; i < p->n; i++) {
        double room = 1 - m->solution.leverage[i], off = p->value[i] - m->solution.fitted[i];
        if (room < LEVERAGE_ROOM || m->structure.left_out[i])
            continue;
        double t = off / sqrt(residual_variance(m, i) * room), rest = dof - t * t;
        double deleted = rest > STUDENTISED_ROOM ? fabs(t) * sqrt((dof - 1) / rest) : INFINITY;
        if (deleted > limit && is_visible(m, i, off) &&
            !(fabs(relative_residual(m, i)) < OUTLIER_NEGLIGIBLE))
            far.list[far.n++] = i;
    }
    if (far.n)
        SAY(m, "outlier", "measure there again, or leave it out with 'where'",
            "%zu point%s far from the model: %s", far.n, far.n == 1 ? " is" : "s are",
            far_text(&far, percent_off));
}

/* How far a point that was left out is from the model: as a factor where both are positive, and in percent if it is near. */
static const char *from_the_model(const struct model *m, size_t i)
{
    double value = m->points.value[i], fitted = m->solution.fitted[i], times = value / fitted;
    if (!(value > 0 && fitted > 0))
        return arena_printf(m->arena, "measured %.3g, model %.3g", value, fitted);
    if (times > 0.9 && times < 1.1)
        return percent_off(m, i);
    return arena_printf(m->arena, "%.2g times the model", times);
}

static void check_left_out(struct model *m)
{
    struct far_points far = far_points(m);
    for (size_t i = 0; i < m->points.n; i++)
        if (m->structure.left_out[i])
            far.list[far.n++] = i;
    if (far.n)
        SAY(m, "left-out", "measure there again; 'outliers keep' uses such points",
            "%zu point%s left out of the fit: %s", far.n,
            far.n == 1 ? " is an outlier and" : "s are outliers and",
            far_text(&far, from_the_model));
}

/* Short points that would not be short without the pairs nested in them, or of whose value more
 * was subtracted for these than a point may be short by. */
static size_t short_by_nested(const struct model *m, double *most)
{
    const struct points *p = &m->points;
    size_t n = 0;
    *most = 0;
    for (size_t i = 0; i < p->n; i++) {
        double pairs = 1 + p->nested[i];
        bool alone = points_is_below(p->value[i], p->overhead[i] / pairs, TRUSTED_OVERHEADS) &&
                     pairs < TRUSTED_OVERHEADS;
        if (!points_is_below(p->value[i], p->overhead[i], TRUSTED_OVERHEADS) || alone)
            continue;
        *most = fmax(*most, p->nested[i]);
        n++;
    }
    return n;
}

static void check_short(struct model *m)
{
    double nested;
    size_t n = m->noise.short_points;
    if (n == 0)
        return;
    if (2 * short_by_nested(m, &nested) > n) {
        SAY(m, "nested",
            "measure without the pragmas of the nested regions, or put each of them around more "
            "work",
            "%s less than %d times the overhead of the regions nested in it: up to %.0f of them "
            "end inside one execution",
            n == m->points.n
                ? "every point lasts"
                : arena_printf(m->arena, "each of %zu of %zu points lasts", n, m->points.n),
            TRUSTED_OVERHEADS, nested);
        return;
    }
    if (m->noise.short_points == m->points.n) {
        SAY(m, "empty",
            "check whether the compiler moved the work out of the region (cll_keep() prevents "
            "it), or put a loop inside the region",
            "every point lasts less than %d overheads: the region does almost nothing",
            TRUSTED_OVERHEADS);
        return;
    }
    SAY(m, "short", "measure larger sizes, or put a loop inside the region",
        "%zu of %zu points last less than %d times their overhead, and have little weight",
        m->noise.short_points, m->points.n, TRUSTED_OVERHEADS);
}

/* Most long samples were preempted; or first executions were left out. */
static void check_preempted(struct model *m)
{
    const struct points_account *a = &m->points.account;
    if (!a->watched || (double)a->preempted < PREEMPTED_MOST_SHARE * (double)a->watched)
        return;
    char *more = arena_strdup(m->arena, "");
    if (a->by_cpu_points)
        more = arena_printf(
            m->arena, "; at %zu of %zu points every one was, and their CPU time is used there",
            a->by_cpu_points, m->points.n);
    else if (a->kept)
        more = arena_printf(m->arena, "; %zu of them are used, because their points have no others",
                            a->kept);
    SAY(m, "preempted",
        arena_printf(m->arena,
                     "measure at a quieter time; 'fit %s on CPUTIME' fits the time on the core",
                     m->request.points.experiment->name),
        "%zu of %zu long samples were preempted: the machine is busy%s", a->preempted, a->watched,
        more);
}

/* Which mode the values describe; with quantiles that follow P: in most of the points. */
static const char *described_mode(const struct points *p, double low_share, size_t found)
{
    enum statistic s = p->request->statistic;
    size_t slow = 0;
    for (size_t i = 0; p->level && i < p->n; i++)
        slow += p->modes[i].two && p->level[i] > p->modes[i].low_share;
    if (p->level)
        return 2 * slow > found ? "the values describe the slow one"
                                : "the values describe the fast one";
    return statistics[s].is_spread                    ? "the spread contains how far they are apart"
           : s == STATISTIC_MEAN                      ? "the mean describes a mixture of both"
           : s == STATISTIC_MEDIAN && low_share < 0.5 ? "the median describes the slow one"
           : s == STATISTIC_MEDIAN                    ? "the median describes the fast one"
           : s == STATISTIC_MIN                       ? "the minimum describes the fast one"
                                : "the 10th percentile describes the fast one";
}

static void check_two_modes(struct model *m)
{
    const struct points *p = &m->points;
    size_t found = 0, first = 0;
    double *ratios = arena_alloc(m->arena, p->n, sizeof *ratios), low_share = 0;
    for (size_t i = 0; i < p->n; i++) {
        if (!p->modes[i].two)
            continue;
        if (found == 0)
            first = i;
        low_share += p->modes[i].low_share;
        ratios[found++] = p->modes[i].high / p->modes[i].low;
    }
    if (found == 0)
        return;
    double ratio = stats_quantile(ratios, found, 0.5), share = low_share / (double)found;
    enum statistic s = m->request.points.statistic;
    const char *text = arena_printf(
        m->arena, "%zu of %zu points (first %s) %s two modes, %.2g times apart (%.0f %% fast): %s",
        found, p->n, points_label(m->arena, p, first), found == 1 ? "has" : "have", ratio,
        100 * share, described_mode(p, share, found));
    if (ratio >= MODES_OF_PROGRAM)
        SAY(m, "two-paths",
            "the executions do different work: state what differs as a variable of the region, or "
            "split it; 'statistic mean' describes their sum",
            "%s", text);
    else
        SAY(m, "two-modes",
            s == STATISTIC_MEAN
                ? "use 'statistic p10'; spread the repetitions over a longer time"
                : "spread the repetitions over a longer time; a busy neighbour causes this",
            "%s", text);
}

/* Sorts points so that those that differ in one variable only are adjacent. */
struct by_others {
    const struct points *points;
    size_t variable;
};

static int by_others(const void *x, const void *y, void *context)
{
    const struct by_others *c = context;
    size_t a = *(const size_t *)x, b = *(const size_t *)y;
    for (size_t v = 0; v < c->points->nnames; v++) {
        const double *at = c->points->at[v];
        int compared = v == c->variable ? 0 : stats_compare(at[a], at[b]);
        if (compared)
            return compared;
    }
    return a < b ? -1 : a > b;
}

static bool alike_in_others(const struct points *p, size_t v, size_t a, size_t b)
{
    for (size_t w = 0; w < p->nnames; w++)
        if (w != v && p->at[w][a] != p->at[w][b])
            return false;
    return true;
}

/* Whether the values stay the same, within the noise, over a wide range of the variable. */
static bool ignores_variable(const struct model *m, size_t v, double *most)
{
    const struct points *p = &m->points;
    MEM_LOCAL size_t *order = mem_alloc(p->n, sizeof *order);
    for (size_t i = 0; i < p->n; i++)
        order[i] = i;
    sort_with(order, p->n, sizeof *order, by_others, &(struct by_others){p, v});
    bool ignores = true, seen = false;
    *most = 1;
    for (size_t begin = 0, end; begin < p->n && ignores; begin = end) {
        double low = INFINITY, high = -INFINITY, from = INFINITY, to = -INFINITY;
        for (end = begin;
             end < p->n && (end == begin || alike_in_others(p, v, order[begin], order[end]));
             end++) {
            low = fmin(low, p->value[order[end]]), high = fmax(high, p->value[order[end]]);
            from = fmin(from, p->at[v][order[end]]), to = fmax(to, p->at[v][order[end]]);
        }
        if (from == to || to < INDEPENDENT_RANGE * from)
            continue;
        seen = true;
        double noise = fmin(m->noise.dof > 0 ? m->noise.relative : 0, INDEPENDENT_MOST_NOISE);
        ignores =
            low > 0 && high / low < 1 + fmax(INDEPENDENT_CHANGE, INDEPENDENT_TIMES_NOISE * noise);
        *most = fmax(*most, high / low);
    }
    return ignores && seen;
}

static void check_independent(struct model *m)
{
    const struct points *p = &m->points;
    for (size_t v = 0; v < p->nnames; v++) {
        double most;
        if (p->n < 2 || points_constant(p, v) ||
            !formula_uses(m->arena, m->formula.expanded, p->names[v]) ||
            !ignores_variable(m, v, &most))
            continue;
        SAY(m, "independent",
            "check whether the compiler moved the work out of the region (cll_keep() prevents it)",
            "%s does not depend on %s: it changes by only %.1f %%", m->request.points.observable,
            p->names[v], 100 * (most - 1));
    }
}

/* Sources of one program may have flags of their own, and a file has those of the source that came first. */
static bool same_build(const struct data_file *x, const struct data_file *y)
{
    return x->build && y->build && *x->build && strcmp(x->build, y->build) == 0;
}

/* What must be the same in all files for their times to belong together. */
static void check_mixed(struct model *m)
{
    const struct points_request *r = &m->request.points;
    const struct experiment *e = r->experiment;
    static const struct {
        const char *what;
        size_t offset;
    } fields[] = {{"processors", offsetof(struct data_file, cpu)},
                  {"compilers", offsetof(struct data_file, compiler)},
                  {"flags", offsetof(struct data_file, flags)}};
    for (size_t k = 0; k < sizeof fields / sizeof *fields; k++) {
        const char *first = NULL;
        const struct data_file *of = NULL;
        for (size_t s = 0; s < e->nsegments; s++) {
            const struct data_file *f = &r->dataset->files[e->segments[s].file];
            const char *value = *(const char *const *)((const char *)f + fields[k].offset);
            if (!value || !*value || !m->points.from[s])
                continue;
            if (first && strcmp(first, value) != 0 && !(k > 0 && same_build(of, f))) {
                SAY(m, "mixed", "load only files of one build and one machine together",
                    "the files come from different %s: '%s' and '%s'", fields[k].what, first,
                    value);
                break;
            }
            first = value;
            of = f;
        }
    }
}

static void check_files(struct model *m)
{
    const struct points_request *r = &m->request.points;
    const struct experiment *e = r->experiment;
    double abandoned = 0;
    size_t thinned = 0, truncated = 0;
    const char *reason = NULL;
    for (size_t s = 0; s < e->nsegments; s++) {
        const struct data_file *f = &r->dataset->files[e->segments[s].file];
        abandoned += f->abandoned;
        thinned += f->thinned != THINNED_NO;
        truncated += f->truncated;
        for (size_t i = 0; i < f->nabsents; i++)
            if (strcmp(f->absents[i].observable, r->observable) == 0)
                reason = f->absents[i].reason;
    }
    if (abandoned > 0)
        SAY(m, "abandoned", "look for longjmp or exit inside the regions",
            "%.0f sample%s begun and never ended in these files (in this or other experiments); "
            "%s left out",
            abandoned, abandoned == 1 ? " was" : "s were", abandoned == 1 ? "it is" : "they are");
    if (reason)
        SAY(m, "absent", "", "%s could not be measured in every run: %s", r->observable, reason);
    if (thinned)
        SAY(m, "thinned", "raise CLL_MEMORY to keep more",
            "%zu of %zu files have only a selection of their samples, because the memory was used "
            "up",
            thinned, e->nsegments);
    if (truncated)
        SAY(m, "truncated", "", "%zu of %zu files were cut off: only their complete rows are used",
            truncated, e->nsegments);
}

/* Conditions that leave samples out by what was measured: what is left has another distribution. */
static void check_filtered(struct model *m)
{
    const struct points_request *r = &m->request.points;
    for (size_t i = 0; i < r->nconditions; i++)
        if (points_uses_observables(m->arena, r->experiment, r->conditions[i].formula)) {
            SAY(m, "filtered", "choose by variables or runs instead, or leave the condition out",
                "a condition leaves samples out by what was measured: values and intervals "
                "describe the others alone");
            return;
        }
}

/* The hypervisor counts for a host; several files of one run say the same. */
static void check_stolen(struct model *m)
{
    const struct experiment *e = m->request.points.experiment;
    double stolen = 0, wanted = 0;
    for (size_t s = 0; s < e->nsegments; s++) {
        const struct data_file *f = &m->request.points.dataset->files[e->segments[s].file];
        stolen += m->points.from[s] ? f->host_state.stolen : 0;
        wanted += m->points.from[s] ? f->host_state.wanted : 0;
    }
    if (stolen >= STOLEN_LEAST_SECONDS && stolen > STOLEN_SHARE * wanted)
        SAY(m, "stolen", "measure longer, or on a machine whose cores are not shared",
            "other virtual machines took %.0f %% of the time that the cores of this one wanted to "
            "work",
            100 * stolen / wanted);
}

/* At the begin of a run a core may still be slow. */
static void check_frequency(struct model *m)
{
    const struct experiment *e = m->request.points.experiment;
    double low = 0, high = 0;
    for (size_t s = 0; s < e->nsegments; s++) {
        const struct data_file *f = &m->request.points.dataset->files[e->segments[s].file];
        double end = m->points.from[s] ? f->host_state.frequency[1] : 0;
        low = end > 0 && (low == 0 || end < low) ? end : low;
        high = fmax(high, end);
    }
    if (high > (1 + FREQUENCY_CHANGE) * low)
        SAY(m, "frequency", "fix the frequency (cpupower frequency-set), or measure more rounds",
            "the cores ran at %.2f GHz in some runs and at %.2f GHz in others", low / 1e9,
            high / 1e9);
}

/* What the host did matters to times, not to counts. */
static void check_host(struct model *m)
{
    if (strcmp(observe_unit(m->request.points.observable), "s") != 0)
        return;
    check_stolen(m);
    check_frequency(m);
}

/* Makes all checks, in a fixed order. */
static void diagnose(struct model *m)
{
    static void (*const checks[])(struct model *) = {
        check_collinear,
        check_never_varies,
        check_few_points,
        check_noise_free,
        check_nearly_collinear,
        check_negative,
        check_independent,
        check_left_out,
        divisible_diagnose,
        check_misfit,
        residuals_diagnose,
        diagnose_machine,
        check_cold,
        check_outliers,
        check_short,
        check_preempted,
        check_two_modes,
        check_mixed,
        diagnose_settings,
        check_files,
        check_filtered,
        check_host,
    };
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++)
        checks[i](m);
}

/* ---- fits with their diagnosis */

struct model *model_fit(struct arena *a, const struct fit_request *request, struct diag *diag)
{
    struct model *m = fit_model(a, request, diag);
    if (m)
        diagnose(m);
    return m;
}

struct model *model_fit_points(struct arena *a, const struct fit_request *request,
                               const struct points *points, struct diag *diag)
{
    struct model *m = fit_model_points(a, request, points, diag);
    if (m)
        diagnose(m);
    return m;
}
