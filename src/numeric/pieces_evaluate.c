/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The criterion of a structure of pieces (see pieces.h). */
#include <math.h>
#include <string.h>

#include "numeric/pieces_search.h"
#include "numeric/products.h"

size_t pieces_least_values(const struct pieces_problem *p, const struct ordered *o)
{
    if (p->min_values)
        return p->min_values;
    if (o->n < INTERVAL_ENOUGH_POINTS * o->groups)
        return INTERVAL_LEAST_VALUES;
    return o->groups <= INTERVAL_FEW_VALUES ? 1 : INTERVAL_LEAST_VALUES_REPEATED;
}

struct boundaries_problem *pieces_problem_of(struct searcher *s, const struct ordered *o)
{
    const struct pieces_problem *p = s->problem;
    size_t columns = 0;
    size_t *owner = arena_alloc(s->arena, s->out->n, sizeof *owner);
    for (size_t b = 0; b < s->out->n; b++)
        if (s->out->list[b].support)
            owner[columns++] = s->out->list[b].constant;
    if (columns > BOUNDARIES_MAX_COLUMNS)
        return NULL;
    double *design = arena_alloc(s->arena, o->n * columns, sizeof *design);
    double *y = arena_alloc(s->arena, o->n, sizeof *y),
           *share = arena_alloc(s->arena, p->points + 1, sizeof *share);
    for (size_t i = 0; i < o->n; i++)
        y[i] = p->y[o->point[i]] / p->sigma[o->point[i]];
    for (size_t k = 0, column = 0; k < s->out->n; k++) {
        const struct piece *piece = &s->out->list[k];
        if (!piece->support)
            continue;
        pieces_shares(s, piece, share);
        for (size_t i = 0; i < o->n; i++) {
            size_t point = o->point[i];
            design[i * columns + column] =
                p->design[point * p->constants + piece->constant] * share[point] / p->sigma[point];
        }
        column++;
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
        .min_groups = pieces_least_values(p, o),
        .most_varying = p->constants > PIECES_MANY_CONSTANTS ? PIECES_MOST_CHANGING : 0,
        .known_noise = p->known_noise,
        .known_weight = p->known_weight};
    return b;
}

size_t pieces_boundaries_on(const struct pieces *p, size_t variable)
{
    size_t n = 0;
    for (size_t c = 0; c < p->nboundaries; c++)
        n += p->boundaries[c].variable == variable;
    return n;
}

double pieces_residual(struct searcher *s, const struct boundaries_problem *b)
{
    size_t side = b->columns + 1;
    double *m = mem_zalloc(side * side, sizeof *m), row[BOUNDARIES_MAX_COLUMNS + 2], *x = s->values,
           sum = 0;
    for (size_t i = 0; i < b->rows; i++) {
        memcpy(row, b->design + i * b->columns, b->columns * sizeof *row);
        row[b->columns] = b->y[i];
        products_add(m, side, row);
    }
    products_solve(m, side, s->free_sign, x);
    mem_free(m);
    s->mean_error = 0;
    for (size_t i = 0; i < b->rows; i++) {
        const struct pieces_problem *p = s->problem;
        size_t point = s->order[0].point[i];
        double r = b->y[i], measured = fabs(p->measured ? p->measured[point] : p->y[point]);
        for (size_t c = 0; c < b->columns; c++)
            r -= x[c] * b->design[i * b->columns + c];
        sum += r * r;
        if (measured > 0)
            s->mean_error += fabs(r) * p->sigma[point] / measured / (double)b->rows;
    }
    return sum;
}

/* Where a constant changes gradually all its pieces have shares, so all must have points. */
static bool gradual_without_data(const struct pieces *p)
{
    unsigned gradual = 0;
    for (size_t c = 0; c < p->nboundaries; c++)
        gradual |= p->boundaries[c].form != BOUNDARY_STEP ? p->changing[c] : 0;
    for (size_t b = 0; b < p->n; b++)
        if (gradual >> p->list[b].constant & 1 && !p->list[b].support)
            return true;
    return false;
}

double pieces_cost_of_choice(const struct searcher *s)
{
    static const double form_cost[] = {0, BEND_PENALTY, SMOOTH_PENALTY};
    const struct pieces_problem *p = s->problem;
    double cost = 0, all = (double)__builtin_popcount(p->may_divide),
           simple = (double)__builtin_popcount(p->may_divide & ~p->derived);
    for (size_t v = 0; v < p->variables; v++) {
        bool derived = p->derived >> v & 1;
        size_t first = 0, n = pieces_boundaries_on(s->out, v);
        while (first < s->out->nboundaries && s->out->boundaries[first].variable < v)
            first++;
        if (n)
            cost += boundaries_choice_cost(p->constants, s->order[v].groups,
                                           s->out->changing + first, n) +
                    (double)n * (2 * log(derived ? all : simple) +
                                 (derived && simple > 0 ? DERIVED_PENALTY : 0));
    }
    for (size_t c = 0; c < s->out->nboundaries; c++)
        cost += form_cost[s->out->boundaries[c].form];
    return cost;
}

double pieces_evaluate(struct searcher *s)
{
    if (!pieces_make(s) || gradual_without_data(s->out))
        return INFINITY;
    struct arena *before = s->arena, *own = s->arena = arena_create();
    struct boundaries_problem *b = pieces_problem_of(s, &s->order[0]);
    double value = b ? boundaries_aicc(b, pieces_residual(s, b), b->columns) : INFINITY;
    s->arena = before;
    arena_destroy(own);
    return value + pieces_cost_of_choice(s);
}
