/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The exponents of a sum by least squares. Factors of a sum depend on each other: the N of one term can
 * often change only together with that of another one. Climbing one factor at a time (climb.c) ends
 * there. Least squares (Levenberg and Marquardt) changes all exponents at once; then one factor after
 * the other goes to a usual exponent, to one of the grid, or leaves its term, and the others follow.
 */
#include <math.h>
#include <string.h>

#include "base/interrupt.h"
#include "model/search/searcher.h"

enum {
    FACTORS = SEARCH_MAX_TERMS * SEARCH_MAX_VARIABLES,
    UNKNOWNS = FACTORS + SEARCH_MAX_TERMS + 1
};

/* What the sums with the logarithms and shapes of one sum have in common. */
struct frame {
    struct searcher *s;
    struct arena *work;
    size_t n, columns; /* terms; with the constant term */
    bool constant;
    struct search_term term[SEARCH_MAX_TERMS];
    double *base[SEARCH_MAX_TERMS + 1];   /* at the points, without powers; divided by sigma */
    double *log_of[SEARCH_MAX_VARIABLES]; /* at the points, around 0 */
    double middle[SEARCH_MAX_VARIABLES];  /* the same in the middle of the range */
};

/* Column t at a point is exp(size[t]) * base * product of exp(exponent * log_of). */
struct powers {
    double size[SEARCH_MAX_TERMS + 1];
    double exponent[FACTORS]; /* of variable v in term t: t * SEARCH_MAX_VARIABLES + v */
    bool open[FACTORS];       /* least squares may change it */
};

static double value_at(const struct frame *f, const struct powers *p, size_t t, size_t i)
{
    double power = p->size[t];
    for (size_t v = 0; v < f->s->nvariables && t < f->n; v++)
        power += p->exponent[t * SEARCH_MAX_VARIABLES + v] * f->log_of[v][i];
    return exp(power) * f->base[t][i];
}

/* Logarithms of the variables; false if one has a value that has none. */
static bool make_logarithms(struct frame *f)
{
    const struct searcher *s = f->s;
    for (size_t v = 0; v < s->nvariables; v++) {
        double sum = 0, *out = f->log_of[v] = arena_alloc(f->work, s->used.n, sizeof *out);
        for (size_t i = 0; i < s->used.n; i++) {
            if (!(s->variables[v].at[i] > 0))
                return false;
            sum += out[i] = log(s->variables[v].at[i]);
        }
        for (size_t i = 0; i < s->used.n; i++)
            out[i] -= sum / (double)s->used.n;
        if (s->middle_time > 0)
            f->middle[v] = log(s->middle[v]) - sum / (double)s->used.n;
    }
    return true;
}

static void make_base(struct frame *f, size_t t, struct powers *p)
{
    struct search_term plain;
    if (t < f->n) {
        plain = f->term[t];
        for (size_t v = 0; v < f->s->nvariables && !plain.given; v++) {
            struct search_factor *factor = &plain.of[v];
            if (factor->shape != SHAPE_POWER || (factor->exponent == 0 && factor->log == 0))
                continue;
            p->exponent[t * SEARCH_MAX_VARIABLES + v] = factor->exponent;
            p->open[t * SEARCH_MAX_VARIABLES + v] = !f->s->library.few[v];
            factor->exponent = 0;
        }
    }
    f->base[t] = arena_alloc(f->work, f->s->used.n, sizeof *f->base[t]);
    searcher_column(f->s, t < f->n ? &plain : NULL, f->base[t]);
}

/* Where least squares begins: what the sum explains with its own exponents. */
static bool begin(struct frame *f, const struct search_sum *sum, struct powers *p)
{
    const double *columns[SEARCH_MAX_TERMS + 1];
    double cost[SEARCH_MAX_TERMS + 1];
    struct search_posterior fit;
    memset(p, 0, sizeof *p);
    searcher_columns(f->s, sum, columns, cost);
    if (!make_logarithms(f) ||
        !(search_evidence(f->work, &f->s->problem, columns, f->columns, &fit) > -INFINITY))
        return false;
    for (size_t t = 0; t < f->columns; t++) {
        double own = 0, explained = 0;
        make_base(f, t, p);
        for (size_t i = 0; i < f->s->used.n; i++) {
            own += value_at(f, p, t, i);
            explained += columns[t][i];
        }
        if (!(own > 0 && explained > 0))
            return false;
        p->size[t] = log(fmax(fit.mean[t], SEARCH_REFINE_LEAST) * explained / own);
    }
    return true;
}

