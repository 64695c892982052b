/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * derive NAME from EXPRESSION, ...: the time of an experiment as the sum of blocks, beside the measured
 * values and the direct fit, and which block explains the difference.
 *
 * With relative differences r = (measured - composed)/measured and the share u of a block in the
 * measured value, the factor that the block would have to take is 1 + s with s = sum(r u)/sum(u^2),
 * which leaves the least sum of squares (0 if it is negative); the block explains the part of the sum of squares that goes.
 */
#include <math.h>
#include <string.h>

#include "llac/compose/command.h"
#include "llac/arguments.h"
#include "llac/json.h"
#include "llac/text.h"
#include "base/number.h"
#include "llac/commands.h"

enum { MOST_BLOCKS = 64 };

struct derive_block {
    const char *name;
    double *value;   /* at each point */
    double share;    /* of the composed values, on average */
    double factor;   /* that it would have to take */
    double explains; /* part of the squares of the differences */
    double left_pct; /* mean error with the factor */
};

struct derivation {
    const char *experiment;
    const struct points *points;
    const double *direct; /* fitted; NULL = the experiment has no formula */
    const bool *left_out; /* of the direct fit; NULL = none */
    double *composed, *low, *high;
    struct derive_block blocks[MOST_BLOCKS];
    size_t nblocks, best;
    size_t inside,
        known; /* points where the difference is within the uncertainty, of those that have
                             one */
    double direct_mean, direct_max, mean, max; /* errors, % */
};

/* The expressions between commas that are outside parentheses. */
static size_t split_items(const struct cursor *c, struct span whole, struct span *items)
{
    size_t n = 0, begin = whole.begin;
    int depth = 0;
    for (size_t i = whole.begin; i <= whole.end; i++) {
        char at = i < whole.end ? c->source->text[i] : ',';
        depth += (at == '(' || at == '[') - (at == ')' || at == ']');
        if (i < whole.end && (at != ',' || depth > 0))
            continue;
        if (n < MOST_BLOCKS)
            items[n] = (struct span){begin, i};
        n++;
        begin = i + 1;
    }
    return n;
}

static struct span trimmed(const struct cursor *c, struct span s)
{
    while (s.begin < s.end && strchr(" \t", c->source->text[s.begin]))
        s.begin++;
    while (s.end > s.begin && strchr(" \t", c->source->text[s.end - 1]))
        s.end--;
    return s;
}

/* The items as definitions, and their sum after them. */
static int read_items(struct session *s, struct cursor *c, struct compose_definition *items,
                      size_t *n)
{
    static const char *const none[] = {NULL};
    struct span spans[MOST_BLOCKS], whole = cursor_expression(c, none);
    if (whole.end == whole.begin)
        return cursor_error_here(c, "an expression is missing: from A[0] + A[1]*N, B(N=N), "
                                    "...");
    *n = split_items(c, whole, spans);
    if (*n > MOST_BLOCKS - 1)
        return cursor_error(c, whole, "more than %d blocks", MOST_BLOCKS - 1);
    const struct formula *sum = NULL;
    for (size_t i = 0; i < *n; i++) {
        spans[i] = trimmed(c, spans[i]);
        items[i] = (struct compose_definition){.nparameters = 0};
        if (read_definition(s, c, spans[i], &items[i]))
            return -1;
        items[i].name = items[i].text;
        sum = sum ? formula_binary(s->arena, FORMULA_ADD, sum, items[i].formula) : items[i].formula;
    }
    items[*n] = (struct compose_definition){
        .name = arena_strdup(s->arena, cursor_text(c, whole)), .formula = sum, .source = c->source};
    items[*n].text = items[*n].name;
    return 0;
}

