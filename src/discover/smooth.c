/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One product of powers and logarithms, times a factor. The factor that makes the largest relative
 * difference smallest is in the middle of the quotients count/product; their extremes are the scatter. A second product beside the
 * first one is taken if the counts are much nearer then: n^2 + 50*n is no product. Programs that try all possibilities have counts
 * that no power is near: then a number to the power of the size may be.
 */
#include "discover/smooth.h"

#include <math.h>

#include "base/number.h"
#include "base/text.h"
#include "discover/thresholds.h"

static const struct {
    double power;
    int logs;
} shapes[] = {{0, 0},   {1, 0}, {2, 0},   {3, 0},   {0, 1}, {1, 1}, {2, 1},
              {0.5, 0}, {4, 0}, {1.5, 0}, {2.5, 0}, {3, 1}, {5, 0}, {6, 0}};

enum { SHAPES = sizeof shapes / sizeof *shapes };

static double shape_at(double power, int logs, double n)
{
    return pow(n, power) * (logs ? pow(log2(n), logs) : 1);
}

static double product(const struct discover_formula *f, const double *place)
{
    double x = 1;
    for (size_t v = 0; v < f->nvariables; v++) {
        x *= shape_at(f->power[v], f->logs[v], place[v]);
        if (f->base[v] != 0)
            x *= pow(f->base[v], place[v]);
    }
    const struct discover_beside *b = &f->beside;
    return b->ratio != 0 ? x + b->ratio * shape_at(b->power, b->logs, place[b->variable]) : x;
}

double smooth_value(const struct discover_formula *f, const double *place)
{
    return f->factor * product(f, place);
}

/* Sets factor and scatter. */
static void judge(const struct discover_points *p, const uint64_t *counts,
                  struct discover_formula *f)
{
    double least = INFINITY, most = 0;
    for (size_t i = 0; i < p->n; i++) {
        double place[DISCOVER_MOST_VARIABLES] = {0}, at;
        for (size_t v = 0; v < p->nvariables; v++)
            place[v] = (double)p->at[i][v];
        at = product(f, place);
        double quotient = at > 0 ? (double)counts[i] / at : NAN;
        if (!(quotient > 0)) {
            f->scatter = INFINITY;
            return;
        }
        least = fmin(least, quotient);
        most = fmax(most, quotient);
    }
    f->factor = sqrt(least * most);
    f->scatter = sqrt(most / least) - 1;
}

static void add_shape(struct text *t, const char *name, double power, int logs)
{
    if (power != 0)
        text_printf(t, "*%s", name);
    if (power != 0 && power != 1)
        text_printf(t, "^%s", number_digits(power, 4, NUMBER_BUFFER));
    if (logs)
        text_printf(t, "*log2(%s)", name);
}

static const char *text_of(struct arena *a, const struct discover_points *p,
                           const struct discover_formula *f)
{
    const struct discover_beside *b = &f->beside;
    struct text t = text_new();
    TEXT_LOCAL struct text first = text_new();
    for (size_t v = 0; v < f->nvariables; v++) {
        add_shape(&first, p->names[v], f->power[v], f->logs[v]);
        if (f->base[v] != 0)
            text_printf(&first, "*%s^%s", number_digits(f->base[v], 6, NUMBER_BUFFER), p->names[v]);
    }
    text_add(&t, number_digits(f->factor, 4, NUMBER_BUFFER));
    if (b->ratio != 0) {
        text_printf(&t, "*(%s %s %s", first.s + 1, b->ratio < 0 ? "-" : "+",
                    number_digits(fabs(b->ratio), 4, NUMBER_BUFFER));
        add_shape(&t, p->names[b->variable], b->power, b->logs);
        text_addc(&t, ')');
    } else {
        text_add(&t, first.s);
    }
    return text_keep(&t, a);
}

static bool is_fixed(const struct discover_points *p, size_t v)
{
    for (size_t i = 1; i < p->n; i++)
        if (p->at[i][v] != p->at[0][v])
            return false;
    return true;
}

