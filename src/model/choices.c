/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * max() and min() of operands with constants, f[0] + max(f[1]*N, N*random(8*N)): the time is that of what
 * limits the region. Around given constants the formula is linear: at each point one operand counts.
 * That formula is fitted like any other. Its solution gives the next constants, until the same
 * operands count at all points with the constants that were fitted as before.
 *
 * Which operands count in the end depends on where this begins. So it begins many times, each time with
 * constants with which their operands alone would take a part of the time, or more than it, and the
 * constants with the least squares are kept.
 *
 * An operand that counts at few points takes up their noise, and predicts nonsense beyond them. So each
 * operand with constants must count at two more points than it has constants, or there is no fit.
 */
#include <math.h>
#include <string.h>

#include "base/interrupt.h"
#include "model/fit_internal.h"
#include "numeric/lsq.h"
#include "numeric/stats.h"

/* What an operand takes at the begin, against the time: fewer values with more constants, since all
 * combinations are tried. */
static const double PARTS[CHOICE_CONSTANTS][8] = {{100, 4, 1, 0.5, 0.25, 0.1, 0.03, 0},
                                                  {100, 4, 1, 0.5, 0.25, 0.1, 0.03, 0},
                                                  {30, 1, 0.2, 0},
                                                  {30, 0.5, 0}};
static const size_t NPARTS[CHOICE_CONSTANTS] = {8, 8, 4, 3};

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

/* Whether the term of a constant depends on which operand counts. */
static bool is_inside(struct arena *a, const struct formula_linear *l, size_t term)
{
    struct formula_variables v = formula_variables(a, l->terms[term].coefficient);
    for (size_t i = 0; i < v.n; i++)
        for (size_t c = 0; c < l->nchoices; c++)
            if (strcmp(v.list[i].name, l->choices[c].if_left) == 0 ||
                strcmp(v.list[i].name, l->choices[c].if_right) == 0)
                return true;
    return false;
}

/* ---- which operands count ---- */

/* Some points of a model: an expression has a value at each of them. */
struct sample {
    struct arena *arena; /* of one step */
    const struct model *model;
    const double **at; /* the variables */
    double *value, *sigma;
    size_t n;
};

static bool column_of(const struct sample *s, const struct formula *f, double *out)
{
    const struct points *p = &s->model->points;
    const struct formula_program *program =
        formula_compile(s->arena, f, (const char *const *)p->names, p->nnames, NULL, NULL);
    return program && !formula_evaluate(program, s->at, s->n, out, NULL);
}

/* Which operand of each choice counts at each point: choices x points. False if it has no value. */
static bool pattern_of(const struct sample *s, const double *constants, double *pattern)
{
    const struct formula_linear *l = s->model->formula.with_choices;
    for (size_t c = 0; c < l->nchoices; c++) {
        const struct formula *left = formula_choose(
            s->arena, l, formula_variable(s->arena, l->choices[c].if_left), constants);
        if (!column_of(s, left, pattern + c * s->n))
            return false;
    }
    return true;
}

/* How many different constants an operand has. */
static size_t constants_in(struct arena *a, const struct formula_linear *l, const struct formula *f,
                           size_t *first)
{
    struct formula_variables v = formula_variables(a, f);
    size_t n = 0;
    for (size_t t = 0; t < l->nterms; t++) {
        const char *name = arena_printf(a, "%s[%u]", l->terms[t].experiment, l->terms[t].index);
        for (size_t i = 0; i < v.n; i++)
            if (strcmp(v.list[i].name, name) == 0 && n++ == 0)
                *first = t;
    }
    return n;
}

/* An operand with constants that counts at too few points. */
struct weak {
    size_t constant;           /* one of its constants */
    size_t points, of, needed; /* it counts at; of so many; should count at */
};

static bool find_weak(const struct sample *s, const double *pattern, struct weak *out)
{
    const struct formula_linear *l = s->model->formula.with_choices;
    for (size_t c = 0; c < l->nchoices; c++) {
        size_t left = 0;
        for (size_t i = 0; i < s->n; i++)
            left += pattern[c * s->n + i] != 0;
        for (int side = 0; side < 2; side++) {
            size_t constant = 0, points = side ? s->n - left : left,
                   n = constants_in(s->arena, l, side ? l->choices[c].right : l->choices[c].left,
                                    &constant);
            if (n && points < n + CHOICE_MORE_POINTS) {
                *out = (struct weak){constant, points, s->n, n + CHOICE_MORE_POINTS};
                return true;
            }
        }
    }
    return false;
}

