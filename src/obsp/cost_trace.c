/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * g and L from the trace itself. g*h + L is the time from the arrival of the last of the incoming partners
 * to the end of the synchronisation. A processor that arrived last itself has this time as `wait` and
 * `transfer`; but what it waits for may have come before, and others wait longer. For a processor that waited,
 * it is the difference of its end and of the arrival of another processor, by two clocks. The clocks begin
 * together, but not exactly: when a processor seems to end before its partner has arrived, its clock is put
 * forward. For each h the mean or the median over the supersteps counts, of either kind, the larger of the two, if there are
 * enough of it.
 *
 * Barriers and oblivious synchronisations have costs of their own. Barriers of objects with different numbers of
 * processors have, too; oblivious synchronisations have if the same lines do not explain them in all objects. An oblivious
 * synchronisation in which no message comes from another processor costs less, and the same in every object. Each process may
 * have costs of its own in addition, as far as processes differ by more than chance.
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
#include "obsp/replay.h"
#include "obsp/stall.h"
#include "obsp/thresholds.h"

enum {
    SAMPLES = 128,   /* that are kept of one h */
    PER_OCTAVE = 64, /* sizes that differ by less than a part of an octave count as one */
    MOST_SIZES = 1 << 15,
    BUCKETS = 1024
};

/* Whose supersteps are looked at together, if not those of one process: all of them, and all of them without a
   difference between oblivious synchronisations of objects with more and fewer processors. The latter show what is usual: a
   size that an object has only at the start is compared with the same size of other objects. */
enum { ALL = -1, ALL_ALIKE = -2 };

/* All supersteps of a kind with about the same h. */
struct size {
    enum obsp_kind kind;
    bool alone;  /* an oblivious synchronisation without a message from another processor */
    int process; /* or ALL, ALL_ALIKE */
    int nprocs;  /* 0: any */
    long key;    /* of h */
    double sum;  /* of h */
    struct samples {
        size_t count;
        double sum;
        double kept[SAMPLES];
    } last, waited;    /* of processors that arrived last, and of the others */
    double first;      /* sample */
    double squares;    /* of the differences of all samples from it */
    struct size *next; /* in its bucket */
    struct size *all;  /* of a size of one process: that of ALL */
    struct spread {
        double processes, within, between, counts; /* counts: the sum of their squares */
    } spread;                                      /* of a size of ALL */
};

struct sizes {
    struct arena *arena;
    struct size **list;
    size_t n, capacity;
    struct size *buckets[BUCKETS];
    unsigned random;
    double *behind; /* the clock of each process */
    size_t skip;    /* supersteps that do not count */
    bool each;      /* also by process */
    bool each_complete;
    struct obsp_stalls *stalls;
};

/* ---- samples */

static long key_of(double h)
{
    int exponent;
    double mantissa = frexp(h, &exponent);
    return h > 0 ? (long)exponent * PER_OCTAVE + (long)(mantissa * 2 * PER_OCTAVE) : -1;
}

static struct size *size_of(struct sizes *s, const struct obsp_span *span, int process)
{
    size_t most =
        process < 0 ? MOST_SIZES : MOST_SIZES / 2; /* those of all have room in any case */
    bool alone = span->kind == OBSP_OBLSYNC && span->alone;
    struct size like = {
        .process = process,
        .kind = span->kind,
        .alone = alone,
        .nprocs = alone || (process == ALL_ALIKE && span->kind == OBSP_OBLSYNC) ? 0 : span->nprocs,
        .key = key_of(span->h)};
    unsigned long hash = (unsigned long)like.key * 31 + (unsigned long)like.nprocs * 17 +
                         (unsigned long)(process + 2) * 101 + like.kind * 2 + like.alone;
    struct size **bucket = &s->buckets[hash % BUCKETS], *found = *bucket;
    while (found &&
           (found->key != like.key || found->nprocs != like.nprocs || found->kind != like.kind ||
            found->alone != like.alone || found->process != process))
        found = found->next;
    if (found || s->n >= most) {
        s->each_complete = s->each_complete && (found || process < 0);
        return found;
    }
    found = arena_alloc(s->arena, 1, sizeof *found);
    *found = like;
    found->next = *bucket;
    *bucket = found;
    ARENA_ADD(s->arena, s->list, s->n, &s->capacity, found);
    return found;
}

