/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bends and smooth changes of constants (see pieces.h). All places are compared by how much one more
 * column would reduce the residual, which costs one pass over the points each; the best place of each
 * constant is then moved to where the whole fits best.
 */
#include <math.h>
#include <string.h>

#include "numeric/pieces_search.h"
#include "numeric/products.h"

/* An orthonormal basis of the columns, and what they leave of y. */
struct basis {
    size_t rows, n;
    double *vectors; /* n x rows */
    double *rest;
};

/* Subtracts the part of x along the basis, twice: once leaves rounding. */
static void make_orthogonal(const struct basis *b, double *x)
{
    for (int pass = 0; pass < 2; pass++)
        for (size_t k = 0; k < b->n; k++) {
            const double *v = b->vectors + k * b->rows;
            double along = products_dot(v, x, b->rows);
            for (size_t i = 0; i < b->rows; i++)
                x[i] -= along * v[i];
        }
}

static struct basis basis_of(struct arena *a, const struct boundaries_problem *p)
{
    struct basis b = {.rows = p->rows};
    b.vectors = arena_alloc(a, p->rows * p->columns + 1, sizeof *b.vectors);
    b.rest = arena_alloc(a, p->rows + 1, sizeof *b.rest);
    for (size_t c = 0; c < p->columns; c++) {
        double *v = b.vectors + b.n * b.rows, before, after;
        for (size_t i = 0; i < p->rows; i++)
            v[i] = p->design[i * p->columns + c];
        before = products_dot(v, v, b.rows);
        make_orthogonal(&b, v);
        after = products_dot(v, v, b.rows);
        if (!(after > DEPENDENT_TOLERANCE * before))
            continue;
        for (size_t i = 0; i < p->rows; i++)
            v[i] /= sqrt(after);
        b.n++;
    }
    memcpy(b.rest, p->y, p->rows * sizeof *p->y);
    make_orthogonal(&b, b.rest);
    return b;
}

void pieces_gains(struct arena *a, const struct boundaries_problem *p, size_t columns,
                  void (*column)(const void *context, size_t i, double *out), const void *context,
                  double *gain, double *rest)
{
    struct basis b = basis_of(a, p);
    *rest = products_dot(b.rest, b.rest, p->rows);
    double *x = arena_alloc(a, p->rows + 1, sizeof *x);
    for (size_t i = 0; i < columns; i++) {
        gain[i] = 0;
        column(context, i, x);
        double before = products_dot(x, x, p->rows), along = products_dot(x, b.rest, p->rows);
        for (size_t k = 0; k < b.n; k++) {
            double part = products_dot(b.vectors + k * b.rows, x, p->rows);
            before -= part * part;
        }
        if (before > DEPENDENT_TOLERANCE * products_dot(x, x, p->rows) && isfinite(along))
            gain[i] = along * fabs(along) / before;
    }
}

/* ---- places ---- */

static struct boundary change_at(const struct ordered *o, size_t variable, double at,
                                 double sharpness)
{
    size_t g = 0;
    while (g + 2 < o->groups && o->value[g + 1] <= at)
        g++;
    return (struct boundary){
        variable, o->value[g], o->value[g + 1], at, sharpness > 0 ? BOUNDARY_SMOOTH : BOUNDARY_BEND,
        sharpness};
}

/* Where, and how, a constant may change along a variable. */
struct candidates {
    struct searcher *s;
    const struct ordered *rows; /* the order of the rows of the problem */
    const struct pieces *before;
    size_t variable, constant, n;
    double at[GRADUAL_MOST_PLACES];
    double sharpness; /* 0 = a bend */
};

static void candidate_column(const void *context, size_t i, double *out)
{
    const struct candidates *l = context;
    const struct pieces_problem *p = l->s->problem;
    struct boundary b = change_at(&l->s->order[l->variable], l->variable, l->at[i], l->sharpness);
    for (size_t r = 0; r < l->rows->n; r++) {
        size_t point = l->rows->point[r];
        out[r] = pieces_boundary_beyond(&b, p->at[l->variable][point]) *
                 p->design[point * p->constants + l->constant] / p->sigma[point];
    }
}

/* The measured values with enough others on both sides, and the middles between them. */
static void list_places(struct candidates *l)
{
    const struct ordered *o = &l->s->order[l->variable];
    l->n = 0;
    if (o->groups < GRADUAL_LEAST_VALUES || !(o->value[0] > 0))
        return;
    size_t from = GRADUAL_LEAST_BELOW - 1, to = o->groups - GRADUAL_LEAST_ABOVE,
           step = (to - from) * 2 / GRADUAL_MOST_PLACES + 1;
    for (size_t g = from; g < to && l->n + 2 <= GRADUAL_MOST_PLACES; g += step) {
        l->at[l->n++] = o->value[g];
        l->at[l->n++] = pieces_between(o->value[g], o->value[g + 1]);
    }
}

