/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Constants that are exponents, f[0] + f[1]*N^f[2], or factors in the argument of a function that asks
 * the machine, f[0] + f[1]*N*lat(f[2]*N). The best exponents of a grid come first. Then the formula is
 * replaced by the one that is linear around the present exponents and constants,
 *
 *     f(e) + (e' - e) df/de
 *
 * in which the new exponent e' is one more constant: its coefficient is the slope df/de, and
 * -e df/de is a part of the offset. That formula is fitted like any other. Its solution gives the
 * next exponents, until they do not move (Gauss and Newton). Then both formulas have the same value
 * everywhere, and the uncertainty of the exponents is that of the constants e'.
 *
 * Of a factor, e is the logarithm: it is positive, and its grid has equal ratios. The curves of a
 * machine have steps, so the interval of a factor is not narrower than the part of the grid that fits
 * almost as well as its best place.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/interrupt.h"
#include "model/fit_internal.h"
#include "numeric/lsq.h"

/* ---- the linear formula ---- */

/* f with values in place of the exponents. */
static const struct formula *at_exponents(const struct model *m, const struct formula *f)
{
    const struct formula_linear *l = m->formula.with_exponents;
    const char *names[FORMULA_MAX_EXPONENTS];
    const struct formula *by[FORMULA_MAX_EXPONENTS];
    for (size_t e = 0; e < l->nexponents; e++) {
        names[e] = l->exponents[e].name;
        double value = m->formula.exponents[e];
        by[e] = formula_number(m->arena, l->exponents[e].factor ? exp(value) : value);
    }
    return formula_substitute(m->arena, f, names, by, l->nexponents);
}

/* The slope of the formula with these constants (of the linear terms) against an exponent. */
static const struct formula *slope(const struct model *m, size_t exponent, const double *constants)
{
    const struct formula_linear *l = m->formula.with_exponents;
    struct arena *a = m->arena;
    const char *name = l->exponents[exponent].name;
    const struct formula *sum = formula_number(a, 0);
    const struct formula *(*derivative)(struct arena *, const struct formula *, const char *) =
        l->exponents[exponent].factor ? formula_log_slope : formula_derivative;
    for (size_t t = 0; t < l->nterms; t++) {
        const struct formula *d = derivative(a, l->terms[t].coefficient, name);
        if (d)
            sum = formula_binary(
                a, FORMULA_ADD, sum,
                formula_binary(a, FORMULA_MULTIPLY, formula_number(a, constants[t]), d));
    }
    const struct formula *d = l->offset ? derivative(a, l->offset, name) : NULL;
    if (d)
        sum = formula_binary(a, FORMULA_ADD, sum, d);
    return at_exponents(m, sum);
}

static int by_index(const void *x, const void *y)
{
    const struct model_constant *a = x, *b = y;
    return a->index < b->index ? -1 : a->index > b->index;
}

/* Sets constants and offset of the model; constants of the linear terms as given. */
static void linearize_around(struct model *m, const double *constants)
{
    const struct formula_linear *l = m->formula.with_exponents;
    struct arena *a = m->arena;
    size_t n = l->nterms + l->nexponents;
    struct model_constant *list = arena_zalloc(a, n, sizeof *list);
    const struct formula *offset = l->offset ? at_exponents(m, l->offset) : formula_number(a, 0);
    for (size_t t = 0; t < l->nterms; t++) {
        list[t].index = l->terms[t].index;
        list[t].name = arena_printf(a, "%s[%u]", l->terms[t].experiment, l->terms[t].index);
        list[t].coefficient = at_exponents(m, l->terms[t].coefficient);
    }
    for (size_t e = 0; e < l->nexponents; e++) {
        struct model_constant *c = &list[l->nterms + e];
        c->index = l->exponents[e].index;
        c->name = l->exponents[e].name;
        c->is_exponent = true;
        c->is_factor = l->exponents[e].factor;
        c->coefficient = slope(m, e, constants);
        offset = formula_binary(a, FORMULA_SUBTRACT, offset,
                                formula_binary(a, FORMULA_MULTIPLY,
                                               formula_number(a, m->formula.exponents[e]),
                                               c->coefficient));
    }
    qsort(list, n, sizeof *list, by_index);
    m->constants = list;
    m->nconstants = n;
    m->formula.offset = offset;
}

/* ---- the first exponents ---- */

struct trial {
    struct arena *arena; /* of one try */
    const struct model *model;
    const struct formula_program **terms, *offset;
    const double **columns; /* the variables of the points, then the exponents */
    double **exponent;      /* the columns of the latter */
    double *sigma, *column;
    double best;
    double *constants; /* of the best */
    double found[FORMULA_MAX_EXPONENTS];
    struct tried { /* every place of the grid, for the intervals of factors */
        double at[FORMULA_MAX_EXPONENTS], rest;
    } * tried;
    size_t ntried, capacity;
};

static int prepare(struct trial *t, struct model *m, struct diag *diag)
{
    const struct formula_linear *l = m->formula.with_exponents;
    const struct points *p = &m->points;
    size_t names = p->nnames + l->nexponents;
    const char **list = arena_alloc(m->arena, names, sizeof *list);
    t->model = m;
    t->columns = arena_alloc(m->arena, names, sizeof *t->columns);
    t->exponent = arena_alloc(m->arena, l->nexponents, sizeof *t->exponent);
    for (size_t v = 0; v < p->nnames; v++) {
        list[v] = p->names[v];
        t->columns[v] = p->at[v];
    }
    for (size_t e = 0; e < l->nexponents; e++) {
        list[p->nnames + e] = l->exponents[e].name;
        t->columns[p->nnames + e] = t->exponent[e] =
            arena_alloc(m->arena, p->n, sizeof *t->exponent[e]);
    }
    t->terms = arena_alloc(m->arena, l->nterms + 1, sizeof *t->terms);
    for (size_t i = 0; i < l->nterms; i++)
        if (!(t->terms[i] = formula_compile(m->arena, l->terms[i].coefficient, list, names,
                                            m->request.source, diag)))
            return -1;
    if (l->offset &&
        !(t->offset = formula_compile(m->arena, l->offset, list, names, m->request.source, diag)))
        return -1;
    t->sigma = noise_scales(m->arena, p, 0, 1);
    t->column = arena_alloc(m->arena, p->n, sizeof *t->column);
    t->constants = arena_zalloc(m->arena, l->nterms + 1, sizeof *t->constants);
    t->best = INFINITY;
    return 0;
}

/* The weighted rows with these exponents, the target in column k. False where a term has no value.
 */
static bool make_rows(struct trial *t, const double *exponents, double *rows)
{
    const struct formula_linear *l = t->model->formula.with_exponents;
    const struct points *p = &t->model->points;
    size_t n = p->n, k = l->nterms;
    for (size_t e = 0; e < l->nexponents; e++)
        for (size_t i = 0; i < n; i++)
            t->exponent[e][i] = l->exponents[e].factor ? exp(exponents[e]) : exponents[e];
    for (size_t i = 0; i < n; i++)
        rows[i * (k + 1) + k] = p->value[i] / t->sigma[i];
    for (size_t j = 0; j < k + (t->offset != NULL); j++) {
        if (formula_evaluate(j < k ? t->terms[j] : t->offset, t->columns, n, t->column, NULL))
            return false;
        for (size_t i = 0; i < n; i++) {
            if (j < k)
                rows[i * (k + 1) + j] = t->column[i] / t->sigma[i];
            else
                rows[i * (k + 1) + k] -= t->column[i] / t->sigma[i];
        }
    }
    return true;
}

static void remember(struct trial *t, const double *exponents, double rest)
{
    struct arena *a = t->model->arena;
    t->tried = arena_grow(a, t->tried, t->ntried, &t->capacity, t->ntried + 1, sizeof *t->tried);
    memcpy(t->tried[t->ntried].at, exponents, sizeof t->tried->at);
    t->tried[t->ntried++].rest = rest;
}

/* Least squares with these exponents; keeps the best. */
static void try_exponents(struct trial *t, const double *exponents)
{
    const struct formula_linear *l = t->model->formula.with_exponents;
    size_t n = t->model->points.n, k = l->nterms;
    arena_reset(t->arena);
    double *rows = arena_alloc(t->arena, n * (k + 1), sizeof *rows), rest = 0;
    bool *active = arena_alloc(t->arena, k + 1, sizeof *active);
    struct lsq_solution s;
    if (!make_rows(t, exponents, rows))
        return;
    struct lsq *lsq = lsq_create(t->arena, k);
    for (size_t i = 0; i < n; i++)
        lsq_add(lsq, rows + i * (k + 1), rows[i * (k + 1) + k]);
    lsq_finish(lsq);
    if (t->model->request.nonneg)
        lsq_solve_nonneg(t->arena, lsq, NULL, NULL, active, &s);
    else
        lsq_solve(t->arena, lsq, NULL, &s);
    for (size_t i = 0; i < n; i++) {
        double residual = rows[i * (k + 1) + k];
        for (size_t j = 0; j < k; j++)
            residual -= s.x[j] * rows[i * (k + 1) + j];
        rest += residual * residual;
    }
    /* an exponent of 0 beside a constant term is no solution */
    if (!s.full_rank)
        return;
    remember(t, exponents, rest);
    if (!(rest < t->best))
        return;
    t->best = rest;
    memcpy(t->constants, s.x, k * sizeof *s.x);
    memcpy(t->found, exponents, l->nexponents * sizeof *exponents);
}

/* The places of the grid for an exponent. */
struct grid {
    double from, to, step;
};

static struct grid grid_of(const struct formula_linear *l, size_t exponent)
{
    bool alone = l->nexponents == 1;
    if (l->exponents[exponent].factor)
        return (struct grid){log(FACTOR_FROM), log(FACTOR_TO),
                             log(alone ? FACTOR_STEP : FACTOR_STEP_WIDE)};
    return (struct grid){EXPONENT_FROM, EXPONENT_TO, alone ? EXPONENT_STEP : EXPONENT_STEP_WIDE};
}

static void try_grid(struct trial *t, size_t exponent, double *exponents)
{
    const struct formula_linear *l = t->model->formula.with_exponents;
    if (exponent == l->nexponents) {
        try_exponents(t, exponents);
        return;
    }
    struct grid g = grid_of(l, exponent);
    for (double e = g.from; e <= g.to && !interrupt_came(); e += g.step) {
        exponents[exponent] = e;
        try_grid(t, exponent + 1, exponents);
    }
}

/* Factors around the best place, in steps that become smaller: the curves have edges, which a step
 * along the slope would miss. */
static void refine_factors(struct trial *t)
{
    const struct formula_linear *l = t->model->formula.with_exponents;
    for (int round = 0; round < FACTOR_HALVINGS; round++)
        for (size_t e = 0; e < l->nexponents && !interrupt_came(); e++) {
            double exponents[FORMULA_MAX_EXPONENTS], step = ldexp(grid_of(l, e).step, -1 - round),
                                                     middle = t->found[e];
            if (!l->exponents[e].factor)
                continue;
            for (int side = -1; side <= 1; side += 2) {
                memcpy(exponents, t->found, sizeof exponents);
                exponents[e] = middle + side * step;
                try_exponents(t, exponents);
            }
        }
}

/* The range of each factor in which the sum of squares is at most that of the best place with the
 * 95 % of its statistic added: noise of so many degrees of freedom explains the difference. */
static void find_ranges(struct model *m, const struct trial *t)
{
    const struct formula_linear *l = m->formula.with_exponents;
    double dof = (double)m->points.n - (double)(l->nterms + l->nexponents);
    double q = dof > 0 ? noise_student_t(dof) : INFINITY,
           most = t->best * (1 + q * q / fmax(dof, 1));
    for (size_t e = 0; e < l->nexponents; e++) {
        m->formula.factor_low[e] = m->formula.factor_high[e] = t->found[e];
        for (size_t i = 0; i < t->ntried; i++) {
            if (!(t->tried[i].rest <= most))
                continue;
            m->formula.factor_low[e] = fmin(m->formula.factor_low[e], t->tried[i].at[e]);
            m->formula.factor_high[e] = fmax(m->formula.factor_high[e], t->tried[i].at[e]);
        }
    }
}

int exponents_begin(struct model *m, const struct formula_linear *linear, struct diag *diag)
{
    struct trial t = {0};
    double exponents[FORMULA_MAX_EXPONENTS] = {0};
    const char *name = m->request.points.experiment->name;
    if (m->request.intervals.mode == INTERVALS_ON || m->request.intervals.mode == INTERVALS_GIVEN)
        return diag_error(diag, "%s has an unknown %s: its constants cannot have intervals", name,
                          linear->exponents[0].factor ? "factor in an argument" : "exponent");
    m->request.intervals.mode = INTERVALS_NONE;
    m->formula.with_exponents = linear;
    m->formula.nexponents = linear->nexponents;
    if (prepare(&t, m, diag))
        return -1;
    t.arena = arena_create();
    try_grid(&t, 0, exponents);
    if (isfinite(t.best))
        refine_factors(&t);
    arena_destroy(t.arena);
    if (!isfinite(t.best)) {
        bool factor = linear->exponents[0].factor;
        return diag_error(
            diag,
            interrupt_came() ? "interrupted"
            : factor ? "no factor from %g to %g fits the data of %s: the terms cannot be told "
                       "apart, or the figures of the machine do not change over the measured "
                       "sizes"
                     : "no exponent from %g to %g fits the data of %s: the terms are "
                       "not determined, or have no value",
            factor ? FACTOR_FROM : EXPONENT_FROM, factor ? FACTOR_TO : EXPONENT_TO, name);
    }
    memcpy(m->formula.exponents, t.found, sizeof t.found);
    find_ranges(m, &t);
    linearize_around(m, t.constants);
    return 0;
}

/* The exponent that a constant is. */
static double *exponent_of(struct model *m, const struct model_constant *c)
{
    const struct formula_linear *l = m->formula.with_exponents;
    for (size_t i = 0; i < l->nexponents; i++)
        if (l->exponents[i].index == c->index)
            return &m->formula.exponents[i];
    return NULL;
}

double model_exponent(const struct model *m, size_t constant)
{
    const struct formula_linear *l = m->formula.with_exponents;
    const struct model_constant *c = &m->constants[constant];
    size_t i = 0;
    while (l->exponents[i].index != c->index)
        i++;
    return c->is_factor ? exp(m->formula.exponents[i]) : m->formula.exponents[i];
}

void exponents_show_factor(const struct model *m, const struct model_constant *c,
                           struct model_piece *piece)
{
    const struct formula_linear *l = m->formula.with_exponents;
    for (size_t i = 0; i < l->nexponents; i++) {
        if (l->exponents[i].index != c->index)
            continue;
        bool known = !isnan(piece->low);
        piece->low = exp(fmin(piece->low, m->formula.factor_low[i]));
        piece->high = exp(fmax(piece->high, m->formula.factor_high[i]));
        piece->value = exp(piece->value);
        piece->standard_error *= piece->value;
        if (!known)
            piece->low = piece->high = NAN;
    }
}

bool exponents_move(struct model *m)
{
    const struct formula_linear *l = m->formula.with_exponents;
    bool moved = false;
    if (!l || interrupt_came())
        return false;
    double *constants = arena_alloc(m->arena, m->structure.ncolumns + 1, sizeof *constants);
    for (size_t j = 0, term = 0; j < m->structure.ncolumns; j++) {
        const struct model_constant *c = &m->constants[m->structure.columns[j].constant];
        double *e = c->is_exponent ? exponent_of(m, c) : NULL, value = m->solution.value[j];
        if (!e)
            constants[term++] = value;
        if (!e || m->solution.dropped[j])
            continue;
        double most = c->is_factor ? FACTOR_MOVE : EXPONENT_MOVE,
               step = fmax(fmin(value - *e, most), -most);
        moved = moved || fabs(step) > EXPONENT_CHANGE * (1 + fabs(*e));
        *e += step;
    }
    if (moved)
        linearize_around(m, constants);
    return moved;
}
