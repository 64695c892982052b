/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The points and the terms as numbers. */
#include <math.h>
#include <string.h>

#include "model/search/searcher.h"

void searcher_choose_points(struct searcher *s)
{
    size_t n = s->all.n;
    bool *keep = arena_zalloc(s->arena, n, sizeof *keep);
    for (size_t i = 0; i < n && n <= SEARCH_MOST_POINTS; i++)
        keep[i] = true;
    for (size_t j = 0; j < SEARCH_MOST_POINTS && n > SEARCH_MOST_POINTS; j++) {
        double part = (double)j * 0.6180339887498949;
        double at = ((double)j + part - floor(part)) * (double)n / SEARCH_MOST_POINTS;
        keep[(size_t)fmin(at, (double)(n - 1))] = true;
    }
    points_some(s->arena, &s->all, keep, &s->used);
    for (size_t v = 0; v < s->nvariables; v++) {
        double *at = arena_alloc(s->arena, s->used.n, sizeof *at);
        for (size_t i = 0, k = 0; i < n; i++)
            if (keep[i])
                at[k++] = s->variables[v].at[i];
        s->variables[v].at = at;
    }
    s->keep = keep;
    s->skip = arena_zalloc(s->arena, s->used.n, sizeof *s->skip);
    s->last = arena_zalloc(s->arena, s->used.n, sizeof *s->last);
    s->shares = arena_alloc(s->arena, s->used.n, sizeof *s->shares);
}

/* A term as a factor: in parentheses where it is a sum or a comparison. */
static const char *factor_text(struct arena *a, const struct formula *f, const char *text)
{
    bool factor = f->kind != FORMULA_ADD && f->kind != FORMULA_SUBTRACT &&
                  f->kind != FORMULA_NEGATE && f->kind < FORMULA_LESS;
    return factor ? text : arena_printf(a, "(%s)", text);
}

int searcher_add_given(struct searcher *s)
{
    for (size_t g = 0; g < s->request->ngiven; g++) {
        const char *text = s->request->given[g];
        double *all = arena_alloc(s->arena, s->all.n, sizeof *all), *used = all;
        const struct formula *f = formula_parse_text(s->arena, text, NULL, s->diag);
        if (!f || searcher_values(s, f, text, all))
            return -1;
        for (size_t i = 0, k = 0; i < s->all.n; i++)
            if (s->keep[i])
                used[k++] = all[i];
        search_library_add_given(s->arena, factor_text(s->arena, f, text), used, 1, &s->library);
    }
    return 0;
}

void searcher_add_shares(struct searcher *s)
{
    for (size_t p = 0; p < s->nvariables; p++)
        for (size_t v = 0; v < s->nvariables && s->variables[p].processors; v++) {
            double *values = arena_alloc(s->arena, s->used.n, sizeof *values);
            bool usable = v != p;
            for (size_t i = 0; i < s->used.n && usable; i++) {
                double share = s->variables[v].at[i] / s->variables[p].at[i];
                values[i] = share * log(share);
                usable = share >= 1 && isfinite(values[i]);
            }
            const char *name = s->variables[v].name, *by = s->variables[p].name;
            if (usable)
                search_library_add_given(
                    s->arena, arena_printf(s->arena, "(%s/%s)*log(%s/%s)", name, by, name, by),
                    values, WEIGHT_OF_SHARES, &s->library);
        }
}

bool searcher_leaves_out(const struct searcher *s, size_t i)
{
    return s->skip[i] || s->last[i];
}

double searcher_scale(const struct searcher *s, double *column)
{
    size_t n = s->used.n, k = 0;
    for (size_t i = 0; i < n; i++)
        if (column[i] != 0)
            s->shares[k++] = fabs(column[i]);
    double by = k ? stats_quantile(s->shares, k, 0.5) / SEARCH_USUAL_SHARE : 0;
    for (size_t i = 0; i < n && by > 0; i++)
        column[i] /= by;
    return by;
}

/* How far the point is from the middle of all ranges, in ranges. */
static double far_from_middle(const struct searcher *s, const double *range, size_t i)
{
    double far = 0;
    for (size_t v = 0; v < s->nvariables; v++)
        far = hypot(far, log(s->variables[v].at[i] / s->middle[v]) / range[v]);
    return far;
}

