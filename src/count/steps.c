/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Steps: a loop that the compiler has unrolled or vectorised by k executes its body floor(N/k) times
 * and the rest N mod k times. For a variable V, a step k and an offset c, each term T of the formula
 * that depends on V gives the columns
 *
 *     T    M    M*floor((V + c)/k)    M*((V + c) mod k)    M*(V + c is no multiple of k)    M*(V + c >= k)
 *
 * with M = T/V, and those with a logarithm of V the columns with floor(log2(V)) and ceil(log2(V)) in its
 * place: a loop that halves V. A pattern counts in steps if a sum of at most three columns with simple factors gives
 * its counts at every row. Offsets come from loops that do not begin at 0 and from tests before the
 * loop; with an offset other than 0, sums have at most two columns, because there are many offsets.
 */
#include "count/follow.h"
#include "count/thresholds.h"

#include <math.h>

enum { MOST_SUM = 3 };

struct column_of {
    double *at;
    struct follow_column whole;
    const char *text;
    size_t term;  /* of the formula: the one whose share it has */
    double share; /* of this term, per unit, on the average */
    bool steps;   /* depends on the step, or on whole numbers of halvings */
    bool halves;
    bool average; /* the share is a mean over remainders */
};

struct basis {
    struct column_of columns[COUNT_MOST_COLUMNS];
    size_t n;
    struct follow_rows rows;
};

/* ---- columns ---- */

static bool same_column(const struct count_model *m, const double *x, const double *y)
{
    for (size_t i = 0; i < m->nrows; i++)
        if (fabs(x[i] - y[i]) > COUNT_EXACT * (1 + fabs(x[i])))
            return false;
    return true;
}

/* The term of the formula that this column is; nterms if none is. */
static size_t term_like(const struct count_model *m, const double *at)
{
    size_t j = 0;
    while (j < m->nterms && (m->terms[j].dependent || !same_column(m, m->terms[j].at, at)))
        j++;
    return j;
}

static double mean_share(const struct count_model *m, const double *at, size_t term)
{
    double sum = 0, units = 0;
    for (size_t i = 0; i < m->nrows; i++) {
        sum += at[i];
        units += m->terms[term].at[i];
    }
    return units > 0 ? sum / units : 0;
}

static void add_column(struct arena *a, struct basis *b, const struct count_model *m,
                       struct column_of c)
{
    if (b->n == COUNT_MOST_COLUMNS || !follow_whole(a, c.at, 1, m->nrows, &c.whole))
        return;
    for (size_t i = 0; i < b->n; i++)
        if (same_column(m, b->columns[i].at, c.at))
            return;
    b->columns[b->n++] = c;
}

enum shape { SHAPE_WHOLE, SHAPE_FLOOR, SHAPE_REST, SHAPE_SOME, SHAPE_ENOUGH, SHAPES };

static double shape_at(enum shape shape, double v, unsigned k)
{
    double quotient = floor(v / k), left = v - quotient * k;
    switch (shape) {
    case SHAPE_FLOOR: return fmax(quotient, 0);
    case SHAPE_REST: return v >= 0 ? left : 0;
    case SHAPE_SOME: return left != 0;
    case SHAPE_ENOUGH: return v >= k;
    default: return 1;
    }
}

static const char *shape_text(struct arena *a, enum shape shape, const char *v, unsigned k,
                              const char *times)
{
    switch (shape) {
    case SHAPE_FLOOR: return arena_printf(a, "%sfloor(%s/%u)", times, v, k);
    case SHAPE_REST: return arena_printf(a, "%s(%s mod %u)", times, v, k);
    case SHAPE_SOME: return arena_printf(a, "%s(%s mod %u != 0)", times, v, k);
    case SHAPE_ENOUGH: return arena_printf(a, "%s(%s >= %u)", times, v, k);
    default: return *times ? arena_strndup(a, times, strlen(times) - 1) : "1";
    }
}

