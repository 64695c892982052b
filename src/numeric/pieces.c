/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The search for the pieces of each constant (see pieces.h). */
#include "numeric/pieces.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "numeric/boundaries.h"
#include "numeric/lsq.h"

/* The points in the order of one variable. */
struct ordered {
    size_t *point; /* sorted by the variable, outliers left out */
    size_t *group; /* of each */
    double *value; /* of each group */
    size_t n, groups;
};

struct searcher {
    struct arena *arena; /* scratch */
    const struct pieces_problem *problem;
    struct pieces *out;
    struct ordered order[PIECES_MAX_VARIABLES];
    double criterion;
    bool free_sign; /* the data themselves say that a constant is negative */
};

/* ---- geometry ---- */

bool pieces_contains(const struct pieces *p, const struct piece *piece, size_t variables,
                     const double *x)
{
    for (size_t v = 0; v < variables; v++) {
        if (piece->low[v] >= 0 && !(x[v] > p->boundaries[piece->low[v]].at))
            return false;
        if (piece->high[v] >= 0 && x[v] > p->boundaries[piece->high[v]].at)
            return false;
    }
    return true;
}

static bool piece_has_point(const struct searcher *s, const struct piece *piece, size_t point)
{
    double x[PIECES_MAX_VARIABLES];
    for (size_t v = 0; v < s->problem->variables; v++)
        x[v] = s->problem->at[v][point];
    return pieces_contains(s->out, piece, s->problem->variables, x);
}

/* Halfway between two measured values: in ratio where that makes sense. */
static double between(double below, double above)
{
    return below > 0 ? sqrt(below) * sqrt(above) : below + (above - below) / 2;
}

static int by_place(const struct boundary *x, const struct boundary *y)
{
    if (x->variable != y->variable)
        return x->variable < y->variable ? -1 : 1;
    return x->below < y->below ? -1 : x->below > y->below;
}

/* Adds changes at a boundary, which may exist already; the list stays sorted. */
static bool add_boundary(struct pieces *p, const struct boundary *boundary, unsigned changing)
{
    size_t i = 0;
    while (i < p->nboundaries && by_place(&p->boundaries[i], boundary) < 0)
        i++;
    if (i < p->nboundaries && by_place(&p->boundaries[i], boundary) == 0) {
        bool fresh = (changing & ~p->changing[i]) != 0;
        p->changing[i] |= changing;
        return fresh;
    }
    if (p->nboundaries == PIECES_MAX_BOUNDARIES)
        return false;
    memmove(&p->boundaries[i + 1], &p->boundaries[i], (p->nboundaries - i) * sizeof *p->boundaries);
    memmove(&p->changing[i + 1], &p->changing[i], (p->nboundaries - i) * sizeof *p->changing);
    p->boundaries[i] = *boundary;
    p->changing[i] = changing;
    p->nboundaries++;
    return true;
}

static void remove_boundary(struct pieces *p, size_t i)
{
    p->nboundaries--;
    memmove(&p->boundaries[i], &p->boundaries[i + 1], (p->nboundaries - i) * sizeof *p->boundaries);
    memmove(&p->changing[i], &p->changing[i + 1], (p->nboundaries - i) * sizeof *p->changing);
}

/* The pieces of one constant: the whole space, and each of its boundaries in turn divides every
 * piece that it crosses. */
static bool add_pieces(struct searcher *s, size_t constant)
{
    struct pieces *out = s->out;
    size_t first = out->n;
    if (first == PIECES_MAX)
        return false;
    struct piece *piece = &out->list[out->n++];
    piece->constant = constant;
    for (size_t v = 0; v < PIECES_MAX_VARIABLES; v++)
        piece->low[v] = piece->high[v] = -1;
    for (size_t c = 0; c < out->nboundaries; c++) {
        size_t v = out->boundaries[c].variable;
        if (!(out->changing[c] >> constant & 1))
            continue;
        for (size_t b = first, n = out->n; b < n; b++) {
            if (out->list[b].high[v] >= 0)
                continue; /* left of an earlier boundary of this variable */
            if (out->n == PIECES_MAX)
                return false;
            struct piece *right = &out->list[out->n++];
            *right = out->list[b];
            out->list[b].high[v] = (int)c;
            right->low[v] = (int)c;
        }
    }
    for (size_t b = first; b < out->n; b++) {
        out->list[b].support = 0;
        for (size_t i = 0; i < s->problem->points; i++)
            out->list[b].support += !out->outlier[i] && piece_has_point(s, &out->list[b], i);
    }
    return true;
}

