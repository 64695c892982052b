/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums with exponents that the library does not have. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/interrupt.h"
#include "model/search/searcher.h"

static size_t term_hash(const struct searcher *s, const struct search_term *t)
{
    uint64_t h = 0, bits;
    for (size_t v = 0; v < s->nvariables && !t->given; v++) {
        memcpy(&bits, &t->of[v].exponent, sizeof bits);
        h = (h ^ bits ^ (uint64_t)t->of[v].log << 60 ^ (uint64_t)t->of[v].shape << 56) *
            0x9e3779b97f4a7c15u;
        h ^= h >> 29;
    }
    return (size_t)h;
}

/* The terms of the library by their factors: slots hold index + 1. */
static void make_slots(struct searcher *s)
{
    for (s->nslots = 64; s->nslots < 2 * s->room;)
        s->nslots *= 2;
    s->slots = arena_zalloc(s->work, s->nslots, sizeof *s->slots);
    for (size_t i = 0; i < s->library.n; i++) {
        size_t at = term_hash(s, &s->library.terms[i]) & (s->nslots - 1);
        while (s->slots[at])
            at = (at + 1) & (s->nslots - 1);
        s->slots[at] = i + 1;
    }
}

/* The term in the library, with its column; SIZE_MAX if there is no room. */
static size_t enter_term(struct searcher *s, const struct search_term *t)
{
    struct search_library *l = &s->library;
    size_t at = term_hash(s, t) & (s->nslots - 1);
    for (; s->slots[at]; at = (at + 1) & (s->nslots - 1)) {
        size_t i = s->slots[at] - 1;
        if (search_term_same(&l->terms[i], t, s->nvariables))
            return isfinite(s->cost[i]) ? i : SIZE_MAX;
    }
    if (l->n == s->room)
        return SIZE_MAX;
    s->slots[at] = l->n + 1;
    l->terms = arena_grow(s->arena, l->terms, l->n, &l->capacity, l->n + 1, sizeof *l->terms);
    l->terms[l->n] = *t;
    s->cost[l->n] = t->cost;
    s->columns[l->n] = arena_alloc(s->work, s->used.n, sizeof *s->columns[l->n]);
    if (!(searcher_column(s, t, s->columns[l->n]) > 0))
        s->cost[l->n] = INFINITY;
    s->problem.terms = ++l->n;
    return isfinite(s->cost[l->n - 1]) ? l->n - 1 : SIZE_MAX;
}

/* The sum as the pool wants it, its terms ascending. */
static struct search_sum judged(struct searcher *s, struct search_sum sum)
{
    const double *columns[SEARCH_MAX_TERMS + 1];
    double cost[SEARCH_MAX_TERMS + 1];
    for (size_t i = 1; i < sum.n; i++)
        for (size_t k = i; k > 0 && sum.term[k - 1] > sum.term[k]; k--) {
            size_t held = sum.term[k];
            sum.term[k] = sum.term[k - 1];
            sum.term[k - 1] = held;
        }
    size_t k = searcher_columns(s, &sum, columns, cost);
    arena_reset(s->scratch);
    sum.plausible = search_evidence(s->scratch, &s->problem, columns, k, NULL) +
                    search_prior(cost, sum.n, sum.constant) + s->bonus;
    s->formulas++;
    searcher_add(
        s, &(struct found){.sum = sum, .without_last = s->bonus < 0, .plausible = sum.plausible});
    return sum;
}

/* The sum with another term in the place of term t; false if there is no such sum. */
static bool with_term(struct searcher *s, struct search_sum *sum, size_t t,
                      const struct search_term *term)
{
    sum->term[t] = enter_term(s, term);
    for (size_t u = 0; u < sum->n; u++)
        if (u != t && sum->term[u] == sum->term[t])
            return false;
    return sum->term[t] != SIZE_MAX;
}

bool searcher_judge_terms(struct searcher *s, const struct search_term *terms, size_t n,
                          bool constant, struct search_sum *out)
{
    struct search_sum sum = {.constant = constant};
    for (; sum.n < n; sum.n++)
        if (!with_term(s, &sum, sum.n, &terms[sum.n]))
            return false;
    *out = judged(s, sum);
    return true;
}

/* The sum with another exponent, and another power of the logarithm, in one factor. A logarithm is about
 * a power over the range of the variable; where one takes the place of the other, the exponent changes by
 * that, and by `step`. */
static bool with_power(struct searcher *s, struct search_sum *sum, size_t t, size_t v, int step,
                       int log)
{
    struct search_term term = s->library.terms[sum->term[t]];
    double e = term.of[v].exponent + step * SEARCH_EXPONENT_STEP +
               (term.of[v].log - log) * s->log_exponent[v];
    return search_term_with_power(&s->library, &term, v, e, log) && with_term(s, sum, t, &term);
}

static void take_better(struct searcher *s, const struct search_sum *sum, struct search_sum *best)
{
    struct search_sum other = judged(s, *sum);
    if (other.plausible > best->plausible)
        *best = other;
}

/* The best of the sums with other exponents or logarithms in factor v of term t, or without it; `best`
 * becomes it. */
