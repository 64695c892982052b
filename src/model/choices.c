/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * max() and min() of operands with constants, f[0] + max(f[1]*N, N*random(8*N)): the slowest part of the
 * region decides its time. For given constants the formula is linear: at each point one operand counts.
 * This linear formula is fitted like any other. Its solution gives the next constants, and the steps
 * are repeated until the same operands count, or until those that change are almost equal.
 *
 * The result depends on the first constants. So the search starts many times, from constants that make
 * each operand take a part of the measured time, or more than it, and keeps the constants with the
 * smallest sum of squares.
 *
 * An operand that the program does not have would be fitted to the noise of a few points, and its
 * predictions beyond them would be wrong. So the fit is refused unless each operand with constants
 * counts at two more points than it has constants, and lowers Akaike's criterion clearly.
 */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/interrupt.h"
#include "model/fit_internal.h"
#include "numeric/lsq.h"
#include "numeric/random.h"
#include "numeric/stats.h"

/* The time of an operand at the start of a search, divided by the measured time. All combinations are
 * tried, so there are fewer values for more constants. */
static const double PARTS[CHOICE_CONSTANTS][8] = {{100, 4, 1, 0.5, 0.25, 0.1, 0.03, 0},
                                                  {100, 4, 1, 0.5, 0.25, 0.1, 0.03, 0},
                                                  {30, 1, 0.2, 0},
                                                  {30, 0.5, 0}};
static const size_t NPARTS[CHOICE_CONSTANTS] = {8, 8, 4, 3};

/* Makes the model the linear formula around these constants. */
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

static size_t count_inside(struct arena *a, const struct formula_linear *l)
{
    size_t n = 0;
    for (size_t j = 0; j < l->nterms; j++)
        n += is_inside(a, l, j);
    return n;
}

/* ---- points ---- */

/* Some points of a model: an expression has a value at each of them. */
struct sample {
    struct arena *arena; /* of one step */
    const struct points *points;
    const struct formula_linear *linear;
    bool nonneg, whole; /* whole: all points */
    const double **at;  /* the variables */
    double *value, *sigma;
    double exact; /* a sum of squares this small is due to rounding */
    size_t n;
};

/* At most `most` of the points that are not left out (left_out NULL: of all). Of many points it takes one
 * at a random place of each part of the list: regular places would miss values if the list is a grid. */
static struct sample take_sample(struct arena *a, const struct model *m, const bool *left_out,
                                 size_t most)
{
    const struct points *p = &m->points;
    size_t *from = arena_alloc(a, p->n + 1, sizeof *from), all = 0, n;
    const double *sigma = noise_scales(a, p, 0, 1);
    struct random random = {1};
    for (size_t i = 0; i < p->n; i++)
        if (!left_out || !left_out[i])
            from[all++] = i;
    n = all < most ? all : most;
    struct sample s = {.arena = arena_create(),
                       .points = p,
                       .linear = m->formula.with_choices,
                       .nonneg = m->request.nonneg,
                       .whole = n == all,
                       .n = n};
    for (size_t i = 0; i < n && !s.whole; i++)
        from[i] = from[(size_t)(((double)i + random_uniform(&random)) * (double)all / (double)n)];
    s.value = arena_alloc(a, n + 1, sizeof *s.value);
    s.sigma = arena_alloc(a, n + 1, sizeof *s.sigma);
    s.at = arena_alloc(a, p->nnames + 1, sizeof *s.at);
    for (size_t i = 0; i < n; i++) {
        s.value[i] = p->value[from[i]];
        s.sigma[i] = sigma[from[i]];
        s.exact += 1e-20 * (s.value[i] / s.sigma[i]) * (s.value[i] / s.sigma[i]);
    }
    for (size_t v = 0; v < p->nnames; v++) {
        double *column = arena_alloc(a, n + 1, sizeof *column);
        for (size_t i = 0; i < n; i++)
            column[i] = p->at[v][from[i]];
        s.at[v] = column;
    }
    return s;
}

static bool column_of(const struct sample *s, const struct formula *f, double *out)
{
    const struct formula_program *program = formula_compile(
        s->arena, f, (const char *const *)s->points->names, s->points->nnames, NULL, NULL);
    return program && !formula_evaluate(program, s->at, s->n, out, NULL);
}

/* The weighted rows around these constants: the terms, then the value without the offset. NULL if a
 * term has no value. */
static double *make_rows(const struct sample *s, const double *constants)
{
    const struct formula_linear *l = s->linear;
    size_t n = s->n, k = l->nterms;
    double *column = arena_alloc(s->arena, n + 1, sizeof *column),
           *rows = arena_alloc(s->arena, n * (k + 1) + 1, sizeof *rows);
    for (size_t j = 0; j <= k; j++) {
        const struct formula *f = j < k ? l->terms[j].coefficient : l->offset;
        memset(column, 0, n * sizeof *column);
        if (f && !column_of(s, formula_choose(s->arena, l, f, constants), column))
            return NULL;
        for (size_t i = 0; i < n; i++)
            rows[i * (k + 1) + j] = (j < k ? column[i] : s->value[i] - column[i]) / s->sigma[i];
    }
    return rows;
}