/* False when there are too many. */
static bool make_pieces(struct searcher *s)
{
    s->out->n = 0;
    for (size_t c = 0; c < s->problem->constants; c++)
        if (!add_pieces(s, c))
            return false;
    return true;
}

/* ---- points in the order of one variable ---- */

static int by_key(const void *x, const void *y, void *context)
{
    const double *key = context, a = key[*(const size_t *)x], b = key[*(const size_t *)y];
    if (a != b)
        return a < b ? -1 : 1;
    return *(const size_t *)x < *(const size_t *)y ? -1 : 1;
}

static struct ordered order_by(struct arena *a, const struct pieces_problem *p, const bool *outlier,
                               size_t variable)
{
    struct ordered o = {0};
    o.point = arena_alloc(a, p->points, sizeof *o.point);
    o.group = arena_alloc(a, p->points, sizeof *o.group);
    o.value = arena_alloc(a, p->points, sizeof *o.value);
    for (size_t i = 0; i < p->points; i++)
        if (!outlier[i])
            o.point[o.n++] = i;
    sort_with(o.point, o.n, sizeof *o.point, by_key, p->at[variable]);
    for (size_t i = 0; i < o.n; i++) {
        double x = p->at[variable][o.point[i]];
        if (o.groups == 0 || x != o.value[o.groups - 1])
            o.value[o.groups++] = x;
        o.group[i] = o.groups - 1;
    }
    return o;
}

/* ---- one variable: boundaries, given the pieces found so far ---- */

/* How many distinct values of a variable an interval must hold: fewer where each value has several
 * points. */
static size_t least_values(const struct pieces_problem *p, const struct ordered *o)
{
    if (p->min_values)
        return p->min_values;
    return o->n >= INTERVAL_ENOUGH_POINTS * o->groups ? INTERVAL_LEAST_VALUES_REPEATED
                                                      : INTERVAL_LEAST_VALUES;
}

/* Columns: the pieces that have points. NULL when there are too many. */
static struct boundaries_problem *make_problem(struct searcher *s, const struct ordered *o)
{
    const struct pieces_problem *p = s->problem;
    size_t columns = 0;
    size_t *owner = arena_alloc(s->arena, s->out->n, sizeof *owner);
    for (size_t b = 0; b < s->out->n; b++)
        if (s->out->list[b].support)
            owner[columns++] = s->out->list[b].constant;
    if (columns > BOUNDARIES_MAX_COLUMNS)
        return NULL;
    double *design = arena_zalloc(s->arena, o->n * columns, sizeof *design);
    double *y = arena_alloc(s->arena, o->n, sizeof *y);
    for (size_t i = 0; i < o->n; i++) {
        size_t point = o->point[i], column = 0;
        y[i] = p->y[point] / p->sigma[point];
        for (size_t b = 0; b < s->out->n; b++) {
            const struct piece *piece = &s->out->list[b];
            if (!piece->support)
                continue;
            if (piece_has_point(s, piece, point))
                design[i * columns + column] =
                    p->design[point * p->constants + piece->constant] / p->sigma[point];
            column++;
        }
    }
    struct boundaries_problem *b = arena_alloc(s->arena, 1, sizeof *b);
    *b = (struct boundaries_problem){
        .rows = o->n,
        .columns = columns,
        .groups = o->groups,
        .constants = p->constants,
        .owner = owner,
        .design = design,
        .y = y,
        .group = o->group,
        .min_groups = least_values(p, o),
        .most_varying = p->constants > PIECES_MANY_CONSTANTS ? PIECES_MOST_CHANGING : 0,
        .noise_floor = p->noise_floor,
        .known_noise = p->known_noise,
        .known_weight = p->known_weight};
    return b;
}

static size_t boundaries_on(const struct pieces *p, size_t variable)
{
    size_t n = 0;
    for (size_t c = 0; c < p->nboundaries; c++)
        n += p->boundaries[c].variable == variable;
    return n;
}

/* Residual sum of squares with no constant below zero: they are costs, and a structure that needs a
 * negative one explains nothing. */
static double residual_of_costs(struct searcher *s, const struct boundaries_problem *b)
{
    struct arena *a = arena_create();
    struct lsq *l = lsq_create(a, b->columns);
    struct lsq_solution solution;
    bool *active = arena_alloc(a, b->columns, sizeof *active);
    double sum = 0;
    for (size_t i = 0; i < b->rows; i++)
        lsq_add(l, b->design + i * b->columns, b->y[i]);
    lsq_finish(l);
    if (s->free_sign)
        lsq_solve(a, l, NULL, &solution);
    else
        lsq_solve_nonneg(a, l, NULL, NULL, active, &solution);
    for (size_t i = 0; i < b->rows; i++) {
        double r = b->y[i];
        for (size_t c = 0; c < b->columns; c++)
            r -= solution.x[c] * b->design[i * b->columns + c];
        sum += r * r;
    }
    arena_destroy(a);
    return sum;
}

