/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The library of terms (see numeric/terms.h). */
#include "numeric/terms.h"

#include <math.h>
#include <string.h>

#include "base/text.h"

/* In the order of preference among equals: the search finds the first one. */
const struct search_power search_powers[] = {
    {"", 0, 1, 2, false, true},
    {"%", 1, 1, 2, false, true},
    {"%^2", 2, WEIGHT_SQUARE, 2, false, true},
    {"/%", -1, WEIGHT_INVERSE, 2, true, true},
    {"%^3", 3, WEIGHT_CUBE, 1, false, true},
    {"sqrt(%)", 0.5, WEIGHT_ROOT, 1, false, true},
    {"%^1.5", 1.5, WEIGHT_POWER_3_2, 0, false, true},
    {"%^(1/3)", 1.0 / 3, WEIGHT_THIRDS, 0, false, false},
    {"%^(2/3)", 2.0 / 3, WEIGHT_THIRDS, 0, false, false},
    {NULL, 0, 0, 0, false, false},
};

const struct search_log search_logs[] = {
    {"", 0, 2, 1},
    {"log(%)", 1, 2, WEIGHT_LOG},
    {"log(%)^2", 2, 0, WEIGHT_LOG_SQUARE},
    {NULL, 0, 0, 0},
};

/* The possible factors of one variable. */
struct factors {
    unsigned char power[64], log[64];
    size_t n;
};

static bool has_value(double least, const struct search_power *p, const struct search_log *l)
{
    if (l->power && !(least >= 1)) /* below 1 a logarithm is negative: no cost */
        return false;
    if (p->exponent < 0 && !(least > 0))
        return false;
    return p->exponent == floor(p->exponent) || least >= 0;
}

static void collect_factors(const struct search_variable *v, size_t points, int level,
                            struct factors *out)
{
    double least = INFINITY;
    out->n = 0;
    for (size_t i = 0; i < points; i++)
        least = fmin(least, v->at[i]);
    for (size_t p = 0; search_powers[p].weight > 0; p++) {
        for (size_t l = 0; search_logs[l].weight > 0; l++) {
            const struct search_power *power = &search_powers[p];
            if (power->level < level || search_logs[l].level < level ||
                (power->processors && !v->processors) ||
                (search_logs[l].power && !power->with_logs) ||
                !has_value(least, power, &search_logs[l]))
                continue;
            out->power[out->n] = (unsigned char)p;
            out->log[out->n++] = (unsigned char)l;
        }
    }
}

static double factor_weight(const struct factors *f, size_t i)
{
    return search_powers[f->power[i]].weight * search_logs[f->log[i]].weight;
}

/* Term number t of the product of the factors; 0 is the constant term. */
static struct search_term term_of(const struct factors *f, size_t nvariables, size_t t,
                                  double *weight)
{
    struct search_term term;
    memset(&term, 0, sizeof term);
    *weight = 1;
    for (size_t v = 0; v < nvariables; v++) {
        size_t i = t % f[v].n;
        t /= f[v].n;
        term.power[v] = f[v].power[i];
        term.log[v] = f[v].log[i];
        *weight *= factor_weight(&f[v], i);
    }
    return term;
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

void search_library_make(struct arena *a, const struct search_variable *variables,
                         size_t nvariables, size_t points, struct search_library *out)
{
    struct factors f[SEARCH_MAX_VARIABLES];
    size_t all = 0;
    out->level = -1;
    do {
        out->level++;
        all = 1;
        for (size_t v = 0; v < nvariables; v++) {
            collect_factors(&variables[v], points, out->level, &f[v]);
            all *= f[v].n;
        }
    } while (all > SEARCH_MAX_LIBRARY && out->level < 2);
    out->terms = arena_alloc(a, all, sizeof *out->terms);
    out->n = 0;
    double sum = 0, weight, *work = arena_alloc(a, points, sizeof *work);
    for (size_t t = 1; t < all; t++) {
        struct search_term term = term_of(f, nvariables, t, &weight);
        if (!usable(&term, variables, nvariables, points, work))
            continue;
        term.cost = -2 * log(weight);
        sum += weight;
        out->terms[out->n++] = term;
    }
    for (size_t t = 0; t < out->n; t++)
        out->terms[t].cost += 2 * log(sum);
}

void search_term_values(const struct search_term *t, const struct search_variable *variables,
                        size_t nvariables, size_t points, double *out)
{
    for (size_t i = 0; i < points; i++) {
        out[i] = 1;
        for (size_t v = 0; v < nvariables; v++) {
            double x = variables[v].at[i], e = search_powers[t->power[v]].exponent;
            if (e != 0)
                out[i] *= pow(x, e);
            for (int l = 0; l < search_logs[t->log[v]].power; l++)
                out[i] *= log(x);
        }
    }
}

/* Adds a factor to a product; one that begins with / divides. */
static void add_factor(struct text *out, const char *text, const char *name)
{
    if (!*text)
        return;
    if (*text == '/' && out->n == 0)
        text_addc(out, '1');
    if (*text != '/' && out->n)
        text_addc(out, '*');
    for (; *text; text++) {
        if (*text == '%')
            text_add(out, name);
        else
            text_addc(out, *text);
    }
}

char *search_term_text(struct arena *a, const struct search_term *t,
                       const struct search_variable *variables, size_t nvariables)
{
    struct text out;
    text_init(&out);
    for (int divide = 0; divide < 2; divide++) { /* divisors last */
        for (size_t v = 0; v < nvariables; v++) {
            const char *power = search_powers[t->power[v]].text;
            if ((*power == '/') == divide)
                add_factor(&out, power, variables[v].name);
            if (!divide)
                add_factor(&out, search_logs[t->log[v]].text, variables[v].name);
        }
    }
    char *text = arena_strdup(a, out.s);
    text_free(&out);
    return text;
}