/* Points along lines: the middle of the ranges, and the time there, which is at least the largest of the points nearest to
 * it, those in the middle of the lines. */
static void find_middle(struct searcher *s)
{
    double range[SEARCH_MAX_VARIABLES], nearest = INFINITY, *far;
    s->middle_time = 0;
    for (size_t v = 0; v < s->nvariables; v++) {
        double low = INFINITY, high = 0;
        for (size_t i = 0; i < s->used.n; i++) {
            low = fmin(low, s->variables[v].at[i]);
            high = fmax(high, s->variables[v].at[i]);
        }
        if (!s->library.lines || !(low > 0 && high > low))
            return;
        s->middle[v] = sqrt(low) * sqrt(high);
        range[v] = log(high / low);
    }
    far = arena_alloc(s->work, s->used.n + 1, sizeof *far);
    for (size_t i = 0; i < s->used.n; i++) {
        far[i] = searcher_leaves_out(s, i) ? INFINITY : far_from_middle(s, range, i);
        nearest = fmin(nearest, far[i]);
    }
    for (size_t i = 0; i < s->used.n; i++)
        if (far[i] <= SEARCH_NEAR_MIDDLE * nearest && isfinite(far[i]))
            s->middle_time = fmax(s->middle_time, s->sigma[i]);
}

/* What a column of the term is divided by so that it has the usual share in the middle; 0 if it has no share there. */
static double share_in_middle(const struct searcher *s, const struct search_term *t)
{
    struct search_variable variables[SEARCH_MAX_VARIABLES];
    double value;
    if (!(s->middle_time > 0) || !t || t->given)
        return 0;
    for (size_t v = 0; v < s->nvariables; v++) {
        variables[v] = s->variables[v];
        variables[v].at = &s->middle[v];
    }
    search_term_values(t, variables, s->nvariables, 1, &value);
    return isfinite(value) ? fabs(value) / s->middle_time / SEARCH_USUAL_SHARE : 0;
}

double searcher_column(const struct searcher *s, const struct search_term *t, double *out)
{
    size_t n = s->used.n;
    double by = share_in_middle(s, t);
    if (t)
        search_term_values(t, s->variables, s->nvariables, n, out);
    for (size_t i = 0; i < n; i++)
        out[i] = searcher_leaves_out(s, i) ? 0 : (t ? out[i] : 1) / s->sigma[i] / (by > 0 ? by : 1);
    return by > 0 ? by : searcher_scale(s, out);
}

static bool has_variable(const struct search_term *t, size_t v)
{
    return t->given || t->of[v].shape != SHAPE_POWER || t->of[v].exponent != 0 || t->of[v].log;
}

/* Terms of different variables may have the same column because the variables change together; they
 * differ where these do not. */
static bool same_variables(const struct searcher *s, size_t t, size_t u)
{
    for (size_t v = 0; v < s->nvariables; v++)
        if (has_variable(&s->library.terms[t], v) != has_variable(&s->library.terms[u], v))
            return false;
    return true;
}

/* Of terms of the same variables with the same column only the most usual one is used. */
static void drop_same_columns(struct searcher *s)
{
    struct search_problem *p = &s->problem;
    double *length = arena_zalloc(s->work, p->terms + 1, sizeof *length);
    double *sum = arena_zalloc(s->work, p->terms + 1, sizeof *sum);
    for (size_t t = 0; t < p->terms; t++)
        for (size_t i = 0; i < p->n; i++) {
            length[t] += p->columns[t][i] * p->columns[t][i];
            sum[t] += p->columns[t][i];
        }
    for (size_t t = 0; t < p->terms; t++) {
        if (!(length[t] > 0))
            s->cost[t] = INFINITY;
        for (size_t u = 0; u < p->terms && isfinite(s->cost[t]); u++) {
            /* a quick look first: equal columns have equal sums */
            if (u == t || !(s->cost[u] < s->cost[t] || (s->cost[u] == s->cost[t] && u < t)) ||
                fabs(sum[u] * sqrt(length[t]) - sum[t] * sqrt(length[u])) >
                    1e-3 * sum[t] * sqrt(length[u]))
                continue;
            double product = 0;
            for (size_t i = 0; i < p->n; i++)
                product += p->columns[t][i] * p->columns[u][i];
            if (product > (1 - SEARCH_SAME_COLUMN) * sqrt(length[t] * length[u]) &&
                same_variables(s, t, u))
                s->cost[t] = INFINITY;
        }
    }
}