/* ---- the first constants ---- */

struct trial {
    struct sample sample;
    double *rows;    /* points x (terms, then the value without the offset), weighted */
    double *pattern; /* of the constants that the rows are around */
    double best;
    double *constants; /* of the best */
    struct weak weak;  /* of the best that is too weak */
    double best_weak;
};

/* The weighted rows around these constants. False if a term has no value. */
static bool make_rows(struct trial *t, const double *constants)
{
    const struct sample *s = &t->sample;
    const struct formula_linear *l = s->model->formula.with_choices;
    size_t n = s->n, k = l->nterms;
    double *column = arena_alloc(s->arena, n, sizeof *column);
    t->rows = arena_alloc(s->arena, n * (k + 1), sizeof *t->rows);
    t->pattern = arena_alloc(s->arena, n * l->nchoices, sizeof *t->pattern);
    if (!pattern_of(s, constants, t->pattern))
        return false;
    for (size_t j = 0; j <= k; j++) {
        const struct formula *f = j < k ? l->terms[j].coefficient : l->offset;
        memset(column, 0, n * sizeof *column);
        if (f && !column_of(s, formula_choose(s->arena, l, f, constants), column))
            return false;
        for (size_t i = 0; i < n; i++)
            t->rows[i * (k + 1) + j] = (j < k ? column[i] : s->value[i] - column[i]) / s->sigma[i];
    }
    return true;
}

static double squares(const struct trial *t, const double *x)
{
    size_t n = t->sample.n, k = t->sample.model->formula.with_choices->nterms;
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        double residual = t->rows[i * (k + 1) + k];
        for (size_t j = 0; j < k; j++)
            residual -= x[j] * t->rows[i * (k + 1) + j];
        sum += residual * residual;
    }
    return sum;
}

/* Least squares with the rows as they are. A constant that counts at no point keeps its value. */
static void solve_rows(const struct trial *t, double *x)
{
    size_t n = t->sample.n, k = t->sample.model->formula.with_choices->nterms;
    struct arena *a = t->sample.arena;
    bool *active = arena_alloc(a, k + 1, sizeof *active),
         *counts = arena_zalloc(a, k + 1, sizeof *counts);
    struct lsq *lsq = lsq_create(a, k);
    struct lsq_solution s;
    for (size_t i = 0; i < n; i++) {
        lsq_add(lsq, t->rows + i * (k + 1), t->rows[i * (k + 1) + k]);
        for (size_t j = 0; j < k; j++)
            counts[j] = counts[j] || t->rows[i * (k + 1) + j] != 0;
    }
    lsq_finish(lsq);
    if (t->sample.model->request.nonneg)
        lsq_solve_nonneg(a, lsq, NULL, NULL, active, &s);
    else
        lsq_solve(a, lsq, NULL, &s);
    for (size_t j = 0; j < k; j++)
        if (counts[j])
            x[j] = s.x[j];
}

/* Keeps constants with which the same operands count as they were solved with, and enough of them. */
static void keep(struct trial *t, const double *before, const double *constants, double rest)
{
    const struct formula_linear *l = t->sample.model->formula.with_choices;
    struct weak weak;
    if (memcmp(before, t->pattern, t->sample.n * l->nchoices * sizeof *before) != 0)
        return;
    if (find_weak(&t->sample, t->pattern, &weak)) {
        if (rest < t->best_weak) {
            t->best_weak = rest;
            t->weak = weak;
        }
    } else if (rest < t->best) {
        t->best = rest;
        memcpy(t->constants, constants, l->nterms * sizeof *constants);
    }
}

