/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The range is looked at in CROSSOVER_STEPS steps, by factors. Where the order of the values changes between two places,
 * halving finds the crossing. The order is not certain around it; the nearest places on both sides at which it is certain
 * bound its interval, and halving finds the ends.
 */
#include "llac/rank/crossover.h"

#include <math.h>
#include <stdint.h>

#include "base/interrupt.h"
#include "llac/rank/thresholds.h"

/* ---- values */

/* 95 % quantile: what runs cause has other degrees of freedom (Welch and Satterthwaite). */
static double quantile_of(const struct model_noise *noise, double variance, double of_runs)
{
    double rest = variance - of_runs, below = rest > 0 ? rest * rest / noise->dof : 0;
    if (of_runs > 0 && noise->runs_dof > 0)
        below += of_runs * of_runs / noise->runs_dof;
    return noise_student_t(below > 0 ? variance * variance / below : noise->dof);
}

static struct rank_value of_model(const struct model *m, const struct prediction *p)
{
    const struct model_noise *noise = model_noise(m);
    if (p->nextrapolates || p->nbeyond || p->unmeasured || isnan(p->variance) || !(noise->dof > 0))
        return (struct rank_value){p->value, p->low, p->high};
    double half = quantile_of(noise, p->variance, p->of_runs) * sqrt(p->variance);
    return (struct rank_value){p->value, fmax(p->value - half, 0), p->value + half};
}

/* The uncertainty of a definition comes from all its models; that with the fewest degrees of freedom counts. */
static struct rank_value of_definition(const struct composition *c, const struct composed *p)
{
    double dof = INFINITY;
    bool inside = true;
    for (size_t i = 0; i < c->nblocks; i++) {
        dof = fmin(dof, model_noise(c->blocks[i].model)->dof);
        inside = inside && !p->parts[i].at.nextrapolates && !p->parts[i].at.unmeasured;
    }
    if (!inside || isnan(p->standard_error) || !(dof > 0))
        return (struct rank_value){p->value, p->low, p->high};
    double half = noise_student_t(dof) * p->standard_error;
    return (struct rank_value){p->value, fmax(p->value - half, 0), p->value + half};
}

static int value_of(struct arena *work, const struct crossover_side *side, double x,
                    struct diag *diag, struct rank_value *out)
{
    double *values = arena_alloc(work, side->place.n + 1, sizeof *values);
    for (size_t i = 0; i < side->place.n; i++)
        values[i] = i == side->over ? x : side->place.values[i];
    struct place place = {side->place.names, values, side->place.n};
    struct prediction p;
    struct composed composed;
    if (side->model) {
        if (model_predict(work, side->model, &place, diag, &p))
            return -1;
        *out = of_model(side->model, &p);
    } else {
        if (compose_predict(work, side->composition, side->definition, &place, diag, &composed))
            return -1;
        *out = of_definition(side->composition, &composed);
    }
    return isfinite(out->value) ? 0 : -1;
}

static double place_at(const struct crossover *c, double part)
{
    if (part <= 0 || part >= 1)
        return part <= 0 ? c->from : c->to;
    return c->from > 0 ? c->from * pow(c->to / c->from, part) : c->from + part * (c->to - c->from);
}

static int pair_at(struct arena *work, const void *context, double part, struct rank_value *a,
                   struct rank_value *b)
{
    const struct crossover *c = context;
    double x = place_at(c, part);
    DIAG_LOCAL struct diag *quiet = diag_create();
    int status =
        value_of(work, &c->sides[0], x, quiet, a) || value_of(work, &c->sides[1], x, quiet, b);
    return status ? -1 : 0;
}

/* ---- the range */

static void find_range(struct crossover *c)
{
    double least = fmin(c->sides[0].least, c->sides[1].least),
           most = fmax(c->sides[0].most, c->sides[1].most);
    c->least = fmax(c->sides[0].least, c->sides[1].least);
    c->most = fmin(c->sides[0].most, c->sides[1].most);
    c->from = least > 0 ? least / CROSSOVER_BEYOND : least;
    c->to = most > 0 ? most * CROSSOVER_BEYOND : most;
    if (c->end > most)
        c->to = c->end;
    if (c->end < least)
        c->from = c->end;
}

