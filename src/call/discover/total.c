/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The run time of the whole program at the place. Functions whose counts are exact, and priced well, are trusted in how they
 * grow. The others are one thing, the rest: what its formula is, is searched in its whole time, which is known at every size,
 * and not function by function, where one formula that grows too fast spoils the sum. This is done twice. In the first sum,
 * counts that depend on data are trusted as well; in the second one, what they explain belongs to the rest. The answer is the
 * mean of both, each with the weight that its interval gives it, and the interval contains both where they differ.
 */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "base/printable.h"
#include "base/text.h"
#include "call/discover/models.h"
#include "data/load.h"
#include "numeric/stats.h"

enum { MOST_GIVEN = 6, HALVINGS = 60 };

/* How far the model of a function is trusted. */
enum trust { TRUST_EXACT, TRUST_DATA, TRUST_NONE };

struct sum {
    bool *has;          /* of each function: it is one of those with a model of its own */
    struct region rest; /* all others */
    size_t nrest;
    bool described; /* a formula was found for the rest, or it does not matter */
    struct times_range all;
};

static enum trust trust_of(const struct region *r)
{
    if (isnan(r->value))
        return TRUST_NONE;
    if (r->price > 0)
        return TRUST_DATA;
    if (!r->formula) /* nothing is left of main */
        return TRUST_EXACT;
    if (r->searched || r->error > MODELS_GOOD_ERROR)
        return TRUST_NONE;
    return r->verdict == DISCOVER_DATA ? TRUST_DATA : TRUST_EXACT;
}

/* ---- the rest ---- */

/* Leaves out runs in which a large part of the rest did something else, or nothing: they do not say how it grows. */
static void leave_out_early(const struct request *q, struct sum *s)
{
    const struct times *t = &q->times;
    for (size_t i = 0; i < t->n; i++) {
        const struct region *r = &t->list[i];
        if (s->has[i] || !(r->now > TOTAL_LEAST_PART * s->rest.now))
            continue;
        for (size_t k = 0; k < t->nruns; k++)
            if (t->row[k] < r->from || (isnan(r->own[k]) && !r->is_main))
                s->rest.own[k] = NAN;
    }
    for (size_t k = 0; k < t->nruns; k++)
        if (!(s->rest.own[k] > 0))
            s->rest.own[k] = NAN;
}

static void add_work(struct request *q, struct region *rest, const struct region *r,
                     size_t *capacity)
{
    for (size_t k = 0; k < r->nwork; k++)
        ARENA_ADD(q->arena, rest->work, rest->nwork, capacity, r->work[k]);
}

/* Own times add up to more than the run time if threads execute functions at the same time, or if other programs had the core: the
 * run time, which is known better, is divided as they say. */
static void take_share(const struct times *t, struct region *rest)
{
    rest->now /= t->overlap;
    for (size_t k = 0; k < t->nruns; k++) {
        double sum = 0;
        for (size_t i = 0; i < t->n; i++)
            sum += isnan(t->list[i].own[k]) ? 0 : t->list[i].own[k];
        rest->own[k] *= sum > 0 ? t->total[k] / sum : 1;
    }
}

/* What all functions take that are not trusted so far. */
static void make_rest(struct request *q, struct sum *s, const char *label, enum trust trusted)
{
    const struct times *t = &q->times;
    struct region *rest = &s->rest;
    size_t capacity = 0;
    *s = (struct sum){.has = arena_zalloc(q->arena, t->n + 1, sizeof *s->has)};
    *rest = (struct region){.label = label, .name = "", .value = NAN, .low = NAN, .high = NAN};
    rest->own = arena_zalloc(q->arena, t->nruns + 1, sizeof *rest->own);
    for (size_t i = 0; i < t->n; i++) {
        const struct region *r = &t->list[i];
        s->has[i] = trust_of(r) <= trusted;
        if (s->has[i])
            continue;
        s->nrest++;
        rest->now += r->now;
        add_work(q, rest, r, &capacity);
        for (size_t k = 0; k < t->nruns; k++)
            rest->own[k] += isnan(r->own[k]) ? 0 : r->own[k]; /* it was not executed */
    }
    take_share(t, rest);
    leave_out_early(q, s);
}

/* Terms of the functions in the rest, which the search tries beside its own. */
static size_t given_terms(const struct request *q, const struct sum *s, const char **terms)
{
    size_t n = 0;
    for (size_t i = 0; i < q->times.n; i++)
        for (size_t k = 0; !s->has[i] && k < q->times.list[i].nconstants && n < MOST_GIVEN; k++) {
            const char *text = q->times.list[i].terms[k];
            bool is_new = strcmp(text, "1") != 0 && !text_is_in(terms, n, text);
            if (is_new && !q->times.list[i].searched)
                terms[n++] = text;
        }
    return n;
}

