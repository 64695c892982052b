/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The search for the boxes of each constant (see pieces.h). */
#include "numeric/pieces.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "numeric/boundaries.h"
#include "numeric/lsq.h"

enum { MANY_CONSTANTS = 5 };

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

bool pieces_contains(const struct pieces *p, const struct pieces_box *box, size_t variables,
                     const double *x)
{
    for (size_t v = 0; v < variables; v++) {
        if (box->low[v] >= 0 && !(x[v] > p->cuts[box->low[v]].at))
            return false;
        if (box->high[v] >= 0 && x[v] > p->cuts[box->high[v]].at)
            return false;
    }
    return true;
}

static bool box_has_point(const struct searcher *s, const struct pieces_box *box, size_t point)
{
    double x[PIECES_MAX_VARIABLES];
    for (size_t v = 0; v < s->problem->variables; v++)
        x[v] = s->problem->at[v][point];
    return pieces_contains(s->out, box, s->problem->variables, x);
}

/* Halfway between two measured values: in ratio where that makes sense. */
static double between(double below, double above)
{
    return below > 0 ? sqrt(below) * sqrt(above) : below + (above - below) / 2;
}

static int by_place(const struct pieces_cut *x, const struct pieces_cut *y)
{
    if (x->variable != y->variable)
        return x->variable < y->variable ? -1 : 1;
    return x->below < y->below ? -1 : x->below > y->below;
}

/* Adds changes at a cut, which may exist already; the list stays sorted. */
static bool add_cut(struct pieces *p, const struct pieces_cut *cut, unsigned changing)
{
    size_t i = 0;
    while (i < p->ncuts && by_place(&p->cuts[i], cut) < 0)
        i++;
    if (i < p->ncuts && by_place(&p->cuts[i], cut) == 0) {
        bool fresh = (changing & ~p->changing[i]) != 0;
        p->changing[i] |= changing;
        return fresh;
    }
    if (p->ncuts == PIECES_MAX_CUTS)
        return false;
    memmove(&p->cuts[i + 1], &p->cuts[i], (p->ncuts - i) * sizeof *p->cuts);
    memmove(&p->changing[i + 1], &p->changing[i], (p->ncuts - i) * sizeof *p->changing);
    p->cuts[i] = *cut;
    p->changing[i] = changing;
    p->ncuts++;
    return true;
}

static void remove_cut(struct pieces *p, size_t i)
{
    p->ncuts--;
    memmove(&p->cuts[i], &p->cuts[i + 1], (p->ncuts - i) * sizeof *p->cuts);
    memmove(&p->changing[i], &p->changing[i + 1], (p->ncuts - i) * sizeof *p->changing);
}

/* The boxes of one constant: the whole space, each of its cuts in turn dividing every box it
 * crosses. */
static bool add_boxes(struct searcher *s, size_t constant)
{
    struct pieces *out = s->out;
    size_t first = out->nboxes;
    if (first == PIECES_MAX_BOXES)
        return false;
    struct pieces_box *box = &out->boxes[out->nboxes++];
    box->constant = constant;
    for (size_t v = 0; v < PIECES_MAX_VARIABLES; v++)
        box->low[v] = box->high[v] = -1;
    for (size_t c = 0; c < out->ncuts; c++) {
        size_t v = out->cuts[c].variable;
        if (!(out->changing[c] >> constant & 1))
            continue;
        for (size_t b = first, n = out->nboxes; b < n; b++) {
            if (out->boxes[b].high[v] >= 0)
                continue; /* left of an earlier cut of this variable */
            if (out->nboxes == PIECES_MAX_BOXES)
                return false;
            struct pieces_box *right = &out->boxes[out->nboxes++];
            *right = out->boxes[b];
            out->boxes[b].high[v] = (int)c;
            right->low[v] = (int)c;
        }
    }
    for (size_t b = first; b < out->nboxes; b++) {
        out->boxes[b].support = 0;
        for (size_t i = 0; i < s->problem->points; i++)
            out->boxes[b].support += !out->outlier[i] && box_has_point(s, &out->boxes[b], i);
    }
    return true;
}

/* False when there are too many. */
static bool make_boxes(struct searcher *s)
{
    s->out->nboxes = 0;
    for (size_t c = 0; c < s->problem->constants; c++)
        if (!add_boxes(s, c))
            return false;
    return true;
}

/* ---- points in the order of one variable ---- */

static const double *sort_key;

static int by_key(const void *x, const void *y)
{
    double a = sort_key[*(const size_t *)x], b = sort_key[*(const size_t *)y];
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
    sort_key = p->at[variable];
    qsort(o.point, o.n, sizeof *o.point, by_key);
    for (size_t i = 0; i < o.n; i++) {
        double x = p->at[variable][o.point[i]];
        if (o.groups == 0 || x != o.value[o.groups - 1])
            o.value[o.groups++] = x;
        o.group[i] = o.groups - 1;
    }
    return o;
}

