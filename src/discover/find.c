/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which terms a count has. Sets of terms are tried, first of powers, then with one kind of step; of those
 * that give every count exactly, the one that takes the fewest bits to write down wins. It is believed if
 * the sizes are more than its unknowns by DISCOVER_HELD_BACK, and say more bits than it takes.
 */
#include <math.h>
#include <string.h>

#include "discover/chance.h"
#include "discover/quotient.h"
#include "discover/rounded.h"
#include "discover/smooth.h"
#include "discover/solve.h"
#include "discover/thresholds.h"

const char *const discover_verdicts[] = {"exact", "steps", "data", "refuted"};

enum { MOST_POWER = 6, MOST_IN_SET = 5 };

struct problem {
    struct arena *a;
    const struct discover_points *p;
    const uint64_t *counts;
    size_t nrows;
    struct columns columns; /* room for them */
    /* the best set so far */
    double cost;
    struct discover_term best[DISCOVER_MOST_TERMS];
    size_t nbest;
    double rival; /* bits of the shortest one that has other blocks than the best */
};

/* Some rows of it: those that change one variable. */
struct line {
    const size_t *rows;
    size_t n, variable, held_back;
    uint64_t *counts;
    double bits;   /* that its counts say */
    double chance; /* bits of a description of them without steps */
};

static double bits_of(const uint64_t *counts, size_t n)
{
    uint64_t least = UINT64_MAX, most = 0;
    for (size_t i = 0; i < n; i++) {
        least = counts[i] < least ? counts[i] : least;
        most = counts[i] > most ? counts[i] : most;
    }
    return n ? (double)n * log2(1 + (double)(most - least)) : 0;
}

/* The largest block of a sum; 0: none. */
static int64_t block_of(const struct discover_term *terms, size_t n)
{
    int64_t most = 0;
    for (size_t j = 0; j < n; j++)
        for (size_t v = 0; v < DISCOVER_MOST_VARIABLES; v++)
            if (terms[j].of[v].kind == STEP_BLOCK && terms[j].of[v].block > most)
                most = terms[j].of[v].block;
    return most;
}

/* 80*ceil(n/80): filled up to whole blocks. Numbers like 5 and 5 are the same by chance. */
static bool is_filled_up(const struct discover_term *t)
{
    return t->under == 1 && t->over == block_of(t, 1) && t->over > DISCOVER_ANY_SHIFT;
}

/* Does 8*floor(n/2) - 3*n take away more than the blocks leave? What n leaves of blocks is n - 8*floor(n/8) at most; more is
 * a sum that met a few remainders by chance. */
static bool is_far_fetched(const struct discover_term *terms, size_t n, size_t nvariables)
{
    for (size_t j = 0; j < n; j++)
        for (size_t v = 0; v < nvariables; v++) {
            const struct discover_factor *f = &terms[j].of[v];
            double factor = fabs((double)terms[j].over / (double)terms[j].under);
            if (f->kind != STEP_BLOCK || f->steps != 1 || factor <= (double)f->block)
                continue;
            for (size_t k = 0; k < n; k++)
                if (!terms[k].of[v].steps && terms[k].of[v].power == f->power + 1 &&
                    (terms[k].over < 0) != (terms[j].over < 0))
                    return true;
        }
    return false;
}

/* A denominator is written down once: f^2/2 - f/2 is (f^2 - f)/2. */
static double cost_of(const struct discover_term *terms, size_t n, size_t nvariables)
{
    double cost = 0;
    for (size_t j = 0; j < n; j++) {
        double most = 1;
        bool is_known = false;
        for (size_t k = 0; k < j; k++)
            is_known |= terms[k].under == terms[j].under;
        for (size_t v = 0; v < nvariables; v++)
            if (terms[j].of[v].power || terms[j].of[v].steps)
                most += terms_cost(&terms[j].of[v]);
        cost += most + terms_fraction_cost(is_filled_up(&terms[j]) ? 1 : terms[j].over,
                                           is_known ? 1 : terms[j].under);
    }
    return cost;
}