static double at_place(const struct place *p, const char *name)
{
    for (size_t i = 0; i < p->n; i++)
        if (!strcmp(p->names[i], name))
            return p->values[i];
    return NAN;
}

bool searcher_grows_too_fast(const struct searcher *s, const struct search_term *t)
{
    const struct search_request *r = s->request;
    struct search_variable variables[SEARCH_MAX_VARIABLES];
    double places[SEARCH_MAX_VARIABLES][2], value[2];
    if (!(r->most_growth > 0) || t->given)
        return false;
    for (size_t v = 0; v < s->nvariables; v++) {
        variables[v] = s->variables[v];
        places[v][0] = at_place(&r->from, variables[v].name);
        places[v][1] = at_place(&r->to, variables[v].name);
        variables[v].at = places[v];
    }
    search_term_values(t, variables, s->nvariables, 2, value);
    return value[1] > r->most_growth * value[0];
}

void searcher_problem(struct searcher *s)
{
    size_t n = s->used.n, terms = s->library.n;
    struct search_problem *p = &s->problem;
    double *y = arena_alloc(s->work, n, sizeof *y), *one = arena_alloc(s->work, n, sizeof *one);
    double noise, weight;
    s->room = terms + SEARCH_MORE_TERMS;
    s->columns = arena_zalloc(s->work, s->room, sizeof *s->columns);
    s->cost = arena_alloc(s->work, s->room, sizeof *s->cost);
    *p = (struct search_problem){.n = n,
                                 .terms = terms,
                                 .y = y,
                                 .constant = one,
                                 .columns = s->columns,
                                 .cost = s->cost,
                                 .any_sign = s->request->any_sign,
                                 .lines = s->library.lines};
    noise_of_repetitions(&s->used, &noise, &weight);
    s->sigma = noise_scales(s->work, &s->used, noise, 0);
    for (size_t i = 0; i < n; i++) {
        y[i] = searcher_leaves_out(s, i) ? 0 : s->used.value[i] / s->sigma[i];
        p->rows += !searcher_leaves_out(s, i);
    }
    find_middle(s);
    search_expect_noise(p, noise, weight);
    if (s->noise[s->bonus < 0] > 0)
        search_settle_noise(p, fmin(s->noise[s->bonus < 0], s->most_noise),
                            s->settled[s->bonus < 0]);
    searcher_column(s, NULL, one);
    for (size_t t = 0; t < terms; t++) {
        s->columns[t] = arena_alloc(s->work, n, sizeof *s->columns[t]);
        s->cost[t] =
            searcher_grows_too_fast(s, &s->library.terms[t]) ? INFINITY : s->library.terms[t].cost;
        searcher_column(s, &s->library.terms[t], s->columns[t]);
    }
    drop_same_columns(s);
}

size_t searcher_columns(const struct searcher *s, const struct search_sum *sum,
                        const double **columns, double *cost)
{
    size_t k = 0;
    for (; k < sum->n; k++) {
        columns[k] = s->columns[sum->term[k]];
        cost[k] = s->cost[sum->term[k]];
    }
    if (sum->constant)
        columns[k++] = s->problem.constant;
    return k;
}

double searcher_plain(const struct searcher *s, const struct found *f)
{
    double cost[SEARCH_MAX_TERMS], plain[SEARCH_MAX_TERMS];
    for (size_t i = 0; i < f->sum.n; i++) {
        const struct search_term *t = &s->library.terms[f->sum.term[i]];
        cost[i] = t->cost;
        plain[i] = t->plain_cost;
    }
    return f->plausible + search_prior(plain, f->sum.n, f->sum.constant, false) -
           search_prior(cost, f->sum.n, f->sum.constant, true);
}

bool searcher_few_points(const struct searcher *s)
{
    return s->used.n < SEARCH_INTERVAL_POINTS * s->nvariables;
}
