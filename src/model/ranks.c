/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How the ranks of an execution become one value (ranks.h).
 *
 * An execution on P ranks lasts until its slowest rank is done. If the ranks are disturbed
 * independently of each other, the p-quantile of the slowest of P ranks is the p^(1/P)-quantile of
 * one rank: on a machine that is fast or slow by turns, one rank shows the fast mode and the slowest
 * of 16 the slow one. A low quantile of the slowest rank then grows with P although the program
 * scales. With `auto`, if P varies, the values get one meaning for all P:
 *
 *   alike     The slowest rank is as slow as independent ranks of the same kind make it: the samples
 *             of all ranks are used, each as one sample, and the value is their level^(1/reach)
 *             quantile at every P.
 *   follow    Otherwise the ranks may wait for each other, or have different work. The slowest rank
 *             counts, and its quantile is level^((P/reach)^a). a = 1 for independent disturbances, 0
 *             for those that hit all ranks at once. The shapes of the distributions at the smallest
 *             P and at larger ones show a: only the shapes are compared, since the program may take
 *             any time at P.
 *   united    The slowest rank with the same quantile at all P: a = 0, or no evidence.
 *
 * The reach is twice the largest P, since predictions go beyond the data. What an execution takes at
 * any P, measured or not, is the fitted value times points_slowest(P).
 */
#include "model/ranks.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/sort.h"

/* ---- one row for each execution */

void ranks_unite(struct grouping *g, enum rank_rule rule, double *values)
{
    size_t n;
    MEM_LOCAL uint32_t *execution = rows_alike(g, rows_execution, &n);
    MEM_LOCAL uint32_t *members = mem_zalloc(n + 1, sizeof *members);
    MEM_LOCAL size_t *stays = mem_alloc(n + 1, sizeof *stays);
    for (size_t row = 0; row < g->e->nrows; row++) {
        if (g->group[row] == UINT32_MAX)
            continue;
        size_t *stay = &stays[execution[row]], goes = row;
        if (!members[execution[row]]++) {
            *stay = row;
            continue;
        }
        if (rule == RANKS_MEAN) {
            values[*stay] += (values[row] - values[*stay]) / members[execution[row]];
        } else if (rule == RANKS_MIN ? values[row] < values[*stay] : values[row] > values[*stay]) {
            goes = *stay;
            *stay = row;
        }
        g->group[goes] = UINT32_MAX;
    }
}

/* ---- the samples by point */

/* The samples of a point: those of all ranks, and those of the slowest rank of each execution on as
 * many ranks as the point has. Sorted. */
struct samples {
    double *all, *slowest;
    size_t nall, nslowest;
    double processors, difference; /* difference: between the ranks (rank_difference) */
};

struct view {
    const struct grouping *g;
    const double *values;
    struct samples *point;     /* per group */
    double level, least, most; /* level: of the statistic; P */
};

/* Where the samples of each group begin in a list of all: begin[group], and the end of the last. */
static size_t *begins(const struct grouping *g)
{
    size_t *begin = mem_zalloc(g->ngroups + 2, sizeof *begin);
    for (size_t row = 0; row < g->e->nrows; row++)
        if (g->group[row] != UINT32_MAX)
            begin[g->group[row] + 1]++;
    for (size_t i = 0; i < g->ngroups; i++)
        begin[i + 1] += begin[i];
    return begin;
}

/* The greatest value and the number of ranks of each execution, at its first row. */
struct executions {
    double *greatest;
    uint32_t *ranks; /* 0 in other rows */
};