static double residual_of(const struct sample *s, const double *rows, size_t i, const double *x)
{
    size_t k = s->linear->nterms;
    double residual = rows[i * (k + 1) + k];
    for (size_t j = 0; j < k; j++)
        residual -= x[j] * rows[i * (k + 1) + j];
    return residual;
}

static double squares(const struct sample *s, const double *rows, const double *x)
{
    double sum = 0;
    for (size_t i = 0; i < s->n; i++)
        sum += residual_of(s, rows, i, x) * residual_of(s, rows, i, x);
    return sum;
}

/* ---- operands that count at too few points ---- */

/* Returns the number of different constants in an operand; *first gets the first one. */
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

/* The number of points at which the operand of a constant must count; 0 for a constant outside of max()
 * and min(). A constant in several operands belongs to the one with the fewest constants. */
static size_t needed_by(const struct sample *s, size_t term)
{
    const struct formula_linear *l = s->linear;
    size_t least = SIZE_MAX, first;
    for (size_t c = 0; c < 2 * l->nchoices; c++) {
        const struct formula *f = c % 2 ? l->choices[c / 2].right : l->choices[c / 2].left;
        const char *name =
            arena_printf(s->arena, "%s[%u]", l->terms[term].experiment, l->terms[term].index);
        struct formula_variables v = formula_variables(s->arena, f);
        for (size_t i = 0; i < v.n; i++)
            if (strcmp(v.list[i].name, name) == 0) {
                size_t n = constants_in(s->arena, l, f, &first);
                least = n < least ? n : least;
            }
    }
    return least == SIZE_MAX ? 0 : least + CHOICE_MORE_POINTS;
}

/* A constant whose operand counts at too few points. */
struct weak {
    size_t constant;
    size_t points, of, needed; /* it counts at `points` of `of`, and should count at `needed` */
};

static bool find_weak(const struct sample *s, const double *rows, struct weak *out)
{
    size_t k = s->linear->nterms;
    for (size_t j = 0; j < k; j++) {
        size_t points = 0, needed = needed_by(s, j);
        for (size_t i = 0; i < s->n; i++)
            points += rows[i * (k + 1) + j] != 0;
        if (points < (s->whole || !needed ? needed : 1)) {
            *out = (struct weak){j, points, s->n, needed};
            return true;
        }
    }
    return false;
}

/* ---- the first constants ---- */

struct trial {
    struct sample sample;
    double best;
    double *constants; /* of the best */
    struct weak weak;  /* of the best that is too weak */
    double best_weak;
    bool any; /* the terms have values */
};

/* Least squares. A constant that counts at no point keeps its value. */
static void solve_rows(const struct sample *s, const double *rows, double *x)
{
    size_t k = s->linear->nterms;
    bool *active = arena_alloc(s->arena, k + 1, sizeof *active),
         *counts = arena_zalloc(s->arena, k + 1, sizeof *counts);
    struct lsq *lsq = lsq_create(s->arena, k);
    struct lsq_solution found;
    for (size_t i = 0; i < s->n; i++) {
        lsq_add(lsq, rows + i * (k + 1), rows[i * (k + 1) + k]);
        for (size_t j = 0; j < k; j++)
            counts[j] = counts[j] || rows[i * (k + 1) + j] != 0;
    }
    lsq_finish(lsq);
    if (s->nonneg)
        lsq_solve_nonneg(s->arena, lsq, NULL, NULL, active, &found);
    else
        lsq_solve(s->arena, lsq, NULL, &found);
    for (size_t j = 0; j < k; j++)
        if (counts[j])
            x[j] = found.x[j];
}

static void keep(struct trial *t, const double *rows, const double *constants, double rest)
{
    struct weak weak;
    if (find_weak(&t->sample, rows, &weak)) {
        if (rest < t->best_weak) {
            t->best_weak = rest;
            t->weak = weak;
        }
    } else if (rest < t->best) {
        t->best = rest;
        memcpy(t->constants, constants, t->sample.linear->nterms * sizeof *constants);
    }
}

/* Searches from these constants. It keeps a solution if the formula fits as well with it as the linear
 * formula that it solves: then the same operands count, or the ones that changed are almost equal. */