/* The columns of one term. `without` is the term divided by the variable. */
static void add_shapes(struct arena *a, const struct count_model *m, struct basis *b, size_t term,
                       const struct count_variable *v, int offset, unsigned k)
{
    double *without = arena_alloc(a, m->nrows, sizeof *without);
    const struct formula *quotient =
        formula_binary(a, FORMULA_DIVIDE, m->terms[term].coefficient, formula_variable(a, v->name));
    const char *argument = offset ? arena_printf(a, "(%s%+d)", v->name, offset) : v->name;
    for (size_t i = 0; i < m->nrows; i++)
        without[i] = m->terms[term].at[i] / v->at[i];
    size_t lower = term_like(m, without);
    const char *times = lower < m->nterms ? m->terms[lower].text : formula_text(a, quotient);
    times = !strcmp(times, "1") ? "" : arena_printf(a, "%s*", times);
    for (enum shape s = SHAPE_WHOLE; s < SHAPES; s++) {
        struct column_of c = {.at = arena_alloc(a, m->nrows, sizeof *c.at), .steps = s > 0};
        for (size_t i = 0; i < m->nrows; i++)
            c.at[i] = without[i] * shape_at(s, v->at[i] + offset, k);
        c.text = shape_text(a, s, argument, k, times);
        c.term = s == SHAPE_FLOOR || lower == m->nterms ? term : lower;
        c.share = s == SHAPE_FLOOR     ? 1.0 / k
                  : lower == m->nterms ? mean_share(m, c.at, term)
                  : s == SHAPE_REST    ? (k - 1) / 2.0
                  : s == SHAPE_SOME    ? (k - 1) / (double)k
                                       : 1;
        c.average = s != SHAPE_WHOLE && s != SHAPE_FLOOR;
        add_column(a, b, m, c);
    }
}

/* Is there a logarithm of this variable? */
static bool has_log(const struct formula *f, const char *variable)
{
    bool found = f->kind == FORMULA_CALL && !strncmp(f->function->name, "l", 1) &&
                 f->operands[0]->kind == FORMULA_VARIABLE &&
                 !strcmp(f->operands[0]->name, variable);
    for (size_t i = 0; i < f->noperands && !found; i++)
        found = has_log(f->operands[i], variable);
    return found;
}

/* The columns of a term with a logarithm of the variable: whole numbers of halvings. */
static void add_halvings(struct arena *a, const struct count_model *m, struct basis *b, size_t term,
                         const struct count_variable *v)
{
    const struct count_term *t = &m->terms[term];
    for (int up = 0; up < 2; up++) {
        struct column_of c = {.at = arena_alloc(a, m->nrows, sizeof *c.at),
                              .term = term,
                              .share = t->unit,
                              .steps = true,
                              .halves = true};
        for (size_t i = 0; i < m->nrows; i++) {
            double whole = up ? ceil(log2(v->at[i])) : floor(log2(v->at[i]));
            c.at[i] = v->at[i] > 1 ? t->at[i] * t->unit * whole / log2(v->at[i]) : 0;
        }
        c.text = arena_printf(a, "%s with %s(log2(%s))", t->text, up ? "ceil" : "floor", v->name);
        add_column(a, b, m, c);
    }
}

/* Can it be a loop over this variable? N/P is none over P: it falls where P grows. */
static bool grows(struct arena *a, const struct count_model *m, const struct count_term *t,
                  const struct count_variable *v)
{
    if (!formula_uses(a, t->coefficient, v->name))
        return false;
    const struct formula *twice =
        formula_binary(a, FORMULA_MULTIPLY, formula_number(a, 2), formula_variable(a, v->name));
    const char **names = arena_alloc(a, m->nvariables, sizeof *names);
    const double **columns = arena_alloc(a, m->nvariables, sizeof *columns);
    double *there = arena_alloc(a, m->nrows, sizeof *there);
    for (size_t i = 0; i < m->nvariables; i++) {
        names[i] = m->variables[i].name;
        columns[i] = m->variables[i].at;
    }
    struct diag *diag = diag_create();
    const struct formula_program *p =
        formula_compile(a, formula_substitute(a, t->coefficient, &v->name, &twice, 1), names,
                        m->nvariables, NULL, diag);
    diag_destroy(diag);
    if (!p)
        return false;
    formula_evaluate(p, columns, m->nrows, there, NULL);
    for (size_t i = 0; i < m->nrows; i++)
        if (there[i] < t->at[i])
            return false;
    return true;
}

