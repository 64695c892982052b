/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The library of terms (see numeric/terms.h). */
#include "numeric/terms.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "numeric/stats.h"

/* The usual powers, in the order of preference among equals. Libraries of a higher level leave out
 * those of a lower one. */
static const struct power {
    double exponent, weight;
    int level;
    bool with_logs; /* log(V) may be a factor, too */
} powers[] = {
    {0, 1, 2, true},
    {1, 1, 2, true},
    {2, WEIGHT_SQUARE, 2, true},
    {-1, WEIGHT_INVERSE, 2, true},
    {3, WEIGHT_CUBE, 1, true},
    {0.5, WEIGHT_ROOT, 1, true},
    {1.5, WEIGHT_POWER_3_2, 0, true},
    {1.0 / 3, WEIGHT_THIRDS, 0, false},
    {2.0 / 3, WEIGHT_THIRDS, 0, false},
    {0.75, WEIGHT_QUARTERS, 0, false},
    {1.25, WEIGHT_QUARTERS, 0, false},
    {2.5, WEIGHT_QUARTERS, 0, false},
};

static const struct log_power {
    int power, level;
    double weight;
} logs[] = {{0, 2, 1}, {1, 2, WEIGHT_LOG}, {2, 0, WEIGHT_LOG_SQUARE}};

static const struct {
    enum search_shape shape;
    double weight;
} shapes[] = {
    {SHAPE_SHARE, WEIGHT_SHARE}, {SHAPE_LEVELS, WEIGHT_LEVELS}, {SHAPE_LESS_ONE, WEIGHT_LESS_ONE}};

enum { POWERS = sizeof powers / sizeof *powers, MOST_FACTORS = 64 };

/* The factors that one variable may have. */
struct factors {
    struct search_factor list[MOST_FACTORS];
    size_t n;
};

static double least_of(const struct search_variable *v, size_t points)
{
    double least = INFINITY;
    for (size_t i = 0; i < points; i++)
        least = fmin(least, v->at[i]);
    return least;
}

static bool all_whole(const struct search_variable *v, size_t points)
{
    for (size_t i = 0; i < points; i++)
        if (v->at[i] != floor(v->at[i]))
            return false;
    return true;
}

static bool has_value(double least, double exponent, int log)
{
    if (log && !(least >= 1)) /* below 1 a logarithm is negative, and no cost is */
        return false;
    if (exponent < 0 && !(least > 0))
        return false;
    return exponent == floor(exponent) || least >= 0;
}

/* Through two or three values many curves pass: a rare one says nothing about the others. */
static bool has_few_values(const struct search_variable *v, size_t points)
{
    double seen[TERM_FEW_VALUES];
    size_t n = 0;
    for (size_t i = 0; i < points; i++) {
        size_t k = 0;
        while (k < n && seen[k] != v->at[i])
            k++;
        if (k == TERM_FEW_VALUES)
            return false;
        if (k == n)
            seen[n++] = v->at[i];
    }
    return true;
}

/* V, V^2, 1/V, log(V), V*log(V) and so on. */
static bool is_simple(double exponent, int log)
{
    return exponent == floor(exponent) &&
           (log == 0 || (log == 1 && exponent >= 0 && exponent <= 1));
}

static void add_factor(struct factors *f, enum search_shape shape, double exponent, int log,
                       double weight)
{
    if (f->n < MOST_FACTORS)
        f->list[f->n++] = (struct search_factor){shape, log, exponent, weight};
}

static void collect_factors(const struct search_variable *v, size_t points, int level, bool few,
                            struct factors *out)
{
    double least = least_of(v, points);
    out->n = 0;
    for (size_t p = 0; p < POWERS; p++)
        for (size_t l = 0; l < sizeof logs / sizeof *logs; l++) {
            double weight = powers[p].weight * logs[l].weight;
            if (powers[p].exponent < 0 && !v->processors)
                weight *= WEIGHT_FALLING;
            if (powers[p].level >= level && logs[l].level >= level &&
                (!logs[l].power || powers[p].with_logs) &&
                (!few || is_simple(powers[p].exponent, logs[l].power)) &&
                has_value(least, powers[p].exponent, logs[l].power))
                add_factor(out, SHAPE_POWER, powers[p].exponent, logs[l].power, weight);
        }
    /* Of large values these are the same as V, 1 and log(V). */
    if (!(least >= 1 && least <= SHAPES_LEAST_VALUE) || level > 1 || !all_whole(v, points) ||
        (few && !v->processors))
        return;
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        add_factor(out, shapes[s].shape, 0, 0,
                   shapes[s].weight * (v->processors ? 1 : WEIGHT_FALLING));
}