static struct executions find_executions(struct arena *a, const struct grouping *g,
                                         const double *values)
{
    size_t n, found = 0;
    MEM_LOCAL uint32_t *execution = rows_alike(g, rows_execution, &n);
    MEM_LOCAL size_t *firsts = mem_alloc(n + 1, sizeof *firsts);
    struct executions x = {arena_alloc(a, g->e->nrows + 1, sizeof *x.greatest),
                           arena_zalloc(a, g->e->nrows + 1, sizeof *x.ranks)};
    for (size_t row = 0; row < g->e->nrows; row++) {
        if (g->group[row] == UINT32_MAX)
            continue;
        if (execution[row] == found)
            firsts[found++] = row;
        size_t first = firsts[execution[row]];
        x.greatest[first] = x.ranks[first]++ ? fmax(x.greatest[first], values[row]) : values[row];
    }
    return x;
}

static void collect_samples(struct arena *a, struct view *v, const struct executions *x)
{
    const struct grouping *g = v->g;
    MEM_LOCAL size_t *begin = begins(g);
    size_t total = begin[g->ngroups];
    MEM_LOCAL uint32_t *most = mem_zalloc(g->ngroups + 1, sizeof *most);
    double *storage = arena_alloc(a, 2 * total + 1, sizeof *storage);
    v->point = arena_zalloc(a, g->ngroups + 1, sizeof *v->point);
    for (size_t i = 0; i < g->ngroups; i++) {
        v->point[i].all = storage + begin[i];
        v->point[i].slowest = storage + total + begin[i];
        v->point[i].processors = column_at(&g->e->columns[FIELD_P], g->first[i]);
    }
    for (size_t row = 0; row < g->e->nrows; row++)
        if (g->group[row] != UINT32_MAX && x->ranks[row] > most[g->group[row]])
            most[g->group[row]] = x->ranks[row];
    for (size_t row = 0; row < g->e->nrows; row++) {
        if (g->group[row] == UINT32_MAX)
            continue;
        struct samples *s = &v->point[g->group[row]];
        s->all[s->nall++] = v->values[row];
        if (x->ranks[row] == most[g->group[row]])
            s->slowest[s->nslowest++] = x->greatest[row];
    }
    for (size_t i = 0; i < g->ngroups; i++) {
        stats_sort(v->point[i].all, v->point[i].nall);
        stats_sort(v->point[i].slowest, v->point[i].nslowest);
    }
}

/* Enough samples, all positive. */
static bool is_usable(const struct samples *s)
{
    return s->nslowest >= RANKS_LEAST_EXECUTIONS && s->all[0] > 0;
}

static double quantile_of_all(const struct samples *s, double q)
{
    return log(stats_sorted_quantile(s->all, s->nall, q));
}

static double quantile_of_slowest(const struct samples *s, double q)
{
    return log(stats_sorted_quantile(s->slowest, s->nslowest, q));
}

/* ---- are the ranks alike? */

/* The mean of a rank in one run, or one sample of it where a point has few runs. */
struct unit {
    uint32_t group;
    double rank, sum, n;
};

static int by_group_and_rank(const void *x, const void *y, void *context)
{
    const struct unit *a = x, *b = y;
    (void)context;
    if (a->group != b->group)
        return a->group < b->group ? -1 : 1;
    return stats_compare(a->rank, b->rank);
}

static struct unit *find_units(const struct view *v, const int *fields, size_t *n)
{
    const struct grouping *g = v->g;
    size_t all;
    MEM_LOCAL uint32_t *number = rows_alike(g, fields, &all);
    struct unit *list = mem_zalloc(all + 1, sizeof *list);
    for (size_t row = 0; row < g->e->nrows; row++) {
        if (g->group[row] == UINT32_MAX || !(v->values[row] > 0))
            continue;
        struct unit *u = &list[number[row]];
        u->group = g->group[row];
        u->rank = column_at(&g->e->columns[FIELD_RANK], row);
        u->sum += log(v->values[row]);
        u->n++;
    }
    *n = 0;
    for (size_t i = 0; i < all; i++)
        if (list[i].n > 0)
            list[(*n)++] = list[i];
    sort_with(list, *n, sizeof *list, by_group_and_rank, NULL);
    return list;
}

