/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * max() and min() of operands with constants, f[0] + max(f[1]*N, N*random(8*N)): the time is that of what
 * limits the region. Around given constants the formula is linear: at each point one operand counts.
 * That formula is fitted like any other. Its solution gives the next constants, until the same
 * operands count at all points.
 *
 * Which operands count in the end depends on where this begins. So it begins several times, each time
 * with constants with which their operands alone would take all of the time, a part of it, or none, and
 * the constants with the least squares are kept.
 */
#include <math.h>
#include <string.h>

#include "base/interrupt.h"
#include "model/fit_internal.h"
#include "numeric/lsq.h"
#include "numeric/stats.h"

/* The parts of the time that an operand may have at the begin. */
static const double PARTS[] = {1, 0.25, 0};
enum { NPARTS = sizeof PARTS / sizeof *PARTS };

/* Sets constants and offset of the model around the constants as they are. */
static void choose_around(struct model *m, const double *constants)
{
    const struct formula_linear *l = m->formula.with_choices;
    struct arena *a = m->arena;
    m->nconstants = l->nterms;
    m->constants = arena_zalloc(a, l->nterms + 1, sizeof *m->constants);
    m->formula.chosen = arena_alloc(a, l->nterms + 1, sizeof *m->formula.chosen);
    memcpy(m->formula.chosen, constants, l->nterms * sizeof *constants);
    for (size_t t = 0; t < l->nterms; t++) {
        m->constants[t].index = l->terms[t].index;
        m->constants[t].name = arena_printf(a, "%s[%u]", l->terms[t].experiment, l->terms[t].index);
        m->constants[t].coefficient = formula_choose(a, l, l->terms[t].coefficient, constants);
    }
    m->formula.offset = l->offset ? formula_choose(a, l, l->offset, constants) : NULL;
}

bool choices_have(const struct model *m, size_t constant)
{
    const struct formula_linear *l = m->formula.with_choices;
    struct formula_variables v = {.n = 0};
    if (l)
        v = formula_variables(m->arena, l->terms[constant].coefficient);
    for (size_t i = 0; i < v.n; i++)
        for (size_t c = 0; c < l->nchoices; c++)
            if (strcmp(v.list[i].name, l->choices[c].if_left) == 0 ||
                strcmp(v.list[i].name, l->choices[c].if_right) == 0)
                return true;
    return false;
}

/* ---- the first constants ---- */

/* The coefficients and the offset at the points, with the operands that count around some constants. */
struct trial {
    struct arena *arena; /* of one trial */
    const struct model *model;
    const double *sigma;
    double *rows; /* points x (terms, then the value without the offset), weighted */
    double best;
    double *constants; /* of the best */
};

static bool column_of(struct trial *t, const struct formula *f, double *out)
{
    const struct points *p = &t->model->points;
    const struct formula_program *program =
        formula_compile(t->arena, f, (const char *const *)p->names, p->nnames, NULL, NULL);
    return program && !formula_evaluate(program, (const double *const *)p->at, p->n, out, NULL);
}

/* The weighted rows around these constants. False if a term has no value. */
static bool make_rows(struct trial *t, const double *constants)
{
    const struct formula_linear *l = t->model->formula.with_choices;
    const struct points *p = &t->model->points;
    size_t n = p->n, k = l->nterms;
    double *column = arena_alloc(t->arena, n, sizeof *column);
    t->rows = arena_alloc(t->arena, n * (k + 1), sizeof *t->rows);
    for (size_t j = 0; j <= k; j++) {
        const struct formula *f = j < k ? l->terms[j].coefficient : l->offset;
        memset(column, 0, n * sizeof *column);
        if (f && !column_of(t, formula_choose(t->arena, l, f, constants), column))
            return false;
        for (size_t i = 0; i < n; i++)
            t->rows[i * (k + 1) + j] = (j < k ? column[i] : p->value[i] - column[i]) / t->sigma[i];
    }
    return true;
}

static double squares(const struct trial *t, const double *x)
{
    size_t n = t->model->points.n, k = t->model->formula.with_choices->nterms;
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        double residual = t->rows[i * (k + 1) + k];
        for (size_t j = 0; j < k; j++)
            residual -= x[j] * t->rows[i * (k + 1) + j];
        sum += residual * residual;
    }
    return sum;
}

/* Least squares with the rows as they are; a column of zeros gets 0. */
static void solve_rows(const struct trial *t, double *x)
{
    size_t n = t->model->points.n, k = t->model->formula.with_choices->nterms;
    bool *active = arena_alloc(t->arena, k + 1, sizeof *active);
    struct lsq *lsq = lsq_create(t->arena, k);
    struct lsq_solution s;
    for (size_t i = 0; i < n; i++)
        lsq_add(lsq, t->rows + i * (k + 1), t->rows[i * (k + 1) + k]);
    lsq_finish(lsq);
    if (t->model->request.nonneg)
        lsq_solve_nonneg(t->arena, lsq, NULL, NULL, active, &s);
    else
        lsq_solve(t->arena, lsq, NULL, &s);
    memcpy(x, s.x, k * sizeof *x);
}

