/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums with exponents that the library does not have. */
#include <math.h>
#include <string.h>

#include "base/interrupt.h"
#include "model/search/searcher.h"

/* The sum with another exponent, and another power of the logarithm, in one factor. A logarithm is about
 * a power over the range of the variable; where one takes the place of the other, the exponent changes by
 * that, and by `step`. */
static bool with_power(struct searcher *s, struct search_sum *sum, size_t t, size_t v, int step,
                       int log)
{
    struct search_term term = s->library.terms[sum->term[t]];
    double e = term.of[v].exponent + step * SEARCH_EXPONENT_STEP +
               (term.of[v].log - log) * s->log_exponent[v];
    return search_term_with_power(&s->library, &term, v, e, log) &&
           searcher_with_term(s, sum, t, &term);
}

static void take_better(struct searcher *s, const struct search_sum *sum, struct search_sum *best)
{
    struct search_sum other = searcher_judged(s, *sum);
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
    if (search_term_without(&s->library, &term, v) && searcher_with_term(s, &without, t, &term))
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
    for (int round = 0; round < SEARCH_CLIMB_ROUNDS && !interrupt_came(); round++) {
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
    struct search_sum kept[SEARCH_REFINED] = {{.n = 0}};
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
    searcher_make_slots(s);
    set_log_exponents(s);
    for (size_t k = 1; k <= max_terms; k++)
        climb_level(s, &levels[k]);
    arena_destroy(s->scratch);
}