/* The variance between the ranks of a point against that inside them: about 1 if all have the same
 * work; nan if there are too few units. */
static double rank_difference(const struct unit *list, size_t n)
{
    double total = 0, between = 0, within = 0, ranks = 0;
    for (size_t i = 0; i < n; i++)
        total += list[i].sum / list[i].n;
    for (size_t begin = 0, end; begin < n; begin = end, ranks++) {
        double sum = 0;
        for (end = begin; end < n && stats_compare(list[end].rank, list[begin].rank) == 0; end++)
            sum += list[end].sum / list[end].n;
        double count = (double)(end - begin), mean = sum / count, d = mean - total / (double)n;
        between += count * d * d;
        for (size_t i = begin; i < end; i++)
            within += pow(list[i].sum / list[i].n - mean, 2);
    }
    double inside = (double)n - ranks;
    return ranks > 1 && inside >= 2 * ranks ? between / (ranks - 1) / (within / inside) : NAN;
}

static void find_differences(struct view *v)
{
    static const int by_run[] = {FIELD_RUN, FIELD_RANK, FIELD_FIXED},
                     by_sample[] = {FIELD_RUN, FIELD_RANK, FIELD_THREAD, FIELD_SEQ, FIELD_FIXED};
    for (size_t i = 0; i < v->g->ngroups; i++)
        v->point[i].difference = NAN;
    for (int attempt = 0; attempt < 2; attempt++) { /* by runs where there are enough of them */
        size_t n;
        MEM_LOCAL struct unit *list = find_units(v, attempt ? by_sample : by_run, &n);
        for (size_t begin = 0, end; begin < n; begin = end) {
            for (end = begin; end < n && list[end].group == list[begin].group;)
                end++;
            struct samples *s = &v->point[list[begin].group];
            if (isnan(s->difference))
                s->difference = rank_difference(list + begin, end - begin);
        }
    }
}

/* What the slowest rank shows, against what independent ranks of the same kind would show, for one
 * number of ranks. */
struct agreement {
    double processors;
    double excess; /* logarithms, summed over levels and points */
    double expected;
    double difference; /* sum of it */
    size_t points;
};

static void add_agreement(struct agreement *a, const struct samples *s)
{
    static const double levels[] = {0.1, 0.3, 0.5, 0.7, 0.9};
    for (size_t k = 0; k < sizeof levels / sizeof *levels; k++) {
        double of_one = quantile_of_all(s, pow(levels[k], 1 / s->processors));
        a->excess += quantile_of_slowest(s, levels[k]) - of_one;
        a->expected += of_one - quantile_of_all(s, levels[k]);
    }
    a->difference += isnan(s->difference) ? 1 : s->difference;
    a->points++;
}

/* By number of ranks; returns how many numbers there are. */
static size_t find_agreements(const struct view *v, struct agreement *list)
{
    size_t n = 0;
    for (size_t i = 0; i < v->g->ngroups; i++) {
        const struct samples *s = &v->point[i];
        size_t k = 0;
        if (s->processors < 2 || !is_usable(s))
            continue;
        while (k < n && list[k].processors != s->processors)
            k++;
        if (k == n)
            list[n++] = (struct agreement){.processors = s->processors};
        add_agreement(&list[k], s);
    }
    return n;
}

static bool are_alike(const struct view *v)
{
    MEM_LOCAL struct agreement *list = mem_alloc(v->g->ngroups + 1, sizeof *list);
    size_t n = find_agreements(v, list);
    double excess = 0, expected = 0, difference = 0, points = 0;
    bool alike = n > 0;
    for (size_t k = 0; k < n; k++) {
        alike = alike && fabs(list[k].excess) <= RANKS_MOST_EXCESS * list[k].expected;
        excess += list[k].excess;
        expected += list[k].expected;
        difference += list[k].difference;
        points += (double)list[k].points;
    }
    return alike && fabs(excess) <= RANKS_MOST_MEAN_EXCESS * expected &&
           difference / points <= RANKS_MOST_DIFFERENCE;
}

