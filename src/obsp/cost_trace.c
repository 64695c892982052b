/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * g and L from the trace itself. A processor that arrived last among its incoming partners did not wait
 * for any of them: the time of its synchronisation (wait and transfer) is g*h + L. Which one was the last
 * follows from the clocks of the processes; they begin together, and a wrong guess adds a time that is
 * too long, so the median over the supersteps with the same h counts.
 *
 * Barriers and oblivious synchronisations have costs of their own. Barriers of objects with different
 * numbers of processors have, too; an oblivious synchronisation costs the same in every object.
 *
 * Over h, the costs are one line if one line explains them. Otherwise the search for pieces
 * (numeric/pieces.h) finds intervals of h with a line each; with too few sizes for that, lines connect
 * the sizes.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "numeric/lsq.h"
#include "numeric/pieces.h"
#include "numeric/stats.h"
#include "obsp/cost.h"
#include "obsp/evaluate.h"

enum {
    SAMPLES = 128,   /* that are kept of one h */
    PER_OCTAVE = 64, /* sizes that differ by less than a part of an octave count as one */
    MOST_SIZES = 1 << 15
};

/* All supersteps of a kind with about the same h. */
struct size {
    enum obsp_kind kind;
    int nprocs; /* 0: any */
    long key;   /* of h */
    double sum; /* of h */
    size_t count;
    double samples[SAMPLES];
    struct size *next; /* in its bucket */
};

struct sizes {
    struct arena *arena;
    struct size **list;
    size_t n, capacity;
    struct size *buckets[1024];
    unsigned random;
};

/* ---- samples */

static long key_of(double h)
{
    int exponent;
    double mantissa = frexp(h, &exponent);
    return h > 0 ? (long)exponent * PER_OCTAVE + (long)(mantissa * 2 * PER_OCTAVE) : -1;
}

static struct size *size_of(struct sizes *s, enum obsp_kind kind, int nprocs, double h)
{
    long key = key_of(h);
    struct size *
        *bucket = &s->buckets[((unsigned long)key * 31 + (unsigned long)nprocs * 17 + kind) % 1024],
       *found = *bucket;
    while (found && (found->key != key || found->nprocs != nprocs || found->kind != kind))
        found = found->next;
    if (found || s->n == MOST_SIZES)
        return found;
    found = arena_zalloc(s->arena, 1, sizeof *found);
    found->kind = kind;
    found->nprocs = nprocs;
    found->key = key;
    found->next = *bucket;
    *bucket = found;
    s->list = arena_grow(s->arena, s->list, s->n, &s->capacity, s->n + 1, sizeof *s->list);
    s->list[s->n++] = found;
    return found;
}

/* Keeps a sample; of many, each has the same chance to be kept. */
static void add_sample(struct sizes *s, struct size *size, double seconds)
{
    size_t at = size->count;
    if (at >= SAMPLES) {
        s->random = s->random * 1664525u + 1013904223u;
        at = (size_t)(((unsigned long long)s->random * (size->count + 1)) >> 32);
    }
    if (at < SAMPLES)
        size->samples[at] = seconds;
    size->count++;
}

static void take_sample(void *user, const struct obsp_span *span)
{
    struct sizes *s = user;
    if ((span->kind != OBSP_SYNC && span->kind != OBSP_OBLSYNC) || span->last != span->process)
        return;
    struct size *size = size_of(s, span->kind, span->kind == OBSP_SYNC ? span->nprocs : 0, span->h);
    if (!size)
        return;
    size->sum += span->h;
    add_sample(s, size, span->wait + span->transfer);
}

static int by_place(const void *x, const void *y)
{
    const struct size *a = *(struct size *const *)x, *b = *(struct size *const *)y;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    if (a->nprocs != b->nprocs)
        return a->nprocs < b->nprocs ? -1 : 1;
    return a->key < b->key ? -1 : a->key > b->key;
}

/* ---- lines over h */

/* What one curve is found from, ascending by h. */
struct points {
    double *h, *seconds, *count;
    size_t n, supersteps;
};

static struct points points_of(struct arena *a, struct size *const *list, size_t n)
{
    struct points p = {arena_alloc(a, n + 1, sizeof(double)), arena_alloc(a, n + 1, sizeof(double)),
                       arena_alloc(a, n + 1, sizeof(double)), n, 0};
    for (size_t i = 0; i < n; i++) {
        size_t kept = list[i]->count < SAMPLES ? list[i]->count : SAMPLES;
        p.h[i] = list[i]->sum / (double)list[i]->count;
        p.seconds[i] = fmax(stats_quantile(list[i]->samples, kept, COST_QUANTILE), 1e-9);
        p.count[i] = (double)list[i]->count;
        p.supersteps += list[i]->count;
    }
    return p;
}