/* Goes on from these constants until the same operands count. */
static void try_from(struct trial *t, double *constants)
{
    const struct formula_linear *l = t->sample.model->formula.with_choices;
    size_t size = t->sample.n * l->nchoices * sizeof *t->pattern;
    double *before = mem_zalloc(t->sample.n * l->nchoices, sizeof *before);
    for (int round = 0; round < CHOICE_ROUNDS && !interrupted(); round++) {
        arena_reset(t->sample.arena);
        if (!make_rows(t, constants))
            break;
        if (round > 0) {
            keep(t, before, constants, squares(t, constants));
            if (memcmp(before, t->pattern, size) == 0)
                break;
        }
        memcpy(before, t->pattern, size);
        solve_rows(t, constants);
    }
    mem_free(before);
}

/* The constants with which each term alone would take all of the time, in the median point. */
static void alone(const struct sample *s, double *constants)
{
    const struct formula_linear *l = s->model->formula.with_choices;
    double *column = mem_alloc(s->n + 1, sizeof *column);
    for (size_t j = 0; j < l->nterms; j++) {
        size_t n = 0;
        arena_reset(s->arena);
        constants[j] = 0;
        if (!column_of(s, formula_choose(s->arena, l, l->terms[j].coefficient, NULL), column))
            continue;
        for (size_t i = 0; i < s->n; i++)
            if (s->value[i] > 0 && column[i] > 0)
                column[n++] = s->value[i] / column[i];
        if (n)
            constants[j] = stats_quantile(column, n, 0.5);
    }
    mem_free(column);
}

/* Every combination of parts for the constants inside of max() and min(). Others are found at once,
 * whatever they begin with. */
static void try_all(struct trial *t, size_t inside)
{
    const struct formula_linear *l = t->sample.model->formula.with_choices;
    size_t k = l->nterms, combinations = 1;
    double *whole = mem_alloc(k + 1, sizeof *whole),
           *constants = mem_alloc(k + 1, sizeof *constants);
    bool *varies = mem_alloc(k + 1, sizeof *varies);
    alone(&t->sample, whole);
    for (size_t j = 0; j < k; j++) {
        varies[j] = is_inside(t->sample.arena, l, j);
        combinations *= varies[j] ? NPARTS[inside - 1] : 1;
    }
    for (size_t c = 0; c < combinations && !interrupted(); c++) {
        size_t rest = c;
        for (size_t j = 0; j < k; j++) {
            constants[j] = varies[j] ? whole[j] * PARTS[inside - 1][rest % NPARTS[inside - 1]] : 0;
            rest /= varies[j] ? NPARTS[inside - 1] : 1;
        }
        try_from(t, constants);
    }
    mem_free(varies);
    mem_free(constants);
    mem_free(whole);
}

/* ---- the sample ---- */

/* The points that take part, at most `most` of them, evenly spread. */
static struct sample take_sample(struct arena *a, const struct model *m, size_t most)
{
    const struct points *p = &m->points;
    size_t n = p->n < most ? p->n : most;
    const double *sigma = noise_scales(a, p, 0, 1);
    struct sample s = {.arena = arena_create(), .model = m, .n = n};
    s.value = arena_alloc(a, n + 1, sizeof *s.value);
    s.sigma = arena_alloc(a, n + 1, sizeof *s.sigma);
    s.at = arena_alloc(a, p->nnames + 1, sizeof *s.at);
    for (size_t v = 0; v <= p->nnames; v++) {
        double *column = v < p->nnames ? arena_alloc(a, n + 1, sizeof *column) : s.value;
        for (size_t i = 0; i < n; i++) {
            size_t from = i * p->n / n;
            column[i] = v < p->nnames ? p->at[v][from] : p->value[from];
            s.sigma[i] = sigma[from];
        }
        if (v < p->nnames)
            s.at[v] = column;
    }
    return s;
}

/* ---- the fit ---- */

static int say_weak(const struct model *m, const struct weak *w, struct diag *diag)
{
    const struct formula_linear *l = m->formula.with_choices;
    diag_error(
        diag,
        "%s[%u] cannot be determined: its operand of max() or min() counts at %zu of %zu points, "
        "and at least %zu are needed; measure points where it counts, give the constant a "
        "number, or leave the operand out",
        l->terms[w->constant].experiment, l->terms[w->constant].index, w->points, w->of, w->needed);
    return -1;
}