static void make_basis(struct arena *a, const struct count_model *m, const struct count_variable *v,
                       int offset, unsigned k, struct basis *b)
{
    b->n = 0;
    for (size_t j = 0; j < m->nterms; j++)
        if (!m->terms[j].dependent && grows(a, m, &m->terms[j], v))
            add_shapes(a, m, b, j, v, offset, k);
    for (size_t j = 0; j < m->nterms; j++)
        if (!m->terms[j].dependent && has_log(m->terms[j].coefficient, v->name))
            add_halvings(a, m, b, j, v);
    for (size_t j = 0; j < m->nterms; j++)
        if (!m->terms[j].dependent)
            add_column(a, b, m,
                       (struct column_of){
                           .at = m->terms[j].at, .text = m->terms[j].text, .term = j, .share = 1});
}

/* ---- sums ---- */

/* Factors are halves of whole numbers: others are chance. */
static bool is_simple(const double *factors, size_t n)
{
    for (size_t j = 0; j < n; j++)
        if (factors[j] == 0 || 2 * factors[j] != rint(2 * factors[j]))
            return false;
    return true;
}

static bool accept(struct arena *a, struct count_pattern *p, struct basis *b, const size_t *of,
                   size_t n, unsigned k)
{
    double factors[MOST_SUM];
    struct follow_column columns[MOST_SUM];
    const char *texts[MOST_SUM];
    bool steps = false, halves = false, average = false;
    for (size_t j = 0; j < n; j++) {
        halves |= b->columns[of[j]].halves;
        average |= b->columns[of[j]].average;
        columns[j] = b->columns[of[j]].whole;
        texts[j] = b->columns[of[j]].text;
        steps |= b->columns[of[j]].steps;
    }
    if (!steps || !follow_sum(&b->rows, columns, n, 2 * COUNT_DENOMINATOR, factors) ||
        !is_simple(factors, n))
        return false;
    p->kind = FOLLOW_STEPS;
    p->step = halves ? 0 : k;
    p->average = average;
    for (size_t j = 0; j < n; j++)
        p->share[b->columns[of[j]].term] += factors[j] * b->columns[of[j]].share;
    p->follows = follow_text(a, texts, factors, n);
    return true;
}

/* All sums of exactly n columns. */
static bool search(struct arena *a, struct count_pattern *p, struct basis *b, size_t n, unsigned k)
{
    size_t of[MOST_SUM];
    for (size_t j = 0; j < n; j++)
        of[j] = j;
    if (b->n < n)
        return false;
    for (;;) {
        if (accept(a, p, b, of, n, k))
            return true;
        size_t j = n;
        while (j-- > 0 && of[j] == b->n - n + j)
            ;
        if (j >= n)
            return false;
        of[j]++;
        for (size_t i = j + 1; i < n; i++)
            of[i] = of[i - 1] + 1;
    }
}

/* Are the variable's values whole, with at least two remainders of k? */
static bool is_stepped(const struct count_model *m, const struct count_variable *v, unsigned k)
{
    bool differs = false;
    for (size_t i = 0; i < m->nrows; i++) {
        if (!(v->at[i] > 0) || v->at[i] != floor(v->at[i]))
            return false;
        differs |= fmod(v->at[i], k) != fmod(v->at[0], k);
    }
    return differs;
}