/* The base of a number to the power of the size, by least squares of the logarithms; 0 if the counts follow none. */
static double base_of(const struct discover_points *p, const uint64_t *counts, size_t v)
{
    double n = (double)p->n, sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (size_t i = 0; i < p->n; i++) {
        if (!counts[i])
            return 0;
        double x = (double)p->at[i][v], y = log((double)counts[i]);
        sx += x;
        sy += y;
        sxx += x * x;
        sxy += x * y;
    }
    double base = exp((n * sxy - sx * sy) / (n * sxx - sx * sx));
    return base > 1 && isfinite(base) ? base : 0;
}

/* The only variable with several sizes; SIZE_MAX: there are several. */
static size_t only_variable(const struct discover_points *p)
{
    size_t found = SIZE_MAX, n = 0;
    for (size_t v = 0; v < p->nvariables; v++)
        if (!is_fixed(p, v)) {
            found = v;
            n++;
        }
    return n == 1 ? found : SIZE_MAX;
}

/* How far the formula of all sizes but the largest one is from the count there: at least so far it may be at others. */
static double miss_of(const struct discover_points *p, const uint64_t *counts,
                      struct discover_formula *f)
{
    struct discover_points less = *p;
    double place[DISCOVER_MOST_VARIABLES] = {0};
    less.n--;
    judge(&less, counts, f);
    for (size_t v = 0; v < p->nvariables; v++)
        place[v] = (double)p->at[less.n][v];
    double quotient = (double)counts[less.n] / smooth_value(f, place);
    return quotient > 0 ? fmax(quotient, 1 / quotient) - 1 : INFINITY;
}

/* Does base^n grow faster than n, from the smallest to the largest size? What grows more slowly, as 1.0001^n from 500 to 8000, is
 * no number of possibilities. */
static bool outgrows_size(const struct discover_points *p, size_t v, double base)
{
    double least = INFINITY, most = 0;
    for (size_t i = 0; i < p->n; i++) {
        least = fmin(least, (double)p->at[i][v]);
        most = fmax(most, (double)p->at[i][v]);
    }
    return (most - least) * log(base) > log(most / least);
}

static void try_base(const struct discover_points *p, const uint64_t *counts, size_t v,
                     struct discover_formula *best)
{
    struct discover_points less = *p;
    struct discover_formula try = *best;
    less.n--;
    try.power[v] = 0;
    try.logs[v] = 0;
    try.base[v] = base_of(&less, counts, v);
    double miss = try.base[v] > 0 ? miss_of(p, counts, &try) : INFINITY;
    try.base[v] = base_of(p, counts, v);
    if (try.base[v] == 0 || !outgrows_size(p, v, try.base[v]))
        return;
    judge(p, counts, &try);
    try.scatter = fmax(try.scatter, miss);
    if (try.scatter < best->scatter)
        *best = try;
}

/* How much of the second product there is beside the first one, by least squares of relative differences; 0: not known. The
 * first one must be most of the count at the largest size: else how it goes on is not known. */
static double ratio_of(const struct discover_points *p, const uint64_t *counts, size_t v,
                       size_t first, size_t second)
{
    double m[2][2] = {{0}}, y[2] = {0}, largest = 0;
    for (size_t i = 0; i < p->n; i++) {
        double n = (double)p->at[i][v];
        double x[2] = {shape_at(shapes[first].power, shapes[first].logs, n) / (double)counts[i],
                       shape_at(shapes[second].power, shapes[second].logs, n) / (double)counts[i]};
        for (size_t j = 0; j < 2; j++) {
            for (size_t k = 0; k < 2; k++)
                m[j][k] += x[j] * x[k];
            y[j] += x[j];
        }
        largest = fmax(largest, n);
    }
    double d = m[0][0] * m[1][1] - m[0][1] * m[1][0];
    double over = (m[1][1] * y[0] - m[0][1] * y[1]) / d, by = (m[0][0] * y[1] - m[1][0] * y[0]) / d;
    double ratio = by / over, part = ratio *
                                     shape_at(shapes[second].power, shapes[second].logs, largest) /
                                     shape_at(shapes[first].power, shapes[first].logs, largest);
    return over > 0 && fabs(part) < 0.5 ? ratio : 0;
}

