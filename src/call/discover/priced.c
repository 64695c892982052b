/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Functions whose counts no formula gives. What they execute at the place was counted there, or goes on growing as it did last, and
 * times tell what one call or iteration costs: T = a + b*C, with the sum C of all counts of the function. Single counts grow
 * more or less than C, and prices may differ from count to count: the interval allows for that.
 */
#include <math.h>

#include "base/sort.h"
#include "call/discover/models.h"

struct size {
    double counted, seconds;
};

/* a and b of the least squares of relative errors, both not negative. */
static void fit(const struct size *s, size_t n, double *a, double *b)
{
    double s11 = 0, s12 = 0, s22 = 0, y1 = 0, y2 = 0;
    for (size_t i = 0; i < n; i++) {
        double one = 1 / s[i].seconds, c = s[i].counted / s[i].seconds;
        s11 += one * one;
        s12 += one * c;
        s22 += c * c;
        y1 += one;
        y2 += c;
    }
    double determinant = s11 * s22 - s12 * s12;
    *a = (y1 * s22 - y2 * s12) / determinant;
    *b = (s11 * y2 - s12 * y1) / determinant;
    if (!(*a >= 0)) {
        *a = 0;
        *b = y2 / s22;
    }
    if (!(*b >= 0)) {
        *a = y1 / s11;
        *b = 0;
    }
}

static double sum_at(const struct region *r, size_t row)
{
    double sum = 0;
    for (size_t i = 0; i < r->nwork; i++)
        sum += (double)r->work[i]->at[row];
    return sum;
}

/* A count at the largest sizes, and at the place, where it may not be known well. */
struct growth {
    double here, there, least, most;
};

/* With which power of the size the count grew from one row to another; nan: not known. */
static double power_between(const struct request *q, const struct counted *c, size_t from,
                            size_t to)
{
    return log((double)c->at[to] / (double)c->at[from]) /
           log((double)q->rows[to][0] / (double)q->rows[from][0]);
}

/* A count without a formula goes on growing as it did last, from the largest sizes to those beyond; how much that differs from the
 * growth before is how much it may change further on. */
static bool go_on(const struct request *q, const struct counted *c, struct growth *g)
{
    size_t last = q->times.largest, beyond = q->nrows + 1, before = models_row_before(q, c);
    if (q->nvariables > 1 || q->beyond_end != EXTRA_COUNTED || before == SIZE_MAX)
        return false;
    double power = power_between(q, c, last, beyond),
           change = fabs(power - power_between(q, c, before, last)),
           far = log(q->place[0] / (double)q->rows[beyond][0]);
    if (!isfinite(power) || !isfinite(change) || !(far > 0))
        return false;
    g->there = (double)c->at[beyond] * exp(power * far);
    g->least = g->there * exp(-change * far);
    g->most = g->there * exp(change * far);
    return true;
}

/* Is it known what the count is at the place? `row`: the one that was counted there; SIZE_MAX: none. */
static bool find_growth(const struct request *q, const struct counted *c, size_t row,
                        struct growth *g)
{
    double scatter = c->formula.verdict == DISCOVER_DATA ? c->formula.scatter : 0;
    g->here = (double)c->at[q->times.largest];
    if (row != SIZE_MAX) {
        g->there = g->least = g->most = (double)c->at[row];
        return true;
    }
    if (c->only_below) /* larger sizes do something else */
        return false;
    if (!models_has_formula(c))
        return (!g->here && (q->beyond_end != EXTRA_COUNTED || !c->at[q->nrows + 1])) ||
               go_on(q, c, g);
    g->there = discover_value(&c->formula, q->place);
    g->least = g->there * fmax(1 - scatter, 0);
    g->most = g->there * (1 + scatter);
    return g->there >= 0 && isfinite(g->most);
}

static double times_of(const struct growth *g)
{
    return g->here > 0 ? g->there / g->here : g->there > 0 ? INFINITY : 0;
}

static int by_growth(const void *x, const void *y)
{
    double a = times_of(x), b = times_of(y);
    return a < b ? -1 : a > b;
}

/* How much longer a function takes at the place if some counts cost PRICED_MOST_TIMES as much as the others: the least and the most,
 * in parts of how much all counts grow. */