static int value_at(struct session *s, struct cursor *c, struct arena *work,
                    const struct compose_definition *d, const struct points *p, double *value,
                    struct composed *all, struct composition *composition)
{
    const struct compose_definition *bound;
    struct compose_places places = {.names = p->names, .nnames = p->nnames, .n = p->n, .at = p->at};
    double *values = arena_alloc(c->arena, p->nnames + 1, sizeof *values);
    if (session_compose(s, c->arena, d, c->diag, composition, &bound))
        return -1;
    composition->any_place = true;
    for (size_t i = 0; i < p->n; i++) {
        struct composed one;
        compose_place(&places, i, values);
        struct place place = {p->names, values, p->nnames};
        if (compose_predict(all ? c->arena : work, composition, bound, &place, c->diag, &one))
            return -1;
        value[i] = one.value;
        if (all)
            all[i] = one;
        arena_reset(work);
    }
    return 0;
}

/* Several expressions are the blocks; of one expression the experiments are. */
static int find_blocks(struct session *s, struct cursor *c, const struct compose_definition *items,
                       size_t n, struct derivation *out)
{
    const struct points *p = out->points;
    struct composed *all = arena_alloc(c->arena, p->n + 1, sizeof *all);
    struct composition whole, one;
    ARENA_LOCAL struct arena *work = arena_create();
    out->composed = arena_alloc(c->arena, p->n + 1, sizeof *out->composed);
    out->low = arena_alloc(c->arena, p->n + 1, sizeof *out->low);
    out->high = arena_alloc(c->arena, p->n + 1, sizeof *out->high);
    int status = value_at(s, c, work, &items[n], p, out->composed, all, &whole);
    for (size_t i = 0; i < p->n && status == 0; i++)
        out->low[i] = all[i].low, out->high[i] = all[i].high;
    for (size_t k = 0; status == 0 && k < (n > 1 ? n : whole.nblocks); k++) {
        if (k == MOST_BLOCKS)
            break;
        struct derive_block *b = &out->blocks[out->nblocks++];
        b->name = n > 1 ? items[k].name : whole.blocks[k].name;
        b->value = arena_alloc(c->arena, p->n + 1, sizeof *b->value);
        for (size_t i = 0; i < p->n && n == 1; i++)
            b->value[i] = all[i].parts[k].share;
        if (n > 1)
            status = value_at(s, c, work, &items[k], p, b->value, NULL, &one);
    }
    return status;
}

static bool counts(const struct derivation *d, size_t i)
{
    return d->points->value[i] > 0 && !(d->left_out && d->left_out[i]);
}

static void find_factor(const struct derivation *d, struct derive_block *b)
{
    double along = 0, squares = 0, all = 0, left = 0, error = 0, part = 0, n = 0;
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < d->points->n; i++) {
            if (!counts(d, i))
                continue;
            double measured = d->points->value[i], r = (measured - d->composed[i]) / measured,
                   u = b->value[i] / measured, rest = r - (b->factor - 1) * u;
            if (pass == 0) {
                along += r * u, squares += u * u, all += r * r, n++;
                part += d->composed[i] != 0 ? b->value[i] / d->composed[i] : 0;
                b->factor = squares > 0 ? fmax(1 + along / squares, 0) : 1;
            } else {
                left += rest * rest;
                error += 100 * fabs(rest);
            }
        }
    b->share = n > 0 ? part / n : NAN;
    b->explains = all > 0 ? 1 - left / all : 0;
    b->left_pct = n > 0 ? error / n : NAN;
}

/* The standard error of a point's value, relative, as the repetitions of all points show it. */
static double relative_error(const struct points *p)
{
    double sum = 0, n = 0;
    for (size_t i = 0; i < p->n; i++) {
        double one = p->standard_error[i] / p->value[i];
        if (isfinite(one))
            sum += one * one, n++;
    }
    return n > 0 ? sqrt(sum / n) : 0;
}

