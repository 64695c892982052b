/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Constants that the data do not determine: their intervals contain zero. Inside the data their terms
 * cancel each other; beyond the data they do not. The formula without some of these terms then explains
 * the data as well, and costs are not negative. All such formulas become alternatives (average.c).
 *
 * Nothing is fitted again. The constants c have the covariance C; given that constant j is 0, the others
 * are c - C_j c_j / C_jj, with the covariance C - C_j C_j' / C_jj. This is the least-squares solution
 * without the term, with the same weights, pieces and noise. The squares that the residuals grow by are
 * c_j^2 / C_jj, in units of the noise. C is here the covariance without that of whole runs: a run that is
 * slow makes all constants larger and says nothing of their relation. What the runs do to the constants
 * that are left changes with them, by the same projection.
 */
#include <math.h>
#include <string.h>

#include "model/fit_internal.h"

/* A formula without some of the terms. */
struct subset {
    struct model *model;
    double plausible; /* as a logarithm */
};

/* Whether the data leave open that the value is 0. Costs are not negative: for a negative value the data
 * have to show more. */
static bool may_be_zero(const struct model_piece *p)
{
    double reach = fmax(p->high - p->value, UNDETERMINED_NEGATIVE * p->standard_error);
    return p->low <= 0 && p->value + reach >= 0;
}

static bool is_undetermined(const struct model_constant *c)
{
    for (size_t i = 0; i < c->npieces; i++)
        if (!may_be_zero(&c->pieces[i]))
            return false;
    return c->npieces > 0;
}

/* How far the constant is from zero, in standard errors: of its piece that is farthest. */
static double distance(const struct model_constant *c)
{
    double most = 0;
    for (size_t i = 0; i < c->npieces; i++)
        if (c->pieces[i].standard_error > 0)
            most = fmax(most, fabs(c->pieces[i].value) / c->pieces[i].standard_error);
    return most;
}

/* Takes away the one that is farthest from zero. */
static void remove_farthest(const struct model *m, size_t *list, size_t n)
{
    size_t far = 0;
    for (size_t i = 1; i < n; i++)
        if (distance(&m->constants[list[i]]) > distance(&m->constants[list[far]]))
            far = i;
    memmove(list + far, list + far + 1, (n - far - 1) * sizeof *list);
}

/* Those to try without. With nonneg they are out of the formula. */
static size_t find_undetermined(const struct model *m, size_t *list)
{
    size_t n = 0;
    for (size_t c = 0; c < m->nconstants; c++) {
        const struct model_constant *now = &m->constants[c];
        if (m->request.nonneg ? now->at_bound && now->npieces > 0 : is_undetermined(now))
            list[n++] = c;
    }
    for (; n > UNDETERMINED_MOST; n--)
        remove_farthest(m, list, n);
    return n;
}

/* matrix = M matrix M', with M = I - along e_j' */
static void project(double *matrix, const double *along, size_t j, size_t k)
{
    for (size_t q = 0; q < k; q++) {
        double held = matrix[j * k + q];
        for (size_t p = 0; p < k; p++)
            matrix[p * k + q] -= along[p] * held;
    }
    for (size_t p = 0; p < k; p++) {
        double held = matrix[p * k + j];
        for (size_t q = 0; q < k; q++)
            matrix[p * k + q] -= along[q] * held;
    }
}

/* The value of the column becomes 0. `alone` is the covariance without that of runs. Returns the squares that this costs. */
static double hold_column(struct model *m, size_t j, double *alone, double *along)
{
    struct model_solution *s = &m->solution;
    size_t k = m->structure.ncolumns;
    double value = s->value[j], variance = alone[j * k + j];
    if (!(variance > 0)) {
        s->value[j] = 0;
        return value == 0 ? 0 : INFINITY;
    }
    for (size_t p = 0; p < k; p++)
        along[p] = alone[p * k + j] / variance;
    for (size_t p = 0; p < k; p++)
        s->value[p] -= along[p] * value;
    project(s->covariance, along, j, k);
    project(s->of_runs, along, j, k);
    project(alone, along, j, k);
    s->value[j] = 0;
    return value * value / variance;
}

static double *copied(struct arena *a, const double *list, size_t n)
{
    double *copy = arena_alloc(a, n + 1, sizeof *copy);
    memcpy(copy, list, n * sizeof *copy);
    return copy;
}