static void bounds(struct growth *g, size_t n, const struct growth *all, double *least,
                   double *most)
{
    struct growth before = {0}; /* what grows least */
    double more = PRICED_MOST_TIMES - 1;
    sort_list(g, n, sizeof *g, by_growth);
    *least = all->least / all->there;
    *most = all->most / all->there;
    for (size_t i = 0; i < n; i++) {
        double low = (all->least + more * before.least) / (all->here + more * before.here);
        double high = (all->most + more * (all->most - before.most)) /
                      (all->here + more * (all->here - before.here));
        *least = fmin(*least, low * all->here / all->there);
        *most = fmax(*most, high * all->here / all->there);
        before.here += g[i].here;
        before.least += g[i].least;
        before.most += g[i].most;
    }
}

/* A price that changed with the size, as where data leave a cache, may go on changing, or not: with a power of the counts that is
 * between these. */
static void drift(const struct size *s, size_t n, double a, double b, double *down, double *up)
{
    const struct size *last = &s[0];
    *down = *up = 0;
    for (size_t i = 1; i < n; i++)
        last = s[i].counted > last->counted ? &s[i] : last;
    double end = last->seconds / (a + b * last->counted);
    for (size_t i = 0; i < n; i++) {
        double far = log(last->counted / s[i].counted);
        double power = log(end / (s[i].seconds / (a + b * s[i].counted))) / far;
        if (far < M_LN2)
            continue;
        *down = fmin(*down, power);
        *up = fmax(*up, power);
    }
}

static double mean_error(const struct size *s, size_t n, double a, double b)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += fabs((a + b * s[i].counted) / s[i].seconds - 1);
    return 100 * sum / (double)n;
}

/* The counts of the function, and their sum. */
static bool find_counts(const struct request *q, const struct region *r, struct growth *list,
                        struct growth *all)
{
    size_t row = plan_row_of_place(q);
    *all = (struct growth){0};
    for (size_t i = 0; i < r->nwork; i++) {
        list[i] = (struct growth){0};
        if (!find_growth(q, r->work[i], row, &list[i]))
            return false;
        all->here += list[i].here;
        all->there += list[i].there;
        all->least += list[i].least;
        all->most += list[i].most;
    }
    return all->here > 0 && all->there > 0;
}

static size_t find_sizes(const struct request *q, const struct region *r, struct size *list)
{
    size_t n = 0;
    for (size_t row = r->from; row < q->nrows; row++) {
        struct size s = {sum_at(r, row), models_quantile(q, r->own, row)};
        if (q->done[row] && s.counted > 0 && s.seconds > 0)
            list[n++] = s;
    }
    return n;
}

void priced_predict(const struct request *q, struct region *r)
{
    MEM_LOCAL struct growth *list = mem_alloc(r->nwork + 1, sizeof *list);
    MEM_LOCAL struct size *sizes = mem_alloc(q->nrows + 1, sizeof *sizes);
    struct growth all;
    double a, b, down, up, least, most;
    size_t n = find_sizes(q, r, sizes);
    if (n < MODELS_LEAST_SIZES || q->processors != SIZE_MAX || !(r->now > 0) ||
        !find_counts(q, r, list, &all))
        return;
    fit(sizes, n, &a, &b);
    double error = mean_error(sizes, n, a, b), far = log(all.there / all.here);
    if (!(error <= MODELS_MOST_ERROR) || !(b > 0))
        return;
    bounds(list, r->nwork, &all, &least, &most);
    drift(sizes, n, a, b, &down, &up);
    double of_counts = b * all.here / (a + b * all.here);
    double value = r->now * (1 + of_counts * (all.there / all.here - 1));
    r->value = value * exp((down + up) / 2 * far);
    r->low = value * least * exp(fmin(down * far, up * far));
    r->high = value * most * exp(fmax(down * far, up * far));
    r->error = error;
    r->price = b * r->now / (a + b * all.here);
    r->counted = all.there;
    for (size_t i = 0; i <= DISCOVER_STEPS_BETWEEN; i++)
        r->between[i] = r->now * pow(r->value / r->now, (double)i / DISCOVER_STEPS_BETWEEN);
}