static bool is_credible(const struct discover_term *terms, size_t n, size_t nvariables, double bits,
                        double cost)
{
    bool is_constant = true;
    for (size_t j = 0; j < n; j++)
        for (size_t v = 0; v < nvariables; v++)
            is_constant &= !terms[j].of[v].power && !terms[j].of[v].steps;
    return is_constant || bits >= cost + DISCOVER_MARGIN;
}

/* Takes out what is multiplied by 0. */
static size_t without_zeros(struct discover_term *terms, size_t n)
{
    size_t kept = 0;
    for (size_t j = 0; j < n; j++)
        if (terms[j].over)
            terms[kept++] = terms[j];
    return kept;
}

/* With the next power of 2, u, a recursion has u/16 leaves; other fractions with large denominators are chance. */
static bool are_usual_fractions(const struct discover_term *terms, size_t n, size_t nvariables)
{
    if (terms_are_plain(terms, n, nvariables))
        return true;
    for (size_t j = 0; j < n; j++) {
        bool is_power = (terms[j].under & (terms[j].under - 1)) == 0, is_up = false;
        for (size_t v = 0; v < nvariables; v++)
            is_up |= terms[j].of[v].steps &&
                     (terms[j].of[v].kind == STEP_UP || terms[j].of[v].kind == STEP_UP_LOG);
        if (terms[j].under > DISCOVER_STEPS_DENOMINATOR &&
            !(is_up && is_power && terms[j].over == 1))
            return false;
    }
    return true;
}

/* Sets the columns of some rows. False if a term has no value at a row, or one that is too large. */
static bool set_columns(struct problem *q, const size_t *rows, size_t from, size_t to,
                        const struct discover_term *terms, size_t n)
{
    for (size_t i = from; i < to; i++)
        for (size_t j = 0; j < n; j++)
            if (!terms_value(&terms[j], q->p->nvariables, q->p->at[rows[i]], &q->columns.at[i][j]))
                return false;
    q->columns.n = n;
    q->columns.nrows = to;
    return true;
}

/* Tries a set of terms at some rows, and keeps it if it is the best. Nearly all sets are wrong at the first row more than they have
 * terms. */
static void try_terms(struct problem *q, const size_t *rows, const uint64_t *counts, size_t nrows,
                      double bits, size_t held_back, const struct discover_term *set, size_t n)
{
    const struct discover_points *p = q->p;
    struct discover_term terms[DISCOVER_MOST_TERMS];
    if (n > DISCOVER_MOST_TERMS || nrows < n + held_back)
        return;
    memcpy(terms, set, n * sizeof *terms);
    size_t few = nrows > n ? n + 1 : nrows;
    if (!set_columns(q, rows, 0, few, terms, n) || solve_contradicts(&q->columns, counts) ||
        !set_columns(q, rows, few, nrows, terms, n) ||
        !solve_exactly(&q->columns, counts, DISCOVER_DENOMINATOR, terms))
        return;
    n = without_zeros(terms, n);
    if (!are_usual_fractions(terms, n, p->nvariables) || is_far_fetched(terms, n, p->nvariables))
        return;
    double cost = cost_of(terms, n, p->nvariables);
    bool is_other = q->cost < INFINITY && block_of(terms, n) != block_of(q->best, q->nbest);
    bool is_shorter = cost <= q->cost - DISCOVER_SHORTER;
    if (!is_credible(terms, n, p->nvariables, bits, cost))
        return;
    if (is_other)
        q->rival = fmin(q->rival, is_shorter ? q->cost : cost);
    if (!is_shorter)
        return;
    q->cost = cost;
    memcpy(q->best, terms, n * sizeof *terms);
    q->nbest = n;
}

static void try_line(struct problem *q, const struct line *l, bool steps,
                     const struct discover_factor *set, size_t n)
{
    struct discover_term terms[MOST_IN_SET] = {{0}};
    double bits = steps ? fmin(l->bits, l->chance) : l->bits;
    for (size_t j = 0; j < n; j++)
        terms[j].of[l->variable] = set[j];
    try_terms(q, l->rows, l->counts, l->n, bits, l->held_back, terms, n);
}

/* ---- sets ---- */