static void find_errors(struct derivation *d)
{
    double n = 0, relative = relative_error(d->points);
    for (size_t i = 0; i < d->points->n; i++) {
        if (!counts(d, i))
            continue;
        double measured = d->points->value[i],
               error = 100 * fabs(measured - d->composed[i]) / measured,
               direct = d->direct ? 100 * fabs(measured - d->direct[i]) / measured : 0;
        n++;
        d->mean += error, d->direct_mean += direct;
        d->max = fmax(d->max, error), d->direct_max = fmax(d->direct_max, direct);
        double own = relative * measured, reach = (d->high[i] - d->low[i]) / 2;
        d->known += !isnan(reach);
        d->inside += fabs(measured - d->composed[i]) <= hypot(reach, noise_student_t(1e9) * own);
    }
    d->mean = n > 0 ? d->mean / n : NAN;
    d->direct_mean = n > 0 ? d->direct_mean / n : NAN;
    for (size_t k = 0; k < d->nblocks; k++) {
        find_factor(d, &d->blocks[k]);
        if (d->blocks[k].explains > d->blocks[d->best].explains)
            d->best = k;
    }
}

/* Relative differences above 1e154 have no squares. */
static bool is_finite(const struct derivation *d)
{
    for (size_t k = 0; k < d->nblocks; k++) {
        const struct derive_block *b = &d->blocks[k];
        if (!isfinite(b->share + b->factor + b->explains + b->left_pct))
            return false;
    }
    return isfinite(d->mean);
}

/* The error in percent; - where nothing was measured. */
static void text_error_of(FILE *out, double measured, double value)
{
    char number[NUMBER_SIZE];
    fprintf(out, " %9s",
            measured != 0 ? number_decimals(100 * (measured - value) / measured, 2, number) : "-");
}

static void text_rows(FILE *out, const struct derivation *d)
{
    const struct points *p = d->points;
    char number[NUMBER_SIZE];
    MEM_LOCAL bool *has_column = mem_alloc(p->nnames + 1, sizeof *has_column);
    for (size_t v = 0; v < p->nnames; v++)
        if ((has_column[v] = points_shown(p, v)))
            fprintf(out, " %11s", p->names[v]);
    fprintf(out, " %12s%s %12s %9s\n", "measured", d->direct ? "       direct   error %" : "",
            "composed", "error %");
    for (size_t i = 0; i < p->n; i++) {
        double measured = p->value[i];
        for (size_t v = 0; v < p->nnames; v++)
            if (has_column[v])
                fprintf(out, " %11s", number_text(p->at[v][i], number));
        fprintf(out, " %12s", number_digits(measured, 5, number));
        if (d->direct) {
            fprintf(out, " %12s", number_digits(d->direct[i], 5, number));
            text_error_of(out, measured, d->direct[i]);
        }
        fprintf(out, " %12s", number_digits(d->composed[i], 5, number));
        text_error_of(out, measured, d->composed[i]);
        fputs(d->left_out && d->left_out[i] ? "  left out\n" : "\n", out);
    }
}

static void text_blocks(FILE *out, const struct derivation *d)
{
    int width = 5;
    for (size_t k = 0; k < d->nblocks; k++)
        if ((int)strlen(d->blocks[k].name) > width)
            width = (int)strlen(d->blocks[k].name);
    fprintf(out, "  %-*s %9s %22s %10s %12s\n", width, "block", "share", "would have to take",
            "explains", "mean error");
    for (size_t k = 0; k < d->nblocks; k++) {
        const struct derive_block *b = &d->blocks[k];
        fprintf(out, "  %-*s %7.1f %% %16.3g times %8.0f %% %10.2g %%\n", width, b->name,
                100 * b->share, b->factor, 100 * b->explains, b->left_pct);
    }
}

static void text_derivation(FILE *out, const struct derivation *d)
{
    const struct derive_block *best = d->nblocks ? &d->blocks[d->best] : NULL;
    text_rows(out, d);
    if (d->direct)
        fprintf(out, "  direct:   error mean %.2g %%, max %.2g %%\n", d->direct_mean,
                d->direct_max);
    fprintf(out, "  composed: error mean %.2g %%, max %.2g %%\n", d->mean, d->max);
    if (d->known)
        fprintf(out, "  at %zu of %zu points the difference is within the uncertainty of both\n",
                d->inside, d->known);
    if (!best)
        return;
    text_blocks(out, d);
    if (d->known && d->inside >= DERIVE_INSIDE * (double)d->known)
        text_wrapped(out, "  ", "the difference is within the uncertainty of the blocks");
    else if (best->explains < DERIVE_EXPLAINS)
        text_wrapped(out, "  ",
                     "no block alone explains the difference: a part of the time is in none of "
                     "them, or several blocks differ");
    else
        text_wrapped(out, "  ",
                     "%s explains %.0f %% of the difference: if it takes %.3g times as "
                     "long as on its own, the mean error is %.2g %%",
                     best->name, 100 * best->explains, best->factor, best->left_pct);
}