/* The criterion of everything found so far: AICc of the whole, and for each variable the cost of
 * the choice. */
static double evaluate(struct searcher *s)
{
    const struct pieces_problem *p = s->problem;
    if (!make_pieces(s))
        return INFINITY;
    struct boundaries_problem *b = make_problem(s, &s->order[0]);
    if (!b)
        return INFINITY;
    double value = boundaries_aicc(b, residual_of_costs(s, b), b->columns),
           variables = (double)__builtin_popcount(p->may_divide);
    for (size_t v = 0; v < p->variables; v++) {
        size_t first = 0, n = boundaries_on(s->out, v);
        while (first < s->out->nboundaries && s->out->boundaries[first].variable < v)
            first++;
        if (n)
            value += boundaries_choice_cost(p->constants, s->order[v].groups,
                                            s->out->changing + first, n) +
                     2 * (double)n * log(variables);
    }
    return value;
}

static bool apply(struct searcher *s, size_t variable, const struct boundaries_structure *found)
{
    const struct ordered *o = &s->order[variable];
    bool any = false;
    for (size_t b = 0; b < found->boundaries; b++) {
        double below = o->value[found->at[b] - 1], above = o->value[found->at[b]];
        struct boundary boundary = {variable, below, above, between(below, above)};
        any |= add_boundary(s->out, &boundary, found->changing[b]);
    }
    return any;
}

/* Tries the structures that pay for themselves on one variable; keeps the best in *best and *least.
 */
static void try_variable(struct searcher *s, size_t variable, struct pieces *best, double *least)
{
    const struct pieces_problem *p = s->problem;
    struct pieces before = *s->out;
    struct boundaries_structure *found = arena_alloc(s->arena, BOUNDARIES_MAX_FOUND, sizeof *found);
    size_t used = boundaries_on(&before, variable) + 1, n;
    struct boundaries_problem *problem =
        used < p->max_intervals && make_pieces(s) ? make_problem(s, &s->order[variable]) : NULL;
    if (!problem)
        return;
    problem->max_boundaries = p->max_intervals - used;
    n = boundaries_search(problem, found, NULL);
    for (size_t i = 0; i < n; i++) {
        double value = apply(s, variable, &found[i]) ? evaluate(s) : INFINITY;
        if (value < *least - PIECES_LEAST_GAIN) {
            *least = value;
            *best = *s->out;
        }
        *s->out = before;
    }
}

static bool divide_best_variable(struct searcher *s)
{
    struct pieces best = *s->out;
    double least = s->criterion;
    for (size_t v = 0; v < s->problem->variables; v++)
        if (s->problem->may_divide >> v & 1)
            try_variable(s, v, &best, &least);
    *s->out = best;
    bool improved = least < s->criterion;
    s->criterion = least;
    return improved;
}

/* Takes back the change that is needed least, if the whole is better without it. */
static bool take_back_one(struct searcher *s)
{
    struct pieces before = *s->out, best = before;
    double least = s->criterion;
    for (size_t c = 0; c < before.nboundaries; c++) {
        for (size_t k = 0; k < s->problem->constants; k++) {
            if (!(before.changing[c] >> k & 1))
                continue;
            s->out->changing[c] &= ~(1u << k);
            if (!s->out->changing[c])
                remove_boundary(s->out, c);
            double value = evaluate(s);
            if (value < least - PIECES_LEAST_GAIN) {
                least = value;
                best = *s->out;
            }
            *s->out = before;
        }
    }
    *s->out = best;
    bool improved = least < s->criterion;
    s->criterion = least;
    return improved;
}

/* The group whose value is just below the boundary. */
static size_t group_below(const struct searcher *s, const struct boundary *boundary)
{
    const struct ordered *o = &s->order[boundary->variable];
    size_t g = 0;
    while (o->value[g] < boundary->below)
        g++;
    return g;
}

/* Whether every interval of the variable holds enough distinct values. */
static bool well_spaced(const struct searcher *s, size_t variable)
{
    const struct ordered *o = &s->order[variable];
    size_t least = least_values(s->problem, o), from = 0;
    for (size_t c = 0; c < s->out->nboundaries; c++) {
        if (s->out->boundaries[c].variable != variable)
            continue;
        size_t to = group_below(s, &s->out->boundaries[c]) + 1;
        if (to < from + least)
            return false;
        from = to;
    }
    return o->groups >= from + least;
}