static size_t unknowns_of(const struct frame *f, const struct powers *p, size_t *at)
{
    size_t k = f->columns;
    for (size_t j = 0; j < FACTORS; j++)
        if (p->open[j])
            at[k++ - f->columns] = j;
    return k;
}

/* What is not explained, and the products of the slopes of the unknowns. */
struct slopes {
    double squares, gram[UNKNOWNS * UNKNOWNS], target[UNKNOWNS];
};

static void make_slopes(const struct frame *f, const struct powers *p, struct slopes *out)
{
    size_t at[FACTORS], k = unknowns_of(f, p, at);
    double slope[UNKNOWNS];
    memset(out->gram, 0, k * k * sizeof *out->gram);
    memset(out->target, 0, k * sizeof *out->target);
    out->squares = 0;
    for (size_t i = 0; i < f->s->used.n; i++) {
        double rest = f->s->problem.y[i];
        for (size_t t = 0; t < f->columns; t++)
            rest -= slope[t] = value_at(f, p, t, i);
        out->squares += rest * rest;
        for (size_t j = f->columns; j < k; j++) {
            size_t factor = at[j - f->columns];
            slope[j] =
                slope[factor / SEARCH_MAX_VARIABLES] * f->log_of[factor % SEARCH_MAX_VARIABLES][i];
        }
        for (size_t j = 0; j < k; j++) {
            out->target[j] += slope[j] * rest;
            for (size_t m = 0; m <= j; m++)
                out->gram[j * k + m] += slope[j] * slope[m];
        }
    }
}

static double limited(double x, double most)
{
    return fmax(fmin(x, most), -most);
}

static struct powers moved(const struct frame *f, const struct powers *p, const double *by)
{
    struct powers out = *p;
    size_t at[FACTORS], k = unknowns_of(f, p, at);
    for (size_t t = 0; t < f->columns; t++)
        out.size[t] += limited(by[t], SEARCH_REFINE_MOST);
    for (size_t j = f->columns; j < k; j++) {
        double *e = &out.exponent[at[j - f->columns]];
        *e = limited(*e + limited(by[j], SEARCH_REFINE_MOST), SEARCH_MOST_EXPONENT);
    }
    return out;
}

/* Least squares over the sizes and the open exponents. */
static void fit_powers(const struct frame *f, struct powers *p)
{
    struct slopes here, there;
    double gram[UNKNOWNS * UNKNOWNS], target[UNKNOWNS], by[UNKNOWNS];
    double damping = SEARCH_REFINE_DAMPING;
    size_t at[FACTORS], k = unknowns_of(f, p, at);
    make_slopes(f, p, &here);
    for (int step = 0; step < SEARCH_REFINE_STEPS; step++) {
        memcpy(gram, here.gram, k * k * sizeof *gram);
        memcpy(target, here.target, k * sizeof *target);
        if (!search_solve(gram, target, k, damping, by))
            return;
        struct powers next = moved(f, p, by);
        make_slopes(f, &next, &there);
        double less = here.squares - there.squares;
        if (!(less > 0)) {
            damping *= 10;
            if (damping > 1 / SEARCH_REFINE_DAMPING)
                return;
            continue;
        }
        damping /= 10;
        *p = next;
        if (less < SEARCH_REFINE_ENOUGH * here.squares)
            return;
        here = there;
    }
}