static void try_powers(struct problem *q, const struct line *l)
{
    for (unsigned mask = 1; mask < 1U << (MOST_POWER + 1); mask++) {
        struct discover_factor set[MOST_IN_SET];
        size_t n = 0;
        for (unsigned power = 0; power <= MOST_POWER && n <= MOST_IN_SET; power++) {
            if (!(mask >> power & 1))
                continue;
            if (n < MOST_IN_SET)
                set[n] = (struct discover_factor){.power = power};
            n++;
        }
        if (n <= MOST_IN_SET)
            try_line(q, l, false, set, n);
    }
}

/* One step with powers of it and of n, beside up to two powers of n. `pairs`: also two of the former. */
static void try_step(struct problem *q, const struct line *l, struct discover_factor step,
                     bool pairs)
{
    static const struct {
        unsigned power, steps;
    } kinds[] = {{0, 1}, {1, 1}, {2, 1}, {0, 2}, {1, 2}, {0, 3}};
    enum { KINDS = sizeof kinds / sizeof *kinds };
    for (size_t x = 0; x < KINDS; x++)
        for (size_t y = x; y < (pairs ? KINDS : x + 1); y++)
            for (unsigned beside = 0; beside < 7; beside++) { /* masks of 1, n, n^2 */
                struct discover_factor set[MOST_IN_SET];
                size_t n = 0;
                step.power = kinds[x].power;
                step.steps = kinds[x].steps;
                set[n++] = step;
                step.power = kinds[y].power;
                step.steps = kinds[y].steps;
                if (y > x)
                    set[n++] = step;
                for (unsigned power = 0; power < 3; power++)
                    if (beside >> power & 1)
                        set[n++] = (struct discover_factor){.power = power};
                try_line(q, l, true, set, n);
            }
}

/* Loops over f blocks in which other loops are: f*(f + 1)/2 tiles of a triangle, f*(n - 1) elements of every other row. */
static void try_in_blocks(struct problem *q, const struct line *l, struct discover_factor step)
{
    static const struct {
        size_t n;
        struct {
            unsigned power, steps;
        } of[3];
    } sums[] = {{2, {{0, 2}, {0, 1}}},         {2, {{1, 1}, {0, 1}}},
                {2, {{1, 1}, {0, 2}}},         {3, {{1, 1}, {0, 2}, {0, 1}}},
                {3, {{0, 3}, {0, 2}, {0, 1}}}, {3, {{2, 1}, {1, 1}, {0, 1}}}};
    for (size_t k = 0; k < sizeof sums / sizeof *sums; k++)
        for (unsigned beside = 0; beside < 3; beside++) { /* nothing, 1, n */
            struct discover_factor set[MOST_IN_SET];
            size_t n = 0;
            for (; n < sums[k].n; n++) {
                step.power = sums[k].of[n].power;
                step.steps = sums[k].of[n].steps;
                set[n] = step;
            }
            if (beside)
                set[n++] = (struct discover_factor){.power = beside - 1};
            try_line(q, l, true, set, n);
        }
}

/* A merge sort merges n*ceil(log2(n)) - 2^ceil(log2(n)) + n elements; it is one term, because where all sizes are one number times
 * powers of 2, its parts cannot be told apart. A Fourier transform whose points are filled up to u, a power of 2, has u*log2(u)/2
 * iterations, beside passes over u. */
static void try_halves(struct problem *q, const struct line *l)
{
    try_step(q, l, (struct discover_factor){.kind = STEP_MERGE}, false);
    try_step(q, l, (struct discover_factor){.kind = STEP_UP_LOG}, false);
    for (unsigned beside = 0; beside < 2; beside++) {
        struct discover_factor set[] = {
            {.kind = STEP_UP_LOG, .steps = 1}, {.kind = STEP_UP, .steps = 1}, {0}};
        try_line(q, l, true, set, 2 + beside);
    }
}

