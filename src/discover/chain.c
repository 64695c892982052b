/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counts that depend on data, as sums of other counts: the iterations of an inner loop are 4 times those of the loop around
 * it, the calls of a function are those of two loops together. Many sums are tried, so one that is right at all rows may
 * be chance. It is believed if it is much shorter than what else describes the counts: powers of the sizes and a
 * remainder, and the same beside one part of the sum. A count that is nearly another one says little about the small difference.
 */
#include <math.h>
#include <string.h>

#include "discover/chance.h"
#include "discover/solve.h"
#include "discover/thresholds.h"

enum { MOST_COLUMNS = DISCOVER_MOST_PARTS + 2, MOST_ROWS = 512, MOST_TOGETHER = 12 };

struct search {
    const struct discover_points *p;
    const uint64_t *counts;
    const struct discover_base *bases;
    double near, far;       /* bits that choose a base of the same function, and another one */
    struct columns columns; /* room for them */
    double cost;            /* of the best sum so far */
    struct discover_chain best;
};

/* What one column of a sum is: a base, a size, or 1. */
struct column {
    enum { BASE, SIZE, ONE } kind;
    size_t of;
};

static double choice_cost(const struct search *s, size_t base)
{
    return s->bases[base].is_near ? s->near : s->far;
}

/* Beside the choice: the sign, and the number. */
static double factor_cost(int64_t factor)
{
    return 1 + terms_fraction_cost(factor, 1);
}

static wide value_of(const struct search *s, const struct column *c, size_t row)
{
    return c->kind == BASE   ? (wide)s->bases[c->of].counts[row]
           : c->kind == SIZE ? (wide)s->p->at[row][c->of]
                             : 1;
}

/* Tries a sum of these columns, and keeps it if it is the shortest. */
static void try_sum(struct search *s, const struct column *list, size_t n)
{
    struct discover_term terms[MOST_COLUMNS] = {{0}};
    struct discover_chain chain = {0};
    double cost = 0;
    if (s->p->n < n + DISCOVER_HELD_BACK)
        return;
    for (size_t j = 0; j < n; j++)
        cost += list[j].kind == BASE ? choice_cost(s, list[j].of) + 2 : 3; /* with a factor of 1 */
    if (cost >= s->cost)
        return;
    s->columns.n = n;
    s->columns.nrows = s->p->n;
    for (size_t i = 0; i < s->p->n; i++)
        for (size_t j = 0; j < n; j++)
            s->columns.at[i][j] = value_of(s, &list[j], i);
    if (!solve_exactly(&s->columns, s->counts, 1, terms))
        return;
    cost = 0;
    for (size_t j = 0; j < n; j++) {
        int64_t factor = terms[j].over;
        if (!factor)
            return; /* the sum without it is tried as well */
        cost += factor_cost(factor) + (list[j].kind == BASE ? choice_cost(s, list[j].of) : 1);
        if (list[j].kind == BASE) {
            chain.of[chain.nparts] = list[j].of;
            chain.factors[chain.nparts++] = factor;
        } else if (list[j].kind == SIZE) {
            chain.sizes[list[j].of] = factor;
        } else {
            chain.constant = factor;
        }
    }
    if (cost >= s->cost)
        return;
    s->cost = cost;
    s->best = chain;
}

/* The bases that are in the list already, and beside them nothing, a constant, a size; `both`: also the last two. */
static void try_beside(struct search *s, struct column *list, size_t n, bool both)
{
    try_sum(s, list, n);
    list[n] = (struct column){.kind = ONE};
    try_sum(s, list, n + 1);
    for (size_t v = 0; v < s->p->nvariables; v++) {
        list[n] = (struct column){SIZE, v};
        try_sum(s, list, n + 1);
        list[n + 1] = (struct column){.kind = ONE};
        if (both)
            try_sum(s, list, n + 2);
    }
}

/* ---- chance ---- */

/* The rows through the first one that change this variable. */
struct line {
    size_t rows[MOST_ROWS], n;
    int64_t sizes[MOST_ROWS];
    uint64_t counts[MOST_ROWS];
};

static void take_line(const struct search *s, size_t v, struct line *l)
{
    l->n = 0;
    for (size_t i = 0; i < s->p->n && l->n < MOST_ROWS; i++) {
        bool on = true;
        for (size_t k = 0; k < s->p->nvariables; k++)
            on &= k == v || s->p->at[i][k] == s->p->at[0][k];
        if (!on)
            continue;
        l->rows[l->n] = i;
        l->sizes[l->n] = s->p->at[i][v];
        l->counts[l->n++] = s->counts[i];
    }
}

/* The bits of a description of the counts by one part of the sum, and what is left. */
static double bits_with_part(const struct search *s, const struct line *l, size_t part)
{
    const uint64_t *base = s->bases[s->best.of[part]].counts;
    int64_t factor = s->best.factors[part];
    uint64_t left[MOST_ROWS], other[MOST_ROWS];
    wide least = 0;
    for (size_t i = 0; i < l->n; i++) {
        wide rest = (wide)l->counts[i] - (wide)factor * (wide)base[l->rows[i]];
        least = rest < least ? rest : least;
        other[i] = base[l->rows[i]];
    }
    for (size_t i = 0; i < l->n; i++)
        left[i] = (uint64_t)((wide)l->counts[i] - (wide)factor * (wide)other[i] - least);
    double whole = factor_cost(factor) + chance_bits(l->sizes, left, l->n);
    return choice_cost(s, s->best.of[part]) +
           fmin(whole, chance_bits_beside(l->sizes, l->counts, other, l->n));
}