static void climb_factor(struct searcher *s, const struct search_sum *sum, size_t t, size_t v,
                         struct search_sum *best)
{
    struct search_sum without = *sum;
    struct search_term term = s->library.terms[sum->term[t]];
    if (search_term_without(&s->library, &term, v) && with_term(s, &without, t, &term))
        take_better(s, &without, best);
    int before = s->library.terms[sum->term[t]].of[v].log;
    for (int log = 0; log <= (s->log_exponent[v] > 0 ? 2 : 0); log++) {
        int steps = log == before ? SEARCH_CLIMB_STEPS : SEARCH_CLIMB_LOG_STEPS;
        for (int step = -steps; step <= steps; step++) {
            struct search_sum other = *sum;
            if (!(step == 0 && log == before) && with_power(s, &other, t, v, step, log))
                take_better(s, &other, best);
        }
    }
}

/* Climbs from a sum to one that no single other factor makes more plausible. */
static struct search_sum climb(struct searcher *s, struct search_sum sum)
{
    for (int round = 0; round < SEARCH_CLIMB_ROUNDS && !interrupted(); round++) {
        struct search_sum best = sum, other = sum;
        other.constant = !sum.constant;
        take_better(s, &other, &best);
        for (size_t t = 0; t < sum.n; t++)
            for (size_t v = 0; v < s->nvariables; v++)
                climb_factor(s, &sum, t, v, &best);
        if (!(best.plausible > sum.plausible))
            break;
        sum = best;
    }
    return sum;
}

static void refine_as_it_is(struct searcher *s, const struct search_sum *sum)
{
    struct search_sum better;
    double best = s->pool_enough + SEARCH_REMAINING;
    if (searcher_refine(s, sum, best, &better))
        climb(s, better);
}

/* The sum with powers in the place of its logarithms; false if it has none. */
static bool without_logarithms(struct searcher *s, struct search_sum *sum)
{
    struct search_term term[SEARCH_MAX_TERMS];
    bool any = false;
    for (size_t t = 0; t < sum->n; t++) {
        term[t] = s->library.terms[sum->term[t]];
        for (size_t v = 0; v < s->nvariables && !term[t].given; v++) {
            const struct search_factor *f = &term[t].of[v];
            double e = f->exponent + f->log * s->log_exponent[v];
            if (f->log == 0)
                continue;
            any = true;
            if (!search_term_with_power(&s->library, &term[t], v, e, 0))
                return false;
        }
    }
    return any && searcher_judge_terms(s, term, sum->n, sum->constant, sum);
}

/* From a sum by least squares, and from there by climbing. */
static void refine(struct searcher *s, const struct search_sum *sum)
{
    struct search_sum plain = *sum;
    refine_as_it_is(s, sum);
    if (without_logarithms(s, &plain))
        refine_as_it_is(s, &plain);
}

/* A sum that is one term too long is a good beginning for the shorter one. */
static void refine_shorter(struct searcher *s, const struct search_sum *sum)
{
    for (size_t t = 0; t < sum->n && sum->n > 1; t++) {
        struct search_sum shorter = *sum;
        shorter.n--;
        memmove(&shorter.term[t], &shorter.term[t + 1], (shorter.n - t) * sizeof *shorter.term);
        refine(s, &shorter);
    }
}

/* Keeps the best of the sums that climbing led to, each once. */
static void keep_climbed(struct search_sum *kept, size_t *n, struct search_sum sum)
{
    for (size_t i = 0; i < *n; i++) {
        if (kept[i].plausible == sum.plausible)
            return;
        if (sum.plausible > kept[i].plausible) {
            struct search_sum held = kept[i];
            kept[i] = sum;
            sum = held;
        }
    }
    if (*n < SEARCH_REFINED)
        kept[(*n)++] = sum;
}

static void climb_level(struct searcher *s, const struct search_level *level)
{
    struct search_sum kept[SEARCH_REFINED];
    size_t n = 0;
    for (size_t i = 0; i < level->n && i < SEARCH_CLIMBED; i++) {
        struct search_sum sum = level->sums[i];
        sum.plausible += s->bonus;
        keep_climbed(kept, &n, climb(s, sum));
    }
    for (size_t i = 0; i < n; i++) {
        refine(s, &kept[i]);
        refine_shorter(s, &kept[i]);
    }
}

/* d ln log(V) / d ln V in the middle of the data; 0 if logarithms of V are no costs. */
static void set_log_exponents(struct searcher *s)
{
    for (size_t v = 0; v < s->nvariables; v++) {
        double least = INFINITY, most = 0;
        for (size_t i = 0; i < s->used.n; i++) {
            least = fmin(least, s->variables[v].at[i]);
            most = fmax(most, s->variables[v].at[i]);
        }
        s->log_exponent[v] = least >= 1 && most > least ? 1 / log(sqrt(least * most)) : 0;
    }
}

void searcher_try_exponents(struct searcher *s, const struct search_level *levels, size_t max_terms)
{
    s->scratch = arena_create();
    make_slots(s);
    set_log_exponents(s);
    for (size_t k = 1; k <= max_terms; k++)
        climb_level(s, &levels[k]);
    arena_destroy(s->scratch);
}