static bool usable(const struct search_term *t, const struct search_variable *variables,
                   size_t nvariables, size_t points, double *work)
{
    double size = 0;
    search_term_values(t, variables, nvariables, points, work);
    for (size_t i = 0; i < points; i++) {
        if (!isfinite(work[i]) || fabs(work[i]) > TERM_LARGEST)
            return false;
        size = fmax(size, fabs(work[i]));
    }
    return size > TERM_SMALLEST;
}

static double plain_weight(const struct search_term *t)
{
    double weight = 1;
    for (size_t v = 0; v < SEARCH_MAX_VARIABLES; v++)
        weight *= t->of[v].weight;
    return weight;
}

/* Whether the factor divides what the other factors say among processors. */
static bool is_divisor(const struct search_library *l, const struct search_term *t, size_t v)
{
    const struct search_factor *f = &t->of[v];
    return l->processors[v] &&
           (f->shape == SHAPE_SHARE || (f->shape == SHAPE_POWER && f->exponent < 0));
}

/* Where the points do not tell how the variables combine, separate terms and slow growth are preferred. */
static double weight_of(const struct search_library *l, const struct search_term *t)
{
    double weight = plain_weight(t), degree = 0;
    size_t together = 0;
    for (size_t v = 0; v < SEARCH_MAX_VARIABLES && l->lines && !t->given; v++) {
        const struct search_factor *f = &t->of[v];
        together += (f->shape != SHAPE_POWER || f->exponent != 0 || f->log) && !is_divisor(l, t, v);
        degree += f->shape == SHAPE_LESS_ONE ? 1 : f->exponent;
    }
    for (; together > 1; together--)
        weight *= WEIGHT_TOGETHER;
    return weight * exp(-WEIGHT_GROWTH * fmax(degree, 0));
}

static void set_cost(const struct search_library *l, struct search_term *t)
{
    t->cost = log(l->weight) - log(weight_of(l, t));
    t->plain_cost = log(l->plain_weight) - log(plain_weight(t));
}

static void add_term(struct arena *a, struct search_library *l, const struct search_term *t)
{
    ARENA_ADD(a, l->terms, l->n, &l->capacity, *t);
}

/* Costs, when all weights are known. */
static void set_costs(struct search_library *l)
{
    l->weight = l->plain_weight = 0;
    for (size_t t = 0; t < l->n; t++) {
        l->weight += weight_of(l, &l->terms[t]);
        l->plain_weight += plain_weight(&l->terms[t]);
    }
    for (size_t t = 0; t < l->n; t++)
        set_cost(l, &l->terms[t]);
}

/* Term number t of the product of the factors; 0 is the constant term. */
static struct search_term term_of(const struct factors *f, size_t nvariables, size_t t)
{
    struct search_term term;
    memset(&term, 0, sizeof term);
    for (size_t v = 0; v < SEARCH_MAX_VARIABLES; v++)
        term.of[v].weight = 1;
    for (size_t v = 0; v < nvariables; v++) {
        term.of[v] = f[v].list[t % f[v].n];
        t /= f[v].n;
    }
    return term;
}

/* The value that most points have. */
static double most_frequent(struct arena *a, const double *at, size_t n)
{
    double *sorted = arena_alloc(a, n + 1, sizeof *sorted), value = NAN;
    size_t most = 0, run = 0;
    memcpy(sorted, at, n * sizeof *sorted);
    stats_sort(sorted, n);
    for (size_t i = 0; i < n; i++) {
        run = i > 0 && sorted[i] == sorted[i - 1] ? run + 1 : 1;
        if (run > most) {
            most = run;
            value = sorted[i];
        }
    }
    return value;
}

/* Whether few points change several variables against the usual values. */
static bool are_lines(struct arena *a, const struct search_variable *variables, size_t nvariables,
                      size_t points)
{
    double base[SEARCH_MAX_VARIABLES];
    size_t combined = 0;
    for (size_t v = 0; v < nvariables; v++)
        base[v] = most_frequent(a, variables[v].at, points);
    for (size_t i = 0; i < points; i++) {
        size_t changed = 0;
        for (size_t v = 0; v < nvariables; v++)
            changed += variables[v].at[i] != base[v];
        combined += changed > 1;
    }
    return nvariables > 1 && combined < SEARCH_COMBINED_POINTS;
}

