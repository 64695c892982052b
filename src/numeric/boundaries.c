/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The search for intervals (see boundaries.h).
 *
 * Only sums of products are needed: those of the columns and y, over the rows of each group, and
 * added up over the groups of an interval. For a set V of varying constants the columns are ordered
 * V, then the shared ones, then y. Eliminating V leaves the `tail` for shared constants and y, which
 * is all that the interval contributes once its own constants are fitted. The residual of a whole
 * structure is what eliminating the shared constants leaves of the sum of the tails: a few dozen
 * operations. Tails of all intervals [i, j) are made once per V by extending j. Sums are only added,
 * never subtracted, so small groups beside large ones keep their digits.
 *
 *   no shared constants      tails are numbers, and dynamic programming gives the best
 *                            boundaries: exact
 *   one or two boundaries    all places are tried: exact
 *   more                     start from the best structure with one boundary fewer plus the best
 *                            further one, and from that of the dynamic programme; move each
 *                            boundary in turn to its best place until none moves
 *
 * V is skipped when even the residual of the dynamic programme (a lower bound) cannot make it the
 * best. In the winner each change of each constant that does not pay for itself is taken back: a
 * constant then keeps its value across boundaries that others need.
 *
 * With many distinct values the search first runs on a thinned set of places, then refines on all.
 */
#include "numeric/boundaries.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "numeric/products.h"

enum { MAX_SIDE = BOUNDARIES_MAX_COLUMNS + 1 };

/* ---- sums of products ---- */

/* Of each group: the sums over its rows of the products of every two columns, y being the last. */
struct sums {
    const struct boundaries_problem *problem;
    size_t side; /* columns + 1 */
    size_t size; /* numbers per group: a triangle, row by row */
    double *of;
};

static struct sums make_sums(const struct boundaries_problem *p)
{
    struct sums s = {p, p->columns + 1, (p->columns + 1) * (p->columns + 2) / 2, NULL};
    s.of = mem_zalloc(p->groups * s.size, sizeof *s.of);
    for (size_t i = 0; i < p->rows; i++) {
        double row[MAX_SIDE], *sum = s.of + p->group[i] * s.size;
        memcpy(row, p->design + i * p->columns, p->columns * sizeof *row);
        row[p->columns] = p->y[i];
        for (size_t a = 0; a < s.side; a++)
            for (size_t b = a; b < s.side; b++)
                *sum++ += row[a] * row[b];
    }
    return s;
}

/* Adds the sums of the groups from..to-1 to a symmetric matrix of which the upper triangle counts;
 * column c becomes row and column at[c]. */
static void add_groups(const struct sums *s, size_t from, size_t to, const size_t *at, double *m,
                       size_t side)
{
    for (size_t g = from; g < to; g++) {
        const double *sum = s->of + g * s->size;
        for (size_t a = 0; a < s->side; a++)
            for (size_t b = a; b < s->side; b++, sum++)
                m[at[a] < at[b] ? at[a] * side + at[b] : at[b] * side + at[a]] += *sum;
    }
}

/* ---- constants and their columns ---- */

static size_t constants_of(const struct boundaries_problem *p)
{
    return p->owner ? p->constants : p->columns;
}

static size_t owner_of(const struct boundaries_problem *p, size_t column)
{
    return p->owner ? p->owner[column] : column;
}

static unsigned all_constants(const struct boundaries_problem *p)
{
    return (unsigned)((1ul << constants_of(p)) - 1);
}

static unsigned allowed(const struct boundaries_problem *p)
{
    return p->may_vary ? p->may_vary & all_constants(p) : all_constants(p);
}

/* How many columns the constants of the set own. */
static size_t columns_of(const struct boundaries_problem *p, unsigned set)
{
    size_t n = 0;
    for (size_t c = 0; c < p->columns; c++)
        n += set >> owner_of(p, c) & 1;
    return n;
}

/* ---- the tails of all intervals, for one set of varying constants ---- */

struct tails {
    const struct boundaries_problem *problem;
    size_t varying, side;      /* side of a tail: shared constants + 1 */
    size_t position[MAX_SIDE]; /* of each column, and of y */
    size_t places;             /* interval borders: 0 = place[0] < ... < place[places-1] = groups */
    const size_t *place;
    const struct sums *sums;
    double *block; /* [i][j]: tail of places i..j, i < j */
};

