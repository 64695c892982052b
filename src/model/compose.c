/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The value of a composition and its uncertainty. A first walk finds the value and the number of
 * references, a second one the slopes. The variance is that of the constants, block by block, with
 * the noise that executions of the blocks have; Student's t takes the degrees of freedom of all.
 */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "model/compose_internal.h"
#include "base/text.h"
#include "numeric/products.h"

void compose_begin(struct composition *c)
{
    c->ncolumns = 0;
    for (size_t i = 0; i < c->nblocks; i++) {
        c->blocks[i].first = c->ncolumns;
        c->ncolumns += c->blocks[i].model->structure.ncolumns;
    }
}

static const struct model **own_models(struct arena *a, const struct composition *c)
{
    const struct model **models = arena_alloc(a, c->nblocks + 1, sizeof *models);
    for (size_t b = 0; b < c->nblocks; b++)
        models[b] = c->blocks[b].model;
    return models;
}

/* ---- sums of values */

/* One of a list; `duals` has those before it. */
static int walk_value(struct compose_evaluation *e, const struct compose_value *v,
                      const struct compose_dual *duals, struct compose_dual *out)
{
    struct compose_definition own = {.name = "the formula",
                                     .source = v->source}; /* without a text: it is no definition */
    struct compose_binding *scope = arena_zalloc(e->arena, v->n + 1, sizeof *scope);
    for (size_t i = 0; i < v->n; i++) {
        bool fitted = v->by[i] != SIZE_MAX;
        scope[i] = (struct compose_binding){
            .name = v->names[i],
            .value = fitted && duals
                         ? duals[v->by[i]]
                         : (struct compose_dual){.value = v->values[i], .fitted = fitted},
            .up = i ? &scope[i - 1] : NULL};
    }
    e->definition = &own;
    return compose_walk(e, v->formula, v->n ? &scope[v->n - 1] : NULL, 0, out);
}

enum need { NEED_NONE, NEED_ADDED, NEED_INSIDE };

/* Which values of the list are added, and which ones are inside of those. */
static enum need *find_needed(struct arena *a, const struct compose_sum *sum)
{
    enum need *needed = arena_zalloc(a, sum->n + 1, sizeof *needed);
    for (size_t i = sum->n; i-- > 0;) {
        const struct compose_value *v = &sum->list[i];
        if (!needed[i] && v->times != 0)
            needed[i] = NEED_ADDED;
        for (size_t k = 0; needed[i] && k < v->n; k++)
            if (v->by[k] != SIZE_MAX)
                needed[v->by[k]] = NEED_INSIDE;
    }
    return needed;
}

static void add_times(const struct compose_evaluation *e, const struct compose_dual *value,
                      double times, struct compose_dual *out)
{
    out->value += times * value->value;
    out->fitted = true;
    for (size_t k = 0; value->slopes && out->slopes && k < e->width; k++)
        out->slopes[k] += times * value->slopes[k];
}

static int walk_list(struct compose_evaluation *e, struct compose_dual *out)
{
    const struct compose_sum *sum = e->sum;
    struct arena *outer = e->arena;
    ARENA_LOCAL struct arena *kept = arena_create(), *each = arena_create();
    const enum need *needed = find_needed(kept, sum);
    struct compose_dual *duals = arena_zalloc(kept, sum->n + 1, sizeof *duals);
    int status = 0;
    *out = (struct compose_dual){.value = sum->rest};
    if (e->with_slopes)
        out->slopes = arena_zalloc(outer, e->width + 1, sizeof *out->slopes);
    for (size_t i = 0; i < sum->n && status == 0; i++) {
        if (!needed[i])
            continue;
        arena_reset(each);
        e->arena = needed[i] == NEED_INSIDE ? kept : each;
        status = walk_value(e, &sum->list[i], duals, &duals[i]);
        if (status == 0 && sum->list[i].times != 0)
            add_times(e, &duals[i], sum->list[i].times, out);
    }
    e->arena = outer;
    return status;
}

int compose_compute(struct arena *a, const struct composition *c, struct compose_value *v,
                    struct diag *diag)
{
    const struct model **models = own_models(a, c);
    struct compose_evaluation e = {
        .arena = a, .lasting = a, .c = c, .models = models, .diag = diag};
    struct compose_dual value;
    if (walk_value(&e, v, NULL, &value))
        return -1;
    v->value = value.value;
    return 0;
}

/* ---- the value and its interval */

/* The value with these models. */
static int value_with(struct compose_evaluation *e, const struct compose_definition *d,
                      const struct compose_binding *scope, struct compose_dual *out)
{
    e->definition = d;
    e->steps = 0;
    e->nknown = 0;
    return e->sum ? walk_list(e, out) : compose_walk(e, d->formula, scope, 0, out);
}