/* All sums of n columns with this variable, offset and step. */
static bool try_offset(struct arena *a, struct arena *scratch, const struct count_model *m,
                       struct count_pattern *p, const struct count_variable *v, int offset,
                       unsigned k, size_t n)
{
    arena_reset(scratch);
    struct basis *b = arena_alloc(scratch, 1, sizeof *b);
    make_basis(scratch, m, v, offset, k, b);
    return follow_begin(scratch, m, p, &b->rows) && search(a, p, b, n, k);
}

/* Small offsets first. */
static bool try_sums(struct arena *a, struct arena *scratch, const struct count_model *m,
                     struct count_pattern *p, size_t n)
{
    int most = n < MOST_SUM ? COUNT_MOST_STEP : 0;
    for (int distance = 0; distance <= most; distance++)
        for (size_t i = 0; i < m->nvariables; i++)
            for (unsigned k = 2; k <= COUNT_MOST_STEP; k *= 2) {
                const struct count_variable *v = &m->variables[i];
                if (distance >= (int)k || !is_stepped(m, v, k))
                    continue;
                if (try_offset(a, scratch, m, p, v, -distance, k, n) ||
                    (distance && try_offset(a, scratch, m, p, v, distance, k, n)))
                    return true;
            }
    return false;
}

/* ---- remainders ---- */

/* The rest of a vectorised loop has a branch for each remainder: the counts are M times a function of
 * V mod k. There must be more than twice as many points as remainders, and few different values. */
static bool try_remainders(struct arena *a, const struct count_model *m, struct count_pattern *p,
                           size_t term, const struct count_variable *v, unsigned k)
{
    double value[COUNT_MOST_STEP], sum = 0, units = 0;
    bool known[COUNT_MOST_STEP] = {false};
    size_t seen = 0, different = 0;
    for (size_t i = 0; i < m->nrows; i++) {
        double without = m->terms[term].at[i] / v->at[i];
        size_t rest = (size_t)fmod(v->at[i], k);
        double y = without > 0 ? p->at[i] / without : 0;
        if (known[rest] && fabs(value[rest] - y) > COUNT_EXACT * (1 + y))
            return false;
        bool is_new = !known[rest];
        for (size_t r = 0; r < k && is_new; r++)
            is_new = !known[r] || value[r] != y;
        different += is_new;
        seen += !known[rest];
        known[rest] = true;
        value[rest] = y;
        sum += y;
        units++;
    }
    if (2 * seen >= m->npoints || different > 4 || different < 2)
        return false;
    double *without = arena_alloc(a, m->nrows, sizeof *without);
    for (size_t i = 0; i < m->nrows; i++)
        without[i] = m->terms[term].at[i] / v->at[i];
    size_t lower = term_like(m, without);
    p->kind = FOLLOW_STEPS;
    p->step = k;
    p->average = true;
    p->share[lower < m->nterms ? lower : term] +=
        lower < m->nterms ? sum / units : mean_share(m, p->at, term);
    p->follows = arena_printf(a, "a function of %s mod %u", v->name, k);
    return true;
}

static bool follow_remainders(struct arena *a, const struct count_model *m, struct count_pattern *p)
{
    for (unsigned k = 2; k <= COUNT_MOST_STEP; k *= 2)
        for (size_t i = 0; i < m->nvariables; i++)
            for (size_t j = 0; j < m->nterms && is_stepped(m, &m->variables[i], k); j++)
                if (!m->terms[j].dependent && grows(a, m, &m->terms[j], &m->variables[i]) &&
                    try_remainders(a, m, p, j, &m->variables[i], k))
                    return true;
    return false;
}

/* ---- the whole ---- */

bool follow_steps(struct arena *a, struct arena *scratch, const struct count_model *m,
                  struct count_pattern *p)
{
    for (size_t n = 1; n <= MOST_SUM && n + 2 <= m->npoints; n++)
        if (try_sums(a, scratch, m, p, n))
            return true;
    return follow_remainders(a, m, p);
}