static void order_columns(struct tails *t, unsigned varying)
{
    size_t n = 0, columns = t->problem->columns;
    for (int pass = 1; pass >= 0; pass--)
        for (size_t c = 0; c < columns; c++)
            if ((int)(varying >> owner_of(t->problem, c) & 1) == pass)
                t->position[c] = n++;
    t->position[columns] = n;
    t->varying = columns_of(t->problem, varying);
    t->side = columns - t->varying + 1;
}

static double *tail_of(const struct tails *t, size_t i, size_t j)
{
    return t->block + (i * t->places + j) * t->side * t->side;
}

/* All intervals that start at place i. */
static void extend_from(struct tails *t, size_t i)
{
    size_t n = t->problem->columns + 1;
    double sum[MAX_SIDE * MAX_SIDE] = {0}, left[MAX_SIDE * MAX_SIDE];
    for (size_t j = i + 1; j < t->places; j++) {
        add_groups(t->sums, t->place[j - 1], t->place[j], t->position, sum, n);
        memcpy(left, sum, n * n * sizeof *left);
        products_eliminate(left, n, t->varying);
        double *tail = tail_of(t, i, j);
        for (size_t a = 0; a < t->side; a++)
            for (size_t b = a; b < t->side; b++)
                tail[a * t->side + b] = left[(t->varying + a) * n + t->varying + b];
    }
}

static void make_tails(struct tails *t, unsigned varying)
{
    order_columns(t, varying);
    for (size_t i = 0; i + 1 < t->places; i++)
        extend_from(t, i);
}

/* Residual sum of squares with boundaries at these places. */
static double residual(const struct tails *t, const size_t *at, size_t boundaries)
{
    size_t side = t->side;
    double sum[MAX_SIDE * MAX_SIDE];
    memcpy(sum, tail_of(t, 0, boundaries ? at[0] : t->places - 1), side * side * sizeof *sum);
    for (size_t s = 1; s <= boundaries; s++) {
        const double *tail = tail_of(t, at[s - 1], s < boundaries ? at[s] : t->places - 1);
        for (size_t a = 0; a < side; a++)
            for (size_t b = a; b < side; b++)
                sum[a * side + b] += tail[a * side + b];
    }
    products_eliminate(sum, side, side - 1);
    return fmax(sum[side * side - 1], 0);
}

/* ---- the criterion ---- */

static double log_choose(size_t n, size_t k)
{
    return k > n ? INFINITY
                 : lgamma((double)n + 1) - lgamma((double)k + 1) - lgamma((double)(n - k) + 1);
}

double boundaries_choice_cost(size_t constants, size_t groups, const unsigned *changing,
                              size_t boundaries)
{
    double cost = 2 * log_choose(groups - 1, boundaries);
    for (size_t b = 0; b < boundaries; b++) {
        size_t m = (size_t)__builtin_popcount(changing[b]);
        cost += 2 * log((double)constants) + 2 * log_choose(constants, m) + BOUNDARY_PENALTY +
                CHANGE_PENALTY * ((double)m - 1);
    }
    return cost;
}

double boundaries_aicc(const struct boundaries_problem *p, double rss, size_t parameters)
{
    double n = (double)p->rows + p->known_weight, k = (double)parameters + 1;
    if (n <= k + 1 || p->rows <= parameters)
        return INFINITY;
    double least = (double)p->rows * p->noise_floor * p->noise_floor;
    if (least <= 0)
        least = (double)p->rows * ROUNDING_VARIANCE;
    double squares =
        (rss > least ? rss : least) + p->known_weight * p->known_noise * p->known_noise;
    return n * log(squares / n) + 2 * k * n / (n - k - 1);
}

static double criterion(const struct boundaries_problem *p, double rss, size_t parameters,
                        const unsigned *changing, size_t boundaries)
{
    return boundaries_aicc(p, rss, parameters) +
           boundaries_choice_cost(constants_of(p), p->groups, changing, boundaries);
}

