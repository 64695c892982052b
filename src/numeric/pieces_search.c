/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The search for the pieces of each constant (see pieces.h). */
#include <math.h>
#include <string.h>

#include "numeric/pieces_search.h"
#include "numeric/random.h"
#include "numeric/stats.h"

/* ---- points in the order of one variable ---- */

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
    stats_order(o.point, o.n, p->at[variable]);
    for (size_t i = 0; i < o.n; i++) {
        double x = p->at[variable][o.point[i]];
        if (o.groups == 0 || x != o.value[o.groups - 1])
            o.value[o.groups++] = x;
        o.group[i] = o.groups - 1;
    }
    return o;
}

/* ---- one variable: boundaries, given the pieces found so far ---- */

static bool apply(struct searcher *s, size_t variable, const struct boundaries_structure *found)
{
    const struct ordered *o = &s->order[variable];
    bool any = false;
    for (size_t b = 0; b < found->boundaries; b++) {
        double below = o->value[found->at[b] - 1], above = o->value[found->at[b]];
        struct boundary boundary = {variable,      below, above, pieces_between(below, above),
                                    BOUNDARY_STEP, 0};
        any |= pieces_add_boundary(s->out, &boundary, found->changing[b]);
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
    size_t used = pieces_boundaries_on(&before, variable) + 1, n;
    struct boundaries_problem *problem = used < p->max_intervals && pieces_make(s)
                                             ? pieces_problem_of(s, &s->order[variable])
                                             : NULL;
    if (!problem)
        return;
    problem->max_boundaries = p->max_intervals - used;
    n = boundaries_search(problem, found, NULL);
    for (size_t i = 0; i < n; i++) {
        double value = INFINITY,
               own_cost = boundaries_choice_cost(p->constants, problem->groups, found[i].changing,
                                                 found[i].boundaries);
        /* With no constant below zero the residual is never less. */
        if (apply(s, variable, &found[i]) &&
            found[i].criterion - own_cost + pieces_cost_of_choice(s) < *least)
            value = pieces_evaluate(s);
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

/* The criterion without the change of a constant at a boundary, which s->out no longer has then. */
static double evaluate_without(struct searcher *s, size_t boundary, size_t constant)
{
    s->out->changing[boundary] &= ~(1u << constant);
    if (!s->out->changing[boundary])
        pieces_remove_boundary(s->out, boundary);
    return pieces_evaluate(s);
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
            double value = evaluate_without(s, c, k);
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
    size_t least = pieces_least_values(s->problem, o), from = 0;
    for (size_t c = 0; c < s->out->nboundaries; c++) {
        if (s->out->boundaries[c].variable != variable ||
            s->out->boundaries[c].form != BOUNDARY_STEP)
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
    if (boundary->form != BOUNDARY_STEP || (step < 0 && g == 0) || (step > 0 && g + 2 >= o->groups))
        return false;
    g = step < 0 ? g - 1 : g + 1;
    *boundary = (struct boundary){boundary->variable, o->value[g],
                                  o->value[g + 1],    pieces_between(o->value[g], o->value[g + 1]),
                                  BOUNDARY_STEP,      0};
    double value = well_spaced(s, boundary->variable) ? pieces_evaluate(s) : INFINITY;
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
    struct boundaries_problem *problem = pieces_problem_of(s, o);
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

/* Takes back a change that the error allowed does not need, the one that matters least first. */
static bool take_back_within(struct searcher *s)
{
    struct pieces before = *s->out, best = before;
    double least = s->problem->threshold;
    bool any = false;
    for (size_t c = 0; c < before.nboundaries; c++) {
        for (size_t k = 0; k < s->problem->constants; k++) {
            if (!(before.changing[c] >> k & 1))
                continue;
            double value = evaluate_without(s, c, k);
            if (isfinite(value) && s->mean_error <= least) {
                least = s->mean_error;
                s->criterion = value;
                best = *s->out;
                any = true;
            }
            *s->out = before;
        }
    }
    *s->out = best;
    return any;
}

/* ---- which constant changes ---- */

/* How far the values of a constant are apart in what was evaluated last: the largest divided by the least; infinite if one is 0. */
static double spread_of(const struct searcher *s, size_t constant)
{
    double least = INFINITY, most = 0;
    for (size_t b = 0, column = 0; b < s->out->n; b++) {
        if (!s->out->list[b].support)
            continue;
        double x = s->values[column++];
        if (s->out->list[b].constant == constant) {
            least = fmin(least, x);
            most = fmax(most, x);
        }
    }
    return least > 0 ? most / least : INFINITY;
}

/* One constant changes along the variable wherever another one does. False if that is nowhere, or if it does so already. */
static bool exchange(struct pieces *p, size_t variable, size_t from, size_t to)
{
    bool any = false;
    for (size_t c = 0; c < p->nboundaries; c++) {
        if (p->boundaries[c].variable != variable || !(p->changing[c] >> from & 1))
            continue;
        if (p->changing[c] >> to & 1)
            return false;
        p->changing[c] ^= 1u << from | 1u << to;
        any = true;
    }
    return any;
}

/*
 * With n*m and n in the formula and few values of m, the data hardly tell whose constant changes along m, and which one it
 * is decides how the time grows beyond. An n*m that costs twice as much from a place on is likelier than an n that costs a
 * hundred times as much.
 */
static void prefer_small_changes(struct searcher *s)
{
    size_t n = s->problem->constants;
    for (size_t i = 0; i < s->problem->variables * n * n; i++) {
        size_t variable = i / (n * n), from = i / n % n, to = i % n;
        struct pieces before = *s->out;
        if (from == to || !exchange(s->out, variable, from, to)) {
            *s->out = before;
            continue;
        }
        double value = pieces_evaluate(s), after = spread_of(s, to);
        struct pieces other = *s->out;
        *s->out = before;
        if (value >= s->criterion + PIECES_SAME || !isfinite(after))
            continue;
        pieces_evaluate(s);
        if (after * PIECES_SMALLER_CHANGE < spread_of(s, from)) {
            *s->out = other;
            s->criterion = value;
        }
    }
}

static void improve_structure(struct searcher *s)
{
    while (take_back_one(s))
        ;
    while (move_boundaries(s))
        ;
}

static void divide_further(struct searcher *s)
{
    for (int round = 0; round < PIECES_MOST_ROUNDS && divide_best_variable(s); round++)
        improve_structure(s);
}

/* From `none`, with gradual changes first: a staircase must not hide them, nor they a step. */
static void begin_gradually(struct searcher *s, const struct pieces *none, double plain)
{
    struct pieces steps = *s->out;
    double with_steps = s->criterion;
    *s->out = *none;
    s->criterion = plain;
    for (int round = 0; round < PIECES_MOST_ROUNDS && pieces_add_gradual(s); round++) {
        improve_structure(s);
        if (plain - s->criterion > GRADUAL_LEAST_PART * (plain - with_steps))
            divide_further(s);
    }
    if (s->criterion < with_steps - PIECES_GRADUAL_MARGIN)
        return;
    *s->out = steps;
    s->criterion = with_steps;
}

static void search_boundaries(struct searcher *s)
{
    struct pieces none = *s->out;
    double plain = s->criterion = pieces_evaluate(s);
    if (s->mean_error <= s->problem->threshold)
        return;
    divide_further(s);
    if (!s->problem->steps_only)
        begin_gradually(s, &none, plain);
    while (s->problem->threshold > 0 && take_back_within(s))
        ;
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
    if (pieces_evaluate(s) < with_costs - PIECES_SIGN_MARGIN) {
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

/* ---- many points: some of them show the structure, all of them place its boundaries ---- */

static const double *some_of(struct arena *a, const double *list, const size_t *which, size_t n)
{
    double *out = arena_alloc(a, n + 1, sizeof *out);
    for (size_t i = 0; list && i < n; i++)
        out[i] = list[which[i]];
    return list ? out : NULL;
}

/* Points drawn at random: every n-th one could have the same value of a variable. */
static struct pieces_problem some_points(struct arena *a, const struct pieces_problem *p,
                                         const bool *outlier, const size_t **chosen)
{
    struct random random = {PIECES_SOME_SEED};
    struct pieces_problem some = *p;
    size_t *which = arena_alloc(a, p->points, sizeof *which), n = 0;
    const double **at = arena_alloc(a, p->variables + 1, sizeof *at);
    for (size_t i = 0; i < p->points; i++)
        if (random_uniform(&random) * (double)p->points < PIECES_SOME_POINTS && !outlier[i])
            which[n++] = i;
    double *design = arena_alloc(a, n * p->constants + 1, sizeof *design);
    for (size_t i = 0; i < n; i++)
        memcpy(design + i * p->constants, p->design + which[i] * p->constants,
               p->constants * sizeof *design);
    for (size_t v = 0; v < p->variables; v++)
        at[v] = some_of(a, p->at[v], which, n);
    *chosen = which;
    some.points = n;
    some.design = design;
    some.y = some_of(a, p->y, which, n);
    some.sigma = some_of(a, p->sigma, which, n);
    some.measured = some_of(a, p->measured, which, n);
    some.at = at;
    some.excluded = NULL;
    some.keep_outliers = true;
    return some;
}

static void put_after(struct searcher *s, size_t c, size_t group)
{
    struct boundary *b = &s->out->boundaries[c];
    const struct ordered *o = &s->order[b->variable];
    b->below = o->value[group];
    b->above = o->value[group + 1];
    b->at = pieces_between(b->below, b->above);
}

/* The best place of a step between two groups: of PIECES_PLACES places, then around the best. */
static void place_between(struct searcher *s, size_t c, size_t from, size_t to)
{
    for (bool last = false; !last;) {
        size_t step = (to - from) / PIECES_PLACES + 1, best = from;
        double least = INFINITY;
        last = step == 1;
        for (size_t g = from; g <= to; g += step) {
            put_after(s, c, g);
            double value = pieces_evaluate(s);
            if (value < least) {
                least = value;
                best = g;
            }
        }
        put_after(s, c, best);
        from = best > from + step ? best - step : from;
        to = best + step < to ? best + step : to;
    }
}

static void search_some(struct searcher *s)
{
    struct pieces *found = arena_alloc(s->arena, 1, sizeof *found);
    const size_t *chosen;
    struct pieces_problem some = some_points(s->arena, s->problem, s->out->outlier, &chosen);
    pieces_search(s->arena, &some, found);
    s->out->nboundaries = found->nboundaries;
    s->out->gain = found->gain;
    memcpy(s->out->boundaries, found->boundaries, sizeof found->boundaries);
    memcpy(s->out->changing, found->changing, sizeof found->changing);
    s->free_sign = true; /* places only: the structure is chosen */
    for (size_t c = 0; c < found->nboundaries; c++) {
        const struct boundary *b = &found->boundaries[c];
        const struct ordered *o = &s->order[b->variable];
        size_t from = group_below(s, b), to = from;
        while (to + 2 < o->groups && o->value[to + 1] < b->above)
            to++;
        if (b->form == BOUNDARY_STEP)
            place_between(s, c, from, to);
    }
}

void pieces_search(struct arena *a, const struct pieces_problem *p, struct pieces *out)
{
    memset(out, 0, sizeof *out);
    out->outlier = arena_zalloc(a, p->points, sizeof *out->outlier);
    ARENA_LOCAL struct arena *scratch = arena_create();
    struct searcher s = {.arena = scratch, .problem = p, .out = out};
    bool possible = p->points && p->variables && p->constants <= BOUNDARIES_MAX_CONSTANTS;
    order_all(&s);
    if (p->points && p->variables && !p->keep_outliers)
        pieces_outliers(scratch, p, out->outlier);
    for (size_t i = 0; i < p->points; i++) {
        out->outlier[i] = out->outlier[i] || (p->excluded && p->excluded[i]);
        out->noutliers += out->outlier[i];
    }
    order_all(&s);
    pieces_make(&s);
    if (possible && p->ngiven) {
        divide_as_given(&s);
    } else if (possible && p->may_divide && p->max_intervals > 1 &&
               p->points > PIECES_MANY_POINTS) {
        search_some(&s);
    } else if (possible && p->may_divide && p->max_intervals > 1) {
        search_signed(&s);
        prefer_small_changes(&s);
        double found = s.criterion;
        struct pieces keep = *out;
        out->nboundaries = 0;
        double plain = pieces_evaluate(&s);
        *out = keep;
        out->gain = plain - found;
    }
    pieces_make(&s);
}

double pieces_criterion(const struct pieces_problem *p, const struct pieces *structure,
                        const bool *outlier, size_t more)
{
    ARENA_LOCAL struct arena *scratch = arena_create();
    struct pieces *copy = arena_alloc(scratch, 1, sizeof *copy);
    struct searcher s = {.arena = scratch, .problem = p, .out = copy};
    double least = INFINITY;
    *copy = *structure;
    copy->outlier = arena_alloc(scratch, p->points, sizeof *copy->outlier);
    memcpy(copy->outlier, outlier, p->points * sizeof *outlier);
    order_all(&s);
    struct boundaries_problem *b = pieces_make(&s) ? pieces_problem_of(&s, &s.order[0]) : NULL;
    for (int sign = 0; sign < 2 && b; sign++) {
        s.free_sign = sign;
        double value = boundaries_aicc(b, pieces_residual(&s, b), b->columns + more) +
                       pieces_cost_of_choice(&s) + (sign ? PIECES_SIGN_MARGIN : 0);
        least = fmin(least, value);
    }
    return least;
}

/* ---- one more column instead of boundaries ---- */

/* The caller's columns, at the points that take part and in units of their sigma. */
struct candidate_columns {
    const struct pieces_problem *problem;
    const struct ordered *rows;
    void (*column)(const void *context, size_t i, double *out);
    const void *context;
    double *values; /* scratch, one per point */
};

static void scaled_column(const void *context, size_t i, double *out)
{
    const struct candidate_columns *c = context;
    c->column(c->context, i, c->values);
    for (size_t r = 0; r < c->rows->n; r++) {
        size_t point = c->rows->point[r];
        out[r] = c->values[point] / c->problem->sigma[point];
    }
}

/* The number of the largest gain; `n` if none is positive. */
static size_t best_gain(const double *gain, size_t n)
{
    size_t best = n;
    for (size_t i = 0; i < n; i++)
        if (gain[i] > (best < n ? gain[best] : 0))
            best = i;
    return best;
}

static struct boundaries_problem with_column(struct arena *a, const struct boundaries_problem *b,
                                             const struct candidate_columns *c, size_t which)
{
    struct boundaries_problem wider = *b;
    size_t k = b->columns;
    double *design = arena_alloc(a, b->rows * (k + 1), sizeof *design),
           *extra = arena_alloc(a, b->rows, sizeof *extra);
    scaled_column(c, which, extra);
    for (size_t i = 0; i < b->rows; i++) {
        memcpy(design + i * (k + 1), b->design + i * k, k * sizeof *design);
        design[i * (k + 1) + k] = extra[i];
    }
    wider.design = design;
    wider.columns = k + 1;
    return wider;
}

/* A caller's columns at some of the points. */
struct columns_of_some {
    void (*column)(const void *context, size_t i, double *out);
    const void *context;
    const size_t *chosen;
    size_t n;
    double *all; /* scratch, one per point */
};

static void column_of_some(const void *context, size_t i, double *out)
{
    const struct columns_of_some *c = context;
    c->column(c->context, i, c->all);
    for (size_t k = 0; k < c->n; k++)
        out[k] = c->all[c->chosen[k]];
}

/* As pieces_gain_of_column, at the points that pieces_search used. */
static double gain_at_some(const struct pieces_problem *p, const bool *outlier, size_t columns,
                           void (*column)(const void *context, size_t i, double *out),
                           const void *context, size_t *which)
{
    ARENA_LOCAL struct arena *a = arena_create();
    struct columns_of_some c = {.column = column, .context = context};
    struct pieces_problem some = some_points(a, p, outlier, &c.chosen);
    c.n = some.points;
    c.all = arena_alloc(a, p->points, sizeof *c.all);
    return pieces_gain_of_column(&some, arena_zalloc(a, some.points + 1, sizeof(bool)), columns,
                                 column_of_some, &c, which);
}

double pieces_gain_of_column(const struct pieces_problem *p, const bool *outlier, size_t columns,
                             void (*column)(const void *context, size_t i, double *out),
                             const void *context, size_t *which)
{
    if (p->points > PIECES_MANY_POINTS)
        return gain_at_some(p, outlier, columns, column, context, which);
    ARENA_LOCAL struct arena *scratch = arena_create();
    struct pieces *none = arena_zalloc(scratch, 1, sizeof *none);
    struct searcher s = {.arena = scratch, .problem = p, .out = none};
    none->outlier = arena_alloc(scratch, p->points, sizeof *none->outlier);
    memcpy(none->outlier, outlier, p->points * sizeof *outlier);
    order_all(&s);
    double plain = pieces_evaluate(&s), best = 0, rest;
    struct boundaries_problem *b = pieces_problem_of(&s, &s.order[0]);
    double *gain = arena_alloc(scratch, columns + 1, sizeof *gain),
           *values = arena_alloc(scratch, p->points, sizeof *values);
    struct candidate_columns of = {p, &s.order[0], column, context, values};
    pieces_gains(scratch, b, columns, scaled_column, &of, gain, &rest);
    *which = columns;
    for (size_t tried = 0, i; tried < COLUMNS_TRIED && (i = best_gain(gain, columns)) < columns;
         tried++) {
        gain[i] = 0;
        struct boundaries_problem wider = with_column(scratch, b, &of, i);
        for (int sign = 0; sign < 2; sign++) {
            s.free_sign = sign;
            double with = boundaries_aicc(&wider, pieces_residual(&s, &wider), wider.columns) +
                          2 * log((double)columns) + BOUNDARY_PENALTY +
                          (sign ? PIECES_SIGN_MARGIN : 0);
            if (plain - with > best) {
                best = plain - with;
                *which = i;
            }
        }
    }
    return best;
}