/* Scales the column of a term as searcher_column does. */
static void scale_column(const struct frame *f, const struct powers *p, size_t t, double *column)
{
    double power = p->size[t];
    if (!(f->s->middle_time > 0) || t == f->n || f->term[t].given) {
        searcher_scale(f->s, column);
        return;
    }
    for (size_t v = 0; v < f->s->nvariables; v++)
        power += p->exponent[t * SEARCH_MAX_VARIABLES + v] * f->middle[v];
    for (size_t i = 0; i < f->s->used.n; i++)
        column[i] *= SEARCH_USUAL_SHARE / exp(power);
}

/* At most this plausible: as if all factors were usual. */
static double best_possible(const struct frame *f, const struct powers *p)
{
    const double *columns[SEARCH_MAX_TERMS + 1];
    double cost[SEARCH_MAX_TERMS + 1];
    for (size_t t = 0; t < f->columns; t++) {
        double *column = arena_alloc(f->work, f->s->used.n, sizeof *column);
        for (size_t i = 0; i < f->s->used.n; i++)
            column[i] = value_at(f, p, t, i);
        scale_column(f, p, t, column);
        columns[t] = column;
        cost[t] = log(f->s->library.weight);
    }
    return search_evidence(f->work, &f->s->problem, columns, f->columns, NULL) +
           search_prior(cost, f->n, f->constant, f->s->problem.lines) + f->s->bonus;
}

/* The sum on the grid of exponents; false if there is no such sum. */
static bool on_grid(const struct frame *f, const struct powers *p, struct search_sum *out)
{
    struct search_term term[SEARCH_MAX_TERMS];
    const struct search_library *l = &f->s->library;
    for (size_t t = 0; t < f->n; t++) {
        term[t] = f->term[t];
        for (size_t v = 0; v < f->s->nvariables && !term[t].given; v++) {
            const struct search_factor *factor = &term[t].of[v];
            double e = p->exponent[t * SEARCH_MAX_VARIABLES + v];
            if (factor->shape != SHAPE_POWER || (factor->exponent == 0 && factor->log == 0))
                continue;
            bool leaves = factor->log == 0 && fabs(e) < SEARCH_EXPONENT_STEP / 2;
            if (!(leaves ? search_term_without(l, &term[t], v)
                         : search_term_with_power(l, &term[t], v, e, factor->log)))
                return false;
        }
    }
    return searcher_judge_terms(f->s, term, f->n, f->constant, out);
}

/* The best of the sums in which one more factor has an exponent that stays. */
static bool settle_factor(const struct frame *f, struct powers *p, struct search_sum *best)
{
    struct powers chosen = *p;
    bool better = false;
    for (size_t j = 0; j < FACTORS; j++) {
        double usual = search_usual_exponent(p->exponent[j]);
        double grid = search_grid_exponent(p->exponent[j]), to[] = {usual, grid, 0};
        for (size_t i = 0; i < sizeof to / sizeof *to && p->open[j]; i++) {
            if ((i == 1 && grid == usual) || (i == 2 && (usual == 0 || grid == 0)))
                continue;
            struct powers other = *p;
            struct search_sum sum;
            other.exponent[j] = to[i];
            other.open[j] = false;
            fit_powers(f, &other);
            if (!on_grid(f, &other, &sum) || !(sum.plausible > best->plausible))
                continue;
            *best = sum;
            chosen = other;
            better = true;
        }
    }
    *p = chosen;
    return better;
}

bool searcher_refine(struct searcher *s, const struct search_sum *sum, double enough,
                     struct search_sum *best)
{
    struct powers p;
    struct arena *work = arena_create();
    struct frame f = {.s = s,
                      .work = work,
                      .n = sum->n,
                      .columns = sum->n + sum->constant,
                      .constant = sum->constant};
    *best = (struct search_sum){.plausible = -INFINITY};
    for (size_t t = 0; t < sum->n; t++)
        f.term[t] = s->library.terms[sum->term[t]];
    bool possible = begin(&f, sum, &p);
    if (possible) {
        fit_powers(&f, &p);
        possible = best_possible(&f, &p) > enough;
    }
    if (possible)
        on_grid(&f, &p, best);
    while (possible && !interrupt_came() && settle_factor(&f, &p, best))
        ;
    arena_destroy(work);
    return best->plausible > -INFINITY;
}