/* How the rest grew from size to size says how it may go on, where no formula describes it: as in the middle, with the least and
 * the most as the ends, never shrinking, and never faster than counts allow. One variable. */
static void go_on(const struct request *q, struct region *rest)
{
    const struct times *t = &q->times;
    double here = (double)q->rows[t->largest][0], power[64], before = NAN, at = NAN;
    size_t n = 0;
    for (size_t row = 0; row < q->nrows && n < 64 && q->nvariables == 1; row++) {
        double now = models_quantile(q, rest->own, row), size = (double)q->rows[row][0];
        if (isnan(now) || size <= 0)
            continue;
        if (!isnan(before))
            power[n++] = log(now / before) / log(size / at);
        before = now;
        at = size;
    }
    if (!n || !(here > 0) || !(q->place[0] > 0))
        return;
    stats_sort(power, n);
    double growth = models_most_growth(q, rest), far = log(q->place[0] / here);
    double most = growth > 0 && far > 0 ? log(growth) / far : INFINITY;
    double slow = rest->now * exp(far * fmin(fmax(power[0], 0), most)),
           fast = rest->now * exp(far * fmin(fmax(power[n - 1], 0), most));
    rest->value = rest->now * exp(far * fmin(fmax(power[n / 2], 0), most));
    rest->low = fmin(slow, fast); /* at a smaller size, what grows fast is short */
    rest->high = fmax(slow, fast);
}

/* The errors of the parts add up: a slow phase of the machine makes all of them longer. */
static void add_range(struct times_range *sum, const struct region *r, double part)
{
    sum->value += part * r->value;
    sum->low += part * (isnan(r->low) ? r->value : r->low);
    sum->high += part * (isnan(r->high) ? r->value : r->high);
}

/* Where no formula describes the rest as one, those of its functions do, if each has one. */
static void add_functions(const struct request *q, struct sum *s)
{
    struct times_range sum = {0};
    for (size_t i = 0; i < q->times.n; i++)
        if (!s->has[i])
            add_range(&sum, &q->times.list[i], 1 / q->times.overlap);
    if (isnan(sum.value))
        return;
    s->rest.value = sum.value;
    s->rest.low = sum.low;
    s->rest.high = sum.high;
    s->described = true;
}

static void describe_rest(struct models *m, struct sum *s)
{
    struct request *q = m->q;
    const char *terms[MOST_GIVEN], *text = NULL;
    struct region *rest = &s->rest;
    struct model *found =
        s->nrest ? models_search(m, rest, terms, given_terms(q, s, terms), &text) : NULL;
    s->described =
        !s->nrest || models_place_is_measured(q) || !(rest->now > MODELS_LEAST_REST * q->times.now);
    if (found && model_error(found)->mean_pct <= MODELS_MOST_ERROR) {
        rest->formula = arena_strdup(q->arena, text);
        rest->searched = s->described = true;
        rest->error = model_error(found)->mean_pct;
        models_take_constants(m, rest, found);
        models_predict(m, rest, found);
    }
    if (isnan(rest->value))
        add_functions(q, s);
    if (isnan(rest->value))
        go_on(q, rest);
    if (isnan(rest->value) && s->described)
        rest->value = rest->low = rest->high = rest->now;
    if (!s->described && rest->now > TOTAL_MOST_REST * q->times.now)
        rest->value = NAN;
}

/* ---- sums ---- */

static void add_up(const struct request *q, struct sum *s)
{
    double part = 1 / q->times.overlap;
    s->all = (struct times_range){0};
    for (size_t i = 0; i < q->times.n; i++)
        if (s->has[i])
            add_range(&s->all, &q->times.list[i], part);
    if (s->nrest)
        add_range(&s->all, &s->rest, 1);
}

/* The logarithm of the value, and the deviation below and above it. */
struct spread {
    double middle, below, above;
};

static struct spread spread_of(const struct times_range *r, double between)
{
    double low = fmax(r->low, r->value / TOTAL_MOST_TIMES),
           high = fmin(r->high, r->value * TOTAL_MOST_TIMES);
    return (struct spread){log(r->value), hypot(log(r->value / low) / TOTAL_ENDS, between),
                           hypot(log(high / r->value) / TOTAL_ENDS, between)};
}

static double weight_of(const struct spread *s)
{
    double deviation = (s->below + s->above) / 2;
    return 1 / (deviation * deviation);
}

/* The part of the distribution that is below x. */
static double below(const struct spread *s, double x)
{
    double far = (x - s->middle) / (x < s->middle ? s->below : s->above);
    return erfc(-far / sqrt(2)) / 2;
}