static double line_at(const struct obsp_line *lines, size_t n, double h)
{
    for (size_t i = 1; i < n && h >= lines->high; i++)
        lines++;
    return lines->g * h + lines->L;
}

/* Of the time that the supersteps of all sizes took: the part by which the lines are off. */
static double error_of(const struct points *p, const struct obsp_line *lines, size_t n)
{
    double off = 0, all = 0;
    for (size_t i = 0; i < p->n; i++) {
        off += p->count[i] * fabs(line_at(lines, n, p->h[i]) - p->seconds[i]);
        all += p->count[i] * p->seconds[i];
    }
    return off / all;
}

/* Row i of the least-squares problem: relative errors, and a size that many supersteps have counts
 * more. */
static double weight(const struct points *p, size_t i)
{
    return sqrt(p->count[i]) / p->seconds[i];
}

/* One line through all points. */
static struct obsp_line one_line(struct arena *a, const struct points *p)
{
    struct lsq *l = lsq_create(a, 2);
    struct lsq_solution s;
    bool active[2];
    if (p->n == 1 && p->h[0] > 0) /* one size cannot tell g from L */
        return (struct obsp_line){.high = INFINITY, .g = p->seconds[0] / p->h[0]};
    for (size_t i = 0; i < p->n; i++) {
        double w = weight(p, i), row[2] = {w, w * p->h[i]};
        lsq_add(l, row, w * p->seconds[i]);
    }
    lsq_finish(l);
    lsq_solve_nonneg(a, l, NULL, NULL, active, &s);
    return (struct obsp_line){0, INFINITY, s.x[1], s.x[0], s.x[0]};
}

/* Values of the constants in the pieces that were found. */
static void solve_pieces(struct arena *a, const struct points *p, const struct pieces *found,
                         double *values)
{
    struct lsq *l = lsq_create(a, found->n);
    double *row = arena_alloc(a, found->n, sizeof *row);
    bool *active = arena_alloc(a, found->n, sizeof *active);
    struct lsq_solution s;
    for (size_t i = 0; i < p->n; i++) {
        double w = weight(p, i);
        if (found->outlier[i])
            continue;
        for (size_t k = 0; k < found->n; k++)
            row[k] = w * (found->list[k].constant ? p->h[i] : 1) *
                     pieces_share(found, &found->list[k], 1, &p->h[i]);
        lsq_add(l, row, w * p->seconds[i]);
    }
    lsq_finish(l);
    lsq_solve_nonneg(a, l, NULL, NULL, active, &s);
    memcpy(values, s.x, found->n * sizeof *values);
}

/* Intervals of h, each with its line. */
static const struct obsp_line *search_lines(struct arena *a, const struct points *p, size_t *n)
{
    struct pieces *found = arena_zalloc(a, 1, sizeof *found);
    double *design = arena_alloc(a, 2 * p->n, sizeof *design),
           *sigma = arena_alloc(a, p->n, sizeof *sigma);
    const double *at[1] = {p->h};
    for (size_t i = 0; i < p->n; i++) {
        design[2 * i] = 1;
        design[2 * i + 1] = p->h[i];
        sigma[i] = 1 / weight(p, i);
    }
    struct pieces_problem problem = {.points = p->n,
                                     .constants = 2,
                                     .variables = 1,
                                     .design = design,
                                     .y = p->seconds,
                                     .sigma = sigma,
                                     .at = at,
                                     .may_divide = 1,
                                     .steps_only = true,
                                     .max_intervals = COST_MOST_INTERVALS,
                                     .threshold = COST_GOOD_ENOUGH};
    pieces_search(a, &problem, found);
    double *values = arena_zalloc(a, found->n, sizeof *values);
    solve_pieces(a, p, found, values);
    struct obsp_line *lines = arena_zalloc(a, found->nboundaries + 1, sizeof *lines);
    *n = found->nboundaries + 1;
    for (size_t i = 0; i < *n; i++) {
        lines[i].low = i ? found->boundaries[i - 1].at : 0;
        lines[i].high = i + 1 < *n ? found->boundaries[i].at : INFINITY;
        double inside =
            i + 1 < *n ? lines[i].low + (lines[i].high - lines[i].low) / 2 : lines[i].low * 2 + 1;
        for (size_t k = 0; k < found->n; k++)
            *(found->list[k].constant ? &lines[i].g : &lines[i].L) +=
                values[k] * pieces_share(found, &found->list[k], 1, &inside);
        lines[i].start = lines[i].L;
    }
    return lines;
}