/* Keeps a sample; of many, each has the same chance to be kept. */
static void add_sample(struct sizes *s, struct samples *to, double seconds)
{
    size_t at = to->count;
    if (at >= SAMPLES) {
        s->random = s->random * 1664525u + 1013904223u;
        at = (size_t)(((unsigned long long)s->random * (to->count + 1)) >> 32);
    }
    if (at < SAMPLES)
        to->kept[at] = seconds;
    to->sum += seconds;
    to->count++;
}

bool obsp_replay_cost(const struct obsp_span *span, double *behind, double *seconds)
{
    if (span->kind != OBSP_SYNC && span->kind != OBSP_OBLSYNC)
        return false;
    if (span->end < span->met) {
        behind[span->process] += span->met - span->end;
        return false;
    }
    *seconds = span->last == span->process ? span->wait + span->transfer : span->end - span->met;
    return true;
}

static double count_of(const struct size *s)
{
    return (double)(s->last.count + s->waited.count);
}

static struct size *add_span(struct sizes *s, const struct obsp_span *span, int process,
                             double seconds)
{
    struct size *size = size_of(s, span, process);
    if (!size)
        return NULL;
    if (count_of(size) == 0)
        size->first = seconds;
    size->squares += (seconds - size->first) * (seconds - size->first);
    size->sum += span->h;
    add_sample(s, span->last == span->process ? &size->last : &size->waited, seconds);
    return size;
}

static void take_sample(void *user, const struct obsp_span *span)
{
    struct sizes *s = user;
    double seconds;
    if (span->superstep >= s->skip)
        obsp_stalls_visit(s->stalls, span);
    if (!obsp_replay_cost(span, s->behind, &seconds) || span->superstep < s->skip)
        return;
    add_span(s, span, ALL_ALIKE, seconds);
    struct size *all = add_span(s, span, ALL, seconds),
                *one = s->each ? add_span(s, span, span->process, seconds) : NULL;
    if (one)
        one->all = all;
}

static int by_key(const void *x, const void *y)
{
    const struct size *a = *(struct size *const *)x, *b = *(struct size *const *)y;
    return a->key < b->key ? -1 : a->key > b->key;
}

static int by_place(const void *x, const void *y)
{
    const struct size *a = *(struct size *const *)x, *b = *(struct size *const *)y;
    if (a->process != b->process)
        return a->process < b->process ? -1 : 1;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    if (a->alone != b->alone)
        return a->alone ? 1 : -1;
    if (a->nprocs != b->nprocs)
        return a->nprocs < b->nprocs ? -1 : 1;
    return by_key(x, y);
}

/* ---- lines over h */

/* What one curve is found from, ascending by h. */
struct points {
    double *h, *seconds, *count;
    size_t n, supersteps;
};

static double median(struct samples *s)
{
    size_t kept = s->count < SAMPLES ? s->count : SAMPLES;
    return kept ? stats_quantile(s->kept, kept, 0.5) : 0;
}

/* Of both kinds together. */
static double common_median(const struct size *s)
{
    double both[2 * SAMPLES];
    size_t n = 0;
    for (size_t i = 0; i < SAMPLES && i < s->last.count; i++)
        both[n++] = s->last.kept[i];
    for (size_t i = 0; i < SAMPLES && i < s->waited.count; i++)
        both[n++] = s->waited.kept[i];
    return stats_quantile(both, n, 0.5);
}

/* The mean of all; or of the kind that takes longer, unless it has so few samples that a slow one is its mean. */
static double mean_cost(const struct size *s)
{
    double count = (double)(s->last.count + s->waited.count),
           most = (s->last.sum + s->waited.sum) / count,
           least = fmax(COST_LEAST_SAMPLES, COST_LEAST_PART * count);
    const struct samples *const kinds[] = {&s->last, &s->waited};
    for (int k = 0; k < 2; k++)
        if ((double)kinds[k]->count >= least)
            most = fmax(most, kinds[k]->sum / (double)kinds[k]->count);
    return most;
}