/* The model without the terms of these constants. */
static struct model *hold(const struct model *m, const bool *held, double *squares)
{
    size_t k = m->structure.ncolumns;
    struct model *r = arena_alloc(m->arena, 1, sizeof *r);
    double *along = arena_alloc(m->arena, k + 1, sizeof *along),
           *alone = copied(m->arena, m->solution.covariance, k * k);
    for (size_t i = 0; i < k * k; i++)
        alone[i] -= m->solution.of_runs[i];
    *r = *m;
    r->solution.value = copied(m->arena, m->solution.value, k);
    r->solution.covariance = copied(m->arena, m->solution.covariance, k * k);
    r->solution.of_runs = copied(m->arena, m->solution.of_runs, k * k);
    r->alternatives = (struct model_alternatives){.n = 0};
    r->undetermined = (struct model_undetermined){.n = 0};
    *squares = 0;
    for (size_t j = 0; j < k; j++)
        if (held[m->structure.columns[j].constant])
            *squares += hold_column(r, j, alone, along);
    return r;
}

static const struct model **hold_all(const struct model *m, const struct model *const *list,
                                     size_t n, const bool *held)
{
    const struct model **all = arena_alloc(m->arena, n + 1, sizeof *all);
    double squares;
    for (size_t i = 0; i < n; i++)
        all[i] = hold(list[i], held, &squares);
    return all;
}

/* Whether a cost is negative that the data do not show to be negative. */
static bool has_negative(const struct model *m, const struct model *r)
{
    for (size_t j = 0; j < m->structure.ncolumns; j++) {
        const struct model_piece *piece = m->structure.columns[j].fitted;
        if (piece && (piece->value > 0 || may_be_zero(piece)) && r->solution.value[j] < 0)
            return true;
    }
    return false;
}

/* Half of Akaike's criterion, negative; the noise is known with so many degrees of freedom. */
static double plausibility(const struct model *m, double squares, size_t terms)
{
    double dof = m->noise.dof;
    return -(dof + (double)m->structure.ncolumns) / 2 * log1p(squares / dof) + (double)terms;
}

/* All formulas without some of the terms in which no cost is negative. */
static size_t make_subsets(const struct model *m, const size_t *list, size_t n, struct subset *out)
{
    bool *held = arena_alloc(m->arena, m->nconstants + 1, sizeof *held);
    size_t found = 0;
    for (size_t set = 0; set < (size_t)1 << n; set++) {
        size_t terms = 0;
        memset(held, 0, m->nconstants * sizeof *held);
        for (size_t i = 0; i < n; i++)
            terms += held[list[i]] = set >> i & 1;
        if (terms == m->nconstants)
            continue;
        struct subset *now = &out[found];
        double squares;
        now->model = hold(m, held, &squares);
        now->plausible = plausibility(m, squares, terms);
        if (!isfinite(now->plausible) || has_negative(m, now->model))
            continue;
        now->model->resamples.list = hold_all(m, m->resamples.list, m->resamples.n, held);
        now->model->draws.list = hold_all(m, m->draws.list, m->draws.n, held);
        found++;
    }
    return found;
}

/* Each formula gets draws by its share. */
static void share_draws(struct model *m, const struct subset *subsets, size_t n)
{
    struct model_alternative *list = arena_zalloc(m->arena, n + 1, sizeof *list);
    double best = -INFINITY, sum = 0;
    for (size_t i = 0; i < n; i++)
        best = fmax(best, subsets[i].plausible);
    for (size_t i = 0; i < n; i++)
        sum += exp(subsets[i].plausible - best);
    for (size_t i = 0; i < n; i++) {
        double share = exp(subsets[i].plausible - best) / sum;
        if (share < UNDETERMINED_LEAST_SHARE)
            continue;
        list[m->alternatives.n++] = (struct model_alternative){
            .model = subsets[i].model, .ndraws = (size_t)round(SEARCH_DRAWS * share)};
    }
    m->alternatives.list = list;
}

void undetermined_consider(struct model *m)
{
    if (m->alternatives.n || m->undetermined.n || m->formula.nexponents ||
        m->formula.with_choices || m->noise.none || m->noise.dof <= 0 || m->nconstants < 2)
        return;
    size_t *list = arena_alloc(m->arena, m->nconstants, sizeof *list);
    size_t n = find_undetermined(m, list);
    if (n == 0)
        return;
    m->undetermined.constants = list;
    m->undetermined.n = n;
    m->alternatives.only_beyond = true;
    if (m->request.nonneg)
        return;
    struct subset subsets[1 << UNDETERMINED_MOST];
    share_draws(m, subsets, make_subsets(m, list, n, subsets));
}
