/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whether one more term explains the data better than intervals of the formula's constants do. A
 * formula without an N*log(N) that the program has gets intervals everywhere, and each of them looks
 * good: their number and places describe the formula, not the machine.
 *
 * On the other hand, a smooth enough term follows a cache that fills over several doublings about as
 * well as intervals do, with fewer numbers. So the criterion alone does not decide. A term takes the
 * place of intervals only if nothing remains to be explained beside it: it is a cost, not a
 * saving; the formula with it needs no intervals; and its points are off by no more than their
 * repetitions explain. And where the formula alone is off by much, intervals that explain the data about as
 * well stay: constants that change are what the formula was written for.
 *
 * Any smooth curve follows a cache if its power is free. So a proposed term is one that a person could have
 * left out: it has the usual powers of the library alone, and grows along each variable by at most one power more than the
 * formula's own terms do.
 */
#include <math.h>
#include <string.h>

#include "model/fit_internal.h"
#include "numeric/terms.h"

struct candidates {
    struct search_variable variables[SEARCH_MAX_VARIABLES];
    size_t nvariables, points;
    struct search_library library;
};

/* How an expression grows with a variable: as V^power * log(V)^logs. */
struct growth {
    double power;
    int logs;
};

static struct growth larger(struct growth x, struct growth y)
{
    bool first = x.power > y.power || (x.power == y.power && x.logs > y.logs);
    return first ? x : y;
}

static struct growth growth_of(const struct formula *f, const char *variable);

static struct growth growth_of_call(const struct formula *f, const char *variable)
{
    const char *name = f->function->name;
    struct growth g = {0, 0};
    for (size_t i = 0; i < f->noperands; i++)
        g = larger(growth_of(f->operands[i], variable), g);
    if (strncmp(name, "log", 3) == 0 || strcmp(name, "ln") == 0)
        return (struct growth){0, g.power > 0 ? 1 : 0};
    g.power *= strcmp(name, "sqrt") == 0 ? 0.5 : strcmp(name, "cbrt") == 0 ? 1.0 / 3 : 1;
    return g;
}

/* The largest growth of a sum; that of a difference is the one of its larger part. */
static struct growth growth_of(const struct formula *f, const char *variable)
{
    struct growth x = {0, 0}, y = {0, 0};
    if (f->kind == FORMULA_VARIABLE && strcmp(f->name, variable) == 0)
        return (struct growth){1, 0};
    if (f->kind == FORMULA_CALL)
        return growth_of_call(f, variable);
    if (f->noperands > 0)
        x = growth_of(f->operands[0], variable);
    if (f->noperands > 1)
        y = growth_of(f->operands[1], variable);
    switch (f->kind) {
    case FORMULA_NEGATE: return x;
    case FORMULA_ADD:
    case FORMULA_SUBTRACT: return larger(x, y);
    case FORMULA_MULTIPLY: return (struct growth){x.power + y.power, x.logs + y.logs};
    case FORMULA_DIVIDE: return (struct growth){x.power - y.power, x.logs - y.logs};
    case FORMULA_POWER:
        return f->operands[1]->kind == FORMULA_NUMBER
                   ? (struct growth){x.power * f->operands[1]->number, x.logs}
                   : x;
    default: return (struct growth){0, 0};
    }
}

/* What the formula's terms have at most along a variable, and at least. */
struct own_growth {
    double most, least;
    int logs;
};

static struct own_growth own_growth(const struct model *m, const char *variable)
{
    struct own_growth own = {0, 0, 0};
    for (size_t j = 0; j < m->nconstants; j++) {
        struct growth g = growth_of(m->constants[j].coefficient, variable);
        own.most = fmax(own.most, g.power);
        own.least = fmin(own.least, g.power);
        own.logs = g.logs > own.logs ? g.logs : own.logs;
    }
    return own;
}

/* Whether a person could mean the factor beside the formula's own terms: it has at most one more power, or one more
 * logarithm, but not both; V*log(V) is as usual as V. */