/* Where this part of both distributions is below. */
static double quantile_of_both(const struct spread *s, const double *weights, double part)
{
    double low = fmin(s[0].middle - 4 * s[0].below, s[1].middle - 4 * s[1].below);
    double high = fmax(s[0].middle + 4 * s[0].above, s[1].middle + 4 * s[1].above);
    for (int i = 0; i < HALVINGS; i++) {
        double x = (low + high) / 2;
        if (weights[0] * below(&s[0], x) + weights[1] * below(&s[1], x) < part)
            low = x;
        else
            high = x;
    }
    return exp(low);
}

struct times_range total_mean(const struct times_range *x, const struct times_range *y,
                              double between, double *share)
{
    static const double outside = 0.025;
    struct spread s[2] = {spread_of(x->value > 0 ? x : y, between),
                          spread_of(y->value > 0 ? y : x, between)};
    double weights[2] = {weight_of(&s[0]), weight_of(&s[1])}, sum = weights[0] + weights[1];
    weights[0] /= sum;
    weights[1] /= sum;
    *share = !(x->value > 0) ? 0 : !(y->value > 0) ? 1 : weights[0];
    double value = exp(weights[0] * s[0].middle + weights[1] * s[1].middle);
    return (struct times_range){value, fmin(quantile_of_both(s, weights, outside), value),
                                fmax(quantile_of_both(s, weights, 1 - outside), value)};
}

/* Part of the time by which a later run differs: as the rounds at one size do, which lie close together, and at least by what an
 * hour changes on a quiet machine. */
static double between_runs(const struct request *q)
{
    const struct times *t = &q->times;
    double *far = arena_alloc(q->arena, t->nruns + 1, sizeof *far),
           *same = arena_alloc(q->arena, t->nruns + 1, sizeof *same);
    size_t n = 0;
    for (size_t row = 0; row < q->nrows; row++) {
        size_t rounds = 0;
        for (size_t k = 0; k < t->nruns; k++)
            if (t->row[k] == row && t->total[k] > 0)
                same[rounds++] = log(t->total[k]);
        double middle = rounds ? stats_quantile(same, rounds, 0.5) : 0;
        for (size_t k = 0; k < rounds && rounds >= TOTAL_LEAST_ROUNDS; k++)
            far[n++] = fabs(same[k] - middle);
    }
    return fmax(TOTAL_BETWEEN_HOURS, n ? TOTAL_DEVIATIONS * stats_quantile(far, n, 0.5) : 0);
}

/* ---- the formula ---- */

struct summand {
    const char *term;
    double factor;
};

struct terms {
    struct arena *arena;
    struct lookup known;
    struct summand *list;
    size_t n, capacity;
};

static void add_terms(struct terms *t, const struct region *r, double part)
{
    for (size_t k = 0; k < r->nconstants; k++) {
        size_t at = lookup_find(&t->known, r->terms[k], strlen(r->terms[k]));
        if (at == SIZE_MAX) {
            lookup_add(&t->known, t->arena, r->terms[k], at = t->n);
            ARENA_ADD(t->arena, t->list, t->n, &t->capacity, (struct summand){r->terms[k], 0});
        }
        // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): what is known is in the list
        t->list[at].factor += part * r->constants[k];
    }
}

/* The sum of all models, terms that several functions have once. NULL: a part has no formula. */
static const char *formula_of(const struct request *q, const struct sum *s)
{
    struct terms t = {.arena = q->arena};
    for (size_t i = 0; i < q->times.n; i++) {
        const struct region *r = &q->times.list[i];
        if (!s->has[i] && s->rest.formula)
            continue;
        if ((!r->formula || r->price > 0) && r->now > MODELS_LEAST_REST * q->times.now)
            return NULL;
        add_terms(&t, r, 1 / q->times.overlap);
    }
    add_terms(&t, &s->rest, 1);
    struct text out = text_new();
    for (size_t i = 0; i < t.n; i++)
        table_add_term(&out, t.list[i].factor, t.list[i].term);
    return text_keep(&out, q->arena);
}

/* ---- all ---- */

/* The rests of both sums, as experiments. 0, or -1 after a message. */
static int load_rests(struct models *m, const struct sum *counts, const struct sum *whole)
{
    struct request *q = m->q, shown = *q;
    struct region rests[2] = {counts->rest, whole->rest};
    DIAG_LOCAL struct diag *diag = diag_create();
    const char *path = arena_printf(q->arena, "%s/rest.dat", q->temporary);
    shown.times.list = rests;
    shown.times.n = 2;
    int failed = times_write(&shown, path);
    if (failed)
        say("call discover: cannot write %s: %s\n", path, strerror(errno));
    else if (dataset_load(m->data, path, &(struct load_options){.may_be_empty = true}, m->arena,
                          diag))
        failed = -1;
    process_remove_tree(path);
    return failed;
}

/* What has no formula grows as the rest does, of which it is a part: not at all, or as fast as counts allow, and it is at most the
 * whole rest. */
