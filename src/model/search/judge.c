/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums of terms that enter the library when they are tried. */
#include <math.h>
#include <stdint.h>
#include <string.h>

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

void searcher_make_slots(struct searcher *s)
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
    if (!(searcher_column(s, t, s->columns[l->n]) > 0) || searcher_grows_too_fast(s, t))
        s->cost[l->n] = INFINITY;
    s->problem.terms = ++l->n;
    return isfinite(s->cost[l->n - 1]) ? l->n - 1 : SIZE_MAX;
}

struct search_sum searcher_judged(struct searcher *s, struct search_sum sum)
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
                    search_prior(cost, sum.n, sum.constant, s->problem.lines) + s->bonus;
    s->formulas++;
    searcher_add(
        s, &(struct found){.sum = sum, .without_last = s->bonus < 0, .plausible = sum.plausible});
    return sum;
}

bool searcher_with_term(struct searcher *s, struct search_sum *sum, size_t t,
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
        if (!searcher_with_term(s, &sum, sum.n, &terms[sum.n]))
            return false;
    *out = searcher_judged(s, sum);
    return true;
}