static bool is_near(const struct search_factor *f, const struct own_growth *own)
{
    if (f->shape != SHAPE_POWER)
        return true;
    return f->exponent <= own->most + MISSING_TERM_POWERS &&
           f->exponent >= own->least - MISSING_TERM_POWERS &&
           f->log <= (f->exponent <= own->most ? own->logs + 1 : f->exponent <= 1);
}

/* Whether a person would add the term. Any function of two or three values, beside a constant and a term that has the variable,
 * explains them exactly: such a variable is a factor, V or 1/V, of a term over others. */
static bool is_worth_proposing(const struct search_library *l, const struct search_term *t,
                               const struct own_growth *own, size_t nvariables)
{
    bool others = false;
    for (size_t v = 0; v < nvariables; v++) {
        const struct search_factor *f = &t->of[v];
        bool absent = f->shape == SHAPE_POWER && f->exponent == 0 && f->log == 0;
        if (l->few[v] && !absent &&
            !(f->shape == SHAPE_POWER && f->log == 0 && fabs(f->exponent) == 1))
            return false;
        if (!is_near(f, &own[v]))
            return false;
        others = others || (!absent && !l->few[v]);
    }
    return others;
}

static void make_candidates(struct arena *a, const struct model *m, struct candidates *c)
{
    const struct points *p = &m->points;
    struct own_growth own[SEARCH_MAX_VARIABLES];
    c->nvariables = 0;
    c->points = p->n;
    memset(&c->library, 0, sizeof c->library);
    for (size_t v = 0; v < p->nnames && c->nvariables < SEARCH_MAX_VARIABLES; v++)
        if (!points_constant(p, v) &&
            (!points_repeats(p, v) || formula_uses(a, m->formula.expanded, p->names[v])))
            c->variables[c->nvariables++] =
                (struct search_variable){p->names[v], p->at[v], strcmp(p->names[v], "P") == 0};
    if (c->nvariables)
        search_library_make(a, c->variables, c->nvariables, p->n, &c->library);
    size_t n = 0;
    for (size_t v = 0; v < c->nvariables; v++)
        own[v] = own_growth(m, c->variables[v].name);
    for (size_t t = 0; t < c->library.n; t++)
        if (is_worth_proposing(&c->library, &c->library.terms[t], own, c->nvariables))
            c->library.terms[n++] = c->library.terms[t];
    c->library.n = n;
}

static void candidate_values(const void *context, size_t i, double *out)
{
    const struct candidates *c = context;
    search_term_values(&c->library.terms[i], c->variables, c->nvariables, c->points, out);
}

/* Relative residuals. */
struct errors {
    double mean_pct, rms;
};

/* Errors of a fit with these columns, and one more unless it is NULL. */
static struct errors errors_with(struct arena *a, const struct model *m, const double *design,
                                 size_t k, const double *extra)
{
    size_t n = m->points.n, all = k + (extra ? 1 : 0), used = 0;
    struct lsq *l = lsq_create(a, all);
    struct lsq_solution solution;
    double *row = arena_alloc(a, all + 1, sizeof *row), sum = 0, squares = 0;
    bool *active = arena_alloc(a, all + 1, sizeof *active);
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < n; i++) {
            double y = m->points.value[i], rest = 1;
            if (m->structure.left_out[i] || !(y > 0))
                continue;
            for (size_t j = 0; j < k; j++)
                row[j] = design[i * k + j] / y;
            if (extra)
                row[k] = extra[i] / y;
            rest -= m->formula.known ? m->formula.known[i] / y : 0;
            if (pass == 0) {
                lsq_add(l, row, rest);
                used++;
                continue;
            }
            for (size_t j = 0; j < all; j++)
                rest -= solution.x[j] * row[j];
            sum += fabs(rest);
            squares += rest * rest;
        }
        if (pass == 1)
            break;
        lsq_finish(l);
        if (m->request.nonneg)
            lsq_solve_nonneg(a, l, NULL, NULL, active, &solution);
        else
            lsq_solve(a, l, NULL, &solution);
    }
    double points = fmax((double)used, 1);
    return (struct errors){100 * sum / points, sqrt(squares / points)};
}