/* Goes on from these constants until the sum of squares of the formula itself falls no more. */
static void try_from(struct trial *t, double *constants)
{
    size_t k = t->model->formula.with_choices->nterms;
    double *next = mem_alloc(k + 1, sizeof *next), last = INFINITY;
    for (int round = 0; round < CHOICE_ROUNDS && !interrupted(); round++) {
        arena_reset(t->arena);
        if (!make_rows(t, constants))
            break;
        double rest =
            squares(t, constants); /* the operands that count are those of the constants */
        if (rest < t->best) {
            t->best = rest;
            memcpy(t->constants, constants, k * sizeof *constants);
        }
        solve_rows(t, next);
        if (round > 1 && !(rest < last))
            break;
        last = rest;
        memcpy(constants, next, k * sizeof *constants);
    }
    mem_free(next);
}

/* The constants with which each term alone would take all of the time, in the median point. */
static void alone(struct trial *t, double *constants)
{
    const struct formula_linear *l = t->model->formula.with_choices;
    const struct points *p = &t->model->points;
    double *column = mem_alloc(p->n, sizeof *column);
    for (size_t j = 0; j < l->nterms; j++) {
        size_t n = 0;
        arena_reset(t->arena);
        constants[j] = 0;
        if (!column_of(t, formula_choose(t->arena, l, l->terms[j].coefficient, NULL), column))
            continue;
        for (size_t i = 0; i < p->n; i++)
            if (p->value[i] > 0 && column[i] > 0)
                column[n++] = p->value[i] / column[i];
        if (n)
            constants[j] = stats_quantile(column, n, 0.5);
    }
    mem_free(column);
}

/* Every combination of parts for the constants inside of max() and min(); with many of them, the last
 * ones have the same part. Others are found at once, whatever they begin with. */
static void try_all(struct trial *t)
{
    const struct formula_linear *l = t->model->formula.with_choices;
    size_t k = l->nterms, combinations = 1;
    double *whole = mem_alloc(k + 1, sizeof *whole),
           *constants = mem_alloc(k + 1, sizeof *constants);
    alone(t, whole);
    for (size_t j = 0; j < k && combinations < CHOICE_STARTS; j++)
        combinations *= choices_have(t->model, j) ? NPARTS : 1;
    for (size_t c = 0; c < combinations && !interrupted(); c++) {
        size_t rest = c;
        for (size_t j = 0; j < k; j++) {
            constants[j] = choices_have(t->model, j) ? whole[j] * PARTS[rest % NPARTS] : 0;
            if (choices_have(t->model, j))
                rest /= NPARTS;
        }
        try_from(t, constants);
    }
    mem_free(constants);
    mem_free(whole);
}

int choices_begin(struct model *m, const struct formula_linear *linear, struct diag *diag)
{
    const char *name = m->request.points.experiment->name;
    if (m->request.intervals.mode == INTERVALS_ON || m->request.intervals.mode == INTERVALS_GIVEN) {
        diag_error(diag, "%s has a %s() of constants: its constants cannot have intervals", name,
                   linear->choices[0].largest ? "max" : "min");
        return -1;
    }
    m->request.intervals.mode = INTERVALS_NONE;
    m->formula.with_choices = linear;
    struct trial t = {.model = m,
                      .arena = arena_create(),
                      .sigma = noise_scales(m->arena, &m->points, 0, 1),
                      .best = INFINITY,
                      .constants = arena_zalloc(m->arena, linear->nterms + 1, sizeof(double))};
    try_all(&t);
    arena_destroy(t.arena);
    if (interrupted()) {
        diag_error(diag, "interrupted");
        return -1;
    }
    choose_around(m, t.constants); /* if no trial succeeded, the fit says why */
    return 0;
}

bool choices_move(struct model *m)
{
    const struct formula_linear *l = m->formula.with_choices;
    if (!l || interrupted())
        return false;
    double *constants = arena_zalloc(m->arena, l->nterms + 1, sizeof *constants);
    const double *before = m->formula.chosen;
    bool moved = false;
    for (size_t j = 0; j < m->structure.ncolumns; j++) {
        size_t c = m->structure.columns[j].constant;
        constants[c] = m->solution.dropped[j] ? before[c] : m->solution.value[j];
    }
    for (size_t c = 0; c < l->nterms; c++)
        moved = moved || fabs(constants[c] - before[c]) > CHOICE_CHANGE * fabs(before[c]);
    if (moved)
        choose_around(m, constants);
    return moved;
}