static void divide_rest(const struct request *q, const struct sum *s)
{
    double times = s->rest.value / s->rest.now;
    for (size_t i = 0; i < q->times.n && times >= 1; i++) {
        struct region *r = &q->times.list[i];
        double most = models_most_growth(q, r), whole = s->rest.high * q->times.overlap;
        if (s->has[i] || r->formula || !isnan(r->value) || !(r->now > 0))
            continue;
        r->value = r->now * (most > 0 ? fmin(times, most) : times);
        r->low = r->now;
        r->high = fmax(most > 0 ? fmin(r->now * most, whole) : whole, r->value);
    }
}

/* Others on the same hardware make the run longer or shorter. It does not change which sum is known better. */
static void allow_for_others(struct times *t)
{
    double ends = t->is_virtual ? TOTAL_ENDS * TOTAL_BETWEEN_VIRTUAL : 0;
    if (!(t->value > 0))
        return;
    t->low = t->value * exp(-hypot(log(t->value / t->low), ends));
    t->high = t->value * exp(hypot(log(t->high / t->value), ends));
}

static void sum_both(struct models *m)
{
    struct times *t = &m->q->times;
    struct sum counts, whole;
    double share = 1;
    make_rest(m->q, &counts, "rest", TRUST_DATA);
    make_rest(m->q, &whole, "whole", TRUST_EXACT);
    if (load_rests(m, &counts, &whole))
        return;
    describe_rest(m, &counts);
    add_up(m->q, &counts);
    t->rest = counts.rest.now / t->now;
    t->by_counts = counts.all;
    if (whole.nrest > counts.nrest && whole.rest.now > MODELS_LEAST_REST * t->now) {
        describe_rest(m, &whole);
        add_up(m->q, &whole);
        if (whole.rest.formula) /* a guess is no second opinion */
            t->by_search = whole.all;
    }
    struct times_range mean = total_mean(&t->by_counts, &t->by_search, between_runs(m->q), &share);
    t->value = mean.value;
    t->low = mean.low * (1 - t->change.less_there);
    t->high = mean.high * (1 + t->change.more_there);
    allow_for_others(t);
    bool by_search = share < 0.5 && !isnan(t->by_search.value);
    t->not_modelled = !by_search && !counts.described ? t->rest : 0;
    t->formula = isnan(t->value) ? NULL : formula_of(m->q, by_search ? &whole : &counts);
    if (!isnan(t->value))
        divide_rest(m->q, &counts);
}

/* Of the whole program, which is a mean of two sums: where the functions alone take longer, of them. */
static void share_then(struct times *t)
{
    double sum = 0;
    for (size_t i = 0; i < t->n; i++)
        sum += fmax(t->list[i].value, 0); /* of nan: 0 */
    double all = isnan(t->value) ? NAN : fmax(t->value, sum / t->overlap);
    for (size_t i = 0; i < t->n; i++)
        t->list[i].share_then = t->list[i].value / all;
}

/* Of what has no price: where the place was counted, refuted formulas do not matter in functions that are predicted from these counts. */
static struct extra_change change_of_unpriced(const struct request *q)
{
    size_t n = q->counts.n;
    if (plan_row_of_place(q) == SIZE_MAX)
        return extra_change_beyond(q, NULL, 0);
    struct counted *copies = arena_alloc(q->arena, n + 1, sizeof *copies);
    const struct counted **list = arena_alloc(q->arena, n + 1, sizeof *list);
    for (size_t i = 0; i < n; i++) {
        copies[i] = q->counts.list[i];
        list[i] = &copies[i];
    }
    for (size_t i = 0; i < q->times.n; i++) {
        const struct region *r = &q->times.list[i];
        for (size_t k = 0; k < r->nwork && r->price > 0; k++)
            if (r->work[k] >= q->counts.list && r->work[k] < q->counts.list + n)
                copies[r->work[k] - q->counts.list].only_below = false;
    }
    return extra_change_beyond(q, list, n);
}

void total_make(struct request *q, size_t rows)
{
    struct times *t = &q->times;
    ARENA_LOCAL struct arena *a = arena_create();
    struct models m = {.q = q, .arena = a, .data = dataset_create(), .rows = rows};
    double sum = 0;
    t->now = models_quantile(q, t->total, t->largest);
    for (size_t i = 0; i < t->n; i++) {
        t->list[i].share = t->list[i].now / t->now;
        sum += t->list[i].now;
    }
    t->overlap =
        fmax(sum / t->now, 1); /* threads: it is the same at the place, as far as is known */
    t->value = t->low = t->high = NAN;
    t->by_counts = t->by_search = (struct times_range){NAN, NAN, NAN};
    t->change = change_of_unpriced(q);
    if (fmax(t->change.more_there, t->change.less_there) <= EXTRA_MOST_CHANGE)
        sum_both(&m);
    share_then(t);
    dataset_destroy(m.data);
}