static void try_from(struct trial *t, double *constants)
{
    double solved = -1, last = INFINITY;
    for (int round = 0; round < CHOICE_ROUNDS && !interrupt_came(); round++) {
        arena_reset(t->sample.arena);
        double *rows = make_rows(&t->sample, constants);
        if (!rows)
            return;
        t->any = true;
        double rest = squares(&t->sample, rows, constants);
        if (round > 0 && rest <= CHOICE_SETTLED * solved + t->sample.exact)
            keep(t, rows, constants, rest);
        if (round > CHOICE_ROUNDS / 4 && !(rest < last)) /* the steps repeat */
            return;
        last = rest;
        solve_rows(&t->sample, rows, constants);
        double now = squares(&t->sample, rows, constants);
        if (round > 0 && now == solved)
            return;
        solved = now;
    }
}

/* The constants with which each term alone would take all of the time, in the median point. */
static void alone(const struct sample *s, double *constants)
{
    const struct formula_linear *l = s->linear;
    MEM_LOCAL double *column = mem_alloc(s->n + 1, sizeof *column);
    for (size_t j = 0; j < l->nterms; j++) {
        size_t n = 0;
        arena_reset(s->arena);
        constants[j] = 0;
        if (!column_of(s, formula_choose(s->arena, l, l->terms[j].coefficient, NULL), column))
            continue;
        for (size_t i = 0; i < s->n; i++)
            if (s->value[i] > 0 && column[i] != 0)
                column[n++] = s->value[i] / fabs(column[i]);
        if (n)
            constants[j] = stats_quantile(column, n, 0.5);
    }
}

/* Searches from every combination of PARTS for the constants inside of max() and min(). The first step
 * finds the other constants, whatever their first values are. */
static void try_all(struct trial *t)
{
    const struct formula_linear *l = t->sample.linear;
    size_t k = l->nterms, combinations = 1, inside = count_inside(t->sample.arena, l);
    MEM_LOCAL double *whole = mem_alloc(k + 1, sizeof *whole),
                     *constants = mem_alloc(k + 1, sizeof *constants);
    MEM_LOCAL bool *varies = mem_alloc(k + 1, sizeof *varies);
    alone(&t->sample, whole);
    for (size_t j = 0; j < k; j++) {
        varies[j] = is_inside(t->sample.arena, l, j);
        // NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Assign): if one varies, one is inside
        combinations *= varies[j] ? NPARTS[inside - 1] : 1;
    }
    for (size_t c = 0; c < combinations && !interrupt_came(); c++) {
        size_t rest = c;
        for (size_t j = 0; j < k; j++) {
            constants[j] = varies[j] ? whole[j] * PARTS[inside - 1][rest % NPARTS[inside - 1]] : 0;
            rest /= varies[j] ? NPARTS[inside - 1] : 1;
        }
        try_from(t, constants);
    }
}

/* ---- is each operand in the data? ---- */

/* The formula in which this operand of a choice never counts. */
static const struct formula_linear *without(struct arena *a, const struct formula_linear *l,
                                            size_t choice, bool right)
{
    const char *names[] = {l->choices[choice].if_left, l->choices[choice].if_right};
    const struct formula *by[] = {formula_number(a, right), formula_number(a, !right)};
    struct formula_linear *out = arena_alloc(a, 1, sizeof *out);
    *out = *l;
    out->terms = arena_alloc(a, l->nterms + 1, sizeof *out->terms);
    for (size_t t = 0; t < l->nterms; t++) {
        out->terms[t] = l->terms[t];
        out->terms[t].coefficient = formula_substitute(a, l->terms[t].coefficient, names, by, 2);
    }
    if (l->offset)
        out->offset = formula_substitute(a, l->offset, names, by, 2);
    out->nchoices = 0;
    for (size_t c = 0; c < l->nchoices; c++)
        if (c != choice)
            out->choices[out->nchoices++] = l->choices[c];
    return out;
}

/* The smallest sum of squares of a formula, whether its operands are weak or not. */
static double least_squares(const struct sample *of, const struct formula_linear *l)
{
    struct trial t = {.sample = *of, .best = INFINITY, .best_weak = INFINITY};
    t.sample.arena = arena_create();
    t.sample.linear = l;
    t.constants = mem_zalloc(l->nterms + 1, sizeof *t.constants);
    if (l->nchoices) {
        try_all(&t);
    } else {
        double *rows = make_rows(&t.sample, t.constants);
        if (rows) {
            solve_rows(&t.sample, rows, t.constants);
            t.best = squares(&t.sample, rows, t.constants);
        }
    }
    mem_free(t.constants);
    arena_destroy(t.sample.arena);
    return fmin(t.best, t.best_weak);
}

/* Akaike's criterion. */
static double criterion(double rest, size_t points, size_t constants)
{
    return (double)points * log(rest / (double)points) + 2 * (double)constants;
}

/* Finds the operand that improves the formula least. Returns its first constant if the improvement is too
 * small, otherwise SIZE_MAX. */