/* The same set of constants at each boundary. */
static double criterion_of_set(const struct boundaries_problem *p, double rss, unsigned varying,
                               size_t boundaries)
{
    unsigned changing[BOUNDARIES_MAX];
    for (size_t b = 0; b < boundaries; b++)
        changing[b] = varying;
    return criterion(p, rss, p->columns + boundaries * columns_of(p, varying), changing,
                     boundaries);
}

static size_t min_groups(const struct boundaries_problem *p)
{
    return p->min_groups ? p->min_groups : INTERVAL_LEAST_VALUES;
}

/* ---- the best boundaries for one set of varying constants ---- */

struct search {
    struct tails *tails;
    size_t least; /* groups an interval must hold */
    size_t boundaries;
    size_t at[BOUNDARIES_MAX]; /* places */
    double rss;
};

static bool wide_enough(const struct tails *t, size_t i, size_t j, size_t least)
{
    return t->place[j] - t->place[i] >= least;
}

static bool valid(const struct search *s, const size_t *at, size_t boundaries)
{
    for (size_t b = 0; b <= boundaries; b++) {
        size_t from = b ? at[b - 1] : 0, to = b < boundaries ? at[b] : s->tails->places - 1;
        if (from >= to || !wide_enough(s->tails, from, to, s->least))
            return false;
    }
    return true;
}

static void consider(struct search *s, const size_t *at, size_t boundaries)
{
    if (!valid(s, at, boundaries))
        return;
    double rss = residual(s->tails, at, boundaries);
    if (rss < s->rss) {
        s->rss = rss;
        s->boundaries = boundaries;
        memcpy(s->at, at, boundaries * sizeof *at);
    }
}

static void try_one(struct search *s)
{
    for (size_t a = 1; a + 1 < s->tails->places; a++)
        consider(s, &a, 1);
}

static void try_two(struct search *s)
{
    for (size_t a = 1; a + 2 < s->tails->places; a++)
        for (size_t b = a + 1; b + 1 < s->tails->places; b++)
            consider(s, (size_t[]){a, b}, 2);
}

/* Each boundary in turn to its best place between its neighbours, until none moves. */
static void settle(struct search *s)
{
    for (bool moved = true; moved;) {
        moved = false;
        for (size_t b = 0; b < s->boundaries; b++) {
            size_t at[BOUNDARIES_MAX], from = b ? s->at[b - 1] + 1 : 1;
            size_t to = b + 1 < s->boundaries ? s->at[b + 1] : s->tails->places - 1;
            double before = s->rss;
            memcpy(at, s->at, sizeof at);
            for (at[b] = from; at[b] < to; at[b]++)
                consider(s, at, s->boundaries);
            moved |= s->rss < before * (1 - BOUNDARY_MOVE_GAIN);
        }
    }
}

/* One more boundary than `base`, wherever it helps most, then settled. */
static void add_one(struct search *s, const struct search *base)
{
    for (size_t a = 1; a + 1 < s->tails->places; a++) {
        size_t at[BOUNDARIES_MAX], n = 0;
        bool used = false;
        for (size_t b = 0; b < base->boundaries; b++) {
            if (!used && a <= base->at[b]) {
                at[n++] = a;
                used = true;
            }
            at[n++] = base->at[b];
        }
        if (!used)
            at[n++] = a;
        consider(s, at, n);
    }
    settle(s);
}

/* ---- dynamic programming: all constants vary ---- */

struct programme {
    size_t places, most;
    double *best; /* [boundaries][j]: least residual of places 0..j */
    size_t *from; /* where the last interval of that begins */
};

static void run_programme(struct programme *d, const struct tails *t, size_t least, size_t most)
{
    d->places = t->places;
    d->most = most;
    d->best = mem_alloc((most + 1) * t->places, sizeof *d->best);
    d->from = mem_zalloc((most + 1) * t->places, sizeof *d->from);
    for (size_t k = 0; k <= most; k++) {
        for (size_t j = 0; j < t->places; j++) {
            double *best = &d->best[k * t->places + j];
            *best = INFINITY;
            if (k == 0 && j > 0 && wide_enough(t, 0, j, least))
                *best = fmax(*tail_of(t, 0, j), 0);
            for (size_t i = 1; k > 0 && i < j && wide_enough(t, i, j, least); i++) {
                double sum = d->best[(k - 1) * t->places + i] + fmax(*tail_of(t, i, j), 0);
                if (sum < *best) {
                    *best = sum;
                    d->from[k * t->places + j] = i;
                }
            }
        }
    }
}