/* The bits that the rows of a line say. */
static double bits_of_line(const struct search *s, const struct line *l)
{
    double bits = chance_bits(l->sizes, l->counts, l->n);
    for (size_t j = 0; j < s->best.nparts && s->best.nparts > 1; j++)
        bits = fmin(bits, bits_with_part(s, l, j));
    return bits;
}

static bool is_credible(struct arena *a, const struct search *s)
{
    struct line *l = arena_alloc(a, 1, sizeof *l);
    double most = 0;
    for (size_t v = 0; v < s->p->nvariables; v++) {
        take_line(s, v, l);
        most = fmax(most, bits_of_line(s, l));
    }
    return most >= s->cost + DISCOVER_CHAIN_MARGIN;
}

/* ---- all ---- */

/* Adds parts to those that are in the list: (n - 2)*(m - 2) has a sum of n*m, of n, of m, and the calls. */
static void try_arguments(struct search *s, const size_t *of, size_t n, size_t from,
                          struct column *list, size_t parts)
{
    if (parts > 2)
        try_beside(s, list, parts, false);
    for (size_t i = from; i < n && parts < DISCOVER_MOST_PARTS; i++) {
        list[parts] = (struct column){BASE, of[i]};
        try_arguments(s, of, n, i + 1, list, parts + 1);
    }
}

bool discover_chain(struct arena *a, const struct discover_points *p, const uint64_t *counts,
                    const struct discover_base *bases, size_t nbases, struct discover_chain *out)
{
    struct search s = {.p = p, .counts = counts, .bases = bases, .cost = INFINITY};
    struct column list[MOST_COLUMNS];
    size_t near = 0;
    s.columns.at = arena_alloc(a, p->n + 1, sizeof *s.columns.at);
    for (size_t i = 0; i < nbases; i++)
        near += bases[i].is_near;
    s.near = 1 + log2(1 + (double)near);
    s.far = 1 + log2(1 + (double)nbases);
    for (size_t i = 0; i < nbases; i++) {
        list[0] = (struct column){BASE, i};
        try_beside(&s, list, 1, true);
    }
    for (size_t i = 0; i < nbases; i++)
        for (size_t k = i + 1; k < nbases && !bases[i].is_alone; k++) {
            if (bases[k].is_alone)
                continue;
            list[0] = (struct column){BASE, i};
            list[1] = (struct column){BASE, k};
            try_beside(&s, list, 2, false);
        }
    size_t together[MOST_TOGETHER], n = 0;
    for (size_t i = 0; i < nbases && n < MOST_TOGETHER; i++)
        if (bases[i].is_argument)
            together[n++] = i;
    try_arguments(&s, together, n, 0, list, 0);
    *out = s.best;
    return s.cost < INFINITY && is_credible(a, &s);
}

int64_t discover_trips(const uint64_t *iterations, const uint64_t *entries, size_t nrows,
                       double doubts)
{
    double bits = 0, most = 0;
    uint64_t trips = 0;
    size_t different = 0;
    for (size_t i = 0; i < nrows; i++) {
        bool is_new = entries[i] != 0;
        if (!different && entries[i]) /* may be 0, and is then 0 in all rows */
            trips = iterations[i] / entries[i];
        if ((wide)iterations[i] != (wide)trips * (wide)entries[i])
            return 0;
        for (size_t k = 0; k < i; k++)
            is_new &= entries[k] != entries[i];
        if (!is_new)
            continue;
        double says = log2(1 + (double)trips * sqrt((double)entries[i]));
        bits += says;
        most = fmax(most, says);
        different++;
    }
    if (trips == 1) /* a loop that always iterates once would be no loop */
        doubts += DISCOVER_TRIPS_BITS;
    bool is_sure = different > DISCOVER_HELD_BACK && bits - most >= DISCOVER_TRIPS_BITS + doubts;
    return is_sure && trips <= INT32_MAX ? (int64_t)trips : 0;
}

bool discover_trips_by_size(struct arena *a, const struct discover_points *p,
                            const uint64_t *iterations, const uint64_t *entries,
                            struct discover_formula *out)
{
    uint64_t *trips = arena_alloc(a, p->n + 1, sizeof *trips);
    double bits = 0; /* so often is one number a multiple of another one by chance */
    bool varies = false;
    for (size_t i = 0; i < p->n; i++) {
        if (!entries[i] || iterations[i] % entries[i])
            return false;
        trips[i] = iterations[i] / entries[i];
        varies |= trips[i] != trips[0];
        bits += log2((double)entries[i]);
    }
    if (!varies || bits < DISCOVER_TRIPS_BITS)
        return false;
    discover_find(a, p, trips, false, out);
    return out->verdict <= DISCOVER_STEPS;
}
