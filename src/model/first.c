/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which first executions are left out (first.h).
 *
 * The ranks of an execution are united before anything is compared, by the rule of the request. So a
 * single rank whose first execution is slow is seen where the slowest rank counts, and ranks that
 * wait for each other are not taken for independent witnesses. For the same reason the threads of a
 * run are one witness.
 *
 * The test. All executions of a point in one run are a trial. If first executions are like the
 * others, the slowest of n executions of which k are first ones is a first one with probability k/n.
 * First executions differ if the slowest is a first one in more trials than chance explains. They
 * are left out at the points where they typically take FIRST_TIMES as long as the later ones of their
 * run. Where the data file says that first executions had page faults and later ones had none, the
 * page faults explain the difference, and the test is not needed.
 *
 * Opening executions may be slow for reasons of their own. They are tested separately in the same
 * way, against the other executions of their point in their run. If each run executes a point once, they are compared with the executions of the point
 * in runs that opened with another point (the order of a round, shuffle).
 */
#include "model/first.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

#include "base/sort.h"
#include "model/disturbed.h"

/* Bits of the marks. */
enum { FIRST = 1, OPENING = 2 };

/* The index of the execution tells the order, and the place in the file where the index says
 * nothing, as in imported data. */
static bool is_earlier(const struct experiment *e, size_t a, size_t b)
{
    double x = column_at(&e->columns[FIELD_SEQ], a), y = column_at(&e->columns[FIELD_SEQ], b);
    return x < y || (!(y < x) && a < b);
}

static const int of_thread[] = {FIELD_RUN, FIELD_RANK, FIELD_THREAD, FIELD_FIXED};

/* Marks the earliest row of each group on each thread of each run. */
static void mark_earliest(const struct grouping *g, unsigned bit, unsigned char *marks)
{
    size_t n, found = 0;
    MEM_LOCAL uint32_t *number = rows_alike(g, of_thread, &n);
    MEM_LOCAL size_t *earliest = mem_alloc(n + 1, sizeof *earliest);
    for (size_t row = 0; row < g->e->nrows; row++) {
        if (number[row] == UINT32_MAX)
            continue;
        if (number[row] == found)
            earliest[found++] = row;
        else if (is_earlier(g->e, row, earliest[number[row]]))
            earliest[number[row]] = row;
    }
    for (size_t i = 0; i < n; i++)
        marks[earliest[i]] |= (unsigned char)bit;
}

unsigned char *first_find(const struct grouping *g)
{
    unsigned char *marks = mem_zalloc(g->e->nrows + 1, 1);
    struct grouping all = *g; /* one group, also of rows that conditions leave out */
    MEM_LOCAL uint32_t *group = all.group = mem_zalloc(g->e->nrows + 1, sizeof *group);
    mark_earliest(g, FIRST, marks);
    mark_earliest(&all, OPENING, marks);
    return marks;
}

size_t first_skip(struct grouping *g, size_t skip)
{
    size_t n, skipped = 0;
    MEM_LOCAL uint32_t *number = rows_alike(g, of_thread, &n);
    MEM_LOCAL size_t *seen = mem_zalloc(n + 1, sizeof *seen);
    for (size_t row = 0; row < g->e->nrows; row++) {
        if (number[row] == UINT32_MAX || seen[number[row]]++ >= skip)
            continue;
        g->keep[row] = 0;
        skipped++;
    }
    return skipped;
}

/* ---- executions and trials */

/* One execution with all its ranks. */
struct execution {
    double value;
    uint32_t group, trial, rows;
    unsigned char marks;
    signed char faulted; /* 1: some rank had page faults, 0: it is not known, -1: none had */
};

struct work {
    struct grouping *g;
    enum rank_rule rule;
    const struct column *flags;
    uint32_t *of; /* the execution of each row that is in a group */
    struct execution *list;
    size_t n;
    size_t ntrials; /* a trial: the executions of a point in a run */
    bool *leave;    /* per group: the marked executions are to be left out */
};

static void add_rank(struct execution *x, enum rank_rule rule, double value)
{
    x->rows++;
    if (rule == RANKS_MEAN)
        x->value += (value - x->value) / x->rows;
    else if (rule == RANKS_MIN ? value < x->value : value > x->value)
        x->value = value;
}

