/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "discover/terms.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"

/* ---- values ---- */

static bool multiply(wide *x, wide y)
{
    return !__builtin_mul_overflow(*x, y, x);
}

static int floor_log2(int64_t n)
{
    return 63 - __builtin_clzll((unsigned long long)n);
}

static int ceil_log2(int64_t n)
{
    return n < 2 ? 0 : floor_log2(n - 1) + 1;
}

/* In 32 bits where they suffice: many processors take several times as long for 64, and a search makes 100,000 divisions. */
static int64_t divide(int64_t x, int64_t y)
{
    return (x | y) >> 32 ? x / y : (int64_t)((uint32_t)x / (uint32_t)y);
}

/* block^ceil(log2(n/shift)). */
static bool tree_value(const struct discover_factor *f, int64_t n, wide *out)
{
    int64_t reached = f->shift;
    *out = 1;
    if (2 * n <= f->shift)
        return false;
    for (; reached < n; reached *= 2)
        if (!multiply(out, f->block))
            return false;
    return true;
}

static bool step_value(const struct discover_factor *f, int64_t n, wide *out)
{
    int64_t root;
    switch (f->kind) {
    case STEP_LOG_FLOOR: *out = n > 0 ? floor_log2(n) : 0; return n > 0;
    case STEP_LOG_CEIL: *out = n > 0 ? ceil_log2(n) : 0; return n > 0;
    case STEP_UP: *out = n > 0 ? (wide)1 << ceil_log2(n) : 0; return n > 0;
    case STEP_UP_LOG: *out = n > 0 ? ((wide)1 << ceil_log2(n)) * ceil_log2(n) : 0; return n > 0;
    case STEP_MERGE:
        *out = n > 0 ? (wide)n * ceil_log2(n) - ((wide)1 << ceil_log2(n)) + n : 0;
        return n > 0;
    case STEP_POWER: *out = n < 100 ? (wide)1 << n : 0; return n < 100;
    case STEP_BLOCK: *out = divide(n + f->shift, f->block); return true;
    case STEP_TREE: return tree_value(f, n, out);
    case STEP_ROOT:
        for (root = (int64_t)sqrt((double)n); root * root > n; root--)
            continue;
        while ((root + 1) * (root + 1) <= n)
            root++;
        *out = root;
        return true;
    default: *out = 1; return true;
    }
}

static bool quotient_value(const struct discover_quotient *q, const int64_t *sizes, wide *out)
{
    wide over = 1, by = sizes[q->by];
    for (unsigned i = 0; i < q->of_power; i++)
        if (!multiply(&over, sizes[q->over]))
            return false;
    over += q->shift;
    *out = by > 0 && over >= 0 ? (over + (q->up ? by - 1 : 0)) / by : 0;
    return by > 0 && over >= 0;
}

bool terms_value(const struct discover_term *t, size_t nvariables, const int64_t *sizes, wide *out)
{
    wide quotient = 1;
    *out = 1;
    if (t->quotient.power && !quotient_value(&t->quotient, sizes, &quotient))
        return false;
    for (unsigned i = 0; i < t->quotient.power; i++)
        if (!multiply(out, quotient))
            return false;
    for (size_t v = 0; v < nvariables; v++) {
        const struct discover_factor *f = &t->of[v];
        wide step;
        for (unsigned i = 0; i < f->power; i++)
            if (!multiply(out, sizes[v]))
                return false;
        if (!f->steps)
            continue;
        if (!step_value(f, sizes[v], &step))
            return false;
        for (unsigned i = 0; i < f->steps; i++)
            if (!multiply(out, step))
                return false;
    }
    return true;
}

static double step_at(const struct discover_factor *f, double n)
{
    switch (f->kind) {
    case STEP_LOG_FLOOR: return floor(log2(n));
    case STEP_LOG_CEIL: return ceil(log2(n));
    case STEP_UP: return exp2(ceil(log2(n)));
    case STEP_MERGE: return n * ceil(log2(n)) - exp2(ceil(log2(n))) + n;
    case STEP_UP_LOG: return exp2(ceil(log2(n))) * ceil(log2(n));
    case STEP_POWER: return exp2(n);
    case STEP_BLOCK: return floor((n + (double)f->shift) / (double)f->block);
    case STEP_ROOT: return floor(sqrt(n));
    case STEP_TREE: return pow((double)f->block, ceil(log2(n / (double)f->shift)));
    default: return 1;
    }
}