/* A process has few samples of a size: one or two of a kind have no useful median. */
static double cost_by_itself(struct size *s, enum obsp_average average)
{
    double seconds = average == OBSP_MEAN ? mean_cost(s)
                     : s->process >= 0    ? common_median(s)
                                          : fmax(median(&s->last), median(&s->waited));
    return fmax(seconds, 1e-9);
}

static double mean_of(const struct size *s)
{
    return (s->last.sum + s->waited.sum) / count_of(s);
}

/* For an analysis of variance of a size of all: what its processes have in common. */
static void add_to_spread(const struct size *one)
{
    struct spread *to = &one->all->spread;
    double count = count_of(one), off = mean_of(one) - mean_of(one->all),
           d = mean_of(one) - one->first;
    to->processes++;
    to->within += fmax(one->squares - count * d * d, 0);
    to->between += count * off * off;
    to->counts += count * count;
}

/* How much of the difference between the mean of so many samples of a process and that of all is its own, and not chance: the
   variance between processes, in parts of that variance and of that of the mean. */
static double own_part(const struct size *all, double count)
{
    const struct spread *of = &all->spread;
    double n = count_of(all), chance = of->within / (n - of->processes),
           usual = (n - of->counts / n) / (of->processes - 1),
           own = (of->between / (of->processes - 1) - chance) / usual;
    if (of->processes < 2 || n <= of->processes || !(own > 0))
        return 0;
    return own / (own + chance / count);
}

static double cost_of_size(struct size *s, enum obsp_average average)
{
    double seconds = cost_by_itself(s, average);
    if (!s->all)
        return seconds;
    double common = cost_by_itself(s->all, average);
    return common + own_part(s->all, count_of(s)) * (seconds - common);
}