/* Whether the formula with the term still needs intervals. */
static bool needs_intervals(struct arena *a, const struct model *m,
                            const struct pieces_problem *problem, const double *term)
{
    size_t n = problem->points, k = problem->constants;
    struct pieces_problem with = *problem;
    struct pieces *found = arena_alloc(a, 1, sizeof *found);
    double *design = arena_alloc(a, n * (k + 1), sizeof *design);
    for (size_t i = 0; i < n; i++) {
        memcpy(design + i * (k + 1), problem->design + i * k, k * sizeof *design);
        design[i * (k + 1) + k] = term[i];
    }
    with.design = design;
    with.constants = k + 1;
    with.excluded = m->structure.left_out;
    with.keep_outliers = true;
    pieces_search(a, &with, found);
    return found->gain > MISSING_TERM_MARGIN;
}

/* Whether the points are off from the formula with the term more than their repetitions explain. */
static bool misfits(const struct pieces_problem *problem, const struct errors *e)
{
    return problem->known_weight > 0 && e->mean_pct > MISFIT_PERCENT &&
           e->rms > MISSING_TERM_TIMES * problem->known_noise;
}

static void describe(struct arena *a, struct model *m, const struct candidates *c, size_t which)
{
    struct model_missing_term *t = &m->structure.missing;
    size_t k = m->nconstants;
    t->column = arena_alloc(m->arena, m->points.n, sizeof *t->column);
    candidate_values(c, which, t->column);
    t->text = search_term_text(m->arena, &c->library.terms[which], c->variables, c->nvariables);
    t->plain = errors_with(a, m, m->formula.coefficients, k, NULL).mean_pct;
    intervals_expand(m);
    t->intervals = errors_with(a, m, m->structure.design, m->structure.ncolumns, NULL).mean_pct;
    t->more_values = m->structure.ncolumns - k + m->structure.pieces->nboundaries;
}

/* Whether the formula is off by little without intervals. Then a logarithm that it misses is as likely
 * as a change of the machine, which mostly changes a constant by more. */
static bool is_slight(struct arena *a, const struct model *m)
{
    return errors_with(a, m, m->formula.coefficients, m->nconstants, NULL).mean_pct <
           MISSING_TERM_PERCENT;
}

/* Whether the intervals explain what the formula does not, and that is much, about as well as the term. Gradual changes
 * follow a missing logarithm, which formulas miss most often, as well as it does: they are no reason to doubt it. */
static bool as_good(const struct model *m)
{
    const struct model_missing_term *t = &m->structure.missing;
    bool has_log = strstr(t->text, "log") != NULL;
    for (size_t c = 0; c < m->structure.pieces->nboundaries && has_log; c++)
        if (m->structure.pieces->boundaries[c].form != BOUNDARY_STEP)
            return false;
    return t->plain >= MISSING_TERM_MUCH_PERCENT && t->intervals <= MISSING_TERM_AS_GOOD * t->error;
}

bool missing_term_find(struct model *m, const struct pieces_problem *problem)
{
    ARENA_LOCAL struct arena *a = arena_create();
    struct model_missing_term *t = &m->structure.missing;
    struct candidates c;
    size_t which = 0;
    *t = (struct model_missing_term){.text = NULL};
    make_candidates(a, m, &c);
    double gain = 0;
    if (c.library.n)
        gain = pieces_gain_of_column(problem, m->structure.left_out, c.library.n, candidate_values,
                                     &c, &which);
    double better = gain - m->structure.pieces->gain; /* than the intervals */
    if (gain > 0 && (better > 0 || (better > -MISSING_TERM_CLOSE && is_slight(a, m)))) {
        describe(a, m, &c, which);
        struct errors with = errors_with(a, m, m->formula.coefficients, m->nconstants, t->column);
        t->error = with.mean_pct;
        t->instead = better > MISSING_TERM_MARGIN && !as_good(m) && !misfits(problem, &with) &&
                     !needs_intervals(a, m, problem, t->column);
    }
    return t->instead;
}
