/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "count/follow.h"
#include "count/thresholds.h"

#include <float.h>
#include <math.h>

#include "base/number.h"
#include "numeric/lsq.h"

/* ---- sums of columns ---- */

/* A value differs from the whole number that it stands for by the rounding of a few operations. */
static bool is_whole(double x)
{
    return fabs(x) < 0x1p53 && fabs(x - rint(x)) <= 8 * DBL_EPSILON * fabs(x);
}

bool follow_whole(struct arena *a, const double *at, double unit, size_t nrows,
                  struct follow_column *out)
{
    int64_t *whole = arena_alloc(a, nrows + 1, sizeof *whole);
    for (int times = 1; times <= COUNT_DENOMINATOR; times++) {
        size_t i = 0;
        for (; i < nrows && is_whole(at[i] * unit * times); i++)
            whole[i] = (int64_t)rint(at[i] * unit * times);
        if (i < nrows)
            continue;
        *out = (struct follow_column){whole, unit * times};
        return true;
    }
    return false;
}

bool follow_begin(struct arena *a, const struct count_model *m, const struct count_pattern *p,
                  struct follow_rows *out)
{
    uint64_t *counts = arena_alloc(a, m->nrows + 1, sizeof *counts);
    for (size_t i = 0; i < m->nrows; i++) {
        if (!(p->at[i] >= 0) || !is_whole(p->at[i]))
            return false;
        counts[i] = (uint64_t)rint(p->at[i]);
    }
    out->counts = counts;
    out->columns.nrows = m->nrows;
    out->columns.at = arena_alloc(a, m->nrows + 1, sizeof *out->columns.at);
    return true;
}

bool follow_sum(struct follow_rows *r, const struct follow_column *columns, size_t n,
                int64_t denominator, double *factors)
{
    struct discover_term terms[DISCOVER_MOST_TERMS];
    if (n > DISCOVER_MOST_TERMS)
        return false;
    r->columns.n = n;
    for (size_t i = 0; i < r->columns.nrows; i++)
        for (size_t j = 0; j < n; j++)
            r->columns.at[i][j] = columns[j].whole[i];
    if (!solve_rows(&r->columns, r->counts, denominator, terms))
        return false;
    for (size_t j = 0; j < n; j++)
        factors[j] = (double)terms[j].over / (double)terms[j].under * columns[j].unit;
    return true;
}

double follow_error(struct arena *scratch, const double *const *columns, size_t n, size_t nrows,
                    const double *y, bool any_sign, double *factors)
{
    struct lsq *l = lsq_create(scratch, n);
    double *row = arena_alloc(scratch, n + 1, sizeof *row), worst = 0;
    double floor_of = 1e-3;
    struct lsq_solution s;
    for (size_t i = 0; i < nrows; i++)
        floor_of = fmax(floor_of, COUNT_SMALL * y[i]);
    for (size_t i = 0; i < nrows; i++) {
        double weight = 1 / fmax(1, y[i]);
        for (size_t j = 0; j < n; j++)
            row[j] = columns[j][i] * weight;
        lsq_add(l, row, y[i] * weight);
    }
    lsq_finish(l);
    if (any_sign)
        lsq_solve(scratch, l, NULL, &s);
    else
        lsq_solve_nonneg(scratch, l, NULL, NULL, arena_zalloc(scratch, n, sizeof(bool)), &s);
    memcpy(factors, s.x, n * sizeof *factors);
    for (size_t i = 0; i < nrows; i++) {
        double sum = 0;
        for (size_t j = 0; j < n; j++)
            sum += factors[j] * columns[j][i];
        worst = fmax(worst, fabs(sum - y[i]) / (y[i] + floor_of));
    }
    return worst;
}

/* ---- text ---- */

/* 0.25 as 1/4; what is not a simple fraction with four digits. */
static void add_factor(struct text *out, double x, const char *text)
{
    bool is_one = !strcmp(text, "1");
    for (int d = 1; d <= 64; d++) {
        double n = x * d;
        if (fabs(n - round(n)) > 1e-9 * fmax(1, fabs(n)) || fabs(n) < 0.5)
            continue;
        bool is_bare = round(n) == 1 && d == 1 && !is_one; /* N, not 1*N */
        if (!is_bare)
            text_printf(out, "%.0f", round(n));
        if (d != 1)
            text_printf(out, "/%d", d);
        if (!is_one)
            text_printf(out, "%s%s", is_bare ? "" : "*", text);
        return;
    }
    text_printf(out, "%s%s%s", number_digits(x, 4, NUMBER_BUFFER), is_one ? "" : "*",
                is_one ? "" : text);
}

