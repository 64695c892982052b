/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The passes of a search: all points, and all but the largest size; the noise that is expected. */
#include <math.h>
#include <string.h>

#include "base/interrupt.h"
#include "base/progress.h"
#include "model/search/searcher.h"

/* The noise of the best sum is what to expect of the others, where there are points enough to say
 * so; it also says how far coefficients can be told from 0. True if that changed. */
static bool settle_noise(struct searcher *s)
{
    const double *columns[SEARCH_MAX_TERMS + 1];
    double cost[SEARCH_MAX_TERMS + 1], squares = 0;
    struct search_problem *p = &s->problem;
    struct search_posterior best;
    if (s->npool == 0)
        return false;
    size_t k = searcher_columns(s, &s->pool[0].sum, columns, cost);
    if (!(search_evidence(s->work, p, columns, k, &best) > -INFINITY))
        return false;
    for (size_t i = 0; i < p->n; i++) {
        double residual = p->y[i];
        for (size_t j = 0; j < k; j++)
            residual -= best.mean[j] * columns[j][i];
        squares += residual * residual;
    }
    double noise = best.noise;
    if (p->rows >= k + SEARCH_NOISE_POINTS)
        noise = fmax(sqrt(squares / (double)(p->rows - k)), RELATIVE_NOISE_FLOOR);
    noise = fmin(noise, s->most_noise);
    double ratio = noise * noise / p->shrink;
    if (ratio > 1 / SEARCH_SHRINK_RATIO && ratio < SEARCH_SHRINK_RATIO)
        return false;
    s->noise[s->bonus < 0] = noise;
    s->settled[s->bonus < 0] = p->rows >= k + SEARCH_NOISE_POINTS;
    search_settle_noise(p, noise, s->settled[s->bonus < 0]);
    return true;
}

static size_t terms_allowed(const struct searcher *s)
{
    size_t max_terms = s->request->max_terms ? s->request->max_terms : SEARCH_DEFAULT_TERMS;
    if (s->library.n == 0)
        max_terms = 0;
    while (max_terms > 0 && max_terms + 1 + SEARCH_SPARE_POINTS > s->problem.rows)
        max_terms--;
    return max_terms;
}

/* Everything found goes into the pool, the best first. */
static void search_variant(struct searcher *s, struct search_level *levels, size_t *max_terms)
{
    size_t nkept = s->npool;
    struct found *kept = arena_alloc(s->work, nkept + 1, sizeof *kept);
    memcpy(kept, s->pool, nkept * sizeof *kept);
    searcher_problem(s);
    *max_terms = terms_allowed(s);
    size_t rounds = 0;
    do {
        searcher_clear_pool(s);
        progress_at("sums of terms", 0, 0);
        search_sums(s->work, &s->problem, *max_terms, levels, &s->formulas);
        for (size_t k = 0; k <= *max_terms; k++)
            for (size_t i = 0; i < levels[k].n; i++)
                searcher_add(s,
                             &(struct found){.sum = levels[k].sums[i],
                                             .without_last = s->bonus < 0,
                                             .plausible = levels[k].sums[i].plausible + s->bonus});
        searcher_sort_pool(s);
    } while (rounds++ < SEARCH_NOISE_ROUNDS && settle_noise(s) && !interrupt_came());
    progress_at("exponents", 0, 0);
    if (s->nvariables > 1)
        searcher_try_exponents(s, levels, *max_terms);
    for (size_t i = 0; i < nkept; i++)
        searcher_add(s, &kept[i]);
    searcher_sort_pool(s);
}

bool searcher_leave_last_out(struct searcher *s, size_t v)
{
    const double *at = s->variables[v].at;
    double most = -INFINITY, before = -INFINITY;
    size_t n = 0, left = 0;
    for (size_t i = 0; i < s->used.n; i++)
        if (!s->skip[i])
            most = fmax(most, at[i]);
    for (size_t i = 0; i < s->used.n; i++) {
        s->last[i] = !s->skip[i] && at[i] == most;
        n += s->last[i];
        left += !searcher_leaves_out(s, i);
        if (!searcher_leaves_out(s, i))
            before = fmax(before, at[i]);
    }
    s->bonus = SEARCH_LAST_PRIOR - (double)n * log(2 * log(SEARCH_LAST_FACTOR));
    return left >= SEARCH_MIN_POINTS && isfinite(before) && before < most;
}

void searcher_pass(struct searcher *s)
{
    struct search_level levels[SEARCH_MAX_TERMS + 1], others[SEARCH_MAX_TERMS + 1];
    size_t max_terms, n = s->used.n;
    searcher_clear_pool(s);
    s->bonus = 0;
    memset(s->last, 0, n * sizeof *s->last);
    search_variant(s, levels, &max_terms);
    double plain = s->npool ? s->pool[0].plausible : -INFINITY;
    progress_at("boundaries", 0, 0);
    searcher_try_boundaries(s, levels, max_terms);
    searcher_sort_pool(s);
    if (s->least_noise < s->problem.noise / sqrt(SEARCH_SHRINK_RATIO) &&
        s->passes++ < SEARCH_NOISE_ROUNDS &&
        !interrupt_came()) { /* what looked like noise is not */
        s->most_noise = s->least_noise;
        searcher_pass(s);
        return;
    }
    /* Intervals must be worth it. */
    for (size_t i = 0; i < s->npool; i++)
        if (s->pool[i].divided && s->pool[i].plausible - plain < SEARCH_INTERVAL_MARGIN)
            s->pool[i].plausible = fmin(s->pool[i].plausible, plain);
    searcher_sort_pool(s);
    if (s->nvariables != 1 || s->npool == 0 || s->pool[0].divided)
        return;
    if (searcher_leave_last_out(s, 0))
        search_variant(s, others, &max_terms);
    s->bonus = 0;
    memset(s->last, 0, n * sizeof *s->last);
    searcher_problem(s);
}