/* ---- one variable: breakpoints, given the boxes there are ---- */

/* How many distinct values of a variable an interval must hold: fewer where each value has several
 * points. */
static size_t least_values(const struct pieces_problem *p, const struct ordered *o)
{
    return p->min_values ? p->min_values : o->n >= 4 * o->groups ? 2 : 3;
}

/* Columns: the boxes that hold points. NULL when they are too many. */
static struct breaks_problem *make_problem(struct searcher *s, const struct ordered *o)
{
    const struct pieces_problem *p = s->problem;
    size_t columns = 0;
    size_t *owner = arena_alloc(s->arena, s->out->nboxes, sizeof *owner);
    for (size_t b = 0; b < s->out->nboxes; b++)
        if (s->out->boxes[b].support)
            owner[columns++] = s->out->boxes[b].constant;
    if (columns > BREAKS_MAX_COLUMNS)
        return NULL;
    double *design = arena_zalloc(s->arena, o->n * columns, sizeof *design);
    double *y = arena_alloc(s->arena, o->n, sizeof *y);
    for (size_t i = 0; i < o->n; i++) {
        size_t point = o->point[i], column = 0;
        y[i] = p->y[point] / p->sigma[point];
        for (size_t b = 0; b < s->out->nboxes; b++) {
            const struct pieces_box *box = &s->out->boxes[b];
            if (!box->support)
                continue;
            if (box_has_point(s, box, point))
                design[i * columns + column] =
                    p->design[point * p->constants + box->constant] / p->sigma[point];
            column++;
        }
    }
    struct breaks_problem *b = arena_alloc(s->arena, 1, sizeof *b);
    *b = (struct breaks_problem){.rows = o->n,
                                 .columns = columns,
                                 .groups = o->groups,
                                 .constants = p->constants,
                                 .owner = owner,
                                 .design = design,
                                 .y = y,
                                 .group = o->group,
                                 .min_groups = least_values(p, o),
                                 .most_varying = p->constants > MANY_CONSTANTS ? 2 : 0,
                                 .noise_floor = p->noise_floor,
                                 .known_noise = p->known_noise,
                                 .known_weight = p->known_weight};
    return b;
}

static size_t cuts_on(const struct pieces *p, size_t variable)
{
    size_t n = 0;
    for (size_t c = 0; c < p->ncuts; c++)
        n += p->cuts[c].variable == variable;
    return n;
}

/* Residual sum of squares with no constant below zero: they are costs, and a structure that needs a
 * negative one explains nothing. */
static double residual_of_costs(struct searcher *s, const struct breaks_problem *b)
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
        lsq_solve_nonneg(a, l, NULL, active, &solution);
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
    if (!make_boxes(s))
        return INFINITY;
    struct breaks_problem *b = make_problem(s, &s->order[0]);
    if (!b)
        return INFINITY;
    double value = breaks_aicc(b, residual_of_costs(s, b), b->columns),
           variables = (double)__builtin_popcount(p->may_cut);
    for (size_t v = 0; v < p->variables; v++) {
        size_t first = 0, n = cuts_on(s->out, v);
        while (first < s->out->ncuts && s->out->cuts[first].variable < v)
            first++;
        if (n)
            value +=
                breaks_choice_cost(p->constants, s->order[v].groups, s->out->changing + first, n) +
                2 * (double)n * log(variables);
    }
    return value;
}

static bool apply(struct searcher *s, size_t variable, const struct breaks_structure *found)
{
    const struct ordered *o = &s->order[variable];
    bool any = false;
    for (size_t b = 0; b < found->breaks; b++) {
        double below = o->value[found->at[b] - 1], above = o->value[found->at[b]];
        struct pieces_cut cut = {variable, below, above, between(below, above)};
        any |= add_cut(s->out, &cut, found->changing[b]);
    }
    return any;
}

/* Tries the structures that pay for themselves on one variable; keeps the best in *best and *least.
 */
static void try_variable(struct searcher *s, size_t variable, struct pieces *best, double *least)
{
    const struct pieces_problem *p = s->problem;
    struct pieces before = *s->out;
    struct breaks_structure *found = arena_alloc(s->arena, BREAKS_MAX_FOUND, sizeof *found);
    size_t used = cuts_on(&before, variable) + 1, n;
    struct breaks_problem *problem =
        used < p->max_intervals && make_boxes(s) ? make_problem(s, &s->order[variable]) : NULL;
    if (!problem)
        return;
    problem->max_breaks = p->max_intervals - used;
    n = breaks_search(problem, found, NULL);
    for (size_t i = 0; i < n; i++) {
        double value = apply(s, variable, &found[i]) ? evaluate(s) : INFINITY;
        if (value < *least - 1e-9) {
            *least = value;
            *best = *s->out;
        }
        *s->out = before;
    }
}