static json_t *json_derivation(const struct derivation *d)
{
    const struct points *p = d->points;
    json_t *rows = json_array(), *blocks = json_array();
    for (size_t i = 0; i < p->n; i++) {
        json_add(rows, "{at:%p measured:%g direct:%g composed:%g low:%g high:%g left_out:%i}",
                 json_point(p, i), p->value[i], d->direct ? d->direct[i] : NAN, d->composed[i],
                 d->low[i], d->high[i], d->left_out && d->left_out[i]);
    }
    for (size_t k = 0; k < d->nblocks; k++) {
        const struct derive_block *b = &d->blocks[k];
        json_add(blocks, "{block:%s share:%g factor:%g explains:%g mean_pct:%g}", b->name, b->share,
                 b->factor, b->explains, b->left_pct);
    }
    return json_make(
        "{experiment:%s rows:%p direct:%p composed:{mean_pct:%g max_pct:%g} "
        "inside:%zu blocks:%p best:%s}",
        d->experiment, rows,
        d->direct ? json_make("{mean_pct:%g max_pct:%g}", d->direct_mean, d->direct_max) : NULL,
        d->mean, d->max, d->inside, blocks, d->nblocks ? d->blocks[d->best].name : NULL);
}

/* The direct fit, if the experiment has a formula; its points, or those of the experiment. */
static int take_direct(struct session *s, struct cursor *c, const struct experiment *e,
                       const char *observable, struct derivation *out)
{
    const char *which = observable ? observable : experiment_default_observable(e);
    bool formula = experiment_formula(e, which) || session_find_state(s, e->name, which);
    if (formula) {
        const struct model *m = session_model(s, e->name, observable, c->diag);
        if (!m)
            return -1;
        out->points = model_points(m);
        out->direct = model_fitted(m);
        out->left_out = model_left_out(m);
        return 0;
    }
    struct points_request *r = arena_alloc(c->arena, 1, sizeof *r);
    struct points *points = arena_zalloc(c->arena, 1, sizeof *points);
    *r = session_points(s, c->arena, e, which, NULL);
    out->points = points;
    if (points_make(c->arena, r, c->diag, points))
        return -1;
    return points_check(points, c->diag);
}

int command_derive(struct session *s, struct cursor *c)
{
    const char *observable = NULL;
    struct compose_definition items[MOST_BLOCKS];
    size_t n = 0;
    const struct experiment *e = read_experiment(s, c);
    if (!e || read_observable(c, &observable))
        return -1;
    if (!cursor_keyword(c, "from"))
        return cursor_error_here(c, "'from' is expected here: derive %s from EXPRESSION, ...",
                                 e->name);
    if (read_items(s, c, items, &n))
        return -1;
    struct derivation *d = arena_zalloc(c->arena, 1, sizeof *d);
    d->experiment = e->name;
    if (take_direct(s, c, e, observable, d) || find_blocks(s, c, items, n, d))
        return -1;
    find_errors(d);
    if (isnan(d->mean))
        return diag_error(c->diag, "no point of %s can be compared: all values are 0 or left out",
                          e->name);
    if (!is_finite(d))
        return diag_error(
            c->diag,
            "the blocks cannot be compared with %s: their values are too large or no numbers",
            e->name);
    if (s->json) {
        json_print(s->out, "%p", json_derivation(d));
    } else {
        text_observable(s->out, observable ? observable : experiment_default_observable(e));
        text_derivation(s->out, d);
    }
    return 0;
}