static void try_blocks(struct problem *q, const struct line *l)
{
    int64_t most = 0;
    for (size_t i = 0; i < l->n; i++)
        if (q->p->at[l->rows[i]][l->variable] > most)
            most = q->p->at[l->rows[i]][l->variable];
    for (int64_t block = 2; block <= DISCOVER_MOST_BLOCK && block <= most; block++)
        for (int64_t shift = 0; shift < block; shift++) {
            bool is_usual = shift < 2 || shift > block - 3;
            struct discover_factor step = {.kind = STEP_BLOCK, .block = block, .shift = shift};
            if (block <= DISCOVER_ANY_SHIFT || is_usual)
                try_step(q, l, step, false);
            if (is_usual)
                try_in_blocks(q, l, step);
        }
}

/* Three halves, as in the multiplication of Karatsuba, and seven, as in that of Strassen. The smallest size is the unit. */
static void try_trees(struct problem *q, const struct line *l)
{
    static const int64_t halves[] = {3, 7};
    int64_t least = INT64_MAX;
    for (size_t i = 0; i < l->n; i++)
        if (q->p->at[l->rows[i]][l->variable] < least)
            least = q->p->at[l->rows[i]][l->variable];
    for (size_t i = 0; i < sizeof halves / sizeof *halves && least > 0; i++)
        try_step(q, l,
                 (struct discover_factor){.kind = STEP_TREE, .block = halves[i], .shift = least},
                 false);
}

static void try_steps(struct problem *q, const struct line *l)
{
    static const enum discover_kind kinds[] = {STEP_LOG_FLOOR, STEP_LOG_CEIL, STEP_POWER, STEP_ROOT,
                                               STEP_UP};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        try_step(q, l, (struct discover_factor){.kind = kinds[i]}, true);
    try_halves(q, l);
    try_blocks(q, l);
    try_trees(q, l);
}

/* ---- variables ---- */

static void begin(struct problem *q)
{
    q->cost = INFINITY;
    q->rival = INFINITY;
    q->nbest = 0;
}

static bool is_found(const struct problem *q)
{
    return q->cost < INFINITY;
}

/* The rows that differ from row 0 in this variable alone, and row 0. */
static struct line line_of(const struct problem *q, size_t variable, size_t held_back)
{
    size_t *rows = arena_alloc(q->a, q->nrows + 1, sizeof *rows);
    struct line l = {.rows = rows, .variable = variable, .held_back = held_back};
    int64_t *sizes = arena_alloc(q->a, q->nrows + 1, sizeof *sizes);
    l.counts = arena_alloc(q->a, q->nrows + 1, sizeof *l.counts);
    for (size_t i = 0; i < q->nrows; i++) {
        bool on = true;
        for (size_t v = 0; v < q->p->nvariables; v++)
            on &= v == variable || q->p->at[i][v] == q->p->at[0][v];
        if (!on)
            continue;
        rows[l.n] = i;
        sizes[l.n] = q->p->at[i][variable];
        l.counts[l.n++] = q->counts[i];
    }
    l.bits = bits_of(l.counts, l.n);
    l.chance = chance_bits(sizes, l.counts, l.n);
    return l;
}

static void find_on_line(struct problem *q, const struct line *l, bool steps)
{
    begin(q);
    try_powers(q, l);
    if (is_found(q) || !steps)
        return;
    try_steps(q, l);
    bool is_any_size = block_of(q->best, q->nbest) > DISCOVER_ANY_SHIFT;
    if (is_found(q) && is_any_size && q->rival < q->cost + DISCOVER_RIVAL)
        begin(q); /* blocks of 169, 170 and 171 give the same counts: none of them is known */
}

/* Products of a term of each variable. 0: too many. */
static size_t multiply_terms(struct discover_term *product, size_t n, size_t v,
                             const struct discover_term *terms, size_t nterms)
{
    if (n * nterms > DISCOVER_MOST_TERMS)
        return 0;
    for (size_t j = nterms; j-- > 0;)
        for (size_t i = 0; i < n; i++) {
            product[j * n + i] = product[i];
            product[j * n + i].of[v] = terms[j].of[v];
        }
    return n * nterms;
}