static struct points points_of(struct arena *a, struct size *const *list, size_t n,
                               enum obsp_average average)
{
    struct points p = {arena_alloc(a, n + 1, sizeof(double)), arena_alloc(a, n + 1, sizeof(double)),
                       arena_alloc(a, n + 1, sizeof(double)), 0, 0};
    for (size_t i = 0; i < n; i++) {
        size_t count = list[i]->last.count + list[i]->waited.count;
        if (!count)
            continue;
        p.h[p.n] = list[i]->sum / (double)count;
        p.seconds[p.n] = cost_of_size(list[i], average);
        p.count[p.n] = (double)count;
        p.supersteps += count;
        p.n++;
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

/* Lines that connect the sizes. Costs do not fall with h: neighbours in the wrong order get their mean. */
static const struct obsp_line *connect_sizes(struct arena *a, const struct points *measured,
                                             size_t *n)
{
    struct points copy = *measured, *p = &copy;
    copy.seconds = arena_alloc(a, p->n, sizeof *copy.seconds);
    memcpy(copy.seconds, measured->seconds, p->n * sizeof *copy.seconds);
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
    return obsp_lines_through(a, p->h, p->seconds, p->n, n);
}

static struct obsp_curve curve_of(struct arena *a, struct size *const *list, size_t n,
                                  enum obsp_average average)
{
    struct points p = points_of(a, list, n, average);
    struct obsp_curve out = {.nprocs = list[0]->nprocs,
                             .supersteps = p.supersteps,
                             .kind = list[0]->kind,
                             .alone = list[0]->alone,
                             .sizes = p.n};
    struct obsp_line *line = arena_alloc(a, 1, sizeof *line);
    *line = one_line(a, &p);
    out.lines = line;
    out.nlines = 1;
    out.error = error_of(&p, line, 1);
    if (out.error <= COST_GOOD_ENOUGH || p.n < 2)
        return out;
    size_t nlines;
    const struct obsp_line *lines;
    if (p.n >= 2 * INTERVAL_LEAST_VALUES)
        lines = search_lines(a, &p, &nlines);
    else
        lines = connect_sizes(a, &p, &nlines);
    double error = error_of(&p, lines, nlines);
    if (error < out.error) {
        out.lines = lines;
        out.nlines = nlines;
        out.error = error;
    }
    return out;
}

/* ---- all of them */

/* Sizes of all processes, or of one, and what of them counts. */
struct part {
    struct size *const *list;
    size_t n;
    enum obsp_average average;
};

/* The curves of a kind, one for each number of processors. */
static struct obsp_curves curves_of(struct arena *a, struct part s, enum obsp_kind kind, bool alone)
{
    struct obsp_curve *list = arena_zalloc(a, s.n + 1, sizeof *list);
    size_t n = 0, end;
    for (size_t i = 0; i < s.n; i = end) {
        const struct size *first = s.list[i];
        for (end = i; end < s.n && s.list[end]->kind == first->kind &&
                      s.list[end]->alone == first->alone && s.list[end]->nprocs == first->nprocs;
             end++)
            ;
        if (first->kind == kind && first->alone == alone)
            list[n++] = curve_of(a, s.list + i, end - i, s.average);
    }
    return (struct obsp_curves){list, n};
}

/* One g and one L for plain BSP: of the barriers of the whole machine; or of all supersteps with messages, or
 * of all, if there are none. */
static struct obsp_line plain_line(struct arena *a, struct part s, int processes)
{
    struct size **chosen = arena_alloc(a, s.n + 1, sizeof *chosen);
    size_t n = 0;
    for (int pass = 0; pass < 3 && n == 0; pass++)
        for (size_t i = 0; i < s.n; i++) {
            const struct size *size = s.list[i];
            if (pass == 2 || (pass == 1 && !size->alone) ||
                (size->kind == OBSP_SYNC && size->nprocs == processes))
                chosen[n++] = s.list[i];
        }
    qsort(chosen, n, sizeof(struct size *), by_key);
    struct points p = points_of(a, chosen, n, s.average);
    return one_line(a, &p);
}

static void set_curves(struct obsp_costs *costs, struct obsp_curves sync,
                       struct obsp_curves oblsync)
{
    for (int p = 0; p < OBSP_PATTERNS; p++) {
        costs->sync[p] = sync;
        costs->oblsync[p] = oblsync;
    }
}

static struct obsp_costs *costs_of_all(struct arena *a, struct part s, int processes)
{
    struct obsp_costs *costs = obsp_costs_given(a, 0, 0);
    costs->origin = OBSP_FROM_TRACE;
    if (s.n == 0)
        return costs;
    struct obsp_curves sync = curves_of(a, s, OBSP_SYNC, false),
                       oblsync = curves_of(a, s, OBSP_OBLSYNC, false);
    costs->alone = curves_of(a, s, OBSP_OBLSYNC, true);
    if (!oblsync.n) /* what was not seen costs what is most like it */
        oblsync = sync.n ? sync : costs->alone;
    set_curves(costs, sync.n ? sync : oblsync, oblsync);
    struct obsp_line plain = plain_line(a, s, processes);
    costs->g = plain.g;
    costs->L = plain.L;
    return costs;
}

/* Those of one process, or of objects with different numbers of processors; what is not there costs what it costs all. Plain
   BSP stays the same. */
static struct obsp_costs *costs_of_part(struct arena *a, struct part s,
                                        const struct obsp_costs *all)
{
    struct obsp_costs *costs = arena_alloc(a, 1, sizeof *costs);
    struct obsp_curves sync = curves_of(a, s, OBSP_SYNC, false),
                       oblsync = curves_of(a, s, OBSP_OBLSYNC, false),
                       alone = curves_of(a, s, OBSP_OBLSYNC, true);
    *costs = *all;
    set_curves(costs, sync.n ? sync : all->sync[0], oblsync.n ? oblsync : all->oblsync[0]);
    costs->alone = alone.n ? alone : all->alone;
    return costs;
}

/* The seconds by which these synchronisations exceed their median; 0 if most of the others are faster. */
static double unusual_seconds(struct samples *s)
{
    return fmax(s->sum - (double)s->count * median(s), 0);
}

static double all_unusual_seconds(struct part s)
{
    double sum = 0;
    for (size_t i = 0; i < s.n; i++)
        sum += unusual_seconds(&s.list[i]->last) + unusual_seconds(&s.list[i]->waited);
    return sum;
}

/* Of the time of oblivious synchronisations: the part by which their costs in objects with different numbers of
   processors are off the lines for all objects. 0 if these numbers do not differ. */
static double error_of_alike(const struct obsp_costs *alike, struct part s)
{
    const struct obsp_curve *curve = &alike->oblsync[0].list[0];
    double off = 0, all = 0;
    int nprocs = 0;
    bool differ = false;
    for (size_t i = 0; i < s.n; i++) {
        struct size *size = s.list[i];
        double count = (double)(size->last.count + size->waited.count);
        if (size->kind != OBSP_OBLSYNC || size->alone || count == 0)
            continue;
        double seconds = cost_of_size(size, s.average);
        off += count * fabs(line_at(curve->lines, curve->nlines, size->sum / count) - seconds);
        all += count * seconds;
        differ |= nprocs && nprocs != size->nprocs;
        nprocs = size->nprocs;
    }
    return differ && all > 0 ? off / all : 0;
}

/* What the samples say. They are sorted: those of all processes, then those of each process. */
static void costs_of_samples(struct arena *a, struct sizes *s, int processes,
                             enum obsp_average average, struct obsp_costs_found *out)
{
    size_t at = 0;
    for (int p = ALL_ALIKE; p < (s->each ? processes : 0); p++) {
        struct part part = {s->list + at, 0, average};
        for (; at < s->n && s->list[at]->process == p; at++)
            part.n++;
        if (p == ALL_ALIKE) {
            struct part usual = {part.list, part.n, OBSP_MEDIAN};
            out->usual = costs_of_all(a, usual, processes);
            out->unusual = all_unusual_seconds(part) / processes;
            out->costs = costs_of_all(a, part, processes);
        } else if (p == ALL) {
            if (part.n && error_of_alike(out->costs, part) > COST_GOOD_ENOUGH)
                out->costs = costs_of_part(a, part, out->costs);
        } else
            out->each[p] = costs_of_part(a, part, out->costs);
    }
}

int obsp_costs_of_trace(struct arena *a, struct obsp_source *source,
                        const struct obsp_costs_wanted *wanted, struct diag *diag,
                        struct obsp_costs_found *out)
{
    struct sizes *s = arena_zalloc(a, 1, sizeof *s);
    struct obsp_request request = {.costs = obsp_costs_given(a, 0, 0),
                                   .h = wanted->h,
                                   .replay = true,
                                   .visit = take_sample,
                                   .user = s,
                                   .skip_barrier_partners = true};
    struct obsp_result result;
    size_t processes = (size_t)source->processes;
    *out = (struct obsp_costs_found){0};
    s->arena = a;
    s->skip = wanted->skip;
    s->each = s->each_complete = wanted->each;
    s->behind = arena_zalloc(a, processes, sizeof *s->behind);
    s->stalls = obsp_stalls_new(a, source->processes);
    request.start = s->behind;
    if (obsp_evaluate(a, source, &request, diag, &result))
        return -1;
    if (s->n)
        qsort(s->list, s->n, sizeof(struct size *), by_place);
    if (s->each)
        out->each = arena_alloc(a, processes, sizeof *out->each);
    for (size_t i = 0; i < s->n; i++)
        if (s->list[i]->all)
            add_to_spread(s->list[i]);
    costs_of_samples(a, s, source->processes, wanted->average, out);
    out->each_complete = s->each_complete;
    out->stalled = obsp_stalls_count(s->stalls);
    out->stalled_seconds = obsp_stalls_seconds(s->stalls);
    return 0;
}