static bool cut_best_variable(struct searcher *s)
{
    struct pieces best = *s->out;
    double least = s->criterion;
    for (size_t v = 0; v < s->problem->variables; v++)
        if (s->problem->may_cut >> v & 1)
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
    for (size_t c = 0; c < before.ncuts; c++) {
        for (size_t k = 0; k < s->problem->constants; k++) {
            if (!(before.changing[c] >> k & 1))
                continue;
            s->out->changing[c] &= ~(1u << k);
            if (!s->out->changing[c])
                remove_cut(s->out, c);
            double value = evaluate(s);
            if (value < least - 1e-9) {
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

/* The group whose value lies just below the cut. */
static size_t group_below(const struct searcher *s, const struct pieces_cut *cut)
{
    const struct ordered *o = &s->order[cut->variable];
    size_t g = 0;
    while (o->value[g] < cut->below)
        g++;
    return g;
}

/* Whether every interval of the variable holds enough distinct values. */
static bool well_spaced(const struct searcher *s, size_t variable)
{
    const struct ordered *o = &s->order[variable];
    size_t least = least_values(s->problem, o), from = 0;
    for (size_t c = 0; c < s->out->ncuts; c++) {
        if (s->out->cuts[c].variable != variable)
            continue;
        size_t to = group_below(s, &s->out->cuts[c]) + 1;
        if (to < from + least)
            return false;
        from = to;
    }
    return o->groups >= from + least;
}

/* Moves a cut one place down (-1) or up (1) if the whole gets better by it. */
static bool move_cut(struct searcher *s, size_t c, int step)
{
    struct pieces before = *s->out;
    struct pieces_cut *cut = &s->out->cuts[c];
    const struct ordered *o = &s->order[cut->variable];
    size_t g = group_below(s, cut);
    if ((step < 0 && g == 0) || (step > 0 && g + 2 >= o->groups))
        return false;
    g = step < 0 ? g - 1 : g + 1;
    *cut = (struct pieces_cut){cut->variable, o->value[g], o->value[g + 1],
                               between(o->value[g], o->value[g + 1])};
    double value = well_spaced(s, cut->variable) ? evaluate(s) : INFINITY;
    if (value < s->criterion - 1e-9) {
        s->criterion = value;
        return true;
    }
    *s->out = before;
    return false;
}

static bool move_cuts(struct searcher *s)
{
    bool any = false;
    for (size_t c = 0; c < s->out->ncuts; c++)
        for (int step = -1; step <= 1; step += 2)
            while (move_cut(s, c, step))
                any = true;
    return any;
}

/* The user's own boundaries: between the measured values around each. */
static void cut_as_given(struct searcher *s)
{
    const struct pieces_problem *p = s->problem;
    size_t variable = p->given_variable;
    const struct ordered *o = &s->order[variable];
    struct breaks_structure structure = {0};
    double at[BREAKS_MAX_BREAKS];
    for (size_t g = 0; g < p->ngiven && structure.breaks < BREAKS_MAX_BREAKS; g++) {
        size_t group = 0;
        while (group < o->groups && o->value[group] <= p->given[g])
            group++;
        bool fresh = structure.breaks == 0 || structure.at[structure.breaks - 1] < group;
        if (group > 0 && group < o->groups && fresh) {
            at[structure.breaks] = p->given[g];
            structure.at[structure.breaks++] = group;
        }
    }
    struct breaks_problem *problem = make_problem(s, o);
    if (!structure.breaks || !problem)
        return;
    breaks_given(problem, &structure);
    apply(s, variable, &structure);
    for (size_t c = 0; c < s->out->ncuts; c++) /* no gap: the user knows where the boundary is */
        // NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Assign): one for each cut
        s->out->cuts[c].below = s->out->cuts[c].above = s->out->cuts[c].at = at[c];
}

static void search_cuts(struct searcher *s)
{
    enum { MAX_ROUNDS = 8 };
    s->criterion = evaluate(s);
    for (int round = 0; round < MAX_ROUNDS && cut_best_variable(s); round++) {
        while (take_back_one(s))
            ;
        while (move_cuts(s))
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
    search_cuts(s);
    double with_costs = s->criterion;
    costs = *s->out;
    *s->out = none;
    s->free_sign = true;
    if (evaluate(s) < with_costs - 2) {
        search_cuts(s);
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
    bool possible = p->points && p->variables && p->constants <= BREAKS_MAX_CONSTANTS;
    order_all(&s);
    if (p->points && p->variables && !p->keep_outliers)
        out->noutliers = pieces_outliers(scratch, p, out->outlier);
    order_all(&s);
    make_boxes(&s);
    if (possible && p->ngiven) {
        cut_as_given(&s);
    } else if (possible && p->may_cut && p->max_intervals > 1) {
        search_signed(&s);
        double found = s.criterion;
        struct pieces keep = *out;
        out->ncuts = 0;
        double plain = evaluate(&s);
        *out = keep;
        out->gain = plain - found;
    }
    make_boxes(&s);
    arena_destroy(scratch);
}