static void find_executions(struct work *w, const unsigned char *marks, const double *values)
{
    const struct grouping *g = w->g;
    bool ranks = g->e->columns[FIELD_RANK].values && w->rule != RANKS_ONE;
    size_t n;
    w->of = ranks ? rows_alike(g, rows_execution, &n) : mem_alloc(g->e->nrows + 1, sizeof *w->of);
    for (size_t row = 0; row < g->e->nrows; row++) {
        if (g->group[row] == UINT32_MAX)
            continue;
        signed char faulted = (signed char)disturbed_faulted(w->flags, row);
        if (!ranks)
            w->of[row] = (uint32_t)w->n;
        if (w->of[row] < w->n) {
            struct execution *x = &w->list[w->of[row]];
            add_rank(x, w->rule, values[row]);
            x->marks |= marks[row];
            x->faulted = faulted > x->faulted ? faulted : x->faulted;
            continue;
        }
        w->list[w->n++] = (struct execution){.value = values[row],
                                             .group = g->group[row],
                                             .rows = 1,
                                             .marks = marks[row],
                                             .faulted = faulted};
    }
}

static void find_trials(struct work *w)
{
    static const int run[] = {FIELD_RUN, FIELD_FIXED};
    MEM_LOCAL uint32_t *trial = rows_alike(w->g, run, &w->ntrials);
    for (size_t row = 0; row < w->g->e->nrows; row++)
        if (trial[row] != UINT32_MAX)
            w->list[w->of[row]].trial = trial[row];
}

struct trial {
    size_t marked, others;
    double marked_sum, others_sum;
    double marked_most, others_most; /* the slowest */
    uint32_t group;
    double ratio; /* the marked ones over the others, by their means; nan: not known */
    bool faults;  /* all marked ones whose page faults are known had some, and the others none */
    bool opens;   /* it has an opening execution */
};

/* The trials, with the executions that have this mark against the others. by_group: one trial for
 * all runs of a point. */
static struct trial *fill_trials(const struct work *w, unsigned bit, bool by_group, size_t *n)
{
    *n = by_group ? w->g->ngroups : w->ntrials;
    struct trial *list = mem_zalloc(*n + 1, sizeof *list);
    MEM_LOCAL size_t(*known)[4] =
        mem_zalloc(*n + 1, sizeof *known); /* marked or not, faulted or not */
    for (size_t i = 0; i < w->n; i++) {
        const struct execution *x = &w->list[i];
        if (x->group == UINT32_MAX)
            continue;
        size_t number = by_group ? x->group : x->trial;
        struct trial *t = &list[number];
        bool marked = x->marks & bit;
        size_t *count = marked ? &t->marked : &t->others;
        double *sum = marked ? &t->marked_sum : &t->others_sum;
        double *most = marked ? &t->marked_most : &t->others_most;
        *most = *count ? fmax(*most, x->value) : x->value;
        *sum += x->value;
        ++*count;
        t->group = x->group;
        t->opens = t->opens || x->marks & OPENING;
        if (x->faulted)
            known[number][2 * marked + (x->faulted > 0)]++;
    }
    for (size_t i = 0; i < *n; i++) {
        struct trial *t = &list[i];
        t->faults = known[i][3] && !known[i][2] && known[i][0] && !known[i][1];
        t->ratio = t->marked && t->others && t->others_sum > 0
                       ? t->marked_sum / (double)t->marked * (double)t->others / t->others_sum
                       : NAN;
    }
    return list;
}

/* ---- the test */

/* The probability that chance makes a marked execution the slowest as often as it is; 1 if there is
 * nothing to compare. opening: also in trials that have an opening execution. */
static double chance_of(const struct trial *list, size_t n, bool opening)
{
    unsigned trials = 0, slowest = 0;
    double chance = 0;
    for (size_t i = 0; i < n; i++) {
        const struct trial *t = &list[i];
        if (!t->marked || !t->others || (t->opens && !opening))
            continue;
        trials++;
        slowest += t->marked_most > t->others_most;
        chance += (double)t->marked / (double)(t->marked + t->others);
    }
    return slowest ? gsl_cdf_binomial_Q(slowest - 1, chance / trials, trials) : 1;
}

/* Opening executions alone do not show that first ones differ. */
static bool marked_differ(const struct trial *list, size_t n, unsigned bit)
{
    return chance_of(list, n, true) < FIRST_LEVEL &&
           (bit == OPENING || chance_of(list, n, false) < FIRST_REST_LEVEL);
}

static bool can_compare(const struct trial *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (list[i].marked && list[i].others)
            return true;
    return false;
}

static int by_group(const void *x, const void *y, void *context)
{
    const struct trial *a = x, *b = y;
    (void)context;
    if (a->group != b->group)
        return a->group < b->group ? -1 : 1;
    return stats_compare(a->ratio, b->ratio);
}

