/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "count/follow.h"
#include "count/thresholds.h"

#include <math.h>

#include "base/number.h"
#include "numeric/lsq.h"

/* ---- sums of columns ---- */

/* Two exact sums differ by the rounding of double only. */
static bool is_sum(const double *const *columns, const double *factors, size_t n, size_t row,
                   double y)
{
    double sum = 0, size = fabs(y);
    for (size_t j = 0; j < n; j++) {
        sum += factors[j] * columns[j][row];
        size += fabs(factors[j] * columns[j][row]);
    }
    return fabs(sum - y) <= COUNT_EXACT * (1 + size);
}

bool follow_round(const double *const *columns, const double *units, size_t n, size_t nrows,
                  const double *y, double *factors)
{
    static const int denominators[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64};
    double rounded[64];
    if (n > sizeof rounded / sizeof *rounded)
        return false;
    for (size_t d = 0; d < sizeof denominators / sizeof *denominators; d++) {
        for (size_t j = 0; j < n; j++) {
            double unit = (units ? units[j] : 1) / denominators[d];
            rounded[j] = round(factors[j] / unit) * unit;
        }
        size_t row = 0;
        while (row < nrows && is_sum(columns, rounded, n, row, y[row]))
            row++;
        if (row < nrows)
            continue;
        memcpy(factors, rounded, n * sizeof *factors);
        return true;
    }
    return false;
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
    struct text out;
    text_init(&out);
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

struct columns {
    const double **at;
    const char **texts;
    double *units, *factors;
    size_t *terms; /* which term of the formula */
    size_t n;
};

static struct columns own_columns(struct arena *a, const struct count_model *m)
{
    struct columns c = {.at = arena_alloc(a, m->nterms + 1, sizeof *c.at),
                        .texts = arena_alloc(a, m->nterms + 1, sizeof *c.texts),
                        .units = arena_alloc(a, m->nterms + 1, sizeof *c.units),
                        .factors = arena_zalloc(a, m->nterms + 1, sizeof *c.factors),
                        .terms = arena_alloc(a, m->nterms + 1, sizeof *c.terms)};
    for (size_t j = 0; j < m->nterms; j++) {
        if (m->terms[j].dependent)
            continue;
        c.at[c.n] = m->terms[j].at;
        c.texts[c.n] = m->terms[j].text;
        c.units[c.n] = m->terms[j].unit;
        c.terms[c.n++] = j;
    }
    return c;
}

static void set_shares(struct arena *a, struct count_pattern *p, const struct columns *c)
{
    for (size_t k = 0; k < c->n; k++)
        p->share[c->terms[k]] = c->factors[k];
    p->follows = follow_text(a, c->texts, c->factors, c->n);
}

/* One term with the factor 1/4 counts in steps of 4. A half is usual without steps, as in a triangle. */
static unsigned step_of(const struct columns *c)
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
    struct columns c = own_columns(scratch, m);
    if (!c.n || m->npoints < c.n)
        return false;
    follow_error(scratch, c.at, c.n, m->nrows, p->at, true, c.factors);
    if (!follow_round(c.at, c.units, c.n, m->nrows, p->at, c.factors))
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
    struct columns c = own_columns(scratch, m);
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