/* The places of the steps. */
struct steps {
    struct rank_value a[CROSSOVER_STEPS + 1], b[CROSSOVER_STEPS + 1];
    enum order order[CROSSOVER_STEPS + 1]; /* UNKNOWN also where a side has no value */
    bool valued[CROSSOVER_STEPS + 1];
    int larger[CROSSOVER_STEPS + 1]; /* 1: the second value, -1: the first one, 0: neither */
    bool
        changes[CROSSOVER_STEPS + 1]; /* since the last step with a larger one, it is another one */
};

static double part_of(size_t step)
{
    return (double)step / CROSSOVER_STEPS;
}

static int larger_of(struct rank_value a, struct rank_value b)
{
    bool same = fabs(b.value - a.value) <= RANK_SAME_VALUE * fmax(fabs(a.value), fabs(b.value));
    return same ? 0 : b.value > a.value ? 1 : -1;
}

/* -1 with an error if there is no place with values, or the user interrupts. */
static int walk(struct crossover *c, struct steps *s, struct diag *diag)
{
    ARENA_LOCAL struct arena *work = arena_create();
    size_t n = 0;
    for (size_t i = 0; i <= CROSSOVER_STEPS && !interrupt_came(); i++) {
        s->valued[i] = pair_at(work, c, part_of(i), &s->a[i], &s->b[i]) == 0;
        s->order[i] = s->valued[i] ? order_of(s->a[i], s->b[i]) : ORDER_UNKNOWN;
        s->larger[i] = s->valued[i] ? larger_of(s->a[i], s->b[i]) : 0;
        n += s->valued[i];
        c->known = c->known || s->order[i] != ORDER_UNKNOWN;
        arena_reset(work);
    }
    int status = interrupt_came() ? -1 : 0;
    c->whole = n == CROSSOVER_STEPS + 1;
    for (size_t k = 0; k < 2 && !status && n == 0; k++) { /* the reason */
        struct rank_value v;
        if (value_of(work, &c->sides[k], sqrt(fmax(c->from * c->to, 0)), diag, &v))
            status = -1;
    }
    if (!status && n == 0)
        status = diag_error(diag, "%s and %s have no values at the same %s", c->sides[0].name,
                            c->sides[1].name, c->over);
    return status;
}

/* ---- crossings */

static bool is_doubtful(const struct steps *s, size_t step)
{
    return s->order[step] == ORDER_DOUBTFUL;
}

static bool is_certain(const struct steps *s, size_t step)
{
    return s->order[step] == ORDER_FIRST || s->order[step] == ORDER_SECOND;
}

/* The steps between which the order is not certain: from..to, of which the first and the last are certain, unless the
 * range ends there (SIZE_MAX) or the uncertainty is not known. */
struct zone {
    size_t before, after;
    bool known;
};

/* Around the change between two steps, or around a doubtful step. */
static struct zone zone_around(const struct steps *s, size_t left, size_t right)
{
    struct zone z = {SIZE_MAX, SIZE_MAX, true};
    for (size_t i = left + 1; i-- > 0;)
        if (!is_doubtful(s, i)) {
            z.before = i;
            break;
        }
    for (size_t i = right; i <= CROSSOVER_STEPS; i++)
        if (!is_doubtful(s, i)) {
            z.after = i;
            break;
        }
    z.known = (z.before == SIZE_MAX || is_certain(s, z.before)) &&
              (z.after == SIZE_MAX || is_certain(s, z.after));
    return z;
}

/* The ends of a zone; `first` and `last` are parts inside of it. */
static void find_ends(const struct crossover *c, const struct zone *z, double first, double last,
                      double *low, double *high)
{
    *low = *high = NAN;
    if (z->known && z->before != SIZE_MAX)
        *low = place_at(c, order_edge(pair_at, c, part_of(z->before), first));
    if (z->known && z->after != SIZE_MAX)
        *high = place_at(c, order_edge(pair_at, c, part_of(z->after), last));
}

static size_t changes_in(const struct steps *s, const struct zone *z)
{
    size_t n = 0, from = z->before == SIZE_MAX ? 0 : z->before,
           to = z->after == SIZE_MAX ? CROSSOVER_STEPS : z->after;
    for (size_t i = from + 1; i <= to; i++)
        n += s->changes[i];
    return n;
}