/* Each variable needs a constant among its terms: another one may have a term without it. */
static void add_constant(struct problem *q, size_t v)
{
    for (size_t j = 0; j < q->nbest; j++)
        if (!q->best[j].of[v].power && !q->best[j].of[v].steps)
            return;
    if (q->nbest < DISCOVER_MOST_TERMS)
        q->best[q->nbest++] = (struct discover_term){0};
}

static void find_products(struct problem *q, bool steps)
{
    struct discover_term product[DISCOVER_MOST_TERMS] = {{0}}, bare[DISCOVER_MOST_TERMS] = {{0}};
    size_t n = 1, nbare = 1;
    for (size_t v = 0; v < q->p->nvariables && n; v++) {
        struct line l = line_of(q, v, 1);
        if (l.n < 2)
            continue;
        find_on_line(q, &l, steps);
        if (!is_found(q))
            return;
        nbare = multiply_terms(bare, nbare, v, q->best, q->nbest);
        add_constant(q, v);
        n = multiply_terms(product, n, v, q->best, q->nbest);
    }
    size_t *rows = arena_alloc(q->a, q->nrows + 1, sizeof *rows);
    double bits = bits_of(q->counts, q->nrows);
    for (size_t i = 0; i < q->nrows; i++)
        rows[i] = i;
    begin(q);
    if (nbare)
        try_terms(q, rows, q->counts, q->nrows, bits, DISCOVER_HELD_BACK, bare, nbare);
    if (n && !is_found(q))
        try_terms(q, rows, q->counts, q->nrows, bits, DISCOVER_HELD_BACK, product, n);
}

static void find_exact(struct problem *q, bool steps)
{
    begin(q);
    if (!q->p->n)
        return;
    if (q->p->nvariables > 1) {
        find_products(q, steps);
        return;
    }
    struct line l = line_of(q, 0, DISCOVER_HELD_BACK);
    find_on_line(q, &l, steps);
}

/* The same with some of the rows, and without steps. */
static void find_powers(struct problem *q, const struct discover_points *p, const uint64_t *counts)
{
    q->p = p;
    q->counts = counts;
    q->nrows = p->n;
    find_exact(q, false);
}

/* ---- verdicts ---- */

static size_t count_sizes(const struct discover_points *p, size_t v)
{
    size_t n = 0;
    for (size_t i = 0; i < p->n; i++) {
        bool is_new = true;
        for (size_t k = 0; k < i; k++)
            is_new &= p->at[k][v] != p->at[i][v];
        n += is_new;
    }
    return n;
}

static bool are_equal(const struct discover_factor *x, const struct discover_factor *y)
{
    return x->kind == y->kind && x->power == y->power && x->steps == y->steps &&
           x->block == y->block && x->shift == y->shift;
}

/* The unknowns of a variable: its different factors. */
static size_t count_unknowns(const struct problem *q, size_t v)
{
    size_t n = 0;
    for (size_t i = 0; i < q->nbest; i++) {
        bool is_new = true;
        for (size_t k = 0; k < i; k++)
            is_new &= !are_equal(&q->best[k].of[v], &q->best[i].of[v]);
        n += is_new;
    }
    return n;
}

/* With several variables the rows are many, but one variable may have too few sizes: that 2*m - 1 is right at
 * three sizes of m says little, at however many sizes of the others. */
static bool has_further_sizes(const struct problem *q)
{
    for (size_t v = 0; v < q->p->nvariables; v++)
        if (count_sizes(q->p, v) < count_unknowns(q, v) + DISCOVER_HELD_BACK)
            return false;
    return true;
}

/* ---- what a single size proves ---- */

/* Are the counts powers without some rows: those with this size of a variable, or, if there is no such variable, that row alone? */
static bool are_powers_without(const struct problem *q, struct arena *scratch, size_t row, size_t v)
{
    struct problem less = *q;
    const struct discover_points *p = q->p;
    int64_t(*at)[DISCOVER_MOST_VARIABLES] = arena_alloc(scratch, p->n + 1, sizeof *at);
    uint64_t *counts = arena_alloc(scratch, p->n + 1, sizeof *counts);
    struct discover_points rest = *p;
    rest.at = (const int64_t(*)[DISCOVER_MOST_VARIABLES])at;
    rest.n = 0;
    for (size_t k = 0; k < p->n; k++) {
        if (v < p->nvariables ? p->at[k][v] == p->at[row][v] : k == row)
            continue;
        memcpy(at[rest.n], p->at[k], sizeof *at);
        counts[rest.n++] = q->counts[k];
    }
    less.a = scratch;
    find_powers(&less, &rest, counts);
    return is_found(&less) && has_further_sizes(&less);
}

