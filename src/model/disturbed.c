/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which samples are left out (disturbed.h). The marks of the rows, in order:
 *   by the row itself   the thread was without its core for a visible part of the time and never gave
 *                       it away itself: preempted. Preempted and also waiting, or hardly away: suspect
 *   by the point        a suspect is preempted if it took longer than every undisturbed sample of its
 *                       point. So is a sample that was not watched, beside preempted ones, if it took
 *                       longer than every other sample of the point had its core
 *   by the execution    with several ranks, the others of a preempted execution waited for it
 * First executions come last, among the samples that are left.
 */
#include "model/disturbed.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

#include "base/sort.h"

/* Flags of the column `disturbed` (docs/reference/data-format.md). */
enum { PREEMPTED = 1, WAITED = 2, MIGRATED = 4 };

enum mark { CLEAR, UNKNOWN, SUSPECT, TAKEN, BESIDE };

/* The columns of an experiment. */
struct columns {
    const struct column *clock, *cpu, *flags;
};

static const struct column *find_column(const struct experiment *e, const char *name)
{
    size_t j = experiment_find_observable(e, name);
    return j == SIZE_MAX ? NULL : &e->columns[j];
}

/* False if no execution was watched. */
static bool find_columns(const struct experiment *e, struct columns *c)
{
    c->clock = find_column(e, "CLOCK");
    c->cpu = find_column(e, "CPUTIME");
    c->flags = find_column(e, DATA_DISTURBED);
    return c->clock && c->flags && (c->flags->values || !isnan(c->flags->constant));
}

bool disturbed_is_rare(const struct experiment *e, const char *observable)
{
    struct columns c;
    return strcmp(observable, "CPUTIME") == 0 && find_columns(e, &c);
}

/* Seconds that the thread was without its core; 0 if they are hardly visible or not known. */
static double time_away(const struct columns *c, size_t row)
{
    double clock = column_at(c->clock, row);
    double away = c->cpu ? clock - column_at(c->cpu, row) : NAN;
    return away > fmax(AWAY_SHARE * clock, AWAY_LEAST) ? away : 0;
}

static enum mark mark_row(const struct columns *c, size_t row)
{
    double flags = column_at(c->flags, row);
    if (!(flags >= 0 && flags < 8))
        return UNKNOWN;
    unsigned bits = (unsigned)flags;
    if (time_away(c, row) > 0 && !(bits & WAITED))
        return TAKEN;
    return bits & PREEMPTED ? SUSPECT : CLEAR;
}

struct disturbed_counts disturbed_count(const struct experiment *e)
{
    struct disturbed_counts n = {0};
    struct columns c;
    if (!find_columns(e, &c))
        return n;
    for (size_t row = 0; row < e->nrows; row++) {
        enum mark mark = mark_row(&c, row);
        if (mark == UNKNOWN)
            continue;
        unsigned bits = (unsigned)column_at(c.flags, row);
        n.watched++;
        n.preempted += mark == TAKEN || bits & PREEMPTED;
        n.waited += (bits & WAITED) != 0;
        n.migrated += (bits & MIGRATED) != 0;
    }
    return n;
}

/* ---- preempted */

struct work {
    struct grouping *g;
    struct columns columns;
    double *values;
    unsigned char *mark; /* enum mark, per row */
    /* per group: */
    double *clear, *on_core; /* the longest undisturbed sample, and the longest time on the core */
    size_t *taken, *left;    /* rows */
};

static bool in_group(const struct work *w, size_t row)
{
    return w->g->group[row] != UINT32_MAX;
}

static void mark_by_row(struct work *w, struct points_account *account)
{
    for (size_t row = 0; row < w->g->e->nrows; row++) {
        if (!in_group(w, row))
            continue;
        uint32_t group = w->g->group[row];
        w->mark[row] = (unsigned char)mark_row(&w->columns, row);
        account->watched += w->mark[row] != UNKNOWN;
        double on_core = w->values[row];
        if (w->mark[row] == CLEAR)
            w->clear[group] = fmax(w->clear[group], on_core);
        if (w->mark[row] == TAKEN)
            on_core -= time_away(&w->columns, row);
        if (w->mark[row] == CLEAR || w->mark[row] == TAKEN)
            w->on_core[group] = fmax(w->on_core[group], on_core);
        w->taken[group] += w->mark[row] == TAKEN;
    }
}