/* The value with other models, which must not report anything; false without one. */
static bool value_of(struct compose_evaluation *e, const struct compose_definition *d,
                     const struct compose_binding *scope, const struct model *const *models,
                     double *value)
{
    struct compose_evaluation other = *e;
    struct compose_dual out;
    other.models = models;
    other.diag = NULL;
    other.parts = NULL;
    other.with_slopes = false;
    if (value_with(&other, d, scope, &out))
        return false;
    *value = out.value;
    return true;
}

/* How much the value varies if the data of the block are drawn anew and everything is selected
 * again. */
static double selection_variance(struct compose_evaluation *e, const struct compose_definition *d,
                                 const struct compose_binding *scope, const struct model **models,
                                 size_t block)
{
    const struct model *own = models[block];
    const struct model_resamples *r = &own->resamples;
    double sum = 0, squares = 0, n = 0, value;
    for (size_t i = 0; i < r->n; i++) {
        models[block] = r->list[i];
        if (!value_of(e, d, scope, models, &value))
            continue;
        sum += value, squares += value * value, n++;
    }
    models[block] = own;
    return n > 1 ? r->part * fmax((squares - sum * sum / n) / (n - 1), 0) : 0;
}

/* How much it varies with the figures of the machine, which are drawn for all blocks at once. */
static double machine_variance(struct compose_evaluation *e, const struct compose_definition *d,
                               const struct compose_binding *scope, const struct model **models,
                               double value)
{
    double sum = 0, n = 0, other;
    size_t draws = 0;
    for (size_t b = 0; b < e->c->nblocks; b++)
        draws = models[b]->draws.n > draws ? models[b]->draws.n : draws;
    for (size_t i = 0; i < draws; i++) {
        for (size_t b = 0; b < e->c->nblocks; b++)
            if (i < e->c->blocks[b].model->draws.n)
                models[b] = e->c->blocks[b].model->draws.list[i];
        if (value_of(e, d, scope, models, &other))
            sum += (other - value) * (other - value), n++;
        for (size_t b = 0; b < e->c->nblocks; b++)
            models[b] = e->c->blocks[b].model;
    }
    return n > 0 ? sum / n : 0;
}

/* The noise of the references to a block: their own, and that of their runs. */
static void noise_of(const struct compose_evaluation *e, const double *slopes, size_t block,
                     double *own, double *of_runs)
{
    *own = *of_runs = 0;
    for (size_t i = 0; i < e->nreferences; i++) {
        const double *s = slopes + e->c->ncolumns + e->c->nblocks + 2 * i;
        if (e->references[i].block != block)
            continue;
        *own += s[0] * s[0];
        *of_runs += s[1] * s[1];
    }
}

static bool takes_part(const struct compose_evaluation *e, const double *slopes, size_t block)
{
    const struct compose_block *b = &e->c->blocks[block];
    for (size_t j = 0; j < b->model->structure.ncolumns; j++)
        if (slopes[b->first + j] != 0)
            return true;
    return false;
}

/* Whether it adds times, and perhaps a number, and subtracts nothing: then it is not negative. */
static bool adds_times(const struct composed *value, size_t nblocks)
{
    bool adds = value->is_time;
    double sum = 0;
    for (size_t b = 0; b < nblocks; b++) {
        adds = adds && value->parts[b].share >= 0;
        sum += value->parts[b].share;
    }
    return adds && value->value >= sum - COMPOSE_SAME_PLACE * sum;
}