void search_library_make(struct arena *a, const struct search_variable *variables,
                         size_t nvariables, size_t points, struct search_library *out)
{
    struct factors f[SEARCH_MAX_VARIABLES];
    size_t all = 0;
    memset(out, 0, sizeof *out);
    out->lines = are_lines(a, variables, nvariables, points);
    for (size_t v = 0; v < nvariables; v++)
        out->processors[v] = variables[v].processors;
    out->level = -1;
    for (size_t v = 0; v < nvariables; v++)
        out->few[v] = has_few_values(&variables[v], points);
    do {
        out->level++;
        all = 1;
        for (size_t v = 0; v < nvariables; v++) {
            collect_factors(&variables[v], points, out->level, out->few[v], &f[v]);
            all *= f[v].n;
        }
    } while (all > SEARCH_MAX_LIBRARY && out->level < 2);
    double *work = arena_alloc(a, points, sizeof *work);
    for (size_t t = 1; t < all; t++) {
        struct search_term term = term_of(f, nvariables, t);
        if (usable(&term, variables, nvariables, points, work))
            add_term(a, out, &term);
    }
    set_costs(out);
}

static bool usual(double exponent)
{
    for (size_t p = 0; p < POWERS; p++)
        if (fabs(powers[p].exponent - exponent) < SEARCH_EXPONENT_STEP / 4)
            return true;
    return false;
}

double search_usual_exponent(double exponent)
{
    double nearest = powers[0].exponent;
    for (size_t p = 1; p < POWERS; p++)
        if (fabs(powers[p].exponent - exponent) < fabs(nearest - exponent))
            nearest = powers[p].exponent;
    return nearest;
}

double search_grid_exponent(double exponent)
{
    return round(exponent / SEARCH_EXPONENT_STEP) * SEARCH_EXPONENT_STEP;
}

void search_library_add_exponents(struct arena *a, const struct search_variable *variable,
                                  size_t points, struct search_library *library)
{
    double least = least_of(variable, points), *work = arena_alloc(a, points, sizeof *work);
    long steps = lround((SEARCH_MOST_EXPONENT + 1) / SEARCH_EXPONENT_STEP);
    for (long i = 0; i < steps && !library->few[0]; i++) {
        struct search_term t;
        double e = search_grid_exponent(-1 + (double)i * SEARCH_EXPONENT_STEP);
        if (usual(e) || !has_value(least, e, 0))
            continue;
        memset(&t, 0, sizeof t);
        for (size_t v = 0; v < SEARCH_MAX_VARIABLES; v++)
            t.of[v].weight = 1;
        t.of[0] = (struct search_factor){SHAPE_POWER, 0, e,
                                         WEIGHT_EXPONENT * (e < 0 ? WEIGHT_FALLING : 1)};
        if (usable(&t, variable, 1, points, work))
            add_term(a, library, &t);
    }
    set_costs(library);
}

void search_library_add_given(struct arena *a, const char *text, const double *values,
                              double weight, struct search_library *library)
{
    struct search_term t;
    memset(&t, 0, sizeof t);
    for (size_t v = 0; v < SEARCH_MAX_VARIABLES; v++)
        t.of[v].weight = 1;
    t.of[0].weight = weight;
    t.given = text;
    t.values = values;
    add_term(a, library, &t);
    set_costs(library);
}

bool search_term_with_power(const struct search_library *library, struct search_term *t,
                            size_t variable, double exponent, int log_power)
{
    struct search_factor *f = &t->of[variable];
    if (t->given || f->shape != SHAPE_POWER || (f->exponent == 0 && f->log == 0) ||
        exponent > SEARCH_MOST_EXPONENT || exponent < -2)
        return false;
    exponent = search_grid_exponent(exponent);
    double weight = WEIGHT_EXPONENT * (exponent < 0 ? WEIGHT_FALLING : 1);
    for (size_t p = 0; p < POWERS; p++) /* exactly a usual one, where it is meant */
        if (fabs(powers[p].exponent - exponent) < SEARCH_EXPONENT_STEP / 4) {
            exponent = powers[p].exponent;
            weight = powers[p].weight;
            if (exponent < 0 && !library->processors[variable])
                weight *= WEIGHT_FALLING;
        }
    if ((exponent == 0 && log_power == 0) ||
        (library->few[variable] && !is_simple(exponent, log_power)))
        return false;
    *f = (struct search_factor){SHAPE_POWER, log_power, exponent, weight * logs[log_power].weight};
    set_cost(library, t);
    return true;
}