static double quotient_at(const struct discover_quotient *q, const double *place)
{
    double x = (pow(place[q->over], q->of_power) + q->shift) / place[q->by];
    return pow(q->up ? ceil(x) : floor(x), q->power);
}

static double value_at(const struct discover_term *t, size_t nvariables, const double *place)
{
    double x = (double)t->over;
    if (t->quotient.power)
        x *= quotient_at(&t->quotient, place);
    for (size_t v = 0; v < nvariables; v++) {
        for (unsigned i = 0; i < t->of[v].power; i++)
            x *= place[v];
        for (unsigned i = 0; i < t->of[v].steps; i++)
            x *= step_at(&t->of[v], place[v]);
    }
    return x / (double)t->under;
}

/* ---- costs ---- */

double terms_cost(const struct discover_factor *f)
{
    static const double kinds[] = {
        [STEP_NONE] = 0,   [STEP_LOG_FLOOR] = 3, [STEP_LOG_CEIL] = 3, [STEP_ROOT] = 5,
        [STEP_BLOCK] = 2,  [STEP_UP] = 6,        [STEP_POWER] = 3,    [STEP_TREE] = 6,
        [STEP_UP_LOG] = 6, [STEP_MERGE] = 6};
    double cost = f->power > 1 ? f->power : 1;
    if (!f->steps)
        return cost;
    cost += kinds[f->kind] + f->steps - 1;
    if (f->kind == STEP_BLOCK) {
        bool is_usual = f->shift == 0 || f->shift == f->block - 1;
        bool is_power = (f->block & (f->block - 1)) == 0;
        double bits = log2((double)f->block);
        cost += is_power ? log2(1 + bits) : bits; /* blocks are mostly powers of 2 */
        cost += is_usual ? 1 : 1 + bits;
    }
    return cost;
}

double terms_fraction_cost(int64_t over, int64_t under)
{
    return log2(1 + fabs((double)over)) + 2 * log2((double)under);
}

/* ---- texts ---- */

static void add_power(struct text *out, const char *what, unsigned power, bool *any)
{
    if (!power)
        return;
    text_printf(out, "%s%s", *any ? "*" : "", what);
    if (power > 1)
        text_printf(out, "^%u", power);
    *any = true;
}

static void add_block(struct text *out, const struct discover_factor *f, const char *n)
{
    long long block = f->block, shift = f->shift;
    if (shift == block - 1)
        text_printf(out, "ceil(%s/%lld)", n, block);
    else if (shift)
        text_printf(out, "floor((%s + %lld)/%lld)", n, shift, block);
    else
        text_printf(out, "floor(%s/%lld)", n, block);
}

static void add_step(struct text *out, const struct discover_factor *f, const char *n, bool *any)
{
    bool is_power =
        f->steps > 1 && (f->kind == STEP_UP || f->kind == STEP_POWER || f->kind == STEP_TREE);
    text_add(out, *any ? "*" : "");
    text_add(out, is_power ? "(" : "");
    switch (f->kind) {
    case STEP_LOG_FLOOR: text_printf(out, "floor(log2(%s))", n); break;
    case STEP_LOG_CEIL: text_printf(out, "ceil(log2(%s))", n); break;
    case STEP_UP: text_printf(out, "2^ceil(log2(%s))", n); break;
    case STEP_MERGE:
        text_printf(out, "(%s*ceil(log2(%s)) - 2^ceil(log2(%s)) + %s)", n, n, n, n);
        break;
    case STEP_UP_LOG: text_printf(out, "2^ceil(log2(%s))*ceil(log2(%s))", n, n); break;
    case STEP_POWER: text_printf(out, "2^%s", n); break;
    case STEP_ROOT: text_printf(out, "floor(sqrt(%s))", n); break;
    case STEP_TREE:
        text_printf(out, "%lld^ceil(log2(%s/%lld))", (long long)f->block, n, (long long)f->shift);
        break;
    default: add_block(out, f, n);
    }
    text_add(out, is_power ? ")" : "");
    if (f->steps > 1)
        text_printf(out, "^%u", f->steps);
    *any = true;
}