/* Costs do not fall with h: neighbours in the wrong order get their mean. */
static void put_in_order(struct points *p)
{
    for (size_t i = 1; i < p->n; i++) {
        size_t first = i;
        double sum = p->seconds[i] * p->count[i], count = p->count[i];
        while (first > 0 && p->seconds[first - 1] > sum / count) {
            first--;
            sum += p->seconds[first] * p->count[first];
            count += p->count[first];
        }
        for (size_t k = first; k <= i; k++)
            p->seconds[k] = sum / count;
    }
}

static struct obsp_curve curve_of(struct arena *a, struct size *const *list, size_t n, int nprocs)
{
    struct points p = points_of(a, list, n);
    struct obsp_curve out = {.nprocs = nprocs, .supersteps = p.supersteps, .sizes = p.n};
    struct obsp_line *line = arena_alloc(a, 1, sizeof *line);
    *line = one_line(a, &p);
    out.lines = line;
    out.nlines = 1;
    out.error = error_of(&p, line, 1);
    if (out.error <= COST_GOOD_ENOUGH || p.n == 1)
        return out;
    size_t nlines;
    const struct obsp_line *lines;
    if (p.n >= 2 * INTERVAL_LEAST_VALUES) {
        lines = search_lines(a, &p, &nlines);
    } else {
        put_in_order(&p);
        lines = obsp_lines_through(a, p.h, p.seconds, p.n, &nlines);
    }
    double error = error_of(&p, lines, nlines);
    if (error < out.error) {
        out.lines = lines;
        out.nlines = nlines;
        out.error = error;
    }
    return out;
}

/* ---- all of them */

/* The curves of a kind, one for each number of processors. */
static struct obsp_curves curves_of(struct arena *a, const struct sizes *s, enum obsp_kind kind)
{
    struct obsp_curve *list = arena_zalloc(a, s->n + 1, sizeof *list);
    size_t n = 0;
    for (size_t i = 0, end; i < s->n; i = end) {
        for (end = i; end < s->n && s->list[end]->kind == s->list[i]->kind &&
                      s->list[end]->nprocs == s->list[i]->nprocs;
             end++)
            ;
        if (s->list[i]->kind == kind)
            list[n++] = curve_of(a, s->list + i, end - i, s->list[i]->nprocs);
    }
    return (struct obsp_curves){list, n};
}

/* One g and one L for plain BSP: of the barriers of the whole machine, or of all supersteps if it has
 * none. */
static struct obsp_line plain_line(struct arena *a, const struct sizes *s, int processes)
{
    struct size **chosen = arena_alloc(a, s->n + 1, sizeof *chosen);
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++)
        if (s->list[i]->kind == OBSP_SYNC && s->list[i]->nprocs == processes)
            chosen[n++] = s->list[i];
    struct points p = n ? points_of(a, chosen, n) : points_of(a, s->list, s->n);
    return one_line(a, &p);
}

struct obsp_costs *obsp_costs_of_trace(struct arena *a, struct obsp_source *source,
                                       enum obsp_h_rule rule, struct diag *diag)
{
    struct obsp_costs *costs = obsp_costs_given(a, 0, 0);
    struct sizes *s = arena_zalloc(a, 1, sizeof *s);
    struct obsp_request request = {.costs = costs,
                                   .h = rule,
                                   .replay = true,
                                   .visit = take_sample,
                                   .user = s,
                                   .skip_barrier_partners = true};
    struct obsp_result result;
    s->arena = a;
    costs->origin = OBSP_FROM_TRACE;
    if (obsp_evaluate(a, source, &request, diag, &result))
        return NULL;
    if (s->n == 0)
        return costs;
    qsort(s->list, s->n, sizeof(struct size *), by_place);
    struct obsp_curves sync = curves_of(a, s, OBSP_SYNC), oblsync = curves_of(a, s, OBSP_OBLSYNC);
    for (int p = 0; p < OBSP_PATTERNS; p++) {
        costs->sync[p] = sync.n ? sync : oblsync;
        costs->oblsync[p] = oblsync.n ? oblsync : sync;
    }
    struct obsp_line plain = plain_line(a, s, source->processes);
    costs->g = plain.g;
    costs->L = plain.L;
    return costs;
}