/* The middle ratio of sorted trials of one group; nan if none is known. */
static double middle_ratio(const struct trial *list, size_t n)
{
    while (n && isnan(list[n - 1].ratio)) /* nan comes last */
        n--;
    if (!n)
        return NAN;
    return n % 2 ? list[n / 2].ratio : (list[n / 2 - 1].ratio + list[n / 2].ratio) / 2;
}

/* Page faults explain the difference in every trial of one group that knows them. */
static bool faults_explain(const struct trial *list, size_t n)
{
    bool any = false;
    for (size_t i = 0; i < n; i++) {
        if (!isnan(list[i].ratio) && !list[i].faults)
            return false;
        any = any || list[i].faults;
    }
    return any;
}

/* Takes the marked executions of the chosen groups out; returns their rows. */
static size_t take_out(struct work *w, unsigned bit, size_t *faulted)
{
    size_t rows = 0;
    for (size_t row = 0; row < w->g->e->nrows; row++) {
        uint32_t group = w->g->group[row];
        if (group == UINT32_MAX || !w->leave[group])
            continue;
        struct execution *x = &w->list[w->of[row]];
        if (!(x->marks & bit))
            continue;
        w->g->group[row] = x->group = UINT32_MAX;
        rows++;
        *faulted += disturbed_faulted(w->flags, row) > 0;
    }
    return rows;
}

/* Leaves the marked executions out where they differ. Returns how many times slower they typically
 * are; nan: none was left out. */
static double leave_marked(struct work *w, unsigned bit, size_t *rows, size_t *faulted)
{
    size_t n, ntimes = 0;
    MEM_LOCAL struct trial *list = fill_trials(w, bit, false, &n);
    if (bit == OPENING && !can_compare(list, n)) {
        mem_free(list);
        list = fill_trials(w, bit, true, &n);
    }
    bool differ = marked_differ(list, n, bit);
    MEM_LOCAL double *times = mem_alloc(n + 1, sizeof *times);
    memset(w->leave, 0, w->g->ngroups * sizeof *w->leave);
    sort_with(list, n, sizeof *list, by_group, NULL);
    for (size_t begin = 0, end; begin < n; begin = end) {
        for (end = begin; end < n && list[end].group == list[begin].group;)
            end++;
        double ratio = middle_ratio(list + begin, end - begin);
        if (!(ratio > FIRST_TIMES) || !(differ || faults_explain(list + begin, end - begin)))
            continue;
        times[ntimes++] = ratio;
        w->leave[list[begin].group] = true;
    }
    if (!ntimes)
        return NAN;
    *rows = take_out(w, bit, faulted);
    return stats_quantile(times, ntimes, 0.5);
}

/* Points of which every sample is a first execution; they are counted where this matters: first
 * executions of other points differ, or most of the samples had page faults. */
static void count_only_first(const struct work *w, struct points_account *account)
{
    size_t ngroups = w->g->ngroups;
    MEM_LOCAL size_t(*of)[3] = mem_zalloc(ngroups + 1, sizeof *of); /* first, faulted, later */
    for (size_t i = 0; i < w->n; i++) {
        const struct execution *x = &w->list[i];
        if (x->group == UINT32_MAX)
            continue;
        of[x->group][x->marks & FIRST ? 0 : 2]++;
        of[x->group][1] += x->faulted > 0;
    }
    for (size_t i = 0; i < ngroups; i++) {
        if (!of[i][0] || of[i][2])
            continue;
        bool faulted = 2 * of[i][1] > of[i][0];
        account->first_only += account->first || faulted;
        account->first_only_faulted += faulted;
    }
}

void first_leave(struct grouping *g, const struct points_request *request,
                 const unsigned char *marks, const double *values, struct points_account *account)
{
    struct work w = {.g = g, .rule = request->ranks, .flags = disturbed_column(g->e)};
    w.list = mem_alloc(account->samples + 1, sizeof *w.list);
    w.leave = mem_zalloc(g->ngroups + 1, sizeof *w.leave);
    find_executions(&w, marks, values);
    find_trials(&w);
    account->first_times = leave_marked(&w, FIRST, &account->first, &account->first_faulted);
    account->opening_times = leave_marked(&w, OPENING, &account->opening, &account->first_faulted);
    count_only_first(&w, account);
    mem_free(w.leave);
    mem_free(w.list);
    mem_free(w.of);
}