static void add_quotient(struct text *out, const struct discover_quotient *q,
                         const char *const *names, bool *any)
{
    if (!q->power)
        return;
    text_printf(out, "%s%s(%s%s", *any ? "*" : "", q->up ? "ceil" : "floor", q->shift ? "(" : "",
                names[q->over]);
    if (q->of_power > 1)
        text_printf(out, "^%u", q->of_power);
    if (q->shift)
        text_printf(out, " %c %d)", q->shift < 0 ? '-' : '+', abs(q->shift));
    text_printf(out, "/%s)", names[q->by]);
    if (q->power > 1)
        text_printf(out, "^%u", q->power);
    *any = true;
}

static bool is_constant(const struct discover_term *t, size_t nvariables)
{
    if (t->quotient.power)
        return false;
    for (size_t v = 0; v < nvariables; v++)
        if (t->of[v].power || t->of[v].steps)
            return false;
    return true;
}

static void add_term(struct text *out, const struct discover_term *t, const char *const *names,
                     size_t nvariables)
{
    long long over = t->over < 0 ? -t->over : t->over, under = t->under;
    bool any = false;
    text_add(out, out->n ? t->over < 0 ? " - " : " + " : t->over < 0 ? "-" : "");
    if (over != 1 || under != 1 || is_constant(t, nvariables)) {
        text_printf(out, under == 1 ? "%lld" : "%lld/%lld", over, under);
        any = true;
    }
    for (size_t v = 0; v < nvariables; v++) {
        add_power(out, names[v], t->of[v].power, &any);
        if (t->of[v].steps)
            add_step(out, &t->of[v], names[v], &any);
    }
    add_quotient(out, &t->quotient, names, &any);
}

const char *terms_text(struct arena *a, const struct discover_term *terms, size_t n,
                       const char *const *names, size_t nvariables)
{
    struct text t = text_new();
    for (size_t i = 0; i < n; i++)
        add_term(&t, &terms[i], names, nvariables);
    if (!n)
        text_add(&t, "0");
    return text_keep(&t, a);
}

/* ---- products ---- */

static bool multiply_factors(const struct discover_factor *x, const struct discover_factor *y,
                             struct discover_factor *out)
{
    bool is_same = x->kind == y->kind && x->block == y->block && x->shift == y->shift;
    if (x->steps && y->steps && !is_same)
        return false;
    *out = x->steps ? *x : *y;
    out->power = x->power + y->power;
    out->steps = x->steps + y->steps;
    return true;
}

bool terms_multiply(const struct discover_term *x, const struct discover_term *y,
                    struct discover_term *out)
{
    *out = (struct discover_term){0};
    if (x->quotient.power && y->quotient.power)
        return false;
    out->quotient = x->quotient.power ? x->quotient : y->quotient;
    for (size_t v = 0; v < DISCOVER_MOST_VARIABLES; v++)
        if (!multiply_factors(&x->of[v], &y->of[v], &out->of[v]))
            return false;
    int64_t under, over;
    if (__builtin_mul_overflow(x->over, y->over, &over) ||
        __builtin_mul_overflow(x->under, y->under, &under) || over == INT64_MIN)
        return false;
    int64_t divisor = discover_divisor(over < 0 ? -over : over, under);
    out->over = over / divisor;
    out->under = under / divisor;
    return true;
}

/* ---- sums ---- */

/* How fast it grows, roughly. */
static double growth(const struct discover_term *t)
{
    double sum = 0.99 * t->quotient.power * t->quotient.of_power;
    for (size_t v = 0; v < DISCOVER_MOST_VARIABLES; v++) {
        const struct discover_factor *f = &t->of[v];
        double step = f->kind == STEP_POWER  ? 100
                      : f->kind == STEP_TREE ? log2((double)f->block)
                      : f->kind == STEP_LOG_FLOOR || f->kind == STEP_LOG_CEIL ? 0.1
                      : f->kind == STEP_ROOT                                  ? 0.5
                      : f->kind == STEP_UP_LOG || f->kind == STEP_MERGE       ? 1.09
                                                                              : 0.99;
        sum += f->power + f->steps * step;
    }
    return sum;
}