/* Are the counts powers but for one row, or for one size of a variable? Then a step is proved by these alone, which some step
 * fits by chance. */
static bool is_one_size(const struct problem *q)
{
    ARENA_LOCAL struct arena *scratch = arena_create();
    size_t n = q->p->nvariables;
    bool found = false;
    for (size_t row = 0; row < q->p->n; row++)
        for (size_t v = n > 1 ? 0 : 1; v <= n && !found; v++) { /* one variable: it is the same */
            found = are_powers_without(q, scratch, row, v);
            arena_reset(scratch);
        }
    return found;
}

/* Is the formula negative at a size below all that were run? No count is, so something changes between them, and may
 * change above as well: numbers up to n have 4*n - 1107 digits, until the largest one has five. */
static bool is_negative_below(const struct discover_points *p, const struct discover_formula *f)
{
    double place[DISCOVER_MOST_VARIABLES];
    for (size_t v = 0; v < p->nvariables; v++) {
        for (size_t k = 0; k < p->nvariables; k++)
            place[k] = (double)p->at[0][k];
        for (int64_t size = DISCOVER_SMALL_SIZE; size < p->at[0][v]; size += size / 10 + 1) {
            place[v] = (double)size;
            if (terms_sum(f->terms, f->nterms, f->nvariables, place) < 0)
                return true;
        }
    }
    return false;
}

static void take(struct problem *q, struct discover_formula *out)
{
    out->nterms = q->nbest;
    out->terms = arena_alloc(q->a, q->nbest + 1, sizeof *out->terms);
    memcpy(out->terms, q->best, q->nbest * sizeof *out->terms);
    terms_sort(out->terms, out->nterms);
    out->text = terms_text(q->a, out->terms, out->nterms, q->p->names, q->p->nvariables);
    bool whole = terms_are_plain(out->terms, out->nterms, out->nvariables) &&
                 terms_are_whole(out->terms, out->nterms, out->nvariables);
    bool is_sure = whole && has_further_sizes(q) && !is_negative_below(q->p, out);
    out->verdict = is_sure ? DISCOVER_EXACT : DISCOVER_STEPS;
}

static bool are_alike(const struct discover_term *x, const struct discover_term *y)
{
    const struct discover_quotient *a = &x->quotient, *b = &y->quotient;
    for (size_t v = 0; v < DISCOVER_MOST_VARIABLES; v++)
        if (!are_equal(&x->of[v], &y->of[v]))
            return false;
    return a->power == b->power && a->of_power == b->of_power && a->over == b->over &&
           a->by == b->by && a->shift == b->shift && a->up == b->up;
}

/* Adds a term to a sum. False: the sum is too long, or its numbers are too large. */
static bool add_to_sum(struct discover_term *terms, size_t *n, const struct discover_term *t)
{
    int64_t x, y, under;
    for (size_t j = 0; j < *n; j++) {
        if (!are_alike(&terms[j], t))
            continue;
        if (__builtin_mul_overflow(terms[j].over, t->under, &x) ||
            __builtin_mul_overflow(t->over, terms[j].under, &y) ||
            __builtin_add_overflow(x, y, &x) ||
            __builtin_mul_overflow(t->under, terms[j].under, &under) || x == INT64_MIN)
            return false;
        int64_t divisor = discover_divisor(x < 0 ? -x : x, under);
        terms[j].over = x / divisor;
        terms[j].under = under / divisor;
        return true;
    }
    if (*n == DISCOVER_MOST_TERMS)
        return false;
    terms[(*n)++] = *t;
    return true;
}

