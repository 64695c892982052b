/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Diagnosis of residuals and samples: does the formula miss something smooth, does a term add
 * nothing, do the points stray more than their repetitions, was the machine slow for a while.
 *
 * A correct formula on good data must cause no warning: chance gives a finding in about one of a
 * thousand fits, and a finding must also be large enough to matter (a percentage, a factor).
 */
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/diagnose.h"
#include "base/number.h"
#include "base/printable.h"
#include "base/text.h"

/* ---- residuals in the order of a variable ---- */

struct series {
    double *value; /* mean standardised residual of each distinct value of the variable */
    size_t n;
    double size; /* root mean square of the relative residuals */
};

static struct series residuals_along(struct model *m, size_t variable)
{
    const struct points *p = &m->points;
    size_t *order = arena_alloc(m->arena, p->n, sizeof *order), n = 0, count = 0;
    struct series s = {.value = arena_alloc(m->arena, p->n, sizeof(double))};
    double squares = 0, sum = 0;
    for (size_t i = 0; i < p->n; i++)
        if (!m->structure.left_out[i] && m->solution.fitted[i] > 0)
            order[n++] = i;
    stats_order(order, n, p->at[variable]);
    for (size_t k = 0; k < n; k++) {
        size_t i = order[k];
        double relative = (p->value[i] - m->solution.fitted[i]) / m->solution.fitted[i];
        squares += relative * relative;
        sum += (p->value[i] - m->solution.fitted[i]) / sqrt(m->weights.variance[i]);
        count++;
        if (k + 1 == n || p->at[variable][order[k + 1]] != p->at[variable][i]) {
            s.value[s.n++] = sum / sqrt((double)count);
            sum = 0;
            count = 0;
        }
    }
    s.size = n ? sqrt(squares / (double)n) : 0;
    return s;
}

/* How many unknowns bend along with the residuals: they cost degrees of freedom. */
static size_t unknowns_of(const struct model *m)
{
    size_t n = 0;
    for (size_t j = 0; j < m->nconstants; j++)
        n += m->constants[j].npieces;
    return n;
}

/* Neighbouring residuals alike: the autocorrelation at distance one, against its distribution for
 * independent residuals of a fit (mean near -1/n per unknown, variance near 1/n). */
static double autocorrelation(const struct series *s, double *z)
{
    double products = 0, squares = 0, n = (double)s->n;
    for (size_t i = 0; i < s->n; i++) {
        squares += s->value[i] * s->value[i];
        if (i + 1 < s->n)
            products += s->value[i] * s->value[i + 1];
    }
    double r = squares > 0 ? products / squares : 0;
    *z = r * sqrt(n);
    return r;
}

static void check_residuals(struct model *m)
{
    size_t unknowns = unknowns_of(m);
    double limit = gsl_cdf_ugaussian_Qinv(FINDING_BY_CHANCE);
    for (size_t v = 0; v < m->points.nnames; v++) {
        if (points_constant(&m->points, v) || m->noise.none)
            continue;
        struct series s = residuals_along(m, v);
        double z, r;
        if (s.n < TREND_LEAST_VALUES || s.n < unknowns + TREND_SPARE_VALUES ||
            s.size < TREND_LEAST_SIZE)
            continue;
        r = autocorrelation(&s, &z);
        if (z > limit)
            SAY(m, "trend", "try another formula ('search', 'compare')",
                "the residuals along %s are correlated (%.2f; size %.1f %%): the formula misses a "
                "smooth dependence on %s",
                m->points.names[v], r, 100 * s.size, m->points.names[v]);
    }
}

/* ---- variables that the formula does not have ---- */

static bool in_formula(struct model *m, size_t variable)
{
    if (formula_uses(m->arena, m->formula.expanded, m->points.names[variable]))
        return true;
    for (size_t c = 0; c < m->structure.pieces->nboundaries; c++)
        if (model_place_uses(m->arena, m, m->structure.pieces->boundaries[c].variable,
                             m->points.names[variable]))
            return true;
    return false;
}

/* Analysis of variance of the relative residuals over the values of the variable. Returns how much
 * the means differ if chance does not explain that, else 0. */