/* n beside n^2, and n beside n*log2(n): what a polynomial has, and a sum over levels. Others would be near noise. */
static bool is_companion(size_t first, size_t second)
{
    bool is_next = shapes[first].power == shapes[second].power + 1 && !shapes[first].logs;
    bool is_level = shapes[first].power == shapes[second].power && shapes[first].logs;
    return (is_next || is_level) && !shapes[second].logs;
}

/* Is the product alone nearly as near as any? Else the second one has to explain what the first one does not: it may be added to it, as where n
 * elements in blocks are much more than a few pairs at small sizes, but a difference would be near anything. */
static bool is_leading(const struct discover_points *p, const uint64_t *counts,
                       const struct discover_formula *f, double scatter)
{
    struct discover_formula alone = *f;
    alone.beside.ratio = 0;
    judge(p, counts, &alone);
    return alone.scatter <= DISCOVER_LEADING * scatter;
}

/* `scatter`: of the best product alone. */
static void try_beside(const struct discover_points *p, const uint64_t *counts, size_t v,
                       double scatter, struct discover_formula *best)
{
    struct discover_points less = *p;
    struct discover_formula try = *best;
    less.n--;
    for (size_t first = 0; first < SHAPES; first++)
        for (size_t second = 0; second < SHAPES; second++) {
            try.power[v] = shapes[first].power;
            try.logs[v] = shapes[first].logs;
            if (!is_companion(first, second))
                continue;
            bool leads = is_leading(p, counts, &try, scatter);
            try.beside = (struct discover_beside){ratio_of(&less, counts, v, first, second),
                                                  shapes[second].power, shapes[second].logs, v};
            double miss = miss_of(p, counts, &try);
            try.beside.ratio = ratio_of(p, counts, v, first, second);
            judge(p, counts, &try);
            try.scatter = fmax(try.scatter, miss);
            bool is_sum = leads ? try.beside.ratio != 0 : try.beside.ratio > 0;
            if (is_sum && try.scatter < best->scatter)
                *best = try;
        }
}

/* Formulas with an unknown more, which must be much nearer. One variable. */
static void try_others(const struct discover_points *p, const uint64_t *counts,
                       struct discover_formula *best)
{
    struct discover_formula other = *best;
    size_t v = only_variable(p);
    for (size_t i = 0; i < p->n; i++)
        if (!counts[i] || (v != SIZE_MAX && p->at[i][v] < 2))
            return;
    if (v == SIZE_MAX || p->n < 5)
        return;
    other.scatter *= DISCOVER_NEARER;
    try_beside(p, counts, v, best->scatter, &other);
    struct discover_formula base = *best;
    base.scatter = other.scatter;
    try_base(p, counts, v, &base);
    if (base.scatter < other.scatter)
        other = base;
    if (other.scatter < DISCOVER_NEARER * best->scatter)
        *best = other;
}

void smooth_find(struct arena *a, const struct discover_points *p, const uint64_t *counts,
                 struct discover_formula *out)
{
    struct discover_formula try = *out, best = *out;
    size_t all = 1;
    best.scatter = INFINITY;
    if (p->n < 3) /* anything is near two counts */
        return;
    for (size_t v = 0; v < p->nvariables; v++)
        all *= is_fixed(p, v) ? 1 : SHAPES;
    for (size_t k = 0; k < all; k++) {
        size_t rest = k;
        for (size_t v = 0; v < p->nvariables; v++) {
            size_t shape = is_fixed(p, v) ? 0 : rest % SHAPES;
            rest /= is_fixed(p, v) ? 1 : SHAPES;
            try.power[v] = shapes[shape].power;
            try.logs[v] = shapes[shape].logs;
        }
        judge(p, counts, &try);
        if (try.scatter < best.scatter)
            best = try;
    }
    try_others(p, counts, &best);
    if (best.scatter > DISCOVER_SCATTER)
        return;
    *out = best;
    out->text = text_of(a, p, out);
}