static int not_settled(const struct model *m, struct diag *diag)
{
    diag_error(
        diag,
        "the fit of %s does not settle: with the constants found, other operands of max() or "
        "min() count than they were fitted with; measure more points, or leave an operand "
        "out",
        m->request.points.experiment->name);
    return -1;
}

/* What such a formula cannot have. */
static int check_request(const struct model *m, const struct formula_linear *l, size_t inside,
                         struct diag *diag)
{
    const char *name = m->request.points.experiment->name,
               *function = l->choices[0].largest ? "max" : "min";
    if (m->request.intervals.mode == INTERVALS_ON || m->request.intervals.mode == INTERVALS_GIVEN) {
        diag_error(diag, "%s has a %s() of constants: its constants cannot have intervals", name,
                   function);
        return -1;
    }
    if (inside > CHOICE_CONSTANTS) {
        diag_error(diag,
                   "%s has %zu constants inside of %s(): at most %d can be found; give the others "
                   "numbers",
                   name, inside, function, CHOICE_CONSTANTS);
        return -1;
    }
    return 0;
}

int choices_begin(struct model *m, const struct formula_linear *linear, struct diag *diag)
{
    size_t inside = 0;
    for (size_t j = 0; j < linear->nterms; j++)
        inside += is_inside(m->arena, linear, j);
    if (check_request(m, linear, inside, diag))
        return -1;
    m->request.intervals.mode = INTERVALS_NONE;
    m->formula.with_choices = linear;
    struct trial t = {.sample = take_sample(m->arena, m, CHOICE_POINTS),
                      .best = INFINITY,
                      .best_weak = INFINITY,
                      .constants = arena_zalloc(m->arena, linear->nterms + 1, sizeof(double))};
    try_all(&t, inside);
    arena_destroy(t.sample.arena);
    if (interrupted()) {
        diag_error(diag, "interrupted");
        return -1;
    }
    if (!isfinite(t.best))
        return isfinite(t.best_weak) ? say_weak(m, &t.weak, diag) : not_settled(m, diag);
    choose_around(m, t.constants);
    return 0;
}

/* The constants of the solution; one that the data do not determine keeps its value. */
static double *solution_of(struct model *m)
{
    double *constants = arena_alloc(m->arena, m->nconstants + 1, sizeof *constants);
    memcpy(constants, m->formula.chosen, m->nconstants * sizeof *constants);
    for (size_t j = 0; j < m->structure.ncolumns; j++)
        if (!m->solution.dropped[j])
            constants[m->structure.columns[j].constant] = m->solution.value[j];
    return constants;
}

/* Whether the same operands count with both. */
static bool same_operands(const struct sample *s, const double *x, const double *y, double *pattern)
{
    size_t size = s->n * s->model->formula.with_choices->nchoices;
    double *other = arena_alloc(s->arena, size + 1, sizeof *other);
    return pattern_of(s, x, pattern) && pattern_of(s, y, other) &&
           memcmp(pattern, other, size * sizeof *other) == 0;
}

bool choices_move(struct model *m)
{
    if (!m->formula.with_choices || interrupted())
        return false;
    double *constants = solution_of(m);
    struct sample s = take_sample(m->arena, m, m->points.n);
    double *pattern =
        arena_alloc(s.arena, s.n * m->formula.with_choices->nchoices + 1, sizeof *pattern);
    bool same = same_operands(&s, m->formula.chosen, constants, pattern);
    arena_destroy(s.arena);
    choose_around(m, constants);
    return !same;
}

int choices_check(struct model *m, bool settled, struct diag *diag)
{
    struct weak weak = {0};
    if (!m->formula.with_choices)
        return 0;
    if (!settled)
        return not_settled(m, diag);
    struct sample s = take_sample(m->arena, m, m->points.n);
    double *pattern =
        arena_alloc(s.arena, s.n * m->formula.with_choices->nchoices + 1, sizeof *pattern);
    bool found = pattern_of(&s, m->formula.chosen, pattern) && find_weak(&s, pattern, &weak);
    arena_destroy(s.arena);
    return found ? say_weak(m, &weak, diag) : 0;
}