static void mark_by_point(struct work *w)
{
    for (size_t row = 0; row < w->g->e->nrows; row++) {
        if (!in_group(w, row))
            continue;
        uint32_t group = w->g->group[row];
        bool longer = false;
        if (w->mark[row] == SUSPECT)
            longer = w->clear[group] > 0 && w->values[row] > w->clear[group];
        else if (w->mark[row] == UNKNOWN)
            longer = w->taken[group] && w->values[row] > w->on_core[group] * (1 + AWAY_SHARE);
        if (longer)
            w->mark[row] = TAKEN;
    }
}

/* The other ranks of an execution. */
static void mark_by_execution(struct work *w)
{
    static const int execution[] = {FIELD_RUN, FIELD_THREAD, FIELD_SEQ, FIELD_FIXED};
    struct row_table t = rows_table(w->g, execution);
    for (int pass = 0; pass < 2; pass++)
        for (size_t row = 0; row < w->g->e->nrows; row++) {
            if (!in_group(w, row))
                continue;
            size_t *slot = rows_slot(&t, row);
            if (!*slot || (w->mark[row] == TAKEN && w->mark[*slot - 1] != TAKEN))
                *slot = row + 1;
            else if (pass && w->mark[*slot - 1] == TAKEN && w->mark[row] != TAKEN)
                w->mark[row] = BESIDE;
        }
    mem_free(t.slots);
}

/* Leaves rows out where others of the group are left; else their CPU time is the value. */
static void leave_out(struct work *w, bool ranks, struct points_account *account)
{
    unsigned char *replaced = mem_zalloc(w->g->ngroups + 1, 1);
    for (size_t row = 0; row < w->g->e->nrows; row++)
        if (in_group(w, row))
            w->left[w->g->group[row]] += w->mark[row] < TAKEN;
    for (size_t row = 0; row < w->g->e->nrows; row++) {
        if (!in_group(w, row) || w->mark[row] < TAKEN)
            continue;
        uint32_t group = w->g->group[row];
        double away = time_away(&w->columns, row);
        account->preempted += w->mark[row] == TAKEN;
        if (w->left[group] || (away == 0 && !ranks)) {
            w->g->group[row] = UINT32_MAX;
            account->left_out++;
        } else if (ranks) {
            account->kept += w->mark[row] == TAKEN;
        } else {
            w->values[row] -= away;
            account->by_cpu++;
            account->by_cpu_points += !replaced[group];
            replaced[group] = 1;
        }
    }
    mem_free(replaced);
}

static void leave_preempted(struct grouping *g, const struct points_request *request,
                            double *values, struct points_account *account)
{
    struct work w = {.g = g, .values = values};
    if (!find_columns(g->e, &w.columns))
        return;
    bool ranks = g->e->columns[FIELD_RANK].values && request->ranks != RANKS_ONE;
    w.mark = mem_zalloc(g->e->nrows + 1, 1);
    w.clear = mem_zalloc(g->ngroups, sizeof *w.clear);
    w.on_core = mem_zalloc(g->ngroups, sizeof *w.on_core);
    w.taken = mem_zalloc(g->ngroups, sizeof *w.taken);
    w.left = mem_zalloc(g->ngroups, sizeof *w.left);
    mark_by_row(&w, account);
    mark_by_point(&w);
    if (ranks)
        mark_by_execution(&w);
    leave_out(&w, ranks, account);
    mem_free(w.left);
    mem_free(w.taken);
    mem_free(w.on_core);
    mem_free(w.clear);
    mem_free(w.mark);
}

/* ---- first executions */

/* All executions of a point by one thread of one rank in one run. */
struct visit {
    size_t first;        /* row */
    size_t later;        /* how many come after it */
    double largest, sum; /* of the later ones */
    double ratio;        /* the first one over the mean of the later ones */
    uint32_t group;
};