static int by_growth(const void *x, const void *y)
{
    const struct discover_term *p = x, *q = y;
    double gp = growth(p), gq = growth(q);
    if (gp != gq)
        return gp > gq ? -1 : 1;
    for (size_t v = 0; v < DISCOVER_MOST_VARIABLES; v++)
        if (p->of[v].power != q->of[v].power)
            return p->of[v].power > q->of[v].power ? -1 : 1;
    return 0;
}

void terms_sort(struct discover_term *terms, size_t n)
{
    sort_list(terms, n, sizeof *terms, by_growth);
}

bool terms_are_plain(const struct discover_term *terms, size_t n, size_t nvariables)
{
    for (size_t i = 0; i < n; i++) {
        if (terms[i].quotient.power)
            return false;
        for (size_t v = 0; v < nvariables; v++)
            if (terms[i].of[v].steps && terms[i].of[v].kind != STEP_POWER)
                return false;
    }
    return true;
}

int64_t terms_multiple(const struct discover_term *terms, size_t n)
{
    int64_t all = 1;
    for (size_t i = 0; i < n; i++)
        if (__builtin_mul_overflow(all / discover_divisor(all, terms[i].under), terms[i].under,
                                   &all))
            return 0;
    return all;
}

/* A polynomial of degree d is whole everywhere if it is so at d + 1 sizes in sequence. Powers of 2 with a
 * denominator become whole after some sizes; they repeat soon after. */
bool terms_are_whole(const struct discover_term *terms, size_t n, size_t nvariables)
{
    enum { SIZES = 8 };
    int64_t all = terms_multiple(terms, n), sizes[DISCOVER_MOST_VARIABLES];
    size_t places = 1;
    if (all == 1)
        return true;
    for (size_t v = 0; v < nvariables; v++)
        places *= SIZES;
    for (size_t k = 0; all && k < places; k++) {
        size_t rest = k;
        wide sum = 0, value;
        for (size_t v = 0; v < nvariables; v++, rest /= SIZES)
            sizes[v] = 1 + (int64_t)(rest % SIZES);
        for (size_t i = 0; i < n; i++) {
            if (!terms_value(&terms[i], nvariables, sizes, &value))
                return false;
            value = value % all * (terms[i].over % all) % all;
            sum = (sum + value * (all / terms[i].under)) % all;
        }
        if (sum % all)
            return false;
    }
    return all != 0;
}

/* False: the sizes are not whole, or the numbers are too large. */
static bool sum_exactly(const struct discover_term *terms, size_t n, size_t nvariables,
                        const double *place, double *out)
{
    int64_t all = terms_multiple(terms, n), sizes[DISCOVER_MOST_VARIABLES];
    wide sum = 0, value;
    for (size_t v = 0; v < nvariables; v++) {
        if (!(place[v] >= 0) || place[v] > DISCOVER_MOST_SIZE || place[v] != floor(place[v]))
            return false;
        sizes[v] = (int64_t)place[v];
    }
    for (size_t i = 0; i < n; i++)
        if (!all || !terms_value(&terms[i], nvariables, sizes, &value) ||
            !multiply(&value, (wide)terms[i].over * (all / terms[i].under)) ||
            __builtin_add_overflow(sum, value, &sum))
            return false;
    wide whole = sum / all;
    *out = whole * all == sum ? (double)whole : (double)sum / (double)all;
    return true;
}

double terms_sum(const struct discover_term *terms, size_t n, size_t nvariables,
                 const double *place)
{
    double sum = 0;
    if (sum_exactly(terms, n, nvariables, place, &sum))
        return sum;
    for (size_t i = 0; i < n; i++)
        sum += value_at(&terms[i], nvariables, place);
    return sum;
}