/* Variances and their degrees of freedom: of each block what its runs cause, and the rest. With `sides` only what the runs cause. */
static void set_interval(struct compose_evaluation *e, const struct compose_definition *d,
                         const struct compose_binding *scope, const struct model **models,
                         const double *slopes, struct composed *out)
{
    double total = 0, divided = 0, constants = 0, allowance = 0;
    for (size_t b = 0; b < e->c->nblocks; b++) {
        const struct model *m = models[b];
        const double *own = slopes + e->c->blocks[b].first;
        double noise, fresh, k = (double)0;
        out->parts[b].share = slopes[e->c->ncolumns + b];
        if (!takes_part(e, slopes, b))
            continue;
        if (m->noise.dof <= 0) {
            out->unknown = e->c->blocks[b].name;
            continue;
        }
        size_t columns = m->structure.ncolumns;
        double variance = fmax(products_quadratic(own, m->solution.covariance, columns), 0),
               of_runs = fmax(products_quadratic(own, m->solution.of_runs, columns), 0);
        if (!e->sides)
            variance = fmax(variance, selection_variance(e, d, scope, models, b));
        out->parts[b].variance = variance;
        constants += variance;
        allowance += fabs(out->parts[b].share) * predict_formula_error(m, &out->parts[b].at);
        noise_of(e, slopes, b, &noise, &fresh);
        k = m->noise.runs_dof > 0 ? fmin(of_runs, variance) + fresh : 0;
        double rest = variance + noise + fresh - k;
        total += rest + k;
        divided += rest * rest / m->noise.dof;
        if (k > 0)
            divided += k * k / m->noise.runs_dof;
    }
    double machine = e->sides ? 0 : machine_variance(e, d, scope, models, out->value);
    total += machine;
    out->standard_error = sqrt(constants + machine);
    double t = divided > 0 ? noise_student_t(total * total / divided) : noise_student_t(1e9);
    double reach = fmax(t * sqrt(total), allowance);
    out->low = out->value - reach;
    if (adds_times(out, e->c->nblocks))
        out->low = fmax(out->low, 0);
    out->high = out->value + reach;
    if (out->unknown || e->c->nblocks == 0 || !isfinite(reach))
        out->low = out->high = out->standard_error = NAN;
}

/* Whether the value is a sum of shares of times. Numbers that are added to times are times. */
static bool is_time(const struct compose_evaluation *e, const double *slopes,
                    const struct compose_dual *value)
{
    double sum = 0;
    bool any = false;
    for (size_t b = 0; b < e->c->nblocks; b++) {
        sum += slopes[e->c->ncolumns + b];
        if (!takes_part(e, slopes, b))
            continue;
        any = true;
        if (strcmp(points_unit(e->models[b]->points.request), "s") != 0)
            return false;
    }
    return any &&
           (!value->bent || fabs(sum - value->value) <= COMPOSE_SAME_PLACE * fabs(value->value));
}

/* Widens the bounds to the interval that the value has with these sides of gaps. */
static void include_sides(const struct compose_evaluation *e, const struct compose_definition *d,
                          const struct compose_binding *scope, const struct model **models,
                          const enum gap_side *sides, const struct composed *mixed, double *low,
                          double *high)
{
    struct compose_evaluation other = *e;
    struct compose_dual value;
    struct composed out = {.is_time = mixed->is_time};
    other.sides = sides;
    other.diag = NULL;
    if (value_with(&other, d, scope, &value) || !value.slopes)
        return;
    out.value = value.value;
    out.parts = arena_alloc(e->arena, e->c->nblocks, sizeof *out.parts);
    memcpy(out.parts, mixed->parts, e->c->nblocks * sizeof *out.parts);
    set_interval(&other, d, scope, models, value.slopes, &out);
    *low = fmin(*low, out.low);
    *high = fmax(*high, out.high);
}

/* In the gap of a boundary the interval contains those of both sides. The blocks are independent. */
static void add_gaps(const struct compose_evaluation *e, const struct compose_definition *d,
                     const struct compose_binding *scope, const struct model **models,
                     struct composed *out)
{
    double down = 0, up = 0;
    enum gap_side *sides = arena_zalloc(e->arena, e->c->nblocks + 1, sizeof *sides);
    for (size_t b = 0; b < e->c->nblocks; b++) {
        double low = out->low, high = out->high;
        if (out->parts[b].at.ngaps == 0)
            continue;
        sides[b] = GAP_BELOW;
        include_sides(e, d, scope, models, sides, out, &low, &high);
        sides[b] = GAP_ABOVE;
        include_sides(e, d, scope, models, sides, out, &low, &high);
        sides[b] = GAP_MIXED;
        down = hypot(down, out->low - low);
        up = hypot(up, high - out->high);
    }
    out->low -= down;
    out->high += up;
    if (adds_times(out, e->c->nblocks))
        out->low = fmax(out->low, 0);
}

/* After the walk that found the value: a second one finds the slopes. */
static int find_interval(struct compose_evaluation *e, const struct compose_definition *d,
                         const struct compose_binding *scope, const struct model **models,
                         struct composed *out)
{
    struct compose_dual value;
    if (!isfinite(out->value))
        return diag_error(e->diag, "%s has no value there: it is beyond the range of numbers",
                          d->name);
    e->parts = NULL;
    e->with_slopes = true;
    e->width = e->c->ncolumns + e->c->nblocks + 2 * e->nreferences;
    if (value_with(e, d, scope, &value))
        return -1;
    double *slopes =
        value.slopes ? value.slopes : arena_zalloc(e->arena, e->width + 1, sizeof *slopes);
    out->is_time = is_time(e, slopes, &value);
    set_interval(e, d, scope, models, slopes, out);
    if (isfinite(out->low))
        add_gaps(e, d, scope, models, out);
    return 0;
}