const char *follow_text(struct arena *a, const char *const *texts, const double *factors, size_t n)
{
    struct text out = text_new();
    for (size_t j = 0; j < n; j++) {
        if (factors[j] == 0)
            continue;
        text_add(&out, out.n ? factors[j] < 0 ? " - " : " + " : factors[j] < 0 ? "-" : "");
        add_factor(&out, fabs(factors[j]), texts[j]);
    }
    if (!out.n)
        text_add(&out, "0");
    return text_keep(&out, a);
}

/* ---- the terms of the formula ---- */

struct own_terms {
    const double **at;
    const char **texts;
    struct follow_column *whole;
    double *units, *factors;
    size_t *terms; /* which term of the formula */
    size_t n;
};

/* `whole`: a term that is not whole, as N*log2(N) at most N, is no part of whole numbers. */
static struct own_terms own_terms(struct arena *a, const struct count_model *m, bool whole)
{
    struct own_terms c = {.at = arena_alloc(a, m->nterms + 1, sizeof *c.at),
                          .texts = arena_alloc(a, m->nterms + 1, sizeof *c.texts),
                          .whole = arena_alloc(a, m->nterms + 1, sizeof *c.whole),
                          .units = arena_alloc(a, m->nterms + 1, sizeof *c.units),
                          .factors = arena_zalloc(a, m->nterms + 1, sizeof *c.factors),
                          .terms = arena_alloc(a, m->nterms + 1, sizeof *c.terms)};
    for (size_t j = 0; j < m->nterms; j++) {
        const struct count_term *t = &m->terms[j];
        if (t->dependent || (whole && !follow_whole(a, t->at, t->unit, m->nrows, &c.whole[c.n])))
            continue;
        c.at[c.n] = t->at;
        c.texts[c.n] = t->text;
        c.units[c.n] = t->unit;
        c.terms[c.n++] = j;
    }
    return c;
}

static void set_shares(struct arena *a, struct count_pattern *p, const struct own_terms *c)
{
    for (size_t k = 0; k < c->n; k++)
        p->share[c->terms[k]] = c->factors[k];
    p->follows = follow_text(a, c->texts, c->factors, c->n);
}

/* One term with the factor 1/4 counts in steps of 4. A half is usual without steps, as in a triangle. */
static unsigned step_of(const struct own_terms *c)
{
    double only = 0;
    for (size_t k = 0; k < c->n; k++) {
        if (c->factors[k] == 0)
            continue;
        if (only != 0)
            return 0;
        only = c->factors[k] / c->units[k];
    }
    for (unsigned step = 4; step <= COUNT_MOST_STEP; step *= 2)
        if (only == 1.0 / step)
            return step;
    return 0;
}

static bool follow_exact(struct arena *a, struct arena *scratch, const struct count_model *m,
                         struct count_pattern *p)
{
    struct own_terms c = own_terms(scratch, m, true);
    struct follow_rows rows;
    /* As many points as unknowns have a solution whatever they are: it must be a simple one. */
    int64_t denominator = m->npoints > c.n ? COUNT_DENOMINATOR : COUNT_SIMPLE;
    if (!c.n || m->npoints < c.n || !follow_begin(scratch, m, p, &rows) ||
        !follow_sum(&rows, c.whole, c.n, denominator, c.factors))
        return false;
    p->kind = FOLLOW_EXACT;
    p->step = step_of(&c);
    set_shares(a, p, &c);
    return true;
}

/* Within COUNT_ABOUT at every row. */
static bool follow_about(struct arena *a, struct arena *scratch, const struct count_model *m,
                         struct count_pattern *p)
{
    struct own_terms c = own_terms(scratch, m, false);
    if (!c.n || m->npoints < c.n + 2)
        return false;
    if (follow_error(scratch, c.at, c.n, m->nrows, p->at, false, c.factors) > COUNT_ABOUT)
        return false;
    p->kind = FOLLOW_ABOUT;
    set_shares(a, p, &c);
    return true;
}

void count_follow(struct arena *a, struct arena *scratch, const struct count_model *m,
                  struct count_pattern *p, bool thorough)
{
    p->share = arena_zalloc(a, m->nterms + 1, sizeof *p->share);
    p->kind = FOLLOW_NOT;
    p->follows = p->missing = NULL;
    p->step = 0;
    p->average = false;
    arena_reset(scratch);
    if (follow_exact(a, scratch, m, p) || (thorough && follow_steps(a, scratch, m, p)))
        return;
    arena_reset(scratch);
    if (thorough && follow_missing(a, scratch, m, p))
        return;
    follow_about(a, scratch, m, p);
}