/* Moves a boundary one place down (-1) or up (1) if the whole gets better by it. */
static bool move_boundary(struct searcher *s, size_t c, int step)
{
    struct pieces before = *s->out;
    struct boundary *boundary = &s->out->boundaries[c];
    const struct ordered *o = &s->order[boundary->variable];
    size_t g = group_below(s, boundary);
    if ((step < 0 && g == 0) || (step > 0 && g + 2 >= o->groups))
        return false;
    g = step < 0 ? g - 1 : g + 1;
    *boundary = (struct boundary){boundary->variable, o->value[g], o->value[g + 1],
                                  between(o->value[g], o->value[g + 1])};
    double value = well_spaced(s, boundary->variable) ? evaluate(s) : INFINITY;
    if (value < s->criterion - PIECES_LEAST_GAIN) {
        s->criterion = value;
        return true;
    }
    *s->out = before;
    return false;
}

static bool move_boundaries(struct searcher *s)
{
    bool any = false;
    for (size_t c = 0; c < s->out->nboundaries; c++)
        for (int step = -1; step <= 1; step += 2)
            while (move_boundary(s, c, step))
                any = true;
    return any;
}

/* The user's own boundaries: between the measured values around each. */
static void divide_as_given(struct searcher *s)
{
    const struct pieces_problem *p = s->problem;
    size_t variable = p->given_variable;
    const struct ordered *o = &s->order[variable];
    struct boundaries_structure structure = {0};
    double at[BOUNDARIES_MAX];
    for (size_t g = 0; g < p->ngiven && structure.boundaries < BOUNDARIES_MAX; g++) {
        size_t group = 0;
        while (group < o->groups && o->value[group] <= p->given[g])
            group++;
        bool fresh = structure.boundaries == 0 || structure.at[structure.boundaries - 1] < group;
        if (group > 0 && group < o->groups && fresh) {
            at[structure.boundaries] = p->given[g];
            structure.at[structure.boundaries++] = group;
        }
    }
    struct boundaries_problem *problem = make_problem(s, o);
    if (!structure.boundaries || !problem)
        return;
    boundaries_given(problem, &structure);
    apply(s, variable, &structure);
    for (size_t c = 0; c < s->out->nboundaries;
         c++) /* no gap: the user knows where the boundary is */
        // NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Assign): one for each boundary
        s->out->boundaries[c].below = s->out->boundaries[c].above = s->out->boundaries[c].at =
            at[c];
}

static void search_boundaries(struct searcher *s)
{
    s->criterion = evaluate(s);
    for (int round = 0; round < PIECES_MOST_ROUNDS && divide_best_variable(s); round++) {
        while (take_back_one(s))
            ;
        while (move_boundaries(s))
            ;
    }
}

/*
 * Constants are costs, so the search first looks for pieces that are not negative. Where one value
 * for each constant, of whatever sign, explains the data better than any of these, the formula is
 * such that a constant is negative, and the search is done again without the demand.
 */
static void search_signed(struct searcher *s)
{
    struct pieces none = *s->out, costs;
    search_boundaries(s);
    double with_costs = s->criterion;
    costs = *s->out;
    *s->out = none;
    s->free_sign = true;
    if (evaluate(s) < with_costs - PIECES_SIGN_MARGIN) {
        search_boundaries(s);
        return;
    }
    s->free_sign = false;
    *s->out = costs;
    s->criterion = with_costs;
}

static void order_all(struct searcher *s)
{
    for (size_t v = 0; v < s->problem->variables; v++)
        s->order[v] = order_by(s->arena, s->problem, s->out->outlier, v);
}

void pieces_search(struct arena *a, const struct pieces_problem *p, struct pieces *out)
{
    memset(out, 0, sizeof *out);
    out->outlier = arena_zalloc(a, p->points, sizeof *out->outlier);
    struct arena *scratch = arena_create();
    struct searcher s = {.arena = scratch, .problem = p, .out = out};
    bool possible = p->points && p->variables && p->constants <= BOUNDARIES_MAX_CONSTANTS;
    order_all(&s);
    if (p->points && p->variables && !p->keep_outliers)
        out->noutliers = pieces_outliers(scratch, p, out->outlier);
    order_all(&s);
    make_pieces(&s);
    if (possible && p->ngiven) {
        divide_as_given(&s);
    } else if (possible && p->may_divide && p->max_intervals > 1) {
        search_signed(&s);
        double found = s.criterion;
        struct pieces keep = *out;
        out->nboundaries = 0;
        double plain = evaluate(&s);
        *out = keep;
        out->gain = plain - found;
    }
    make_pieces(&s);
    arena_destroy(scratch);
}