static void read_programme(const struct programme *d, size_t boundaries, size_t *at)
{
    size_t j = d->places - 1;
    for (size_t k = boundaries; k > 0; k--)
        at[k - 1] = j = d->from[k * d->places + j];
}

static void free_programme(struct programme *d)
{
    mem_free(d->best);
    mem_free(d->from);
}

/* ---- all sets of varying constants ---- */

struct hunt {
    const struct boundaries_problem *problem;
    struct tails tails;
    struct programme programme;
    double plain;                       /* criterion without boundaries */
    struct boundaries_structure *found; /* sorted by criterion */
    size_t nfound;
};

static void keep(struct hunt *h, const struct boundaries_structure *s)
{
    size_t i = h->nfound;
    if (i == BOUNDARIES_MAX_FOUND && s->criterion >= h->found[i - 1].criterion)
        return;
    if (i < BOUNDARIES_MAX_FOUND)
        h->nfound++;
    else
        i--;
    for (; i > 0 && h->found[i - 1].criterion > s->criterion; i--)
        h->found[i] = h->found[i - 1];
    h->found[i] = *s;
}

static void keep_if_better(struct hunt *h, const struct search *s, unsigned varying)
{
    const struct boundaries_problem *p = h->problem;
    struct boundaries_structure t = {.boundaries = s->boundaries, .rss = s->rss};
    t.criterion = criterion_of_set(p, s->rss, varying, s->boundaries);
    t.parameters = p->columns + s->boundaries * columns_of(p, varying);
    if (!(t.criterion < h->plain))
        return;
    for (size_t b = 0; b < s->boundaries; b++) {
        t.at[b] = h->tails.place[s->at[b]];
        t.changing[b] = varying;
    }
    keep(h, &t);
}

/* Whether this many changes could win even with the residual of the dynamic programme, which is
 * less than any. */
static bool hopeless(const struct hunt *h, unsigned varying, size_t boundaries)
{
    double bound = h->programme.best[boundaries * h->programme.places + h->programme.places - 1];
    if (isinf(bound))
        return true;
    return criterion_of_set(h->problem, bound, varying, boundaries) >= h->plain;
}

static void hunt_set(struct hunt *h, unsigned varying)
{
    bool all = varying == all_constants(h->problem), made = all;
    struct search fewer = {.tails = &h->tails, .rss = INFINITY, .least = min_groups(h->problem)};
    if (all)
        make_tails(&h->tails, varying);
    for (size_t k = 1; k <= h->programme.most; k++) {
        struct search s = {.tails = &h->tails, .rss = INFINITY, .least = min_groups(h->problem)};
        size_t at[BOUNDARIES_MAX] = {0};
        if (hopeless(h, varying, k) && k != 1)
            continue;
        if (hopeless(h, varying, k) && h->programme.most == 1)
            return;
        if (!made) {
            make_tails(&h->tails, varying);
            made = true;
        }
        read_programme(&h->programme, k, at);
        consider(&s, at, k);
        if (!all && k == 1)
            try_one(&s);
        else if (!all && k == 2)
            try_two(&s);
        else if (!all && isfinite(s.rss)) {
            settle(&s);
            if (fewer.boundaries + 1 == k)
                add_one(&s, &fewer);
        }
        if (isinf(s.rss))
            return;
        keep_if_better(h, &s, varying);
        fewer = s;
    }
}

/* Borders evenly spread over the groups, always with both ends. */
static size_t spread_places(size_t groups, size_t most, size_t *place)
{
    size_t n = groups < most ? groups + 1 : most;
    for (size_t i = 0; i < n; i++)
        place[i] = groups * i / (n - 1);
    return n;
}

/* ---- structures in general: constants with their own boundaries ---- */