static double change_along(struct model *m, size_t variable)
{
    const struct points *p = &m->points;
    double value[UNUSED_MOST_VALUES], sum[UNUSED_MOST_VALUES] = {0},
                                      count[UNUSED_MOST_VALUES] = {0}, squares = 0, between = 0,
                                      n = 0, whole = 0, low = INFINITY, high = -INFINITY;
    size_t values = 0;
    for (size_t i = 0; i < p->n; i++) {
        size_t k = 0;
        if (m->structure.left_out[i] || !(m->solution.fitted[i] > 0))
            continue;
        while (k < values && value[k] != p->at[variable][i])
            k++;
        if (k == UNUSED_MOST_VALUES)
            return 0;
        if (k == values)
            value[values++] = p->at[variable][i];
        double r = p->value[i] / m->solution.fitted[i] - 1;
        sum[k] += r;
        count[k]++;
        squares += r * r;
        whole += r;
        n++;
    }
    for (size_t k = 0; k < values; k++) {
        between += sum[k] * sum[k] / count[k];
        low = fmin(low, sum[k] / count[k]);
        high = fmax(high, sum[k] / count[k]);
    }
    double groups = (double)values, dof = n - groups, within = squares - between;
    between -= n > 0 ? whole * whole / n : 0;
    if (values < 2 || dof < groups)
        return 0;
    double f = within > 0 ? between / (groups - 1) / (within / dof) : INFINITY;
    bool clear = isinf(f) || gsl_cdf_fdist_Q(f, groups - 1, dof) < FINDING_BY_CHANCE;
    return clear && high - low >= UNUSED_LEAST_CHANGE ? high - low : 0;
}

static void check_unused_variables(struct model *m)
{
    for (size_t v = 0; v < m->points.nnames && !m->noise.none; v++) {
        if (points_constant(&m->points, v) || in_formula(m, v))
            continue;
        double change = change_along(m, v);
        if (change > 0)
            SAY(m, "unused-variable",
                arena_printf(m->arena,
                             "add %s to the formula, or fit each of its values by itself ('where')",
                             m->points.names[v]),
                "the points differ by %.0f %% with %s, which the formula does not have",
                100 * change, m->points.names[v]);
    }
}

/* ---- too many intervals ---- */

/* The papers' warning: with the right formula a machine has few regimes. */
static void check_many_intervals(struct model *m)
{
    for (size_t v = 0; v < model_places(m) && m->request.intervals.mode != INTERVALS_GIVEN; v++) {
        size_t intervals = 1;
        for (size_t c = 0; c < m->structure.pieces->nboundaries; c++)
            intervals += m->structure.pieces->boundaries[c].variable == v;
        if (intervals <= MANY_INTERVALS)
            continue;
        SAY(m, "many-intervals",
            m->structure.missing.text
                ? "check the formula"
                : "check the formula; no single further term replaces the intervals",
            "the fit needs %zu intervals on %s: the formula may be wrong", intervals,
            model_place_name(m, v));
    }
}

/* ---- terms without effect ---- */

/* Even the largest value its interval allows changes no point noticeably. */
static void check_useless_terms(struct model *m)
{
    size_t k = m->structure.ncolumns;
    if (k < 2 || m->noise.dof <= 0)
        return;
    for (size_t j = 0; j < k; j++) {
        const struct model_piece *c = m->structure.columns[j].fitted;
        double most = 0, share = 0;
        const struct model_constant *constant = &m->constants[m->structure.columns[j].constant];
        if (!c || c->low > 0 || c->high < 0 || constant->npieces > 1 || constant->at_bound)
            continue;
        most = fmax(fabs(c->low), fabs(c->high));
        for (size_t i = 0; i < m->points.n; i++)
            if (m->solution.fitted[i] > 0)
                share = fmax(share,
                             most * fabs(m->structure.design[i * k + j]) / m->solution.fitted[i]);
        if (share < TERM_NEGLIGIBLE)
            SAY(m, "adds-nothing", "leave its term out, or measure where it matters",
                "%s adds nothing: its interval contains zero, and its term is at most %.1f %% of "
                "any point",
                m->constants[m->structure.columns[j].constant].name, 100 * share);
    }
}

/* ---- slow phases ---- */

/* Samples of one run as ratios to their point's median, in the order of time. */
struct moment {
    unsigned run;
    double start, ratio;
};

static int by_time(const void *x, const void *y)
{
    const struct moment *a = x, *b = y;
    if (a->run != b->run)
        return a->run < b->run ? -1 : 1;
    return a->start < b->start ? -1 : a->start > b->start;
}

static size_t collect_moments(const struct model *m, struct moment *out)
{
    const struct points *p = &m->points;
    MEM_LOCAL double *scratch = mem_alloc(p->samples, sizeof *scratch);
    size_t n = 0;
    for (size_t i = 0; i < p->n; i++) {
        size_t first = p->first_sample[i], count = p->first_sample[i + 1] - first;
        if (count < SLOW_LEAST_REPETITIONS)
            continue;
        memcpy(scratch, p->sample + first, count * sizeof *scratch);
        double low = stats_quantile(scratch, count, SLOW_USUAL_QUANTILE);
        for (size_t k = first; k < first + count && low > 0; k++)
            out[n++] = (struct moment){p->run[k], p->start[k], p->sample[k] / low};
    }
    qsort(out, n, sizeof *out, by_time);
    return n;
}