/* ---- how independent are the disturbances? */

#define SHAPE_LEVELS 14
static double shape_level(int k)
{
    return 0.1 + 0.05 * k;
}

/* How far the distribution of the slowest of `times` more ranks is from that of `few` in shape, if
 * disturbances are independent to the power a. */
static double shape_distance(const struct samples *few, const struct samples *many, double times,
                             double a)
{
    double d[SHAPE_LEVELS], sorted[SHAPE_LEVELS], sum = 0;
    for (int k = 0; k < SHAPE_LEVELS; k++)
        sorted[k] = d[k] = quantile_of_slowest(many, shape_level(k)) -
                           quantile_of_slowest(few, pow(shape_level(k), pow(times, -a)));
    double middle = stats_quantile(sorted, SHAPE_LEVELS, 0.5);
    for (int k = 0; k < SHAPE_LEVELS; k++)
        sum += (d[k] - middle) * (d[k] - middle);
    return sum / SHAPE_LEVELS;
}

/* Do two groups differ in nothing but P? */
static bool same_but_processors(const struct grouping *g, size_t i, size_t k)
{
    for (size_t j = 0; j < g->nkeys; j++)
        if (strcmp(g->keys[j]->name, "P") != 0 &&
            column_at(g->keys[j], g->first[i]) != column_at(g->keys[j], g->first[k]))
            return false;
    return true;
}

/* The power a with the least distance; 0 without clear evidence of independence. */
static double find_independence(const struct view *v)
{
    static const double powers[] = {0, 0.25, 0.5, 0.75, 1};
    enum { N = sizeof powers / sizeof *powers };
    double distance[N] = {0};
    const struct grouping *g = v->g;
    size_t pairs = 0, compared = 0;
    for (size_t i = 0; i < g->ngroups; i++) {
        const struct samples *few = &v->point[i];
        if (few->processors != v->least || few->nslowest < RANKS_LEAST_SHAPE || !is_usable(few))
            continue;
        for (size_t k = 0; k < g->ngroups && compared < RANKS_MOST_COMPARED; k++, compared++) {
            const struct samples *many = &v->point[k];
            if (many->processors == v->least || many->nslowest < RANKS_LEAST_SHAPE ||
                !is_usable(many) || !same_but_processors(g, i, k))
                continue;
            pairs++;
            for (int j = 0; j < N; j++)
                distance[j] += shape_distance(few, many, many->processors / v->least, powers[j]);
        }
    }
    int best = 0;
    for (int j = 1; j < N; j++)
        if (distance[j] < distance[best])
            best = j;
    bool clear = pairs && distance[0] > RANKS_EVIDENCE * distance[best];
    return clear && powers[best] >= RANKS_LEAST_INDEPENDENCE ? powers[best] : 0;
}

/* ---- what the slowest rank takes */

/* The quantile at the least P that the statistic at P corresponds to. */
static double level_of_least(const struct points_ranks *r, double processors)
{
    return pow(r->level, pow(r->least / fmax(processors, r->least), r->independence));
}

double points_level(const struct points_ranks *r, double processors)
{
    return r->how == RANKS_ALIKE ? level_of_least(r, r->reach)
                                 : pow(r->level, pow(processors / r->reach, r->independence));
}

static double relative_at(const struct points_ranks *r, double level)
{
    return stats_sorted_quantile(r->relative, r->nrelative, level);
}

double points_amplification(const struct points *p, double processors)
{
    const struct points_ranks *r = &p->by_rank;
    if (!r->nrelative)
        return NAN;
    return relative_at(r, level_of_least(r, processors)) / relative_at(r, r->level);
}

double points_slowest(const struct points *p, double processors)
{
    const struct points_ranks *r = &p->by_rank;
    if (!r->nrelative)
        return 1;
    return relative_at(r, level_of_least(r, processors)) /
           relative_at(r, level_of_least(r, r->reach));
}