bool discover_multiply(struct arena *a, const struct discover_points *p,
                       const struct discover_formula *x, const struct discover_formula *y,
                       struct discover_formula *out)
{
    struct discover_term terms[DISCOVER_MOST_TERMS], t;
    size_t n = 0;
    if (x->verdict > DISCOVER_STEPS || y->verdict > DISCOVER_STEPS || x->rounded || y->rounded)
        return false;
    for (size_t i = 0; i < x->nterms; i++)
        for (size_t k = 0; k < y->nterms; k++)
            if (!terms_multiply(&x->terms[i], &y->terms[k], &t) || !add_to_sum(terms, &n, &t))
                return false;
    n = without_zeros(terms, n);
    *out = (struct discover_formula){
        .verdict = DISCOVER_STEPS, .nvariables = p->nvariables, .nterms = n};
    out->terms = arena_alloc(a, n + 1, sizeof *out->terms);
    memcpy(out->terms, terms, n * sizeof *terms);
    terms_sort(out->terms, n);
    out->text = terms_text(a, out->terms, n, p->names, p->nvariables);
    return true;
}

static bool grows(const struct problem *q)
{
    for (size_t j = 0; j < q->nbest; j++)
        for (size_t v = 0; v < q->p->nvariables; v++)
            if (q->best[j].of[v].power)
                return true;
    return false;
}

/* Is the formula within a hundredth of every count? */
static bool is_near(const struct problem *q, const struct discover_formula *f)
{
    double place[DISCOVER_MOST_VARIABLES];
    for (size_t i = 0; i < q->nrows; i++) {
        for (size_t v = 0; v < q->p->nvariables; v++)
            place[v] = (double)q->p->at[i][v];
        double count = (double)q->counts[i], value = discover_value(f, place);
        if (!(fabs(value - count) <= 0.01 * count))
            return false;
    }
    return true;
}

/* Without the one or two largest sizes, or without the smallest one, powers may be exact. */
static bool find_refuted(const struct problem *q, struct discover_formula *out)
{
    static const struct {
        size_t first, last;
    } without[] = {{0, 1}, {0, 2}, {1, 0}};
    struct problem part = *q;
    for (size_t k = 0; k < sizeof without / sizeof *without; k++) {
        size_t first = without[k].first, less = first + without[k].last;
        struct discover_points rest = *q->p;
        if (rest.n <= less)
            continue;
        rest.at += first;
        rest.n -= less;
        find_powers(&part, &rest, q->counts + first);
        if (!is_found(&part) || !grows(&part))
            continue;
        take(&part, out);
        if (is_near(q, out)) { /* a remainder, as of n/P: no other algorithm */
            *out =
                (struct discover_formula){.verdict = DISCOVER_DATA, .nvariables = q->p->nvariables};
            return false;
        }
        out->verdict = DISCOVER_REFUTED;
        out->refuted_by = first ? 0 : rest.n;
        return true;
    }
    return false;
}

void discover_find(struct arena *a, const struct discover_points *p, const uint64_t *counts,
                   bool varies, struct discover_formula *out)
{
    struct problem q = {.a = a, .p = p, .counts = counts, .nrows = p->n};
    *out = (struct discover_formula){.verdict = DISCOVER_DATA, .nvariables = p->nvariables};
    q.columns.at = arena_alloc(a, p->n + 1, sizeof *q.columns.at);
    if (!varies) {
        find_exact(&q, true);
        bool plain = terms_are_plain(q.best, q.nbest, p->nvariables);
        if (is_found(&q) && (plain || !is_one_size(&q))) {
            take(&q, out);
            return;
        }
        if (rounded_find(a, p, counts, out) || quotient_find(a, p, counts, out) ||
            find_refuted(&q, out))
            return;
    }
    smooth_find(a, p, counts, out);
}

double discover_value(const struct discover_formula *f, const double *place)
{
    if (f->verdict == DISCOVER_REFUTED || !f->text)
        return NAN;
    double x = f->verdict == DISCOVER_DATA ? smooth_value(f, place)
                                           : terms_sum(f->terms, f->nterms, f->nvariables, place);
    if (f->rounded)
        x = floor(x);
    return x >= 0 ? x : NAN; /* log2(0) has no value, and no count is negative */
}