/* "run 2", as the column `run` has it; "run 2 of b.dat" where the runs come from several files. */
static const char *run_text(struct model *m, unsigned run)
{
    const struct points *p = &m->points;
    const struct points_run *r = &p->runs[run];
    bool several = false;
    for (size_t i = 0; i < p->nruns && !several; i++)
        several = p->runs[i].file != r->file;
    if (!several)
        return arena_printf(m->arena, "run %.0f", r->number);
    const char *path = m->request.points.dataset->files[r->file].path;
    TEXT_LOCAL struct text name = text_new();
    text_add_printable(&name, path, strlen(path));
    return arena_printf(m->arena, "run %.0f of %s", r->number, name.s);
}

static bool is_slow(const struct moment *x)
{
    return x->ratio > SLOW_TIMES;
}

/* Stretches of one run in which nearly all samples are slow: the longest, and how many samples are
 * in any. */
struct phases {
    size_t first, length, samples;
};

static struct phases find_phases(const struct moment *list, size_t n)
{
    struct phases found = {0, 0, 0};
    for (size_t i = 0, next; i < n; i = next) {
        size_t calm = 0;
        next = i + 1;
        if (!is_slow(&list[i]))
            continue;
        for (; next < n && list[next].run == list[i].run && calm < SLOW_CALM_SAMPLES; next++)
            calm = is_slow(&list[next]) ? 0 : calm + 1;
        size_t length = next - i - calm;
        if (length < SLOW_LEAST_SAMPLES || !(list[i + length - 1].start > list[i].start))
            continue; /* without times nothing is known of phases */
        found.samples += length;
        if (length > found.length) {
            found.length = length;
            found.first = i;
        }
    }
    return found;
}

/* How often chance makes such a stretch where this share of n samples is slow. Its samples are slow,
 * or one that is not comes between two that are: each further sample has the chance that is the
 * larger eigenvalue of the matrix of these two states. */
static double phases_by_chance(double n, double share, size_t length)
{
    double further = (share + sqrt(share * share + 4 * share * (1 - share))) / 2;
    return n * share * pow(further, (double)length - 1);
}

static void check_phases(struct model *m)
{
    const struct points *p = &m->points;
    if (!p->run || !p->samples)
        return;
    MEM_LOCAL struct moment *list = mem_alloc(p->samples, sizeof *list);
    size_t n = collect_moments(m, list), slow = 0;
    struct phases found = find_phases(list, n);
    for (size_t i = 0; i < n; i++)
        slow += is_slow(&list[i]);
    double share = n ? (double)slow / (double)n : 0;
    if (found.length && share < SLOW_MOST_SHARE &&
        phases_by_chance((double)n, share, found.length) < FINDING_BY_CHANCE) {
        const struct moment *first = &list[found.first];
        double sum = 0, terms = 0;
        for (size_t i = 0; i < found.length; i++) {
            sum += is_slow(&first[i]) ? log(first[i].ratio) : 0;
            terms += is_slow(&first[i]);
        }
        SAY(m, "slow-phase",
            "measure in more rounds, over a longer time; low percentiles avoid such phases",
            "the machine was slow for a while: %zu samples in a row took %.2g times as long "
            "(%.3g s to %.3g s of %s); %.0f %% of all samples are slow",
            found.length, exp(sum / terms), first->start, first[found.length - 1].start,
            run_text(m, first->run), 100.0 * (double)found.samples / (double)n);
    }
}

/* ---- a missing term ---- */

/* The term, and intervals, and what each of them explains; which of them llac took. */
static void check_missing_term(struct model *m)
{
    const struct model_missing_term *t = &m->structure.missing;
    const char *name = m->request.points.experiment->base;
    bool made = m->structure.pieces->nboundaries > 0;
    double intervals =
               made ? m->error.mean_pct : t->intervals, /* what the fit has, as it is printed */
        plain = made ? t->plain : m->error.mean_pct;
    unsigned next = 0;
    if (!t->text)
        return;
    for (size_t j = 0; j < m->nconstants; j++)
        next = m->constants[j].index >= next ? m->constants[j].index + 1 : next;
    char *formula = arena_printf(m->arena, "fit %s = %s + %s[%u]*%s", name,
                                 formula_text(m->arena, m->request.formula), name, next, t->text);
    SAY(m, "missing-term",
        made ? arena_printf(m->arena, "if the program has such a cost: '%s'", formula)
             : arena_printf(m->arena, "'%s'; or, with intervals: 'fit %s intervals always'",
                            formula, name),
        "%s: mean error %s %% with a term %s, %s %% with intervals (%zu more numbers), %s %% with "
        "neither",
        !made        ? "the formula misses a term, and llac made no intervals"
        : t->instead ? "the formula misses a term"
                     : "the formula may miss a term",
        number_digits(t->error, 2, NUMBER_BUFFER), t->text,
        number_digits(intervals, 2, NUMBER_BUFFER), t->more_values,
        number_digits(plain, 2, NUMBER_BUFFER));
}

void residuals_diagnose(struct model *m)
{
    check_missing_term(m);
    check_unused_variables(m);
    check_many_intervals(m);
    check_residuals(m);
    check_useless_terms(m);
    check_phases(m);
}