/* ---- the decision */

/* Samples relative to the value of their point, sorted; every point has the same weight.
 * processors 0: of all points. */
static void keep_relative(struct arena *a, const struct view *v, bool slowest, double processors,
                          struct points *out)
{
    struct points_ranks *r = &out->by_rank;
    size_t points = 0, n = 0;
    for (size_t i = 0; i < v->g->ngroups; i++)
        points +=
            is_usable(&v->point[i]) && (processors == 0 || v->point[i].processors == processors);
    if (!points)
        return;
    size_t each = RANKS_KEPT / points + 2;
    r->relative = arena_alloc(a, points * each, sizeof *r->relative);
    for (size_t i = 0; i < v->g->ngroups; i++) {
        const struct samples *s = &v->point[i];
        if (!is_usable(s) || (processors != 0 && s->processors != processors))
            continue;
        const double *list = slowest ? s->slowest : s->all;
        size_t count = slowest ? s->nslowest : s->nall;
        double value = stats_sorted_quantile(list, count, points_level(r, s->processors));
        for (size_t k = 0; k < each; k++)
            r->relative[n++] =
                stats_sorted_quantile(list, count, (double)k / (double)(each - 1)) / value;
    }
    stats_sort(r->relative, n);
    r->nrelative = n;
}

/* False if it does not matter. */
static bool use_levels(struct arena *a, const struct view *v, struct points_ranks found,
                       struct points *out)
{
    bool alike = found.how == RANKS_ALIKE;
    out->by_rank = found;
    keep_relative(a, v, !alike, alike ? 0 : v->least, out);
    if (!(points_amplification(out, v->most) >= RANKS_LEAST_TIMES)) {
        out->by_rank = (struct points_ranks){.how = RANKS_UNITED};
        return false;
    }
    out->level = arena_alloc(a, v->g->ngroups, sizeof *out->level);
    for (size_t i = 0; i < v->g->ngroups; i++)
        out->level[i] = points_level(&out->by_rank, v->point[i].processors);
    return true;
}

/* Does P vary, and does every row count as one execution of few enough rows? */
static bool can_choose(const struct view *v)
{
    size_t rows = 0;
    for (size_t row = 0; row < v->g->e->nrows; row++)
        rows += v->g->group[row] != UINT32_MAX;
    return v->level > 0 && v->least < v->most && rows <= RANKS_MOST_SAMPLES &&
           !v->g->e->columns[FIELD_COUNT].values;
}

static struct view make_view(const struct grouping *g, const double *values, double level)
{
    struct view v = {.g = g, .values = values, .level = level, .least = INFINITY, .most = 0};
    for (size_t i = 0; i < g->ngroups; i++) {
        double processors = column_at(&g->e->columns[FIELD_P], g->first[i]);
        v.least = fmin(v.least, processors);
        v.most = fmax(v.most, processors);
    }
    return v;
}

void ranks_choose(struct arena *a, struct grouping *g, double *values, struct points *out)
{
    struct view v = make_view(g, values, stats_level(out->request->statistic));
    out->by_rank.how = RANKS_UNITED;
    if (can_choose(&v)) {
        ARENA_LOCAL struct arena *work = arena_create();
        struct executions x = find_executions(work, g, values);
        collect_samples(work, &v, &x);
        find_differences(&v);
        struct points_ranks found = {
            .level = v.level, .most = v.most, .reach = RANKS_REACH * v.most};
        bool alike = are_alike(&v);
        found.how = alike ? RANKS_ALIKE : RANKS_FOLLOW;
        found.least = alike ? 1 : v.least;
        found.independence = alike ? 1 : find_independence(&v);
        if (found.independence > 0)
            use_levels(a, &v, found, out);
    }
    if (out->by_rank.how != RANKS_ALIKE)
        ranks_unite(g, RANKS_MAX, values);
}