bool search_term_without(const struct search_library *library, struct search_term *t,
                         size_t variable)
{
    bool left = false;
    if (t->given)
        return false;
    t->of[variable] = (struct search_factor){.shape = SHAPE_POWER, .weight = 1};
    for (size_t v = 0; v < SEARCH_MAX_VARIABLES; v++)
        left = left || t->of[v].shape != SHAPE_POWER || t->of[v].exponent != 0 || t->of[v].log;
    set_cost(library, t);
    return left;
}

bool search_term_same(const struct search_term *x, const struct search_term *y, size_t nvariables)
{
    if (x->given || y->given)
        return x->given == y->given;
    for (size_t v = 0; v < nvariables; v++)
        if (x->of[v].shape != y->of[v].shape || x->of[v].log != y->of[v].log ||
            x->of[v].exponent != y->of[v].exponent)
            return false;
    return true;
}

static double factor_value(const struct search_factor *f, double x)
{
    switch (f->shape) {
    case SHAPE_LESS_ONE: return x - 1;
    case SHAPE_SHARE: return (x - 1) / x;
    case SHAPE_LEVELS: return ceil(log2(x));
    default: break;
    }
    double value = f->exponent == 0 ? 1 : pow(x, f->exponent);
    for (int l = 0; l < f->log; l++)
        value *= log(x);
    return value;
}

void search_term_values(const struct search_term *t, const struct search_variable *variables,
                        size_t nvariables, size_t points, double *out)
{
    for (size_t i = 0; i < points; i++) {
        out[i] = t->values ? t->values[i] : 1;
        for (size_t v = 0; v < nvariables && !t->values; v++)
            out[i] *= factor_value(&t->of[v], variables[v].at[i]);
    }
}

/* ---- text ---- */

/* Adds a factor to a product; one that begins with / divides. */
static void put_factor(struct text *out, const char *text)
{
    if (!*text)
        return;
    if (*text == '/' && out->n == 0)
        text_addc(out, '1');
    if (*text != '/' && out->n)
        text_addc(out, '*');
    text_add(out, text);
}

static char *power_text(struct arena *a, const char *name, double e)
{
    static const double third = 1.0 / 3;
    if (e == 0)
        return "";
    if (e == 1)
        return arena_strdup(a, name);
    if (e == -1)
        return arena_printf(a, "/%s", name);
    if (e == 0.5)
        return arena_printf(a, "sqrt(%s)", name);
    if (e == third || e == 2 * third)
        return arena_printf(a, "%s^(%d/3)", name, e == third ? 1 : 2);
    return e < 0 ? arena_printf(a, "/%s^%.4g", name, -e) : arena_printf(a, "%s^%.4g", name, e);
}

static char *shape_text(struct arena *a, const char *name, const struct search_factor *f)
{
    switch (f->shape) {
    case SHAPE_LESS_ONE: return arena_printf(a, "(%s - 1)", name);
    case SHAPE_SHARE: return arena_printf(a, "(%s - 1)/%s", name, name);
    case SHAPE_LEVELS: return arena_printf(a, "ceil(log2(%s))", name);
    default: return power_text(a, name, f->exponent);
    }
}

char *search_term_text(struct arena *a, const struct search_term *t,
                       const struct search_variable *variables, size_t nvariables)
{
    if (t->given)
        return arena_strdup(a, t->given);
    struct text out = text_new();
    for (int divide = 0; divide < 2; divide++) /* divisors last */
        for (size_t v = 0; v < nvariables; v++) {
            const char *power = shape_text(a, variables[v].name, &t->of[v]);
            if ((*power == '/') == divide)
                put_factor(&out, power);
            if (!divide && t->of[v].log)
                put_factor(&out, arena_printf(a, t->of[v].log == 2 ? "log(%s)^2" : "log(%s)",
                                              variables[v].name));
        }
    return text_keep(&out, a);
}