static bool is_beyond(const struct crossover_side *side, double x)
{
    return x < side->least || x > side->most;
}

static void add_crossing(struct crossover *c, const struct steps *s, size_t left, size_t right)
{
    struct zone z = zone_around(s, left, right);
    struct crossing *x = &c->crossings[c->ncrossings++];
    double part = order_change(pair_at, c, part_of(left), part_of(right)), low, high;
    double first = z.before == left ? part : part_of(z.before == SIZE_MAX ? 0 : z.before + 1),
           last = z.after == right ? part
                                   : part_of(z.after == SIZE_MAX ? CROSSOVER_STEPS : z.after - 1);
    find_ends(c, &z, first, last, &low, &high);
    *x = (struct crossing){.at = place_at(c, part),
                           .low = low,
                           .high = high,
                           .less = s->larger[right] > 0 ? 0 : 1,
                           .known = z.known};
    x->certain = z.known && z.before != SIZE_MAX && z.after != SIZE_MAX &&
                 s->order[z.before] != s->order[z.after] && changes_in(s, &z) == 1;
    for (size_t k = 0; k < 2; k++)
        x->beyond[k] = is_beyond(&c->sides[k], x->at);
}

/* Doubtful steps without a predicted crossing. Returns the step after them. */
static size_t add_doubt(struct crossover *c, const struct steps *s, size_t step)
{
    struct zone z = zone_around(s, step, step);
    size_t last = z.after == SIZE_MAX ? CROSSOVER_STEPS : z.after - 1;
    if (changes_in(s, &z) == 0) {
        struct crossover_doubt *d = &c->doubts[c->ndoubts++];
        find_ends(c, &z, part_of(step), part_of(last), &d->low, &d->high);
    }
    return last + 1;
}

/* Fills `changes`, and what is known of the order from one end of the range to the other. */
static void find_changes(struct crossover *c, struct steps *s)
{
    size_t last = SIZE_MAX;
    bool gap = false;
    for (size_t i = 0; i <= CROSSOVER_STEPS; i++) {
        gap |= !s->valued[i];
        if (!s->larger[i])
            continue;
        bool another = last != SIZE_MAX && s->larger[i] != s->larger[last];
        c->hidden |= another && gap;
        s->changes[i] = another && !gap;
        if (last == SIZE_MAX)
            c->less = s->larger[i] > 0 ? 0 : 1;
        last = i;
        gap = false;
    }
    c->same = last == SIZE_MAX;
}

static int check_range(const struct crossover *c, struct diag *diag)
{
    double least = fmin(c->sides[0].least, c->sides[1].least),
           most = fmax(c->sides[0].most, c->sides[1].most);
    if (isnan(least))
        diag_error(diag,
                   "%s was measured neither with %s nor with %s: call the parameter as the "
                   "variable of the experiments is called",
                   c->over, c->sides[0].name, c->sides[1].name);
    else if (c->end >= least && c->end <= most && least < most)
        diag_error(diag,
                   "%s=%g is inside the data, which are from %g to %g: 'to' gives an end beyond "
                   "them",
                   c->over, c->end, least, most);
    else if (!(c->from < c->to))
        diag_error(diag, "%s has one value in the data: give another end, as in to %s=VALUE",
                   c->over, c->over);
    else
        return 0;
    return -1;
}

int crossover_find(struct arena *a, struct crossover *c, struct diag *diag)
{
    struct steps *s = arena_zalloc(a, 1, sizeof *s);
    find_range(c);
    if (check_range(c, diag) || walk(c, s, diag))
        return -1;
    find_changes(c, s);
    c->crossings = arena_zalloc(a, CROSSOVER_STEPS + 1, sizeof *c->crossings);
    c->doubts = arena_zalloc(a, CROSSOVER_STEPS + 1, sizeof *c->doubts);
    for (size_t i = 0, left = 0; i <= CROSSOVER_STEPS && !interrupt_came(); i++) {
        if (s->changes[i])
            add_crossing(c, s, left, i);
        left = s->larger[i] ? i : left;
    }
    for (size_t i = 0; i <= CROSSOVER_STEPS && !interrupt_came();)
        i = is_doubtful(s, i) ? add_doubt(c, s, i) : i + 1;
    return interrupt_came() ? -1 : 0;
}