static struct visit *find_visits(const struct grouping *g, const double *values, size_t *n)
{
    static const int place[] = {FIELD_RUN, FIELD_RANK, FIELD_THREAD, FIELD_FIXED};
    struct row_table t = rows_table(g, place);
    struct visit *list = NULL;
    size_t capacity = 0, *number = mem_alloc(g->e->nrows + 1, sizeof *number);
    *n = 0;
    for (size_t row = 0; row < g->e->nrows; row++) {
        if (g->group[row] == UINT32_MAX)
            continue;
        size_t *slot = rows_slot(&t, row);
        if (!*slot) {
            if (*n == capacity) {
                capacity = mem_grown(capacity, *n + 1);
                list = mem_resize(list, capacity, sizeof *list);
            }
            *slot = row + 1;
            number[row] = *n;
            list[(*n)++] = (struct visit){.first = row, .group = g->group[row]};
            continue;
        }
        struct visit *v = &list[number[*slot - 1]];
        v->later++;
        v->sum += values[row];
        v->largest = v->later == 1 ? values[row] : fmax(v->largest, values[row]);
    }
    mem_free(number);
    mem_free(t.slots);
    return list;
}

/* Is the first execution the slowest of its visit more often than chance explains? */
static bool first_differ(const struct visit *list, size_t n, const double *values)
{
    unsigned visits = 0, slowest = 0;
    double chance = 0;
    for (size_t i = 0; i < n; i++) {
        if (list[i].later < FIRST_LEAST_LATER)
            continue;
        visits++;
        slowest += values[list[i].first] > list[i].largest;
        chance += 1.0 / (double)(list[i].later + 1);
    }
    return slowest && gsl_cdf_binomial_Q(slowest - 1, chance / visits, visits) < FIRST_LEVEL;
}

static int by_group(const void *x, const void *y, void *context)
{
    const struct visit *a = x, *b = y;
    (void)context;
    if (a->group != b->group)
        return a->group < b->group ? -1 : 1;
    return stats_compare(a->ratio, b->ratio);
}

/* The middle ratio of the visits of one group that have later executions; nan if there are none. */
static double middle_ratio(const struct visit *list, size_t n)
{
    while (n && isnan(list[n - 1].ratio)) /* nan comes last */
        n--;
    if (!n)
        return NAN;
    return n % 2 ? list[n / 2].ratio : (list[n / 2 - 1].ratio + list[n / 2].ratio) / 2;
}

static void leave_first(struct grouping *g, const double *values, struct points_account *account)
{
    size_t n;
    struct visit *list = find_visits(g, values, &n);
    for (size_t i = 0; i < n; i++)
        list[i].ratio = list[i].later && list[i].sum > 0
                            ? values[list[i].first] * (double)list[i].later / list[i].sum
                            : NAN;
    double *times = mem_alloc(n + 1, sizeof *times);
    size_t ntimes = 0;
    if (n && first_differ(list, n, values)) {
        sort_with(list, n, sizeof *list, by_group, NULL);
        for (size_t begin = 0, end; begin < n; begin = end) {
            for (end = begin; end < n && list[end].group == list[begin].group;)
                end++;
            double ratio = middle_ratio(list + begin, end - begin);
            if (!(ratio > FIRST_TIMES))
                continue;
            times[ntimes++] = ratio;
            for (size_t i = begin; i < end; i++)
                g->group[list[i].first] = UINT32_MAX;
            account->first += end - begin;
        }
    }
    account->first_times = ntimes ? stats_quantile(times, ntimes, 0.5) : NAN;
    mem_free(times);
    mem_free(list);
}

void disturbed_leave(struct grouping *g, const struct points_request *request, bool is_time,
                     double *values, struct points_account *account)
{
    *account = (struct points_account){.first_times = NAN};
    for (size_t row = 0; row < g->e->nrows; row++)
        account->samples += g->group[row] != UINT32_MAX;
    if (!request->keep_disturbed && strcmp(request->observable, "CLOCK") == 0)
        leave_preempted(g, request, values, account);
    if (!request->keep_first && !request->skip_rounds && is_time &&
        account->samples <= FIRST_MOST_SAMPLES)
        leave_first(g, values, account);
}