/* Where the columns of one interval are among those of all pieces; returns how many these are. */
static size_t piece_columns(const struct boundaries_problem *p,
                            const struct boundaries_structure *s, size_t interval, size_t *at)
{
    size_t n = 0;
    for (size_t c = 0; c < p->columns; c++) {
        size_t owner = owner_of(p, c);
        at[c] = n++;
        for (size_t b = 0; b < s->boundaries; b++) {
            if (!(s->changing[b] >> owner & 1))
                continue;
            at[c] += b < interval;
            n++;
        }
    }
    at[p->columns] = n;
    return n;
}

static void evaluate(const struct sums *sums, struct boundaries_structure *s)
{
    const struct boundaries_problem *p = sums->problem;
    size_t at[MAX_SIDE] = {0}, n = piece_columns(p, s, 0, at);
    MEM_LOCAL double *m = mem_zalloc((n + 1) * (n + 1), sizeof *m);
    for (size_t i = 0; i <= s->boundaries; i++) {
        piece_columns(p, s, i, at);
        add_groups(sums, i ? s->at[i - 1] : 0, i < s->boundaries ? s->at[i] : p->groups, at, m,
                   n + 1);
    }
    products_eliminate(m, n + 1, n);
    s->rss = fmax(m[(n + 1) * (n + 1) - 1], 0);
    s->parameters = n;
    s->criterion = criterion(p, s->rss, n, s->changing, s->boundaries);
}

void boundaries_evaluate(const struct boundaries_problem *p, struct boundaries_structure *s)
{
    struct sums sums = make_sums(p);
    evaluate(&sums, s);
    mem_free(sums.of);
}

/* Takes back each single change that does not pay for its parameter, the worst first. */
static void take_back_changes(const struct sums *sums, struct boundaries_structure *s)
{
    const struct boundaries_problem *p = sums->problem;
    for (;;) {
        struct boundaries_structure better = *s;
        for (size_t b = 0; b < s->boundaries; b++) {
            for (size_t c = 0; c < constants_of(p); c++) {
                struct boundaries_structure t = *s;
                if (!(t.changing[b] >> c & 1) || t.changing[b] == 1u << c)
                    continue;
                t.changing[b] &= ~(1u << c);
                evaluate(sums, &t);
                if (t.criterion < better.criterion)
                    better = t;
            }
        }
        if (!(better.criterion < s->criterion))
            return;
        *s = better;
    }
}

/* Each boundary to its best group near by: after a search on thinned places, and after changes
 * were taken back. */
static void refine(const struct sums *sums, struct boundaries_structure *s, size_t reach)
{
    const struct boundaries_problem *p = sums->problem;
    for (bool moved = true; moved;) {
        moved = false;
        for (size_t b = 0; b < s->boundaries; b++) {
            size_t before = b ? s->at[b - 1] : 0,
                   after = b + 1 < s->boundaries ? s->at[b + 1] : p->groups;
            size_t low = before + min_groups(p), high = after - min_groups(p), at = s->at[b];
            struct boundaries_structure t = *s;
            if (at > reach && low < at - reach)
                low = at - reach;
            if (high > at + reach)
                high = at + reach;
            for (t.at[b] = low; t.at[b] <= high; t.at[b]++) {
                evaluate(sums, &t);
                if (t.rss < s->rss * (1 - BOUNDARY_MOVE_GAIN)) {
                    *s = t;
                    moved = true;
                }
            }
        }
    }
}

void boundaries_given(const struct boundaries_problem *p, struct boundaries_structure *s)
{
    for (size_t b = 0; b < s->boundaries; b++)
        s->changing[b] = allowed(p);
    struct sums sums = make_sums(p);
    evaluate(&sums, s);
    take_back_changes(&sums, s);
    mem_free(sums.of);
}

/* The first few, each made as good as it gets, in order again. */
static void improve(struct hunt *h)
{
    const struct sums *sums = h->tails.sums;
    struct boundaries_structure first[BOUNDARIES_MAX_FOUND];
    /* At thinned places a second boundary can make up for the wrong place of the first. */
    size_t most = sums->problem->groups < BOUNDARIES_COARSE_PLACES ? BOUNDARIES_IMPROVED
                                                                   : BOUNDARIES_MAX_FOUND;
    size_t n = h->nfound < most ? h->nfound : most;
    memcpy(first, h->found, n * sizeof *first);
    memmove(h->found, h->found + n, (h->nfound - n) * sizeof *h->found);
    h->nfound -= n;
    for (size_t i = 0; i < n; i++) {
        take_back_changes(sums, &first[i]);
        refine(sums, &first[i], sums->problem->groups / BOUNDARIES_COARSE_PLACES / 8 + 1);
        keep(h, &first[i]);
    }
}