static size_t find_needless(struct arena *a, const struct trial *t)
{
    const struct formula_linear *l = t->sample.linear;
    double exact = t->sample.exact, with = criterion(t->best + exact, t->sample.n, l->nterms),
           least = CHOICE_EVIDENCE;
    size_t found = SIZE_MAX;
    for (size_t c = 0; c < 2 * l->nchoices; c++) {
        size_t first = 0,
               n = constants_in(a, l, c % 2 ? l->choices[c / 2].right : l->choices[c / 2].left,
                                &first);
        if (!n)
            continue;
        double rest = least_squares(&t->sample, without(a, l, c / 2, c % 2));
        size_t fewer = l->nterms > n ? l->nterms - n : 0;
        double lost = criterion(rest + exact, t->sample.n, fewer) - with;
        if (lost < least) {
            least = lost;
            found = first;
        }
    }
    return found;
}

/* ---- the fit ---- */

static int say_weak(const struct model *m, const struct weak *w, struct diag *diag)
{
    const struct formula_linear *l = m->formula.with_choices;
    return diag_error(
        diag,
        "%s[%u] cannot be determined: its operand of max() or min() counts at %zu of %zu points, "
        "and at least %zu are needed; measure points where it counts, give the constant a "
        "number, or leave the operand out",
        l->terms[w->constant].experiment, l->terms[w->constant].index, w->points, w->of, w->needed);
}

static int not_settled(const struct model *m, struct diag *diag)
{
    return diag_error(
        diag,
        "the fit of %s does not settle: with the constants found, other operands of max() or "
        "min() count than they were fitted with; measure more points, or leave an operand "
        "out",
        m->request.points.experiment->name);
}

/* What such a formula cannot have. */
static int check_request(const struct model *m, const struct formula_linear *l, size_t inside,
                         struct diag *diag)
{
    const char *name = m->request.points.experiment->name,
               *function = l->choices[0].largest ? "max" : "min";
    if (m->request.intervals.mode == INTERVALS_ON || m->request.intervals.mode == INTERVALS_GIVEN)
        return diag_error(diag, "%s has a %s() of constants: its constants cannot have intervals",
                          name, function);
    if (inside > CHOICE_CONSTANTS)
        return diag_error(
            diag,
            "%s has %zu constants inside of %s(): at most %d can be found; give the others "
            "numbers",
            name, inside, function, CHOICE_CONSTANTS);
    return 0;
}

static int say_needless(const struct formula_linear *l, size_t constant, struct diag *diag)
{
    return diag_error(
        diag,
        "%s[%u] cannot be determined: without its operand of max() or min() the formula is "
        "almost as good; measure more points where it counts, give the constant a number, "
        "or leave the operand out",
        l->terms[constant].experiment, l->terms[constant].index);
}

/* Finds the constants roughly. */
static int find_first(struct model *m, struct trial *t, struct diag *diag)
{
    try_all(t);
    if (interrupt_came())
        return diag_error(diag, "interrupted");
    if (!t->any) { /* the fit says where the formula has no value */
        choose_around(m, t->constants);
        return 0;
    }
    if (!isfinite(t->best))
        return isfinite(t->best_weak) ? say_weak(m, &t->weak, diag) : not_settled(m, diag);
    size_t needless = find_needless(m->arena, t);
    if (needless != SIZE_MAX)
        return say_needless(m->formula.with_choices, needless, diag);
    choose_around(m, t->constants);
    return 0;
}

int choices_begin(struct model *m, const struct formula_linear *linear, struct diag *diag)
{
    if (check_request(m, linear, count_inside(m->arena, linear), diag))
        return -1;
    m->request.intervals.mode = INTERVALS_NONE;
    m->formula.with_choices = linear;
    struct trial t = {.sample = take_sample(m->arena, m, NULL, CHOICE_POINTS),
                      .best = INFINITY,
                      .best_weak = INFINITY,
                      .constants = arena_zalloc(m->arena, linear->nterms + 1, sizeof(double))};
    int status = find_first(m, &t, diag);
    arena_destroy(t.sample.arena);
    return status;
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

bool choices_move(struct model *m)
{
    if (!m->formula.with_choices || interrupt_came())
        return false;
    double *constants = solution_of(m);
    struct sample s = take_sample(m->arena, m, m->structure.left_out, m->points.n);
    double *linear = make_rows(&s, m->formula.chosen), *rows = make_rows(&s, constants);
    bool same =
        linear && rows &&
        squares(&s, rows, constants) <= CHOICE_SETTLED * squares(&s, linear, constants) + s.exact;
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
    struct sample s = take_sample(m->arena, m, m->structure.left_out, m->points.n);
    double *rows = make_rows(&s, m->formula.chosen);
    bool found = rows && find_weak(&s, rows, &weak);
    arena_destroy(s.arena);
    return found ? say_weak(m, &weak, diag) : 0;
}