/* The given variables as bindings; of a definition with parameters only these. */
static const struct compose_binding *bind_place(struct arena *a, const struct compose_definition *d,
                                                const struct place *place, bool *used)
{
    struct compose_binding *list = arena_zalloc(a, place->n + 1, sizeof *list);
    const struct compose_binding *up = NULL;
    for (size_t i = 0; i < place->n; i++) {
        if (d->has_parameters && !text_is_in(d->parameters, d->nparameters, place->names[i]))
            continue;
        list[i] = (struct compose_binding){
            place->names[i], {.value = place->values[i]}, used ? &used[i] : NULL, up};
        up = &list[i];
    }
    return up;
}

static int check_parameters(const struct compose_definition *d, const struct place *place,
                            struct diag *diag)
{
    for (size_t i = 0; i < d->nparameters; i++) {
        size_t k = 0;
        while (k < place->n && strcmp(place->names[k], d->parameters[i]) != 0)
            k++;
        if (k < place->n)
            continue;
        return diag_error(diag,
                          "the prediction needs a value of %s: give %s=VALUE, or a range such as "
                          "%s=1000:8000:2",
                          d->parameters[i], d->parameters[i], d->parameters[i]);
    }
    return 0;
}

/* Every variable that is given must be a parameter, or used. */
static int check_used(struct arena *a, const struct compose_definition *d,
                      const struct place *place, const bool *used, struct diag *diag)
{
    const char *has = "";
    for (size_t i = 0; i < d->nparameters; i++)
        has = arena_printf(a, "%s%s%s", has, i ? ", " : "", d->parameters[i]);
    for (size_t i = 0; i < place->n && !d->has_parameters; i++)
        if (used[i])
            has = arena_printf(a, "%s%s%s", has, *has ? ", " : "", place->names[i]);
    for (size_t i = 0; i < place->n; i++) {
        if (d->has_parameters ? text_is_in(d->parameters, d->nparameters, place->names[i])
                              : used[i])
            continue;
        return diag_error(diag, "%s has no variable '%s'%s%s", d->name, place->names[i],
                          *has ? ": it has " : "", has);
    }
    return 0;
}

int compose_predict(struct arena *a, const struct composition *c,
                    const struct compose_definition *d, const struct place *place,
                    struct diag *diag, struct composed *out)
{
    bool *used = arena_zalloc(a, place->n + 1, sizeof *used);
    const struct model **models = own_models(a, c);
    const struct compose_binding *scope = bind_place(a, d, place, used);
    struct compose_dual value;
    memset(out, 0, sizeof *out);
    out->parts = arena_zalloc(a, c->nblocks + 1, sizeof *out->parts);
    out->place = *place;
    struct compose_evaluation e = {
        .arena = a, .lasting = a, .c = c, .models = models, .diag = diag, .parts = out->parts};
    if (check_parameters(d, place, diag) || value_with(&e, d, scope, &value) ||
        (!c->any_place && check_used(a, d, place, used, diag)))
        return -1;
    out->value = value.value;
    return find_interval(&e, d, scope, models, out);
}

int compose_predict_sum(struct arena *a, const struct composition *c, const struct compose_sum *sum,
                        struct diag *diag, struct composed *out)
{
    const struct compose_definition none = {.name = "the time"};
    const struct model **models = own_models(a, c);
    struct compose_dual value;
    memset(out, 0, sizeof *out);
    out->parts = arena_zalloc(a, c->nblocks + 1, sizeof *out->parts);
    struct compose_evaluation e = {.arena = a,
                                   .lasting = a,
                                   .c = c,
                                   .models = models,
                                   .sum = sum,
                                   .diag = diag,
                                   .parts = out->parts};
    if (value_with(&e, &none, NULL, &value))
        return -1;
    out->value = value.value;
    if (find_interval(&e, &none, NULL, models, out))
        return -1;
    out->is_time = true;
    out->low = isnan(out->low) ? out->low : fmax(out->low, 0);
    return 0;
}

double compose_measured(struct arena *a, const struct composition *c,
                        const struct compose_definition *d, const struct place *place)
{
    struct compose_dual value;
    struct compose_evaluation e = {
        .arena = a, .lasting = a, .c = c, .models = own_models(a, c), .measured = true};
    return value_with(&e, d, bind_place(a, d, place, NULL), &value) ? (double)NAN : value.value;
}