static size_t most_boundaries(const struct boundaries_problem *p)
{
    size_t fit = p->groups / min_groups(p);
    size_t most = p->max_boundaries < BOUNDARIES_MAX ? p->max_boundaries : BOUNDARIES_MAX;
    return fit == 0 ? 0 : most < fit - 1 ? most : fit - 1;
}

static void start_programme(struct hunt *h)
{
    make_tails(&h->tails, all_constants(h->problem));
    run_programme(&h->programme, &h->tails, min_groups(h->problem), most_boundaries(h->problem));
}

static void hunt_all(struct hunt *h)
{
    unsigned all = all_constants(h->problem), may = allowed(h->problem);
    int most = h->problem->most_varying;
    start_programme(h);
    if (may == all)
        hunt_set(h, all);
    for (int size = 1; size < (int)constants_of(h->problem);
         size++) /* few changes first: they make the others hopeless */
        for (unsigned v = 1; v < all; v++)
            if (__builtin_popcount(v) == size && (v & ~may) == 0 && (most == 0 || size <= most))
                hunt_set(h, v);
    free_programme(&h->programme);
}

/*
 * Many groups: a coarse pass finds near which places boundaries can be (those of every dynamic
 * programme, one to the most boundaries), then all groups around them become places too. Without
 * this the misfit between the coarse place and the true one is taken for a boundary of its own.
 */
static void choose_places(struct hunt *h, size_t *place)
{
    size_t groups = h->problem->groups, step = groups / BOUNDARIES_COARSE_PLACES + 1, wanted = 0;
    h->tails.places = spread_places(groups, BOUNDARIES_COARSE_PLACES, place);
    if (groups < BOUNDARIES_COARSE_PLACES)
        return;
    MEM_LOCAL bool *use = mem_zalloc(groups + 1, sizeof *use);
    for (size_t i = 0; i < h->tails.places; i++)
        use[place[i]] = true;
    start_programme(h);
    for (size_t k = 1; k <= h->programme.most; k++) {
        size_t at[BOUNDARIES_MAX] = {0}, fine = step / 8 + 1;
        if (isinf(h->programme.best[k * h->programme.places + h->programme.places - 1]))
            break;
        read_programme(&h->programme, k, at);
        for (size_t b = 0; b < k; b++)
            for (size_t d = 0; d <= step; d += fine) {
                use[place[at[b]] - (place[at[b]] > d ? d : 0)] = true;
                use[place[at[b]] + d < groups ? place[at[b]] + d : groups] = true;
            }
    }
    free_programme(&h->programme);
    for (size_t g = 0; g <= groups; g++)
        if (use[g] && (wanted + 1 < BOUNDARIES_FINE_PLACES || g == groups))
            place[wanted++] = g;
    h->tails.places = wanted;
}

size_t boundaries_search(const struct boundaries_problem *p, struct boundaries_structure *found,
                         struct boundaries_structure *plain)
{
    struct boundaries_structure without = {0};
    if (!p->rows || !p->groups || !p->columns || p->columns > BOUNDARIES_MAX_COLUMNS ||
        constants_of(p) > BOUNDARIES_MAX_CONSTANTS)
        return 0;
    struct sums sums = make_sums(p);
    evaluate(&sums, &without);
    if (plain)
        *plain = without;
    struct hunt h = {.problem = p, .plain = without.criterion, .found = found};
    if (most_boundaries(p)) {
        size_t place[BOUNDARIES_FINE_PLACES];
        size_t places =
            p->groups < BOUNDARIES_COARSE_PLACES ? p->groups + 1 : BOUNDARIES_FINE_PLACES;
        h.tails = (struct tails){.problem = p, .place = place, .sums = &sums};
        h.tails.block = mem_alloc(places * places * sums.side * sums.side, sizeof(double));
        choose_places(&h, place);
        hunt_all(&h);
        mem_free(h.tails.block);
        improve(&h);
    }
    mem_free(sums.of);
    return h.nfound;
}