static double with_change(const struct candidates *l, double at, double sharpness)
{
    struct searcher *s = l->s;
    struct boundary b = change_at(&s->order[l->variable], l->variable, at, sharpness);
    *s->out = *l->before;
    return pieces_add_boundary(s->out, &b, 1u << l->constant) ? pieces_evaluate(s) : INFINITY;
}

/* What the choice costs with a change at the first place. */
static double cost_with_change(const struct candidates *l)
{
    struct searcher *s = l->s;
    struct boundary b = change_at(&s->order[l->variable], l->variable, l->at[0], l->sharpness);
    *s->out = *l->before;
    return pieces_add_boundary(s->out, &b, 1u << l->constant) ? pieces_cost_of_choice(s) : INFINITY;
}

/* The best place (or, with `place` fixed, the best sharpness) between two, in ratio: golden section.
 */
static double best_between(const struct candidates *l, double place, double sharpness, double low,
                           double high)
{
    const double golden = 0.6180339887498949;
    double end[2] = {log(low), log(high)}, x[2], f[2];
    bool moves = isnan(place);
    for (int k = 0; k < 2; k++)
        x[k] = end[1 - k] + (k ? 1 : -1) * golden * (end[1] - end[0]);
    for (int k = 0; k < 2; k++)
        f[k] = with_change(l, moves ? exp(x[k]) : place, moves ? sharpness : exp(x[k]));
    for (int i = 0; i < GRADUAL_STEPS; i++) {
        int better = f[0] < f[1] ? 0 : 1;
        end[1 - better] = x[1 - better];
        x[1 - better] = x[better];
        f[1 - better] = f[better];
        x[better] =
            better ? end[0] + golden * (end[1] - end[0]) : end[1] - golden * (end[1] - end[0]);
        f[better] =
            with_change(l, moves ? exp(x[better]) : place, moves ? sharpness : exp(x[better]));
    }
    return exp(f[0] < f[1] ? x[0] : x[1]);
}

/* The best gradual change of one form of a constant along a variable. */
static void try_form(struct candidates *l, const struct boundaries_problem *b, struct pieces *best,
                     double *least)
{
    struct searcher *s = l->s;
    double gain[GRADUAL_MOST_PLACES], rest;
    size_t most = 0;
    pieces_gains(s->arena, b, l->n, candidate_column, l, gain, &rest);
    for (size_t i = 0; i < l->n; i++) {
        gain[i] = fabs(gain[i]); /* a constant may fall */
        most = gain[i] > gain[most] ? i : most;
    }
    /* With no constant below zero the residual is never less. */
    if (!(boundaries_aicc(b, rest - gain[most], b->columns + 1) + cost_with_change(l) <
          *least + GRADUAL_WORTH_MOVING))
        return;
    double low = l->at[most ? most - 1 : 0], high = l->at[most + 1 < l->n ? most + 1 : most],
           sharpness = l->sharpness;
    double at = best_between(l, NAN, sharpness, low, high);
    if (sharpness > 0) {
        sharpness = best_between(l, at, sharpness, fmax(sharpness / 2, SMOOTH_LEAST),
                                 fmin(sharpness * 2, SMOOTH_MOST));
        at = best_between(l, NAN, sharpness, low, high);
    }
    double value = with_change(l, at, sharpness);
    if (value < *least - PIECES_LEAST_GAIN) {
        *least = value;
        *best = *s->out;
    }
}

bool pieces_add_gradual(struct searcher *s)
{
    const struct pieces_problem *p = s->problem;
    struct pieces before = *s->out, best = before;
    double least = s->criterion;
    struct boundaries_problem *b = pieces_make(s) ? pieces_problem_of(s, &s->order[0]) : NULL;
    struct candidates l = {.s = s, .rows = &s->order[0], .before = &before};
    for (l.variable = 0; b && l.variable < p->variables; l.variable++) {
        if (!(p->may_divide >> l.variable & 1))
            continue;
        list_places(&l);
        for (l.constant = 0; l.constant < p->constants && l.n; l.constant++)
            for (int form = 0; form <= SMOOTH_FORMS; form++) {
                l.sharpness = form ? ldexp(SMOOTH_FIRST, form - 1) : 0;
                try_form(&l, b, &best, &least);
            }
    }
    *s->out = best;
    bool improved = least < s->criterion;
    s->criterion = least;
    return improved;
}
